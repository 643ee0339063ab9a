//! Slash commands as they are typed, the same in every front end. Which commands there are, each front end says in a table of
//! its own: they differ in what they can show.

use agent_protocol::ExportFormat;

/// The word and the argument of a line that begins like a command; `None`: it is a message. A path like `/usr/bin`, or a
/// comment like `//`, is part of a message.
pub fn split_command(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix('/')?;
    let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (!word.is_empty() && !word.contains('/')).then(|| (word, argument.trim()))
}

/// Whether a line leaves the program without a slash, as shells and editors are left.
pub fn is_farewell(line: &str) -> bool {
    matches!(line.trim(), "exit" | "quit" | ":q")
}

/// What `/export` is asked for: the format named first, else that of the file's name, else one for people; and where.
pub fn export_target(argument: &str) -> (ExportFormat, Option<String>) {
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

    #[test]
    fn a_message_may_begin_with_a_path() {
        for text in ["/usr/bin is full", "/etc/passwd", "// a comment", "/", "exit the loop early", "say /compact"] {
            assert!(split_command(text).is_none() && !is_farewell(text), "{text}");
        }
        assert_eq!(split_command(" /model  qwen3:8b "), Some(("model", "qwen3:8b")));
        assert!(is_farewell(" quit "));
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
            assert_eq!(export_target(argument), (format, path.map(str::to_owned)), "{argument}");
        }
    }
}
