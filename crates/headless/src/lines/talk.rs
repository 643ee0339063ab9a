//! What is said and what is typed: takes events and lines, leaves on a page what is to be printed, and sends wishes. Waits for
//! nothing and knows no clock but the moments that it is told.
//!
//! **Invariant.** A line answers a question only where it was ended after the question was said and its prompt shown: what
//! came before goes to the model as a message, and what came too soon after goes nowhere.

use super::LineSettings;
use super::TypedLine;
use super::commands::{Meaning, Told, parse_line, resumed, sheet};
use super::matter::only_named;
use super::page::Page;
use super::review::{Review, Step};
use super::situation::{Situation, models_words};
use super::taking::{Planned, Taking, TakingBack, undone_words};
use crate::End;
use crate::advice::{none_installed, only_one};
use crate::streams::Printer;
use crate::text::Text;
use agent_protocol::sanitize::figures::window;
use agent_protocol::{
    CallEvent, ContextEvent, Event, ListEvent, ListOp, ModelCard, ModelsReason, Op, OwnCommand, Phase, Question,
    SandboxKind, ServerEvent, ServerOp, ServerState, SessionEvent, SessionOp, TurnEndReason, TurnEvent, TurnOp,
};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// Nobody reads a question faster than this.
const LOOK_FIRST: Duration = Duration::from_millis(500);
/// Ctrl+C twice within this time leaves.
const TWICE: Duration = Duration::from_secs(2);

/// Something that waits for an answer.
enum Open {
    Question(Box<Review>),
    Back(Box<TakingBack>),
}

pub(super) struct Talk {
    ops: Option<UnboundedSender<Op>>,
    pub(super) page: Page,
    text: Text,
    settings: LineSettings,
    situation: Situation,
    /// The session is open, so something can be said.
    begun: bool,
    /// A turn is under way.
    working: bool,
    open: VecDeque<Open>,
    /// When the prompt of the first one was shown.
    asked_at: Option<Instant>,
    taking: Taking,
    /// Lines that ended in a backslash.
    unfinished: String,
    /// When Ctrl+C was pressed last.
    struck: Option<Instant>,
    end: Option<End>,
}

impl Talk {
    pub(super) fn begin(ops: UnboundedSender<Op>, settings: LineSettings) -> Self {
        let page = Page::default();
        page.say_all(&settings.greeting);
        Talk {
            ops: Some(ops),
            page,
            text: Text::among_questions(),
            settings,
            situation: Situation::default(),
            begun: false,
            working: false,
            open: VecDeque::new(),
            asked_at: None,
            taking: Taking::default(),
            unfinished: String::new(),
            struck: None,
            end: None,
        }
    }

    /// How it ends, once it does.
    pub(super) fn left(&self) -> Option<End> {
        self.end
    }

    /// Is it the user's turn to type?
    pub(super) fn awaits_line(&self) -> bool {
        !self.open.is_empty() || (self.begun && !self.working)
    }

    /// Does a question wait whose prompt was never shown?
    pub(super) fn is_asked_anew(&self) -> bool {
        !self.open.is_empty() && self.asked_at.is_none()
    }

    pub(super) fn prompt(&self) -> &'static str {
        match (self.open.is_empty(), self.unfinished.is_empty()) {
            (false, _) => "answer> ",
            (true, true) => "> ",
            (true, false) => "+ ",
        }
    }

    pub(super) fn prompted(&mut self, now: Instant) {
        if self.is_asked_anew() {
            self.asked_at = Some(now);
        }
    }

    pub(super) fn leave(&mut self) {
        self.end = self.end.or(Some(End::Answered));
    }

    pub(super) fn closed(&mut self) {
        self.page.say("the session ended unexpectedly");
        self.end = Some(End::Failed);
    }

    /// Nothing is wished for any more.
    pub(super) fn let_go(&mut self) {
        self.ops = None;
    }

    pub(super) fn say_goodbye(&self) {
        if let (Some(way), false) = (self.situation.session.way_back(), self.settings.passing) {
            self.page.say(&way);
        }
    }

    /// The loop may be gone already; then its last event has ended us.
    fn send(&self, op: Op) {
        if let Some(ops) = &self.ops {
            drop(ops.send(op));
        }
    }

    pub(super) fn signalled(&mut self, signal: End, now: Instant) {
        if signal != End::Interrupted {
            self.end = Some(signal);
            return;
        }
        // The terminal echoes the key.
        self.page.say("");
        let again = self.struck.replace(now).is_some_and(|before| now.saturating_duration_since(before) < TWICE);
        self.unfinished.clear();
        if again {
            return self.leave();
        }
        if self.working {
            self.page.say("stopping; Ctrl+C again leaves");
            return self.send(Op::Turn(TurnOp::Interrupt));
        }
        if matches!(self.open.front(), Some(Open::Back(_))) {
            self.page.say("the files stay as they are");
            return self.answered();
        }
        self.page.say("Ctrl+C again leaves");
    }

    pub(super) fn typed(&mut self, line: &TypedLine) {
        self.struck = None;
        match self.asked_at.filter(|_| !self.open.is_empty()) {
            Some(asked) if line.at >= asked + LOOK_FIRST => self.answer(&line.text),
            Some(asked) if line.at >= asked => {
                self.page.say("nothing was answered: that came before the question can have been read");
            }
            // It was typed before the question was there.
            Some(_) | None => self.typed_at_prompt(&line.text),
        }
    }

    fn answer(&mut self, line: &str) {
        if matches!(line.trim(), "/quit" | "/exit" | "/q") {
            return self.leave();
        }
        let step = match self.open.front_mut() {
            Some(Open::Question(review)) => review.answer(line),
            Some(Open::Back(back)) => match back.answer(line) {
                Some(step) => step,
                None => {
                    self.page.say("the files stay as they are");
                    return self.answered();
                }
            },
            None => return,
        };
        match step {
            Step::Say(lines) => self.page.say_all(&lines),
            Step::Reply(op) => {
                self.send(op);
                self.answered();
            }
        }
    }

    /// The first one is answered; the next is asked.
    fn answered(&mut self) {
        self.open.pop_front();
        self.ask();
    }

    /// Says what is asked now.
    fn ask(&mut self) {
        self.asked_at = None;
        match self.open.front_mut() {
            Some(Open::Question(review)) => self.page.say_all(&review.question_text()),
            Some(Open::Back(back)) => self.page.say_all(&back.question_text()),
            None => {}
        }
    }

    fn asks(&mut self, open: Open) {
        self.open.push_back(open);
        if self.open.len() == 1 {
            self.ask();
        }
    }

    fn typed_at_prompt(&mut self, line: &str) {
        if let Some(begun) = line.strip_suffix('\\') {
            self.unfinished.push_str(begun);
            self.unfinished.push('\n');
            return;
        }
        let line = std::mem::take(&mut self.unfinished) + line;
        if line.trim().is_empty() {
            return;
        }
        if let Some(name) = resumed(&line) {
            return self.send(Op::Session(SessionOp::Open { id: self.situation.session_named(name) }));
        }
        match parse_line(&line, &self.settings.commands) {
            Meaning::Message(text) => self.send(Op::Turn(TurnOp::Say { text })),
            Meaning::Wish(op) => self.send(op),
            Meaning::Answer(words) => self.page.say(&words),
            Meaning::Tell(told) => self.page.say_all(&match told {
                Told::Commands => sheet(&self.settings.commands),
                Told::Status => self.situation.status(),
                Told::Todos => self.situation.to_do(),
                Told::Jobs => self.situation.in_background(),
            }),
            Meaning::Changes(looked) => {
                let op = self.taking.begin(looked);
                self.send(op);
            }
            Meaning::Leave => self.leave(),
        }
    }

    pub(super) fn on_event(&mut self, event: &Event) {
        self.situation.session.on_event(event);
        match event {
            Event::Call(CallEvent::Asked { question }) => return self.question(question),
            Event::Server(ServerEvent::Models { models, reason }) => return self.models(models, reason),
            Event::Turn(TurnEvent::Ended { .. }) if self.text.has_answer() => self.page.say("answer:"),
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Server(_) | Event::Session(_) => {}
            Event::List(_) => {}
        }
        let text = &mut self.text;
        self.page.with(|streams| text.event(event, streams));
        match event {
            Event::Turn(event) => self.on_turn_event(event),
            Event::Call(event) => self.on_call_event(event),
            Event::Context(event) => self.on_context_event(event),
            Event::Server(event) => self.on_server_event(event),
            Event::Session(event) => self.on_session_event(event),
            Event::List(event) => self.on_list_event(event),
        }
    }

    /// A question: its warnings are said with it, not before.
    fn question(&mut self, question: &Question) {
        let event = Event::Call(CallEvent::Asked { question: only_named(question) });
        let text = &mut self.text;
        self.page.with(|streams| text.event(&event, streams));
        self.asks(Open::Question(Box::new(Review::new(question.clone(), self.situation.session.sandbox_kind()))));
    }

    fn models(&mut self, models: &[ModelCard], reason: &ModelsReason) {
        match (reason, only_one(models)) {
            _ if models.is_empty() => {
                self.page.say(&none_installed(&self.situation.session.server_card().cloned().unwrap_or_default()))
            }
            (ModelsReason::NoneChosen, Some((name, words))) => {
                self.page.say(&words);
                self.send(Op::Server(ServerOp::SetModel { name: name.to_owned() }));
            }
            (_, _) => self.page.say(&models_words(models, reason)),
        }
    }

    fn on_turn_event(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Started { .. } => self.working = true,
            TurnEvent::Ended { reason, .. } => {
                self.working = false;
                if matches!(reason, TurnEndReason::Interrupted) {
                    self.page.say("stopped");
                }
            }
            TurnEvent::Queued { texts } if self.working && !texts.is_empty() => {
                self.page.say("queued: the model is told with its next step; /unqueue takes it back");
            }
            TurnEvent::Unqueued { text } if !text.is_empty() => self.page.say_foreign("taken back:", text),
            TurnEvent::Waiting { phase: Phase::Loading } => self.page.say("the server loads the model"),
            TurnEvent::Waiting { phase: Phase::Retrying { trouble, .. } } => {
                self.page.say(&format!("trouble: {trouble}; another try follows"));
            }
            TurnEvent::Todos { items } => self.situation.todos.clone_from(items),
            TurnEvent::Queued { .. }
            | TurnEvent::Unqueued { .. }
            | TurnEvent::Steered { .. }
            | TurnEvent::Waiting { .. }
            | TurnEvent::Thinking { .. }
            | TurnEvent::Text { .. }
            | TurnEvent::WasThinking { .. }
            | TurnEvent::Replied { .. }
            | TurnEvent::SetAside { .. }
            | TurnEvent::Receipt { .. } => {}
        }
    }

    fn on_call_event(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Settled { ask, .. } => {
                let is_it = |open: &Open| matches!(open, Open::Question(review) if review.id() == *ask);
                let first = self.open.front().is_some_and(is_it);
                self.open.retain(|open| !is_it(open));
                if first {
                    self.page.say("the question is closed");
                    self.ask();
                }
            }
            CallEvent::ModeChanged { mode } => {
                self.page.say(&format!("mode: {}", mode.words()));
            }
            CallEvent::Jobs { jobs } => self.situation.jobs.clone_from(jobs),
            CallEvent::Delegated { .. }
            | CallEvent::Proposed { .. }
            | CallEvent::Understood { .. }
            | CallEvent::Asked { .. }
            | CallEvent::Running { .. }
            | CallEvent::Output { .. }
            | CallEvent::Finished { .. }
            | CallEvent::Tried { .. } => {}
        }
    }

    fn on_context_event(&mut self, event: &ContextEvent) {
        match event {
            ContextEvent::Cleared => self.page.say("the conversation is forgotten"),
            ContextEvent::Fitting { .. } => self.page.say("compacting the conversation"),
            ContextEvent::Window { .. }
            | ContextEvent::WindowMeasured { .. }
            | ContextEvent::Fitted { .. }
            | ContextEvent::Offered { .. } => {}
        }
    }

    fn on_server_event(&mut self, event: &ServerEvent) {
        match event {
            ServerEvent::Server { state: ServerState::Down { .. } } => {
                self.page.say("/retry looks for it again; `agent demo` needs none");
            }
            ServerEvent::ModelSet { card, window: tokens } => {
                self.page.say(&format!("model: {}, window {} tokens", card.name, window(*tokens)));
            }
            ServerEvent::Nearby { servers } => {
                for server in servers {
                    self.page
                        .say(&format!("found: {} answers; `agent --host {}` talks to it", server.name, server.host));
                }
            }
            ServerEvent::Server { .. }
            | ServerEvent::Models { .. }
            | ServerEvent::Overruled { .. }
            | ServerEvent::ModelDescribed { .. }
            | ServerEvent::Loaded { .. }
            | ServerEvent::ModelRemoved { .. }
            | ServerEvent::ThinkSet { .. }
            | ServerEvent::Pulling { .. }
            | ServerEvent::Examining { .. }
            | ServerEvent::Probed { .. }
            | ServerEvent::Diagnosed { .. } => {}
        }
    }

    fn on_session_event(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Opened { project, mode, sandbox, .. } => {
                let (version, words) = (&self.settings.version, mode.words());
                self.page.say(&format!("agent {version} in {}, {words}; /help says the commands", project.display()));
                if sandbox.kind != SandboxKind::Kernel {
                    self.page.say(&format!("warning: no sandbox holds commands in: {}", sandbox.words));
                }
                self.opened();
            }
            SessionEvent::Restored { .. } => {
                (self.working, self.taking) = (false, Taking::Nothing);
                self.open.clear();
                self.say_message();
            }
            SessionEvent::NotRestored { .. } => {
                if let Some(message) = self.settings.message.take() {
                    self.page.say_foreign("this was not said:", &message);
                }
            }
            SessionEvent::Renamed { title } => self.page.say(&format!("title: {title}")),
            SessionEvent::UndoPlanned { plan } => {
                let found = self.taking.plan(plan);
                self.found(found);
            }
            SessionEvent::Undone { direction, files, part, .. } => {
                self.page.say_all(&undone_words(*direction, *part, files));
            }
            SessionEvent::Closed => self.leave(),
            SessionEvent::CheckedOut { .. }
            | SessionEvent::Journal { .. }
            | SessionEvent::Said { .. }
            | SessionEvent::Page { .. }
            | SessionEvent::NoPage { .. }
            | SessionEvent::Rewound { .. }
            | SessionEvent::HookRan { .. }
            | SessionEvent::Notice { .. } => {}
        }
    }

    fn opened(&mut self) {
        self.begun = true;
        if self.settings.pick_session {
            self.send(Op::List(ListOp::Sessions));
        }
        if !self.settings.once_restored {
            self.say_message();
        }
    }

    /// What was said on the command line already, once.
    fn say_message(&mut self) {
        if let Some(text) = self.settings.message.take() {
            self.page.say_foreign("said:", &text);
            self.send(Op::Turn(OwnCommand::or_words(&self.settings.commands, text, None, Vec::new())));
        }
    }

    /// What comes of looking changes up.
    fn found(&mut self, found: Planned) {
        match found {
            Planned::No => {}
            Planned::Say(lines) => self.page.say_all(&lines),
            Planned::Wish(op) => self.send(op),
            Planned::Ask(back) => self.asks(Open::Back(back)),
        }
    }

    fn on_list_event(&mut self, event: &ListEvent) {
        match event {
            ListEvent::Undoable { turns } => {
                let found = self.taking.list(turns);
                self.found(found);
            }
            ListEvent::AgainstHead { files, why } => {
                let found = self.taking.head(files, why.as_deref());
                self.found(found);
            }
            ListEvent::Sessions { sessions, now } => {
                let lines = self.situation.list(sessions, *now);
                self.page.say_all(&lines);
            }
            ListEvent::Ports { .. }
            | ListEvent::Permissions { .. }
            | ListEvent::Context { .. }
            | ListEvent::Prompt { .. }
            | ListEvent::Skills { .. }
            | ListEvent::Memory { .. }
            | ListEvent::Hooks { .. }
            | ListEvent::Files { .. } => {}
        }
    }
}
