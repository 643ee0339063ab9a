//! Slash commands that a person or a project brings along: a text with places for what follows the command. What comes of
//! one is a message like any other, with the output of commands in it where the text has one as !`command`: these are run by
//! the house, each judged and asked about like any other.

use crate::{Image, Piece, Piped, TurnOp};

/// A command that somebody wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnCommand {
    pub name: String,
    /// What it is for, in one line; may be empty.
    pub description: String,
    /// What may follow it, as it is shown; may be empty.
    pub argument_hint: String,
    /// Where it comes from, in a word: `yours`, `project`.
    pub origin: &'static str,
    /// What is said: `$ARGUMENTS` stands for all that follows the command, `$1` to `$9` for its words, and !`command` for what
    /// that puts out.
    pub body: String,
}

impl OwnCommand {
    /// What is said where `argument` follows the command.
    pub fn said(&self, argument: &str) -> TurnOp {
        self.said_with(argument, None, Vec::new())
    }

    /// The same with what comes along.
    fn said_with(&self, argument: &str, input: Option<Piped>, images: Vec<Image>) -> TurnOp {
        let pieces = self.pieces(argument);
        if pieces.iter().any(|piece| matches!(piece, Piece::Output(_))) {
            TurnOp::SayPieces { pieces, input, images }
        } else {
            TurnOp::said(Piece::all_written(&pieces), input, images)
        }
    }

    /// What a message says: what stands in the one of `commands` that it calls, or else its words.
    pub fn or_words(commands: &[OwnCommand], message: String, input: Option<Piped>, images: Vec<Image>) -> TurnOp {
        match OwnCommand::called(commands, &message) {
            Some((command, argument)) => command.said_with(argument, input, images),
            None => TurnOp::said(message, input, images),
        }
    }

    /// The one of `commands` that a message calls, with what follows its name: the message is `/name` and words, in as many
    /// lines as they take.
    fn called<'a, 'b>(commands: &'a [OwnCommand], message: &'b str) -> Option<(&'a OwnCommand, &'b str)> {
        let line = message.trim().strip_prefix('/')?;
        let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = Self::named(commands, name)?;
        Some((command, argument.trim()))
    }

    /// The one of this name.
    pub fn named<'a>(commands: &'a [OwnCommand], name: &str) -> Option<&'a OwnCommand> {
        commands.iter().find(|command| command.name == name)
    }

    /// Its words, and the commands among them. What the user writes behind the name is text wherever it goes: only the file says
    /// where a command stands.
    fn pieces(&self, argument: &str) -> Vec<Piece> {
        let mut blanks = Blanks { argument, words: words(argument), used: false };
        let mut pieces: Vec<Piece> = split(self.body.trim())
            .into_iter()
            .map(|piece| match piece {
                Piece::Words(text) => Piece::Words(blanks.filled(&text)),
                Piece::Output(command) => Piece::Output(blanks.filled(&command)),
            })
            .collect();
        if !blanks.used && !argument.is_empty() {
            pieces.push(Piece::Words(format!("\n\n{argument}")));
        }
        pieces
    }
}

/// What stands for the blanks of a command.
struct Blanks<'a> {
    argument: &'a str,
    words: Vec<String>,
    used: bool,
}

impl Blanks<'_> {
    fn filled(&mut self, text: &str) -> String {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some(at) = rest.find('$') {
            let behind = &rest[at + 1..];
            filled.push_str(&rest[..at]);
            let digit = behind.chars().next().and_then(|letter| letter.to_digit(10)).filter(|digit| *digit > 0);
            rest = match (behind.strip_prefix("ARGUMENTS"), digit) {
                (Some(tail), _) => {
                    self.used = true;
                    filled.push_str(self.argument);
                    tail
                }
                (None, Some(number)) => {
                    self.used = true;
                    filled.push_str(self.words.get(number as usize - 1).map(String::as_str).unwrap_or_default());
                    &behind[1..]
                }
                (None, None) => {
                    filled.push('$');
                    behind
                }
            };
        }
        filled + rest
    }
}

/// Takes a text apart where a command stands in it: an exclamation mark at the beginning of a word, and right behind it a
/// command between backticks, in one line.
fn split(text: &str) -> Vec<Piece> {
    let (mut pieces, mut from, mut looked) = (Vec::new(), 0, 0);
    while let Some(at) = text[looked..].find("!`").map(|at| looked + at) {
        looked = at + MARK;
        let begins =
            text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "([".contains(before));
        let end = text[looked..].find(['`', '\n']).map(|end| looked + end).filter(|end| text[*end..].starts_with('`'));
        let Some(end) = end.filter(|end| begins && !text[looked..*end].trim().is_empty()) else { continue };
        if at > from {
            pieces.push(Piece::Words(text[from..at].to_owned()));
        }
        pieces.push(Piece::Output(text[looked..end].trim().to_owned()));
        (from, looked) = (end + 1, end + 1);
    }
    if from < text.len() {
        pieces.push(Piece::Words(text[from..].to_owned()));
    }
    pieces
}

/// Bytes of what begins a command.
const MARK: usize = "!`".len();

/// The words of what follows a command; in quotes they are one.
fn words(argument: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    for letter in argument.chars() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) if word.is_none() => (word, quote) = (Some(String::new()), Some(letter)),
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(body: &str, argument: &str) -> Vec<Piece> {
        OwnCommand { body: body.into(), ..OwnCommand::default() }.pieces(argument)
    }

    #[test]
    fn a_message_that_calls_one_says_what_stands_in_it() {
        let command =
            |name: &str, body: &str| OwnCommand { name: name.into(), body: body.into(), ..OwnCommand::default() };
        let commands = [command("fix", "Fix $1."), command("git:log", "Log: !`git log`")];
        let says = |message: &str| OwnCommand::or_words(&commands, message.into(), None, Vec::new());
        let words = |text: &str| TurnOp::Say { text: text.into() };
        assert_eq!(says(" /fix 12 "), words("Fix 12."));
        assert_eq!(says("/fix\n12"), words("Fix 12."));
        for text in ["fix 12", "/fixed 12", "//fix", "/", "see /fix", "/usr/bin"] {
            assert_eq!(says(text), words(text), "{text}");
        }
        let input = Piped { text: "x".into(), cut: false, from: None };
        let with = OwnCommand::or_words(&commands, "/git:log".into(), Some(input.clone()), Vec::new());
        assert!(matches!(with, TurnOp::SayPieces { input: Some(along), .. } if along == input));
    }

    fn said(body: &str, argument: &str) -> String {
        Piece::all_written(&pieces(body, argument))
    }

    #[test]
    fn what_follows_the_command_stands_where_the_text_wants_it() {
        assert_eq!(said("Fix issue $ARGUMENTS.\n", "12 now"), "Fix issue 12 now.");
        assert_eq!(said("Compare $1 with $2; $1!", "a \"b c\""), "Compare a with b c; a!");
        assert_eq!(said("It costs $5 and $x, $", ""), "It costs  and $x, $");
        assert_eq!(said("Review it.", "only src"), "Review it.\n\nonly src", "nothing that was typed is lost");
        assert_eq!(said("Review it.", ""), "Review it.");
    }

    fn commands(body: &str, argument: &str) -> Vec<String> {
        let commands = pieces(body, argument).into_iter().filter_map(|piece| match piece {
            Piece::Words(_) => None,
            Piece::Output(command) => Some(command),
        });
        commands.collect()
    }

    #[test]
    fn a_command_stands_where_the_file_has_one() {
        assert_eq!(commands("- status: !`git status -s`\n- log: !`git log -3`\n", ""), ["git status -s", "git log -3"]);
        assert_eq!(commands("!`ls`", ""), ["ls"]);
        assert_eq!(commands("Issue: !`gh issue view $1`", "12"), ["gh issue view 12"]);
        for text in ["wow!`x`", "!``", "!` `", "!`never\nclosed`", "! `ls`", "`ls`"] {
            assert_eq!(commands(text, ""), [""; 0], "{text}");
        }
        let (words, command) = (|text: &str| Piece::Words(text.into()), |text: &str| Piece::Output(text.into()));
        assert_eq!(pieces("a !`b` c", "d"), [words("a "), command("b"), words(" c"), words("\n\nd")]);
    }

    #[test]
    fn what_is_typed_behind_the_name_makes_no_command() {
        assert_eq!(commands("Look at $ARGUMENTS", "!`rm -rf x`"), [""; 0]);
        assert_eq!(commands("Review.", "!`rm -rf x`"), [""; 0]);
        assert_eq!(said("Look at $1", "!`ls`"), "Look at !`ls`");
    }
}
