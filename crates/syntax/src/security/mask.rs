//! Tells code from comments and strings, as far as that is cheap: no grammar, one pass.
//!
//! Where it loses its way, in an apostrophe of some text, the next line finds it again: strings that may go over several
//! lines are only those that have marks of their own.

use std::ops::Range;

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Rust,
    Python,
    Script,
    Go,
    C,
    Shell,
    Php,
    Ruby,
    /// `#` and nothing else.
    Hash,
}

/// What a byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteKind {
    Code,
    String,
    Comment,
}

/// Where comments and strings are, in order. The mark that opens a string counts as code.
#[derive(Debug, Default)]
pub(super) struct Mask {
    spans: Vec<(Range<usize>, ByteKind)>,
}

impl Mask {
    pub(super) fn of(text: &[u8], syntax: Syntax) -> Self {
        let mut reader = Reader { text, syntax, at: 0, spans: Vec::new(), within: Vec::new() };
        reader.read();
        Mask { spans: reader.spans }
    }

    pub(super) fn kind(&self, at: usize) -> ByteKind {
        let after = self.spans.partition_point(|(range, _)| range.end <= at);
        match self.spans.get(after) {
            Some((range, kind)) if range.contains(&at) => *kind,
            Some(_) | None => ByteKind::Code,
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    syntax: Syntax,
    at: usize,
    spans: Vec<(Range<usize>, ByteKind)>,
    /// Brackets open in each `$(` that stands in a string of a shell.
    within: Vec<usize>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while self.at < self.text.len() {
            if let Some(end) = self.comment() {
                self.spans.push((self.at..end, ByteKind::Comment));
                self.at = end;
            } else if let Some(string) = self.string().or_else(|| self.string_goes_on()) {
                self.at = string.end;
                if self.syntax == Syntax::Shell && self.rest().starts_with(b"$(") {
                    self.within.push(0);
                }
                self.spans.push((string, ByteKind::String));
            } else {
                self.at += if self.text[self.at] == b'\\' && self.syntax == Syntax::Shell { 2 } else { 1 };
            }
        }
    }

    /// The string of a shell that goes on behind the bracket here.
    fn string_goes_on(&mut self) -> Option<Range<usize>> {
        let open = self.within.last_mut()?;
        match self.text[self.at] {
            b'(' => *open += 1,
            b')' => *open = open.saturating_sub(1),
            _ => return None,
        }
        if *open > 0 {
            return None;
        }
        self.within.pop();
        Some(self.at + 1..self.shell_quoted(self.at + 1))
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// Where the next `mark` is over, from `from` on; the end of the text where there is none.
    fn after(&self, from: usize, mark: &[u8]) -> usize {
        let from = from.min(self.text.len());
        let found = self.text[from..].windows(mark.len()).position(|window| window == mark);
        found.map_or(self.text.len(), |found| from + found + mark.len())
    }

    fn line_end(&self) -> usize {
        self.rest().iter().position(|byte| *byte == b'\n').map_or(self.text.len(), |length| self.at + length)
    }

    /// Where the comment ends that begins here.
    fn comment(&self) -> Option<usize> {
        let (slashes, hash) = match self.syntax {
            Syntax::Rust | Syntax::Script | Syntax::Go | Syntax::C => (true, false),
            Syntax::Php => (true, true),
            Syntax::Python | Syntax::Shell | Syntax::Ruby | Syntax::Hash => (false, true),
        };
        match self.rest() {
            [b'/', b'/', ..] if slashes && !self.is_behind_a_colon() => Some(self.line_end()),
            [b'/', b'*', ..] if slashes => Some(self.block_end()),
            [b'#', ..] if hash && self.is_at_a_word() => Some(self.line_end()),
            _ => None,
        }
    }

    /// `https://` where no string was recognised.
    fn is_behind_a_colon(&self) -> bool {
        self.syntax == Syntax::Script && self.at > 0 && self.text[self.at - 1] == b':'
    }

    /// In a shell, `#` within a word is part of it.
    fn is_at_a_word(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.text[at]);
        match self.syntax {
            Syntax::Shell | Syntax::Hash | Syntax::Ruby => before.is_none_or(|byte| b" \t\n;&|(".contains(&byte)),
            Syntax::Rust | Syntax::Python | Syntax::Script | Syntax::Go | Syntax::C | Syntax::Php => true,
        }
    }

    fn block_end(&self) -> usize {
        if self.syntax != Syntax::Rust {
            return self.after(self.at + 2, b"*/");
        }
        let (mut at, mut depth) = (self.at + 2, 1);
        while at < self.text.len() && depth > 0 {
            match &self.text[at..] {
                [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
                [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
                _ => at += 1,
            }
        }
        at
    }

    /// The inside of the string that begins here.
    fn string(&self) -> Option<Range<usize>> {
        let inside = self.at + 1;
        let quote = self.text[self.at];
        let triple = self.rest().starts_with(&[quote; 3]);
        match (self.syntax, quote) {
            (Syntax::Hash, _) => None,
            (Syntax::Rust, b'r') => self.raw(),
            (Syntax::Rust, b'\'') => self.character().map(|end| inside..end),
            (Syntax::Rust, b'"') => Some(inside..self.quoted(inside, quote, Lines::Many)),
            (Syntax::Python, b'"' | b'\'') if triple => Some(self.at + 1..self.after(self.at + 3, &[quote; 3])),
            (Syntax::C, b'"') if triple => Some(self.at + 1..self.after(self.at + 3, b"\"\"\"")),
            (Syntax::Go, b'`') => Some(inside..self.after(inside, b"`")),
            (Syntax::Script, b'`') => Some(inside..self.template(inside)),
            (Syntax::Script, b'/') if self.is_expression() => Some(inside..self.pattern()?),
            (Syntax::Shell, b'\'') => Some(inside..self.after(inside, b"'")),
            (Syntax::Shell, b'"') => Some(inside..self.shell_quoted(inside)),
            (_, b'"' | b'\'') => Some(inside..self.quoted(inside, quote, Lines::One)),
            (_, _) => None,
        }
    }

    /// Behind the closing `quote`.
    fn quoted(&self, from: usize, quote: u8, lines: Lines) -> usize {
        let mut at = from;
        while at < self.text.len() {
            match self.text[at] {
                b'\\' => at += 1,
                b'\n' if lines == Lines::One => return at,
                byte if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }

    /// `r#"…"#`.
    fn raw(&self) -> Option<Range<usize>> {
        let before = self.at.checked_sub(1).map(|at| self.text[at]);
        if before.is_some_and(|byte| byte != b'b' && (byte.is_ascii_alphanumeric() || byte == b'_')) {
            return None;
        }
        let hashes = self.rest()[1..].iter().take_while(|byte| **byte == b'#').count();
        let open = self.at + 1 + hashes;
        (self.text.get(open) == Some(&b'"')).then(|| {
            let mark: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
            open + 1..self.after(open + 1, &mark)
        })
    }

    /// `'x'`, and no lifetime.
    fn character(&self) -> Option<usize> {
        let rest = &self.rest()[1..];
        if rest.first() == Some(&b'\\') {
            return Some(self.quoted(self.at + 1, b'\'', Lines::One));
        }
        let length = std::str::from_utf8(&rest[..rest.len().min(4)]).map_or_else(
            |error| std::str::from_utf8(&rest[..error.valid_up_to()]).ok()?.chars().next().map(char::len_utf8),
            |text| text.chars().next().map(char::len_utf8),
        )?;
        (rest.get(length) == Some(&b'\'')).then_some(self.at + 1 + length + 1)
    }

    /// Up to the end of a template, others within its `${…}` taken in.
    fn template(&self, from: usize) -> usize {
        let (mut at, mut depth) = (from, 0_usize);
        while at < self.text.len() {
            match &self.text[at..] {
                [b'\\', ..] => at += 1,
                [b'$', b'{', ..] => (depth, at) = (depth + 1, at + 1),
                [b'{', ..] if depth > 0 => depth += 1,
                [b'}', ..] => depth = depth.saturating_sub(1),
                [b'`', ..] if depth == 0 => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }

    /// May a regular expression stand here, and not a division?
    fn is_expression(&self) -> bool {
        let before = self.text[..self.at].iter().rfind(|byte| !b" \t".contains(byte));
        before.is_none_or(|byte| b"(,=:[!&|?{};\n".contains(byte))
    }

    fn pattern(&self) -> Option<usize> {
        let (mut at, mut class) = (self.at + 1, false);
        while at < self.text.len() {
            match self.text[at] {
                b'\\' => at += 1,
                b'\n' => return None,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Up to the closing mark, or to a `$(` within, for what follows there is run.
    fn shell_quoted(&self, from: usize) -> usize {
        let mut at = from;
        while at < self.text.len() {
            match &self.text[at..] {
                [b'\\', ..] => at += 1,
                [b'"', ..] => return at + 1,
                [b'$', b'(', ..] => return at,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }
}

/// How far a string may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with strings as `s` and comments as `c`.
    fn shown(text: &str, syntax: Syntax) -> String {
        let mask = Mask::of(text.as_bytes(), syntax);
        let one = |(at, byte): (usize, u8)| match mask.kind(at) {
            ByteKind::Code => byte as char,
            ByteKind::String => 's',
            ByteKind::Comment => 'c',
        };
        text.bytes().enumerate().map(one).collect()
    }

    #[test]
    fn comments_and_strings_are_told_from_code_in_every_syntax() {
        for (syntax, text, expected) in [
            (
                Syntax::Rust,
                r##"a("x\"y", r#"b"#, 'c', '\'', &'a b) // d"##,
                r##"a("sssss, r#"sss, 'ss, 'sss, &'a b) cccc"##,
            ),
            (Syntax::Rust, "/* a /* b */ c */ d", "ccccccccccccccccc d"),
            (Syntax::Python, "a = '''b\nc''' # d\n'e", "a = 'ssssssss ccc\n's"),
            (Syntax::Script, "a(/'[/]/, `b${`c`}d`) // e", "a(/sssss, `sssssssss) cccc"),
            (Syntax::Script, "a = b / c; // '", "a = b / c; cccc"),
            (Syntax::Go, "a(`b\nc`, \"d\") /* e */", "a(`ssss, \"ss) ccccccc"),
            (Syntax::C, "a('b', \"c\\\"\"); // d\ne", "a('ss, \"ssss); cccc\ne"),
            (Syntax::Shell, "a \"b\" 'c' $# # d", "a \"ss 'ss $# ccc"),
            (Syntax::Shell, "a \"b$(c (d) \"e\")f\" g", "a \"s$(c (d) \"ss)ss g"),
            (Syntax::Hash, "a: 'b' # c", "a: 'b' ccc"),
        ] {
            assert_eq!(shown(text, syntax), expected, "{text}");
        }
    }
}
