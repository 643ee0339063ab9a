//! Slash commands that the user and the project bring along: a Markdown file each, in `commands/` beside the config and in
//! `.agent/commands/` of a project that is trusted. The format is that of Claude Code.
//!
//! A file may begin with front matter (`description`, `argument-hint`); the rest is what is said. A file in a folder below is
//! called by both names: `git/fix.md` is `/git:fix`.

use crate::words::{Links, open, unread};
use agent_protocol::OwnCommand;
use agent_session::context::front_matter;
use std::io::Read;
use std::path::Path;

/// Where they lie, below our folder and below the project.
const YOURS: &str = "commands";
const THEIRS: &str = ".agent/commands";

/// Commands of one folder.
const MOST: usize = 200;
const LONGEST: u64 = 64 * 1_024;
/// Characters of what is shown of one.
const LONGEST_WORDS: usize = 200;

/// Those of the user, then those of the project; of two with one name the user's counts. What is wrong with others is
/// noted.
pub(crate) fn find(user_folder: &Path, trusted_project: Option<&Path>, notices: &mut Vec<String>) -> Vec<OwnCommand> {
    let mut commands = in_folder(user_folder, YOURS, "yours", Links::Anywhere, notices);
    let theirs = trusted_project.map(|project| in_folder(project, THEIRS, "project", Links::Inside, notices));
    for command in theirs.into_iter().flatten() {
        if commands.iter().any(|known| known.name == command.name) {
            notices.push(format!("the project's command /{} is not used: yours has the same name", command.name));
        } else {
            commands.push(command);
        }
    }
    commands
}

fn in_folder(
    top: &Path,
    below: &str,
    origin: &'static str,
    links: Links,
    notices: &mut Vec<String>,
) -> Vec<OwnCommand> {
    let mut files = markdown_in(top, below, "");
    for folder in entries(top, below).into_iter().filter(|name| top.join(below).join(name).is_dir()) {
        files.extend(markdown_in(top, &format!("{below}/{folder}"), &format!("{folder}:")));
    }
    if files.len() > MOST {
        notices.push(format!(
            "{}: {} commands; only the first {MOST} are used",
            top.join(below).display(),
            files.len()
        ));
        files.truncate(MOST);
    }
    let mut commands = Vec::new();
    for (name, path) in files {
        let Some(text) = text(top, &path, links) else {
            let why = unread(top, &path, links).unwrap_or("cannot be read");
            notices.push(format!("{} {why}; this command is left out", top.join(&path).display()));
            continue;
        };
        match front_matter(&text) {
            Err(fault) => {
                notices.push(format!("{}: {fault}; this command is left out", top.join(&path).display()));
            }
            Ok(head) => commands.push(OwnCommand {
                description: head.get("description").map(one_line).unwrap_or_else(|| first_line(head.body)),
                argument_hint: head.get("argument-hint").map(one_line).unwrap_or_default(),
                body: head.body.trim().to_owned(),
                name,
                origin,
            }),
        }
    }
    commands
}

/// The names in a folder, in order.
fn entries(top: &Path, below: &str) -> Vec<String> {
    let names = std::fs::read_dir(top.join(below)).into_iter().flatten().flatten().take(10 * MOST);
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The commands in a folder: each with its name and where it lies below `top`.
fn markdown_in(top: &Path, below: &str, before: &str) -> Vec<(String, String)> {
    let command = |file: String| {
        let name = file.strip_suffix(".md").filter(|name| is_name(name))?;
        Some((format!("{before}{name}"), format!("{below}/{file}")))
    };
    entries(top, below).into_iter().filter_map(command).collect()
}

fn is_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    !name.is_empty() && name.chars().all(plain)
}

fn text(top: &Path, path: &str, links: Links) -> Option<String> {
    let mut bytes = Vec::new();
    open(top, path, links)?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn first_line(text: &str) -> String {
    one_line(text.trim().lines().next().unwrap_or_default().trim_start_matches(['#', ' ']))
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LONGEST_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn put(top: &TempDir, name: &str, text: &str) {
        let path = top.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn names(commands: &[OwnCommand]) -> Vec<(&str, &str)> {
        commands.iter().map(|command| (command.name.as_str(), command.origin)).collect()
    }

    #[test]
    fn commands_are_files_and_a_projects_count_where_it_is_trusted() {
        let (user, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        put(&user, "commands/fix.md", "---\ndescription: Fix an issue\nargument-hint: \"[number]\"\n---\nFix $1.\n");
        put(&user, "commands/git/log.md", "# Look at the log\nShow it.");
        put(&user, "commands/notes.txt", "no command");
        put(&project, ".agent/commands/fix.md", "Other.");
        put(&project, ".agent/commands/ship.md", "Ship it.");
        let mut notices = Vec::new();
        let alone = find(user.path(), None, &mut notices);
        assert_eq!((names(&alone), notices.len()), (vec![("fix", "yours"), ("git:log", "yours")], 0));
        assert_eq!((alone[0].description.as_str(), alone[0].argument_hint.as_str()), ("Fix an issue", "[number]"));
        assert_eq!((alone[0].body.as_str(), alone[1].description.as_str()), ("Fix $1.", "Look at the log"));
        let all = find(user.path(), Some(project.path()), &mut notices);
        assert_eq!(names(&all), [("fix", "yours"), ("git:log", "yours"), ("ship", "project")]);
        assert_eq!(notices, ["the project's command /fix is not used: yours has the same name"]);
    }

    #[test]
    fn a_head_that_cannot_be_read_leaves_the_command_out_and_is_told() {
        let user = TempDir::new().unwrap();
        put(&user, "commands/bad.md", "---\nno head\n---\nText.");
        let mut notices = Vec::new();
        assert_eq!(find(user.path(), None, &mut notices), []);
        assert!(
            notices[0].contains("bad.md: line 2") && notices[0].ends_with("this command is left out"),
            "{notices:?}"
        );
    }
}
