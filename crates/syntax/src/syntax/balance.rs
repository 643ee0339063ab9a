//! Whether brackets have partners. By the letters, not by a tree: where a grammar has lost its way, so have the leaves of its
//! tree.

use crate::Language;

/// How the brackets of a text stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    Balanced,
    /// This one, in this line from 1, is never closed.
    Open(char, usize),
    /// This one, in this line from 1, closes nothing.
    Stray(char, usize),
    /// A string or a comment that begins in this line has no end.
    Endless(usize),
}

impl Brackets {
    pub(super) fn words(self) -> String {
        match self {
            Brackets::Balanced => String::new(),
            Brackets::Open(bracket, line) => format!("`{bracket}` of line {line} is never closed"),
            Brackets::Stray(bracket, line) => format!("`{bracket}` of line {line} closes nothing"),
            Brackets::Endless(line) => format!("what begins in quotes or as a comment in line {line} has no end"),
        }
    }
}

/// How the brackets of `text` stand.
pub(super) fn brackets(language: Language, text: &str) -> Brackets {
    let mut letters = Letters { language, text, at: 0, line: 1, last: ' ' };
    let mut open: Vec<(char, usize)> = Vec::new();
    while let Some(found) = letters.next() {
        let (bracket, line) = match found {
            Found::Bracket(bracket) => (bracket, letters.line),
            Found::Endless(line) => return Brackets::Endless(line),
        };
        match (bracket, open.last().copied()) {
            ('(' | '[' | '{' | '`', _) => open.push((bracket, line)),
            (_, Some((opener, _))) if partner(opener) == bracket => drop(open.pop()),
            (_, Some(inner)) => return mismatched(&open, inner, (bracket, line)),
            (_, None) => return Brackets::Stray(bracket, line),
        }
    }
    open.last().map_or(Brackets::Balanced, |(bracket, line)| Brackets::Open(*bracket, *line))
}

/// One that closes something else: what it would close further out tells that the inner one was forgotten.
fn mismatched(open: &[(char, usize)], inner: (char, usize), closer: (char, usize)) -> Brackets {
    if open.iter().any(|(opener, _)| partner(*opener) == closer.0) {
        Brackets::Open(inner.0, inner.1)
    } else {
        Brackets::Stray(closer.0, closer.1)
    }
}

fn partner(opener: char) -> char {
    match opener {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

enum Found {
    Bracket(char),
    Endless(usize),
}

/// The letters of a program, of which only brackets are of interest.
struct Letters<'a> {
    language: Language,
    text: &'a str,
    at: usize,
    /// From 1.
    line: usize,
    /// The last letter of code.
    last: char,
}

impl Letters<'_> {
    fn next(&mut self) -> Option<Found> {
        loop {
            let rest = &self.text[self.at..];
            let letter = rest.chars().next()?;
            let begun = self.line;
            if let Some(length) = self.passive(rest, letter) {
                match length {
                    Length::Bytes(bytes) => self.pass(bytes),
                    Length::Endless => return Some(Found::Endless(begun)),
                }
                continue;
            }
            self.at += letter.len_utf8();
            self.line += usize::from(letter == '\n');
            if !letter.is_whitespace() {
                self.last = letter;
            }
            if matches!(letter, '(' | '[' | '{' | ')' | ']' | '}') {
                return Some(Found::Bracket(letter));
            }
        }
    }

    fn pass(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.matches('\n').count();
        self.last = passed.chars().next_back().unwrap_or(self.last);
        self.at += bytes;
    }

    /// How long the comment, string or letter in quotes is that `rest` begins with.
    fn passive(&self, rest: &str, letter: char) -> Option<Length> {
        let has_slashes = !matches!(self.language, Language::Python | Language::Bash);
        match letter {
            '#' if !has_slashes => Some(to_line_end(rest)),
            '#' if matches!(self.language, Language::C | Language::Cpp) => Some(Length::Bytes(directive(rest))),
            '/' if has_slashes && rest.starts_with("//") => Some(to_line_end(rest)),
            '/' if has_slashes && rest.starts_with("/*") => Some(self.comment(rest)),
            '/' if self.is_script() && self.may_begin_pattern() => pattern(rest),
            'r' | 'b' | 'c' if self.language == Language::Rust && !is_word(self.last_beside()) => raw_rust(rest),
            'R' if self.language == Language::Cpp && !is_word(self.last_beside()) => raw_cpp(rest),
            '"' | '\'' | '`' => self.quoted(rest, letter),
            _ => None,
        }
    }

    fn is_script(&self) -> bool {
        matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx)
    }

    /// The letter right before.
    fn last_beside(&self) -> char {
        self.text[..self.at].chars().next_back().unwrap_or(' ')
    }

    /// Where a value may begin, `/` does.
    fn may_begin_pattern(&self) -> bool {
        let word = self.text[..self.at].trim_end().rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        "(,=:[!&|?{};+-*%~^".contains(self.last) || matches!(word, "return" | "typeof" | "case" | "in" | "of")
    }

    fn comment(&self, rest: &str) -> Length {
        if self.language != Language::Rust {
            return rest[2..].find("*/").map_or(Length::Endless, |end| Length::Bytes(end + 4));
        }
        let (mut depth, mut at) = (0_usize, 0);
        while let Some(next) = rest[at..].find(['/', '*']).map(|found| at + found) {
            match rest.as_bytes().get(next..next + 2) {
                Some(b"/*") => depth += 1,
                Some(b"*/") => depth -= 1,
                _ => {
                    at = next + 1;
                    continue;
                }
            }
            at = next + 2;
            if depth == 0 {
                return Length::Bytes(at);
            }
        }
        Length::Endless
    }

    fn quoted(&self, rest: &str, quote: char) -> Option<Length> {
        use Language::{C, Cpp, Go, Java, Python, Rust};
        let three = rest.starts_with("\"\"\"") || rest.starts_with("'''");
        match (self.language, quote) {
            (Python, '"' | '\'') | (Java, '"') if three => Some(long(rest, &rest[..3])),
            (Go, '`') => Some(rest[1..].find('`').map_or(Length::Endless, |end| Length::Bytes(end + 2))),
            (_, '`') if self.is_script() => Some(template(rest)),
            (_, '`') => None,
            (Rust, '"') => Some(long(rest, "\"")),
            (Rust, '\'') => letter(rest),
            // Between digits it only groups them.
            (C | Cpp, '\'') if is_word(self.last_beside()) => None,
            _ => short(rest, quote),
        }
    }
}

enum Length {
    Bytes(usize),
    Endless,
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn to_line_end(rest: &str) -> Length {
    Length::Bytes(rest.find('\n').unwrap_or(rest.len()))
}

/// How long a line for the preprocessor is, with the lines that continue it. What stands in place of the first branch of a
/// condition is passed with it: both may open the same brace.
fn directive(rest: &str) -> usize {
    let is = |line: &str, names: &[&str]| {
        let name = line.trim_start().strip_prefix('#').map(str::trim_start);
        name.is_some_and(|name| names.iter().any(|known| name.starts_with(known)))
    };
    let is_other_branch = is(rest, &["el"]);
    let (mut length, mut depth) = (0, 0);
    let mut lines = rest.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        length += line.len();
        let goes_on = line.trim_end().ends_with('\\');
        match is_other_branch {
            false if !goes_on => break,
            true if depth == 0 && lines.peek().is_none_or(|next| is(next, &["endif"])) => break,
            true => depth = depth + usize::from(is(line, &["if"])) - usize::from(depth > 0 && is(line, &["endif"])),
            false => {}
        }
    }
    length
}

/// A string that may go over lines.
fn long(rest: &str, end: &str) -> Length {
    let mut at = end.len();
    while let Some(letter) = rest[at..].chars().next() {
        if rest[at..].starts_with(end) {
            return Length::Bytes(at + end.len());
        }
        at += letter.len_utf8();
        if letter == '\\' {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    Length::Endless
}

/// A string that ends in its line; a quote without a partner there is none.
fn short(rest: &str, quote: char) -> Option<Length> {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '\n' => return None,
            _ if letter == quote => return Some(Length::Bytes(at + 1)),
            _ => {}
        }
    }
    None
}

/// A letter of Rust; a lifetime is none.
fn letter(rest: &str) -> Option<Length> {
    let mut letters = rest.char_indices().skip(1);
    match letters.next()?.1 {
        '\\' => short(rest, '\''),
        _ => letters.next().filter(|(_, end)| *end == '\'').map(|(at, _)| Length::Bytes(at + 1)),
    }
}

/// `r"…"` and `br#"…"#`.
fn raw_rust(rest: &str) -> Option<Length> {
    let marks = rest.trim_start_matches(['b', 'c']).strip_prefix('r')?;
    let hashes = marks.bytes().take_while(|byte| *byte == b'#').count();
    let body = marks[hashes..].strip_prefix('"')?;
    let before = rest.len() - body.len();
    let end = format!("\"{}", "#".repeat(hashes));
    Some(body.find(&end).map_or(Length::Endless, |at| Length::Bytes(before + at + end.len())))
}

/// `R"name(…)name"`.
fn raw_cpp(rest: &str) -> Option<Length> {
    let (name, body) = rest.strip_prefix("R\"")?.split_once('(').filter(|(name, _)| name.len() <= 16)?;
    let end = format!("){name}\"");
    let before = rest.len() - body.len();
    Some(body.find(&end).map_or(Length::Endless, |at| Length::Bytes(before + at + end.len())))
}

fn pattern(rest: &str) -> Option<Length> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return None,
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(Length::Bytes(at + 1)),
            _ => {}
        }
    }
    None
}

/// A template with all that stands in it: what it holds is its own matter.
fn template(rest: &str) -> Length {
    // For each template that is open, the braces that are open in it.
    let mut open: Vec<usize> = vec![0];
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        let Some(braces) = open.last_mut() else { return Length::Bytes(at) };
        let opens_value = letter == '{' && rest[..at].ends_with('$');
        match letter {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '`' if *braces == 0 => drop(open.pop()),
            '`' => open.push(0),
            '{' if *braces > 0 || opens_value => *braces += 1,
            '}' if *braces > 0 => *braces -= 1,
            _ => {}
        }
    }
    if open.is_empty() { Length::Bytes(rest.len()) } else { Length::Endless }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_comments_and_letters_hold_no_brackets() {
        for (language, text) in [
            (Language::Rust, "fn a<'a>(x: &'a u8) { '{'; '\\''; \"}\\\"\"; r#\"}\"}\"#; b'('; /* { /* ( */ */ } // {"),
            (Language::Rust, "fn a() { let b = br\"\\\"; let r = 1; for_ }"),
            (Language::Cpp, "int a() { 1'000'000; '{'; R\"x(})\" )x\"; \"\\\"(\"; }"),
            (Language::C, "/* ( */ char a = '(';"),
            (
                Language::C,
                "#if A\nf {\n#elif B\ng {\n#if C\n(\n#endif\n{\n#else\n(\n#endif\n}\n#define B \\\n  {\nint a;\n",
            ),
            (Language::Go, "func a() { `{\n`; '{'; \"}\" }"),
            (Language::Java, "class A { String a = \"\"\"\n  } \\\"\"\" {\"\"\"; char b = '\"'; }"),
            (Language::JavaScript, "a = /[{/]\\/(/; b = c / d; `{ ${a({b: `${`x`}`})} }`; return /(/"),
            (Language::Tsx, "const a = <p>don't ({x})</p>;\n"),
            (Language::Python, "a = '''\n(\n''' # (\nb = '(' \"\\\"(\"\n"),
        ] {
            assert_eq!(brackets(language, text), Brackets::Balanced, "{text}");
        }
    }

    #[test]
    fn the_bracket_that_was_forgotten_is_named() {
        let go = |text| brackets(Language::Go, text);
        assert_eq!(go("a {\n b(\n}\n"), Brackets::Open('(', 2));
        assert_eq!(go("a {\n}\n}\n"), Brackets::Stray('}', 3));
        assert_eq!(go("a (\n]\n"), Brackets::Stray(']', 2));
        assert_eq!(go("a {\n b {\n}\n"), Brackets::Open('{', 1));
        assert_eq!(go("a\n`\n"), Brackets::Endless(2));
        assert_eq!(brackets(Language::Rust, "a(\"b);\n"), Brackets::Endless(1));
        assert_eq!(brackets(Language::JavaScript, "\n`${a`"), Brackets::Endless(2));
    }
}
