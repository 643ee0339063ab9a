//! Brings the home of an earlier version to a temporary folder: what has to be another there is, and nothing else. The
//! README in `tests/home` says what that is.

use agent_protocol::Digest;
use agent_store::{Contents, Folder, Place};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where it lay when it was written.
const HOME: &str = "/home/ada";
/// What its project was to the system then: the numbers of device and inode, and when it was made.
const DEVICE: &str = "65024";
const INODE: &str = "1032194";
const BORN: &str = "1795457660159289764";
/// How far a line of a journal goes until its checksum, whose digits are not summed up.
const SUM: &str = r#""crc":""#;
const DIGITS: usize = 8;

/// A home that was moved; gone when it is dropped.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    /// The home that `version` left.
    pub(crate) fn of(version: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("home-").tempdir().unwrap();
        let home = Home { folder };
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/home").join(version), &home.path());
        let project = Folder::at(&home.project()).unwrap();
        let is_card = |path: &PathBuf| path.to_str().unwrap().ends_with(".card.json");
        // Cards name the lengths of journals, so they come after them.
        let (cards, others): (Vec<PathBuf>, Vec<PathBuf>) = files(&home.path()).into_iter().partition(is_card);
        for path in others.iter().chain(&cards) {
            home.map(path, &project);
        }
        home.move_undo(&project);
        home
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("ada")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path().join("thing")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join(".local/state/agent")
    }

    /// Text that says where things are says where they are now.
    fn map(&self, path: &Path, project: &Folder) {
        let Ok(text) = fs::read_to_string(path) else { return };
        let moved = text.replace(HOME, self.path().to_str().unwrap());
        let moved = match path.file_name().unwrap().to_str().unwrap() {
            "trusted.json" | "policy.toml" => known(&moved, project),
            name if name.ends_with(".card.json") => card(path, &known(&moved, project)),
            name if name.ends_with(".jsonl") && path.starts_with(self.state().join("sessions")) => {
                moved.lines().map(|line| journal_line(line, project)).collect()
            }
            _ => moved,
        };
        if moved != text {
            fs::write(path, moved).unwrap();
        }
    }

    /// What was kept to undo, under the name that the project has now.
    fn move_undo(&self, project: &Folder) {
        let place = Place::new(self.state());
        let then = Folder { path: Path::new(HOME).join("thing"), device: 0, inode: 0, born: None };
        let (old, new) = (Contents::new(&place, &then), Contents::new(&place, project));
        let mut kept = 0;
        for path in files(&self.state().join("undo")) {
            let (folder, name) = (path.parent().unwrap().file_name().unwrap(), path.file_name().unwrap());
            let digest = Digest(format!("{}{}", folder.to_str().unwrap(), name.to_str().unwrap()));
            // Besides, there are the files that tell which sessions are open.
            if digest.0.len() == 64 {
                assert_eq!(new.keep(&old.fetch(&digest).unwrap()).unwrap(), digest);
                kept += 1;
            }
        }
        assert!(kept > 10, "{kept} objects");
    }
}

/// A card, with the length that its journal has now.
fn card(path: &Path, text: &str) -> String {
    let journal = path.to_str().unwrap().replace(".card.json", ".jsonl");
    let length = fs::metadata(journal).unwrap().len();
    let mut card: Value = serde_json::from_str(text).unwrap();
    card["length"] = length.into();
    card["known"]["card"]["bytes"] = length.into();
    card.to_string()
}

/// `text` with the project as it is known now, in each of the three forms it is written in.
fn known(text: &str, project: &Folder) -> String {
    let text = text.replace(DEVICE, &project.device.to_string()).replace(INODE, &project.inode.to_string());
    match project.born {
        Some(born) => text.replace(BORN, &born.to_string()),
        // Some file systems do not say.
        None => text.replace(&format!("born = {BORN}\n"), "").replace(BORN, "null"),
    }
}

/// A line of a journal with its end, and with the checksum of what it says now.
fn journal_line(line: &str, project: &Folder) -> String {
    let is_head = line.find(r#""head":{"#).is_some_and(|at| at < 64);
    let line = if is_head { known(line, project) } else { line.to_owned() };
    let at = line.find(SUM).unwrap() + SUM.len();
    let mut sum = flate2::Crc::new();
    sum.update(&line.as_bytes()[..at]);
    sum.update(&line.as_bytes()[at + DIGITS..]);
    format!("{}{:08x}{}\n", &line[..at], sum.sum(), &line[at + DIGITS..])
}

/// Copies a folder with all that is in it, for its owner's eyes alone.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, to) = (entry.as_ref().unwrap().path(), to.join(entry.as_ref().unwrap().file_name()));
        if entry.is_dir() {
            copy(&entry, &to);
            continue;
        }
        fs::copy(&entry, &to).unwrap();
        let runs = entry.parent().unwrap().ends_with("bin");
        fs::set_permissions(&to, Permissions::from_mode(if runs { 0o700 } else { 0o600 })).unwrap();
    }
}

/// All files below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}
