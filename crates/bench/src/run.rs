//! A run: trials in their order, each graded and written down before the next. It goes on where it was left.
//!
//! Prints nothing; whoever calls it is told what happens.

use crate::attempts::{Attempts, attempts};
use crate::class::{ChildEnd, TrialClass, class};
use crate::grading::{Graded, GradingError, GradingPlace, grade};
use crate::left::time_left;
use crate::order::{Slot, Trying, Turns};
use crate::rows::{Rows, TrialKey, TrialRow, began};
use crate::run_control::RunControl;
use crate::task::{Task, TaskError, TaskKind, Template};
use crate::trial::{TrialSettings, Tried, scratch};
use crate::tries::{ImportProtocol, TryResult};
use crate::variant::Variant;
use crate::watch::{self, Blame, Clocks, ServerFacts, Watch};
use agent_policy::SandboxLimits;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a run is made of: written down when it begins, read when it goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    pub version: u32,
    pub id: String,
    /// Seconds since 1970 at its beginning.
    pub began: u64,
    pub agent: String,
    /// The task set's name, or the folder of tasks.
    pub course: String,
    /// The folder of tasks where they are the user's own, or of exercises where they are imported.
    pub folder: Option<PathBuf>,
    /// How imported exercises are tried; none: they are tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<ImportProtocol>,
    /// What the tasks are, in sixteen letters.
    pub hash: String,
    /// Tasks with what they ask, in the order of the task set.
    pub tasks: Vec<(String, TaskKind)>,
    /// Tasks that were left out, and why.
    pub left_out: Vec<(String, String)>,
    pub arms: Vec<Variant>,
    /// Trials of each task by each arm.
    pub trials: u32,
    /// What tasks are filled from, and what their order follows.
    pub seed: u64,
    /// Time limits are so many times what tasks say.
    pub time_factor: f64,
    /// The command that repeats it.
    pub command: String,
    /// How its arms are compared.
    #[serde(default)]
    pub trying: Trying,
    /// Only tasks whose names begin so; none: all of the task set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// No model is examined before its first trial.
    #[serde(default)]
    pub no_exam: bool,
}

impl RunPlan {
    /// The order of all its trials, each once.
    pub fn order(&self) -> Vec<Slot> {
        let mut seen = BTreeSet::new();
        self.stages().into_iter().flat_map(|stage| stage.slots).filter(|slot| seen.insert(*slot)).collect()
    }

    /// How its arms take turns.
    pub(crate) fn turns(&self) -> Turns {
        let one_model = self.arms.windows(2).all(|pair| pair[0].shares_model_with(&pair[1]));
        if one_model { Turns::EachTask } else { Turns::Blocks }
    }

    pub fn kinds(&self) -> BTreeMap<String, TaskKind> {
        self.tasks.iter().cloned().collect()
    }

    /// The names of its arms.
    pub fn arm_names(&self) -> Vec<String> {
        self.arms.iter().map(|arm| arm.name.clone()).collect()
    }

    /// About how long the rest takes, and how many trials that is, those of skipped tasks included.
    fn left(&self, control: &RunControl, rows: &Rows) -> (Duration, usize) {
        let mut open = self.outstanding(rows.all());
        open.retain(|slot| !rows.is_done(&self.key(*slot)));
        let wanted = open.iter().filter(|slot| !control.is_skipped(&self.tasks[slot.task].0));
        let alike = wanted.map(|slot| (self.arms[slot.arm].name.as_str(), self.tasks[slot.task].1));
        (time_left(alike, rows.all(), &self.kinds()).unwrap_or_default(), open.len())
    }

    pub(crate) fn key(&self, slot: Slot) -> TrialKey {
        TrialKey { arm: self.arms[slot.arm].name.clone(), task: self.tasks[slot.task].0.clone(), trial: slot.trial }
    }
}

/// Why a run came to no end. Its rows are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file or a process.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    Grading(#[from] GradingError),
    /// The tasks are not those that it began with.
    #[error("the tasks are not those that run {id} began with; begin a new one")]
    OtherTasks { id: String },
    /// There is no sandbox to grade in.
    #[error("nothing can be graded here: {0}")]
    NoLimits(String),
    /// The server did not answer, however often it was asked.
    #[error("no server for {arm}: {words}")]
    NoServer { arm: String, words: String },
    /// The model is not there.
    #[error("no model for {arm}: {words}")]
    NoModel { arm: String, words: String },
    /// The server is not what it was when the run began, however often the trial was made.
    #[error("{words}, since {arm} began here; set that right and `agent bench resume`, or begin a new run")]
    OtherServer {
        arm: String,
        /// What is not as it was.
        words: String,
    },
    /// The trial's process does not understand what it was given.
    #[error("a trial of {arm} could not begin: {words}")]
    Unusable { arm: String, words: String },
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress<'a> {
    /// Trials that are done, of all.
    pub done: (usize, usize),
    /// The trial that was made now.
    pub row: &'a TrialRow,
    /// About how long the rest takes, tasks that are skipped left out.
    pub left: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    Complete,
    /// The time that it may take is over.
    TimeUp,
}

/// What a run works with.
pub struct Workshop<'a> {
    /// The folder of this run.
    pub folder: &'a Path,
    /// All tasks of the plan.
    pub templates: &'a [Template],
    /// What trials have in common.
    pub trials: TrialSettings,
    /// The limits of commands in a folder.
    pub limits: &'a dyn Fn(&Path) -> Result<SandboxLimits, String>,
    /// Who looks at the servers around each trial.
    pub watch: Option<&'a dyn Watch>,
    /// Not one more trial begins after this.
    pub until: Option<Instant>,
    /// Where a person pauses it and skips tasks.
    pub control: &'a RunControl,
}

/// Makes all trials that are not made yet. Dropping the future ends the one that is under way; it is made again later.
///
/// # Errors
/// See [`RunError`].
pub async fn run(
    plan: &RunPlan,
    shop: &Workshop<'_>,
    rows: &mut Rows,
    mut tell: impl FnMut(Progress<'_>),
) -> Result<Stopped, RunError> {
    for stage in plan.stages() {
        for slot in &stage.slots {
            if plan.is_lost(&stage, rows.all()) {
                break;
            }
            if make(plan, shop, *slot, rows, &mut tell).await? == Stopped::TimeUp {
                return Ok(Stopped::TimeUp);
            }
        }
    }
    Ok(Stopped::Complete)
}

/// Makes a trial, until it says something of the model or was made too often.
async fn make(
    plan: &RunPlan,
    shop: &Workshop<'_>,
    slot: Slot,
    rows: &mut Rows,
    tell: &mut impl FnMut(Progress<'_>),
) -> Result<Stopped, RunError> {
    let key = plan.key(slot);
    while !rows.is_done(&key) && shop.control.may_begin(&key.task).await {
        if shop.until.is_some_and(|until| Instant::now() >= until) {
            return Ok(Stopped::TimeUp);
        }
        let before = began(rows.all(), &key.arm).cloned();
        let Some(made) = shop.control.unless_skipped(&key.task, one(plan, shop, slot, before.as_ref())).await else {
            break;
        };
        let made = made?;
        let row = made.row.clone();
        rows.append(row.clone())?;
        let (left, open) = plan.left(shop.control, rows);
        let done = plan.order().iter().filter(|slot| rows.is_done(&plan.key(**slot))).count();
        tell(Progress { done: (done, done + open), row: &row, left });
        hopeless(made, rows.is_done(&key))?;
    }
    Ok(Stopped::Complete)
}

/// A trial that was made.
struct Made {
    row: TrialRow,
    end: ChildEnd,
    /// What it said to people.
    complaint: String,
    blame: Option<Blame>,
}

/// One trial, made and graded, and what came of its server meanwhile.
async fn one(plan: &RunPlan, shop: &Workshop<'_>, slot: Slot, began: Option<&ServerFacts>) -> Result<Made, RunError> {
    let (arm, id) = (&plan.arms[slot.arm], &plan.tasks[slot.task].0);
    let template = shop.templates.iter().find(|template| template.id == *id);
    let template = template.ok_or_else(|| RunError::OtherTasks { id: plan.id.clone() })?;
    // Arms are compared on the same texts, so the seed follows from the trial alone.
    let seed = plan.seed.wrapping_add(u64::from(slot.trial));
    let task = template.fill(seed)?;
    if let Some(blame) = watch::before(began, look(shop, arm).await.as_ref()) {
        return Ok(not_made(plan, slot, seed, blame));
    }
    let kept = shop.folder.join("kept").join(tidy(&arm.name)).join(format!("{id}-{}", slot.trial));
    let clocks = Clocks::now();
    let grade = async |tried: &Tried| graded(shop, &task, tried).await;
    let begins = |stream| shop.control.begins(plan.key(slot), stream);
    let made = attempts((arm, &task), &shop.trials, &kept, plan.protocol, begins, grade).await?;
    let Attempts { tried, graded, tries } = made;
    let (slept, look) = (clocks.slept(), look(shop, arm).await);
    std::fs::write(kept.join("grading.txt"), &graded.output)?;
    let mut row = row(plan, slot, seed, &task, (&tried, &graded, tries));
    let blame = watch::after(began, look.as_ref(), slept, tried.told.reloads);
    row.server = look.and_then(Result::ok);
    if let Some(blame) = &blame {
        blamed(&mut row, blame);
    }
    Ok(Made { row, end: tried.end, complaint: tried.complaint, blame })
}

async fn look(shop: &Workshop<'_>, arm: &Variant) -> Option<Result<ServerFacts, String>> {
    match shop.watch {
        Some(watch) => Some(watch.look(arm).await),
        None => None,
    }
}

/// The trial says nothing of the model.
fn blamed(row: &mut TrialRow, blame: &Blame) {
    row.class = TrialClass::Fault;
    let words = [blame.words(), row.note.as_str()];
    row.note = words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
}

/// A trial that was not begun, for what its server is.
fn not_made(plan: &RunPlan, slot: Slot, seed: u64, blame: Blame) -> Made {
    let TrialKey { arm, task, trial } = plan.key(slot);
    let mut row = TrialRow { arm, task, trial, seed, ended: now(), ..TrialRow::default() };
    blamed(&mut row, &blame);
    Made { row, end: ChildEnd::Killed, complaint: String::new(), blame: Some(blame) }
}

async fn graded(shop: &Workshop<'_>, task: &Task, tried: &Tried) -> Result<Graded, RunError> {
    let folder = scratch()?;
    let root = folder.path().canonicalize()?;
    let limits = (shop.limits)(&root).map_err(RunError::NoLimits)?;
    Ok(grade(&GradingPlace::new(&root, limits)?, task, &tried.result).await?)
}

fn row(
    plan: &RunPlan,
    slot: Slot,
    seed: u64,
    task: &Task,
    (tried, graded, tries): (&Tried, &Graded, Vec<TryResult>),
) -> TrialRow {
    let (key, told) = (plan.key(slot), &tried.told);
    let class = class(task, tried.end, told, graded);
    TrialRow {
        arm: key.arm,
        task: key.task,
        trial: key.trial,
        seed,
        class,
        secs: (tried.took.as_secs_f64() * 10.0).round() / 10.0,
        steps: told.steps,
        read: told.read,
        reused: told.reused,
        written: told.written,
        thought: told.thought / 4,
        calls: told.calls,
        repaired: told.repaired,
        missed: told.missed,
        speed: told.speed().map(|speed| (speed * 10.0).round() / 10.0),
        exit: match tried.end {
            ChildEnd::Exited(code) => Some(code),
            ChildEnd::Killed | ChildEnd::TimeUp => None,
        },
        tests: (graded.passed.len(), task.sheet.tests.len()),
        changed_lines: graded.lines,
        note: note(class, told.failing.as_deref(), tried, graded),
        server: None,
        ended: now(),
        tries,
    }
}

/// What else there is to say.
fn note(class: TrialClass, failing: Option<&str>, tried: &Tried, graded: &Graded) -> String {
    let outside = (!graded.outside.is_empty())
        .then(|| format!("changed besides: {}", graded.outside.iter().cloned().collect::<Vec<_>>().join(", ")));
    let loaded = (!graded.loaded.is_empty())
        .then(|| format!("wrote what runners load: {}", graded.loaded.iter().cloned().collect::<Vec<_>>().join(", ")));
    let running = graded.left_running.then(|| "left something running".to_owned());
    let failing = failing.map(|words| format!("it knew: {words}"));
    let fault = (class == TrialClass::Fault).then(|| tried.complaint.clone());
    [outside, loaded, running, failing, fault].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What makes it useless to go on.
fn hopeless(made: Made, given_up: bool) -> Result<(), RunError> {
    let Made { row, end, complaint: words, blame } = made;
    let arm = row.arm;
    match (row.class, end) {
        (TrialClass::Fault, ChildEnd::Exited(4)) => return Err(RunError::NoModel { arm, words }),
        (TrialClass::Fault, ChildEnd::Exited(2)) => return Err(RunError::Unusable { arm, words }),
        (TrialClass::Fault, ChildEnd::Exited(3)) if given_up => return Err(RunError::NoServer { arm, words }),
        (_, ChildEnd::Exited(_) | ChildEnd::Killed | ChildEnd::TimeUp) => {}
    }
    match blame.filter(|_| given_up) {
        Some(Blame::Gone(words)) => Err(RunError::NoServer { arm, words }),
        Some(Blame::Changed(words)) => Err(RunError::OtherServer { arm, words }),
        Some(Blame::Reloaded(_) | Blame::Slept(_)) | None => Ok(()),
    }
}

/// As a folder can be called.
fn tidy(name: &str) -> String {
    name.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '_' })
        .collect()
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// When a run ends that may take `time` from `began` on. None: never, which is also what more time than a clock can tell means.
pub fn end_of(began: Instant, time: Option<Duration>) -> Option<Instant> {
    began.checked_add(time?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_no_clock_can_tell_is_no_limit() {
        let now = Instant::now();
        assert_eq!(end_of(now, Some(Duration::from_secs(60))), Some(now + Duration::from_secs(60)));
        assert_eq!(end_of(now, Some(Duration::from_secs(u64::MAX))), None);
        assert_eq!(end_of(now, None), None);
    }
}
