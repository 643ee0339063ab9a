//! `--tune`: which settings are tried with a model, and what of them is kept with what was learned of it.

use super::learned::{Exam, Found, digest, found};
use super::new::{Varied, arms};
use super::say;
use crate::args::BenchWish;
use crate::session::Plan;
use agent_bench::{BenchReport, candidates, findings, learned};
use agent_headless::End;
use agent_protocol::ModelProfile;
use agent_store::Profiles;
use anyhow::{Result, bail};
use tokio::runtime::Runtime;

/// What is tried with the one model that is meant, or how it ended.
pub(super) fn tried(runtime: &Runtime, wish: &BenchWish, plan: &Plan) -> Result<Result<Varied, End>> {
    let arms = arms(wish, plan)?;
    let [arm] = arms.as_slice() else { bail!("--tune takes one model; name it with --models") };
    match found(runtime, plan, arm, Exam::of(wish.no_exam))? {
        Found::Model { profile, .. } => Ok(Ok(Varied::tuning(candidates(profile.examined.as_ref())))),
        Found::Stopped(end) => Ok(Err(end)),
    }
}

/// Says what a run that is over found, and keeps what is better, for the weights that were measured: by now the server may have
/// others under that name, or be gone.
pub(super) fn keep(report: &BenchReport, plan: &Plan) -> Result<()> {
    let Some(default) = report.plan.arms.first() else { return Ok(()) };
    if report.spoiled {
        say("no setting is kept of a spoiled run; begin a new one");
        return Ok(());
    }
    if !report.is_whole() {
        say("no setting is kept before all trials are made: `agent bench resume`");
        return Ok(());
    }
    let findings = findings(&report.plan, &report.rows);
    for finding in &findings {
        say(&finding.words(&default.name));
    }
    let better = findings.iter().any(|finding| finding.kept);
    let Some(facts) = report.servers.get(&default.name).filter(|_| better) else {
        say("nothing was better beyond doubt, so nothing is changed");
        return Ok(());
    };
    let digest = digest(facts.digest.clone(), default);
    let profiles = Profiles::new(plan.place.clone()).load();
    let profile = profiles.into_iter().find(|profile| profile.digest == digest).unwrap_or_default();
    let tuned = learned(profile.tuned.clone(), &default.name, &findings);
    let profile = ModelProfile { digest, name: default.model.clone(), tuned, ..profile };
    Profiles::new(plan.place.clone()).save(&profile)?;
    say(&format!("sessions with {} use it from now on, below your own settings", default.model));
    Ok(())
}
