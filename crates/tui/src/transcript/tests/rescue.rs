//! How calls look that did not come by the straight way, and what the model wrote that counts for nothing.

use super::story::{asked, command, edit, finished, plain, proposed, running, settled, text};
use super::{after, screen, transcript, unfold_all, whole};
use agent_protocol::{
    CallEvent, CallId, Event, NoticeLevel, Origin, Phase, SessionEvent, SetAside, Settlement, Status, TurnEvent, Usage,
    Way,
};
use serde_json::{Value, json};
use std::time::Duration;

/// A call written as text, in need of as many repairs.
fn written(id: u64, name: &str, arguments: Value, raw: &str, repairs: &[&str]) -> Event {
    let Event::Call(CallEvent::Proposed { mut call }) = proposed(id, name, arguments) else {
        unreachable!("a proposal")
    };
    let repairs = repairs.iter().map(|&repair| repair.to_owned()).collect();
    call.origin = Origin { way: Way::Text, dialect: Some("hermes".into()), raw: raw.into(), repairs };
    Event::Call(CallEvent::Proposed { call })
}

fn understood(id: u64, name: &str, notes: &[&str]) -> Event {
    let notes = notes.iter().map(|&note| note.to_owned()).collect();
    Event::Call(CallEvent::Understood { call: CallId(id), name: name.into(), notes })
}

fn aside(text: &str, why: SetAside) -> Event {
    Event::Turn(TurnEvent::SetAside { text: text.into(), why })
}

fn read(id: u64) -> Vec<Event> {
    vec![
        written(id, "read_file", json!({"file_path": "a"}), "<tool_call>{…}", &[]),
        running(id, plain("Read a")),
        finished(id, Status::Done, "3 lines", "x"),
    ]
}

#[test]
fn the_recorded_rescue_is_drawn_at_every_size() {
    let recorded = include_str!("../../../../../tests/recorded/rescue.jsonl");
    let events: Vec<Event> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for width in [120, 80, 40] {
        let mut transcript = transcript();
        events.iter().for_each(|event| transcript.apply(event, Duration::ZERO));
        let folded = whole(&mut transcript, width);
        unfold_all(&mut transcript);
        let unfolded = whole(&mut transcript, width);
        if width == 80 {
            insta::assert_snapshot!("rescue_80", folded);
            insta::assert_snapshot!("rescue_unfolded_80", unfolded);
        }
        assert!(transcript.tail(usize::MAX, width).iter().all(|row| !row.contains('\u{1b}')));
    }
}

#[test]
fn a_call_that_came_the_straight_way_has_nothing_more_to_unfold() {
    let server = |origin: bool| {
        let mut events = vec![proposed(1, "read_file", json!({"file_path": "a"}))];
        events.extend(origin.then(|| understood(1, "read_file", &[])));
        events.extend([running(1, plain("Read a")), finished(1, Status::Done, "1 line", "x")]);
        let mut transcript = after(&events);
        transcript.toggle_details();
        whole(&mut transcript, 60)
    };
    assert_eq!(server(false), "✓ Read a · 1 line\n  file_path: a\n  │ x\n");
    assert_eq!(server(true), server(false));
}

#[test]
fn an_answer_that_was_reasoning_is_folded_away_and_the_answer_stands_below() {
    let was = Event::Turn(TurnEvent::WasThinking { text: "Perhaps <b>.".into() });
    let mut transcript = after(&[text("Perhaps "), text("."), was, text("It is short.")]);
    assert_eq!(whole(&mut transcript, 60), "▸ thought for a moment\n\n  It is short.\n");
    transcript.toggle_at(0);
    assert!(whole(&mut transcript, 60).contains("│ Perhaps <b>."));
}

#[test]
fn a_call_is_called_by_the_tool_that_carries_it_out() {
    let mut transcript = after(&[written(1, "bash", json!({"cmd": "make"}), "", &[])]);
    assert_eq!(whole(&mut transcript, 60), "• bash make (from text · hermes) · waiting\n");
    transcript.apply(&understood(1, "run_command", &["bash was read as run_command"]), Duration::ZERO);
    let shown = "• Run make (from text · hermes) · waiting\n  bash was read as run_command\n";
    assert_eq!(whole(&mut transcript, 60), shown);
}

#[test]
fn what_was_changed_is_told_before_the_answer_and_in_a_word_after_the_end() {
    let notes = ["one", "two", "three", "four", "five"];
    let mut events = vec![
        proposed(1, "bash", json!({"cmd": "make"})),
        understood(1, "run_command", &notes),
        asked(1, command("make")),
    ];
    let shown = "• Run make · waiting for your answer\n  one\n  two\n  three\n  and 2 more\n";
    assert_eq!(whole(&mut after(&events), 60), shown);
    let yes = Settlement::Yes { remember: None, word: None };
    events.extend([settled(1, yes), running(1, command("make")), finished(1, Status::Done, "exit 0", "built")]);
    let mut transcript = after(&events);
    assert_eq!(whole(&mut transcript, 60), "✓ Run make · exit 0\n  one, and 4 more\n  │ built\n");
    transcript.toggle_details();
    assert!(whole(&mut transcript, 60).contains("  changed:\n    one\n    two\n    three\n    four\n    five\n"));
}

#[test]
fn details_show_exactly_what_the_model_wrote() {
    let raw = "<tool_call>\n  {'name': 'read_file', \u{1b}[2J\t'a': 1}\n</tool_call>";
    let mut transcript = after(&[
        written(1, "read_file", json!({"file_path": "a"}), raw, &["single quotes read as double"]),
        running(1, plain("Read a")),
        finished(1, Status::Done, "1 line", "x"),
    ]);
    transcript.toggle_details();
    let shown = whole(&mut transcript, 60);
    assert!(shown.starts_with("✓ Read a (from text · hermes · 1 repair) · 1 line\n  file_path: a\n"), "{shown}");
    assert!(
        shown.contains(
            "\n  recognised: in the text of the reply, as hermes\n  repaired: single quotes read as double\n"
        )
    );
    assert!(shown.contains("  the model wrote:\n    <tool_call>\n      {'name': 'read_file', ␛[2J"), "{shown}");
    assert!(shown.ends_with("    </tool_call>\n  │ x\n"), "{shown}");
}

#[test]
fn the_badge_of_an_edit_stands_before_its_figures() {
    let mut transcript = after(&[
        written(1, "edit_file", json!({"file_path": "src/total.rs"}), "", &[]),
        running(1, edit(Some("a\n"), "b\n")),
        finished(1, Status::Done, "+1 −1", ""),
    ]);
    let first = whole(&mut transcript, 60).lines().next().map(str::to_owned);
    assert_eq!(first.as_deref(), Some("✓ Edit src/total.rs (from text · hermes)  +1 −1 · done"));
}

#[test]
fn calls_with_badges_and_what_was_left_out_stand_together() {
    let mut events = read(1);
    events.extend([aside("a\nb\n", SetAside::Invented), aside("\n So it is.", SetAside::AfterCall)]);
    events
        .extend([written(2, "cat", json!({"path": "b"}), "", &[]), understood(2, "read_file", &["cat is read_file"])]);
    events.extend(read(3));
    let shown = "✓ Read a (from text · hermes) · 3 lines\n\
        ▸ left out: a result the model made up (2 lines)\n\
        ▸ left out: written after its call, before the result (1 line)\n\
        • Read b (from text · hermes) · waiting\n  cat is read_file\n\
        ✓ Read a (from text · hermes) · 3 lines\n";
    assert_eq!(whole(&mut after(&events), 70), shown);
}

#[test]
fn what_was_left_out_unfolds() {
    let mut transcript = after(&[aside("\r\n<tool_response>\r\n42\u{1b}\n</tool_response>\n\n", SetAside::Invented)]);
    assert_eq!(whole(&mut transcript, 60), "▸ left out: a result the model made up (3 lines)\n");
    transcript.toggle_details();
    let shown =
        "▾ left out: a result the model made up (3 lines)\n  │ <tool_response>\n  │ 42␛\n  │ </tool_response>\n";
    assert_eq!(whole(&mut transcript, 60), shown);
}

#[test]
fn a_result_of_which_only_the_mark_is_there_has_no_length() {
    let mut transcript = after(&[aside("<tool_response>", SetAside::Invented)]);
    assert_eq!(whole(&mut transcript, 60), "▸ left out: the model began to make up a result\n");
    transcript.toggle_details();
    assert_eq!(whole(&mut transcript, 60), "▾ left out: the model began to make up a result\n  │ <tool_response>\n");
    let mut beside = after(&[aside("read_file(a)\nread_file(b)", SetAside::Beside)]);
    let shown = "▸ left out: a call in the text, beside those the server sent (2 lines)\n";
    assert_eq!(whole(&mut beside, 80), shown);
}

#[test]
fn a_text_of_64_kilobytes_unfolds_to_its_end() {
    let raw: String = (1..=4_000).map(|number| format!("let line_{number} = 1;\n")).collect();
    assert!(raw.len() > 64 * 1024);
    let mut transcript = after(&[
        written(1, "write_file", json!({"file_path": "a"}), &raw, &[]),
        running(1, plain("Write a")),
        finished(1, Status::Done, "done", ""),
    ]);
    assert!(transcript.tail(usize::MAX, 60).len() < 5);
    transcript.toggle_details();
    let shown = transcript.tail(usize::MAX, 60).join("\n");
    let lines = shown.matches("    let line_").count();
    assert!(lines == 4_000 && shown.ends_with("let line_4000 = 1;"), "{lines} lines");
}

#[test]
fn what_is_said_after_the_end_of_a_reply_stands_below_it() {
    let replied = || Event::Turn(TurnEvent::Replied { usage: Usage::default(), reused: None });
    let notice = || Event::Session(SessionEvent::Notice { level: NoticeLevel::Info, text: "it is asked again".into() });
    let mut transcript = after(&[text("I will read"), replied(), notice()]);
    assert_eq!(whole(&mut transcript, 60), "  I will read\n\n· it is asked again\n");
    let thought = || Event::Turn(TurnEvent::Thinking { text: "Hm.".into() });
    let mut transcript = after(&[thought(), replied(), notice(), text("So.")]);
    assert_eq!(whole(&mut transcript, 60), "▸ thought for 1 s\n\n· it is asked again\n\n  So.\n");
    let mut in_the_middle = after(&[text("I will "), notice(), text("read")]);
    assert_eq!(whole(&mut in_the_middle, 60), "· it is asked again\n\n  I will read\n");
}

#[test]
fn much_that_was_left_out_is_bounded() {
    let mut transcript = after(&[aside(&"line\n".repeat(5_000), SetAside::Unreadable)]);
    assert_eq!(whole(&mut transcript, 60), "▸ a call could not be read and is not run\n");
    transcript.toggle_details();
    let shown = whole(&mut transcript, 60);
    assert_eq!((shown.lines().count(), shown.lines().last()), (202, Some("  │ ⋯ 4800 lines more")));
}

#[test]
fn a_blank_after_a_call_is_no_news_and_parts_nothing() {
    for why in [SetAside::AfterCall, SetAside::Invented] {
        let mut transcript = after(&[text("Half a "), aside(" \n\t", why), text("sentence.")]);
        assert_eq!(whole(&mut transcript, 60), "  Half a sentence.\n");
    }
    let mut transcript = after(&[aside("", SetAside::CutOff)]);
    transcript.toggle_details();
    assert_eq!(whole(&mut transcript, 60), "· a call was cut off and is not run\n");
}

#[test]
fn what_is_written_anew_does_not_go_on_with_what_was_cut() {
    let sending = Event::Turn(TurnEvent::Waiting { phase: Phase::Sending });
    let mut transcript = after(&[text("I will re"), sending, text("I will read it.")]);
    assert_eq!(whole(&mut transcript, 60), "  I will re\n\n  I will read it.\n");
}

#[test]
fn no_width_is_too_small_for_a_badge() {
    let long = "path/".repeat(40);
    let mut transcript = after(&[
        written(1, "read_file", json!({"file_path": long}), &"raw ".repeat(99), &["mended", "mended too"]),
        understood(1, "read_file", &["a note that is much longer than the narrowest of these screens"]),
        running(1, plain(&format!("Read {long}"))),
        aside("words\n", SetAside::AfterCall),
    ]);
    for width in [10, 24, 40, 80] {
        transcript.layout(width, 10);
        for row in transcript.tail(usize::MAX, width) {
            assert!(crate::text::width::width(&row) < usize::from(width), "{row:?} at {width}");
        }
        transcript.toggle_details();
        screen(&mut transcript, width, 30);
    }
}
