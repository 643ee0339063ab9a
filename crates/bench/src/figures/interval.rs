//! The share of tasks that an arm solves, with an interval for *tasks like these* and not only for these.
//!
//! Trials of one task are alike, so they count for less than their number: Wilson's interval over all trials, as if each
//! told something new, covers the truth in two thirds to four fifths of cases only. The number of trials that would tell as
//! much if they were independent follows from how far the tasks' own shares spread (Kish's effective sample size).

use serde::{Deserialize, Serialize};

/// Beyond which 2.5 % of a normal distribution lie.
pub(super) const NORMAL: f64 = 1.959_964;

/// A share with the interval that covers the truth 95 times of 100. From 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SolvedShare {
    pub share: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Of tasks, each with its own share over its trials; `trials` is how many there were in all.
pub(super) fn solved(shares: &[f64], trials: usize) -> SolvedShare {
    if shares.is_empty() {
        return SolvedShare { share: 0.0, low: 0.0, high: 1.0 };
    }
    let tasks = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / tasks;
    let effective = effective(mean, spread(shares, mean), tasks, trials as f64);
    wilson(mean, effective)
}

/// So many independent trials would tell as much.
fn effective(mean: f64, variance: f64, tasks: f64, trials: f64) -> f64 {
    let most = trials.max(tasks);
    if variance <= 0.0 {
        // All tasks went alike: what is known is at least that of one trial each, and may be no more.
        return tasks;
    }
    (mean * (1.0 - mean) * tasks / variance).clamp(1.0, most)
}

/// The variance of one task's share, from a sample.
pub(super) fn spread(values: &[f64], mean: f64) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

fn wilson(share: f64, number: f64) -> SolvedShare {
    let quantile = NORMAL;
    let square = quantile * quantile / number;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = (share * (1.0 - share) / number + square / (4.0 * number)).sqrt() * quantile / (1.0 + square);
    SolvedShare { share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// Beyond which 2.5 % of Student's distribution with `degrees` of freedom lie, to a part in a hundred from 3 on
/// (Abramowitz and Stegun 26.7.5).
pub(super) fn student(degrees: f64) -> f64 {
    if degrees < 1.0 {
        return 12.71;
    }
    let (z, v) = (NORMAL, degrees);
    let terms = [
        (z.powi(3) + z) / (4.0 * v),
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v),
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3)),
    ];
    z + terms.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64, by: f64) {
        assert!((one - other).abs() <= by, "{one} is not {other}");
    }

    #[test]
    fn one_trial_each_is_wilsons_interval_of_one_task_fewer() {
        // Half of them solved: 0.5 ± 0.5 z / sqrt(n + z²).
        let share = solved(&[[1.0; 12], [0.0; 12]].concat(), 24);
        near(share.low, 0.5 - 0.5 * NORMAL / (23.0 + NORMAL * NORMAL).sqrt(), 1e-9);
        near(share.high, 1.0 - share.low, 1e-9);
    }

    #[test]
    fn trials_that_say_the_same_narrow_nothing() {
        let tasks = [[1.0; 8], [0.0; 8]].concat();
        assert_eq!(solved(&tasks, 16), solved(&tasks, 80));
        let mixed = vec![0.4; 16];
        let (few, many) = (solved(&mixed[..8], 40), solved(&mixed, 80));
        assert!(many.high - many.low < few.high - few.low);
    }

    #[test]
    fn all_and_none_leave_room_on_one_side_only() {
        let all = solved(&[1.0; 12], 36);
        assert!(all.high > 0.999 && all.low > 0.7 && all.low < 0.8, "{all:?}");
        let none = solved(&[0.0; 12], 12);
        near(none.high, 1.0 - all.low, 1e-9);
        assert_eq!(solved(&[], 0), SolvedShare { share: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn students_quantile() {
        for (degrees, known) in [(5.0, 2.5706), (11.0, 2.2010), (23.0, 2.0687), (39.0, 2.0227)] {
            near(student(degrees), known, 0.01);
        }
    }
}
