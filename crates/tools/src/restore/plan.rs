//! What bringing files back would change, before anything is.

use super::bring::not_kept;
use super::diff::Differ;
use super::merge::{Three, merged};
use super::room::{self, Room};
use super::{Wanted, look};
use crate::Ground;
use crate::parallel;
use crate::workspace::Workspace;
use agent_protocol::{FileState, UndoConflict, UndoFile, UndoMerge, Unkept};
use std::collections::HashSet;
use std::path::Path;

const NOT_REPLACED: &str = ", so it is not replaced; remove it yourself, then undo";

/// One entry a file that is not as it is to be, by name.
pub(super) fn planned(wanted: &[Wanted], ground: &Ground, workspace: &Workspace) -> Vec<UndoFile> {
    let going = wanted.iter().filter(|file| file.target == FileState::Missing).map(|file| file.path.as_path());
    let going: HashSet<&Path> = going.collect();
    let room = Room::new(ground, room::MOST);
    let entries = parallel::each(wanted, |file| Entry::of(file, &going, ground, &room));
    let differ = Differ::new(ground, workspace);
    let mut files: Vec<UndoFile> = entries.into_iter().flatten().map(|entry| entry.in_words(&differ)).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// One file that is to become another.
struct Entry<'a> {
    wanted: &'a Wanted,
    now: FileState,
    kind: Kind,
}

enum Kind {
    /// It is as we left it.
    Plain,
    /// Somebody changed it since. With both changes it would be this.
    Conflict(Option<FileState>),
    Impossible(String),
}

impl<'a> Entry<'a> {
    /// `None`: it is as it is to be.
    fn of(wanted: &'a Wanted, going: &HashSet<&Path>, ground: &Ground, room: &Room<'_>) -> Option<Self> {
        let Wanted { path, left, target } = wanted;
        let limit = look::limit(ground, [left, target]);
        let mut now = look::now(path, limit);
        // What was too large to be kept may have changed since, and nobody can say: that is the user's to decide.
        let mut as_left = now == *left;
        if look::is_folder(path) && makes_room(path, going) {
            // By the time it is this file's turn, the folder is gone.
            now = FileState::Missing;
            as_left = matches!(left, FileState::Missing | FileState::Unkept { why: Unkept::Special, .. });
        }
        if let FileState::Unkept { why, .. } = target {
            return Some(Entry { wanted, now, kind: Kind::Impossible(not_kept(*why)) });
        }
        if now == *target {
            return None;
        }
        if !as_left {
            // It comes back when this is taken back in turn.
            now = room.kept(path);
        }
        let kind = match (&now, target) {
            (FileState::Unkept { why, .. }, _) => Kind::Impossible(in_the_way(path, *why)),
            (_, FileState::File { content, .. }) if !is_there(&now, content, ground) => {
                Kind::Impossible("its bytes are no longer kept".into())
            }
            _ if as_left => Kind::Plain,
            _ => Kind::Conflict(merged(&Three { left, now: &now, target }, ground, room)),
        };
        Some(Entry { wanted, now, kind })
    }

    fn in_words(self, differ: &Differ<'_>) -> UndoFile {
        let Entry { wanted: Wanted { path, left, target }, now, kind } = self;
        let diff = |why| differ.diff(path, &now, target, why);
        let (diff, possible, conflict) = match kind {
            Kind::Plain => (diff(None), true, None),
            Kind::Impossible(why) => (diff(Some(why)), false, None),
            Kind::Conflict(merged) => {
                let since = differ.diff(path, left, &now, None);
                let merged = merged.map(|target| {
                    let diff = differ.diff(path, &now, &target, None);
                    UndoMerge { target, diff }
                });
                (diff(None), true, Some(UndoConflict { since, merged }))
            }
        };
        UndoFile { path: path.clone(), diff, now, target: target.clone(), possible, conflict }
    }
}

/// Are the bytes that are to come back still kept?
fn is_there(now: &FileState, content: &agent_protocol::Digest, ground: &Ground) -> bool {
    let same = matches!(now, FileState::File { content: same, .. } if same == content);
    same || look::fetched(ground, content).is_some()
}

/// Does everything in this folder go?
fn makes_room(folder: &Path, going: &HashSet<&Path>) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.into_iter().all(|entry| {
        entry.is_ok_and(|entry| {
            let path = entry.path();
            going.contains(path.as_path()) || (look::is_folder(&path) && makes_room(&path, going))
        })
    })
}

/// Why what lies there now cannot make room.
pub(super) fn in_the_way(path: &Path, why: Unkept) -> String {
    match why {
        Unkept::Special if look::is_folder(path) => "a folder lies there now".into(),
        Unkept::Special => "no plain file lies there now".into(),
        Unkept::TooLarge => format!("what lies there now is too large to be kept{NOT_REPLACED}"),
        Unkept::NoRoom => format!("there is no room to keep what lies there now{NOT_REPLACED}"),
        Unkept::Unreadable => "what lies there now cannot be read or kept".into(),
        Unkept::Name => Unkept::Name.words().into(),
    }
}
