//! What is written down of large texts, so that a session of a thousand small edits in a large file stays small, and which
//! events outlive the moment. Every event is named here, so that a new one cannot be forgotten.

use agent_protocol::{
    Action, CONTEXT_LINES, ContextEvent, FileDiff, Preview, PreviewBody, ServerEvent, SessionEvent, Subject, ToolCall,
    TurnEvent,
};
use serde_json::Value;

/// Bytes of one text that are kept.
const LONGEST: usize = 64 * 1_024;

/// Keeps the changed part of each file.
pub(super) fn preview(preview: &mut Preview) {
    if let PreviewBody::Diff { files } = &mut preview.body {
        files.iter_mut().for_each(file);
    }
}

/// What a file would hold stands in the preview.
pub(super) fn subject(subject: &mut Subject) {
    if let Subject::Action { action: Action::Write { changes } } = subject {
        for after in changes.0.iter_mut().filter_map(|change| change.after.as_mut()) {
            after.clear();
        }
    }
}

/// Keeps the beginning of long arguments: the whole stands in the conversation, and what was done with it in the preview.
pub(super) fn call(call: &mut ToolCall) {
    if let Value::Object(arguments) = &mut call.call.arguments {
        for value in arguments.values_mut() {
            if let Value::String(text) = value
                && text.len() > LONGEST
            {
                cut(text);
            }
        }
    }
}

fn file(file: &mut FileDiff) {
    if let (Some(before), Some(after)) = (&mut file.before, &mut file.after) {
        let (same_before, same_after) = same_ends(before, after);
        let keep = |text: &str| {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            lines[same_before..lines.len() - same_after].concat()
        };
        (*before, *after) = (keep(before), keep(after));
        file.skipped += same_before as u64;
    }
    let mut is_cut = false;
    for text in [&mut file.before, &mut file.after].into_iter().flatten() {
        if text.len() > LONGEST {
            cut(text);
            is_cut = true;
        }
    }
    if is_cut {
        let note = "only the beginning of a long change is kept here";
        file.note = Some(file.note.take().map_or(note.to_owned(), |known| format!("{known}; {note}")));
    }
}

/// Lines that are the same at the beginning and at the end, but for those around the change.
fn same_ends(before: &str, after: &str) -> (usize, usize) {
    let lines = |text: &str| text.split_inclusive('\n').count();
    let least = lines(before).min(lines(after));
    let (one, other) = (before.split_inclusive('\n'), after.split_inclusive('\n'));
    let start = one.clone().zip(other.clone()).take_while(|(a, b)| a == b).count();
    let end = one.rev().zip(other.rev()).take_while(|(a, b)| a == b).count().min(least - start);
    (start.saturating_sub(CONTEXT_LINES), end.saturating_sub(CONTEXT_LINES))
}

/// Cuts at a line's end where there is one, else at a character.
fn cut(text: &mut String) {
    let at = (0..=LONGEST.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let at = text[..at].rfind('\n').map_or(at, |line| line + 1);
    text.truncate(at);
}

/// How much an event matters to whoever goes on with the session.
pub(super) enum Weight {
    /// It is gone when it is over.
    Passing,
    Written,
    /// It is on disk before anything else happens.
    Synced,
}

impl Weight {
    pub(super) fn synced_if(acts: bool) -> Self {
        if acts { Weight::Synced } else { Weight::Written }
    }
}

pub(super) fn of_turn(event: &TurnEvent) -> Weight {
    match event {
        TurnEvent::Started { .. } | TurnEvent::Steered { .. } | TurnEvent::Ended { .. } => Weight::Synced,
        TurnEvent::Replied { .. }
        | TurnEvent::WasThinking { .. }
        | TurnEvent::SetAside { .. }
        | TurnEvent::Receipt { .. }
        | TurnEvent::Todos { .. } => Weight::Written,
        // Streams are written down in pieces.
        TurnEvent::Text { .. } | TurnEvent::Thinking { .. } => Weight::Passing,
        TurnEvent::Queued { .. } | TurnEvent::Unqueued { .. } | TurnEvent::Waiting { .. } => Weight::Passing,
    }
}

pub(super) fn of_context(event: &ContextEvent) -> Weight {
    match event {
        ContextEvent::Fitted { .. } => Weight::Synced,
        ContextEvent::WindowMeasured { .. }
        | ContextEvent::Fitting { .. }
        | ContextEvent::Offered { .. }
        | ContextEvent::Window { .. }
        | ContextEvent::Cleared => Weight::Passing,
    }
}

pub(super) fn of_server(event: &ServerEvent) -> Weight {
    match event {
        ServerEvent::ModelSet { .. }
        | ServerEvent::ThinkSet { .. }
        | ServerEvent::Probed { .. }
        | ServerEvent::Diagnosed { .. } => Weight::Written,
        ServerEvent::Server { .. }
        | ServerEvent::Models { .. }
        | ServerEvent::Overruled { .. }
        | ServerEvent::ModelDescribed { .. }
        | ServerEvent::Loaded { .. }
        | ServerEvent::ModelRemoved { .. }
        | ServerEvent::Nearby { .. }
        | ServerEvent::Pulling { .. }
        | ServerEvent::Examining { .. } => Weight::Passing,
    }
}

pub(super) fn of_session(event: &SessionEvent) -> Weight {
    match event {
        SessionEvent::Undone { .. } | SessionEvent::Rewound { .. } | SessionEvent::Renamed { .. } => Weight::Synced,
        SessionEvent::Notice { .. } | SessionEvent::HookRan { .. } => Weight::Written,
        SessionEvent::Opened { .. }
        | SessionEvent::CheckedOut { .. }
        | SessionEvent::Said { .. }
        | SessionEvent::Restored { .. }
        | SessionEvent::NotRestored { .. }
        | SessionEvent::Page { .. }
        | SessionEvent::NoPage { .. }
        | SessionEvent::Journal { .. }
        | SessionEvent::UndoPlanned { .. }
        | SessionEvent::Closed => Weight::Passing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: Option<&str>, after: Option<&str>) -> FileDiff {
        let mut diff = FileDiff {
            path: "/p/a".into(),
            shown_path: "a".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            note: None,
            skipped: 0,
            marks: Vec::new(),
        };
        file(&mut diff);
        diff
    }

    fn numbered(changed: &str) -> String {
        (1..=100).map(|line| if line == 50 { format!("{changed}\n") } else { format!("{line}\n") }).collect()
    }

    #[test]
    fn of_a_large_file_the_changed_lines_and_a_few_around_them_are_kept() {
        let kept = diff(Some(&numbered("old")), Some(&numbered("new")));
        // As many as are shown while the session goes on, so that it looks the same when it is opened again.
        let around = |lines: std::ops::Range<usize>| lines.map(|line| format!("{line}\n")).collect::<String>();
        let (above, below) = (around(50 - CONTEXT_LINES..50), around(51..51 + CONTEXT_LINES));
        assert_eq!(kept.before, Some(format!("{above}old\n{below}")));
        assert_eq!(kept.after, Some(format!("{above}new\n{below}")));
        assert_eq!((kept.skipped, kept.note), (49 - CONTEXT_LINES as u64, None));
    }

    #[test]
    fn lines_that_are_repeated_are_not_taken_for_both_ends() {
        let kept = diff(Some("a\na\na\n"), Some("a\na\na\na\na\na\na\na\na\na\n"));
        let added = kept.after.unwrap().lines().count() - kept.before.unwrap().lines().count();
        assert_eq!(added, 7);
        assert_eq!(diff(Some(""), Some("x")).after.as_deref(), Some("x"));
        assert_eq!(diff(Some("x\n"), Some("x")).before.as_deref(), Some("x\n"));
    }

    #[test]
    fn of_a_long_new_file_the_beginning_is_kept_and_that_is_said() {
        let kept = diff(None, Some(&"line\n".repeat(100_000)));
        assert!(kept.after.unwrap().len() <= LONGEST);
        assert!(kept.note.unwrap().contains("only the beginning"));
        assert_eq!(diff(None, Some("short")).note, None);
    }

    #[test]
    fn what_has_no_lines_is_cut_at_a_character() {
        let kept = diff(None, Some(&"é".repeat(100_000))).after.unwrap();
        assert!(kept.len() <= LONGEST && kept.ends_with('é'));
    }
}
