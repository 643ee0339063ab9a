//! Formatters that really run, on a copy.

use crate::checks::support::{Project, there};
use agent_protocol::{PreviewBody, Status};
use serde_json::json;

const CARGO: (&str, &str) = ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");

#[tokio::test(flavor = "multi_thread")]
async fn what_a_formatter_makes_of_a_file_is_shown_as_a_difference_and_written() {
    let ugly = "async fn a ( ) { }\nmod not_there;\n";
    let mut project = Project::new(&[CARGO, ("src/lib.rs", ugly), ("rustfmt.toml", "hard_tabs = true\n")]);
    let (preview, outcome) = project.done("format_code", json!({"path": "src/lib.rs"})).await.unwrap();
    let PreviewBody::Diff { files } = preview.body else { panic!("{preview:?}") };
    assert_eq!(files[0].before.as_deref(), Some(ugly));
    assert_eq!(files[0].after.as_deref(), Some("async fn a() {}\nmod not_there;\n"));
    assert_eq!(outcome.told, "edited src/lib.rs: 1 line added, 1 removed");
    assert_eq!(project.text("src/lib.rs"), "async fn a() {}\nmod not_there;\n");
    assert_eq!(
        project.told("format_code", json!({"path": "src/lib.rs"})).await,
        "src/lib.rs is formatted already; nothing was written"
    );
    project.sh("printf 'fn a() {\\n    b();\\n}\\n' > src/lib.rs");
    project.told("fmt", json!({"file": "src/lib.rs"})).await;
    assert_eq!(project.text("src/lib.rs"), "fn a() {\n\tb();\n}\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_formatted_in_one_change() {
    let mut project =
        Project::new(&[CARGO, ("src/a.rs", "fn a( ) {}\n"), ("src/b.rs", "fn b( ) {}\n"), ("src/c.rs", "fn c() {}\n")]);
    assert_eq!(
        project.told("format_code", json!({"path": "src", "check": true})).await,
        "formatting would change 2 of 3 files:\nsrc/a.rs: 1 line added, 1 removed\nsrc/b.rs: 1 line added, 1 removed"
    );
    assert_eq!(project.text("src/a.rs"), "fn a( ) {}\n");
    let (preview, outcome) = project.done("format_code", json!({"path": "src"})).await.unwrap();
    assert_eq!(preview.title, "Format 2 files");
    assert_eq!(
        outcome.told,
        "edited src/a.rs: 1 line added, 1 removed\n\
         edited src/b.rs: 1 line added, 1 removed; 1 more had nothing to format"
    );
    assert_eq!(outcome.changed.len(), 2, "{:?}", outcome.changed);
    assert_eq!((project.text("src/a.rs"), project.text("src/b.rs")), ("fn a() {}\n".into(), "fn b() {}\n".into()));
    assert_eq!(
        project.told("format_code", json!({"paths": ["src/a.rs", "src/c.rs"]})).await,
        "all 2 files are formatted already; nothing was written"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_formatter_that_is_not_there_keeps_none_of_the_others_back() {
    let files = [CARGO, ("src/a.rs", "fn a( ) {}\n"), ("src/b.sh", "if a;then b;fi\n"), ("src/c.sh", "d\n")];
    let mut project = Project::with_linked(&files, &["rustfmt"]);
    let told = project.told("format_code", json!({"path": "src"})).await;
    let begin = "edited src/a.rs: 1 line added, 1 removed; left out: src/b.sh, src/c.sh (shfmt is not installed";
    assert!(told.starts_with(begin), "{told}");
    assert_eq!((project.text("src/a.rs"), project.text("src/b.sh")), ("fn a() {}\n".into(), files[2].1.into()));
    let told = project.told("format_code", json!({"path": "src/b.sh"})).await;
    assert!(told.starts_with("NotInstalled: shfmt is not installed"), "{told}");
    let told = project.told("format_code", json!({"paths": ["src/b.sh", "src/c.sh"]})).await;
    assert!(told.starts_with("NotInstalled: left out: src/b.sh, src/c.sh (shfmt is not installed"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_formatted_stays_and_says_why() {
    let mut project = Project::new(&[CARGO, ("src/lib.rs", "fn a( {\n")]);
    let told = project.told("format_code", json!({"path": "src/lib.rs"})).await;
    assert!(told.starts_with("Io: rustfmt could not format src/lib.rs, and nothing was changed: error: "), "{told}");
    assert!(told.contains("--> src/lib.rs:1:"), "{told}");
    assert_eq!(project.text("src/lib.rs"), "fn a( {\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_toolchain_in_the_project_is_no_program_to_run_unasked() {
    let pinned = ("rust-toolchain.toml", "[toolchain]\npath = \"./mine\"\n");
    let mut project = Project::new(&[CARGO, ("src/lib.rs", "fn a( ) {}\n"), pinned]);
    project
        .sh("mkdir -p mine/bin; printf '#!/bin/sh\\necho planted\\n' > mine/bin/rustfmt; chmod 755 mine/bin/rustfmt");
    let (_, outcome) = project.done("format_code", json!({"path": "src/lib.rs"})).await.unwrap();
    assert_eq!((outcome.status, project.text("src/lib.rs")), (Status::Done, "fn a() {}\n".into()));
}

/// The program, a file, what is in it, and what becomes of it.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("gofmt", "a.go", "package a\nfunc  A( ) { }\n", "package a\n\nfunc A() {}\n"),
    ("black --version", "a.py", "x = { 'a':1 }\n", "x = {\"a\": 1}\n"),
    ("clang-format --version", "a.c", "int  main( ) {return 0;}\n", "int main() { return 0; }\n"),
    ("shfmt --version", "a.sh", "if true ; then\necho a ; fi\n", "if true; then\n\techo a\nfi\n"),
];

#[tokio::test(flavor = "multi_thread")]
async fn each_language_has_its_formatter() {
    for (program, file, before, after) in ROWS {
        if !there(&[program]) {
            continue;
        }
        let mut project = Project::new(&[(file, before)]);
        let told = project.told("format_code", json!({"path": file})).await;
        assert_eq!(project.text(file), *after, "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syntax_error_is_told_by_each_with_the_name_of_the_file() {
    for (program, file, text) in [
        ("gofmt", "a.go", "package a\nfunc (\n"),
        ("black --version", "a.py", "def f(:\n"),
        ("shfmt --version", "a.sh", "if then\n"),
    ] {
        if !there(&[program]) {
            continue;
        }
        let mut project = Project::new(&[(file, text)]);
        let told = project.told("format_code", json!({"path": file})).await;
        assert!(told.contains(&format!("could not format {file}, and nothing was changed: ")), "{told}");
        assert_eq!(project.text(file), text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_the_project_count() {
    if !there(&["clang-format --version", "shfmt --version"]) {
        return;
    }
    let mut project = Project::new(&[
        (".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\n"),
        ("src/a.c", "int main() {\n  int a = 1;\n  return a;\n}\n"),
        (".editorconfig", "root = true\n[*.sh]\nindent_style = space\nindent_size = 3\n"),
        ("a.sh", "if true; then\necho a\nfi\n"),
    ]);
    project.told("format_code", json!({"path": "src/a.c"})).await;
    assert_eq!(project.text("src/a.c"), "int main() {\n        int a = 1;\n        return a;\n}\n");
    project.told("format_code", json!({"path": "a.sh"})).await;
    assert_eq!(project.text("a.sh"), "if true; then\n   echo a\nfi\n");
}
