//! What test programs really said, recorded, and what is told of it. `UPDATE_CASES=1` writes anew what is told.

use super::{TestOutput, TestSpot, read, tail};
use crate::tools::dev::checks::frameworks::{Framework, ScriptRunner};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn said() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks/said")
}

/// Who said what is in the file of this name.
fn speaker(name: &str) -> Framework {
    match name.split('-').next().unwrap_or(name) {
        "cargo" => Framework::Cargo,
        "nextest" => Framework::Nextest,
        "pytest" => Framework::Pytest,
        "go" => Framework::Go,
        "maven" => Framework::Maven,
        "gradle" => Framework::Gradle,
        "make" | "unittest" => Framework::Make,
        _ => Framework::Node(ScriptRunner::Npm),
    }
}

fn told(name: &str, text: &str) -> String {
    let output = TestOutput { framework: speaker(name), text, module: "sums" };
    let Some(report) = read(&output) else { return format!("not read\n{}\n", tail(text)) };
    let spelled = |TestSpot { path, line }: &TestSpot| format!("{path}:{line}");
    format!("{}{}\n", report.counts(), report.faults(&spelled))
}

#[test]
fn what_programs_said_is_told_in_few_lines() {
    let mut faults = String::new();
    let mut count = 0;
    let entries = std::fs::read_dir(said()).unwrap().map(|entry| entry.unwrap().path());
    for path in entries.filter(|path| path.extension().is_some_and(|kind| kind == "txt")) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let told = told(&name, &std::fs::read_to_string(&path).unwrap());
        let expected = path.with_extension("told");
        if std::env::var_os("UPDATE_CASES").is_some() {
            std::fs::write(&expected, &told).unwrap();
        }
        if std::fs::read_to_string(&expected).is_ok_and(|expected| expected == told) {
            count += 1;
        } else {
            writeln!(faults, "--- {name}\n{told}").unwrap();
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(count >= 25, "{count}");
}

#[test]
fn what_passes_reads_the_same_when_make_runs_it() {
    for name in
        ["cargo-failing", "nextest-failing", "pytest-failing", "go-failing", "jest", "mocha", "vitest", "node-tap"]
    {
        let text = std::fs::read_to_string(said().join(name).with_extension("txt")).unwrap();
        let of = |framework| read(&TestOutput { framework, text: &text, module: "" }).unwrap();
        assert_eq!(of(Framework::Make), of(speaker(name)), "{name}");
    }
}

#[test]
fn what_no_test_program_says_is_not_read() {
    for framework in [
        Framework::Cargo,
        Framework::Nextest,
        Framework::Pytest,
        Framework::Node(ScriptRunner::Npm),
        Framework::Go,
        Framework::Maven,
        Framework::Gradle,
        Framework::Make,
    ] {
        for text in ["", "hello\n", "3 passed the door\n", "ok\nnot ok\n", "make: *** [Makefile:2: test] Error 1\n"] {
            let output = TestOutput { framework, text, module: "" };
            assert_eq!(read(&output), None, "{framework:?}: {text:?}");
        }
    }
}

#[test]
fn no_cut_of_an_output_makes_a_reader_fail() {
    for entry in std::fs::read_dir(said()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let cuts = text.char_indices().map(|(at, _)| at).step_by(37);
        for at in cuts {
            told(&name, &text[..at]);
            told(&name, &text[at..]);
        }
    }
}

#[test]
fn a_long_list_of_failures_is_cut_and_counted() {
    let tests: String = (1..=70).map(|number| format!("---- t{number} stdout ----\n\nline\n\n")).collect();
    let text = format!("failures:\n\n{tests}\nfailures:\n\ntest result: FAILED. 0 passed; 70 failed; 0 ignored;\n");
    let told = told("cargo", &text);
    assert!(told.starts_with("70 failed\nfailed: t1\n  line\n"), "{told}");
    assert!(
        told.ends_with(
            "50 more failed: t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, \
         t36, t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, …\n"
        ),
        "{told}"
    );
}

#[test]
fn the_end_of_what_cannot_be_read_is_short() {
    let long: String = (0..100).map(|number| format!("{number}\n")).collect();
    let end = tail(&long);
    assert!(end.starts_with("[… 40 lines before]\n40\n") && end.ends_with("\n99"), "{end}");
}
