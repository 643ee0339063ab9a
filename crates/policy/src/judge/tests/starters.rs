//! What a starter starts is judged at least as strictly as it would be alone.

use super::*;
use crate::danger::every_start_of;
use crate::{RuleVerdict, StandingRule};

/// How strict a verdict is.
fn strictness(policy: &Policy, command: &str) -> u8 {
    let action = run(command, ROOT);
    let facts = facts(&action);
    match policy.judge(action, &facts) {
        Verdict::Allow(_) => 0,
        Verdict::Ask(_) => 1,
        Verdict::Deny(_) | Verdict::Impossible(_) => 2,
    }
}

/// Policies in which much is allowed, and a rule asks all the same.
fn lenient() -> [Policy; 2] {
    let rule = |verdict, words: &[&str]| StandingRule {
        verdict,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        program: None,
        since: None,
        example: None,
    };
    let setup = |mode| Setup {
        home: Some("/home/ann".into()),
        trusted: true,
        tightened: vec![rule(RuleVerdict::Ask, &["terraform", "apply"]), rule(RuleVerdict::Deny, &["helm", "delete"])],
        kept: Kept { read_only: true, ..Kept::default() },
        ..Setup::new(ROOT.into(), mode)
    };
    let flagged = Setup { allow_run: true, ..setup(Mode::Safe) };
    [Policy::new(setup(Mode::Unsafe)), Policy::new(flagged)]
}

#[test]
fn a_starter_makes_no_verdict_milder() {
    let [by_mode, by_flag] = lenient();
    for (command, policy) in [
        ("rm -rf \"$PWD\"", &by_mode),
        ("git commit -m x", &by_flag),
        ("sudo ls", &by_mode),
        ("terraform apply -auto-approve", &by_mode),
        ("helm delete x", &by_flag),
    ] {
        let alone = strictness(policy, command);
        let starts = every_start_of(command).into_iter().chain([format!("strangewrap -x {command}")]);
        let milder: Vec<String> = starts.filter(|start| strictness(policy, start) < alone).collect();
        assert!(alone > 0 && milder.is_empty(), "{command} in {:?}: {milder:#?}", policy.mode());
    }
}

#[test]
fn no_lasting_yes_is_offered_where_a_starter_stands() {
    let policy = policy(Mode::Safe);
    let starts = every_start_of("./x.sh");
    for start in starts.iter().map(String::as_str).chain(["setarch x86_64 ./x.sh", "strangewrap -x ./x.sh"]) {
        let action = run(start, ROOT);
        let facts = facts(&action);
        let Verdict::Ask(held) = policy.judge(action, &facts) else { continue };
        let lasting = held.offers().iter().find(|offer| matches!(offer.rule, Rule::Words { .. } | Rule::All { .. }));
        assert_eq!(lasting, None, "{start}");
    }
}
