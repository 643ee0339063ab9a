//! Calls that came by another way, on the whole screen: what is asked about them, the counts, the mark of a model
//! that is told of its tools in words.

use super::harness::{Stage, asks_command, asks_edit, model, turn};
use agent_protocol::{
    Answer, AskId, CallEvent, CallId, CallOp, ContextEvent, Event, ModelCall, ModelCard, Op, Origin, Phase, Preview,
    PreviewBody, Question, ServerEvent, Stuck, Subject, ToolCall, ToolCost, ToolsBy, TurnEvent, Way,
};
use std::path::PathBuf;

pub(super) fn offered(by: ToolsBy) -> Event {
    let cost = |(name, tokens): (&str, u64)| ToolCost { name: name.into(), tokens };
    Event::Context(ContextEvent::Offered {
        by,
        costs: [("read_file", 118), ("run_command", 1_090)].map(cost).into(),
        groups: Vec::new(),
    })
}

pub(super) fn arrived(id: u64, way: Way, dialect: Option<&str>, repairs: usize) -> Event {
    let call = ModelCall {
        server_id: None,
        index: None,
        name: "bash".into(),
        arguments: serde_json::json!({"cmd": "cargo test --workspace"}),
    };
    let raw = if way == Way::Server { "" } else { "…" };
    let origin =
        Origin { way, dialect: dialect.map(Into::into), raw: raw.into(), repairs: vec!["mended".into(); repairs] };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin } })
}

/// The call 1 is carried out by `run_command`, with so many changes.
pub(super) fn understood(changes: usize) -> Event {
    let notes = ["bash was read as run_command", "cmd was read as command", "timeout 5000 ms was read as 5 s"];
    let notes = notes.map(str::to_owned).into_iter().chain((4..).map(|number| format!("thing {number}")));
    Event::Call(CallEvent::Understood {
        call: CallId(1),
        name: "run_command".into(),
        notes: notes.take(changes).collect(),
    })
}

pub(super) fn asks_whether_to_go_on(how: Stuck) -> Event {
    let preview = Preview { title: "Go on?".into(), body: PreviewBody::Plain };
    let why = format!("the model {}; it was told so, and did not get on", how.words());
    let question = Question {
        hosts: Vec::new(),
        id: AskId(7),
        call: None,
        subject: Subject::Stuck { how },
        preview,
        why,
        offers: vec![],
        warnings: vec![],
        parts: vec![],
        cause: Default::default(),
    };
    Event::Call(CallEvent::Asked { question })
}

#[test]
fn the_question_tells_how_the_call_came_and_what_was_changed() {
    let mut stage = Stage::new();
    stage.hear(turn("test")).hear(arrived(1, Way::Text, Some("hermes"), 2)).hear(understood(5));
    stage.hear(asks_command("cargo test --workspace")).wait(600);
    let shown = stage.screen();
    let dialog: Vec<&str> = shown.lines().skip_while(|row| !row.starts_with("──")).map(str::trim).collect();
    let told = ["from text · hermes · 2 repairs", "bash was read as run_command", "cmd was read as command"];
    let at = dialog.iter().position(|row| *row == told[0]).unwrap_or_default();
    assert_eq!(dialog[at..at + 3], told, "{shown}");
    assert_eq!(dialog[at + 3..at + 5], ["timeout 5000 ms was read as 5 s", "and 2 more"], "{shown}");
}

#[test]
fn the_change_that_weighs_most_is_on_the_smallest_screen() {
    let far_down = PathBuf::from("/home/me/project/with/many/folders/each/of/them/in/the/one/before/it".repeat(3));
    let mut asks = asks_command("cargo test --workspace");
    if let Event::Call(CallEvent::Asked { question }) = &mut asks
        && let PreviewBody::Command { cwd, .. } = &mut question.preview.body
    {
        *cwd = far_down;
    }
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = Stage::new();
        stage.resize(width, height).hear(turn("test")).hear(arrived(1, Way::Text, Some("hermes"), 2));
        stage.hear(understood(5)).hear(asks.clone()).wait(600);
        let shown = stage.screen();
        let mut dialog = shown.lines().skip_while(|row| !row.starts_with("──"));
        assert!(dialog.any(|row| row.trim_start().starts_with("bash ")), "{width}x{height}\n{shown}");
    }
}

#[test]
fn a_call_of_the_server_is_asked_about_without_remarks() {
    let mut plain = Stage::new();
    plain.hear(turn("test")).hear(asks_edit("a\n", "b\n"));
    let mut sent = Stage::new();
    sent.hear(turn("test")).hear(arrived(1, Way::Server, None, 0)).hear(understood(0)).hear(asks_edit("a\n", "b\n"));
    let dialog = |screen: String| screen.lines().skip_while(|row| !row.starts_with("──")).map(str::to_owned).collect();
    let (plain, sent): (Vec<String>, Vec<String>) = (dialog(plain.screen()), dialog(sent.screen()));
    assert_eq!(plain, sent);
}

#[test]
fn a_stuck_model_is_asked_about_and_goes_on_or_stops() {
    for (key, answer) in [("<=y>", Answer::Yes { remember: None, word: None }), ("<=n>", Answer::No { word: None })] {
        let mut stage = Stage::new();
        stage.hear(turn("test")).hear(asks_whether_to_go_on(Stuck::Announcing)).wait(600);
        assert!(stage.shows("Go on?") && stage.shows("y/1 go on   n/2 stop here"), "{}", stage.screen());
        assert!(stage.shows("the model says what it will do, and does not do it"));
        stage.keys(key);
        assert_eq!(stage.ops(), [Op::Call(CallOp::Reply { ask: AskId(7), answer })]);
    }
}

#[test]
fn a_model_that_is_told_of_its_tools_in_words_lacks_none() {
    let mut stage = Stage::new();
    let card = ModelCard { tools: Some(false), ..model("gemma3:12b") };
    stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 8_192 }));
    assert!(stage.shows("no tools"));
    stage.hear(offered(ToolsBy::Text));
    assert!(stage.shows("gemma3:12b  tools by text") && !stage.shows("no tools"), "{}", stage.screen());
    stage.keys("/tools<enter>");
    assert!(stage.shows("by text: described in the prompt, read in") && !stage.shows("cannot call tools"));
    stage.hear(offered(ToolsBy::Server)).keys("<esc>");
    assert!(!stage.shows("tools by text"));
}

#[test]
fn the_mark_gives_way_before_the_model_and_the_window_do() {
    let mut stage = Stage::new();
    stage.hear(offered(ToolsBy::Text)).resize(40, 12);
    let last = stage.screen().lines().last().map(str::to_owned);
    assert!(last.is_some_and(|line| line.contains("qwen3:8b  context 0 / 16k") && !line.contains("tools by")));
}

#[test]
fn the_panel_counts_costs_and_calls() {
    let mut stage = Stage::new();
    stage.keys("/tools<enter>");
    assert!(stage.shows("calls so far  none yet") && !stage.shows("≈"), "{}", stage.screen());
    stage.keys("<esc>").hear(offered(ToolsBy::Server)).hear(turn("test"));
    stage.hear(arrived(1, Way::Server, None, 0)).hear(arrived(2, Way::Text, Some("hermes"), 2)).hear(understood(1));
    stage.keys("/tools<enter>");
    assert!(stage.shows("    ≈ 118  Reads a text file.") && stage.shows("  ≈ 1,090  Runs"), "{}", stage.screen());
    assert!(stage.shows("≈ 1,208 tokens of every prompt, 7 % of the window"), "{}", stage.screen());
    assert!(stage.shows("1 by the server · 1 from text (hermes 1)"));
    assert!(stage.shows("2 repairs in 1 call · 1 call changed"));
    stage.keys("<esc>").hear(Event::Context(ContextEvent::Cleared)).keys("/tools<enter>");
    assert!(stage.shows("1 by the server"), "a conversation forgotten is still this session");
}

#[test]
fn a_model_that_cannot_call_tools_is_offered_nothing_by_the_server() {
    let mut stage = Stage::new();
    let card = ModelCard { tools: Some(false), ..model("gemma3:12b") };
    stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 8_192 }));
    stage
        .hear(Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs: Vec::new(), groups: Vec::new() }))
        .keys("/tools<enter>");
    assert!(stage.shows("nothing: this model cannot call tools") && stage.shows("tools.mode is native"));
    assert!(!stage.shows("read_file") && !stage.shows("cost") && !stage.shows("≈"), "{}", stage.screen());
    stage.keys("<esc>/status<enter>");
    assert!(stage.shows("none offered"), "{}", stage.screen());
}

fn writing_call(name: Option<&str>, bytes: u64) -> Event {
    Event::Turn(TurnEvent::Waiting { phase: Phase::WritingCall { name: name.map(Into::into), bytes } })
}

#[test]
fn a_call_being_written_is_told() {
    let mut stage = Stage::new();
    stage.hear(turn("test")).hear(writing_call(None, 0)).wait(3_000);
    assert!(stage.shows("writing a call · 3 s"), "{}", stage.screen());
}

#[test]
fn the_pieces_of_a_call_count_for_the_speed_and_its_time_goes_on() {
    let mut stage = Stage::new();
    stage.hear(turn("test"));
    (0..120).for_each(|piece| {
        stage.hear(writing_call((piece > 9).then_some("write_file"), piece * 40)).wait(100);
    });
    assert!(stage.shows("writing a call: write_file · 4.8 kB · 12 s"), "{}", stage.screen());
    assert!(stage.shows("~10 tok/s"), "{}", stage.screen());
}
