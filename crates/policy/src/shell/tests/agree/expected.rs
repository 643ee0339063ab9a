//! What the recorders should see, as this room reads a command: its patterns matched in a folder of known files, its
//! programs started as `&&`, `||` and `|` say.

use crate::shell::words::{Joint, Piece, Redirect, Simple, Word};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const FILES: &[&str] = &[
    "*star",
    "--x",
    "-l",
    ".hid",
    "[x]",
    "a",
    "a.txt",
    "ab",
    "b",
    "b.txt",
    "c1",
    "q?",
    "sp ace",
    "sub/.dot",
    "sub/a",
    "sub/d.txt",
    "~",
];

/// Is a line run as it was written, or as this room writes it?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    Written,
    Canonical,
}

/// A folder of known files, gone when it is dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("agent-agree-{}-{number}", std::process::id()));
        std::fs::create_dir_all(folder.join("inside/sub")).unwrap();
        for file in FILES {
            std::fs::write(folder.join("inside").join(file), "").unwrap();
        }
        Folder(folder)
    }

    pub(super) fn inside(&self) -> PathBuf {
        self.0.join("inside")
    }

    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The programs that run, each with its words.
    pub(super) fn records(&self, script: &[Simple], written: As) -> Vec<Vec<String>> {
        let mut records = Vec::new();
        let (mut succeeded, mut runs) = (true, true);
        for simple in script {
            runs = match simple.joint {
                Joint::Then => true,
                Joint::And => succeeded,
                Joint::Or => !succeeded,
                Joint::Pipe => runs,
            };
            if runs {
                let started = self.starts(simple);
                if started {
                    records.push(self.record(simple, written));
                }
                succeeded = started && simple.words[0].text != "fail";
            }
        }
        ordered(records, script)
    }

    /// A program whose redirects fail is not started.
    fn starts(&self, simple: &Simple) -> bool {
        simple.redirects.iter().all(|redirect| match redirect {
            Redirect::From(word) => File::open(self.inside().join(&word.text)).is_ok(),
            Redirect::Away(_) | Redirect::Onto(..) => true,
        })
    }

    fn record(&self, simple: &Simple, written: As) -> Vec<String> {
        let guarded = written == As::Canonical && simple.words[0].text != "echo";
        let words = simple.words.iter().flat_map(|word| {
            let before = if guarded && word.leads_with_pattern() { "./" } else { "" };
            let found = self.matches(word);
            let words = if found.is_empty() { vec![word.text.clone()] } else { found };
            words.into_iter().map(move |word| format!("{before}{word}"))
        });
        words.collect()
    }

    fn matches(&self, word: &Word) -> Vec<String> {
        let Some(pieces) = &word.pattern else { return Vec::new() };
        let mut found = vec![String::new()];
        for (at, part) in pieces.split(|piece| *piece == Piece::Plain('/')).enumerate() {
            let slash = if at > 0 { "/" } else { "" };
            found = found.iter().flat_map(|before| self.below(&format!("{before}{slash}"), part)).collect();
        }
        found.sort();
        found
    }

    fn below(&self, before: &str, part: &[Piece]) -> Vec<String> {
        let folder = if before.starts_with('/') { PathBuf::from(before) } else { self.inside().join(before) };
        let plain: Option<String> =
            part.iter().map(|piece| if let Piece::Plain(c) = piece { Some(*c) } else { None }).collect();
        if let Some(plain) = plain {
            let path = folder.join(&plain);
            return if path.symlink_metadata().is_ok() { vec![format!("{before}{plain}")] } else { Vec::new() };
        }
        let hidden = part.first() == Some(&Piece::Plain('.'));
        let names = names(&folder, hidden).into_iter().filter(|name| hidden || !name.starts_with('.'));
        let fitting = names.filter(|name| fits(part, &name.chars().collect::<Vec<_>>()));
        fitting.map(|name| format!("{before}{name}")).collect()
    }
}

fn names(folder: &Path, hidden: bool) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    if hidden {
        names.extend([".".into(), "..".into()]);
    }
    names
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The programs of a pipe run at once, so their order says nothing.
pub(super) fn ordered(mut records: Vec<Vec<String>>, script: &[Simple]) -> Vec<Vec<String>> {
    if script.iter().any(|simple| simple.joint == Joint::Pipe) {
        records.sort();
    }
    records
}

fn fits(part: &[Piece], name: &[char]) -> bool {
    match (part, name) {
        ([], []) => true,
        ([Piece::Any, rest @ ..], _) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        ([Piece::One, rest @ ..], [_, name @ ..]) => fits(rest, name),
        ([Piece::Plain(c), rest @ ..], [first, name @ ..]) => c == first && fits(rest, name),
        ([Piece::Class(inside), rest @ ..], [first, name @ ..]) => in_class(inside, *first) && fits(rest, name),
        _ => false,
    }
}

fn in_class(inside: &str, c: char) -> bool {
    let chars: Vec<char> = inside.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        if at + 2 < chars.len() && chars[at + 1] == '-' {
            if (chars[at]..=chars[at + 2]).contains(&c) {
                return true;
            }
            at += 3;
        } else {
            if chars[at] == c {
                return true;
            }
            at += 1;
        }
    }
    false
}
