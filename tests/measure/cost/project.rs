//! Generated projects: texts in several languages that look like code, are of the size that is wanted, and are the same each
//! time.

use std::fmt::Write;
use std::path::Path;

/// The files of a project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Project(pub(crate) Vec<(String, String)>);

impl Project {
    pub(crate) fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.push((path.into(), text.into()));
    }

    pub(crate) fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder).expect("a folder can be made");
        for (path, text) in &self.0 {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
            std::fs::write(path, text).expect("a file can be written");
        }
    }
}

const NOUNS: [&str; 12] = [
    "value", "index", "buffer", "option", "parser", "result", "handler", "token", "context", "width", "column", "entry",
];

fn noun(seed: usize) -> &'static str {
    NOUNS[seed % NOUNS.len()]
}

/// Python with so many functions of 14 lines each.
pub(crate) fn python(of: &str, functions: usize) -> String {
    let mut text = format!("\"\"\"What there is about {of}.\"\"\"\n\nfrom __future__ import annotations\n\n");
    for at in 0..functions {
        let (one, other) = (noun(at), noun(at / 3 + 5));
        write!(
            text,
            "\ndef {of}_{one}_{at}({other}, limit={at}):\n    \"\"\"Return the {one} of {other} for step {at}.\"\"\"\n    \
             {one}s = []\n    for number, item in enumerate({other}):\n        if number > limit:\n            break\n        \
             {one}s.append(item.strip() if hasattr(item, 'strip') else item)\n    if not {one}s:\n        return None\n    \
             total = sum(len(str({one})) for {one} in {one}s) + {at}\n    return {one}s, total\n\n"
        )
        .expect("a string takes all");
    }
    text
}

/// JavaScript with so many methods of a class, 14 lines each.
pub(crate) fn javascript(class: &str, methods: usize) -> String {
    let mut text = format!(
        "'use strict';\n\nconst {{ EventEmitter }} = require('node:events');\n\nclass {class} extends EventEmitter {{\n"
    );
    for at in 0..methods {
        let (one, other) = (noun(at), noun(at / 3 + 5));
        write!(
            text,
            "  /**\n   * Sets the {one} of {other} {at}.\n   *\n   * @param {{string}} {other}\n   * @return {{{class}}}\n   */\n  \
             {one}{at}({other}, fallback = {at}) {{\n    if ({other} === undefined) return this._{one} ?? fallback;\n    \
             this._{one} = String({other}).trim();\n    this.emit('{one}', this._{one}, {at});\n    return this;\n  }}\n\n"
        )
        .expect("a string takes all");
    }
    text + "}\n"
}

/// Rust with so many functions of 11 lines each.
pub(crate) fn rust(of: &str, functions: usize) -> String {
    let mut text = format!("//! What there is about {of}.\n\nuse std::collections::HashMap;\n\n");
    for at in 0..functions {
        let (one, other) = (noun(at), noun(at / 3 + 5));
        write!(
            text,
            "/// Returns the {one} of {other} {at}.\nfn {of}_{one}_{at}({other}: &str, limit: usize) -> Option<String> {{\n    \
             let mut {one}s = HashMap::new();\n    for (number, line) in {other}.lines().enumerate().take(limit) {{\n        \
             {one}s.insert(number, line.trim().to_owned());\n    }}\n    let longest = {one}s.values().max_by_key(|{one}| \
             {one}.len())?;\n    (longest.len() > {at}).then(|| longest.clone())\n}}\n\n"
        )
        .expect("a string takes all");
    }
    text
}

/// A page of words with so many sections.
pub(crate) fn prose(about: &str, sections: usize) -> String {
    let mut text = format!("# {about}\n\n");
    for at in 0..sections {
        let (one, other) = (noun(at), noun(at + 4));
        write!(
            text,
            "## Section {at}: the {one}\n\nThe {one} is what the {other} holds when step {at} is over, and nothing else.\n\
             Whoever changes it has to say so; whoever reads it gets a copy of it.\n\n"
        )
        .expect("a string takes all");
    }
    text
}

/// The text with `more` behind the function of this number, of those that [`python`], [`javascript`] or [`rust`] wrote.
pub(crate) fn with(text: &str, marker: &str, more: &str) -> String {
    let at = text.find(marker).unwrap_or_else(|| panic!("{marker} is in the generated text"));
    let end = text[at..].find("\n\n").map_or(text.len(), |end| at + end + 2);
    format!("{}{more}{}", &text[..end], &text[end..])
}

/// A script that prints what pytest does where all tests of so many files pass.
pub(crate) fn pytest(files: usize) -> String {
    let mut text = "cat <<'END'\n===== test session starts =====\ncollected 407 items\n\n".to_owned();
    for at in 0..files {
        let dots = ".".repeat(3 + at % 9);
        writeln!(text, "tests/checkers/unittest_{}_{at}.py {dots:<52} [{:3}%]", noun(at), at * 100 / files)
            .expect("a string takes all");
    }
    text + "\n===== 407 passed in 14.21s =====\nEND\n"
}

/// A script that prints what cargo does where all tests pass, and some crates had to be fetched first.
pub(crate) fn cargo_test(tests: usize) -> String {
    let mut text = "cat <<'END'\n".to_owned();
    for at in 0..100 {
        writeln!(text, "  Downloaded {}-{} v1.{at}.0", noun(at), noun(at + 3)).expect("a string takes all");
    }
    text.push_str("    Finished `test` profile [unoptimized] target(s) in 31.02s\n\nrunning 300 tests\n");
    for at in 0..tests {
        writeln!(text, "test tests::{}_of_{}_{at} ... ok", noun(at), noun(at + 2)).expect("a string takes all");
    }
    text + &format!("\ntest result: ok. {tests} passed; 0 failed; 0 ignored\nEND\n")
}

/// A script that prints what jest does where all tests pass.
pub(crate) fn jest(files: usize) -> String {
    let mut text = "cat <<'END'\n".to_owned();
    for at in 0..files {
        writeln!(text, "PASS tests/{}.{at}.test.js", noun(at)).expect("a string takes all");
    }
    text + &format!("\nTest Suites: {files} passed, {files} total\nEND\n")
}

/// A script that prints a run of tests of which one failed.
pub(crate) fn failing(tests: usize, failure: &str) -> String {
    let mut text = "cat <<'END'\n".to_owned();
    for at in 0..tests {
        writeln!(text, "PASS tests/{}.{at}.test.js", noun(at)).expect("a string takes all");
    }
    text + &format!("FAIL tests/negate.test.js\n{failure}\n\nTests: 1 failed, {tests} passed\nEND\nexit 1\n")
}
