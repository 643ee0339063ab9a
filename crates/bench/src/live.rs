//! The live table of a run: what is known while it is under way, and how that looks. Pure: the same state, the same lines.
//!
//! Does not own a terminal and reads no clock; whoever draws it tells both.

mod doing;
mod drawing;
#[cfg(test)]
mod tests;

use crate::class::TrialClass;
use crate::figures::{VariantFigures, figures};
use crate::rows::{TrialKey, TrialRow};
use crate::run::RunPlan;
use crate::task::TaskKind;
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Event, Phase, TurnEvent};
pub use drawing::clock;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Going,
    /// None begins. One that is under way is made to its end.
    Paused,
    /// No more, for good.
    Over,
}

/// All that the table shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    title: String,
    arms: Vec<LiveVariant>,
    kinds: BTreeMap<String, TaskKind>,
    rows: Vec<TrialRow>,
    now: Option<LiveTrial>,
    pace: Pace,
    left: Option<Duration>,
    /// What was said of the last task that was skipped.
    skipped: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct LiveVariant {
    name: String,
    /// Trials that are done, of all.
    done: (usize, usize),
    figures: VariantFigures,
    /// Minutes of a trial, over all that count.
    minutes: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
struct LiveTrial {
    key: TrialKey,
    /// Replies that are there, and the one that is asked for.
    replies: u64,
    step: u64,
    doing: String,
    took: Duration,
}

impl Live {
    /// Of a run that has these rows already, of which so many of each arm's trials are done.
    pub fn new(plan: &RunPlan, rows: &[TrialRow]) -> Self {
        let title = format!(
            "bench {} · {} · {} · {}",
            clean_line(&plan.course),
            counted(plan.tasks.len(), "task"),
            counted(plan.trials as usize, "trial"),
            counted(plan.arms.len(), "model"),
        );
        let all = plan.tasks.len() * plan.trials as usize;
        let (kinds, rows) = (plan.kinds(), rows.to_vec());
        let arms = plan.arm_names().into_iter().map(|name| LiveVariant::new(name, all, &rows, &kinds)).collect();
        Live { title, arms, kinds, rows, now: None, pace: Pace::Going, left: None, skipped: None }
    }

    /// A trial began; of one that is under way the second try.
    pub fn begins(&mut self, key: TrialKey) {
        match &mut self.now {
            Some(now) if now.key == key => {
                (now.step, now.doing) = (now.replies + 1, "starting the second try".into());
            }
            Some(_) | None => {
                self.now = Some(LiveTrial { key, replies: 0, step: 1, doing: "starting".into(), took: Duration::ZERO });
            }
        }
    }

    /// A line of what the trial under way tells.
    pub fn hears(&mut self, line: &str) {
        let (Some(now), Ok(event)) = (&mut self.now, serde_json::from_str::<Event>(line)) else { return };
        now.replies += u64::from(matches!(event, Event::Turn(TurnEvent::Replied { .. })));
        if matches!(event, Event::Turn(TurnEvent::Waiting { phase: Phase::Sending })) {
            now.step = now.replies + 1;
        }
        if let Some(words) = doing::words(&event) {
            now.doing = words;
        }
    }

    /// The trial under way has taken so long.
    pub fn takes(&mut self, took: Duration) {
        if let Some(now) = &mut self.now {
            now.took = took;
        }
    }

    /// A trial was made; the rest takes about so long.
    pub fn made(&mut self, row: TrialRow, left: Duration) {
        (self.now, self.left) = (None, Some(left));
        let name = row.arm.clone();
        self.rows.push(row);
        let (rows, kinds) = (&self.rows, &self.kinds);
        for arm in self.arms.iter_mut().filter(|arm| arm.name == name) {
            *arm = LiveVariant::new(name.clone(), arm.done.1, rows, kinds);
        }
    }

    /// Whether trials are made from now on.
    pub fn go(&mut self, pace: Pace) {
        self.pace = pace;
        if pace == Pace::Over {
            self.now = None;
        }
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Skips the task under way and says which it is. None where nothing is under way.
    pub fn skip(&mut self) -> Option<String> {
        let task = self.now.take()?.key.task;
        self.skipped = Some(format!("{} is skipped; `agent bench resume` makes its other trials", clean_line(&task)));
        Some(task)
    }
}

impl LiveVariant {
    fn new(name: String, all: usize, rows: &[TrialRow], kinds: &BTreeMap<String, TaskKind>) -> Self {
        let counted: Vec<&TrialRow> = rows.iter().filter(|row| row.arm == name && row.counts()).collect();
        let secs: f64 = counted.iter().map(|row| row.secs).sum();
        let minutes = (!counted.is_empty()).then(|| secs / counted.len() as f64 / 60.0);
        let figures = figures(rows, std::slice::from_ref(&name), kinds).remove(0);
        LiveVariant { done: (counted.len(), all), name, figures, minutes }
    }

    /// What a person should know of it before the end.
    fn warnings(&self) -> Vec<String> {
        let (name, count) = (clean_line(&self.name), |class: TrialClass| self.figures.classes.get(class.words()));
        let said = |count: Option<&usize>, words: &str| match count {
            None => None,
            Some(1) => Some(format!("! {name}: 1 trial {words}")),
            Some(count) => Some(format!("! {name}: {count} trials {words}")),
        };
        let slower = self.figures.slower.map(|_| format!("! {name} writes much slower than at first"));
        [
            said(count(TrialClass::Fault), "made again: server or machine failed"),
            slower,
            said(count(TrialClass::TokenLimit), "ended at the token limit"),
            said(count(TrialClass::UnreadableCalls), "had no call that could be read"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
