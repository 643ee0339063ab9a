//! Nothing but our own drawing reaches the terminal, whoever says it; and what an edit hides is shown.

use super::fence::{grants, opened_with};
use super::harness::{Stage, asks_edit, model, turn, up};
use super::question::{compound, offers_words, trust};
use super::sessions_shown::told_of_sessions;
use crate::cmd::Cmd;
use crate::terminal::Screen;
use crate::view::{lay_out, view};
use agent_protocol::{
    AskId, Blocked, CallEvent, CallId, Event, FileDiff, ListEvent, ModelsReason, NoticeLevel, Outcome, PreviewBody,
    PullState, SandboxKind, SandboxReport, ServerError, ServerEvent, ServerState, SessionEvent, Settlement, Status,
    TriedVerdict, TurnEvent,
};
use proptest::prelude::*;
use ratatui::layout::Size;
use serde_json::Value;

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 12)];

/// A bit of everything that a terminal would obey, or that nobody would see.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]0;pwned\u{7}\u{1b}[?1049l\u{1b}P1$r\u{1b}\\\u{1b}_x\
                       \u{9b}31m\u{9d}8;;http://x\u{9c}\u{90}\u{202e}\u{2066}\u{200b}\u{e0041}\u{feff}\u{85}\u{2028}\r\
                       \u{8}\u{7f}\0\u{61c}\u{fff9}";

/// What stands on the terminal, and the bytes that made it so.
struct Seen {
    bytes: Vec<u8>,
    screen: String,
}

fn seen(stage: &mut Stage) -> Seen {
    let Size { width, height } = stage.app.size;
    let layout = lay_out(&mut stage.app);
    let mut screen = Screen::new(stage.app.size);
    let cursor = view(&stage.app, &layout, screen.page());
    let mut bytes = Vec::new();
    screen.write(cursor, None, &mut bytes);
    let mut terminal = vt100::Parser::new(height.try_into().unwrap(), width.try_into().unwrap(), 0);
    terminal.process(&bytes);
    Seen { bytes, screen: terminal.screen().contents() }
}

/// Why `bytes` are not only text and the few sequences that we draw with, if they are not.
fn foreign(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("we write UTF-8");
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c == '\u{1b}' {
            let end = rest.find(|c: char| !matches!(c, '[' | '?' | ';' | '0'..='9')).unwrap_or(rest.len() - 1);
            if !rest.starts_with('[') || !rest[end..].starts_with(['H', 'C', 'm', 'J', 'h', 'l']) {
                return Some(format!("a sequence that is not ours: {:?}", &rest[..rest.len().min(12)]));
            }
            rest = &rest[end + 1..];
        }
        if c != '\u{1b}' && forbidden(c) {
            return Some(format!("{c:?}"));
        }
        if c == '\u{fffd}' {
            return Some("a cell that had to be refused at the last door".into());
        }
    }
    None
}

fn forbidden(c: char) -> bool {
    let hides = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    c.is_control() || hides
}

/// `event` with `poison` at the end of every text in it that may hold anything.
fn poisoned(event: &Event, poison: &str) -> Event {
    let mut value = serde_json::to_value(event).unwrap();
    let mut texts = Vec::new();
    pointers(&value, String::new(), &mut texts);
    for at in texts {
        let mut tried = value.clone();
        if let Some(Value::String(text)) = tried.pointer_mut(&at) {
            text.push_str(poison);
        }
        // The name of a kind is no text.
        if serde_json::from_value::<Event>(tried.clone()).is_ok() {
            value = tried;
        }
    }
    serde_json::from_value(value).unwrap()
}

/// Where the texts are.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::String(_) => found.push(at),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(number, item)| pointers(item, format!("{at}/{number}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| pointers(field, format!("{at}/{}", escaped(name)), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn recorded() -> Vec<Event> {
    let lines = [
        include_str!("../../../../tests/recorded/session.jsonl"),
        include_str!("../../../../tests/recorded/rescue.jsonl"),
    ];
    lines.iter().flat_map(|lines| lines.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is said beside the conversation, one thing after the other: what stands open is looked at in between.
fn beside() -> Vec<Event> {
    let trouble = || ServerError::Unreachable { host: "http://x".into(), why: "refused".into(), program: None };
    let settled = || Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn });
    let fence = SandboxReport {
        blocked: Some(Blocked::Network),
        tampered: vec!["hooks".into()],
        made: Vec::new(),
        ..SandboxReport::default()
    };
    let outcome = Outcome {
        status: Status::Done,
        told: String::new(),
        summary: "done".into(),
        detail: "more".into(),
        fence: Some(fence),
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    let first = vec![
        opened_with(SandboxKind::Kernel, "Landlock", true),
        Event::Session(SessionEvent::Said { history: vec!["before".into()] }),
        Event::Server(ServerEvent::ModelSet { card: model("m"), window: 16_384 }),
        trust(3),
        settled(),
        turn("go"),
        offers_words(compound()),
        settled(),
        asks_edit("one\n", "two\nthree\n"),
        settled(),
        Event::Call(CallEvent::Finished { call: CallId(1), outcome }),
        Event::Turn(TurnEvent::Queued { texts: vec!["queued".into()] }),
        Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text: "mind".into() }),
        Event::Turn(TurnEvent::Unqueued { text: "back".into() }),
        Event::Server(ServerEvent::Server { state: ServerState::Down { trouble: trouble(), can_start: true } }),
        up(),
        Event::Server(ServerEvent::Pulling { name: "m".into(), state: PullState::Failed { trouble: trouble() } }),
        Event::Server(ServerEvent::Pulling { name: "m".into(), state: PullState::Done }),
        Event::Server(ServerEvent::Models {
            models: vec![model("m")],
            reason: ModelsReason::Missing { name: "n".into() },
        }),
    ];
    [first, told_of_sessions()].concat()
}

/// Looks at the screen, and at everything that opens over it, in every size.
fn look(stage: &mut Stage, after: &str) {
    for (width, height) in SIZES {
        stage.resize(width, height);
        let Seen { bytes, screen } = seen(stage);
        assert_eq!(foreign(&bytes), None, "after {after} at {width}x{height}\n{screen}");
    }
}

/// Plays `events`, each poisoned, and looks at the screen after every so many.
fn play(events: &[Event], every: usize) -> Stage {
    let mut stage = Stage::blank(120, 40);
    for (number, event) in events.iter().enumerate() {
        stage.hear(poisoned(event, HOSTILE));
        if number % every == 0 {
            stage.wait(600);
            look(&mut stage, &format!("{event:?}"));
        }
    }
    stage
}

#[test]
fn what_is_not_ours_is_noticed() {
    assert_eq!(foreign("\u{1b}[?2026h\u{1b}[1;2Htext 漢 👩\u{1b}[0m".as_bytes()), None);
    for bad in ["\u{1b}[1A", "\u{1b}]0;x\u{7}", "a\u{9b}b", "a\nb", "\u{202e}", "\u{e0041}", "\u{fffd}", "\u{1b}[6n"] {
        assert!(foreign(bad.as_bytes()).is_some(), "{bad:?}");
    }
}

#[test]
fn no_text_of_any_event_commands_the_terminal() {
    let mut stage = play(&beside(), 1);
    stage.keys("<esc>");
    for (keys, answer) in [
        ("/status<enter>", None),
        ("/tools<enter>", None),
        ("/sandbox<enter>", None),
        ("/permissions<enter>", Some(Event::List(ListEvent::Permissions { grants: grants() }))),
    ] {
        stage.keys("<c-u>").keys(keys);
        if let Some(event) = answer {
            stage.hear(poisoned(&event, HOSTILE));
        }
        look(&mut stage, keys);
    }
    for keys in ["<esc><c-u><up>", "<esc><c-r>b", "<enter>"] {
        stage.keys(keys);
        look(&mut stage, "going back to what was said before");
    }
    stage.keys("<c-u>/permissions<enter>");
    let (command, why) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    stage.hear(Event::Call(CallEvent::Tried { command, verdict: TriedVerdict::Asks, why }));
    stage.paste(HOSTILE);
    look(&mut stage, "a paste into the list of rules");
}

#[test]
fn no_text_of_a_recorded_conversation_commands_the_terminal() {
    let mut stage = play(&recorded(), 8);
    stage.keys("<esc><c-o><c-o>");
    look(&mut stage, "everything unfolded");
    for row in stage.app.transcript.tail(usize::MAX, 80) {
        assert_eq!(foreign(row.as_bytes()), None, "what is left on the terminal at the end");
    }
    stage.cmds();
    stage.keys("<c-u>/copy<enter>");
    let copied = stage.cmds();
    let clean =
        |cmd: &Cmd| matches!(cmd, Cmd::Copy(text) if !text.chars().any(|c| c != '\n' && c != '\t' && forbidden(c)));
    assert!(!copied.is_empty() && copied.iter().all(clean), "{copied:?}");
}

#[test]
fn what_a_person_pastes_does_not_command_it_either() {
    let mut stage = Stage::new();
    stage.paste(HOSTILE);
    look(&mut stage, "a paste");
    stage.hear(turn("go")).hear(compound()).wait(600).keys("<=e>").paste(HOSTILE);
    look(&mut stage, "a paste into the command");
    stage.keys("<esc><tab>").paste(HOSTILE);
    look(&mut stage, "a paste into the word");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn nor_does_any_other_text(poison in "[\u{0}-\u{a0}\u{ad}\u{300}-\u{310}\u{600}-\u{61f}\u{1100}-\u{11ff}\u{2000}-\u{206f}\u{fe00}-\u{feff}\u{1f3fb}-\u{1f4ff}\u{e0000}-\u{e01ff}a👩漢]{1,24}") {
        let mut stage = Stage::blank(80, 24);
        for event in recorded().iter().chain(&beside()) {
            stage.hear(poisoned(event, &poison));
        }
        prop_assert_eq!(foreign(&seen(&mut stage).bytes), None);
        let rows = stage.app.transcript.tail(usize::MAX, 80);
        prop_assert_eq!(rows.iter().find_map(|row| foreign(row.as_bytes())), None);
    }
}

/// A case of a file tool whose question is looked at.
struct Case {
    id: String,
    before: Option<String>,
    after: String,
    shows: Vec<String>,
    lacks: Option<Vec<u8>>,
}

fn cases() -> Vec<Case> {
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |at: &str| row.pointer(at).and_then(Value::as_str).map(str::to_owned);
        let before = row["setup"].as_array().unwrap().first().map(|_| "one\ntwo\n".to_owned());
        let edited =
            || before.clone().unwrap().replace(&text("/args/old_string").unwrap(), &text("/args/new_string").unwrap());
        let hex = |hex: String| {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        Case {
            id: text("/id").unwrap(),
            after: text("/args/content").unwrap_or_else(edited),
            shows: serde_json::from_value(row["expect"]["prompt_shows"].clone()).unwrap(),
            lacks: text("/expect/result/screen_lacks_hex").map(hex),
            before,
        }
    };
    include_str!("cases/screen.jsonl").lines().map(read).collect()
}

#[test]
fn the_cases_of_edits_that_hide_something_are_shown_as_they_demand() {
    let cases = cases();
    assert_eq!(cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["PD56", "PD57", "PD58", "PD59"]);
    for Case { id, before, after, shows, lacks } in &cases {
        let mut event = asks_edit("", after);
        if let Event::Call(CallEvent::Asked { question }) = &mut event
            && let PreviewBody::Diff { files } = &mut question.preview.body
            && let [FileDiff { before: old, .. }] = &mut files[..]
        {
            old.clone_from(before);
        }
        let mut stage = Stage::new();
        stage.hear(turn("go")).hear(event).wait(600);
        for (width, height) in SIZES {
            stage.resize(width, height).keys("<home>");
            let mut pages = String::new();
            let mut bytes = Vec::new();
            for _ in 0..4 {
                let page = seen(&mut stage);
                pages.push_str(&page.screen);
                bytes.extend(page.bytes);
                stage.keys("<pgdn>");
            }
            for told in shows {
                assert!(pages.contains(told), "{id}: {told} at {width}x{height}\n{pages}");
            }
            assert_eq!(foreign(&bytes), None, "{id}");
            let holds = |lacks: &Vec<u8>| bytes.windows(lacks.len()).any(|window| window == lacks.as_slice());
            assert!(!lacks.as_ref().is_some_and(holds), "{id}");
        }
    }
}

#[test]
fn five_thousand_changed_lines_are_counted_and_asked_for_twice() {
    let case = cases().pop().unwrap();
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_edit(case.before.as_deref().unwrap(), &case.after)).wait(600).keys("<=y>");
    assert_eq!(stage.ops(), []);
    let shown = stage.screen();
    assert!(shown.contains("Edit src/main.rs?  +5000 −2") && shown.contains("more lines · PgDn"), "{shown}");
    assert!(shown.contains("lines not shown: PgDn to read, y again"), "{shown}");
}
