//! Adds up what the files of a folder hold.

use super::{WORST, by_kind, is_deep, is_long, measured, said_above_bounds};
use crate::tools::code::page::LinePage;
use crate::words;
use crate::workspace::Workspace;
use agent_syntax::{Lines, Source, Symbol};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name for files without a grammar.
const WITHOUT: &str = "without a grammar";

#[derive(Default)]
pub(super) struct Totals {
    languages: BTreeMap<&'static str, Language>,
    /// The worst functions so far, with where they stand.
    worst: Vec<(PathBuf, Symbol)>,
    long: u64,
    deep: u64,
}

#[derive(Default, Clone, Copy)]
struct Language {
    files: u64,
    lines: Lines,
    functions: u64,
}

impl Totals {
    /// What one file holds; `None` for one whose first line says no more than its name.
    pub(super) fn of(path: &Path, source: &Source<'_>) -> Option<Self> {
        if source.by_words() && path.extension().is_none() {
            return None;
        }
        let functions = source.worst();
        let many = |is: fn(&Symbol) -> bool| functions.iter().filter(|symbol| is(symbol)).count() as u64;
        let (long, deep) = (many(is_long), many(is_deep));
        let language = Language { files: 1, lines: source.lines(), functions: functions.len() as u64 };
        let name = source.language().map_or(WITHOUT, agent_syntax::Language::name);
        let worst = functions.iter().take(WORST).filter(|_| !source.by_words());
        let worst = worst.map(|symbol| (path.to_owned(), (*symbol).clone())).collect();
        Some(Totals { languages: BTreeMap::from([(name, language)]), worst, long, deep })
    }

    pub(super) fn add(&mut self, other: Totals) {
        for (name, language) in other.languages {
            let sum = self.languages.entry(name).or_default();
            sum.files += language.files;
            sum.lines += language.lines;
            sum.functions += language.functions;
        }
        self.long += other.long;
        self.deep += other.deep;
        self.worst.extend(other.worst);
        self.worst.sort_by_key(|(_, symbol)| std::cmp::Reverse(symbol.weight()));
        self.worst.truncate(WORST);
    }

    pub(super) fn fill(&self, page: &mut LinePage, workspace: &Workspace) {
        let mut languages: Vec<_> = self.languages.iter().collect();
        languages.sort_by_key(|(_, language)| std::cmp::Reverse(language.lines.all()));
        for (name, language) in languages {
            let by_words = *name == WITHOUT;
            let functions =
                if by_words { String::new() } else { format!("; {}", words::count(language.functions, "function")) };
            let files = words::count(language.files, "file");
            page.line(&format!("{name}: {files}, {}{functions}", by_kind(language.lines, by_words)));
        }
        let mut heading = Some("Worst functions:".to_owned());
        for (path, symbol) in &self.worst {
            page.below(&mut heading, &measured(&workspace.shown(path), symbol));
        }
    }

    pub(super) fn above_bounds(&self) -> String {
        said_above_bounds(self.long, self.deep)
    }

    pub(super) fn summary(&self) -> String {
        let sum = |of: fn(&Language) -> u64| self.languages.values().map(of).sum::<u64>();
        let lines = sum(|language| language.lines.all() as u64);
        format!("{} in {}", words::count(lines, "line"), words::count(sum(|language| language.files), "file"))
    }
}
