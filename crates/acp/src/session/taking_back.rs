//! A command that takes changes back or makes them again, from the list of what there is to the end.
//!
//! **Invariant.** A yes carries out the plan that the editor was shown: the loop keeps the last one alone, and refuses another.

use super::{Order, Session};
use crate::commands::Command;
use crate::ending::StopReason;
use crate::undoing;
use crate::words::{Voice, chunk};
use agent_protocol::{Event, ListEvent, Op, SessionEvent, SessionOp, UndoDirection, UndoPlan, UndoTurn};
use serde_json::Value;
use tokio::task::AbortHandle;

/// What the editor was asked.
pub(super) struct TakingBack {
    plan: UndoPlan,
    /// Ends the waiting for its answer.
    waiting: AbortHandle,
}

impl Session {
    /// Goes on with it, where that is what is under way.
    pub(super) fn follow_taking_back(&mut self, event: &Event) {
        let Some(Command::Undo(wanted)) = self.under_way.as_ref().and_then(|under_way| under_way.command()) else {
            return;
        };
        match event {
            Event::List(ListEvent::Undoable { turns }) => match UndoTurn::next(turns, wanted) {
                Ok(turn) => self.send(Op::Session(SessionOp::PlanUndo { direction: wanted, said: turn.said })),
                Err(why) => self.end_with(why),
            },
            Event::Session(SessionEvent::UndoPlanned { plan }) if plan.direction == wanted && plan.part.is_none() => {
                self.ask_to_take_back(plan);
            }
            _ => {}
        }
    }

    fn ask_to_take_back(&mut self, plan: &UndoPlan) {
        let request = match undoing::question(&self.start.name, plan) {
            Ok(request) => request,
            Err(why) => return self.end_with(&why),
        };
        let sent = self.start.editor.request("session/request_permission", request);
        let orders = self.start.orders.clone();
        let waiting = tokio::spawn(async move {
            // Where nobody could be asked, nobody said yes.
            let is_yes = sent.await.is_ok_and(|told: Value| undoing::is_yes(&told));
            // The session may be over.
            let _told = orders.send(Order::TakeBack { is_yes });
        });
        self.taking = Some(TakingBack { plan: plan.clone(), waiting: waiting.abort_handle() });
    }

    pub(super) fn take_back(&mut self, is_yes: bool) {
        let Some(TakingBack { plan, .. }) = self.taking.take() else { return };
        self.tell(vec![undoing::over(&plan, is_yes)]);
        if is_yes {
            let UndoPlan { direction, said, .. } = plan;
            self.send(Op::Session(SessionOp::Undo { direction, said, choices: Vec::new() }));
        } else {
            self.end_with(match plan.direction {
                UndoDirection::Undo => "nothing was undone",
                UndoDirection::Redo => "nothing was made again",
            });
        }
    }

    /// What the editor was asked is of no use any more.
    pub(super) fn give_up_taking_back(&mut self) {
        if let Some(TakingBack { waiting, .. }) = self.taking.take() {
            waiting.abort();
        }
    }

    fn end_with(&mut self, words: &str) {
        self.tell(vec![chunk(Voice::Model, words)]);
        self.finish(Ok(StopReason::EndTurn));
    }
}
