//! What a run found, as `bench.json` for programs and as `bench.md` for people. Nothing is sent anywhere.

mod machine;
mod passes;
mod plot;

use crate::figures::{Difference, VariantFigures, Verdict, compare, figures, pairs};
use crate::order::{Slot, Trying};
use crate::rows::{TrialRow, began, is_spoiled};
use crate::run::RunPlan;
use crate::stages::Stage;
use crate::task::TaskKind;
use crate::variant::Variant;
use crate::watch::ServerFacts;
use agent_protocol::sanitize::clean_text;
use agent_protocol::sanitize::figures::counted;
pub use machine::Machine;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The form of `bench.json`. It grows with every change that a reader has to know of.
const VERSION: u32 = 1;
/// Of a setting with which no trial was made.
const NOT_TRIED: &str = ", as nothing could show any more that it is better";

/// All that is known of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchReport {
    pub version: u32,
    /// Where it ran.
    pub machine: Machine,
    /// What was to be done.
    pub plan: RunPlan,
    /// Trials that are made, of all.
    pub done: (usize, usize),
    /// Trials that were skipped by hand.
    pub skipped: usize,
    /// So much went wrong through no fault of the models that the figures tell little.
    pub spoiled: bool,
    /// What the server of each arm told at its first trial that counts.
    pub servers: BTreeMap<String, ServerFacts>,
    /// What was known of the models before the first trial, as every trial begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<Value>,
    /// What is known of each arm.
    pub figures: Vec<VariantFigures>,
    pub differences: Vec<VariantPair>,
    pub rows: Vec<TrialRow>,
}

/// Two arms and how they differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantPair {
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
        let mut figures = figures(&rows, &arms, &kinds);
        let mut differences = Vec::new();
        // Where each is held against the first alone, what two others have in common says nothing.
        let held_against = if plan.trying == Trying::Together { arms.len() } else { 1 };
        // Nor are there places: some were left after a few tasks, whose shares are not of the same tasks.
        if plan.trying != Trying::Together {
            figures.iter_mut().for_each(|arm| arm.place = None);
        }
        for (at, one) in arms.iter().enumerate().take(held_against) {
            for other in &arms[at + 1..] {
                let difference = compare(&pairs(&rows, &kinds, one, other));
                differences.push(VariantPair { one: one.clone(), other: other.clone(), difference });
            }
        }
        let counted = rows.iter().filter(|row| row.counts()).count();
        let all = counted + plan.outstanding(&rows).len();
        let spoiled = is_spoiled(&rows);
        let servers = arms.iter().filter_map(|arm| Some((arm.clone(), began(&rows, arm)?.clone()))).collect();
        BenchReport {
            version: VERSION,
            machine,
            done: (counted, all),
            skipped: 0,
            spoiled,
            servers,
            learned: None,
            figures,
            differences,
            plan,
            rows,
        }
    }

    /// The same with what was known of the models.
    pub fn knowing(self, learned: Option<Value>) -> Self {
        BenchReport { learned, ..self }
    }

    /// Says that no more trials were made of these tasks, because a person wished so.
    pub fn with_skipped(mut self, tasks: &BTreeSet<String>) -> Self {
        let outstanding = self.plan.outstanding(&self.rows);
        self.skipped = outstanding.iter().filter(|slot| tasks.contains(&self.plan.tasks[slot.task].0)).count();
        self
    }

    /// Whether all of it was made, what was skipped included, and says something of the models.
    pub fn is_whole(&self) -> bool {
        self.done.0 == self.done.1 && !self.spoiled
    }

    /// How to work with the best of several models from now on; none where there is but one.
    pub fn next_step(&self) -> Option<String> {
        let plain: Vec<&Variant> = self.plan.arms.iter().filter(|arm| arm.settings.is_empty()).collect();
        let tried = |arm: &&&Variant| self.figures.iter().any(|figures| figures.arm == arm.name && figures.solved > 0);
        let share =
            |arm: &Variant| self.figures.iter().find(|one| one.arm == arm.name).map_or(0.0, |one| one.share.share);
        let best = plain.iter().filter(tried).max_by(|one, other| share(one).total_cmp(&share(other)))?;
        let model = clean_text(&best.model).into_owned();
        let step = format!(
            "`agent --model {model}` begins a session with it; `/model {model}` there keeps it for later ones."
        );
        let alone = plain.iter().filter(|arm| share(arm) >= share(best)).count() == 1;
        (plain.len() > 1 && alone).then(|| format!("{model} solved the most. {step}"))
    }

    /// `bench.json`.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What it comes to, in a few sentences.
    pub fn words(&self) -> String {
        let sentence = |arm: &VariantFigures| sentence(arm, &self.left(arm));
        let mut lines: Vec<String> = self.figures.iter().map(sentence).collect();
        lines.extend(self.passes().iter().map(passes::Passes::words));
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
        if self.skipped > 0 {
            lines.push(format!("{} skipped by hand; the figures are of the others.", counted(self.skipped, "trial")));
        }
        if self.done.0 < self.done.1 {
            lines.push(format!("{} of {} trials were made; `agent bench resume` goes on.", self.done.0, self.done.1));
        }
        clean_text(&lines.join("\n")).to_string()
    }

    /// `bench.svg`; empty where nothing was solved.
    pub fn svg(&self) -> String {
        plot::svg(&self.figures)
    }

    /// The same picture for a terminal.
    pub fn plot(&self) -> String {
        plot::text(&self.figures)
    }

    /// `bench.md`: two tables, the picture of `bench.svg` where there is one, and the command that repeats it.
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
        let servers: String = self.servers.iter().map(|(arm, facts)| format!("- {arm}: {}\n", facts.words())).collect();
        let left_out: String =
            plan.left_out.iter().map(|(task, why)| format!("- left out: {task} ({why})\n")).collect();
        let picture =
            if self.svg().is_empty() { "" } else { "![solved, against minutes per solved task](bench.svg)\n\n" };
        let text = format!(
            "{head}\n{words}\n{picture}{}\n{}\n{servers}{left_out}\nShares are of trials, with the interval for tasks like these. To \
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
        let mut arms: Vec<&VariantFigures> = self.figures.iter().collect();
        if self.plan.trying == Trying::Together {
            arms.sort_by(|one, other| other.share.share.total_cmp(&one.share.share));
        }
        head.to_owned() + &arms.into_iter().map(|arm| arm_line(arm, &self.left(arm))).collect::<String>()
    }

    /// That a setting was not tried to the end, since it could not become better any more; else nothing.
    fn left(&self, arm: &VariantFigures) -> String {
        let is_of = |slot: &Slot| self.plan.arms[slot.arm].name == arm.arm;
        let planned = self.plan.order().iter().filter(|slot| is_of(slot)).count();
        let made = self.rows.iter().filter(|row| row.arm == arm.arm && row.counts()).count();
        let is_its = |stage: &&Stage| stage.arm.is_some_and(|at| self.plan.arms[at].name == arm.arm);
        let is_lost = self.plan.stages().iter().find(is_its).is_some_and(|stage| self.plan.is_lost(stage, &self.rows));
        match (is_lost && made < planned, made) {
            (false, _) => String::new(),
            (true, 0) => "not begun".to_owned(),
            (true, _) => format!("left after {}", counted(arm.tasks, "task")),
        }
    }

    /// Kinds of tasks, and ways to fail, a column for each arm.
    fn kinds_table(&self) -> String {
        let names: Vec<String> = self.figures.iter().map(|arm| cell(&arm.arm)).collect();
        let mut table = format!("| | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
        let kinds: BTreeSet<TaskKind> = self.plan.tasks.iter().map(|(_, kind)| *kind).collect();
        for kind in kinds.into_iter().filter(|kind| *kind != TaskKind::Cannot) {
            let count = |arm: &VariantFigures| {
                arm.kinds.get(kind.word()).map_or("–".to_owned(), |(solved, all)| format!("{solved}/{all}"))
            };
            table += &self.line(&format!("solved: {}", kind.word()), count);
        }
        let classes: BTreeSet<&str> = self.figures.iter().flat_map(|arm| arm.classes.keys().copied()).collect();
        for class in classes.into_iter().filter(|class| *class != "solved") {
            let count = |arm: &VariantFigures| arm.classes.get(class).map_or("–".to_owned(), ToString::to_string);
            table += &self.line(class, count);
        }
        table
    }

    fn line(&self, name: &str, cell: impl Fn(&VariantFigures) -> String) -> String {
        let cells: Vec<String> = self.figures.iter().map(cell).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    }
}

/// A name as it can stand in a table of Markdown.
fn cell(name: &str) -> String {
    name.replace('|', "\\|")
}

fn arm_line(arm: &VariantFigures, left: &str) -> String {
    let place = arm.place.map_or("–".to_owned(), |place| place.to_string());
    let left = if left.is_empty() { String::new() } else { format!(" ({left})") };
    let number =
        |value: Option<f64>, digits: usize| value.map_or("–".to_owned(), |value| format!("{value:.digits$}"));
    format!(
        "| {place} | {}{left} | {}/{} | {} | {}/{} | {} | {} | {:.0} % | {} | {} | {}/{} |\n",
        cell(&arm.arm),
        arm.solved,
        arm.trials,
        share(arm),
        arm.once,
        arm.tasks,
        number(arm.minutes_per_solved, if arm.minutes_per_solved.is_some_and(|minutes| minutes < 1.0) { 2 } else { 1 }),
        number(arm.tokens_per_solved, 0),
        arm.wasted * 100.0,
        number(arm.steps, 0),
        number(arm.speed, 0),
        arm.honest.0,
        arm.honest.1
    )
}

/// `42 % (28–57)`.
pub fn share(arm: &VariantFigures) -> String {
    let points = |share: f64| (share * 100.0).round();
    format!("{} % ({}–{})", points(arm.share.share), points(arm.share.low), points(arm.share.high))
}

/// `5.0 min`, `12 s`.
fn minutes_words(minutes: f64) -> String {
    if minutes < 1.0 { format!("{:.0} s", minutes * 60.0) } else { format!("{minutes:.1} min") }
}

fn sentence(arm: &VariantFigures, left: &str) -> String {
    if arm.trials == 0 {
        return format!("{}: nothing was tried{}.", arm.arm, if left.is_empty() { "" } else { NOT_TRIED });
    }
    let needs = match arm.minutes_per_solved {
        Some(minutes) => format!("it needs {} per solved task", minutes_words(minutes)),
        None => "it solved nothing".into(),
    };
    let failures = failures(arm);
    let left =
        if left.is_empty() { String::new() } else { format!("; {left}, as it could not become better any more") };
    format!("{} solves {}, {} of {} trials; {needs}{failures}{left}.", arm.arm, share(arm), arm.solved, arm.trials)
}

/// The three most frequent ways in which it failed.
fn failures(arm: &VariantFigures) -> String {
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
pub(crate) mod tests;
