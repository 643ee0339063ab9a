//! Slash commands that a person or a project brings along: a text with places for what follows the command. What comes of
//! one is a message like any other.

/// A command that somebody wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnCommand {
    /// Without the slash.
    pub name: String,
    /// What it is for, in one line; may be empty.
    pub description: String,
    /// What may follow it, as it is shown; may be empty.
    pub argument_hint: String,
    /// Where it comes from, in a word: `yours`, `project`.
    pub origin: &'static str,
    /// What is said: `$ARGUMENTS` stands for all that follows the command, `$1` to `$9` for its words.
    pub body: String,
}

impl OwnCommand {
    /// What is said where `argument` follows the command.
    pub(crate) fn filled(&self, argument: &str) -> String {
        let words = words(argument);
        let (mut text, mut rest, mut used) = (String::new(), self.body.trim(), false);
        while let Some(at) = rest.find('$') {
            let behind = &rest[at + 1..];
            text.push_str(&rest[..at]);
            let digit = behind.chars().next().and_then(|letter| letter.to_digit(10)).filter(|digit| *digit > 0);
            rest = match (behind.strip_prefix("ARGUMENTS"), digit) {
                (Some(tail), _) => {
                    (text, used) = (text + argument, true);
                    tail
                }
                (None, Some(number)) => {
                    let word = words.get(number as usize - 1).map(String::as_str).unwrap_or_default();
                    (text, used) = (text + word, true);
                    &behind[1..]
                }
                (None, None) => {
                    text.push('$');
                    behind
                }
            };
        }
        text.push_str(rest);
        if used || argument.is_empty() { text } else { format!("{text}\n\n{argument}") }
    }
}

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

/// The command of this name.
pub(crate) fn find<'a>(commands: &'a [OwnCommand], name: &str) -> Option<&'a OwnCommand> {
    commands.iter().find(|command| command.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(body: &str, argument: &str) -> String {
        OwnCommand { body: body.into(), ..OwnCommand::default() }.filled(argument)
    }

    #[test]
    fn what_follows_the_command_stands_where_the_text_wants_it() {
        assert_eq!(said("Fix issue $ARGUMENTS.\n", "12 now"), "Fix issue 12 now.");
        assert_eq!(said("Compare $1 with $2; $1!", "a \"b c\""), "Compare a with b c; a!");
        assert_eq!(said("It costs $5 and $x, $", ""), "It costs  and $x, $");
        assert_eq!(said("Review it.", "only src"), "Review it.\n\nonly src", "nothing that was typed is lost");
        assert_eq!(said("Review it.", ""), "Review it.");
    }
}
