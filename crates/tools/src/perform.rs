//! Third step: does what was planned. The one executor: every result leaves through here, without secrets, cut to the
//! room there is, and with what really became of files.

use crate::blocking::crashed;
use crate::buffers::OpenBuffers;
use crate::program::Watch;
use crate::read_tracker::ReadTracker;
use crate::redact::{Live, Secrets};
use crate::undo::{Changed, Reach, StateBefore, Undo};
use crate::unread;
use crate::walk::Built;
use crate::{Output, PlannedCall, cap};
use agent_policy::Permit;
use agent_protocol::{Action, Chunk, Digest, Failure, FailureKind, FileState, Outcome, Status, Stream};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

/// How long a stopped command may go on changing files until they are taken as they are. Dropping it ends it, mostly
/// before the drop returns; who is slow to die is waited for.
const SETTLES: Duration = Duration::from_millis(2_500);
/// Time between two looks at whether it still does.
const BETWEEN: Duration = Duration::from_millis(50);

/// What every call of a project has around it.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    pub(crate) secrets: Secrets,
    pub(crate) undo: Undo,
    pub(crate) watch: Watch,
    pub(crate) seen: ReadTracker,
    pub(crate) buffers: OpenBuffers,
}

/// Does it, if the permit is for exactly this. A fault in a tool becomes a failed call. When `stop` resolves, a job that
/// may be ended is, and then it is looked at what it did until then.
pub(crate) fn perform(
    around: Around,
    job: Box<dyn PlannedCall>,
    permit: Permit,
    mut out: Output,
    mut stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, Outcome> {
    if *permit.action() != job.action() {
        let message = "the permit is for something else; nothing was done";
        return Box::pin(std::future::ready(Failure::new(FailureKind::Denied, message).into()));
    }
    Box::pin(async move {
        // A write is over in a moment and must not be left half told: it is waited for.
        let stoppable = !matches!(permit.action(), Action::Write { .. });
        let reach = Reach::of(&permit);
        let looks = matches!(permit.action(), Action::Read { .. });
        tokio::select! {
            biased;
            refusal = around.buffers.refusal(permit.action()) => if let Some(failure) = refusal {
                return failure.into();
            },
            () = &mut stop => return never_begun(),
        }
        let written_by_us = matches!(permit.action(), Action::Write { .. } | Action::Restore { .. });
        let (undo, intent) = (around.undo.clone(), out.intent.take().filter(|_| !looks));
        let write = intent.is_some();
        let Known { before, built, written } = tokio::select! {
            known = looked(move || known(&undo, reach, write)) => known.unwrap_or_default(),
            () = &mut stop, if stoppable => return never_begun(),
        };
        if let Some(intent) = intent {
            tokio::select! {
                biased;
                // Nothing is done yet, not even of a write.
                () = &mut stop => return never_begun(),
                () = intent(written) => {}
            }
        }
        out.room = cap::room_for(permit.action(), out.room);
        let (room, rest, unread) = (out.room, job.rest(), job.unread());
        let (outcome, stopped) = tokio::select! {
            outcome = run(job, permit, out, &around.secrets) => (outcome, false),
            () = &mut stop, if stoppable => (stopped(), true),
        };
        let changed = after(around.undo, before, built, stopped).await;
        if written_by_us {
            let paths: Vec<_> = changed.files.iter().map(|file| file.path.clone()).collect();
            looked(move || around.watch.accept(&paths)).await;
        } else {
            let made = changed.files.iter().filter(|file| file.before == FileState::Missing);
            made.for_each(|file| around.seen.made(&file.path));
        }
        let outcome = unread::tell(told(outcome, changed), &unread);
        cap::outcome(around.secrets.outcome(outcome), room, rest)
    })
}

/// How things are before a call.
#[derive(Default)]
struct Known {
    before: StateBefore,
    built: Built,
    /// Where that is written down.
    written: Option<Digest>,
}

/// How things are before a call, and where that is written down if it is to be. Blocking.
fn known(undo: &Undo, reach: Reach, write: bool) -> Known {
    let before = undo.before(reach);
    let written = if write { undo.written(&before) } else { None };
    let built = undo.built(&before);
    Known { before, built, written }
}

async fn run(job: Box<dyn PlannedCall>, permit: Permit, out: Output, secrets: &Secrets) -> Outcome {
    let Output { live: screen, room, intent: _, reaches } = out;
    let (live, said) = unbounded_channel();
    let running = AssertUnwindSafe(async move { job.run(permit, Output { live, room, intent: None, reaches }).await })
        .catch_unwind();
    let (outcome, ()) = tokio::join!(running, hide(said, screen, secrets));
    outcome.unwrap_or_else(|_| crashed("it panicked").into())
}

/// Looks at files elsewhere, for that blocks. A fault of ours there must not hide what the call itself did.
async fn looked<T: Send + 'static>(look: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    spawn_blocking(look).await.ok()
}

async fn after(undo: Undo, before: StateBefore, built: Built, stopped: bool) -> Changed {
    let before = Arc::new(before);
    if stopped {
        settle(&undo, &before).await;
    }
    let look = move || {
        let built = undo.built_since(&built, &before);
        Changed { built, ..undo.after(&before) }
    };
    looked(look).await.unwrap_or_default()
}

/// Waits until two looks in a row see the same.
async fn settle(undo: &Undo, before: &Arc<StateBefore>) {
    let until = Instant::now() + SETTLES;
    let again = || {
        let (undo, before) = (undo.clone(), before.clone());
        looked(move || undo.has_settled(&before))
    };
    again().await;
    while Instant::now() < until {
        sleep(BETWEEN).await;
        if again().await != Some(false) {
            return;
        }
    }
}

fn told(mut outcome: Outcome, changed: Changed) -> Outcome {
    outcome.changed = changed.files;
    if !changed.built.is_empty() {
        outcome.fence.get_or_insert_default().built = changed.built;
    }
    if let Some(note) = changed.note {
        let line_end = if outcome.detail.is_empty() || outcome.detail.ends_with('\n') { "" } else { "\n" };
        outcome.detail.push_str(&format!("{line_end}[{note}]\n"));
        outcome.summary.push_str("; not all of it is covered by undo");
    }
    outcome
}

pub(crate) fn stopped() -> Outcome {
    Outcome {
        status: Status::Stopped,
        told: "stopped by the user while it ran; part of its work may be done".into(),
        summary: "stopped".into(),
        detail: String::new(),
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    }
}

fn never_begun() -> Outcome {
    Outcome { told: "stopped by the user before it began; nothing was done".into(), ..stopped() }
}

/// Passes on what is said without the secrets in it, until nobody says anything any more.
async fn hide(mut said: UnboundedReceiver<Chunk>, screen: UnboundedSender<Chunk>, secrets: &Secrets) {
    let mut streams: Vec<(Stream, Live)> = Vec::new();
    let pass = |stream, text: String| {
        if !text.is_empty() {
            // Nobody may be watching.
            let _ = screen.send(Chunk { stream, text });
        }
    };
    while let Some(Chunk { stream, text }) = said.recv().await {
        if !streams.iter().any(|(known, _)| *known == stream) {
            streams.push((stream, Live::new(secrets.clone())));
        }
        for (_, live) in streams.iter_mut().filter(|(known, _)| *known == stream) {
            pass(stream, live.take(&text));
        }
    }
    for (stream, live) in streams {
        pass(stream, live.end());
    }
}
