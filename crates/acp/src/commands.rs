//! Slash commands that make sense in an editor. What has a place of its own there (modes, models, sessions) is none.

use crate::ending::unfit;
use crate::wire::Fault;
use agent_frontend::split_command;
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::{counted, short};
use agent_protocol::{
    ContextOp, ContextReport, Event, Grant, ListEvent, ListOp, Op, OwnCommand, SessionEvent, SessionOp, SkillCard,
    TurnEvent, UndoDirection, UndoneFile,
};
use serde_json::{Value, json};

/// The commands: name, what it does, and what may follow it.
const COMMANDS: [(Command, &str, &str, Option<&str>); 7] = [
    (Command::Compact, "compact", "Make the conversation shorter", Some("what the summary should keep")),
    (Command::Context, "context", "Tell where the tokens of the window go", None),
    (Command::Permissions, "permissions", "Tell which rules hold", None),
    (Command::Skills, "skills", "Tell which skills there are", None),
    (Command::Undo(UndoDirection::Undo), "undo", "Take the last change back; asks with what would change", None),
    (Command::Undo(UndoDirection::Redo), "redo", "Make it again; asks as well", None),
    (Command::Rename, "rename", "Give the session a name", Some("the name")),
];

/// A command that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Compact,
    Context,
    Permissions,
    Skills,
    /// Takes changes back, or makes them again.
    Undo(UndoDirection),
    Rename,
}

/// What the editor is told of them, and of those of the user's own; one of ours goes before one of theirs.
pub(crate) fn available_commands(own: &[OwnCommand]) -> Value {
    let ours = COMMANDS.iter().map(|(_, name, words, hint)| card(name, words, *hint));
    let theirs =
        own.iter().filter(|command| COMMANDS.iter().all(|(_, ours, ..)| *ours != command.name)).map(|command| {
            let words = match command.description.as_str() {
                "" => format!("a command of your own ({})", command.origin),
                words => words.to_owned(),
            };
            // Something may follow any of them.
            let hint =
                Some(command.argument_hint.as_str()).filter(|hint| !hint.is_empty()).unwrap_or("anything to add");
            card(&clean_line(&command.name), &clean_line(&words), Some(&clean_line(hint)))
        });
    json!({"sessionUpdate": "available_commands_update", "availableCommands": ours.chain(theirs).collect::<Vec<_>>()})
}

fn card(name: &str, words: &str, hint: Option<&str>) -> Value {
    let mut command = json!({"name": name, "description": words});
    if let Some(hint) = hint {
        command["input"] = json!({"hint": hint});
    }
    command
}

/// The command that a prompt is, with what is wanted of the loop. What begins like none of them is a prompt like others.
///
/// # Errors
/// Something that it needs was not said.
pub(crate) fn parse_command(text: &str) -> Result<Option<(Command, Op)>, Fault> {
    let Some((name, rest)) = split_command(text) else { return Ok(None) };
    let Some((command, ..)) = COMMANDS.iter().find(|(_, known, ..)| *known == name) else { return Ok(None) };
    let rest = rest.to_owned();
    let op = match command {
        Command::Compact => Op::Context(ContextOp::Compact { instructions: rest }),
        Command::Context => Op::List(ListOp::Context),
        Command::Permissions => Op::List(ListOp::Permissions),
        Command::Skills => Op::List(ListOp::Skills),
        Command::Undo(_) => Op::List(ListOp::Undoable),
        Command::Rename if rest.is_empty() => return Err(unfit("say the name, too: /rename NAME")),
        Command::Rename => Op::Session(SessionOp::Rename { title: rest }),
    };
    Ok(Some((*command, op)))
}

impl Command {
    /// What is said when this event ends it; empty where the event says it all.
    pub(crate) fn ended(self, event: &Event) -> Option<String> {
        match (self, event) {
            (Command::Context, Event::List(ListEvent::Context { report })) => Some(context(report)),
            (Command::Permissions, Event::List(ListEvent::Permissions { grants })) => Some(permissions(grants)),
            (Command::Skills, Event::List(ListEvent::Skills { skills })) => Some(skills_there(skills)),
            (Command::Undo(_), Event::Session(SessionEvent::Undone { direction, files, .. })) => {
                Some(undone_text(*direction, files))
            }
            (Command::Rename, Event::Session(SessionEvent::Renamed { title })) => Some(format!("renamed to {title}")),
            (Command::Compact, Event::Turn(TurnEvent::Ended { .. })) => Some(String::new()),
            // That it cannot be done now is said by a notice, and nothing else follows.
            (
                Command::Compact | Command::Context | Command::Rename | Command::Undo(_),
                Event::Session(SessionEvent::Notice { .. }),
            ) => Some(String::new()),
            _ => None,
        }
    }
}

fn undone_text(direction: UndoDirection, files: &[UndoneFile]) -> String {
    let done = counted(files.iter().filter(|file| file.left.is_none()).count() as u64, "file");
    let what = match direction {
        UndoDirection::Undo => format!("undone: {done}; /redo makes it again"),
        UndoDirection::Redo => format!("made again: {done}"),
    };
    let left =
        files.iter().filter_map(|file| Some(format!("{} is as it was: {}", file.shown_path, file.left.as_ref()?)));
    std::iter::once(what).chain(left).collect::<Vec<_>>().join("\n\n")
}

fn context(report: &ContextReport) -> String {
    let ContextReport { model, used, reserve, .. } = report;
    let window = report.window.tokens();
    let parts = report.parts.iter().map(|part| format!("- {}: {}\n", part.kind.words(), short(part.tokens)));
    let parts: String = parts.collect();
    format!(
        "{model}: {} of {} tokens used, {} kept free for a reply\n\n{parts}",
        short(*used),
        short(window),
        short(*reserve)
    )
}

fn permissions(grants: &[Grant]) -> String {
    if grants.is_empty() {
        return "no rules hold; a question offers those that can be had".to_owned();
    }
    let lines: Vec<String> = grants.iter().map(|grant| format!("- {}", grant.words)).collect();
    format!("{} hold:\n\n{}", counted(grants.len() as u64, "rule"), lines.join("\n"))
}

fn skills_there(skills: &[SkillCard]) -> String {
    if skills.is_empty() {
        return "there are no skills; see docs/MEMORY.md for how to write one".to_owned();
    }
    let lines: Vec<String> = skills.iter().map(|skill| format!("- {}: {}", skill.name, skill.description)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::FileState;

    #[test]
    fn only_what_begins_like_a_command_is_one() {
        let compact = Op::Context(ContextOp::Compact { instructions: "the plan".into() });
        assert_eq!(parse_command("/compact  the plan ").unwrap(), Some((Command::Compact, compact)));
        assert_eq!(parse_command("/context").unwrap(), Some((Command::Context, Op::List(ListOp::Context))));
        for prompt in ["compact", "/etc/hosts is what?", "/compacted"] {
            assert_eq!(parse_command(prompt).unwrap(), None, "{prompt}");
        }
        assert!(parse_command("/rename").unwrap_err().message.contains("/rename NAME"));
    }

    #[test]
    fn every_command_is_offered_by_its_name() {
        let own = |name: &str| OwnCommand { name: name.into(), ..OwnCommand::default() };
        let update = available_commands(&[own("fix"), own("compact")]);
        let commands = update["availableCommands"].as_array().unwrap();
        let names: Vec<&str> = commands.iter().map(|command| command["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["compact", "context", "permissions", "skills", "undo", "redo", "rename", "fix"]);
    }

    #[test]
    fn what_was_left_is_said_with_why() {
        let undone = |name: &str, left: Option<&str>| UndoneFile {
            path: format!("/p/{name}").into(),
            shown_path: name.into(),
            before: FileState::Missing,
            after: FileState::Missing,
            left: left.map(Into::into),
        };
        let words = undone_text(UndoDirection::Undo, &[undone("a", None), undone("b", Some("it changed meanwhile"))]);
        assert_eq!(words, "undone: 1 file; /redo makes it again\n\nb is as it was: it changed meanwhile");
    }
}
