//! The edit benchmark: changes of real-looking files in eight languages, called for as models do it, not to the letter.
//!
//! Every call goes the way of the tool: reach, plan, and a permit for what the file will be. To see the table:
//! `cargo test -p agent-tools edits:: -- --nocapture`.
//!
//! **Invariant.** None lands in the wrong place: what is not the expected file must be a refusal.

mod landing;
mod refusing;
mod samples;
mod words;

use crate::support::Gate;
use agent_policy::Looked;
use agent_protocol::{Action, Failure, FailureKind, ModelCall};
use agent_tools::Toolbox;
use landing::Landing;
use refusing::Refusal;
use samples::Sample;
use serde_json::json;
use similar::TextDiff;
use std::fmt::Write;
use std::path::PathBuf;
use tempfile::TempDir;
use words::Numbers;

/// A project with one file, and the tools over it.
struct Project {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    gate: Gate,
}

impl Project {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        Project { toolbox: Toolbox::new(root.clone()), gate: Gate::new(&root), _folder: folder, root }
    }

    /// What the file would be after the call: what its permit covers.
    fn edited(&mut self, name: &str, text: &str, old: &str, new: &str) -> Result<String, Failure> {
        std::fs::write(self.root.join(name), text).unwrap();
        let arguments = json!({"file_path": name, "old_string": old, "new_string": new});
        let call = ModelCall { server_id: None, index: None, name: "edit_file".into(), arguments };
        let look = self.gate.look(self.toolbox.reach(&call)?.action).unwrap();
        let looked = Looked::from(&look);
        let action = self.toolbox.plan(&call, look)?.action();
        match self.gate.deed(action, &looked).unwrap().action() {
            Action::Write { changes } => Ok(changes.0[0].after.clone().unwrap()),
            action => panic!("no write: {action:?}"),
        }
    }
}

/// How the calls of one kind ended.
#[derive(Default)]
struct Row {
    name: &'static str,
    calls: usize,
    landed: usize,
    refused: usize,
    wrong: usize,
}

/// The rows, and what went otherwise than it should.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
    faults: String,
}

impl Table {
    fn sum(&self, of: impl Fn(&Row) -> usize) -> usize {
        self.rows.iter().map(of).sum()
    }

    fn fault(&mut self, kind: &str, sample: &Sample, call: (&str, &str), found: &str) {
        let (old, new) = call;
        let name = &sample.name;
        let _ = write!(self.faults, "\n=== {kind}, {name}\n--- old\n{old}\n--- new\n{new}\n--- found\n{found}\n");
    }

    #[expect(clippy::print_stdout, reason = "the table is what one runs the benchmark for")]
    fn show(&self, title: &str) {
        println!("\n{title:<44}{:>7}{:>8}{:>9}{:>7}", "calls", "landed", "refused", "wrong");
        let total = Row {
            name: "all",
            calls: self.sum(|row| row.calls),
            landed: self.sum(|row| row.landed),
            refused: self.sum(|row| row.refused),
            wrong: self.sum(|row| row.wrong),
        };
        for Row { name, calls, landed, refused, wrong } in self.rows.iter().chain([&total]) {
            println!("{name:<44}{calls:>7}{landed:>8}{refused:>9}{wrong:>7}");
        }
        if std::env::var_os("FAULTS").is_some() {
            println!("{}", self.faults);
        }
    }
}

fn difference(expected: &str, found: &str) -> String {
    TextDiff::from_lines(expected, found).unified_diff().to_string()
}

fn landings(all: &[(&'static str, landing::Perturb)]) -> Table {
    let mut project = Project::new();
    let mut table = Table::default();
    for (nth, (name, perturb)) in all.iter().enumerate() {
        let mut numbers = Numbers::new(nth as u64 + 1);
        let mut row = Row { name, ..Row::default() };
        for sample in samples::all() {
            let Some(Landing { text, old, new, done }) = perturb(&sample, &mut numbers) else { continue };
            row.calls += 1;
            match project.edited(&sample.name, &text, &old, &new) {
                Ok(after) if after == done => row.landed += 1,
                Ok(after) => {
                    row.wrong += 1;
                    table.fault(name, &sample, (&old, &new), &difference(&done, &after));
                }
                Err(failure) => {
                    row.refused += 1;
                    table.fault(name, &sample, (&old, &new), &failure.message);
                }
            }
        }
        table.rows.push(row);
    }
    table
}

fn refusals(all: &[(&'static str, refusing::Perturb)], kinds: &[FailureKind]) -> Table {
    let mut project = Project::new();
    let mut table = Table::default();
    for (nth, (name, perturb)) in all.iter().enumerate() {
        let mut numbers = Numbers::new(nth as u64 + 1);
        let mut row = Row { name, ..Row::default() };
        for sample in samples::all() {
            let Some(Refusal { text, old, new }) = perturb(&sample, &mut numbers) else { continue };
            row.calls += 1;
            match project.edited(&sample.name, &text, &old, &new) {
                Err(failure) if kinds.contains(&failure.kind) => row.refused += 1,
                Err(failure) => {
                    row.refused += 1;
                    table.fault(name, &sample, (&old, &new), &format!("refused as {:?}", failure.kind));
                }
                Ok(after) => {
                    row.wrong += 1;
                    table.fault(name, &sample, (&old, &new), &difference(&text, &after));
                }
            }
        }
        table.rows.push(row);
    }
    table
}

#[test]
fn calls_that_are_not_to_the_letter_land_where_they_should() {
    let table = landings(landing::ALL);
    table.show("must land");
    let (calls, landed, wrong) = (table.sum(|row| row.calls), table.sum(|row| row.landed), table.sum(|row| row.wrong));
    assert!(calls >= 200, "{calls} calls");
    assert_eq!(wrong, 0, "{}", table.faults);
    assert!(landed * 100 >= calls * 95, "{landed} of {calls} landed:{}", table.faults);
    assert!(table.rows.iter().all(|row| row.landed * 100 >= row.calls * 80), "one kind lags behind:{}", table.faults);
}

#[test]
fn calls_that_say_too_little_land_right_or_not_at_all() {
    let table = landings(landing::DOUBTFUL);
    table.show("may be refused");
    assert!(table.sum(|row| row.calls) >= 50);
    assert_eq!(table.sum(|row| row.wrong), 0, "{}", table.faults);
}

#[test]
fn calls_that_could_mean_several_places_are_refused() {
    let table = refusals(refusing::AMBIGUOUS, &[FailureKind::Ambiguous]);
    table.show("must be refused: ambiguous");
    assert!(table.sum(|row| row.calls) >= 50);
    assert_eq!(table.faults, "");
}

#[test]
fn calls_for_what_is_not_there_are_refused() {
    let table = refusals(refusing::MISSES, &[FailureKind::NoMatch, FailureKind::Ambiguous]);
    table.show("must be refused: not there");
    assert!(table.sum(|row| row.calls) >= 50);
    assert_eq!(table.faults, "");
}

#[test]
fn the_files_are_of_eight_languages() {
    let mut endings: Vec<String> =
        samples::all().iter().map(|sample| sample.name.rsplit('.').next().unwrap().to_owned()).collect();
    endings.dedup();
    assert_eq!(endings, ["java", "go", "yaml", "rs", "py", "html", "c", "ts"]);
}
