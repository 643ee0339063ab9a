//! Sessions whose journal is torn or from the future, that are open elsewhere, or whose agent was killed.

use super::command::commands;
use crate::journals;
use crate::processes;
use crate::room::{Room, put, set_mode};
use crate::seat::Seat;
use agent_protocol::SessionId;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// What is said first, and to be found again.
const FIRST: &str = "remember the pomegranate";

pub(super) fn a_torn_end(room: Room) {
    let id = begun(&room);
    let path = journals::path(&room.state(), &id);
    let whole = fs::read(&path).expect("the journal is there");
    let before = journals::only(&room.state()).records;
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("there are several lines") + 1;
    // Every offset is tried where the store is tested; here it is seen that the program makes of it what it should.
    for kept in [last + 1, last + (whole.len() - last) / 2, whole.len() - 1] {
        put_back(&path, &whole[..kept]);
        let (code, told) = told(&print(&room, &["-c", "-p", "go on"]));
        assert_eq!((code, &told["session"]), (Some(0), &json!(id)), "{told}");
        let notice = told["notices"].to_string();
        let torn = torn(&room);
        assert!(notice.contains("was not written whole") && notice.contains(&shown(&torn)), "{notice}");
        assert_eq!(fs::read(&torn).expect("it was moved there"), whole[last..kept], "{} bytes", kept - last);
        fs::remove_file(&torn).expect("it can be removed");
        assert!(asked(&room).contains(FIRST));
        assert_eq!(journals::only(&room.state()).records[..before.len() - 1], before[..before.len() - 1]);
    }
    put_back(&path, &whole[..whole.len() - 3]);
    let seat = room.open_with(&["-r", &id.0]);
    seat.wait_for("resumed: ");
    let words: String = seat.wait_for("was not written whole").split_whitespace().collect();
    assert!(words.contains(&shown(&torn(&room))) && words.contains(&FIRST.replace(' ', "")), "{words}");
    seat.leave();
}

pub(super) fn a_journal_from_the_future(room: Room) {
    let version = room.case.inject["corrupt"][0].as_str().expect("a version").replace("version ", "");
    let id = begun(&room);
    let path = journals::path(&room.state(), &id);
    let ours = fs::read_to_string(&path).expect("the journal is there");
    let future = ours.replacen(r#"{"v":1,"#, &format!(r#"{{"v":{version},"#), 1);
    put_back(&path, future.as_bytes());
    for args in [&["-r", &id.0][..], &["-c"]] {
        let output = print(&room, &[args, &["-p", "go on"]].concat());
        let (code, told) = told(&output);
        assert_eq!((code, &told["exit_code"]), (Some(2), &json!(2)), "{args:?}: {told}");
    }
    let output = room.plain(&["--model", "m", "-r", &id.0, "-p", "go on"]).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{said}");
    assert!(said.contains("newer agent") && said.contains(&version), "{said}");
    let mut seat = room.open_with(&["-r", &id.0]);
    seat.wait("it to be told", |screen| screen.contains("not opened") && screen.contains("newer agent"));
    seat.say("say hello");
    seat.wait_for("finished");
    seat.leave();
    assert_eq!(fs::read_to_string(&path).expect("it is there"), future, "left alone");
    assert_eq!(journals::names(&room.state()).iter().filter(|name| name.contains(".torn")).count(), 0);
    put_back(&path, ours.as_bytes());
}

pub(super) fn two_agents_and_one_session(room: Room) {
    let mut first = room.open();
    first.say(FIRST);
    first.wait_for("finished");
    let id = journals::wait(&room.state(), |loaded| journals::end(loaded).is_some()).card.id;
    let mut second = room.open_with(&["-r", &id.0]);
    let shown = second.wait_for("is open in another agent");
    let words: String = shown.split_whitespace().collect();
    assert!(words.contains(&format!("agent-r{id}--fork")), "the way on is told: {shown}");
    let (code, told) = told(&print(&room, &["-r", &id.0, "-p", "go on"]));
    assert_eq!((code, told["error"].to_string().contains("--fork")), (Some(2), true), "{told}");
    second.say("say hello");
    second.wait_for("finished");
    first.say("say hello again");
    first.wait("the second answer", |screen| screen.matches("finished").count() == 2);
    // What the screen shows may not be on disk yet, and a killed program writes no more.
    journals::wait_for(&room.state(), |all| {
        all.iter().any(|loaded| loaded.card.id == id && loaded.card.turns == 2 && journals::end(loaded).is_some())
    });
    second.wait_idle();
    kill(first);
    second.keys("/resume<enter>");
    second.wait_for("Go on with a session");
    second.keys("pomegranate<enter>");
    second.wait("the first session", |screen| screen.contains("resumed: ") && screen.contains("say hello again"));
    second.say("and on");
    second.wait("the third answer", |screen| screen.matches("finished").count() == 3);
    second.leave();
    let kept = journals::read(&room.state()).expect("both load");
    assert_eq!(kept.len(), 2, "each in a session of its own");
    let card = kept.into_iter().map(|loaded| loaded.card).find(|card| card.id == id).expect("it is there");
    assert_eq!((card.turns, card.open), (3, false));
}

pub(super) fn a_lock_of_one_that_was_killed(room: Room) {
    let script = json!({"call": ["run_command", {"command": "echo it runs; sleep 600"}]});
    let room = room.playing(&script);
    let mut seat = room.open();
    seat.say(FIRST);
    seat.approve();
    // The question shows the command's words, too: only its process tells that it runs.
    seat.wait("the command to run", |_| commands(&room).iter().any(|(_, line)| line.starts_with("sleep")));
    kill(seat);
    processes::wait_none_left(&room.top());
    let mut seat = room.open_with(&["-c"]);
    let shown = seat.wait_for("resumed: ");
    assert!(shown.contains(FIRST) && shown.contains("may have run"), "{shown}");
    seat.say("go on");
    seat.wait_for("finished");
    seat.leave();
    assert!(asked(&room).contains("it may have happened"), "{}", asked(&room));
}

/// A session in which something was said and answered.
fn begun(room: &Room) -> SessionId {
    let (code, told) = told(&print(room, &["-p", FIRST]));
    assert_eq!(code, Some(0), "{told}");
    journals::only(&room.state()).card.id
}

fn print(room: &Room, args: &[&str]) -> Output {
    let args = [&["--model", "m", "--output-format", "json"], args].concat();
    room.plain(&args).output().expect("it starts")
}

fn told(output: &Output) -> (Option<i32>, Value) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{said}");
    let told = serde_json::from_slice(&output.stdout);
    (output.status.code(), told.unwrap_or_else(|error| panic!("{error}: {said}")))
}

/// The messages of the last request.
fn asked(room: &Room) -> String {
    room.player.chats().last().expect("something was asked").body["messages"].to_string()
}

/// The journal holds this now, as if it had been written so.
fn put_back(path: &Path, bytes: &[u8]) {
    put(path, bytes);
    set_mode(path, 0o600);
}

/// The only torn end that was set aside.
fn torn(room: &Room) -> PathBuf {
    let names = journals::names(&room.state());
    let torn: Vec<&String> = names.iter().filter(|name| name.contains(".torn-")).collect();
    assert_eq!(torn.len(), 1, "{names:?}");
    journals::folder(&room.state()).join(torn[0])
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Ends the program as nothing else can: it has no time for anything.
fn kill(mut seat: Seat<'_>) {
    seat.signal(Signal::KILL);
    seat.wait_exit();
}
