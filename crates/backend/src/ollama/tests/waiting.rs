//! What is told while nothing arrives, by a clock that stands still until somebody waits for it.

use super::super::reply::reply_of;
use crate::http::exchange::{listen, while_looking};
use crate::http::pace::Pace;
use crate::http::told::told;
use agent_protocol::{ModelEvent, Phase, ServerError, Usage};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const A: &str = "{\"message\":{\"content\":\"a\"}}\n";
const DONE: &str = "{\"done\":true}\n";

fn text() -> ModelEvent {
    ModelEvent::Text { text: "a".to_owned() }
}

fn done() -> ModelEvent {
    ModelEvent::Done { reason: None, usage: Usage::default() }
}

fn waiting(phase: Phase) -> ModelEvent {
    ModelEvent::Waiting { phase }
}

fn silent(secs: u64) -> ModelEvent {
    waiting(Phase::Silent { secs })
}

/// What is told of pieces that come after pauses of so many seconds.
async fn heard<const N: usize>(pieces: [(u64, Result<&'static str, ()>); N]) -> Vec<ModelEvent> {
    let pieces = stream::iter(pieces).then(|(pause, piece)| async move {
        sleep(Duration::from_secs(pause)).await;
        piece.map(Bytes::from).map_err(|()| ServerError::Cut { why: "reset".to_owned() })
    });
    let silence = Pace::default().silence;
    told(move |out| async move { listen(pieces, reply_of("tiny"), silence, &out).await }).collect().await
}

#[tokio::test(start_paused = true)]
async fn silence_is_told_every_five_seconds_until_data_comes_again() {
    assert_eq!(
        heard([(0, Ok(A)), (4, Ok(A)), (12, Ok(A)), (6, Ok(DONE))]).await,
        [
            waiting(Phase::Writing),
            text(),
            text(),
            silent(5),
            silent(10),
            waiting(Phase::Writing),
            text(),
            silent(5),
            done(),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn bytes_that_make_no_line_are_silence_too() {
    let (half, rest) = (&A[..10], &A[10..]);
    assert_eq!(
        heard([(0, Ok(half)), (4, Ok("")), (4, Ok(rest)), (0, Ok(DONE))]).await,
        [waiting(Phase::Reading { estimate: None }), waiting(Phase::Writing), text(), done()],
        "before the first word it is no silence in the middle of a reply"
    );
    assert_eq!(
        heard([(0, Ok(A)), (3, Ok("{}\n")), (3, Ok("{}\n")), (3, Ok(DONE))]).await,
        [waiting(Phase::Writing), text(), silent(5), done()],
        "and so are lines that say nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn texts_that_arrive_in_a_flood_are_told_as_one() {
    let flood: &str = Box::leak((A.repeat(40) + "{\"message\":{\"thinking\":\"c\"}}\n").into_boxed_str());
    let all = ModelEvent::Text { text: "a".repeat(40) };
    let thought = ModelEvent::Thinking { text: "c".to_owned() };
    assert_eq!(heard([(0, Ok(flood)), (0, Ok(DONE))]).await, [waiting(Phase::Writing), all, thought, done()]);
}

#[tokio::test(start_paused = true)]
async fn a_cut_after_silence_is_a_cut() {
    let cut = ModelEvent::Broken { trouble: ServerError::Cut { why: "reset".to_owned() } };
    assert_eq!(heard([(0, Ok(A)), (31, Err(()))]).await.last(), Some(&cut));
}

#[tokio::test(start_paused = true)]
async fn looks_begin_after_300_ms_and_come_every_500() {
    let begun = Instant::now();
    let events: Vec<ModelEvent> = told(move |out| async move {
        let looked = || async move {
            let elapsed = begun.elapsed().as_millis();
            assert_eq!(elapsed % 500, 300, "at {elapsed} ms");
            match elapsed {
                300 => None,
                301..=2000 => Some(false),
                _ => Some(true),
            }
        };
        while_looking(sleep(Duration::from_secs(4)), looked, &Pace::default(), &out).await;
    })
    .collect()
    .await;
    assert_eq!(events, [waiting(Phase::Loading), waiting(Phase::Reading { estimate: None })]);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_hangs_holds_nothing_up() {
    let events: Vec<ModelEvent> = told(|out| async move {
        let hanging = || std::future::pending::<Option<bool>>();
        while_looking(sleep(Duration::from_secs(60)), hanging, &Pace::default(), &out).await;
    })
    .collect()
    .await;
    assert_eq!(events, []);
}
