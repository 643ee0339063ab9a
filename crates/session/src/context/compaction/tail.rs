//! Which part of a conversation stays as it is.

use super::standing::is_summary;
use crate::context::{Estimator, Features};
use agent_protocol::{Message, PartOrigin, Role};

/// Where the part begins that stays as it is: about `tokens` worth of the last messages, never between a call and its
/// result, never beginning with a result. `messages.len()` where nothing can stay.
pub fn tail_start(messages: &[Message], estimator: &Estimator, tokens: u64) -> usize {
    let (mut start, mut kept) = (messages.len(), 0_u64);
    for (at, message) in messages.iter().enumerate().skip(1).rev() {
        kept = kept.saturating_add(estimator.tokens(&Features::of_message(message)));
        if kept > tokens || is_summary(message) {
            break;
        }
        if !begins_with_result(message) {
            start = at;
        }
    }
    start
}

/// A message of its own, or one in the user's place.
fn begins_with_result(message: &Message) -> bool {
    message.role == Role::Tool || message.parts().first().is_some_and(|first| first.origin == PartOrigin::Result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ModelCall;

    const WORDS: &str = "some words that take a few tokens each time";

    /// A conversation: `s`ystem, `u`ser, `m`odel, model with a `c`all, `r`esult, result by `t`ext.
    fn conversation(of: &str) -> Vec<Message> {
        let call = ModelCall { server_id: None, index: None, name: "f".into(), arguments: serde_json::Value::Null };
        let message = |kind| match kind {
            's' => Message::text(Role::System, WORDS),
            'u' => Message::text(Role::User, WORDS),
            'c' => Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, WORDS) },
            'r' => Message::result(&call, WORDS),
            't' => Message::by(Role::User, PartOrigin::Result, WORDS),
            _ => Message::text(Role::Assistant, WORDS),
        };
        of.chars().map(message).collect()
    }

    /// Where the tail begins that has room for the last messages, so many.
    fn start(of: &str, messages: usize) -> usize {
        let estimator = Estimator::new(None);
        let all = conversation(of);
        let last = all.iter().rev().take(messages);
        let room = last.map(|message| estimator.tokens(&Features::of_message(message))).sum();
        tail_start(&all, &estimator, room)
    }

    #[test]
    fn as_many_of_the_last_messages_stay_as_there_is_room_for() {
        assert_eq!([start("sumum", 0), start("sumum", 1), start("sumum", 2), start("sumum", 99)], [5, 4, 3, 1]);
    }

    #[test]
    fn it_never_begins_with_a_result() {
        assert_eq!([start("sucrrm", 1), start("sucrrm", 3), start("sucrrm", 4)], [5, 5, 2]);
        assert_eq!([start("sumtm", 1), start("sumtm", 2), start("sumtm", 9)], [4, 4, 1]);
        assert_eq!(start("sucr", 1), 4, "nothing can stay");
    }
}
