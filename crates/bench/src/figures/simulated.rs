//! Runs of which the truth is known: does the interval cover it, is no difference left unseen, and one found that is there?
//! How hard the tasks are is made up so that most are solved always or never, and one trial in six flips.

use super::interval::solved;
use super::paired::{TaskPair, Verdict, compare};
use crate::random::Random;

const RUNS: usize = 2_000;
/// A beta distribution with this at both ends has 16 % flips from one trial of a task to the next.
const BENT: f64 = 0.235;

/// A task's own odds, from a beta distribution (Jöhnk 1964).
fn odds(random: &mut Random, high: f64, low: f64) -> f64 {
    loop {
        let (one, other) = (random.share().powf(1.0 / high), random.share().powf(1.0 / low));
        if one + other > 0.0 && one + other <= 1.0 {
            return one / (one + other);
        }
    }
}

fn tried(random: &mut Random, odds: f64, trials: u32) -> u32 {
    (0..trials).map(|_| u32::from(random.share() < odds)).sum()
}

/// In how many of a hundred runs the interval covers what tasks like these would show.
fn covered(tasks: usize, trials: u32, (high, low): (f64, f64), seed: u64) -> f64 {
    let (mut random, truth) = (Random::new(seed), high / (high + low));
    let mut hits = 0;
    for _ in 0..RUNS {
        let shares: Vec<f64> = (0..tasks)
            .map(|_| {
                let odds = odds(&mut random, high, low);
                f64::from(tried(&mut random, odds, trials)) / f64::from(trials)
            })
            .collect();
        let share = solved(&shares, tasks * trials as usize);
        hits += usize::from(share.low <= truth && truth <= share.high);
    }
    hits as f64 * 100.0 / RUNS as f64
}

/// In how many of a hundred runs the first arm is called better where its odds are higher by about `more`.
fn called_better(tasks: usize, trials: u32, more: f64, seed: u64) -> f64 {
    let (mut random, mut better) = (Random::new(seed), 0);
    for _ in 0..RUNS {
        let pairs: Vec<TaskPair> = (0..tasks)
            .map(|_| {
                let odds = odds(&mut random, BENT, BENT);
                // What one arm could not do the other can, on so many of those tasks.
                let better = odds + more * 2.0 * (1.0 - odds);
                let one = tried(&mut random, better.min(1.0), trials);
                TaskPair { one: (one, trials), other: (tried(&mut random, odds, trials), trials) }
            })
            .collect();
        better += usize::from(compare(&pairs).verdict() == Verdict::Better);
    }
    better as f64 * 100.0 / RUNS as f64
}

#[test]
fn the_interval_covers_the_truth_about_as_often_as_it_says() {
    for (tasks, trials, bent) in [
        (24, 3, (BENT, BENT)),
        (24, 5, (BENT, BENT)),
        (40, 3, (BENT, BENT)),
        (12, 3, (BENT, BENT)),
        (40, 3, (0.2, 0.35)),
    ] {
        let covered = covered(tasks, trials, bent, 11);
        assert!((93.0..=97.0).contains(&covered), "{tasks} x {trials}: {covered} %");
    }
}

#[test]
fn where_there_is_no_difference_none_is_called_one_but_for_one_run_in_twenty() {
    for (tasks, trials) in [(12, 1), (24, 1), (24, 3), (40, 3)] {
        let false_alarms = called_better(tasks, trials, 0.0, 5);
        assert!(false_alarms <= 5.0, "{tasks} x {trials}: {false_alarms} %");
    }
}

#[test]
fn twenty_points_are_found_with_24_tasks_and_three_trials() {
    let found = called_better(24, 3, 0.2, 5);
    assert!(found >= 80.0, "{found} %");
}
