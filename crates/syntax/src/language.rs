//! The languages that are read by a grammar, and how a text's language is told.

mod bash;
mod c;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod rules;
mod rust;
mod typescript;

pub(crate) use rules::{Grammar, Role, Rules, holds};

use regex::Regex;
use std::sync::OnceLock;

/// A language with a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    C,
    Cpp,
    Java,
    Bash,
}

impl Language {
    /// All of them. Where two fit a text equally well, the earlier one is meant.
    pub const ALL: [Language; 10] = [
        Language::Rust,
        Language::Go,
        Language::Java,
        Language::Python,
        Language::C,
        Language::Cpp,
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Bash,
    ];

    /// The language of the file called `path` that begins with `text`.
    pub fn of(path: &str, text: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        match ending.as_deref() {
            Some("h") => Some(header(text)),
            Some(ending) => by_ending(ending),
            None => None,
        }
        .or_else(|| by_name(name))
        .or_else(|| by_first_line(text))
    }

    /// The language that people call `name`.
    pub fn named(name: &str) -> Option<Language> {
        let name = name.trim().trim_start_matches('.').to_lowercase();
        let known = Language::ALL.into_iter().find(|language| language.name().to_lowercase() == name);
        known.or(match name.as_str() {
            "golang" => Some(Language::Go),
            "c++" | "cplusplus" => Some(Language::Cpp),
            "shell" | "zsh" => Some(Language::Bash),
            "node" | "nodejs" | "ecmascript" => Some(Language::JavaScript),
            "python3" => Some(Language::Python),
            ending => by_ending(ending),
        })
    }

    pub fn name(self) -> &'static str {
        self.rules().name
    }

    /// Does a preprocessor change the text before a compiler reads it? What a grammar misses there is no fault of the text.
    pub fn has_preprocessor(self) -> bool {
        matches!(self, Language::C | Language::Cpp)
    }

    pub(crate) fn rules(self) -> &'static Rules {
        match self {
            Language::Rust => &rust::RULES,
            Language::Python => &python::RULES,
            Language::JavaScript => &javascript::RULES,
            Language::TypeScript => &typescript::RULES,
            Language::Tsx => &typescript::TSX,
            Language::Go => &go::RULES,
            Language::C => &c::RULES,
            Language::Cpp => &cpp::RULES,
            Language::Java => &java::RULES,
            Language::Bash => &bash::RULES,
        }
    }

    /// Its grammar, which is loaded when it is first asked for.
    pub(crate) fn grammar(self) -> &'static Grammar {
        static LOADED: [OnceLock<Grammar>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        LOADED[self as usize].get_or_init(|| Grammar::load(self.rules()))
    }
}

/// By what stands behind the last dot of a name, in lower case.
pub(crate) fn by_ending(ending: &str) -> Option<Language> {
    Some(match ending {
        "rs" => Language::Rust,
        "py" | "pyi" | "pyw" => Language::Python,
        "js" | "jsx" | "mjs" | "cjs" => Language::JavaScript,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "go" => Language::Go,
        "c" | "h" => Language::C,
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "ipp" | "inl" | "tpp" => Language::Cpp,
        "java" => Language::Java,
        "sh" | "bash" | "bats" | "ksh" => Language::Bash,
        _ => return None,
    })
}

fn by_name(name: &str) -> Option<Language> {
    match name {
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".profile" | "PKGBUILD" => Some(Language::Bash),
        "SConstruct" | "SConscript" | "wscript" => Some(Language::Python),
        _ => None,
    }
}

/// The language of the program that `#!` names.
pub(crate) fn by_first_line(text: &str) -> Option<Language> {
    let line = text.trim_start_matches('\u{feff}').lines().next()?.strip_prefix("#!")?;
    let words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.into_iter().find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "dash" | "ksh" | "zsh" => Some(Language::Bash),
        "python" | "pypy" => Some(Language::Python),
        "node" | "nodejs" => Some(Language::JavaScript),
        "deno" | "bun" | "ts-node" | "tsx" => Some(Language::TypeScript),
        _ => None,
    }
}

/// The language of a C header.
fn header(text: &str) -> Language {
    static MARKS: OnceLock<Regex> = OnceLock::new();
    let marks = MARKS.get_or_init(|| {
        pattern(r"(?m)^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)|\bstd::")
    });
    if marks.is_match(text) { Language::Cpp } else { Language::C }
}

/// The language by lines that only one of them has.
pub(crate) fn by_marks(text: &str) -> Option<Language> {
    static MARKS: OnceLock<Vec<(Regex, Language)>> = OnceLock::new();
    let marks = MARKS.get_or_init(|| {
        let marks = [
            (r"(?m)^package \w+\s*$", Language::Go),
            (r"(?m)^(?:package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;)", Language::Java),
            (r"(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:fn \w+|impl\b.*\{|use [\w:]+(?:::\{.*\})?;)", Language::Rust),
            (r"(?m)^\s*(?:def \w+\(.*|class \w+(?:\(.*\))?):\s*(?:#.*)?$", Language::Python),
            (
                r"(?m)^\s*(?:class \w+[^;]*\{\s*$[\s\S]*\b(?:public|private):|namespace \w+ \{|template ?<)",
                Language::Cpp,
            ),
            (r"(?m)^\s*#\s*include\b[\s\S]*\bstd::", Language::Cpp),
            (r"(?m)^\s*#\s*include\b", Language::C),
        ];
        marks.into_iter().map(|(marks, language)| (pattern(marks), language)).collect()
    });
    marks.iter().find(|(mark, _)| mark.is_match(text)).map(|(_, language)| *language)
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are tried out by its tests")
}
