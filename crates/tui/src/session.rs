//! What is known of the session: the facts behind the status line.

mod arrivals;

pub(crate) use arrivals::Arrivals;

use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    CallEvent, ContextEvent, Event, Mode, ModelCard, OverruledOption, SandboxKind, SandboxSupport, ServerCard,
    ServerEvent, ServerState, SessionCard, SessionEvent, SessionId, Think, ToolCost, ToolGroup, ToolSpec, ToolsBy,
    TurnEvent, Usage, WindowState,
};
use std::path::PathBuf;
use std::time::Duration;

/// The session as the events told it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) project: PathBuf,
    pub(crate) host: String,
    /// The branch that is checked out there.
    pub(crate) branch: Option<String>,
    pub(crate) mode: Mode,
    /// The mode that was asked for last, until it is told which one came of it.
    pub(crate) wanted_mode: Option<Mode>,
    /// Modes that are off in this session, as far as it was tried.
    pub(crate) modes_off: Vec<Mode>,
    pub(crate) tools: Vec<ToolSpec>,
    /// What holds commands in; `None` while unknown.
    pub(crate) sandbox: Option<SandboxSupport>,
    /// Can others on the way to the server read along?
    pub(crate) exposed: bool,
    /// How the model gets them; `None` while unknown.
    pub(crate) offered: Option<Offered>,
    pub(crate) arrivals: Arrivals,
    pub(crate) server: Option<ServerState>,
    pub(crate) model: Option<ModelCard>,
    /// Tokens in the window, and tokens it holds; 0 while unknown.
    pub(crate) used: u64,
    pub(crate) window: u64,
    /// The window as it was measured; `None` before the model is loaded.
    pub(crate) measured: Option<WindowState>,
    /// How much the model thinks; `None`: as the server decides.
    pub(crate) think: Option<Think>,
    /// Settings of the server for this model that do not hold.
    pub(crate) overruled: Vec<OverruledOption>,
    /// Counts of the last reply.
    pub(crate) usage: Usage,
    /// How long the last turn took.
    pub(crate) last_turn: Option<Duration>,
    /// Where it is written down; `None` while it is not.
    pub(crate) id: Option<SessionId>,
    pub(crate) title: Option<Title>,
    /// Why it is not written down at present.
    pub(crate) unkept: Option<String>,
}

/// What the session is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Title {
    /// By what was said first.
    FirstWords(String),
    /// As the user named it.
    Given(String),
}

/// How the model gets its tools.
#[derive(Debug)]
pub(crate) struct Offered {
    pub(crate) by: ToolsBy,
    pub(crate) costs: Vec<ToolCost>,
    /// All groups of tools there are; none where the house does not tell.
    pub(crate) groups: Vec<ToolGroup>,
}

impl Session {
    /// How to come back to it from the shell; `None` where it is not kept, or there is nothing to come back to.
    pub(crate) fn way_back(&self) -> Option<String> {
        let id = self.id.as_ref().filter(|_| self.unkept.is_none())?;
        Some(format!("go on with: agent -c, or later: agent --resume {id}"))
    }

    /// It is told which mode is in force: one that was asked for and did not come of it is off here.
    pub(crate) fn mode_is(&mut self, mode: Mode) {
        let refused = self.wanted_mode.take().filter(|wanted| mode == Mode::Safe && *wanted != mode);
        self.modes_off.extend(refused);
        self.mode = mode;
    }

    /// What the key that switches the mode comes to: safe, accept-edits, plan, unsafe, and round again, without what is off.
    pub(crate) fn next_mode(&self) -> Mode {
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

    /// What is known of it from its past.
    pub(crate) fn recall(&mut self, card: &SessionCard, events: &[Event]) {
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
                    self.named(title.clone(), || Some(card.title.clone()))
                }
                event => self.hear(event),
            }
        }
    }

    /// What holds for the session from now on, whether it happens or is recalled.
    pub(crate) fn hear(&mut self, event: &Event) {
        match event {
            Event::Call(CallEvent::Delegated { event, .. }) => self.hear(event),
            Event::Server(ServerEvent::ModelSet { card, window }) => {
                (self.model, self.window, self.measured) = (Some(card.clone()), *window, None);
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

    /// What happens is written down, under this name.
    pub(crate) fn kept_in(&mut self, id: SessionId) {
        (self.id, self.unkept) = (Some(id), None);
    }

    /// It is called so from now on; by its first words again where that is nothing.
    pub(crate) fn named(&mut self, title: String, first_words: impl FnOnce() -> Option<String>) {
        self.title =
            if title.trim().is_empty() { first_words().map(Title::FirstWords) } else { Some(Title::Given(title)) };
    }

    /// What comes now is a session of its own, and has no name yet.
    pub(crate) fn begin_anew(&mut self) {
        (self.id, self.title) = (None, None);
        (self.used, self.usage, self.last_turn) = (0, Usage::default(), None);
    }

    /// What the server is and can do, while it answers.
    pub(crate) fn server_card(&self) -> Option<&ServerCard> {
        match self.server.as_ref()? {
            ServerState::Up(card) => Some(card),
            ServerState::Looking | ServerState::Starting | ServerState::Down { .. } => None,
        }
    }

    /// Is the server being started?
    pub(crate) fn is_starting(&self) -> bool {
        matches!(self.server, Some(ServerState::Starting))
    }

    /// Is it known that no server answers?
    pub(crate) fn is_down(&self) -> bool {
        matches!(self.server, Some(ServerState::Down { .. }))
    }

    /// Do commands run without the sandbox, and is nothing asked (`--no-sandbox-no-questions`)?
    pub(crate) fn is_disposable(&self) -> bool {
        self.sandbox.as_ref().is_some_and(|sandbox| sandbox.kind == SandboxKind::Disposable)
    }

    /// Is it known that the model cannot call tools, and are they not described to it in words?
    pub(crate) fn lacks_tools(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.tools == Some(false))
            && !self.tools_by_text()
            && !self.works_by_files()
    }

    /// Are the tools described in the prompt, and called in text?
    pub(crate) fn tools_by_text(&self) -> bool {
        matches!(&self.offered, Some(Offered { by: ToolsBy::Text, .. }))
    }

    /// What is to be known of how the model is used: how it works, where it does not simply call, and what of the server's own
    /// settings does not hold.
    pub(crate) fn in_use_words(&self) -> Vec<String> {
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
    pub(crate) fn works_by_files(&self) -> bool {
        matches!(&self.offered, Some(Offered { by: ToolsBy::Files, .. }))
    }

    /// How many tools the model is offered.
    pub(crate) fn tools_offered(&self) -> usize {
        match &self.offered {
            Some(Offered { groups, .. }) if !groups.is_empty() => {
                groups.iter().filter(|group| group.on).map(|group| group.tools.len()).sum()
            }
            Some(_) | None => self.tools.len(),
        }
    }

    /// How much of the model lies in the graphics card's memory, in percent, once that is known.
    pub(crate) fn gpu_percent(&self) -> Option<u8> {
        self.measured.as_ref()?.gpu_percent
    }

    /// What a tool takes of the prompt, in tokens.
    pub(crate) fn cost(&self, tool: &str) -> Option<u64> {
        let costs = self.offered.as_ref().map(|offered| &offered.costs)?;
        costs.iter().find(|cost| cost.name == tool).map(|cost| cost.tokens)
    }
}
