//! Tasks for a second agent: the conversation is set aside, and is there again as it was.

use agent_protocol::{CallEvent, CallOp, ContextOp, ListEvent, ListOp, SessionEvent, TurnEvent, TurnOp};
mod steps;

use crate::play::*;
use agent_protocol::*;
use agent_session::{
    AgentKind, AgentTools, Begin, CallInput, Effect, Input, OpenedSession, Planned, Reached, ServerEffect, ServerInput,
    SessionInput, Settings, unfinished,
};

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "does it".into(),
        parameters: serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        aliases: Vec::new(),
    }
}

fn with_task() -> Settings {
    let tools = ["read_file", "write_file", "run_command", "todo_write", "task"].map(spec).to_vec();
    let system = "You are it.\n\nProject folder: /p (linux)\n\n# From AGENTS.md\n\nUse tabs.\n".into();
    Settings { tools, system, record: true, ..settings() }
}

fn ready(mode: Mode) -> Play {
    Play::ready_with(with_task(), mode)
}

/// The model gives a task, which is call number `call`, up to where the agent is asked for the first time.
fn gives(play: &mut Play, call: u64, agent: &str) {
    play.calls(&["task"]);
    gives_now(play, call, agent);
}

fn gives_now(play: &mut Play, call: u64, agent: &str) {
    let reached = Reached {
        action: Action::Read { paths: Vec::new() },
        name: "task".into(),
        stands_for: Vec::new(),
        notes: Vec::new(),
    };
    play.feed(Input::Call(CallInput::Reached { call: CallId(call), result: Ok(reached), facts: Default::default() }));
    let (agent, prompt) = (agent.to_owned(), "find the parser".to_owned());
    let body = PreviewBody::Task { agent: agent.clone(), prompt: prompt.clone() };
    let act = SessionAct::Delegate { agent, description: "find it".into(), prompt };
    let planned =
        Planned { action: Action::Session { act }, preview: Preview { title: "explore: find it".into(), body } };
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result: Ok(planned), facts: Default::default() }));
}

fn delegated(play: &Play) -> Vec<&Event> {
    let inner = play.events.iter().filter_map(|event| match event {
        Event::Call(CallEvent::Delegated { call: CallId(1), event }) => Some(event.as_ref()),
        _ => None,
    });
    inner.collect()
}

fn names(request: &ChatRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn finished(play: &Play, call: u64) -> Outcome {
    let found = play.events.iter().find_map(|event| match event {
        Event::Call(CallEvent::Finished { call: known, outcome }) if known.0 == call => Some(outcome.clone()),
        _ => None,
    });
    found.expect("the call has ended")
}

fn changes(path: &str) -> Outcome {
    let change = FileChange {
        path: path.into(),
        shown_path: path.into(),
        before: FileState::Missing,
        after: FileState::Unkept { why: Unkept::Special, size: 1 },
        added: 1,
        removed: 0,
    };
    Outcome { changed: vec![change], ..outcome("written") }
}

#[test]
fn the_conversation_is_set_aside_and_goes_on_with_the_answer() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    let agents = play.requests.last().unwrap().clone();
    assert_eq!(names(&agents), ["read_file"], "it only looks, and gives no tasks itself");
    assert!(agents.messages[0].content.starts_with("You are an agent that looks things up"));
    assert!(agents.messages[0].content.ends_with("\n\nProject folder: /p (linux)\n\n# From AGENTS.md\n\nUse tabs.\n"));
    assert_eq!(agents.messages[1].content, "find the parser");
    assert_eq!(agents.messages.len(), 2);
    play.calls(&["read_file"]);
    play.reads(2, "the parser");
    play.text("It is in a.rs:1");
    play.done();
    let (first, last) = (play.requests[0].clone(), play.requests.last().unwrap().clone());
    assert_eq!(last.messages[..first.messages.len()], first.messages[..], "byte for byte");
    assert_eq!(last.messages.len(), first.messages.len() + 2);
    assert_eq!(last.messages.last().unwrap().content, "It is in a.rs:1");
    assert_eq!(last.tools, first.tools);
    for request in &play.requests {
        let same = (&request.model, request.window, &request.options, &request.keep_alive);
        assert_eq!(same, (&first.model, first.window, &first.options, &first.keep_alive), "nothing is loaded again");
    }
    let outcome = finished(&play, 1);
    assert_eq!(outcome.status, Status::Done);
    assert!(outcome.summary.starts_with("1 call, ") && outcome.summary.ends_with(" tokens"), "{outcome:?}");
    play.writes("Done.");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert_eq!(play.shown(), "Done.", "what the agent says is not the answer");
}

#[test]
fn what_the_agent_does_is_told_as_part_of_its_task() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.text("I look");
    play.calls(&["read_file"]);
    play.reads(2, "the parser");
    let kinds: Vec<String> = delegated(&play)
        .iter()
        .map(|event| serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["text", "replied", "proposed", "running", "finished"]);
    assert!(
        !play.events.iter().any(|event| matches!(
            event,
            Event::Turn(TurnEvent::Text { .. }) | Event::Call(CallEvent::Finished { .. })
        ))
    );
}

#[test]
fn a_question_of_the_agent_is_asked_as_always_and_says_whose_it_is() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "general-purpose");
    assert_eq!(names(play.requests.last().unwrap()), ["read_file", "write_file", "run_command"]);
    play.calls(&["write_file"]);
    play.reached(2, "/p/a");
    play.planned(2, write("/p/a"));
    let question = play.question();
    assert!(question.why.starts_with("general-purpose asks: "), "{}", question.why);
    assert_eq!(question.call, Some(CallId(2)));
    play.answer(no("not that file"));
    assert!(play.last_said().contains("not that file"), "the agent is told");
    assert_eq!(play.requests.last().unwrap().messages.len(), 4);
}

#[test]
fn what_the_agent_changed_counts_for_undo_and_for_the_receipt_once() {
    let mut play = ready(Mode::Unsafe);
    play.say("see to it");
    gives(&mut play, 1, "general-purpose");
    play.calls(&["write_file"]);
    play.reached(2, "/p/a");
    play.planned(2, write("/p/a"));
    play.feed(Input::Call(CallInput::Ran { call: CallId(2), outcome: changes("/p/a") }));
    play.writes("Written.");
    assert_eq!(finished(&play, 1).changed, []);
    play.writes("Done.");
    assert!(play.has("lookafter"), "{:#?}", play.lines);
    play.feed(Input::Session(SessionInput::LookedAfter { files: Vec::new() }));
    play.op(Op::List(ListOp::Undoable));
    let turns = play.events.iter().rev().find_map(|event| match event {
        Event::List(ListEvent::Undoable { turns }) => Some(turns.clone()),
        _ => None,
    });
    let turns = turns.expect("it is told");
    assert_eq!((turns.len(), turns[0].files, turns[0].text.as_str()), (1, 1, "see to it"));
}

#[test]
fn an_interruption_stops_the_agent_and_the_turn() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.text("I lo");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert!(play.has("hang up"));
    assert_eq!(finished(&play, 1).status, Status::Stopped);
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
    play.say("and now?");
    let conversation = play.conversation();
    assert!(conversation[1].ends_with("see to it") && conversation.len() == 5, "{conversation:?}");
    assert!(conversation[3].contains("stopped by the user"), "{conversation:?}");
    assert_eq!(names(play.requests.last().unwrap()).len(), 5, "all tools are back");
}

#[test]
fn an_interrupted_call_of_the_agent_is_ended_first() {
    let mut play = ready(Mode::Unsafe);
    play.say("see to it");
    play.calls(&["task", "read_file"]);
    gives_now(&mut play, 1, "general-purpose");
    play.calls(&["read_file"]);
    play.reached(3, "/p/a");
    play.planned(3, read("/p/a"));
    play.op(Op::Turn(TurnOp::Interrupt));
    assert!(play.has("stop 3") && play.ended().is_none());
    play.ran(3, "half");
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
    assert_eq!(finished(&play, 2).summary, "not run");
    play.op(Op::Context(ContextOp::Clear));
    assert!(play.machine.is_at_rest());
}

#[test]
fn an_agent_that_says_nothing_is_no_question_for_the_person() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.calls(&["read_file"]);
    play.reads(2, "part");
    play.empty(0);
    play.empty(0);
    assert!(play.subject().is_none());
    assert!(finished(&play, 1).told.contains("the agent did not finish"), "{:?}", finished(&play, 1));
}

#[test]
fn agents_give_no_tasks_and_have_no_tools_but_their_own() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.calls(&["task", "write_file"]);
    gives_now(&mut play, 2, "explore");
    play.reached(3, "/p/a");
    let told: Vec<String> = play.conversation().split_off(3);
    assert!(told[0].contains("task is none of your tools in this task; yours are read_file"), "{told:?}");
    assert!(told[1].contains("write_file is none of your tools"), "{told:?}");
    assert!(!play.has("plan 3"));
}

#[test]
fn an_unknown_agent_is_named_with_those_there_are() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "wizard");
    assert!(play.last_said().contains("take one of general-purpose, explore"), "{}", play.last_said());
    gives(&mut play, 2, "generalPurpose");
    assert_eq!(play.requests.last().unwrap().messages[1].content, "find the parser");
}

#[test]
fn a_server_that_is_gone_ends_the_turn_too() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    let requests = play.requests.len();
    play.broken(ServerError::Unreachable { host: "h".into(), why: "refused".into(), program: None });
    assert_eq!(finished(&play, 1).status, Status::Failed { kind: FailureKind::Unreachable });
    assert!(matches!(play.ended(), Some(TurnEndReason::Broken { .. })));
    assert_eq!(play.requests.len(), requests);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    play.op(Op::Turn(TurnOp::Retry));
    assert_eq!(play.requests.last().unwrap().messages.len(), 4, "the first one goes on from there");
}

#[test]
fn what_is_said_meanwhile_waits_for_the_first_one() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.say("in tabs");
    play.calls(&["read_file"]);
    play.reads(2, "part");
    assert!(!play.conversation().concat().contains("in tabs"));
    play.writes("In a.rs.");
    assert!(play.conversation().last().unwrap().contains("in tabs"), "{:?}", play.conversation());
}

#[test]
fn a_long_answer_is_cut_to_the_room_there_is() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    let lines: Vec<String> = (0..4_000).map(|line| format!("{line} is in a{line}.rs")).collect();
    play.writes(&lines.join("\n"));
    let told = finished(&play, 1).told;
    assert!(told.len() < 20_000 && told.contains("bytes cut here]"), "{}", told.len());
}

#[test]
fn tools_by_text_go_to_the_agent_by_text() {
    let families =
        vec![agent_session::Family { matches: vec!["m".into()], form: agent_dialects::Form::Hermes, ..family() }];
    let by_text = Settings { tools_mode: agent_session::ToolsMode::Text, families, ..with_task() };
    let mut play = Play::ready_with(by_text, Mode::Safe);
    play.say("see to it");
    play.writes(&hermes("task", "a"));
    gives_now(&mut play, 1, "explore");
    let agents = play.requests.last().unwrap().clone();
    assert!(agents.tools.is_empty() && agents.messages[0].content.contains("read_file"));
    assert!(!agents.messages[0].content.contains("write_file"));
    play.writes(&hermes("read_file", "a"));
    play.reads(2, "part");
    play.writes("In a.rs.");
    let last = play.requests.last().unwrap();
    assert_eq!(last.messages[..2], play.requests[0].messages[..]);
    assert!(last.messages.last().unwrap().content.contains("In a.rs."));
}

#[test]
fn the_persons_own_agents_are_told_with_the_tool_and_have_the_tools_they_name() {
    let kind = |name: &str, of_project| AgentKind {
        name: name.into(),
        description: "Reviews changes.".into(),
        prompt: "You review.".into(),
        tools: AgentTools::Only(vec!["ReadFile".into(), "run_command".into()]),
        of_project,
    };
    let mut settings = with_task();
    settings.agents = vec![kind("reviewer", false), kind("theirs", true)];
    settings.trust = agent_session::Trust::Ask { found: Vec::new(), system: "trusted".into() };
    let mut play = Play::ready_with(settings, Mode::Safe);
    let ask = play.machine.step(Input::Op(Op::Turn(TurnOp::Say { text: "see to it".into() })));
    assert!(
        !ask.iter().any(|effect| matches!(effect, Effect::Server(ServerEffect::CallModel { .. }))),
        "trust is asked first"
    );
    play.op(Op::Call(CallOp::Reply { ask: AskId(1), answer: no("") }));
    let told = &play.requests[0].tools.last().unwrap().description;
    assert_eq!(told, "does it Also: reviewer (Reviews changes)");
    gives(&mut play, 1, "theirs");
    assert!(play.last_said().contains("take one of reviewer, general-purpose, explore"), "{}", play.last_said());
    gives(&mut play, 2, "Reviewer");
    assert_eq!(names(play.requests.last().unwrap()), ["read_file", "run_command"]);
    assert!(play.requests.last().unwrap().messages[0].content.starts_with("You review."));
}

/// A turn with a task in which the agent writes and reads, and an answer.
fn talked() -> Play {
    let mut play = ready(Mode::Unsafe);
    play.say("see to it");
    play.text("I give it away.");
    play.calls(&["task", "read_file"]);
    gives_now(&mut play, 1, "general-purpose");
    play.text("I write");
    play.text(" and read.");
    play.calls(&["write_file", "read_file"]);
    play.reached(3, "/p/a");
    play.planned(3, write("/p/a"));
    play.feed(Input::Call(CallInput::Ran { call: CallId(3), outcome: changes("/p/a") }));
    play.reads(4, "what is there");
    play.writes("Written.");
    play.reads(2, "the rest");
    play.writes("Done.");
    play.feed(Input::Session(SessionInput::LookedAfter { files: Vec::new() }));
    play
}

/// The session that goes on from these records.
fn resumed(records: &[Record], recovered: Vec<(CallId, Vec<FileChange>)>) -> Play {
    let id = SessionId("20261122-100000-abcd".into());
    let card_of = SessionCard {
        id: id.clone(),
        title: "one".into(),
        project: ROOT.into(),
        began: 0,
        updated: 0,
        model: Some("m".into()),
        turns: 1,
        bytes: 0,
        parent: None,
        open: false,
    };
    let mut play = Play::new(Settings { begin: Begin::Session(id), ..with_task() }, Mode::Safe);
    play.feed(Input::Start);
    let opened = OpenedSession { card: card_of, records: records.to_vec(), torn: None, recovered, next: None };
    play.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded: None }));
    play
}

fn restored(play: &Play) -> Vec<Event> {
    let restored = play.events.iter().find_map(|event| match event {
        Event::Session(SessionEvent::Restored { events, .. }) => Some(events.clone()),
        _ => None,
    });
    restored.unwrap()
}

fn undoable(play: &mut Play) -> Vec<UndoTurn> {
    play.op(Op::List(ListOp::Undoable));
    let turns = play.events.iter().rev().find_map(|event| match event {
        Event::List(ListEvent::Undoable { turns }) => Some(turns.clone()),
        _ => None,
    });
    turns.unwrap()
}

#[test]
fn a_session_with_a_task_goes_on_as_if_it_had_never_ended() {
    let mut whole = talked();
    let mut later = resumed(&whole.records, Vec::new());
    assert_eq!(undoable(&mut later), undoable(&mut whole));
    whole.say("three");
    later.say("three");
    assert_eq!(later.requests.last().unwrap().messages, whole.requests.last().unwrap().messages);
    let shown = |events: &[Event]| {
        let pieces = events.iter().filter_map(|event| match event {
            Event::Call(CallEvent::Delegated { event, .. }) => match event.as_ref() {
                Event::Turn(TurnEvent::Text { text }) => Some(text.clone()),
                Event::Call(CallEvent::Proposed { call }) => Some(format!("[{}]", call.call.name)),
                Event::Call(CallEvent::Finished { outcome, .. }) => Some(format!("[{}]", outcome.summary)),
                _ => None,
            },
            _ => None,
        });
        pieces.collect::<String>()
    };
    assert_eq!(shown(&restored(&later)), shown(&whole.events));
}

#[test]
fn wherever_the_record_of_a_task_ends_the_session_goes_on_well_formed() {
    let records = talked().records;
    for end in 0..records.len() {
        let mut play = resumed(&records[..end], Vec::new());
        let shown = restored(&play);
        let count = |is: fn(&Event) -> bool| shown.iter().filter(|event| is(event.of_agent())).count();
        let proposed = count(|event| matches!(event, Event::Call(CallEvent::Proposed { .. })));
        let over = count(|event| matches!(event, Event::Call(CallEvent::Finished { .. })));
        assert_eq!(proposed, over, "{end}: every call has ended");
        play.say("go on");
        let messages = &play.requests.last().unwrap().messages;
        let calls: usize = messages.iter().map(|message| message.calls.len()).sum();
        let results = messages.iter().filter(|message| message.role == Role::Tool).count();
        assert_eq!(calls, results, "{end}: every call has its result");
        assert!(!messages.iter().any(|message| message.content.contains("I write")), "{end}: that was the agent's");
        play.calls(&["read_file"]);
        let known = |event: &Event| match event.of_agent() {
            Event::Call(CallEvent::Proposed { call }) => call.id.0,
            _ => 0,
        };
        let highest = shown.iter().map(known).max().unwrap_or(0);
        assert!(play.proposed().last().unwrap().id.0 > highest, "{end}: no number is used twice");
    }
}

#[test]
fn a_write_of_an_agent_that_was_cut_off_is_recovered_and_can_be_taken_back() {
    let records = talked().records;
    let is_running = |record: &Record| match record {
        Record::Event { event } => matches!(event.of_agent(), Event::Call(CallEvent::Running { call: CallId(3), .. })),
        _ => false,
    };
    let running = records.iter().position(is_running).unwrap();
    let mut cut = records[..=running].to_vec();
    cut.push(Record::Before { call: CallId(3), kept: Digest("d".into()) });
    assert_eq!(unfinished(&cut), [(CallId(3), Digest("d".into()))]);
    let mut play = resumed(&cut, vec![(CallId(3), changes("/p/a").changed)]);
    let ends: Vec<(u64, Status)> = restored(&play)
        .iter()
        .filter_map(|event| match event.of_agent() {
            Event::Call(CallEvent::Finished { call, outcome }) => Some((call.0, outcome.status)),
            _ => None,
        })
        .collect();
    use Status::{Stopped, Unknown};
    assert_eq!(ends, [(3, Unknown), (4, Stopped), (1, Unknown), (2, Stopped)]);
    assert_eq!(undoable(&mut play)[0].files, 1);
    assert!(unfinished(&records).is_empty());
}
