//! The server and the model: is it there, which one, how large is its window.

use crate::machine::{Machine, State};
use crate::server::measure::Measure;
use crate::{Effect, Keep, Memory, ToolsMode};
use agent_protocol::{
    Event, LoadedModel, ModelCard, ModelsReason, NoticeLevel, PullState, ServerState, Think, ToolCost, Trouble,
};

/// What is known of the server and the model.
#[derive(Debug)]
pub(crate) struct Link {
    server: ServerState,
    /// The model that was chosen, known to the server or not.
    wanted: Option<String>,
    card: Option<ModelCard>,
    /// What is measured of the model.
    pub(crate) measure: Measure,
    /// What the tools cost, as it was told last.
    pub(crate) costs: Vec<ToolCost>,
    /// The model turned out not to call tools, whatever its card says.
    no_tools: bool,
    /// The models were shown once; they are shown again when the person speaks without having chosen.
    models_shown: bool,
    /// The server is being asked about the wanted model.
    looking_up: bool,
    resume: bool,
    /// The person chose this model themselves; keep the choice once it is known to work.
    keep_choice: bool,
}

impl Link {
    pub(crate) fn new(wanted: Option<String>) -> Self {
        Link {
            server: ServerState::Looking,
            wanted,
            card: None,
            measure: Measure::unknown(),
            costs: Vec::new(),
            no_tools: false,
            models_shown: false,
            looking_up: false,
            resume: false,
            keep_choice: false,
        }
    }

    /// Can a request be made?
    pub(crate) fn is_ready(&self) -> bool {
        self.card.is_some() && !self.looking_up
    }

    pub(crate) fn is_up(&self) -> bool {
        matches!(self.server, ServerState::Up { .. })
    }

    /// Tokens that the window holds.
    pub(crate) fn window(&self) -> u64 {
        self.measure.window.tokens()
    }

    pub(crate) fn card(&self) -> Option<&ModelCard> {
        self.card.as_ref()
    }

    pub(crate) fn model_name(&self) -> String {
        self.card.as_ref().map(|card| card.name.clone()).unwrap_or_default()
    }

    /// The model's name, and the server's word for its family.
    pub(crate) fn names(&self) -> Option<(&str, Option<&str>)> {
        self.card.as_ref().map(|card| (card.name.as_str(), card.family.as_deref()))
    }

    /// Does the server tell this model's reasoning apart?
    pub(crate) fn server_knows_thinking(&self) -> bool {
        self.card.as_ref().is_some_and(|card| card.thinking == Some(true))
    }

    /// Has the model tool support of its own?
    pub(crate) fn calls_tools(&self) -> bool {
        !self.no_tools && self.card.as_ref().is_none_or(|card| card.tools != Some(false))
    }

    /// Does the model understand pictures, as far as the server tells?
    pub(crate) fn sees(&self) -> bool {
        self.card.as_ref().is_some_and(|card| card.vision == Some(true))
    }

    pub(crate) fn set_no_tools(&mut self) {
        self.no_tools = true;
    }

    /// A turn begins: there is nothing to take up any more.
    pub(crate) fn forget_resume(&mut self) {
        self.resume = false;
    }

    /// This model is wanted, where it is there.
    pub(crate) fn want(&mut self, name: String) {
        self.wanted = Some(name);
    }

    /// When the server is back, take up what broke off.
    pub(crate) fn resume_when_up(&mut self) {
        self.resume = true;
    }
}

impl Machine {
    pub(crate) fn look_for_server(&mut self) {
        self.set_server(ServerState::Looking);
        self.out.carry_out(Effect::Probe);
    }

    pub(crate) fn start_server(&mut self) {
        if !self.link.is_up() {
            self.set_server(ServerState::Starting);
            self.out.carry_out(Effect::StartServer);
        }
    }

    pub(crate) fn not_started(&mut self, why: String) {
        self.out.notice(NoticeLevel::Warning, why);
        self.look_for_server();
    }

    pub(crate) fn probed(&mut self, result: Result<String, Trouble>, can_start: bool) {
        match result {
            Err(trouble) => self.set_server(ServerState::Down { trouble, can_start }),
            Ok(version) => {
                self.set_server(ServerState::Up { version });
                let chosen = self.link.is_ready() && self.link.wanted.as_ref() == Some(&self.link.model_name());
                match (chosen, self.link.wanted.clone()) {
                    (true, _) => self.go_on_after_setback(),
                    (false, Some(name)) => self.look_up(name),
                    (false, None) => self.out.carry_out(Effect::List { reason: ModelsReason::NoneChosen }),
                }
            }
        }
    }

    /// A reply failed because nobody answers: look again, which also tells whether we could start it.
    pub(crate) fn server_lost(&mut self, trouble: Trouble) {
        self.link.server = ServerState::Down { trouble, can_start: false };
        self.link.measure.forgotten();
        self.out.carry_out(Effect::Probe);
    }

    pub(crate) fn described(&mut self, name: String, result: Result<ModelCard, Trouble>, loaded: Option<LoadedModel>) {
        if self.link.wanted.as_ref() != Some(&name) || !self.link.looking_up {
            return;
        }
        self.link.looking_up = false;
        match result {
            Ok(card) => self.take_model(name, card, loaded.as_ref()),
            Err(Trouble::ModelMissing { .. }) => {
                self.out.carry_out(Effect::List { reason: ModelsReason::Missing { name } });
            }
            Err(trouble @ Trouble::Unreachable { .. }) => self.server_lost(trouble),
            Err(trouble) => {
                self.notice_trouble(&trouble);
                self.out.carry_out(Effect::List { reason: ModelsReason::Missing { name } });
            }
        }
    }

    fn look_up(&mut self, name: String) {
        self.link.looking_up = true;
        self.out.carry_out(Effect::Describe { name });
    }

    fn take_model(&mut self, name: String, card: ModelCard, loaded: Option<&LoadedModel>) {
        if std::mem::take(&mut self.link.keep_choice) {
            self.out.carry_out(Effect::Remember(Memory::Chosen(name.clone())));
        }
        let card = ModelCard { name, ..card };
        self.let_go_of_other(&card);
        self.keep_profile();
        self.link.no_tools = false;
        self.link.card = Some(card.clone());
        self.measure_model(&card, loaded);
        self.out.emit(Event::ModelSet { card, window: self.link.measure.window.asked });
        if self.link.measure.window.effective.is_some() {
            self.window_measured();
        } else {
            self.warn_of_window();
        }
        self.offer_tools();
        if let Some(think) = self.think() {
            self.out.emit(Event::ThinkSet { think: Some(think) });
        }
        if !self.link.calls_tools() {
            self.notice_no_tools();
        }
        self.tell_window();
        self.go_on_after_setback();
        self.preload();
    }

    /// Another model takes its place: it may go, where the person wants no model to stay.
    fn let_go_of_other(&mut self, next: &ModelCard) {
        let name = self.link.model_name();
        if self.settings.release && !name.is_empty() && name != next.name {
            self.out.carry_out(Effect::Release { name });
        }
    }

    fn go_on_after_setback(&mut self) {
        if std::mem::take(&mut self.link.resume) {
            self.resume();
        } else {
            self.go_on_if_idle();
        }
    }

    pub(crate) fn list_models(&mut self) {
        self.out.carry_out(Effect::List { reason: ModelsReason::Asked });
    }

    pub(crate) fn listed(&mut self, reason: ModelsReason, result: Result<Vec<ModelCard>, Trouble>) {
        match result {
            Err(trouble @ Trouble::Unreachable { .. }) => self.server_lost(trouble),
            Ok(models) => {
                self.link.models_shown = true;
                self.out.emit(Event::Models { models, reason });
            }
            // A server that cannot name its models is no server to work with.
            Err(trouble) => self.set_server(ServerState::Down { trouble, can_start: false }),
        }
    }

    pub(crate) fn set_model(&mut self, name: String) {
        if !matches!(self.state, State::Idle) {
            let text = "the model can be changed when the turn is over; esc ends it";
            self.out.notice(NoticeLevel::Warning, text);
            return;
        }
        // What a script takes is no choice of the person.
        self.link.keep_choice = self.settings.keep == Keep::Everything;
        self.link.wanted = Some(name.clone());
        self.look_up(name);
    }

    /// Another session goes on with its own model; that is no choice for later ones.
    pub(crate) fn go_on_with(&mut self, name: String) {
        self.link.wanted = Some(name.clone());
        self.look_up(name);
    }

    /// What a face forgot with the session before.
    pub(crate) fn show_model_again(&mut self) {
        if let Some(card) = self.link.card.clone() {
            self.out.emit(Event::ModelSet { card, window: self.link.measure.window.asked });
            if self.link.measure.window.effective.is_some() {
                self.window_measured();
            }
            self.offer_tools();
        }
        self.tell_window();
    }

    pub(crate) fn described_only(
        &mut self,
        name: String,
        result: Result<ModelCard, Trouble>,
        loaded: Option<LoadedModel>,
    ) {
        let (card, trouble) = match result {
            Ok(card) => (Some(card), None),
            Err(trouble) => (None, Some(trouble)),
        };
        self.out.emit(Event::ModelDescribed { name, card, trouble, loaded });
    }

    pub(crate) fn told_loaded(&mut self, result: Result<Vec<LoadedModel>, Trouble>) {
        let (models, trouble) = match result {
            Ok(models) => (models, None),
            Err(trouble) => (Vec::new(), Some(trouble)),
        };
        self.out.emit(Event::Loaded { models, trouble });
    }

    pub(crate) fn removed(&mut self, name: String, result: Result<(), Trouble>) {
        self.out.emit(Event::ModelRemoved { name, trouble: result.err() });
    }

    /// The session is over: what is under way is interrupted, and the model may go, where the person wants that.
    pub(crate) fn leave(&mut self) {
        self.interrupt();
        if self.settings.release && self.link.is_ready() && self.link.is_up() {
            self.out.carry_out(Effect::Release { name: self.link.model_name() });
        }
    }

    pub(crate) fn set_think(&mut self, think: Option<Think>) {
        self.settings.think = think;
        self.out.emit(Event::ThinkSet { think });
    }

    pub(crate) fn pulled(&mut self, name: String, state: PullState) {
        let done = state == PullState::Done;
        self.out.emit(Event::Pulling { name: name.clone(), state });
        // A script downloads without choosing.
        if done && matches!(self.state, State::Idle) && self.settings.keep == Keep::Everything {
            self.set_model(name);
        }
    }

    /// The person spoke and nothing can be done with it yet: show again what is missing. Their words wait.
    pub(crate) fn say_what_is_missing(&mut self) {
        if self.opening.is_some() || self.link.looking_up {
            return;
        }
        match (&self.link.server, &self.link.wanted) {
            (ServerState::Down { .. }, _) => self.look_for_server(),
            (ServerState::Up { .. }, _) if self.link.models_shown => {
                let reason = match &self.link.wanted {
                    Some(name) => ModelsReason::Missing { name: name.clone() },
                    None => ModelsReason::NoneChosen,
                };
                self.out.carry_out(Effect::List { reason });
            }
            _ => {}
        }
    }

    pub(crate) fn notice_no_tools(&mut self) {
        match self.settings.tools_mode {
            ToolsMode::Auto => {
                let text = "this model has no tool support of its own; its tools go by text";
                self.out.notice(NoticeLevel::Info, text);
            }
            ToolsMode::Native => {
                let name = self.link.model_name();
                let text = format!(
                    "{name} cannot call tools: it can talk, but not read or change files; /model chooses another"
                );
                self.out.notice(NoticeLevel::Warning, text);
            }
            // That is what was asked for.
            ToolsMode::Text => {}
        }
    }

    fn notice_trouble(&mut self, trouble: &Trouble) {
        self.out.notice(NoticeLevel::Warning, format!("{trouble}; {}", trouble.advice()));
    }

    fn set_server(&mut self, state: ServerState) {
        self.link.server = state.clone();
        self.out.emit(Event::Server { state });
    }
}
