//! What the house says, and what it changes on the screen. The conversation itself is the transcript's, what a dialog
//! shows is the dialog's: both hear every event. What opens a dialog is in `told`.

use super::work::work_of;
use super::{App, Doing, SideWork, Work};
use crate::cmd::Cmd;
use crate::dialogs::{Approval, Details, Heard, Surroundings};
use crate::keymap::Deed;
use crate::settings::Exit;
use crate::text::highlight::Highlighted;
use crate::todos::Todos;
use agent_protocol::{
    AskId, BackgroundCommand, CallEvent, CallId, ContextEvent, Event, ListEvent, NoticeLevel, Phase, Preview,
    PreviewBody, Question, ServerEvent, SessionEvent, TurnEvent,
};

impl App {
    /// Something is heard: it changes the conversation, then what is known of the session and the turn, then the dialogs.
    pub(super) fn heard(&mut self, event: &Event) -> Vec<Cmd> {
        if let Event::Session(SessionEvent::Closed) = event {
            return vec![Cmd::Leave(Exit::Quit)];
        }
        let told = self.told_elsewhere(event);
        self.transcript.apply(event, self.now);
        self.take_up(event);
        let before = self.dialogs_hear(event);
        let mut cmds = before.unwrap_or_else(|| {
            self.opens(event);
            Vec::new()
        });
        cmds.extend(told);
        cmds
    }

    /// What changes outside the conversation and the dialogs: they hear of it besides.
    fn take_up(&mut self, event: &Event) {
        self.say_what_changes(event);
        self.session.on_event(event);
        self.go_by(event);
    }

    fn go_by(&mut self, event: &Event) {
        match event {
            Event::Turn(event) => self.of_turn(event),
            Event::Call(event) => self.of_calls(event),
            Event::Context(event) => self.of_context(event),
            Event::Server(event) => self.of_server(event),
            Event::Session(event) => self.of_session(event),
            Event::List(ListEvent::Files { names, more }) => self.composer.take_names(names.clone(), *more),
            // Shown by the dialog that it is for.
            Event::List(_) => {}
        }
    }

    fn of_session(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Said { history } => self.composer.remember(history),
            SessionEvent::Restored { events, .. } => self.restored(events),
            SessionEvent::Renamed { title } => self.renamed(title),
            // The words of the message come back, to be said in other words.
            SessionEvent::Rewound { text, .. } if !text.is_empty() => self.composer.precede(text),
            SessionEvent::Opened { .. }
            | SessionEvent::CheckedOut { .. }
            | SessionEvent::Journal { .. }
            | SessionEvent::Rewound { .. }
            | SessionEvent::NotRestored { .. }
            | SessionEvent::Page { .. }
            | SessionEvent::NoPage { .. }
            | SessionEvent::UndoPlanned { .. }
            | SessionEvent::Undone { .. }
            | SessionEvent::HookRan { .. }
            | SessionEvent::Notice { .. }
            | SessionEvent::Closed => {}
        }
    }

    fn of_server(&mut self, event: &ServerEvent) {
        match event {
            ServerEvent::Server { .. } => self.begin_clock(),
            ServerEvent::ThinkSet { think } => self.think_set(*think),
            ServerEvent::Pulling { name, state } => self.pulled(name, state),
            ServerEvent::Examining { probe } => self.go_on_errand(SideWork::Examination(*probe)),
            ServerEvent::Diagnosed { .. } => self.errand_over(),
            ServerEvent::Models { .. }
            | ServerEvent::ModelSet { .. }
            | ServerEvent::Overruled { .. }
            | ServerEvent::ModelDescribed { .. }
            | ServerEvent::Loaded { .. }
            | ServerEvent::ModelRemoved { .. }
            | ServerEvent::Nearby { .. }
            | ServerEvent::Probed { .. } => {}
        }
    }

    fn of_context(&mut self, event: &ContextEvent) {
        match event {
            ContextEvent::Cleared => self.cleared(),
            ContextEvent::Fitting { .. } => self.go_on_errand(SideWork::Shortening),
            ContextEvent::Fitted { .. } => self.errand_over(),
            ContextEvent::Window { .. } | ContextEvent::WindowMeasured { .. } | ContextEvent::Offered { .. } => {}
        }
    }

    /// Lets the dialogs hear it. What is to be done then; `None`: it is nothing to any of them.
    fn dialogs_hear(&mut self, event: &Event) -> Option<Vec<Cmd>> {
        let around = Surroundings {
            session: &self.session,
            jobs: &self.jobs,
            now: self.now,
            palette: self.palette,
            highlighter: &self.highlighter,
        };
        let behind = self.behind.as_mut().map_or(Heard::No, |dialog| dialog.hear(event, &around));
        let front = self.dialog.as_mut().map_or(Heard::No, |dialog| dialog.hear(event, &around));
        if matches!(behind, Heard::Over | Heard::OverBecause(_)) {
            self.behind = None;
        }
        match front {
            Heard::No if behind == Heard::No => return None,
            Heard::No | Heard::Shown => {}
            Heard::Anew(ask) => {
                self.shown_anew();
                return Some(ask.map(Cmd::Send).into_iter().collect());
            }
            Heard::Over => self.dialog = self.behind.take(),
            Heard::OverBecause(why) => {
                self.shown_anew();
                self.close();
                self.say(why);
            }
        }
        Some(Vec::new())
    }

    /// Something changed with the commands in the background.
    fn take_jobs(&mut self, jobs: Vec<BackgroundCommand>) {
        for text in self.jobs.take(jobs, self.now) {
            self.transcript.tell(NoticeLevel::Info, text);
        }
    }

    fn of_turn(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Started { .. } => {
                self.begin_clock();
                self.begun = true;
                self.work = Some(Work::begin(self.now));
            }
            TurnEvent::Ended { .. } => {
                self.session.last_turn = self.work.take().map(|work| self.now.saturating_sub(work.began));
                self.questions.retain(Approval::stands_alone);
            }
            TurnEvent::Queued { texts } => self.queued.clone_from(texts),
            TurnEvent::Unqueued { text } => self.unqueued(text),
            // Comes with each piece of a call, and none of it is shown: it is a piece like those that are.
            TurnEvent::Waiting { phase: phase @ Phase::WritingCall { .. } } => {
                self.piece(Doing::Waiting(phase.clone()))
            }
            TurnEvent::Waiting { phase: Phase::Thinking { tokens, of } } => self.thinks(*tokens, *of),
            TurnEvent::Waiting { phase } => self.waiting(phase),
            TurnEvent::Thinking { .. } => self.piece(Doing::Thinking),
            TurnEvent::Text { .. } => self.piece(Doing::Waiting(Phase::Writing)),
            TurnEvent::Replied { .. } => self.reply_over(),
            TurnEvent::Todos { items } => self.todos.take(items.clone()),
            TurnEvent::Steered { .. } | TurnEvent::WasThinking { .. } => {}
            TurnEvent::SetAside { .. } | TurnEvent::Receipt { .. } => {}
        }
    }

    fn of_calls(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Running { call, preview } => {
                if !self.begin_task(*call, preview) {
                    self.doing(Doing::Running { call: *call, work: work_of(preview) });
                }
            }
            CallEvent::Finished { call, .. } => self.finished(*call),
            CallEvent::Asked { question } => self.asked(question),
            CallEvent::Settled { ask, .. } => self.settled(*ask),
            CallEvent::Delegated { event, .. } => self.go_by(event),
            CallEvent::Jobs { jobs } => self.take_jobs(jobs.clone()),
            CallEvent::ModeChanged { .. }
            | CallEvent::Proposed { .. }
            | CallEvent::Understood { .. }
            | CallEvent::Output { .. }
            | CallEvent::Tried { .. } => {}
        }
    }

    fn asked(&mut self, question: &Question) {
        self.errand_over();
        let remarks = question.call.map(|call| self.transcript.remarks(call)).unwrap_or_default();
        let details = Details::new(remarks, self.keymap.label(Deed::Details));
        let sandbox = self.session.sandbox_kind();
        let (palette, highlighter) = (self.palette, &self.highlighter);
        let question = Approval::new(question.clone(), details, sandbox, palette, highlighter);
        self.questions.push_back(question.with_columns(self.columns));
    }

    fn go_on_errand(&mut self, errand: SideWork) {
        if let Some(work) = &mut self.work {
            work.go_on_errand(errand, self.now);
        }
    }

    fn errand_over(&mut self) {
        if let Some(work) = &mut self.work {
            work.errand_over();
        }
    }

    fn waiting(&mut self, phase: &Phase) {
        if *phase == Phase::Sending {
            self.reply_over();
        }
        self.doing(Doing::Waiting(phase.clone()));
    }

    fn piece(&mut self, doing: Doing) {
        if let Some(work) = &mut self.work {
            work.piece(self.now);
        }
        self.doing(doing);
    }

    fn thinks(&mut self, tokens: u64, of: u64) {
        if let Some(work) = &mut self.work {
            work.thinks(tokens, of);
        }
    }

    fn reply_over(&mut self) {
        if let Some(work) = &mut self.work {
            work.reply_over();
        }
    }

    fn cleared(&mut self) {
        self.begun = false;
        self.todos = Todos::default();
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
    pub(crate) fn begin_clock(&mut self) {
        if !self.clock_runs() {
            self.ticked_at = self.now;
        }
    }
}
