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
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &words)], read_only: false };
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
fn runners_that_are_given_any_program_get_no_rule() {
    let runners =
        ["uv run x", "poetry run ./x", "bundle exec ruby x", "deno run x", "bun x", "cmake -P x", "npx cowsay"];
    for command in runners {
        assert_eq!(offered(command), ["exactly"], "{command}");
    }
}

#[test]
fn usual_runners_are_offered_with_what_they_run() {
    let rows = [
        ("python -m pytest -x -q tests/test_a.py", "python -m pytest"),
        (".venv/bin/python -m pytest tests -q", ".venv/bin/python -m pytest"),
        (".venv/bin/pytest -q", ".venv/bin/pytest"),
        ("npx jest --ci src", "npx jest"),
        ("npx jest --globalSetup=./x.js", "npx jest --globalSetup=./x.js"),
        ("npx prettier --write src", "npx prettier --write src"),
        ("npx playwright test", "npx playwright test"),
        ("uv run pytest -k name", "uv run pytest"),
        ("./gradlew --offline test --tests A", "./gradlew test"),
        ("./mvnw -q -B test", "./mvnw test"),
        ("mvn clean test", "mvn clean test"),
        ("cmake --build build -j4", "cmake --build build"),
        ("make -j4 test", "make test"),
        ("python -m unittest discover -s tests", "python -m unittest discover -s tests"),
    ];
    for (command, expected) in rows {
        assert_eq!(offered(command), ["exactly", expected], "{command}");
    }
}

#[test]
fn what_is_offered_can_be_read_back() {
    for command in cases().map(|(_, command, _)| command).chain(["make -j4 test A=b", "./gradlew -q test -I x"]) {
        for words in offered(command).iter().filter(|words| *words != "exactly") {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert!(StandingRule::may_allow(&words), "{command}: {words:?}");
        }
    }
}

#[test]
fn a_program_of_the_project_s_is_told_as_such_and_known_by_its_path() {
    let mut policy = Policy::new(setup(Mode::Safe));
    let held = ask(&policy, run(".venv/bin/pytest -q", ROOT));
    let offer = held.offers().last().unwrap().clone();
    let words = "always run commands that begin with `.venv/bin/pytest` in this project, never with more reach; that \
                 program lies in the project, where it can change";
    assert_eq!(offer.words, words);
    policy.answer(held, Some(offer.rule)).unwrap();
    assert_eq!(policy.kept().rules[0].program, Some(Path::new(ROOT).join(".venv/bin/pytest")));
    for (command, cwd, expected) in [
        (".venv/bin/pytest tests", ROOT, "allow"),
        (".venv/bin/pytest tests | tail -3", ROOT, "allow"),
        (".venv/bin/pytest -p evil", ROOT, "ask"),
        (".venv/bin/pytest tests", "/home/ann/project/sub", "ask"),
        ("cd sub && .venv/bin/pytest tests", ROOT, "ask"),
        ("../project/.venv/bin/pytest", ROOT, "ask"),
        ("pytest tests", ROOT, "ask"),
        (".venv/bin/python -m pytest", ROOT, "ask"),
    ] {
        let verdict = verdict(&policy, run(command, cwd));
        assert_eq!(verdict.split(':').next(), Some(expected), "{command} in {cwd}");
    }
    let outside = ask(&policy, run("venv/bin/pytest", "/home/ann"));
    assert!(outside.offers().is_empty(), "{:?}", outside.offers());
}

#[test]
fn a_rule_for_tests_holds_for_the_copy_that_the_project_brings_along_and_for_no_other_program_of_it() {
    for (words, command, expected) in [
        ("python -m pytest", ".venv/bin/python -m pytest -q tests", "allow"),
        ("python3 -m pytest", ".venv/bin/python -m pytest -q tests", "allow"),
        ("pytest", "venv/bin/pytest -x", "allow"),
        ("gradle test", "./gradlew test", "allow"),
        ("python -m pytest", ".venv/bin/python -m pytest -p evil", "ask"),
        ("python -m pytest", ".venv/bin/python x.py", "ask"),
        ("python -m pytest", "./python -m pytest", "ask"),
        ("python -m pytest", "../venv/bin/python -m pytest", "ask"),
        ("python -m pytest", "/tmp/bin/python -m pytest", "ask"),
        ("python -m pip install", ".venv/bin/python -m pip install", "ask"),
        ("ruff check", ".venv/bin/ruff check", "ask"),
        ("make test", "tools/bin/make test", "ask"),
        (".venv/bin/pytest", "pytest", "ask"),
    ] {
        let verdict = verdict(&agreed(words), run(command, ROOT));
        assert_eq!(verdict.split(':').next(), Some(expected), "{words} | {command}: {verdict}");
    }
}

#[test]
fn one_answer_takes_in_what_only_reads_where_the_command_looks_at_something() {
    let all = |command: &str| {
        let held = ask(&Policy::new(setup(Mode::Safe)), run(command, ROOT));
        held.offers().iter().find(|offer| matches!(offer.rule, Rule::All { .. })).map(|offer| offer.words.clone())
    };
    let expected = "always run commands that begin with `python3 --version` in this project, never with more reach; and in \
                    every project those proved to only read";
    assert_eq!(all("python3 --version; ls; which uv").as_deref(), Some(expected));
    for command in ["cargo test | tail -3", "cd . && cargo test", "cargo test", "ls && sh x.sh"] {
        assert_eq!(all(command), None, "{command}");
    }
}

/// The rules that one answer would make.
fn together(policy: &Policy, command: &str) -> Vec<String> {
    let held = ask(policy, run(command, ROOT));
    let rules = held.offers().iter().find_map(|offer| match &offer.rule {
        Rule::All { rules } => Some(rules.clone()),
        _ => None,
    });
    let words = rules.into_iter().flatten().map(|rule| match rule {
        Rule::Words { words } => words.join(" "),
        other => panic!("{other:?}"),
    });
    words.collect()
}

#[test]
fn one_answer_makes_the_rules_for_all_parts_of_a_command() {
    let mut policy = Policy::new(setup(Mode::Safe));
    let line = "cargo fmt && cargo test -q 2>&1 | tail -5";
    assert_eq!(together(&policy, line), ["cargo fmt", "cargo test"]);
    let held = ask(&policy, run(line, ROOT));
    let offer = held.offers()[1].clone();
    let words =
        "always run commands that begin with `cargo fmt` or `cargo test` in this project, never with more reach";
    assert_eq!(offer.words, words);
    policy.answer(held, Some(offer.rule.clone())).unwrap();
    for command in [line, "cargo test --lib", "cargo fmt --check; cargo test"] {
        assert_eq!(verdict(&policy, run(command, ROOT)), "allow", "{command}");
    }
    let listed: Vec<_> = policy.grants().into_iter().map(|grant| (grant.rule, grant.example)).collect();
    let words = |words: &[&str]| Rule::Words { words: words.iter().map(|word| (*word).into()).collect() };
    let expected = [
        (words(&["cargo", "fmt"]), Some("cargo fmt".into())),
        (words(&["cargo", "test"]), Some("cargo test -q".into())),
    ];
    assert_eq!(listed, expected);
    policy.revoke(&offer.rule);
    assert_eq!(policy.grants(), []);
}

#[test]
fn one_answer_is_offered_only_where_it_is_all_that_the_command_needs() {
    let policy = agreed("cargo test");
    // One of them holds already, one can have no rule, one is only read.
    for command in ["cargo fmt && cargo test", "cargo fmt && cargo build && sh x.sh", "cargo fmt | tail -3"] {
        assert_eq!(together(&policy, command), Vec::<String>::new(), "{command}");
    }
    assert_eq!(together(&policy, "cargo fmt && cargo build && cargo test"), ["cargo fmt", "cargo build"]);
}

#[test]
fn several_rules_at_once_are_those_that_were_offered_and_no_others() {
    let mut policy = Policy::new(setup(Mode::Safe));
    let words = |words: &str| Rule::Words { words: words.split(' ').map(str::to_owned).collect() };
    for rules in [vec![words("cargo fmt")], vec![words("cargo fmt"), words("cargo run")], Vec::new()] {
        let held = ask(&policy, run("cargo fmt && cargo test", ROOT));
        assert_eq!(policy.answer(held, Some(Rule::All { rules })).unwrap_err(), Refused);
    }
    assert_eq!(policy.kept(), Kept::default());
}

#[test]
fn an_old_rule_that_no_longer_covers_a_command_says_why() {
    // As version 0.1 wrote them: the program's bare name, of one that is not known.
    for (words, command, word) in [
        ("checkit", "checkit --fast greet.py", "--fast"),
        ("coverage", "coverage run x.py", "run"),
        ("make", "make test", "test"),
    ] {
        let why = verdict(&agreed(words), run(command, ROOT));
        assert!(why.starts_with(&format!("ask: your rule for `{words}` does not cover `{word}`")), "{why}");
    }
    let beside = verdict(&agreed("checkit"), run("checkit --fast greet.py | tail -3", ROOT));
    assert!(beside.starts_with("ask: your rule for `checkit` does not cover `--fast`"), "{beside}");
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
    let kept = Kept { rules: vec![other], read_only: false };
    let why = verdict(&Policy::new(Setup { kept, ..setup(Mode::Safe) }), run("cargo test --config x", ROOT));
    assert!(!why.contains("your rule"), "{why}");
}
