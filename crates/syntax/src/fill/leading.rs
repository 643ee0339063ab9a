//! Lines by their looks: comments, attributes, imports.

use crate::Language;

/// Does a line stand for what follows it: a comment, a decorator, an attribute?
pub(super) fn belongs_below(line: &str) -> bool {
    let line = line.trim_start();
    let begins = ["#", "//", "/*", "*", "@", "--"].iter().any(|begin| line.starts_with(begin));
    begins && !is_directive(line)
}

/// Does a line hold nothing but a comment?
pub(super) fn is_comment(line: &str) -> bool {
    belongs_below(line) && !line.trim_start().starts_with(['@']) && !line.trim_start().starts_with("#[")
}

/// A line for the preprocessor or the system.
fn is_directive(line: &str) -> bool {
    let words =
        ["#!", "#include", "#define", "#if", "#endif", "#else", "#elif", "#pragma", "#undef", "# -*-", "#region"];
    words.iter().any(|word| line.starts_with(word))
}

/// Does a line bring something in from elsewhere?
pub(super) fn is_import(line: &str, language: Option<Language>) -> bool {
    let trimmed = line.trim_start();
    // What stands deeper belongs to something else.
    if trimmed.len() < line.len() {
        return false;
    }
    let begins = |words: &[&str]| words.iter().any(|word| trimmed.starts_with(word));
    match language {
        Some(Language::Python) => begins(&["import ", "from "]),
        Some(Language::Rust) => begins(&["use ", "pub use ", "extern crate "]),
        Some(Language::Go) => begins(&["import "]),
        Some(Language::Java) => begins(&["import "]),
        Some(Language::C | Language::Cpp) => begins(&["#include", "# include", "using "]),
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            begins(&["import "]) || (begins(&["const ", "let ", "var "]) && trimmed.contains("require("))
        }
        Some(Language::Bash) => begins(&["source ", ". "]),
        None => begins(&["import ", "from ", "use ", "require ", "#include", "using "]),
    }
}

/// How far a line is indented, in characters.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Words that begin a definition, and words that may stand before those.
const BEGIN: &[&str] =
    &["def", "class", "fn", "func", "function", "struct", "enum", "trait", "interface", "impl", "namespace"];
const BEFORE: &[&str] = &[
    "export",
    "default",
    "pub",
    "pub(crate)",
    "public",
    "private",
    "protected",
    "static",
    "async",
    "final",
    "abstract",
    "const",
    "unsafe",
    "inline",
    "extern",
    "override",
];
/// Words before a bracket that define nothing.
const NONE: &[&str] =
    &["if", "for", "while", "switch", "return", "else", "catch", "do", "new", "await", "print", "with", "try", "elif"];

/// The name that a line begins to define, by its looks.
pub(super) fn defined(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    while let Some((_, more)) = rest.split_once(' ').filter(|(word, _)| BEFORE.contains(word)) {
        rest = more.trim_start();
    }
    let name_at = |text: &'_ str| text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    if let Some((_, more)) = rest.split_once(' ').filter(|(word, _)| BEGIN.contains(word)) {
        // `func (s *Server) run()`
        let more = if more.starts_with('(') { more.split_once(')').map_or("", |(_, more)| more) } else { more };
        let more = more.trim_start();
        return Some(&more[..name_at(more)]).filter(|name| !name.is_empty());
    }
    called(rest)
}

/// `int main(void) {`, `total() {`.
fn called(line: &str) -> Option<&str> {
    let opens = line.ends_with('{');
    let (head, _) = line.split_once('(').filter(|_| opens || (line.ends_with(')') && !line.contains('=')))?;
    let name = head.split_whitespace().next_back()?.trim_start_matches(['*', '&']);
    let name = name.rsplit("::").next().unwrap_or(name);
    let begins = head.split_whitespace().next().is_some_and(|word| NONE.contains(&word));
    let fits = !begins && head.chars().all(|c| c.is_alphanumeric() || " _*&:<>,[]~".contains(c)) && !name.is_empty();
    (fits && (opens || head.trim().contains(' '))).then_some(name)
}
