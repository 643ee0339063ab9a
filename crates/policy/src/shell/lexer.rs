//! Takes a command apart, strictly: it is either of the plain part of the language, where bash, dash and this room agree
//! on every word, or it is not read at all.
//!
//! Plain are words (literal, `'…'`, `"…"` without anything that is filled in, backslashes), `|`, `&&`, `||`, `;`, new lines,
//! comments, patterns, `< file`, and redirects to nowhere or between the two outputs.

use super::unfinished;
use super::words::{Joint, Piece, Redirect, Simple, Word};

/// Longer commands are not read, whatever they say.
const LONGEST: usize = 8 * 1024;
/// Words that stand for more than a program where a program could stand.
const KEYWORDS: &[&str] = &[
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "in", "select", "then", "time", "until", "while",
];

/// Why a command is not read. In words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LexFault {
    /// It is not of the plain part of the language; words that follow "not proved to only read: ".
    NotPlain(String),
    /// Something is missing at its end.
    Incomplete(String),
}

/// Takes `command` apart.
pub(crate) fn lex(command: &str) -> Result<Vec<Simple>, LexFault> {
    if command.len() > LONGEST {
        return Err(LexFault::NotPlain(format!("it is longer than {LONGEST} bytes")));
    }
    if let Some(hidden) = command.chars().find(|c| is_hidden(*c)) {
        return Err(LexFault::NotPlain(format!(
            "it holds the character U+{:04X}, which cannot be seen",
            hidden as u32
        )));
    }
    let mut lexer = Lexer { chars: command.chars().collect(), at: 0, done: Vec::new(), now: None, joint: Joint::Then };
    match lexer.run() {
        Ok(()) => lexer.finish(),
        // What is not read to its end may be unfinished all the same.
        Err(LexFault::NotPlain(why)) => match unfinished::missing(command) {
            Some(missing) => Err(LexFault::Incomplete(missing)),
            None => Err(LexFault::NotPlain(why)),
        },
        Err(fault @ LexFault::Incomplete(_)) => Err(fault),
    }
}

/// Characters that are not seen, or change how others are seen.
fn is_hidden(c: char) -> bool {
    let control = c.is_control() && c != '\t' && c != '\n';
    let unseen = matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}');
    control || unseen
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    done: Vec<Simple>,
    /// The program that is being read.
    now: Option<Simple>,
    /// How the next one is joined to the last.
    joint: Joint,
}

fn not_plain<T>(why: impl Into<String>) -> Result<T, LexFault> {
    Err(LexFault::NotPlain(why.into()))
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn second(&self) -> Option<char> {
        self.chars.get(self.at + 1).copied()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn run(&mut self) -> Result<(), LexFault> {
        loop {
            self.skip(|c| c == ' ' || c == '\t');
            let Some(c) = self.peek() else { return Ok(()) };
            match c {
                '#' => self.skip(|c| c != '\n'),
                '\n' => {
                    self.at += 1;
                    if self.now.is_some() {
                        self.end(Joint::Then)?;
                    }
                }
                ';' | '|' | '&' => self.separator(c)?,
                '<' | '>' => self.redirect(None)?,
                _ => self.argument()?,
            }
        }
    }

    fn separator(&mut self, c: char) -> Result<(), LexFault> {
        let double = self.second() == Some(c);
        let joint = match (c, double, self.second()) {
            ('|', true, _) => Joint::Or,
            ('&', true, _) => Joint::And,
            ('|', false, Some('&')) => return not_plain("`|&` is not the same in every shell"),
            ('|', false, _) => Joint::Pipe,
            ('&', false, _) => return not_plain("`&` starts something that goes on in the background"),
            (_, true, _) | (_, false, Some('&')) => return not_plain("`;;` and `;&` belong to `case`"),
            (_, false, _) => Joint::Then,
        };
        self.at += if double { 2 } else { 1 };
        self.end(joint)
    }

    /// The program being read is whole; the next is joined to it by `joint`.
    fn end(&mut self, joint: Joint) -> Result<(), LexFault> {
        let Some(simple) = self.now.take() else { return not_plain("a separator stands where a program should") };
        if simple.words.is_empty() {
            return not_plain("a redirect stands without a program");
        }
        self.done.push(simple);
        self.joint = joint;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Simple>, LexFault> {
        match self.now {
            Some(_) => self.end(Joint::Then)?,
            None if self.done.is_empty() => return Err(LexFault::Incomplete("the command is empty".into())),
            None => {
                let after = match self.joint {
                    Joint::Then => return Ok(self.done),
                    Joint::And => "&&",
                    Joint::Or => "||",
                    Joint::Pipe => "|",
                };
                return Err(LexFault::Incomplete(format!("the command ends after `{after}`; what should follow it?")));
            }
        }
        Ok(self.done)
    }

    fn current(&mut self) -> &mut Simple {
        let joint = self.joint;
        self.now.get_or_insert_with(|| Simple { joint, words: Vec::new(), redirects: Vec::new() })
    }

    fn argument(&mut self) -> Result<(), LexFault> {
        let first = self.current().words.is_empty();
        let start = self.at;
        let word = self.word()?;
        if let (false, Some('<' | '>')) = (word.quoted, self.peek())
            && word.text.chars().all(|c| c.is_ascii_digit())
        {
            return self.redirect(Some(&word.text));
        }
        if first {
            self.check_program(&word, start)?;
        }
        self.current().words.push(word);
        Ok(())
    }

    /// What stands where a program should stand must be the name of one.
    fn check_program(&self, word: &Word, start: usize) -> Result<(), LexFault> {
        if KEYWORDS.iter().any(|keyword| word.is_bare(keyword)) {
            return not_plain(format!("`{}` is a word of the shell's own language", word.text));
        }
        if self.chars[start..self.at].contains(&'=') {
            return not_plain("a variable is set");
        }
        if word.is_pattern() {
            return not_plain("a pattern stands where the program should");
        }
        Ok(())
    }

    fn redirect(&mut self, stream: Option<&str>) -> Result<(), LexFault> {
        let redirect = match (self.peek(), self.second()) {
            (Some('<'), Some('<')) => return not_plain("`<<` brings text of its own along"),
            (Some('<'), Some('(' | '&' | '>')) => return not_plain("`<` is used for more than reading a file"),
            (Some('<'), _) if stream.is_none() => {
                self.at += 1;
                Redirect::From(self.target()?)
            }
            (Some('<'), _) => return not_plain("a numbered stream is read from"),
            (_, Some('(' | '|')) => return not_plain("`>` writes"),
            (_, Some('&')) => {
                self.at += 2;
                self.onto(stream)?
            }
            (_, next) => {
                self.at += if next == Some('>') { 2 } else { 1 };
                let target = self.target()?;
                if target.text != "/dev/null" {
                    return not_plain(format!("`>` writes to `{}`", target.text));
                }
                Redirect::Away(output(stream)?)
            }
        };
        self.current().redirects.push(redirect);
        Ok(())
    }

    fn onto(&mut self, stream: Option<&str>) -> Result<Redirect, LexFault> {
        let onto = match self.peek() {
            Some('1') => 1,
            Some('2') => 2,
            Some(_) | None => return not_plain("`>&` is used for more than `2>&1`"),
        };
        self.at += 1;
        match self.peek() {
            None | Some(' ' | '\t' | '\n' | ';' | '|' | '&') => Ok(Redirect::Onto(output(stream)?, onto)),
            Some(_) => not_plain("`>&` is used for more than `2>&1`"),
        }
    }

    /// The file of a redirect.
    fn target(&mut self) -> Result<Word, LexFault> {
        self.skip(|c| c == ' ' || c == '\t');
        if matches!(self.peek(), None | Some('\n' | ';' | '|' | '&' | '<' | '>' | '#')) {
            return not_plain("a redirect names no file");
        }
        let word = self.word()?;
        let numbered = !word.quoted && word.text.chars().all(|c| c.is_ascii_digit());
        if word.is_pattern() || word.text.is_empty() || numbered && matches!(self.peek(), Some('<' | '>')) {
            return not_plain("a redirect names no one file");
        }
        Ok(word)
    }

    fn word(&mut self) -> Result<Word, LexFault> {
        let start = self.at;
        let mut built = Built::default();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' => break,
                '\'' => self.single(&mut built)?,
                '"' => self.double(&mut built)?,
                '\\' => self.backslash(&mut built)?,
                '*' => self.active(&mut built, Piece::Any),
                '?' => self.active(&mut built, Piece::One),
                '[' => self.bracket(&mut built, start)?,
                _ => self.bare(&mut built, start, c)?,
            }
        }
        if built.active && built.pieces.split(|piece| *piece == Piece::Plain('/')).any(may_leave) {
            return not_plain("a pattern may match `..`, which not every shell leaves out");
        }
        let slash = Piece::Plain('/');
        if built.active && built.pieces.windows(2).any(|pair| pair[0] == slash && pair[1] == slash) {
            return not_plain("a pattern holds two slashes in a row, which not every shell keeps");
        }
        Ok(built.finish())
    }

    /// A character outside quotes.
    fn bare(&mut self, built: &mut Built, start: usize, c: char) -> Result<(), LexFault> {
        let before = (self.at > start).then(|| self.chars[self.at - 1]);
        match c {
            '$' if matches!(self.second(), None | Some(' ' | '\t' | '\n')) => {}
            '$' => return not_plain("`$` is filled in only when it runs"),
            '`' => return not_plain("a backquote runs another command"),
            '(' | ')' => return not_plain("parentheses start another shell"),
            '~' if matches!(before, None | Some('=' | ':')) => return not_plain("`~` stands for a folder elsewhere"),
            '{' if matches!(before, Some('@' | '^')) => return self.braces(built),
            '{' | '}' if self.is_empty_braces(start) => {}
            '{' | '}' if !matches!((before, self.second()), (None, None | Some(' ' | '\t' | '\n' | ';'))) => {
                return not_plain("braces can stand for several words");
            }
            _ if !c.is_ascii() => return not_plain(format!("`{c}` stands outside quotes and is no ASCII letter")),
            _ => {}
        }
        built.plain(c);
        self.at += 1;
        Ok(())
    }

    /// `{}` as a word of its own, which stays as it is.
    fn is_empty_braces(&self, start: usize) -> bool {
        let after = self.chars.get(start + 2);
        self.chars[start..].starts_with(&['{', '}']) && matches!(after, None | Some(' ' | '\t' | '\n' | ';'))
    }

    /// `@{1}` and `^{commit}`, which stay as they are.
    fn braces(&mut self, built: &mut Built) -> Result<(), LexFault> {
        let inside = self.chars[self.at + 1..].iter().take_while(|c| c.is_ascii_alphanumeric()).count();
        if self.chars.get(self.at + 1 + inside) != Some(&'}') {
            return not_plain("braces can stand for several words");
        }
        for _ in 0..inside + 2 {
            built.plain(self.chars[self.at]);
            self.at += 1;
        }
        Ok(())
    }

    fn active(&mut self, built: &mut Built, piece: Piece) {
        built.text.push(self.chars[self.at]);
        built.pieces.push(piece);
        built.active = true;
        self.at += 1;
    }

    /// `[abc]`; alone it is the name of a program.
    fn bracket(&mut self, built: &mut Built, start: usize) -> Result<(), LexFault> {
        let alone = self.at == start && matches!(self.second(), None | Some(' ' | '\t' | '\n'));
        if alone {
            built.plain('[');
            self.at += 1;
            return Ok(());
        }
        let simple = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let inside: String = self.chars[self.at + 1..].iter().take_while(simple).collect();
        if inside.is_empty() || self.chars.get(self.at + 1 + inside.len()) != Some(&']') {
            return not_plain("what stands in `[…]` is not plain; quote it if it is no pattern for files");
        }
        self.at += inside.len() + 2;
        built.text.push_str(&format!("[{inside}]"));
        built.pieces.push(Piece::Class(inside));
        built.active = true;
        Ok(())
    }

    fn single(&mut self, built: &mut Built) -> Result<(), LexFault> {
        self.at += 1;
        built.quoted = true;
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == '\'' {
                return Ok(());
            }
            built.plain(c);
        }
        Err(LexFault::Incomplete("a single quote is opened and never closed".into()))
    }

    fn double(&mut self, built: &mut Built) -> Result<(), LexFault> {
        self.at += 1;
        built.quoted = true;
        while let Some(c) = self.peek() {
            let next = self.second();
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(());
                }
                '`' => return not_plain("a backquote runs another command"),
                '$' if matches!(next, Some('"' | ' ' | '|' | ')')) => built.plain(c),
                '$' => return not_plain("`$` is filled in only when it runs"),
                '\\' => match next {
                    Some('\n') => return not_plain("a line is continued inside quotes"),
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                        built.plain(escaped);
                        self.at += 1;
                    }
                    Some(_) | None => built.plain(c),
                },
                _ => built.plain(c),
            }
            self.at += 1;
        }
        Err(LexFault::Incomplete("a double quote is opened and never closed".into()))
    }

    fn backslash(&mut self, built: &mut Built) -> Result<(), LexFault> {
        match self.second() {
            None => Err(LexFault::Incomplete("the command ends with a backslash; what should follow it?".into())),
            Some('\n') => not_plain("a line is continued with a backslash"),
            Some(c) if !c.is_ascii() => not_plain(format!("`{c}` stands outside quotes and is no ASCII letter")),
            Some(c) => {
                built.plain(c);
                built.quoted = true;
                self.at += 2;
                Ok(())
            }
        }
    }
}

/// The number of an output that may be redirected.
fn output(stream: Option<&str>) -> Result<u8, LexFault> {
    match stream {
        None | Some("1") => Ok(1),
        Some("2") => Ok(2),
        Some(_) => not_plain("a stream other than the two outputs is redirected"),
    }
}

/// Does this part of a pattern match `.` or `..`?
fn may_leave(part: &[Piece]) -> bool {
    let active = part.iter().any(|piece| !matches!(piece, Piece::Plain(_)));
    let second = |c: char| part.len() > 1 && part[1] == Piece::Plain(c);
    let named = matches!(part.get(1), Some(Piece::Plain(_))) && !second('.');
    active && part.first() == Some(&Piece::Plain('.')) && !named
}

/// A word in the making.
#[derive(Default)]
struct Built {
    text: String,
    pieces: Vec<Piece>,
    active: bool,
    quoted: bool,
}

impl Built {
    fn plain(&mut self, c: char) {
        self.text.push(c);
        self.pieces.push(Piece::Plain(c));
    }

    fn finish(self) -> Word {
        Word { text: self.text, pattern: self.active.then_some(self.pieces), quoted: self.quoted }
    }
}

#[cfg(test)]
mod tests;
