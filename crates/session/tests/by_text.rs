//! Calls that the model writes as text, and tools that go by text altogether.

use agent_protocol::{ContextEvent, ContextOp, ServerOp, TurnEvent, TurnOp};

use crate::play::*;
use crate::sessions::{recording, resumed_with};
use agent_dialects::Form;
use agent_protocol::*;
use agent_session::{CallInput, Family, Input, ServerInput, Settings, ToolsMode};
use serde_json::json;

#[test]
fn a_call_in_the_text_is_carried_out_and_says_where_it_came_from() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text("Let me look. ");
    for piece in hermes("read_file", "a").split_inclusive(' ') {
        play.text(piece);
    }
    assert!(play.proposed().is_empty(), "not before the reply is complete");
    play.done();
    let call = &play.proposed()[0];
    assert_eq!((call.name(), &call.call.arguments), ("read_file", &json!({"path": "a"})));
    assert_eq!((call.origin.way, call.origin.dialect.as_deref()), (Way::Text, Some("hermes")));
    assert_eq!(call.origin.raw, hermes("read_file", "a"));
    assert!(!play.shown().contains("tool_call"), "{}", play.shown());
    play.reads(1, "text of a");
    assert_eq!(play.proposed().len(), 1);
    assert_eq!(play.ended(), None);
}

#[test]
fn while_a_call_is_written_its_name_and_size_are_told() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text("Now. ");
    for piece in ["<tool_call>\n{\"name\"", ": \"read_file\", ", "\"arguments\": {\"path\"", ": \"a\"}}\n"] {
        play.text(piece);
    }
    let told = play.events.iter().filter_map(|event| match event {
        Event::Turn(TurnEvent::Waiting { phase: Phase::WritingCall { name, bytes } }) => {
            Some((name.as_deref(), *bytes))
        }
        _ => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [(None, 19), (Some("read_file"), 34), (Some("read_file"), 54), (Some("read_file"), 62)]
    );
}

#[test]
fn by_server_a_call_from_text_goes_back_as_a_call_with_the_text_before_it() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.writes(&format!("I look.{}", hermes("read_file", "a")));
    play.reads(1, "text of a");
    let messages = &play.requests[1].messages;
    let (reply, result) = (&messages[2], &messages[3]);
    assert_eq!((reply.content.trim_end(), reply.calls.len()), ("I look.", 1));
    assert_eq!((&reply.calls[0].server_id, &reply.calls[0].arguments), (&None, &json!({"path": "a"})));
    assert_eq!(
        (result.role, result.tool_name.as_deref(), result.content.as_str()),
        (Role::Tool, Some("read_file"), "text of a")
    );
}

#[test]
fn by_text_a_reply_goes_back_byte_for_byte_and_its_results_in_one_message() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("look");
    let written = format!("I look.\n{}\n{}", hermes("read_file", "a"), hermes("read_file", "b"));
    play.writes(&written);
    play.reads(1, "text of a");
    play.say("and hurry");
    play.reads(2, "text of b");
    let messages = &play.requests[1].messages;
    assert_eq!((messages[2].role, messages[2].content.as_str()), (Role::Assistant, written.as_str()));
    assert!(messages[2].calls.is_empty() && messages.len() == 4, "{messages:?}");
    assert_eq!(messages[3].role, Role::User);
    assert_eq!(
        messages[3].content,
        "<tool_response>\ntext of a\n</tool_response>\n<tool_response>\ntext of b\n</tool_response>\n\nand hurry"
    );
}

#[test]
fn by_text_the_tools_stand_in_the_system_message_and_in_no_request() {
    let play = {
        let mut play = Play::by_text(Mode::Safe);
        play.say("hello");
        play
    };
    let request = &play.requests[0];
    assert!(request.tools.is_empty());
    let system = &request.messages[0].content;
    assert!(
        system.starts_with("system\n") && system.contains("write_file") && system.contains("<tool_call>"),
        "{system}"
    );
}

#[test]
fn a_model_without_tools_gets_them_by_text_in_its_familys_form() {
    let gemma = Family { matches: vec!["gemma".into()], form: Form::Gemma, starts_in_reasoning: false, ..family() };
    let mut play = Play::new(Settings { families: vec![gemma], ..settings() }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { family: Some("gemma3".into()), ..card(Some(false)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
    let notice = "this model has no tool support of its own; its tools go by text";
    assert_eq!(play.notices(), [notice]);
    assert_eq!(play.offered().last(), Some(&ToolsBy::Text));
    play.say("hello");
    assert!(play.requests[0].messages[0].content.contains("tool_code"));
}

#[test]
fn a_model_that_turns_out_to_have_no_tools_goes_on_by_text_in_the_same_turn() {
    let mut play = Play::ready(Mode::Safe);
    play.say("hello");
    assert!(!play.requests[0].tools.is_empty());
    play.broken(ServerError::NoTools { model: "m".into() });
    assert_eq!(play.requests.len(), 2);
    assert!(play.requests[1].tools.is_empty());
    assert!(play.requests[1].messages[0].content.contains("read_file"));
    assert_eq!(play.requests[1].messages[1..], play.requests[0].messages[1..]);
    assert_eq!(play.offered().last(), Some(&ToolsBy::Text));
    play.text("hi");
    play.done();
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn native_never_falls_back_to_text() {
    let mut play = Play::new(Settings { tools_mode: ToolsMode::Native, ..settings() }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(false))), loaded: None }));
    play.say("hello");
    assert!(play.requests[0].tools.is_empty());
    assert_eq!(play.conversation()[0], "system: system");
    assert!(play.notices()[0].contains("cannot call tools"), "{:?}", play.notices());
    let call = hermes("read_file", "a");
    let talk = format!("One writes it so: {call}\n{call}\n<tool_response>\n42\n</tool_response>\nand that is all.");
    play.text(&format!("<think>hm</think>{talk}"));
    play.done();
    assert!(play.proposed().is_empty() && play.set_aside().is_empty(), "it can only talk: {:?}", play.lines);
    assert_eq!((play.shown(), play.ended()), (talk.clone(), Some(TurnEndReason::Done)));
    play.say("and?");
    assert_eq!(play.requests[1].messages[2].content, talk);
}

#[test]
fn what_the_tools_cost_is_told_with_the_model_and_again_when_it_is_measured() {
    let mut play = Play::new(Settings { system: "word ".repeat(400), ..settings() }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded: None }));
    play.say("hello");
    for prompt_tokens in [1_200, 600] {
        let usage = Usage { prompt_tokens: Some(prompt_tokens), reply_tokens: Some(2), ..Usage::default() };
        play.text("hello");
        play.model(ModelEvent::Done { reason: None, usage });
        play.say("again");
    }
    let costs: Vec<u64> = play
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs, .. }) => Some(costs[0].tokens),
            _ => None,
        })
        .collect();
    assert_eq!(costs.len(), 2, "once with the model, and once when it is measured");
    assert!(costs[1] * 10 > costs[0] * 12, "the server counted more than was expected: {costs:?}");
}

#[test]
fn an_invented_result_is_never_sent_back_and_the_rest_is_not_listened_to() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("look");
    let call = hermes("read_file", "a");
    play.text(&call);
    play.text("\n<tool_response>\nINVENTED\n");
    assert!(!play.has("hang up"), "all of it may be reasoning, where nobody says whether the model thinks");
    play.text(&"INVENTED\n".repeat(500));
    assert!(play.has("hang up") && play.has("reach 1"), "{:?}", play.lines);
    play.text(" more of it");
    play.done();
    play.reads(1, "real");
    let conversation = play.conversation().join("\n");
    assert!(conversation.contains("real") && !conversation.contains("invented"), "{conversation}");
    assert!(!play.shown().contains("INVENTED"));
    assert!(matches!(&play.set_aside()[..], [(SetAside::Invented, text)] if text.contains("INVENTED")));
    assert_eq!(play.requests[1].messages[2].content, call);
}

#[test]
fn what_follows_a_call_in_the_text_is_shown_as_such_and_not_sent_back() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("look");
    let call = hermes("read_file", "a");
    play.writes(&format!("{call}\nThe file says hello."));
    assert_eq!(play.set_aside(), [(SetAside::AfterCall, "The file says hello.".to_owned())]);
    play.reads(1, "real");
    assert_eq!(play.requests[1].messages[2].content, call);
}

#[test]
fn the_servers_calls_win_over_those_in_the_text() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text(&hermes("read_file", "a"));
    play.text(&hermes("read_file", "b"));
    let call = ModelCall { arguments: json!({"path": "a"}), ..model_call("read_file") };
    play.model(ModelEvent::Calls { calls: vec![call] });
    play.done();
    let calls = play.proposed();
    assert_eq!((calls.len(), calls[0].origin.clone()), (1, Origin::default()));
    assert_eq!(play.set_aside(), [(SetAside::Beside, hermes("read_file", "b"))], "the same call is not shown twice");
}

#[test]
fn no_call_in_the_text_runs_from_a_reply_that_broke_off() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("go");
    play.text(&format!("I look.{}", hermes("read_file", "a")));
    play.broken(ServerError::Cut { why: "reset".into() });
    assert!(!play.has("reach"));
    assert_eq!(play.set_aside(), [(SetAside::CutOff, hermes("read_file", "a"))]);
}

#[test]
fn reasoning_in_the_text_is_reasoning() {
    let thinks = Family { matches: vec!["m".into()], form: Form::Hermes, starts_in_reasoning: true, ..family() };
    let mut play = Play::ready_with(Settings { families: vec![thinks], ..settings() }, Mode::Safe);
    play.say("hello");
    play.writes("The user greets me.</think>Hello!");
    assert_eq!(play.shown(), "Hello!");
    assert!(play.has(r#"emit thinking {"text":"The user greets me."#), "{:?}", play.lines);
}

#[test]
fn an_answer_before_a_mark_that_ends_reasoning_was_reasoning() {
    let call = hermes("read_file", "a");
    let plain = format!("Maybe: {call} No.\n");
    let invented = format!("Maybe: {call}\n<tool_response>\nINVENTED\n</tool_response>\nNo.\n");
    let by = |mode: fn(Mode) -> Play| [plain.clone(), invented.clone()].map(|thought| (mode(Mode::Unsafe), thought));
    for (mut play, thought) in by(Play::by_text).into_iter().chain(by(Play::ready)) {
        play.say("hello");
        for piece in [thought.as_str(), "</thi", "nk>\n\nShall ", "I?"] {
            play.text(piece);
        }
        play.done();
        assert!(play.proposed().is_empty() && play.set_aside().is_empty(), "nothing in it is a call");
        let told = Event::Turn(TurnEvent::WasThinking { text: thought.clone() });
        assert!(play.events.contains(&told), "{:?}", play.lines);
        assert_eq!(play.ended(), Some(TurnEndReason::Done));
        play.say("yes");
        play.writes(&format!("{thought}</think>I look.\n{}", hermes("read_file", "b")));
        assert_eq!(play.proposed().len(), 1, "the call behind the mark is one");
        play.reads(play.proposed()[0].id.0, "text of b");
        let back: Vec<String> = play.conversation().into_iter().filter(|line| line.starts_with("assistant")).collect();
        assert!(back[0].trim_start_matches("assistant:").trim() == "shall i?", "{back:?}");
        assert!(back[1].starts_with("assistant: i look.") && !back[1].contains("maybe"), "{back:?}");
    }
}

#[test]
fn a_reply_that_was_cut_off_goes_on_without_its_reasoning() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("one");
    play.text("Perhaps so.\n</think>\n\nIt is");
    play.broken(ServerError::Cut { why: "reset".into() });
    let mut later = resumed_with(&play.records, recording());
    later.say("go on");
    let conversation = later.conversation().join("\n");
    assert!(conversation.contains("it is") && !conversation.contains("perhaps"), "{conversation}");
}

#[test]
fn reasoning_that_the_server_told_apart_is_not_looked_for_again() {
    let thinks = Family { matches: vec!["m".into()], form: Form::Hermes, starts_in_reasoning: true, ..family() };
    let mut play = Play::ready_with(Settings { families: vec![thinks], ..settings() }, Mode::Safe);
    play.say("hello");
    play.model(ModelEvent::Thinking { text: "hm".into() });
    play.writes("Hello!");
    assert_eq!(play.shown(), "Hello!");
}

#[test]
fn a_call_at_the_end_of_reasoning_that_was_never_closed_counts() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    let thought = format!("I should look.\n{}", hermes("read_file", "a"));
    play.model(ModelEvent::Thinking { text: thought });
    play.done();
    assert_eq!(play.proposed()[0].origin.way, Way::Text);
}

#[test]
fn such_a_call_counts_too_when_only_white_space_follows_as_text() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.model(ModelEvent::Thinking { text: format!("I should look.\n{}", hermes("read_file", "a")) });
    play.writes("\n\n");
    assert_eq!(play.proposed().len(), 1);
}

#[test]
fn a_call_in_the_middle_of_reasoning_does_not() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    for thought in [
        format!("I could write {} but I will not.", hermes("read_file", "a")),
        "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}".to_owned(),
    ] {
        play.model(ModelEvent::Thinking { text: thought });
        play.empty(1);
        assert!(play.proposed().is_empty());
    }
}

#[test]
fn the_prompt_only_grows_by_text_too() {
    for mut play in [Play::by_text(Mode::Unsafe), Play::ready(Mode::Unsafe)] {
        for turn in 0..4 {
            play.say(&format!("turn {turn}"));
            play.writes(&format!("So.\n{}\n<tool_response>x</tool_response> and more", hermes("read_file", "a")));
            play.reads(turn + 1, &format!("result {turn}"));
            play.writes("<think>good</think>fine");
        }
        assert_eq!(play.requests.len(), 8);
        play.assert_prompt_only_grows();
    }
}

#[test]
fn a_call_carried_out_under_another_name_says_so_before_it_asks() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.writes(&hermes("read_file", "a"));
    let action = read("/etc/hosts");
    let facts = facts(&action);
    let notes = vec!["path was read as file_path".into()];
    let reached = agent_session::Reached { action, name: "read_file".into(), stands_for: Vec::new(), notes };
    play.feed(Input::Call(CallInput::Reached { call: CallId(1), result: Ok(reached), facts }));
    let place = |start: &str| play.lines.iter().position(|line| line.starts_with(start)).expect("it was said");
    assert!(place("emit understood") < place("emit asked"), "{:?}", play.lines);
}

#[test]
fn what_was_called_before_is_text_too_for_a_model_without_tools() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text("I look.");
    play.calls(&["one", "two"]);
    play.reads(1, "first");
    play.reads(2, "second");
    play.writes("Seen.");
    play.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    play.feed(Input::Server(ServerInput::Described {
        name: "other".into(),
        result: Ok(card(Some(false))),
        loaded: None,
    }));
    play.say("again");
    let messages = &play.requests.last().expect("a request was made").messages;
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User, Role::Assistant, Role::User]);
    assert!(messages[2].calls.is_empty() && messages[2].content.starts_with("I look.\n```json"), "{messages:?}");
    assert!(messages[3].content.contains("first") && messages[3].content.contains("second"), "{messages:?}");
}

fn switch(play: &mut Play, tools: bool) {
    play.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    play.feed(Input::Server(ServerInput::Described {
        name: "other".into(),
        result: Ok(card(Some(tools))),
        loaded: None,
    }));
}

#[test]
fn a_reply_that_broke_off_can_be_asked_for_again_from_a_model_without_tools() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.calls(&["one"]);
    play.reads(1, "first");
    play.text("I see that");
    play.broken(ServerError::MidReply { message: "boom".into() });
    switch(&mut play, false);
    let before = play.requests.len();
    play.op(Op::Turn(TurnOp::Retry));
    assert_eq!(play.requests.len(), before + 1, "{:?}", play.lines);
    let messages = &play.requests[before].messages;
    assert_eq!(messages.len(), 4, "without the reply that broke off: {messages:?}");
    assert!(messages[3].content.contains("first"));
}

#[test]
fn a_model_with_tools_gets_them_by_the_server_after_one_without() {
    let mut play = Play::ready(Mode::Safe);
    switch(&mut play, false);
    play.say("look");
    play.writes(&hermes("read_file", "a"));
    play.reads(1, "first");
    play.writes("Seen.");
    let before = play.requests.last().expect("a request was made").clone();
    switch(&mut play, true);
    play.say("again");
    let after = play.requests.last().expect("a request was made").clone();
    assert!(before.tools.is_empty() && !after.tools.is_empty());
    assert_eq!((after.messages[0].content.as_str(), play.offered().last()), ("system", Some(&ToolsBy::Server)));
    assert_eq!(before.messages[1..], after.messages[1..before.messages.len()], "what was said stays as it was");
    play.calls(&["read_file"]);
    play.reads(2, "second");
    assert_eq!(play.conversation().last().expect("a message"), "tool for call_read_file: second");
}

#[test]
fn clear_keeps_the_tools_that_go_by_text() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("look");
    play.writes(&hermes("read_file", "a"));
    play.reads(1, "first");
    play.writes("Seen.");
    play.op(Op::Context(ContextOp::Clear));
    play.say("again");
    let messages = &play.requests.last().expect("a request was made").messages;
    assert_eq!((messages.len(), messages[1].content.as_str()), (2, "again"));
    assert_eq!(messages[0], play.requests[0].messages[0], "the system message still describes them");
    play.writes(&hermes("read_file", "b"));
    assert_eq!(play.proposed().len(), 2);
}

#[test]
fn calls_that_are_described_come_with_a_worked_example_and_calls_of_the_server_without() {
    let mut tools = settings().tools;
    let known: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
    let like = |name: &str| ToolSpec { name: name.into(), ..tools[0].clone() };
    let missing: Vec<ToolSpec> = ["read_file", "edit_file"]
        .into_iter()
        .filter(|name| !known.iter().any(|tool| tool == name))
        .map(like)
        .collect();
    tools.extend(missing);
    let asked = |tools_mode: ToolsMode| {
        let mut play = Play::ready_with(Settings { tools_mode, tools: tools.clone(), ..settings() }, Mode::Safe);
        play.say("look");
        play.requests[0].messages.clone()
    };
    let (described, native) = (asked(ToolsMode::Text), asked(ToolsMode::Native));
    assert_eq!((native.len(), described.len()), (2, 8));
    assert!(described[2].content.contains("read_file") && described[4].content.contains("edit_file"));
    assert_eq!(described[7].content.trim_end(), native[1].content.trim_end());
}
