//! A file that holds secrets, for one who may not see them: which names there are, and no value.

use super::{blocks, mark};

/// A name that is longer is none.
const NAME: usize = 64;
/// What has only `=` behind it and is longer is the end of a key, not a name.
const LONE_NAME: usize = 16;

/// Goes through such a file from its first line on.
#[derive(Debug, Default)]
pub(crate) struct NamesOnly {
    /// In the middle of a value that began with this quotation mark.
    quote: Option<char>,
    in_key: bool,
}

impl NamesOnly {
    /// The next line without what it says.
    pub(crate) fn line(&mut self, line: &str) -> String {
        let hidden = mark("value");
        if self.in_key {
            self.in_key = !blocks::is_ending(line);
            return hidden;
        }
        if let Some(quote) = self.quote {
            self.quote = (!line.contains(quote)).then_some(quote);
            return hidden;
        }
        if line.trim().is_empty() {
            return String::new();
        }
        if line.contains("-----BEGIN") {
            self.in_key = !line.contains("-----END");
            return hidden;
        }
        match line.find(['=', ':']) {
            _ if is_section(line.trim()) => line.into(),
            Some(at) if is_name(&line[..at], &line[at + 1..]) => {
                self.quote = open_quote(&line[at + 1..]);
                format!("{}{hidden}", &line[..=at])
            }
            Some(_) | None => hidden,
        }
    }
}

/// `[default]`.
fn is_section(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| is_word(name.strip_prefix("profile ").unwrap_or(name)))
}

fn is_name(before: &str, after: &str) -> bool {
    let name = before.trim();
    let name = name.strip_prefix("export ").or_else(|| name.strip_prefix("- ")).unwrap_or(name).trim();
    let name = name.trim_matches(['"', '\'']);
    let lone = after.trim().trim_matches('=').is_empty() && name.len() > LONE_NAME;
    is_word(name) && !lone
}

fn is_word(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.len() <= NAME
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// The mark of a value that does not end on its line.
fn open_quote(value: &str) -> Option<char> {
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| ['"', '\'', '`'].contains(c))?;
    (!value[1..].contains(quote)).then_some(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_and_values_are_not() {
        let mut names = NamesOnly::default();
        for (line, shown) in [
            ("# the password is hunter2", "*"),
            ("", ""),
            ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=*"),
            ("[default]", "[default]"),
            ("aws_secret_access_key = wJalr", "aws_secret_access_key =*"),
            ("  \"client_secret\": \"abc\",", "  \"client_secret\":*"),
            ("machine example.com login ann password hunter2", "*"),
            ("//registry.example/:_authToken=abc", "*"),
            ("https://ann:hunter2@example.com", "https:*"),
            ("CERT=\"first", "CERT=*"),
            ("second=x", "*"),
            ("third\"", "*"),
            ("AFTER=1", "AFTER=*"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----", "*"),
            ("b3BlbnNzaA==", "*"),
            ("-----END OPENSSH PRIVATE KEY-----", "*"),
            ("dGhpcyBpcyBhIGxhc3QgbGluZQ==", "*"),
            ("hunter2", "*"),
        ] {
            assert_eq!(names.line(line), shown.replace('*', "[redacted: value]"), "{line}");
        }
    }
}
