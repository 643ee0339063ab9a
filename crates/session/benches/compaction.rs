//! How long it takes to make a long conversation shorter, and how far estimates are off. `cargo bench -p agent-session`.
//!
//! Prints two tables and, at the end, which bar is missed; ends with an error if one is.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark looks at the clock and prints what it saw"
)]

#[path = "../tests/context/servers/mod.rs"]
#[expect(dead_code, reason = "tests ask more of these servers")]
mod servers;

use agent_protocol::{Message, ModelCall, Role};
use agent_session::context::{ContextUsage, elide_results, rebuild, rule_based_summary, tail_start};
use serde_json::json;
use servers::{Counter, Dice, SERVERS, Server, Subject, TEXTS, Talk};
use std::time::{Duration, Instant};

/// Milliseconds that making 1,000 messages shorter may take, besides what the model takes.
const ENOUGH: f64 = 50.0;
/// Milliseconds that gauging one more request may take in a conversation of 2,000 messages.
const ENOUGH_TO_GAUGE: f64 = 5.0;
/// Percent by which an estimate may be off from the third turn on.
const OFF: f64 = 5.0;
/// Turns of a conversation; each has two requests.
const TURNS: usize = 20;

fn main() {
    let mut missed = Vec::new();
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    times(quick, &mut missed);
    errors(quick, &mut missed);
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

/// A conversation of so many messages of 2 to 4 KB.
fn long(messages: usize) -> Vec<Message> {
    let mut dice = Dice(7);
    let mut talk = vec![Message::text(Role::System, TEXTS[1].1)];
    while talk.len() < messages {
        let size = 2_000 + dice.below(2_000);
        let kind = dice.below(TEXTS.len());
        let text = dice.passage(TEXTS[kind].1, size / if TEXTS[kind].0 == "cjk" { 3 } else { 1 });
        let path = format!("src/part_{}/file_{}.rs", dice.below(20), dice.below(20));
        let call =
            ModelCall { server_id: None, index: None, name: "read_file".into(), arguments: json!({"file_path": path}) };
        let said = |role| Message::text(role, text.clone());
        match talk.len() % 8 {
            1 => talk.push(said(Role::User)),
            place if place % 2 == 0 && place > 0 => talk.push(Message { calls: vec![call], ..said(Role::Assistant) }),
            0 => talk.push(said(Role::Assistant)),
            _ => {
                let call = talk.last().and_then(|last| last.calls.first().cloned()).unwrap_or(call);
                talk.push(Message::result(&call, text));
            }
        }
    }
    talk
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn times(quick: bool, missed: &mut Vec<String>) {
    let talk = long(if quick { 100 } else { 1_000 });
    let bytes: usize = talk.iter().map(|message| message.content.len()).sum();
    println!("{} messages, {:.1} MB", talk.len(), bytes as f64 / 1e6);
    let estimator = ContextUsage::new(None).estimator().clone();
    let mut best = [f64::INFINITY; 4];
    for _ in 0..if quick { 1 } else { 7 } {
        let mut messages = talk.clone();
        let (_, eliding) = timed(|| elide_results(&mut messages, &estimator, 2_000));
        let (tail, cutting) = timed(|| tail_start(&talk, &estimator, 6_000));
        let (summary, listing) = timed(|| rule_based_summary(&talk[..tail]));
        let (_, rebuilding) = timed(|| rebuild(&talk, tail, &summary, 2_000, &estimator));
        for (best, time) in best.iter_mut().zip([eliding, cutting, listing, rebuilding]) {
            *best = best.min(milliseconds(time));
        }
    }
    let names = ["eliding results", "where to cut", "a rule-based summary", "putting it together"];
    names.iter().zip(best).for_each(|(name, time)| println!("  {name:24} {time:8.2} ms"));
    let all: f64 = best.iter().sum();
    println!("  {:24} {all:8.2} ms", "all");
    if all > ENOUGH {
        missed.push(format!("making it shorter takes {all:.1} ms of {ENOUGH}"));
    }
    gauging(quick, missed);
}

/// The first look at a long conversation, and one more request in it.
fn gauging(quick: bool, missed: &mut Vec<String>) {
    let mut talk = long(if quick { 100 } else { 2_000 });
    let mut gauge = ContextUsage::new(None);
    let (tokens, first) = timed(|| gauge.sent(&talk, &[]));
    gauge.counted(&agent_protocol::Usage { prompt_tokens: Some(tokens), ..Default::default() });
    talk.push(Message::text(Role::User, TEXTS[0].1));
    let (_, next) = timed(|| (gauge.used(&talk, &[]), gauge.sent(&talk, &[])));
    let (first, next) = (milliseconds(first), milliseconds(next));
    println!("gauging {} messages at first {first:.2} ms, one more {next:.2} ms", talk.len());
    if next > ENOUGH_TO_GAUGE {
        missed.push(format!("gauging one more request takes {next:.1} ms of {ENOUGH_TO_GAUGE}"));
    }
}

/// Errors in percent, request by request.
fn errors_of(server: &Server, subject: Subject, seed: u64) -> Vec<f64> {
    let (mut gauge, mut counter) = (ContextUsage::new(None), Counter::new(server));
    let (mut talk, mut errors) = (Talk::new(subject, seed, false), Vec::new());
    for _ in 0..TURNS {
        talk.ask();
        for calls in [true, false] {
            gauge.sent(&talk.messages, &talk.tools);
            let reply = talk.reply(calls);
            let checked = gauge.counted(&counter.usage(&talk.messages, &talk.tools, &reply));
            errors.push(checked.map_or(f64::INFINITY, |checked| checked.error_percent().abs()));
            talk.answered(reply);
        }
    }
    errors
}

fn errors(quick: bool, missed: &mut Vec<String>) {
    println!("\nlargest error in percent{:21} turn 1 {:>8} {:>8} {:>8}", "", "turn 2", "turn 3", "later");
    for server in SERVERS.iter().step_by(if quick { 4 } else { 1 }) {
        let subjects = [Subject::Of(0), Subject::Of(1), Subject::Of(2), Subject::Mixed];
        for (subject, bar) in
            subjects.into_iter().map(|one| (one, true)).chain(Subject::late().into_iter().map(|one| (one, false)))
        {
            let mut worst = [0.0_f64; 4];
            for seed in 0..if quick { 1 } else { 8 } {
                for (request, error) in errors_of(server, subject, seed).into_iter().enumerate() {
                    let turn = (request / 2).min(3);
                    worst[turn] = worst[turn].max(error);
                }
            }
            let name = format!("{}, {}", server.name, subject.name());
            println!("{name:44} {:6.1} {:8.1} {:8.1} {:8.1}", worst[0], worst[1], worst[2], worst[3]);
            if worst[3] > OFF || (bar && worst[2] > OFF) {
                missed.push(format!("{name}: {:.1} % off", worst[2].max(worst[3])));
            }
        }
    }
}
