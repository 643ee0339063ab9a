//! Answers that are no replies at all.

use crate::room::Room;

pub(super) fn a_page_with_status_500(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    let shown = seat.wait_for("boom");
    assert!(shown.contains("500"), "{shown}");
    let words: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("<html><script>alert(1)</script><h1>boom</h1>"), "{shown}");
    assert!(words.contains("/retry"), "{shown}");
    assert!(room.player.chats().len() <= 3);
    seat.leave();
}

pub(super) fn a_model_without_tools(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait("the model's want of tools to be told", |screen| screen.contains("tools") && screen.contains("cannot"));
    let chats = room.player.wait_chats(2);
    assert!(chats[0].body["tools"].is_array());
    assert!(chats[1].body["tools"].as_array().is_none_or(Vec::is_empty), "asked again without");
    seat.wait_for("say hello");
    seat.leave();
}

pub(super) fn a_redirect(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("tried to redirect to http://127.0.0.1:1/api/chat");
    assert_eq!(room.player.chats().len(), 1);
    seat.leave();
}

pub(super) fn a_locked_door(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("wants credentials (401)");
    seat.leave();
}

pub(super) fn something_else_than_ollama(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    let shown = seat.wait_for("does not look like a model server");
    assert!(shown.contains(&room.player.url()), "{shown}");
    seat.leave();
}

pub(super) fn a_hostile_list_of_models(room: Room) {
    let mut seat = room.open();
    // Typed once: what is typed again while the list comes would filter it.
    seat.say("/model");
    seat.wait("the list", |screen| screen.contains("Choose a model") && screen.contains("m1"));
    // Where both lists come, the second begins with an empty filter: it is emptied and typed once more.
    seat.press_slowly_until("<c-u>4321", "m4321");
    seat.press_until_gone("<esc>", "m4321");
    seat.leave();
}
