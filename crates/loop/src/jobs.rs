//! Takes calls through their steps: reach and plan on blocking threads, run in a task that can be stopped.

use crate::driver::Arrival;
use agent_policy::{Facts, Permit, queries};
use agent_protocol::{Action, CallId, Failure, FailureKind, Outcome, Proposal, Status, ToolCall};
use agent_tools::{Job, Output, Toolbox, facts, perform};
use agent_turn::{Input, Planned, Reached};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc::{Sender, unbounded_channel};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

pub(crate) struct Jobs {
    tools: Arc<Toolbox>,
    inbox: Sender<Arrival>,
    planned: HashMap<CallId, Box<dyn Job>>,
    running: Option<Running>,
}

struct Running {
    call: CallId,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

/// A plan that arrived: the job, with what policy wants to know about it.
pub(crate) struct Work {
    call: CallId,
    result: Result<(Box<dyn Job>, Facts), Failure>,
}

impl Jobs {
    pub(crate) fn new(tools: Arc<Toolbox>, inbox: Sender<Arrival>) -> Self {
        Jobs { tools, inbox, planned: HashMap::new(), running: None }
    }

    pub(crate) fn reach(&self, call: ToolCall) {
        let (tools, inbox) = (self.tools.clone(), self.inbox.clone());
        tokio::spawn(async move {
            let id = call.id;
            let reached = spawn_blocking(move || {
                tools.reach(&call.call).map(|agent_tools::Reached { action, name, notes }| {
                    let facts = facts(&queries(&action));
                    (Reached { action, name, notes }, facts)
                })
            });
            let (result, facts) = match reached.await.unwrap_or_else(|_| Err(broke("reaching"))) {
                Ok((reached, facts)) => (Ok(reached), facts),
                Err(failure) => (Err(failure), Facts::default()),
            };
            arrive(&inbox, Arrival::Input(Input::Reached { call: id, result, facts })).await;
        });
    }

    pub(crate) fn plan(&self, call: ToolCall, permit: Permit) {
        let tools = self.tools.clone();
        self.work(call.id, move || tools.plan(&call.call, permit));
    }

    pub(crate) fn amend(&mut self, call: CallId, proposal: Proposal) {
        if let Some(job) = self.planned.remove(&call) {
            self.work(call, move || job.amend(proposal));
        }
    }

    fn work(&self, call: CallId, plan: impl FnOnce() -> Result<Box<dyn Job>, Failure> + Send + 'static) {
        let inbox = self.inbox.clone();
        tokio::spawn(async move {
            let planned = spawn_blocking(move || {
                plan().map(|job| {
                    let facts = facts(&queries(&job.action()));
                    (job, facts)
                })
            });
            let result = planned.await.unwrap_or_else(|_| Err(broke("planning")));
            arrive(&inbox, Arrival::Work(Work { call, result })).await;
        });
    }

    /// Keeps the job and says what it would do.
    pub(crate) fn keep(&mut self, work: Work) -> Input {
        let Work { call, result } = work;
        match result {
            Ok((job, facts)) => {
                let planned = Planned { action: job.action(), preview: job.preview() };
                self.planned.insert(call, job);
                Input::Planned { call, result: Ok(planned), facts }
            }
            Err(failure) => Input::Planned { call, result: Err(failure), facts: Facts::default() },
        }
    }

    pub(crate) fn forget(&mut self, call: CallId) {
        self.planned.remove(&call);
    }

    pub(crate) fn run(&mut self, call: CallId, permit: Permit, room: usize) {
        let Some(job) = self.planned.remove(&call) else { return };
        let stop = CancellationToken::new();
        let task = tokio::spawn(run(call, job, permit, room, stop.clone(), self.inbox.clone()));
        self.running = Some(Running { call, stop, task });
    }

    pub(crate) fn stop(&mut self, call: CallId) {
        if let Some(running) = self.running.as_ref().filter(|running| running.call == call) {
            running.stop.cancel();
        }
    }

    /// The session is over: nothing of ours may outlive it.
    pub(crate) async fn stop_and_wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.cancel();
            // Its answer has nowhere to go any more; that it ended is all that matters.
            let _ended = running.task.await;
        }
    }
}

async fn run(
    call: CallId,
    job: Box<dyn Job>,
    permit: Permit,
    room: usize,
    stop: CancellationToken,
    inbox: Sender<Arrival>,
) {
    let (live, mut chunks) = unbounded_channel();
    let screen = inbox.clone();
    let forward = tokio::spawn(async move {
        while let Some(chunk) = chunks.recv().await {
            arrive(&screen, Arrival::Input(Input::Output { call, chunk })).await;
        }
    });
    // A write is over in a moment and must not be left half told: it is waited for.
    let writes = matches!(permit.action(), Action::Write { .. });
    let outcome = tokio::select! {
        outcome = perform(job, permit, Output { live, room }) => outcome,
        () = stop.cancelled(), if !writes => stopped(),
    };
    let _forwarded = forward.await;
    arrive(&inbox, Arrival::Input(Input::Ran { call, outcome })).await;
}

/// The inbox is closed only when the session is over, and then nobody waits for the answer.
async fn arrive(inbox: &Sender<Arrival>, arrival: Arrival) {
    drop(inbox.send(arrival).await);
}

fn stopped() -> Outcome {
    Outcome {
        status: Status::Stopped,
        told: "stopped by the person while it ran; part of its work may be done".into(),
        summary: "stopped".into(),
        detail: String::new(),
    }
}

fn broke(step: &str) -> Failure {
    Failure::new(FailureKind::Io, format!("the tool broke while {step}; this is a fault in agent, try another way"))
}
