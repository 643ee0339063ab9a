//! A run: trials in their order, each graded and written down before the next. It goes on where it was left.
//!
//! Prints nothing; whoever calls it is told what happens.

use crate::arm::Arm;
use crate::class::{ChildEnd, TrialClass, class};
use crate::grading::{Graded, GradingError, GradingPlace, grade};
use crate::order::{Slot, Turns, order};
use crate::rows::{Rows, TrialKey, TrialRow};
use crate::task::{Task, TaskError, TaskKind, Template};
use crate::trial::{TrialSettings, Tried, scratch, try_once};
use agent_policy::SandboxLimits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a run is made of: written down when it begins, read when it goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Of this file's form.
    pub version: u32,
    /// Its name.
    pub id: String,
    /// Seconds since 1970 at its beginning.
    pub began: u64,
    /// Of the program.
    pub agent: String,
    /// The course's name, or the folder of tasks.
    pub course: String,
    /// The folder of tasks where they are the person's own.
    pub folder: Option<PathBuf>,
    /// What the tasks are, in sixteen letters.
    pub hash: String,
    /// Tasks with what they ask, in the order of the course.
    pub tasks: Vec<(String, TaskKind)>,
    /// Tasks that were left out, and why.
    pub left_out: Vec<(String, String)>,
    /// The arms.
    pub arms: Vec<Arm>,
    /// Trials of each task by each arm.
    pub trials: u32,
    /// What tasks are filled from, and what their order follows.
    pub seed: u64,
    /// Time limits are so many times what tasks say.
    pub time_factor: f64,
    /// The command that repeats it.
    pub command: String,
}

impl RunPlan {
    /// The order of all its trials.
    pub fn order(&self) -> Vec<Slot> {
        let kinds: Vec<TaskKind> = self.tasks.iter().map(|(_, kind)| *kind).collect();
        let one_model = self.arms.windows(2).all(|pair| pair[0].shares_model_with(&pair[1]));
        let turns = if one_model { Turns::EachTask } else { Turns::Blocks };
        order(self.arms.len(), &kinds, self.trials, turns, self.seed)
    }

    /// What each task asks.
    pub fn kinds(&self) -> BTreeMap<String, TaskKind> {
        self.tasks.iter().cloned().collect()
    }

    /// The names of its arms.
    pub fn arm_names(&self) -> Vec<String> {
        self.arms.iter().map(|arm| arm.name.clone()).collect()
    }

    fn key(&self, slot: Slot) -> TrialKey {
        TrialKey { arm: self.arms[slot.arm].name.clone(), task: self.tasks[slot.task].0.clone(), trial: slot.trial }
    }
}

/// Why a run came to no end. Its rows are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file or a process.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A task is wrong.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// Nothing could be graded.
    #[error(transparent)]
    Grading(#[from] GradingError),
    /// The tasks are not those that it began with.
    #[error("the tasks are not those that run {id} began with; begin a new one")]
    OtherTasks {
        /// The run.
        id: String,
    },
    /// There is no sandbox to grade in.
    #[error("nothing can be graded here: {0}")]
    NoLimits(String),
    /// The server did not answer, however often it was asked.
    #[error("no server for {arm}: {words}")]
    NoServer {
        /// Whose.
        arm: String,
        /// What the trial said.
        words: String,
    },
    /// The model is not there.
    #[error("no model for {arm}: {words}")]
    NoModel {
        /// Whose.
        arm: String,
        /// What the trial said.
        words: String,
    },
    /// The trial's process does not understand what it was given.
    #[error("a trial of {arm} could not begin: {words}")]
    Unusable {
        /// Whose.
        arm: String,
        /// What the trial said.
        words: String,
    },
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress<'a> {
    /// Trials that are done, of all.
    pub done: (usize, usize),
    /// The trial that was made now.
    pub row: &'a TrialRow,
    /// About how long the rest takes.
    pub left: Duration,
}

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every trial is made.
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
    /// Not one more trial begins after this.
    pub until: Option<Instant>,
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
    let order = plan.order();
    for slot in &order {
        let key = plan.key(*slot);
        while !rows.is_done(&key) {
            if shop.until.is_some_and(|until| Instant::now() >= until) {
                return Ok(Stopped::TimeUp);
            }
            let (row, end, complaint) = one(plan, shop, *slot).await?;
            rows.append(row.clone())?;
            let done = order.iter().filter(|slot| rows.is_done(&plan.key(**slot))).count();
            tell(Progress { done: (done, order.len()), row: &row, left: left(rows.all(), order.len() - done) });
            hopeless(&row, end, complaint, rows.is_done(&key))?;
        }
    }
    Ok(Stopped::Complete)
}

/// One trial, made and graded.
async fn one(plan: &RunPlan, shop: &Workshop<'_>, slot: Slot) -> Result<(TrialRow, ChildEnd, String), RunError> {
    let (arm, id) = (&plan.arms[slot.arm], &plan.tasks[slot.task].0);
    let template = shop.templates.iter().find(|template| template.id == *id);
    let template = template.ok_or_else(|| RunError::OtherTasks { id: plan.id.clone() })?;
    // Arms are compared on the same texts, so the seed follows from the trial alone.
    let seed = plan.seed.wrapping_add(u64::from(slot.trial));
    let task = template.fill(seed)?;
    let kept = shop.folder.join("kept").join(tidy(&arm.name)).join(format!("{id}-{}", slot.trial));
    let tried = try_once(arm, &task, &shop.trials, &kept).await?;
    let graded = graded(shop, &task, &tried).await?;
    std::fs::write(kept.join("grading.txt"), &graded.output)?;
    let (end, complaint) = (tried.end, tried.complaint.clone());
    Ok((row(plan, slot, seed, &task, (&tried, &graded)), end, complaint))
}

async fn graded(shop: &Workshop<'_>, task: &Task, tried: &Tried) -> Result<Graded, RunError> {
    let folder = scratch()?;
    let root = folder.path().canonicalize()?;
    let limits = (shop.limits)(&root).map_err(RunError::NoLimits)?;
    Ok(grade(&GradingPlace::new(&root, limits)?, task, &tried.result).await?)
}

fn row(plan: &RunPlan, slot: Slot, seed: u64, task: &Task, (tried, graded): (&Tried, &Graded)) -> TrialRow {
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
        ended: now(),
    }
}

/// What else there is to say.
fn note(class: TrialClass, failing: Option<&str>, tried: &Tried, graded: &Graded) -> String {
    let outside = (!graded.outside.is_empty())
        .then(|| format!("changed besides: {}", graded.outside.iter().cloned().collect::<Vec<_>>().join(", ")));
    let running = graded.left_running.then(|| "left something running".to_owned());
    let failing = failing.map(|words| format!("it knew: {words}"));
    let fault = (class == TrialClass::Fault).then(|| tried.complaint.clone());
    [outside, running, failing, fault].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What makes it useless to go on.
fn hopeless(row: &TrialRow, end: ChildEnd, words: String, given_up: bool) -> Result<(), RunError> {
    let arm = row.arm.clone();
    match (row.class, end) {
        (TrialClass::Fault, ChildEnd::Exited(4)) => Err(RunError::NoModel { arm, words }),
        (TrialClass::Fault, ChildEnd::Exited(2)) => Err(RunError::Unusable { arm, words }),
        (TrialClass::Fault, ChildEnd::Exited(3)) if given_up => Err(RunError::NoServer { arm, words }),
        (_, ChildEnd::Exited(_) | ChildEnd::Killed | ChildEnd::TimeUp) => Ok(()),
    }
}

/// About how long so many trials take, by those that were made.
fn left(rows: &[TrialRow], trials: usize) -> Duration {
    let secs: f64 = rows.iter().map(|row| row.secs).sum();
    Duration::from_secs_f64(secs / rows.len().max(1) as f64 * trials as f64)
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
