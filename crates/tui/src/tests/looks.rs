//! How it looks, at three sizes.

use super::details::wrote;
use super::fence::{grants, opened_with};
use super::harness::{Stage, asks_command, asks_edit, model, opened, turn, turn_ended, unreachable_server, up};
use super::question::{compound, offers_words, trust};
use super::rescue::{arrived, asks_whether_to_go_on, offered, understood};
use agent_protocol::{
    CallEvent, ContextEvent, Event, ListEvent, Mode, ModelCard, ModelsReason, Phase, SandboxKind, ServerEvent,
    ServerState, Stuck, ToolsBy, TriedVerdict, TurnEvent, Usage, Way,
};

const MIDDLE: (u16, u16) = (80, 24);
const SIZES: [(u16, u16); 3] = [(120, 40), MIDDLE, (40, 12)];

/// The dialog alone, or the conversation alone: a word elsewhere on the screen changes none of these. It is drawn at all
/// sizes, and compared at the middle one.
pub(super) fn look(name: &str, play: impl Fn(&mut Stage)) {
    compared_at_the_middle(name, play, Stage::part);
}

/// The whole screen, drawn at all sizes and compared at the middle one.
pub(super) fn look_screen(name: &str, play: impl Fn(&mut Stage)) {
    compared_at_the_middle(name, play, Stage::screen);
}

fn compared_at_the_middle(name: &str, play: impl Fn(&mut Stage), shown: fn(&mut Stage) -> String) {
    for (width, height) in SIZES {
        let shown = shown(&mut played(&play, width, height));
        if (width, height) == MIDDLE {
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), shown);
        }
    }
}

/// The same, compared at all sizes: for dialogs that are laid out anew at each.
pub(super) fn look_at_all_sizes(name: &str, play: impl Fn(&mut Stage)) {
    for (width, height) in SIZES {
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), played(&play, width, height).part());
    }
}

/// The whole screen at all sizes: for what stands in the status line and around the composer, and for where things stand.
pub(super) fn look_whole(name: &str, play: impl Fn(&mut Stage)) {
    for (width, height) in SIZES {
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), played(&play, width, height).screen());
    }
}

fn played(play: &impl Fn(&mut Stage), width: u16, height: u16) -> Stage {
    let mut stage = Stage::blank(width, height);
    stage.hear(opened()).hear(Event::Server(ServerEvent::ModelSet { card: model("qwen3:8b"), window: 16_384 }));
    play(&mut stage);
    stage
}

pub(super) fn worked(stage: &mut Stage) {
    let usage = Usage { reply_tokens: Some(90), reply_ns: Some(2_000_000_000), ..Usage::default() };
    stage.hear(turn("why is the build red?")).hear(Event::Turn(TurnEvent::Text { text: "A test fails.\n".into() }));
    stage
        .wait(4_000)
        .hear(Event::Turn(TurnEvent::Replied { usage, reused: None }))
        .hear(Event::Context(ContextEvent::Window { used: 3_120, of: 16_384 }));
}

#[test]
fn the_first_screen() {
    look_whole("first", |stage| {
        stage.hear(up());
    });
}

#[test]
fn after_a_turn() {
    look_whole("after_a_turn", |stage| {
        worked(stage);
        stage.hear(turn_ended()).keys("thanks");
    });
}

#[test]
fn working_with_a_message_queued() {
    look_whole("working", |stage| {
        worked(stage);
        stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate: None } })).wait(3_000);
        stage.hear(Event::Turn(TurnEvent::Queued { texts: vec!["and hurry".into(), "please".into()] }));
    });
}

#[test]
fn a_stalled_reply_in_unsafe_mode() {
    look_whole("stalled_unsafe", |stage| {
        stage.hear(Event::Call(CallEvent::ModeChanged { mode: Mode::Unsafe })).hear(turn("go"));
        stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Silent { secs: 20 } }));
    });
}

#[test]
fn a_command_asked_about() {
    look_at_all_sizes("asks_command", |stage| {
        worked(stage);
        stage.hear(asks_command("cargo test --workspace")).wait(600);
    });
}

#[test]
fn a_command_of_several_parts_asked_about() {
    look_at_all_sizes("asks_compound", |stage| {
        worked(stage);
        stage.hear(compound()).wait(600);
    });
}

#[test]
fn a_rule_being_narrowed() {
    look("asks_rule", |stage| {
        worked(stage);
        stage.hear(offers_words(asks_command("cargo test --workspace 'my test'"))).wait(600).keys("<end><=b>");
        if !stage.shows("begin with:") {
            stage.keys("<=b>");
        }
        stage.keys(" --workspace");
    });
}

#[test]
fn the_offers_where_there_is_hardly_room() {
    let mut stage = Stage::blank(40, 12);
    stage.hear(opened()).hear(turn("go")).hear(offers_words(compound())).wait(600).keys("<=a>");
    insta::assert_snapshot!("asks_offers_40x12", stage.part());
}

#[test]
fn an_edit_that_hides_something_asked_about() {
    look("asks_doubtful_edit", |stage| {
        worked(stage);
        stage.hear(asks_edit("one\n", "let ok = 1; //\u{202e} } ;)eslaf( fi\nаdmin = true\n")).wait(600);
    });
}

#[test]
fn a_yes_before_the_end_was_seen() {
    let after: String = (0..60).map(|number| format!("line {number}\n")).collect();
    look("asks_unread", |stage| {
        worked(stage);
        stage.hear(asks_edit("one\n", &after)).wait(600).keys("<=y>");
    });
}

#[test]
fn a_folder_to_be_trusted() {
    look("asks_trust", |stage| {
        stage.hear(trust(4)).wait(600);
    });
}

#[test]
fn a_word_to_the_model() {
    look("asks_word", |stage| {
        worked(stage);
        stage.hear(asks_command("cargo test --workspace")).wait(600).keys("<tab>only the parser");
    });
}

#[test]
fn an_edit_asked_about() {
    let before: String = (1..40).map(|number| format!("line {number}\n")).collect();
    let after = before.replace("line 7\n", "line seven\n").replace("line 20\n", "line 20\nline 20½\n");
    look_whole("asks_edit", |stage| {
        worked(stage);
        stage.keys("draft").hear(asks_edit(&before, &after)).wait(600);
    });
}

#[test]
fn the_choice_of_a_model() {
    look("models", |stage| {
        let models = vec![model("qwen3:8b"), model("devstral:24b")];
        stage.hear(Event::Server(ServerEvent::Models { models, reason: ModelsReason::NoneChosen })).wait(600);
    });
}

#[test]
fn no_server() {
    look_screen("no_server", |stage| {
        let trouble = unreachable_server();
        stage
            .keys("fix it")
            .hear(Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, can_start: true } }));
    });
}

#[test]
fn commands_to_choose_from() {
    look("completions", |stage| {
        stage.keys("/");
    });
}

#[test]
fn the_sheet_of_keys() {
    look("keys", |stage| {
        stage.keys("?");
    });
}

#[test]
fn a_call_from_text_asked_about() {
    look("asks_rescued", |stage| {
        worked(stage);
        stage.hear(offered(ToolsBy::Text)).hear(arrived(1, Way::Text, Some("hermes"), 2)).hear(understood(5));
        stage.hear(asks_command("cargo test --workspace")).wait(600);
    });
}

#[test]
fn the_details_of_a_call_asked_about() {
    look("asks_details", |stage| {
        worked(stage);
        stage.hear(offered(ToolsBy::Text)).hear(wrote(30)).hear(understood(5));
        stage.hear(asks_command("cargo test --workspace")).wait(600).keys("<c-o>");
    });
}

#[test]
fn a_brake_with_a_word() {
    look("asks_to_go_on", |stage| {
        worked(stage);
        stage.hear(asks_whether_to_go_on(Stuck::Announcing)).wait(600).keys("<tab>look into src first");
    });
}

#[test]
fn a_call_being_written() {
    look("writing_a_call", |stage| {
        stage.hear(turn("write it"));
        let name = || Some("write_file".to_owned());
        for (name, bytes) in [(None, 12), (name(), 1_800), (name(), 4_210)] {
            stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::WritingCall { name, bytes } })).wait(1_000);
        }
    });
}

#[test]
fn the_fence() {
    look("sandbox", |stage| {
        stage.hear(opened_with(SandboxKind::Kernel, "Landlock 7 and seccomp", false)).keys("/sandbox<enter>");
    });
}

#[test]
fn no_fence_and_a_server_in_the_clear() {
    look_screen("exposed", |stage| {
        stage.hear(opened_with(SandboxKind::None, "the kernel has no Landlock", true));
    });
}

#[test]
fn the_rules() {
    look("permissions", |stage| {
        stage.keys("/permissions<enter>").hear(Event::List(ListEvent::Permissions { grants: grants() }));
        let why = "not proved to only read: docker is not known".to_owned();
        stage.keys("<=t>docker ps").hear(Event::Call(CallEvent::Tried {
            command: "docker ps".into(),
            verdict: TriedVerdict::Asks,
            why,
        }));
    });
}

#[test]
fn no_rules() {
    look("permissions_none", |stage| {
        stage.keys("/permissions<enter>").hear(Event::List(ListEvent::Permissions { grants: Vec::new() }));
    });
}

#[test]
fn a_model_to_which_nothing_is_offered() {
    look("tools_none", |stage| {
        let card = ModelCard { tools: Some(false), ..model("gemma3:12b") };
        stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 16_384 }));
        stage
            .hear(Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs: Vec::new(), groups: Vec::new() }))
            .keys("/tools<enter>");
    });
}

#[test]
fn what_the_model_is_offered() {
    let recorded = include_str!("../../../../tests/recorded/rescue.jsonl");
    let events: Vec<Event> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    look("tools", |stage| {
        events.iter().for_each(|event| {
            stage.hear(event.clone());
        });
        stage.keys("/tools<enter>");
    });
}

#[test]
fn the_recorded_rescue() {
    let recorded = include_str!("../../../../tests/recorded/rescue.jsonl");
    let events: Vec<Event> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    look("rescue", |stage| {
        events.iter().for_each(|event| {
            stage.hear(event.clone());
        });
    });
}

#[test]
fn too_small() {
    for ((width, height), words) in [
        ((39, 12), "terminal too small: needs 40x12"),
        ((30, 8), "terminal too small: needs\n40x12"),
        ((30, 1), "needs 40x12"),
        ((10, 3), "needs\n40x12"),
        ((5, 1), "40x12"),
        ((1, 1), ""),
        ((0, 0), ""),
    ] {
        let mut stage = Stage::new();
        stage.resize(width, height);
        assert_eq!((stage.screen().as_str(), stage.cursor()), (words, None), "{width}x{height}");
    }
}

#[test]
fn every_size_can_be_drawn() {
    for width in (40..130).step_by(7) {
        for height in [12, 13, 15, 16, 17, 30] {
            let mut stage = Stage::new();
            worked(&mut stage);
            stage.keys("a draft of some words").resize(width, height).hear(asks_edit("a\n", "b\n"));
            stage
                .wait(600)
                .keys("n")
                .hear(Event::Server(ServerEvent::Models { models: vec![model("m")], reason: ModelsReason::Asked }));
            stage.keys("<esc>?<esc><c-c>?");
            assert!(stage.shows("SAFE"), "{width}x{height}");
        }
    }
}
