//! `/undo` and `/redo` in an editor: what it would change is looked up, asked with its differences, and done after a yes.

use crate::kinds;
use crate::shown;
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{FileDiff, UndoDirection, UndoFile, UndoPlan, UndoneFile};
use serde_json::{Value, json};

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

pub(crate) fn done(direction: UndoDirection, files: &[UndoneFile]) -> String {
    let done = counted(files.iter().filter(|file| file.left.is_none()).count() as u64, "file");
    let what = match direction {
        UndoDirection::Undo => format!("undone: {done}; /redo makes it again"),
        UndoDirection::Redo => format!("made again: {done}"),
    };
    let left =
        files.iter().filter_map(|file| Some(format!("{} is as it was: {}", file.shown_path, file.left.as_ref()?)));
    std::iter::once(what).chain(left).collect::<Vec<_>>().join("\n\n")
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

    #[test]
    fn what_was_left_is_said_with_why() {
        let undone = |name: &str, left: Option<&str>| UndoneFile {
            path: format!("/p/{name}").into(),
            shown_path: name.into(),
            before: FileState::Missing,
            after: FileState::Missing,
            left: left.map(Into::into),
        };
        let words = done(UndoDirection::Undo, &[undone("a", None), undone("b", Some("it changed meanwhile"))]);
        assert_eq!(words, "undone: 1 file; /redo makes it again\n\nb is as it was: it changed meanwhile");
    }
}
