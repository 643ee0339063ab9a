//! One line a command: what is refused, what is warned of, what is neither.

use super::*;
use proptest::prelude::*;
use serde_json::Value;

mod bombs;
mod decoding;
mod keys;
mod prefixes;
mod refused;
mod starters;
mod starts;
mod warned;

const ROOT: &str = "/home/ann/project";

fn own() -> Vec<PathBuf> {
    ["/home/ann/.config/agent", "/home/ann/.local/state/agent", "/home/ann/project/.agent"].map(PathBuf::from).to_vec()
}

fn refused_in(cwd: &str, command: &str) -> Option<String> {
    let own = own();
    let (root, home) = (Path::new(ROOT), Some(Path::new("/home/ann")));
    refusal(
        command,
        &Places {
            root,
            cwd: Path::new(cwd),
            home,
            own: &own,
            guarded: &[],
            open: WritablePlaces::default(),
            facts: None,
        },
    )
}

fn refused(command: &str) -> Option<String> {
    refused_in(ROOT, command)
}

fn warned(command: &str) -> Vec<String> {
    let own = own();
    let (root, home) = (Path::new(ROOT), Some(Path::new("/home/ann")));
    warnings(
        command,
        &Places { root, cwd: root, home, own: &own, guarded: &[], open: WritablePlaces::default(), facts: None },
    )
}

struct Case {
    id: String,
    command: String,
    accept: Vec<String>,
    in_unsafe: String,
}

fn cases() -> Vec<Case> {
    let rows = include_str!("../../tests/cases/commands.jsonl").lines();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let case = |row: &str| {
        let row: Value = serde_json::from_str(row).unwrap();
        let accept = row["accept"].as_array().unwrap().iter().map(text).collect();
        Case { id: text(&row["id"]), command: text(&row["cmd"]), accept, in_unsafe: text(&row["expect_unsafe"]) }
    };
    rows.map(case).collect()
}

#[test]
fn what_the_cases_refuse_is_refused_and_nothing_else() {
    let cases = cases();
    assert_eq!(cases.len(), 286);
    for Case { id, command, accept, .. } in cases {
        let why = refused(&command);
        if accept == ["deny"] {
            assert!(why.is_some(), "{id} {command:?} must be refused");
        }
        if !accept.iter().any(|verdict| verdict == "deny") {
            assert_eq!(why, None, "{id} {command:?} must not be refused");
        }
    }
}

/// Rows that say "without a question", where the design's own table asks: a push, an upload, a change to what runs at
/// set times.
const ASKS_ALL_THE_SAME: &[&str] = &["D199", "D237", "D255"];

#[test]
fn what_the_cases_ask_in_unsafe_mode_is_warned_of_and_nothing_else() {
    for Case { id, command, accept, in_unsafe } in cases() {
        let warned = warned(&command);
        match in_unsafe.as_str() {
            "ask" => assert!(!warned.is_empty(), "{id} {command:?} must be warned of"),
            "auto" => {
                assert_eq!(!warned.is_empty(), ASKS_ALL_THE_SAME.contains(&id.as_str()), "{id} {command:?} {warned:?}")
            }
            // What is no whole command is found by the strict reading.
            _ => assert!(refused(&command).is_some() || accept != ["deny"], "{id} {command:?} must be refused"),
        }
    }
}

proptest! {
    #[test]
    fn no_text_stops_the_reading(command in "\\PC*") {
        words(&command);
        warned(&command);
        refused(&command);
    }

    #[test]
    fn no_text_of_the_shell_stops_the_reading(pieces in prop::collection::vec(shell(), 0..40)) {
        let command = pieces.concat();
        words(&command);
        warned(&command);
        refused(&command);
    }
}

fn shell() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "'", "\"", "\\", "$", "$(", "${", "}", ")", "(", "`", "<", "<<", "<<<", ">", "&", "|", ";", "\n", " ", "#",
        "~", "*", "[", "]", "=", "$'", "\\x", "\\0", "sh -c ", "eval ", "rm -rf ", "find ", "-exec ", "sudo ", "-",
        "--", "/", "..", "EOF", "\u{e9}", "git ", "config ", "cd ", "a", "1", "{", "()", "xargs ", "-u", "timeout ",
    ])
}

#[test]
fn a_commit_is_told_by_the_subcommand_and_not_by_a_word_that_says_so() {
    for command in [
        "git commit -m x",
        "git push",
        "git -C sub -c user.name=x --git-dir=d --git-dir e commit",
        "git --attr-source HEAD merge x",
        "/usr/bin/git pull",
        "sudo git rebase main",
        "env GIT_DIR=d git cherry-pick x",
        "X=y git revert HEAD",
        "git am x; ls",
        "sh -c 'git commit-tree x'",
        "cd sub && git send-pack ../x main",
    ] {
        assert!(commits(command), "{command}");
    }
    for command in [
        "git stash push",
        "git log --grep push",
        "git log --grep=commit commit",
        "git add commit",
        "git -C commit status",
        "git -c alias.x=commit status",
        "git show push",
        "git --version",
        "git",
        "gitk commit",
        "echo git commit",
    ] {
        assert!(!commits(command), "{command}");
    }
}

#[test]
fn a_subcommand_that_is_not_git_s_own_may_be_an_alias() {
    for command in ["git ci -m x", "git -c alias.x=commit x", "git \"$x\"", "ls; sudo git lg", "git svn dcommit"] {
        assert!(calls_strange_git(command), "{command}");
    }
    for command in ["git add .", "git -C ci status", "git commit", "git stash push", "git --version", "git", "ls ci"] {
        assert!(!calls_strange_git(command), "{command}");
    }
}
