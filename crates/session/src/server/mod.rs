//! What is known of the server and the model: is it there, which model is in use, how large its window is, how it gets its
//! tools. Knows nothing of the conversation.

pub(crate) mod cloud;
pub(crate) mod exam;
pub(crate) mod form;
pub(crate) mod measure;
pub(crate) mod models;
mod no_thinking;
pub(crate) mod offer;
pub(crate) mod window;

use crate::out::Out;
use crate::server::cloud::WaitingModel;
use crate::server::measure::Measure;
use crate::server::offer::Offer;
use crate::{Family, ServerEffect, Settings};
use agent_protocol::{
    ModelCard, ModelProfile, ModelsReason, NoticeLevel, ServerCard, ServerError, ServerEvent, ServerState, Think,
    ToolsBy,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The server and the model.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) settings: Settings,
    state: ServerState,
    /// The model that was chosen, known to the server or not.
    wanted: Option<String>,
    card: Option<ModelCard>,
    /// The number of the family that it is of.
    family: Option<usize>,
    /// What is measured of the model.
    pub(crate) measure: Measure,
    pub(crate) offer: Offer,
    /// How much the model is to think, where the user said so.
    think: Option<Think>,
    /// Models of whose thinking nothing is asked any more, as the server refused that.
    unthinking: BTreeSet<String>,
    /// The request at hand asks for a call or an answer, after thinking that was closed.
    pub(crate) acts_now: bool,
    /// The form of work that the user chose for this session.
    form: Option<ToolsBy>,
    /// What was learned of models, the one used last first.
    profiles: Vec<ModelProfile>,
    /// The model turned out not to call tools, whatever its card says.
    no_tools: bool,
    /// The models were shown once; they are shown again when the user speaks without having chosen.
    models_shown: bool,
    /// The server is being asked about the wanted model.
    looking_up: bool,
    /// A cloud model that the user has to agree to before it is in use.
    waiting: Option<Box<WaitingModel>>,
    /// The wanted model cannot be used, though nobody said that it is not installed.
    denied: bool,
    /// What broke off is taken up when the server is back.
    resume: bool,
    /// The user chose this model themselves; the choice is kept once it is known to work.
    keep_choice: bool,
    /// Tries at the task at hand that have ended: replies of the next are warmer.
    pub(crate) tries: usize,
}

impl Server {
    pub(crate) fn new(settings: Settings) -> Self {
        Server {
            state: ServerState::Looking,
            wanted: settings.model.clone(),
            card: None,
            family: None,
            measure: Measure::unknown(),
            offer: Offer::new(&settings),
            think: settings.think,
            unthinking: BTreeSet::new(),
            acts_now: false,
            form: None,
            profiles: settings.profiles.clone(),
            no_tools: false,
            models_shown: false,
            looking_up: false,
            waiting: None,
            denied: false,
            resume: false,
            keep_choice: false,
            tries: 0,
            settings,
        }
    }

    /// Can a request be made?
    pub(crate) fn is_ready(&self) -> bool {
        self.card.is_some() && !self.looking_up
    }

    pub(crate) fn is_up(&self) -> bool {
        self.about().is_some()
    }

    /// What the server says of itself, while it answers.
    pub(crate) fn about(&self) -> Option<&ServerCard> {
        match &self.state {
            ServerState::Up(card) => Some(card),
            ServerState::Looking | ServerState::Starting | ServerState::Down { .. } => None,
        }
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

    /// What is known of the family that the model is of.
    pub(crate) fn family(&self) -> Option<&Family> {
        self.settings.families.get(self.family?)
    }

    /// How much the model thinks; one that cannot is not told to.
    pub(crate) fn think(&self) -> Option<Think> {
        if self.refuses_thinking() {
            return None;
        }
        let usual = self.usual_think();
        if !self.acts_now || self.card.as_ref().is_some_and(|card| card.thinking == Some(false)) {
            return usual;
        }
        let least = || self.family().and_then(|family| family.least_think);
        if self.never_stops() { least().or(usual) } else { Some(Think::Off) }
    }

    /// Can the model not be told to stop thinking?
    fn never_stops(&self) -> bool {
        self.family().is_some_and(|family| family.never_off)
    }

    fn usual_think(&self) -> Option<Think> {
        let wanted = self.think.or_else(|| self.measure.tuned()?.think).or_else(|| self.family()?.think);
        wanted
            .filter(|think| *think == Think::Off || self.card.as_ref().is_none_or(|card| card.thinking != Some(false)))
            .filter(|think| *think != Think::Off || !self.never_stops())
    }

    /// Options that suit the model's family, for replies with thinking before them or without.
    pub(crate) fn family_options(&self) -> Map<String, Value> {
        let Some(family) = self.family() else { return Map::new() };
        let cannot = self.card.as_ref().is_some_and(|card| card.thinking == Some(false));
        let is_direct = cannot || self.think() == Some(Think::Off);
        family.options_direct.as_ref().filter(|_| is_direct).unwrap_or(&family.options).clone()
    }

    /// Does a reply begin inside reasoning that nobody tells apart for us?
    pub(crate) fn starts_in_reasoning(&self) -> bool {
        let opened = self.family().is_some_and(|family| family.starts_in_reasoning);
        // A server that knows of the reasoning takes it out by itself, and so does a model that was told not to think.
        opened && !self.knows_thinking() && self.think() != Some(Think::Off)
    }

    /// Does the server say whether this model thinks?
    pub(crate) fn says_whether_it_thinks(&self) -> bool {
        self.card.as_ref().is_some_and(|card| card.thinking.is_some())
    }

    /// Does the server tell this model's reasoning apart?
    fn knows_thinking(&self) -> bool {
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

    /// The server refuses pictures for this model, whatever its card says.
    pub(crate) fn set_blind(&mut self) {
        if let Some(card) = &mut self.card {
            card.vision = Some(false);
        }
    }

    pub(crate) fn set_no_tools(&mut self) {
        self.no_tools = true;
    }

    /// A turn begins: there is nothing to take up any more.
    pub(crate) fn forget_resume(&mut self) {
        self.resume = false;
    }

    /// When the server is back, what broke off is taken up.
    pub(crate) fn resume_when_up(&mut self) {
        self.resume = true;
    }

    /// Is there something to take up, now that the server is back? Says so once.
    pub(crate) fn take_resume(&mut self) -> bool {
        std::mem::take(&mut self.resume)
    }

    /// Asks whether the server is there.
    pub(crate) fn look(&mut self, out: &mut Out) {
        self.stands(ServerState::Looking, out);
        out.carry_out(ServerEffect::Probe);
    }

    pub(crate) fn start(&mut self, out: &mut Out) {
        if !self.is_up() {
            self.stands(ServerState::Starting, out);
            out.carry_out(ServerEffect::StartServer);
        }
    }

    /// The server answered, or did not. True where the model in use is still the one that is wanted.
    pub(crate) fn probed(&mut self, result: Result<ServerCard, ServerError>, can_start: bool, out: &mut Out) -> bool {
        let card = match result {
            Ok(card) => card,
            Err(trouble) => {
                self.stands(ServerState::Down { trouble, can_start }, out);
                return false;
            }
        };
        self.stands(ServerState::Up(card), out);
        let chosen = self.is_ready() && self.wanted.as_ref() == Some(&self.model_name());
        match (chosen, self.wanted.clone()) {
            (true, _) => {}
            (false, Some(name)) => self.look_up(name, out),
            (false, None) => out.carry_out(ServerEffect::List { reason: ModelsReason::NoneChosen }),
        }
        chosen
    }

    /// A reply failed because nobody answers: look again, which also tells whether we could start it.
    pub(crate) fn lost(&mut self, trouble: ServerError, out: &mut Out) {
        self.state = ServerState::Down { trouble, can_start: false };
        self.measure.forgotten();
        // Whoever starts it again may give it another window.
        self.measure.looked = false;
        out.carry_out(ServerEffect::Probe);
    }

    /// The user spoke and nothing can be done with it yet: shows again what is missing. Their words wait.
    pub(crate) fn say_what_is_missing(&mut self, out: &mut Out) {
        if self.looking_up {
            return;
        }
        match &self.state {
            ServerState::Down { .. } => self.look(out),
            ServerState::Up(_) if self.models_shown => {
                let reason = match &self.wanted {
                    Some(name) if self.denied => ModelsReason::NotUsed { name: name.clone() },
                    Some(name) => ModelsReason::Missing { name: name.clone() },
                    None => ModelsReason::NoneChosen,
                };
                out.carry_out(ServerEffect::List { reason });
            }
            ServerState::Up(_) | ServerState::Looking | ServerState::Starting => {}
        }
    }

    /// The session is over: the model may go, where the user wants that.
    pub(crate) fn leave(&mut self, out: &mut Out) {
        if self.settings.release && self.is_ready() && self.is_up() && !self.is_cloud() {
            out.carry_out(ServerEffect::Release { name: self.model_name() });
        }
    }

    pub(crate) fn say_no_model(&self, out: &mut Out) {
        out.notice(NoticeLevel::Warning, "no model is chosen yet; /model chooses one");
    }

    pub(crate) fn set_think(&mut self, think: Option<Think>, out: &mut Out) {
        if think == Some(Think::Off) && self.never_stops() {
            let name = self.model_name();
            let text = format!("{name} cannot stop thinking, or breaks when it is told to; /think low asks for less");
            return out.notice(NoticeLevel::Info, text);
        }
        self.think = think;
        self.unthinking.remove(&self.model_name());
        out.emit(ServerEvent::ThinkSet { think });
    }

    fn stands(&mut self, state: ServerState, out: &mut Out) {
        self.state = state.clone();
        out.emit(ServerEvent::Server { state });
    }
}
