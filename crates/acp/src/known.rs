//! What is known of a session beside its conversation: its mode, its model, and how it stands with the server.

use crate::ending::trouble_words;
use agent_protocol::{
    CallEvent, Event, Mode, ModelCard, ModelsReason, ServerError, ServerEvent, ServerState, SessionEvent, Subject,
    Think,
};

/// The session as the events told it.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) mode: Mode,
    /// All models of the server; `None`: it did not tell yet.
    pub(crate) models: Option<Vec<ModelCard>>,
    pub(crate) model: Option<ModelCard>,
    pub(crate) think: Option<Think>,
    /// Why no server answers.
    pub(crate) down: Option<ServerError>,
    /// Why no model can be used, until one is chosen.
    pub(crate) lacks: Option<ModelsReason>,
    /// The user is asked whether a cloud model may be used.
    pub(crate) asks: bool,
    /// Where it is was told.
    pub(crate) opened: bool,
}

impl Known {
    /// Takes up what an event tells; says whether one of the options may be another by now.
    pub(crate) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Session(SessionEvent::Opened { mode, .. }) => {
                (self.mode, self.opened) = (*mode, true);
                true
            }
            Event::Call(CallEvent::ModeChanged { mode }) => {
                self.mode = *mode;
                true
            }
            // The editor can put the question only when it knows the session.
            Event::Call(CallEvent::Asked { question }) if matches!(question.subject, Subject::Cloud { .. }) => {
                self.asks = true;
                false
            }
            Event::Server(event) => self.take_of_server(event),
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Session(_) | Event::List(_) => false,
        }
    }

    fn take_of_server(&mut self, event: &ServerEvent) -> bool {
        match event {
            ServerEvent::Server { state: ServerState::Up(_) } => self.down = None,
            ServerEvent::Server { state: ServerState::Down { trouble, .. } } => self.down = Some(trouble.clone()),
            ServerEvent::Models { models, reason } => {
                self.models = Some(models.clone());
                // Where another one was chosen that is not there, the one before goes on.
                if *reason != ModelsReason::Asked && self.model.is_none() {
                    self.lacks = Some(reason.clone());
                }
                return true;
            }
            ServerEvent::ModelSet { card, .. } => {
                (self.model, self.lacks) = (Some(card.clone()), None);
                return true;
            }
            ServerEvent::ThinkSet { think } => {
                self.think = *think;
                return true;
            }
            ServerEvent::Server { .. }
            | ServerEvent::Overruled { .. }
            | ServerEvent::ModelDescribed { .. }
            | ServerEvent::Loaded { .. }
            | ServerEvent::ModelRemoved { .. }
            | ServerEvent::Pulling { .. }
            | ServerEvent::Nearby { .. }
            | ServerEvent::Examining { .. }
            | ServerEvent::Probed { .. }
            | ServerEvent::Diagnosed { .. } => {}
        }
        false
    }

    /// Is there nothing more to be waited for before the editor is told the options?
    pub(crate) fn is_settled(&self) -> bool {
        let chosen = self.model.is_some() || self.asks || self.lacks.is_some() && self.only_model().is_none();
        self.opened && (self.down.is_some() || self.models.is_some() && chosen)
    }

    /// The model that is meant where none is chosen.
    pub(crate) fn only_model(&self) -> Option<&str> {
        match (&self.lacks, self.models.as_deref()) {
            (Some(ModelsReason::NoneChosen), Some(models)) => ModelCard::only_one(models),
            _ => None,
        }
    }

    /// Why no prompt can be answered, as far as that is known.
    pub(crate) fn hindrance(&self) -> Option<String> {
        let down = self.down.as_ref().map(trouble_words);
        let lacks = self.lacks.as_ref().filter(|_| self.only_model().is_none());
        down.or_else(|| Some(crate::ending::no_model(self.models.as_deref().unwrap_or_default(), lacks?)))
    }
}
