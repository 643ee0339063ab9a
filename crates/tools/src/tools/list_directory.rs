//! `list_directory`: what is in a folder, or below it.

use super::PATH;
use super::searched;
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::blocking::Stop;
use crate::open::{Found, open};
use crate::pattern::{Hidden, Pattern};
use crate::read_only_job::{self, ReadOnlyJob};
use crate::tools::ToolContext;
use crate::tools::read_file::missing;
use crate::walk::{self, Area, ByGit, Depth, Entry, leaves_ignored, walk_by};
use crate::workspace::{Workspace, one_line};
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome};
use std::path::{Path, PathBuf};

/// Bytes kept free for the closing remark.
const REMARK: usize = 120;

const RESPECT: Parameter = Parameter::new("respect_git_ignore", Kind::Flag, "true").also("usegitignore gitignore");

/// What other agents say of what is left out.
static FILTERING: Form = Form { tool: "list_directory", parameters: &[RESPECT], ..BLANK };

pub(super) static FORM: Form = Form {
    tool: "list_directory",
    aliases: "ls list list_dir list_files list_folder list_directory_contents list_dir_contents list_directories \
        directory_list dir tree view_directory read_directory read_dir read_folder get_directory_contents \
        directory_tree print_tree show_directory",
    description: include_str!("list_directory.md"),
    parameters: &[
        PATH,
        Parameter::new("recursive", Kind::Flag, "true").also("recurse deep recursively r").optional(),
        Parameter::new("pattern", Kind::Text, "\"*.rs\"")
            .also("glob filter include filepattern match")
            .optional()
            .says("glob; .* for hidden ones"),
        Parameter::new("ignore", Kind::Texts, "[\"*.log\"]")
            .also("ignorepatterns ignoreglobs exclude excludes excludepatterns excludepattern skip"),
        RESPECT,
        Parameter::new("file_filtering_options", Kind::Items(&FILTERING), "[{\"respect_git_ignore\": true}]")
            .also("filefiltering filteringoptions"),
    ],
    ..BLANK
};

pub(super) struct ListDirectory;

impl Tool for ListDirectory {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let path = path(kit, arguments)?;
        let pattern = arguments.optional_text("pattern")?;
        // A pattern with a slash can only mean what lies deeper.
        let deep = arguments.flag("recursive")? || pattern.as_ref().is_some_and(|pattern| pattern.contains('/'));
        let depth = if deep { Depth::All } else { Depth::One };
        let of = pattern.as_ref().map_or(String::new(), |pattern| format!(" ({pattern})"));
        let pattern = pattern.map(|pattern| Pattern::new(&pattern, kit.workspace.root())).transpose()?;
        let shown = kit.workspace.shown(&path);
        let listing = Listing {
            workspace: kit.workspace.clone(),
            base: path.clone(),
            depth,
            pattern,
            ignored: ignored(kit, arguments)?,
            by_git: by_git(arguments)?,
        };
        Ok(Box::new(ReadOnlyJob {
            paths: vec![path],
            title: format!("List {}{of}", if shown == "." { shown } else { format!("{shown}/") }),
            rest: "narrow the path or pattern",
            work: Box::new(move |stop, room| listing.made(room, stop)),
        }))
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    searched(kit, arguments)
}

fn ignored(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<Pattern>, Failure> {
    let globs = arguments.texts("ignore")?;
    let globs = globs.iter().map(|glob| glob.trim().trim_end_matches('/')).filter(|glob| !glob.is_empty());
    globs.map(|glob| Pattern::new(glob, kit.workspace.root())).collect()
}

struct Listing {
    workspace: Workspace,
    base: PathBuf,
    depth: Depth,
    pattern: Option<Pattern>,
    /// What is left out besides, with everything below it.
    ignored: Vec<Pattern>,
    by_git: ByGit,
}

/// Asks for what `.gitignore` names, or not; left out means not.
fn by_git(arguments: &Arguments) -> Result<ByGit, Failure> {
    let options = arguments.items("file_filtering_options")?;
    let said = options.iter().chain([arguments]).find(|options| options.has("respect_git_ignore"));
    match said {
        Some(options) if !options.flag("respect_git_ignore")? => Ok(ByGit::Shown),
        Some(_) | None => Ok(ByGit::Left),
    }
}

impl Listing {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        require_folder(&self.workspace, &self.base)?;
        let hidden = self.pattern.as_ref().map_or(Hidden::Left, Pattern::hidden);
        let area = Area { root: self.workspace.root(), base: &self.base };
        let mut entries = walk_by(area, hidden, self.depth, self.by_git, stop);
        // Names are found by the folder's own name: it must not lead elsewhere now.
        require_folder(&self.workspace, &self.base)?;
        entries.retain(|entry| !self.ignores(&entry.path));
        if let Some(pattern) = &self.pattern {
            entries.retain(|entry| pattern.matches(&entry.path, &self.base, self.workspace.root()));
        }
        let mut told = fitted(&entries, |entry| self.line(entry), room.saturating_sub(REMARK));
        told.push_str(&self.left_out(entries.len()));
        if told.is_empty() {
            told = match self.pattern {
                Some(_) if leaves_ignored(area) => {
                    "[nothing matches the pattern; hidden and git-ignored entries are not searched]".into()
                }
                Some(_) => "[nothing matches the pattern; hidden entries are not searched]".into(),
                None if self.ignored.is_empty() => "[the folder is empty]".into(),
                None => "[there is nothing but what was to be left out]".into(),
            };
        }
        let entries = match entries.len() {
            1 => "1 entry".into(),
            many => format!("{many} entries"),
        };
        Ok(words::done(told.clone(), entries, told))
    }

    /// Is it, or a folder on the way to it, to be left out?
    fn ignores(&self, path: &Path) -> bool {
        let root = self.workspace.root();
        let below = path.ancestors().take_while(|folder| *folder != self.base);
        let named = |path: &Path| self.ignored.iter().any(|ignored| ignored.matches(path, &self.base, root));
        !self.ignored.is_empty() && below.into_iter().any(named)
    }

    fn line(&self, entry: &Entry) -> String {
        // Listed from outside, the project is not `.`.
        let name = match entry.path == self.workspace.root() {
            true => one_line(&entry.path),
            false => self.workspace.shown(&entry.path),
        };
        match &entry.kind {
            walk::EntryKind::File | walk::EntryKind::Special => name,
            walk::EntryKind::Folder => format!("{name}/"),
            walk::EntryKind::Link(target) => format!("{name} -> {}", one_line(target)),
        }
    }

    /// A remark on entries that are there but not shown.
    fn left_out(&self, shown: usize) -> String {
        if self.depth == Depth::All || self.pattern.is_some() {
            return String::new();
        }
        let there = std::fs::read_dir(&self.base).map_or(0, |entries| entries.flatten().count());
        match there.saturating_sub(shown) {
            0 => String::new(),
            left if !self.ignored.is_empty() => format!("[{left} hidden, git-ignored or left out not shown]\n"),
            left if self.by_git == ByGit::Shown => format!("[{left} hidden not shown]\n"),
            left => format!("[{left} hidden or git-ignored not shown]\n"),
        }
    }
}

/// As many lines, one for each of `things`, as fit into `room` bytes, and how many more there are.
pub(super) fn fitted<T>(things: &[T], line: impl Fn(&T) -> String, room: usize) -> String {
    let mut text = String::new();
    for (at, thing) in things.iter().enumerate() {
        let line = line(thing);
        if text.len() + line.len() + 1 > room {
            text.push_str(&format!("[… {} more; narrow the path or pattern]\n", things.len() - at));
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// A failure unless there is a folder at `path`.
pub(super) fn require_folder(workspace: &Workspace, path: &Path) -> Result<(), Failure> {
    match open(workspace, path)? {
        Found::Folder => Ok(()),
        Found::Missing => Err(missing(workspace, path)),
        Found::File(..) => {
            let message = format!("{} is a file, not a folder; use read_file to see it", workspace.shown(path));
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}
