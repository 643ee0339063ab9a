//! The indentation of Python, which its grammar here does not hold to: by the rules of the language's own reader.

/// The line, from 1, whose indentation makes no sense, and why. `None` as well where strings cannot be told apart.
pub(super) fn fault(text: &str) -> Option<(usize, String)> {
    let mut levels = vec![0];
    // The line that opened a block in which nothing stands yet.
    let mut opened: Option<usize> = None;
    let mut lines = Lines { text, at: 0, number: 0 };
    loop {
        let line = match lines.next() {
            Next::Statement(line) => line,
            Next::End => break,
            Next::Unreadable => return None,
        };
        let top = levels.last().copied().unwrap_or_default();
        match (opened.take(), line.indent) {
            (Some(opener), indent) if indent <= top => {
                return Some((line.number, format!("an indented block is missing after line {opener}")));
            }
            (Some(_), indent) => levels.push(indent),
            (None, indent) if indent > top => return Some((line.number, "it is indented too far".to_owned())),
            (None, indent) => {
                while levels.last().is_some_and(|level| *level > indent) {
                    levels.pop();
                }
                if levels.last() != Some(&indent) {
                    return Some((line.number, "its indentation is that of no block around it".to_owned()));
                }
            }
        }
        if line.indent == 0 && line.first == "return" {
            return Some((line.number, "`return` stands outside of any function".to_owned()));
        }
        opened = line.opens.then_some(line.number);
    }
    let last = text.lines().count().max(1);
    opened.map(|opener| (last, format!("an indented block is missing after line {opener}")))
}

/// A statement, as far as its indentation is concerned.
struct Logical<'a> {
    /// The line that it begins in, from 1.
    number: usize,
    indent: usize,
    /// Its first word.
    first: &'a str,
    /// Does it end in a colon?
    opens: bool,
}

/// What comes next in a text.
enum Next<'a> {
    Statement(Logical<'a>),
    End,
    /// A string or a bracket has no end.
    Unreadable,
}

struct Lines<'a> {
    text: &'a str,
    /// The byte where the next line begins.
    at: usize,
    /// Lines before it.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Next<'a> {
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return Next::End;
            }
            let line = rest.split('\n').next().unwrap_or_default();
            let code = line.trim_start_matches([' ', '\t', '\u{c}', '\u{feff}']);
            if code.trim_end().is_empty() || code.starts_with('#') {
                self.skip(line.len() + 1);
                continue;
            }
            let indent = columns(&line[..line.len() - code.len()]);
            let first = code.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            let number = self.number + 1;
            let Some((length, opens)) = statement(&rest[line.len() - code.len()..]) else { return Next::Unreadable };
            self.skip(line.len() - code.len() + length);
            return Next::Statement(Logical { number, indent, first, opens });
        }
    }

    fn skip(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        self.number += self.text[self.at..end].matches('\n').count();
        self.at = end;
    }
}

/// The bytes of the statement that `text` begins with, up to behind its line end, and whether it ends in a colon.
fn statement(text: &str) -> Option<(usize, bool)> {
    let (mut depth, mut last, mut at) = (0_usize, ' ', 0);
    while let Some(letter) = text[at..].chars().next() {
        let next = at + letter.len_utf8();
        match letter {
            '#' => {
                at = text[at..].find('\n').map_or(text.len(), |end| at + end);
                continue;
            }
            '"' | '\'' => {
                at = string(text, at, letter)?;
                last = letter;
                continue;
            }
            '\\' => {
                // The line goes on in the next one.
                let rest = &text[next..];
                at = next + if rest.starts_with("\r\n") { 2 } else { rest.chars().next().map_or(0, char::len_utf8) };
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '\n' if depth == 0 => return Some((next, last == ':')),
            _ => {}
        }
        if !letter.is_whitespace() {
            last = letter;
        }
        at = next;
    }
    (depth == 0).then_some((text.len(), last == ':'))
}

/// Behind the string that begins at `at` with this quote.
fn string(text: &str, at: usize, quote: char) -> Option<usize> {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let is_long = text[at..].starts_with(&triple);
    let end = if is_long { triple.as_str() } else { &triple[..1] };
    let mut place = at + end.len();
    while place < text.len() {
        let rest = &text[place..];
        if rest.starts_with(end) {
            return Some(place + end.len());
        }
        let letter = rest.chars().next()?;
        if letter == '\n' && !is_long {
            return None;
        }
        place += letter.len_utf8();
        if letter == '\\' {
            // What follows is not the end; of the line ends, the second letter belongs to it.
            let escaped = &text[place..];
            place += if escaped.starts_with("\r\n") { 2 } else { escaped.chars().next().map_or(0, char::len_utf8) };
        }
    }
    None
}

/// The columns of an indentation, as the language counts tabs.
fn columns(indent: &str) -> usize {
    let step = |column: usize, letter: char| match letter {
        '\t' => column / 8 * 8 + 8,
        '\u{c}' => 0,
        '\u{feff}' => column,
        _ => column + 1,
    };
    indent.chars().fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn indentation_that_makes_no_sense_is_told_with_its_line() {
        for (text, line, why) in [
            ("def f():\nreturn 1\n", 2, "an indented block is missing after line 1"),
            ("def f():\n    x = 1\n      y = 2\n", 3, "it is indented too far"),
            ("if a:\n        b\n    c\n", 3, "its indentation is that of no block around it"),
            ("def f():\n    a\nreturn a\n", 3, "`return` stands outside of any function"),
            ("  a\n", 1, "it is indented too far"),
            ("class A:\n    # nothing\n", 2, "an indented block is missing after line 1"),
        ] {
            assert_eq!(fault(text), Some((line, why.to_owned())), "{text:?}");
        }
    }

    #[test]
    fn what_stands_in_brackets_strings_and_long_lines_has_no_indentation() {
        for text in [
            "x = [\n  1,\n      2,\n]\ny = 1\n",
            "def f():\n    '''\n  a:\n'''\n    return 1\n",
            "if a and \\\n  b:\n    c\n",
            "x = {'a': 1}\nif x: y\nz = lambda: 1\n",
            "def f(a: int = 1,\n  b=':') -> int:  # why:\n\treturn a\n",
            "s = r'\\d' + '\\''\nif s:\n  # c\n\n    # d\n  t = 1\nelse:\n  u\n",
            "if a:\r\n    b\r\n\r\nc\r\n",
            "",
            "\u{feff}a = 1\nb = 2\n",
        ] {
            assert_eq!(fault(text), None, "{text:?}");
        }
    }

    #[test]
    fn strings_that_cannot_be_told_apart_are_not_guessed_at() {
        assert_eq!(fault("x = 'it\n  y\n"), None);
        assert_eq!(fault("x = (1\n"), None);
    }
}
