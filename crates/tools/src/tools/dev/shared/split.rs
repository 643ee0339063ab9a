//! Splits a line into words as a shell does, as long as nothing in it needs one.

/// The words of `line`, or what in it only a shell understands.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut split = Split::default();
    let mut rest = line.trim().chars();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\r' => return Err("a line break".into()),
            c if c.is_whitespace() => split.end(),
            '\'' => split.single(&mut rest)?,
            '"' => split.double(&mut rest)?,
            '\\' => split.push(rest.next().ok_or("a `\\` at its end")?),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' => return Err(format!("`{c}`")),
            '#' | '~' if split.word.is_none() => return Err(format!("`{c}`")),
            c => split.push(c),
        }
    }
    split.end();
    match split.words.first() {
        Some(first) if sets_a_variable(first) => Err(format!("`{first}`")),
        Some(_) | None => Ok(split.words),
    }
}

#[derive(Default)]
struct Split {
    words: Vec<String>,
    word: Option<String>,
}

impl Split {
    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end(&mut self) {
        self.words.extend(self.word.take());
    }

    fn single(&mut self, rest: &mut std::str::Chars<'_>) -> Result<(), String> {
        self.word.get_or_insert_default();
        loop {
            match rest.next() {
                Some('\'') => return Ok(()),
                Some(c) => self.push(c),
                None => return Err("a `'` that nothing closes".into()),
            }
        }
    }

    fn double(&mut self, rest: &mut std::str::Chars<'_>) -> Result<(), String> {
        self.word.get_or_insert_default();
        loop {
            match rest.next() {
                Some('"') => return Ok(()),
                Some(c @ ('$' | '`')) => return Err(format!("`{c}`")),
                Some('\\') => match rest.next() {
                    Some(c @ ('"' | '\\' | '$' | '`')) => self.push(c),
                    Some(c) => {
                        self.push('\\');
                        self.push(c);
                    }
                    None => return Err("a `\"` that nothing closes".into()),
                },
                Some(c) => self.push(c),
                None => return Err("a `\"` that nothing closes".into()),
            }
        }
    }
}

/// `NAME=value` in front of a program.
fn sets_a_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn plain_words_are_split_as_a_shell_would() {
        for (line, expected) in [
            ("", &[][..]),
            ("  -m  http.server 8000 ", &["-m", "http.server", "8000"]),
            ("-c 'print(1); print(\"a b\")'", &["-c", "print(1); print(\"a b\")"]),
            (r#"-c "print(\"a\", '\n')""#, &["-c", r#"print("a", '\n')"#]),
            ("install requests[socks]", &["install", "requests[socks]"]),
            (r"a\ b '' c''d", &["a b", "", "cd"]),
            ("test ./... -run=^$x".trim_end_matches("$x"), &["test", "./...", "-run=^"]),
            ("a#b a~", &["a#b", "a~"]),
        ] {
            assert_eq!(words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn what_needs_a_shell_is_named() {
        for (line, what) in [
            ("a | b", "`|`"),
            ("a && b", "`&`"),
            ("a; b", "`;`"),
            ("a > b", "`>`"),
            ("a $HOME", "`$`"),
            ("a \"$HOME\"", "`$`"),
            ("a `b`", "`` ` ``"),
            ("a *.py", "`*`"),
            ("a ~/b", "`~`"),
            ("a # b", "`#`"),
            ("a\nb", "a line break"),
            ("a 'b", "a `'` that nothing closes"),
            ("a \"b", "a `\"` that nothing closes"),
            ("a \\", "a `\\` at its end"),
            ("A=1 b", "`A=1`"),
        ] {
            let what = if what == "`` ` ``" { "```" } else { what };
            assert_eq!(words(line).unwrap_err(), what, "{line}");
        }
    }
}
