//! A command in words: its line, what it is given to read, and what was read out of it, each for itself, so that none of
//! them can be taken for another.

use agent_protocol::sanitize::clean_line;
use agent_protocol::{Action, CommandPart, Question, Subject};

/// All three, each with its name.
pub(crate) fn command_words(command: &str, question: &Question) -> Vec<(&'static str, String)> {
    let mut words = vec![("command", command.to_owned())];
    if let Subject::Action { action: Action::Run { input: Some(input), .. } } = &question.subject {
        words.push(("given to read", input.clone()));
    }
    let parts: Vec<String> = question.parts.iter().map(part_words).collect();
    // One part in the words of the command says nothing new but why it asks, and that the question says.
    let is_said = |part: &CommandPart| {
        joined(part) == command.trim() && part.why_not.as_ref().is_none_or(|why| question.why.contains(why.as_str()))
    };
    if !question.parts.is_empty() && !matches!(&question.parts[..], [part] if is_said(part)) {
        words.push(("read as", parts.join("\n")));
    }
    words
}

fn joined(part: &CommandPart) -> String {
    part.words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// One program with its words, decoded. One that is not proved to only read stands out.
fn part_words(part: &CommandPart) -> String {
    let words = clean_line(&joined(part)).into_owned();
    match &part.why_not {
        Some(why) => format!("! {words} ({})", clean_line(why)),
        None => format!("- {words}"),
    }
}

/// In quotes where it could be taken for another word, for several or for none.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=@%+,-*?[]".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
