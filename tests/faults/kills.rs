//! The program is killed at any moment while it works: the session goes on with all that was said and done in it, and
//! the project's files are whole.
//!
//! Files that are written while their writer is killed are looked at more closely in `tests/paths`, and journals that
//! are torn at every byte where the store is tested.

use crate::case::Case;
use crate::journals;
use crate::processes;
use crate::room::Room;
use agent_mock_server::{Script, Server};
use agent_protocol::{CallEvent, Event, TurnEvent};
use agent_store::Loaded;
use serde_json::{Value, json};
use std::process::{Child, Stdio};
use std::time::Duration;

/// So often a session is killed and goes on; then another one begins, so that none fills its window.
const LIVES: u64 = 5;
const PATIENCE: Duration = Duration::from_secs(30);
const FIRST: &str = "remember the pomegranate";
const GO_ON: &str = "go on";

/// The number of kills is read from `AGENT_KILLS`.
#[test]
fn a_session_goes_on_whenever_its_program_is_killed() {
    let kills = std::env::var("AGENT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let mut tally = Tally::default();
    for first in (0..kills).step_by(LIVES as usize) {
        let life = Life::begin();
        for kill in first..kills.min(first + LIVES) {
            life.killed(kill, &mut tally);
            life.goes_on(kill - first + 1).unwrap_or_else(|fault| panic!("kill {kill}: {fault}"));
        }
    }
    say(kills, &tally);
}

/// Where the kills fell.
#[derive(Debug, Default)]
struct Tally {
    before_the_words: u64,
    before_a_reply: u64,
    in_a_call: u64,
    elsewhere_in_the_turn: u64,
    torn_ends: u64,
    requests: usize,
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is run for")]
fn say(kills: u64, tally: &Tally) {
    println!("{kills} kills: every session went on, every file was whole; {tally:?}");
}

/// One session, a project, and the server it talks to.
struct Life {
    room: Room,
    server: Server,
}

impl Life {
    fn begin() -> Life {
        let server = Script::from_value(script()).expect("it can be played");
        let server = Server::start(server).expect("a loopback port is free");
        let inject = json!({"server": "none"});
        let mut room = Room::new(&Case { id: "kills".to_owned(), title: "killed at any moment".to_owned(), inject });
        room.set("AGENT_HOST", &server.url());
        room.set("AGENT_NUM_CTX", "262144");
        room.write("a.txt", &text('a'));
        let life = Life { room, server };
        let output = life.room.plain(&["--model", "m", "-p", FIRST]).output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        life
    }

    /// Lets it work, and kills it at some moment.
    fn killed(&self, kill: u64, tally: &mut Tally) {
        let mut dice = Dice::new(kill);
        let before = self.server.chats().len();
        let args = ["--model", "m", "--unsafe", "-c", "-p", &format!("work {kill}")];
        let mut child = self.room.plain(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let longest = if dice.below(4) == 0 {
            200_000
        } else {
            assert!(self.server.wait_for_chat(before + 1, PATIENCE).is_some(), "kill {kill}: it says nothing");
            500_000
        };
        // The moment is the point of it: nothing is waited for.
        std::thread::sleep(Duration::from_micros(dice.below(longest)));
        end(&mut child, kill);
        processes::wait_none_left(&self.room.top());
        self.check_files().unwrap_or_else(|fault| panic!("kill {kill}: {fault}"));
        tally.requests += self.server.chats().len() - before;
        let kept = journals::read(&self.room.state()).unwrap_or_else(|fault| panic!("kill {kill}: {fault}"));
        tally.count(&kept[0], &format!("work {kill}"));
    }

    /// It goes on for the `round`-th time.
    fn goes_on(&self, round: u64) -> Result<(), String> {
        let worked = self.acted_upon();
        let args = ["--model", "m", "--unsafe", "-c", "-p", GO_ON, "--output-format", "json"];
        let output = self.room.plain(&args).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        let told: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
        if output.status.code() != Some(0) || told["answer"] != "I go on." {
            return Err(format!("{:?}: {told}", output.status));
        }
        journals::check(&self.room.state())?;
        let kept = journals::only(&self.room.state());
        if told["session"] != kept.card.id.0 {
            return Err(format!("another session: {} for {}", told["session"], kept.card.id));
        }
        let messages = messages(&self.server.chats().pop().expect("something was asked").body);
        well_formed(&messages)?;
        let said = messages.iter().filter(|message| message["role"] == "user" && has(message, GO_ON)).count();
        if !has(&messages[1], FIRST) || said as u64 != round || !messages.last().is_some_and(|last| has(last, GO_ON)) {
            return Err(format!("round {round}: not all that was said is there: {}", outline(&messages)));
        }
        if !messages.starts_with(&worked) {
            return Err(format!("the conversation is another: {} for {}", outline(&messages), outline(&worked)));
        }
        self.check_files()?;
        let told = may_hold(&messages);
        let now = self.room.read("a.txt");
        if told.contains(&now) { Ok(()) } else { Err(format!("a.txt is another than is told: {}", outline(&messages))) }
    }

    /// What the model had been asked when it last wanted something done that was done: it was on disk before that.
    fn acted_upon(&self) -> Vec<Value> {
        let asked: Vec<Vec<Value>> = self.server.chats().iter().map(|chat| messages(&chat.body)).collect();
        let acted = |pair: &&[Vec<Value>]| {
            let further = pair[1].get(pair[0].len()..).unwrap_or_default();
            further.iter().any(|message| message["role"] == "tool" && has(message, "a.txt"))
        };
        asked.windows(2).rfind(acted).map(|pair| pair[0].clone()).unwrap_or_default()
    }

    /// The file is wholly one or the other.
    fn check_files(&self) -> Result<(), String> {
        let now = self.room.read("a.txt");
        let whole = now == text('a') || now == text('b');
        if whole { Ok(()) } else { Err(format!("a.txt is in parts: {} bytes", now.len())) }
    }
}

impl Tally {
    fn count(&mut self, kept: &Loaded, words: &str) {
        let mut open = Vec::new();
        let (mut said, mut replied) = (false, false);
        for event in journals::events(kept) {
            match event {
                Event::Turn(TurnEvent::Started { text, .. }) => (said, replied) = (text.contains(words), false),
                Event::Turn(TurnEvent::Replied { .. }) => replied = true,
                Event::Call(CallEvent::Running { call, .. }) => open.push(*call),
                Event::Call(CallEvent::Finished { call, .. }) => open.retain(|running| running != call),
                Event::Turn(TurnEvent::Ended { .. }) => open.clear(),
                _ => {}
            }
        }
        self.torn_ends += u64::from(kept.torn.is_some());
        *match (said, replied, open.is_empty()) {
            (false, _, _) => &mut self.before_the_words,
            (true, false, _) => &mut self.before_a_reply,
            (true, true, false) => &mut self.in_a_call,
            (true, true, true) => &mut self.elsewhere_in_the_turn,
        } += 1;
    }
}

/// Ends it as nothing else can. It works until then.
fn end(child: &mut Child, kill: u64) {
    assert_eq!(child.try_wait().expect("it can be looked at"), None, "kill {kill}: it left by itself");
    child.kill().expect("it is there");
    child.wait().expect("it can be waited for");
}

/// Writes one text and then the other, and runs a command each time, for ever.
fn script() -> Value {
    let step = |letter: char, word: &str| {
        json!([
            {"text": "Now I write all of it once more, and then I look how long it is.", "tokens_per_second": 400},
            {"call": {"name": "write_file", "arguments": {"file_path": "a.txt", "content": text(letter)}}},
            {"call": {"name": "run_command", "arguments": {"command": format!("wc -c a.txt | tee size.txt; echo {word}")}}},
        ])
    };
    json!({
        "models": [{"name": "m", "context_length": 262_144}],
        "replies": [
            {"when": {"user_contains": FIRST}, "say": [{"text": "I remember."}]},
            {"when": {"user_contains": GO_ON}, "say": [{"text": "I go on."}]},
            {"when": {"after": "person"}, "say": [{"call": {"name": "read_file", "arguments": {"file_path": "a.txt"}}}]},
            {"when": {"tool_contains": "once"}, "say": step('a', "twice")},
            {"say": step('b', "once")},
        ],
    })
}

fn text(letter: char) -> String {
    let line: String = std::iter::repeat_n(letter, 99).collect();
    format!("{line}\n").repeat(80)
}

fn messages(body: &Value) -> Vec<Value> {
    body["messages"].as_array().cloned().unwrap_or_default()
}

fn has(message: &Value, words: &str) -> bool {
    message["content"].as_str().is_some_and(|content| content.contains(words))
}

/// What the file can hold after all that the model was told of its calls.
fn may_hold(messages: &[Value]) -> Vec<String> {
    let mut texts = vec![text('a')];
    for (number, message) in messages.iter().enumerate() {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        for (call, result) in calls.zip(&messages[number + 1..]) {
            let written = call["function"]["arguments"]["content"].as_str().map(str::to_owned);
            match (written, result) {
                (Some(text), result) if has(result, "wrote a.txt") || has(result, "already holds") => {
                    texts = vec![text]
                }
                (Some(text), result) if has(result, "it may have happened") => texts.push(text),
                (Some(_), result) => assert!(has(result, "not run"), "{result}"),
                (None, _) => {}
            }
        }
    }
    texts
}

/// One system message first; then the user and the model in turns, and a result for every call.
fn well_formed(messages: &[Value]) -> Result<(), String> {
    let (mut last, mut open) = ("system", 0);
    for (number, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        let follows = match role {
            "system" => number == 0,
            "user" => number > 0 && last != "user" && open == 0,
            "assistant" => matches!(last, "user" | "tool") && open == 0,
            "tool" => open > 0,
            _ => false,
        };
        if !follows {
            return Err(format!("message {number} follows what it may not: {}", outline(messages)));
        }
        open = match role {
            "assistant" => message["tool_calls"].as_array().map_or(0, Vec::len),
            "tool" => open - 1,
            _ => 0,
        };
        last = role;
    }
    Ok(())
}

/// Each message in a few letters.
fn outline(messages: &[Value]) -> String {
    let one = |message: &Value| {
        let words: String = message["content"].as_str().unwrap_or_default().chars().take(60).collect();
        let calls = message["tool_calls"].as_array().map_or(0, Vec::len);
        format!("\n  {} {words:?} {calls} calls", message["role"])
    };
    messages.iter().map(one).collect()
}

/// Numbers that look like chance and can be had again.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Dice((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0 up to, and without, `sides`.
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

#[test]
fn a_conversation_that_no_template_would_take_is_found() {
    let message = |role: &str| json!({"role": role, "content": "x"});
    let call = json!({"role": "assistant", "content": "", "tool_calls": [{}, {}]});
    let good = [message("system"), message("user"), call.clone(), message("tool"), message("tool"), message("user")];
    assert_eq!(well_formed(&good), Ok(()));
    for bad in [
        vec![message("user")],
        vec![message("system"), message("user"), message("user")],
        vec![message("system"), message("user"), call.clone(), message("tool"), message("user")],
        vec![message("system"), message("user"), message("assistant"), message("assistant")],
        vec![message("system"), message("user"), message("assistant"), message("tool")],
    ] {
        assert!(well_formed(&bad).is_err(), "{bad:?}");
    }
}
