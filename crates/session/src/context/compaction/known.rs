//! What the program itself knows of the work, at the end of what stands for an earlier conversation: whatever a summary leaves
//! out or makes up, which files were changed and how the last command ended is so.

use super::calls::ending;
use crate::context::window::one_line;

/// How that part is headed.
const HEADING: &str = "## Known to the program";

/// What the list of files may take, a path, the words of the command, and each part of how it ended, in bytes.
const FILES: usize = 1_200;
const PATH: usize = 120;
const COMMAND: usize = 160;
const ENDING: usize = 240;

/// What the program knows of the work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownWork {
    /// Files that are not as they were, the one that was changed last first, with lines added and removed.
    pub changed: Vec<(String, u64, u64)>,
    /// The last command and what the model was told of it.
    pub last_command: Option<(String, String)>,
}

impl KnownWork {
    /// `summary` with what is known at its end.
    pub fn behind(&self, summary: &str) -> String {
        let command = self.last_command.as_ref().map(|(command, told)| {
            let ending = ending(told, ENDING).map(|ending| format!(": {ending}")).unwrap_or_default();
            format!("- the last command was `{}`{ending}", one_line(command, COMMAND))
        });
        let lines: Vec<String> = self.files().into_iter().chain(command).collect();
        if lines.is_empty() {
            return summary.to_owned();
        }
        format!("{}\n\n{HEADING}\n{}", summary.trim_end(), lines.join("\n"))
    }

    fn files(&self) -> Option<String> {
        let (mut list, mut named) = (String::new(), 0);
        for (path, added, removed) in &self.changed {
            let file = format!("{} (+{added} −{removed})", one_line(path, PATH));
            if named > 0 && list.len() + file.len() > FILES {
                break;
            }
            list.push_str(if list.is_empty() { "" } else { ", " });
            list.push_str(&file);
            named += 1;
        }
        let more = match self.changed.len() - named {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (named > 0).then(|| format!("- changed so far: {list}{more}"))
    }
}

/// A summary without that part: what is known changes, and is told anew.
pub(super) fn without(summary: &str) -> &str {
    summary.find(HEADING).map_or(summary, |at| summary[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(files: usize) -> Vec<(String, u64, u64)> {
        (0..files).map(|at| (format!("src/a_file_with_a_long_name_{at}.rs"), 3, 1)).collect()
    }

    #[test]
    fn files_and_the_last_command_stand_at_the_end() {
        let told = "exit code 101\nrunning 3 tests\ntest result: FAILED. 2 passed; 1 failed\n";
        let last_command = Some(("cargo test\n -q".to_owned(), told.to_owned()));
        let known = KnownWork { changed: vec![("a.rs".into(), 3, 1), ("b.rs".into(), 0, 9)], last_command };
        assert_eq!(
            known.behind("## Goal\nfind it\n"),
            "## Goal\nfind it\n\n## Known to the program\n- changed so far: a.rs (+3 −1), b.rs (+0 −9)\n\
             - the last command was `cargo test -q`: exit code 101, last line: test result: FAILED. 2 passed; 1 failed"
        );
        assert_eq!(without(&known.behind("## Goal\nfind it\n")), "## Goal\nfind it");
    }

    #[test]
    fn where_nothing_was_done_nothing_is_added() {
        assert_eq!(KnownWork::default().behind("## Goal\nfind it\n"), "## Goal\nfind it\n");
        assert_eq!(without("## Goal\nfind it\n"), "## Goal\nfind it\n");
    }

    #[test]
    fn many_files_stay_short_and_are_counted() {
        let known = KnownWork { changed: changed(500), last_command: None };
        let text = known.behind("s");
        let named = text.matches(".rs (").count();
        assert!(text.len() < 1_400 && named > 10, "{text}");
        assert!(text.ends_with(&format!(" and {} more", 500 - named)), "{text}");
    }
}
