//! Holds the tasks to what they say, without a model: the start fails in the named tests and in no others, the solution passes
//! three times, every plausible mistake fails, and the model sees nothing that names the hidden tests.

use crate::glob;
use crate::grading::{Graded, GradingError, GradingPlace, grade};
use crate::task::{OnStart, Task, TaskError, TaskKind, Template};
use crate::tree::{self, Files};
use std::collections::BTreeSet;
use std::path::Path;

/// A solution has to pass so many times in a row, where nobody is in a hurry.
pub const TIMES: usize = 3;
/// Shorter names stand in any text.
const TELLING: usize = 8;

/// Why a task could not be held to what it says.
#[derive(Debug, thiserror::Error)]
pub enum SelfTestError {
    /// It is no task.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// It could not be graded.
    #[error(transparent)]
    Grading(#[from] GradingError),
}

/// Programs that the task needs and that are not on the `PATH`.
pub fn missing(needs: &[String]) -> Vec<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |name: &String| std::env::split_paths(&path).any(|folder| is_program(&folder.join(name)));
    needs.iter().filter(|name| !there(name)).cloned().collect()
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// What does not hold of `template`, filled from `seed`, whose solution is run `times` times; nothing: all of it does.
///
/// # Errors
/// It is no task, or could not be graded.
pub async fn examine(
    place: &GradingPlace,
    template: &Template,
    seed: u64,
    times: usize,
) -> Result<Vec<String>, SelfTestError> {
    let task = template.fill(seed)?;
    let mut faults = static_faults(&task);
    faults.extend(visible(place, &task).await?);
    if task.sheet.kind != TaskKind::Cannot {
        faults.extend(start(place, &task).await?);
        faults.extend(solution(place, &task, times).await?);
        for (name, wrong) in &task.wrong {
            let result = tree::laid_over(&task.start, wrong);
            if grade(place, &task, &result).await?.passed() {
                faults.push(format!("wrong/{name} passes"));
            }
        }
    }
    Ok(faults.into_iter().map(|fault| format!("seed {seed}: {fault}")).collect())
}

/// What can be seen without running anything.
fn static_faults(task: &Task) -> Vec<String> {
    let mut faults = Vec::new();
    if task.wrong.len() < 2 {
        faults.push("fewer than two folders in wrong/".to_owned());
    }
    let unchanged = |files: &Files| files.iter().all(|(name, content)| task.start.get(name) == Some(content));
    faults.extend(
        task.wrong
            .iter()
            .filter(|(_, files)| unchanged(files))
            .map(|(name, _)| format!("wrong/{name} changes nothing")),
    );
    if task.sheet.kind == TaskKind::Cannot {
        return faults;
    }
    if task.hidden.is_empty() || task.solution.is_empty() {
        faults.push("hidden/ or solution/ holds no file".to_owned());
    }
    let may = |name: &&String| task.sheet.may_change.iter().any(|pattern| glob::matches(pattern, name));
    let outside = task.solution.keys().filter(|name| !may(name));
    faults.extend(outside.map(|name| format!("solution/ changes {name}, which may not change")));
    faults.extend(named(task));
    faults.extend(unfilled(task));
    faults
}

/// What of the hidden tests the model could read.
fn named(task: &Task) -> Vec<String> {
    let contents = task.start.values().map(|content| String::from_utf8_lossy(content).into_owned());
    let text = task.start.keys().cloned().chain(contents).collect::<Vec<_>>().join("\n");
    let stem = |name: &String| Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let files =
        task.hidden.keys().filter(|name| !task.start.contains_key(*name)).map(stem).filter(|stem| stem.len() > 4);
    let tests = task.sheet.tests.iter().filter(|name| name.len() >= TELLING).cloned();
    files.chain(tests).filter(|name| text.contains(name)).map(|name| format!("start/ names {name}")).collect()
}

fn unfilled(task: &Task) -> Option<String> {
    let open = |text: &str| {
        let after = text.split("@@").nth(1)?;
        let is_key = !after.is_empty() && after.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
        (is_key && text.matches("@@").count() > 1).then(|| format!("@@{after}@@ is not in [fill]"))
    };
    let files = task.start.values().chain(task.hidden.values()).chain(task.solution.values());
    open(&task.prompt).or_else(|| files.map(|content| String::from_utf8_lossy(content)).find_map(|text| open(&text)))
}

async fn visible(place: &GradingPlace, task: &Task) -> Result<Vec<String>, GradingError> {
    if task.sheet.visible.is_empty() {
        return Ok(Vec::new());
    }
    let mut faults = Vec::new();
    let checked = place.check(&task.start, &task.sheet.visible).await?;
    let passes = checked.code == Some(0);
    if passes != (task.sheet.on_start == OnStart::Passes) || matches!(checked.code, Some(126 | 127) | None) {
        let said = tail(&checked.output);
        faults.push(format!("visible on start/ ends with {:?}, on_start says otherwise\n{said}", checked.code));
    }
    if !task.solution.is_empty() {
        let solved = tree::laid_over(&task.start, &task.solution);
        let checked = place.check(&solved, &task.sheet.visible).await?;
        if checked.code != Some(0) {
            faults.push(format!("visible with solution/ ends with {:?}\n{}", checked.code, tail(&checked.output)));
        }
    }
    Ok(faults)
}

/// The start has to fail in just the tests that are named so, and not by failing to build.
async fn start(place: &GradingPlace, task: &Task) -> Result<Vec<String>, GradingError> {
    let graded = grade(place, task, &task.start).await?;
    let mut faults = Vec::new();
    if graded.passed() {
        faults.push("start/ passes with hidden/".to_owned());
    }
    if task.sheet.fails_on_start.is_empty() {
        // It does not say in which tests; that it fails is enough.
        return Ok(faults);
    }
    let said: BTreeSet<String> = task.sheet.fails_on_start.iter().cloned().collect();
    let fails: BTreeSet<String> =
        task.sheet.tests.iter().filter(|name| !graded.passed.contains(*name)).cloned().collect();
    let unreported: Vec<_> = task.sheet.tests.iter().filter(|name| !graded.reported.contains_key(*name)).collect();
    if task.sheet.builds_on_start && !unreported.is_empty() {
        faults.push(format!("start/ with hidden/ does not report {unreported:?}\n{}", tail(&graded.output)));
    }
    if if task.sheet.builds_on_start { fails != said } else { !said.is_subset(&fails) } {
        faults.push(format!("start/ with hidden/ fails in {fails:?}, said is {said:?}\n{}", tail(&graded.output)));
    }
    Ok(faults)
}

async fn solution(place: &GradingPlace, task: &Task, times: usize) -> Result<Vec<String>, GradingError> {
    let solved = tree::laid_over(&task.start, &task.solution);
    for time in 1..=times {
        let graded = grade(place, task, &solved).await?;
        if !graded.passed() {
            return Ok(vec![format!("solution/ fails at time {time}: {}", why(task, &graded))]);
        }
    }
    Ok(Vec::new())
}

fn why(task: &Task, graded: &Graded) -> String {
    let fails: Vec<_> = task.sheet.tests.iter().filter(|name| !graded.passed.contains(*name)).collect();
    let lines = graded.lines;
    format!("{:?} in {fails:?}, {lines} lines changed\n{}", graded.failure, tail(&graded.output))
}

/// The last lines.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let last = lines.len().saturating_sub(15);
    lines[last..].iter().map(|line| format!("    | {line}\n")).collect()
}
