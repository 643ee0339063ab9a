//! Where foreign text could stand among words of ours without a mark.

use super::{Border, code_lines};

/// Only the page of lines prints there, and cleans what it prints.
pub(super) const LINES: Border = Border {
    words: &["write!", "writeln!", "write_all", "print!", "println!", "eprintln!"],
    only_in: &["crates/headless/src/lines/page.rs", "crates/headless/src/lines/mod.rs"],
    applies_to: "crates/headless/src/lines/",
};

/// Only one file makes the texts that editors draw.
pub(super) const EDITOR_TEXT: Border = Border {
    words: &["\"type\": \"text\""],
    only_in: &["crates/acp/src/words.rs", "crates/acp/src/prompt.rs", "crates/acp/src/mapping/tests.rs"],
    applies_to: "crates/acp/src/",
};

/// Files that say what a question is about, each as a whole text.
const QUESTIONS: &[&str] = &["crates/acp/src/shown.rs", "crates/headless/src/mcp/asking/shown.rs"];

/// What others wrote, by the names it has in a question.
const WRITTEN_BY_OTHERS: &[&str] = &[
    "agent",
    "arguments",
    "choice",
    "command",
    "cwd",
    "description",
    "failing",
    "input",
    "name",
    "path",
    "prompt",
    "question",
    "sends",
    "server",
    "shown_path",
    "text",
    "title",
    "tool",
    "url",
    "warning",
    "why",
];

/// What makes foreign text safe to stand there.
const MADE_SAFE: &[&str] = &["clean_line(", "foreign_block(", "foreign_name(", "foreign(", "fenced(", "diff("];

/// What lines begin with that are ours alone, in the front end of lines.
const OURS: &[&str] = &["counted(", "taken", "letter", "state", "job.id", "card.id", "called", "what"];

/// Lines of a question in which a text that others wrote stands as it is.
pub(super) fn bare(path: &str, text: &str) -> Vec<String> {
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code_lines(before_tests).filter(|line| QUESTIONS.contains(&path) && line.contains("format!("));
    let bare = |line: &&str| {
        let captured = captured(line);
        let given = line.split_once("format!(").map_or("", |(_, rest)| rest);
        let given = given.rsplit('"').next().unwrap_or_default();
        let shown = |name: &str| given.split(',').any(|word| is_value(word, name));
        WRITTEN_BY_OTHERS.iter().any(|name| captured.contains(name) || shown(name))
    };
    lines.filter(bare).map(|line| format!("{path}: {}", line.trim())).collect()
}

/// Lines said to a person that begin with what may be anybody's text.
pub(super) fn begins_with_others(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("crates/headless/src/lines/") || path.contains("/tests") {
        return Vec::new();
    }
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let begins = |line: &&str| line.contains("format!(\"{") && !OURS.iter().any(|ours| begins_with(line, ours));
    code_lines(before_tests).filter(begins).map(|line| format!("{path}: {}", line.trim())).collect()
}

/// Is the first placeholder filled by this?
fn begins_with(line: &str, what: &str) -> bool {
    let Some((_, format)) = line.split_once("format!(\"{") else { return false };
    match format.strip_prefix('}') {
        Some(rest) => rest.rsplit_once("\", ").is_some_and(|(_, given)| given.starts_with(what)),
        None => format.starts_with(&format!("{what}}}")),
    }
}

/// The names that a format string takes in itself: `{name}`.
fn captured(line: &str) -> Vec<&str> {
    let pieces = line.split('{').skip(1).filter_map(|piece| piece.split_once('}'));
    pieces.map(|(name, _)| name.split(':').next().unwrap_or_default()).collect()
}

/// Is `word`, given to a format string, this value and nothing that makes it safe?
fn is_value(word: &str, name: &str) -> bool {
    let safe = MADE_SAFE.iter().any(|safe| word.contains(safe));
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    !safe && word.split(|c| !letter(c)).any(|part| part == name)
}
