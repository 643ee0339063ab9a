//! What is offered for something half-typed: commands, and names of files.

use agent_protocol::OwnCommand;
use std::borrow::Cow;

/// What it is that completions are offered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completed {
    /// A line that begins with a slash.
    Command,
    /// A file or folder that is named by `@`.
    Name,
}

/// What a half-typed line, or a half-typed name in it, may become.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    pub(crate) what: Completed,
    /// May it be carried out for half a word?
    pub(crate) harmless: bool,
    /// The line without the slash: a command, or one with what follows it. A name without its sign.
    pub(crate) line: String,
    /// What may follow, as it is shown.
    pub(crate) argument: Cow<'static, str>,
    pub(crate) words: Cow<'static, str>,
    /// Stands it there already?
    pub(crate) whole: bool,
}

impl Completion {
    /// The name of a file or folder, as it is offered.
    pub(super) fn of_name(name: &str) -> Self {
        let words = if name.ends_with('/') { "folder" } else { "" };
        Completion {
            what: Completed::Name,
            harmless: false,
            line: name.to_owned(),
            argument: Cow::Borrowed(""),
            words: Cow::Borrowed(words),
            whole: false,
        }
    }

    fn of_command(command: &OwnCommand, word: &str) -> Self {
        Completion {
            what: Completed::Command,
            harmless: command.argument_hint.is_empty(),
            line: command.name.clone(),
            argument: Cow::Owned(command.argument_hint.clone()),
            words: Cow::Owned(format!("{} ({})", command.description, command.origin).trim_start().to_owned()),
            whole: command.name == word,
        }
    }
}

/// What a half-typed `/word` may become of the commands that somebody wrote.
pub(super) fn of_commands(commands: &[OwnCommand], text: &str) -> Vec<Completion> {
    let word = text.strip_prefix('/').filter(|word| !word.contains(char::is_whitespace));
    let fits = |word: &str| {
        let fits = commands.iter().filter(|command| command.name.starts_with(word));
        fits.map(|command| Completion::of_command(command, word)).collect()
    };
    word.map(fits).unwrap_or_default()
}
