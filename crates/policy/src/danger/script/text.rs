//! From characters to items.

use super::{Item, ScriptPart, ScriptWord, ShellStart};
use std::collections::HashMap;
use std::mem::take;

/// Substitutions within substitutions that are looked into; deeper ones are not known.
pub(super) const DEEPEST: usize = 8;

/// Words that stand before a command and are none.
const BEFORE: &[&str] = &["if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "fi", "done", "esac"];

const SETTERS: &[&str] = &["export", "local", "declare", "readonly", "typeset"];

/// Programs that go to another folder.
const MOVERS: &[&str] = &["cd", "pushd", "popd"];

/// Reads `script`.
pub(in crate::danger) fn read(script: &str, known: ShellStart<'_>) -> Vec<Item> {
    let mut variables = HashMap::new();
    for (name, value) in [("HOME", known.home), ("PWD", known.folder)] {
        variables.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }
    read_at(script, &mut variables, 0)
}

pub(super) fn read_at(script: &str, variables: &mut HashMap<String, String>, depth: usize) -> Vec<Item> {
    let text: Vec<char> = script.chars().collect();
    let mut reader = ScriptReader {
        text: &text,
        at: 0,
        variables,
        depth,
        items: Vec::new(),
        part: ScriptPart::default(),
        draft: None,
        next: Next::Word,
        documents: Vec::new(),
        open: 0,
    };
    reader.run();
    reader.items
}

/// A word in the making.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) word: ScriptWord,
    pattern: String,
    active: bool,
    pub(super) quoted: bool,
}

impl Draft {
    pub(super) fn literal(&mut self, character: char) {
        self.word.text.push(character);
        if matches!(character, '*' | '?' | '[' | '\\') {
            self.pattern.push('\\');
        }
        self.pattern.push(character);
    }

    pub(super) fn literals(&mut self, text: &str) {
        text.chars().for_each(|character| self.literal(character));
    }
}

/// What the next word is.
pub(super) enum Next {
    Word,
    Written,
    Read,
    /// A number after `>&`, or a file.
    Doubled,
    Delimiter,
    HereString,
}

pub(super) struct ScriptReader<'a> {
    pub(super) text: &'a [char],
    pub(super) at: usize,
    pub(super) variables: &'a mut HashMap<String, String>,
    pub(super) depth: usize,
    pub(super) items: Vec<Item>,
    part: ScriptPart,
    draft: Option<Draft>,
    next: Next,
    /// Here-documents whose text comes after the line: their last lines, and whether what is in them is taken as it is.
    documents: Vec<(String, bool)>,
    open: usize,
}

impl ScriptReader<'_> {
    fn run(&mut self) {
        while let Some(character) = self.peek(0) {
            self.step(character);
        }
        self.end_part();
        for _ in 0..self.open {
            self.items.push(Item::Close);
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    pub(super) fn draft(&mut self) -> &mut Draft {
        self.draft.get_or_insert_default()
    }

    fn step(&mut self, character: char) {
        self.at += 1;
        match character {
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_part();
                self.skip_documents();
            }
            ';' => self.end_part(),
            '|' => {
                let pipe = self.peek(0) != Some('|');
                self.at += usize::from(!pipe || self.peek(0) == Some('&'));
                self.end_part();
                self.part.fed = pipe;
            }
            '&' if self.peek(0) == Some('>') => self.end_word(),
            '&' => {
                self.at += usize::from(self.peek(0) == Some('&'));
                self.end_part();
            }
            '(' => {
                self.end_part();
                self.items.push(Item::Open);
                self.open += 1;
            }
            ')' => {
                self.end_part();
                if self.open > 0 {
                    self.items.push(Item::Close);
                    self.open -= 1;
                }
            }
            '<' | '>' => self.redirect(character),
            '#' if self.draft.is_none() => {
                while self.peek(0).is_some_and(|character| character != '\n') {
                    self.at += 1;
                }
            }
            _ => self.in_word(character),
        }
    }

    fn in_word(&mut self, character: char) {
        match character {
            '\'' => self.single(),
            '"' => self.double(),
            '\\' => match self.peek(0) {
                Some('\n') => self.at += 1,
                Some(next) => {
                    self.at += 1;
                    self.draft().literal(next);
                    self.draft().quoted = true;
                }
                None => {}
            },
            '$' => self.dollar(false),
            '`' => self.backtick(),
            '~' if self.draft.as_ref().is_none_or(|draft| draft.word.text.ends_with('=')) => self.tilde(),
            '*' | '?' | '[' => {
                let draft = self.draft();
                draft.active = true;
                draft.word.text.push(character);
                draft.pattern.push(character);
            }
            _ => self.draft().literal(character),
        }
    }

    fn redirect(&mut self, character: char) {
        let number = |draft: &Draft| !draft.quoted && draft.word.text.chars().all(|digit| digit.is_ascii_digit());
        if self.draft.as_ref().is_some_and(number) {
            self.draft = None;
        }
        self.end_word();
        if self.peek(0) == Some('(') {
            let inner = self.enclosed('(', ')');
            return self.substitute(&inner);
        }
        self.next = match (character, self.peek(0), self.peek(1)) {
            ('<', Some('<'), Some('<')) => {
                self.at += 2;
                Next::HereString
            }
            ('<', Some('<'), third) => {
                self.at += 1 + usize::from(third == Some('-'));
                Next::Delimiter
            }
            (_, Some('&'), _) => {
                self.at += 1;
                Next::Doubled
            }
            ('<', Some('>'), _) | ('>', Some('>' | '|'), _) => {
                self.at += 1;
                Next::Written
            }
            ('<', _, _) => Next::Read,
            _ => Next::Written,
        };
    }

    pub(super) fn end_word(&mut self) {
        let Some(Draft { mut word, pattern, active, quoted }) = self.draft.take() else { return };
        word.pattern = active.then_some(pattern);
        match std::mem::replace(&mut self.next, Next::Word) {
            Next::Word if self.part.words.is_empty() && !quoted && self.passes(&word) => {}
            Next::Word => self.part.words.push(word),
            Next::Written => self.part.writes.push(word),
            Next::Read => self.part.fed = true,
            Next::Doubled if word.text.chars().all(|character| character.is_ascii_digit() || character == '-') => {}
            Next::Doubled => self.part.writes.push(word),
            Next::Delimiter => {
                self.part.fed = true;
                self.documents.push((word.text, quoted));
            }
            Next::HereString => {
                self.part.fed = true;
                self.part.document.push_str(&word.text);
            }
        }
    }

    /// Is `word` one that stands before a program? Keeps what it sets.
    fn passes(&mut self, word: &ScriptWord) -> bool {
        BEFORE.contains(&word.text.as_str()) || assignment(&word.text).is_some() && self.set(word)
    }

    fn set(&mut self, word: &ScriptWord) -> bool {
        if let (Some((name, value)), false) = (assignment(&word.text), word.unknown) {
            self.variables.insert(name.to_owned(), value.to_owned());
        }
        true
    }

    fn end_part(&mut self) {
        self.end_word();
        self.next = Next::Word;
        let part = take(&mut self.part);
        if part.words.first().is_some_and(|word| SETTERS.contains(&word.text.as_str())) {
            for word in &part.words[1..] {
                self.set(word);
            }
        }
        // `for name in word …`: the first that is a path stands for all.
        if let [words, name, within, rest @ ..] = &part.words[..]
            && words.text == "for"
            && within.text == "in"
            && let Some(path) = rest.iter().find(|word| word.text.starts_with('/') && !word.unknown)
        {
            self.variables.insert(name.text.clone(), path.text.clone());
        }
        if part.words.first().is_some_and(|word| MOVERS.contains(&word.text.as_str())) {
            self.variables.remove("PWD");
        }
        if part != ScriptPart::default() {
            self.items.push(Item::Part(part));
        }
    }

    /// At the start of a line: passes the here-documents of the line before, which belong to its programs.
    fn skip_documents(&mut self) {
        for (last, quoted) in take(&mut self.documents) {
            let mut document = String::new();
            while self.at < self.text.len() {
                let line: String = self.text[self.at..].iter().take_while(|character| **character != '\n').collect();
                self.at = (self.at + line.chars().count() + 1).min(self.text.len());
                if line.trim_start_matches('\t') == last {
                    break;
                }
                document.push_str(&line);
                document.push('\n');
            }
            if !quoted && (document.contains("$(") || document.contains('`')) {
                self.look_into(&format!("\"{}\"", document.replace('"', "")));
            }
            let part = self.items.iter_mut().rev().find_map(|item| match item {
                Item::Part(part) => Some(part),
                Item::Open | Item::Close => None,
            });
            if let Some(part) = part {
                part.document.push_str(&document);
            }
        }
    }
}

/// The name and the value of `NAME=value`.
pub(in crate::danger) fn assignment(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let first = name.chars().next()?;
    let named = (first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    named.then_some((name, value))
}
