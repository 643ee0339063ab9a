//! Listens to the model, one reply at a time.

use crate::arrival::Arrival;
use agent_backend::Chat;
use agent_protocol::{ChatRequest, ReplyId};
use agent_turn::{Input, ServerInput};
use futures_util::StreamExt;
use std::sync::Arc;
use tokio::sync::mpsc::Sender;
use tokio::task::AbortHandle;

pub(crate) struct Replies {
    backend: Arc<dyn Chat>,
    inbox: Sender<Arrival>,
    listening: Option<AbortHandle>,
}

impl Replies {
    pub(crate) fn new(backend: Arc<dyn Chat>, inbox: Sender<Arrival>) -> Self {
        Replies { backend, inbox, listening: None }
    }

    pub(crate) fn call(&mut self, reply: ReplyId, request: ChatRequest) {
        self.hang_up();
        let mut stream = self.backend.chat(request);
        let inbox = self.inbox.clone();
        let task = tokio::spawn(async move {
            while let Some(event) = stream.next().await {
                if inbox
                    .send(Arrival::Input(Box::new(Input::Server(ServerInput::Model { reply, event }))))
                    .await
                    .is_err()
                {
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
