//! What the trials of a run know of its models: each is examined once where nobody did that yet, and what is known then stays
//! the same for every trial of the run.

use super::say;
use super::watching::{Watching, settled};
use crate::session::Plan;
use crate::subcommands::examine;
use agent_bench::{KeptRun, Variant};
use agent_headless::End;
use agent_protocol::{ModelProfile, ServerErrorScope};
use agent_store::Profiles;
use anyhow::{Result, anyhow};
use std::path::PathBuf;
use tokio::runtime::Runtime;

/// The name that a session looks for it under, too.
const FILE: &str = "models.json";

/// Whether a model that nobody examined is examined first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exam {
    Once,
    Never,
}

impl Exam {
    /// As a wish or a plan has it.
    pub(super) fn of(no_exam: bool) -> Self {
        if no_exam { Exam::Never } else { Exam::Once }
    }
}

/// What is known of the models of a run, and how it ended where finding out was stopped.
pub(super) enum Known {
    At(PathBuf),
    Stopped(End),
}

/// What is known of one model.
pub(super) enum Found {
    Model {
        digest: String,
        profile: Box<ModelProfile>,
    },
    /// Finding out was stopped, or the server does not answer, which was said.
    Stopped(End),
}

/// Writes what is known of the models of `kept` into its folder, where that was not done yet.
///
/// **Invariant.** No trial is made before: all of a run begin with the same.
pub(super) fn known(runtime: &Runtime, kept: &KeptRun, plan: &Plan) -> Result<Known> {
    let path = kept.folder.join(FILE);
    if path.is_file() {
        return Ok(Known::At(path));
    }
    let exam = Exam::of(kept.plan.no_exam);
    let mut digests = Vec::new();
    for arm in models(&kept.plan.arms) {
        match found(runtime, plan, arm, exam)? {
            Found::Model { digest, .. } => digests.push(digest),
            Found::Stopped(end) => return Ok(Known::Stopped(end)),
        }
    }
    let known: Vec<ModelProfile> = Profiles::new(plan.place.clone())
        .load()
        .into_iter()
        .filter(|profile| digests.contains(&profile.digest))
        .collect();
    kept.write(FILE, &(serde_json::to_string_pretty(&known)? + "\n"))?;
    Ok(Known::At(path))
}

/// What is known of the model of `arm`, after an examination where it needs one.
pub(super) fn found(runtime: &Runtime, plan: &Plan, arm: &Variant, exam: Exam) -> Result<Found> {
    let facts = match runtime.block_on(Watching::of(&plan.config).ask(arm))? {
        Ok(facts) => facts,
        Err(error) => {
            let end = match error.scope() {
                ServerErrorScope::Model => End::NoModel,
                ServerErrorScope::Server | ServerErrorScope::Request | ServerErrorScope::Reply => End::NoServer,
            };
            crate::complain(&anyhow!("{error}"));
            return Ok(Found::Stopped(end));
        }
    };
    let digest = digest(facts.digest, arm);
    let profiles = Profiles::new(plan.place.clone());
    let known = || profiles.load().into_iter().find(|profile| profile.digest == digest);
    if exam == Exam::Once && known().is_none_or(|profile| profile.examined.is_none()) {
        say(&format!("examining {}, once", arm.model));
        let config = settled(&plan.config, arm);
        match examine(runtime, Plan { config, ..plan.clone() }, &arm.model)? {
            end @ (End::Interrupted | End::Signalled(_)) => return Ok(Found::Stopped(end)),
            // A model with faults was examined, too.
            _ if known().is_some_and(|profile| profile.examined.is_some()) => {}
            _ => say(&format!("{} could not be examined; `agent doctor` says why", arm.model)),
        }
    }
    let profile = known().unwrap_or_default();
    Ok(Found::Model { profile: Box::new(profile), digest })
}

/// Under what it is kept. A session gives this name to what has no digest.
pub(super) fn digest(told: Option<String>, arm: &Variant) -> String {
    told.unwrap_or_else(|| format!("name:{}", arm.model))
}

/// Of several arms with one model the first.
fn models(arms: &[Variant]) -> Vec<&Variant> {
    let mut models: Vec<&Variant> = Vec::new();
    for arm in arms {
        if !models.iter().any(|other| (&other.host, &other.model) == (&arm.host, &arm.model)) {
            models.push(arm);
        }
    }
    models
}
