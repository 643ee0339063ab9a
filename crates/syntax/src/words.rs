//! What can be known of a text without a grammar: words, and lines that look like definitions.

use crate::Lines;
use crate::language::by_ending;
use crate::lines::places;
use crate::references::{Columns, Reference, Use};
use crate::symbol::{Kind, Symbol};
use regex::Regex;
use std::sync::OnceLock;

/// All places of `name`, line by line.
pub(crate) fn references(text: &str, name: &str) -> Vec<Reference> {
    let mut columns = Columns::new(text);
    let mut line = 1;
    let mut from = 0;
    let all = places(text, name).map(|at| {
        line += text[from..at].matches('\n').count();
        from = at;
        Reference { how: Use::Word, line, column: columns.of(at) }
    });
    all.collect()
}

/// Lines with something on them, and those without.
pub(crate) fn lines(text: &str) -> Lines {
    let blank = text.lines().filter(|line| line.trim().is_empty()).count();
    Lines { code: text.lines().count() - blank, comment: 0, blank }
}

/// Words that begin definitions in many languages, and what they define.
const BEGIN: [(&str, Kind); 17] = [
    ("def", Kind::Function),
    ("defn", Kind::Function),
    ("defp", Kind::Function),
    ("fn", Kind::Function),
    ("fun", Kind::Function),
    ("func", Kind::Function),
    ("function", Kind::Function),
    ("proc", Kind::Function),
    ("sub", Kind::Function),
    ("class", Kind::Class),
    ("object", Kind::Class),
    ("struct", Kind::Struct),
    ("enum", Kind::Enum),
    ("interface", Kind::Interface),
    ("protocol", Kind::Interface),
    ("trait", Kind::Trait),
    ("module", Kind::Module),
];

/// Lines that begin like a definition. Where one ends is not known.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    static HEAD: OnceLock<Regex> = OnceLock::new();
    let head = HEAD.get_or_init(|| {
        let begin: Vec<&str> = BEGIN.iter().map(|(word, _)| *word).collect();
        let begin = begin.join("|");
        Regex::new(&format!(
            r"^\s*\(?(?:[\w@\[\]]+\s+){{0,4}}?(?P<begin>{begin})\s+(?P<name>[\w.:]*\w[?!]?)\s*(?P<next>[^\w\s]?)"
        ))
        .expect("a fixed pattern")
    });
    let mut symbols = Vec::new();
    for (row, line) in text.lines().enumerate() {
        let Some(found) = head.captures(line) else { continue };
        let Some((_, kind)) = BEGIN.iter().find(|(word, _)| *word == &found["begin"]) else { continue };
        let full = &found["name"];
        let (owner, name) = match full.rfind(['.', ':']) {
            Some(at) => (Some(full[..at].trim_end_matches(':').to_owned()), &full[at + 1..]),
            None => (None, full),
        };
        let begin = found.name("begin").map_or(0..0, |begin| begin.range());
        let (before, after) = (line[..begin.start].trim_start(), line[begin.end..].trim_start());
        let signature: String = format!("{before}{}", after.trim_end_matches(['{', ' '])).chars().take(160).collect();
        symbols.push(Symbol {
            name: name.to_owned(),
            kind: *kind,
            first: row + 1,
            last: row + 1,
            name_line: row + 1,
            signature,
            owner,
            parent: None,
            depth: 0,
            parameters: None,
            branches: 0,
            nesting: 0,
        });
    }
    symbols
}

/// Does the name `path` say that it holds code? Prose and data are not looked at for definitions.
pub fn is_code(path: &str) -> bool {
    let ending = path.rsplit('/').next().unwrap_or(path).rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let Some(ending) = ending else { return false };
    let code = [
        "rb", "kt", "kts", "swift", "php", "lua", "scala", "cs", "pl", "pm", "ex", "exs", "erl", "hs", "ml", "mli",
        "clj", "cljs", "dart", "groovy", "gradle", "jl", "r", "nim", "zig", "vue", "svelte", "d", "pas", "tcl", "m",
        "mm", "fs", "fsx", "vb", "cr", "fish", "ps1", "psm1", "proto", "el", "v", "odin", "gd", "sol", "f90",
    ];
    code.contains(&ending.as_str()) || by_ending(&ending).is_some()
}
