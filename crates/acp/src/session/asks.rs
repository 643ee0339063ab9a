//! The questions that stand open in a session: those that the editor was asked, and those that wait until it can be.

use super::{Order, Start};
use crate::asking::{Answered, Asking, asking, unasked};
use agent_protocol::{Answer, AskId, Question};
use serde_json::{Value, json};
use tokio::task::AbortHandle;

#[derive(Default)]
pub(super) struct Asks {
    held: Vec<Question>,
    open: Vec<OpenAsk>,
}

/// A question that the editor was asked.
struct OpenAsk {
    question: Question,
    /// Ends the waiting, and takes the question back from the editor.
    waiting: AbortHandle,
    /// The call that was made up for it.
    alone: Option<String>,
}

impl Asks {
    pub(super) fn hold(&mut self, question: Question) {
        self.held.push(question);
    }

    pub(super) fn take_held(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.held)
    }

    /// Was the editor asked this, and nothing came of it yet?
    pub(super) fn is_open(&self, ask: AskId) -> bool {
        self.open.iter().any(|open| open.question.id == ask)
    }

    /// Puts it to the editor. `Err`: it cannot be put, and this is the answer.
    pub(super) fn put(&mut self, question: Question, start: &Start) -> Result<(), (AskId, Answer)> {
        let ask = question.id;
        let Asking { request, answers, alone } = asking(&start.name, &question).map_err(|answer| (ask, answer))?;
        let sent = start.editor.request("session/request_permission", request);
        let orders = start.orders.clone();
        let waiting = tokio::spawn(async move {
            let answered = match sent.await {
                Ok(told) => answers.meant(&told),
                Err(fault) => Answered::Answer(unasked(&fault.message)),
            };
            // The session may be over.
            let _told = orders.send(Order::Answered { ask, answered });
        });
        self.open.push(OpenAsk { question, waiting: waiting.abort_handle(), alone });
        Ok(())
    }

    /// It is closed, whoever answered it; gives what the editor is told of that.
    pub(super) fn settled(&mut self, ask: AskId) -> Option<Value> {
        self.held.retain(|question| question.id != ask);
        let at = self.open.iter().position(|open| open.question.id == ask)?;
        let OpenAsk { waiting, alone, .. } = self.open.remove(at);
        waiting.abort();
        Some(json!({"sessionUpdate": "tool_call_update", "toolCallId": alone?, "status": "completed"}))
    }

    /// The editor waits for nothing any more: what it was asked is asked again with the next prompt, if it is still open
    /// then.
    pub(super) fn hold_again(&mut self) {
        for open in self.open.drain(..) {
            open.waiting.abort();
            self.held.push(open.question);
        }
    }

    /// Nobody waits for answers any more.
    pub(super) fn give_up(&mut self) {
        self.hold_again();
        self.held.clear();
    }
}
