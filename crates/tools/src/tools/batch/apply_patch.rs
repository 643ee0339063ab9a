//! `apply_patch`: changes of one or several files as other agents have models write them, all made or none. No model is told
//! of it.

use super::super::refused;
use super::overlay::Overlay;
use super::{MOST, check_name, once, text_only, too_many};
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::change::{Edits, Rewrite};
use crate::patch::{self, FileChange, FilePatch};
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use std::path::{Path, PathBuf};

pub(in crate::tools) static FORM: Form = Form {
    tool: "apply_patch",
    aliases: "apply_diff patch patch_file apply_patches apply_unified_diff apply_search_replace edit_with_patch \
        search_replace_blocks",
    description: include_str!("apply_patch.md"),
    parameters: &[
        Parameter::new("patch", Kind::Text, "\"*** Begin Patch\\n…\"")
            .also(
                "input diff patchtext patchcontent patchinput unifieddiff udiff diffcontent difftext blocks changes edits \
                content text body command cmd",
            )
            .required(),
        Parameter::new("file_path", Kind::Text, "\"src/main.rs\"")
            .also("path file filename targetfile absolutepath relativepath fullpath uri"),
        Parameter::new("working_directory", Kind::Text, "\"src\"").also("cwd workdir workingdir dir directory"),
    ],
    refused: refused::MANY,
    unoffered: true,
    stands_for: &["edit_file", "write_file"],
    ..BLANK
};

pub(super) struct ApplyPatch;

/// What is wanted of one file.
struct Wanted {
    path: PathBuf,
    /// Its new name, where it gets one.
    to: Option<PathBuf>,
    change: FileChange,
}

impl Tool for ApplyPatch {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let wanted = wanted(kit, arguments)?;
        Ok(Action::Read {
            paths: once(wanted.into_iter().flat_map(|wanted| std::iter::once(wanted.path).chain(wanted.to))),
        })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let overlay = Overlay::new(&kit.workspace, look.leave());
        let mut overlay = overlay.minding(kit.levers().syntax, Rewrite::default());
        for Wanted { path, to, change } in wanted(kit, arguments)? {
            make(&mut overlay, path, to, change).map_err(|failure| nothing_changed(text_only(failure)))?;
        }
        Ok(Edits::new(kit.workspace.clone(), overlay.into_parts()).checked(&kit.checks())?.planned())
    }
}

fn make(overlay: &mut Overlay<'_>, path: PathBuf, to: Option<PathBuf>, change: FileChange) -> Result<(), Failure> {
    match (change, to.filter(|to| *to != path)) {
        (FileChange::Add(text), _) => overlay.add(&path, text),
        (FileChange::Delete, _) => overlay.delete(&path),
        (FileChange::Update { hunks, .. }, None) => overlay.patch(&path, &hunks),
        (FileChange::Update { hunks, .. }, Some(to)) => overlay.patch_and_move(&path, &to, &hunks),
    }
}

fn wanted(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<Wanted>, Failure> {
    let file = arguments.optional_text("file_path")?;
    let files = patch::read(&arguments.word("patch")?, file.as_deref()).map_err(|what| unreadable(&what))?;
    if files.len() > MOST {
        return Err(too_many(FORM.tool, "files"));
    }
    let folder = arguments.optional_text("working_directory")?.unwrap_or_default();
    let below = |name: &str| Path::new(folder.trim()).join(name).to_string_lossy().into_owned();
    let resolve = |name: &str| kit.workspace.resolve(&below(name));
    let read = |FilePatch { path, change }: FilePatch| {
        let to = match &change {
            FileChange::Update { to: Some(to), .. } => Some(resolve(to)?),
            FileChange::Update { to: None, .. } | FileChange::Add(_) | FileChange::Delete => None,
        };
        let resolved = resolve(&path)?;
        if to.is_some() || change == FileChange::Delete {
            check_name(&kit.workspace, &below(&path), &resolved)?;
        }
        Ok(Wanted { path: resolved, to, change })
    };
    files.into_iter().map(read).collect()
}

fn unreadable(what: &str) -> Failure {
    let message = format!("the patch cannot be applied, and nothing was changed: {what}");
    Failure::new(FailureKind::InvalidArguments, message)
}

fn nothing_changed(failure: Failure) -> Failure {
    // Other tools name by `to` what stands in a line of its own here.
    let what = failure.message.replace("in `to`", "in `*** Move to`");
    Failure { message: format!("the patch cannot be applied, and nothing was changed: {what}"), ..failure }
}
