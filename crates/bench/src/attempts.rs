//! The attempts of one trial: one, or for imported exercises a second one in the same conversation after the tests failed.

use crate::class::{ChildEnd, TrialClass, class};
use crate::grading::{Graded, GradedFailure};
use crate::task::Task;
use crate::trial::{Attempt, TrialPlace, TrialSettings, Tried};
use crate::tries::{ImportProtocol, TryResult};
use crate::variant::Variant;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What all attempts of a trial came to together.
pub(crate) struct Attempts {
    /// Sums, and the project as the last of them left it.
    pub(crate) tried: Tried,
    pub(crate) graded: Graded,
    /// Each by itself, where there is a protocol for several.
    pub(crate) tries: Vec<TryResult>,
}

/// Makes a trial of `task`; a protocol has it tried twice at most. What is kept goes to `kept`, which is emptied first: what an
/// earlier attempt left there is not of this one. `begins` is told the file of each try's events.
///
/// # Errors
/// The folder or the process could not be made, or nothing could be graded. It says nothing of the model.
pub(crate) async fn attempts<E: From<io::Error>>(
    (arm, task): (&Variant, &Task),
    settings: &TrialSettings,
    kept: &Path,
    protocol: Option<ImportProtocol>,
    begins: impl Fn(PathBuf),
    grade: impl AsyncFn(&Tried) -> Result<Graded, E>,
) -> Result<Attempts, E> {
    if kept.is_dir() {
        fs::remove_dir_all(kept)?;
    }
    let arm = protocol.map_or_else(|| arm.clone(), |protocol| protocol.arm(arm));
    let place = TrialPlace::lay(&arm, task, settings).await?;
    begins(kept.join(Attempt::First.stream()));
    let tried = place.attempt(&Attempt::First, task, settings, kept).await?;
    let graded = grade(&tried).await?;
    let Some(protocol) = protocol else { return Ok(Attempts { tried, graded, tries: Vec::new() }) };
    let first = result(task, &tried, &graded);
    if graded.passed() || first.class == TrialClass::Fault {
        return Ok(Attempts { tried, graded, tries: vec![first] });
    }
    fs::write(kept.join("grading-1.txt"), &graded.output)?;
    let files: Vec<String> = task.sheet.may_change.iter().filter(|name| !name.contains('*')).cloned().collect();
    let again = Attempt::Again { words: protocol.again(&graded.output, &files) };
    begins(kept.join(again.stream()));
    let second = place.attempt(&again, task, settings, kept).await?;
    let graded = grade(&second).await?;
    let tries = vec![first, result(task, &second, &graded)];
    Ok(Attempts { tried: tried.followed_by(second), graded, tries })
}

fn result(task: &Task, tried: &Tried, graded: &Graded) -> TryResult {
    TryResult {
        class: class(task, tried.end, &tried.told, graded),
        secs: tried.took.as_secs_f64(),
        malformed: tried.told.unreadable,
        cut: graded.failure == Some(GradedFailure::Cut),
        exit: match tried.end {
            ChildEnd::Exited(code) => Some(code),
            ChildEnd::Killed | ChildEnd::TimeUp => None,
        },
    }
}
