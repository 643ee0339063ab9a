//! Replies that cannot be used, and the ways to the call nevertheless.

use agent_protocol::{TurnEvent, TurnOp};

use crate::play::*;
use agent_protocol::*;
use agent_session::{Input, ServerInput, Settings};
use serde_json::json;

const HARMONY: &str = "error parsing tool call: raw='{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}', err=bad";

#[test]
fn a_call_that_a_servers_error_quotes_is_carried_out() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text("I look.");
    play.bad_call(HARMONY);
    let call = &play.proposed()[0];
    assert_eq!((call.origin.way, &call.call.arguments), (Way::ServerError, &json!({"path": "a"})));
    assert_eq!(call.origin.raw, "{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}");
    assert!(play.notices()[0].contains("what the server quotes"), "{:?}", play.notices());
    play.reads(1, "text of a");
    let conversation = play.conversation();
    assert_eq!(conversation[2..], ["assistant: i look. calls read_file", "tool: text of a"]);
}

#[test]
fn arguments_alone_in_an_error_name_the_tool_that_takes_them() {
    let mut play = Play::ready(Mode::Safe);
    play.say("write");
    play.bad_call("error parsing tool call: raw='{\"path\":\"a\",\"content\":\"x\"}', err=invalid character");
    assert_eq!(play.proposed()[0].name(), "write_file");
}

#[test]
fn by_text_a_quoted_call_goes_back_as_text() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("look");
    play.bad_call(HARMONY);
    play.reads(1, "text of a");
    let messages = &play.requests[1].messages;
    assert_eq!(messages[2].content, "{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}");
    assert_eq!(messages[3].role, Role::User);
}

#[test]
fn an_error_that_quotes_nothing_usable_is_told_to_the_model() {
    let mut play = Play::ready(Mode::Safe);
    play.say("list");
    play.bad_call("error parsing tool call: raw='ls -R', err=invalid character 'l'");
    assert!(play.proposed().is_empty());
    assert!(play.last_said().contains("raw='ls -R'") && play.last_said().contains("one JSON object"));
    play.calls(&["read_file"]);
    assert_eq!(play.proposed()[0].origin, Origin { way: Way::Retry, ..Origin::default() });
}

#[test]
fn a_name_the_server_refused_brings_the_list_of_tools() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.bad_call("tool 'launch' not found");
    assert!(play.last_said().contains("the tools are read_file, write_file"), "{}", play.last_said());
}

#[test]
fn what_was_told_leads_to_a_call_by_text_that_says_both() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(25);
    play.writes(&hermes("read_file", "a"));
    let origin = &play.proposed()[0].origin;
    assert_eq!((origin.way, origin.dialect.as_deref()), (Way::Retry, Some("hermes")));
}

#[test]
fn a_reply_the_server_threw_away_is_asked_for_again() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(10);
    assert_eq!(play.requests.len(), 2, "tokens were written and nothing arrived");
    play.writes("here");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_call_that_is_cut_off_is_not_run_and_the_model_is_told_what_is_missing() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("write");
    play.writes("I write.\n<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a");
    assert!(!play.has("reach"));
    assert_eq!(play.set_aside()[0].0, SetAside::CutOff);
    let said = play.last_said();
    assert!(said.contains("write_file was cut off") && said.contains("content is missing"), "{said}");
    assert_eq!(play.conversation()[2].trim_end(), "assistant: i write.", "the fragment is not sent back");
}

#[test]
fn a_call_cut_off_after_complete_ones_is_told_with_their_results() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("go");
    let first = hermes("read_file", "a");
    play.writes(&format!("{first}\n<tool_call>\n{{\"name\": \"write_file\", \"arguments\": {{\"path\": \"b"));
    assert_eq!(play.proposed().len(), 1);
    play.reads(1, "text of a");
    let said = play.last_said();
    assert!(said.starts_with("<tool_response>\ntext of a") && said.contains("write_file was cut off"), "{said}");
    assert_eq!(play.requests[1].messages[2].content, first);
}

#[test]
fn each_way_is_tried_once_and_then_the_person_is_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.bad_call("failed to parse JSON: unexpected end");
    assert!(play.requests[1].format.is_none());
    play.bad_call("failed to parse JSON: unexpected end");
    let kept = play.requests[2].format.as_ref().expect("the reply is kept to a schema");
    assert_eq!(kept["anyOf"].as_array().map(Vec::len), Some(3), "two tools, and text");
    assert_eq!(play.requests[2].tools, play.requests[0].tools, "other tools would be another prompt");
    play.bad_call("failed to parse JSON: unexpected end");
    assert_eq!(play.requests.len(), 3);
    assert_eq!(play.subject(), Some(Subject::Stuck { how: Stuck::Unreadable }));
    assert_eq!(play.notices().len(), 3, "never silently: {:?}", play.notices());
    play.answer(yes());
    assert_eq!((play.requests.len(), play.requests[3].format.clone()), (4, None), "one more plain try");
    play.bad_call("failed to parse JSON: unexpected end");
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Unreadable }));
    play.assert_prompt_only_grows();
}

#[test]
fn where_nothing_came_a_word_stands_for_the_answer() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(9);
    let roles: Vec<Role> = play.requests[1].messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
    assert_eq!(play.conversation()[2], "assistant: (no answer)");
    play.empty(9);
    play.writes("Here.");
    play.assert_prompt_only_grows();
}

#[test]
fn a_reply_kept_to_the_schema_is_a_call_and_nothing_of_it_is_shown_as_text() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(9);
    play.empty(9);
    play.text("{\"name\": \"read_file\", ");
    play.text("\"arguments\": {\"path\": \"a\"}}");
    assert!(play.has(r#"emit waiting {"phase":{"phase":"writing_call""#), "{:?}", play.lines);
    play.done();
    let call = &play.proposed()[0];
    assert_eq!((call.name(), call.origin.way), ("read_file", Way::Constrained));
    assert_eq!(play.shown(), "");
    play.reads(1, "text of a");
    assert!(play.requests[3].format.is_none(), "the next request is like any other");
}

#[test]
fn a_reply_kept_to_the_schema_may_be_an_answer() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(9);
    play.empty(9);
    play.writes("{\"name\": \"answer_in_text\", \"arguments\": {\"text\": \"All is well.\"}}");
    assert_eq!((play.shown().as_str(), play.ended()), ("All is well.", Some(TurnEndReason::Done)));
}

#[test]
fn where_an_examination_found_that_a_schema_helps_only_alone_no_tools_stand_beside_it() {
    let examined = |schema_alone| Examined { tools_by: Some(ToolsBy::Server), schema_alone, ..Examined::default() };
    for alone in [false, true] {
        let profile = ModelProfile {
            digest: "d".into(),
            name: "m".into(),
            examined: Some(examined(alone)),
            ..ModelProfile::default()
        };
        let mut play = Play::new(Settings { profiles: vec![profile], ..settings() }, Mode::Safe);
        play.feed(Input::Start);
        play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        let card = ModelCard { digest: Some("d".into()), ..card(Some(true)) };
        play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
        play.say("go");
        play.empty(9);
        play.empty(9);
        let request = &play.requests[2];
        assert!(request.format.is_some() && request.tools.is_empty() == alone, "{alone}");
        assert_eq!(play.last_said().contains("The tools: read_file("), alone, "{}", play.last_said());
        play.writes("{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}");
        play.reads(1, "text of a");
        assert!(!play.requests[3].tools.is_empty(), "the next request is like any other");
    }
}

#[test]
fn a_server_that_knows_no_schemas_is_read_like_any_other() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.empty(9);
    play.empty(9);
    play.writes(&hermes("read_file", "a"));
    assert_eq!(play.proposed()[0].origin.way, Way::Constrained);
}

#[test]
fn a_reply_that_can_be_used_begins_the_ladder_anew() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    for call in 1..=3 {
        play.empty(9);
        play.calls(&["read_file"]);
        play.reads(call, &format!("result {call}"));
    }
    assert!(play.requests.iter().all(|request| request.format.is_none()));
    assert_eq!(play.subject(), None);
}

#[test]
fn a_reply_that_was_cut_on_its_way_is_asked_for_once_more() {
    for trouble in [ServerError::Cut { why: "reset".into() }, ServerError::NotDone] {
        let mut play = Play::ready(Mode::Unsafe);
        play.say("go");
        play.text("I will");
        play.model(ModelEvent::Calls { calls: vec![model_call("run_command")] });
        play.broken(trouble.clone());
        assert!(!play.has("reach"), "nothing of it is run");
        assert_eq!(play.set_aside(), [(SetAside::CutOff, "run_command {\"z\":1,\"a\":2}".to_owned())]);
        assert_eq!((play.requests.len(), play.notices().len(), play.ended()), (2, 1, None));
        assert_eq!(play.conversation()[2], "assistant: i will", "what was read stays");
        assert!(play.last_said().contains("cut off on its way"), "{}", play.last_said());
        play.text("I do");
        play.broken(trouble.clone());
        assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Broken { trouble })), "once only");
        let told = play.requests[1].messages.clone();
        play.op(Op::Turn(TurnOp::Retry));
        assert_eq!(play.requests[2].messages, told, "the retry asks for the second reply anew");
        play.calls(&["read_file"]);
        assert_eq!(play.proposed()[0].origin.way, Way::Server);
        play.assert_prompt_only_grows();
    }
}

#[test]
fn a_connection_that_was_cut_before_anything_came_ends_the_turn() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.broken(ServerError::Cut { why: "reset".into() });
    assert_eq!(play.requests.len(), 1, "that was tried again already, where requests are made");
    assert!(matches!(play.ended(), Some(TurnEndReason::Broken { trouble: ServerError::Cut { .. } })));
}

#[test]
fn a_reply_cut_on_its_way_that_then_comes_whole_is_carried_out() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text(&hermes("read_file", "a"));
    play.broken(ServerError::NotDone);
    play.writes(&hermes("read_file", "b"));
    assert_eq!(play.proposed().len(), 1);
    assert_eq!(
        (play.proposed()[0].origin.way, &play.proposed()[0].call.arguments),
        (Way::Retry, &json!({"path": "b"}))
    );
}

#[test]
fn a_quoted_call_does_not_run_without_the_one_before_it() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text(&hermes("read_file", "b"));
    play.bad_call(HARMONY);
    assert!(play.proposed().is_empty() && play.last_said().contains("could not be read"), "{}", play.last_said());
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.model(ModelEvent::Calls { calls: vec![model_call("read_file")] });
    play.bad_call(HARMONY);
    assert!(play.proposed().is_empty());
    let quoted = "{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}";
    let cut = "read_file {\"z\":1,\"a\":2}";
    let aside = [(SetAside::CutOff, cut.to_owned()), (SetAside::Unreadable, quoted.to_owned())];
    assert_eq!(play.set_aside(), aside, "what the server quotes can be looked at");
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("<tool_call>\n{\"name\": \"read_file\", \"arguments\"");
    let call = hermes("read_file", "a");
    play.bad_call(&format!("model produced output that does not match the expected format: {call}"));
    assert_eq!(play.proposed().len(), 1, "what arrived is the beginning of what is quoted");
}

#[test]
fn a_server_that_refuses_to_keep_a_reply_to_a_schema_leaves_it_to_the_person() {
    for trouble in [
        ServerError::Refused { status: 400, message: "invalid format".into() },
        ServerError::MidReply { message: "failed to parse grammar".into() },
    ] {
        let mut play = Play::ready(Mode::Safe);
        play.say("go");
        play.broken(trouble.clone());
        assert!(matches!(play.ended(), Some(TurnEndReason::Broken { .. })), "a plain request is another matter");
        let mut play = Play::ready(Mode::Safe);
        play.say("go");
        play.empty(9);
        play.empty(9);
        play.broken(trouble);
        assert_eq!((play.ended(), play.subject()), (None, Some(Subject::Stuck { how: Stuck::Unreadable })));
        assert!(play.notices()[2].contains("all that can be tried without you"), "{:?}", play.notices());
        play.answer(yes());
        play.writes("Here.");
        assert_eq!(play.ended(), Some(TurnEndReason::Done));
    }
}

#[test]
fn half_an_answer_in_the_form_of_a_call_is_neither_shown_nor_sent_back() {
    let half = "{\"name\": \"answer_in_text\", \"arguments\": {\"text\": \"All is w";
    for end in ["length", "cut", "stop"] {
        let mut play = Play::ready(Mode::Safe);
        play.say("go");
        play.empty(9);
        play.empty(9);
        play.text(half);
        match end {
            "length" => play.model(ModelEvent::Done { reason: Some("length".into()), usage: Usage::default() }),
            "cut" => play.broken(ServerError::Cut { why: "reset".into() }),
            _ => play.op(Op::Turn(TurnOp::Interrupt)),
        }
        assert_eq!((play.shown().as_str(), play.set_aside()), ("", vec![(SetAside::CutOff, half.to_owned())]), "{end}");
        if play.subject().is_some() {
            play.answer(yes());
        } else {
            play.op(Op::Turn(TurnOp::Retry));
        }
        assert_eq!(play.requests.len(), 4, "{end}");
        assert!(!play.conversation().join("\n").contains("all is w"), "{end}: {:?}", play.conversation());
    }
}

#[test]
fn a_call_kept_to_the_schema_does_not_run_from_a_reply_that_broke_off() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("go");
    play.empty(9);
    play.empty(9);
    play.text("{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert!(!play.has("reach") && play.shown().is_empty());
    assert_eq!(play.set_aside(), [(SetAside::CutOff, "read_file {\"path\":\"a\"}".to_owned())]);
}

#[test]
fn what_is_queued_goes_along_with_what_the_model_is_told() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.say("and hurry");
    play.empty(9);
    assert!(play.last_said().ends_with("\n\nand hurry") && play.has("emit steered"), "{}", play.last_said());
    play.say("please");
    play.empty(9);
    assert!(play.requests[2].format.is_some() && play.last_said().ends_with("\n\nplease"), "{}", play.last_said());
}

#[test]
fn a_reply_that_was_interrupted_is_no_mishap() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("<tool_call>\n{\"name\": \"read");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!((play.requests.len(), play.ended()), (1, Some(TurnEndReason::Interrupted)));
}

#[test]
fn an_interruption_shows_what_was_held_back_and_sets_a_half_call_aside() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text("Done with {\"name\": 1}, now\n{\"name\": \"rea");
    play.op(Op::Turn(TurnOp::Interrupt));
    let shown: String = play
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Turn(TurnEvent::Text { text }) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(shown.ends_with("{\"name\": \"rea"), "{shown}");
    play.say("again");
    play.text("I look.\n<tool_call>{\"name\": \"read_file\"");
    play.op(Op::Turn(TurnOp::Interrupt));
    let aside =
        play.events.iter().any(|event| matches!(event, Event::Turn(TurnEvent::SetAside { why: SetAside::CutOff, .. })));
    assert!(aside && play.proposed().is_empty(), "{:?}", play.lines);
}

#[test]
fn a_last_value_that_nothing_closes_does_not_count_where_the_length_limit_ended_the_reply() {
    for (reason, proposed) in [("stop", 1), ("length", 0)] {
        let mut play = Play::ready(Mode::Safe);
        play.say("look");
        play.text("read_file\npath\nsrc/ma");
        play.model(ModelEvent::Done { reason: Some(reason.into()), usage: Usage::default() });
        assert_eq!(play.proposed().len(), proposed, "{reason}: {:?}", play.lines);
    }
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.text(&hermes("read_file", "a"));
    play.model(ModelEvent::Done { reason: Some("length".into()), usage: Usage::default() });
    assert_eq!(play.proposed().len(), 1, "what is closed is whole");
}
