//! `find_references`: where a symbol is defined and used.

use super::PLACE;
use super::page::{LinePage, shortened};
use super::reading::{CodePlace, Files, read, until};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Need, Parameter};
use crate::blocking::Stop;
use crate::read_only_job::planned;
use crate::search::{self, Case, Search};
use crate::tools::ToolContext;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, Outcome};
use agent_syntax::Use;
use std::path::{Path, PathBuf};

/// Files with the name in them that are read.
const MOST_FILES: usize = 2_000;
/// Uses that are kept of one file, besides definitions.
const KEPT: usize = 500;
/// Characters of a line that are shown.
const WIDTH: usize = 200;
const REST: &str = "name a file or folder in `path`";

pub(in crate::tools) static FORM: Form = Form {
    tool: "find_references",
    group: Group::Code,
    aliases: "find_usages find_uses find_symbol find_definition find_definitions references symbol_references \
        get_references go_to_definition goto_definition list_code_usages find_symbol_references",
    description: include_str!("find_references.md"),
    parameters: &[
        Parameter::new("symbol", Kind::Text, "\"parse_line\"")
            .also("name query identifier symbolname function functionname pattern term word text")
            .required(),
        Parameter { need: Need::Unlisted, ..PLACE },
    ],
    ..BLANK
};

pub(super) fn plan(
    _kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let asked = arguments.word("symbol")?;
    let name = bare(&asked).to_owned();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(arguments.fault("symbol", "must be one name; search_code finds other texts"));
    }
    let title = format!("Find references to {asked}{}", place.inside());
    let path = place.base.clone();
    let hunt = Hunt { search: Search::new(&regex::escape(&name), Case::Matters, 0)?, place, name, asked };
    let work = Box::new(move |stop: &Stop, room| hunt.made(room, stop));
    Ok(planned(path, title, REST, work))
}

/// The name itself: `run` of `Server::run()`.
pub(super) fn bare(asked: &str) -> &str {
    let asked = asked.trim().trim_matches(['`', '"', '\'']);
    let asked = asked.split('(').next().unwrap_or(asked).trim_end_matches('!').trim_start_matches(['&', '$', '@', '*']);
    let ends = ["::", ".", "->"].iter().filter_map(|mark| asked.rfind(mark).map(|at| at + mark.len()));
    let last = ends.max().map_or(asked, |at| &asked[at..]);
    last.trim()
}

struct Hunt {
    place: CodePlace,
    search: Search,
    name: String,
    asked: String,
}

/// The uses in one file.
struct Uses {
    path: PathBuf,
    /// The first of them: how, line, column, what the line says.
    uses: Vec<(Use, usize, usize, String)>,
    /// All of them by kind: definitions, then everything else.
    definitions: u64,
    others: u64,
    by_words: bool,
}

impl Hunt {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let files = self.place.files(stop)?;
        let hits = self.search.files(&self.place.workspace, &files.paths, stop);
        stop.check()?;
        let mut paths: Vec<PathBuf> = hits.into_iter().map(|hits| hits.path).collect();
        let unread = paths.len().saturating_sub(MOST_FILES);
        paths.truncate(MOST_FILES);
        let uses = |path: &Path| Some(self.uses(path, stop).map_err(|_| path.to_owned()));
        let (read, late) = self.place.each(&paths, until(), stop, uses);
        stop.check()?;
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for (_, read) in read {
            match read {
                Ok(uses) => found.push(uses),
                Err(path) => failed.push(path),
            }
        }
        found.retain(|uses| !uses.uses.is_empty());
        // What is sure comes before what only looks like it.
        found.sort_by_key(|uses| uses.by_words);
        Ok(self.report(&found, &files, &self.missed(unread + late, &failed), room))
    }

    fn uses(&self, path: &Path, stop: &Stop) -> Result<Uses, Failure> {
        let text = self.place.text(path)?;
        let source = read(path.to_str().unwrap_or_default(), &text, stop)?;
        let found = source.references(&self.name);
        let definitions = found.iter().filter(|found| found.how == Use::Definition).count();
        let mut lines = text.lines().enumerate();
        let mut line = (0, "");
        let mut shown = |wanted: usize| {
            while line.0 < wanted {
                let Some((row, text)) = lines.next() else { break };
                line = (row + 1, text);
            }
            shortened(line.1, WIDTH)
        };
        let mut others = 0;
        let kept = found.iter().filter(|found| {
            others += usize::from(found.how != Use::Definition);
            found.how == Use::Definition || others <= KEPT
        });
        let uses = kept.map(|found| (found.how, found.line, found.column, shown(found.line))).collect();
        Ok(Uses {
            path: path.to_owned(),
            uses,
            definitions: definitions as u64,
            others: (found.len() - definitions) as u64,
            by_words: source.by_words(),
        })
    }

    /// Files with the name in them that were not read.
    fn missed(&self, unread: usize, failed: &[PathBuf]) -> String {
        let mut missed = Vec::new();
        if unread > 0 {
            missed.push(format!("{} more with this text were not read", words::count(unread as u64, "file")));
        }
        if let Some(first) = failed.first() {
            let shown = self.place.workspace.shown(first);
            let rest = if failed.len() > 1 { format!(" and {} more", failed.len() - 1) } else { String::new() };
            missed.push(format!("{shown}{rest} could not be read, or is larger than 1 MB"));
        }
        missed.extend(Some(search::unread(self.search.unread())).filter(|unread| !unread.is_empty()));
        missed.join("; ")
    }

    fn report(&self, found: &[Uses], files: &Files, missed: &str, room: usize) -> Outcome {
        let count = |of: fn(&Uses) -> u64| found.iter().map(of).sum::<u64>();
        let (definitions, others) = (count(|uses| uses.definitions), count(|uses| uses.others));
        let name = &self.name;
        let asked = if self.asked.trim() == name { String::new() } else { format!("searched for the name {name}") };
        if definitions + others == 0 {
            let none = format!(
                "{name} is neither defined nor used in {}; comments, strings, hidden and git-ignored files are left out",
                words::count(files.paths.len() as u64, "file")
            );
            let told = LinePage::new(room).with(&[none, asked, missed.into(), files.remark()]);
            return words::done(told.clone(), "not found".into(), told);
        }
        let mut page = LinePage::new(room);
        let shown = self.fill(&mut page, found);
        let left = definitions + others - shown;
        let rest = if left > 0 { format!("{left} more; {REST}") } else { String::new() };
        let none = if definitions == 0 { "no definition found here".to_owned() } else { String::new() };
        let summary = format!(
            "{}, {} in {}",
            words::count(definitions, "definition"),
            words::count(others, "use"),
            words::count(found.len() as u64, "file")
        );
        let told = page.with(&[none, rest, asked, missed.into(), files.remark()]);
        words::done(told.clone(), summary, told)
    }

    /// Puts definitions first, then the rest file by file; how many there was room for.
    fn fill(&self, page: &mut LinePage, found: &[Uses]) -> u64 {
        let mut put = 0;
        for uses in found {
            let file = self.place.workspace.shown(&uses.path);
            for (how, line, column, text) in uses.uses.iter().filter(|(how, ..)| *how == Use::Definition) {
                put += u64::from(page.line(&format!("{file}:{line}:{column} {}: {text}", how.name())));
            }
        }
        let mut said = false;
        for uses in found {
            let mut heading = Some(self.place.workspace.shown(&uses.path));
            if uses.by_words && !said {
                said = true;
                heading = heading.map(|file| format!("By words, comments and strings too:\n{file}"));
            }
            for (how, line, column, text) in uses.uses.iter().filter(|(how, ..)| *how != Use::Definition) {
                put += u64::from(page.below(&mut heading, &format!("{line}:{column} {}: {text}", how.name())));
            }
        }
        put
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_looked_for_by_its_own_name() {
        for (asked, name) in [
            ("run", "run"),
            ("Server::run", "run"),
            ("server.run()", "run"),
            ("`p->next`", "next"),
            ("println!", "println"),
            ("$HOME", "HOME"),
            ("#secret", "#secret"),
            ("empty?", "empty?"),
            ("f(x, y)", "f"),
            ("", ""),
        ] {
            assert_eq!(bare(asked), name, "{asked}");
        }
    }
}
