//! Listens to the model, one reply at a time.

use crate::arrival::Inbox;
use agent_backend::Chat;
use agent_protocol::{ChatRequest, ReplyId};
use agent_session::ServerInput;
use futures_util::StreamExt;
use std::sync::Arc;
use tokio::task::AbortHandle;

pub(crate) struct Replies {
    backend: Arc<dyn Chat>,
    inbox: Inbox,
    listening: Option<AbortHandle>,
}

impl Replies {
    pub(crate) fn new(backend: Arc<dyn Chat>, inbox: Inbox) -> Self {
        Replies { backend, inbox, listening: None }
    }

    pub(crate) fn call(&mut self, reply: ReplyId, request: ChatRequest) {
        self.hang_up();
        let mut stream = self.backend.chat(request);
        let inbox = self.inbox.clone();
        let task = tokio::spawn(async move {
            while let Some(event) = stream.next().await {
                if !inbox.tell(ServerInput::Model { reply, event }).await {
                    return;
                }
            }
        });
        self.listening = Some(task.abort_handle());
    }

    /// Drops the stream, which cancels the request.
    pub(crate) fn hang_up(&mut self) {
        if let Some(task) = self.listening.take() {
            task.abort();
        }
    }
}
