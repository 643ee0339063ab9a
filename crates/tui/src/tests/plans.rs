//! Plan mode, and the plan as a document to decide on.

use super::harness::{Stage, turn};
use super::looks::{look, look_whole, worked};
use crate::app::Msg;
use crate::cmd::{Cmd, Purpose};
use crate::terminal::Edited;
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallId, CallOp, Event, Mode, ModelCall, Op, Origin, Outcome, Preview,
    PreviewBody, Proposal, Question, SessionAct, Settlement, Status, Subject, ToolCall, TurnOp,
};
use serde_json::json;

const PLAN: &str = "# Make the build green\n\nTwo tests fail, since `total.sh` adds prices **without** their \
    quantities.\n\n1. Read `total.sh` and `test.sh`.\n2. Multiply the price by the quantity:\n\n   ```sh\n   \
    sum=$((sum + quantity * price))\n   ```\n\n3. Run `sh test.sh`; it should say *all checks passed*.\n\n\
    | file | change |\n|---|---|\n| total.sh | one line |\n| test.sh | none |\n\n> Nothing else is touched.\n";

fn preview(text: &str) -> Preview {
    Preview { title: "Propose a plan".into(), body: PreviewBody::Plan { text: text.into() } }
}

pub(super) fn asks_plan(text: &str) -> Event {
    let action = Action::Session { act: SessionAct::Propose { plan: text.into() } };
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject: Subject::Action { action },
            preview: preview(text),
            why: String::new(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

pub(super) fn proposed(name: &str, arguments: serde_json::Value) -> Event {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(1), call, origin: Origin::default() } })
}

pub(super) fn finished(status: Status, summary: &str) -> Event {
    let (told, detail) = (String::new(), String::new());
    let outcome = Outcome {
        status,
        told,
        summary: summary.into(),
        detail,
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    Event::Call(CallEvent::Finished { call: CallId(1), outcome })
}

fn asked(text: &str) -> Stage {
    let mut stage = Stage::new();
    stage
        .hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan }))
        .hear(turn("plan it"))
        .hear(asks_plan(text))
        .wait(600);
    stage
}

fn reply(answer: Answer) -> Op {
    Op::Call(CallOp::Reply { ask: AskId(1), answer })
}

fn long_plan() -> String {
    (1..80).map(|number| format!("{number}. Do the thing with the number {number}\n")).collect()
}

#[test]
fn plan_mode_is_set_by_its_command_and_shown_in_three_places() {
    let mut stage = Stage::new();
    stage.keys("/plan<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: Mode::Plan })]);
    stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan })).keys("/plan<enter>");
    assert!(stage.shows("plan mode is on already") && stage.shows("── PLAN: the model only looks ──"));
    assert!(stage.screen().lines().last().unwrap().ends_with("PLAN"), "{}", stage.screen());
    stage.keys("/status<enter>");
    assert!(stage.shows("plan: the model only looks, and ends with a plan that you decide on"));
}

#[test]
fn a_plan_is_approved_or_refused() {
    for (keys, answer) in [
        ("<=y>", Answer::Yes { remember: None, word: None }),
        ("<=n>", Answer::No { word: None }),
        ("<tab>tests first<enter><=y>", Answer::Yes { remember: None, word: Some("tests first".into()) }),
    ] {
        let mut stage = asked(PLAN);
        stage.keys(keys);
        assert_eq!(stage.ops(), [reply(answer)], "{keys}");
    }
    let mut stage = asked(PLAN);
    stage.keys("<esc>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
}

#[test]
fn a_plan_goes_back_with_a_word_and_not_without_one() {
    let mut stage = asked(PLAN);
    stage.keys("<=r><enter>");
    assert!(stage.shows("what should be different:") && stage.shows("write what should be different"));
    stage.keys("keep the shell<a-enter>").paste("as it is").keys("<enter>");
    let word = Some("keep the shell\nas it is".into());
    assert_eq!(stage.ops(), [reply(Answer::No { word })]);
    let mut stage = asked(PLAN);
    stage.keys("<=r>hm<esc><=y>");
    assert_eq!(stage.ops(), [reply(Answer::Yes { remember: None, word: None })]);
}

#[test]
fn an_edited_plan_is_proposed_in_its_place() {
    let mut stage = asked(PLAN);
    stage.keys("<=e>");
    let purpose = Purpose::Plan { ask: AskId(1) };
    let edit = Cmd::Edit { text: PLAN.into(), extension: "md".into(), line: None, purpose: purpose.clone() };
    assert_eq!(stage.cmds(), [edit]);
    stage.tell(Msg::Edited(purpose.clone(), Edited::Unchanged));
    assert!(stage.shows("the text is unchanged; the question stands"));
    stage.tell(Msg::Edited(purpose.clone(), Edited::Text("# Another\n".into())));
    let proposal = Proposal::Plan { text: "# Another\n".into() };
    assert_eq!(stage.ops(), [reply(Answer::Instead { proposal })]);
    stage
        .hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Instead }))
        .hear(asks_plan("# Another\n"));
    stage.wait(600);
    assert!(stage.shows("Another") && stage.shows("y/1 approve"), "{}", stage.screen());
    stage.hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn }));
    stage.tell(Msg::Edited(purpose, Edited::Text("late".into())));
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("the question is closed already"));
}

#[test]
fn a_long_plan_scrolls_and_is_read_to_its_end_before_a_yes_counts_at_once() {
    let mut stage = asked(&long_plan());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("lines not shown: PgDn to read, y again to approve all the same"), "{}", stage.screen());
    stage.keys(&"<pgdn>".repeat(20));
    assert!(stage.shows("79. Do the thing with the number 79"));
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [reply(Answer::Yes { remember: None, word: None })]);
}

#[test]
fn the_keys_of_a_plan_are_there_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = asked(&long_plan());
        stage.resize(width, height);
        for key in ["approve", "send back", "edit", "reject", "Esc reject and stop", "The model's plan"] {
            assert!(stage.shows(key), "{key} at {width}x{height}\n{}", stage.screen());
        }
    }
}

#[test]
fn a_plan_commands_no_terminal() {
    let mut stage = asked("# a\u{1b}[2J\u{202e}b\n\n- c\u{7}\n\n```\nd\u{9b}31m\n```\n");
    let shown = stage.screen();
    assert!(shown.contains("a␛[2J⟨U+202E⟩b"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}', '\u{9b}']), "{shown}");
}

#[test]
fn plan_mode() {
    look_whole("plan_mode", |stage| {
        worked(stage);
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan }));
    });
}

#[test]
fn a_plan_to_decide_on() {
    look("asks_plan", |stage| {
        worked(stage);
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan })).hear(asks_plan(PLAN)).wait(600);
    });
}

#[test]
fn a_plan_about_to_go_back() {
    look("asks_plan_back", |stage| {
        worked(stage);
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Plan })).hear(asks_plan(PLAN)).wait(600);
        stage.keys("<=r>keep the shell as it is, and say what a quantity of 0 means");
    });
}

fn approved(stage: &mut Stage) {
    worked(stage);
    stage.hear(proposed("exit_plan_mode", json!({"plan": PLAN}))).hear(asks_plan(PLAN));
    let settlement = Settlement::Yes { remember: None, word: Some("tests first".into()) };
    stage
        .hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement }))
        .hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Safe }));
    stage
        .hear(Event::Call(CallEvent::Running { call: CallId(1), preview: preview(PLAN) }))
        .hear(finished(Status::Done, "approved"));
}

#[test]
fn a_plan_that_was_approved() {
    look("plan_approved", approved);
}

#[test]
fn a_plan_that_was_approved_unfolded() {
    look("plan_unfolded", |stage| {
        approved(stage);
        stage.keys("<c-o>");
    });
}
