//! Takes a line apart into lists, pipes and parts: where each begins and ends in the text. What it cannot place for certain
//! (words of the shell's own language, functions, what only some shells know) it does not take apart at all.

/// Longer lines stay as they are.
const LONGEST: usize = 64 * 1024;
/// Words that begin more than a command.
const KEYWORDS: &[&str] = &[
    "!", "[[", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while",
];
/// Programs whose arguments are no commands of their own and not worth naming.
const BARE: &[&str] =
    &["head", "tail", "grep", "sed", "awk", "tee", "cat", "sort", "echo", "printf", "wc", "cd", "xargs"];

/// Pipes that are joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct List {
    pub(in crate::shell) pipes: Vec<(Connector, Vec<PipePart>)>,
    /// It goes on in the background.
    pub(in crate::shell) behind: bool,
}

impl List {
    pub(in crate::shell) fn parts(&self) -> usize {
        self.pipes.iter().map(|(_, pipe)| pipe.len()).sum()
    }
}

/// How a pipe follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Connector {
    First,
    And,
    Or,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct PipePart {
    /// Where it begins and ends, in bytes.
    pub(in crate::shell) from: usize,
    pub(in crate::shell) to: usize,
    /// Its words without quotes, as far as that can be told; without variables that are set for it.
    pub(in crate::shell) words: Vec<String>,
    /// One program with its words.
    pub(in crate::shell) simple: bool,
    /// It reads from a file, or a text of its own.
    pub(in crate::shell) fed: bool,
    /// Variables that are set for it.
    pub(in crate::shell) sets: Vec<String>,
}

impl PipePart {
    pub(in crate::shell) fn program(&self) -> &str {
        program(&self.words)
    }

    /// It says something, or nothing, and succeeds: whoever ends in it hides how it was before.
    pub(super) fn only_speaks(&self) -> bool {
        matches!(self.program(), "true" | ":" | "echo" | "printf")
    }

    pub(super) fn shown(&self) -> String {
        let Some((name, rest)) = self.words.split_first() else { return "(…)".into() };
        let plain = |word: &&String| {
            !word.starts_with('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c))
        };
        let more: Vec<&String> = match rest {
            [flag, module, ..] if flag == "-m" => vec![flag, module],
            [first, second, ..] if first == "run" && plain(&second) => vec![first, second],
            [first, ..] if plain(&first) && !BARE.contains(&self.program()) => vec![first],
            _ => Vec::new(),
        };
        let whole = std::iter::once(name).chain(more).map(String::as_str).collect::<Vec<_>>().join(" ");
        whole.chars().take(40).collect()
    }
}

/// The lists of `command`, of which there is at least one.
pub(in crate::shell) fn cut(command: &str) -> Option<Vec<List>> {
    if command.len() > LONGEST || command.contains(['\r', '\0']) {
        return None;
    }
    let mut scan = CutScan {
        text: command,
        at: 0,
        bodies: Vec::new(),
        lists: Vec::new(),
        pipes: Vec::new(),
        pipe: Vec::new(),
        joint: Connector::First,
    };
    scan.run()?;
    (!scan.lists.is_empty()).then_some(scan.lists)
}

struct CutScan<'a> {
    text: &'a str,
    at: usize,
    /// The ends of the here-documents that begin on the next line; true where leading tabs do not count.
    bodies: Vec<(String, bool)>,
    lists: Vec<List>,
    pipes: Vec<(Connector, Vec<PipePart>)>,
    pipe: Vec<PipePart>,
    joint: Connector,
}

impl CutScan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn run(&mut self) -> Option<()> {
        loop {
            self.gap(true)?;
            if self.peek().is_none() {
                break;
            }
            let part = self.part()?;
            self.pipe.push(part);
            self.gap(false)?;
            self.joined()?;
        }
        // What ends after `|` or `&&` is not whole.
        (self.pipe.is_empty() && self.pipes.is_empty() && self.bodies.is_empty()).then_some(())
    }

    /// Blanks, comments, and where a command may begin new lines.
    fn gap(&mut self, lines: bool) -> Option<()> {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\\') if self.rest().starts_with("\\\n") => self.at += 2,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                Some('\n') if lines => self.line_end()?,
                Some(_) | None => return Some(()),
            }
        }
    }

    fn line_end(&mut self) -> Option<()> {
        self.at += 1;
        for (end, tabs) in std::mem::take(&mut self.bodies) {
            loop {
                if self.rest().is_empty() {
                    return None;
                }
                let line = self.rest().split('\n').next().unwrap_or_default();
                let is_end = if tabs { line.trim_start_matches('\t') == end } else { line == end };
                self.at += (line.len() + 1).min(self.rest().len());
                if is_end {
                    break;
                }
            }
        }
        Some(())
    }

    fn joined(&mut self) -> Option<()> {
        if ["|&", ";;", ";&", "&>"].iter().any(|text| self.rest().starts_with(text)) {
            return None;
        }
        if self.take("&&") {
            self.pipe_ends(Connector::And);
        } else if self.take("||") {
            self.pipe_ends(Connector::Or);
        } else if self.take("&") {
            self.list_ends(true);
        } else if self.take("|") {
            // The pipe goes on.
        } else if self.take(";") || matches!(self.peek(), Some('\n') | None) {
            self.list_ends(false);
        } else {
            return None;
        }
        Some(())
    }

    fn pipe_ends(&mut self, next: Connector) {
        let pipe = std::mem::take(&mut self.pipe);
        self.pipes.push((std::mem::replace(&mut self.joint, next), pipe));
    }

    fn list_ends(&mut self, behind: bool) {
        self.pipe_ends(Connector::First);
        self.joint = Connector::First;
        self.lists.push(List { pipes: std::mem::take(&mut self.pipes), behind });
    }

    fn part(&mut self) -> Option<PipePart> {
        let from = self.at;
        let mut part = PipePart { from, to: from, words: Vec::new(), simple: true, fed: false, sets: Vec::new() };
        if self.peek() == Some('(') {
            self.parens()?;
            part.simple = false;
            part.to = self.at;
        }
        loop {
            self.gap(false)?;
            match self.peek() {
                None | Some('\n' | ';' | '|') => break,
                Some('&') if self.rest().starts_with("&>") => return None,
                Some('&') => break,
                Some('<' | '>') => {
                    part.fed |= self.peek() == Some('<');
                    self.redirect()?;
                }
                Some(_) => {
                    let word = self.word()?;
                    let redirects = matches!(self.peek(), Some('<' | '>'));
                    if redirects && word.bytes().all(|b| b.is_ascii_digit()) {
                        self.redirect()?;
                    } else {
                        self.add(&mut part, word)?;
                    }
                }
            }
            part.to = self.at;
        }
        let ok = part.to > from && is_understood(&part.words);
        part.simple &= !matches!(part.program(), "" | "." | "source" | "eval");
        ok.then_some(part)
    }

    fn add(&self, part: &mut PipePart, word: String) -> Option<()> {
        let is_first = part.words.is_empty();
        let nested = !part.simple;
        let name = word.split('=').next().unwrap_or_default();
        let sets =
            word.contains('=') && !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match () {
            () if nested || is_first && KEYWORDS.contains(&word.as_str()) => return None,
            () if is_first && sets => part.sets.push(name.to_owned()),
            () => part.words.push(word),
        }
        Some(())
    }

    fn redirect(&mut self) -> Option<()> {
        if self.rest().starts_with("<<<") || self.rest().starts_with("<(") || self.rest().starts_with(">(") {
            return None;
        }
        if self.take("<<") {
            let tabs = self.take("-");
            self.gap(false)?;
            let start = self.at;
            let end = self.word()?;
            // What is filled in there is not: it stands as it is written.
            let written = &self.text[start..self.at];
            if written.contains(['$', '`', '\n']) || end.is_empty() {
                return None;
            }
            self.bodies.push((end, tabs));
            return Some(());
        }
        let _ = [">>", ">|", ">&", "<&", "<>", "<", ">"].iter().any(|operator| self.take(operator));
        self.gap(false)?;
        let start = self.at;
        self.word()?;
        (self.at > start).then_some(())
    }

    /// One word, without its quotes.
    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' => break,
                '(' | ')' => return None,
                '\'' => {
                    let length = self.rest()[1..].find('\'')?;
                    word.push_str(&self.rest()[1..=length]);
                    self.at += length + 2;
                }
                '"' => self.double(&mut word)?,
                '\\' => {
                    let escaped = self.rest().chars().nth(1)?;
                    // A line that goes on behind its end.
                    if escaped != '\n' {
                        word.push(escaped);
                    }
                    self.at += 1 + escaped.len_utf8();
                }
                '$' | '`' => self.filled(&mut word)?,
                _ => {
                    word.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        Some(word)
    }

    fn double(&mut self, word: &mut String) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                '"' => {
                    self.at += 1;
                    return Some(());
                }
                '\\' => {
                    let escaped = self.rest().chars().nth(1)?;
                    word.push(escaped);
                    self.at += 1 + escaped.len_utf8();
                }
                '$' | '`' => self.filled(word)?,
                c => {
                    word.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// What is filled in when it runs stands in the word as it is written.
    fn filled(&mut self, word: &mut String) -> Option<()> {
        let start = self.at;
        match self.rest().as_bytes() {
            [b'$', b'\'' | b'"', ..] => return None,
            [b'$', b'(', ..] => {
                self.at += 1;
                self.parens()?;
            }
            [b'$', b'{', ..] => {
                let length = self.rest().find('}')?;
                if self.rest()[2..length].contains(['{', '\'', '"', '`', '\\', '$']) {
                    return None;
                }
                self.at += length + 1;
            }
            [b'`', ..] => {
                let length = self.rest()[1..].find('`')?;
                if self.rest()[1..=length].contains('\\') {
                    return None;
                }
                self.at += length + 2;
            }
            _ => self.at += 1,
        }
        word.push_str(&self.text[start..self.at]);
        Some(())
    }

    /// From `(` to its `)`, whatever is in it; `case`, here-documents and comments can hide one.
    fn parens(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 1;
        let mut open = 1;
        let mut unused = String::new();
        while open > 0 {
            match self.peek()? {
                '(' => {
                    open += 1;
                    self.at += 1;
                }
                ')' => {
                    open -= 1;
                    self.at += 1;
                }
                '\'' => self.at += self.rest()[1..].find('\'')? + 2,
                '"' => self.double(&mut unused)?,
                '\\' => self.at += 1 + self.rest().chars().nth(1)?.len_utf8(),
                '$' | '`' => self.filled(&mut unused)?,
                c => self.at += c.len_utf8(),
            }
        }
        let inside = &self.text[start..self.at];
        let hides = inside.contains("<<") || inside.contains('#') || inside.contains("case ");
        (!hides).then_some(())
    }
}

/// Does the shell go on as it did after it? Tracing would show what was added, and other names could stand for others.
fn is_understood(words: &[String]) -> bool {
    let Some((name, rest)) = words.split_first() else { return true };
    match name.as_str() {
        "alias" | "unalias" | "shopt" | "setopt" | "emulate" | "fc" => false,
        "set" => rest.iter().all(|word| {
            matches!(
                word.as_str(),
                "-e" | "-u" | "-eu" | "-ue" | "-o" | "-euo" | "-eo" | "pipefail" | "errexit" | "nounset" | "+e" | "+u"
            )
        }),
        "trap" => !rest.iter().any(|word| word == "DEBUG" || word == "ERR"),
        _ => true,
    }
}

pub(super) fn program(words: &[String]) -> &str {
    words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word))
}
