//! What was learned stays: the next session with the same model begins with it.

use super::session::Session;
use super::texts::{Kind, text};
use agent_protocol::{Event, Phase, TurnEvent};
use serde_json::json;

fn script() -> serde_json::Value {
    json!({
        "models": [{"name": "m", "context_length": 131_072}],
        "counts": "words",
        "reading_per_second": 800,
        "replies": [{"when": {}, "say": [{"text": "I see, and I say it in a few words so that something is counted."}]}],
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_session_knows_what_the_first_one_learned() {
    let mut house = Session::open(script(), None).await;
    for turn in 0..4 {
        house.turn(&text(Kind::Prose, turn, 3_000)).await;
    }
    let first = house.context().await;
    let mut house = house.again(None).await;
    let again = house.context().await;
    assert!(again.samples >= first.samples && first.samples >= 4, "{} and {}", first.samples, again.samples);
    assert_eq!(again.window.asked, first.window.asked);
    assert!(again.reading.is_some(), "{again:?}");
    let error = (again.characters_per_token - first.characters_per_token).abs();
    assert!(error < 0.01 * first.characters_per_token, "{first:?} {again:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_long_the_reading_takes_is_said_before_it_is_over() {
    let mut house = Session::open(script(), None).await;
    for turn in 0..3 {
        house.turn(&text(Kind::Prose, turn, 12_000)).await;
    }
    let mut estimates = house.heard.iter().filter_map(|event| match event {
        Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate: Some(estimate) } }) => Some(*estimate),
        _ => None,
    });
    let last = estimates.next_back().expect("the server read for long enough to be asked what it does");
    assert!(last.new < last.of && last.ms.is_some(), "{last:?}");
}
