//! Forms that models know from other agents: a call that ends the work, a plan outside plan mode; and which tools they get.

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, ModelSize, OfferedGroup, Planned, Reached, ServerInput, Settings};
use serde_json::{Value, json};

fn call(name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: Some("c".into()), index: Some(0), name: name.into(), arguments }
}

/// The model's reply is these calls.
fn calls(play: &mut Play, calls: Vec<ModelCall>) {
    play.model(ModelEvent::Calls { calls });
    play.done();
}

#[test]
fn a_call_that_ends_the_work_is_the_answer_however_it_came() {
    for name in ["attempt_completion", "finish", "task_complete", "final_answer", "functions.finish"] {
        let mut play = Play::ready(Mode::Safe);
        play.say("what is it?");
        calls(&mut play, vec![call(name, json!({"result": "It is a parser."}))]);
        assert_eq!((play.ended(), play.shown().as_str()), (Some(TurnEndReason::Done), "It is a parser."), "{name}");
        assert_eq!((play.proposed().len(), play.requests.len()), (0, 1), "{name}");
        play.say("and?");
        assert_eq!(play.conversation()[2], "assistant: it is a parser.", "{name}: {:?}", play.conversation());
    }
    let mut play = Play::by_text(Mode::Safe);
    play.say("what is it?");
    play.writes("I looked.\n<tool_call>\n{\"name\": \"attempt_completion\", \"arguments\": {\"result\": \"A parser.\"}}\n</tool_call>");
    assert_eq!((play.ended(), play.shown().as_str()), (Some(TurnEndReason::Done), "I looked.\n\nA parser."));
    let mut play = Play::by_text(Mode::Safe);
    play.say("what is it?");
    play.writes("<attempt_completion>\n<result>\nA parser.\n</result>\n</attempt_completion>");
    assert_eq!((play.ended(), play.shown().trim()), (Some(TurnEndReason::Done), "A parser."));
}

#[test]
fn a_call_that_ends_the_work_without_a_word_is_an_answer_too() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    calls(&mut play, vec![call("finish", json!({}))]);
    assert_eq!((play.ended(), play.shown().as_str()), (Some(TurnEndReason::Done), "Done."));
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("It is a parser.");
    calls(&mut play, vec![call("finish", json!({}))]);
    assert_eq!((play.ended(), play.shown().as_str()), (Some(TurnEndReason::Done), "It is a parser."));
}

#[test]
fn beside_other_calls_it_ends_nothing_for_their_results_are_not_known_yet() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    calls(
        &mut play,
        vec![call("read_file", json!({"path": "a"})), call("attempt_completion", json!({"result": "Fine."}))],
    );
    assert_eq!(play.proposed().len(), 1);
    assert_eq!(play.set_aside(), [(SetAside::AfterCall, "Fine.".to_owned())]);
    play.reads(1, "text");
    assert_eq!((play.ended(), play.requests.len()), (None, 2));
}

#[test]
fn a_tool_of_that_name_is_called() {
    let finish = ToolSpec { name: "finish".into(), ..settings().tools[0].clone() };
    let tools = [settings().tools, vec![finish]].concat();
    let mut play = Play::ready_with(Settings { tools, ..settings() }, Mode::Safe);
    play.say("go");
    calls(&mut play, vec![call("finish", json!({"path": "a"}))]);
    assert_eq!((play.ended(), play.proposed().len()), (None, 1));
}

#[test]
fn what_ends_with_a_call_is_looked_after_like_any_turn() {
    let mut play = Play::ready_with(Settings { levers: with_checks(), ..settings() }, Mode::AcceptEdits);
    play.say("fix it");
    play.calls(&["write_file"]);
    play.reached(1, "/p/a.rs");
    play.planned(1, write("/p/a.rs"));
    let change = FileChange {
        path: "/p/a.rs".into(),
        shown_path: "a.rs".into(),
        before: FileState::Missing,
        after: FileState::File { content: Digest("d".into()), mode: 0o644, size: 1 },
        added: 1,
        removed: 0,
    };
    let outcome = Outcome { changed: vec![change], ..outcome("wrote a.rs") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
    calls(&mut play, vec![call("attempt_completion", json!({"result": "All tests pass."}))]);
    assert_eq!(play.ended(), None, "it is checked first");
    assert!(play.lines.last().is_some_and(|line| line.starts_with("lookafter")), "{:?}", play.lines.last());
}

/// A call that wants to put a plan before the user.
fn proposes(play: &mut Play, number: u64) {
    play.calls(&["exit_plan_mode"]);
    let call = CallId(number);
    let (name, action) = ("exit_plan_mode".into(), Action::Read { paths: Vec::new() });
    let reached = Reached { action, name, stands_for: Vec::new(), notes: Vec::new() };
    play.feed(Input::Call(CallInput::Reached { call, result: Ok(reached), facts: Default::default() }));
    let action = Action::Session { act: SessionAct::Propose { plan: "1. it".into() } };
    let preview = Preview { title: "Plan".into(), body: PreviewBody::Plan { text: "1. it".into() } };
    let planned = Planned { action, preview };
    play.feed(Input::Call(CallInput::Planned { call, result: Ok(planned), facts: Default::default() }));
}

#[test]
fn a_plan_outside_plan_mode_is_answered_with_what_to_do_instead() {
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        let mut play = Play::ready(mode);
        play.say("mend it");
        proposes(&mut play, 1);
        assert_eq!((play.subject(), play.requests.len()), (None, 2), "{mode:?}");
        let told = play.conversation().pop().unwrap();
        assert!(told.contains("this is not plan mode") && told.contains("carry it out"), "{told}");
    }
    let mut play = Play::ready(Mode::Plan);
    play.say("mend it");
    proposes(&mut play, 1);
    assert!(play.subject().is_some());
}

fn spec(name: &str) -> ToolSpec {
    ToolSpec { name: name.into(), ..settings().tools[0].clone() }
}

fn group(name: &str, tools: &[&str], on: bool) -> OfferedGroup {
    OfferedGroup { name: name.into(), specs: tools.iter().map(|name| spec(name)).collect(), on }
}

const CORE: [&str; 8] =
    ["read_file", "write_file", "edit_file", "list_directory", "glob_files", "grep_search", "run_command", "jobs"];

/// The settings of a session with the usual groups on, in which models below 9B get few tools.
fn usual() -> Settings {
    let groups = vec![
        group("core", &CORE, true),
        group("plan", &["todo_write", "exit_plan_mode", "ask_user"], true),
        group("git", &["git_status"], false),
        group("batch", &["read_many_files", "multi_edit"], false),
        group("user", &["deploy"], true),
        group("mcp", &["notes__add"], true),
    ];
    let few = LeverChanges { few_tools: Some(true), ..LeverChanges::default() };
    Settings {
        tools: groups.iter().filter(|group| group.on).flat_map(|group| group.specs.clone()).collect(),
        groups,
        sizes: vec![ModelSize { below: Some(9.0), form: None, levers: few }],
        levers: without_facts(),
        ..settings()
    }
}

/// The config says nothing of what is done around a model, but that no facts are looked for, which nobody here would find.
fn without_facts() -> LeverChanges {
    LeverChanges { facts: Some(false), ..LeverChanges::default() }
}

/// A session with a model of this size.
fn with_model(size: Option<&str>, mode: Mode) -> Play {
    let mut play = Play::new(usual(), mode);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { parameter_size: size.map(str::to_owned), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
    play
}

/// The tools of the last request.
fn offered(play: &Play) -> Vec<String> {
    play.requests.last().unwrap().tools.iter().map(|tool| tool.name.clone()).collect()
}

#[test]
fn a_small_model_gets_few_tools_with_its_first_request_and_no_other_model_does() {
    let mut small = with_model(Some("7B"), Mode::Safe);
    small.say("go");
    let few = ["read_file", "write_file", "edit_file", "list_directory", "glob_files", "grep_search", "run_command"];
    assert_eq!(offered(&small), [few.as_slice(), &["deploy", "notes__add"]].concat());
    let mut requests = Vec::new();
    for size in [None, Some("9B"), Some("24B"), Some("120B")] {
        let mut play = with_model(size, Mode::Safe);
        play.say("go");
        assert_eq!(offered(&play), [&CORE, ["todo_write", "ask_user"].as_slice(), &["deploy", "notes__add"]].concat());
        requests.push(play.requests[0].clone());
    }
    assert!(requests.windows(2).all(|two| two[0].messages == two[1].messages && two[0].tools == two[1].tools));
    let characters = |play: &Play| serde_json::to_string(&play.requests[0].tools).unwrap().len();
    let mut large = with_model(None, Mode::Safe);
    large.say("go");
    assert!(characters(&small) < characters(&large));
}

#[test]
fn a_tool_that_a_small_model_is_not_offered_is_answered_none_the_less() {
    let mut play = with_model(Some("7B"), Mode::Safe);
    play.say("go");
    play.calls(&["todo_write"]);
    assert_eq!(play.proposed().len(), 1);
    assert!(play.has("reach"), "the hands decide, and have it");
    let mut by_text = with_model(Some("7B"), Mode::Safe);
    by_text.op(Op::Server(ServerOp::SetForm { form: Some(ToolsBy::Text) }));
    by_text.say("go");
    by_text.writes("{\"name\": \"multi_edit\", \"arguments\": {\"operations\": []}}");
    assert_eq!(by_text.proposed().len(), 1, "it is read as a call, though its group is off");
}

#[test]
fn a_person_who_turns_a_group_on_for_a_small_model_gets_it() {
    let mut play = with_model(Some("7B"), Mode::Safe);
    let shown = |play: &Play| {
        let told = play.events.iter().rev().find_map(|event| match event {
            Event::Context(ContextEvent::Offered { groups, .. }) => Some(groups.clone()),
            _ => None,
        });
        let on = told.unwrap().into_iter().filter(|group| group.on).map(|group| group.name);
        on.collect::<Vec<_>>()
    };
    assert_eq!(shown(&play), ["core", "user", "mcp"], "what nothing is left of shows as off");
    let groups = ["core", "plan", "user", "mcp"].map(str::to_owned).to_vec();
    play.op(Op::Call(CallOp::SetGroups { groups: groups.clone() }));
    assert_eq!(shown(&play), groups);
    play.say("go");
    assert!(offered(&play).contains(&"todo_write".to_owned()) && !offered(&play).contains(&"jobs".to_owned()));
}

#[test]
fn the_tool_for_plans_comes_with_plan_mode_and_stays() {
    for size in [Some("7B"), None] {
        let has = |play: &Play| offered(play).contains(&"exit_plan_mode".to_owned());
        let mut play = with_model(size, Mode::Safe);
        play.say("go");
        play.writes("Yes.");
        assert!(!has(&play), "{size:?}");
        play.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
        play.say("plan it");
        assert!(has(&play) && play.last_said().contains("exit_plan_mode"), "{size:?} {}", play.last_said());
        play.writes("1. it");
        play.op(Op::Call(CallOp::SetMode { mode: Mode::Safe }));
        play.say("do it");
        assert_eq!(play.requests[1].tools, play.requests[2].tools, "{size:?}: nothing is read anew for it");
        let mut from_the_start = with_model(size, Mode::Plan);
        from_the_start.say("plan it");
        assert!(has(&from_the_start), "{size:?}");
    }
}

#[test]
fn a_model_that_was_found_to_miss_edits_is_led_to_write_files() {
    let finding = |probe, verdict| ProbeFinding { probe, verdict, words: String::new() };
    let findings = vec![finding(Probe::Write, ProbeVerdict::Passed), finding(Probe::Edit, ProbeVerdict::Failed)];
    let examined = Some(Examined { findings, ..Examined::default() });
    let profile = ModelProfile { digest: "d".into(), name: "m".into(), examined, ..ModelProfile::default() };
    let description = |levers: LeverChanges| {
        let mut play = Play::new(Settings { profiles: vec![profile.clone()], levers, ..usual() }, Mode::Safe);
        play.feed(Input::Start);
        play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        let card = ModelCard { digest: Some("d".into()), ..card(Some(true)) };
        play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
        play.say("go");
        let tools = &play.requests[0].tools;
        tools.iter().find(|tool| tool.name == "edit_file").map(|tool| tool.description.clone()).unwrap()
    };
    assert!(description(without_facts()).starts_with("Only for files of more than 120 lines."));
    let config = LeverChanges { edit: Some(EditForm::Both), ..without_facts() };
    assert_eq!(description(config), "does it", "what the config says counts");
}
