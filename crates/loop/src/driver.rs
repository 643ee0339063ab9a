//! Takes one input after the other and carries out what the machine says.

use crate::arrival::{Arrival, Inbox, StartServer};
use crate::hooks::Hooks;
use crate::jobs::Jobs;
use crate::keeping::{Archive, Keeping};
use crate::reaching::{Reaching, pass_on};
use crate::replies::Replies;
use crate::servers::Servers;
use agent_backend::Chat;
use agent_policy::Permit;
use agent_protocol::{
    BackgroundCommand, Event, JournalState, NoticeLevel, Op, Restoring, SessionEvent, TurnEvent, UndoDirection,
    UndoPart, UndoPlan,
};
use agent_session::{CallEffect, CallInput, Effect, Input, Machine, Memory, ServerEffect, SessionEffect, SessionInput};
use agent_store::{Drafts, History, Permissions, Place, Profiles, Remembered, Trust};
use agent_tools::{Toolbox, Wanted};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender, channel};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval_at};

/// Answers that may wait in the inbox; a model that talks faster than we listen is slowed down at its socket.
const INBOX: usize = 256;

/// So often the model is asked to stay in memory; well within the time that it stays by default.
const MINUTES: Duration = Duration::from_secs(600);

/// So long what was interrupted may take to come to its end when the session is over.
const LONGEST_REST: Duration = Duration::from_secs(5);

/// What a session is made of.
pub struct Parts {
    pub machine: Machine,
    pub backend: Arc<dyn Chat>,
    pub tools: Arc<Toolbox>,
    /// Where things are kept between sessions.
    pub place: Place,
    /// What the session itself is kept with.
    pub archive: Archive,
    /// The rules they made for good.
    pub permissions: Permissions,
    /// Whether they trust the project.
    pub trust: Trust,
    /// How to start the server here, where that is possible.
    pub start_server: Option<StartServer>,
    /// The address of the model server: choices of models are kept for it.
    pub host: String,
    /// The port of the model server where the user named none: if it is silent, others on this machine are looked for.
    pub look_around_from: Option<u16>,
}

struct Driver {
    machine: Machine,
    place: Place,
    host: String,
    profiles: Profiles,
    permissions: Permissions,
    trust: Trust,
    replies: Replies,
    jobs: Jobs,
    hooks: Hooks,
    servers: Servers,
    keeping: Keeping,
    reaching: Reaching,
    hands: Arc<Toolbox>,
    inbox: Inbox,
    events: UnboundedSender<Event>,
    /// It was said that nothing can be kept.
    said_unkept: bool,
    /// What git has checked out, as it was told last.
    checked_out: Option<String>,
}

/// Runs a session until its face hangs up, which ends whatever is still under way.
pub async fn drive(parts: Parts, ops: UnboundedReceiver<Op>, events: UnboundedSender<Event>) {
    let (inbox, mut arrivals) = channel(INBOX);
    let inbox = Inbox(inbox);
    let (keeping, mut states) = Keeping::new(parts.archive, parts.tools.clone(), inbox.clone());
    let mut driver = Driver {
        machine: parts.machine,
        profiles: Profiles::new(parts.place.clone()),
        place: parts.place,
        host: parts.host,
        permissions: parts.permissions,
        trust: parts.trust,
        replies: Replies::new(parts.backend.clone(), inbox.clone()),
        hands: parts.tools.clone(),
        hooks: Hooks::new(parts.tools.clone(), inbox.clone()),
        jobs: Jobs::new(parts.tools, inbox.clone()),
        servers: Servers::new(parts.backend, parts.start_server, parts.look_around_from, inbox.clone()),
        keeping,
        reaching: Reaching::new(inbox.clone()),
        inbox,
        events,
        said_unkept: false,
        checked_out: None,
    };
    driver.step(Input::Start);
    let background = driver.hands.jobs();
    if let Some(wishes) = driver.hands.job_wishes() {
        tokio::spawn(pass_on(wishes, None, driver.inbox.clone()));
    }
    driver.run(ops, &mut arrivals, &mut states, background.clone()).await;
    driver.step(Input::Leave);
    driver.hands.stop_job(None);
    driver.come_to_rest(&mut arrivals).await;
    drop(arrivals);
    driver.replies.hang_up();
    driver.jobs.stop_and_wait().await;
    driver.hooks.stop_and_wait().await;
    let names = driver.hands.wind_up().await;
    if !names.is_empty() {
        driver.step(Input::Call(CallInput::Tampered { names }));
    }
    driver.told_of_background(background);
    driver.servers.wind_up().await;
    driver.keeping.wind_up().await;
    // That all of it was written down, or was not, is the last that a face hears.
    while let Ok(state) = states.try_recv() {
        driver.step(Input::Session(SessionInput::Journal { state }));
    }
}

impl Driver {
    /// A face's wish goes before anything that arrived, so that Esc never waits behind a flood of text.
    async fn run(
        &mut self,
        mut ops: UnboundedReceiver<Op>,
        arrivals: &mut Receiver<Arrival>,
        states: &mut UnboundedReceiver<JournalState>,
        mut background: watch::Receiver<Vec<BackgroundCommand>>,
    ) {
        let mut minutes = interval_at(Instant::now() + MINUTES, MINUTES);
        loop {
            tokio::select! {
                biased;
                op = ops.recv() => match op {
                    Some(op) => self.step(Input::Op(op)),
                    None => return,
                },
                Some(state) = states.recv() => self.step(Input::Session(SessionInput::Journal { state })),
                // Whoever keeps the commands in the background lives as long as the session.
                Ok(()) = background.changed() => {
                    let jobs = background.borrow_and_update().clone();
                    self.step(Input::Call(CallInput::Jobs { jobs }));
                }
                Some(arrival) = arrivals.recv() => self.arrived(arrival),
                _ = minutes.tick() => self.step(Input::Minutes),
            }
        }
    }

    /// How they ended, where any was there: the last that is heard of them.
    fn told_of_background(&mut self, background: watch::Receiver<Vec<BackgroundCommand>>) {
        let jobs = background.borrow().clone();
        if !jobs.is_empty() {
            self.step(Input::Call(CallInput::Jobs { jobs }));
        }
    }

    /// Lets what was interrupted come to its end, so that it is written down how it ended; but not for ever.
    async fn come_to_rest(&mut self, arrivals: &mut Receiver<Arrival>) {
        let rest = async {
            while !self.machine.is_at_rest() {
                match arrivals.recv().await {
                    Some(arrival) => self.arrived(arrival),
                    None => return,
                }
            }
        };
        // What does not end is stopped by those who wind up.
        drop(tokio::time::timeout(LONGEST_REST, rest).await);
    }

    fn arrived(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Input(input) => self.step(*input),
            Arrival::Work(work) => {
                let input = self.jobs.keep(*work);
                self.step(input);
            }
            Arrival::Session(opened) => {
                let input = self.keeping.opened(*opened);
                self.step(input);
            }
            Arrival::Wish { by, wish } => {
                let input = self.reaching.take(by, *wish);
                self.step(input);
            }
            Arrival::ReachOver(reach) => {
                if let Some(input) = self.reaching.over(reach) {
                    self.step(input);
                }
            }
        }
    }

    fn step(&mut self, input: Input) {
        for effect in self.machine.step(input) {
            self.carry_out(effect);
        }
    }

    /// Tells the front end. What is checked out may be another after each turn.
    fn emit(&mut self, event: Event) {
        let may_change =
            matches!(event, Event::Session(SessionEvent::Opened { .. }) | Event::Turn(TurnEvent::Ended { .. }));
        // A front end that left is no error: its ops channel is closed too, and that ends the session.
        drop(self.events.send(event));
        if may_change {
            let name = self.hands.checked_out();
            if self.checked_out != name {
                self.checked_out.clone_from(&name);
                drop(self.events.send(Event::Session(SessionEvent::CheckedOut { name })));
            }
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Emit(event) => self.emit(event),
            Effect::Remember(memory) => self.remember(memory),
            Effect::Call(effect) => self.of_calls(effect),
            Effect::Server(effect) => self.of_server(effect),
            Effect::Session(effect) => self.of_session(effect),
        }
    }

    /// What is done with calls, and with commands that go on beside them.
    fn of_calls(&mut self, effect: CallEffect) {
        match effect {
            CallEffect::Reach(call) => self.jobs.reach(call),
            CallEffect::Offer { groups } => self.hands.offer(&groups),
            CallEffect::Adapt(levers) => self.hands.adapt(*levers),
            CallEffect::Plan { call, permit } => self.jobs.plan(call, permit),
            CallEffect::Amend { call, proposal } => self.jobs.amend(call, proposal),
            CallEffect::Again { call, profile } => self.jobs.again(call, profile),
            CallEffect::Run { call, permit, room } => {
                let (settled, intent) = (self.keeping.settled(), self.keeping.intent(call));
                self.jobs.run(call, permit, room, settled, intent);
            }
            CallEffect::RunOwn { call, permit, room } => self.jobs.run_own(call, permit, room),
            CallEffect::Stop(call) => self.jobs.stop(call),
            CallEffect::LetReach { reach, allowed } => self.reaching.answer(reach, allowed),
            CallEffect::Forward { port, open } => self.ports(Some((port, open))),
            CallEffect::ListPorts => self.ports(None),
            CallEffect::ListFiles => {
                let none = CallInput::FileNames { names: Vec::new(), more: true };
                self.look(none, |tools| {
                    let (names, more) = tools.file_names();
                    CallInput::FileNames { names, more }
                });
            }
            CallEffect::StopJob { job } => self.hands.stop_job(job),
            CallEffect::Forget(call) => self.jobs.forget(call),
            CallEffect::Try { action } => self.jobs.try_action(action),
        }
    }

    /// What the model server is asked.
    fn of_server(&mut self, effect: ServerEffect) {
        match effect {
            ServerEffect::CallModel { reply, request } => self.replies.call(reply, *request),
            ServerEffect::HangUp => self.replies.hang_up(),
            ServerEffect::Probe => self.servers.probe(),
            ServerEffect::Describe { name } => self.servers.describe(name),
            ServerEffect::Load { request } => self.servers.load(*request),
            ServerEffect::Renew { request, window } => self.servers.renew(*request, window),
            ServerEffect::LookLoaded => self.servers.look_loaded(),
            ServerEffect::Render { request } => self.servers.render(*request),
            ServerEffect::DescribeOnly { name } => self.servers.describe_only(name),
            ServerEffect::TellLoaded => self.servers.tell_loaded(),
            ServerEffect::RemoveModel { name } => self.servers.remove(name),
            ServerEffect::Release { name } => self.servers.unload(name),
            ServerEffect::List { reason } => self.servers.list(reason),
            ServerEffect::Pull { name } => self.servers.pull(name),
            ServerEffect::StopPull => self.servers.stop_pull(),
            ServerEffect::StartServer => self.servers.start(),
        }
    }

    /// What is kept of the session, and what was changed in it.
    fn of_session(&mut self, effect: SessionEffect) {
        match effect {
            SessionEffect::Record { records, sync } => self.keeping.write(records, sync),
            SessionEffect::FireHooks { firing, permits, input } => {
                self.hooks.fire(firing, permits, *input, self.keeping.scene());
            }
            SessionEffect::StopHooks(firing) => self.hooks.stop(firing),
            SessionEffect::CloseJournal => self.keeping.close(),
            SessionEffect::ListSessions => self.keeping.list(),
            SessionEffect::OpenSession { id } => self.keeping.open(id),
            SessionEffect::CopySession { id } => self.keeping.copy(id),
            SessionEffect::ForkSession { said, next } => self.keeping.fork(said, next),
            SessionEffect::ReadPage { session, turn } => self.keeping.read_page(session, turn),
            SessionEffect::ReadBack { said } => self.keeping.read_back(said),
            SessionEffect::Export { format, path } => self.keeping.export(format, path),
            SessionEffect::PlanUndo { direction, said, wanted } => {
                let wanted =
                    wanted.into_iter().map(|Restoring { path, from, to }| Wanted { path, left: from, target: to });
                let wanted: Vec<Wanted> = wanted.collect();
                let none =
                    SessionInput::UndoPlanned { plan: UndoPlan { direction, said, files: Vec::new(), part: None } };
                let plan = move |tools: &Toolbox| tools.plan_undo(direction, said, &wanted);
                self.look(none, move |tools| SessionInput::UndoPlanned { plan: plan(tools) });
            }
            SessionEffect::PlanPart { said, file: Restoring { path, from, to }, lines } => {
                let wanted = Wanted { path, left: from, target: to };
                let (direction, part) = (UndoDirection::Undo, Some(UndoPart::default()));
                let none = SessionInput::UndoPlanned { plan: UndoPlan { direction, said, files: Vec::new(), part } };
                self.look(none, move |tools| SessionInput::UndoPlanned {
                    plan: tools.plan_part(said, &wanted, &lines),
                });
            }
            SessionEffect::AgainstHead { paths } => {
                let none = SessionInput::AgainstHead { result: Err("git could not be asked".into()) };
                self.look(none, move |tools| SessionInput::AgainstHead { result: tools.against_head(&paths) });
            }
            SessionEffect::Restore { permit } => {
                let (written, none) = (self.keeping.settled(), SessionInput::Undone { files: Vec::new() });
                self.look_after(written, none, move |tools| SessionInput::Undone { files: tools.restore(permit) });
            }
            SessionEffect::LookAfter { before } => {
                let none = SessionInput::LookedAfter { files: Vec::new() };
                self.look(none, move |tools| SessionInput::LookedAfter { files: tools.receipt(&before) });
            }
            SessionEffect::Write { permit } => {
                let none = SessionInput::Written { result: Err("it could not be written".into()) };
                self.look(none, move |tools| {
                    let path = written_path(&permit);
                    let result = tools.write(permit).map(|()| path).map_err(|failure| failure.message);
                    SessionInput::Written { result }
                });
            }
        }
    }

    /// The ports of the sandbox, when one of them was opened or closed.
    fn ports(&self, lead: Option<(u16, bool)>) {
        let none = CallInput::Ports { ports: Vec::new(), fault: Some("the ports could not be looked up".into()) };
        self.look(none, move |tools| {
            let fault = lead.and_then(|(port, open)| tools.lead(port, open));
            CallInput::Ports { ports: tools.ports(), fault }
        });
    }

    /// Lets the tools do something for the user, and tells the machine what came of it; `none` where they broke.
    fn look<I: Into<Input> + Send + 'static>(&self, none: I, work: impl FnOnce(&Toolbox) -> I + Send + 'static) {
        self.look_after(std::future::ready(()), none, work);
    }

    /// The same, not before `before`.
    fn look_after<I: Into<Input> + Send + 'static>(
        &self,
        before: impl Future<Output = ()> + Send + 'static,
        none: I,
        work: impl FnOnce(&Toolbox) -> I + Send + 'static,
    ) {
        let tools = self.hands.clone();
        self.inbox.answer(async move {
            before.await;
            spawn_blocking(move || work(&tools)).await.unwrap_or(none)
        });
    }

    /// Small writes, done at once so that their order is the order of what happened.
    fn remember(&mut self, memory: Memory) {
        let kept = match memory {
            Memory::Said(text) => History::new(self.place.clone()).add(&text),
            Memory::Draft { project, text } => Drafts::new(self.place.clone()).keep(&project, &text),
            Memory::Chosen(name) => Remembered::load(&self.place).with_model(&self.host, &name).save(&self.place),
            Memory::Permissions(kept) => self.permissions.save(&kept),
            Memory::Trusted => self.trust.save(),
            Memory::Model(profile) => self.profiles.save(&profile),
        };
        if let Err(error) = kept {
            tracing::warn!("{error}");
            if !std::mem::replace(&mut self.said_unkept, true) {
                let text = format!("{error}; until then nothing is kept for the next session");
                drop(self.events.send(Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text })));
            }
        }
    }
}

/// The file that is written.
fn written_path(permit: &Permit) -> PathBuf {
    permit.action().changes().first().map(|change| change.path.clone()).unwrap_or_default()
}
