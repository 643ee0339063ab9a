//! Stopping, leaving, modes, the queue, the mouse.

use super::harness::{Stage, asks_command, asks_edit, turn, turn_ended};
use crate::app::Msg;
use crate::cmd::Cmd;
use crate::settings::{Exit, Mouse};
use agent_protocol::{
    CallEvent, CallId, CallOp, ContextEvent, ContextOp, Event, Mode, NoticeLevel, Op, Phase, SessionEvent, TurnEvent,
    TurnOp, Usage,
};
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

#[test]
fn esc_interrupts_and_keeps_the_draft() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("dra<esc>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![Op::Turn(TurnOp::Interrupt)], "dra".into()));
}

#[test]
fn esc_does_nothing_where_nothing_goes_on() {
    assert_eq!(Stage::new().keys("<esc>").ops(), []);
}

#[test]
fn control_c_clears_then_interrupts_then_leaves() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("dra<c-c>");
    assert!(stage.shows("draft cleared; Ctrl+C again stops the model"));
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], String::new()));
    stage.keys("<c-c>");
    assert!(stage.shows("Ctrl+C again leaves"));
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
    stage.keys("<c-c>");
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Quit)]);
}

#[test]
fn that_control_c_leaves_is_said_as_long_as_it_is_true() {
    let mut stage = Stage::new();
    stage.keys("dra<c-c>").wait(1_999);
    assert!(stage.shows("draft cleared; Ctrl+C again leaves"));
    stage.wait(1);
    assert!(!stage.shows("Ctrl+C again leaves"));
    stage.keys("<c-c>");
    assert!(stage.shows("Ctrl+C again leaves"));
    stage.keys("x");
    assert!(!stage.shows("Ctrl+C again leaves"));
    stage.keys("<c-c>");
    assert_eq!(stage.cmds(), []);
    stage.wait(1_999).keys("<c-c>");
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Quit)]);
}

#[test]
fn up_brings_a_cleared_draft_back() {
    let mut stage = Stage::new();
    stage.keys("a long draft<c-c><up>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "a long draft".into()));
}

#[test]
fn remarks_can_be_read_beside_a_dialog_as_well() {
    for (width, height) in [(120, 40), (40, 12)] {
        let mut stage = Stage::new();
        stage.resize(width, height).keys("?").hear(turn("go")).hear(asks_command("make")).keys("<c-c>");
        assert!(stage.shows("Ctrl+C again leaves") && stage.shows("approve once"), "{}", stage.screen());
    }
}

#[test]
fn control_d_leaves_only_where_nothing_is_written() {
    let mut stage = Stage::new();
    stage.keys("ab<left><c-d>");
    assert_eq!((stage.cmds(), stage.app.composer.text()), (vec![], "a".into()));
    stage.keys("<backspace><c-d>");
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Quit)]);
}

#[test]
fn leaving_has_many_names() {
    for words in ["/exit", "/quit", "/q", "/bye", "exit", "quit", ":q"] {
        assert_eq!(Stage::new().keys(words).keys("<esc><enter>").cmds(), [Cmd::Leave(Exit::Quit)], "{words}");
    }
}

#[test]
fn a_closed_session_is_left() {
    assert_eq!(Stage::new().hear(Event::Session(SessionEvent::Closed)).cmds(), [Cmd::Leave(Exit::Quit)]);
}

#[test]
fn up_on_an_empty_composer_takes_queued_messages_back() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Queued { texts: vec!["oops".into()] }));
    assert!(stage.shows("queued: oops (↑ takes back)"));
    stage.keys("<up>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Unqueue)]);
    stage
        .hear(Event::Turn(TurnEvent::Queued { texts: Vec::new() }))
        .hear(Event::Turn(TurnEvent::Unqueued { text: "oops".into() }));
    assert!(stage.shows("› oops") && !stage.shows("queued"));
}

#[test]
fn taken_back_words_come_before_what_is_written() {
    let mut stage = Stage::new();
    stage.keys("new").hear(Event::Turn(TurnEvent::Unqueued { text: "old".into() }));
    assert_eq!(stage.app.composer.text(), "old\n\nnew");
}

#[test]
fn shift_tab_switches_the_mode() {
    let mut stage = Stage::new();
    for (mode, next, word) in [
        (Mode::Safe, Mode::AcceptEdits, "Shift+Tab edits"),
        (Mode::AcceptEdits, Mode::Plan, "Shift+Tab plan"),
        (Mode::Plan, Mode::Unsafe, "Shift+Tab unsafe"),
        (Mode::Unsafe, Mode::Safe, "Shift+Tab safe"),
    ] {
        stage.hear(Event::Call(CallEvent::ModeChanged { mode }));
        assert!(stage.shows(word), "{}", stage.screen());
        stage.keys("<s-tab>");
        assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: next })]);
    }
    stage.keys("/unsafe<enter>");
    assert!(stage.shows("unsafe mode is on already"));
}

#[test]
fn a_mode_that_is_off_is_left_out_of_the_round() {
    let mut stage = Stage::new();
    for (wanted, told) in [
        (Mode::AcceptEdits, Mode::Safe),
        (Mode::Plan, Mode::Plan),
        (Mode::Unsafe, Mode::Safe),
        (Mode::Plan, Mode::Plan),
    ] {
        stage.keys("<s-tab>");
        assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: wanted })]);
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: told }));
    }
    assert!(stage.shows("Shift+Tab safe"), "{}", stage.screen());
}

#[test]
fn accept_edits_mode_has_a_command_and_says_so_at_the_composer() {
    let mut stage = Stage::new();
    stage.keys("/accept-edits<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: Mode::AcceptEdits })]);
    stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::AcceptEdits }));
    assert!(stage.shows("EDITS: files in the project without asking"), "{}", stage.screen());
    stage.keys("/safe<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: Mode::Safe })]);
}

#[test]
fn the_mode_cannot_be_switched_while_a_question_is_open() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_command("make")).wait(600).keys("<s-tab>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("answer first"));
}

#[test]
fn the_mouse_can_be_given_to_the_terminal() {
    let mut stage = Stage::new();
    stage.keys("<a-m>");
    assert_eq!(stage.cmds(), [Cmd::SetMouse(Mouse::Free)]);
    stage.keys("<a-m>");
    assert_eq!(stage.cmds(), [Cmd::SetMouse(Mouse::Captured)]);
}

#[test]
fn a_click_or_a_turn_of_the_wheel_sends_nothing() {
    let mut stage = Stage::new();
    for kind in [MouseEventKind::ScrollUp, MouseEventKind::ScrollDown, MouseEventKind::Down(MouseButton::Left)] {
        stage.tell(Msg::Mouse(MouseEvent { kind, column: 3, row: 3, modifiers: KeyModifiers::NONE }));
    }
    assert_eq!(stage.cmds(), []);
}

#[test]
fn redraw_suspend_and_clear_are_a_key_or_a_word_away() {
    let mut stage = Stage::new();
    stage.keys("<c-l><c-z>/clear<enter>/retry<enter>");
    assert_eq!(
        stage.cmds(),
        [Cmd::Redraw, Cmd::Suspend, Cmd::Send(Op::Context(ContextOp::Clear)), Cmd::Send(Op::Turn(TurnOp::Retry))]
    );
}

#[test]
fn nothing_wakes_us_while_nothing_goes_on() {
    let mut stage = Stage::new();
    assert_eq!(stage.app.wakes_at(), None);
    stage.hear(turn("go"));
    assert!(stage.app.wakes_at().is_some());
    stage.hear(turn_ended());
    assert_eq!(stage.app.wakes_at(), None);
}

#[test]
fn the_clock_of_a_turn_wakes_once_a_second() {
    let mut stage = Stage::new();
    stage.wait(300).hear(turn("go")).hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Loading }));
    let first = stage.app.wakes_at().unwrap();
    stage.wait(400).hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate: None } }));
    assert_eq!(stage.app.wakes_at(), Some(first));
    stage.wait(600);
    assert_eq!(stage.app.wakes_at(), Some(first + std::time::Duration::from_secs(1)));
}

#[test]
fn the_waiting_line_tells_what_is_waited_for() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Loading })).wait(12_000);
    assert!(stage.shows("loading qwen3:8b · 12 s · Esc interrupts"));
    stage.hear(Event::Turn(TurnEvent::Text { text: "Hello".into() })).wait(5_000);
    assert!(stage.shows("writing · 5 s · Esc interrupts"));
}

#[test]
fn the_waiting_line_says_what_runs_and_not_which() {
    for (asked, words) in [
        (asks_command("make"), "running a command · 4 s · Esc interrupts"),
        (asks_edit("a\n", "b\n"), "writing a file · 4 s · Esc interrupts"),
    ] {
        let Event::Call(CallEvent::Asked { question }) = asked else { panic!("not a question") };
        let mut stage = Stage::new();
        stage
            .hear(turn("go"))
            .hear(Event::Call(CallEvent::Running { call: CallId(1), preview: question.preview }))
            .wait(4_000);
        assert!(stage.shows(words), "{}", stage.screen());
    }
}

fn replied(tokens: u64) -> Event {
    let usage = Usage { reply_tokens: Some(tokens), reply_ns: Some(2_000_000_000), ..Usage::default() };
    Event::Turn(TurnEvent::Replied { usage, reused: None })
}

#[test]
fn the_speed_shown_is_that_of_the_reply_under_way() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Text { text: "Hello".into() })).hear(replied(90));
    assert!(!stage.shows("tok/s"), "what a turn cost is one short figure");
    stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }));
    assert!(!stage.shows("tok/s"));
    for _ in 0..40 {
        stage.hear(Event::Turn(TurnEvent::Text { text: "word ".into() })).wait(50);
    }
    assert!(stage.shows("~20 tok/s"), "{}", stage.screen());
    stage.hear(replied(42));
    assert!(!stage.shows("tok/s"));
}

#[test]
fn no_figure_is_left_of_a_conversation_forgotten() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(replied(90)).wait(7_000).hear(turn_ended());
    assert!(stage.shows("  7 s"));
    stage.hear(Event::Context(ContextEvent::Cleared));
    assert!(!stage.shows("tok/s") && !stage.shows("7 s"), "{}", stage.screen());
}

#[test]
fn the_welcome_stays_until_a_turn_begins() {
    for (width, height) in [(120, 40), (40, 12)] {
        let mut stage = Stage::new();
        stage.resize(width, height);
        stage.hear(Event::Session(SessionEvent::Notice {
            level: NoticeLevel::Warning,
            text: "the config names no model".into(),
        }));
        let shown = stage.screen();
        let place = |text| shown.find(text).unwrap_or_else(|| panic!("{text} is missing: {shown}"));
        assert!(place("agent 0.1.0") < place("the config names no model"));
        stage.hear(turn("go"));
        assert!(!stage.shows("agent 0.1.0") && stage.shows("the config names no model"));
    }
}
