//! What is seen of sessions beside their dialogs: one that goes on, what a turn did, what was undone, what is not saved.

use super::harness::{Stage, asks_command, model, turn, turn_ended};
use super::looks::{look, look_screen};
use agent_protocol::{
    AskId, CallEvent, CallId, CommandReceipt, Cover, CoverScope, Event, FileChange, FileFate, FileReceipt, FileState,
    JournalState, LeftOut, Mode, ModelCall, Origin, Outcome, PreviewBody, Receipt, Reused, SaidId, ServerEvent,
    SessionCard, SessionEvent, SessionId, Settlement, Status, ToolCall, TurnEndReason, TurnEvent, TurnId,
    UndoDirection, UndoneFile, Unkept, Usage,
};

const DOUBT: &str = "it says that src/a.rs was changed, but it was not";

fn text(text: &str) -> Event {
    Event::Turn(TurnEvent::Text { text: text.into() })
}

fn replied() -> Event {
    let usage = Usage { reply_tokens: Some(90), reply_ns: Some(2_000_000_000), ..Usage::default() };
    Event::Turn(TurnEvent::Replied { usage, reused: None::<Reused> })
}

fn ended(reason: TurnEndReason) -> Event {
    let usage = Usage { reply_tokens: Some(412), reply_ns: Some(13_000_000_000), ..Usage::default() };
    Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage })
}

fn file(path: &str, what: FileFate, added: u64, removed: u64) -> FileReceipt {
    FileReceipt { shown_path: path.into(), what, added, removed }
}

fn ran(command: &str, status: Status) -> CommandReceipt {
    CommandReceipt { command: command.into(), status, background: false, parts: Vec::new() }
}

/// What a turn did: two files, `files` more, two commands.
fn receipt(files: usize, doubts: &[&str]) -> Event {
    let others = (1..=files).map(|number| file(&format!("src/parser/part_{number}.rs"), FileFate::Changed, 4, 2));
    let first = [file("src/a.rs", FileFate::Changed, 3, 1), file("b.rs", FileFate::Created, 12, 0)];
    let commands = vec![ran("cargo test", Status::Done), ran("make", Status::Exited { code: Some(2) })];
    let doubts = doubts.iter().map(|&doubt| doubt.into()).collect();
    let receipt = Receipt { files: first.into_iter().chain(others).collect(), commands, doubts, ..Receipt::default() };
    Event::Turn(TurnEvent::Receipt { turn: TurnId(1), receipt })
}

fn card(title: &str, turns: u64) -> SessionCard {
    SessionCard {
        id: SessionId("20261122-134501-3f9a".into()),
        title: title.into(),
        project: "/home/me/project".into(),
        began: 1_795_000_000,
        updated: 1_795_000_600,
        model: Some("qwen3:8b".into()),
        turns,
        bytes: 40_000,
        parent: None,
        open: false,
    }
}

fn call(id: u64, command: &str) -> Event {
    let arguments = serde_json::json!({ "command": command });
    let call = ModelCall { server_id: None, index: None, name: "run_command".into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } })
}

fn running(id: u64, command: &str) -> Event {
    let Event::Call(CallEvent::Asked { question }) = asks_command(command) else { unreachable!("a question") };
    Event::Call(CallEvent::Running { call: CallId(id), preview: question.preview })
}

fn change(path: &str, before: FileState, added: u64, removed: u64) -> FileChange {
    let after = FileState::Link { target: "x".into() };
    FileChange { path: path.into(), shown_path: path.into(), before, after, added, removed }
}

fn finished(id: u64, status: Status, changed: Vec<FileChange>) -> Event {
    let outcome = Outcome {
        status,
        told: String::new(),
        summary: String::new(),
        detail: "Compiling\nFinished\n".into(),
        fence: None,
        changed,
        failing: None,
        images: Vec::new(),
        job: None,
    };
    Event::Call(CallEvent::Finished { call: CallId(id), outcome })
}

fn unkept(why: Unkept) -> FileState {
    FileState::Unkept { why, size: 5_000_000 }
}

/// The question about another call than the first.
fn asks_about(id: u64, command: &str) -> Event {
    let mut event = asks_command(command);
    if let Event::Call(CallEvent::Asked { question }) = &mut event {
        (question.id, question.call) = (AskId(id), Some(CallId(id)));
    }
    event
}

/// A session that was killed while a command ran and another was asked about.
fn past() -> Vec<Event> {
    let settled =
        Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Yes { remember: None, word: None } });
    vec![
        Event::Server(ServerEvent::ModelSet { card: model("devstral:24b"), window: 32_768 }),
        Event::Call(CallEvent::ModeChanged { mode: Mode::Unsafe }),
        turn("why is the build red?"),
        Event::Turn(TurnEvent::Thinking { text: "Hm.".into() }),
        text("A **test** fails.\n"),
        replied(),
        call(1, "cargo test"),
        asks_command("cargo test"),
        settled,
        running(1, "cargo test"),
        finished(1, Status::Exited { code: Some(101) }, Vec::new()),
        Event::Turn(TurnEvent::Receipt {
            turn: TurnId(1),
            receipt: Receipt {
                commands: vec![ran("cargo test", Status::Exited { code: Some(101) })],
                ..Receipt::default()
            },
        }),
        ended(TurnEndReason::Done),
        turn("fix it\nplease"),
        call(2, "cargo fix"),
        running(2, "cargo fix"),
        call(3, "git add -A"),
        asks_about(3, "git add -A"),
    ]
}

fn restored() -> Event {
    Event::Session(SessionEvent::Restored { card: card("why is the build red?", 2), events: past() })
}

fn undone(direction: UndoDirection) -> Event {
    let missing = || FileState::Missing;
    let link = || FileState::Link { target: "x".into() };
    let file = |name: &str, before, after, left: Option<&str>| UndoneFile {
        path: name.into(),
        shown_path: name.into(),
        before,
        after,
        left: left.map(Into::into),
    };
    let files = vec![
        file("src/a.rs", link(), link(), None),
        file("b.rs", link(), missing(), None),
        file("c.rs", missing(), link(), None),
        file("src/parser/mod.rs", link(), link(), Some("somebody else changed it since")),
    ];
    Event::Session(SessionEvent::Undone { direction, said: SaidId(2), files, part: None })
}

fn cover(scope: CoverScope, files: u64, left_out: &[(Unkept, u64)]) -> Cover {
    let left_out = left_out.iter().map(|&(why, files)| LeftOut { why, files }).collect();
    Cover { scope, files, left_out }
}

fn asks_covered(command: &str, with: Cover) -> Event {
    let mut event = asks_command(command);
    if let Event::Call(CallEvent::Asked { question }) = &mut event
        && let PreviewBody::Command { cover, .. } = &mut question.preview.body
    {
        *cover = Some(with);
    }
    event
}

fn seen_only() -> Cover {
    cover(CoverScope::Seen { most: 50_000 }, 14, &[])
}

/// Everything of it that holds texts, one thing after the other.
pub(super) fn told_of_sessions() -> Vec<Event> {
    let (link, why) = (FileState::Link { target: "x".into() }, "full".to_owned());
    let changes = vec![change("a.rs", link, 6, 3), change("b", unkept(Unkept::Name), 0, 0)];
    vec![
        turn("go"),
        call(7, "make"),
        asks_about(7, "make"),
        Event::Call(CallEvent::Settled { ask: AskId(7), settlement: Settlement::Withdrawn }),
        running(7, "make"),
        finished(7, Status::Done, changes),
        receipt(2, &[DOUBT]),
        ended(TurnEndReason::Lost),
        undone(UndoDirection::Redo),
        asks_covered("make", seen_only()),
        Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn }),
        asks_covered("make", cover(CoverScope::Nothing { why: why.clone() }, 0, &[])),
        Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn }),
        Event::Session(SessionEvent::NotRestored { why: why.clone() }),
        Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why } }),
        restored(),
        Event::Session(SessionEvent::Renamed { title: "title".into() }),
        Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: card("", 0).id } }),
        Event::Session(SessionEvent::Rewound { said: SaidId(2), text: "back".into() }),
    ]
}

#[test]
fn a_session_that_goes_on() {
    look("resumed", |stage| {
        stage.hear(turn("something else")).hear(Event::Turn(TurnEvent::Queued { texts: vec!["and more".into()] }));
        stage.hear(restored());
    });
}

#[test]
fn a_receipt_above_the_end_of_its_turn() {
    look("receipt", |stage| {
        stage.hear(turn("do it")).hear(text("It is done.")).hear(replied()).wait(18_000);
        stage.hear(receipt(0, &[])).hear(ended(TurnEndReason::Done));
    });
}

#[test]
fn a_long_receipt() {
    look("receipt_long", |stage| {
        stage.hear(turn("do it")).hear(text("It is done.")).hear(replied()).wait(18_000);
        stage.hear(receipt(9, &[DOUBT])).hear(ended(TurnEndReason::Interrupted));
    });
}

#[test]
fn a_long_receipt_unfolded() {
    look("receipt_unfolded", |stage| {
        stage.hear(turn("do it")).hear(receipt(4, &[])).hear(ended(TurnEndReason::Done)).keys("<c-o>");
    });
}

#[test]
fn undone_done_again_and_gone_back() {
    look("undone", |stage| {
        stage.hear(turn("one")).hear(turn_ended()).hear(turn("fix the bug\nin the parser")).hear(turn_ended());
        stage.hear(undone(UndoDirection::Undo)).hear(undone(UndoDirection::Redo));
        stage.hear(turn("and then this")).hear(text("No.")).hear(turn_ended());
        stage.hear(Event::Session(SessionEvent::Rewound { said: SaidId(3), text: "and then this".into() }));
        stage.hear(Event::Session(SessionEvent::Renamed { title: "the red build".into() }));
    });
}

#[test]
fn a_session_that_is_not_saved() {
    look_screen("not_saved", |stage| {
        let why = "the disk is full; make room, and it is saved from then on".to_owned();
        stage
            .hear(turn("go"))
            .hear(Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why: why.clone() } }));
        stage
            .hear(Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why } }))
            .hear(text("Yes."))
            .hear(turn_ended());
    });
}

#[test]
fn the_status_of_a_session() {
    look("status", |stage| {
        stage
            .hear(restored())
            .hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: card("", 0).id } }));
        stage.hear(Event::Session(SessionEvent::Renamed { title: "the red build".into() })).keys("/status<enter>");
    });
}

#[test]
fn a_command_that_undo_covers_in_part() {
    look("asks_covered", |stage| {
        stage.hear(turn("go"));
        let left_out = [(Unkept::TooLarge, 3), (Unkept::Unreadable, 1)];
        stage.hear(asks_covered("rm -rf build", cover(CoverScope::Project, 312, &left_out))).wait(600);
    });
}

#[test]
fn a_command_that_undo_hardly_covers() {
    look("asks_seen_only", |stage| {
        stage.hear(turn("go")).hear(asks_covered("rm -rf build", seen_only())).wait(600);
    });
}

#[test]
fn what_undo_covers_unfolded() {
    look("asks_covered_details", |stage| {
        stage.hear(turn("go"));
        let left_out = [(Unkept::TooLarge, 3), (Unkept::Unreadable, 1)];
        stage.hear(asks_covered("rm -rf build", cover(CoverScope::Project, 312, &left_out))).wait(600).keys("<c-o>");
    });
}

#[test]
fn what_a_command_changed() {
    look("changed", |stage| {
        let link = || FileState::Link { target: "x".into() };
        let changes = vec![
            change("src/a.rs", link(), 6, 3),
            change("src/b.rs", FileState::Missing, 4, 0),
            change("data/large.bin", unkept(Unkept::TooLarge), 0, 0),
        ];
        let one = vec![change("src/a.rs", link(), 6, 3)];
        stage.hear(turn("go")).hear(call(1, "make all")).hear(running(1, "make all"));
        stage.hear(finished(1, Status::Done, changes)).hear(call(2, "sed -i s/a/b/ src/a.rs"));
        stage.hear(running(2, "sed -i s/a/b/ src/a.rs")).hear(finished(2, Status::Done, one));
    });
}

#[test]
fn nothing_of_a_past_session_waits_or_takes_time() {
    let mut stage = Stage::new();
    stage
        .hear(turn("old"))
        .hear(asks_command("make"))
        .hear(Event::Turn(TurnEvent::Queued { texts: vec!["and more".into()] }));
    stage.keys("<esc>").cmds();
    stage.hear(restored()).wait(5_000);
    assert!(stage.app.questions.is_empty() && stage.app.queued.is_empty() && stage.app.work.is_none());
    assert_eq!(stage.app.wakes_at(), None, "{}", stage.screen());
    assert!(!stage.shows("interrupts") && !stage.shows("approve once"), "{}", stage.screen());
    assert_eq!(stage.ops(), []);
}

#[test]
fn that_nothing_is_saved_is_seen_at_every_width_until_it_is() {
    let unkept =
        || Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why: "the disk is full".into() } });
    for width in 40..=120 {
        let mut stage = Stage::new();
        stage.resize(width, 24).hear(turn("go")).hear(unkept()).hear(unkept());
        let shown = stage.screen();
        assert!(shown.lines().last().unwrap().contains("not saved"), "{shown}");
        assert_eq!(shown.matches("this session is not saved").count(), 1, "{shown}");
        stage.hear(Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: card("", 0).id } }));
        assert!(!stage.screen().lines().last().unwrap().contains("not saved"));
    }
}

#[test]
fn what_is_not_opened_says_why() {
    let mut stage = Stage::new();
    stage
        .hear(turn("go"))
        .hear(Event::Session(SessionEvent::NotRestored { why: "it is open elsewhere; close it there first".into() }));
    assert!(stage.shows("! not opened: it is open elsewhere; close it there first"), "{}", stage.screen());
}

#[test]
fn a_question_can_be_answered_at_every_size_whatever_undo_covers() {
    let nothing = || cover(CoverScope::Nothing { why: "the state folder cannot be written".into() }, 0, &[]);
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        for with in [nothing(), seen_only(), cover(CoverScope::Project, 312, &[(Unkept::TooLarge, 3)])] {
            let mut stage = Stage::new();
            stage.resize(width, height).hear(turn("go")).hear(asks_covered("rm -rf build", with)).wait(600);
            assert!(stage.shows("$ rm -rf build") && stage.shows("approve once"), "{}", stage.screen());
            stage.keys("<=y>");
            assert_eq!(stage.ops().len(), 1, "{}", stage.screen());
        }
    }
}

#[test]
fn a_title_stands_in_the_status_line_until_it_is_taken_back() {
    let renamed = |title: &str| Event::Session(SessionEvent::Renamed { title: title.into() });
    let mut stage = Stage::new();
    stage.hear(turn("first words")).hear(turn_ended()).hear(renamed("the red build"));
    assert!(stage.screen().lines().last().unwrap().contains("“the red build”"), "{}", stage.screen());
    stage.hear(renamed(" "));
    assert!(!stage.screen().lines().last().unwrap().contains('“'), "{}", stage.screen());
    stage.keys("/status<enter>");
    assert!(stage.shows("session   “first words”"), "{}", stage.screen());
}
