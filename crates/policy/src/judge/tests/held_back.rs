//! Where a project's own settings cannot be read: safe mode, and no rule that outlives the session.

use super::*;
use crate::{RuleVerdict, StandingRule};
use agent_protocol::{Cause, Lasts};

fn held_back(mode: Mode) -> Policy {
    let rule = StandingRule {
        verdict: RuleVerdict::Allow,
        words: vec!["make".into()],
        program: Some("/usr/bin/make".into()),
        since: None,
        example: None,
    };
    let kept = Kept { rules: vec![rule], read_only: true, ..Kept::default() };
    let held_back = Some("its settings cannot be read".into());
    Policy::new(Setup { kept, held_back, ..Setup::new(ROOT.into(), mode) })
}

#[test]
fn unsafe_mode_is_safe_mode_whoever_asks_for_it() {
    let mut policy = held_back(Mode::Unsafe);
    assert_eq!(policy.mode(), Mode::Safe);
    assert_eq!((policy.set_mode(Mode::Plan), policy.set_mode(Mode::Unsafe)), (Mode::Plan, Mode::Safe));
    assert!(verdict(&policy, write("/home/ann/project/a.rs")).starts_with("ask"));
    assert_eq!(self::policy(Mode::Safe).set_mode(Mode::Unsafe), Mode::Unsafe);
}

#[test]
fn lasting_rules_do_not_count_and_none_is_offered() {
    let policy = held_back(Mode::Safe);
    for line in ["make", "ls"] {
        let held = ask(&policy, run(line, ROOT));
        assert!(held.why().contains("; your rules are off in this session"), "{}", held.why());
        let lasting = |rule: &Rule| match rule {
            Rule::Words { .. } | Rule::Reach { .. } | Rule::ReadOnly { lasts: Lasts::Always } => true,
            Rule::ReadOnly { lasts: Lasts::Session }
            | Rule::Command { .. }
            | Rule::File { .. }
            | Rule::Host { .. }
            | Rule::Tool { .. }
            | Rule::Look { .. } => false,
        };
        assert!(!held.offers().iter().any(|offer| lasting(&offer.rule)), "{:?}", held.offers());
        assert!(!held.offers().is_empty(), "a yes for this session is offered");
    }
}

#[test]
fn what_was_kept_stays_kept_for_the_sessions_to_come() {
    let policy = held_back(Mode::Safe);
    assert_eq!((policy.kept().rules.len(), policy.kept().read_only), (1, true));
    assert_eq!(policy.grants().len(), 2);
}

#[test]
fn unsafe_mode_is_not_what_is_missing_for_a_look_at_secrets() {
    let look = read("/home/ann/project/.env");
    let cause = |policy: &Policy| ask(policy, look.clone()).cause();
    assert_eq!((cause(&policy(Mode::Safe)), cause(&held_back(Mode::Safe))), (Cause::NotAllowed, Cause::Always));
}
