//! Hosts that a command wants to reach while it runs: it is held, asked about, and told what came of it.

use agent_protocol::{CallEvent, CallOp, ListEvent, ListOp, TurnOp};

use crate::play::*;
use agent_policy::{Network, Setup};
use agent_protocol::*;
use agent_session::{Begin, CallInput, Effect, Input, Memory, OpenedSession, SessionInput};

fn setup(mode: Mode) -> Setup {
    Setup { by_host: true, ..Setup::new(ROOT.into(), mode) }
}

/// A command that runs, allowed by the mode.
fn running(line: &str) -> Play {
    running_by(line, setup(Mode::Unsafe))
}

fn running_by(line: &str, setup: Setup) -> Play {
    let mut play = Play::ready_by(settings(), setup);
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, run(line));
    play
}

fn host(name: &str) -> Host {
    Host { name: name.into(), port: 443 }
}

fn wants(play: &mut Play, reach: u64, name: &str) {
    let by = Reacher::Call { call: CallId(1) };
    play.feed(Input::Call(CallInput::Reaches { reach: ReachId(reach), by, host: host(name), sees_secrets: false }));
}

fn job_wants(play: &mut Play, reach: u64, name: &str) {
    let by = Reacher::Job { job: BackgroundId(1) };
    play.feed(Input::Call(CallInput::Reaches { reach: ReachId(reach), by, host: host(name), sees_secrets: false }));
}

/// What became of the wishes, in order.
fn answers(play: &Play) -> Vec<&str> {
    play.lines.iter().filter_map(|line| line.strip_prefix("let reach ")).collect()
}

/// What the model is told of the command.
fn told(play: &Play) -> String {
    let finished = play.events.iter().find_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.told.clone()),
        _ => None,
    });
    finished.expect("the call has a result")
}

fn settled(play: &Play) -> Vec<Settlement> {
    let settled = play.events.iter().filter_map(|event| match event {
        Event::Call(CallEvent::Settled { settlement, .. }) => Some(settlement.clone()),
        _ => None,
    });
    settled.collect()
}

#[test]
fn a_host_is_asked_about_while_the_command_runs_and_a_yes_lets_it_go_on() {
    let mut play = running("npm install");
    wants(&mut play, 1, "packages.example");
    let question = play.question();
    assert_eq!(question.preview.title, "`npm install` wants to reach packages.example:443");
    assert_eq!((question.call, question.cause), (Some(CallId(1)), Cause::HostNotAllowed));
    let Subject::Reach { by, command, host: wanted, hosts } = &question.subject else { panic!() };
    assert_eq!((*by, command.as_str()), (Reacher::Call { call: CallId(1) }, "npm install"));
    assert_eq!((wanted, hosts.as_slice()), (&host("packages.example"), &[host("packages.example")][..]));
    assert!(answers(&play).is_empty(), "nothing is answered before the user is");
    play.answer(Answer::Yes { remember: None, word: Some("only this".into()) });
    assert_eq!(answers(&play), ["1 true"]);
    wants(&mut play, 2, "packages.example");
    assert_eq!(answers(&play), ["1 true", "2 true"], "the same host is not asked about again");
    play.ran(1, "added 3");
    assert_eq!(told(&play), "added 3\n\nThe user adds: only this");
}

#[test]
fn a_no_is_told_to_the_model_and_asks_for_no_more_network() {
    let mut play = running("npm install");
    wants(&mut play, 1, "evil.example");
    play.answer(no("use the mirror"));
    assert_eq!(answers(&play), ["1 false"]);
    let fence = Some(SandboxReport { blocked: Some(Blocked::Network), ..SandboxReport::default() });
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome: Outcome { fence, ..outcome("no route") } }));
    assert!(!play.has("again"), "that was settled: {:?}", play.lines);
    let expected =
        "no route\n\n(the sandbox let it not reach evil.example:443: the user was asked and said no: use the mirror)";
    assert_eq!(told(&play), expected);
}

#[test]
fn one_question_at_a_time_and_one_answer_may_do_for_several() {
    let mut play = running("make");
    for (reach, name) in [(1, "a.example"), (2, "b.example"), (3, "a.example")] {
        wants(&mut play, reach, name);
    }
    let asked =
        |play: &Play| play.events.iter().filter(|event| matches!(event, Event::Call(CallEvent::Asked { .. }))).count();
    assert_eq!(asked(&play), 1);
    play.answer(yes());
    assert_eq!((asked(&play), answers(&play)), (2, vec!["1 true"]));
    play.answer(no(""));
    assert_eq!((asked(&play), answers(&play)), (2, vec!["1 true", "2 false", "3 true"]));
    play.ran(1, "done");
    assert!(told(&play).contains("b.example:443: the user was asked and said no; do not look for a way around"));
}

#[test]
fn what_is_allowed_is_let_through_unasked_and_what_is_denied_is_refused_at_once() {
    let mut play = running_by("make", Setup { hosts: vec!["a.example".parse().unwrap()], ..setup(Mode::Unsafe) });
    wants(&mut play, 1, "a.example");
    assert_eq!(answers(&play), ["1 true"]);
    let mut play = running_by("make", Setup { network: Network::Deny, ..setup(Mode::Unsafe) });
    wants(&mut play, 1, "a.example");
    assert_eq!(answers(&play), ["1 false"]);
    play.ran(1, "failed");
    assert!(told(&play).contains("network = \"deny\" is set under [sandbox]"), "{}", told(&play));
    assert!(play.subject().is_none());
}

#[test]
fn a_yes_to_the_run_that_named_the_hosts_asks_nothing_more() {
    let mut play = running_by("npm install", setup(Mode::Safe));
    let named = play.question().hosts.clone();
    assert_eq!(named.len(), 1);
    play.answer(yes());
    assert_eq!(play.permits.last().unwrap().sandbox().hosts(), named);
    wants(&mut play, 1, &named[0].name);
    assert_eq!(answers(&play), ["1 true"]);
}

#[test]
fn a_lasting_yes_is_written_down_and_holds_for_the_next_command() {
    let mut play = running("npm install");
    wants(&mut play, 1, "packages.example");
    let rule = play.question().offers[0].rule.clone();
    play.answer(Answer::Yes { remember: Some(rule.clone()), word: None });
    assert!(play.has("remember(permissions"), "{:?}", play.lines);
    play.ran(1, "ok");
    play.calls(&["run_command"]);
    play.reached(2, "/p");
    play.planned(2, run("npm install"));
    let by = Reacher::Call { call: CallId(2) };
    play.feed(Input::Call(CallInput::Reaches {
        reach: ReachId(2),
        by,
        host: host("packages.example"),
        sees_secrets: false,
    }));
    assert_eq!(answers(&play), ["1 true", "2 true"]);
    play.op(Op::List(ListOp::Permissions));
    let listed = play.events.iter().rev().find_map(|event| match event {
        Event::List(ListEvent::Permissions { grants }) => Some(grants.clone()),
        _ => None,
    });
    assert_eq!(listed.unwrap()[0].rule, rule);
    play.op(Op::Call(CallOp::Revoke { rule }));
    assert_eq!(play.machine.step(Input::Op(Op::List(ListOp::Permissions))).len(), 1);
    play.feed(Input::Call(CallInput::Reaches {
        reach: ReachId(3),
        by,
        host: host("packages.example"),
        sees_secrets: false,
    }));
    assert!(matches!(play.subject(), Some(Subject::Reach { .. })), "taken back");
}

#[test]
fn a_rule_that_was_not_offered_is_taken_as_no() {
    let mut play = running("curl x");
    wants(&mut play, 1, "a.example");
    assert!(play.question().offers.is_empty(), "what runs anything gets no rule");
    let rule = Rule::Reach { words: Vec::new(), hosts: vec!["a.example".parse().unwrap()] };
    play.answer(Answer::Yes { remember: Some(rule), word: None });
    assert_eq!(answers(&play), ["1 false"]);
    assert!(!play.has("remember(permissions"));
}

#[test]
fn a_wish_that_is_over_takes_its_question_with_it_and_the_next_one_is_asked() {
    let mut play = running("make");
    for (reach, name) in [(1, "a.example"), (2, "b.example"), (3, "c.example")] {
        wants(&mut play, reach, name);
    }
    let first = play.asked();
    play.feed(Input::Call(CallInput::ReachOver { reach: ReachId(2) }));
    play.feed(Input::Call(CallInput::ReachOver { reach: ReachId(1) }));
    assert_eq!(settled(&play), [Settlement::Withdrawn]);
    assert_eq!(play.question().preview.title, "`make` wants to reach c.example:443");
    play.op(Op::Call(CallOp::Reply { ask: first, answer: yes() }));
    assert!(answers(&play).is_empty(), "an answer to what is over answers nothing");
    play.answer(yes());
    assert_eq!(answers(&play), ["3 true"]);
}

#[test]
fn the_end_of_the_command_withdraws_its_question() {
    let mut play = running("make");
    wants(&mut play, 1, "a.example");
    wants(&mut play, 2, "b.example");
    play.ran(1, "gave up");
    assert_eq!(settled(&play), [Settlement::Withdrawn]);
    assert_eq!(answers(&play), ["1 false", "2 false"]);
    assert_eq!(told(&play), "gave up");
    wants(&mut play, 3, "a.example");
    assert_eq!(answers(&play), ["1 false", "2 false", "3 false"], "it runs no more");
}

#[test]
fn an_interrupt_withdraws_the_question_and_stops_the_command() {
    let mut play = running("make");
    wants(&mut play, 1, "a.example");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(settled(&play), [Settlement::Withdrawn]);
    assert_eq!(answers(&play), ["1 false"]);
    assert!(play.has("stop 1"));
    wants(&mut play, 2, "a.example");
    assert_eq!(answers(&play), ["1 false", "2 false"], "nobody is asked for what is being stopped");
    play.ran(1, "stopped");
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
}

#[test]
fn the_mode_stays_as_it_is_while_the_question_stands() {
    let mut play = running("make");
    wants(&mut play, 1, "a.example");
    play.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
    assert_eq!(play.notices(), ["answer the question first; the mode is as it was"]);
    play.answer(yes());
    play.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
    wants(&mut play, 2, "b.example");
    assert_eq!(answers(&play), ["1 true", "2 false"], "in plan mode no command reaches the net");
}

#[test]
fn what_may_have_read_secrets_is_offered_nothing_that_lasts() {
    let mut play = running("npm install");
    let by = Reacher::Call { call: CallId(1) };
    play.feed(Input::Call(CallInput::Reaches {
        reach: ReachId(1),
        by,
        host: host("packages.example"),
        sees_secrets: true,
    }));
    assert!(play.question().offers.is_empty() && play.question().why.contains("hold secrets"));
}

fn in_background(line: &str) -> Action {
    match run(line) {
        Action::Run { command, argv, cwd, timeout_secs, profile, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile, background: true, input }
        }
        other => other,
    }
}

#[test]
fn a_background_command_is_refused_at_once_and_both_are_told() {
    let setup = Setup { hosts: vec!["a.example".parse().unwrap()], ..setup(Mode::Unsafe) };
    let mut play = Play::ready_by(settings(), setup);
    play.say("start it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, in_background("npm run dev"));
    play.ran(1, "it runs in the background as 1");
    let card = BackgroundCommand {
        id: BackgroundId(1),
        command: "npm run dev".into(),
        description: String::new(),
        state: BackgroundState::Running,
        since: 0,
    };
    play.feed(Input::Call(CallInput::Jobs { jobs: vec![card] }));
    job_wants(&mut play, 1, "a.example");
    job_wants(&mut play, 2, "b.example");
    assert_eq!(answers(&play), ["1 true", "2 false"]);
    assert!(play.subject().is_none(), "nobody is asked");
    let notice = play.notices().pop().unwrap();
    assert!(
        notice.starts_with("the background command 1 was kept from b.example:443: `npm run dev` runs in"),
        "{notice}"
    );
    assert!(notice.contains("hosts = [\"b.example\"]") && notice.contains("/stop 1"), "{notice}");
    play.writes("done");
    play.say("and now?");
    assert!(play.last_said().contains("(the background command 1 was kept from b.example:443"), "{}", play.last_said());
}

#[test]
fn a_wish_of_a_call_that_is_not_running_is_refused() {
    let mut play = Play::ready_by(settings(), setup(Mode::Unsafe));
    wants(&mut play, 1, "a.example");
    assert_eq!(answers(&play), ["1 false"]);
    let mut play = running_by("make", setup(Mode::Safe));
    wants(&mut play, 1, "a.example");
    assert_eq!(answers(&play), ["1 false"], "it is still asked about");
}

#[test]
fn a_question_that_was_open_when_the_program_ended_is_withdrawn_when_the_session_goes_on() {
    let recording = || agent_session::Settings { record: true, ..settings() };
    let mut play = Play::ready_by(recording(), setup(Mode::Unsafe));
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, run("make"));
    wants(&mut play, 1, "a.example");
    let ask = play.asked();
    let id = SessionId("s1".into());
    let card = SessionCard {
        id: id.clone(),
        title: "one".into(),
        project: ROOT.into(),
        began: 0,
        updated: 0,
        model: Some("m".into()),
        turns: 1,
        bytes: 0,
        parent: None,
        open: false,
    };
    let opened = OpenedSession { card, records: play.records.clone(), torn: None, recovered: Vec::new(), next: None };
    let begin = Begin::Session(id);
    let mut later = Play::new(agent_session::Settings { begin, ..recording() }, Mode::Safe);
    later.feed(Input::Start);
    later.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
    let restored = later.lines.iter().find(|line| line.starts_with("emit restored")).expect("it goes on").clone();
    assert!(restored.contains("withdrawn") && restored.contains(&format!("{}", ask.0)), "{restored}");
    assert!(later.subject().is_none());
}

#[test]
fn where_the_network_is_allowed_for_good_no_run_is_bound_to_fail() {
    let mut play = Play::ready_by(settings(), Setup { by_host: false, ..setup(Mode::Unsafe) });
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, run("npm install"));
    let fence = Some(SandboxReport { blocked: Some(Blocked::Network), ..SandboxReport::default() });
    let failed = Outcome { fence, status: Status::Exited { code: Some(1) }, ..outcome("no route") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome: failed }));
    let network = match run("npm install") {
        Action::Run { command, argv, cwd, timeout_secs, background, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile: Profile::Network, background, input }
        }
        other => other,
    };
    play.planned(1, network);
    let rule = play.question().offers[0].rule.clone();
    assert_eq!(rule, Rule::Reach { words: vec!["npm".into(), "install".into()], hosts: Vec::new() });
    play.answer(Answer::Yes { remember: Some(rule), word: None });
    assert!(play.has("remember(permissions"));
    play.ran(1, "ok");
    play.calls(&["run_command"]);
    play.reached(2, "/p");
    play.planned(2, run("npm install"));
    assert_eq!(play.permits.last().unwrap().sandbox().profile(), Profile::Network);
}

#[test]
fn the_kept_rules_are_handed_over_to_be_written() {
    let mut play = running("npm install");
    wants(&mut play, 1, "packages.example");
    let (ask, rule) = (play.asked(), play.question().offers[1].rule.clone());
    let effects = play
        .machine
        .step(Input::Op(Op::Call(CallOp::Reply { ask, answer: Answer::Yes { remember: Some(rule), word: None } })));
    let kept = effects.into_iter().find_map(|effect| match effect {
        Effect::Remember(Memory::Permissions(kept)) => Some(kept),
        _ => None,
    });
    let reach = kept.expect("it is handed over").reaches.remove(0);
    assert_eq!((reach.words, reach.hosts), (Vec::new(), vec!["packages.example".parse().unwrap()]));
}
