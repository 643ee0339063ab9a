//! What is told of small projects, and of some that would tell too much.

use super::*;
use crate::Ground;
use crate::undo::Undo;
use std::time::Duration;

/// A project of these files, with its tools.
fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, ToolContext) {
    let folder = tempfile::TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let root = folder.path().canonicalize().unwrap();
    let ground = Ground::of_this_process(root.clone()).unwrap();
    let workspace = Workspace::new(&root);
    let undo = Undo::new(&workspace, &ground);
    let kit = ToolContext::new(&workspace, &ground, &undo);
    (folder, kit)
}

fn asked(words: &str) -> Asked {
    Asked { words: words.into(), git: false, network: "asked", check: None }
}

fn facts(kit: &ToolContext, asked: &Asked) -> Facts {
    Facts::of(kit, asked, Instant::now() + Duration::from_secs(20))
}

/// Its lines, but for the first two, which tell the day and what lies on top.
fn lines(files: &[(&str, &str)], words: &str) -> Vec<String> {
    let (_folder, kit) = project(files);
    let text = facts(&kit, &asked(words)).text();
    text.lines().skip(3).map(|line| line.trim_start_matches("- ").to_owned()).collect()
}

#[test]
fn a_project_is_told_in_a_few_lines() {
    let (_folder, kit) = project(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("Cargo.lock", ""),
        ("src/parse.rs", "pub fn parse_item() {}\n"),
    ]);
    let mut found = facts(&kit, &asked("`parse_item` drops the last word"));
    (found.day, found.shell) = ("2026-11-26".into(), "sh (dash)".into());
    found.commands.missing.clear();
    assert_eq!(
        found.text(),
        "(facts about the project, found by the program:\n\
         - today is 2026-11-26; commands run in sh (dash)\n\
         - on top: src/, Cargo.lock, Cargo.toml\n\
         - git: branch main\n\
         - build: cargo build; tests: cargo test\n\
         - there: Cargo.lock\n\
         - temporary files: in $TMPDIR; no network until the user allows it\n\
         - parse_item: src/parse.rs:1)"
    );
    assert_eq!(found.summary(), "branch main, tests: cargo test, 1 place");
    assert_eq!(found.paths(Path::new("/p"))[1..], [kit.workspace.root().join("src/parse.rs")]);
}

#[test]
fn each_kind_of_project_is_told_how_it_is_tested() {
    let package = r#"{"scripts": {"test": "jest", "build": "tsc"}}"#;
    for (files, told) in [
        (vec![("go.mod", "module x\n")], "build: go build ./...; tests: go test ./..."),
        (vec![("package.json", package), ("yarn.lock", "")], "build: yarn run build; tests: yarn test"),
        (vec![("Makefile", "check:\n\ttrue\n")], "build: make; tests: make check"),
        (vec![("pom.xml", ""), ("mvnw", "")], "tests: ./mvnw test"),
        (vec![("CMakeLists.txt", "")], "build: cmake -B build && cmake --build build"),
        (vec![("pyproject.toml", ""), (".venv/bin/pytest", "")], "tests: .venv/bin/pytest"),
    ] {
        assert_eq!(lines(&files, "fix it")[0], told, "{files:?}");
    }
}

#[test]
fn the_check_that_the_person_set_goes_before_what_is_found() {
    let (_folder, kit) = project(&[("Cargo.toml", "")]);
    let found = facts(&kit, &Asked { check: Some("just ci".into()), ..asked("fix it") });
    assert!(found.text().contains("build: cargo build; check: just ci\n"), "{}", found.text());
}

#[test]
fn of_the_network_is_told_what_holds() {
    let (_folder, kit) = project(&[]);
    let told = |network| facts(&kit, &Asked { network, ..asked("") }).text();
    assert!(told("closed").contains("in $TMPDIR; no network)"), "{}", told("closed"));
    assert!(told("open").ends_with("in $TMPDIR)"), "{}", told("open"));
}

#[test]
fn names_are_cleaned_and_cut_and_secrets_are_not_named() {
    let long = "x".repeat(200);
    let (_folder, kit) = project(&[
        (".git/HEAD", "ref: refs/heads/\u{1b}[31mred\u{202e}\n"),
        (&long, ""),
        ("a\nb", ""),
        (".env", "KEY=1"),
        ("id_rsa", "k"),
    ]);
    let text = facts(&kit, &asked("")).text();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n') && !text.contains('\u{202e}'), "{text:?}");
    assert!(!text.contains("id_rsa") && !text.contains(".env") && !text.contains(&"x".repeat(NAME)), "{text}");
    assert!(text.lines().all(|line| line.starts_with("- ") || line.starts_with("(facts")), "{text}");
}

#[test]
fn however_much_there_is_it_stays_within_its_room() {
    let names: Vec<String> = (0..300).map(|at| format!("folder_with_a_long_name_{at}/use_{at}.py")).collect();
    let body: String = (0..6).map(|at| format!("def a_rather_long_name_of_a_function_{at}(): pass\n")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let deep = format!("{}/deep.py", "a_long_folder/".repeat(9));
    files.extend([(deep.as_str(), body.as_str()), ("Cargo.toml", ""), ("go.mod", ""), ("package.json", "{}")]);
    let words: Vec<String> = (0..9).map(|at| format!("`a_rather_long_name_of_a_function_{at}`")).collect();
    let (_folder, kit) = project(&files);
    let text = facts(&kit, &Asked { check: Some("c".repeat(900)), ..asked(&words.join(" ")) }).text();
    assert!(text.chars().count() <= MOST, "{}", text.chars().count());
    assert!(text.contains("and 2") && text.ends_with(')'), "{text}");
    assert!(text.lines().filter(|line| line.contains("deep.py")).count() <= 6, "{text}");
}

#[test]
fn when_the_time_is_over_only_what_costs_nothing_is_told() {
    let (_folder, kit) = project(&[("Cargo.toml", ""), ("src/a.rs", "fn parse_item() {}\n")]);
    let text = Facts::of(&kit, &asked("parse_item"), Instant::now()).text();
    assert!(text.contains("tests: cargo test") && !text.contains("parse_item"), "{text}");
}

/// A repository with one commit and a file that is new, of a person with this config of their own; `line` is run in it.
fn repository(config: &str, line: &str) -> (tempfile::TempDir, ToolContext) {
    let folder = tempfile::TempDir::new().unwrap();
    let top = folder.path().canonicalize().unwrap();
    let (home, root) = (top.join("home"), top.join("project"));
    std::fs::create_dir(&home).unwrap();
    std::fs::create_dir(&root).unwrap();
    std::fs::write(home.join(".gitconfig"), format!("[user]\n\tname = x\n\temail = a@b\n{config}")).unwrap();
    let mut shell = std::process::Command::new("sh");
    let all = format!("git init -q -b main; echo a > a.txt; git add .; git commit -qm 1; echo b > b.txt; {line}");
    let ended = shell.args(["-ec", &all]).current_dir(&root).env("HOME", &home).env("GIT_CONFIG_NOSYSTEM", "1");
    let ended = ended.output().unwrap();
    assert!(ended.status.success(), "this test needs git: {}", String::from_utf8_lossy(&ended.stderr));
    let env = [("HOME".into(), home.clone().into()), ("PATH".into(), std::env::var_os("PATH").unwrap())];
    let surroundings = std::sync::Arc::new(agent_sandbox::Surroundings::new(env, &[], &root).unwrap());
    let ground = Ground { home: Some(home), surroundings, ..Ground::of_this_process(root.clone()).unwrap() };
    let workspace = Workspace::new(&root);
    let undo = Undo::new(&workspace, &ground);
    let kit = ToolContext::new(&workspace, &ground, &undo);
    (folder, kit)
}

fn git_of(kit: &ToolContext) -> Option<String> {
    facts(kit, &Asked { git: true, ..asked("") }).git.and_then(|(_, changes)| changes)
}

#[test]
fn what_is_changed_is_told_of_a_plain_repository_that_is_trusted() {
    let (_folder, kit) = repository("", "echo c >> a.txt");
    assert_eq!(git_of(&kit).as_deref(), Some("1 changed (a.txt), 1 new (b.txt)"));
    assert_eq!(facts(&kit, &asked("")).git, Some(("branch main".into(), None)), "git is asked only with trust");
}

#[test]
fn where_a_repository_names_a_program_git_is_not_asked_and_nothing_runs() {
    for line in [
        "git config core.fsmonitor 'touch evil; false'",
        "git config filter.x.clean 'touch evil; cat'; echo '*.txt filter=x' > .gitattributes; echo d > a.txt",
        "printf '#!/bin/sh\\ntouch evil\\n' > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change",
    ] {
        let (_folder, kit) = repository("", line);
        assert_eq!(git_of(&kit), None, "{line}");
        assert!(!kit.workspace.root().join("evil").exists(), "{line}");
    }
}

#[test]
fn a_filter_of_the_person_s_own_is_not_run_either() {
    let config = "[filter \"mine\"]\n\tclean = touch evil; cat\n\trequired = true\n";
    let (_folder, kit) = repository(config, "rm -f evil; echo '*.txt filter=mine' > .gitattributes; echo d > a.txt");
    assert_eq!(git_of(&kit).as_deref(), Some("1 changed (a.txt), 2 new (.gitattributes, b.txt)"));
    assert!(!kit.workspace.root().join("evil").exists());
}
