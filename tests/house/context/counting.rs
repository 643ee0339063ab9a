//! What `/context` says is what the server counts.

use super::session::Session;
use super::texts::{KINDS, Kind, text};
use agent_protocol::{ContextEvent, Event, Phase, TurnEvent};
use serde_json::json;

/// How far an estimate may be off from the third turn on, in percent.
const BAR: f64 = 5.0;

const TURNS: u64 = 12;

/// A conversation of texts and files of one kind: for each request the turn, what was estimated before it went out, and
/// what the server counted; and the same for what `/context` said before a turn that only adds a word.
async fn talk(counts: &str, kind: Kind) -> Vec<(u64, u64, u64)> {
    let say: Vec<_> = (0..TURNS).flat_map(|turn| replies(kind, turn)).collect();
    let script = json!({
        "models": [{"name": "m", "context_length": 131_072}],
        "counts": counts,
        "pace": "immediate",
        "replies": say,
    });
    let mut house = Session::open(script, Some(131_072)).await;
    let mut checked = Vec::new();
    for turn in 0..TURNS {
        house
            .write(&format!("{turn}.txt"), &text(kind, 7_000 + turn, 2_000 + 700 * usize::try_from(turn % 5).unwrap()));
        let (before, heard) = (house.chats().len(), house.heard.len());
        house.turn(&text(kind, turn, 300)).await;
        let estimates = estimates(&house.heard[heard..]);
        let counted =
            house.chats()[before..].iter().map(|chat| chat.prompt.expect("the server read it").tokens).collect();
        checked.extend(pairs(turn, estimates, counted));
        let report = house.context().await;
        house.turn("go on").await;
        let counted = house.chats().last().unwrap().prompt.expect("the server read it").tokens;
        checked.push((turn, report.used, counted));
    }
    checked
}

/// How full the window was said to be when each request went out.
fn estimates(heard: &[Event]) -> Vec<u64> {
    let mut told = 0;
    let mut estimates = Vec::new();
    for event in heard {
        match event {
            Event::Context(ContextEvent::Window { used, .. }) => told = *used,
            Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => estimates.push(told),
            _ => {}
        }
    }
    estimates
}

fn pairs(turn: u64, estimates: Vec<u64>, counted: Vec<u64>) -> Vec<(u64, u64, u64)> {
    assert_eq!(estimates.len(), counted.len());
    estimates.into_iter().zip(counted).map(|(estimate, counted)| (turn, estimate, counted)).collect()
}

fn replies(kind: Kind, turn: u64) -> Vec<serde_json::Value> {
    let path = format!("{turn}.txt");
    vec![
        json!({"times": 1, "say": [{"text": text(kind, 40 + turn, 80)}, {"call": {"name": "read_file", "arguments": {"file_path": path}}}]}),
        json!({"times": 1, "say": [{"text": text(kind, 90 + turn, 600)}]}),
        json!({"times": 1, "say": [{"text": "yes"}]}),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_third_turn_on_the_estimate_is_within_five_percent_of_the_servers_count() {
    let mut wrong = Vec::new();
    for counts in ["quarter", "words", "bytes", "pieces"] {
        for kind in KINDS {
            for (turn, estimated, counted) in talk(counts, kind).await.into_iter().filter(|(turn, ..)| *turn >= 2) {
                let error = (estimated as f64 - counted as f64) / counted as f64 * 100.0;
                if error.abs() > BAR {
                    wrong.push(format!("{counts} {kind:?} turn {}: {estimated} for {counted}, {error:.1} %", turn + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
