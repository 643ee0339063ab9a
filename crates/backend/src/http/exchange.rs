//! One chat request from the first byte out to the last byte in: sends, tries again where that is safe, tells what is
//! waited for. The same for every kind of server.
//!
//! What the bytes mean is read by what implements [`ReadLine`].

use super::broken;
use super::pace::Pace;
use super::reply::{ReadLine, Reply};
use super::server::{Refusal, Server};
use super::told::Teller;
use super::trouble;
use agent_protocol::{ModelEvent, Phase, ServerError};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::time::Duration;
use tokio::time::Instant;

/// More events than this in one read from the network are a flood.
const CROWD: usize = 32;

/// A server that only fails is waited for no longer than this before it is asked again, whatever pause it asks for.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// A request for one reply.
pub(crate) struct Exchange<'a> {
    pub(crate) server: &'a Server,
    pub(crate) pace: &'a Pace,
    /// Where it is posted to, below the server's address.
    pub(crate) path: &'a str,
    pub(crate) body: Bytes,
    /// What an error is about.
    pub(crate) model: &'a str,
}

impl Exchange<'_> {
    /// Sends the request and tells what the reply says until it ends. While nothing comes, `loaded` says whether the model is
    /// in the server's memory; `None` if nobody knows.
    pub(crate) async fn carry_out<L: Future<Output = Option<bool>>>(
        &self,
        reply: Reply<impl ReadLine>,
        loaded: impl Fn() -> L,
        out: &Teller<ModelEvent>,
    ) {
        match self.open(loaded, out).await {
            Ok(pieces) => listen(pieces, reply, self.pace.silence, out).await,
            Err(trouble) => out.say(broken(trouble)),
        }
    }

    /// Sends it, again if need be, until the first byte of the answer is here. A server that is still loading the model is
    /// waited for without an end, and one without room for long: whoever waits can stop.
    async fn open<L: Future<Output = Option<bool>>>(
        &self,
        loaded: impl Fn() -> L,
        out: &Teller<ModelEvent>,
    ) -> Result<Pieces, ServerError> {
        let mut pauses = self.pace.retries.iter();
        let mut attempt = 1;
        let mut place = Place { next: self.pace.first_pause, left: self.pace.patience };
        waiting(out, Phase::Sending);
        loop {
            let refusal = match while_looking(self.first_piece(), &loaded, self.pace, out).await {
                Ok(pieces) => return Ok(pieces),
                Err(refusal) => refusal,
            };
            if refusal.is_loading() {
                waiting(out, Phase::Loading);
                tokio::time::sleep(self.pace.next_look).await;
                continue;
            }
            if let Some((trouble, asked)) = refusal.queue() {
                let Some(pause) = place.pause(asked, self.pace.longest_pause) else { return Err(refusal.into()) };
                waiting(out, Phase::Queued { trouble: trouble.clone() });
                tokio::time::sleep(pause).await;
                continue;
            }
            let (trouble, asked) = match refusal {
                Refusal::MayPass(trouble, asked) => (trouble, asked),
                Refusal::Final(trouble) => return Err(trouble),
            };
            let Some(&pause) = pauses.next() else { return Err(trouble) };
            let pause = jittered(pause.max(asked.unwrap_or_default().min(LONGEST_RETRY)));
            attempt += 1;
            tracing::info!(attempt, %trouble, "trying again");
            waiting(out, Phase::Retrying { attempt, wait_ms: millis(pause), trouble });
            tokio::time::sleep(pause).await;
            waiting(out, Phase::Sending);
        }
    }

    /// Waits for the first byte: what fails before it has done nothing yet.
    async fn first_piece(&self) -> Result<Pieces, Refusal> {
        let mut response = self.server.post(self.path, self.body.clone(), self.model).await?;
        match response.chunk().await {
            Ok(None) => Ok(stream::empty().boxed()),
            Ok(Some(first)) => {
                let rest = response.bytes_stream().map(|piece| piece.map_err(trouble::of_cut));
                Ok(stream::once(async { Ok(first) }).chain(rest).boxed())
            }
            Err(error) => Err(Refusal::Final(trouble::of_cut(error))),
        }
    }
}

/// How a place with a busy server is waited for.
struct Place {
    /// The next pause, where the server names none.
    next: Duration,
    /// So long it is still waited for.
    left: Duration,
}

impl Place {
    /// The pause before the next try; `None` where it would be waited for too long.
    fn pause(&mut self, asked: Option<Duration>, longest: Duration) -> Option<Duration> {
        let pause = asked.unwrap_or_default().max(self.next);
        let left = self.left.checked_sub(pause)?;
        let pause = jittered(pause);
        self.left = left.min(self.left.saturating_sub(pause));
        self.next = (self.next * 2).min(longest);
        Some(pause)
    }
}

type Pieces = BoxStream<'static, Result<Bytes, ServerError>>;

/// Waits for `answer`, and meanwhile tells loading and reading apart: `loaded` says whether the server lists the model
/// as loaded, which it does not while it loads it; `None` if it would not say.
pub(crate) async fn while_looking<T, L: Future<Output = Option<bool>>>(
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
pub(crate) async fn listen<R: ReadLine>(
    pieces: impl Stream<Item = Result<Bytes, ServerError>>,
    mut reply: Reply<R>,
    silence: Duration,
    out: &Teller<ModelEvent>,
) {
    let mut pieces = pin!(pieces);
    let mut events = Vec::new();
    let mut writing = false;
    let mut begun = false;
    let mut quiet = Duration::ZERO;
    let mut next_notice = Instant::now() + silence;
    while !reply.is_over() {
        match tokio::time::timeout_at(next_notice, pieces.next()).await {
            // It said why it stopped, and has no more to say: what may still have come are counts.
            Err(_) if reply.has_stopped() => return tell(events_at_end(reply), &mut writing, out),
            Err(_) => {
                quiet += silence;
                next_notice += silence;
                writing = false;
                match begun {
                    true => waiting(out, Phase::Silent { secs: quiet.as_secs() }),
                    false if reply.is_reading() => {}
                    // Some servers begin to answer before they have read the prompt.
                    false if quiet == silence => waiting(out, Phase::Reading { estimate: None }),
                    false => {}
                }
                continue;
            }
            Ok(Some(Ok(bytes))) => reply.take(&bytes, &mut events),
            Ok(Some(Err(trouble))) if !reply.has_stopped() => return out.say(broken(trouble)),
            Ok(Some(Err(_)) | None) => return tell(events_at_end(reply), &mut writing, out),
        }
        if events.is_empty() {
            continue;
        }
        quiet = Duration::ZERO;
        next_notice = Instant::now() + silence;
        begun |= events.iter().any(carries);
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

fn events_at_end(reply: Reply<impl ReadLine>) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    reply.end(&mut events);
    events
}

/// Says `events`, and before the first that carries something that the model is writing.
fn tell(events: impl IntoIterator<Item = ModelEvent>, writing: &mut bool, out: &Teller<ModelEvent>) {
    for event in events {
        if carries(&event) && !*writing {
            *writing = true;
            waiting(out, Phase::Writing);
        }
        out.say(event);
    }
}

/// Is it something that the model is writing?
fn carries(event: &ModelEvent) -> bool {
    matches!(event, ModelEvent::Text { .. } | ModelEvent::Thinking { .. } | ModelEvent::Calls { .. })
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
    pause.saturating_add(Duration::from_millis(chance % (millis(pause) / 2 + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_that_fits_what_is_left_is_waited_for_whatever_chance_adds() {
        let minute = Duration::from_secs(60);
        let mut place = Place { next: Duration::from_secs(1), left: minute };
        assert_eq!(place.pause(Some(Duration::MAX), minute), None);
        assert!(place.pause(Some(minute), minute).is_some_and(|pause| pause >= minute));
        assert_eq!(place.pause(None, minute), None, "nothing is left");
        assert_eq!(jittered(Duration::MAX), Duration::MAX);
    }
}
