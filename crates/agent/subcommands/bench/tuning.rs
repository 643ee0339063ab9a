//! `--tune`: which settings are tried with a model, and what of them is kept with what was learned of it.

use super::learned::{Exam, Found, digest, found};
use super::new::{Varied, arms};
use super::say;
use crate::args::BenchWish;
use crate::session::Plan;
use agent_bench::{BenchReport, candidates, findings, learned};
use agent_headless::End;
use agent_protocol::{ModelProfile, Tuned};
use agent_store::{Place, Profiles};
use anyhow::{Result, bail};
use std::process::ExitCode;
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

/// Takes back what is kept with `model`, of all its weights, and says what that was.
pub(super) fn take_back(model: &str, place: &Place) -> Result<ExitCode> {
    let mut profiles = Profiles::new(place.clone());
    let is_meant = |profile: &ModelProfile| [model, &format!("{model}:latest")].contains(&profile.name.as_str());
    let kept: Vec<ModelProfile> = profiles.load().into_iter().filter(is_meant).collect();
    let mut taken = 0;
    for profile in kept {
        let Some(tuned) = profile.tuned.as_ref().filter(|tuned| **tuned != Tuned::default()) else { continue };
        tuned.found.iter().for_each(|found| say(&format!("no more: {found}")));
        profiles.save(&ModelProfile { tuned: Some(Tuned::default()), ..profile })?;
        taken += 1;
    }
    if taken == 0 {
        bail!("nothing that --tune found is kept with {model}; `agent models show {model}` shows what is");
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_taken_back_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        let tuned = Tuned { think: None, found: vec!["options.temperature=0.2: better".into()], ..Tuned::default() };
        let profile = ModelProfile {
            digest: "d".into(),
            name: "m:latest".into(),
            window: Some(9),
            tuned: Some(tuned),
            ..ModelProfile::default()
        };
        Profiles::new(place.clone()).save(&profile).unwrap();
        take_back("m", &place).unwrap();
        let left = Profiles::new(place.clone()).load();
        assert_eq!((left[0].tuned.clone(), left[0].window), (Some(Tuned::default()), Some(9)));
        assert!(take_back("m", &place).unwrap_err().to_string().contains("agent models show m"));
    }
}
