//! What somebody else wrote is kept before anything can come in its place, as far as there is room for it: merely to look
//! at a plan must not fill the disk, nor the memory.

use super::look;
use crate::Ground;
use crate::undo::state;
use agent_protocol::{Digest, FileState, Unkept};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that one plan keeps.
pub(super) const MOST: u64 = 64 << 20;

/// The room of one plan.
pub(super) struct Room<'a> {
    ground: &'a Ground,
    left: Mutex<u64>,
}

impl<'a> Room<'a> {
    pub(super) fn new(ground: &'a Ground, most: u64) -> Self {
        Room { ground, left: Mutex::new(most) }
    }

    /// What lies there, its bytes kept. One at a time, for each is held whole.
    pub(super) fn kept(&self, path: &Path) -> FileState {
        let (mut left, most) = (self.left(), look::largest(self.ground));
        match state::kept(path, &*self.ground.keep, most.min(*left)) {
            FileState::Unkept { why: Unkept::TooLarge, size } if size <= most => {
                FileState::Unkept { why: Unkept::NoRoom, size }
            }
            now => {
                if let FileState::File { size, .. } = now {
                    *left = left.saturating_sub(size);
                }
                now
            }
        }
    }

    /// The same for bytes that lie nowhere yet; `None`: they are not kept.
    pub(super) fn keep(&self, bytes: impl AsRef<[u8]>) -> Option<Digest> {
        let (bytes, mut left) = (bytes.as_ref(), self.left());
        let rest = left.checked_sub(bytes.len() as u64)?;
        let content = self.ground.keep.keep(bytes).ok()?;
        *left = rest;
        Some(content)
    }

    fn left(&self) -> MutexGuard<'_, u64> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
