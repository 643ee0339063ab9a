//! What was remembered in earlier sessions: `memory.md` in the user's folder and in the project's.

use crate::words::{Links, open, unread};
use agent_protocol::{MemoryCard, MemoryScope};
use agent_session::context::{ProjectWords, notes};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

const FILE: &str = "memory.md";

/// Of a longer file only the end is looked at: the newest stands there, and all could never be told.
const LONGEST: u64 = 64 * 1024;

/// A file of notes, and what of it is told to the model.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub(crate) card: MemoryCard,
    pub(crate) words: Option<ProjectWords>,
}

/// What is remembered for all projects; what was cut is noted.
pub(crate) fn of_person(user_folder: &Path, notices: &mut Vec<String>) -> Memory {
    find(user_folder, FILE, MemoryScope::Global, notices)
}

/// What is remembered for this project; what was cut is noted.
pub(crate) fn of_project(project: &Path, notices: &mut Vec<String>) -> Memory {
    find(project, ".agent/memory.md", MemoryScope::Project, notices)
}

fn find(folder: &Path, name: &str, scope: MemoryScope, notices: &mut Vec<String>) -> Memory {
    let (links, source) = match scope {
        MemoryScope::Global => (Links::Anywhere, "your memory.md".to_owned()),
        MemoryScope::Project => (Links::Inside, name.to_owned()),
    };
    let path = folder.join(name);
    notices.extend(unread(folder, name, links).map(|why| format!("{source} {why}, so the model is not told of it")));
    let found = end_of(folder, name, links).and_then(|text| notes(&source, &text));
    let Some(found) = found else {
        let card = MemoryCard { scope, path, text: String::new(), left_out: 0, told: false };
        return Memory { card, words: None };
    };
    if found.left_out > 0 {
        let (lines, them) = if found.left_out == 1 { ("line", "it is") } else { ("lines", "they are") };
        notices.push(format!(
            "{} holds more than is told to the model: the oldest {} {lines} {them} left out; shorten it",
            path.display(),
            found.left_out,
        ));
    }
    let card = MemoryCard { scope, path, text: found.text, left_out: found.left_out as u64, told: true };
    Memory { card, words: Some(found.words) }
}

/// The end of the file, from the beginning of a line on.
fn end_of(folder: &Path, name: &str, links: Links) -> Option<String> {
    let mut file = open(folder, name, links)?;
    let start = file.metadata().ok()?.len().saturating_sub(LONGEST);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let whole = match start {
        0 => 0,
        _ => bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1),
    };
    Some(String::from_utf8_lossy(&bytes[whole..]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn both_files_are_found_and_say_whose_they_are() {
        let (user, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(user.path().join(FILE), "- tabs\n").unwrap();
        fs::create_dir(project.path().join(".agent")).unwrap();
        fs::write(project.path().join(".agent/memory.md"), "- make check\n").unwrap();
        let mut notices = Vec::new();
        let found = [of_person(user.path(), &mut notices), of_project(project.path(), &mut notices)];
        let sources: Vec<&str> = found.iter().flat_map(|memory| &memory.words).map(|it| it.source.as_str()).collect();
        assert_eq!((sources, notices.len()), (vec!["your memory.md", ".agent/memory.md"], 0));
        assert_eq!((found[0].card.text.as_str(), found[0].card.told), ("- tabs", true));
        assert_eq!(
            (found[1].card.path.clone(), found[1].card.scope),
            (project.path().join(".agent/memory.md"), MemoryScope::Project)
        );
    }

    #[test]
    fn what_is_not_there_is_listed_and_not_told() {
        let user = tempfile::tempdir().unwrap();
        let memory = of_person(user.path(), &mut Vec::new());
        assert_eq!((memory.words, memory.card.path, memory.card.told), (None, user.path().join(FILE), false));
    }

    #[test]
    fn of_a_very_long_file_the_end_is_told_and_a_notice_says_so() {
        let user = tempfile::tempdir().unwrap();
        let text: String = (0..20_000).map(|nth| format!("- fact {nth:05}\n")).collect();
        fs::write(user.path().join(FILE), text).unwrap();
        let mut notices = Vec::new();
        let memory = of_person(user.path(), &mut notices);
        assert!(memory.card.text.ends_with("- fact 19999") && memory.card.text.starts_with("- fact "));
        assert!(notices[0].contains("holds more than is told to the model"), "{notices:?}");
    }

    #[test]
    fn a_link_out_of_the_project_is_nobodys_memory() {
        let (outside, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("secret"), "secret").unwrap();
        fs::create_dir(project.path().join(".agent")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), project.path().join(".agent/memory.md")).unwrap();
        assert_eq!(of_project(project.path(), &mut Vec::new()).words, None);
    }
}
