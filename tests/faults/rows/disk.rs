//! Disks that are full or may not be written, and files that are not what they should be.

use super::toolcall::told;
use crate::journals;
use crate::player::Chat;
use crate::room::{Room, put, set_mode};
use crate::seat::{QUESTION, Seat};
use crate::user;
use agent_protocol::TurnEndReason;
use agent_store::Loaded;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;

/// Mounts a small disk over the project ($0), puts an old file there, and becomes what follows.
const SMALL_DISK: &str = r#"mount -t tmpfs -o size=64k,mode=777 none "$0" && printf 'old\n' > "$0/big.txt" &&
chmod 666 "$0/big.txt" && cd "$0" && exec "$@""#;

/// Mounts a small disk that belongs to $1 over the state folder ($0), leaves little room on it, and becomes what follows.
const SMALL_STATE: &str = r#"mount -t tmpfs -o size=1024k,mode=700,uid="$1" none "$0" && shift &&
head -c 860k /dev/zero > "$0/filler" && exec "$@""#;

pub(super) fn a_full_disk(room: Room) {
    let script = json!({"chat": [
        ["call", "read_file", {"file_path": "big.txt"}],
        ["call_big", "write_file", "content", 200_000],
        ["done"],
    ]});
    let mut room = room.playing(&script);
    // What is written is longer than the window would be otherwise.
    room.set("AGENT_NUM_CTX", "262144");
    let project = room.project().display().to_string();
    let mut seat = room.open_through(&["unshare", namespaces(), "sh", "-c", SMALL_DISK, &project]);
    seat.say("go");
    seat.approve();
    let told = told(&room);
    assert!(told.contains("big.txt") && told.contains("space"), "{told}");
    seat.wait_for("finished");
    let there = format!("/proc/{}/root{project}", seat.agent());
    let names: Vec<_> =
        std::fs::read_dir(&there).expect("the disk can be seen").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["big.txt"], "nothing else was left");
    assert_eq!(std::fs::read_to_string(format!("{there}/big.txt")).expect("it is there"), "old\n");
    seat.leave();
}

pub(super) fn a_state_folder_that_may_not_be_written(room: Room) {
    let mode = room.case.inject["chmod_state"].as_str().expect("a mode");
    let mode = u32::from_str_radix(mode, 8).expect("an octal number");
    for folder in [room.state(), room.top().join("home/state")] {
        set_mode(&folder, mode);
    }
    let mut seat = room.open();
    for answers in 1..3 {
        seat.say("say hello");
        let shown = seat.wait("the answer", |screen| screen.matches("finished").count() == answers);
        assert!(shown.contains("state"), "no warning: {shown}");
        seat.wait("the warning to stand", stands_not_saved);
    }
    seat.leave();
    a_state_folder_that_is_full(&room);
}

/// The same where there is no room left: it goes on, and writes down all of it as soon as there is room.
fn a_state_folder_that_is_full(room: &Room) {
    let words = |number: usize| (0..1_200).map(|word| format!("word {number}.{word} ")).collect::<String>();
    let said = (0..4).map(|number| json!(["tok", words(number)]));
    // The silence lets the screen show that the model is at work.
    let events = [json!(["sleep", 1])].into_iter().chain(said).chain([json!(["ok", "finished"])]);
    let events: Vec<_> = events.collect();
    let before_the_last = events.len() - 1;
    let mut room = room.playing(&json!({ "chat": events }));
    room.set("AGENT_NUM_CTX", "262144");
    let (state, owner) = (room.state().display().to_string(), if user::is_root() { "65534" } else { "0" });
    let mut seat = room.open_through(&["unshare", namespaces(), "sh", "-c", SMALL_STATE, &state, owner]);
    let there = PathBuf::from(format!("/proc/{}/root{state}", seat.agent()));
    let turn = |seat: &mut Seat<'_>, number: usize, words: &str| {
        seat.say(words);
        let said = |chats: &[Chat]| chats.get(number - 1).is_some_and(|chat| chat.played == before_the_last);
        room.player.wait(&format!("the end of reply {number}"), said);
        seat.wait_idle()
    };
    assert!(!stands_not_saved(&turn(&mut seat, 1, "one")));
    let is_over = |loaded: &Loaded| journals::end(loaded) == Some(&TurnEndReason::Done);
    journals::wait(&there, is_over);
    for (number, words) in [(2, "two"), (3, "three")] {
        turn(&mut seat, number, words);
        // What is said is written by another than the one who draws.
        seat.wait("it to be told", stands_not_saved);
    }
    std::fs::remove_file(there.join("filler")).expect("it can be removed");
    turn(&mut seat, 4, "four");
    seat.wait("the warning to go", |screen| !stands_not_saved(screen));
    let kept = journals::wait(&there, |loaded| loaded.card.turns == 4 && is_over(loaded));
    assert_eq!((kept.card.turns, journals::text(&kept).matches("finished").count()), (4, 4));
    seat.leave();
}

/// The line at the bottom says so, whatever else happens above it.
fn stands_not_saved(screen: &str) -> bool {
    screen.lines().last().is_some_and(|last| last.contains("not saved"))
}

/// How a command gets mounts that only it can see.
fn namespaces() -> &'static str {
    let flags = if user::is_root() { "-m" } else { "-Urm" };
    let can = Command::new("unshare").args([flags, "true"]).status().is_ok_and(|status| status.success());
    assert!(can, "a disk of our own needs a mount namespace, and `unshare {flags}` is refused here");
    flags
}

pub(super) fn a_config_that_is_none(room: Room) {
    let text = room.case.inject["config"].as_str().expect("a config").replace("\\x00", "\0");
    let path = room.config().join("config.toml");
    put(&path, &text);
    let refused = room.plain(&["-p", "hi"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("config.toml:1:"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text, "left alone");
    std::fs::remove_file(&path).expect("it can be removed");
    // A project's holds the session back, and no more.
    let path = room.project().join(".agent/config.toml");
    std::fs::create_dir(room.project().join(".agent")).expect("a folder can be made");
    user::give(&room.project().join(".agent"));
    put(&path, &text);
    let mut seat = room.open();
    let shown = seat.wait_for("config.toml");
    assert!(shown.contains("config.toml:1:"), "{shown}");
    assert!(shown.contains("SAFE"), "{shown}");
    seat.say("say hello");
    seat.wait_for("finished");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text, "left alone");
    seat.leave();
}

pub(super) fn a_config_that_others_may_write(room: Room) {
    let mode = room.case.inject["chmod_config"].as_str().expect("a mode");
    let mode = u32::from_str_radix(mode, 8).expect("an octal number");
    let script = json!({"call": ["run_command", {"command": "ls"}]});
    let widened = |mode: u32| {
        let room = room.playing(&script);
        for (name, text) in [("config.toml", "mode = \"unsafe\"\n"), ("policy.toml", "read_only = \"always\"\n")] {
            let path = room.config().join(name);
            put(&path, text);
            set_mode(&path, mode);
        }
        room
    };
    let held = widened(mode);
    let mut seat = held.open();
    let shown =
        seat.wait("both files to be named", |screen| screen.contains("config.toml") && screen.contains("policy.toml"));
    assert!(shown.contains("SAFE") && !shown.contains("UNSAFE"), "{shown}");
    seat.say("look around");
    seat.wait_for(QUESTION);
    seat.press_until_gone("n", QUESTION);
    seat.wait_for("finished");
    seat.leave();
    // Where only the user may write them, the same files do what they say.
    let free = widened(0o600);
    let mut seat = free.open();
    seat.wait_for("UNSAFE");
    // Once: the second would switch back.
    seat.keys("<s-tab>");
    seat.wait_gone("UNSAFE");
    seat.say("look around");
    seat.wait_for("finished");
    seat.leave();
}

pub(super) fn a_project_that_names_another_host(mut room: Room) {
    let files = room.case.inject["files"].clone();
    for (name, text) in files.as_object().into_iter().flatten() {
        room.write(name, &text.as_str().expect("a text").replace("\\n", "\n"));
    }
    let url = room.player.url();
    room.unset("AGENT_HOST");
    room.set("OLLAMA_HOST", &url);
    std::fs::create_dir(room.project().join(".agent")).expect("a folder can be made");
    user::give(&room.project().join(".agent"));
    room.write(".agent/config.toml", "mode = \"unsafe\"\n");
    let mut seat = room.open();
    seat.settle_trust();
    assert!(!seat.screen().contains("UNSAFE"), "{}", seat.screen());
    seat.say("say hello");
    room.player.wait_chats(1);
    seat.wait_for("finished");
    assert!(room.config().is_dir() && !room.project().join(".agent/agent").exists());
    seat.leave();
}
