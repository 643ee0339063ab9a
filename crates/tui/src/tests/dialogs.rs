//! Models, downloads, no server, panels.

use super::harness::{Stage, model, turn, unreachable_server, up};
use crate::cmd::Cmd;
use crate::settings::{Exit, ServerChoice};
use agent_protocol::{
    BenchResult, ContextEvent, Event, ModelCard, ModelsReason, NearbyServer, NoticeLevel, Op, PullState, ServerCard,
    ServerError, ServerEvent, ServerOp, ServerState, SessionEvent, ToolsBy, TurnEvent, TurnOp,
};

pub(super) fn models(reason: ModelsReason) -> Event {
    let small = ModelCard { tools: Some(false), size_bytes: Some(815_000_000), ..model("gemma3:1b") };
    Event::Server(ServerEvent::Models { models: vec![model("qwen3:8b"), small, model("devstral:24b")], reason })
}

pub(super) fn down(can_start: bool) -> Event {
    Event::Server(ServerEvent::Server { state: ServerState::Down { trouble: unreachable_server(), can_start } })
}

#[test]
fn a_model_is_chosen_by_typing_a_part_of_its_name() {
    let mut stage = Stage::new();
    stage.hear(up()).hear(models(ModelsReason::Asked)).keys("dev<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::SetModel { name: "devstral:24b".into() })]);
}

#[test]
fn the_list_says_which_models_call_tools_by_text_and_which_is_in_use() {
    let mut stage = Stage::new();
    stage.hear(up()).hear(models(ModelsReason::Asked));
    let shown = stage.screen();
    let row =
        |name: &str| shown.lines().find(|row| row.contains(name) && row.contains("GB") | row.contains("MB")).unwrap();
    assert!(row("gemma3:1b").contains("tools by text") && row("gemma3:1b").contains("815 MB"), "{shown}");
    assert!(row("qwen3:8b").contains("in use") && row("qwen3:8b").contains("40k tokens"), "{shown}");
}

#[test]
fn the_list_says_how_the_model_in_use_works() {
    let mut stage = Stage::new();
    let by = ToolsBy::Files;
    let offered = Event::Context(ContextEvent::Offered { by, costs: Vec::new(), groups: Vec::new() });
    stage.hear(up()).hear(offered).hear(models(ModelsReason::Asked));
    let shown = stage.screen();
    assert!(shown.lines().any(|row| row.trim() == "qwen3:8b: works by files"), "{shown}");
}

#[test]
fn the_list_says_which_of_the_servers_own_settings_does_not_hold() {
    let mut stage = Stage::new();
    let option = agent_protocol::OverruledOption { name: "presence_penalty".into(), sent: 0.into(), own: 1.5.into() };
    stage.hear(up()).hear(Event::Server(ServerEvent::Overruled { options: vec![option] }));
    let shown = stage.hear(models(ModelsReason::Asked)).screen();
    assert!(shown.contains("qwen3:8b: presence_penalty 0 (its own: 1.5)"), "{shown}");
}

#[test]
fn a_missing_model_can_be_pulled_from_the_list() {
    let mut stage = Stage::new();
    stage.hear(up()).hear(models(ModelsReason::Missing { name: "qwen3:4b".into() }));
    assert!(stage.shows("qwen3:4b is not installed") && stage.shows("pull qwen3:4b"));
    stage.wait(600).keys("<down><down><down><down><enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::Pull { name: "qwen3:4b".into() })]);
}

#[test]
fn where_the_named_model_is_not_there_enter_takes_no_other() {
    let named = |name: &str| name.to_owned();
    for reason in [ModelsReason::Missing { name: named("absent") }, ModelsReason::NotUsed { name: named("absent") }] {
        let mut stage = Stage::new();
        stage.hear(up()).hear(models(reason));
        stage.wait(600).keys("<enter>").wait(400).keys("<enter>");
        assert_eq!(stage.ops(), []);
        stage.keys("<down><down><enter>");
        assert_eq!(stage.ops(), [Op::Server(ServerOp::SetModel { name: "gemma3:1b".into() })]);
    }
}

#[test]
fn cloud_models_are_marked_in_the_list_and_in_the_status_line_and_none_is_chosen_by_itself() {
    let cloud = |name: &str| ModelCard { remote_host: Some("ollama.com".into()), ..model(name) };
    let listed = |reason| {
        let cards = vec![cloud("gpt-oss:120b-cloud"), model("here:8b")];
        Event::Server(ServerEvent::Models { models: cards, reason })
    };
    let mut stage = Stage::blank(80, 24);
    stage.hear(up()).hear(listed(ModelsReason::NoneChosen));
    let shown = stage.screen();
    let row = shown.lines().find(|row| row.contains("gpt-oss:120b-cloud")).unwrap();
    assert!(row.contains("cloud: leaves this machine"), "{shown}");
    assert!(shown.contains("› here:8b"), "{shown}");
    stage.hear(Event::Server(ServerEvent::ModelSet { card: cloud("alias"), window: 8_192 }));
    assert!(stage.screen().lines().any(|row| row.contains("alias") && row.contains("cloud")), "{}", stage.screen());
}

#[test]
fn without_any_model_a_name_can_be_typed() {
    let mut stage = Stage::new();
    let none = || Event::Server(ServerEvent::Models { models: Vec::new(), reason: ModelsReason::NoneChosen });
    stage.hear(up()).hear(none());
    assert!(stage.shows("no model is installed"));
    stage.wait(600).keys("qwen3:8b<enter>").wait(400).keys("<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::Pull { name: "qwen3:8b".into() })]);
}

#[test]
fn of_a_server_that_downloads_nothing_only_its_own_models_are_offered() {
    let only_talks = ServerState::Up(ServerCard { version: "1".into(), ..ServerCard::default() });
    let missing = ModelsReason::Missing { name: "qwen3:4b".into() };
    let mut stage = Stage::new();
    stage.hear(Event::Server(ServerEvent::Server { state: only_talks })).hear(models(missing));
    assert!(stage.shows("qwen3:4b is not installed: choose another") && !stage.shows("pull"));
    stage.wait(600).keys("other<enter>").wait(400).keys("<enter>");
    assert_eq!(stage.ops(), []);
}

#[test]
fn a_server_whose_program_is_not_known_is_started_by_no_name() {
    let trouble = ServerError::Unreachable { host: "http://h/v1".into(), why: "refused".into(), program: None };
    let mut stage = Stage::new();
    stage.hear(Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, can_start: false } }));
    assert!(stage.shows("start it, or name another address") && !stage.shows("ollama"));
}

#[test]
fn a_typed_name_is_pulled_by_a_second_enter_and_not_by_a_held_one() {
    let mut stage = Stage::new();
    stage.hear(up()).hear(models(ModelsReason::Asked)).keys("hello<enter><enter>");
    assert!(stage.shows("› pull hello from the library? Enter again pulls it"));
    stage.wait(400).keys("o<backspace><enter>");
    assert_eq!(stage.ops(), []);
    stage.wait(400).keys("<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::Pull { name: "hello".into() })]);
}

#[test]
fn a_sentence_typed_into_the_list_pulls_nothing() {
    for text in ["fix the parser", "/clear", "why?", "..."] {
        let mut stage = Stage::new();
        stage.hear(up()).hear(models(ModelsReason::Asked)).keys(text).keys("<enter>").wait(400).keys("<enter>");
        assert!(stage.shows("nothing fits"), "{text}: {}", stage.screen());
        assert_eq!(stage.ops(), [], "{text}");
    }
}

#[test]
fn a_download_shows_how_far_it_is_and_esc_stops_it() {
    let mut stage = Stage::new();
    let state =
        PullState::Progress { status: "pulling 2af3b81862c6".into(), done: 1_300_000_000, total: 5_200_000_000 };
    stage.hear(Event::Server(ServerEvent::Pulling { name: "qwen3:8b".into(), state }));
    assert!(stage.shows("25 %  1.3 GB of 5.2 GB") && stage.shows("downloading") && !stage.shows("2af3b81862c6"));
    stage.keys("<esc>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::StopPull)]);
    stage.hear(Event::Server(ServerEvent::Pulling { name: "qwen3:8b".into(), state: PullState::Stopped }));
    assert!(stage.shows("stopped pulling qwen3:8b") && !stage.shows("25 %"));
}

#[test]
fn a_download_that_failed_can_be_tried_again() {
    let mut stage = Stage::new();
    let trouble = ServerError::Refused { status: 500, message: "no space left on device".into() };
    stage.hear(Event::Server(ServerEvent::Pulling { name: "qwen3:8b".into(), state: PullState::Failed { trouble } }));
    assert!(stage.shows("no space left on device"));
    stage.keys("retry").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "retry".into()), "words are words here as well");
    stage.keys("<c-u><=r>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::Pull { name: "qwen3:8b".into() })]);
}

#[test]
fn no_server_is_said_with_what_can_be_done() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(true));
    assert!(stage.shows("no model server answers at http://127.0.0.1:11434"));
    stage.wait(600).keys("<=r><=s>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Retry), Op::Server(ServerOp::StartServer)]);
    stage.keys("<=d>");
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Demo)]);
}

fn nearby() -> Event {
    let server = |name: &str, host: &str| NearbyServer { name: name.into(), host: host.into() };
    let servers =
        vec![server("LM Studio", "http://127.0.0.1:1234/v1"), server("llama.cpp", "http://127.0.0.1:8080/v1")];
    Event::Server(ServerEvent::Nearby { servers })
}

#[test]
fn what_runs_on_this_machine_is_offered_and_its_number_takes_it() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(true)).hear(nearby());
    assert!(
        stage.shows("1  LM Studio at http://127.0.0.1:1234/v1") && stage.shows("2  llama.cpp"),
        "{}",
        stage.screen()
    );
    stage.wait(600).keys("<=3>");
    assert_eq!(stage.cmds(), [], "there is no third");
    stage.keys("<c-u>").wait(2_000).keys("<=2>");
    let choice = ServerChoice::At("http://127.0.0.1:8080/v1".into());
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Server(choice))]);
}

#[test]
fn what_the_bench_found_is_shown_and_the_best_comes_first() {
    let mut stage = Stage::blank(80, 24);
    let result = |model: &str, share: f64| BenchResult {
        host: "h".into(),
        model: model.into(),
        digest: None,
        solved: (share, share - 0.1, share + 0.1),
        course: "core".into(),
        date: "2026-11-26".into(),
        agent: "0.1.0".into(),
    };
    stage.hear(up());
    stage.app.settings.results = vec![result("zed:2b", 0.42), result("gone", 0.9)];
    let cards = ["a:1b", "zed:2b"].map(|name| ModelCard { name: name.into(), ..ModelCard::default() });
    let listed = ServerEvent::Models { models: cards.into(), reason: ModelsReason::Asked };
    stage.hear(Event::Server(listed));
    let screen = stage.screen();
    let (first, second) = (screen.find("zed:2b").unwrap(), screen.find("a:1b").unwrap());
    assert!(first < second && screen.contains("42 % (32–52) core, 2026-11-26"), "{screen}");
    assert!(!screen.contains("90 %"), "{screen}");
}

#[test]
fn a_named_server_stands_below_the_models_and_the_session_goes_on_with_it() {
    let named = NearbyServer { name: "team".into(), host: "https://gpu.example/v1".into() };
    let mut stage = Stage::new();
    stage.app.settings.servers = vec![named];
    stage.hear(up()).hear(models(ModelsReason::Asked));
    assert!(stage.shows("server team · https://gpu.example/v1"), "{}", stage.screen());
    stage.keys("tea<enter>");
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Server(ServerChoice::Named("team".into())))]);
}

#[test]
fn words_typed_at_the_missing_server_are_words() {
    for pause in [0, 100, 290] {
        let mut stage = Stage::blank(120, 40);
        stage.hear(down(true)).wait(600);
        for letter in ["d", "r", "e", "s", "s", " ", "d", "r", "e", "d"] {
            stage.keys(letter).wait(pause);
        }
        stage.wait(2_000).keys("<enter>");
        assert_eq!(stage.cmds(), [], "{pause}");
        assert!(stage.shows("No model server") && stage.shows("› dress dred"), "{}", stage.screen());
    }
}

#[test]
fn what_is_no_key_of_the_missing_server_goes_to_the_draft() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(false)).wait(600).keys("s").wait(2_000).keys("o!<backspace>").paste(" much");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "so much".into()));
}

#[test]
fn a_letter_typed_before_the_dialog_can_be_read_answers_nothing() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(true)).wait(100).keys("d").wait(2_000);
    assert_eq!((stage.cmds(), stage.app.composer.text()), (vec![], String::new()));
    stage.keys("d<backspace>").wait(2_000);
    assert_eq!(stage.cmds(), []);
    stage.keys("d").wait(400);
    assert_eq!(stage.cmds(), [Cmd::Leave(Exit::Demo)]);
}

#[test]
fn a_word_begun_when_the_server_comes_back_keeps_its_first_letter() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(true)).wait(600).keys("r");
    stage.hear(up()).keys("un it").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "run it".into()));
}

#[test]
fn a_server_that_cannot_be_started_here_is_not_offered_to_be() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(false)).wait(600).keys("<=s>");
    assert!(!stage.shows("start ollama serve"));
    assert_eq!(stage.ops(), []);
}

#[test]
fn words_typed_while_the_server_goes_missing_are_kept() {
    let mut stage = Stage::blank(120, 40);
    stage.keys("my ").hear(down(true)).wait(100).keys("words");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("› my words"));
    stage.wait(600).keys("<esc>");
    assert_eq!(stage.app.composer.text(), "my words");
}

#[test]
fn the_dialog_closes_when_the_server_is_there() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(down(true)).hear(Event::Server(ServerEvent::Server { state: ServerState::Starting })).wait(2_000);
    assert!(stage.shows("starting ollama serve · 2 s"));
    stage.hear(up());
    assert!(!stage.shows("No model server"));
}

#[test]
fn a_question_mark_on_the_empty_composer_shows_the_keys() {
    let mut stage = Stage::new();
    stage.keys("?");
    assert!(stage.shows("Keys and commands") && stage.shows("Ctrl+O"));
    stage.keys("<esc>why?");
    assert_eq!(stage.app.composer.text(), "why?");
}

#[test]
fn whoever_types_at_a_panel_begins_a_message() {
    let mut stage = Stage::new();
    stage.keys("/status<enter>").keys("q why");
    assert_eq!(stage.app.composer.text(), "q why");
    stage.keys("<c-u>?").paste("pasted");
    assert!(stage.shows("› pasted") && !stage.shows("Keys and commands"));
    stage.keys("<c-u>??");
    assert!(stage.app.composer.is_empty() && !stage.shows("Keys and commands"));
}

#[test]
fn a_remark_does_not_outlive_a_panel() {
    let mut stage = Stage::new();
    stage.keys("/copy<enter>");
    assert!(stage.shows("there is no last answer yet"));
    stage.keys("?");
    assert!(!stage.shows("there is no last answer yet"));
    stage.keys("<esc>");
    assert!(!stage.shows("there is no last answer yet"));
}

#[test]
fn status_and_tools_tell_what_is_known() {
    let mut stage = Stage::new();
    stage.keys("/status<enter>");
    assert!(stage.shows("/home/me/project") && stage.shows("0 of 16k tokens used"));
    stage.keys("<esc>/tools<enter>");
    assert!(stage.shows("read_file") && stage.shows("Runs a shell command."));
}

#[test]
fn a_model_without_tools_leaves_a_mark() {
    let mut stage = Stage::new();
    let card = ModelCard { tools: Some(false), ..model("gemma3:1b") };
    stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 8_192 }));
    assert!(stage.screen().lines().last().unwrap().contains("gemma3:1b  no tools"));
}

#[test]
fn hostile_names_draw_nothing_but_themselves() {
    let mut stage = Stage::new();
    let evil = "evil\u{1b}[2J\u{202e}\r\n";
    stage.hear(Event::Server(ServerEvent::ModelSet { card: model(evil), window: 8_192 })).hear(turn(evil));
    stage.hear(Event::Turn(TurnEvent::Queued { texts: vec![evil.into()] }));
    stage.hear(Event::Session(SessionEvent::Notice { level: NoticeLevel::Info, text: evil.into() }));
    stage.hear(Event::Server(ServerEvent::Models {
        models: vec![model(evil)],
        reason: ModelsReason::Missing { name: evil.into() },
    }));
    let shown = stage.screen();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && shown.contains("evil␛"), "{shown}");
}
