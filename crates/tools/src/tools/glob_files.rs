//! `glob_files`: files by name.

use super::PATH;
use super::list_directory::{fitted, require_folder};
use super::searched;
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::blocking::Stop;
use crate::pattern::Pattern;
use crate::read_only_job::{self, ReadOnlyJob};
use crate::tools::ToolContext;
use crate::walk::{self, Area, by_name, leaves_ignored, walk_each};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Outcome};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Characters kept free for the closing remark.
const REMARK: usize = 80;

pub(super) static FORM: Form = Form {
    tool: "glob_files",
    aliases: "glob find_files find_file find_by_name file_search search_files_by_name search_file_names files \
        file_glob glob_search glob_tool match_files locate",
    description: include_str!("glob_files.md"),
    parameters: &[
        Parameter::new("pattern", Kind::Text, "\"**/*.rs\"")
            .also("glob query name filepattern globpattern filename filenamepattern patterns searchpattern expression")
            .required()
            .says("glob, like src/**/*.ts"),
        PATH,
        Parameter::new("newest_first", Kind::Flag, "true")
            .also("newest bytime bymtime sortbytime sortbymtime")
            .says("by the time of the last change"),
    ],
    // By these names other agents have a tool that tells files so.
    implied: &[("glob files", "newest_first", "true")],
    ..BLANK
};

pub(super) struct GlobFiles;

impl Tool for GlobFiles {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let path = path(kit, arguments)?;
        let wanted = arguments.word("pattern")?;
        let shown = kit.workspace.shown(&path);
        let place = if shown == "." { String::new() } else { format!(" in {shown}") };
        let title = format!("Find {wanted}{place}");
        let pattern = Pattern::new(&wanted, kit.workspace.root())?;
        let order = if arguments.flag("newest_first")? { Order::NewestFirst } else { Order::ByName };
        let (workspace, base) = (kit.workspace.clone(), path.clone());
        Ok(Box::new(ReadOnlyJob {
            paths: vec![path],
            title,
            rest: "narrow the path or pattern",
            work: Box::new(move |stop, room| {
                require_folder(&workspace, &base)?;
                let found = found(&workspace, &base, (&pattern, order), room, stop);
                // Names are found by the folder's own name: it must not lead elsewhere now.
                require_folder(&workspace, &base)?;
                Ok(found)
            }),
        }))
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    arguments.word("pattern")?;
    searched(kit, arguments)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    ByName,
    /// By the time of the last change.
    NewestFirst,
}

fn found(workspace: &Workspace, base: &Path, (pattern, order): (&Pattern, Order), room: usize, stop: &Stop) -> Outcome {
    let wanted = |(): &mut (), entry: walk::Entry| {
        let file = entry.kind != walk::EntryKind::Folder && pattern.matches(&entry.path, base, workspace.root());
        file.then_some(entry.path)
    };
    let area = Area { root: workspace.root(), base };
    let mut paths = walk_each(area, pattern.hidden(), stop, || (), wanted);
    paths.sort_unstable_by(|one, other| by_name(one, other));
    if order == Order::NewestFirst {
        // Links by their own time: where they lead may be out of bounds.
        let changed = |path: &PathBuf| path.symlink_metadata().and_then(|metadata| metadata.modified()).ok();
        paths.sort_by_cached_key(|path| Reverse(changed(path)));
    }
    let told = match paths.len() {
        0 if leaves_ignored(area) => "[no file matches; hidden and git-ignored files are not searched]".into(),
        0 => "[no file matches; hidden files are not searched]".into(),
        _ => fitted(&paths, |path| workspace.shown(path), room.saturating_sub(REMARK)),
    };
    words::done(told.clone(), words::count(paths.len() as u64, "file"), told)
}
