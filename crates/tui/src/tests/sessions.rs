//! Sessions: chosen from a list, named, forked, written out.

use super::harness::{Stage, turn, turn_ended, up};
use super::looks::{look, look_at_all_sizes};
use crate::app::App;
use crate::cmd::Cmd;
use crate::settings::{Begin, Settings};
use crate::text::highlight::Highlighter;
use agent_protocol::{
    Event, ExportFormat, JournalState, ListEvent, ListOp, ModelsReason, Op, ServerError, ServerEvent, ServerState,
    SessionCard, SessionEvent, SessionId, SessionOp, TurnOp,
};
use ratatui::layout::Size;

const NOW: i64 = 1_795_000_000;

pub(super) fn card(id: &str, title: &str, project: &str, age: i64) -> SessionCard {
    SessionCard {
        id: SessionId(id.into()),
        title: title.into(),
        project: project.into(),
        began: NOW - age - 600,
        updated: NOW - age,
        model: Some("qwen3:8b".into()),
        turns: 12,
        bytes: 48_200,
        parent: None,
        open: false,
    }
}

fn kept() -> Vec<SessionCard> {
    let here = "/home/me/project";
    let open = SessionCard { open: true, ..card("s2", "why is the build red?", here, 5) };
    let other =
        SessionCard { model: Some("devstral:24b".into()), turns: 1, ..card("s4", "docs", "/home/me/site", 90_000) };
    vec![
        open,
        card(
            "s1",
            "fix the parser: it forgets the last line of each file that has no line break at its end",
            here,
            7_200,
        ),
        card("s3", "rename Total to Sum", here, 259_200),
        other,
        SessionCard {
            title: String::new(),
            model: None,
            turns: 0,
            bytes: 310,
            ..card("s5", "", "/srv/shop", 5_000_000)
        },
        card("s6", "menu", "/home/me/site", 6_000_000),
    ]
}

fn listed() -> Event {
    Event::List(ListEvent::Sessions { sessions: kept(), now: NOW })
}

fn open(id: &str) -> Op {
    Op::Session(SessionOp::Open { id: SessionId(id.into()) })
}

#[test]
fn the_list_is_asked_for_and_enter_goes_on_with_the_newest_that_is_free() {
    for command in ["/resume", "/sessions", "/continue"] {
        let mut stage = Stage::new();
        stage.keys(command).keys("<enter>");
        assert_eq!(stage.ops(), [Op::List(ListOp::Sessions)]);
        stage.hear(listed()).keys("<enter>");
        assert_eq!(stage.ops(), [open("s1")]);
        assert!(!stage.shows("Go on with a session"));
    }
}

#[test]
fn a_session_is_found_by_words_of_its_title_its_model_and_its_folder() {
    for (typed, id) in [("total", "s3"), ("devstral", "s4"), ("SHOP", "s5"), ("site menu", "s6")] {
        let mut stage = Stage::new();
        stage.hear(listed()).keys(typed).keys("<enter>");
        assert_eq!(stage.ops(), [open(id)], "{typed}");
    }
    let mut stage = Stage::new();
    stage.hear(listed()).paste("nowhere");
    assert!(stage.shows("no session fits"), "{}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(stage.ops(), []);
}

#[test]
fn one_that_is_open_in_another_agent_is_marked_and_cannot_be_chosen() {
    let mut stage = Stage::new();
    stage.hear(listed()).keys("<up><enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("another agent has this session open"), "{}", stage.screen());
    stage.keys("<down>");
    assert!(stage.shows("open elsewhere") && !stage.shows("another agent has"));
}

#[test]
fn the_one_on_the_screen_says_so() {
    let mut stage = Stage::new();
    stage.hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: SessionId("s2".into()) } }));
    stage.hear(listed()).keys("<up><enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("this one") && stage.shows("this session is on the screen already"));
}

#[test]
fn one_that_goes_on_is_the_one_on_the_screen_before_anything_is_written_in_it() {
    let mut stage = Stage::new();
    stage.hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: SessionId("s3".into()) } }));
    stage.hear(Event::Session(SessionEvent::Restored {
        card: card("s2", "why is the build red?", "/home/me/project", 5),
        events: vec![],
    }));
    stage.hear(listed());
    assert!(stage.shows("this one") && !stage.shows("open elsewhere"), "{}", stage.screen());
}

#[test]
fn where_no_session_is_kept_it_is_said() {
    let mut stage = Stage::new();
    stage.hear(Event::List(ListEvent::Sessions { sessions: Vec::new(), now: NOW }));
    assert!(stage.shows("no sessions are kept yet") && !stage.shows("Go on with a session"));
    stage.hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: SessionId("s2".into()) } }));
    stage.hear(Event::List(ListEvent::Sessions { sessions: kept()[..1].to_vec(), now: NOW }));
    assert!(stage.shows("no other sessions are kept yet"));
}

#[test]
fn a_session_can_be_named_at_once() {
    let mut stage = Stage::new();
    stage.keys("/resume 20261122-134501-3f9a<enter>");
    assert_eq!(stage.ops(), [open("20261122-134501-3f9a")]);
}

#[test]
fn a_start_with_the_list_asks_for_it_first_of_all() {
    let begin = |begin| {
        let settings = Settings { begin, ..Settings::default() };
        App::new(settings, Size::new(80, 24), Highlighter::off()).begin()
    };
    assert_eq!(begin(Begin::PickSession), [Cmd::Send(Op::List(ListOp::Sessions))]);
    assert_eq!(begin(Begin::Plain), []);
}

#[test]
fn closing_the_list_leaves_the_draft_as_it_was() {
    let mut stage = Stage::new();
    stage.keys("half a thought").hear(listed()).keys("parser<esc>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "half a thought".into()));
    assert!(!stage.shows("Go on with a session"));
}

#[test]
fn what_comes_unbidden_waits_behind_the_list() {
    let down = || {
        let trouble =
            ServerError::Unreachable { host: "http://127.0.0.1:11434".into(), why: "refused".into(), program: None };
        Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, can_start: false } })
    };
    let none = || Event::Server(ServerEvent::Models { models: Vec::new(), reason: ModelsReason::NoneChosen });
    for (event, words) in [(down(), "No model server"), (none(), "Choose a model")] {
        let mut stage = Stage::new();
        stage.hear(listed()).hear(event.clone());
        assert!(stage.shows("Go on with a session") && !stage.shows(words));
        stage.keys("<esc>");
        assert!(stage.shows(words), "{}", stage.screen());
        let mut stage = Stage::new();
        stage.hear(event).hear(listed());
        assert!(stage.shows("Go on with a session"));
        stage.keys("<c-c>");
        assert!(stage.shows(words));
    }
    // A session that is gone on with brings its model.
    let mut stage = Stage::new();
    stage.hear(none()).hear(listed()).keys("<enter>");
    let card = card("s2", "why is the build red?", "/home/me/project", 5);
    stage.hear(Event::Session(SessionEvent::Restored { card, events: vec![] }));
    stage.keys("another<enter>");
    let said = stage.ops();
    assert_eq!(said.last(), Some(&Op::Turn(TurnOp::Say { text: "another".into() })), "{said:?}");
    let mut stage = Stage::new();
    stage.hear(listed()).hear(down()).hear(up());
    stage.keys("<esc>");
    assert!(!stage.shows("No model server"));
}

#[test]
fn a_session_is_renamed_and_gets_its_first_words_back_by_a_dash() {
    let mut stage = Stage::new();
    stage.keys("/rename the red build<enter>/rename -<enter>/rename<enter>");
    assert_eq!(
        stage.ops(),
        [
            Op::Session(SessionOp::Rename { title: "the red build".into() }),
            Op::Session(SessionOp::Rename { title: String::new() })
        ]
    );
    assert!(stage.shows("write the title after it"));
}

#[test]
fn a_session_is_forked_from_where_it_stands_or_from_before_a_message() {
    let mut stage = Stage::new();
    stage.keys("/fork<enter>");
    assert_eq!(stage.ops(), [Op::Session(SessionOp::Fork { said: None })]);
    stage.hear(turn("one")).hear(turn_ended()).hear(turn("two")).hear(turn_ended());
    stage.keys("/rewind<enter><down><=f>");
    assert_eq!(stage.ops(), [Op::Session(SessionOp::Fork { said: Some(agent_protocol::SaidId(1)) })]);
    assert!(!stage.shows("Go back to an earlier message"));
}

#[test]
fn an_export_is_for_people_unless_its_name_or_a_word_says_otherwise() {
    let export = |format, path: Option<&str>| Op::Session(SessionOp::Export { format, path: path.map(Into::into) });
    let (markdown, json) = (ExportFormat::Markdown, ExportFormat::Json);
    for (typed, op) in [
        ("/export", export(markdown, None)),
        ("/export json", export(json, None)),
        ("/export notes.json", export(json, Some("notes.json"))),
        ("/export md out/notes", export(markdown, Some("out/notes"))),
    ] {
        let mut stage = Stage::new();
        stage.keys(typed).keys("<enter>");
        assert_eq!(stage.ops(), [op], "{typed}");
    }
    let mut stage = Stage::new();
    stage.keys("/export j");
    assert!(stage.shows("every record, for programs"));
    stage.keys("<tab><enter>");
    assert_eq!(stage.ops(), [export(json, None)]);
}

#[test]
fn hostile_titles_and_folders_draw_nothing_but_themselves() {
    let evil = "evil\u{1b}[2J\u{202e}\r\n";
    let mut stage = Stage::new();
    let card = SessionCard { model: Some(evil.into()), ..card("s1", evil, evil, 60) };
    stage.hear(Event::List(ListEvent::Sessions { sessions: vec![card], now: NOW }));
    let shown = stage.screen();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && shown.contains("evil␛"), "{shown}");
}

#[test]
fn half_a_word_does_not_fork_or_write_a_file() {
    for half in ["/for", "/exp", "/ren"] {
        let mut stage = Stage::new();
        stage.keys(half).keys("<enter>");
        assert_eq!(stage.ops(), [], "{half}");
    }
}

#[test]
fn the_list_of_sessions() {
    look_at_all_sizes("sessions", |stage| {
        stage.hear(listed());
    });
}

#[test]
fn the_list_of_sessions_searched() {
    look("sessions_searched", |stage| {
        stage.hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: SessionId("s2".into()) } }));
        stage.hear(listed()).keys("e<up><enter>");
    });
}
