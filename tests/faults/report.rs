//! How the rows ended, as a table and as faults.

use crate::room::Figures;
use crate::rows::{ELSEWHERE, WAITING};
use std::time::Duration;

/// How one row ended.
pub(crate) struct Ended {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What went wrong, if anything did.
    pub(crate) fault: Option<String>,
    pub(crate) figures: Figures,
}

/// What is wrong with the whole: rows that fail and are not known to, and rows that are known to and do not.
pub(crate) fn faults(ended: &[Ended]) -> Vec<String> {
    let fault = |row: &Ended| match (&row.fault, waits(&row.id)) {
        (Some(fault), None) => Some(format!("{} ({}): {fault}", row.id, row.title)),
        (None, Some(_)) => Some(format!("{} holds now; take it off WAITING", row.id)),
        (None, None) | (Some(_), Some(_)) => None,
    };
    ended.iter().filter_map(fault).collect()
}

fn waits(id: &str) -> Option<&'static str> {
    WAITING.iter().find(|(waiting, _)| *waiting == id).map(|(_, why)| *why)
}

/// Says what was played and what was not, and why; with AGENT_FIGURES also what was measured.
#[expect(clippy::print_stdout, reason = "shown when the test is run with --nocapture or fails")]
pub(crate) fn say(ended: &[Ended]) {
    let waiting = ended.iter().filter(|row| row.fault.is_some() && waits(&row.id).is_some()).count();
    let failed = ended.iter().filter(|row| row.fault.is_some() && waits(&row.id).is_none()).count();
    let held = ended.len() - waiting - failed;
    println!("{held} rows hold, {failed} fail, {waiting} wait, {} are played elsewhere, 0 skipped", ELSEWHERE.len());
    if std::env::var_os("AGENT_FIGURES").is_some() {
        for row in ended {
            println!("{}  {}", row.id, line(row));
        }
    }
    for (id, why) in WAITING {
        println!("{id}  waits: {why}");
    }
    for (id, why) in ELSEWHERE {
        println!("{id}  elsewhere: {why}");
    }
}

fn line(row: &Ended) -> String {
    let figure = |(name, value): (&&str, &f64)| format!("{value:.1} {name}");
    let figures: Vec<String> = row.figures.iter().map(figure).collect();
    let state = if row.fault.is_some() { "fails" } else { "holds" };
    format!("{state}  {:<48} {}", row.title, figures.join(" · "))
}

/// Says how a flood was borne, where figures are wanted.
#[expect(clippy::print_stdout, reason = "shown when the test is run with --nocapture or fails")]
pub(crate) fn say_flood(name: &str, figures: &Figures, took: Duration) {
    if std::env::var_os("AGENT_FIGURES").is_some() {
        println!("{name:<48} {:.0} MB · {:.1} s", figures.get("MB").unwrap_or(&f64::NAN), took.as_secs_f64());
    }
}
