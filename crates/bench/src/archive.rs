//! Runs on disk, each in a folder of its own: what was planned, its rows, its reports, and what is kept of trials.

use crate::rows::Rows;
use crate::run::RunPlan;
use crate::tree;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const PLAN: &str = "run.json";
const ROWS: &str = "trials.jsonl";
/// As it is called where a session looks for it.
const LEARNED: &str = "models.json";
const SKIPPED: &str = "skipped.json";

#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeptRun {
    /// Its folder.
    pub folder: PathBuf,
    pub plan: RunPlan,
}

/// Why a run is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// There is none, or none that begins so.
    #[error("there is no run {name}; `agent bench list` shows them")]
    Missing { name: String },
    #[error("{count} runs begin with {name}; `agent bench list` shows them")]
    Ambiguous { name: String, count: usize },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Archive {
    /// In `folder`, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Archive { folder: folder.into() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file beside the runs.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), ArchiveError> {
        let path = self.folder.join(name);
        tree::write_whole(&path, text.as_bytes()).map_err(|source| ArchiveError::Io { path, source })
    }

    /// All that can be read, the newest last.
    pub fn list(&self) -> Vec<KeptRun> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut runs: Vec<KeptRun> = folders.filter_map(|folder| read(folder).ok()).collect();
        runs.sort_by(|one, other| (one.plan.began, &one.plan.id).cmp(&(other.plan.began, &other.plan.id)));
        runs
    }

    /// The run of this name, or the only one that begins so; without a name the last.
    ///
    /// # Errors
    /// [`ArchiveError::Missing`], [`ArchiveError::Ambiguous`].
    pub fn find(&self, name: Option<&str>) -> Result<KeptRun, ArchiveError> {
        let mut runs = self.list();
        let missing = |name: &str| ArchiveError::Missing { name: name.to_owned() };
        let Some(name) = name else { return runs.pop().ok_or_else(|| missing("yet")) };
        if let Some(whole) = runs.iter().position(|run| run.plan.id == name) {
            return Ok(runs.swap_remove(whole));
        }
        runs.retain(|run| run.plan.id.starts_with(name));
        match runs.len() {
            0 => Err(missing(name)),
            1 => Ok(runs.remove(0)),
            count => Err(ArchiveError::Ambiguous { name: name.to_owned(), count }),
        }
    }

    /// Makes a folder for `plan`, which gets a name that no other run has.
    ///
    /// # Errors
    /// The system's words.
    pub fn begin(&self, mut plan: RunPlan) -> Result<KeptRun, ArchiveError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ArchiveError::Io { path, source }
        };
        fs::create_dir_all(&self.folder).map_err(failed(&self.folder))?;
        let (name, mut number) = (plan.id.clone(), 1);
        let folder = loop {
            let folder = self.folder.join(&plan.id);
            match fs::create_dir(&folder) {
                Ok(()) => break folder,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    number += 1;
                    plan.id = format!("{name}-{number}");
                }
                Err(error) => return Err(failed(&folder)(error)),
            }
        };
        let text = serde_json::to_string_pretty(&plan).map_err(io::Error::from).map_err(failed(&folder))?;
        let path = folder.join(PLAN);
        tree::write_whole(&path, text.as_bytes()).map_err(failed(&path))?;
        Ok(KeptRun { folder, plan })
    }
}

impl KeptRun {
    /// Where its rows are.
    pub fn rows(&self) -> PathBuf {
        self.folder.join(ROWS)
    }

    /// Opens its rows, to append some. Nobody else can meanwhile.
    ///
    /// # Errors
    /// The system's words.
    pub fn open(&self) -> Result<Rows, ArchiveError> {
        Rows::open(&self.rows()).map_err(|source| ArchiveError::Io { path: self.rows(), source })
    }

    /// What its trials know of its models from before, where anything is.
    pub fn learned(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&fs::read(self.folder.join(LEARNED)).ok()?).ok()
    }

    /// Tasks that were skipped by hand when it was worked on last.
    pub fn skipped(&self) -> BTreeSet<String> {
        let read = fs::read(self.folder.join(SKIPPED)).ok();
        read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps which tasks were skipped, so that every report says so.
    ///
    /// # Errors
    /// The system's words.
    pub fn keep_skipped(&self, tasks: &BTreeSet<String>) -> Result<(), ArchiveError> {
        if *tasks == self.skipped() {
            return Ok(());
        }
        self.write(SKIPPED, &serde_json::to_string(tasks).unwrap_or_default()).map(drop)
    }

    /// Writes one of its reports.
    ///
    /// # Errors
    /// The system's words.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, ArchiveError> {
        let path = self.folder.join(name);
        match tree::write_whole(&path, text.as_bytes()) {
            Ok(()) => Ok(path),
            Err(source) => Err(ArchiveError::Io { path, source }),
        }
    }
}

fn read(folder: PathBuf) -> io::Result<KeptRun> {
    let plan: RunPlan = serde_json::from_slice(&fs::read(folder.join(PLAN))?)?;
    Ok(KeptRun { folder, plan })
}

/// A name for a run that begins now: date and time in UTC, and the task set.
pub fn run_name(seconds: u64, course: &str) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let course: String = course.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{year:04}{month:02}{day:02}-{:02}{:02}-{course}", rest / 3600, rest % 3600 / 60)
}

/// The day in UTC, like `2026-11-26`.
pub(crate) fn day(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day so many days after 1970-01-01 (Hinnant, `civil_from_days`).
pub(crate) fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(id: &str, began: u64) -> RunPlan {
        let json = format!(
            r#"{{"version":1,"id":"{id}","began":{began},"agent":"0","course":"quick","folder":null,"hash":"h","tasks":[],
            "left_out":[],"arms":[],"trials":1,"seed":1,"time_factor":1.0,"command":""}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn runs_are_found_by_the_beginning_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path().join("bench"));
        assert!(archive.list().is_empty() && archive.find(None).is_err());
        for (id, began) in [("20261126-0100-quick", 2), ("20261125-0900-core", 1), ("20261126-0100-quick", 3)] {
            archive.begin(plan(id, began)).unwrap();
        }
        let ids: Vec<String> = archive.list().into_iter().map(|run| run.plan.id).collect();
        assert_eq!(ids, ["20261125-0900-core", "20261126-0100-quick", "20261126-0100-quick-2"]);
        assert_eq!(archive.find(None).unwrap().plan.id, "20261126-0100-quick-2");
        assert_eq!(archive.find(Some("20261125")).unwrap().plan.began, 1);
        assert_eq!(archive.find(Some("20261126-0100-quick")).unwrap().plan.began, 2);
        assert!(archive.find(Some("20261126")).unwrap_err().to_string().starts_with("2 runs begin with"));
        assert!(archive.find(Some("x")).unwrap_err().to_string().contains("no run x"));
    }

    #[test]
    fn two_programs_do_not_work_on_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let run = Archive::new(folder.path()).begin(plan("r", 1)).unwrap();
        let held = run.open().unwrap();
        assert!(run.open().unwrap_err().to_string().contains("another program"));
        drop(held);
        assert!(run.open().is_ok());
    }

    #[test]
    fn a_name_tells_when_it_began() {
        assert_eq!(run_name(0, "quick"), "19700101-0000-quick");
        assert_eq!(run_name(1_795_655_040, "my tasks/a"), "20261126-0104-mytasksa");
        assert_eq!(date(19_782), (2024, 2, 29));
    }
}
