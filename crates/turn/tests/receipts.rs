//! The receipt of a turn: the last end of each command, what their exit codes hide, folders and hosts.

use agent_protocol::TurnEvent;

use crate::play::*;
use agent_protocol::*;
use agent_turn::{CallInput, Input, Planned};

pub(crate) fn runs(play: &mut Play, number: u64, command: &str, status: Status, report: SandboxReport) {
    play.calls(&["run_command"]);
    play.reached(number, "/p");
    let body = PreviewBody::Command {
        command: command.into(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    let (action, facts) = (run(command), facts(&run(command)));
    let planned = Planned { action, preview: Preview { title: command.into(), body } };
    play.feed(Input::Call(CallInput::Planned { call: CallId(number), result: Ok(planned), facts }));
    if play.subject().is_some() {
        play.answer(yes());
    }
    let outcome = Outcome { status, fence: Some(report), ..outcome("done") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(number), outcome }));
}

fn receipt(play: &Play) -> Receipt {
    let mut receipts = play.events.iter().filter_map(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.clone()),
        _ => None,
    });
    receipts.next_back().expect("a turn that did something ends with a receipt")
}

fn parts() -> Vec<PartEnd> {
    vec![PartEnd { words: "cargo test".into(), code: 101 }, PartEnd { words: "tail".into(), code: 0 }]
}

#[test]
fn a_command_is_told_once_with_its_last_end_and_what_that_hides() {
    let mut play = Play::ready(Mode::Safe);
    play.say("build it");
    let host = Host { name: "example.org".into(), port: 443 };
    let folder = FolderReceipt { shown_path: ".venv".into(), files: 1_549 };
    let fetched = SandboxReport { hosts: vec![host.clone()], built: vec![folder.clone()], ..SandboxReport::default() };
    let hidden = SandboxReport { parts: parts(), hosts: vec![host.clone()], ..SandboxReport::default() };
    runs(&mut play, 1, "make", Status::Exited { code: Some(2) }, fetched);
    runs(&mut play, 2, "cargo test | tail", Status::Exited { code: Some(0) }, hidden);
    runs(&mut play, 3, "make", Status::Done, SandboxReport::default());
    play.writes("It builds.");
    let receipt = receipt(&play);
    let ends: Vec<_> = receipt.commands.iter().map(|ran| (ran.command.as_str(), ran.status, ran.parts.len())).collect();
    assert_eq!(
        ends,
        [("cargo test | tail", Status::Exited { code: Some(0) }, 2), ("make", Status::Done, 0)],
        "the first run of make is not how things are"
    );
    assert_eq!((receipt.hosts, receipt.folders), (vec![host], vec![folder]));
}

#[test]
fn tests_that_failed_under_a_pipe_did_not_pass() {
    let mut play = Play::ready(Mode::Safe);
    play.say("run the tests");
    let hidden = SandboxReport { parts: parts(), ..SandboxReport::default() };
    runs(&mut play, 1, "cargo test 2>&1 | tail", Status::Exited { code: Some(0) }, hidden);
    play.writes("All tests pass.");
    let not_so = "it says that the tests pass, but the last run failed (cargo test: 101 | tail: 0)";
    assert!(play.last_said().contains(not_so), "{}", play.last_said());
    play.writes("They fail.");
    assert_eq!(receipt(&play).doubts, Vec::<String>::new());
}

#[test]
fn tests_that_pass_at_last_do() {
    let mut play = Play::ready(Mode::Safe);
    play.say("run the tests");
    runs(&mut play, 1, "cargo test --lib", Status::Exited { code: Some(101) }, SandboxReport::default());
    runs(&mut play, 2, "cargo test", Status::Done, SandboxReport::default());
    play.writes("All tests pass.");
    assert_eq!(receipt(&play).doubts, Vec::<String>::new());
}
