//! Text as editors get it: Markdown, with nothing in it that a terminal would obey.

use agent_protocol::sanitize::{clean_copy, clean_line, clean_piped, foreign_block};
use serde_json::{Value, json};

/// Whose words a piece of the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Person,
    Model,
    Thought,
}

/// Text that an editor draws.
pub(crate) fn block(text: &str) -> Value {
    json!({"type": "text", "text": clean_piped(text)})
}

/// A piece of the conversation.
pub(crate) fn chunk(voice: Voice, text: &str) -> Value {
    let kind = match voice {
        Voice::Person => "user_message_chunk",
        Voice::Model => "agent_message_chunk",
        Voice::Thought => "agent_thought_chunk",
    };
    json!({"sessionUpdate": kind, "content": block(text)})
}

/// Text under a call. What draws nothing in it, or reorders the rest, is shown by its mark.
pub(crate) fn content(text: &str) -> Value {
    json!({"type": "content", "content": block(&clean_copy(&text.replace("\r\n", "\n")))})
}

/// Foreign text that is Markdown, as a quotation: none of its lines can be taken for one of ours.
pub(crate) fn foreign(text: &str) -> String {
    foreign_block(text, "> ")
}

/// Characters that mean something to Markdown within a line. A name with `_` in it stays readable.
const MARKDOWN: &str = "\\`*[]<>!#~|&$";

/// A foreign name among words of ours: one line, and nothing in it is Markdown.
pub(crate) fn foreign_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for letter in clean_line(text).chars() {
        if MARKDOWN.contains(letter) {
            name.push('\\');
        }
        name.push(letter);
    }
    name
}

/// Words of this program in the conversation: a quotation, which no model writes by chance.
pub(crate) fn remark(text: &str) -> Value {
    chunk(Voice::Model, &quoted(text))
}

/// The same between the thoughts, for what one need not know.
pub(crate) fn aside(text: &str) -> Value {
    chunk(Voice::Thought, &quoted(text))
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.trim().lines().map(|line| format!("> {}", clean_line(line))).collect();
    format!("\n\n{}\n\n", lines.join("\n"))
}

/// Text that is shown as it stands: a block of code, with marks that do not occur in it.
pub(crate) fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let mark = "`".repeat(longest.max(2) + 1);
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{mark}{language}\n{text}{line_end}{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_code_cannot_be_ended_by_what_stands_in_it() {
        assert_eq!(fenced("a", ""), "```\na\n```");
        assert_eq!(fenced("a\n```\nb\n", "sh"), "````sh\na\n```\nb\n````");
    }

    #[test]
    fn what_a_terminal_would_obey_reaches_no_editor() {
        let block = block("a\u{1b}[2Jb\n");
        let text = block["text"].as_str().unwrap();
        assert!(!text.contains('\u{1b}') && text.ends_with('\n'), "{text:?}");
    }

    #[test]
    fn a_remark_is_a_quotation_of_one_or_more_lines() {
        assert_eq!(quoted("one\ntwo "), "\n\n> one\n> two\n\n");
    }
}
