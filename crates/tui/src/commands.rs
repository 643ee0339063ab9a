//! The slash commands: their names, and what a line typed by the person means. Carries nothing out.

use crate::nearest::nearest;

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Help,
    Model,
    Safe,
    Unsafe,
    Clear,
    Status,
    Tools,
    Copy,
    Retry,
    Exit,
}

impl Verb {
    /// May it be carried out for half a word? Nobody minds a list too many; a conversation forgotten is gone.
    pub(crate) fn is_harmless(self) -> bool {
        match self {
            Verb::Help | Verb::Model | Verb::Safe | Verb::Status | Verb::Tools | Verb::Copy | Verb::Retry => true,
            Verb::Unsafe | Verb::Clear | Verb::Exit => false,
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
    command(Verb::Safe, "safe", &[], "", "ask before every write and command"),
    command(Verb::Unsafe, "unsafe", &[], "", "ask only before leaving the project"),
    command(Verb::Clear, "clear", &["new", "reset"], "", "forget the conversation, begin anew"),
    command(Verb::Status, "status", &[], "", "server, model, window and mode"),
    command(Verb::Tools, "tools", &[], "", "what the model can call, and how its calls came"),
    command(Verb::Copy, "copy", &[], "[n]", "copy the last answer, or its n-th code block"),
    command(Verb::Retry, "retry", &[], "", "look for the server again; take a broken turn up again"),
    command(Verb::Exit, "exit", &["quit", "q", "bye"], "", "leave"),
];

const fn command(
    verb: Verb,
    name: &'static str,
    aliases: &'static [&'static str],
    argument: &'static str,
    words: &'static str,
) -> Command {
    Command { verb, name, aliases, argument, words }
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

/// The commands a half-typed `/word` may become; empty when `text` is something else.
pub(crate) fn completions(text: &str) -> Vec<&'static Command> {
    let Some(word) = text.strip_prefix('/').filter(|word| !word.contains(|c: char| c.is_whitespace() || c == '/'))
    else {
        return Vec::new();
    };
    let fits = |name: &&str| name.starts_with(word);
    let by_name = COMMANDS.iter().filter(|command| fits(&command.name));
    let by_alias = COMMANDS.iter().filter(|command| !fits(&command.name) && command.aliases.iter().any(fits));
    by_name.chain(by_alias).collect()
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
        let names = |text| completions(text).iter().map(|command| command.name).collect::<Vec<_>>();
        assert_eq!(names("/s"), ["safe", "status"]);
        assert_eq!(names("/q"), ["exit"]);
        assert_eq!(names("/"), COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>());
        assert_eq!(names("/model qwen"), [""; 0]);
        assert_eq!(names("/usr/"), [""; 0]);
    }
}
