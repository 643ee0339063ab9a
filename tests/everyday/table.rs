//! What was played, line by line and in sum.

use crate::cases::{Mode, Row};
use crate::play::Played;
use std::fmt::Write;
use std::fmt::{self, Display, Formatter};

/// So many of a hundred end well.
const BAR: usize = 95;

/// One row in one mode.
#[derive(Debug)]
pub(crate) struct Line {
    project: String,
    command: String,
    mode: Mode,
    most: usize,
    /// What is not installed here.
    pub(crate) skipped: Option<String>,
    played: Played,
}

impl Line {
    pub(crate) fn skipped(row: &Row, mode: Mode, missing: String) -> Self {
        Line { skipped: Some(missing), ..Line::of(row, mode, Played::default()) }
    }

    pub(crate) fn of(row: &Row, mode: Mode, played: Played) -> Self {
        let command = row.run.join(" ; ").replace('\n', "⏎");
        Line { project: row.project.clone(), command, mode, most: row.most(), skipped: None, played }
    }

    /// What is wrong with it.
    fn fault(&self) -> Option<String> {
        let Played { well, questions, in_vain, told, .. } = &self.played;
        let what = format!("{} in {}, {}", self.command, self.project, self.mode.words());
        match self.skipped {
            Some(_) => None,
            None if !well => Some(format!("{what}: did not end well: {told}")),
            None if *in_vain > 0 => Some(format!("{what}: {in_vain} runs were bound to fail")),
            None if *questions > self.most => Some(format!("{what}: {questions} questions, {} at most", self.most)),
            None => None,
        }
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let command: String = self.command.chars().take(78).collect();
        write!(f, "| {} | `{}` | {} | ", self.project, command.replace('|', "\\|"), self.mode.words())?;
        if let Some(missing) = &self.skipped {
            return write!(f, "– ({missing}) | | | |");
        }
        let Played { well, questions, in_vain, took, .. } = &self.played;
        let well = if *well { "✓" } else { "✗" };
        write!(f, "{well} | {questions} | {in_vain} | {:.1} s |", took.as_secs_f64())
    }
}

/// All lines.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) lines: Vec<Line>,
}

impl Table {
    pub(crate) fn faults(&self) -> Vec<String> {
        self.lines.iter().filter_map(Line::fault).collect()
    }

    /// Prints it, and writes it into the file that the environment names.
    pub(crate) fn publish(&self, title: &str) {
        let mut text =
            format!("\n## {title}\n\n| project | command | mode | ended well | questions | runs in vain | took |\n");
        text.push_str("|---|---|---|---|---|---|---|\n");
        self.lines.iter().for_each(|line| writeln!(text, "{line}").unwrap());
        writeln!(text, "\n{}", self.sum()).unwrap();
        println!("{text}\n### What is wrong\n");
        self.faults().iter().for_each(|fault| println!("- {}", fault.chars().take(900).collect::<String>()));
        if let Some(path) = std::env::var_os("AGENT_BATTERY_TABLE") {
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            std::fs::write(path, before + &text).unwrap();
        }
    }

    fn sum(&self) -> String {
        let played: Vec<&Line> = self.lines.iter().filter(|line| line.skipped.is_none()).collect();
        let well = played.iter().filter(|line| line.played.well).count();
        let in_vain: usize = played.iter().map(|line| line.played.in_vain).sum();
        let over = played.iter().filter(|line| line.played.questions > line.most).count();
        let mut missing: Vec<&str> = self.lines.iter().filter_map(|line| line.skipped.as_deref()).collect();
        missing.sort_unstable();
        missing.dedup();
        format!(
            "{well} of {} ended well ({} skipped: {}); {in_vain} runs were bound to fail; {over} asked too much",
            played.len(),
            self.lines.len() - played.len(),
            if missing.is_empty() { "nothing is missing".to_owned() } else { missing.join(", ") },
        )
    }

    /// Does all of it hold that has to?
    pub(crate) fn verdict(&self) -> Result<(), String> {
        let played = self.lines.iter().filter(|line| line.skipped.is_none());
        let (all, well) = played.fold((0, 0), |(all, well), line| (all + 1, well + usize::from(line.played.well)));
        let other = self.lines.iter().filter(|line| line.skipped.is_none() && line.played.well);
        let other = other.filter_map(Line::fault).collect::<Vec<_>>();
        if well * 100 < all * BAR || !other.is_empty() {
            return Err(format!("{}\n{}", self.sum(), other.join("\n")));
        }
        Ok(())
    }
}
