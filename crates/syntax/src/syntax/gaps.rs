//! What a text holds that is no fault of it: marks of templates, commands of notebooks, and what the grammars do not know yet.
//!
//! Each is taken out, or written as the grammars know it. What reads well then has no fault.

use super::Form;
use crate::Language;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What is written in place of a value of a program.
const VALUE: &str = "x";

/// What is sought, and what is written in place of it.
type Gap = (Regex, &'static str);

/// Marks of templates, in texts of every kind.
static TEMPLATES: LazyLock<Vec<Gap>> = LazyLock::new(|| {
    gaps(&[
        // A line of nothing else is no line of the text; one in a line stands for a value.
        (r"(?m)^[ \t]*(?:\{%.*?%\}|<%[^=].*?%>|\{#.*?#\})[ \t]*$", ""),
        (r"(?m)^[ \t]*\{\{-?[ \t]*(?:if|else|end|range|with|define|template|include|block|/\*|#|/).*?\}\}[ \t]*$", ""),
        (r"\{%.*?%\}|<%[^=].*?%>|\{#.*?#\}", ""),
        (r"<%=.*?%>", VALUE),
        (r#"\{\{-?[ \t]*[.$A-Za-z_][\w.$ |"':,()/-]*?-?\}\}"#, VALUE),
        (r"@@[A-Z_]+@@", VALUE),
    ])
});

/// Values that are put in when a file of settings is made.
static VALUES: LazyLock<Vec<Gap>> = LazyLock::new(|| gaps(&[(r"\$\{[A-Za-z_][^{}\n]*\}", "0")]));

/// Lines for the notebook, not for Python.
static PYTHON: LazyLock<Vec<Gap>> = LazyLock::new(|| gaps(&[(r"(?m)^[%!?].*$", ""), (r"(?m)^(.*\w)\?{1,2}$", "$1")]));

static TYPESCRIPT: LazyLock<Vec<Gap>> = LazyLock::new(|| {
    gaps(&[
        (r"\bexport type \*", "export *"),
        (r"\b(?:in out|out in)\b", ""),
        (r"\bimport (?:defer|source) ", "import "),
    ])
});

static RUST: LazyLock<Vec<Gap>> = LazyLock::new(|| {
    gaps(&[
        (r"\b(?:safe|gen|default) (fn|async|unsafe|const)\b", "$1"),
        (r"([<,]\s*)-(\d)", "$1$2"),
        (r"\b[fiu](?:8|16|32|64|128|size)::<", "T::<"),
        (r"(?m)^(\s*)\(\):", "$1T:"),
        (r"\[\$\]", "[x]"),
    ])
});

static BASH: LazyLock<Vec<Gap>> = LazyLock::new(|| gaps(&[(r"\b\d+#", "")]));

fn gaps(known: &[(&str, &'static str)]) -> Vec<Gap> {
    let gap = |(pattern, instead): &(&str, &'static str)| {
        (Regex::new(pattern).expect("the patterns of this file are tried out by its tests"), *instead)
    };
    known.iter().map(gap).collect()
}

/// Does `text` read well once all that is known not to be a fault is taken out?
pub(super) fn are_all(form: Form, path: &str, before: Option<&str>, text: &str) -> bool {
    let mut bare = Cow::Borrowed(text);
    for (pattern, instead) in known(form).into_iter().flatten() {
        // What stands for a value is one in every form.
        let instead = if *instead == VALUE && !matches!(form, Form::Code(_)) { "0" } else { *instead };
        if let Cow::Owned(without) = pattern.replace_all(&bare, instead) {
            bare = Cow::Owned(without);
        }
    }
    let reads = |text: &str| form.fault(path, before, text, &(1..=usize::MAX)).is_none();
    // A part that a program includes elsewhere may be no more than a value.
    let is_value = || form == Form::Code(Language::Rust) && reads(&format!("const A: () = {{ {text} }};"));
    bare != text && reads(&bare) || before.is_none() && is_value()
}

fn known(form: Form) -> Vec<&'static Vec<Gap>> {
    let own: Option<&Vec<Gap>> = match form {
        Form::Json | Form::Toml | Form::Yaml => Some(&VALUES),
        Form::Code(Language::Python) => Some(&PYTHON),
        Form::Code(Language::TypeScript | Language::Tsx) => Some(&TYPESCRIPT),
        Form::Code(Language::Rust) => Some(&RUST),
        Form::Code(Language::Bash) => Some(&BASH),
        Form::Code(Language::JavaScript | Language::Go | Language::C | Language::Cpp | Language::Java) => None,
    };
    [Some(&*TEMPLATES), own].into_iter().flatten().collect()
}
