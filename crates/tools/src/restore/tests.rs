//! Real files in a temporary folder, brought back and forth.

mod bringing;
mod parts;
mod planning;
mod racing;
mod trees;

use super::*;
use crate::Ground;
use crate::apply::digest;
use crate::undo::state;
use crate::workspace::Workspace;
use agent_protocol::{Restoring, UndoFile};
use std::collections::{BTreeMap, HashMap};
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

/// Bytes of the largest file that is kept here.
const MOST: u64 = 10_000;

struct Project {
    _folder: TempDir,
    root: PathBuf,
    ground: Ground,
    workspace: Workspace,
}

impl Project {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("in");
        std::fs::create_dir(&root).unwrap();
        let mut ground = Ground::of_this_process(root.clone()).unwrap();
        ground.undo.max_file = MOST;
        Project { _folder: folder, workspace: Workspace::new(&root), root, ground }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), bytes).unwrap();
    }

    fn rights(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.at(name), PermissionsExt::from_mode(mode)).unwrap();
    }

    fn link(&self, name: &str, target: &str) {
        symlink(target, self.at(name)).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.at(name)).unwrap()
    }

    /// As it is, the bytes kept.
    fn state(&self, name: &str) -> FileState {
        state::kept(&self.at(name), &*self.ground.keep, u64::MAX)
    }

    /// Everything in the project by name, folders too.
    fn tree(&self) -> BTreeMap<String, FileState> {
        let mut found = BTreeMap::new();
        let mut ahead = vec![self.root.clone()];
        while let Some(folder) = ahead.pop() {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned();
                if look::is_folder(&path) {
                    ahead.push(path);
                }
                let state = self.state(&name);
                found.insert(name, state);
            }
        }
        found
    }

    /// Does `work` and tells what became of every file, as it would be written down.
    fn changed(&self, work: impl FnOnce(&Project)) -> Vec<Wanted> {
        let files = |tree: BTreeMap<String, FileState>| -> BTreeMap<String, FileState> {
            let is_file =
                |state: &FileState| !matches!(state, FileState::Unkept { why: agent_protocol::Unkept::Special, .. });
            tree.into_iter().filter(|(_, state)| is_file(state)).collect()
        };
        let before = files(self.tree());
        work(self);
        let after = files(self.tree());
        let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let state =
            |tree: &BTreeMap<String, FileState>, name: &String| tree.get(name).cloned().unwrap_or(FileState::Missing);
        let files = names.into_iter().map(|name| Wanted {
            path: self.at(name),
            left: state(&after, name),
            target: state(&before, name),
        });
        files.filter(|file| file.left != file.target).collect()
    }

    fn plan(&self, wanted: &[Wanted]) -> Vec<UndoFile> {
        plan::planned(wanted, &self.ground, &self.workspace)
    }

    /// Brings back what is planned, conflicts too; why files were left.
    fn undo(&self, wanted: &[Wanted]) -> Vec<(String, String)> {
        let files = self.plan(wanted).into_iter().filter(|file| file.possible);
        let files: Vec<Restoring> =
            files.map(|file| Restoring { path: file.path, from: file.now, to: file.target }).collect();
        self.bring(&files)
    }

    fn bring(&self, files: &[Restoring]) -> Vec<(String, String)> {
        let done = bring::brought(files, &HashMap::new(), &self.ground, &self.workspace);
        assert_eq!(done.len(), files.len());
        for (file, wanted) in done.iter().zip(files) {
            assert_eq!(file.path, wanted.path);
            // Something else may have come to lie where a file went, as planned.
            let made_room = file.after == FileState::Missing && look::is_folder(&file.path);
            assert!(made_room || file.after == look::now(&file.path, u64::MAX), "{file:?}");
        }
        done.into_iter().filter_map(|file| Some((file.shown_path, file.left?))).collect()
    }

    /// Brings one file from what it is now.
    fn planned(&self, name: &str, to: &FileState) -> Restoring {
        Restoring { path: self.at(name), from: self.state(name), to: to.clone() }
    }

    fn kept(&self, bytes: impl AsRef<[u8]>, mode: u32) -> FileState {
        let bytes = bytes.as_ref();
        FileState::File { content: self.ground.keep.keep(bytes).unwrap(), mode, size: bytes.len() as u64 }
    }
}

/// The same changes the other way round.
fn forth(wanted: &[Wanted]) -> Vec<Wanted> {
    let turned =
        |file: &Wanted| Wanted { path: file.path.clone(), left: file.target.clone(), target: file.left.clone() };
    wanted.iter().map(turned).collect()
}

const NOTHING_LEFT: [(String, String); 0] = [];
const MEANWHILE: &str = "changed meanwhile; nothing was written";
