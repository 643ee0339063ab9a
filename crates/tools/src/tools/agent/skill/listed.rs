//! What is told of skills before one is used, and of the files beside one.

use crate::workspace::one_line;
use agent_protocol::SkillCard;
use std::path::Path;

/// Characters of a skill's description that are told beforehand, and of all of them together.
const WORDS: usize = 60;
const ALL: usize = 1_000;
/// Files beside a skill that are named, and how deep below its folder.
const FILES: usize = 40;
const DEPTH: usize = 3;

/// The tool's description with the skills in it.
pub(super) fn described(description: &str, skills: &[SkillCard]) -> String {
    let mut text = description.to_owned();
    let most = text.chars().count() + ALL;
    for (nth, skill) in skills.iter().enumerate() {
        let entry = format!("{}: {}", skill.name, shortened(&skill.description));
        let (mark, left) = (if nth == 0 { " " } else { "; " }, skills.len() - nth);
        if text.chars().count() + mark.len() + entry.chars().count() > most {
            text.push_str(&format!("; and {left} more, told for an unknown name"));
            break;
        }
        text.push_str(mark);
        text.push_str(&entry);
    }
    text
}

/// The beginning of a description, cut between words.
fn shortened(words: &str) -> String {
    if words.chars().count() <= WORDS {
        return words.to_owned();
    }
    let cut: String = words.chars().take(WORDS - 1).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ';', '.', ':']))
}

/// The files in `folder` besides `file`, by name; links are no files. Bounded.
pub(super) fn others(folder: &Path, file: &Path) -> Vec<String> {
    let mut found = Vec::new();
    look(folder, DEPTH, &mut |path| {
        if path != file {
            found.push(one_line(path.strip_prefix(folder).unwrap_or(path)));
        }
        found.len() <= FILES
    });
    if found.len() > FILES {
        found.truncate(FILES);
        found.push("and more".into());
    }
    found
}

/// Tells of each file, until it is told to stop.
fn look(folder: &Path, depth: usize, tell: &mut dyn FnMut(&Path) -> bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    let mut entries: Vec<_> = entries.flatten().take(10 * FILES).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    entries.iter().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).all(|entry| {
        match entry.file_type() {
            Ok(kind) if kind.is_file() => tell(&entry.path()),
            Ok(kind) if kind.is_dir() && depth > 1 => look(&entry.path(), depth - 1, tell),
            Ok(_) | Err(_) => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str, description: &str) -> SkillCard {
        SkillCard { name: name.into(), description: description.into(), path: "/s".into() }
    }

    #[test]
    fn each_skill_is_told_in_a_few_words() {
        let long = "Fills forms in PDF files, extracts text and tables, and merges documents";
        let skills = [skill("pdf", long), skill("review", "Reviews a change")];
        let expected = "Use. pdf: Fills forms in PDF files, extracts text and tables, and…; review: Reviews a change";
        assert_eq!(described("Use.", &skills), expected);
        assert_eq!(described("Use.", &[]), "Use.");
    }

    #[test]
    fn many_skills_are_told_by_number() {
        let skills: Vec<SkillCard> = (0..100).map(|nth| skill(&format!("skill{nth}"), &"word ".repeat(20))).collect();
        let told = described("Use.", &skills);
        assert!(told.ends_with("; and 85 more, told for an unknown name"), "{told}");
        assert!(told.chars().count() < ALL + 60);
    }

    #[test]
    fn a_folder_is_looked_through_without_following_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("scripts/deep/deeper/deepest")).unwrap();
        for name in ["SKILL.md", "forms.md", "scripts/fill.py", "scripts/deep/deeper/deepest/x", ".hidden"] {
            std::fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink("/etc", at("out")).unwrap();
        assert_eq!(others(folder.path(), &at("SKILL.md")), ["forms.md", "scripts/fill.py"]);
        (0..50).for_each(|nth| std::fs::write(at(&format!("a{nth:02}")), "").unwrap());
        let many = others(folder.path(), &at("SKILL.md"));
        assert_eq!((many.len(), many.last().map(String::as_str)), (FILES + 1, Some("and more")));
    }
}
