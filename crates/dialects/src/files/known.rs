//! Which file a name means.
//!
//! A name is a path, written in full or in part, with what models put around it. What no model could know, a placeholder
//! or a path of the worked example, is told apart, so that nothing is ever written there.

use super::endings::{is_file_name, is_product_name};
use std::collections::{HashMap, HashSet};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    /// A file that the model was shown, or that exists.
    Known(String),
    /// One that would be new, as far as is known.
    New(String),
    /// Never a target.
    Barred,
}

impl Named {
    /// The path, where there may be a file.
    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Named::Known(path) | Named::New(path) => Some(path),
            Named::Barred => None,
        }
    }
}

/// The paths that are known beforehand.
#[derive(Debug)]
pub(super) struct Names {
    shown: Vec<String>,
    all: HashSet<String>,
    barred: HashSet<String>,
    /// First parts of known paths that have more than one.
    folders: HashSet<String>,
    shown_by_base: HashMap<String, Option<String>>,
    project_by_base: HashMap<String, Option<String>>,
}

/// Words in place of which something else belongs.
const PLACEHOLDERS: &[&str] = &[
    "filename",
    "file_name",
    "file-name",
    "file",
    "example",
    "name",
    "yourfile",
    "your_file",
    "your-file",
    "path",
    "myfile",
    "your_script",
    "your_module",
    "your_filename",
    "file_path",
    "filepath",
    "some_file",
    "somefile",
];

/// First parts of paths that are no project's.
const SYSTEM: &[&str] = &[
    "bin", "boot", "dev", "etc", "home", "lib", "lib64", "media", "mnt", "opt", "proc", "root", "run", "sbin", "srv",
    "sys", "tmp", "usr", "var", "Users", "Library", "System", "private",
];

/// Where people keep their projects.
const HOMES: &[&str] = &["~/", "/home/", "/Users/", "/app/", "/project/", "/repo/"];

impl Names {
    pub(super) fn new(shown: Vec<String>, project: &[String], barred: Vec<String>) -> Self {
        let mut barred: HashSet<String> = barred.into_iter().collect();
        shown.iter().for_each(|path| {
            barred.remove(path);
        });
        let all: HashSet<String> = shown.iter().chain(project).cloned().collect();
        let folders = all.iter().filter_map(|path| path.split_once('/')).map(|(folder, _)| folder.to_owned()).collect();
        let shown_by_base = by_base(&shown);
        let project_by_base = by_base(project);
        Names { shown, all, barred, folders, shown_by_base, project_by_base }
    }

    /// The files that the model has before it.
    pub(super) fn shown(&self) -> &[String] {
        &self.shown
    }

    /// What `written` means, if it can be the name of a file at all.
    pub(super) fn resolve(&self, written: &str) -> Option<Named> {
        let path = bare(written);
        if path.is_empty() || path.len() > 240 {
            return None;
        }
        let path = if path.starts_with("\\\\") { path.to_owned() } else { path.replace('\\', "/") };
        let path = path.trim_start_matches("./");
        self.known(path).or_else(|| self.unknown(path))
    }

    /// The known file that `path` means.
    fn known(&self, path: &str) -> Option<Named> {
        if self.barred.contains(path) {
            return Some(Named::Barred);
        }
        let known = |path: &str| self.all.contains(path).then(|| Named::Known(path.to_owned()));
        if let Some(found) = known(path) {
            return Some(found);
        }
        let inside = path.strip_prefix('/').unwrap_or(path);
        if inside.len() < path.len()
            && let Some(found) = known(inside)
        {
            return Some(found);
        }
        if HOMES.iter().any(|home| path.starts_with(home))
            && let Some(found) = self.at_home(path)
        {
            return Some(found);
        }
        if let Some(inner) = without_placeholder(inside) {
            return known(inner).or_else(|| self.by_base(inner));
        }
        if let Some((first, rest)) = inside.split_once('/') {
            let foreign = self.folders.contains(first) || SYSTEM.contains(&first) || matches!(first, "." | "..");
            return if foreign { None } else { known(rest) };
        }
        self.by_base(inside).or_else(|| self.in_another_case(inside))
    }

    /// The one shown file in which a path ends, of which only the user knows where it begins.
    fn at_home(&self, path: &str) -> Option<Named> {
        let ends = |known: &&String| path.strip_suffix(known.as_str()).is_some_and(|before| before.ends_with('/'));
        self.shown.iter().filter(ends).max_by_key(|path| path.len()).map(|path| Named::Known(path.clone()))
    }

    /// The one shown file whose name differs in capitals only.
    fn in_another_case(&self, name: &str) -> Option<Named> {
        let mut alike = self.shown.iter().filter(|path| path.eq_ignore_ascii_case(name));
        alike.next().filter(|_| alike.next().is_none()).map(|path| Named::Known(path.clone()))
    }

    /// The one file of that name, whatever folder it is in.
    fn by_base(&self, name: &str) -> Option<Named> {
        let name = name.rsplit('/').next().unwrap_or(name);
        let shown = self.shown_by_base.get(name).cloned().flatten();
        let project = || self.project_by_base.get(name).cloned().flatten();
        let found = if self.shown_by_base.contains_key(name) { shown } else { project() };
        found.map(Named::Known)
    }

    /// A file that is new.
    fn unknown(&self, path: &str) -> Option<Named> {
        if !path.chars().all(|c| c.is_alphanumeric() || "_-./@+[]~".contains(c)) || is_product_name(path) {
            return is_gap(path).then_some(Named::Barred);
        }
        let base = path.rsplit('/').next().unwrap_or(path);
        let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
        let placeholder = PLACEHOLDERS.contains(&stem.to_lowercase().as_str())
            || base.to_lowercase().ends_with(".ext")
            || base.to_lowercase().starts_with("your")
            || without_placeholder(path).is_some()
            || path.contains("...");
        match () {
            () if placeholder && base.contains('.') => Some(Named::Barred),
            () if is_file_name(base) => Some(Named::New(path.to_owned())),
            () => None,
        }
    }
}

/// Each name without its folder, with the path where there is only one such.
fn by_base(paths: &[String]) -> HashMap<String, Option<String>> {
    let mut found: HashMap<String, Option<String>> = HashMap::new();
    for path in paths {
        let base = path.rsplit('/').next().unwrap_or(path).to_owned();
        found.entry(base).and_modify(|one| *one = one.take().filter(|one| one == path)).or_insert(Some(path.clone()));
    }
    found
}

/// What follows on `path/to/` and the like.
fn without_placeholder(path: &str) -> Option<&str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let begins = ["path/to/your/", "path/to/the/", "path/to/", "your/path/", "your_project/", "your-project/"];
    begins.iter().find_map(|begin| path.strip_prefix(begin))
}

/// Something in brackets or dots for what is to be filled in.
fn is_gap(path: &str) -> bool {
    let holds_gap = (path.contains('<') && path.contains('>')) || path.contains('…') || path.contains('{');
    holds_gap && path.contains('.') && path.len() < 60 && !path.contains(['(', ';', '='])
}

/// Without what models put around a name.
fn bare(written: &str) -> &str {
    let mut name = written.trim();
    if let Some(link) = name.strip_prefix('[')
        && let Some((text, _)) = link.split_once("](")
    {
        name = text;
    }
    let around = ['`', '*', '"', '\'', '(', ')', '“', '”', '‘', '’', '«', '»', '「', '」'];
    loop {
        let next = name.trim().trim_matches(around).trim_end_matches([':', ',', ';', '：', '!']);
        let next = next.strip_suffix('.').unwrap_or(next);
        if next.len() == name.len() {
            return name;
        }
        name = next;
    }
}
