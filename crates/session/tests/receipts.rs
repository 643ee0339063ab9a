//! The receipt of a turn: the last end of each command, what their exit codes hide, folders and hosts.

use agent_protocol::TurnEvent;

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, Keep, Planned, Settings};

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

/// The call of this number wants to write, and is rejected.
fn write_is_rejected(play: &mut Play, call: u64) {
    play.calls(&["write_file"]);
    play.reached(call, "/p/a");
    play.planned(call, write("/p/a"));
    play.answer(no("not allowed"));
}

#[test]
fn a_change_that_was_rejected_is_no_change_where_nobody_watches_and_what_the_user_wanted_else() {
    for (keep, unchanged) in [(Keep::Nothing, true), (Keep::Everything, false)] {
        let mut play = Play::ready_with(Settings { keep, levers: with_checks(), ..settings() }, Mode::Safe);
        play.say("Fix the bug.");
        play.calls(&["read_file"]);
        play.reads(1, "text");
        write_is_rejected(&mut play, 2);
        runs(&mut play, 3, "cargo test", Status::Done, SandboxReport::default());
        play.writes("I could not do it.");
        assert_eq!(play.ended(), Some(TurnEndReason::Done), "it is not told to try again");
        let told = play
            .events
            .iter()
            .any(|event| matches!(event, Event::Turn(TurnEvent::Receipt { receipt, .. }) if receipt.unchanged));
        assert_eq!(told, unchanged, "{keep:?}");
    }
}

#[test]
fn a_command_that_only_reads_changes_nothing() {
    let mut play = Play::ready_with(Settings { levers: LeverChanges::off(), ..settings() }, Mode::Safe);
    play.say("Fix the bug.");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    let body = PreviewBody::Command {
        command: "git log".into(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile: Profile::ReadOnly,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    let planned = Planned { action: read("/p/a"), preview: Preview { title: "git log".into(), body } };
    let facts = facts(&planned.action);
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Ok(planned), facts }));
    play.ran(1, "no commits");
    play.writes("It is fixed.");
    assert!(receipt(&play).unchanged);
}

/// The call of this number starts a background command, which becomes this job.
fn starts(play: &mut Play, call: u64, job: Option<u64>) {
    play.calls(&["run_command"]);
    play.reached(call, "/p");
    let command = "npm run dev".to_owned();
    let body = PreviewBody::Command {
        command: command.clone(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: true,
    };
    let planned = Planned { action: run(&command), preview: Preview { title: command.clone(), body } };
    let facts = facts(&planned.action);
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result: Ok(planned), facts }));
    let outcome = Outcome { job: job.map(BackgroundId), ..outcome("it is started") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

/// How these jobs stand now.
fn jobs(play: &mut Play, states: &[(u64, BackgroundState)]) {
    let job = |&(id, state): &(u64, BackgroundState)| BackgroundCommand {
        id: BackgroundId(id),
        command: "npm run dev".into(),
        description: String::new(),
        state,
        since: 0,
    };
    play.feed(Input::Call(CallInput::Jobs { jobs: states.iter().map(job).collect() }));
}

/// How the commands of the turn are told at its end.
fn ends(play: &mut Play) -> Vec<String> {
    play.writes("It runs.");
    receipt(play).commands.iter().map(CommandReceipt::end_words).collect()
}

fn starting(keep: Keep) -> Play {
    let mut play = Play::ready_with(Settings { keep, ..settings() }, Mode::Unsafe);
    play.say("start it");
    play
}

/// A background command is started, and stands so at the end of the turn.
fn in_background(keep: Keep, state: BackgroundState) -> Vec<String> {
    let mut play = starting(keep);
    starts(&mut play, 1, Some(1));
    jobs(&mut play, &[(1, state)]);
    ends(&mut play)
}

#[test]
fn a_background_command_is_told_as_it_stands_when_the_turn_ends() {
    let ended = |code| BackgroundState::Ended { code };
    for (state, told) in [
        (BackgroundState::Running, "left running"),
        (BackgroundState::Stopped, "stopped"),
        (ended(Some(0)), "exit 0"),
        (ended(Some(2)), "exit 2"),
        (ended(None), "ended by a signal"),
    ] {
        assert_eq!(in_background(Keep::Everything, state), [told], "{state:?}");
    }
    assert_eq!(in_background(Keep::Nothing, BackgroundState::Running), ["stopped"], "it ends with the run");
    let mut play = starting(Keep::Everything);
    starts(&mut play, 1, None);
    assert_eq!(ends(&mut play), ["exit 0"], "it ended at once");
}

#[test]
fn each_background_command_is_told_by_its_own_job_and_nothing_is_told_of_the_end_of_one_that_is_forgotten() {
    let mut play = starting(Keep::Everything);
    for job in 1..=3 {
        starts(&mut play, job, Some(job));
    }
    jobs(&mut play, &[(2, BackgroundState::Ended { code: Some(2) }), (3, BackgroundState::Running)]);
    assert_eq!(ends(&mut play), ["run in the background", "exit 2", "left running"]);
}

#[test]
fn of_a_list_the_part_that_failed_decides_whether_the_tests_did() {
    let mut play = Play::ready(Mode::Safe);
    play.say("run the tests");
    let report =
        SandboxReport { parts: vec![PartEnd { words: "cargo fmt".into(), code: 1 }], ..SandboxReport::default() };
    runs(&mut play, 1, "cargo test", Status::Done, SandboxReport::default());
    runs(&mut play, 2, "cargo fmt --check && cargo test", Status::Exited { code: Some(1) }, report);
    play.writes("All tests pass.");
    assert_eq!(receipt(&play).doubts, Vec::<String>::new(), "the tests did not run then");
}
