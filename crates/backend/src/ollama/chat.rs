//! One chat request from the first byte out to the last byte in: sends, tries again where that is safe, tells what is
//! waited for.
//!
//! What the bytes mean is read in `reply`.

use super::catalogue;
use super::pace::Pace;
use super::reply::{Reply, broken};
use super::server::{Refusal, Server};
use super::told::{Teller, told};
use super::trouble;
use super::wire;
use agent_protocol::{ChatRequest, ModelEvent, Phase, ServerError};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// More events than this in one read from the network are a flood.
const CROWD: usize = 32;

/// The events of one reply.
pub(super) fn chat(server: Arc<Server>, pace: Pace, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
    told(move |out| async move {
        match open(&server, &pace, &request, &out).await {
            Ok(pieces) => listen(pieces, Reply::of(&request.model), pace.silence, &out).await,
            Err(trouble) => out.say(broken(trouble)),
        }
    })
}

type Pieces = BoxStream<'static, Result<Bytes, ServerError>>;

/// Sends the request, again if need be, until the first byte of the answer is here.
async fn open(
    server: &Server,
    pace: &Pace,
    request: &ChatRequest,
    out: &Teller<ModelEvent>,
) -> Result<Pieces, ServerError> {
    let body = wire::chat_body(request);
    let mut pauses = pace.retries.iter();
    let mut attempt = 1;
    loop {
        waiting(out, Phase::Sending);
        let first = first_piece(server, body.clone(), &request.model);
        let looks = || async {
            let loaded = catalogue::loaded(server).await.ok()?;
            Some(loaded.iter().any(|loaded| catalogue::same_model(&loaded.name, &request.model)))
        };
        let refusal = match while_looking(first, looks, pace, out).await {
            Ok(pieces) => return Ok(pieces),
            Err(refusal) => refusal,
        };
        match (refusal, pauses.next()) {
            (Refusal::MayPass(trouble), Some(&pause)) => {
                let pause = jittered(pause);
                attempt += 1;
                tracing::info!(attempt, %trouble, "trying again");
                waiting(out, Phase::Retrying { attempt, wait_ms: millis(pause), trouble });
                tokio::time::sleep(pause).await;
            }
            (refusal, _) => return Err(refusal.into()),
        }
    }
}

/// Waits for the first byte: what fails before it has done nothing yet.
async fn first_piece(server: &Server, body: Bytes, model: &str) -> Result<Pieces, Refusal> {
    let mut response = server.post("api/chat", body, model).await?;
    match response.chunk().await {
        Ok(None) => Ok(stream::empty().boxed()),
        Ok(Some(first)) => {
            let rest = response.bytes_stream().map(|piece| piece.map_err(trouble::of_cut));
            Ok(stream::once(async { Ok(first) }).chain(rest).boxed())
        }
        Err(error) => Err(Refusal::Final(trouble::of_cut(error))),
    }
}

/// Waits for `answer`, and meanwhile tells loading and reading apart: `loaded` says whether the server lists the model
/// as loaded, which it does not while it loads it; `None` if it would not say.
pub(super) async fn while_looking<T, L: Future<Output = Option<bool>>>(
    answer: impl Future<Output = T>,
    loaded: impl Fn() -> L,
    pace: &Pace,
    out: &Teller<ModelEvent>,
) -> T {
    let looking = async {
        let mut told = None;
        tokio::time::sleep(pace.first_look).await;
        loop {
            let phase = match loaded().await {
                Some(true) => Some(Phase::Reading { estimate: None }),
                Some(false) => Some(Phase::Loading),
                None => None,
            };
            if let Some(phase) = phase
                && told.as_ref() != Some(&phase)
            {
                waiting(out, phase.clone());
                told = Some(phase);
            }
            tokio::time::sleep(pace.next_look).await;
        }
    };
    tokio::select! {
        biased;
        answer = answer => answer,
        never = looking => never,
    }
}

/// Tells what the reply says until it ends, and when it says nothing. Silence is told, never a failure: a long call
/// comes in one line, after minutes if need be. Bytes that make no line yet are silence too: a server that sends one a
/// second says nothing.
pub(super) async fn listen(
    pieces: impl Stream<Item = Result<Bytes, ServerError>>,
    mut reply: Reply,
    silence: Duration,
    out: &Teller<ModelEvent>,
) {
    let mut pieces = pin!(pieces);
    let mut events = Vec::new();
    let mut writing = false;
    let mut quiet = Duration::ZERO;
    let mut next_notice = Instant::now() + silence;
    while !reply.is_over() {
        match tokio::time::timeout_at(next_notice, pieces.next()).await {
            Err(_) => {
                quiet += silence;
                next_notice += silence;
                writing = false;
                waiting(out, Phase::Silent { secs: quiet.as_secs() });
                continue;
            }
            Ok(Some(Ok(bytes))) => reply.take(&bytes, &mut events),
            Ok(Some(Err(trouble))) => return out.say(broken(trouble)),
            Ok(None) => return tell(events_at_end(reply), &mut writing, out),
        }
        if events.is_empty() {
            continue;
        }
        quiet = Duration::ZERO;
        next_notice = Instant::now() + silence;
        let told = if events.len() > CROWD { joined(events.drain(..)) } else { std::mem::take(&mut events) };
        tell(told, &mut writing, out);
    }
}

/// Texts that arrived together, as one: a flood of single letters would weigh a hundred times what it says.
fn joined(events: impl Iterator<Item = ModelEvent>) -> Vec<ModelEvent> {
    let mut joined: Vec<ModelEvent> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(ModelEvent::Text { text }), ModelEvent::Text { text: more })
            | (Some(ModelEvent::Thinking { text }), ModelEvent::Thinking { text: more }) => text.push_str(&more),
            (_, event) => joined.push(event),
        }
    }
    joined
}

fn events_at_end(reply: Reply) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    reply.end(&mut events);
    events
}

/// Says `events`, and before the first that carries something that the model is writing.
fn tell(events: impl IntoIterator<Item = ModelEvent>, writing: &mut bool, out: &Teller<ModelEvent>) {
    for event in events {
        let carries = matches!(event, ModelEvent::Text { .. } | ModelEvent::Thinking { .. } | ModelEvent::Calls { .. });
        if carries && !*writing {
            *writing = true;
            waiting(out, Phase::Writing);
        }
        out.say(event);
    }
}

fn waiting(out: &Teller<ModelEvent>, phase: Phase) {
    out.say(ModelEvent::Waiting { phase });
}

fn millis(pause: Duration) -> u64 {
    u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)
}

/// `pause` and up to half as long again.
fn jittered(pause: Duration) -> Duration {
    // Each state is made with keys of its own, which is all the chance that is needed here.
    let chance = RandomState::new().hash_one(pause);
    pause + Duration::from_millis(chance % (millis(pause) / 2 + 1))
}
