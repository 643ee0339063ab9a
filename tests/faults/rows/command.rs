//! Commands that flood, hang, hide, eat, or look where they should not.

use super::toolcall::{model_was_told, told};
use crate::journals;
use crate::processes;
use crate::room::Room;
use crate::seat::{AT_WORK, QUESTION};
use serde_json::json;
use std::cell::Cell;
use std::time::Duration;

pub(super) fn a_gigabyte_of_output(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    room.player.wait_patiently(2);
    let told = told(&room);
    assert!(told.contains("xxxx") && told.len() < 1_000_000, "{} bytes", told.len());
    assert!(told.contains("MB cut here"), "{}", middle(&told));
    seat.wait_for("finished");
    assert!(seat.memory() < 200, "{} MB", seat.memory());
    seat.leave();
}

/// A long text without its many repetitions.
fn middle(text: &str) -> String {
    text.replace(&"x".repeat(50), "")
}

pub(super) fn a_command_that_ignores_being_asked_to_end(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    let told = told(&room);
    assert!(told.contains("time"), "{told}");
    seat.wait_for("finished");
    assert_none_runs(&room, "sleep");
    seat.leave();
}

pub(super) fn a_daemon_that_holds_the_output(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    let told = told(&room);
    assert!(told.contains("done") && told.contains("background"), "{told}");
    seat.wait_for("finished");
    seat.leave();
}

pub(super) fn a_command_that_opens_the_terminal(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    // The fence may be taken for the reason, and a wider one offered: there is no terminal outside of it either.
    let asked_again = |screen: &str| screen.contains(QUESTION) || screen.contains("finished");
    while seat.wait("the command to end", asked_again).contains(QUESTION) {
        seat.approve();
    }
    seat.wait_for("finished");
    let told = told(&room);
    assert!(told.contains("/dev/tty"), "{told}");
    seat.leave();
}

pub(super) fn a_command_that_eats_memory(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    let of_agent = processes::ready_to_die(seat.agent()).expect("the program is there");
    let of_command = Cell::new(None);
    seat.wait("the command's readiness to be killed first", |_| {
        let eater = commands(&room).into_iter().find(|(_, line)| line.starts_with("python3"));
        of_command.set(eater.and_then(|(pid, _)| processes::ready_to_die(pid)));
        of_command.get().is_some() || room.player.chats().len() > 1
    });
    if let Some(of_command) = of_command.get() {
        assert!(of_command > of_agent, "{of_command} for the command, {of_agent} for the program");
    }
    room.player.wait_patiently(2);
    seat.wait_for("finished");
    seat.leave();
}

pub(super) fn esc_during_a_command(room: Room) {
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    seat.wait("some output", |screen| screen.lines().any(|line| line.trim_end().ends_with('2')));
    let pressed = std::time::Instant::now();
    seat.keys("<esc>");
    let shown = seat.wait("it to be stopped", |screen| screen.contains("stopped") && !screen.contains(AT_WORK));
    assert!(shown.lines().any(|line| line.trim_end().ends_with('1')), "the output so far is kept: {shown}");
    seat.wait("its processes to be gone", |_| commands(&room).is_empty());
    room.note("Esc to gone, ms", pressed.elapsed().as_secs_f64() * 1e3);
    seat.say("what was that");
    let told = told(&room);
    assert!(told.contains("stopped by the user"), "{told}");
    seat.leave();
}

pub(super) fn secrets_in_the_environment(mut room: Room) {
    let secrets: Vec<(String, String)> = room.case.inject["env"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
        .collect();
    for (name, value) in &secrets {
        room.set(name, value);
    }
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    let told = told(&room);
    assert!(told.contains("PATH="), "env ran: {told}");
    seat.wait_for("finished");
    seat.keys("<c-o>");
    seat.wait_for("finished");
    let raw = String::from_utf8_lossy(&seat.raw()).into_owned();
    seat.leave();
    for (name, value) in &secrets {
        assert!(!told.contains(name.as_str()), "the command had {name}");
        // One letter is anywhere.
        if value.len() > 1 {
            assert!(!model_was_told(&room, value), "the model was told {name}");
            assert!(!raw.contains(value.as_str()), "the screen showed {name}");
            assert!(!is_kept(&room.top().join("home"), value), "{name} was written down");
        }
        assert!(!is_kept(&room.state(), name), "a command had {name}");
    }
    secrets_that_the_model_knows(&room, &secrets);
}

/// Whoever told it: what it writes and what its command puts out is not written down with them.
fn secrets_that_the_model_knows(room: &Room, secrets: &[(String, String)]) {
    let (name, value) = secrets.iter().max_by_key(|(_, value)| value.len()).expect("there are some");
    let command = format!("echo {value}; echo done > done.txt; echo done");
    let mut room = room.playing(&json!({"chat": [
        ["tok", format!("I heard of {value}.")],
        ["call", "run_command", {"command": command}],
        ["done"],
    ]}));
    room.set(name, value);
    let mut seat = room.open();
    seat.say("go");
    seat.approve();
    assert!(told(&room).contains("done"), "{}", told(&room));
    seat.wait_for("finished");
    seat.leave();
    let kept = journals::only(&room.state());
    assert!(journals::text(&kept).contains("I heard of"), "{:?}", kept.records);
    assert!(!is_kept(&room.state(), value), "{name} was written down");
}

/// Does any file below `folder` hold `text`?
fn is_kept(folder: &std::path::Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).expect("it can be read").flatten();
    entries.map(|entry| entry.path()).any(|path| match path.is_dir() {
        true => is_kept(&path, text),
        false => String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).contains(text),
    })
}

/// What runs in the project besides the program itself.
pub(super) fn commands(room: &Room) -> Vec<(u32, String)> {
    let all = processes::left(&room.top()).into_iter();
    all.filter(|(pid, _)| !processes::is_program(*pid, "agent")).collect()
}

/// Waits until nothing called `name` runs any more.
fn assert_none_runs(room: &Room, name: &str) {
    let until = std::time::Instant::now() + Duration::from_secs(30);
    while commands(room).iter().any(|(_, line)| line.starts_with(name)) {
        assert!(std::time::Instant::now() < until, "{:?}", commands(room));
        std::thread::sleep(Duration::from_millis(20));
    }
}
