//! The conversation after it was made shorter.

use super::said::PersonWords;
use super::standing::{divided, written};
use crate::context::window::grouped;
use crate::context::{Estimator, Features};
use agent_protocol::{Message, Role};

/// The conversation after it was made shorter.
#[derive(Debug, Clone, PartialEq)]
pub struct Rebuilt {
    pub messages: Vec<Message>,
    /// Messages that the summary stands for.
    pub replaced: u64,
    /// Messages of the user whose words found no room.
    pub left_out: u64,
}

/// The user's words get so many tokens in any case.
const LEAST_WORDS: u64 = 64;

/// Tokens that the note takes where words are cut.
const NOTE: u64 = 16;

/// The new conversation: system, one message that holds the summary and the user's own words (verbatim, newest kept first
/// up to `words_tokens`, the first task always), then `messages[tail..]`. Where these begin with words of the user, they
/// stand at the end of that one message; an earlier summary gives its place and the words in it to the new one.
pub fn rebuild(messages: &[Message], tail: usize, summary: &str, words_tokens: u64, estimator: &Estimator) -> Rebuilt {
    let Some((system, _)) = messages.split_first() else {
        return Rebuilt { messages: Vec::new(), replaced: 0, left_out: 0 };
    };
    let (old, mut new) = messages.split_at(whole(messages, tail));
    let mut all = PersonWords::in_messages(&old[1..]);
    let mut first = Vec::new();
    if let Some(message) = new.first().filter(|first| first.role == Role::User) {
        first = message.parts();
        new = &new[1..];
    }
    let (earlier, behind) = divided(&first);
    all.add(earlier);
    let kept = within(all, words_tokens.max(LEAST_WORDS), estimator);
    let standing = written(summary, &kept, behind);
    let mut rebuilt = Vec::with_capacity(new.len() + 2);
    rebuilt.extend([system.clone(), standing]);
    rebuilt.extend(new.iter().cloned());
    Rebuilt { messages: rebuilt, replaced: old.len() as u64 - 1, left_out: kept.left_out }
}

/// Where the tail begins, with the call whose results it would begin with.
fn whole(messages: &[Message], tail: usize) -> usize {
    let tail = tail.clamp(1, messages.len());
    let results = |at: &usize| messages.get(*at).is_some_and(|message| message.role == Role::Tool);
    (1..=tail).rev().find(|at| !results(at)).unwrap_or(1)
}

/// The first words and as many of the last as fit; what is too long by itself is cut in its middle.
fn within(all: PersonWords, most: u64, estimator: &Estimator) -> PersonWords {
    let PersonWords { words, mut left_out } = all;
    let Some((first, later)) = words.split_first() else { return PersonWords { words, left_out } };
    let cap = if later.is_empty() { most } else { most / 2 };
    let tokens = |words: &str| estimator.tokens(&Features::of_text(words));
    let first = shortened(first, cap, estimator);
    let mut room = most.saturating_sub(tokens(&first));
    let mut newest = Vec::new();
    for (back, words) in later.iter().rev().enumerate() {
        let words = shortened(words, cap, estimator);
        let needs = tokens(&words);
        if needs > room && back > 0 {
            break;
        }
        room = room.saturating_sub(needs);
        newest.push(words);
    }
    left_out += (later.len() - newest.len()) as u64;
    newest.push(first);
    newest.reverse();
    PersonWords { words: newest, left_out }
}

/// `words` in at most so many tokens: where they are more, their middle is left out, and a note says how much that was.
fn shortened(words: &str, most: u64, estimator: &Estimator) -> String {
    let tokens = estimator.tokens(&Features::of_text(words));
    if tokens <= most {
        return words.to_owned();
    }
    let room = most.saturating_sub(NOTE).max(1);
    let mut part = u128::from(room) * words.len() as u128 / u128::from(tokens) / 2;
    loop {
        let half = usize::try_from(part).unwrap_or(0);
        let (head, tail) = (words.floor_char_boundary(half), words.ceil_char_boundary(words.len() - half));
        let missing = words[head..tail].chars().count() as u64;
        let note = format!("[… {} characters left out …]", grouped(missing));
        let short = format!("{}\n{note}\n{}", &words[..head], &words[tail..]);
        // The middle may have held what tokens are long for.
        if part < 32 || estimator.tokens(&Features::of_text(&short)) <= most {
            return short;
        }
        part = part * 4 / 5;
    }
}

#[cfg(test)]
mod tests {
    use super::super::standing::is_summary;
    use super::*;
    use agent_protocol::PartOrigin;

    fn user(text: &str) -> Message {
        Message::text(Role::User, text)
    }

    fn model(text: &str) -> Message {
        Message::text(Role::Assistant, text)
    }

    fn system() -> Message {
        Message::text(Role::System, "be good")
    }

    fn rebuilt(messages: &[Message], tail: usize, words: u64) -> Rebuilt {
        rebuild(messages, tail, "## Goal\nfind it", words, &Estimator::new(None))
    }

    #[test]
    fn the_summary_and_the_persons_words_stand_for_what_came_before() {
        let messages = [
            system(),
            user("first task"),
            model("yes"),
            Message::by(Role::User, PartOrigin::Program, "(go on)"),
            model("done"),
            user("and this"),
            model("well"),
        ];
        let Rebuilt { messages: rebuilt, replaced, .. } = rebuilt(&messages, 6, 1_000);
        assert_eq!((rebuilt.len(), replaced), (3, 5));
        assert_eq!((&rebuilt[0], &rebuilt[2]), (&messages[0], &messages[6]));
        assert!(is_summary(&rebuilt[1]) && rebuilt[1].content.contains("## Goal\nfind it"));
        assert!(rebuilt[1].content.contains("```\nfirst task\n```\n\n```\nand this\n```"), "{}", rebuilt[1].content);
    }

    #[test]
    fn words_that_wait_for_an_answer_are_joined_and_stay_as_they_are() {
        let messages = [system(), user("first task"), model("yes"), user("  and\nnow? ")];
        let Rebuilt { messages: rebuilt, replaced, .. } = rebuilt(&messages, 3, 1_000);
        assert_eq!((rebuilt.len(), replaced), (2, 2));
        assert!(rebuilt[1].content.ends_with("(Here the conversation goes on.)\n\n  and\nnow? "));
    }

    #[test]
    fn an_earlier_summary_is_folded_and_its_words_go_on() {
        let estimator = Estimator::new(None);
        let messages = [system(), user("first task"), model("yes"), user("second"), model("well"), user("third")];
        let mut once = rebuild(&messages, 5, "## Goal\nthe old summary", 1_000, &estimator).messages;
        once.extend([model("so be it"), user("fourth")]);
        for tail in [1, 2, 3, 4] {
            let twice = rebuild(&once, tail, "## Goal\nthe new summary", 1_000, &estimator);
            let text = &twice.messages[1].content;
            assert!(!text.contains("old summary") && text.contains("new summary"), "{text}");
            let order: Vec<usize> =
                ["first task", "second", "third"].iter().filter_map(|words| text.find(words)).collect();
            assert!(order.len() == 3 && order.is_sorted(), "{text}");
            assert_eq!(twice.messages.iter().filter(|message| is_summary(message)).count(), 1);
            let fourth = twice.messages.iter().filter(|message| message.content.contains("fourth")).count();
            assert_eq!(fourth, 1);
        }
    }

    #[test]
    fn the_first_task_and_the_newest_words_are_kept_first() {
        let mut messages = vec![system()];
        for number in 0..40 {
            messages.extend([user(&format!("task number {number} is to look at this")), model("yes")]);
        }
        let text = rebuilt(&messages, messages.len(), 100).messages[1].content.clone();
        assert!(
            text.contains("task number 0 ") && text.contains("task number 39 ") && !text.contains("task number 5 ")
        );
        let later = text.lines().filter(|line| line.starts_with("task number")).count() as u64 - 1;
        assert!(later > 2 && text.contains(&format!("({} later messages of the user left out here)", 39 - later)));
    }

    #[test]
    fn left_out_messages_are_counted_on() {
        let estimator = Estimator::new(None);
        let mut messages = vec![system()];
        for number in 0..10 {
            messages.extend([user(&format!("{number} {}", "words and words ".repeat(9))), model("yes")]);
        }
        messages = rebuild(&messages, messages.len(), "x", 100, &estimator).messages;
        messages.extend([model("yes"), user("last"), model("yes")]);
        let rebuilt = rebuild(&messages, messages.len(), "x", 64, &estimator);
        let said = PersonWords::in_messages(&rebuilt.messages[1..2]);
        assert_eq!(said.words.len() as u64 + said.left_out, 11);
        assert!(said.left_out > 4 && said.words.last().is_some_and(|words| words == "last"), "{said:?}");
    }

    #[test]
    fn a_message_that_is_too_long_is_cut_in_its_middle() {
        let long = format!("begin {} end", "of a very long log\n".repeat(3_000));
        let messages = [system(), user(&long), model("yes")];
        let text = rebuilt(&messages, 3, 200).messages[1].content.clone();
        assert!(text.contains("begin of") && text.contains(" characters left out …]") && text.contains("log\n end"));
        assert!(Estimator::new(None).tokens(&Features::of_text(&text)) < 300);
    }

    #[test]
    fn a_call_is_never_left_behind_by_its_result() {
        let call = agent_protocol::ModelCall {
            server_id: None,
            index: None,
            name: "read_file".into(),
            arguments: serde_json::Value::Null,
        };
        let reply = Message { calls: vec![call.clone(), call.clone()], ..model("") };
        let messages =
            [system(), user("look"), reply, Message::result(&call, "one"), Message::result(&call, "two"), model("yes")];
        for tail in [2, 3, 4] {
            assert_eq!(rebuilt(&messages, tail, 100).messages[2..], messages[2..]);
        }
    }
}
