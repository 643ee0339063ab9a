//! Terminals that go away, change, or are none; and keys that come before their time.

use super::command::commands;
use crate::honest;
use crate::journals;
use crate::processes;
use crate::processes::Memory;
use crate::room::Room;
use crate::seat::{QUESTION, check_memory};
use agent_protocol::{CallEvent, Event, Status, TurnEndReason};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::io::Write;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

pub(super) fn a_terminal_that_is_closed(room: Room) {
    let script =
        json!({"chat": [["tok", "a"], ["call", "run_command", {"command": "echo it runs; sleep 600"}], ["done"]]});
    let room = room.playing(&script);
    // The terminal is held by `script`, which can be killed: ours is held by the one who looks at it, too.
    let mut seat = room.open_in_script();
    seat.say("say hello");
    seat.approve();
    seat.wait("the command to run", |_| commands(&room).iter().any(|(_, line)| line.starts_with("sleep")));
    let agent = seat.agent();
    let holder = Pid::from_raw(seat.pid().try_into().expect("a process id")).expect("not 0");
    let closed = Instant::now();
    kill_process(holder, Signal::KILL).expect("it is there");
    let until = closed + Duration::from_secs(15);
    while !processes::is_over(agent) {
        assert!(Instant::now() < until, "the program stays without its terminal");
        std::thread::sleep(Duration::from_millis(5));
    }
    room.note("closed to gone, ms", closed.elapsed().as_secs_f64() * 1e3);
    check_memory(&room, seat.held());
    let sent = seat.raw();
    // The last sequence may have been cut off with the terminal.
    let whole = sent.iter().rposition(|byte| *byte == 0x1b).unwrap_or(sent.len());
    honest::check(&sent[..whole]).unwrap_or_else(|fault| panic!("on the terminal: {fault}"));
    processes::wait_none_left(&room.top());
    let kept = journals::only(&room.state());
    assert_eq!(journals::end(&kept), Some(&TurnEndReason::Interrupted));
    let outcomes = journals::events(&kept).filter_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.status),
        _ => None,
    });
    assert_eq!(outcomes.collect::<Vec<_>>(), [Status::Stopped], "the command has its end, too");
}

pub(super) fn signals_from_outside(room: Room) {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let mut seat = room.open();
        seat.say("say hello");
        seat.wait_for("finished");
        seat.signal(signal);
        seat.check_left(code);
    }
}

pub(super) fn a_storm_of_sizes(room: Room) {
    let count = room.case.inject["resize"]["n"].as_u64().expect("a count");
    let pause = Duration::from_millis(room.case.inject["resize"]["ms"].as_u64().expect("milliseconds"));
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("finished");
    let before = seat.cpu();
    let storm = Instant::now();
    for number in 0..count {
        let odd = u16::try_from(number % 97).expect("it is small");
        seat.resize((20 + odd, 6 + odd / 3));
        // The row's own pace: it is what is tried, not a wait.
        std::thread::sleep(pause);
    }
    seat.resize((100, 30));
    // Keys are heard after all that came before them. One that comes in the very moment of a new size may lie in the
    // terminal's library until the next key wakes it, as with crossterm 0.29.
    seat.press_until("caught up ", "› caught up");
    seat.keys("<c-u>");
    seat.wait_gone("› caught up");
    seat.wait_for("finished");
    room.note("CPU % in the storm", 100.0 * (seat.cpu() - before) / storm.elapsed().as_secs_f64());
    let last = seat.wait_still();
    seat.keys("<c-l>");
    let fresh = seat.wait_still();
    assert_eq!(last, fresh, "what stands there is not what a fresh draw gives");
    let (at_rest, begun) = (seat.cpu(), Instant::now());
    seat.wait_still();
    room.note("CPU % after the storm", 100.0 * (seat.cpu() - at_rest) / begun.elapsed().as_secs_f64());
    seat.leave();
}

pub(super) fn no_terminal_at_all(room: Room) {
    let output = piped(&room, "hi\n");
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) => assert!(said.contains("finished"), "{said}"),
        Some(2) => assert!(!output.stderr.is_empty()),
        other => panic!("exit code {other:?}: {said}"),
    }
    let asking = json!({"call": ["write_file", {"file_path": "a.txt", "content": "x"}]});
    let asking = room.playing(&asking);
    piped(&asking, "write it\n");
    assert!(asking.project_holds().is_empty(), "nobody said yes");
}

/// Runs the program with `input` from a pipe and its output to pipes.
fn piped(room: &Room, input: &str) -> Output {
    let mut command = room.plain(&["--model", "m"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let taken = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    // One that wants no input may be gone before it is given any; how it ended says why.
    let gone = taken.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe);
    assert!(taken.is_ok() || gone, "{taken:?}");
    let memory = Memory::of(child.id());
    let output = child.wait_with_output().expect("it ends");
    for stream in [&output.stdout, &output.stderr] {
        assert!(!stream.contains(&0x1b), "it draws: {}", String::from_utf8_lossy(stream));
        assert!(!String::from_utf8_lossy(stream).contains("panicked"));
    }
    check_memory(room, &memory);
    processes::wait_none_left(&room.top());
    output
}

pub(super) fn an_output_that_is_closed(room: Room) {
    for args in [&["--help"][..], &["completions", "bash"], &["--model", "m", "-p", "hi"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be had");
        drop(reader);
        let child = room.plain(args).stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
        let memory = Memory::of(child.id());
        let output = child.wait_with_output().expect("it ends");
        check_memory(&room, &memory);
        processes::wait_none_left(&room.top());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        let code = output.status.code();
        assert!(code.is_some_and(|code| [0, 1, 141].contains(&code)), "{args:?}: {:?}", output.status);
    }
}

pub(super) fn keys_before_the_question(room: Room) {
    /// The row asks for 300 ms; what was answered later than this may have been pressed late enough.
    const HASTY: Duration = Duration::from_millis(450);
    let early = room.case.inject["type_early"].as_str().expect("keys").replace("\\r", "\r");
    let script =
        json!({"chat": [["sleep", 1], ["call", "write_file", {"file_path": "a.txt", "content": "x"}], ["done"]]});
    for _ in 0..12 {
        let room = room.playing(&script);
        let mut seat = room.open();
        seat.say("go");
        let begun = Instant::now();
        room.player.wait_chats(1);
        seat.send(early.as_bytes());
        let before_it_was_shown = last_silent(&room, begun);
        seat.wait_for(QUESTION);
        assert_not_written(&room);
        seat.keys("y<enter>");
        let shown = seat.wait("the keys to be read", |screen| {
            screen.contains("nothing was answered") || !screen.contains(QUESTION)
        });
        // A machine that is busy reads them late, when they count.
        if !shown.contains(QUESTION) && before_it_was_shown.elapsed() >= HASTY {
            continue;
        }
        assert!(shown.contains(QUESTION), "{shown}");
        assert_not_written(&room);
        seat.approve();
        room.player.wait_chats(2);
        assert_eq!(room.read("a.txt"), "x");
        seat.wait_for("finished");
        return seat.leave();
    }
    panic!("the machine was too busy to type in time");
}

/// Waits until the server says what the question is about; answers with the last moment when it was seen not to.
fn last_silent(room: &Room, mut last: Instant) -> Instant {
    loop {
        let now = Instant::now();
        if room.player.chats()[0].played > 0 {
            return last;
        }
        last = now;
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn assert_not_written(room: &Room) {
    assert!(!room.project().join("a.txt").exists(), "written without leave");
}
