//! Takes calls through their steps: reach and plan on blocking threads, run in a task that can be stopped.

use crate::arrival::{Arrival, Inbox, Work};
use crate::reaching::pass_on;
use agent_policy::{Facts, OwnPermit, Permit, queries};
use agent_protocol::{Action, CallId, Chunk, Failure, FailureKind, Profile, Proposal, Reacher, ToolCall};
use agent_session::{CallInput, Input, Planned, Reached};
use agent_tools::{Intent, Output, PlannedCall, Toolbox};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

pub(crate) struct Jobs {
    tools: Arc<Toolbox>,
    inbox: Inbox,
    /// The call that is planned just now, or was last.
    planning: Option<CallId>,
    planned: HashMap<CallId, Box<dyn PlannedCall>>,
    running: Option<Running>,
    /// The job that ran last, in case it is to run again with more reach.
    ran: Option<(CallId, Box<dyn PlannedCall>)>,
}

struct Running {
    call: CallId,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Jobs {
    pub(crate) fn new(tools: Arc<Toolbox>, inbox: Inbox) -> Self {
        Jobs { tools, inbox, planning: None, planned: HashMap::new(), running: None, ran: None }
    }

    pub(crate) fn reach(&self, call: ToolCall) {
        let tools = self.tools.clone();
        self.inbox.answer(async move {
            let id = call.id;
            let reached = spawn_blocking(move || {
                tools.reach(&call.call).map(|agent_tools::Reached { action, name, stands_for, notes }| {
                    let facts = tools.facts(&queries(&action));
                    (Reached { action, name, stands_for, notes }, facts)
                })
            });
            let (result, facts) = match reached.await.unwrap_or_else(|_| Err(broke("reaching"))) {
                Ok((reached, facts)) => (Ok(reached), facts),
                Err(failure) => (Err(failure), Facts::default()),
            };
            CallInput::Reached { call: id, result, facts }
        });
    }

    /// Finds out what policy wants to know about an action that nobody means to carry out.
    pub(crate) fn try_action(&self, action: Action) {
        let tools = self.tools.clone();
        self.inbox.answer(async move {
            let asked = action.clone();
            let facts = spawn_blocking(move || tools.facts(&queries(&asked))).await.unwrap_or_default();
            CallInput::Tried { action, facts }
        });
    }

    pub(crate) fn plan(&mut self, call: ToolCall, permit: Permit) {
        self.tools.begins_plan();
        self.planning = Some(call.id);
        let tools = self.tools.clone();
        self.work(call.id, move || tools.plan(&call.call, permit));
    }

    pub(crate) fn amend(&mut self, call: CallId, proposal: Proposal) {
        if let Some(job) = self.planned.remove(&call) {
            self.work(call, move || job.amend(proposal));
        }
    }

    pub(crate) fn again(&mut self, call: CallId, profile: Profile) {
        match self.ran.take_if(|(ran, _)| *ran == call) {
            Some((_, job)) => self.work(call, move || job.amend(Proposal::Profile { profile })),
            None => self.work(call, || Err(broke("running again"))),
        }
    }

    fn work(&self, call: CallId, plan: impl FnOnce() -> Result<Box<dyn PlannedCall>, Failure> + Send + 'static) {
        let (tools, inbox) = (self.tools.clone(), self.inbox.clone());
        tokio::spawn(async move {
            let planned = spawn_blocking(move || {
                let planned = plan().map(|job| {
                    let facts = tools.facts(&queries(&job.action()));
                    (job, facts)
                });
                (planned, tools.tampered())
            });
            let (result, names) = planned.await.unwrap_or_else(|_| (Err(broke("planning")), Vec::new()));
            // Before it is judged: rules count no more then.
            if !names.is_empty() {
                inbox.tell(CallInput::Tampered { names }).await;
            }
            inbox.put(Arrival::Work(Box::new(Work { call, result }))).await;
        });
    }

    /// Keeps the job and says what it would do.
    pub(crate) fn keep(&mut self, work: Work) -> Input {
        let Work { call, result } = work;
        match result {
            Ok((job, facts)) => {
                let planned = Planned { action: job.action(), preview: job.preview() };
                self.planned.insert(call, job);
                Input::Call(CallInput::Planned { call, result: Ok(planned), facts })
            }
            Err(failure) => Input::Call(CallInput::Planned { call, result: Err(failure), facts: Facts::default() }),
        }
    }

    pub(crate) fn forget(&mut self, call: CallId) {
        self.planned.remove(&call);
        if self.planning == Some(call) {
            self.tools.give_up_plan();
        }
    }

    /// Begins when `before` has resolved, where it may change something: that it was about to is on disk then.
    pub(crate) fn run(
        &mut self,
        call: CallId,
        permit: Permit,
        room: usize,
        before: impl Future<Output = ()> + Send + 'static,
        intent: Option<Intent>,
    ) {
        let Some(job) = self.planned.remove(&call) else { return };
        self.ran = job.again().map(|again| (call, again));
        let stop = CancellationToken::new();
        let looks = matches!(permit.action(), Action::Read { .. });
        let waits = !looks && intent.is_none();
        let out = (room, intent);
        let work = run(self.tools.clone(), call, job, permit, out, stop.clone(), self.inbox.clone());
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            if waits {
                // A disk that hangs must not hold up the user; then nothing is done.
                tokio::select! {
                    () = before => {}
                    () = stopped.cancelled() => {}
                }
            }
            work.await;
        });
        self.running = Some(Running { call, stop, task });
    }

    /// Runs a command of the user's own.
    pub(crate) fn run_own(&mut self, call: CallId, permit: OwnPermit, room: usize) {
        self.ran = None;
        let stop = CancellationToken::new();
        let (tools, inbox) = (self.tools.clone(), self.inbox.clone());
        let stopped = Box::pin(stop.clone().cancelled_owned());
        let task = tokio::spawn(async move {
            let (live, chunks) = unbounded_channel();
            let forward = forward(call, chunks, inbox.clone());
            let outcome = tools.run_own(permit, room, live, stopped).await;
            let _forwarded = forward.await;
            inbox.tell(CallInput::Ran { call, outcome }).await;
        });
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
    tools: Arc<Toolbox>,
    call: CallId,
    job: Box<dyn PlannedCall>,
    permit: Permit,
    (room, intent): (usize, Option<Intent>),
    stop: CancellationToken,
    inbox: Inbox,
) {
    let (live, chunks) = unbounded_channel();
    let forward = forward(call, chunks, inbox.clone());
    let (reaches, wishes) = unbounded_channel();
    // Ends when the command and its connections are gone.
    tokio::spawn(pass_on(wishes, Some(Reacher::Call { call }), inbox.clone()));
    let stop = Box::pin(stop.cancelled_owned());
    let outcome = tools.perform(job, permit, Output { live, room, intent, reaches }, stop).await;
    let _forwarded = forward.await;
    inbox.tell(CallInput::Ran { call, outcome }).await;
}

/// Tells the machine what a call puts out, until it has ended.
fn forward(call: CallId, mut chunks: UnboundedReceiver<Chunk>, inbox: Inbox) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Some(chunk) = chunks.recv().await {
            inbox.tell(CallInput::Output { call, chunk }).await;
        }
    })
}

fn broke(step: &str) -> Failure {
    Failure::new(FailureKind::Io, format!("the tool broke while {step}; this is a fault in agent, try another way"))
}
