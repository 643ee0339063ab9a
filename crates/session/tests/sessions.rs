//! What is written down of a session, and what comes back of it.

use agent_protocol::{CallEvent, CallOp, ContextOp, ServerEvent, SessionEvent, SessionOp, TurnEvent, TurnOp};

use crate::play::*;
use agent_protocol::*;
use agent_session::{
    Begin, CallEffect, CallInput, Effect, Input, OpenedSession, ServerInput, SessionEffect, SessionInput, Settings,
    records_before,
};
use serde_json::{Value, json};

pub(crate) fn recording() -> Settings {
    Settings { record: true, ..settings() }
}

pub(crate) fn id() -> SessionId {
    SessionId("20261122-100000-abcd".into())
}

pub(crate) fn card_of() -> SessionCard {
    SessionCard {
        id: id(),
        title: "one".into(),
        project: ROOT.into(),
        began: 0,
        updated: 0,
        model: Some("m".into()),
        turns: 1,
        bytes: 0,
        parent: None,
        open: false,
    }
}

/// A session that goes on from these records, ready to be spoken to.
fn resumed(records: &[Record]) -> Play {
    resumed_with(records, recording())
}

pub(crate) fn resumed_with(records: &[Record], settings: Settings) -> Play {
    let mut play = Play::new(Settings { begin: Begin::Session(id()), ..settings }, Mode::Safe);
    play.feed(Input::Start);
    let opened =
        OpenedSession { card: card_of(), records: records.to_vec(), torn: None, recovered: Vec::new(), next: None };
    play.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded: None }));
    play
}

/// Two turns: one with thinking, two calls and a question, one with a plain answer.
pub(crate) fn talked() -> Play {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.model(ModelEvent::Thinking { text: "hm ".into() });
    play.model(ModelEvent::Thinking { text: "well".into() });
    play.text("I look ");
    play.text("and write.");
    play.calls(&["read_file", "write_file"]);
    play.reads(1, "what is there");
    play.reached(2, "/p/b");
    play.planned(2, write("/p/b"));
    play.answer(yes());
    play.ran(2, "wrote it");
    play.writes("Done.");
    play.say("two");
    play.writes("Yes.");
    play
}

fn event(record: &Record) -> Option<&Event> {
    match record {
        Record::Event { event } => Some(event),
        _ => None,
    }
}

fn events(records: &[Record]) -> Vec<&Event> {
    records.iter().filter_map(event).collect()
}

fn restored(play: &Play) -> &[Event] {
    let restored = play.events.iter().find_map(|event| match event {
        Event::Session(SessionEvent::Restored { events, .. }) => Some(events),
        _ => None,
    });
    restored.unwrap()
}

#[test]
fn a_session_that_goes_on_is_to_the_model_as_if_it_had_never_ended() {
    let mut whole = talked();
    let mut later = resumed(&whole.records);
    whole.say("three");
    later.say("three");
    assert_eq!(later.requests.last().unwrap().messages, whole.requests.last().unwrap().messages);
}

/// How full the window is, as it was said last.
fn fill(play: &Play) -> u64 {
    let said = play.events.iter().rev().find_map(|event| match event {
        Event::Context(ContextEvent::Window { used, .. }) => Some(*used),
        _ => None,
    });
    said.expect("it was said")
}

#[test]
fn a_session_that_goes_on_is_as_full_as_the_server_counted_it() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    // A template that leaves out instructions and tools, and one that adds much of its own.
    for counted in [90, 900] {
        play.say("one");
        play.text("Yes.");
        let usage = Usage { prompt_tokens: Some(counted), reply_tokens: Some(2), ..Usage::default() };
        play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
        let (before, after) = (fill(&play), fill(&resumed(&play.records)));
        assert!(before.abs_diff(after) <= 12, "{before} before, {after} after");
    }
}

#[test]
fn what_was_counted_of_a_conversation_that_became_another_counts_no_more() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.text("Yes.");
    let usage = Usage { prompt_tokens: Some(900), reply_tokens: Some(2), ..Usage::default() };
    play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(1), what: RewindWhat::Conversation, choices: vec![] }));
    assert!(fill(&resumed(&play.records)) < 900);
}

#[test]
fn a_person_sees_again_what_they_saw() {
    let seen = |events: &[Event]| {
        let mut text = String::new();
        for event in events {
            match event {
                Event::Turn(TurnEvent::Started { text: said, .. }) => text += &format!("[said {said}]"),
                Event::Turn(TurnEvent::Text { text: piece }) | Event::Turn(TurnEvent::Thinking { text: piece }) => {
                    text += piece
                }
                Event::Call(CallEvent::Proposed { call }) => text += &format!("[call {}]", call.call.name),
                Event::Call(CallEvent::Settled { settlement, .. }) => text += &format!("[{settlement:?}]"),
                Event::Call(CallEvent::Finished { outcome, .. }) => text += &format!("[{}]", outcome.summary),
                Event::Turn(TurnEvent::Ended { reason, .. }) => text += &format!("[{reason:?}]"),
                _ => {}
            }
        }
        text
    };
    let whole = talked();
    assert_eq!(seen(restored(&resumed(&whole.records))), seen(&whole.events));
}

/// As it was written down before messages knew who wrote their parts.
#[test]
fn a_session_of_an_older_version_goes_on_with_the_same_words_and_loses_none() {
    let summary = "(The conversation so far was summarised to make room. This message stands for it; go on from here.)\n\n\
                   ## Goal\nfind it\n\nWhat the user said, word for word:\n\n```\nfirst task\n```\n\n\
                   (Here the conversation goes on.)";
    let messages = [
        ("system", "be good"),
        ("user", summary),
        ("assistant", "yes"),
        ("user", "(go on)"),
        ("assistant", "so be it"),
    ];
    let old: Vec<Value> = messages.iter().map(|(role, content)| json!({"role": role, "content": content})).collect();
    let record: Record = serde_json::from_value(json!({"record": "conversation", "from": 0, "messages": old})).unwrap();
    let mut play = resumed(&[record]);
    play.say("and now?");
    let sent = &play.requests.last().unwrap().messages;
    let texts: Vec<&str> = sent.iter().skip(1).map(|message| message.content.as_str()).collect();
    assert_eq!(texts, [summary, "yes", "(go on)", "so be it", "and now?"]);
    play.writes(&(0..300).map(|at| format!("thing {at} is so, ")).collect::<String>());
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes("## Goal\nfind it still\n\n## Open\nnone");
    play.say("last");
    let told = play.conversation().join("\n");
    assert!(["find it still", "first task", "and now?", "last"].iter().all(|words| told.contains(words)), "{told}");
    assert_eq!(told.matches("## goal").count(), 1, "the old summary is gone: {told}");
}

#[test]
fn wherever_the_record_ends_the_session_goes_on_well_formed() {
    let records = talked().records;
    for end in 0..records.len() {
        let mut play = resumed(&records[..end]);
        let shown = restored(&play).to_vec();
        let open = |event: &&Event| matches!(event, Event::Call(CallEvent::Proposed { .. }));
        let over = |event: &&Event| matches!(event, Event::Call(CallEvent::Finished { .. }));
        assert_eq!(shown.iter().filter(open).count(), shown.iter().filter(over).count(), "{end}: every call has ended");
        let begun = shown.iter().filter(|event| matches!(event, Event::Turn(TurnEvent::Started { .. }))).count();
        // Whatever the user sees that they said, the model hears.
        let said = shown.iter().filter_map(|event| match event {
            Event::Turn(TurnEvent::Started { text, .. }) => Some(text.as_str()),
            _ => None,
        });
        let said: Vec<&str> = said.collect();
        let ended = shown.iter().filter(|event| matches!(event, Event::Turn(TurnEvent::Ended { .. }))).count();
        assert_eq!(begun, ended, "{end}: no turn stands open");
        // The harness looks at every request: one system message, and no two by the same in a row.
        play.say("go on");
        let messages = &play.requests.last().unwrap().messages;
        let calls: usize = messages.iter().map(|message| message.calls.len()).sum();
        let results = messages.iter().filter(|message| message.role == Role::Tool).count();
        assert_eq!(calls, results, "{end}: every call has its result");
        assert!(messages.last().unwrap().content.ends_with("go on"), "{end}");
        let heard: String = messages.iter().map(|message| format!("{}\n", message.content)).collect();
        assert!(said.iter().all(|text| heard.contains(text)), "{end}: {heard}");
        // What was brought to an end is written down, and is the same the next time.
        let again = resumed(&[&records[..end], &play.records[..]].concat());
        assert_eq!(
            restored(&again).iter().filter(|event| matches!(event, Event::Turn(TurnEvent::Ended { .. }))).count(),
            ended + 1
        );
    }
}

#[test]
fn a_call_that_may_have_run_is_shown_so_and_the_model_is_told() {
    let records = talked().records;
    let running = records
        .iter()
        .rposition(|record| matches!(record, Record::Event { event: Event::Call(CallEvent::Running { .. }) }));
    let mut play = resumed(&records[..=running.unwrap()]);
    let status = restored(&play).iter().rev().find_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.status),
        _ => None,
    });
    assert_eq!(status, Some(Status::Unknown));
    play.say("go on");
    let conversation = play.conversation().join("\n");
    assert!(conversation.contains("it may have happened, wholly or in part"), "{conversation}");
}

#[test]
fn what_had_arrived_of_a_reply_is_part_of_the_conversation() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.text(&"The first half. ".repeat(80));
    let mut later = resumed(&play.records);
    later.say("go on");
    assert!(later.conversation()[2].starts_with("assistant: the first half."), "{:?}", later.conversation());
}

#[test]
fn nothing_is_written_down_before_something_is_said() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.op(Op::Call(CallOp::SetMode { mode: Mode::Unsafe }));
    assert_eq!(play.records, []);
    play.say("one");
    let kinds: Vec<&Event> = events(&play.records);
    assert!(
        matches!(
            kinds[..2],
            [Event::Server(ServerEvent::ModelSet { .. }), Event::Call(CallEvent::ModeChanged { mode: Mode::Unsafe })]
        ),
        "{kinds:?}"
    );
    assert!(matches!(play.records[0], Record::Setting(_)));
}

#[test]
fn a_yes_to_all_edits_is_written_down_and_ends_with_its_session() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.calls(&["write_file"]);
    play.reached(1, "/p/a");
    play.planned(1, crate::play::write("/p/a"));
    play.answer(Answer::Yes { remember: Some(Rule::Edits), word: None });
    assert!(events(&play.records).contains(&&Event::Call(CallEvent::ModeChanged { mode: Mode::AcceptEdits })));
    play.ran(1, "wrote");
    play.text("done");
    play.done();
    let mut later = resumed(&play.records);
    later.say("go on");
    later.calls(&["write_file"]);
    later.reached(2, "/p/b");
    later.planned(2, crate::play::write("/p/b"));
    assert_eq!(later.question().why, "safe mode asks before every write");
}

#[test]
fn tokens_are_written_down_in_pieces() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    let before = play.records.len();
    let tokens: Vec<String> = (0..1_000).map(|number| format!("w{number} ")).collect();
    tokens.iter().for_each(|token| play.text(token));
    let pieces = play.records.len() - before;
    assert_eq!(pieces, 4, "4,890 bytes");
    play.done();
    let text: String = events(&play.records)
        .iter()
        .filter_map(|event| match event {
            Event::Turn(TurnEvent::Text { text }) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(text, tokens.concat());
}

/// What one step carries out, with what it writes down first.
fn step(play: &mut Play, input: Input) -> Vec<Effect> {
    play.machine.step(input)
}

#[test]
fn the_intent_is_on_disk_before_anything_is_changed_and_the_result_after() {
    let mut play = Play::ready_with(recording(), Mode::Unsafe);
    play.say("one");
    play.calls(&["write_file"]);
    play.reached(1, "/p/b");
    let action = write("/p/b");
    let facts = facts(&action);
    let body = PreviewBody::Diff { files: Vec::new() };
    let preview = Preview { title: "Write b".into(), body };
    let planned = Input::Call(CallInput::Planned {
        call: CallId(1),
        result: Ok(agent_session::Planned { action, preview }),
        facts,
    });
    let effects = step(&mut play, planned);
    assert!(
        matches!(&effects[0], Effect::Session(SessionEffect::Record { sync: true, records }) if matches!(&records[..],
        [Record::Event { event: Event::Call(CallEvent::Running { .. }) }])),
        "{effects:?}"
    );
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Call(CallEffect::Run { .. }))));
    let effects = step(&mut play, Input::Call(CallInput::Ran { call: CallId(1), outcome: outcome("wrote it") }));
    assert!(matches!(&effects[0], Effect::Session(SessionEffect::Record { sync: true, .. })), "{effects:?}");
}

#[test]
fn a_read_is_written_down_without_waiting_for_the_disk() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.calls(&["read_file"]);
    play.reached(1, "/p/a");
    play.planned(1, read("/p/a"));
    let effects = step(&mut play, Input::Call(CallInput::Ran { call: CallId(1), outcome: outcome("text") }));
    assert!(matches!(&effects[0], Effect::Session(SessionEffect::Record { sync: false, .. })), "{effects:?}");
}

#[test]
fn a_session_goes_on_with_its_own_model_unless_another_is_named() {
    let records = talked().records;
    let looked_up = |settings: Settings| {
        let mut play = Play::new(Settings { begin: Begin::Session(id()), ..settings }, Mode::Safe);
        play.feed(Input::Start);
        let opened =
            OpenedSession { card: card_of(), records: records.clone(), torn: None, recovered: Vec::new(), next: None };
        play.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
        play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        play.lines.iter().filter(|line| line.starts_with("describe")).cloned().collect::<Vec<_>>()
    };
    let other = Settings { model: Some("other".into()), ..recording() };
    assert_eq!(looked_up(other.clone()), ["describe { name: \"m\" }"]);
    assert_eq!(looked_up(Settings { model_named: true, ..other }), ["describe { name: \"other\" }"]);
}

#[test]
fn a_session_that_cannot_be_opened_leaves_everything_as_it_was() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.writes("Yes.");
    play.op(Op::Session(SessionOp::Open { id: id() }));
    play.say("two");
    assert_eq!(play.requests.len(), 1, "nothing begins while a session is being opened");
    play.feed(Input::Session(SessionInput::SessionOpened { result: Err("it is open elsewhere".into()) }));
    assert_eq!(play.requests.len(), 2);
    assert_eq!(play.conversation()[1], "user: one");
}

#[test]
fn a_copy_ends_before_what_was_said() {
    let records = talked().records;
    let end = records_before(&records, SaidId(2)).unwrap();
    let mut play = resumed(&records[..end]);
    play.say("other");
    let conversation = play.conversation();
    assert_eq!(conversation.last().unwrap(), "user: other");
    assert!(!conversation.iter().any(|line| line == "user: two"), "{conversation:?}");
    assert_eq!(records_before(&records, SaidId(9)), None);
}

#[test]
fn a_session_that_begins_after_clear_has_its_instructions_when_it_goes_on() {
    let mut play = talked();
    play.op(Op::Context(ContextOp::Clear));
    let before = play.records.len();
    play.say("anew");
    play.writes("Yes.");
    let mut later = resumed(&play.records[before..]);
    later.say("and more");
    assert_eq!(later.conversation(), ["system: system", "user: anew", "assistant: yes.", "user: and more"]);
}

#[test]
fn what_clear_interrupts_is_written_down_before() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.text("The first half");
    play.op(Op::Context(ContextOp::Clear));
    assert!(matches!(
        events(&play.records).last(),
        Some(Event::Turn(TurnEvent::Ended { reason: TurnEndReason::Interrupted, .. }))
    ));
    let mut later = resumed(&play.records);
    later.say("go on");
    assert_eq!(later.conversation()[2], "assistant: the first half");
}

#[test]
fn a_session_made_shorter_goes_on_as_it_would_have() {
    let summary = "## Goal\nx\n\n## Decisions\nnone\n\n## Files\nnone\n\n## Commands\nnone\n\n## Open\nnone";
    let mut whole = talked();
    whole.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    whole.writes(summary);
    let mut later = resumed(&whole.records);
    whole.say("three");
    later.say("three");
    assert_eq!(later.requests.last().unwrap().messages, whole.requests.last().unwrap().messages);
}

#[test]
fn nothing_is_taken_up_while_another_session_is_being_opened() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.broken(ServerError::NotDone);
    play.op(Op::Turn(TurnOp::Interrupt));
    let requests = play.requests.len();
    play.op(Op::Session(SessionOp::Open { id: id() }));
    play.op(Op::Turn(TurnOp::Retry));
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    assert_eq!(play.requests.len(), requests);
}

#[test]
fn a_call_by_text_that_was_cut_off_has_its_result_too() {
    let hermes = agent_session::Family { matches: vec!["m".into()], form: agent_dialects::Form::Hermes, ..family() };
    let by_text = Settings { tools_mode: agent_session::ToolsMode::Text, families: vec![hermes], ..recording() };
    let mut play = Play::ready_with(by_text.clone(), Mode::Safe);
    play.say("one");
    play.writes(&hermes_call());
    for end in 0..play.records.len() {
        let mut later = resumed_with(&play.records[..end], by_text.clone());
        later.say("go on");
        let conversation = later.conversation();
        let called = conversation.iter().any(|line| line.starts_with("assistant:") && line.contains("<tool_call>"));
        let conversation = conversation.join("\n");
        assert_eq!(called, conversation.contains("not run: the program ended"), "{end}: {conversation}");
    }
}

fn hermes_call() -> String {
    format!("I look.\n{}", crate::play::hermes("read_file", "a"))
}

#[test]
fn a_session_left_in_plan_mode_and_resumed_in_safe_mode_tells_the_model() {
    let mut play = Play::ready_with(recording(), Mode::Plan);
    play.say("mend it");
    play.text("I looked.");
    play.done();
    let mut on = resumed(&play.records);
    on.say("and now?");
    assert!(on.last_said().starts_with("(plan mode is over"), "{}", on.last_said());
    let mut still = resumed(&play.records);
    still.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
    still.say("and now?");
    assert_eq!(still.last_said(), "and now?", "it knows");
}
