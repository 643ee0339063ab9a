//! A session as a front end sees it: what is known of it beside the conversation, folded from events.

use crate::arrivals::Arrivals;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    CallEvent, ContextEvent, Event, JournalState, Mode, ModelCard, ModelsReason, OverruledOption, Phase, SandboxKind,
    SandboxSupport, ServerCard, ServerError, ServerEvent, ServerState, SessionCard, SessionEvent, SessionId, Think,
    ToolCost, ToolGroup, ToolSpec, ToolsBy, TurnEvent, Usage, WindowState,
};
use std::path::PathBuf;
use std::time::Duration;

/// The session as the events told it.
#[derive(Debug, Default)]
pub struct Session {
    pub project: PathBuf,
    pub host: String,
    /// The branch that is checked out there.
    pub branch: Option<String>,
    pub mode: Mode,
    /// The mode that was asked for last, until it is told which one came of it.
    pub wanted_mode: Option<Mode>,
    /// Modes that are off in this session, as far as it was tried.
    pub modes_off: Vec<Mode>,
    pub tools: Vec<ToolSpec>,
    /// What holds commands in; `None` while unknown.
    pub sandbox: Option<SandboxSupport>,
    /// Can others on the way to the server read along?
    pub exposed: bool,
    /// How the model gets them; `None` while unknown.
    pub offered: Option<Offered>,
    pub arrivals: Arrivals,
    pub server: Option<ServerState>,
    /// Why no server answers, from when it was said until one does.
    pub trouble: Option<ServerError>,
    /// All models of the server; `None`: it did not tell yet.
    pub models: Option<Vec<ModelCard>>,
    /// Why no model can be used, until one is chosen.
    pub lacks_model: Option<ModelsReason>,
    pub model: Option<ModelCard>,
    /// Tokens in the window, and tokens it holds; 0 while unknown.
    pub used: u64,
    pub window: u64,
    /// The window as it was measured; `None` before the model is loaded.
    pub measured: Option<WindowState>,
    /// How much the model thinks; `None`: as the server decides.
    pub think: Option<Think>,
    /// Settings of the server for this model that do not hold.
    pub overruled: Vec<OverruledOption>,
    /// Counts of the last reply.
    pub usage: Usage,
    /// How long the last turn took.
    pub last_turn: Option<Duration>,
    /// Where it is written down; `None` while it is not.
    pub id: Option<SessionId>,
    pub title: Option<Title>,
    /// Why it is not written down at present.
    pub unkept: Option<String>,
}

/// What the session is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Title {
    /// By what was said first.
    FirstWords(String),
    /// As the user named it.
    Given(String),
}

/// How the model gets its tools.
#[derive(Debug)]
pub struct Offered {
    pub by: ToolsBy,
    pub costs: Vec<ToolCost>,
    /// All groups of tools there are; none where the core does not tell.
    pub groups: Vec<ToolGroup>,
}

impl Session {
    /// The session that is written down at present.
    pub fn kept_id(&self) -> Option<&SessionId> {
        self.id.as_ref().filter(|_| self.unkept.is_none())
    }

    /// How to come back to it from the shell; `None` where it is not kept, or there is nothing to come back to.
    pub fn way_back(&self) -> Option<String> {
        let id = self.kept_id()?;
        Some(format!("go on with: agent -c, or later: agent --resume {id}"))
    }

    /// What the key that switches the mode comes to: safe, accept-edits, plan, unsafe, and round again, without what is off.
    pub fn next_mode(&self) -> Mode {
        let after = |mode| match mode {
            Mode::Safe => Mode::AcceptEdits,
            Mode::AcceptEdits => Mode::Plan,
            Mode::Plan => Mode::Unsafe,
            Mode::Unsafe => Mode::Safe,
        };
        // Safe mode and plan mode are never off, so it ends.
        let mut next = after(self.mode);
        while self.modes_off.contains(&next) && !matches!(next, Mode::Safe | Mode::Plan) {
            next = after(next);
        }
        next
    }

    /// Takes up what an event tells of the session.
    pub fn on_event(&mut self, event: &Event) {
        match event {
            Event::Call(CallEvent::ModeChanged { mode }) => self.mode_is(*mode),
            Event::Session(event) => self.on_session_event(event),
            Event::Server(event) => self.on_server_event(event),
            Event::Context(ContextEvent::Offered { by, costs, groups }) => {
                self.offered = Some(Offered { by: *by, costs: costs.clone(), groups: groups.clone() });
            }
            Event::Context(ContextEvent::Cleared) => self.begin_anew(),
            // The next reply begins: the counts of the last one are old.
            Event::Turn(TurnEvent::Started { .. } | TurnEvent::Waiting { phase: Phase::Sending }) => {
                self.usage = Usage::default();
            }
            _ => {}
        }
        self.on_lasting_event(event);
    }

    fn on_session_event(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Opened { project, host, mode, tools, sandbox, exposed } => {
                (self.project, self.host) = (project.clone(), host.clone());
                (self.mode, self.tools) = (*mode, tools.clone());
                (self.sandbox, self.exposed) = (Some(sandbox.clone()), *exposed);
            }
            SessionEvent::CheckedOut { name } => self.branch.clone_from(name),
            SessionEvent::Restored { card, events } => self.recall(card, events),
            SessionEvent::Journal { state: JournalState::Kept { id } } => {
                (self.id, self.unkept) = (Some(id.clone()), None);
            }
            SessionEvent::Journal { state: JournalState::Unkept { why } } => self.unkept = Some(why.clone()),
            _ => {}
        }
    }

    fn on_server_event(&mut self, event: &ServerEvent) {
        match event {
            ServerEvent::Server { state } => {
                match state {
                    ServerState::Up(_) => self.trouble = None,
                    ServerState::Down { trouble, .. } => self.trouble = Some(trouble.clone()),
                    ServerState::Looking | ServerState::Starting => {}
                }
                self.server = Some(state.clone());
            }
            ServerEvent::Models { models, reason } => {
                self.models = Some(models.clone());
                // Where another one was chosen that is not there, the one before goes on.
                if *reason != ModelsReason::Asked && self.model.is_none() {
                    self.lacks_model = Some(reason.clone());
                }
            }
            _ => {}
        }
    }

    /// What holds from now on, whether it happens or is recalled.
    fn on_lasting_event(&mut self, event: &Event) {
        match event {
            Event::Call(CallEvent::Delegated { event, .. }) => self.on_lasting_event(event),
            Event::Server(ServerEvent::ModelSet { card, window }) => {
                (self.model, self.window, self.measured) = (Some(card.clone()), *window, None);
                self.lacks_model = None;
                self.overruled.clear();
            }
            Event::Context(ContextEvent::WindowMeasured { window }) => {
                (self.window, self.measured) = (window.tokens(), Some(window.clone()))
            }
            Event::Server(ServerEvent::ThinkSet { think }) => self.think = *think,
            Event::Server(ServerEvent::Overruled { options }) => self.overruled.clone_from(options),
            Event::Context(ContextEvent::Window { used, of }) => (self.used, self.window) = (*used, *of),
            Event::Turn(TurnEvent::Replied { usage, .. }) => self.usage = *usage,
            Event::Call(CallEvent::Proposed { call }) => self.arrivals.arrived(&call.origin),
            Event::Call(CallEvent::Understood { notes, .. }) if !notes.is_empty() => self.arrivals.changed(),
            _ => {}
        }
    }

    /// It is told which mode is in force: one that was asked for and did not come of it is off here.
    fn mode_is(&mut self, mode: Mode) {
        let refused = self.wanted_mode.take().filter(|wanted| mode == Mode::Safe && *wanted != mode);
        self.modes_off.extend(refused);
        self.mode = mode;
    }

    /// What is known of it from its past.
    fn recall(&mut self, card: &SessionCard, events: &[Event]) {
        self.id = Some(card.id.clone());
        self.used = 0;
        self.usage = Usage::default();
        self.last_turn = None;
        self.arrivals = Arrivals::default();
        self.title = Some(Title::FirstWords(card.title.clone()));
        for event in events {
            match event {
                Event::Call(CallEvent::ModeChanged { mode }) => self.mode = *mode,
                Event::Session(SessionEvent::Renamed { title }) => {
                    self.rename(title.clone(), || Some(card.title.clone()))
                }
                event => self.on_lasting_event(event),
            }
        }
    }

    /// What comes now is a session of its own, and has no name yet.
    fn begin_anew(&mut self) {
        (self.id, self.title) = (None, None);
        (self.used, self.usage, self.last_turn) = (0, Usage::default(), None);
    }

    /// It is called so from now on; by its first words again where that is nothing.
    pub fn rename(&mut self, title: String, first_words: impl FnOnce() -> Option<String>) {
        self.title =
            if title.trim().is_empty() { first_words().map(Title::FirstWords) } else { Some(Title::Given(title)) };
    }

    /// The model that is meant where none is chosen.
    pub fn only_model(&self) -> Option<&str> {
        match (&self.lacks_model, self.models.as_deref()) {
            (Some(ModelsReason::NoneChosen), Some(models)) => ModelCard::only_one(models),
            _ => None,
        }
    }

    /// What holds commands in; nothing, as long as that is not known.
    pub fn sandbox_kind(&self) -> SandboxKind {
        self.sandbox.as_ref().map_or(SandboxKind::None, |sandbox| sandbox.kind)
    }

    /// What the server is and can do, while it answers.
    pub fn server_card(&self) -> Option<&ServerCard> {
        match self.server.as_ref()? {
            ServerState::Up(card) => Some(card),
            ServerState::Looking | ServerState::Starting | ServerState::Down { .. } => None,
        }
    }

    /// Is the server being started?
    pub fn is_starting(&self) -> bool {
        matches!(self.server, Some(ServerState::Starting))
    }

    /// Is it known that no server answers?
    pub fn is_down(&self) -> bool {
        matches!(self.server, Some(ServerState::Down { .. }))
    }

    /// Do commands run without the sandbox, and is nothing asked (`--no-sandbox-no-questions`)?
    pub fn is_disposable(&self) -> bool {
        self.sandbox_kind() == SandboxKind::Disposable
    }

    /// Is it known that the model cannot call tools, and are they not described to it in words?
    pub fn lacks_tools(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.tools == Some(false))
            && !self.tools_by_text()
            && !self.works_by_files()
    }

    /// Are the tools described in the prompt, and called in text?
    pub fn tools_by_text(&self) -> bool {
        matches!(&self.offered, Some(Offered { by: ToolsBy::Text, .. }))
    }

    /// What is to be known of how the model is used: how it works, where it does not simply call, and what of the server's own
    /// settings does not hold.
    pub fn in_use_words(&self) -> Vec<String> {
        let form = match self.offered.as_ref().map(|offered| offered.by) {
            Some(ToolsBy::Server) | None => None,
            Some(ToolsBy::Text) => Some("tools by text".to_owned()),
            Some(ToolsBy::Files) => Some("works by files".to_owned()),
        };
        let overruled = self.overruled.iter().map(|option| {
            clean_line(&format!("{} {} (its own: {})", option.name, option.sent, option.own)).into_owned()
        });
        form.into_iter().chain(overruled).collect()
    }

    /// Does the model get no tools, and answer with files?
    pub fn works_by_files(&self) -> bool {
        matches!(&self.offered, Some(Offered { by: ToolsBy::Files, .. }))
    }

    /// How many tools the model is offered.
    pub fn tools_offered(&self) -> usize {
        match &self.offered {
            Some(Offered { groups, .. }) if !groups.is_empty() => {
                groups.iter().filter(|group| group.on).map(|group| group.tools.len()).sum()
            }
            Some(_) | None => self.tools.len(),
        }
    }

    /// How much of the model lies in the graphics card's memory, in percent, once that is known.
    pub fn gpu_percent(&self) -> Option<u8> {
        self.measured.as_ref()?.gpu_percent
    }

    /// What a tool takes of the prompt, in tokens.
    pub fn cost(&self, tool: &str) -> Option<u64> {
        let costs = self.offered.as_ref().map(|offered| &offered.costs)?;
        costs.iter().find(|cost| cost.name == tool).map(|cost| cost.tokens)
    }
}
