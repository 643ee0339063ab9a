//! Cloud models: the server passes what they are sent on to another machine.
//!
//! **Invariant.** A model whose card names another machine is not in use, so that no request goes to it, before the user
//! agreed. The yes is kept with the model and the machine, and holds for no other.

use crate::out::Out;
use crate::server::Server;
use crate::server::measure::profile_of;
use crate::{Keep, ServerEffect};
use agent_protocol::{LoadedModel, ModelCard, ModelsReason, NoticeLevel};

/// How the names of cloud models end in the server's own library.
const CLOUD_NAMES: [&str; 2] = ["-cloud", ":cloud"];

/// A cloud model that waits for the user to agree.
#[derive(Debug)]
pub(crate) struct WaitingModel {
    pub(crate) card: ModelCard,
    pub(crate) loaded: Option<LoadedModel>,
}

impl Server {
    /// Has the user agreed to what this model is, or is there nothing to agree to?
    pub(crate) fn agreed_to(&self, card: &ModelCard) -> bool {
        let Some(host) = &card.remote_host else { return true };
        profile_of(card, &self.profiles).cloud_allowed.as_ref() == Some(host) || self.named_as_cloud(&card.name)
    }

    /// Did a script name this model for this start, by a name that says what it is? Where a person speaks, they are asked.
    fn named_as_cloud(&self, name: &str) -> bool {
        let settings = &self.settings;
        let named = settings.keep == Keep::Nothing && settings.model_named && settings.model.as_deref() == Some(name);
        named && CLOUD_NAMES.iter().any(|end| name.ends_with(end))
    }

    /// The user is asked about this model first.
    pub(crate) fn waits_for_yes(&mut self, card: ModelCard, loaded: Option<&LoadedModel>) {
        self.waiting = Some(Box::new(WaitingModel { card, loaded: loaded.cloned() }));
    }

    /// What the user has to be asked about: a model, and the machine on which it runs.
    pub(crate) fn cloud_question(&self) -> Option<(String, String)> {
        let card = &self.waiting.as_ref()?.card;
        Some((card.name.clone(), card.remote_host.clone()?))
    }

    /// The user answers, or chose another one meanwhile.
    pub(crate) fn take_waiting(&mut self) -> Option<WaitingModel> {
        self.waiting.take().map(|waiting| *waiting)
    }

    /// The user does not want it: the model in use stays, or another has to be chosen.
    pub(crate) fn leave_alone(&mut self, name: String, out: &mut Out) {
        self.keep_choice = false;
        self.wanted = self.card().map(|card| card.name.clone());
        out.carry_out(ServerEffect::List { reason: ModelsReason::NotUsed { name } });
    }

    /// The yes is kept with the model.
    pub(crate) fn agree_to(&mut self, host: String, out: &mut Out) {
        self.measure.allow_cloud(host);
        self.keep_profile(out);
    }

    /// Does the model in use run on another machine than the server's?
    pub(crate) fn is_cloud(&self) -> bool {
        self.card().is_some_and(|card| card.remote_host.is_some())
    }

    /// Says where the model in use runs, where the user was not just asked about that.
    pub(crate) fn tell_of_cloud(&self, out: &mut Out) {
        if let Some(card) = self.card()
            && let Some(host) = &card.remote_host
        {
            let name = &card.name;
            out.notice(NoticeLevel::Warning, format!("{name} runs on {host}: what it is sent leaves this machine"));
        }
    }
}
