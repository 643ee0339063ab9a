//! What five sessions cost in prompts, as the first version of the program showed files and results and as this one does. No
//! times: the figures are the same on every machine.

use crate::cost::{Cost, ON, Session, click, commander, fd, only, pylint};
use crate::table::Row;
use anyhow::{Result, ensure};

/// Makes a session.
type Made = fn() -> Session;

/// The sessions, and how each of their turns is called in the table.
const SESSIONS: [(Made, &[&str]); 4] = [
    (click::session, &["  a mistake in Python, 64k: thousand characters"]),
    (fd::session, &["  a mistake in Rust, 64k"]),
    (commander::session, &["  a weak model in a long file, JavaScript, 64k"]),
    (pylint::session, &["  a mistake among 4,141 files, 16k", "  two names in 14 files, the same session"]),
];

/// Prompt characters of all five, one way and the other.
pub(crate) fn cost() -> Result<Vec<Row>> {
    let (mut rows, mut off, mut on) = (Vec::new(), Vec::new(), Vec::new());
    for (session, names) in SESSIONS {
        let session = session();
        let (before, now) = (session.play(&only(&[])), session.play(ON));
        for missing in before.iter().chain(&now).flat_map(|cost| &cost.missing) {
            ensure!(false, "{} did not do its work: {missing}", session.name);
        }
        for (name, (before, now)) in names.iter().zip(before.iter().zip(&now)) {
            rows.push(Row::new(name, vec![thousands(now)]).at_most(thousands(before), "–"));
        }
        off.extend(before);
        on.extend(now);
    }
    let all = |costs: &[Cost], of: fn(&Cost) -> usize| costs.iter().map(of).sum::<usize>() as f64;
    let share = all(&on, |cost| cost.characters) * 100.0 / all(&off, |cost| cost.characters);
    let mut table = vec![
        Row::new("prompt characters of five sessions, % of those in 0.1", vec![share]).at_most(70.0, "–"),
        Row::new("  requests (at most as many as in 0.1)", vec![all(&on, |cost| cost.requests)])
            .at_most(all(&off, |cost| cost.requests), "–"),
        Row::new("  prompts that do not begin with the one before", vec![all(&on, |cost| cost.breaks)])
            .at_most(all(&off, |cost| cost.breaks), "–"),
    ];
    table.append(&mut rows);
    Ok(table)
}

fn thousands(cost: &Cost) -> f64 {
    (cost.characters as f64 / 1e3).round()
}
