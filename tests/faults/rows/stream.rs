//! Replies that break off, stand still, are no replies, or would command the terminal.

use crate::journals;
use crate::room::Room;
use crate::seat::AT_WORK;
use agent_protocol::TurnEndReason;
use std::time::{Duration, Instant};

/// So often Esc is tried; the best counts, as the machine may be busy with something else.
const TRIES: usize = 12;
/// So fast Esc has to be.
const AT_ONCE: Duration = Duration::from_millis(200);

pub(super) fn nobody_listens(room: Room) {
    let mut seat = room.open();
    let shown = seat.wait_for("retry");
    let host = room.player.url();
    assert!(shown.contains(&host) && shown.contains("start"), "{shown}");
    seat.keys("say hello");
    seat.wait_for("› say hello");
    seat.keys("<enter>");
    seat.press_until_gone("<esc>", "Esc close");
    let shown = seat.wait_for("› say hello");
    assert!(shown.contains("no model server answers") || shown.contains("no server"), "{shown}");
    seat.leave();
}

pub(super) fn reset_after_three_tokens(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    let shown = seat.wait_for("the connection was cut");
    assert!(shown.contains("abc"), "what arrived stays: {shown}");
    seat.keys("live");
    seat.wait_for("› live");
    assert!(room.project_holds().is_empty());
    seat.leave();
    let kept = journals::only(&room.state());
    // A reply that is cut is asked for once more.
    assert_eq!(journals::text(&kept), "abc".repeat(room.player.chats().len()));
    assert!(matches!(journals::end(&kept), Some(TurnEndReason::Broken { .. })), "{:?}", journals::end(&kept));
    let (conversation, broken) = journals::conversation(&kept);
    assert!(broken && conversation.last().is_some_and(|last| last.content == "abc"), "{conversation:?}");
}

pub(super) fn reset_inside_a_call(room: Room) {
    let mut seat = room.open();
    seat.say("write x");
    let shown = seat.wait_for("the connection was cut");
    assert!(!shown.contains(crate::seat::QUESTION), "{shown}");
    assert!(room.project_holds().is_empty());
    seat.leave();
}

pub(super) fn one_byte_a_second(room: Room) {
    let mut seat = room.open();
    let mut best = Duration::MAX;
    for number in 1..=TRIES {
        seat.keys("<c-u>");
        seat.say("say hello");
        room.player.wait_chats(number);
        if number == 1 {
            let (before, begun) = (seat.cpu(), Instant::now());
            seat.wait("the time to be told", |screen| reading_for(screen).is_some_and(|seconds| seconds >= 5));
            let share = (seat.cpu() - before) / begun.elapsed().as_secs_f64();
            room.note("CPU % while waiting", share * 100.0);
        }
        seat.wait_for(AT_WORK);
        let pressed = Instant::now();
        seat.keys("<esc>");
        let chats = room.player.wait("the end", |chats| chats.len() >= number && chats[number - 1].gone.is_some());
        best = best.min(chats[number - 1].gone.expect("just waited for").saturating_duration_since(pressed));
        seat.wait_idle();
        if best < AT_ONCE {
            break;
        }
    }
    room.note("Esc to closed, ms", best.as_secs_f64() * 1e3);
    seat.leave();
}

pub(super) fn silence_after_the_first_token(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait("silence to be told", |screen| no_token(screen).is_some_and(|seconds| seconds >= 5));
    seat.keys("<c-c>");
    room.player.wait("the end", |chats| chats[0].gone.is_some());
    seat.wait_idle();
    seat.keys("still here");
    seat.wait_for("› still here");
    seat.keys("<c-c><c-c><c-c>");
    seat.check_left(0);
}

/// How many seconds the screen says the prompt has been read for: before the first word, silence is no stall.
fn reading_for(screen: &str) -> Option<u64> {
    let row = screen.lines().find(|row| row.contains("reading "))?;
    row.split(" · ").find_map(|part| part.strip_suffix(" s")?.parse().ok())
}

/// How many seconds of silence the screen tells.
fn no_token(screen: &str) -> Option<u64> {
    let told = screen.split_once("no token for ").or_else(|| screen.split_once("nothing has arrived for "))?.1;
    told.split_once(" s")?.0.parse().ok()
}

pub(super) fn garbage_between_good_lines(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    let shown = seat.wait_for("something unreadable");
    assert!(shown.contains("%%%not json%%%"), "{shown}");
    seat.leave();
}

pub(super) fn a_line_of_64_mb(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("reply line too long");
    assert!(seat.memory() < 200, "{} MB", seat.memory());
    seat.leave();
}

pub(super) fn bytes_that_are_no_text(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    // The screen of the test leaves this mark out.
    seat.wait_for_raw("\u{fffd}");
    seat.wait("the rest to show", |screen| screen.lines().any(|line| line.trim() == "A"));
    seat.wait_idle();
    seat.leave();
    let said = journals::text(&journals::only(&room.state()));
    assert!(said.starts_with('\u{fffd}') && said.ends_with('A'), "{said:?}");
}

pub(super) fn escape_sequences(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_replied();
    let raw = seat.raw();
    let sent = String::from_utf8_lossy(&raw);
    for evil in ["\u{1b}]52", "\u{1b}]0;", "\u{7}", "\u{1b}[?1049l"] {
        assert!(!sent.contains(evil), "{evil:?} reached the terminal");
    }
    seat.leave();
}

pub(super) fn a_compressed_bomb(room: Room) {
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("packed with gzip");
    assert!(seat.memory() < 200, "{} MB", seat.memory());
    seat.leave();
}
