//! All that was found, as one object.

use super::Checkup;
use crate::End;
use crate::advice::way_to_start;
use crate::asking::Known;
use crate::models::loaded_as_json;
use agent_protocol::{LoadedModel, ModelCard, ModelProfile, ProbeFinding, ProbeVerdict, ServerError, Usage};
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct Report {
    /// Models on the server's disk.
    pub(super) installed: Option<usize>,
    /// What the server has in memory.
    pub(super) in_memory: Option<Vec<LoadedModel>>,
    pub(super) card: Option<ModelCard>,
    pub(super) findings: Vec<ProbeFinding>,
    pub(super) profile: Option<ModelProfile>,
    /// What the server counted of the examination.
    pub(super) usage: Option<Usage>,
    /// What stands in the way, with the next step.
    pub(super) error: Option<String>,
    pub(super) end: End,
    model: Option<String>,
}

impl Report {
    pub(super) fn of(checkup: &Checkup) -> Self {
        Report {
            installed: None,
            in_memory: None,
            card: None,
            findings: Vec::new(),
            profile: None,
            usage: None,
            error: None,
            end: End::Answered,
            model: checkup.model.clone(),
        }
    }

    /// Everything was looked at: a question the model failed at is what the shell learns.
    pub(super) fn judge(&mut self) {
        if self.end == End::Answered && self.with(ProbeVerdict::Failed) > 0 {
            self.end = End::Failed;
        }
    }

    pub(super) fn down(&mut self, trouble: &ServerError, can_start: bool) {
        self.end = End::NoServer;
        self.error = Some(format!("{trouble}; {}", way_to_start(trouble, can_start)));
    }

    /// So many questions went like this.
    pub(super) fn with(&self, verdict: ProbeVerdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    pub(super) fn as_json(&self, checkup: &Checkup, known: &Known) -> Value {
        let contacts: Vec<Value> =
            checkup.contacts.iter().map(|contact| json!({"address": contact.address, "what": contact.what})).collect();
        let files: Vec<String> = checkup.config_files.iter().map(|path| path.display().to_string()).collect();
        let in_memory: Option<Vec<Value>> =
            self.in_memory.as_ref().map(|models| models.iter().map(loaded_as_json).collect());
        json!({
            "agent": checkup.version,
            "server": server(known),
            "counts": self.usage,
            "contacts": contacts,
            "config_files": files,
            "state_folder": checkup.state_folder.display().to_string(),
            "caches": checkup.caches.as_ref().map(|caches| {
                let folder = caches.folder.display().to_string();
                json!({"folder": folder, "here": caches.here, "all": caches.all, "most": caches.most})
            }),
            "fence": known.session.sandbox,
            "notices": known.notices,
            "installed": self.installed,
            "in_memory": in_memory,
            "model": self.model,
            "card": self.card,
            "window": known.session.measured,
            "findings": self.findings,
            "profile": self.profile,
            "error": self.error,
        })
    }
}

fn server(known: &Known) -> Value {
    let card = known.session.server_card();
    json!({
        "address": known.session.host,
        "product": card.map(|card| &card.product),
        "version": card.map(|card| &card.version),
        "exposed": known.session.exposed,
        "windows": card.map(|card| &card.windows),
        "slots": card.and_then(|card| card.slots),
    })
}
