//! The models of the server: which there are, which one is in use, and what is said of those that are not.

use crate::out::Out;
use crate::server::Server;
use crate::{CallEffect, Effect, Keep, Memory, ServerEffect, ToolsMode};
use agent_protocol::{
    LoadedModel, ModelCard, ModelsReason, NoticeLevel, OverruledOption, ServerError, ServerEvent, ServerState,
};
use serde_json::Value;

impl Server {
    pub(crate) fn list_models(&self, out: &mut Out) {
        out.carry_out(ServerEffect::List { reason: ModelsReason::Asked });
    }

    pub(crate) fn listed(&mut self, reason: ModelsReason, result: Result<Vec<ModelCard>, ServerError>, out: &mut Out) {
        match result {
            Err(trouble @ ServerError::Unreachable { .. }) => self.lost(trouble, out),
            Ok(models) => {
                self.models_shown = true;
                // A session that was opened meanwhile brought its model: there is nothing to choose.
                if reason != ModelsReason::NoneChosen || self.wanted.is_none() {
                    out.emit(ServerEvent::Models { models, reason });
                }
            }
            // A server that cannot name its models is no server to work with.
            Err(trouble) => self.stands(ServerState::Down { trouble, can_start: false }, out),
        }
    }

    /// The user chose this model.
    pub(crate) fn choose(&mut self, name: String, out: &mut Out) {
        // What a script takes is no choice of the user.
        self.keep_choice = self.settings.keep == Keep::Everything;
        self.go_on_with(name, out);
    }

    /// Another session goes on with its own model; that is no choice for later ones.
    pub(crate) fn go_on_with(&mut self, name: String, out: &mut Out) {
        self.wanted = Some(name.clone());
        self.look_up(name, out);
    }

    /// This model is wanted, where it is there.
    pub(crate) fn want(&mut self, name: String) {
        self.wanted = Some(name);
    }

    pub(super) fn look_up(&mut self, name: String, out: &mut Out) {
        self.looking_up = true;
        out.carry_out(ServerEffect::Describe { name });
    }

    /// What the server says of the wanted model; `None` where that cannot be taken, or came late.
    pub(crate) fn described(
        &mut self,
        name: String,
        result: Result<ModelCard, ServerError>,
        out: &mut Out,
    ) -> Option<ModelCard> {
        if self.wanted.as_ref() != Some(&name) || !self.looking_up {
            return None;
        }
        (self.looking_up, self.denied) = (false, false);
        match result {
            Ok(card) => return Some(ModelCard { name, ..card }),
            Err(ServerError::ModelMissing { .. }) => {
                out.carry_out(ServerEffect::List { reason: ModelsReason::Missing { name } });
            }
            Err(trouble @ ServerError::Unreachable { .. }) => self.lost(trouble, out),
            Err(trouble) => {
                self.denied = true;
                out.notice(NoticeLevel::Warning, format!("{trouble}; {}", trouble.advice()));
                out.carry_out(ServerEffect::List { reason: ModelsReason::NotUsed { name } });
            }
        }
        None
    }

    /// This model is in use from now on.
    pub(crate) fn take(&mut self, card: ModelCard, loaded: Option<&LoadedModel>, out: &mut Out) {
        if std::mem::take(&mut self.keep_choice) {
            out.carry_out(Effect::Remember(Memory::Chosen(card.name.clone())));
        }
        self.let_go_of_other(&card, out);
        self.keep_profile(out);
        self.no_tools = false;
        let mut families = self.settings.families.iter();
        self.family = families.position(|known| known.matches(&card.name, card.family.as_deref()));
        self.card = Some(card.clone());
        self.measure_model(&card, loaded);
        self.adapt(out);
        self.show_model(out);
    }

    /// What is done around the model is another now, or may be.
    pub(crate) fn adapt(&mut self, out: &mut Out) {
        let levers = self.levers();
        self.offer.adapt(levers.clone());
        out.carry_out(CallEffect::Adapt(Box::new(levers)));
    }

    /// Another model takes its place: it may go, where the user wants no model to stay.
    fn let_go_of_other(&self, next: &ModelCard, out: &mut Out) {
        let name = self.model_name();
        if self.settings.release && !name.is_empty() && name != next.name && !self.is_cloud() {
            out.carry_out(ServerEffect::Release { name });
        }
    }

    /// Says which model is in use. True where there is one.
    pub(crate) fn show_model(&self, out: &mut Out) -> bool {
        if let Some(card) = self.card.clone() {
            out.emit(ServerEvent::ModelSet { card, window: self.measure.window.asked });
        }
        self.card.is_some()
    }

    /// Says what is to be known of a model that was just taken: how it thinks, and that it calls no tools.
    pub(crate) fn tell_of_model(&self, out: &mut Out) {
        if let Some(think) = self.think() {
            out.emit(ServerEvent::ThinkSet { think: Some(think) });
        }
        let options = self.overruled();
        if !options.is_empty() {
            out.emit(ServerEvent::Overruled { options });
        }
        if !self.calls_tools() {
            self.notice_no_tools(out);
        }
    }

    /// What is sent as the family's maker says and the server would have otherwise.
    fn overruled(&self) -> Vec<OverruledOption> {
        let Some(card) = self.card() else { return Vec::new() };
        let ours = self.family_options();
        let differs = |(name, own): (&String, &Value)| {
            let sent = ours.get(name).filter(|_| !self.settings.options.contains_key(name))?;
            let same = sent.as_f64() == own.as_f64();
            (!same).then(|| OverruledOption { name: name.clone(), sent: sent.clone(), own: own.clone() })
        };
        card.own_options.iter().filter_map(differs).collect()
    }

    pub(crate) fn notice_no_tools(&self, out: &mut Out) {
        match self.settings.tools_mode {
            ToolsMode::Auto if self.works_by_files() => {}
            ToolsMode::Auto => {
                let text = "this model has no tool support of its own; its tools go by text";
                out.notice(NoticeLevel::Info, text);
            }
            ToolsMode::Native => {
                let name = self.model_name();
                let text = format!(
                    "{name} cannot call tools: it can talk, but not read or change files; /model chooses another"
                );
                out.notice(NoticeLevel::Warning, text);
            }
            // That is what was asked for.
            ToolsMode::Text | ToolsMode::Files => {}
        }
    }
}

/// What the server says of a model that is not to be used.
pub(crate) fn described_only(
    name: String,
    result: Result<ModelCard, ServerError>,
    loaded: Option<LoadedModel>,
    out: &mut Out,
) {
    let (card, trouble) = match result {
        Ok(card) => (Some(card), None),
        Err(trouble) => (None, Some(trouble)),
    };
    out.emit(ServerEvent::ModelDescribed { name, card, trouble, loaded });
}

/// What the server has in memory, because a front end wants to know.
pub(crate) fn told_loaded(result: Result<Vec<LoadedModel>, ServerError>, out: &mut Out) {
    let (models, trouble) = match result {
        Ok(models) => (models, None),
        Err(trouble) => (Vec::new(), Some(trouble)),
    };
    out.emit(ServerEvent::Loaded { models, trouble });
}
