//! What `--tune` tries, and what of it is kept. Pure.

use crate::figures::{Difference, Verdict, compare, pairs};
use crate::rows::TrialRow;
use crate::run::RunPlan;
use crate::variant::Variant;
use agent_protocol::{Examined, Probe, ProbeVerdict, Think, ToolsBy, Tuned};
use serde::Deserialize;
use std::collections::BTreeMap;

const CANDIDATES: &str = include_str!("../../../assets/bench/tune.toml");

/// One setting that is tried.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// A key of the config.
    pub key: String,
    /// The values, each against the model as it is.
    pub values: Vec<String>,
    /// What the examination has to have found.
    pub when: CandidateWhen,
}

/// What the examination has to have found for a candidate to be worth its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateWhen {
    Always,
    Thinks,
    Calls,
    /// An exact edit failed, or needed help.
    EditsMiss,
}

impl CandidateWhen {
    pub fn holds(self, examined: Option<&Examined>) -> bool {
        let verdict = |probe| {
            let mut findings = examined?.findings.iter();
            findings.find(|finding| finding.probe == probe).map(|finding| finding.verdict)
        };
        match self {
            CandidateWhen::Always => true,
            CandidateWhen::Thinks => {
                matches!(verdict(Probe::Think), Some(ProbeVerdict::Passed | ProbeVerdict::Rescued))
            }
            CandidateWhen::Calls => {
                matches!(examined.and_then(|examined| examined.tools_by), Some(ToolsBy::Server | ToolsBy::Text))
            }
            CandidateWhen::EditsMiss => {
                matches!(verdict(Probe::Edit), Some(ProbeVerdict::Failed | ProbeVerdict::Rescued))
            }
        }
    }
}

/// What is tried with a model in which the examination found this.
pub fn candidates(examined: Option<&Examined>) -> Vec<Candidate> {
    let mut all = read(CANDIDATES).expect("the file is built in, and a test reads it");
    all.retain(|candidate| candidate.when.holds(examined));
    all
}

fn read(text: &str) -> Result<Vec<Candidate>, toml::de::Error> {
    let mut file: BTreeMap<String, Vec<Candidate>> = toml::from_str(text)?;
    Ok(file.remove("candidate").unwrap_or_default())
}

/// What a run of candidates found of one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneFinding {
    pub arm: String,
    pub setting: (String, String),
    /// How it differs from the model as it is.
    pub difference: Difference,
    /// It is better beyond doubt, and no other value of its key is better still.
    pub kept: bool,
}

impl TuneFinding {
    /// In a line.
    pub fn words(&self, default: &str) -> String {
        let words = self.difference.words(&self.arm, default);
        if self.kept { format!("kept: {words}") } else { format!("not kept: {words}") }
    }
}

/// What the rows say of each candidate of `plan`, whose first arm is the model as it is.
pub fn findings(plan: &RunPlan, rows: &[TrialRow]) -> Vec<TuneFinding> {
    let Some((default, candidates)) = plan.arms.split_first() else { return Vec::new() };
    let kinds = plan.kinds();
    let finding = |arm: &Variant| {
        let (key, value) = arm.settings.iter().next()?;
        let difference = compare(&pairs(rows, &kinds, &arm.name, &default.name));
        let (arm, setting) = (arm.name.clone(), (key.clone(), value.clone()));
        Some(TuneFinding { arm, setting, difference, kept: is_better(&difference) })
    };
    let mut all: Vec<TuneFinding> = candidates.iter().filter_map(finding).collect();
    let best = |key: &str, all: &[TuneFinding]| {
        let same = all.iter().filter(|one| one.kept && one.setting.0 == key);
        same.max_by(|one, other| one.difference.difference.total_cmp(&other.difference.difference)).cloned()
    };
    for at in 0..all.len() {
        let first = best(&all[at].setting.0.clone(), &all);
        all[at].kept = first.is_some_and(|first| first.arm == all[at].arm);
    }
    all
}

/// Beyond doubt: the interval lies above 0, and chance shows as much too seldom.
pub(crate) fn is_better(difference: &Difference) -> bool {
    difference.verdict() == Verdict::Better && difference.low > 0.0
}

/// Lays what is kept over what was learned before.
pub fn learned(before: Option<Tuned>, default: &str, findings: &[TuneFinding]) -> Option<Tuned> {
    let mut tuned = before.unwrap_or_default();
    for finding in findings.iter().filter(|finding| finding.kept) {
        let (key, value) = (finding.setting.0.as_str(), finding.setting.1.as_str());
        match key.strip_prefix("options.") {
            Some(option) => drop(tuned.options.insert(option.to_owned(), plain(value))),
            None if key == "think" => tuned.think = think(value),
            None if key == "tools.mode" => tuned.form = form(value),
            None => continue,
        }
        tuned.found.retain(|words| !words.starts_with(&format!("{key}=")));
        tuned.found.push(format!("{key}={value}: {}", finding.difference.words(&finding.arm, default)));
    }
    Some(tuned).filter(|tuned| *tuned != Tuned::default())
}

fn plain(value: &str) -> serde_json::Value {
    serde_json::from_str(value).unwrap_or_else(|_| value.into())
}

fn think(value: &str) -> Option<Think> {
    serde_json::from_value(value.into()).ok()
}

fn form(value: &str) -> Option<ToolsBy> {
    match value {
        "native" => Some(ToolsBy::Server),
        "text" => Some(ToolsBy::Text),
        "files" => Some(ToolsBy::Files),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ProbeFinding;

    fn examined(probe: Probe, verdict: ProbeVerdict) -> Examined {
        let findings = vec![ProbeFinding { probe, verdict, words: String::new() }];
        Examined { findings, ..Examined::default() }
    }

    #[test]
    fn every_candidate_can_be_kept_with_a_model() {
        for candidate in read(CANDIDATES).unwrap() {
            for value in &candidate.values {
                let difference =
                    Difference { tasks: 9, difference: 0.5, low: 0.1, high: 0.9, p: 0.01, visible_from: 0.1 };
                let setting = (candidate.key.clone(), value.clone());
                let finding = TuneFinding { arm: "b".into(), setting, difference, kept: true };
                let tuned = learned(None, "a", &[finding]).unwrap();
                assert_eq!(tuned.found.len(), 1);
                assert_ne!(Tuned { found: Vec::new(), ..tuned }, Tuned::default(), "{candidate:?}");
            }
        }
    }

    #[test]
    fn what_the_examination_found_decides_what_is_tried() {
        let keys = |examined: Option<&Examined>| {
            candidates(examined).into_iter().map(|candidate| candidate.key).collect::<Vec<_>>()
        };
        assert_eq!(keys(None), ["options.temperature"]);
        let thinks = examined(Probe::Think, ProbeVerdict::Passed);
        assert_eq!(keys(Some(&thinks)), ["think", "options.temperature"]);
        let misses = examined(Probe::Edit, ProbeVerdict::Failed);
        assert_eq!(keys(Some(&misses)), ["tools.mode", "options.temperature"]);
        assert_eq!(keys(Some(&examined(Probe::Think, ProbeVerdict::Skipped))), ["options.temperature"]);
    }

    #[test]
    fn what_was_learned_before_stays_but_for_what_is_found_anew() {
        let found = vec!["think=on: x".to_owned(), "options.top_k=5: y".to_owned()];
        let options = serde_json::Map::from_iter([("top_k".to_owned(), 5.into())]);
        let before = Tuned { think: Some(Think::On), options: options.clone(), form: None, found };
        let difference = Difference { tasks: 9, difference: 0.5, low: 0.1, high: 0.9, p: 0.01, visible_from: 0.1 };
        let setting = ("think".to_owned(), "off".to_owned());
        let finding = |kept| TuneFinding { arm: "b".into(), setting: setting.clone(), difference, kept };
        let now = learned(Some(before.clone()), "a", &[finding(true)]).unwrap();
        assert_eq!((now.think, now.options, now.found.len()), (Some(Think::Off), options, 2));
        assert_eq!(learned(Some(before.clone()), "a", &[finding(false)]), Some(before));
        assert_eq!(learned(None, "a", &[finding(false)]), None);
    }
}
