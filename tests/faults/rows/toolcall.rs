//! Calls that are wrong, made up, or come from where none may come from.

use crate::journals;
use crate::room::Room;
use crate::seat::QUESTION;
use agent_protocol::{CallEvent, Event};
use serde_json::Value;

/// What the model was told of its first call.
fn result(room: &Room) -> String {
    let chats = room.player.wait_chats(2);
    let messages = chats[1].body["messages"].as_array().cloned().unwrap_or_default();
    let told = messages.iter().rev().find(|message| message["role"] == "tool");
    told.and_then(|message| message["content"].as_str())
        .unwrap_or_else(|| panic!("no result: {messages:#?}"))
        .to_owned()
}

pub(super) fn arguments_of_the_wrong_type(room: Room) {
    let mut seat = room.open();
    seat.say("read");
    let told = result(&room);
    // Several paths are read; the number in words is none.
    assert!(told.contains("`limit` of") && told.contains("a whole number"), "{told}");
    seat.wait_for("finished");
    seat.leave();
}

pub(super) fn a_tool_that_does_not_exist(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    let told = result(&room);
    assert!(told.contains("launch_missiles") && told.contains("run_command"), "{told}");
    seat.wait_for("finished");
    assert!(room.project_holds().is_empty());
    seat.leave();
}

pub(super) fn the_same_call_for_ever(room: Room) {
    room.write("a.txt", "one\n");
    let mut seat = room.open();
    seat.say("go");
    seat.wait_for("y/1 go on");
    let count = room.player.chats().len();
    assert!(count <= 10, "{count} requests");
    seat.press_until_gone("n", "y/1 go on");
    seat.wait_idle();
    assert_eq!(room.player.chats().len(), count);
    seat.leave();
}

pub(super) fn a_made_up_result(room: Room) {
    let mut seat = room.open();
    seat.say("run tests");
    let shown = seat.wait_replied();
    assert!(!shown.contains("tests passed") || shown.contains("made up"), "{shown}");
    seat.say("and now");
    for chat in room.player.wait_chats(2) {
        let messages = chat.body["messages"].as_array().cloned().unwrap_or_default();
        assert!(messages.iter().all(|message| message["role"] != "tool"), "{messages:#?}");
    }
    seat.leave();
    let kept = journals::only(&room.state());
    let finished = journals::events(&kept).any(|event| matches!(event, Event::Call(CallEvent::Finished { .. })));
    assert!(!finished && journals::results(&kept).is_empty(), "{:?}", kept.records);
}

pub(super) fn a_call_inside_a_quotation(room: Room) {
    room.write("x.sh", "#!/bin/sh\ntouch ran.txt\n");
    let mut seat = room.open();
    seat.say("what does it say");
    seat.wait("the turn to end or a question", |screen| screen.contains(QUESTION) || screen.contains("1 token\n"));
    assert!(!room.project().join("ran.txt").exists());
    if seat.screen().contains(QUESTION) {
        seat.press_until_gone("n", QUESTION);
    }
    assert!(!room.project().join("ran.txt").exists());
    seat.leave();
}

/// Is `part` anywhere in what the model was told, whatever the message?
pub(super) fn model_was_told(room: &Room, part: &str) -> bool {
    let holds = |body: &Value| body["messages"].to_string().contains(part);
    room.player.chats().iter().any(|chat| holds(&chat.body))
}

/// What the model was told of its call.
pub(super) fn told(room: &Room) -> String {
    result(room)
}
