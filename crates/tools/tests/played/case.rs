//! Reads the cases: sections, each under a line `=== kind`, in the files of `cases/`, one for each tool or way to call one.
//!
//! | section | what it is |
//! |---|---|
//! | `case NAME` | begins another case |
//! | `call` | the model's call as JSON, with what else the case needs |
//! | `shared NAME` | begins with the files and the setup of `cases/shared/NAME.txt` |
//! | `before PATH` | a file of the project; it takes the place of a shared one |
//! | `setup` | a script run in the project first (links, rights), after the shared one |
//! | `meanwhile` | a script run after the calls that `call` names as `earlier` ones |
//! | `between` | a script run between the plan and the deed |
//! | `said` | what the call must say |
//! | `after PATH` | a file as it must be afterwards; all others stay as they were right before the deed |
//! | `gone PATH` | a file that must not be there afterwards |
//! | `check` | a script run last, which must succeed |
//!
//! A word in brackets behind it says how a section is written: `(no newline at the end)`; `(escaped)`, where line breaks
//! count only as `\n` and bytes that are no text as `\xNN`; `(base64)`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a section's header says of how its body is written.
const HOW: [(&str, How); 3] =
    [(" (no newline at the end)", How::Unended), (" (escaped)", How::Escaped), (" (base64)", How::Base64)];

#[derive(Clone, Copy)]
enum How {
    Plain,
    Unended,
    Escaped,
    Base64,
}

/// A case as it is written.
pub(crate) struct Case {
    pub(crate) name: String,
    /// What `shared` names comes first.
    sections: Vec<Section>,
}

struct Section {
    kind: String,
    path: String,
    body: Vec<u8>,
}

/// Every case, in order of name.
pub(crate) fn cases() -> Vec<Case> {
    let texts = files().into_iter().map(|path| std::fs::read_to_string(path).unwrap());
    let mut cases: Vec<Case> = texts.flat_map(|text| written(&text).map(Case::read).collect::<Vec<_>>()).collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(cases.windows(2).all(|pair| pair[0].name != pair[1].name), "two cases have the same name");
    cases
}

/// The files that hold cases.
pub(crate) fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|kind| kind == "txt")).collect()
}

/// The cases of a file, each with the line that names it.
pub(crate) fn written(text: &str) -> impl Iterator<Item = &str> {
    cut(text, "=== case ")
}

/// Where the cases are, whichever crate plays them.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/tests/cases")
}

impl Case {
    fn read(text: &str) -> Case {
        let (mut name, mut sections) = (String::new(), Vec::new());
        for section in parts(text).map(section) {
            match section.kind.as_str() {
                "case" => name = section.path,
                "shared" => {
                    let shared = folder().join(format!("shared/{}.txt", section.path));
                    let text = std::fs::read_to_string(&shared).unwrap_or_else(|error| panic!("{name}: {error}"));
                    sections.extend(parts(&text).map(self::section));
                }
                _ => sections.push(section),
            }
        }
        Case { name, sections }
    }

    /// The call and what goes with it, as JSON.
    pub(crate) fn call(&self) -> String {
        self.text("call")
    }

    /// What the call must say; nothing where the case does not tell yet.
    pub(crate) fn said(&self) -> String {
        self.text("said")
    }

    /// The case is about git, which keeps something else each time; `check` looks at it.
    pub(crate) fn is_about_git(&self) -> bool {
        self.name.starts_with("git_")
    }

    /// The files of the project before anything runs, by path. One that stands later takes the place of an earlier one.
    pub(crate) fn before(&self) -> BTreeMap<&str, &[u8]> {
        self.files("before")
    }

    /// The files that must have changed, as they must be.
    pub(crate) fn after(&self) -> BTreeMap<&str, &[u8]> {
        self.files("after")
    }

    /// The files that must not be there afterwards.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &str> {
        self.of("gone").map(|section| section.path.as_str())
    }

    /// A script of the case; nothing where it has none.
    pub(crate) fn script(&self, kind: &str) -> Option<String> {
        let text = self.text(kind);
        (!text.is_empty()).then_some(text)
    }

    fn files(&self, kind: &str) -> BTreeMap<&str, &[u8]> {
        self.of(kind).map(|section| (section.path.as_str(), section.body.as_slice())).collect()
    }

    fn text(&self, kind: &str) -> String {
        self.of(kind).map(|section| std::str::from_utf8(&section.body).unwrap()).collect()
    }

    fn of(&self, kind: &str) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |section| section.kind == kind)
    }
}

/// The text cut before each header.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    cut(text, "=== ")
}

/// The text cut before each line that begins with `header`; what stands before the first is left out.
fn cut<'a>(text: &'a str, header: &'a str) -> impl Iterator<Item = &'a str> {
    let starts = text.match_indices(header).map(|(at, _)| at);
    let mut starts = starts.filter(|at| *at == 0 || text[..*at].ends_with('\n')).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(&text[start..starts.peek().copied().unwrap_or(text.len())])
    })
}

fn section(part: &str) -> Section {
    let (header, body) = part.split_once('\n').unwrap();
    let header = header.trim_start_matches("=== ");
    let found = HOW.iter().find_map(|(word, how)| Some((header.strip_suffix(word)?, *how)));
    let (header, how) = found.unwrap_or((header, How::Plain));
    let (kind, path) = header.split_once(' ').unwrap_or((header, ""));
    Section { kind: kind.into(), path: path.into(), body: bytes(body, how) }
}

fn bytes(body: &str, how: How) -> Vec<u8> {
    match how {
        How::Plain => body.into(),
        How::Unended => body.strip_suffix('\n').unwrap().into(),
        How::Escaped => unescaped(&body.replace('\n', "")),
        How::Base64 => STANDARD.decode(body.replace('\n', "")).unwrap(),
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        let (byte, length) = match escape.as_bytes()[0] {
            b'n' => (b'\n', 1),
            b'r' => (b'\r', 1),
            b't' => (b'\t', 1),
            b'\\' => (b'\\', 1),
            b'x' => (u8::from_str_radix(&escape[1..3], 16).unwrap(), 3),
            other => panic!("\\{} stands for nothing", char::from(other)),
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.bytes());
    bytes
}
