//! Commands with their verdicts, where those that are proved to only read run unasked: one line a case.

#[path = "../../../tests/world/mod.rs"]
mod world;

use crate::{Kept, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Mode, Profile};
use serde_json::Value;
use world::{HOME, ROOT, World};

fn policy() -> Policy {
    let own = [".config/agent", ".local/state/agent", ".local/share/agent"].map(|own| format!("{HOME}/{own}").into());
    Policy::new(Setup {
        kept: Kept { read_only: true, ..Kept::default() },
        trusted: true,
        home: Some(HOME.into()),
        own: own.into_iter().chain([format!("{ROOT}/.agent").into()]).collect(),
        ..Setup::new(ROOT.into(), Mode::Safe)
    })
}

fn judge(policy: &Policy, world: &World, command: &str) -> Verdict {
    let action = Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: ROOT.into(),
        timeout_secs: 120,
        profile: Profile::Project,
        background: false,
        input: None,
    };
    let facts = world.facts(&queries(&action));
    policy.judge(action, &facts)
}

fn verdict(policy: &Policy, world: &World, command: &str) -> &'static str {
    match judge(policy, world, command) {
        Verdict::Allow(_) => "auto",
        Verdict::Ask(_) => "ask",
        Verdict::Deny(_) | Verdict::Impossible(_) => "deny",
    }
}

fn cases() -> Vec<Value> {
    let lines = include_str!("../../../tests/cases/commands.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn every_case_has_a_verdict_that_is_accepted() {
    let mut wrong = Vec::new();
    for case in cases() {
        let world = World::new(case["fixture"].as_str().unwrap());
        let verdict = verdict(&policy(), &world, case["cmd"].as_str().unwrap());
        let accepted = case["accept"].as_array().unwrap().iter().any(|accepted| accepted == verdict);
        if !accepted {
            wrong.push(format!("{} {}: {verdict}, not {}", case["id"], case["cmd"], case["accept"]));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_only_reads_is_proved() {
    let world = World::new("plain");
    let mut wrong = Vec::new();
    for command in lines(include_str!("../../../tests/cases/readers.txt")) {
        if let Verdict::Ask(held) = judge(&policy(), &world, command) {
            wrong.push(format!("{command}: {}", held.why()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_does_more_is_not_proved() {
    let world = World::new("plain");
    let all = lines(include_str!("../../../tests/cases/not_readers.txt"));
    let proved: Vec<&str> = all.filter(|command| verdict(&policy(), &world, command) == "auto").collect();
    assert_eq!(proved, Vec::<&str>::new());
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("## "))
}
