//! A run in a picture: the solved share of each arm with its interval, against the minutes that a solved task takes.
//! The further up and to the left, the better. As SVG for `bench.md`, and as text for a terminal.

mod svg;
mod text;

use super::{minutes_words, share};
use crate::figures::VariantFigures;
use agent_protocol::sanitize::clean_line;
pub(super) use svg::svg;
pub(super) use text::text;

/// What stands beside the points, one after the other.
const LABELS: &str = "123456789abcdefghijklmnopqrstuvwxyz";
/// In a minute.
const SECONDS: f64 = 60.0;
/// So many steps of the axis at most.
const STEPS: f64 = 6.0;

/// An arm that solved something.
struct Point {
    label: char,
    /// In the unit of the scene.
    time: f64,
    share: f64,
    low: f64,
    high: f64,
    words: String,
}

/// What is drawn, the best first, and a line for each arm that has no place: it solved nothing, so nobody knows how long that takes.
struct Scene {
    points: Vec<Point>,
    without: Vec<String>,
    /// `minutes`, or `seconds` where everything takes less than a minute.
    unit: &'static str,
    /// From one mark of the axis to the next, and how many of these steps there are.
    step: f64,
    steps: usize,
}

impl Scene {
    /// None where there is no point.
    fn of(arms: &[VariantFigures]) -> Option<Self> {
        let mut tried: Vec<&VariantFigures> = arms.iter().filter(|arm| arm.trials > 0).collect();
        tried.sort_by(|one, other| other.share.share.total_cmp(&one.share.share));
        let (mut points, mut without) = (Vec::new(), Vec::new());
        for arm in tried {
            let (name, label) = (clean_line(&arm.arm), LABELS.chars().nth(points.len()));
            match (arm.minutes_per_solved, label) {
                (Some(minutes), Some(label)) => points.push(Point {
                    label,
                    time: minutes,
                    share: arm.share.share,
                    low: arm.share.low,
                    high: arm.share.high,
                    words: format!("{name}: {}, {} per solved task", share(arm), minutes_words(minutes)),
                }),
                (Some(minutes), None) => {
                    without.push(format!("{name}: {}, {} per solved task", share(arm), minutes_words(minutes)));
                }
                (None, _) => without.push(format!("{name}: {}, solved nothing", share(arm))),
            }
        }
        let mut longest = points.iter().map(|point| point.time).reduce(f64::max)?;
        let unit = if longest < 1.0 { "seconds" } else { "minutes" };
        if longest < 1.0 {
            points.iter_mut().for_each(|point| point.time *= SECONDS);
            longest *= SECONDS;
        }
        let step = step(longest);
        Some(Scene { points, without, unit, step, steps: (longest / step).floor() as usize + 1 })
    }

    /// The end of the axis.
    fn end(&self) -> f64 {
        self.step * self.steps as f64
    }

    /// What stands at the marks of the axis, with no more digits than tell them apart.
    fn marks(&self) -> Vec<(f64, String)> {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let mark = |count: usize| self.step * count as f64;
        (0..=self.steps).map(|count| (mark(count), format!("{:.digits$}", mark(count)))).collect()
    }
}

/// A round number of which so many as there may be reach `longest`.
fn step(longest: f64) -> f64 {
    let least = (longest / STEPS).max(0.001);
    let power = 10_f64.powf(least.log10().floor());
    let round = [1.0, 2.0, 5.0].into_iter().map(|times| times * power).find(|step| *step >= least);
    round.unwrap_or(10.0 * power)
}

/// The places of points in the order of `at`, moved to the right as far as needed that none is on another.
fn apart(at: &[f64], distance: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|one, other| at[*one].total_cmp(&at[*other]));
    let (mut places, mut least) = (at.to_vec(), f64::MIN);
    for point in order {
        places[point] = places[point].max(least);
        least = places[point] + distance;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::TrialClass;
    use crate::figures::figures;
    use crate::rows::{TrialRow, sample};
    use std::collections::BTreeMap;

    /// Three arms: one quick and good, one slow, one that solves nothing; names as nobody should choose them.
    fn arms() -> Vec<VariantFigures> {
        let names = ["qwen<3>&\"9b\"", "gemma\u{1b}[2J", "tiny"].map(str::to_owned);
        let row = |arm: usize, task: usize, solved: bool| TrialRow {
            secs: [120.0, 300.0, 30.0][arm],
            ..sample(&names[arm], &format!("t{task}"), 1, if solved { TrialClass::Solved } else { TrialClass::Wrong })
        };
        let rows: Vec<TrialRow> = (0..3)
            .flat_map(|arm| (0..12).map(move |task| (arm, task)))
            .map(|(arm, task)| row(arm, task, task < [8, 5, 0][arm]))
            .collect();
        figures(&rows, &names, &BTreeMap::new())
    }

    #[test]
    fn the_terminal_shows_shares_against_minutes() {
        let text = text(&arms());
        assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
        insta::assert_snapshot!(text);
    }

    #[test]
    fn the_picture_is_whole_and_names_forge_nothing_in_it() {
        let svg = svg(&arms());
        assert!(svg.contains("qwen&lt;3&gt;&amp;&quot;9b&quot;") && !svg.contains('\u{1b}'), "{svg}");
        for tag in ["svg", "text", "style"] {
            let (begins, ends) = (svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count());
            assert_eq!(begins, ends, "{tag}");
        }
        assert_eq!(svg.matches("<circle").count(), 2);
        insta::assert_snapshot!(svg);
    }

    #[test]
    fn who_solved_nothing_leaves_no_picture_but_a_line() {
        assert_eq!(text(&arms()[2..]), "");
        assert_eq!(svg(&arms()[2..]), "");
        assert!(text(&arms()).contains("tiny: 0 % (0–"));
    }

    #[test]
    fn what_takes_less_than_a_minute_is_drawn_in_seconds() {
        let mut quick = arms();
        quick.iter_mut().for_each(|arm| arm.minutes_per_solved = arm.minutes_per_solved.map(|minutes| minutes / 60.0));
        let text = text(&quick);
        assert!(text.contains("seconds per solved task") && text.contains("3 s per solved task"), "{text}");
    }

    #[test]
    fn axes_have_round_marks() {
        let is_round = |longest: &f64| {
            let step = step(*longest);
            let first = step / 10_f64.powf((step * 1.000_001).log10().floor());
            [1.0, 2.0, 5.0].iter().any(|round| (first - round).abs() < 1e-6) && longest / step <= STEPS + 1e-9
        };
        assert!([0.02, 0.1, 0.29, 3.0, 5.9, 12.0, 30.0, 60.0].iter().all(is_round));
        assert_eq!(apart(&[5.0, 5.0, 1.0], 2.0), [5.0, 7.0, 1.0]);
    }
}
