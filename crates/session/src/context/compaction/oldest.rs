//! The oldest results become a line each, in one go, until so much is freed: leaving out one at a time would have the server
//! read the conversation anew each time.

use super::calls::{CallKind, answered, failed, file, kind_of};
use super::elided::{ElidedResults, MARGIN, SHORT, elided_line, elided_of_text, holds_words, is_elided};
use crate::context::{Estimator, Features};
use agent_protocol::{Message, PartOrigin, Role};

/// What would stand in the place of a message.
struct Shorter {
    at: usize,
    message: Message,
    results: u64,
    freed: u64,
    /// It frees little: most of these are lists of places, by which the work goes on.
    little: bool,
    /// The file that it shows was changed since.
    outdated: bool,
}

/// A result that frees fewer tokens goes only where longer ones do not free enough.
const LITTLE: u64 = 600;

/// Replaces results by a line each until `free` tokens are freed, about: first those of files that were changed since, then
/// long ones, then the others, each time the oldest first. The last so many results stay, and so do short ones and the user's own words.
pub fn elide_oldest(messages: &mut [Message], estimator: &Estimator, free: u64, last: usize) -> ElidedResults {
    let mut shorter = candidates(messages, estimator, last);
    shorter.sort_by_key(|shorter| (!shorter.outdated, shorter.little, shorter.at));
    let mut done = ElidedResults::default();
    for shorter in shorter {
        if done.freed >= free {
            break;
        }
        done.results += shorter.results;
        done.freed += shorter.freed;
        messages[shorter.at] = shorter.message;
    }
    done
}

fn candidates(messages: &[Message], estimator: &Estimator, last: usize) -> Vec<Shorter> {
    let (mut newer, mut changed, mut found) = (0, Vec::new(), Vec::new());
    for (at, message) in messages.iter().enumerate().skip(1).rev() {
        let call = answered(messages, at);
        let outdated = match call.map(kind_of) {
            Some(CallKind::Looks) => call.and_then(file).is_some_and(|file| is_among(&changed, file)),
            Some(CallKind::Writes | CallKind::Edits | CallKind::Removes) if !failed(&message.content) => {
                changed.extend(call.and_then(file));
                false
            }
            Some(_) | None => false,
        };
        let told = results_in(message);
        let stays = newer < last || told == 0;
        newer += told;
        if stays {
            continue;
        }
        let short = if message.role == Role::Tool { of_result(messages, at) } else { elided_of_text(message) };
        let Some((message_now, results)) = short else { continue };
        let tokens = |message: &Message| estimator.tokens(&Features::of_message(message));
        let freed = tokens(message).saturating_sub(tokens(&message_now));
        found.push(Shorter { at, message: message_now, results, freed, little: freed < LITTLE, outdated });
    }
    found
}

/// How many results stand in it, whichever way the tools go.
fn results_in(message: &Message) -> usize {
    match message.role {
        Role::Tool => 1,
        Role::User => message.parts().iter().filter(|part| part.origin == PartOrigin::Result).count(),
        Role::System | Role::Assistant => 0,
    }
}

fn of_result(messages: &[Message], at: usize) -> Option<(Message, u64)> {
    let message = &messages[at];
    if message.content.len() < SHORT || is_elided(&message.content) || holds_words(message) {
        return None;
    }
    let line = elided_line(answered(messages, at), message);
    let is_shorter = line.len() + MARGIN < message.content.len();
    let now = Message { content: line.into(), images: Vec::new(), ..message.clone() };
    is_shorter.then_some((now, 1))
}

/// Files are named from the project or from the root.
fn is_among(changed: &[&str], file: &str) -> bool {
    let bare = |path: &str| path.trim_start_matches("./").to_owned();
    let ends =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let file = bare(file);
    changed.iter().map(|path| bare(path)).any(|path| ends(&path, &file) || ends(&file, &path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ModelCall;
    use serde_json::json;

    fn did(name: &str, path: &str, result: &str) -> [Message; 2] {
        let call = ModelCall { server_id: None, index: None, name: name.into(), arguments: json!({"file_path": path}) };
        let reply = Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, "") };
        [reply, Message::result(&call, result)]
    }

    /// A conversation in which these were called with that result each.
    fn conversation(calls: &[(&str, &str)], result: &str) -> Vec<Message> {
        let mut messages = vec![Message::text(Role::System, "s"), Message::text(Role::User, "fix it")];
        messages.extend(calls.iter().flat_map(|(name, path)| did(name, path, result)));
        messages
    }

    /// The places of the messages that became another.
    fn elided(messages: &[Message], free: u64, last: usize) -> (ElidedResults, Vec<usize>) {
        let mut shorter = messages.to_vec();
        let done = elide_oldest(&mut shorter, &Estimator::new(None), free, last);
        let others = messages.iter().zip(&shorter).enumerate().filter(|(_, (one, other))| one != other);
        (done, others.map(|(at, _)| at).collect())
    }

    const LINES: &str = "some words of a line of a file\n";

    #[test]
    fn the_oldest_go_in_one_go_until_enough_is_freed_and_the_last_stay() {
        let calls: Vec<(&str, &str)> = ["a", "b", "c", "d", "e", "f", "g"].map(|path| ("read_file", path)).into();
        let messages = conversation(&calls, &LINES.repeat(60));
        let one = Estimator::new(None).tokens(&Features::of_message(&messages[3]));
        let (done, places) = elided(&messages, one * 2, 3);
        assert_eq!((done.results, places), (3, vec![3, 5, 7]), "a line is left of each, so two are not quite enough");
        assert!(done.freed >= one * 2);
        let (done, places) = elided(&messages, u64::MAX, 3);
        assert_eq!((done.results, places), (4, vec![3, 5, 7, 9]));
    }

    #[test]
    fn short_lists_stay_where_long_results_free_enough() {
        let calls = [("grep_search", "src"), ("read_file", "a"), ("read_file", "b"), ("read_file", "c")];
        let mut messages = conversation(&calls, &LINES.repeat(200));
        messages[3] = did("grep_search", "src", &LINES.repeat(20))[1].clone();
        assert_eq!(elided(&messages, 900, 1).1, [5]);
        assert_eq!(elided(&messages, u64::MAX, 1).1, [3, 5, 7]);
    }

    #[test]
    fn what_was_changed_since_it_was_read_goes_first() {
        let calls = [
            ("read_file", "other.rs"),
            ("read_file", "./src/a.rs"),
            ("edit_file", "/p/src/a.rs"),
            ("read_file", "src/a.rs"),
            ("grep_search", "x"),
            ("grep_search", "y"),
            ("grep_search", "z"),
        ];
        let messages = conversation(&calls, &LINES.repeat(60));
        assert_eq!(elided(&messages, 1, 3).1, [5], "read before the change");
        let mut failed = messages.clone();
        failed[7] = did("edit_file", "src/a.rs", &format!("error: not there\n{}", LINES.repeat(60)))[1].clone();
        assert_eq!(elided(&failed, 1, 3).1, [3], "nothing was changed");
    }

    #[test]
    fn results_that_stand_in_the_persons_place_go_too_and_their_words_stay() {
        let result = |body: &str| format!("<tool_response>\n{body}\n</tool_response>");
        let long = LINES.repeat(60);
        let mut told = Message::by(Role::User, PartOrigin::Result, &result(&long));
        told.push(PartOrigin::Program, "\n");
        told.push(PartOrigin::Result, &result("short"));
        told.push(PartOrigin::Program, "\n\n");
        told.push(PartOrigin::Person, "and hurry");
        let fenced = Message::by(Role::User, PartOrigin::Result, &format!("````tool_output\n{long}\n````"));
        let shown = Message::by(Role::User, PartOrigin::Result, &format!("a.py\n```\n{long}\n```"));
        let call = Message::text(Role::Assistant, "<tool_call>…</tool_call>");
        let messages = [
            Message::text(Role::System, "s"),
            call.clone(),
            told,
            call.clone(),
            fenced,
            call.clone(),
            shown,
            call,
            Message::by(Role::User, PartOrigin::Result, &result(&long)),
        ];
        let mut shorter = messages.to_vec();
        let done = elide_oldest(&mut shorter, &Estimator::new(None), u64::MAX, 1);
        assert_eq!(done.results, 2);
        assert_eq!(
            shorter[2].content,
            "<tool_response>\n[result of a call: 60 lines, left out to make room; make the call again if it is needed]\n\
             </tool_response>\n<tool_response>\nshort\n</tool_response>\n\nand hurry"
        );
        assert_eq!(shorter[2].parts().last().map(|part| part.origin), Some(PartOrigin::Person));
        assert!(shorter[4].content.starts_with("````tool_output\n[result of a call"), "{}", shorter[4].content);
        assert_eq!(shorter[6..], messages[6..], "a file that is shown is no result of a call, and the last one stays");
        let again = elide_oldest(&mut shorter, &Estimator::new(None), u64::MAX, 1);
        assert_eq!(again, ElidedResults::default(), "once is enough");
    }
}
