//! What a line means that was typed at the prompt: a message, one of a few commands, or a command of the screen, of which it is
//! said what to use instead. To add one: its row.

use super::taking::TakingFor;
use agent_frontend::{export_target, is_farewell, split_command};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    BackgroundId, CallOp, ContextOp, DiffBase, ListOp, Mode, Op, OwnCommand, ServerOp, SessionOp, Think, TurnOp,
    UndoDirection,
};
use serde_json::Value;

/// What a line comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Meaning {
    /// It is said to the model.
    Message(String),
    /// The loop is asked for it; what it answers is said.
    Wish(Op),
    /// Something that is known here.
    Tell(Told),
    Answer(String),
    /// Changes of files are looked up.
    Changes(TakingFor),
    Leave,
}

/// What can be told without asking the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Commands,
    Status,
    Todos,
    Jobs,
}

struct Row {
    /// The first one is shown.
    names: &'static [&'static str],
    argument: &'static str,
    words: &'static str,
    means: fn(&str) -> Meaning,
}

const fn row(
    names: &'static [&'static str],
    argument: &'static str,
    words: &'static str,
    means: fn(&str) -> Meaning,
) -> Row {
    Row { names, argument, words, means }
}

const ROWS: &[Row] = &[
    row(&["help", "?", "keys"], "", "say these commands", |_| Meaning::Tell(Told::Commands)),
    row(&["status", "cost", "usage"], "", "project, model, window and mode", |_| Meaning::Tell(Told::Status)),
    row(
        &["diff", "changes"],
        "[head] [hunk]",
        "all that this session changed, or against git HEAD; a hunk's number takes that back, and asks",
        diff,
    ),
    row(&["undo"], "", "take the last change back; says first what would change, and asks", |_| {
        Meaning::Changes(TakingFor::Going(UndoDirection::Undo))
    }),
    row(&["redo"], "", "make it again; asks as well", |_| Meaning::Changes(TakingFor::Going(UndoDirection::Redo))),
    row(&["safe"], "", "ask before every write and command", |_| mode(Mode::Safe)),
    row(&["accept-edits", "edits"], "", "edit files in the project without asking", |_| mode(Mode::AcceptEdits)),
    row(&["plan"], "", "only look, and end with a plan to decide on", |_| mode(Mode::Plan)),
    row(&["unsafe"], "", "ask only before leaving the project", |_| mode(Mode::Unsafe)),
    row(&["model", "models"], "[name]", "say the models, or choose one", |name| {
        Meaning::Wish(Op::Server(match name {
            "" => ServerOp::Models,
            name => ServerOp::SetModel { name: name.to_owned() },
        }))
    }),
    row(&["think", "effort"], "[level]", "how much the model thinks: off, on, low, medium, high, max", think),
    row(&["compact"], "[keep]", "make the conversation shorter", |keep| {
        Meaning::Wish(Op::Context(ContextOp::Compact { instructions: keep.to_owned() }))
    }),
    row(&["clear", "new"], "", "forget the conversation, begin anew", |_| Meaning::Wish(Op::Context(ContextOp::Clear))),
    row(&["resume", "sessions"], "[id]", "say the sessions, or go on with one", |_| {
        Meaning::Wish(Op::List(ListOp::Sessions))
    }),
    row(&["rename"], "[title]", "give this session a title", |title| {
        Meaning::Wish(Op::Session(SessionOp::Rename { title: title.to_owned() }))
    }),
    row(&["fork"], "", "go on in a copy of this session", |_| {
        Meaning::Wish(Op::Session(SessionOp::Fork { said: None }))
    }),
    row(&["export"], "[path]", "write this session into a file; json for programs", export),
    row(&["todos", "todo"], "", "what there is to do", |_| Meaning::Tell(Told::Todos)),
    row(&["ps", "jobs"], "", "what runs in the background", |_| Meaning::Tell(Told::Jobs)),
    row(&["stop"], "[number]", "stop what runs in the background: all, or one", stop),
    row(&["unqueue"], "", "take back what waits to be said", |_| Meaning::Wish(Op::Turn(TurnOp::Unqueue))),
    row(&["retry"], "", "look for the server again; take a broken turn up again", |_| {
        Meaning::Wish(Op::Turn(TurnOp::Retry))
    }),
    row(&["quit", "exit", "q", "bye"], "", "leave", |_| Meaning::Leave),
];

/// Commands of the screen, and what to use in lines.
const ELSEWHERE: &[(&str, &str)] = &[
    ("rewind", "/undo takes files back; `agent` on the screen goes back to an earlier message"),
    ("copy", "select the text in your terminal"),
    ("context", "/status says how full the window is; `agent` on the screen shows where the tokens go"),
    ("tools", "`--tools GROUPS` chooses them at the start"),
    ("skills", "name the skill in your message"),
    (
        "memory",
        "what is remembered stands in memory.md beside your config.toml, and in .agent/memory.md of the project",
    ),
    ("permissions", "kept rules stand in policy.toml beside your config.toml"),
    ("sandbox", "[sandbox] in config.toml; `agent doctor` says what holds commands in"),
    ("prompt", "`AGENT_LOG=debug agent` writes more into agent.log in the state folder"),
    ("doctor", "`agent doctor` in your shell"),
    ("form", "`--form` at the start"),
    ("ports", "[sandbox] in config.toml names ports"),
    ("review", "write it as a message: look at the uncommitted changes with fresh eyes"),
    ("init", "`agent init` in your shell, or write it as a message: write AGENTS.md for this project"),
    ("theme", "lines have no colours"),
    ("keymap", "lines have no keys but Enter, Ctrl+C and Ctrl+D"),
    ("config", "`agent config` in your shell"),
    ("hooks", "`agent hooks list` in your shell"),
    ("mcp", "`agent mcp servers` in your shell"),
    ("agents", "the model gives a task to an agent of its own by the tool `task`"),
];

fn mode(mode: Mode) -> Meaning {
    Meaning::Wish(Op::Call(CallOp::SetMode { mode }))
}

fn think(level: &str) -> Meaning {
    match serde_json::from_value::<Think>(Value::String(level.to_lowercase())) {
        Ok(level) => Meaning::Wish(Op::Server(ServerOp::SetThink { think: Some(level) })),
        Err(_) => Meaning::Answer("type /think with one of off, on, low, medium, high, max".into()),
    }
}

fn export(argument: &str) -> Meaning {
    let (format, path) = export_target(argument);
    Meaning::Wish(Op::Session(SessionOp::Export { format, path }))
}

fn diff(words: &str) -> Meaning {
    let (base, number) = match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        (first, rest) if first.eq_ignore_ascii_case("head") => (DiffBase::Head, rest.trim()),
        (_, _) => (DiffBase::Start, words),
    };
    match (number, number.parse()) {
        ("", _) => Meaning::Changes(TakingFor::Diff(base)),
        (_, Ok(number @ 1..)) => Meaning::Changes(TakingFor::Hunk(base, number)),
        (_, Ok(_) | Err(_)) => {
            Meaning::Answer("type /diff or /diff head alone, or with the number of a hunk that it says".into())
        }
    }
}

fn stop(number: &str) -> Meaning {
    match (number, number.parse()) {
        ("", _) => Meaning::Wish(Op::Call(CallOp::StopJob { job: None })),
        (_, Ok(number)) => Meaning::Wish(Op::Call(CallOp::StopJob { job: Some(BackgroundId(number)) })),
        (_, Err(_)) => Meaning::Answer("type /stop alone, or with a number that /ps says".into()),
    }
}

/// What `line` means, with these commands of the user's own; one of ours goes before one of theirs.
pub(super) fn parse_line(line: &str, own: &[OwnCommand]) -> Meaning {
    let line = line.trim();
    if is_farewell(line) {
        return Meaning::Leave;
    }
    if line.starts_with('!') && line.len() > 1 {
        return Meaning::Answer(
            "lines run no commands of your own: use another shell, or write it without the !".into(),
        );
    }
    // More than a line is a message.
    let Some((word, argument)) = split_command(line).filter(|_| !line.contains('\n')) else {
        return Meaning::Message(line.to_owned());
    };
    if let Some(row) = ROWS.iter().find(|row| row.names.contains(&word)) {
        return (row.means)(argument);
    }
    if let Some(command) = OwnCommand::named(own, word) {
        return Meaning::Wish(Op::Turn(command.said(argument)));
    }
    Meaning::Answer(match ELSEWHERE.iter().find(|(name, _)| *name == word) {
        Some((_, instead)) => format!("/{word} is for the screen; here: {instead}"),
        None => format!("there is no command /{word} in lines; /help says those there are"),
    })
}

/// The argument of `/resume`: the session that is meant.
pub(super) fn resumed(line: &str) -> Option<&str> {
    let (word, id) = split_command(line)?;
    (matches!(word, "resume" | "sessions") && !id.is_empty()).then_some(id)
}

/// Each command with what it does, the user's own last.
pub(super) fn sheet(own: &[OwnCommand]) -> Vec<String> {
    let keys = [
        "What you type and end by Enter is said to the model; while it works, at its next step. \\ at the end goes on in the \
         next line.",
        "Ctrl+C stops the turn, twice leaves, and so does Ctrl+D.",
    ];
    let rows = ROWS.iter().map(|row| match row.argument {
        "" => format!("/{}: {}", row.names[0], row.words),
        argument => format!("/{} {argument}: {}", row.names[0], row.words),
    });
    let own = own.iter().filter(|command| !is_ours(&command.name)).map(|command| {
        let called = format!("/{} {}", command.name, command.argument_hint);
        clean_line(&format!("{}: {} ({})", called.trim_end(), command.description, command.origin)).into_owned()
    });
    keys.into_iter().map(str::to_owned).chain(rows).chain(own).collect()
}

fn is_ours(name: &str) -> bool {
    ROWS.iter().any(|row| row.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_word_means_two_commands_and_none_that_is_one_is_answered_with_another() {
        let ours: Vec<&str> = ROWS.iter().flat_map(|row| row.names).copied().collect();
        let all: Vec<&str> = ours.iter().copied().chain(ELSEWHERE.iter().map(|(name, _)| *name)).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn a_command_of_the_users_own_is_said_and_stands_on_the_sheet() {
        let own = |name: &str, body: &str| OwnCommand {
            name: name.into(),
            body: body.into(),
            description: "mend an issue\u{1b}[2J".into(),
            argument_hint: "[number]".into(),
            origin: "yours",
        };
        let own = [own("fix", "Fix issue $1."), own("safe", "never"), own("theme", "Choose a theme.")];
        let said = |text: &str| Meaning::Wish(Op::Turn(TurnOp::Say { text: text.into() }));
        assert_eq!(parse_line("/fix 12", &own), said("Fix issue 12."));
        assert_eq!(parse_line("/safe", &own), mode(Mode::Safe), "ours stay ours");
        assert_eq!(parse_line("/theme", &own), said("Choose a theme."), "it is no command of lines");
        let sheet = sheet(&own);
        let theirs: Vec<&String> = sheet.iter().filter(|line| line.ends_with("(yours)")).collect();
        assert!(theirs.len() == 2 && theirs[0].starts_with("/fix [number]: mend an issue"), "{theirs:?}");
        assert!(!theirs[0].contains('\u{1b}'));
    }

    #[test]
    fn a_line_is_a_message_where_it_is_no_command() {
        for line in ["fix it", "/usr/bin is full", "/undo\nand more"] {
            assert_eq!(parse_line(line, &[]), Meaning::Message(line.to_owned()), "{line}");
        }
        assert_eq!(parse_line(" /q ", &[]), Meaning::Leave);
        assert_eq!(parse_line("/undo", &[]), Meaning::Changes(TakingFor::Going(UndoDirection::Undo)));
        assert_eq!(parse_line("/diff", &[]), Meaning::Changes(TakingFor::Diff(DiffBase::Start)));
        assert_eq!(parse_line("/diff 2", &[]), Meaning::Changes(TakingFor::Hunk(DiffBase::Start, 2)));
        assert_eq!(parse_line("/diff HEAD", &[]), Meaning::Changes(TakingFor::Diff(DiffBase::Head)));
        assert_eq!(parse_line("/diff head 3", &[]), Meaning::Changes(TakingFor::Hunk(DiffBase::Head, 3)));
        assert!(
            matches!(parse_line("/diff 0", &[]), Meaning::Answer(_))
                && matches!(parse_line("/diff all", &[]), Meaning::Answer(_))
        );
        assert_eq!(parse_line("/stop 2", &[]), Meaning::Wish(Op::Call(CallOp::StopJob { job: Some(BackgroundId(2)) })));
    }

    #[test]
    fn a_command_of_the_screen_is_answered_with_what_to_use_instead() {
        let Meaning::Answer(words) = parse_line("/theme dark", &[]) else { panic!("it is answered") };
        assert_eq!(words, "/theme is for the screen; here: lines have no colours");
        let Meaning::Answer(words) = parse_line("/frobnicate", &[]) else { panic!("it is answered") };
        assert!(words.starts_with("there is no command /frobnicate"), "{words}");
        assert!(matches!(parse_line("!ls", &[]), Meaning::Answer(_)));
    }

    #[test]
    fn a_session_is_named_behind_its_command() {
        assert_eq!((resumed("/resume 2026"), resumed("/resume"), resumed("resume 2026")), (Some("2026"), None, None));
    }
}
