//! A session that goes on, goes back, and tells what was undone.

use super::pages::{all_read, long};
use super::story::{command, ended, finished, proposed, replied, running, started, story, text, thinking};
use super::{after, screen, transcript, whole};
use crate::transcript::Transcript;
use agent_protocol::{
    Event, FileState, Receipt, SaidId, SessionCard, SessionEvent, SessionId, Status, TurnEndReason, TurnEvent,
    UndoDirection, UndoneFile,
};
use serde_json::json;
use std::time::Duration;

pub(super) fn card(parent: Option<&str>) -> SessionCard {
    SessionCard {
        id: SessionId("20261122-134501-3f9a".into()),
        title: "\n the title\nof it".into(),
        project: "/project".into(),
        began: 0,
        updated: 0,
        model: Some("qwen3:8b\u{1b}".into()),
        turns: 1,
        bytes: 0,
        parent: parent.map(|parent| SessionId(parent.into())),
        open: false,
    }
}

pub(super) fn restored(events: Vec<Event>) -> Event {
    Event::Session(SessionEvent::Restored { card: card(None), events })
}

pub(super) fn steered(text: &str) -> Event {
    Event::Turn(TurnEvent::Steered { text: text.into() })
}

pub(super) fn rewound(said: u64, text: &str) -> Event {
    Event::Session(SessionEvent::Rewound { said: SaidId(said), text: text.into() })
}

pub(super) fn undone(said: u64) -> Event {
    let state = || FileState::Missing;
    let file =
        UndoneFile { path: "/p/a".into(), shown_path: "a\u{1b}".into(), before: state(), after: state(), left: None };
    Event::Session(SessionEvent::Undone {
        direction: UndoDirection::Undo,
        said: SaidId(said),
        files: vec![file],
        part: None,
    })
}

fn said(transcript: &Transcript) -> Vec<(u64, String)> {
    transcript.said().into_iter().map(|(said, text)| (said.0, text)).collect()
}

fn pairs(pairs: &[(u64, &str)]) -> Vec<(u64, String)> {
    pairs.iter().map(|&(said, text)| (said, text.to_owned())).collect()
}

#[test]
fn what_was_shown_is_forgotten_and_the_past_has_no_times() {
    let past = vec![started("Go"), thinking("Hm."), text("Yes."), replied(), ended(TurnEndReason::Done)];
    let mut transcript = after(&[vec![started("old"), text("older")], vec![restored(past)]].concat());
    let shown = "› Go\n\n▸ thought\n\n  Yes.\n\n  412 tokens\n\n— resumed: the title · 1 turn · qwen3:8b␛ —\n";
    assert_eq!(whole(&mut transcript, 60), shown);
    transcript.tick(Duration::from_secs(900));
    assert_eq!(whole(&mut transcript, 60), shown);
}

#[test]
fn a_copy_of_this_session_is_said_to_be_one() {
    let kept = |id: &str| {
        Event::Session(SessionEvent::Journal { state: agent_protocol::JournalState::Kept { id: SessionId(id.into()) } })
    };
    let copy = Event::Session(SessionEvent::Restored { card: card(Some("this")), events: Vec::new() });
    assert!(whole(&mut after(&[kept("this"), copy.clone()]), 60).starts_with("— forked: the title"));
    let heard_before = [kept("this"), kept("20261122-134501-3f9a"), copy.clone()];
    assert!(whole(&mut after(&heard_before), 60).starts_with("— forked: the title"));
    assert!(whole(&mut after(&[kept("other"), copy]), 60).starts_with("— resumed: the title"));
    let again = SessionCard { id: SessionId("again".into()), ..card(Some("20261122-134501-3f9a")) };
    let twice = [restored(Vec::new()), Event::Session(SessionEvent::Restored { card: again, events: Vec::new() })];
    assert!(whole(&mut after(&twice), 60).starts_with("— forked: the title"), "nothing was said in between");
}

#[test]
fn calls_without_a_result_never_go_on() {
    let past = vec![
        started("Go"),
        proposed(1, "run_command", json!({"command": "make"})),
        running(1, command("make")),
        proposed(2, "read_file", json!({"file_path": "a"})),
        ended(TurnEndReason::Lost),
    ];
    let mut transcript = after(&[restored(past)]);
    transcript.tick(Duration::from_secs(900));
    let shown = whole(&mut transcript, 60);
    let calls = "? Run make · may have run\n– Read a · stopped: it was not begun\n\n– the program ended in the middle of this \
                 turn\n  say what to do next, or /retry\n";
    assert!(shown.contains(calls), "{shown}");
}

#[test]
fn what_comes_after_a_long_session_is_followed_and_it_stays_where_one_reads() {
    let mut transcript = after(&[restored(long())]);
    transcript.layout(80, 24);
    transcript.apply(&started("And now?"), Duration::ZERO);
    assert!(screen(&mut transcript, 80, 24).contains("› And now?"));
    transcript.scroll_by(-500);
    all_read(&mut transcript, (80, 24), &long());
    let before = screen(&mut transcript, 80, 24);
    let read = |screen: &str| screen.lines().take(20).map(|row| row.replace('┃', "")).collect::<Vec<_>>();
    transcript.apply(&text("One.\n\nTwo.\n"), Duration::ZERO);
    assert_eq!(read(&screen(&mut transcript, 80, 24)), read(&before));
}

#[test]
fn everything_said_has_a_number_of_its_own() {
    let mut transcript = after(&[started("one"), started(" "), steered("two"), steered(""), started("four")]);
    assert_eq!(said(&transcript), pairs(&[(1, "one"), (2, "two"), (4, "four")]));
    transcript.apply(&rewound(2, "two"), Duration::ZERO);
    transcript.apply(&started("five"), Duration::ZERO);
    assert_eq!(said(&transcript), pairs(&[(1, "one"), (5, "five")]), "a number is never used twice");
    transcript.apply(&restored(vec![started("new"), rewound(1, "new"), started("again")]), Duration::ZERO);
    assert_eq!(said(&transcript), pairs(&[(2, "again")]), "another session has its own");
}

#[test]
fn going_back_takes_away_what_came_from_there_on_but_not_what_was_undone() {
    let go = || vec![started("One"), text("1"), replied(), ended(TurnEndReason::Done), started("Two\nlines")];
    let call = vec![proposed(1, "run_command", json!({"command": "make"})), running(1, command("make"))];
    let done = vec![finished(1, Status::Done, "exit 0", ""), text("2"), replied(), ended(TurnEndReason::Done)];
    let mut transcript = after(&[go(), call, done, vec![undone(2), rewound(2, "Two\nlines")]].concat());
    let shown = whole(&mut transcript, 90);
    let end = "\n\n▸ undone: 1 file is as before “Two”\n\n— went back to before “Two”; the rest stays in the session's file —\n";
    assert!(shown.starts_with("› One\n\n  1\n") && shown.ends_with(end) && !shown.contains("make"), "{shown}");
    // A late word about what is gone changes nothing.
    transcript.apply(&finished(1, Status::Done, "late", ""), Duration::ZERO);
    assert_eq!(whole(&mut transcript, 90), shown);
}

#[test]
fn one_can_go_back_far_above_the_view() {
    let mut transcript = after(&[restored(long())]);
    transcript.layout(80, 24);
    transcript.apply(&rewound(2, "message 2"), Duration::ZERO);
    all_read(&mut transcript, (80, 24), &long());
    let shown = screen(&mut transcript, 80, 24);
    assert!(shown.starts_with("› message 1\n") && shown.contains("went back to before “message 2”"), "{shown}");
    assert_eq!(said(&transcript), pairs(&[(1, "message 1")]));
}

#[test]
fn a_turn_that_did_nothing_has_no_receipt() {
    let nothing = Event::Turn(TurnEvent::Receipt { turn: agent_protocol::TurnId(1), receipt: Receipt::default() });
    let mut with = after(&[started("Go"), text("Yes."), nothing]);
    assert_eq!(whole(&mut with, 60), "› Go\n\n  Yes.\n");
}

#[test]
fn the_whole_story_can_be_shown_as_past() {
    for width in [10, 40, 80, 120] {
        let mut transcript = transcript();
        transcript.apply(&restored(story()), Duration::ZERO);
        super::unfold_all(&mut transcript);
        for row in whole(&mut transcript, width).lines() {
            assert!(crate::text::width::width(row) <= usize::from(width), "{row:?} at {width}");
            assert!(!row.contains("running") && !row.contains("waiting for your answer"), "{row:?}");
        }
    }
}
