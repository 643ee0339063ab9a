//! Linters that really run.

use crate::checks::support::{Project, there};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn clippy_tells_what_it_finds_the_worst_first_and_once() {
    if !there(&["cargo clippy --version"]) {
        return;
    }
    let lib = "pub fn a() {\n    let x = 3;\n}\n\npub fn b(v: &[i32]) -> bool {\n    return v.len() == 0;\n}\n";
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let mut project =
        Project::new(&[("a/Cargo.toml", manifest), ("a/src/lib.rs", lib), ("a/tests/t.rs", "fn f() {}\n")]);
    let told = project.told("lint_code", json!({"path": "a"})).await;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(&lines[..2], ["exit code 0", "clippy: 4 warnings"], "{told}");
    assert!(lines[2].starts_with("a/src/lib.rs:2: warning: unused variable: `x`"), "{told}");
    let told = project.told("lint_code", json!({"path": "a/tests/t.rs"})).await;
    assert!(told.contains("clippy: 1 warning\na/tests/t.rs:1: warning: function `f` is never used"), "{told}");
    assert!(told.ends_with("[in other files: 3 warnings]"), "{told}");
    project.sh("echo 'fn c() -> u8 { \"a\" }' >> a/src/lib.rs");
    let told = project.told("lint_code", json!({"path": "a"})).await;
    assert!(told.contains("\na/src/lib.rs:8: error: E0308: mismatched types"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn shellcheck_tells_what_it_finds() {
    if !there(&["shellcheck --version"]) {
        return;
    }
    let mut project = Project::new(&[("bin/a.sh", "#!/bin/sh\ncd $1\nfor f in $(ls *.txt); do echo \"$f\"; done\n")]);
    let told = project.told("lint_code", json!({})).await;
    let begins = "exit code 1\nshellcheck: 1 error, 1 warning, 2 notes\nbin/a.sh:3: error: ";
    assert!(told.starts_with(begins) && told.contains("\nbin/a.sh:2: warning: "), "{told}");
    project.sh("printf '#!/bin/sh\\ntrue\\n' > bin/a.sh");
    assert_eq!(project.told("lint_code", json!({})).await, "exit code 0\nshellcheck: nothing found");
}

#[tokio::test(flavor = "multi_thread")]
async fn pylint_tells_what_it_finds() {
    if !there(&["pylint --version"]) {
        return;
    }
    let mut project = Project::new(&[("api/a.py", "import os\n\n\ndef f():\n    return undefined\n")]);
    let told = project.told("lint_code", json!({"path": "api/a.py", "linter": "pylint"})).await;
    assert!(told.contains("\npylint: 1 error, 1 warning, "), "{told}");
    assert!(told.contains("\napi/a.py:5: error: E0602 Undefined variable 'undefined' (undefined-variable)"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn go_vet_tells_what_it_finds() {
    if !there(&["go version"]) {
        return;
    }
    let text = "package a\n\nimport \"fmt\"\n\nfunc A() { fmt.Printf(\"%d\", \"a\") }\n";
    let mut project = Project::new(&[("go.mod", "module a\n\ngo 1.19\n"), ("b/a.go", text)]);
    let told = project.told("lint_code", json!({"linter": "go vet"})).await;
    assert!(told.contains("\ngo vet: 1 warning\nb/a.go:5: warning: "), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_linter_that_fails_is_not_taken_for_one_that_found_nothing() {
    let mut project = Project::new(&[("a.sh", "true\n"), ("programs/x", "")]);
    if !there(&["shellcheck --version"]) {
        return;
    }
    let told = project.told("lint_code", json!({"path": "a.sh", "args": ["--no-such-option"]})).await;
    assert!(told.contains("shellcheck failed, and what it said names no place in a file; its end:\n"), "{told}");
}
