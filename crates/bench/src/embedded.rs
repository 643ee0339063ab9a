//! The tasks that are built in, and those of a folder.
//!
//! Built in is all of them, also the answers that the self-test grades; a model is shown the prompt and the start alone.

use crate::task::{self, TaskError, Template};
use crate::tree::{self, Files};
use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tasks.gz"));

/// All tasks that are built in, by their names.
///
/// # Errors
/// One of them is wrong, which a test keeps from happening.
pub fn built_in() -> Result<Vec<Template>, TaskError> {
    let mut tasks: BTreeMap<String, Files> = BTreeMap::new();
    for (path, content) in unpacked(ARCHIVE) {
        if let Some((task, inside)) = path.split_once('/') {
            tasks.entry(task.to_owned()).or_default().insert(inside.to_owned(), content);
        }
    }
    let bases = tasks.remove(task::BASES).unwrap_or_default();
    let shared = |files: &Files| {
        let base = files.get("task.toml").and_then(|sheet| task::base(&String::from_utf8_lossy(sheet)));
        base.map(|base| tree::below(&bases, &format!("{base}/"))).unwrap_or_default()
    };
    tasks.into_iter().map(|(id, files)| Template::of_files(&id, &files, &shared(&files))).collect()
}

/// The tasks in the folders within `folder`, by their names, with their solutions.
///
/// # Errors
/// The folder cannot be read, or a task in it is wrong.
pub fn in_folder(folder: &Path) -> Result<Vec<Template>, TaskError> {
    let unreadable = |error: std::io::Error| TaskError {
        id: folder.display().to_string(),
        why: format!("the folder of tasks cannot be read ({error})"),
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.join("task.toml").is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| Template::read(path)).collect()
}

/// What these tasks are, in sixteen letters: the same for the same tasks only.
pub fn task_set_hash(tasks: &[Template]) -> String {
    let mut digest = Sha256::new();
    for task in tasks {
        digest.update(Sha256::digest(task.bytes()));
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The entries of an archive as the build makes it; what is cut off at the end is left out.
fn unpacked(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (mut bytes, mut entries) = (Vec::new(), Vec::new());
    if GzDecoder::new(archive).read_to_end(&mut bytes).is_err() {
        return entries;
    }
    let mut rest = bytes.as_slice();
    while let Some((entry, after)) = next(rest) {
        entries.push(entry);
        rest = after;
    }
    entries
}

type Entry = (String, Vec<u8>);

fn next(rest: &[u8]) -> Option<(Entry, &[u8])> {
    let end = rest.iter().position(|byte| *byte == 0)?;
    let name = String::from_utf8_lossy(&rest[..end]).into_owned();
    let (length, rest) = rest[end + 1..].split_first_chunk::<4>()?;
    let (content, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some(((name, content.to_vec()), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskKind;

    fn sources() -> Vec<Template> {
        in_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bench/tasks")).unwrap()
    }

    #[test]
    fn what_is_built_in_is_what_the_sources_hold() {
        let (built, sources) = (built_in().unwrap(), sources());
        assert!(built.len() >= 40, "{}", built.len());
        assert_eq!(task_set_hash(&built), task_set_hash(&sources));
        assert_ne!(task_set_hash(&built), task_set_hash(&built[1..]));
    }

    #[test]
    fn every_answer_is_built_in() {
        let filled = |tasks: Vec<Template>| tasks.into_iter().map(|task| task.fill(1).unwrap()).collect::<Vec<_>>();
        assert_eq!(filled(built_in().unwrap()), filled(sources()));
    }

    #[test]
    fn the_quick_course_is_part_of_the_core_and_has_a_dozen() {
        let sheets: Vec<_> = sources().iter().map(|task| task.sheet().unwrap()).collect();
        let quick: Vec<_> =
            sheets.iter().filter(|sheet| sheet.courses.iter().any(|course| course == "quick")).collect();
        assert!(quick.iter().all(|sheet| sheet.courses.iter().any(|course| course == "core")));
        assert!((10..=14).contains(&quick.len()), "{}", quick.len());
        assert!(quick.iter().any(|sheet| sheet.kind == TaskKind::Cannot));
    }
}
