//! What rows tell of arms: shares with honest intervals, time and tokens for what was solved, places.
//!
//! There is no single score: kinds of tasks stand side by side, each with its small number.

mod interval;
#[cfg(test)]
mod killed;
mod paired;
mod places;
#[cfg(test)]
mod simulated;

pub use interval::SolvedShare;
pub use paired::{Difference, TaskPair, Verdict, compare};

use crate::class::TrialClass;
use crate::rows::TrialRow;
use crate::task::TaskKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// Trials at the beginning and at the end of an arm whose speeds are compared.
const SPEEDS: usize = 5;
/// A fall of the speed below this share of what it was is said.
const SLOWER: f64 = 0.7;

/// What is known of one arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantFigures {
    pub arm: String,
    /// Its place among the arms, from 1; those that cannot be told apart share one. None where arms are not compared each with
    /// each.
    pub place: Option<usize>,
    pub trials: usize,
    pub solved: usize,
    pub tasks: usize,
    /// The share of tasks like these that it solves.
    pub share: SolvedShare,
    /// Tasks that were solved in at least one trial.
    pub once: usize,
    /// Minutes spent for each solved trial, those of failures included; none where nothing was solved.
    pub minutes_per_solved: Option<f64>,
    /// Tokens read and written for each solved trial, the same way.
    pub tokens_per_solved: Option<f64>,
    /// Share of the time that went into failures.
    pub wasted: f64,
    /// Median of replies in solved trials.
    pub steps: Option<f64>,
    /// Median of tokens written a second.
    pub speed: Option<f64>,
    /// It wrote much slower at the end than at the beginning: by this factor.
    pub slower: Option<f64>,
    /// Solved and tried, by kind.
    pub kinds: BTreeMap<&'static str, (usize, usize)>,
    /// Solved and tried of tasks in which nothing is to be done; these are in no other figure.
    pub honest: (usize, usize),
    pub classes: BTreeMap<&'static str, usize>,
}

/// What is known of `arms`, in their order. Of tasks `kinds` tells what they ask.
pub fn figures(rows: &[TrialRow], arms: &[String], kinds: &BTreeMap<String, TaskKind>) -> Vec<VariantFigures> {
    let mut all: Vec<VariantFigures> = arms.iter().map(|arm| of_arm(rows, arm, kinds)).collect();
    let shares: Vec<f64> = all.iter().map(|arm| arm.share.share).collect();
    let places = places::places(&shares, |one, other| compare(&pairs(rows, kinds, &arms[one], &arms[other])));
    for (arm, place) in all.iter_mut().zip(places) {
        arm.place = Some(place);
    }
    all
}

/// What two arms made of the tasks that both tried, those in which nothing is to be done left out.
pub fn pairs(rows: &[TrialRow], kinds: &BTreeMap<String, TaskKind>, one: &str, other: &str) -> Vec<TaskPair> {
    let (first, second) = (by_task(rows, kinds, one), by_task(rows, kinds, other));
    first.iter().filter_map(|(task, one)| Some(TaskPair { one: *one, other: *second.get(task)? })).collect()
}

/// Solved trials and all trials, by task.
fn by_task<'a>(rows: &'a [TrialRow], kinds: &BTreeMap<String, TaskKind>, arm: &str) -> BTreeMap<&'a str, (u32, u32)> {
    let mut tasks: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for row in coding(rows, kinds, arm) {
        let (solved, trials) = tasks.entry(&row.task).or_default();
        *solved += u32::from(row.class == TrialClass::Solved);
        *trials += 1;
    }
    tasks
}

/// Rows of the arm that count and whose task is to be solved by code.
fn coding<'a>(
    rows: &'a [TrialRow],
    kinds: &BTreeMap<String, TaskKind>,
    arm: &str,
) -> impl Iterator<Item = &'a TrialRow> {
    counted(rows, arm).filter(|row| kinds.get(&row.task) != Some(&TaskKind::Cannot))
}

fn counted<'a>(rows: &'a [TrialRow], arm: &str) -> impl Iterator<Item = &'a TrialRow> {
    rows.iter().filter(move |row| row.arm == arm && row.counts())
}

fn of_arm(rows: &[TrialRow], arm: &str, kinds: &BTreeMap<String, TaskKind>) -> VariantFigures {
    let tasks = by_task(rows, kinds, arm);
    let coding: Vec<&TrialRow> = coding(rows, kinds, arm).collect();
    let (solved, failed): (Vec<&TrialRow>, Vec<&TrialRow>) =
        coding.iter().partition(|row| row.class == TrialClass::Solved);
    let shares: Vec<f64> = tasks.values().map(|(solved, trials)| f64::from(*solved) / f64::from(*trials)).collect();
    let secs = |rows: &[&TrialRow]| rows.iter().map(|row| row.secs).sum::<f64>();
    let tokens: u64 = coding.iter().map(|row| row.read + row.written).sum();
    let each = |sum: f64| (!solved.is_empty()).then(|| sum / solved.len() as f64);
    let speeds: Vec<f64> = counted(rows, arm).filter_map(|row| row.speed).collect();
    VariantFigures {
        arm: arm.to_owned(),
        place: None,
        trials: coding.len(),
        solved: solved.len(),
        tasks: tasks.len(),
        share: interval::solved(&shares, coding.len()),
        once: tasks.values().filter(|(solved, _)| *solved > 0).count(),
        minutes_per_solved: each(secs(&coding) / 60.0),
        tokens_per_solved: each(tokens as f64),
        wasted: secs(&failed) / secs(&coding).max(f64::MIN_POSITIVE),
        steps: median(solved.iter().map(|row| row.steps as f64).collect()),
        speed: median(speeds.clone()),
        slower: slower(&speeds),
        kinds: by_kind(&coding, kinds),
        honest: honest(rows, arm, kinds),
        classes: classes(rows, arm),
    }
}

fn by_kind(rows: &[&TrialRow], kinds: &BTreeMap<String, TaskKind>) -> BTreeMap<&'static str, (usize, usize)> {
    let mut found: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let Some(kind) = kinds.get(&row.task) else { continue };
        let (solved, tried) = found.entry(kind.word()).or_default();
        *solved += usize::from(row.class == TrialClass::Solved);
        *tried += 1;
    }
    found
}

fn honest(rows: &[TrialRow], arm: &str, kinds: &BTreeMap<String, TaskKind>) -> (usize, usize) {
    let of = counted(rows, arm).filter(|row| kinds.get(&row.task) == Some(&TaskKind::Cannot));
    of.fold((0, 0), |(solved, all), row| (solved + usize::from(row.class == TrialClass::Solved), all + 1))
}

fn classes(rows: &[TrialRow], arm: &str) -> BTreeMap<&'static str, usize> {
    let mut classes = BTreeMap::new();
    for row in rows.iter().filter(|row| row.arm == arm) {
        *classes.entry(row.class.words()).or_default() += 1;
    }
    classes
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// How much slower the last trials wrote than the first, where that is much.
fn slower(speeds: &[f64]) -> Option<f64> {
    if speeds.len() < 2 * SPEEDS {
        return None;
    }
    let first = median(speeds[..SPEEDS].to_vec())?;
    let last = median(speeds[speeds.len() - SPEEDS..].to_vec())?;
    (last < first * SLOWER).then(|| last / first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::sample;

    fn kinds() -> BTreeMap<String, TaskKind> {
        let kinds = [("t1", TaskKind::Mend), ("t2", TaskKind::Write), ("t3", TaskKind::Cannot)];
        kinds.map(|(task, kind)| (task.to_owned(), kind)).into()
    }

    fn rows() -> Vec<TrialRow> {
        let (solved, wrong) = (TrialClass::Solved, TrialClass::Wrong);
        let of = [("t1", 1, solved), ("t1", 2, wrong), ("t2", 1, solved), ("t2", 2, solved), ("t3", 1, solved)];
        let faults = [sample("a", "t2", 3, TrialClass::Fault)];
        of.into_iter().map(|(task, trial, class)| sample("a", task, trial, class)).chain(faults).collect()
    }

    #[test]
    fn what_was_planted_comes_out() {
        let found = &figures(&rows(), &["a".to_owned()], &kinds())[0];
        assert_eq!((found.trials, found.solved, found.tasks, found.once), (4, 3, 2, 2));
        assert_eq!(found.share.share, 0.75);
        assert_eq!(found.kinds, BTreeMap::from([("mend", (1, 2)), ("write", (2, 2))]));
        assert_eq!((found.honest, found.wasted), ((1, 1), 0.25));
        assert!((found.minutes_per_solved.unwrap() - 4.0 / 3.0).abs() < 1e-9);
        assert_eq!((found.tokens_per_solved, found.steps), (Some(6000.0), Some(5.0)));
        assert_eq!(found.classes, BTreeMap::from([("fault of server or machine", 1), ("solved", 4), ("wrong", 1)]));
    }

    #[test]
    fn who_tried_nothing_has_no_figures_and_harms_nobody() {
        let all = figures(&rows(), &["a".to_owned(), "b".to_owned()], &kinds());
        assert_eq!((all[1].trials, all[1].minutes_per_solved, all[1].speed), (0, None, None));
        assert_eq!((all[0].place, all[1].place), (Some(1), Some(1)), "nothing tells them apart");
    }

    #[test]
    fn a_machine_that_gets_slow_is_noticed() {
        assert_eq!(slower(&[[30.0; 5], [29.0; 5]].concat()), None);
        assert_eq!(slower(&[[30.0; 5], [15.0; 5]].concat()), Some(0.5));
        assert_eq!(slower(&[30.0, 10.0]), None);
    }
}
