//! The message that stands for the earlier conversation: how it is written, and which of its parts is what.
//!
//! All of it is of a summary's origin but the words of the user; what is joined to it later stands behind its end.

use super::said::PersonWords;
use agent_protocol::{Message, MessagePart, PartOrigin, Role};

const MARK: &str =
    "(The conversation so far was summarised to make room. This message stands for it; go on from here.)";

/// What stands above the user's words.
const WORDS: &str = "What the user said, word for word:";

const END: &str = "(Here the conversation goes on.)";

/// The message that stands for an earlier conversation, with its `summary`, what was `said` in it, and these parts behind it.
pub(super) fn written(summary: &str, said: &PersonWords, behind: &[MessagePart<'_>]) -> Message {
    let part = PartOrigin::Summary { left_out: 0 };
    let mut message = Message::by(Role::User, part, &format!("{MARK}\n\n"));
    message.push(part, summary.trim());
    let mut above = format!("\n\n{WORDS}\n\n");
    let mut left_out = 0;
    for (at, words) in said.words.iter().enumerate() {
        let fence = fence_around(words);
        message.push(PartOrigin::Summary { left_out }, &format!("{above}{fence}\n"));
        message.push(PartOrigin::Person, words);
        left_out = if at == 0 { said.left_out } else { 0 };
        let note = match left_out {
            0 => String::new(),
            left_out => format!("({left_out} later messages of the user left out here)\n\n"),
        };
        above = format!("\n{fence}\n\n{note}");
    }
    let above = if said.words.is_empty() { "\n\n" } else { &above };
    message.push(PartOrigin::Summary { left_out }, &format!("{above}{END}"));
    if !behind.is_empty() {
        message.push(part, "\n\n");
    }
    behind.iter().for_each(|part| message.push(part.origin, part.text));
    message
}

/// Does it stand for an earlier conversation?
pub fn is_summary(message: &Message) -> bool {
    message.parts().iter().any(|part| is_of_summary(*part))
}

/// The parts of a message that stand for an earlier conversation, and those behind them.
pub(super) fn divided<'a>(parts: &'a [MessagePart<'a>]) -> (&'a [MessagePart<'a>], &'a [MessagePart<'a>]) {
    parts.split_at(parts.iter().rposition(|part| is_of_summary(*part)).map_or(0, |last| last + 1))
}

fn is_of_summary(part: MessagePart<'_>) -> bool {
    matches!(part.origin, PartOrigin::Summary { .. })
}

/// A message as it was written down by a version that knew no parts: where it stands for an earlier conversation, what the
/// user said stays theirs, in one piece with what stands around it.
pub fn with_parts(message: Message) -> Message {
    let parts = message.parts();
    let [MessagePart { origin: PartOrigin::Person, text }] = parts[..] else { return message };
    if message.role != Role::User || !text.starts_with(MARK) {
        return message;
    }
    let words = text.find(&format!("\n\n{WORDS}\n\n")).map_or(text.len(), |at| at + WORDS.len() + 4);
    let mut again = Message::by(Role::User, PartOrigin::Summary { left_out: 0 }, &text[..words]);
    again.push(PartOrigin::Person, &text[words..]);
    Message { content: again.content, ..message }
}

/// A fence that no line of `text` closes.
fn fence_around(text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(|line| ticks(line.trim_start())).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str], left_out: u64) -> PersonWords {
        PersonWords { words: words.iter().map(|words| (*words).to_owned()).collect(), left_out }
    }

    #[test]
    fn it_is_written_with_the_persons_words_and_what_was_joined_to_it() {
        let behind = Message::text(Role::User, "and now?");
        let message = written("## Goal\nfind it", &said(&["first", "second"], 3), &behind.parts());
        assert_eq!(
            message.content,
            format!(
                "{MARK}\n\n## Goal\nfind it\n\n{WORDS}\n\n```\nfirst\n```\n\n(3 later messages of the user left out here)\n\n\
                 ```\nsecond\n```\n\n{END}\n\nand now?"
            )
        );
        let bare = written("## Goal\nfind it", &said(&[], 0), &[]);
        assert_eq!(bare.content, format!("{MARK}\n\n## Goal\nfind it\n\n{END}"));
    }

    #[test]
    fn what_was_said_is_known_whatever_it_looks_like() {
        let tricky = said(&["```\ncode\n```\n", "a ````` b\n`````", END, WORDS, "\n\nspaced\r\n", MARK], 7);
        for behind in ["and now?", "\n\nspaced\n", END] {
            let message = written("## Goal\nfind it", &tricky, &Message::text(Role::User, behind).parts());
            let parts = message.parts();
            let (earlier, later) = divided(&parts);
            let mut known = PersonWords::default();
            known.add(earlier);
            assert_eq!(known, tricky);
            assert_eq!(later, [MessagePart { origin: PartOrigin::Person, text: behind }]);
            assert!(is_summary(&message));
        }
    }

    #[test]
    fn no_summary_puts_words_into_the_persons_mouth() {
        let message = written(&format!("## Goal\n{END}\n{WORDS}\n```\nnever said\n```"), &said(&["said"], 0), &[]);
        assert_eq!(PersonWords::in_messages(&[message]).words, ["said"]);
    }

    #[test]
    fn a_person_who_quotes_a_summary_wrote_none() {
        assert!(!is_summary(&Message::text(Role::User, MARK)));
    }

    #[test]
    fn a_summary_of_an_older_version_is_known_for_one_and_reads_as_it_did() {
        let text = format!("{MARK}\n\n## Goal\nfind it\n\n{WORDS}\n\n```\nfirst\n```\n\n{END}\n\nand now?");
        let message = with_parts(Message::text(Role::User, text.clone()));
        assert_eq!(message.content, text);
        assert!(is_summary(&message));
        assert_eq!(PersonWords::in_messages(&[message]).words, [format!("```\nfirst\n```\n\n{END}\n\nand now?")]);
        let other = Message::text(Role::User, "fix it");
        assert_eq!(with_parts(other.clone()), other);
    }
}
