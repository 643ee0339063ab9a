//! The skills there are: folders with a `SKILL.md`, the user's and, where it is trusted, the project's.
//!
//! Only the heads are read here; a body is told when the model asks for it.

use crate::words::{Links, open, unread};
use agent_protocol::SkillCard;
use agent_session::context::front_matter;
use std::io::Read;
use std::path::{Path, PathBuf};

const FILE: &str = "SKILL.md";

/// Skills of one folder: more could not be told apart by their names.
const MOST: usize = 100;
/// Bytes of a file that are looked at: its head stands at the beginning.
const LONGEST: u64 = 64 * 1024;
/// Characters of a name, and of a description.
const LONGEST_NAME: usize = 64;
const LONGEST_WORDS: usize = 1_024;

/// Where skills lie, below our folder.
pub(crate) const FOLDER: &str = "skills";

/// All skills by name; of two with one name the user's counts. What is wrong with others is noted.
pub(crate) fn find(user_folder: &Path, trusted_project: Option<&Path>, notices: &mut Vec<String>) -> Vec<SkillCard> {
    let mut skills = in_folder(user_folder, FOLDER, Links::Anywhere, notices);
    let theirs = trusted_project.map(|project| in_folder(project, ".agent/skills", Links::Inside, notices));
    for skill in theirs.into_iter().flatten() {
        match skills.iter().find(|known| known.name == skill.name) {
            Some(known) => notices.push(format!(
                "the skill {} of {} counts, not that of {}",
                skill.name,
                known.path.display(),
                skill.path.display()
            )),
            None => skills.push(skill),
        }
    }
    skills.sort_by(|one, other| one.name.cmp(&other.name));
    skills
}

fn in_folder(top: &Path, below: &str, links: Links, notices: &mut Vec<String>) -> Vec<SkillCard> {
    let Ok(entries) = std::fs::read_dir(top.join(below)) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.flatten().take(10 * MOST).map(|entry| entry.path()).collect();
    folders.sort();
    let mut skills: Vec<SkillCard> = Vec::new();
    for folder in folders {
        let name = Path::new(below).join(folder.file_name().unwrap_or_default()).join(FILE);
        let path = folder.join(FILE);
        let Some(text) = name.to_str().and_then(|name| beginning(top, name, links)) else {
            let why = name.to_str().and_then(|name| unread(top, name, links));
            notices.extend(why.map(|why| format!("{} {why}; the skill is left out", path.display())));
            continue;
        };
        match card(&text, &folder, &path) {
            _ if skills.len() == MOST => {
                notices
                    .push(format!("{} holds more than {MOST} skills; the rest is left out", top.join(below).display()));
                break;
            }
            Ok(card) if skills.iter().any(|known| known.name == card.name) => {
                notices.push(format!("{}: there is another skill {}; this one is left out", path.display(), card.name));
            }
            Ok(card) => skills.push(card),
            Err((line, why)) => notices.push(format!("{}:{line}: {why}; the skill is left out", path.display())),
        }
    }
    skills
}

fn beginning(top: &Path, name: &str, links: Links) -> Option<String> {
    let mut bytes = Vec::new();
    open(top, name, links)?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the head of a skill says. `Err`: on which line what is wrong.
fn card(text: &str, folder: &Path, path: &Path) -> Result<SkillCard, (usize, String)> {
    let head = front_matter(text).map_err(|fault| (fault.line, fault.words))?;
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = head.get("name").unwrap_or(&folder);
    if !is_name(name) {
        let why = "a skill's name has letters, digits, - and _, 64 at most";
        return Err((head.line("name").unwrap_or(1), why.into()));
    }
    let Some(description) = head.get("description") else {
        let why = "its head has no description; write `description: …` between two lines of ---";
        return Err((head.line("description").unwrap_or(1), why.into()));
    };
    let words: Vec<&str> = description.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let description = words.chars().take(LONGEST_WORDS).collect();
    Ok(SkillCard { name: name.to_owned(), description, path: path.to_owned() })
}

fn is_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
    !name.is_empty() && name.chars().count() <= LONGEST_NAME && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn put(top: &TempDir, name: &str, text: &str) {
        let folder = top.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(FILE), text).unwrap();
    }

    fn names(skills: &[SkillCard]) -> Vec<(&str, &str)> {
        skills.iter().map(|skill| (skill.name.as_str(), skill.description.as_str())).collect()
    }

    #[test]
    fn the_persons_skills_and_a_trusted_projects_are_found_by_name() {
        let (user, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        put(&user, "skills/review", "---\nname: review\ndescription: Reviews\n  a change\n---\nLook.\n");
        put(&user, "skills/pdf", "---\ndescription: Fills forms\n---\n");
        put(&project, ".agent/skills/release", "---\ndescription: Makes a release\n---\n");
        put(&project, ".agent/skills/pdf", "---\ndescription: Another\n---\n");
        fs::write(user.path().join("skills/notes.txt"), "no skill").unwrap();
        fs::create_dir(user.path().join("skills/empty")).unwrap();
        let mut notices = Vec::new();
        let found = find(user.path(), Some(project.path()), &mut notices);
        let expected = [("pdf", "Fills forms"), ("release", "Makes a release"), ("review", "Reviews a change")];
        assert_eq!(names(&found), expected);
        assert!(notices.len() == 1 && notices[0].starts_with("the skill pdf of "), "{notices:?}");
        assert_eq!(found[0].path, user.path().join("skills/pdf/SKILL.md"));
        assert_eq!(
            names(&find(user.path(), None, &mut Vec::new())).len(),
            2,
            "nothing of a project that is not trusted"
        );
    }

    #[test]
    fn what_is_wrong_is_noted_with_its_file_and_line() {
        let user = TempDir::new().unwrap();
        put(&user, "skills/a", "---\nname: two words\ndescription: x\n---\n");
        put(&user, "skills/b", "No head.\n");
        put(&user, "skills/c", "---\nname: c\nwhat\n---\n");
        put(&user, "skills/d", "---\nname: good\ndescription: x\n---\n");
        put(&user, "skills/e", "---\nname: good\ndescription: x\n---\n");
        let mut notices = Vec::new();
        assert_eq!(names(&find(user.path(), None, &mut notices)), [("good", "x")]);
        let top = user.path().join("skills").display().to_string();
        let notices: Vec<String> = notices.iter().map(|notice| notice.replace(&top, "")).collect();
        assert_eq!(
            notices,
            [
                "/a/SKILL.md:2: a skill's name has letters, digits, - and _, 64 at most; the skill is left out",
                "/b/SKILL.md:1: its head has no description; write `description: …` between two lines of ---; the skill is \
                 left out",
                "/c/SKILL.md:3: this is no `key: value`; the skill is left out",
                "/e/SKILL.md: there is another skill good; this one is left out",
            ]
        );
    }

    #[test]
    fn a_link_out_of_a_project_is_none_of_its_skills() {
        let (outside, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        put(&outside, "pdf", "---\ndescription: x\n---\n");
        fs::create_dir_all(project.path().join(".agent/skills")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("pdf"), project.path().join(".agent/skills/pdf")).unwrap();
        let mut notices = Vec::new();
        assert_eq!(find(outside.path(), Some(project.path()), &mut notices), []);
        assert!(notices[0].ends_with("/pdf/SKILL.md leads out of the project; the skill is left out"), "{notices:?}");
        // The user's own may lie anywhere.
        fs::create_dir(outside.path().join("skills")).unwrap();
        std::os::unix::fs::symlink("../pdf", outside.path().join("skills/pdf")).unwrap();
        assert_eq!(names(&find(outside.path(), None, &mut Vec::new())), [("pdf", "x")]);
    }

    #[test]
    fn there_is_an_end_to_skills() {
        let user = TempDir::new().unwrap();
        (0..MOST + 2).for_each(|nth| put(&user, &format!("skills/s{nth:03}"), "---\ndescription: x\n---\n"));
        let mut notices = Vec::new();
        assert_eq!((find(user.path(), None, &mut notices).len(), notices.len()), (MOST, 1));
    }
}
