//! What a lasting yes covers, and for what none is offered. One line a command, in a file of cases.

use super::commands::{rule, setup};
use super::*;
use crate::{RuleVerdict, StandingRule};

/// The words that were agreed to, a command, and what is expected of it.
fn cases() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = include_str!("../../../tests/cases/lasting.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut parts = line.split(" |").map(str::trim);
        let mut part = || parts.next().unwrap_or_else(|| panic!("three parts: {line}"));
        (part(), part(), part())
    })
}

fn agreed(words: &str) -> Policy {
    let words: Vec<&str> = words.split(' ').collect();
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &words)], read_only: false, ..Kept::default() };
    Policy::new(Setup { kept, ..setup(Mode::Safe) })
}

#[test]
fn a_lasting_yes_to_a_runner_covers_no_flag_that_starts_something_else() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for (words, command, expected) in cases() {
        let verdict = verdict(&agreed(words), run(command, ROOT));
        let right = match expected {
            "" => verdict == "allow",
            "-" => verdict.starts_with("ask: ") && !verdict.contains("your rule"),
            word => verdict.starts_with(&format!("ask: your rule for `{words}` does not cover `{word}`")),
        };
        asked += usize::from(!expected.is_empty());
        wrong.extend((!right).then(|| format!("{words} | {command}: {verdict}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked >= 125, "only {asked} variants ask");
}

fn offered(command: &str) -> Vec<String> {
    let held = ask(&Policy::new(setup(Mode::Safe)), run(command, ROOT));
    let words = held.offers().iter().filter_map(|offer| match &offer.rule {
        Rule::Words { words } => Some(words.join(" ")),
        Rule::Command { .. } => Some("exactly".into()),
        _ => None,
    });
    words.collect()
}

#[test]
fn what_is_offered_covers_the_command_it_is_offered_for() {
    for (_, command, _) in cases() {
        for words in offered(command).iter().filter(|words| *words != "exactly") {
            assert_eq!(verdict(&agreed(words), run(command, ROOT)), "allow", "{command}: {words}");
        }
    }
}

#[test]
fn an_offer_names_what_would_ask_anew() {
    let rows = [
        ("cargo test -q --lib name", "cargo test"),
        ("pytest -q -p no:cacheprovider tests", "pytest -q -p no:cacheprovider"),
        ("make test SHELL=./x", "make test SHELL=./x"),
        ("mytool --config x src", "mytool --config x"),
        ("mkdir -p a/b", "mkdir"),
    ];
    for (command, expected) in rows {
        assert_eq!(offered(command), ["exactly", expected], "{command}");
    }
}

#[test]
fn runners_that_are_given_their_program_get_no_rule() {
    let runners =
        ["uv run pytest", "poetry run pytest", "bundle exec rake", "deno test", "bun test", "cmake --build x"];
    for command in runners {
        assert_eq!(offered(command), ["exactly"], "{command}");
    }
}

#[test]
fn no_lasting_yes_is_offered_for_what_throws_work_away() {
    let rows = [
        ("git checkout src/a.rs", "git checkout"),
        ("git checkout .", "git checkout"),
        ("git checkout -f main", "git checkout"),
        ("git restore src", "git restore"),
        ("git stash", "git stash"),
        ("git stash pop", "git stash"),
        ("git stash drop", "git stash"),
        ("git reset --hard", "git reset"),
        ("git clean -fd", "git clean"),
        ("git branch -D x", "git branch"),
        ("git worktree remove x", "git worktree"),
        ("git switch -f main", "git switch"),
        ("git -C sub checkout .", "git checkout"),
        ("rm a.txt", "rm"),
        ("rm -rf build", "rm"),
        ("make && rm -rf build", "rm"),
        ("truncate -s 0 a.txt", "truncate"),
        ("find build -name x -delete", "find -delete"),
        ("find . -name x -exec rm {} +", "rm"),
        ("rsync -a --delete a/ b/", "rsync --delete"),
        ("hg revert --all", "hg revert"),
    ];
    for (command, what) in rows {
        let held = ask(&Policy::new(setup(Mode::Safe)), run(command, ROOT));
        assert_eq!(held.offers(), [], "{command}");
        let why = format!("; `{what}` can throw work away, so it asks each time");
        assert!(held.why().ends_with(&why), "{command}: {}", held.why());
    }
}

#[test]
fn what_keeps_all_work_is_offered_as_before() {
    for command in ["git checkout -b x", "git switch main", "git branch x", "git clean -n", "git tag v1", "mv a b"] {
        let held = ask(&Policy::new(setup(Mode::Safe)), run(command, ROOT));
        let exact = Rule::Command { command: command.into(), cwd: ROOT.into() };
        assert!(held.offers().iter().any(|offer| offer.rule == exact), "{command}");
        assert!(!held.why().contains("throw work away"), "{command}: {}", held.why());
    }
}

#[test]
fn a_rule_for_other_words_is_not_quoted() {
    let why = verdict(&agreed("cargo test"), run("cargo build --config x", ROOT));
    assert!(!why.contains("your rule"), "{why}");
    let other =
        StandingRule { program: Some("/elsewhere/cargo".into()), ..rule(RuleVerdict::Allow, &["cargo", "test"]) };
    let kept = Kept { rules: vec![other], read_only: false, ..Kept::default() };
    let why = verdict(&Policy::new(Setup { kept, ..setup(Mode::Safe) }), run("cargo test --config x", ROOT));
    assert!(!why.contains("your rule"), "{why}");
}
