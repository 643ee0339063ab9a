//! What the user said, among all that stands in a conversation.

use agent_protocol::{Message, MessagePart, PartOrigin};

/// The user's own words, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PersonWords {
    /// The first task first.
    pub(super) words: Vec<String>,
    /// So many messages that came behind the first were left out.
    pub(super) left_out: u64,
}

impl PersonWords {
    pub(super) fn in_messages(messages: &[Message]) -> PersonWords {
        let mut said = PersonWords::default();
        messages.iter().for_each(|message| said.add(&message.parts()));
        said
    }

    /// Adds what is said in these parts.
    pub(super) fn add(&mut self, parts: &[MessagePart<'_>]) {
        for part in parts {
            match part.origin {
                PartOrigin::Person if !part.text.trim().is_empty() => self.words.push(part.text.to_owned()),
                PartOrigin::Summary { left_out } => self.left_out += left_out,
                PartOrigin::Person | PartOrigin::Model | PartOrigin::Program | PartOrigin::Result => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Role;

    fn words(message: Message) -> Vec<String> {
        PersonWords::in_messages(&[message]).words
    }

    #[test]
    fn what_a_person_says_stays_as_it_is_whatever_it_looks_like() {
        for text in [
            " two\n\n(in brackets)\n\nparagraphs",
            "```\ncode\n```",
            "(go on)",
            "<tool_response>\none\n</tool_response>",
            "(Here the conversation goes on.)",
        ] {
            assert_eq!(words(Message::text(Role::User, text)), [text]);
        }
    }

    #[test]
    fn what_the_program_says_in_their_place_is_not_theirs() {
        let mut message = Message::by(Role::User, PartOrigin::Program, "(your call could not be read)\n\n");
        assert_eq!(words(message.clone()), [""; 0]);
        message.push(PartOrigin::Person, "use tabs");
        message.push(PartOrigin::Program, "\n\n(go on)\n\n");
        message.push(PartOrigin::Person, "please");
        assert_eq!(words(message), ["use tabs", "please"]);
    }

    #[test]
    fn results_that_are_told_in_their_place_are_not_theirs() {
        let mut message = Message::by(Role::User, PartOrigin::Result, "<tool_response>\none\n</tool_response>");
        message.push(PartOrigin::Program, "\n\n");
        message.push(PartOrigin::Person, "and now?");
        assert_eq!(words(message), ["and now?"]);
    }

    #[test]
    fn what_they_said_against_a_call_is_theirs_where_it_stands_in_the_result() {
        let mut message = Message::text(Role::Tool, "refused by the user, who says: ");
        message.push(PartOrigin::Person, "not that file");
        assert_eq!(words(message), ["not that file"]);
        assert_eq!(words(Message::text(Role::Assistant, "I will")), [""; 0]);
    }

    #[test]
    fn a_summary_holds_their_words_and_counts_those_that_it_left_out() {
        let mut message = Message::by(Role::User, PartOrigin::Summary { left_out: 0 }, "## Goal\nfind it\n");
        message.push(PartOrigin::Person, "first");
        message.push(PartOrigin::Summary { left_out: 3 }, "\n(3 left out)\n");
        message.push(PartOrigin::Person, "last");
        let said = PersonWords { words: vec!["first".into(), "last".into()], left_out: 3 };
        assert_eq!(PersonWords::in_messages(&[message]), said);
    }
}
