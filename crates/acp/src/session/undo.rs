//! `/undo` and `/redo` in an editor: what would change is looked up, asked with its differences, and done after a yes.
//!
//! **Invariant.** A yes carries out the plan that the editor was shown: the loop keeps the last one alone, and refuses another.

use super::{Order, Session};
use crate::commands::Command;
use crate::ending::StopReason;
use crate::words::{Voice, chunk};
use crate::{kinds, shown};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{
    Event, FileDiff, ListEvent, Op, SessionEvent, SessionOp, UndoDirection, UndoFile, UndoPlan, UndoTurn,
};
use serde_json::{Value, json};
use tokio::task::AbortHandle;

/// What the editor was asked.
pub(super) struct TakingBack {
    plan: UndoPlan,
    /// Ends the waiting for its answer.
    waiting: AbortHandle,
}

impl Session {
    /// Goes on with it, where that is what is under way.
    pub(super) fn follow_undo(&mut self, event: &Event) {
        let Some(Command::Undo(wanted)) = self.under_way.as_ref().and_then(|under_way| under_way.command()) else {
            return;
        };
        match event {
            Event::List(ListEvent::Undoable { turns }) => match UndoTurn::next(turns, wanted) {
                Ok(turn) => self.send(Op::Session(SessionOp::PlanUndo { direction: wanted, said: turn.said })),
                Err(why) => self.end_with(why),
            },
            Event::Session(SessionEvent::UndoPlanned { plan }) if plan.direction == wanted && plan.part.is_none() => {
                self.ask_to_undo(plan);
            }
            _ => {}
        }
    }

    fn ask_to_undo(&mut self, plan: &UndoPlan) {
        let request = match question(&self.start.name, plan) {
            Ok(request) => request,
            Err(why) => return self.end_with(&why),
        };
        let sent = self.start.editor.request("session/request_permission", request);
        let orders = self.start.orders.clone();
        let waiting = tokio::spawn(async move {
            // Where nobody could be asked, nobody said yes.
            let is_yes = sent.await.is_ok_and(|told: Value| is_yes(&told));
            // The session may be over.
            let _told = orders.send(Order::TakeBack { is_yes });
        });
        self.taking = Some(TakingBack { plan: plan.clone(), waiting: waiting.abort_handle() });
    }

    pub(super) fn take_back(&mut self, is_yes: bool) {
        let Some(TakingBack { plan, .. }) = self.taking.take() else { return };
        self.tell(vec![over(&plan, is_yes)]);
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
    pub(super) fn give_up_undo(&mut self) {
        if let Some(TakingBack { waiting, .. }) = self.taking.take() {
            waiting.abort();
        }
    }

    fn end_with(&mut self, words: &str) {
        self.tell(vec![chunk(Voice::Model, words)]);
        self.finish(Ok(StopReason::EndTurn));
    }
}

/// The answers to the question.
const YES: &str = "allow_once";
const NO: &str = "reject_once";

/// What `session/request_permission` is given for a plan. A file that stays as it is, is named with why.
///
/// # Errors
/// No file would change: why, in words.
pub(crate) fn question(session: &str, plan: &UndoPlan) -> Result<Value, String> {
    let files: Vec<FileDiff> =
        plan.files.iter().filter(|file| file.stays().is_none()).map(|file| file.diff.clone()).collect();
    let stay: Vec<String> = plan.files.iter().filter_map(UndoFile::stays).collect();
    if files.is_empty() {
        return Err(stay.into_iter().chain(["no file would change".to_owned()]).collect::<Vec<_>>().join("\n"));
    }
    let what = match plan.direction {
        UndoDirection::Undo => "Undo",
        UndoDirection::Redo => "Redo",
    };
    let mut content = shown::diffs(&files);
    content.extend(stay.iter().map(|why| crate::words::content(&clean_line(why))));
    let call = json!({
        "toolCallId": call(plan),
        "title": format!("{what} the changes to {}", counted(files.len() as u64, "file")),
        "kind": kinds::ToolKind::Edit.word(),
        "status": "pending",
        "locations": kinds::changed_places(&files),
        "content": content,
    });
    let options = json!([
        {"optionId": YES, "name": what, "kind": YES},
        {"optionId": NO, "name": "Leave all as it is", "kind": NO},
    ]);
    Ok(json!({"sessionId": session, "toolCall": call, "options": options}))
}

/// The call that the question is about is over.
pub(crate) fn over(plan: &UndoPlan, is_done: bool) -> Value {
    let status = if is_done { "completed" } else { "failed" };
    json!({"sessionUpdate": "tool_call_update", "toolCallId": call(plan), "status": status})
}

fn call(plan: &UndoPlan) -> String {
    let what = match plan.direction {
        UndoDirection::Undo => "undo",
        UndoDirection::Redo => "redo",
    };
    format!("{what}-{}", plan.said)
}

/// Whether the editor's answer is a yes; whatever is no clear one is a no.
pub(crate) fn is_yes(told: &Value) -> bool {
    told["outcome"]["outcome"] == "selected" && told["outcome"]["optionId"] == YES
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{FileState, SaidId, UndoConflict};

    fn file(name: &str) -> UndoFile {
        let diff = FileDiff {
            path: format!("/p/{name}").into(),
            shown_path: name.into(),
            before: Some("new\n".into()),
            after: None,
            note: None,
            skipped: 0,
            marks: Vec::new(),
        };
        let path = diff.path.clone();
        UndoFile { path, now: FileState::Missing, target: FileState::Missing, diff, possible: true, conflict: None }
    }

    fn plan(files: Vec<UndoFile>) -> UndoPlan {
        UndoPlan { direction: UndoDirection::Undo, said: SaidId(3), files, part: None }
    }

    fn others(name: &str) -> UndoFile {
        let conflict = UndoConflict { since: file(name).diff, merged: None };
        UndoFile { conflict: Some(conflict), ..file(name) }
    }

    #[test]
    fn what_would_change_is_asked_and_what_stays_is_named() {
        let asked = question("s", &plan(vec![file("a"), others("b")])).unwrap();
        let call = &asked["toolCall"];
        assert_eq!((&call["title"], &call["toolCallId"]), (&json!("Undo the changes to 1 file"), &json!("undo-3")));
        let content = call["content"].to_string();
        assert!(content.contains("/p/a") && content.contains("b stays as it is: it was changed since"), "{content}");
        assert!(!content.contains("/p/b"), "no difference of what stays: {content}");
        let why = question("s", &plan(vec![others("b")])).unwrap_err();
        assert!(why.ends_with("by somebody else\nno file would change"), "{why}");
    }

    #[test]
    fn only_the_yes_is_one() {
        let selected = |option: &str| json!({"outcome": {"outcome": "selected", "optionId": option}});
        assert!(is_yes(&selected("allow_once")) && !is_yes(&selected("reject_once")) && !is_yes(&selected("")));
        assert!(!is_yes(&json!({"outcome": {"outcome": "cancelled"}})) && !is_yes(&json!({"optionId": "allow_once"})));
    }
}
