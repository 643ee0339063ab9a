//! A place in the project, and the files around it that say what is built and checked there and how.
//!
//! Looks from the place upwards to the project folder, and nowhere else.

use crate::open::{Found, open, read_all};
use crate::tools::read_file::missing;
use crate::walk::{self, Area, Depth, walk};
use crate::workspace::Workspace;
use crate::{blocking::Stop, pattern::Hidden};
use agent_protocol::{Action, Failure};
use std::path::{Path, PathBuf};

/// Bytes of the longest file that is looked into.
const LONGEST: u64 = 512 * 1024;

/// A file or folder.
pub(super) struct CheckedPlace {
    pub(super) workspace: Workspace,
    pub(super) path: PathBuf,
    /// The folder itself, or the one that the file lies in.
    pub(super) folder: PathBuf,
    pub(super) is_file: bool,
}

/// What is looked at for something at `paths`: these, and the project around them.
pub(super) fn reach(workspace: &Workspace, paths: &[PathBuf]) -> Action {
    let mut looked = paths.to_vec();
    let root = workspace.root();
    if paths.iter().any(|path| path != root && workspace.contains(path)) && !looked.iter().any(|path| path == root) {
        looked.push(root.to_owned());
    }
    Action::Read { paths: looked }
}

impl CheckedPlace {
    /// What is at `path`, which is resolved.
    pub(super) fn find(workspace: &Workspace, path: PathBuf) -> Result<Self, Failure> {
        let is_file = match open(workspace, &path)? {
            Found::Missing => return Err(missing(workspace, &path)),
            Found::Folder => false,
            Found::File(..) => true,
        };
        let folder = if is_file { path.parent().unwrap_or(&path).to_owned() } else { path.clone() };
        Ok(CheckedPlace { workspace: workspace.clone(), path, folder, is_file })
    }

    /// The same, seen from its folder.
    pub(super) fn at(&self, folder: &Path) -> Self {
        let folder = folder.to_owned();
        CheckedPlace { workspace: self.workspace.clone(), path: folder.clone(), folder, is_file: false }
    }

    /// Its folder and those around it up to the project's, the nearest first. Outside the project only its own.
    pub(super) fn folders(&self) -> Vec<&Path> {
        let inside = |folder: &&Path| self.workspace.contains(folder);
        let around: Vec<&Path> = self.folder.ancestors().take_while(inside).collect();
        if around.is_empty() { vec![&self.folder] } else { around }
    }

    /// Is there a file of this name in `folder`?
    pub(super) fn has(&self, folder: &Path, name: &str) -> bool {
        matches!(open(&self.workspace, &folder.join(name)), Ok(Found::File(..)))
    }

    /// The text of the file of this name in `folder`; none where it cannot be read.
    pub(super) fn text(&self, folder: &Path, name: &str) -> Option<String> {
        let path = folder.join(name);
        let Ok(Found::File(mut file, _)) = open(&self.workspace, &path) else { return None };
        String::from_utf8(read_all(&mut file, name, LONGEST).ok()?).ok()
    }

    /// The nearest file of one of these names, around the place.
    pub(super) fn nearest(&self, names: &[&str]) -> Option<PathBuf> {
        let mut places = self.folders().into_iter().flat_map(|folder| names.iter().map(move |name| (folder, name)));
        places.find(|(folder, name)| self.has(folder, name)).map(|(folder, name)| folder.join(name))
    }

    /// Does the nearest file of this name that says `what` lie around the place?
    pub(super) fn configured(&self, name: &str, what: &str) -> bool {
        self.folders().iter().any(|folder| self.text(folder, name).is_some_and(|text| text.contains(what)))
    }

    /// A program that the project brings along, `below` a folder around the place: it may be a link, but stays inside.
    pub(super) fn program(&self, below: &str) -> Option<PathBuf> {
        self.folders().into_iter().map(|folder| folder.join(below)).find(|path| {
            let real = path.to_str().and_then(|path| self.workspace.resolve(path).ok());
            let inside = real.filter(|real| self.workspace.contains(real));
            inside.is_some_and(|real| matches!(open(&self.workspace, &real), Ok(Found::File(..))))
        })
    }

    /// The names of the files in `folder`.
    pub(super) fn names(&self, folder: &Path) -> Vec<String> {
        let entries =
            walk(Area { root: self.workspace.root(), base: folder }, Hidden::Left, Depth::One, &Stop::default())
                .into_iter();
        let files = entries.filter(|entry| entry.kind == walk::EntryKind::File);
        files.filter_map(|entry| Some(entry.path.file_name()?.to_str()?.to_owned())).collect()
    }

    /// The files below it, or itself.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        if self.is_file {
            return vec![self.path.clone()];
        }
        let entries =
            walk(Area { root: self.workspace.root(), base: &self.folder }, Hidden::Left, Depth::All, &Stop::default())
                .into_iter();
        entries.filter(|entry| entry.kind == walk::EntryKind::File).map(|entry| entry.path).collect()
    }

    /// The path as one below `folder`, for a program that runs there: `.` for the folder itself.
    pub(super) fn from(&self, folder: &Path) -> String {
        match self.path.strip_prefix(folder) {
            Ok(below) if below.as_os_str().is_empty() => ".".into(),
            Ok(below) => no_option(below.display().to_string()),
            Err(_) => self.path.display().to_string(),
        }
    }

    /// The packages of Go that are meant, for a program that runs in `folder`; a file means its package.
    pub(super) fn packages(&self, folder: &Path) -> String {
        let below = self.folder.strip_prefix(folder).unwrap_or(&self.folder).display().to_string();
        match (below.as_str(), self.is_file) {
            ("", true) => ".".into(),
            ("", false) => "./...".into(),
            (below, true) => format!("./{below}"),
            (below, false) => format!("./{below}/..."),
        }
    }

    /// In lower case, without the dot; empty where it has none.
    pub(super) fn extension(&self) -> String {
        extension(&self.path)
    }

    pub(super) fn shown(&self, path: &Path) -> String {
        self.workspace.shown(path)
    }

    /// The folder of the Cargo workspace around `package`: what cargo says is relative to it.
    pub(super) fn cargo_root(&self, package: &Path) -> PathBuf {
        let around = self.at(package);
        let is_workspace = |folder: &&&Path| {
            self.text(folder, "Cargo.toml")
                .is_some_and(|text| text.lines().any(|line| line.trim().starts_with("[workspace")))
        };
        around.folders().iter().find(is_workspace).map_or(package, |folder| *folder).to_owned()
    }
}

/// A path as a word that no program takes for an option.
pub(super) fn no_option(path: String) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path }
}

/// Of a file's name, in lower case, without the dot; empty where it has none.
pub(super) fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase()
}
