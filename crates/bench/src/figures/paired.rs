//! Whether one arm is better than another on the same tasks: by the differences task by task, whose signs would be left to
//! chance if there were no difference. Exact: all patterns of signs are counted, none is drawn.

use super::interval::{spread, student};
use serde::{Deserialize, Serialize};

/// What is held against chance: 5 %.
const LEVEL: f64 = 0.05;
/// Beyond which 20 % of a normal distribution lie: what is there shall be found four times of five.
const FOUND: f64 = 0.8416;
/// Share of a task's trials that flip from one to the next, measured of local models; half of it is the variance of one.
const NOISE: f64 = 0.16;
/// Trials of a task that are told apart; more are counted as so many.
const MOST_TRIALS: u64 = 10;

/// One task by two arms: how many of its trials each solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskPair {
    /// By the first: solved, and of how many.
    pub one: (u32, u32),
    /// By the second.
    pub other: (u32, u32),
}

impl TaskPair {
    fn difference(self) -> f64 {
        share(self.one) - share(self.other)
    }
}

fn share((solved, trials): (u32, u32)) -> f64 {
    if trials == 0 { 0.0 } else { f64::from(solved) / f64::from(trials) }
}

/// The first arm against the second. Shares from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    pub tasks: usize,
    /// How much more the first solves; negative: less.
    pub difference: f64,
    /// Where the interval of it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How often chance alone would show as much or more.
    pub p: f64,
    /// So large a difference would have shown in four of five runs.
    pub visible_from: f64,
}

/// What can be said of two arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The first is better.
    Better,
    Worse,
    /// No difference was seen.
    NotSeen,
}

impl Difference {
    /// Beyond doubt, or not.
    pub fn verdict(&self) -> Verdict {
        match (self.p <= LEVEL, self.difference > 0.0) {
            (true, true) => Verdict::Better,
            (true, false) => Verdict::Worse,
            (false, _) => Verdict::NotSeen,
        }
    }

    /// In words, with the arms' names.
    pub fn words(&self, one: &str, other: &str) -> String {
        let points = |share: f64| format!("{:.0}", share * 100.0);
        let between = |low: f64, high: f64| format!("{} to {}", points(low), points(high));
        match self.verdict() {
            Verdict::Better => format!(
                "{one} is better than {other} by {} points ({}), on {} tasks, p = {:.3}",
                points(self.difference),
                between(self.low, self.high),
                self.tasks,
                self.p
            ),
            Verdict::Worse => format!(
                "{one} is worse than {other} by {} points ({}), on {} tasks, p = {:.3}",
                points(-self.difference),
                between(-self.high, -self.low),
                self.tasks,
                self.p
            ),
            Verdict::NotSeen => format!(
                "no difference seen between {one} and {other} on {} tasks; one of {} points or more would have shown",
                self.tasks,
                points(self.visible_from)
            ),
        }
    }
}

/// Compares two arms by tasks that both tried.
pub fn compare(pairs: &[TaskPair]) -> Difference {
    let differences: Vec<f64> = pairs.iter().map(|pair| pair.difference()).collect();
    let count = differences.len().max(1) as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let error = (spread(&differences, mean) / count).sqrt();
    let quantile = student(count - 1.0);
    // Where hardly any task went differently the spread tells too little of what chance does.
    let floor = (pairs.iter().map(|pair| noise(*pair)).sum::<f64>() / count / count).sqrt();
    Difference {
        tasks: pairs.len(),
        difference: mean,
        low: (mean - quantile * error).max(-1.0),
        high: (mean + quantile * error).min(1.0),
        p: chance(pairs),
        visible_from: ((quantile + FOUND) * error.max(floor)).min(1.0),
    }
}

/// The variance of a difference that comes of repeating alone.
fn noise(pair: TaskPair) -> f64 {
    let of = |trials: u32| NOISE / 2.0 / f64::from(trials.max(1));
    of(pair.one.1) + of(pair.other.1)
}

/// How often a sum as far from 0 as this one comes of random signs.
fn chance(pairs: &[TaskPair]) -> f64 {
    let whole = pairs.iter().fold(1, |whole, pair| common(common(whole, pair.one.1), pair.other.1));
    // Every difference is so many of these parts.
    let parts = |pair: &TaskPair| (pair.difference() * whole as f64).round() as i64;
    let steps: Vec<i64> = pairs.iter().map(parts).filter(|part| *part != 0).collect();
    let reach = steps.iter().map(|step| step.unsigned_abs() as usize).sum::<usize>();
    let mut odds = vec![0.0; 2 * reach + 1];
    odds[reach] = 1.0;
    for step in &steps {
        let step = step.unsigned_abs() as usize;
        let at = |odds: &[f64], place: Option<usize>| place.and_then(|place| odds.get(place)).copied().unwrap_or(0.0);
        odds = (0..odds.len())
            .map(|place| (at(&odds, place.checked_sub(step)) + at(&odds, place.checked_add(step))) / 2.0)
            .collect();
    }
    let seen = steps.iter().sum::<i64>().unsigned_abs() as usize;
    let far = odds.iter().enumerate().filter(|(place, _)| place.abs_diff(reach) >= seen);
    far.map(|(_, odds)| odds).sum::<f64>().min(1.0)
}

/// The least number that both divide.
fn common(one: u64, other: u32) -> u64 {
    let other = u64::from(other).clamp(1, MOST_TRIALS);
    let (mut high, mut low) = (one, other);
    while low != 0 {
        (high, low) = (low, high % low);
    }
    one / high * other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(u32, u32, usize)], trials: u32) -> Vec<TaskPair> {
        let of = |(one, other, times): &(u32, u32, usize)| {
            vec![TaskPair { one: (*one, trials), other: (*other, trials) }; *times]
        };
        list.iter().flat_map(of).collect()
    }

    #[test]
    fn the_odds_are_those_of_a_sign_test_where_all_differences_are_alike() {
        // Six times better, never worse: 2 of 64 patterns are as far out.
        let difference = compare(&pairs(&[(1, 0, 6), (1, 1, 10)], 1));
        assert!((difference.p - 2.0 / 64.0).abs() < 1e-12, "{difference:?}");
        assert_eq!(difference.verdict(), Verdict::Better);
        let five = compare(&pairs(&[(1, 0, 5), (1, 1, 10)], 1));
        assert_eq!((five.verdict(), five.p), (Verdict::NotSeen, 2.0 / 32.0));
    }

    #[test]
    fn turned_round_it_is_the_same_with_the_other_sign() {
        let forth = compare(&pairs(&[(3, 1, 6), (0, 1, 2), (2, 2, 4)], 3));
        let back = compare(&pairs(&[(1, 3, 6), (1, 0, 2), (2, 2, 4)], 3));
        assert_eq!((forth.p, forth.difference, forth.low), (back.p, -back.difference, -back.high));
    }

    #[test]
    fn unequal_numbers_of_trials_are_compared_by_shares() {
        let alike = TaskPair { one: (1, 2), other: (2, 4) };
        assert_eq!(compare(&[alike; 8]).p, 1.0);
        let mixed = TaskPair { one: (2, 3), other: (1, 2) };
        assert!((compare(&[mixed; 6]).p - 2.0 / 64.0).abs() < 1e-12);
    }

    #[test]
    fn where_nothing_differs_it_says_what_would_have_shown() {
        let same = compare(&pairs(&[(3, 3, 12), (0, 0, 12)], 3));
        assert_eq!((same.p, same.difference), (1.0, 0.0));
        assert!(same.visible_from > 0.05 && same.visible_from < 0.3, "{same:?}");
        let words = same.words("a", "b");
        assert!(words.starts_with("no difference seen between a and b on 24 tasks; one of "), "{words}");
        assert!(compare(&[]).p == 1.0);
    }
}
