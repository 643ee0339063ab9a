//! The slash commands: one table of what they are called, what they are for and what they do, from which the sheet of
//! keys and the completion come; and what a line typed by the user means. To add a command: its row.

use crate::app::App;
use crate::app::elsewhere::instead;
use crate::cmd::Cmd;
use crate::composer::{Completed, Completion};
use crate::dialogs::{Panel, PortList};
use crate::form::FORMS;
use crate::nearest::nearest;
use crate::settings::Exit;
use crate::think::LEVELS;
use agent_frontend::{is_farewell, split_command};
use agent_protocol::{ContextOp, ListOp, Mode, Op, ServerOp, SessionOp, TurnOp, UndoDirection};

pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    /// What may follow, as it is shown.
    pub(super) argument: &'static str,
    pub(super) words: &'static str,
    pub(super) group: Group,
    /// What can follow, where that is one of a few.
    choices: Choices,
    /// May it be carried out for half a word?
    pub(super) care: Care,
    /// Carries it out, with what followed it.
    pub(super) run: fn(&mut App, &str) -> Vec<Cmd>,
}

/// What commands are about: the headings of the sheet, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Model,
    Sight,
    Asking,
    Changes,
    Sessions,
    Work,
    Program,
}

impl Group {
    const ALL: [Group; 7] =
        [Group::Model, Group::Sight, Group::Asking, Group::Changes, Group::Sessions, Group::Work, Group::Program];

    fn heading(self) -> &'static str {
        match self {
            Group::Model => "Commands: the model",
            Group::Sight => "Commands: what the model sees",
            Group::Asking => "Commands: permissions",
            Group::Changes => "Commands: what was changed",
            Group::Sessions => "Commands: sessions",
            Group::Work => "Commands: what goes on",
            Group::Program => "Commands: the program",
        }
    }
}

/// Nobody minds a list too many; a conversation forgotten is gone, and an examination keeps the model at work for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// It does no harm, or shows first what it would do: half a word is enough.
    None,
    /// It is written out first, and done by the next Enter.
    WrittenOut,
}

/// What can follow a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choices {
    Any,
    Levels,
    Forms,
    /// The form of an export.
    Formats,
}

/// The forms of an export, as they are typed.
const FORMATS: [(&str, &str); 2] = [("md", "for people to read"), ("json", "every record, for programs")];

impl Choices {
    fn all(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Choices::Any => Vec::new(),
            Choices::Forms => FORMS.iter().map(|form| (form.name, form.words)).collect(),
            Choices::Levels => LEVELS.iter().map(|level| (level.name, level.words)).collect(),
            Choices::Formats => FORMATS.to_vec(),
        }
    }
}

impl Eq for Command {}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Command {
    pub(super) fn is_called(&self, word: &str) -> bool {
        self.name == word || self.aliases.contains(&word)
    }
}

/// Every command, in the order of the completion list.
pub(super) const COMMANDS: &[Command] = &[
    command("help", Group::Program, "keys and commands", |app, _| app.show_keys()).also(&[
        "?",
        "keys",
        "keymap",
        "keybindings",
    ]),
    command("model", Group::Model, "choose the model", App::choose_model).takes("[name]").also(&["models"]),
    command("think", Group::Model, "how much the model thinks", App::think)
        .takes("[level]")
        .of(Choices::Levels)
        .also(&["effort", "thinking"]),
    command("form", Group::Model, "how the model works: by calls, or by files", App::form)
        .takes("[form]")
        .of(Choices::Forms),
    command("safe", Group::Asking, "ask before every write and command", |app, _| app.set_mode(Mode::Safe)),
    command("accept-edits", Group::Asking, "edit files in the project without asking; /safe ends it", |app, _| {
        app.set_mode(Mode::AcceptEdits)
    })
    .also(&["edits"])
    .careful(),
    command("plan", Group::Asking, "only look, and end with a plan to decide on", |app, _| app.set_mode(Mode::Plan)),
    command("unsafe", Group::Asking, "ask only before leaving the project", |app, _| app.set_mode(Mode::Unsafe))
        .careful(),
    command("diff", Group::Changes, "all that this session changed, file by file", |app, _| app.show_changes())
        .also(&["changes"]),
    command("undo", Group::Changes, "undo changes to files; shows them first", |app, _| app.undo(UndoDirection::Undo)),
    command("redo", Group::Changes, "redo changes that were undone", |app, _| app.undo(UndoDirection::Redo)),
    command("rewind", Group::Changes, "go back to an earlier message", |app, _| app.rewind()).also(&["restore"]),
    command("review", Group::Changes, "write a message that has the changes looked at anew", |app, _| {
        app.begin_message(REVIEW)
    }),
    command("init", Group::Sight, "write a message that asks for an AGENTS.md", |app, _| app.begin_message(INIT)),
    command("resume", Group::Sessions, "go on with an earlier session", App::resume)
        .takes("[id]")
        .also(&["sessions", "continue"]),
    command("rename", Group::Sessions, "give this session a title", App::rename).takes("[title]").careful(),
    command("fork", Group::Sessions, "go on in a copy of this session", |_, _| {
        send(Op::Session(SessionOp::Fork { said: None }))
    })
    .careful(),
    command("export", Group::Sessions, "write this session into a file, as md or json", App::export)
        .takes("[path]")
        .of(Choices::Formats)
        .careful(),
    command("clear", Group::Sessions, "forget the conversation, begin anew", |_, _| {
        send(Op::Context(ContextOp::Clear))
    })
    .also(&["new", "reset"])
    .careful(),
    command("compact", Group::Sight, "compact the conversation; say what to keep", App::compact)
        .takes("[keep]")
        .also(&["summarize", "compress"])
        .careful(),
    command("status", Group::Work, "server, model, window and mode", |app, _| {
        app.show(Panel::status(&app.session, &app.settings.version, app.mouse))
    })
    .also(&["cost", "usage", "stats"]),
    command("context", Group::Sight, "where the tokens of the window go", |_, _| send(Op::List(ListOp::Context))),
    command("tools", Group::Sight, "what the model can call, and how its calls came", |app, _| app.show_tools()),
    command("todos", Group::Work, "show or hide what there is to do", |app, _| app.show_todos())
        .also(&["todo", "tasks"]),
    command("skills", Group::Sight, "what the model can be asked to use", |_, _| send(Op::List(ListOp::Skills)))
        .also(&["skill"]),
    command("memory", Group::Sight, "what is remembered of earlier sessions", |_, _| send(Op::List(ListOp::Memory))),
    command("ps", Group::Work, "what runs in the background", |app, _| app.show_jobs()).also(&["jobs"]),
    command("ports", Group::Work, "what listens in the sandbox; open a port to you", |app, _| {
        app.ask(PortList::default(), Op::List(ListOp::Ports))
    }),
    command("stop", Group::Work, "stop what runs in the background: all, or one", App::stop_jobs)
        .takes("[number]")
        .careful(),
    command("sandbox", Group::Asking, "the sandbox around commands, and how to change it", |app, _| {
        app.show(Panel::sandbox(&app.session))
    })
    .also(&["fence"]),
    command("permissions", Group::Asking, "what runs without a question; would this ask?", App::list_permissions)
        .takes("[cmd]")
        .also(&["rules", "approvals", "mode"]),
    command("hooks", Group::Asking, "programs that are run at calls and messages", |_, _| {
        send(Op::List(ListOp::Hooks))
    })
    .also(&["hook"]),
    command("prompt", Group::Sight, "what the model is sent, as it reads it", |app, _| app.show_prompt()),
    command(
        "config",
        Group::Program,
        "the settings that hold, where each is from, and changing them",
        App::show_config,
    )
    .takes("[name = value]")
    .also(&["settings"]),
    command("copy", Group::Program, "copy the last answer, or its n-th code block", App::copy_part).takes("[n]"),
    command("retry", Group::Work, "look for the server again; take a broken turn up again", |_, _| {
        send(Op::Turn(TurnOp::Retry))
    }),
    command("doctor", Group::Model, "examine the model with a few short requests", |_, _| {
        send(Op::Server(ServerOp::Examine))
    })
    .careful(),
    EXIT,
];

/// Asks for a second look. The model sees the differences by its own tools.
const REVIEW: &str = "Look at the uncommitted changes of this project with fresh eyes, as a reviewer would. List faults first, the worst \
    first, each with file and line and how to show it; then what is missing. Change nothing.";

/// Asks for a page that is told to every later session.
const INIT: &str = "Write AGENTS.md for this project: how to build, test and run it (commands that you have seen in its files), how it is \
    laid out, and rules of style that can be read from the code. At most 60 lines, only what is true here.";

/// What `exit` and the like mean without a slash too.
const EXIT: Command =
    command("exit", Group::Program, "leave", |_, _| vec![Cmd::Leave(Exit::Quit)]).also(&["quit", "q", "bye"]).careful();

const fn command(
    name: &'static str,
    group: Group,
    words: &'static str,
    run: fn(&mut App, &str) -> Vec<Cmd>,
) -> Command {
    Command { name, aliases: &[], argument: "", words, group, choices: Choices::Any, care: Care::None, run }
}

impl Command {
    fn told(&self) -> (String, String) {
        let name = format!("/{} {}", self.name, self.argument).trim_end().to_owned();
        let aliases: Vec<String> = self.aliases.iter().map(|alias| format!("/{alias}")).collect();
        let also = if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) };
        (name, format!("{}{also}", self.words))
    }

    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Command { aliases, ..self }
    }

    const fn takes(self, argument: &'static str) -> Self {
        Command { argument, ..self }
    }

    const fn of(self, choices: Choices) -> Self {
        Command { choices, ..self }
    }

    const fn careful(self) -> Self {
        Command { care: Care::WrittenOut, ..self }
    }
}

/// The sheet of commands: each group with its heading, each command with what may follow it and its other names.
pub(super) fn sheet() -> Vec<(&'static str, Vec<(String, String)>)> {
    let of = |group| COMMANDS.iter().filter(move |command| command.group == group).map(Command::told).collect();
    Group::ALL.into_iter().map(|group| (group.heading(), of(group))).collect()
}

/// Nothing is shown until the house answers.
fn send(op: Op) -> Vec<Cmd> {
    vec![Cmd::Send(op)]
}

/// Is there a command of this name?
#[cfg(test)]
pub(super) fn is_known(word: &str) -> bool {
    COMMANDS.iter().any(|command| command.is_called(word))
}

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading<'a> {
    /// A message to the model.
    Message,
    Command {
        command: &'static Command,
        argument: &'a str,
    },
    /// It is a command elsewhere; here there is this instead.
    Elsewhere {
        words: &'static str,
    },
    /// It looks like a command and is none.
    Unknown {
        word: &'a str,
        nearest: Option<&'static str>,
    },
}

/// Is one of ours called so?
pub(super) fn is_taken(name: &str) -> bool {
    COMMANDS.iter().any(|command| command.is_called(name))
}

/// Reads a line about to be sent.
pub(super) fn read(text: &str) -> Reading<'_> {
    if is_farewell(text) {
        return Reading::Command { command: &EXIT, argument: "" };
    }
    let Some((word, argument)) = split_command(text) else { return Reading::Message };
    match COMMANDS.iter().find(|command| command.is_called(word)) {
        Some(command) => Reading::Command { command, argument },
        None => match instead(word) {
            Some(words) => Reading::Elsewhere { words },
            None => Reading::Unknown { word, nearest: nearest(word, COMMANDS.iter().map(|command| command.name)) },
        },
    }
}

/// What a half-typed `/word` may become, or the argument after one; empty when `text` is something else.
pub(super) fn completions(text: &str) -> Vec<Completion> {
    let Some(line) = text.strip_prefix('/') else { return Vec::new() };
    match line.split_once(' ') {
        Some((word, argument)) => choices(word, argument),
        None if line.contains(|c: char| c.is_whitespace() || c == '/') => Vec::new(),
        None => commands(line),
    }
}

fn commands(word: &str) -> Vec<Completion> {
    let fits = |name: &&str| name.starts_with(word);
    let by_name = COMMANDS.iter().filter(|command| fits(&command.name));
    let by_alias = COMMANDS.iter().filter(|command| !fits(&command.name) && command.aliases.iter().any(fits));
    let is_called_so = |command: &&Command| fits(&command.name) || command.aliases.iter().any(fits);
    // Two letters say little about what something is for.
    let is_for = |command: &Command| {
        word.chars().count() > 2
            && (command.name.contains(word) || words_of(command.words).any(|w| w.starts_with(word)))
    };
    let by_words = COMMANDS.iter().filter(|command| !is_called_so(command) && is_for(command));
    let completion = |command: &'static Command| Completion {
        what: Completed::Command,
        harmless: command.care == Care::None,
        line: command.name.to_owned(),
        argument: command.argument.into(),
        words: command.words.into(),
        whole: command.is_called(word),
    };
    by_name.chain(by_alias).chain(by_words).map(completion).collect()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// From the first letter of an argument on: before it, Enter means the command alone.
fn choices(word: &str, argument: &str) -> Vec<Completion> {
    let Some(command) = COMMANDS.iter().find(|command| command.is_called(word)) else { return Vec::new() };
    let fits = |(name, _): &(&str, &str)| !argument.is_empty() && name.starts_with(argument);
    let completion = |(name, words): (&'static str, &'static str)| Completion {
        what: Completed::Command,
        harmless: command.care == Care::None,
        line: format!("{} {name}", command.name),
        argument: "".into(),
        words: words.into(),
        whole: name == argument,
    };
    command.choices.all().into_iter().filter(fits).map(completion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> Option<&'static str> {
        match read(text) {
            Reading::Command { command, .. } => Some(command.name),
            Reading::Message | Reading::Elsewhere { .. } | Reading::Unknown { .. } => None,
        }
    }

    #[test]
    fn aliases_mean_their_command() {
        for (text, command) in [
            ("/?", "help"),
            ("/models", "model"),
            ("/new", "clear"),
            ("/reset", "clear"),
            ("/q", "exit"),
            ("/bye", "exit"),
            ("/effort", "think"),
            ("/thinking", "think"),
            ("/summarize", "compact"),
            ("/compress", "compact"),
            ("/sessions", "resume"),
            ("/continue", "resume"),
            ("exit", "exit"),
            (" quit ", "exit"),
            (":q", "exit"),
        ] {
            assert_eq!(meant(text), Some(command), "{text}");
        }
    }

    #[test]
    fn what_follows_a_command_is_its_argument() {
        assert_eq!(meant("/model  qwen3:8b "), Some("model"));
        assert!(matches!(read("/model  qwen3:8b "), Reading::Command { argument: "qwen3:8b", .. }));
    }

    #[test]
    fn no_word_means_two_commands_and_every_command_stands_in_the_sheet() {
        let words: Vec<&str> = COMMANDS
            .iter()
            .flat_map(|command| [command.name].into_iter().chain(command.aliases.iter().copied()))
            .collect();
        let distinct: std::collections::HashSet<&str> = words.iter().copied().collect();
        assert_eq!(distinct.len(), words.len());
        assert!(COMMANDS.iter().all(|command| Group::ALL.contains(&command.group)));
    }

    #[test]
    fn an_unknown_command_is_told_with_the_nearest() {
        assert_eq!(read("/claer"), Reading::Unknown { word: "claer", nearest: Some("clear") });
        assert_eq!(read("/frobnicate"), Reading::Unknown { word: "frobnicate", nearest: None });
    }

    #[test]
    fn a_beginning_lists_the_commands_it_may_become() {
        let names = |text| completions(text).into_iter().map(|completion| completion.line).collect::<Vec<_>>();
        assert_eq!(names("/s"), ["safe", "status", "skills", "stop", "sandbox", "resume", "compact", "config"]);
        assert_eq!(names("/q"), ["exit"]);
        assert_eq!(names("/"), COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>());
        assert_eq!(names("/comp"), ["compact"]);
        assert_eq!(names("/model qwen"), [""; 0]);
        assert_eq!(names("/usr/"), [""; 0]);
    }

    #[test]
    fn an_argument_is_completed_where_there_are_a_few_to_choose_from() {
        let lines = |text| completions(text).into_iter().map(|completion| completion.line).collect::<Vec<_>>();
        assert_eq!(lines("/think o"), ["think off", "think on"]);
        assert_eq!(lines("/effort me"), ["think medium"]);
        assert_eq!([lines("/think "), lines("/think none"), lines("/clear o")], [const { Vec::<String>::new() }; 3]);
        assert!(completions("/think low")[0].whole && !completions("/think lo")[0].whole);
        assert_eq!([lines("/export m"), lines("/export j")], [["export md"], ["export json"]]);
    }
}
