//! Lines by their looks: comments, attributes, imports.

use crate::Language;

/// Does a line stand for what follows it: a comment, a decorator, an attribute?
pub(super) fn belongs_below(line: &str) -> bool {
    let line = line.trim_start();
    let begins = ["#", "//", "/*", "*", "@", "--"].iter().any(|begin| line.starts_with(begin));
    begins && !is_directive(line)
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
