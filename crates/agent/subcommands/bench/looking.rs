//! What needs no server: the runs there are, what one found, two compared, and the self-test.

use super::{limits, say, some};
use agent_bench::task::Template;
use agent_bench::{
    Archive, BenchReport, GradingPlace, KeptRun, Machine, Rows, TrialRow, Verdict, compare as compared, embedded,
    pairs, selftest as test, tree,
};
use agent_headless::End;
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// The second run of a comparison is worse.
const WORSE: u8 = 7;

/// Every run in a line.
pub(super) fn list(archive: &Archive) -> Result<ExitCode> {
    let runs = archive.list();
    if runs.is_empty() {
        say("no run yet; `agent bench` makes one");
    }
    for kept in runs {
        let report = report(&kept)?;
        let shares = report.figures.iter().map(|arm| format!("{} {}", arm.arm, agent_bench::share(arm)));
        let (done, all) = report.done;
        say(&format!("{}  {done}/{all}  {}", kept.plan.id, shares.collect::<Vec<_>>().join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn show(kept: &KeptRun, json: bool, markdown: bool) -> Result<ExitCode> {
    let report = report(kept)?;
    if json {
        say(report.json().trim_end());
    } else if markdown {
        say(report.markdown().trim_end());
    } else {
        say(format!("{}\n\n{}", report.words(), report.plot()).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn report(kept: &KeptRun) -> Result<BenchReport> {
    let rows = Rows::look(&kept.rows())?;
    let report = BenchReport::new(kept.plan.clone(), rows, Machine::this());
    Ok(report.knowing(kept.learned()).with_skipped(&kept.skipped()))
}

/// The models of two runs, those of one name against each other; where each has one model, these.
pub(super) fn compare(one: &KeptRun, other: &KeptRun) -> Result<ExitCode> {
    if one.plan.hash != other.plan.hash {
        bail!("{} and {} are not of the same tasks, so nothing can be compared", one.plan.id, other.plan.id);
    }
    if one.plan.seed != other.plan.seed {
        say("their seeds are not the same: the tasks have other names and numbers in each");
    }
    let (before, after) = (one.plan.arm_names(), other.plan.arm_names());
    let matched: Vec<(String, String)> = match (before.as_slice(), after.as_slice()) {
        ([before], [after]) => vec![(before.clone(), after.clone())],
        (before, after) => {
            before.iter().filter(|name| after.contains(name)).map(|name| (name.clone(), name.clone())).collect()
        }
    };
    let mut code = ExitCode::SUCCESS;
    for (before, after) in some(matched, "no model is in both runs")? {
        let label = |kept: &KeptRun, name: &str| format!("{name} ({})", kept.plan.id);
        let (first, second) = (label(one, &before), label(other, &after));
        let rows = [named(one, &before, &first)?, named(other, &after, &second)?].concat();
        let difference = compared(&pairs(&rows, &one.plan.kinds(), &second, &first));
        say(&difference.words(&second, &first));
        if difference.verdict() == Verdict::Worse {
            code = ExitCode::from(WORSE);
        }
    }
    Ok(code)
}

/// The rows of one model, under another name.
fn named(kept: &KeptRun, arm: &str, name: &str) -> Result<Vec<TrialRow>> {
    let rows = Rows::look(&kept.rows())?.into_iter().filter(|row| row.arm == arm);
    Ok(rows.map(|row| TrialRow { arm: name.to_owned(), ..row }).collect())
}

/// Writes a task that is built in or in the folder `dir`, filled, into a new folder.
pub(super) fn lay(id: &str, to: &Path, dir: Option<&Path>, seed: u64) -> Result<ExitCode> {
    let tasks = dir.map_or_else(embedded::built_in, embedded::in_folder)?;
    let Some(task) = tasks.iter().find(|task| task.id == id) else {
        let names: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        bail!("there is no task {id}; there are {}", names.join(", "));
    };
    let task = task.fill(seed)?;
    std::fs::create_dir(to).with_context(|| format!("{} cannot be made anew", to.display()))?;
    let sheet = &task.sheet;
    let text = format!(
        "{}\n\n---\ngraded by: {}\nmay change: {}\nminutes: {}\n",
        task.prompt,
        sheet.hidden,
        sheet.may_change.join(", "),
        sheet.minutes
    );
    std::fs::write(to.join("prompt.md"), text)?;
    tree::lay(&to.join("start"), &task.start)?;
    tree::lay(&to.join("hidden"), &task.hidden)?;
    say(&format!("{id} is in {}", to.display()));
    Ok(ExitCode::SUCCESS)
}

/// Holds tasks to what they say.
pub(super) fn selftest(runtime: &Runtime, ids: &[String], dir: Option<PathBuf>, seed: u64) -> Result<ExitCode> {
    let mut tasks = match &dir {
        Some(folder) => embedded::in_folder(folder)?,
        None => embedded::built_in()?,
    };
    if let Some(unknown) = ids.iter().find(|id| !tasks.iter().any(|task| task.id == **id)) {
        let place = dir.as_ref().map_or("built in".to_owned(), |folder| format!("in {}", folder.display()));
        bail!("there is no task {unknown} {place}");
    }
    tasks.retain(|task| ids.is_empty() || ids.contains(&task.id));
    let (mut held, mut failed, mut left_out) = (0, 0, 0);
    for task in some(tasks, "there is no task in the folder")? {
        let missing = test::missing(&task.sheet()?.needs);
        if !missing.is_empty() {
            say(&format!("left out  {} ({} is not there)", task.id, missing.join(", ")));
            left_out += 1;
            continue;
        }
        let faults = examine(runtime, &task, seed)?;
        if faults.is_empty() {
            say(&format!("holds     {}", task.id));
            held += 1;
        } else {
            say(&format!("FAILS     {}\n{}", task.id, faults.join("\n")));
            failed += 1;
        }
    }
    say(&format!("{held} hold, {failed} fail, {left_out} left out"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(End::Failed.code()) })
}

fn examine(runtime: &Runtime, task: &Template, seed: u64) -> Result<Vec<String>> {
    let folder = agent_bench::scratch()?;
    let root = folder.path().canonicalize()?;
    let limits = limits::limits(&root).map_err(|why| anyhow!("nothing can be graded here: {why}"))?;
    let place = GradingPlace::new(&root, limits)?;
    Ok(runtime.block_on(test::examine(&place, task, seed, test::TIMES))?)
}
