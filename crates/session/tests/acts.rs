//! The list of what there is to do, plans, questions to the user, and groups of tools.

use agent_protocol::{CallEvent, CallOp, ContextEvent, ContextOp, SessionOp, TurnEvent};

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, OfferedGroup, Planned, Reached, Settings};

fn todo(id: &str, status: TodoStatus) -> Todo {
    Todo { id: id.into(), content: format!("step {id}"), status }
}

/// A call that wants `act`, as far as it goes without the user.
fn wants(play: &mut Play, call: u64, name: &str, act: SessionAct) {
    play.calls(&[name]);
    let body = match &act {
        SessionAct::Todo { .. } => PreviewBody::Plain,
        SessionAct::Delegate { agent, prompt, .. } => {
            PreviewBody::Task { agent: agent.clone(), prompt: prompt.clone() }
        }
        SessionAct::Propose { plan } => PreviewBody::Plan { text: plan.clone() },
        SessionAct::Inquire { question, choices } => {
            PreviewBody::Choices { question: question.clone(), choices: choices.clone() }
        }
    };
    let reached = Reached {
        action: Action::Read { paths: Vec::new() },
        name: name.into(),
        stands_for: Vec::new(),
        notes: Vec::new(),
    };
    play.feed(Input::Call(CallInput::Reached { call: CallId(call), result: Ok(reached), facts: Default::default() }));
    let planned = Planned { action: Action::Session { act }, preview: Preview { title: "x".into(), body } };
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result: Ok(planned), facts: Default::default() }));
}

fn modes(play: &Play) -> Vec<Mode> {
    let mode = |event: &Event| match event {
        Event::Call(CallEvent::ModeChanged { mode }) => Some(*mode),
        _ => None,
    };
    play.events.iter().filter_map(mode).collect()
}

#[test]
fn a_list_is_kept_without_a_question_and_told_to_the_faces() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    let items = vec![todo("1", TodoStatus::InProgress), todo("2", TodoStatus::Pending)];
    wants(&mut play, 1, "todo_write", SessionAct::Todo { items: items.clone() });
    assert!(play.events.contains(&Event::Turn(TurnEvent::Todos { items })));
    assert_eq!(play.requests.len(), 2, "the model is asked again at once");
    assert!(play.conversation().last().unwrap().ends_with("2 of 2 to do"), "{:?}", play.conversation());
    play.text("later");
    play.done();
    play.op(Op::Context(ContextOp::Clear));
    assert!(
        play.events.contains(&Event::Turn(TurnEvent::Todos { items: Vec::new() })),
        "a new conversation has no list"
    );
}

#[test]
fn a_list_goes_back_with_the_conversation() {
    let mut play = Play::ready(Mode::Safe);
    for (turn, status) in [(1, TodoStatus::Pending), (2, TodoStatus::Completed)] {
        play.say("go");
        wants(&mut play, turn, "todo_write", SessionAct::Todo { items: vec![todo("1", status)] });
        play.text("ok");
        play.done();
    }
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Conversation, choices: Vec::new() }));
    let last = play.events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Todos { items }) => Some(items.clone()),
        _ => None,
    });
    assert_eq!(last, Some(vec![todo("1", TodoStatus::Pending)]));
}

#[test]
fn in_plan_mode_nothing_is_changed_and_the_model_knows() {
    let mut play = Play::ready(Mode::Safe);
    play.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
    play.say("mend it");
    assert!(play.last_said().starts_with("(this is plan mode"), "{}", play.last_said());
    play.calls(&["write_file"]);
    play.reached(1, "/p/a");
    play.planned(1, write("/p/a"));
    let told = play.conversation().pop().unwrap();
    assert!(told.contains("refused: this is plan mode") && told.contains("exit_plan_mode"), "{told}");
    play.text("Hm.");
    play.done();
    play.say("and?");
    assert_eq!(play.last_said(), "and?", "it is told once");
}

#[test]
fn where_no_tool_takes_the_plan_it_is_to_be_the_answer() {
    let mut play = Play::ready(Mode::Plan);
    play.say("mend it");
    let told = play.last_said();
    assert!(told.starts_with("(this is plan mode") && told.contains("write your plan as your answer"), "{told}");
    assert!(!told.contains("exit_plan_mode"), "{told}");
    let tool = ToolSpec { name: "exit_plan_mode".into(), ..settings().tools[0].clone() };
    let mut play = Play::ready_with(Settings { tools: vec![tool], ..settings() }, Mode::Plan);
    play.say("mend it");
    assert!(play.last_said().contains("put a plan before the user with exit_plan_mode"), "{}", play.last_said());
}

#[test]
fn an_approved_plan_ends_plan_mode_and_one_sent_back_does_not() {
    let mut play = Play::ready(Mode::Plan);
    play.say("mend it");
    wants(&mut play, 1, "exit_plan_mode", SessionAct::Propose { plan: "1. it".into() });
    play.answer(no("smaller steps"));
    assert!(play.conversation().last().unwrap().contains("smaller steps"));
    assert_eq!(modes(&play), []);
    wants(&mut play, 2, "exit_plan_mode", SessionAct::Propose { plan: "1. a\n2. b".into() });
    play.answer(Answer::Yes { remember: None, word: Some("begin with b".into()) });
    assert_eq!(modes(&play), [Mode::Safe]);
    let told = play.conversation().pop().unwrap();
    assert!(told.contains("approved the plan; carry it out") && told.contains("begin with b"), "{told}");
    play.text("I will.");
    play.done();
    play.say("go on");
    assert_eq!(play.last_said(), "go on", "that plan mode is over was told with the answer");
}

#[test]
fn a_plan_that_the_person_rewrote_is_told_to_the_model() {
    let mut play = Play::ready(Mode::Plan);
    play.say("mend it");
    wants(&mut play, 1, "exit_plan_mode", SessionAct::Propose { plan: "1. it".into() });
    play.answer(Answer::Instead { proposal: Proposal::Plan { text: "1. that".into() } });
    let act = SessionAct::Propose { plan: "1. that".into() };
    let preview = Preview { title: "Plan".into(), body: PreviewBody::Plan { text: "1. that".into() } };
    let planned = Planned { action: Action::Session { act }, preview };
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Ok(planned), facts: Default::default() }));
    play.answer(yes());
    let told = play.conversation().pop().unwrap();
    assert!(told.contains("carry out this one:\n\n1. that"), "{told}");
}

#[test]
fn a_question_gets_the_persons_answer_or_the_word_that_there_is_none() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    let ask = || SessionAct::Inquire { question: "Which?".into(), choices: vec!["a".into(), "b".into()] };
    wants(&mut play, 1, "ask_user", ask());
    play.answer(Answer::Yes { remember: None, word: Some("b".into()) });
    let told = play.conversation().pop().unwrap();
    assert!(told.ends_with("the user answers: b"), "{told}");
    wants(&mut play, 2, "ask_user", ask());
    play.answer(no(""));
    let told = play.conversation().pop().unwrap();
    assert!(told.contains("does not answer; decide yourself"), "{told}");
}

#[test]
fn groups_are_switched_between_turns_and_the_tools_are_told_anew() {
    let spec = |name: &str| ToolSpec {
        name: name.into(),
        description: "does it".into(),
        parameters: serde_json::json!({"type": "object", "properties": {}}),
        aliases: Vec::new(),
    };
    let group = |name: &str, tool: &str, on| OfferedGroup { name: name.into(), specs: vec![spec(tool)], on };
    let groups = vec![group("core", "read_file", true), group("git", "git_status", false)];
    let mut play = Play::ready_with(Settings { groups, tools: vec![spec("read_file")], ..settings() }, Mode::Safe);
    play.say("go");
    play.op(Op::Call(CallOp::SetGroups { groups: vec!["git".into()] }));
    assert!(play.notices().last().unwrap().contains("between turns"), "{:?}", play.notices());
    play.text("done");
    play.done();
    play.op(Op::Call(CallOp::SetGroups { groups: vec!["git".into()] }));
    assert!(play.lines.iter().any(|line| line.contains("offer { groups: [\"git\"] }")), "{:#?}", play.lines);
    let told = play.events.iter().rev().find_map(|event| match event {
        Event::Context(ContextEvent::Offered { groups, costs, .. }) => Some((groups.clone(), costs.clone())),
        _ => None,
    });
    let (groups, costs) = told.expect("it is told");
    assert_eq!(groups.iter().map(|group| group.on).collect::<Vec<_>>(), [false, true]);
    assert!(groups.iter().all(|group| group.characters > 50 && group.tokens > 5), "{groups:?}");
    assert_eq!(costs[0].name, "git_status");
    play.say("and now");
    let names: Vec<String> = play.requests.last().unwrap().tools.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(names, ["git_status"]);
}
