//! Reads from what a test runner prints which tests passed.
//!
//! A test that is reported as failed anywhere counts as failed, whatever is printed of it besides.

use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reader {
    /// `python3 -m unittest -v`: `test_module.Class.test_name`.
    Unittest,
    /// `node --test --test-reporter=tap`: the test's description.
    Node,
    /// `go test -v`: `TestName`.
    Go,
    /// `cargo test`: `module::name`.
    Cargo,
    /// TAP: the words after `ok 1 - `.
    Tap,
}

/// Whether each test that was reported passed, by its name.
pub type Reported = BTreeMap<String, bool>;

impl Reader {
    /// Reads `output`.
    pub fn read(self, output: &str) -> Reported {
        let mut reported = Reported::new();
        let found = match self {
            Reader::Unittest => unittest(output),
            Reader::Node => node(output),
            Reader::Go => go(output),
            Reader::Cargo => cargo(output),
            Reader::Tap => tap(output),
        };
        for (name, passed) in found {
            let known = reported.entry(name).or_insert(true);
            *known &= passed;
        }
        reported
    }
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns stand here, and tests read with each")
}

/// `test_a (module.Class.test_a) ... ok`; before Python 3.11 `test_a (module.Class) ... ok`. The first line of a docstring
/// stands between, on a line of its own, and what the test prints stands before its verdict.
fn unittest(output: &str) -> Vec<(String, bool)> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(\w+) \(([\w.]+)\)(?:\n[^\n]*?)?? \.\.\. (.*)$"));
    static VERDICT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)\b(ok|FAIL|ERROR)$"));
    let heads: Vec<_> = HEAD.captures_iter(output).collect();
    let mut found = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        let said = head.get(3).expect("the pattern has it");
        let until = heads.get(at + 1).and_then(|next| next.get(0)).map_or(output.len(), |next| next.start());
        let name = if head[2].ends_with(&format!(".{}", &head[1])) {
            head[2].to_owned()
        } else {
            format!("{}.{}", &head[2], &head[1])
        };
        let passed = match said.as_str().trim() {
            "ok" => true,
            "FAIL" | "ERROR" | "expected failure" | "unexpected success" => false,
            other if other.starts_with("skipped") => false,
            _ => VERDICT.captures(&output[said.start()..until]).is_some_and(|verdict| &verdict[1] == "ok"),
        };
        found.push((name, passed));
    }
    found
}

/// `ok 1 - name`, at the margin: nested tests are indented. One that is skipped or still to be done has not passed.
fn node(output: &str) -> Vec<(String, bool)> {
    let lines = output.lines().filter_map(|line| verdict(line, true));
    let unmarked = |name: &str| {
        let at = name.find(" # SKIP").or_else(|| name.find(" # TODO"));
        at.map_or((name.to_owned(), true), |at| (name[..at].to_owned(), false))
    };
    lines
        .map(|(name, passed)| {
            let (name, counts) = unmarked(name);
            (name, passed && counts)
        })
        .collect()
}

fn tap(output: &str) -> Vec<(String, bool)> {
    let lines = output.lines().filter_map(|line| verdict(line, false));
    lines.map(|(name, passed)| (name.trim().to_owned(), passed)).collect()
}

/// Reads `ok 1 - name` and `not ok 1 - name`; the number may be missing where it is not `numbered`.
fn verdict(line: &str, numbered: bool) -> Option<(&str, bool)> {
    let (rest, passed) = match line.strip_prefix("not ok") {
        Some(rest) => (rest, false),
        None => (line.strip_prefix("ok")?, true),
    };
    let rest = rest.strip_prefix(' ')?;
    let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let name = if after.len() < rest.len() { after.strip_prefix(" - ")? } else { rest.strip_prefix("- ")? };
    (after.len() < rest.len() || !numbered).then_some((name, passed))
}

/// `--- PASS: TestName (0.00s)`, at the margin.
fn go(output: &str) -> Vec<(String, bool)> {
    let read = |line: &str| {
        let (verdict, rest) = line.strip_prefix("--- ")?.split_once(": ")?;
        let known = matches!(verdict, "PASS" | "FAIL" | "SKIP");
        known.then(|| (rest.split_whitespace().next().unwrap_or_default().to_owned(), verdict == "PASS"))
    };
    output.lines().filter_map(read).collect()
}

/// `test module::name ... ok`, with ` - should panic` before the dots where it should.
fn cargo(output: &str) -> Vec<(String, bool)> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)"));
    LINE.captures_iter(output).map(|line| (line[1].to_owned(), &line[2] == "ok")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: Reader, output: &str) -> String {
        let words = |(name, passed): (String, bool)| format!("{name} {}", if passed { "passed" } else { "failed" });
        reader.read(output).into_iter().map(words).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn unittest_of_all_ages() {
        let output = "test_a (m.C.test_a) ... ok\ntest_b (m.C) ... FAIL\ntest_c (m.C.test_c)\nWhat it is for. ... ok\n\
             test_d (m.C.test_d) ... printed\nmore\nok\ntest_e (m.C.test_e) ... skipped 'why'\n\
             test_f (m.C.test_f) ... printed\nERROR\n\nRan 6 tests in 0.1s\n\nOK\n";
        assert_eq!(
            read(Reader::Unittest, output),
            "m.C.test_a passed, m.C.test_b failed, m.C.test_c passed, m.C.test_d passed, m.C.test_e failed, m.C.test_f \
             failed"
        );
    }

    #[test]
    fn tap_of_node_and_of_all_others() {
        let output =
            "TAP version 13\nok 1 - a - b\nnot ok 2 - c\nok 3 - d # SKIP\n    ok 1 - inside\nok - e\nokay 1 - f\n";
        assert_eq!(read(Reader::Node, output), "a - b passed, c failed, d failed");
        assert_eq!(read(Reader::Tap, output), "a - b passed, c failed, d # SKIP passed, e passed");
    }

    #[test]
    fn go_and_cargo() {
        let output =
            "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n--- FAIL: TestB (0.1s)\n";
        assert_eq!(read(Reader::Go, output), "TestA passed, TestB failed");
        let output = "test a::b ... ok\ntest c - should panic ... ok\ntest d ... FAILED\ntest e ... ignored\n";
        assert_eq!(read(Reader::Cargo, output), "a::b passed, c passed, d failed, e failed");
    }

    #[test]
    fn a_verdict_that_is_printed_besides_does_not_hide_the_real_one() {
        assert_eq!(read(Reader::Tap, "ok 1 - a\nnot ok 1 - a\nok 1 - a\n"), "a failed");
    }
}
