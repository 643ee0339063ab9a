//! What a run found, as `bench.json` for programs and as `bench.md` for people. Nothing is sent anywhere.

mod machine;

use crate::figures::{ArmFigures, Difference, Verdict, compare, figures, pairs};
use crate::rows::{TrialRow, is_spoiled};
use crate::run::RunPlan;
use crate::task::TaskKind;
use agent_clean::clean_text;
pub use machine::Machine;
use serde::Serialize;
use std::collections::BTreeSet;

/// The form of `bench.json`. It grows with every change that a reader has to know of.
const VERSION: u32 = 1;

/// All that is known of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchReport {
    /// Of the form.
    pub version: u32,
    /// Where it ran.
    pub machine: Machine,
    /// What was to be done.
    pub plan: RunPlan,
    /// Trials that are made, of all.
    pub done: (usize, usize),
    /// So much went wrong through no fault of the models that the figures tell little.
    pub spoiled: bool,
    /// What is known of each arm.
    pub figures: Vec<ArmFigures>,
    /// Each pair of arms.
    pub differences: Vec<ArmPair>,
    /// Every trial.
    pub rows: Vec<TrialRow>,
}

/// Two arms and how they differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmPair {
    /// The first.
    pub one: String,
    /// The second.
    pub other: String,
    /// How the first differs from the second.
    pub difference: Difference,
}

impl BenchReport {
    /// Reckons it from the rows of a run.
    pub fn new(plan: RunPlan, rows: Vec<TrialRow>, machine: Machine) -> Self {
        let (kinds, arms) = (plan.kinds(), plan.arm_names());
        let figures = figures(&rows, &arms, &kinds);
        let mut differences = Vec::new();
        for (at, one) in arms.iter().enumerate() {
            for other in &arms[at + 1..] {
                let difference = compare(&pairs(&rows, &kinds, one, other));
                differences.push(ArmPair { one: one.clone(), other: other.clone(), difference });
            }
        }
        let counted = rows.iter().filter(|row| row.counts()).count();
        let all = plan.arms.len() * plan.tasks.len() * plan.trials as usize;
        let spoiled = is_spoiled(&rows);
        BenchReport { version: VERSION, machine, done: (counted, all), spoiled, figures, differences, plan, rows }
    }

    /// `bench.json`.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What it comes to, in a few sentences.
    pub fn words(&self) -> String {
        let mut lines: Vec<String> = self.figures.iter().map(sentence).collect();
        lines.extend(self.differences.iter().map(|pair| {
            let words = pair.difference.words(&pair.one, &pair.other);
            match pair.difference.verdict() {
                Verdict::Better | Verdict::Worse => format!("On this machine {words}."),
                Verdict::NotSeen => format!("{}.", capital(&words)),
            }
        }));
        for arm in self.figures.iter().filter(|arm| arm.slower.is_some()) {
            lines.push(format!("{} got much slower on the way: something else used this machine.", arm.arm));
        }
        if self.spoiled {
            lines.push("SPOILED: more than one trial in ten failed through the server or the machine.".into());
        }
        if self.done.0 < self.done.1 {
            lines.push(format!("{} of {} trials were made; `agent bench resume` goes on.", self.done.0, self.done.1));
        }
        clean_text(&lines.join("\n")).to_string()
    }

    /// `bench.md`: two tables, and the command that repeats it.
    pub fn markdown(&self) -> String {
        let plan = &self.plan;
        let head = format!(
            "# agent bench: {} ({} tasks × {} trials, tasks {})\n\n{}\n\nagent {}, run {}, seed {}.\n",
            plan.course,
            plan.tasks.len(),
            plan.trials,
            plan.hash,
            self.machine.words(),
            plan.agent,
            plan.id,
            plan.seed
        );
        let words = self.words().lines().map(|line| format!("{line}\n")).collect::<Vec<_>>().join("\n");
        let left_out: String =
            plan.left_out.iter().map(|(task, why)| format!("- left out: {task} ({why})\n")).collect();
        let text = format!(
            "{head}\n{words}\n{}\n{}\n{left_out}\nShares are of trials, with the interval for tasks like these. To \
             repeat it:\n\n```\n{}\n```\n",
            self.arms_table(),
            self.kinds_table(),
            plan.command
        );
        clean_text(&text).to_string()
    }

    fn arms_table(&self) -> String {
        let head = "| place | model | solved | share (95 %) | solved once | min per solved | tokens per solved | time \
                    in failures | steps | tok/s | honest |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
        let mut arms: Vec<&ArmFigures> = self.figures.iter().collect();
        arms.sort_by(|one, other| other.share.share.total_cmp(&one.share.share));
        head.to_owned() + &arms.into_iter().map(arm_line).collect::<String>()
    }

    /// Kinds of tasks, and ways to fail, a column for each arm.
    fn kinds_table(&self) -> String {
        let names: Vec<&str> = self.figures.iter().map(|arm| arm.arm.as_str()).collect();
        let mut table = format!("| | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
        let kinds: BTreeSet<TaskKind> = self.plan.tasks.iter().map(|(_, kind)| *kind).collect();
        for kind in kinds.into_iter().filter(|kind| *kind != TaskKind::Cannot) {
            let cell = |arm: &ArmFigures| {
                arm.kinds.get(kind.word()).map_or("–".to_owned(), |(solved, all)| format!("{solved}/{all}"))
            };
            table += &self.line(&format!("solved: {}", kind.word()), cell);
        }
        let classes: BTreeSet<&str> = self.figures.iter().flat_map(|arm| arm.classes.keys().copied()).collect();
        for class in classes.into_iter().filter(|class| *class != "solved") {
            let cell = |arm: &ArmFigures| arm.classes.get(class).map_or("–".to_owned(), ToString::to_string);
            table += &self.line(class, cell);
        }
        table
    }

    fn line(&self, name: &str, cell: impl Fn(&ArmFigures) -> String) -> String {
        let cells: Vec<String> = self.figures.iter().map(cell).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    }
}

fn arm_line(arm: &ArmFigures) -> String {
    let number =
        |value: Option<f64>, digits: usize| value.map_or("–".to_owned(), |value| format!("{value:.digits$}"));
    format!(
        "| {} | {} | {}/{} | {} | {}/{} | {} | {} | {:.0} % | {} | {} | {}/{} |\n",
        arm.place,
        arm.arm,
        arm.solved,
        arm.trials,
        share(arm),
        arm.once,
        arm.tasks,
        number(arm.minutes_per_solved, 1),
        number(arm.tokens_per_solved, 0),
        arm.wasted * 100.0,
        number(arm.steps, 0),
        number(arm.speed, 0),
        arm.honest.0,
        arm.honest.1
    )
}

/// `42 % (28–57)`.
pub fn share(arm: &ArmFigures) -> String {
    let points = |share: f64| (share * 100.0).round();
    format!("{} % ({}–{})", points(arm.share.share), points(arm.share.low), points(arm.share.high))
}

fn sentence(arm: &ArmFigures) -> String {
    if arm.trials == 0 {
        return format!("{}: nothing was tried.", arm.arm);
    }
    let needs = match arm.minutes_per_solved {
        Some(minutes) => format!("it needs {minutes:.1} min per solved task"),
        None => "it solved nothing".into(),
    };
    let failures = failures(arm);
    format!("{} solves {}, {} of {} trials; {needs}{failures}.", arm.arm, share(arm), arm.solved, arm.trials)
}

/// The three most frequent ways in which it failed.
fn failures(arm: &ArmFigures) -> String {
    let mut ways: Vec<(&str, usize)> = arm.classes.iter().map(|(class, count)| (*class, *count)).collect();
    ways.retain(|(class, _)| *class != "solved");
    ways.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let ways: Vec<String> = ways.iter().take(3).map(|(class, count)| format!("{count} {class}")).collect();
    if ways.is_empty() { String::new() } else { format!("; its failures: {}", ways.join(", ")) }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
