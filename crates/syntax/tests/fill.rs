//! Answers and the files that they are for: what comes of both.
//!
//! A case begins with `#### name: path` and the file as it was; after `---- answer` comes the answer, and after one of
//! `---- whole`, `---- parts: names`, `---- filled: how many` the file as it is then; `---- refused: why` ends it at once.

use agent_syntax::{How, Unfillable, fill};
use proptest::prelude::*;
use std::fmt::Write;

/// The cases, one file a language.
const CASES: [(&str, &str); 9] = [
    ("python", include_str!("fill/python.txt")),
    ("script", include_str!("fill/script.txt")),
    ("rust", include_str!("fill/rust.txt")),
    ("go", include_str!("fill/go.txt")),
    ("c", include_str!("fill/c.txt")),
    ("java", include_str!("fill/java.txt")),
    ("bash", include_str!("fill/bash.txt")),
    ("plain", include_str!("fill/plain.txt")),
    ("elided", include_str!("fill/elided.txt")),
];

struct Case<'a> {
    name: &'a str,
    path: &'a str,
    before: &'a str,
    answer: &'a str,
    /// How it ends, and with which text.
    end: &'a str,
    after: &'a str,
}

fn cases() -> Vec<Case<'static>> {
    CASES.iter().flat_map(|(_, text)| text.split("#### ").skip(1).map(case)).collect()
}

fn case(text: &str) -> Case<'_> {
    let (head, rest) = text.split_once('\n').expect("a head");
    let (name, path) = head.split_once(": ").expect(head);
    let (before, rest) = rest.split_once("---- answer\n").expect(head);
    let (answer, rest) = rest.split_once("---- ").expect(head);
    let (end, after) = rest.split_once('\n').expect(head);
    let after = if after.trim().is_empty() {
        ""
    } else {
        after.strip_suffix("\n\n").map_or(after, |_| &after[..after.len() - 1])
    };
    Case { name, path, before, answer, end, after }
}

/// What came of a case, in the words of the cases.
fn said(case: &Case<'_>) -> (String, String) {
    match fill(case.path, case.before, case.answer) {
        Ok(filled) => {
            let how = match filled.how {
                How::Whole => "whole".to_owned(),
                How::Parts { put, filled: 0 } => format!("parts: {}", put.join(", ")),
                How::Parts { put, filled } if put.is_empty() => format!("filled: {filled}"),
                How::Parts { put, filled } => format!("filled: {filled}, parts: {}", put.join(", ")),
            };
            (how, filled.text)
        }
        Err(Unfillable::Elided { line }) => (format!("refused: elided {line}"), String::new()),
        Err(Unfillable::Drops { kept, of, .. }) => (format!("refused: drops {kept} of {of}"), String::new()),
        Err(Unfillable::Broken { line }) => (format!("refused: broken {line}"), String::new()),
        Err(Unfillable::NotTheFile) => ("refused: not the file".to_owned(), String::new()),
        Err(Unfillable::Empty) => ("refused: empty".to_owned(), String::new()),
    }
}

#[test]
fn every_answer_is_put_where_it_belongs() {
    let mut wrong = String::new();
    for case in cases() {
        let (how, text) = said(&case);
        if (how.as_str(), text.as_str()) != (case.end, case.after) {
            let _ = writeln!(wrong, "#### {}: {}, not {}\n{text}----", case.name, how, case.end);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_file_that_is_sent_as_it_is_stays_as_it_is() {
    for case in cases() {
        for text in [case.before, case.after] {
            let filled = fill(case.path, text, text).unwrap();
            assert_eq!((filled.text.as_str(), &filled.how), (text, &How::Whole), "{}", case.name);
        }
    }
}

#[test]
fn what_a_file_s_lines_look_like_stays() {
    for case in cases().iter().filter(|case| !case.before.is_empty()) {
        let after = fill(case.path, case.before, case.answer).map(|filled| filled.text);
        let windows = case.before.replace('\n', "\r\n");
        let found = fill(case.path, &windows, case.answer).map(|filled| filled.text);
        assert_eq!(found, after.clone().map(|text| text.replace('\n', "\r\n")), "{}", case.name);
        let marked = format!("\u{feff}{}", case.before);
        let found = fill(case.path, &marked, case.answer).map(|filled| filled.text);
        assert_eq!(found, after.clone().map(|text| format!("\u{feff}{text}")), "{}", case.name);
        let open = case.before.strip_suffix('\n').unwrap_or(case.before);
        if !open.is_empty() && !open.ends_with('\n') {
            let found = fill(case.path, open, case.answer).map(|filled| filled.text);
            let after = after.map(|text| text.trim_end_matches('\n').to_owned());
            assert_eq!(found, after, "{}", case.name);
        }
    }
}

#[test]
fn what_parses_is_said() {
    assert_eq!(fill("a.py", "x = 1\n", "x = 2\n").unwrap().parses, Some(true));
    assert_eq!(fill("a.py", "x = 1\n", "x = (2\n").unwrap().parses, Some(false));
    assert_eq!(fill("a.txt", "x\n", "y\n").unwrap().parses, None);
}

#[test]
fn refusals_tell_the_model_what_to_send() {
    let drops = Unfillable::Drops { kept: 1, of: 3, names: vec!["add".to_owned(), "sub".to_owned()] };
    let words = drops.words("calc.py");
    assert!(words.contains("add, sub") && words.contains("send calc.py again, whole"), "{words}");
    assert!(Unfillable::Elided { line: 7 }.words("calc.py").contains("line 7"));
}

/// What generated texts are made of.
const LINES: &[&str] = &[
    "import os",
    "from calc import add",
    "def add(a, b):",
    "def sub(a, b):",
    "class Calc:",
    "    def add(self, a):",
    "    def mul(self, a):",
    "        return a",
    "    return a + b",
    "    return a - b",
    "    @property",
    "@cache",
    "# a comment",
    "# ... rest of the code ...",
    "    # existing code",
    "...",
    "    ...",
    "LIMIT = 3",
    "if __name__ == \"__main__\":",
    "    print(add(1, 2))",
    "fn add(a: i32) -> i32 {",
    "impl Calc {",
    "    pub fn add(&self) {}",
    "use std::fmt;",
    "#[test]",
    "function add(a) {",
    "  return a;",
    "}",
    "};",
    "{",
    "package main",
    "import (",
    ")",
    "\tfmt.Println()",
    "# Title",
    "words",
    "",
    "",
    "\"\"\"",
    "é漢🙂",
    "\u{feff}",
    "(",
];

fn text() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(prop::sample::select(LINES), 0..24);
    (lines, prop::sample::select(&["\n", "\r\n"][..]), any::<bool>())
        .prop_map(|(lines, end, ends)| lines.join(end) + if ends { end } else { "" })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_texts_make_it_panic(
        before in text(), answer in text(),
        path in prop::sample::select(&["calc.py", "a.rs", "a.js", "a.ts", "a.go", "a.c", "a.java", "a.sh", "a.rb", "a.md"][..]),
    ) {
        let _ = fill(path, &before, &answer).map_err(|refused| refused.words(path));
        prop_assert_eq!(fill(path, &before, &before).unwrap().text, before);
    }
}

#[test]
fn long_texts_are_filled_too() {
    let functions: Vec<String> = (0..5_000).map(|at| format!("def f{at}(a):\n    return a + {at}\n")).collect();
    let before = functions.join("\n\n");
    let changed = before.replace("return a + 2500\n", "return a\n");
    let filled = fill("a.py", &before, "def f2500(a):\n    return a\n").unwrap();
    assert!(filled.text == changed, "one function of many");
    let elided = "# ...\n\n\ndef f2500(a):\n    return a\n\n\n# ... rest of the code ...\n";
    let filled = fill("a.py", &before, elided).unwrap();
    assert!(filled.text == changed, "with the rest left out");
}
