//! What the user and the project tell every model: `AGENTS.md`, else `CLAUDE.md`.

use crate::config::owner::is_ours_alone;
use agent_session::context::ProjectWords;
use std::fs::File;
use std::io::Read;
use std::path::Path;

const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// More than this would leave a small window no room for work.
const LONGEST: usize = 32 * 1024;

/// What the user tells every model; what was cut is noted.
pub(crate) fn of_person(user_folder: &Path, notices: &mut Vec<String>) -> Option<ProjectWords> {
    find_in(user_folder, "your ", Links::Anywhere, notices)
}

/// What the project tells every model, where it is trusted; what was cut is noted.
pub(crate) fn of_project(project: &Path, notices: &mut Vec<String>) -> Option<ProjectWords> {
    find_in(project, "", Links::Inside, notices)
}

fn find_in(folder: &Path, whose: &str, links: Links, notices: &mut Vec<String>) -> Option<ProjectWords> {
    let mut read_or_say = |name: &str| {
        let said =
            unread(folder, name, links).map(|why| format!("{whose}{name} {why}, so the model is not told of it"));
        notices.extend(said);
        read(folder, name, links)
    };
    let (name, bytes) = NAMES.iter().find_map(|name| Some((name, read_or_say(name)?)))?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        notices.push(format!("{whose}{name} is longer than 32 KiB; the model is told only its beginning"));
    }
    (!text.trim().is_empty()).then(|| ProjectWords { source: format!("{whose}{name}"), text })
}

/// Where a link in a folder may lead. The user's own files may lie anywhere; a link out of a project is nobody's words.
#[derive(Clone, Copy)]
pub(crate) enum Links {
    Anywhere,
    Inside,
}

/// The beginning of a regular file.
fn read(folder: &Path, name: &str, links: Links) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open(folder, name, links)?.take(LONGEST as u64 + 1).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Why `name` in `folder`, which is there, is not read; `None`: it is, or it is not there.
pub(crate) fn unread(folder: &Path, name: &str, links: Links) -> Option<&'static str> {
    let path = folder.join(name);
    path.symlink_metadata().ok()?;
    let folder_now = folder.canonicalize().ok()?;
    match path.canonicalize() {
        Ok(_) if open(folder, name, links).is_some() => None,
        Ok(path) if matches!(links, Links::Inside) && !path.starts_with(folder_now) => Some("leads out of the project"),
        Ok(path) if path.is_file() && !may_count(&path, links) => {
            Some("belongs to another user, or others can write to it")
        }
        Ok(path) if path.is_file() => Some("cannot be read"),
        Ok(_) => Some("is not a file"),
        Err(_) => Some("is a link that leads nowhere"),
    }
}

/// What tells every model what to do comes from the user alone; a project is trusted as it is.
fn may_count(path: &Path, links: Links) -> bool {
    matches!(links, Links::Inside) || is_ours_alone(path)
}

/// A regular file in `folder`.
pub(crate) fn open(folder: &Path, name: &str, links: Links) -> Option<File> {
    let folder = folder.canonicalize().ok()?;
    let path = folder.join(name).canonicalize().ok()?;
    let inside = matches!(links, Links::Anywhere) || path.starts_with(&folder);
    if !inside || !path.is_file() || !may_count(&path, links) {
        return None;
    }
    File::open(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_file_a_folder_counts_and_says_whose_it_is() {
        let (user, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(user.path().join("CLAUDE.md"), "mine").unwrap();
        fs::write(project.path().join("AGENTS.md"), "ours").unwrap();
        fs::write(project.path().join("CLAUDE.md"), "not read").unwrap();
        let words = [of_person(user.path(), &mut Vec::new()), of_project(project.path(), &mut Vec::new())];
        let found: Vec<(&str, &str)> =
            words.iter().flatten().map(|word| (word.source.as_str(), word.text.as_str())).collect();
        assert_eq!(found, [("your CLAUDE.md", "mine"), ("AGENTS.md", "ours")]);
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_followed_and_that_is_said() {
        let (outside, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), project.path().join("AGENTS.md")).unwrap();
        let mut notices = Vec::new();
        assert_eq!(of_project(project.path(), &mut notices), None);
        assert_eq!(notices, ["AGENTS.md leads out of the project, so the model is not told of it"]);
        // Another file of the project counts then.
        fs::write(project.path().join("CLAUDE.md"), "ours").unwrap();
        assert_eq!(of_project(project.path(), &mut Vec::new()).unwrap().source, "CLAUDE.md");
    }

    #[test]
    fn words_that_others_could_write_are_not_told_as_the_users() {
        use std::os::unix::fs::PermissionsExt;
        let user = tempfile::tempdir().unwrap();
        let path = user.path().join("AGENTS.md");
        fs::write(&path, "mine").unwrap();
        for (mode, told) in [(0o600, true), (0o644, true), (0o664, false), (0o666, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let mut notices = Vec::new();
            assert_eq!(of_person(user.path(), &mut notices).is_some(), told, "{mode:o}");
            let why =
                "your AGENTS.md belongs to another user, or others can write to it, so the model is not told of it";
            assert_eq!(notices, if told { vec![] } else { vec![why] });
            // A project's words are trusted or not, whoever can write them.
            assert!(of_project(user.path(), &mut Vec::new()).is_some());
        }
    }

    #[test]
    fn very_long_words_are_cut_and_that_is_said() {
        let project = tempfile::tempdir().unwrap();
        fs::write(project.path().join("AGENTS.md"), "é".repeat(LONGEST)).unwrap();
        let mut notices = Vec::new();
        let words = of_project(project.path(), &mut notices).unwrap();
        assert_eq!((words.text.len(), notices.len()), (LONGEST, 1));
    }
}
