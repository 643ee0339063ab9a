//! How long a session is read, written and looked for. `cargo bench -p agent-store --bench journal`.
//!
//! Prints the times and, at the end, which bar is missed; ends with an error if one is.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it saw, and stops where it stumbles"
)]

#[path = "../tests/sessions/ground.rs"]
#[expect(dead_code, reason = "tests ask more of it")]
mod ground;

use agent_protocol::{
    Event, Message, ModelCall, Record, Role, SessionId, Setting, TurnEndReason, TurnEvent, TurnId, Usage,
};
use agent_store::Journal;
use ground::{Ground, event, said, wait};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

/// Milliseconds that reading a session of 2,000 messages may take.
const ENOUGH_TO_LOAD: f64 = 60.0;
/// Milliseconds of a turn that may be spent waiting for the disk.
const ENOUGH_TO_WAIT: f64 = 25.0;
/// Milliseconds that a list of 1,000 sessions may take.
const ENOUGH_TO_LIST: f64 = 100.0;
/// Messages of a turn: what is said, three calls with their results, the answer.
const OF_A_TURN: usize = 8;

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let mut missed = Vec::new();
    load(if quick { 80 } else { 2_000 }, &mut missed);
    sync(if quick { 2 } else { 100 }, &mut missed);
    list(if quick { 20 } else { 1_000 }, &mut missed);
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

fn load(messages: usize, missed: &mut Vec<String>) {
    let ground = Ground::within(env!("CARGO_TARGET_TMPDIR"));
    let mut records = vec![setting(&ground)];
    (0..messages / OF_A_TURN).for_each(|number| records.extend(turn(number).into_iter().flatten()));
    let (id, writing) = timed(|| ground.kept(&records));
    let bytes = fs::metadata(ground.journal(&id)).unwrap().len();
    println!("a session of {messages} messages, {} records, {:.1} MB", records.len(), bytes as f64 / 1e6);
    say("writing it all", writing);
    let reading = best(|| ground.sessions().read(&id).unwrap());
    say("reading it", reading);
    let card = ground.path("state/sessions").join(format!("{id}.card.json"));
    let resuming = best(|| {
        let _ = fs::remove_file(&card);
        let card = ground.sessions().last_of(&ground.project()).unwrap();
        ground.sessions().open(&card.id, &ground.project()).unwrap()
    });
    say("finding and opening it, no card kept", resuming);
    hold("reading a long session", reading, ENOUGH_TO_LOAD, missed);
}

/// What waits for the disk, one by one and in a turn.
fn sync(turns: usize, missed: &mut Vec<String>) {
    let ground = Ground::within(env!("CARGO_TARGET_TMPDIR"));
    let journal = ground.sessions().create(&ground.project());
    settle(&journal, vec![setting(&ground)]);
    let (mut each, mut whole, mut handing) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..turns {
        let mut waited = Duration::ZERO;
        for records in turn(number) {
            let (handed, waiting) = settle(&journal, records);
            each.push(waiting);
            handing.push(handed);
            waited += waiting;
        }
        whole.push(waited);
    }
    println!("\nwaiting for the disk, {turns} turns of {} syncs", each.len() / turns);
    say("a bare fdatasync of one line, median", share(&mut bare(&ground, turns * 4), 50));
    say("one sync, median", share(&mut each, 50));
    say("one sync, p95", share(&mut each, 95));
    say("handing records over, p95", share(&mut handing, 95));
    let median = share(&mut whole, 50);
    say("a turn, median", median);
    say("a turn, p95", share(&mut whole, 95));
    hold("waiting for the disk in a turn", median, ENOUGH_TO_WAIT, missed);
}

/// What this disk takes for it, whoever asks.
fn bare(ground: &Ground, times: usize) -> Vec<Duration> {
    let mut file = fs::File::create(ground.path("bare")).unwrap();
    let mut once = || {
        file.write_all(&[b'x'; 3_000]).unwrap();
        file.sync_data().unwrap();
    };
    (0..times).map(|_| timed(&mut once).1).collect()
}

fn list(sessions: usize, missed: &mut Vec<String>) {
    let ground = Ground::within(env!("CARGO_TARGET_TMPDIR"));
    let records: Vec<Record> = (0..2).flat_map(turn).flatten().collect();
    let text = fs::read(ground.journal(&ground.kept(&records))).unwrap();
    for number in 1..sessions {
        fs::write(ground.journal(&SessionId(format!("copy-{number}"))), &text).unwrap();
    }
    let (found, first) = timed(|| ground.sessions().list().len());
    assert_eq!(found, sessions);
    println!("\na list of {sessions} sessions");
    say("the first time", first);
    let again = best(|| ground.sessions().list());
    say("with kept cards", again);
    hold("a list", again, ENOUGH_TO_LIST, missed);
}

/// The records of a turn, as they are given to a journal: each batch is waited for.
fn turn(number: usize) -> Vec<Vec<Record>> {
    let from = 1 + number * OF_A_TURN;
    let conversation = |from: usize, messages: Vec<Message>| Record::Conversation {
        from,
        messages,
        broken_tail: false,
        settled: true,
        unsent: false,
    };
    let words = format!("please mend the part {number} of the program, {}", text(number, 200));
    let mut batches = vec![vec![said(&words), conversation(from, vec![Message::text(Role::User, words)])]];
    for step in 0..3 {
        let (place, size) = (from + 1 + step * 2, 2_000 + (number * 7 + step) * 131 % 2_000);
        let call = ModelCall {
            server_id: Some(format!("call-{place}")),
            index: Some(0),
            name: "read_file".into(),
            arguments: json!({"file_path": format!("src/part_{number}/file_{step}.rs"), "offset": step}),
        };
        let thought = text(place, 500);
        let result = text(place + 1, size);
        let reply = Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, thought.clone()) };
        batches.push(vec![
            event(Event::Turn(TurnEvent::Text { text: thought })),
            conversation(place, vec![reply]),
            running(&call, place),
        ]);
        let answer = Message::result(&call, result.clone());
        batches.push(vec![finished(place, &result), conversation(place + 1, vec![answer])]);
    }
    let answer = text(from, 800);
    let end = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() });
    let last = conversation(from + 7, vec![Message::text(Role::Assistant, answer.clone())]);
    batches.push(vec![event(Event::Turn(TurnEvent::Text { text: answer })), last, event(end)]);
    batches
}

fn running(call: &ModelCall, number: usize) -> Record {
    let preview = json!({"title": format!("Read {}", call.arguments["file_path"]), "body": {"kind": "plain"}});
    let running = json!({"record": "event", "event": {"type": "running", "call": number, "preview": preview}});
    serde_json::from_value(running).unwrap()
}

fn finished(number: usize, told: &str) -> Record {
    let outcome = json!({"status": {"status": "done"}, "told": told, "summary": "42 lines", "detail": ""});
    let finished = json!({"record": "event", "event": {"type": "finished", "call": number, "outcome": outcome}});
    serde_json::from_value(finished).unwrap()
}

fn setting(ground: &Ground) -> Record {
    let instructions = text(0, 4_000);
    let project = ground.path("project");
    Record::Setting(Setting { project, instructions, tools: vec!["read_file".into()], version: "1".into() })
}

/// Text with the line breaks, quotes and letters of a program.
fn text(seed: usize, size: usize) -> String {
    let mut text = String::new();
    let mut line = seed;
    while text.len() < size {
        text += &format!("    let part_{line} = find(\"müller {line}\", &list[{}])?; // as before\n", line % 9);
        line += 1;
    }
    text
}

/// How long handing records over takes, and waiting until they are on disk.
fn settle(journal: &Journal, records: Vec<Record>) -> (Duration, Duration) {
    let (settled, handing) = timed(|| {
        journal.write(records, true);
        journal.settled()
    });
    let ((), waiting) = timed(|| wait(settled));
    (handing, handing + waiting)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    (0..7).map(|_| timed(&mut work).1).min().unwrap()
}

/// So many percent of them are not longer.
fn share(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn say(what: &str, time: Duration) {
    println!("  {what:40} {:8.2} ms", milliseconds(time));
}

fn hold(what: &str, time: Duration, enough: f64, missed: &mut Vec<String>) {
    if milliseconds(time) > enough {
        missed.push(format!("{what} takes {:.1} ms of {enough}", milliseconds(time)));
    }
}
