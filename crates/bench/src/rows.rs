//! The rows of a run: one line of JSON a trial, on disk before the next trial begins.
//!
//! **Invariant.** A row that was appended is never lost and never there twice, wherever the program was ended: a last line
//! that is not whole is taken away before the next is written, and its trial is made again.

use crate::class::TrialClass;
use crate::tries::TryResult;
use crate::watch::ServerFacts;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// A trial that went wrong through no fault of the model is made so many times in all.
const ATTEMPTS: usize = 3;
/// So often a file that somebody holds is tried, with pauses between.
const TRIES: u32 = 30;
const PAUSE: Duration = Duration::from_millis(50);
/// More than this share of trials that went so, be it once, spoils a run.
const SPOILED: f64 = 0.1;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialRow {
    pub arm: String,
    pub task: String,
    /// Which trial of it, from 1.
    pub trial: u32,
    /// What the task was filled from.
    pub seed: u64,
    pub class: TrialClass,
    /// From start to end of the trial, without grading.
    pub secs: f64,
    pub steps: u64,
    pub read: u64,
    /// Tokens it had in mind already.
    pub reused: u64,
    pub written: u64,
    /// Of these thought, by its letters.
    pub thought: u64,
    pub calls: u64,
    /// Calls that were put right.
    pub repaired: u64,
    pub missed: u64,
    /// Tokens written a second.
    pub speed: Option<f64>,
    /// The exit code of the process; none where it was ended.
    pub exit: Option<i32>,
    /// Named tests that pass, and how many there are.
    pub tests: (usize, usize),
    pub changed_lines: usize,
    /// What else there is to say, in words.
    pub note: String,
    /// What the server told after it; none: nobody asked, or it did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerFacts>,
    /// Seconds since 1970 at its end.
    pub ended: u64,
    /// Each try of an imported exercise; where the first did not solve it there is a second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<TryResult>,
}

impl TrialRow {
    pub fn key(&self) -> TrialKey {
        TrialKey { arm: self.arm.clone(), task: self.task.clone(), trial: self.trial }
    }

    /// Whether it says something of the model.
    pub fn counts(&self) -> bool {
        self.class != TrialClass::Fault
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialKey {
    pub arm: String,
    pub task: String,
    /// From 1.
    pub trial: u32,
}

/// The rows of one run, on disk and in memory.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    file: File,
    rows: Vec<TrialRow>,
    /// So many of them were there when it was opened.
    earlier: usize,
}

impl Rows {
    /// Opens the file at `path`, which is made where it is not there, and takes away a last line that is not whole. Nobody
    /// else can open it meanwhile.
    ///
    /// # Errors
    /// The system's words; another program has it open; a line before the last that cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        lock(&file, "another program works on this run")?;
        let (rows, whole) = read_rows(&fs::read(path)?)?;
        file.set_len(whole)?;
        file.flush()?;
        let earlier = rows.len();
        Ok(Rows { path: path.to_owned(), file, rows, earlier })
    }

    /// The rows at `path`, which is left as it is. Not there: none.
    ///
    /// # Errors
    /// The same.
    pub fn look(path: &Path) -> io::Result<Vec<TrialRow>> {
        match fs::read(path) {
            Ok(bytes) => Ok(read_rows(&bytes)?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Appends a row, and comes back when it is on disk. One that is there already and counts is not written again.
    ///
    /// # Errors
    /// The system's words, with the file's name.
    pub fn append(&mut self, row: TrialRow) -> io::Result<()> {
        if self.is_done(&row.key()) {
            return Ok(());
        }
        let mut line = serde_json::to_string(&row)?;
        line.push('\n');
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display()));
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_all()).map_err(named)?;
        self.rows.push(row);
        Ok(())
    }

    /// Whether there is nothing more to do for this trial: it counts, or it failed too often through no fault of the model
    /// since this was opened. Whoever opens it again may have set right what was at fault.
    pub fn is_done(&self, key: &TrialKey) -> bool {
        let of_it = |row: &&TrialRow| row.key() == *key;
        let attempts = self.rows[self.earlier..].iter().filter(of_it).count();
        attempts >= ATTEMPTS || self.rows.iter().filter(of_it).any(TrialRow::counts)
    }

    /// All of them, those that do not count included.
    pub fn all(&self) -> &[TrialRow] {
        &self.rows
    }
}

/// Holds the file against other programs, or fails with `words`. Whoever had it a moment ago may have left it to children that
/// are about to end.
pub(crate) fn lock(file: &File, words: &str) -> io::Result<()> {
    for _ in 0..TRIES {
        if file.try_lock().is_ok() {
            return Ok(());
        }
        sleep(PAUSE);
    }
    Err(io::Error::other(words))
}

/// Whether so much went wrong through no fault of the models that the figures tell little. A trial counts once, however often
/// it was made: a server that is gone for a moment fails the same one several times.
pub fn is_spoiled(rows: &[TrialRow]) -> bool {
    let keys: BTreeSet<TrialKey> = rows.iter().map(TrialRow::key).collect();
    let faults: BTreeSet<TrialKey> = rows.iter().filter(|row| !row.counts()).map(TrialRow::key).collect();
    faults.len() as f64 > keys.len() as f64 * SPOILED
}

/// What the server told when this arm had its first trial that counts.
pub(crate) fn began<'a>(rows: &'a [TrialRow], arm: &str) -> Option<&'a ServerFacts> {
    rows.iter().filter(|row| row.arm == arm && row.counts()).find_map(|row| row.server.as_ref())
}

/// The rows in `bytes`, and how many bytes of it are whole lines. Of two rows of one trial that count the first is meant.
fn read_rows(bytes: &[u8]) -> io::Result<(Vec<TrialRow>, u64)> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (mut rows, mut counted): (Vec<TrialRow>, BTreeMap<TrialKey, ()>) = (Vec::new(), BTreeMap::new());
    for (at, line) in bytes[..whole].split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let row: TrialRow = serde_json::from_slice(line)
            .map_err(|error| io::Error::other(format!("line {} of the rows cannot be read ({error})", at + 1)))?;
        if !row.counts() || counted.insert(row.key(), ()).is_none() {
            rows.push(row);
        }
    }
    Ok((rows, whole as u64))
}

#[cfg(test)]
pub(crate) fn sample(arm: &str, task: &str, trial: u32, class: TrialClass) -> TrialRow {
    TrialRow {
        arm: arm.into(),
        task: task.into(),
        trial,
        seed: 1,
        class,
        secs: 60.0,
        steps: 5,
        read: 4000,
        reused: 8000,
        written: 500,
        thought: 0,
        calls: 4,
        repaired: 0,
        missed: 0,
        speed: Some(30.0),
        exit: Some(0),
        tests: (3, 3),
        changed_lines: 4,
        note: "ä".into(),
        server: None,
        ended: 0,
        tries: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Vec<TrialRow> {
        let class = [TrialClass::Solved, TrialClass::Fault, TrialClass::Wrong];
        class.iter().zip(["t1", "t2", "t2"]).map(|(class, task)| sample("m", task, 1, *class)).collect()
    }

    #[test]
    fn wherever_the_last_row_is_cut_the_others_are_there_and_its_trial_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut rows = Rows::open(&path).unwrap();
        three().into_iter().for_each(|row| rows.append(row).unwrap());
        drop(rows);
        let whole = fs::read(&path).unwrap();
        let before = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        for cut in before..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut rows = Rows::open(&path).unwrap();
            assert_eq!(rows.is_done(&three()[2].key()), cut == whole.len(), "cut at {cut}");
            rows.append(three()[2].clone()).unwrap();
            drop(rows);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
            assert_eq!(Rows::look(&path).unwrap(), three());
        }
    }

    #[test]
    fn a_row_that_counts_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut rows = Rows::open(&path).unwrap();
        rows.append(three()[0].clone()).unwrap();
        rows.append(sample("m", "t1", 1, TrialClass::Wrong)).unwrap();
        assert_eq!(rows.all(), &three()[..1]);
        let line = fs::read_to_string(&path).unwrap();
        fs::write(&path, line.repeat(2)).unwrap();
        assert_eq!(Rows::look(&path).unwrap(), &three()[..1]);
    }

    #[test]
    fn what_is_not_the_models_fault_is_made_again_twice_and_then_left_until_the_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut rows = Rows::open(&path).unwrap();
        let fault = sample("m", "t", 1, TrialClass::Fault);
        for expected in [false, false, true] {
            rows.append(fault.clone()).unwrap();
            assert_eq!(rows.is_done(&fault.key()), expected);
        }
        drop(rows);
        assert!(!Rows::open(&path).unwrap().is_done(&fault.key()));
    }

    #[test]
    fn more_than_one_fault_in_ten_spoils_a_run() {
        let of = |faults: u32, good: u32| {
            let class = |task: &'static str, class| move |trial| sample("m", task, trial, class);
            let faults = (0..faults).map(class("t", TrialClass::Fault));
            faults.chain((0..good).map(class("u", TrialClass::Wrong))).collect::<Vec<_>>()
        };
        assert!(!is_spoiled(&of(1, 9)));
        assert!(is_spoiled(&of(11, 89)));
        assert!(!is_spoiled(&[]));
        let again = [of(1, 9), of(1, 0), of(1, 0), vec![sample("m", "t", 0, TrialClass::Solved)]].concat();
        assert!(!is_spoiled(&again), "one trial of ten failed three times and was made at last");
    }

    #[test]
    fn a_row_in_the_middle_that_cannot_be_read_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        fs::write(&path, "{\"arm\":\n{}\n").unwrap();
        assert!(Rows::open(&path).unwrap_err().to_string().contains("line 1"));
    }

    #[test]
    fn an_arm_began_with_what_its_first_trial_that_counts_saw() {
        let row = |arm: &str, class, window| TrialRow {
            server: Some(ServerFacts { window: Some(window), ..ServerFacts::default() }),
            ..sample(arm, "t", 1, class)
        };
        let rows = [row("m", TrialClass::Fault, 1), row("n", TrialClass::Wrong, 2), row("m", TrialClass::Wrong, 3)];
        assert_eq!(began(&rows, "m").and_then(|facts| facts.window), Some(3));
        assert_eq!(began(&rows, "o"), None);
    }
}
