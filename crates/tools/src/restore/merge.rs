//! Both changes in one file: ours taken back, somebody else's kept.

use super::look;
use super::room::Room;
use crate::Ground;
use crate::change::counts_within;
use agent_protocol::{Digest, FileState};
use std::time::Duration;

/// Bytes of the largest text that is merged.
const LARGEST: u64 = 1_000_000;
/// Lines times changed lines of what is merged: a third of a second's work. It takes the longer the more was changed.
const EFFORT: u64 = 200_000_000;
/// How long changed lines are counted.
const COUNTING: Duration = Duration::from_millis(200);

/// How we left a file, how it is now, and how it was.
pub(super) struct Three<'a> {
    pub(super) left: &'a FileState,
    pub(super) now: &'a FileState,
    pub(super) target: &'a FileState,
}

/// What the file would be with both changes, its bytes kept; `None` where they meet in the same lines, where so much was
/// changed that it would take long, where there is no room for it, or where there is not a file each time.
pub(super) fn merged(three: &Three<'_>, ground: &Ground, room: &Room<'_>) -> Option<FileState> {
    let (left, now, target) = (File::of(three.left)?, File::of(three.now)?, File::of(three.target)?);
    let mode = *one_of(&left.mode, &now.mode, &target.mode)?;
    if let Some(content) = one_of(left.content, now.content, target.content) {
        let size = if content == now.content { now.size } else { target.size };
        return Some(FileState::File { content: content.clone(), mode, size });
    }
    let (base, ours, theirs) = (left.text(ground)?, now.text(ground)?, target.text(ground)?);
    if effort(&base, &ours).saturating_add(effort(&base, &theirs)) > EFFORT {
        return None;
    }
    let text = diffy::merge(&base, &ours, &theirs).ok()?;
    let content = room.keep(&text)?;
    Some(FileState::File { content, mode, size: text.len() as u64 })
}

/// What it costs to compare them.
fn effort(base: &str, other: &str) -> u64 {
    let (added, removed) = counts_within(base, other, COUNTING);
    (base.lines().count() + other.lines().count()) as u64 * (added + removed)
}

/// The one that was changed by one side only, or by both in the same way.
fn one_of<'a, T: PartialEq + ?Sized>(base: &T, one: &'a T, other: &'a T) -> Option<&'a T> {
    match () {
        () if one == base => Some(other),
        () if other == base || one == other => Some(one),
        () => None,
    }
}

struct File<'a> {
    content: &'a Digest,
    mode: u32,
    size: u64,
}

impl<'a> File<'a> {
    fn of(state: &'a FileState) -> Option<Self> {
        match state {
            FileState::File { content, mode, size } => Some(File { content, mode: *mode, size: *size }),
            FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. } => None,
        }
    }

    fn text(&self, ground: &Ground) -> Option<String> {
        if self.size > LARGEST {
            return None;
        }
        look::text(look::fetched(ground, self.content)?)
    }
}
