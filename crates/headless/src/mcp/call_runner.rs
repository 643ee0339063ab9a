//! Carries out one call after the other: sends it to the loop, tells what it puts out to a program that wants to
//! know, and listens until its turn is over.

use super::asking::{self, Asked};
use crate::answering::{Front, Reach, word};
use crate::streams::progress_line;
use crate::{End, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    Answer, AskId, CallEvent, CallOp, Event, FailureKind, Op, Outcome, Question, SessionEvent, Status, ToolSpec,
    TurnEvent, TurnOp,
};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// One call of the other program.
pub(super) struct QueuedCall {
    pub(super) name: String,
    pub(super) arguments: Value,
    pub(super) context: RequestContext<RoleServer>,
    pub(super) answer: oneshot::Sender<CallToolResult>,
}

/// What there is to offer.
pub(super) struct Opened {
    pub(super) project: PathBuf,
    pub(super) tools: Vec<ToolSpec>,
}

/// Our end of the channels to the loop.
pub(super) struct CallRunner {
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    reach: Reach,
}

struct UnderWay {
    context: RequestContext<RoleServer>,
    progress: Progress,
    /// What the user is being asked.
    asked: Option<(AskId, Asked)>,
    /// It is to be stopped.
    cancelled: bool,
    outcome: Option<Outcome>,
}

/// How far a call is.
enum CallState {
    More,
    Over,
    Closed,
}

impl CallRunner {
    pub(super) fn new(ops: UnboundedSender<Op>, events: UnboundedReceiver<Event>) -> Self {
        CallRunner { ops, events, reach: Reach::default() }
    }

    /// Waits until the session says what it has; `None`: it never does.
    pub(super) async fn opened(&mut self) -> Option<Opened> {
        loop {
            if let Event::Session(SessionEvent::Opened { project, tools, sandbox, mode, .. }) =
                self.events.recv().await?
            {
                self.reach = Reach { sandbox: sandbox.kind, mode, front: Front::Server };
                return Some(Opened { project, tools });
            }
        }
    }

    /// Carries out what comes, until nothing can come any more.
    pub(super) async fn work(&mut self, mut calls: Receiver<QueuedCall>, streams: &mut Streams<'_>) -> End {
        loop {
            let alive = tokio::select! {
                queued = calls.recv() => match queued {
                    Some(queued) => self.carry_out(queued, streams).await,
                    None => return End::Answered,
                },
                event = self.events.recv() => self.between(event, streams),
            };
            if !alive {
                return End::Failed;
            }
        }
    }

    /// One call from its beginning to its end. False where the session is over.
    async fn carry_out(&mut self, queued: QueuedCall, streams: &mut Streams<'_>) -> bool {
        let QueuedCall { name, arguments, context, answer } = queued;
        if context.ct.is_cancelled() || answer.is_closed() {
            return true;
        }
        self.send(Op::Call(CallOp::Call { name, arguments }));
        let progress = Progress::for_call(&context);
        let mut call = UnderWay { context, progress, asked: None, cancelled: false, outcome: None };
        let ended = self.listen(&mut call, streams).await;
        call.progress.end();
        // Whoever called may have given up.
        let _heard = answer.send(call.outcome.as_ref().map_or_else(never_ended, result));
        ended
    }

    async fn listen(&mut self, call: &mut UnderWay, streams: &mut Streams<'_>) -> bool {
        loop {
            tokio::select! {
                event = self.events.recv() => match self.on_event(event, call, streams) {
                    CallState::More => {}
                    CallState::Over => return true,
                    CallState::Closed => return false,
                },
                () = call.context.ct.cancelled(), if !call.cancelled => {
                    (call.cancelled, call.asked) = (true, None);
                    self.send(Op::Turn(TurnOp::Interrupt));
                }
                (ask, answer) = asking::answered(&mut call.asked) => self.send(Op::Call(CallOp::Reply { ask, answer })),
            }
        }
    }

    fn on_event(&self, event: Option<Event>, call: &mut UnderWay, streams: &mut Streams<'_>) -> CallState {
        match event {
            Some(Event::Call(CallEvent::Asked { question })) => self.asked(&question, call),
            Some(Event::Call(CallEvent::Settled { .. })) => call.asked = None,
            Some(Event::Call(CallEvent::Running { preview, .. })) => call.progress.says(&preview.title),
            Some(Event::Call(CallEvent::Output { chunk, .. })) => call.progress.says(&chunk.text),
            Some(Event::Call(CallEvent::Finished { outcome, .. })) => call.outcome = Some(outcome),
            Some(Event::Turn(TurnEvent::Ended { .. })) => return CallState::Over,
            other => return if self.between(other, streams) { CallState::More } else { CallState::Closed },
        }
        CallState::More
    }

    /// Puts the question to the user behind the other program, if it can ask them.
    fn asked(&self, question: &Question, call: &mut UnderWay) {
        let refusal = Answer::No { word: word(question, &self.reach) };
        if asking::can_ask(&call.context) {
            call.asked = Some((question.id, asking::ask(call.context.peer.clone(), question, refusal)));
        } else {
            self.send(Op::Call(CallOp::Reply { ask: question.id, answer: refusal }));
        }
    }

    /// What belongs to no call. False where the session is over.
    fn between(&self, event: Option<Event>, streams: &mut Streams<'_>) -> bool {
        match event {
            None | Some(Event::Session(SessionEvent::Closed)) => return false,
            Some(Event::Call(CallEvent::Asked { question })) => {
                let answer = Answer::No { word: word(&question, &self.reach) };
                self.send(Op::Call(CallOp::Reply { ask: question.id, answer }));
            }
            // Nobody may read it any more, and that is no reason to stop.
            Some(Event::Session(SessionEvent::Notice { text, .. })) => drop(progress_line(streams, &text)),
            Some(_) => {}
        }
        true
    }

    /// The loop may be gone already; then the next thing heard is that.
    fn send(&self, op: Op) {
        drop(self.ops.send(op));
    }
}

/// What is told, with the pictures that go along.
pub(super) fn result(outcome: &Outcome) -> CallToolResult {
    let pictures = outcome.images.iter().map(|image| ContentBlock::image(image.base64.clone(), image.mime.clone()));
    let content = std::iter::once(ContentBlock::text(outcome.told.clone())).chain(pictures).collect();
    match outcome.status {
        // A command that ran has its exit code in what is told: that a test fails is a result.
        Status::Done | Status::Exited { .. } | Status::Failed { kind: FailureKind::CannotRun } => {
            CallToolResult::success(content)
        }
        Status::Failed { .. } | Status::Refused | Status::Stopped | Status::Unknown => CallToolResult::error(content),
    }
}

/// The session was over before the call was.
pub(super) fn never_ended() -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text("not carried out: agent is ending")])
}

const PAUSE: Duration = Duration::from_millis(200);

/// Letters of a line.
const LONGEST: usize = 300;

/// Tells of one call, where that is wanted.
pub(super) struct Progress(Option<Telling>);

struct Telling {
    latest: watch::Sender<(u64, String)>,
    task: JoinHandle<()>,
}

impl Progress {
    /// Only whoever gave a token wants to know.
    pub(super) fn for_call(context: &RequestContext<RoleServer>) -> Self {
        Progress(context.meta.get_progress_token().map(|token| {
            let (latest, told) = watch::channel((0, String::new()));
            let task = tokio::spawn(tell(context.peer.clone(), token, told));
            Telling { latest, task }
        }))
    }

    pub(super) fn says(&self, text: &str) {
        let Some(Telling { latest, .. }) = &self.0 else { return };
        let Some(line) = text.lines().rev().find(|line| !line.trim().is_empty()) else { return };
        let line: String = clean_line(line.trim_end()).chars().take(LONGEST).collect();
        latest.send_modify(|(count, said)| (*count, *said) = (*count + 1, line));
    }

    /// Nothing is told of a call that has ended.
    pub(super) fn end(&self) {
        if let Some(Telling { task, .. }) = &self.0 {
            task.abort();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

async fn tell(peer: Peer<RoleServer>, token: ProgressToken, mut told: watch::Receiver<(u64, String)>) {
    while told.changed().await.is_ok() {
        let (count, line) = told.borrow_and_update().clone();
        let note = ProgressNotificationParam::new(token.clone(), count as f64).with_message(line);
        if peer.notify_progress(note).await.is_err() {
            return;
        }
        sleep(PAUSE).await;
    }
}
