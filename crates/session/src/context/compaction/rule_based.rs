//! What stands for the earlier conversation where no model summarised it: a list in the form of a summary.

use super::calls::{CallKind, answered, command, ending, failed, file, kind_of};
use super::form::{SECTIONS, SummaryForm, find};
use super::known::without;
use super::said::PersonWords;
use crate::context::window::one_line;
use agent_protocol::{Message, ModelCall, PartOrigin, Role};
use std::collections::HashSet;

/// What parts of the list may take, in bytes. All together are below 6 KB.
const FIRST_WORDS: usize = 600;
const NEWEST_WORDS: usize = 400;
const FILES_OF_A_KIND: usize = 350;
const COMMANDS: usize = 1_200;
const LAST_WORDS: usize = 600;
/// Of each part of an earlier summary.
const EARLIER: usize = 400;

/// A file, a command and how it ended may take so many bytes each.
const PATH: usize = 120;
const COMMAND: usize = 100;
const ENDING: usize = 80;

/// A list put together by rule, without a model, in the same fixed form as a summary.
pub fn rule_based_summary(messages: &[Message]) -> String {
    let past = WorkDone::collect(messages);
    let decisions = "- (this list was made by rule: what was decided is in the words, files and commands)".to_owned();
    let now = [goal(messages), vec![decisions], past.files(), past.commands(), open(messages)];
    let parts = SECTIONS.iter().zip(now).enumerate().map(|(section, ((heading, _), lines))| {
        let earlier =
            past.earlier.as_ref().map(|earlier| earlier.section_text(section)).filter(|text| !text.is_empty());
        let earlier = earlier.map(|text| format!("- before: {}", one_line(text, EARLIER)));
        let lines: Vec<String> = earlier.into_iter().chain(lines).collect();
        let text = if lines.is_empty() { "- none".to_owned() } else { lines.join("\n") };
        format!("## {heading}\n{text}")
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The first task and the newest words.
fn goal(messages: &[Message]) -> Vec<String> {
    let words = PersonWords::in_messages(messages).words;
    let mut lines = Vec::new();
    if let Some((first, later)) = words.split_first() {
        lines.push(format!("- the user began with: {}", one_line(first, FIRST_WORDS)));
        lines.extend(later.last().map(|last| format!("- and said last: {}", one_line(last, NEWEST_WORDS))));
    }
    lines
}

/// The last thing that the model said.
fn open(messages: &[Message]) -> Vec<String> {
    let replies = messages.iter().rev().filter(|message| message.role == Role::Assistant);
    let written = |reply: &&Message| reply.parts().iter().any(|part| part.origin == PartOrigin::Model);
    let last = replies.filter(written).find(|reply| !reply.content.trim().is_empty());
    last.map(|reply| format!("- the model said last: {}", one_line(&reply.content, LAST_WORDS))).into_iter().collect()
}

/// What was done, the newest first.
struct WorkDone<'a> {
    done: Vec<(&'a ModelCall, &'a str)>,
    earlier: Option<SummaryForm>,
}

impl<'a> WorkDone<'a> {
    fn collect(messages: &'a [Message]) -> Self {
        let done = messages.iter().enumerate().rev();
        let done = done.filter_map(|(at, result)| Some((answered(messages, at)?, result.content.as_str())));
        WorkDone { done: done.collect(), earlier: messages.iter().rev().find_map(summary) }
    }

    /// Files by what was done to them; what came to nothing is none of it.
    fn files(&self) -> Vec<String> {
        let kinds = [
            ("read", CallKind::Looks),
            ("written", CallKind::Writes),
            ("edited", CallKind::Edits),
            ("removed", CallKind::Removes),
        ];
        let lines = kinds.into_iter().filter_map(|(word, kind)| {
            let files = self.done.iter().filter(|(call, result)| kind_of(call) == kind && !failed(result));
            let list = list(files.filter_map(|(call, _)| file(call)), FILES_OF_A_KIND)?;
            Some(format!("- {word}: {list}"))
        });
        lines.collect()
    }

    /// The newest commands with how they ended, in the order in which they ran; of the same ones the last.
    fn commands(&self) -> Vec<String> {
        let (mut lines, mut room, mut seen, mut more) = (Vec::new(), COMMANDS, HashSet::new(), 0);
        for (call, result) in &self.done {
            let Some(command) = command(call).filter(|command| seen.insert(*command)) else { continue };
            let ending = ending(result, ENDING).map(|ending| format!(": {ending}")).unwrap_or_default();
            let line = format!("- `{}`{ending}", one_line(command, COMMAND));
            match room.checked_sub(line.len()) {
                Some(left) if more == 0 => {
                    room = left;
                    lines.push(line);
                }
                Some(_) | None => more += 1,
            }
        }
        lines.extend((more > 0).then(|| format!("- ({more} earlier ones)")));
        lines.reverse();
        lines
    }
}

/// The form in a message that stands for an earlier conversation.
fn summary(message: &Message) -> Option<SummaryForm> {
    let parts = message.parts();
    let mut of_summary = parts.iter().filter(|part| matches!(part.origin, PartOrigin::Summary { .. }));
    of_summary.find_map(|part| find(without(part.text)))
}

/// Names behind each other, each once, the newest first; how many there were beyond the room for them.
fn list<'a>(names: impl Iterator<Item = &'a str>, most: usize) -> Option<String> {
    let (mut list, mut seen, mut more) = (String::new(), HashSet::new(), 0);
    for name in names.filter(|name| seen.insert(*name)) {
        let name = one_line(name, PATH);
        if more > 0 || list.len() + name.len() > most {
            more += 1;
            continue;
        }
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(&name);
    }
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    (!list.is_empty()).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Estimator, rebuild};
    use serde_json::{Value, json};

    fn did(name: &str, arguments: Value, result: &str) -> [Message; 2] {
        let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
        let reply = Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, "") };
        [reply, Message::result(&call, result)]
    }

    fn session() -> Vec<Message> {
        let mut messages = vec![Message::text(Role::System, "s"), Message::text(Role::User, "find\nthe bug")];
        messages.extend(did("read_file", json!({"file_path": "a.rs"}), "1\tfn main"));
        messages.extend(did("read_file", json!({"file_path": "b.rs"}), "1\tfn other"));
        messages.extend(did("read_file", json!({"file_path": "gone.rs"}), "error: gone.rs does not exist"));
        messages.extend(did("write_file", json!({"file_path": "n.rs", "content": "x"}), "created n.rs"));
        messages.extend(did("edit_file", json!({"file_path": "a.rs"}), "edited a.rs"));
        messages.extend(did("edit_file", json!({"file_path": "c.rs"}), "refused by the user, who says: "));
        messages.iter_mut().rev().take(1).for_each(|refused| refused.push(PartOrigin::Person, "not c.rs"));
        messages.extend(did("run_command", json!({"command": "cargo test"}), "exit code 101\none\ntest failed\n"));
        messages.extend(did("run_command", json!({"command": "cargo fmt"}), "exit code 0, no output"));
        messages.push(Message::text(Role::Assistant, "The test still fails, I look next at c.rs."));
        messages
    }

    #[test]
    fn it_says_what_was_wanted_touched_run_and_said_last() {
        assert_eq!(
            rule_based_summary(&session()),
            "## Goal\n- the user began with: find the bug\n- and said last: not c.rs\n\n\
             ## Decisions\n- (this list was made by rule: what was decided is in the words, files and commands)\n\n\
             ## Files\n- read: b.rs, a.rs\n- written: n.rs\n- edited: a.rs\n\n\
             ## Commands\n- `cargo test`: exit code 101, last line: test failed\n- `cargo fmt`: exit code 0\n\n\
             ## Open\n- the model said last: The test still fails, I look next at c.rs."
        );
    }

    #[test]
    fn an_earlier_summary_goes_on_in_it() {
        let summary = "## Goal\nship it\n\n## Files\n- z.rs was written\n\n## Open\nthe rest";
        let messages = session();
        let mut again = rebuild(&messages, messages.len(), summary, 1_000, &Estimator::new(None)).messages;
        again.extend(did("read_file", json!({"file_path": "y.rs"}), "1\tfn main"));
        let list = rule_based_summary(&again);
        assert!(list.contains("- before: ship it\n- the user began with: find the bug"), "{list}");
        assert!(list.contains("- before: - z.rs was written\n- read: y.rs"), "{list}");
        assert!(list.contains("## Open\n- before: the rest"), "{list}");
    }

    #[test]
    fn it_stays_short_whatever_happened() {
        let long = "漢字 word ".repeat(2_000);
        let mut messages = session();
        for number in 0..300 {
            messages.push(Message::text(Role::User, format!("{number}{long}")));
            for tool in ["read_file", "write_file", "edit_file", "delete_file"] {
                messages.extend(did(tool, json!({"file_path": format!("{number}{long}")}), &long));
            }
            messages.extend(did("run_command", json!({"command": format!("{number}{long}")}), &long));
            messages.push(Message::text(Role::Assistant, long.clone()));
        }
        let list = rule_based_summary(&messages);
        assert!(list.len() <= 6_144, "{}", list.len());
        let summary =
            format!("## Goal\n{long}\n## Decisions\n{long}\n## Files\n{long}\n## Commands\n{long}\n## Open\n{long}");
        messages.insert(1, rebuild(&messages, 1, &summary, 64, &Estimator::new(None)).messages[1].clone());
        assert!(
            rule_based_summary(&messages).contains("- before: ") && rule_based_summary(&messages).len() <= 6_144,
            "{}",
            rule_based_summary(&messages).len()
        );
    }

    #[test]
    fn of_nothing_it_says_that() {
        assert!(rule_based_summary(&[]).starts_with("## Goal\n- none\n\n## Decisions\n"));
    }
}
