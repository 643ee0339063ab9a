//! Old results become a line each that says what they were, and how to get them again.

use super::calls::{CallKind, answered, command, ending, failed, kind_of, subject};
use crate::context::window::grouped;
use crate::context::window::one_line;
use crate::context::{Estimator, Features};
use agent_protocol::{Message, ModelCall, PartOrigin, Role};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ElidedResults {
    pub results: u64,
    /// Tokens that this frees, about.
    pub freed: u64,
}

/// Results shorter than this stay, in bytes: a line in their place would hardly be shorter.
pub(super) const SHORT: usize = 200;

/// A result stays as well that is longer than its line by less than this, in bytes.
pub(super) const MARGIN: usize = 80;

/// A command, or a line of its output, is repeated up to so many bytes.
const LINE: usize = 80;

const BEGINNING: &str = "[result of ";
const LEFT_OUT: &str = "left out to make room";

/// Replaces old tool results by a line each that says what it was and how to get it again; the last results, worth about
/// `keep_tokens`, stay. Results that are hardly longer than the line stay, and so do the user's own words in them.
pub fn elide_results(messages: &mut [Message], estimator: &Estimator, keep_tokens: u64) -> ElidedResults {
    let (mut kept, mut lines) = (0, Vec::new());
    for (at, message) in messages.iter().enumerate().skip(1).rev().filter(|(_, message)| message.role == Role::Tool) {
        let is_short = message.content.len() < SHORT;
        if is_short && kept > keep_tokens {
            continue;
        }
        let tokens = estimator.tokens(&Features::of_message(message));
        kept += tokens;
        if kept <= keep_tokens || is_short || is_elided(&message.content) || holds_words(message) {
            continue;
        }
        let line = elided_line(answered(messages, at), message);
        if line.len() + MARGIN < message.content.len() {
            lines.push((at, tokens, line));
        }
    }
    let mut done = ElidedResults::default();
    for (at, tokens, line) in lines {
        messages[at].content = line.into();
        messages[at].images.clear();
        done.results += 1;
        done.freed += tokens.saturating_sub(estimator.tokens(&Features::of_message(&messages[at])));
    }
    done
}

/// Do words of the user stand in it?
pub(super) fn holds_words(message: &Message) -> bool {
    message.parts().iter().any(|part| part.origin == PartOrigin::Person)
}

pub(super) fn is_elided(content: &str) -> bool {
    content.starts_with(BEGINNING) && content.contains(LEFT_OUT) && !content.contains('\n')
}

pub(super) fn elided_line(call: Option<&ModelCall>, result: &Message) -> String {
    let tool = call.map(|call| call.name.as_str()).or(result.tool_name.as_deref()).unwrap_or("a tool");
    let about = call.and_then(|call| match command(call) {
        Some(command) => Some(format!("`{}`", one_line(command, LINE))),
        None => subject(call, LINE),
    });
    let about = about.map(|about| format!(" {about}")).unwrap_or_default();
    let again = again(call, tool, &result.content);
    format!("{BEGINNING}{}{about}: {}, {LEFT_OUT}{again}]", one_line(tool, LINE), size(&result.content))
}

/// A message in the user's place with a line for each long result of a call that stands in it, and how many these are;
/// `None` where there is none. Files that a model is shown without a call stay: it has no way to see them again.
pub(super) fn elided_of_text(message: &Message) -> Option<(Message, u64)> {
    let mut results = 0;
    let mut now = Message { images: Vec::new(), ..Message::text(message.role, "") };
    for part in message.parts() {
        let line = if part.origin == PartOrigin::Result { elided_result(part.text) } else { None };
        results += u64::from(line.is_some());
        now.push(part.origin, line.as_deref().unwrap_or(part.text));
    }
    (results > 0).then_some((now, results))
}

/// The result of a call that was written as text, with a line in the place of what it told.
fn elided_result(text: &str) -> Option<String> {
    let (head, rest) = text.split_once('\n')?;
    let (told, foot) = rest.rsplit_once('\n')?;
    let is_result = head == "<tool_response>" || head.trim_start_matches('`') == "tool_output";
    if !is_result || told.len() < SHORT + MARGIN || is_elided(told) {
        return None;
    }
    let again = if failed(told) { began(told) } else { "; make the call again if it is needed".to_owned() };
    Some(format!("{head}\n{BEGINNING}a call: {}, {LEFT_OUT}{again}]\n{foot}", size(told)))
}

/// What is said of what it was, or of how to get it again.
fn again(call: Option<&ModelCall>, tool: &str, result: &str) -> String {
    match call.map_or(CallKind::Unknown, kind_of) {
        _ if failed(result) => began(result),
        CallKind::Runs => ending(result, LINE).map(|ending| format!("; {ending}")).unwrap_or_default(),
        // What changes something is not to be done again for the sake of its result.
        CallKind::Writes | CallKind::Edits | CallKind::Removes => began(result),
        CallKind::Looks => format!("; call {} again to see it", one_line(tool, LINE)),
        CallKind::Unknown => format!("; call {} again if it is needed", one_line(tool, LINE)),
    }
}

fn began(result: &str) -> String {
    let first = result.lines().find(|line| !line.trim().is_empty());
    first.map(|line| format!("; it began: {}", one_line(line, LINE))).unwrap_or_default()
}

fn size(result: &str) -> String {
    match result.lines().count() {
        0 | 1 => format!("{} characters", grouped(result.chars().count() as u64)),
        lines => format!("{} lines", grouped(lines as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(name: &str, arguments: serde_json::Value) -> ModelCall {
        ModelCall { server_id: None, index: None, name: name.into(), arguments }
    }

    /// What stands in the place of `result`.
    fn line(call: ModelCall, result: &str) -> String {
        let reply = Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, "") };
        let mut messages = vec![Message::text(Role::System, "s"), reply, Message::result(&call, result)];
        let elided = elide_results(&mut messages, &Estimator::new(None), 0);
        assert_eq!(elided.results, u64::from(messages[2].content != result));
        messages[2].content.to_string()
    }

    #[test]
    fn a_result_becomes_a_line_that_says_how_to_get_it_again() {
        let long = "a line of the file\n".repeat(1_412);
        assert_eq!(
            line(call("read_file", json!({"offset": 3, "file_path": "src/main.rs"})), &long),
            "[result of read_file src/main.rs: 1,412 lines, left out to make room; call read_file again to see it]"
        );
        assert_eq!(
            line(call("grep_search", json!({"pattern": "fn main", "path": "src"})), &"x".repeat(2_000)),
            "[result of grep_search \"fn main\" in src: 2,000 characters, left out to make room; call grep_search again to see it]"
        );
        assert_eq!(
            line(call("ask_oracle", json!(null)), &long),
            "[result of ask_oracle: 1,412 lines, left out to make room; call ask_oracle again if it is needed]"
        );
    }

    #[test]
    fn of_a_command_its_words_and_its_end_stay() {
        let output = format!("exit code 101\n{}test result: FAILED\n\n", "test a ... ok\n".repeat(100));
        assert_eq!(
            line(call("run_command", json!({"command": "cargo test \\\n  -p agent"})), &output),
            "[result of run_command `cargo test \\ -p agent`: 103 lines, left out to make room; exit code 101, last line: test result: FAILED]"
        );
        let long = line(call("run_command", json!({"command": "echo ".repeat(1_000)})), &output);
        assert!(long.len() < 300 && long.contains('…'), "{long}");
    }

    #[test]
    fn what_changed_something_is_not_asked_for_again() {
        let told = format!("edited a.rs: 3 lines added\n{}", "+ line\n".repeat(200));
        let line = line(call("edit_file", json!({"file_path": "a.rs"})), &told);
        assert!(line.ends_with("left out to make room; it began: edited a.rs: 3 lines added]"), "{line}");
    }

    #[test]
    fn short_results_and_the_persons_words_stay() {
        assert_eq!(line(call("read_file", json!({})), "short"), "short");
        let write = call("write_file", json!({"file_path": "a"}));
        let mut refused = Message::result(&write, "refused by the user, who says: ");
        refused.push(PartOrigin::Person, &"use the other one. ".repeat(100));
        let reply = Message { calls: vec![write], ..Message::text(Role::Assistant, "") };
        let messages = [Message::text(Role::System, "s"), reply, refused];
        let mut shorter = messages.to_vec();
        assert_eq!(elide_results(&mut shorter, &Estimator::new(None), 0), ElidedResults::default());
        assert_eq!(shorter, messages);
    }

    #[test]
    fn results_find_their_calls_by_id_and_else_in_order() {
        let with_id = |id: &str, path: &str| ModelCall {
            server_id: Some(id.into()),
            ..call("read_file", json!({"file_path": path}))
        };
        let calls = vec![with_id("1", "one"), with_id("2", "two"), call("read_file", json!({"file_path": "three"}))];
        let long = "some line\n".repeat(100);
        let mut messages = vec![
            Message::text(Role::System, "s"),
            Message { calls: calls.clone(), ..Message::text(Role::Assistant, "") },
        ];
        messages.extend([1, 0, 2].map(|at: usize| Message::result(&calls[at], long.clone())));
        elide_results(&mut messages, &Estimator::new(None), 0);
        for (message, path) in messages[2..].iter().zip(["two", "one", "three"]) {
            assert!(message.content.contains(&format!("read_file {path}:")), "{}", message.content);
        }
    }

    #[test]
    fn the_newest_results_stay() {
        let read = call("read_file", json!({"file_path": "a"}));
        let reply = Message { calls: vec![read.clone()], ..Message::text(Role::Assistant, "") };
        let long = "some words of a line\n".repeat(50);
        let mut messages = vec![Message::text(Role::System, long.clone())];
        for _ in 0..6 {
            messages.extend([reply.clone(), Message::result(&read, long.clone())]);
        }
        let estimator = Estimator::new(None);
        let one = estimator.tokens(&Features::of_message(&messages[2]));
        let elided = elide_results(&mut messages, &estimator, one * 2 + one / 2);
        assert_eq!(elided.results, 4);
        assert!(elided.freed > one * 3);
        assert!(messages[10].content == long && messages[12].content == long && messages[8].content != long);
        assert_eq!(messages[0].content, long);
        assert_eq!(
            elide_results(&mut messages, &estimator, one * 2 + one / 2),
            ElidedResults::default(),
            "once is enough"
        );
    }
}
