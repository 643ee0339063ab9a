//! The last result of each model, in one small file beside the runs: the lists of models show it, and need not read all runs.

use crate::archive::{Archive, ArchiveError, day};
use crate::report::BenchReport;
use crate::rows::lock;
use crate::run::RunPlan;
use crate::variant::Variant;
use agent_protocol::BenchResult;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::path::Path;

const FILE: &str = "results.json";
/// Held while the file is read and written anew: two runs may end at once.
const LOCK: &str = "results.lock";

/// A result as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptResult {
    /// Seconds since 1970 at the beginning of its run.
    #[serde(default)]
    began: u64,
    #[serde(flatten)]
    result: BenchResult,
}

impl KeptResult {
    fn is_of_same(&self, other: &KeptResult) -> bool {
        (&self.result.host, &self.result.model) == (&other.result.host, &other.result.model)
    }

    /// The day goes first: files of earlier versions hold nothing more exact.
    fn is_newer_than(&self, other: &KeptResult) -> bool {
        (&self.result.date, self.began) > (&other.result.date, other.began)
    }
}

impl Archive {
    /// The last result of each model of the server at `host`. A file that is not there, or cannot be read, tells nothing.
    pub fn results(&self, host: &str) -> Vec<BenchResult> {
        let all = self.all_results().into_iter().map(|kept| kept.result);
        all.filter(|result| result.host == host).collect()
    }

    /// Keeps what `report` found instead of what earlier runs found of the same models. Left out are runs that are spoiled or of
    /// chosen tasks alone, models that were tried on less than half of the task set, and arms with a setting of their own: nobody
    /// works with it unless they choose it.
    ///
    /// # Errors
    /// The system's words; another program has the file.
    pub fn keep_results(&self, report: &BenchReport) -> Result<(), ArchiveError> {
        let found = found(report);
        if found.is_empty() {
            return Ok(());
        }
        let _held = self.held()?;
        let mut all = self.all_results();
        for new in found {
            if all.iter().any(|old| old.is_of_same(&new) && old.is_newer_than(&new)) {
                continue;
            }
            all.retain(|old| !old.is_of_same(&new));
            all.push(new);
        }
        let text = serde_json::to_string_pretty(&all).unwrap_or_default();
        self.write(FILE, &text)
    }

    /// Nobody else keeps results until it is dropped.
    fn held(&self) -> Result<File, ArchiveError> {
        let path = self.folder().join(LOCK);
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let locked = opened.and_then(|file| lock(&file, "another program keeps its results").map(|()| file));
        locked.map_err(|source| ArchiveError::Io { path, source })
    }

    fn all_results(&self) -> Vec<KeptResult> {
        fs::read(self.folder().join(FILE))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }
}

/// What of `report` says something of models as they are.
fn found(report: &BenchReport) -> Vec<KeptResult> {
    let plan = &report.plan;
    if report.spoiled || !plan.only.is_empty() {
        return Vec::new();
    }
    let arms = plan.arms.iter().zip(&report.figures);
    arms.filter(|(arm, figures)| arm.settings.is_empty() && figures.trials > 0 && has_half(report, arm))
        .map(|(arm, figures)| KeptResult {
            began: plan.began,
            result: BenchResult {
                host: arm.host.clone(),
                model: arm.model.clone(),
                digest: report.servers.get(&arm.name).and_then(|facts| facts.digest.clone()),
                solved: (figures.share.share, figures.share.low, figures.share.high),
                course: short(plan),
                date: day(plan.began),
                agent: plan.agent.clone(),
            },
        })
        .collect()
}

/// Was it tried on half of the task set at least? What was left out for programs that are not here belongs to it.
fn has_half(report: &BenchReport, arm: &Variant) -> bool {
    let counted = report.rows.iter().filter(|row| row.arm == arm.name && row.counts());
    let tried: BTreeSet<&str> = counted.map(|row| row.task.as_str()).collect();
    tried.len() * 2 >= report.plan.tasks.len() + report.plan.left_out.len()
}

/// A few words, for lists: of a folder its own name, of exercises the protocol as well.
fn short(plan: &RunPlan) -> String {
    let name = plan.folder.as_deref().and_then(Path::file_name);
    let name = name.map_or_else(|| plan.course.clone(), |name| name.to_string_lossy().into_owned());
    plan.protocol.map_or_else(|| name.clone(), |protocol| format!("{name}, {}", protocol.word()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::TrialClass;
    use crate::report::tests::report;
    use crate::rows::sample;
    use crate::tries::ImportProtocol;
    use crate::watch::ServerFacts;

    const HOST: &str = "127.0.0.1:11434";

    /// A run that began on this day.
    fn of_day(day: u64) -> BenchReport {
        let mut report = report();
        report.plan.began = day * 86_400;
        report
    }

    fn told(archive: &Archive) -> Vec<(String, String, String)> {
        archive.results(HOST).into_iter().map(|one| (one.model, one.course, one.date)).collect()
    }

    fn result(model: &str, course: &str, date: &str) -> (String, String, String) {
        (model.to_owned(), course.to_owned(), date.to_owned())
    }

    #[test]
    fn the_last_result_of_a_model_is_kept_for_its_server_with_the_build_that_was_measured() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path());
        assert!(archive.results(HOST).is_empty());
        archive.keep_results(&of_day(0)).unwrap();
        let mut found = of_day(1);
        found.plan.folder = Some("/home/me/my-tasks".into());
        found.plan.arms[1].settings.insert("think".into(), "off".into());
        found.servers.insert("big".into(), ServerFacts { digest: Some("d1".into()), ..ServerFacts::default() });
        archive.keep_results(&found).unwrap();
        let small = found.plan.arms[1].model.clone();
        let expected = [result(&small, "quick", "1970-01-01"), result("big", "my-tasks", "1970-01-02")];
        assert_eq!(told(&archive), expected, "the arm with a setting is not the model as it is");
        let digests: Vec<_> = archive.results(HOST).into_iter().map(|one| one.digest).collect();
        assert_eq!(digests, [None, Some("d1".to_owned())]);
        assert!(archive.results("other:1").is_empty());
        assert!(archive.list().is_empty(), "it is no run");
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert!(archive.results(HOST).is_empty());
    }

    #[test]
    fn an_earlier_run_that_goes_on_later_replaces_nothing_newer() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path());
        archive.keep_results(&of_day(5)).unwrap();
        let newest = told(&archive);
        let mut earlier = of_day(5);
        earlier.plan.began += 3_600;
        archive.keep_results(&earlier).unwrap();
        earlier.plan.course = "core".into();
        earlier.plan.began -= 1_800;
        archive.keep_results(&earlier).unwrap();
        archive.keep_results(&of_day(4)).unwrap();
        assert_eq!(told(&archive), newest);
        earlier.plan.began += 1_800;
        archive.keep_results(&earlier).unwrap();
        assert_eq!(told(&archive)[0].1, "core", "the same run once more");
    }

    #[test]
    fn a_file_of_an_earlier_version_is_read_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path());
        let old = r#"[{"host":"127.0.0.1:11434","model":"big","solved":[0.1,0.0,0.2],"course":"quick","date":"1970-01-03",
            "agent":"0"}]"#;
        fs::write(folder.path().join(FILE), old).unwrap();
        archive.keep_results(&of_day(1)).unwrap();
        assert_eq!(told(&archive)[0], result("big", "quick", "1970-01-03"));
        archive.keep_results(&of_day(3)).unwrap();
        assert!(told(&archive).contains(&result("big", "quick", "1970-01-04")));
    }

    #[test]
    fn what_is_no_result_of_the_course_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path());
        let mut chosen = of_day(1);
        chosen.plan.only = vec!["t1".into()];
        archive.keep_results(&chosen).unwrap();
        let good = of_day(1);
        let faults = good.rows.iter().map(|row| sample(&row.arm, &row.task, 1, TrialClass::Fault));
        let rows = faults.take(2).chain(good.rows.clone()).collect();
        let spoiled = BenchReport::new(good.plan.clone(), rows, good.machine.clone());
        assert!(spoiled.spoiled);
        archive.keep_results(&spoiled).unwrap();
        assert!(archive.results(HOST).is_empty());

        // Five tasks belong to the course, of which one was left out.
        let begun = |trials: usize| {
            let rows = good.rows.iter().filter(|row| row.arm == "big").take(trials).cloned().collect();
            BenchReport::new(good.plan.clone(), rows, good.machine.clone())
        };
        archive.keep_results(&begun(2)).unwrap();
        assert!(archive.results(HOST).is_empty());
        archive.keep_results(&begun(3)).unwrap();
        assert_eq!(told(&archive), [result("big", "quick", "1970-01-02")]);
    }

    #[test]
    fn lists_name_exercises_in_a_few_words() {
        let mut plan = report().plan;
        plan.folder = Some("/home/me/polyglot-benchmark".into());
        plan.protocol = Some(ImportProtocol::Aider);
        plan.course = format!("/home/me/polyglot-benchmark, {}", ImportProtocol::Aider.words());
        assert_eq!(short(&plan), "polyglot-benchmark, aider");
        plan.protocol = None;
        assert_eq!(short(&plan), "polyglot-benchmark");
    }

    #[test]
    fn two_runs_that_end_at_once_do_not_lose_each_others_results() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path());
        let held = archive.held().unwrap();
        let other = OpenOptions::new().append(true).open(folder.path().join(LOCK)).unwrap();
        assert!(other.try_lock().is_err(), "the other one waits");
        drop(held);
        archive.keep_results(&of_day(0)).unwrap();
        assert_eq!(archive.results(HOST).len(), 2);
    }
}
