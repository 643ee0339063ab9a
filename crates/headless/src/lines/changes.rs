//! Changed files in words, as somebody hears them who sees nothing: which file, which hunk, how many lines, and each line with
//! what becomes of it in front.

use agent_frontend::{Hunk, Hunks};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::sanitize::hidden_in;
use agent_protocol::{CONTEXT_LINES, FileDiff};
use similar::{ChangeTag, DiffOp, TextDiff};
use std::time::Duration;

/// So long two texts are compared closely.
const PATIENCE: Duration = Duration::from_millis(300);

/// The hunks of changed files with their lines.
#[derive(Debug, Default)]
pub(super) struct TextHunks {
    pub(super) hunks: Hunks,
    /// For each hunk what becomes of its lines, and these without their ends.
    lines: Vec<Vec<(ChangeTag, String)>>,
}

impl TextHunks {
    pub(super) fn compare(files: &[FileDiff]) -> Self {
        let mut compared = TextHunks::default();
        for (number, file) in files.iter().enumerate() {
            let (before, after) =
                (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
            let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
            let line = |op: &DiffOp| {
                let line = |text: &str| text.trim_end_matches(['\n', '\r']).to_owned();
                diff.iter_changes(op).map(|change| (change.tag(), line(change.value()))).collect::<Vec<_>>()
            };
            for group in diff.grouped_ops(CONTEXT_LINES) {
                compared.hunks.all.push(Hunk::from_group(&group, number, file));
                compared.lines.push(group.iter().flat_map(line).collect());
            }
        }
        compared
    }
}

/// All of it, a line each.
pub(super) fn changed_files(files: &[FileDiff], TextHunks { hunks, lines }: &TextHunks) -> Vec<String> {
    let mut words = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let of_file = hunks.all.iter().zip(lines).enumerate().filter(|(_, (hunk, _))| hunk.file == number);
        let own: Vec<_> = of_file.collect();
        let which = if files.len() > 1 { format!("file {} of {}", number + 1, files.len()) } else { "file".to_owned() };
        words.push([&which, ": ", &file.shown_path, ", ", &became(file, own.len())].concat());
        words.extend(notes(file));
        for (place, (hunk, lines)) in own {
            let count = |tag| counted(lines.iter().filter(|(side, _)| *side == tag).count(), "line");
            let (removed, added) = (count(ChangeTag::Delete), count(ChangeTag::Insert));
            let (at, of) = (hunk.lines_label(), hunks.all.len());
            words.push(format!("hunk {} of {of}, {at}, removed {removed}, added {added}:", place + 1));
            words.extend(lines.iter().map(|(side, text)| spoken_line(*side, text)));
        }
    }
    words
}

fn became(file: &FileDiff, hunks: usize) -> String {
    match (&file.before, &file.after) {
        (None, Some(after)) if after.is_empty() => "a new file, empty".to_owned(),
        (None, _) => "a new file".to_owned(),
        (Some(_), None) => "the file is deleted".to_owned(),
        (Some(before), Some(after)) if before == after => "nothing changes".to_owned(),
        (Some(_), Some(after)) if after.is_empty() && file.skipped == 0 => "the file becomes empty".to_owned(),
        (Some(_), Some(_)) => format!("changed in {}", counted(hunks, "hunk")),
    }
}

/// What has to be said of a file besides its lines.
fn notes(file: &FileDiff) -> Vec<String> {
    let mut notes: Vec<String> = file.note.iter().map(|note| format!("note: {note}")).collect();
    let (before, after) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let crlf = |text: &str| text.contains("\r\n");
    let broken = |text: &str| text.is_empty() || text.ends_with('\n');
    if !before.is_empty() && !after.is_empty() && crlf(before) != crlf(after) {
        notes.push(format!("line ends change to {}", if crlf(after) { "CRLF" } else { "LF" }));
    }
    match (broken(before), broken(after)) {
        (true, false) if !before.is_empty() => notes.push("the last line loses its line break".to_owned()),
        (false, true) if !after.is_empty() => notes.push("the last line gains a line break".to_owned()),
        (true, false) => notes.push("no line break at the end of the file".to_owned()),
        (true, true) | (false, true | false) => {}
    }
    notes.extend(hidden_in(after).map(|hidden| format!("warning: {hidden}")));
    notes.extend(file.marks.iter().map(|mark| format!("warning: line {} {}", mark.line, mark.text)));
    notes
}

fn spoken_line(side: ChangeTag, text: &str) -> String {
    let side = match side {
        ChangeTag::Equal => "same",
        ChangeTag::Delete => "removed",
        ChangeTag::Insert => "added",
    };
    let kept = text.trim_end_matches([' ', '\t']);
    let blanks = text.chars().count() - kept.chars().count();
    let said = match (kept.is_empty(), blanks) {
        (true, 0) => "empty line".to_owned(),
        (true, _) => counted(blanks, "blank") + " and nothing else",
        (false, 0) => text.to_owned(),
        (false, _) => [kept, " (", &counted(blanks, "blank"), " at its end)"].concat(),
    };
    [side, ": ", &said].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(before: Option<&str>, after: Option<&str>) -> FileDiff {
        FileDiff {
            path: "/p/a.rs".into(),
            shown_path: "a.rs".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            note: None,
            skipped: 0,
            marks: Vec::new(),
        }
    }

    fn words(files: &[FileDiff]) -> String {
        changed_files(files, &TextHunks::compare(files)).join("\n")
    }

    #[test]
    fn a_change_says_file_hunk_and_lines_and_each_line_what_becomes_of_it() {
        insta::assert_snapshot!(words(&[file(Some("one\ntwo\nthree\n"), Some("one\n2\n\n2 b\nthree\n"))]), @r"
        file: a.rs, changed in 1 hunk
        hunk 1 of 1, lines 2 to 4, removed 1 line, added 3 lines:
        same: one
        removed: two
        added: 2
        added: empty line
        added: 2 b
        same: three
        ");
    }

    #[test]
    fn what_cannot_be_heard_in_a_line_is_said() {
        let new = file(None, Some("a  \n \t\nb"));
        let shown = words(&[new, file(Some("x\n"), None), file(Some("a\r\n"), Some("a\n"))]);
        insta::assert_snapshot!(shown, @r"
        file 1 of 3: a.rs, a new file
        no line break at the end of the file
        hunk 1 of 3, lines 1 to 3, removed 0 lines, added 3 lines:
        added: a (2 blanks at its end)
        added: 2 blanks and nothing else
        added: b
        file 2 of 3: a.rs, the file is deleted
        hunk 2 of 3, line 1, removed 1 line, added 0 lines:
        removed: x
        file 3 of 3: a.rs, changed in 1 hunk
        line ends change to LF
        hunk 3 of 3, line 1, removed 1 line, added 1 line:
        removed: a
        added: a
        ");
        let hidden = words(&[file(Some("b\n"), Some("b\u{200b}\n"))]);
        assert!(hidden.contains("warning: 1 invisible character (U+200B zero width space)"), "{hidden}");
    }
}
