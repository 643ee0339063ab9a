//! Is something missing at the end of a command that is not plain? Looks only as far as that takes, and says nothing
//! where it is not sure: a command that is called unfinished is not run.

/// Words that open something, each with the one that closes it.
const PAIRS: &[(&str, &str)] = &[("if", "fi"), ("do", "done"), ("case", "esac"), ("{", "}")];
/// Words after which a program may stand at once.
const BEFORE_A_PROGRAM: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"];

/// What is missing, in words for the model.
pub(super) fn missing(command: &str) -> Option<String> {
    let mut scan =
        UnfinishedScan { chars: command.chars().collect(), at: 0, open: Vec::new(), bodies: Vec::new(), fresh: true };
    match scan.run() {
        Err(Stop::Missing(what)) => Some(what),
        Err(Stop::Unsure) => None,
        Ok(()) => scan.open.pop().map(|open| format!("`{open}` is opened and never closed")),
    }
}

enum Stop {
    Missing(String),
    /// Something this room does not know how to read.
    Unsure,
}

struct UnfinishedScan {
    chars: Vec<char>,
    at: usize,
    open: Vec<&'static str>,
    /// The ends of the here-documents that begin on the next line; true where leading tabs do not count.
    bodies: Vec<(String, bool)>,
    /// Could a program stand here?
    fresh: bool,
}

impl UnfinishedScan {
    fn run(&mut self) -> Result<(), Stop> {
        while let Some(c) = self.chars.get(self.at).copied() {
            match c {
                ' ' | '\t' => self.at += 1,
                '\n' => {
                    self.at += 1;
                    self.fresh = true;
                    self.skip_bodies()?;
                }
                '#' => self.skip_line(),
                ';' | '&' | '|' => {
                    self.at += 1;
                    self.fresh = true;
                }
                '<' if self.starts("<<<") => self.at += 3,
                '<' if self.starts("<<") => self.here()?,
                '<' | '>' => self.at += 1,
                // Subshells, functions, arithmetic and arrays all begin like this.
                '(' | ')' => return Err(Stop::Unsure),
                _ => self.word()?,
            }
        }
        if self.bodies.is_empty() { Ok(()) } else { self.skip_bodies() }
    }

    fn starts(&self, text: &str) -> bool {
        let rest = &self.chars[self.at..];
        text.chars().enumerate().all(|(at, c)| rest.get(at) == Some(&c))
    }

    fn skip_line(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| *c != '\n') {
            self.at += 1;
        }
    }

    fn word(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while let Some(c) = self.chars.get(self.at).copied() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
                '\'' => self.quoted("a single quote", '\'')?,
                '"' => self.quoted("a double quote", '"')?,
                '`' | '(' | ')' => return Err(Stop::Unsure),
                '$' if matches!(self.chars.get(self.at + 1), Some('(' | '{' | '\'')) => return Err(Stop::Unsure),
                '\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.chars.len());
        let word: String = self.chars[start..end].iter().collect();
        self.keyword(&word)
    }

    fn keyword(&mut self, word: &str) -> Result<(), Stop> {
        let fresh = std::mem::replace(&mut self.fresh, false);
        if !fresh {
            return Ok(());
        }
        self.fresh = BEFORE_A_PROGRAM.contains(&word);
        if word == "case" {
            return Err(Stop::Unsure);
        }
        if let Some((open, _)) = PAIRS.iter().find(|(open, _)| *open == word) {
            self.open.push(open);
        }
        if let Some((open, _)) = PAIRS.iter().find(|(_, close)| *close == word) {
            return if self.open.pop() == Some(open) { Ok(()) } else { Err(Stop::Unsure) };
        }
        Ok(())
    }

    fn quoted(&mut self, name: &str, quote: char) -> Result<(), Stop> {
        self.at += 1;
        loop {
            let missing = || Stop::Missing(format!("{name} is opened and never closed"));
            let c = self.chars.get(self.at).copied().ok_or_else(missing)?;
            self.at += 1;
            match c {
                _ if c == quote => return Ok(()),
                '\\' if quote == '"' => self.at += 1,
                '`' if quote == '"' => return Err(Stop::Unsure),
                '$' if quote == '"' && matches!(self.chars.get(self.at), Some('(' | '{')) => return Err(Stop::Unsure),
                _ => {}
            }
        }
    }

    /// `<<END`, `<<-END`, `<<'END'`.
    fn here(&mut self) -> Result<(), Stop> {
        self.at += 2;
        let tabs = self.chars.get(self.at) == Some(&'-');
        self.at += usize::from(tabs);
        while self.chars.get(self.at).is_some_and(|c| *c == ' ' || *c == '\t') {
            self.at += 1;
        }
        let end = self.end_word().filter(|end| !end.is_empty()).ok_or(Stop::Unsure)?;
        self.bodies.push((end, tabs));
        Ok(())
    }

    /// The word that ends a here-document, quotes gone; `None` where it cannot be told.
    fn end_word(&mut self) -> Option<String> {
        let mut end = String::new();
        while let Some(c) = self.chars.get(self.at).copied() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' | '"' => {
                    let rest = &self.chars[self.at + 1..];
                    let inside = &rest[..rest.iter().position(|end| *end == c)?];
                    if inside.iter().any(|c| matches!(c, '\n' | '\\' | '$' | '`')) {
                        return None;
                    }
                    end.extend(inside);
                    self.at += inside.len() + 2;
                }
                '\\' => {
                    end.push(self.chars.get(self.at + 1).copied().filter(|c| *c != '\n')?);
                    self.at += 2;
                }
                _ => {
                    end.push(c);
                    self.at += 1;
                }
            }
        }
        Some(end)
    }

    fn skip_bodies(&mut self) -> Result<(), Stop> {
        for (end, tabs) in std::mem::take(&mut self.bodies) {
            loop {
                if self.at >= self.chars.len() {
                    return Err(Stop::Missing(format!("the here-document is not closed by a line `{end}`")));
                }
                let start = self.at;
                self.skip_line();
                let line: String = self.chars[start..self.at].iter().collect();
                self.at += 1;
                let line = if tabs { line.trim_start_matches('\t') } else { &line };
                if line == end {
                    break;
                }
            }
        }
        Ok(())
    }
}
