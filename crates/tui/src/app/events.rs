//! What the house says, and what it changes on the screen. The conversation itself is the transcript's; what was asked
//! for is in `told`.

use super::work::work_of;
use super::{App, Cmd, Doing, Errand, Offered, Work};
use crate::dialogs::{Approval, Details, Dialog, ServerDown};
use crate::keymap::Deed;
use crate::settings::Exit;
use crate::text::highlight::Highlighted;
use crate::todos::Todos;
use agent_protocol::{
    AskId, CallEvent, CallId, ContextEvent, EnclosureKind, Event, JobCard, NoticeLevel, Phase, Preview, PreviewBody,
    Question, ServerEvent, ServerState, SessionEvent, TurnEvent, Usage,
};

impl App {
    /// What is heard of the session; the rest is of a turn, or was asked for.
    pub(super) fn heard(&mut self, event: Event) -> Vec<Cmd> {
        self.transcript.apply(&event, self.now);
        match event {
            Event::Session(SessionEvent::Closed) => return vec![Cmd::Leave(Exit::Quit)],
            Event::Session(SessionEvent::Opened { project, host, mode, tools, enclosure, exposed }) => {
                (self.session.project, self.session.host) = (project, host);
                (self.session.mode, self.session.tools) = (mode, tools);
                (self.session.enclosure, self.session.exposed) = (Some(enclosure), exposed);
            }
            Event::Session(SessionEvent::Said { history }) => self.composer.remember(&history),
            Event::Call(CallEvent::ModeChanged { mode }) => self.session.mode_is(mode),
            Event::Server(ServerEvent::Server { state }) => self.server(state),
            Event::Server(ServerEvent::ModelSet { card, window }) => {
                (self.session.model, self.session.window, self.session.measured) = (Some(card), window, None);
                self.dialog.take_if(|dialog| matches!(dialog, Dialog::Models(_)));
                self.behind.take_if(|dialog| matches!(dialog, Dialog::Models(_)));
            }
            Event::Context(ContextEvent::WindowMeasured { window }) => {
                self.session.window = window.tokens();
                self.session.measured = Some(window);
            }
            Event::Context(ContextEvent::Offered { by, costs, groups }) => {
                self.session.offered = Some(Offered { by, costs, groups });
                if let Some(Dialog::Groups(groups)) = &mut self.dialog {
                    groups.take(&self.session);
                }
            }
            Event::Turn(TurnEvent::Todos { items }) => self.todos.take(items),
            Event::Call(CallEvent::Jobs { jobs }) => self.take_jobs(jobs),
            Event::Call(CallEvent::Ports { ports }) => {
                if let Some(Dialog::Ports(list)) = &mut self.dialog {
                    list.take(ports);
                }
            }
            Event::Turn(TurnEvent::Queued { texts }) => self.queued = texts,
            Event::Turn(TurnEvent::Unqueued { text }) => self.unqueued(&text),
            Event::Context(ContextEvent::Window { used, of }) => (self.session.used, self.session.window) = (used, of),
            Event::Context(ContextEvent::Cleared) => self.cleared(),
            Event::Session(SessionEvent::Restored { card, events }) => self.restored(card, events),
            Event::Session(SessionEvent::Journal { state }) => self.journal(state),
            Event::Session(SessionEvent::Renamed { title }) => self.renamed(title),
            Event::Session(SessionEvent::Undoable { turns }) => return self.undoable(turns),
            Event::Session(SessionEvent::UndoPlanned { plan }) => return self.undo_planned(*plan),
            event => self.turn(event),
        }
        Vec::new()
    }

    /// Something changed with the commands in the background.
    fn take_jobs(&mut self, jobs: Vec<JobCard>) {
        for text in self.jobs.take(jobs, self.now) {
            self.transcript.tell(NoticeLevel::Info, text);
        }
        if let Some(Dialog::Jobs(list)) = &mut self.dialog {
            list.take(self.jobs.clone());
        }
    }

    /// The events of a turn.
    fn turn(&mut self, event: Event) {
        match event {
            Event::Turn(TurnEvent::Started { .. }) => {
                self.begin_clock();
                self.begun = true;
                self.session.usage = Usage::default();
                self.work = Some(Work::begin(self.now));
            }
            Event::Turn(TurnEvent::Ended { .. }) => {
                self.session.last_turn = self.work.take().map(|work| self.now.saturating_sub(work.began));
                self.questions.retain(Approval::stands_alone);
            }
            // Comes with each piece of a call, and none of it is shown: it is a piece like those that are.
            Event::Turn(TurnEvent::Waiting { phase: phase @ Phase::WritingCall { .. } }) => {
                self.piece(Doing::Waiting(phase))
            }
            Event::Turn(TurnEvent::Waiting { phase }) => self.waiting(phase),
            Event::Turn(TurnEvent::Thinking { .. }) => self.piece(Doing::Thinking),
            Event::Turn(TurnEvent::Text { .. }) => self.piece(Doing::Waiting(Phase::Writing)),
            Event::Turn(TurnEvent::Replied { usage, .. }) => {
                self.reply_over();
                self.session.usage = usage;
            }
            Event::Context(ContextEvent::Fitting { .. }) => self.go_on_errand(Errand::Shortening),
            Event::Server(ServerEvent::Examining { probe }) => self.go_on_errand(Errand::Examination(probe)),
            Event::Context(ContextEvent::Fitted { .. }) | Event::Server(ServerEvent::Diagnosed { .. }) => {
                self.errand_over()
            }
            Event::Call(CallEvent::Running { call, preview }) if self.begin_task(call, &preview) => {}
            Event::Call(CallEvent::Running { call, preview }) => {
                self.doing(Doing::Running { call, work: work_of(&preview) })
            }
            Event::Call(CallEvent::Finished { call, .. }) => self.finished(call),
            Event::Call(CallEvent::Asked { question }) => self.asked(question),
            Event::Call(CallEvent::Settled { ask, .. }) => self.settled(ask),
            Event::Call(CallEvent::Delegated { event, .. }) => self.turn(*event),
            Event::Call(CallEvent::Proposed { call }) => self.session.arrivals.arrived(&call.origin),
            Event::Call(CallEvent::Understood { notes, .. }) if !notes.is_empty() => self.session.arrivals.changed(),
            event => self.told(event),
        }
    }

    fn asked(&mut self, question: Question) {
        self.errand_over();
        let remarks = question.call.map(|call| self.transcript.remarks(call)).unwrap_or_default();
        let details = Details::new(remarks, self.keymap.label(Deed::Details));
        let enclosure = self.session.enclosure.as_ref().map_or(EnclosureKind::None, |found| found.kind);
        let (palette, highlighter) = (self.palette, &self.highlighter);
        self.questions.push_back(Approval::new(question, details, enclosure, palette, highlighter));
    }

    fn go_on_errand(&mut self, errand: Errand) {
        if let Some(work) = &mut self.work {
            work.go_on_errand(errand, self.now);
        }
    }

    fn errand_over(&mut self) {
        if let Some(work) = &mut self.work {
            work.errand_over();
        }
    }

    fn waiting(&mut self, phase: Phase) {
        if phase == Phase::Sending {
            // The next reply begins: the figures of the last one are old.
            self.reply_over();
            self.session.usage = Usage::default();
        }
        self.doing(Doing::Waiting(phase));
    }

    fn piece(&mut self, doing: Doing) {
        if let Some(work) = &mut self.work {
            work.piece(self.now);
        }
        self.doing(doing);
    }

    fn reply_over(&mut self) {
        if let Some(work) = &mut self.work {
            work.reply_over();
        }
    }

    fn cleared(&mut self) {
        self.begun = false;
        self.todos = Todos::default();
        self.session.begin_anew();
    }

    fn doing(&mut self, doing: Doing) {
        if let Some(work) = &mut self.work {
            work.now_doing(doing, self.now);
        }
    }

    /// A task is given to an agent: what goes on from here on is its doing.
    fn begin_task(&mut self, call: CallId, preview: &Preview) -> bool {
        let PreviewBody::Task { agent, .. } = &preview.body else { return false };
        if let Some(work) = &mut self.work {
            work.begin_task(call, agent);
        }
        true
    }

    fn finished(&mut self, call: CallId) {
        if let Some(work) = &mut self.work {
            work.end_task(call);
        }
        if self.work.as_ref().is_some_and(|work| work.is_running(call)) {
            self.doing(Doing::Waiting(Phase::Sending));
        }
    }

    fn settled(&mut self, ask: AskId) {
        self.questions.retain(|question| question.id() != ask);
        // The time a person took to answer is not the next thing's time.
        self.doing(Doing::Waiting(Phase::Sending));
    }

    fn server(&mut self, state: ServerState) {
        let now = self.now;
        self.begin_clock();
        self.session.server = Some(state.clone());
        match (state, &mut self.dialog) {
            (ServerState::Up { .. }, dialog) => {
                dialog.take_if(|dialog| matches!(dialog, Dialog::Server(_)));
                self.behind.take_if(|dialog| matches!(dialog, Dialog::Server(_)));
            }
            (ServerState::Down { trouble, can_start }, Some(Dialog::Server(server))) => {
                server.still_down(trouble, can_start);
            }
            (ServerState::Down { trouble, can_start }, _) => {
                self.unbidden(Dialog::Server(ServerDown::new(trouble, can_start)));
            }
            (state, Some(Dialog::Server(server))) => server.wait(state, now),
            (ServerState::Looking | ServerState::Starting, _) => {}
        }
    }

    fn unqueued(&mut self, text: &str) {
        if text.is_empty() {
            self.say("it has gone out already");
        } else {
            self.composer.precede(text);
        }
    }

    pub(super) fn highlighted(&mut self, done: Highlighted) {
        for question in &mut self.questions {
            question.highlighted(&done);
        }
        if let Some(dialog) = &mut self.dialog {
            dialog.highlighted(&done);
        }
        self.transcript.highlighted(done);
    }

    /// Lets the next tick be a second from now, if no clock runs yet.
    pub(super) fn begin_clock(&mut self) {
        if !self.clock_runs() {
            self.ticked_at = self.now;
        }
    }
}
