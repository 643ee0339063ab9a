//! Takes one input after the other and carries out what the machine says.

use crate::jobs::{Jobs, Work};
use crate::replies::Replies;
use crate::servers::Servers;
use agent_backend::Backend;
use agent_protocol::{Event, Op};
use agent_store::{History, Place, Remembered};
use agent_tools::Toolbox;
use agent_turn::{Effect, Input, Machine, Memory};
use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender, channel};

/// Answers that may wait in the inbox; a model that talks faster than we listen is slowed down at its socket.
const INBOX: usize = 256;

/// Starts the server program on this machine.
pub type StartServer = Arc<dyn Fn() -> std::io::Result<()> + Send + Sync>;

/// What a session is made of.
pub struct Parts {
    /// The mind.
    pub machine: Machine,
    /// The model server.
    pub backend: Arc<dyn Backend>,
    /// The hands.
    pub tools: Arc<Toolbox>,
    /// Where things are kept between sessions.
    pub place: Place,
    /// How to start the server here, where that is possible.
    pub start_server: Option<StartServer>,
}

/// Something that arrived in the inbox.
pub(crate) enum Arrival {
    /// For the machine.
    Input(Input),
    /// A planned job, which stays here; the machine learns what it would do.
    Work(Work),
}

struct Driver {
    machine: Machine,
    place: Place,
    replies: Replies,
    jobs: Jobs,
    servers: Servers,
    events: UnboundedSender<Event>,
}

/// Runs a session until its face hangs up, which ends whatever is still under way.
pub async fn drive(parts: Parts, ops: UnboundedReceiver<Op>, events: UnboundedSender<Event>) {
    let (inbox, arrivals) = channel(INBOX);
    let mut driver = Driver {
        machine: parts.machine,
        place: parts.place,
        replies: Replies::new(parts.backend.clone(), inbox.clone()),
        jobs: Jobs::new(parts.tools, inbox.clone()),
        servers: Servers::new(parts.backend, parts.start_server, inbox),
        events,
    };
    driver.step(Input::Start);
    driver.run(ops, arrivals).await;
    driver.replies.hang_up();
    driver.jobs.stop_and_wait().await;
}

impl Driver {
    /// A face's wish goes before anything that arrived, so that Esc never waits behind a flood of text.
    async fn run(&mut self, mut ops: UnboundedReceiver<Op>, mut arrivals: Receiver<Arrival>) {
        loop {
            tokio::select! {
                biased;
                op = ops.recv() => match op {
                    Some(op) => self.step(Input::Op(op)),
                    None => return,
                },
                Some(arrival) = arrivals.recv() => self.arrived(arrival),
            }
        }
    }

    fn arrived(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Input(input) => self.step(input),
            Arrival::Work(work) => {
                let input = self.jobs.keep(work);
                self.step(input);
            }
        }
    }

    fn step(&mut self, input: Input) {
        for effect in self.machine.step(input) {
            self.carry_out(effect);
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            // A face that left is no error: its ops channel is closed too, and that ends the session.
            Effect::Emit(event) => drop(self.events.send(event)),
            Effect::CallModel { reply, request } => self.replies.call(reply, *request),
            Effect::HangUp => self.replies.hang_up(),
            Effect::Reach(call) => self.jobs.reach(call),
            Effect::Plan { call, permit } => self.jobs.plan(call, permit),
            Effect::Amend { call, proposal } => self.jobs.amend(call, proposal),
            Effect::Run { call, permit, room } => self.jobs.run(call, permit, room),
            Effect::Stop(call) => self.jobs.stop(call),
            Effect::Forget(call) => self.jobs.forget(call),
            Effect::Remember(memory) => self.remember(memory),
            Effect::Probe => self.servers.probe(),
            Effect::Describe { name } => self.servers.describe(name),
            Effect::List { reason } => self.servers.list(reason),
            Effect::Pull { name } => self.servers.pull(name),
            Effect::StopPull => self.servers.stop_pull(),
            Effect::StartServer => self.servers.start(),
        }
    }

    /// Small writes, done at once so that their order is the order of what happened.
    fn remember(&self, memory: Memory) {
        let kept = match memory {
            Memory::Said(text) => History::new(self.place.clone()).add(&text),
            Memory::Model(name) => Remembered { model: Some(name) }.save(&self.place),
        };
        if let Err(error) = kept {
            tracing::warn!("{error}");
        }
    }
}
