//! What the house says, and what it changes on the screen. The conversation itself is the transcript's.

use super::work::work_of;
use super::{App, Cmd, Doing, Offered, Work};
use crate::dialogs::{Approval, Details, Dialog, Picker, Pull, ServerDown};
use crate::keymap::Deed;
use crate::settings::Exit;
use crate::text::highlight::Highlighted;
use agent_protocol::{AskId, CallId, Event, ModelsReason, Phase, PullState, ServerState, Usage};

impl App {
    pub(super) fn heard(&mut self, event: Event) -> Vec<Cmd> {
        self.transcript.apply(&event, self.now);
        match event {
            Event::Closed => return vec![Cmd::Leave(Exit::Quit)],
            Event::Opened { project, host, mode, tools } => {
                (self.session.project, self.session.host) = (project, host);
                (self.session.mode, self.session.tools) = (mode, tools);
            }
            Event::Said { history } => self.composer.remember(&history),
            Event::ModeChanged { mode } => self.session.mode = mode,
            Event::Server { state } => self.server(state),
            Event::Models { models, reason } => self.models(models, reason),
            Event::ModelSet { card, window } => {
                (self.session.model, self.session.window) = (Some(card), window);
                self.dialog.take_if(|dialog| matches!(dialog, Dialog::Models(_)));
            }
            Event::Offered { by, costs } => self.session.offered = Some(Offered { by, costs }),
            Event::Pulling { name, state } => self.pulling(name, state),
            Event::Queued { texts } => self.queued = texts,
            Event::Unqueued { text } => self.unqueued(&text),
            Event::Window { used, of } => (self.session.used, self.session.window) = (used, of),
            Event::Cleared => self.cleared(),
            event => self.turn(event),
        }
        Vec::new()
    }

    /// The events of a turn.
    fn turn(&mut self, event: Event) {
        match event {
            Event::TurnStarted { .. } => {
                self.begin_clock();
                self.begun = true;
                self.session.usage = Usage::default();
                self.work = Some(Work::begin(self.now));
            }
            Event::TurnEnded { .. } => {
                self.session.last_turn = self.work.take().map(|work| self.now.saturating_sub(work.began));
                self.questions.retain(Approval::stands_alone);
            }
            // Comes with each piece of a call, and none of it is shown: it is a piece like those that are.
            Event::Waiting { phase: phase @ Phase::WritingCall { .. } } => self.piece(Doing::Waiting(phase)),
            Event::Waiting { phase } => self.waiting(phase),
            Event::Thinking { .. } => self.piece(Doing::Thinking),
            Event::Text { .. } => self.piece(Doing::Waiting(Phase::Writing)),
            Event::Replied { usage } => {
                self.reply_over();
                self.session.usage = usage;
            }
            Event::Running { call, preview } => self.doing(Doing::Running { call, work: work_of(&preview) }),
            Event::Finished { call, .. } => self.finished(call),
            Event::Asked { question } => {
                self.let_letter_go();
                let remarks = question.call.map(|call| self.transcript.remarks(call)).unwrap_or_default();
                let details = Details::new(remarks, self.keymap.label(Deed::Details));
                self.questions.push_back(Approval::new(question, details, self.palette, &self.highlighter));
            }
            Event::Settled { ask, .. } => self.settled(ask),
            Event::Proposed { call } => self.session.arrivals.arrived(&call.origin),
            Event::Understood { notes, .. } if !notes.is_empty() => self.session.arrivals.changed(),
            // Words of the conversation: the transcript's.
            Event::Steered { .. }
            | Event::Understood { .. }
            | Event::SetAside { .. }
            | Event::Output { .. }
            | Event::Notice { .. } => {}
            // No events of a turn; heard before.
            Event::Closed
            | Event::Opened { .. }
            | Event::Said { .. }
            | Event::ModeChanged { .. }
            | Event::Server { .. }
            | Event::Models { .. }
            | Event::ModelSet { .. }
            | Event::Offered { .. }
            | Event::Pulling { .. }
            | Event::Queued { .. }
            | Event::Unqueued { .. }
            | Event::Window { .. }
            | Event::Cleared => {}
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
        self.session.used = 0;
        self.session.usage = Usage::default();
        self.session.last_turn = None;
    }

    fn doing(&mut self, doing: Doing) {
        if let Some(work) = &mut self.work {
            work.now_doing(doing, self.now);
        }
    }

    fn finished(&mut self, call: CallId) {
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
        if matches!(state, ServerState::Up { .. }) {
            self.let_letter_go();
        }
        self.begin_clock();
        self.session.server = Some(state.clone());
        match (state, &mut self.dialog) {
            (ServerState::Up { .. }, dialog) => {
                dialog.take_if(|dialog| matches!(dialog, Dialog::Server(_)));
            }
            (ServerState::Down { trouble, can_start }, Some(Dialog::Server(server))) => {
                server.still_down(trouble, can_start);
            }
            (ServerState::Down { trouble, can_start }, dialog) => {
                *dialog = Some(Dialog::Server(ServerDown::new(trouble, can_start)));
            }
            (state, Some(Dialog::Server(server))) => server.wait(state, now),
            (ServerState::Looking | ServerState::Starting, _) => {}
        }
    }

    fn models(&mut self, models: Vec<agent_protocol::ModelCard>, reason: ModelsReason) {
        if matches!(self.dialog, Some(Dialog::Pull(_))) {
            return;
        }
        self.let_letter_go();
        let current = self.session.model.as_ref().map(|model| model.name.clone());
        self.dialog = Some(Dialog::Models(Picker::new(models, reason, current)));
    }

    fn pulling(&mut self, name: String, state: PullState) {
        match state {
            PullState::Progress { .. } | PullState::Failed { .. } => match &mut self.dialog {
                Some(Dialog::Pull(pull)) if pull.is_of(&name) => pull.take(state, self.now),
                _ => self.dialog = Some(Dialog::Pull(Pull::new(name, state, self.now))),
            },
            PullState::Done | PullState::Stopped => {
                self.dialog.take_if(|dialog| matches!(dialog, Dialog::Pull(pull) if pull.is_of(&name)));
                let name = crate::clean::clean_line(&name).into_owned();
                self.say(match state {
                    PullState::Done => format!("{name} is here"),
                    _ => format!("stopped pulling {name}; what is here is kept for the next try"),
                });
            }
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
        self.transcript.highlighted(done);
    }

    /// Lets the next tick be a second from now, if no clock runs yet.
    fn begin_clock(&mut self) {
        if !self.clock_runs() {
            self.ticked_at = self.now;
        }
    }
}
