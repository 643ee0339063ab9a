//! The slash commands: their names, and what a line typed by the person means. Carries nothing out.

use crate::nearest::nearest;
use crate::think::LEVELS;
use agent_protocol::ExportFormat;

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Help,
    Model,
    Think,
    Context,
    Prompt,
    Compact,
    Doctor,
    Safe,
    AcceptEdits,
    Plan,
    Unsafe,
    Clear,
    Resume,
    Rename,
    Fork,
    Export,
    Undo,
    Redo,
    Rewind,
    Status,
    Tools,
    Todos,
    Skills,
    Memory,
    Ps,
    Stop,
    Sandbox,
    Permissions,
    Copy,
    Retry,
    Exit,
}

impl Verb {
    /// May it be carried out for half a word? Nobody minds a list too many; a conversation forgotten is gone.
    pub(crate) fn is_harmless(self) -> bool {
        match self {
            Verb::Help
            | Verb::Model
            | Verb::Safe
            | Verb::Plan
            | Verb::Status
            | Verb::Tools
            | Verb::Todos
            | Verb::Ps => true,
            Verb::Sandbox | Verb::Permissions | Verb::Copy | Verb::Retry => true,
            Verb::Think | Verb::Context | Verb::Prompt | Verb::Skills | Verb::Memory => true,
            // They show first what they would do.
            Verb::Resume | Verb::Undo | Verb::Redo | Verb::Rewind => true,
            Verb::Rename | Verb::Fork | Verb::Export | Verb::Stop => false,
            // The last two keep the model at work for a while.
            Verb::AcceptEdits => false,
            Verb::Unsafe | Verb::Clear | Verb::Exit | Verb::Compact | Verb::Doctor => false,
        }
    }
}

/// One command as it is offered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) verb: Verb,
    /// Without the slash.
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    /// What may follow, as it is shown.
    pub(crate) argument: &'static str,
    pub(crate) words: &'static str,
    /// What can follow, where that is one of a few.
    pub(crate) choices: Choices,
}

/// What can follow a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choices {
    /// Anything, or nothing.
    Any,
    /// A level of thinking.
    Levels,
    /// The form of an export.
    Formats,
}

/// The forms of an export, as they are typed.
const FORMATS: [(&str, &str); 2] = [("md", "for people to read"), ("json", "every record, for programs")];

impl Choices {
    /// Each with its words.
    fn all(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Choices::Any => Vec::new(),
            Choices::Levels => LEVELS.iter().map(|level| (level.name, level.words)).collect(),
            Choices::Formats => FORMATS.to_vec(),
        }
    }
}

impl Command {
    /// Is it called by this word?
    pub(crate) fn is_called(&self, word: &str) -> bool {
        self.name == word || self.aliases.contains(&word)
    }
}

/// Every command, in the order of the completion list.
pub(crate) const COMMANDS: &[Command] = &[
    command(Verb::Help, "help", &["?", "keys"], "", "keys and commands"),
    command(Verb::Model, "model", &["models"], "[name]", "choose the model"),
    Command {
        choices: Choices::Levels,
        ..command(Verb::Think, "think", &["effort", "thinking"], "[level]", "how much the model thinks")
    },
    command(Verb::Safe, "safe", &[], "", "ask before every write and command"),
    command(
        Verb::AcceptEdits,
        "accept-edits",
        &["edits"],
        "",
        "edit files in the project without asking; /safe ends it",
    ),
    command(Verb::Plan, "plan", &[], "", "only look, and end with a plan to decide on"),
    command(Verb::Unsafe, "unsafe", &[], "", "ask only before leaving the project"),
    command(Verb::Undo, "undo", &[], "", "take changes of files back; shows them first"),
    command(Verb::Redo, "redo", &[], "", "make changes again that were taken back"),
    command(Verb::Rewind, "rewind", &[], "", "go back to an earlier message"),
    command(Verb::Resume, "resume", &["sessions", "continue"], "[id]", "go on with an earlier session"),
    command(Verb::Rename, "rename", &[], "[title]", "give this session a title"),
    command(Verb::Fork, "fork", &[], "", "go on in a copy of this session"),
    Command {
        choices: Choices::Formats,
        ..command(Verb::Export, "export", &[], "[path]", "write this session into a file, as md or json")
    },
    command(Verb::Clear, "clear", &["new", "reset"], "", "forget the conversation, begin anew"),
    command(
        Verb::Compact,
        "compact",
        &["summarize", "compress"],
        "[keep]",
        "make the conversation shorter; say what to keep",
    ),
    command(Verb::Status, "status", &[], "", "server, model, window and mode"),
    command(Verb::Context, "context", &[], "", "where the tokens of the window go"),
    command(Verb::Tools, "tools", &[], "", "what the model can call, and how its calls came"),
    command(Verb::Todos, "todos", &["todo"], "", "show or hide what there is to do"),
    command(Verb::Skills, "skills", &["skill"], "", "what the model can be asked to use"),
    command(Verb::Memory, "memory", &[], "", "what is remembered of earlier sessions"),
    command(Verb::Ps, "ps", &["jobs"], "", "what runs in the background"),
    command(Verb::Stop, "stop", &[], "[number]", "stop what runs in the background: all, or one"),
    command(Verb::Sandbox, "sandbox", &["fence"], "", "what holds commands in, and how to change it"),
    command(Verb::Permissions, "permissions", &["rules"], "[cmd]", "what runs without a question; would this ask?"),
    command(Verb::Prompt, "prompt", &[], "", "what the model is sent, as it reads it"),
    command(Verb::Copy, "copy", &[], "[n]", "copy the last answer, or its n-th code block"),
    command(Verb::Retry, "retry", &[], "", "look for the server again; take a broken turn up again"),
    command(Verb::Doctor, "doctor", &[], "", "examine the model with a few short requests"),
    command(Verb::Exit, "exit", &["quit", "q", "bye"], "", "leave"),
];

const fn command(
    verb: Verb,
    name: &'static str,
    aliases: &'static [&'static str],
    argument: &'static str,
    words: &'static str,
) -> Command {
    Command { verb, name, aliases, argument, words, choices: Choices::Any }
}

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    /// A message to the model.
    Message,
    /// A command.
    Command { verb: Verb, argument: &'a str },
    /// It looks like a command and is none.
    Unknown { word: &'a str, nearest: Option<&'static str> },
}

/// Reads a line about to be sent.
pub(crate) fn read(text: &str) -> Reading<'_> {
    let text = text.trim();
    if matches!(text, "exit" | "quit" | ":q") {
        return Reading::Command { verb: Verb::Exit, argument: "" };
    }
    let Some(rest) = text.strip_prefix('/') else { return Reading::Message };
    let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    // A path like /usr/bin, or a comment like //, is part of a message.
    if word.is_empty() || word.contains('/') {
        return Reading::Message;
    }
    match COMMANDS.iter().find(|command| command.is_called(word)) {
        Some(command) => Reading::Command { verb: command.verb, argument: argument.trim() },
        None => Reading::Unknown { word, nearest: nearest(word, COMMANDS.iter().map(|command| command.name)) },
    }
}

/// What a half-typed line may become.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    pub(crate) verb: Verb,
    /// The line without the slash: a command, or one with what follows it.
    pub(crate) line: String,
    /// What may follow, as it is shown.
    pub(crate) argument: &'static str,
    pub(crate) words: &'static str,
    /// Stands it there already?
    pub(crate) whole: bool,
}

/// What a half-typed `/word` may become, or the argument after one; empty when `text` is something else.
pub(crate) fn completions(text: &str) -> Vec<Completion> {
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
    let completion = |command: &Command| Completion {
        verb: command.verb,
        line: command.name.to_owned(),
        argument: command.argument,
        words: command.words,
        whole: command.is_called(word),
    };
    by_name.chain(by_alias).map(completion).collect()
}

/// From the first letter of an argument on: before it, Enter means the command alone.
fn choices(word: &str, argument: &str) -> Vec<Completion> {
    let Some(command) = COMMANDS.iter().find(|command| command.is_called(word)) else { return Vec::new() };
    let fits = |(name, _): &(&str, &str)| !argument.is_empty() && name.starts_with(argument);
    let completion = |(name, words): (&'static str, &'static str)| Completion {
        verb: command.verb,
        line: format!("{} {name}", command.name),
        argument: "",
        words,
        whole: name == argument,
    };
    command.choices.all().into_iter().filter(fits).map(completion).collect()
}

/// What an export is asked to be: the form named first, else that of the file's name, else one for people; and where.
pub(crate) fn export(argument: &str) -> (ExportFormat, Option<String>) {
    let (word, rest) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
    let (format, path) = match word {
        "md" | "markdown" => (ExportFormat::Markdown, rest.trim()),
        "json" => (ExportFormat::Json, rest.trim()),
        _ if argument.to_lowercase().ends_with(".json") => (ExportFormat::Json, argument),
        _ => (ExportFormat::Markdown, argument),
    };
    (format, Some(path).filter(|path| !path.is_empty()).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verb(text: &str) -> Option<Verb> {
        match read(text) {
            Reading::Command { verb, .. } => Some(verb),
            Reading::Message | Reading::Unknown { .. } => None,
        }
    }

    #[test]
    fn aliases_mean_their_command() {
        for (text, meant) in [
            ("/?", Verb::Help),
            ("/models", Verb::Model),
            ("/new", Verb::Clear),
            ("/reset", Verb::Clear),
            ("/q", Verb::Exit),
            ("/bye", Verb::Exit),
            ("/effort", Verb::Think),
            ("/thinking", Verb::Think),
            ("/summarize", Verb::Compact),
            ("/compress", Verb::Compact),
            ("/sessions", Verb::Resume),
            ("/continue", Verb::Resume),
            ("exit", Verb::Exit),
            (" quit ", Verb::Exit),
            (":q", Verb::Exit),
        ] {
            assert_eq!(verb(text), Some(meant), "{text}");
        }
    }

    #[test]
    fn what_follows_a_command_is_its_argument() {
        assert_eq!(read("/model  qwen3:8b "), Reading::Command { verb: Verb::Model, argument: "qwen3:8b" });
    }

    #[test]
    fn a_message_may_begin_with_a_path() {
        for text in ["/usr/bin is full", "/etc/passwd", "// a comment", "/", "exit the loop early"] {
            assert_eq!(read(text), Reading::Message, "{text}");
        }
    }

    #[test]
    fn an_unknown_command_is_told_with_the_nearest() {
        assert_eq!(read("/claer"), Reading::Unknown { word: "claer", nearest: Some("clear") });
        assert_eq!(read("/frobnicate"), Reading::Unknown { word: "frobnicate", nearest: None });
    }

    #[test]
    fn a_beginning_lists_the_commands_it_may_become() {
        let names = |text| completions(text).into_iter().map(|completion| completion.line).collect::<Vec<_>>();
        assert_eq!(names("/s"), ["safe", "status", "skills", "stop", "sandbox", "resume", "compact"]);
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

    #[test]
    fn an_export_takes_its_form_from_its_first_word_or_from_the_name_of_the_file() {
        let (markdown, json) = (ExportFormat::Markdown, ExportFormat::Json);
        for (argument, format, path) in [
            ("", markdown, None),
            ("md", markdown, None),
            ("json", json, None),
            ("notes.json", json, Some("notes.json")),
            ("notes.md", markdown, Some("notes.md")),
            ("my notes.txt", markdown, Some("my notes.txt")),
            ("json  out/all.txt", json, Some("out/all.txt")),
            ("markdown notes.json", markdown, Some("notes.json")),
        ] {
            assert_eq!(export(argument), (format, path.map(str::to_owned)), "{argument}");
        }
    }
}
