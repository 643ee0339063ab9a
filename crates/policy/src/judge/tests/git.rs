//! Commits and pushes, whatever the user allowed; what is set for git that is started without a shell.

use super::*;
use crate::{RuleVerdict, StandingRule};
use agent_protocol::{Lasts, Profile};

/// With lasting rules for every beginning of a command of git's.
fn lenient(mode: Mode) -> Policy {
    let rule = |words: &[&str]| StandingRule {
        verdict: RuleVerdict::Allow,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        program: Some("/usr/bin/git".into()),
        since: None,
        example: None,
    };
    let subcommands = ["commit", "push", "-c", "add", "fetch-pack", "branch", "stash", "merge", "pull", "rebase", "ci"];
    let rules = std::iter::once(rule(&["git"])).chain(subcommands.map(|subcommand| rule(&["git", subcommand])));
    let rules = rules.collect();
    let kept = Kept { rules, read_only: true, ..Kept::default() };
    Policy::new(Setup { kept, trusted: true, home: Some("/home/ann".into()), ..Setup::new(ROOT.into(), mode) })
}

/// Started without a shell.
fn direct(words: &[&str], profile: Profile) -> Action {
    let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let command = crate::spelled(&argv);
    Action::Run { command, argv, cwd: ROOT.into(), timeout_secs: 120, profile, background: false, input: None }
}

const COMMITS: &[&[&str]] = &[
    &["git", "commit", "--message=x"],
    &["git", "commit", "-am", "two words"],
    &["git", "-c", "user.name=x", "commit", "-m", "x"],
    &["git", "-C", "sub", "commit", "-m", "x"],
    &["/usr/bin/git", "commit", "-m", "x"],
    &["git", "--no-pager", "commit", "--amend"],
];

const PUSHES: &[&[&str]] = &[
    &["git", "push"],
    &["git", "push", "--no-recurse-submodules", "origin", "refs/heads/main:refs/heads/main"],
    &["git", "-c", "core.pager=x", "push", "origin", "main"],
    &["git", "-C", "sub", "push"],
];

#[test]
fn a_commit_asks_in_safe_mode_whatever_rules_there_are() {
    let policy = lenient(Mode::Safe);
    let allowed = ["git add a.rs", "git fetch-pack x", "git branch x"];
    for command in allowed {
        assert_eq!(verdict(&policy, run(command, ROOT)), "allow", "{command}: the rules hold for the rest");
    }
    let lines = COMMITS.iter().map(|words| words.join(" "));
    let others =
        ["cd sub && git commit -m x", "git add . && git commit -m x", "sh -c 'git commit -m x'", "env git commit"];
    for line in lines.chain(others.map(String::from)) {
        assert!(verdict(&policy, run(&line, ROOT)).starts_with("ask"), "{line}");
    }
    for words in COMMITS {
        assert!(verdict(&policy, direct(words, Profile::Project)).starts_with("ask"), "{words:?}");
        let held = ask(&policy, direct(words, Profile::Project));
        assert!(held.offers().is_empty(), "{words:?}: {:?}", held.offers());
    }
}

#[test]
fn a_commit_runs_in_unsafe_mode() {
    let policy = lenient(Mode::Unsafe);
    for words in [COMMITS[0], COMMITS[1]] {
        assert_eq!(verdict(&policy, direct(words, Profile::Project)), "allow", "{words:?}");
        assert_eq!(verdict(&policy, run(&words.join(" "), ROOT)), "allow", "{words:?}");
    }
}

#[test]
fn a_push_asks_in_both_modes_whatever_rules_there_are() {
    for mode in [Mode::Safe, Mode::Unsafe] {
        let policy = lenient(mode);
        for words in PUSHES {
            for action in
                [direct(words, Profile::Network), direct(words, Profile::Project), run(&words.join(" "), ROOT)]
            {
                assert!(verdict(&policy, action.clone()).starts_with("ask"), "{action:?} in {mode:?}");
                assert!(ask(&policy, action.clone()).offers().is_empty(), "{action:?} in {mode:?}");
            }
        }
    }
}

#[test]
fn a_session_s_yes_does_not_last_for_commits() {
    let mut policy = lenient(Mode::Safe);
    let action = direct(COMMITS[0], Profile::Project);
    let Action::Run { command, cwd, .. } = action.clone() else { unreachable!() };
    for rule in [Rule::Command { command, cwd }, Rule::Words { words: vec!["git".into(), "commit".into()] }] {
        let held = ask(&policy, action.clone());
        assert_eq!(policy.answer(held, Some(rule)), Err(Refused));
    }
    let held = ask(&policy, action.clone());
    assert_eq!(policy.answer(held, Some(Rule::ReadOnly { lasts: Lasts::Session })), Err(Refused));
}

#[test]
fn git_without_a_shell_obeys_nothing_of_the_repository_s_whoever_allowed_it() {
    let action = direct(&["git", "add", "--", "."], Profile::Project);
    let mut known = facts(&action);
    let findings = vec!["filter.x.clean".to_owned(), "hook pre-commit".to_owned()];
    known.set_git(ROOT.into(), GitFacts { tree: Some(ROOT.into()), findings, ..GitFacts::default() });
    let free = lenient(Mode::Unsafe).judge(action.clone(), &known);
    let mut safe = Policy::new(Setup { trusted: true, ..Setup::new(ROOT.into(), Mode::Safe) });
    let Verdict::Ask(held) = safe.judge(action, &known) else { panic!("safe mode asks") };
    let Verdict::Allow(free) = free else { panic!("unsafe mode does not: {free:?}") };
    for permit in [free, safe.answer(held, None).unwrap()] {
        let env = permit.sandbox().env();
        let set = |wanted: &str| {
            let (key, _) = env.iter().find(|(_, value)| value == wanted)?;
            let value = key.replace("_KEY_", "_VALUE_");
            env.iter().find(|(name, _)| *name == value).map(|(_, value)| value.as_str())
        };
        assert_eq!(
            (set("core.hooksPath"), set("filter.x.clean"), set("core.editor")),
            (Some("/dev/null"), Some(""), Some("/bin/false"))
        );
    }
    // A line for the shell is obeyed as it stands.
    let Verdict::Allow(line) = lenient(Mode::Unsafe).judge(run("git add .", ROOT), &facts(&run("git add .", ROOT)))
    else {
        panic!("unsafe mode does not ask")
    };
    assert_eq!(line.sandbox().env(), []);
}

#[test]
fn what_the_tools_of_git_look_at_is_proved() {
    let policy = lenient(Mode::Safe);
    let shown = ["--no-ext-diff", "--no-textconv", "--no-color"];
    let looks: [Vec<&str>; 8] = [
        vec!["status", "--short", "--branch", "--ignore-submodules=dirty", "--"],
        [vec!["diff"], shown.to_vec(), vec!["--ignore-submodules=dirty", "--cached", "HEAD", "--", "src/a.rs"]]
            .concat(),
        [
            vec!["log"],
            shown.to_vec(),
            vec!["--no-show-signature", "--max-count=20", "--date=short", "--format=%h %ad %an%d: %s", "main", "--"],
        ]
        .concat(),
        [vec!["show"], shown.to_vec(), vec!["--no-show-signature", "HEAD", "--"]].concat(),
        vec!["branch", "--list", "--all", "-vv", "--no-color"],
        vec!["stash", "list"],
        [vec!["stash", "show", "--patch"], shown.to_vec()].concat(),
        [vec!["stash", "show", "--patch"], shown.to_vec(), vec!["stash@{0}"]].concat(),
    ];
    for words in looks {
        let action = direct(&[vec!["git", "--no-pager"], words.clone()].concat(), Profile::Project);
        let known = facts(&action);
        let judged = policy.judge(action, &known);
        let Verdict::Allow(permit) = judged else { panic!("{words:?}: {judged:?}") };
        assert!(permit.line().is_some() && permit.sandbox().profile() == Profile::ReadOnly, "{words:?}");
    }
}

#[test]
fn what_merges_or_rebases_asks_like_a_commit_and_an_alias_is_not_allowed_for_good() {
    let policy = lenient(Mode::Safe);
    for line in ["git merge x", "git pull", "git rebase main", "git cherry-pick x", "git revert HEAD", "git am x"] {
        assert!(verdict(&policy, run(line, ROOT)).starts_with("ask: safe mode asks before every commit"), "{line}");
        assert!(ask(&policy, run(line, ROOT)).offers().is_empty(), "{line}");
    }
    for line in ["git branch push", "git add commit"] {
        assert_eq!(verdict(&policy, run(line, ROOT)), "allow", "{line}");
    }
    let policy = self::policy(Mode::Safe);
    assert_eq!(ask(&policy, run("git ci", ROOT)).offers(), []);
    assert!(!ask(&policy, run("git add a", ROOT)).offers().is_empty());
}

#[test]
fn a_yes_to_git_without_a_shell_is_none_to_the_same_line_for_the_shell() {
    let mut policy = policy(Mode::Safe);
    let action = direct(&["git", "add", "--", "a"], Profile::Project);
    let exact = Rule::Command { command: "git add -- a".into(), cwd: ROOT.into() };
    let held = ask(&policy, action.clone());
    assert!(!held.offers().iter().any(|offer| offer.rule == exact), "{:?}", held.offers());
    assert_eq!(policy.answer(held, Some(exact.clone())), Err(Refused));
    let line = run("git add -- a", ROOT);
    assert!(verdict(&policy, line.clone()).starts_with("ask"));
    let held = ask(&policy, line.clone());
    policy.answer(held, Some(exact)).expect("the shell's line is offered as it stands");
    assert_eq!(verdict(&policy, line), "allow");
}

#[test]
fn git_without_a_shell_is_not_started_where_it_is_not_known_what_to_overrule() {
    let found = |last: &str| {
        let findings = vec!["filter.x.clean".to_owned(), last.to_owned()];
        Some(GitFacts { tree: Some(ROOT.into()), findings, ..GitFacts::default() })
    };
    for (git, why) in [
        (None, "git did not answer"),
        (found("and 3 more"), "and 3 more"),
        (found("no plain file: .git/config"), "no plain file: .git/config"),
    ] {
        for words in [&["git", "add", "--", "a"][..], &["git", "--no-pager", "status"], &["git", "commit"]] {
            let mut known = Facts::default();
            known.set_kind(ROOT.into(), PathKind::Folder);
            known.set_program("git".into(), "/usr/bin/git".into());
            if let Some(git) = git.clone() {
                known.set_git(ROOT.into(), git);
            }
            for mode in [Mode::Safe, Mode::Unsafe] {
                let judged = lenient(mode).judge(direct(words, Profile::Project), &known);
                let expected = format!("it is not known what git would run here: {why}");
                assert!(matches!(&judged, Verdict::Deny(why) if why.starts_with(&expected)), "{words:?}: {judged:?}");
            }
            let line = lenient(Mode::Safe).judge(run("git commit", ROOT), &known);
            assert!(matches!(line, Verdict::Ask(_)), "the shell's line is the user's to allow: {line:?}");
        }
    }
}
