//! The question whether a command may reach a host, while it is held; and the hosts that a yes to a run names.

use super::harness::{Stage, opened, turn};
use super::question::asks;
use agent_protocol::{
    Answer, AskId, CallEvent, CallId, CallOp, Cause, Event, Host, Mode, Op, Preview, PreviewBody, Question, Reacher,
    Rule, RuleOffer, SandboxKind, SandboxSupport, SessionEvent, Subject, TurnOp,
};

const SIZES: [(u16, u16); 2] = [(120, 40), (80, 24)];

fn host(name: &str) -> Host {
    Host { name: name.into(), port: 443 }
}

fn rule(words: &[&str]) -> Rule {
    Rule::Reach {
        words: words.iter().map(|word| (*word).into()).collect(),
        hosts: ["packages.example", "cdn.example"].map(|name| name.parse().unwrap()).to_vec(),
    }
}

pub(super) fn wants_host() -> Event {
    let call = CallId(1);
    let offer = |words: &[&str], told: &str| RuleOffer { rule: rule(words), words: told.into() };
    let question = Question {
        id: AskId(1),
        call: Some(call),
        subject: Subject::Reach {
            by: Reacher::Call { call },
            command: "npm install 2>&1 | tail -5".into(),
            host: host("packages.example"),
            hosts: vec![host("packages.example"), host("cdn.example")],
        },
        preview: Preview {
            title: "`npm install 2>&1 | tail -5` wants to reach packages.example:443".into(),
            body: PreviewBody::Plain,
        },
        why: "nothing allows this host yet".into(),
        offers: vec![
            offer(
                &["npm", "install"],
                "always let commands that begin with `npm install` in this project reach packages.example, cdn.example",
            ),
            offer(&[], "always let any command of this project reach packages.example, cdn.example"),
        ],
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Cause::HostNotAllowed,
        hosts: Vec::new(),
    };
    Event::Call(CallEvent::Asked { question })
}

fn asked(event: Event, (width, height): (u16, u16)) -> Stage {
    let mut stage = Stage::new();
    stage.resize(width, height).hear(turn("install it")).hear(event);
    // What was not all on the screen is answered by no single key.
    stage.screen();
    stage.wait(600);
    stage
}

fn yes(remember: Option<Rule>) -> Op {
    Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Yes { remember, word: None } })
}

#[test]
fn a_held_command_its_host_and_what_a_yes_covers_are_shown_with_their_keys() {
    insta::assert_snapshot!("reach_80x24", asked(wants_host(), (80, 24)).part());
}

#[test]
fn each_key_answers_what_it_says() {
    let pressed = |keys: &str| asked(wants_host(), (120, 40)).keys(keys).ops();
    assert_eq!(pressed("<=y>"), [yes(None)]);
    assert_eq!(pressed("<=a>"), [yes(Some(rule(&["npm", "install"])))]);
    assert_eq!(pressed("<=b>"), [yes(Some(rule(&[])))]);
    assert_eq!(pressed("<=n>"), [Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::No { word: None } })]);
    assert_eq!(pressed("<esc>"), [Op::Turn(TurnOp::Interrupt)]);
    assert!(pressed("<enter>").is_empty(), "Enter alone answers nothing");
}

#[test]
fn a_run_that_needs_hosts_names_them() {
    let event = asks("cargo fetch", |question| question.hosts = vec![host("index.example"), host("static.example")]);
    insta::assert_snapshot!("run_with_hosts_80x24", asked(event, (80, 24)).part());
}

#[test]
fn a_machine_that_may_be_thrown_away_says_so_in_the_status_line() {
    for (width, height) in SIZES {
        let mut stage = Stage::blank(width, height);
        let Event::Session(SessionEvent::Opened { project, host, mode, tools, exposed, .. }) = opened() else {
            unreachable!("an opening")
        };
        let words = "--no-sandbox-no-questions".into();
        let sandbox = SandboxSupport { kind: SandboxKind::Disposable, words, details: Vec::new(), apart: false };
        stage.hear(Event::Session(SessionEvent::Opened { project, host, mode, tools, sandbox, exposed }));
        let shown = stage.screen();
        let last = shown.lines().last().unwrap_or_default();
        assert!(last.trim_end().ends_with("NO SANDBOX") && !last.contains("SAFE"), "{shown}");
        assert!(shown.contains("── NO SANDBOX, NO QUESTIONS"), "where the user types as well: {shown}");
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan }));
        let shown = stage.screen();
        assert!(shown.lines().last().unwrap_or_default().contains("no sandbox"), "{shown}");
    }
}
