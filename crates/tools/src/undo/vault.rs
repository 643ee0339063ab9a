//! Keeps the bytes of a session's files, as far as its budget goes. The same bytes cost once.

use crate::apply::digest;
use crate::environment::{Keep, UndoLimits};
use agent_protocol::Digest;
use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(super) struct Vault {
    keep: Arc<dyn Keep>,
    limits: UndoLimits,
    kept: Mutex<Kept>,
    open: AtomicBool,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: u64,
    digests: HashSet<[u8; 32]>,
}

impl Vault {
    pub(super) fn new(keep: Arc<dyn Keep>, limits: UndoLimits) -> Self {
        Vault { keep, limits, kept: Mutex::default(), open: AtomicBool::new(false) }
    }

    /// Bytes of the largest file that is kept.
    pub(super) fn max_file(&self) -> u64 {
        self.limits.max_file
    }

    /// Room that is left, in bytes.
    pub(super) fn left(&self) -> u64 {
        self.limits.budget.saturating_sub(self.kept().bytes).min(self.keep.room())
    }

    /// Keeps them; `None`: there is no room left.
    pub(super) fn keep(&self, bytes: &[u8]) -> io::Result<Option<[u8; 32]>> {
        let size = bytes.len() as u64;
        if size > self.left() {
            let known = raw(&digest(bytes)).filter(|digest| self.kept().digests.contains(digest));
            return Ok(known);
        }
        let digest = match self.keep.keep(bytes) {
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return Ok(None),
            kept => raw(&kept?).ok_or(io::ErrorKind::InvalidData)?,
        };
        let mut kept = self.kept();
        if kept.digests.insert(digest) {
            kept.bytes += size;
        }
        Ok(Some(digest))
    }

    /// Why nothing can be kept at all, in words; once something could, that is believed.
    pub(super) fn closed(&self) -> Option<String> {
        if self.open.load(Ordering::Relaxed) {
            return None;
        }
        let why = self.keep.keep(b"").err().map(|error| error.to_string());
        self.open.store(why.is_none(), Ordering::Relaxed);
        why
    }

    pub(super) fn fetch(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.keep.fetch(digest).ok()
    }

    pub(super) fn place(&self) -> &dyn Keep {
        &*self.keep
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // At worst some bytes are not counted.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The digest as bytes; `None` where it is none.
pub(super) fn raw(digest: &Digest) -> Option<[u8; 32]> {
    let mut raw = [0; 32];
    let pairs = digest.0.as_bytes().chunks(2);
    if digest.0.len() != 64 {
        return None;
    }
    for (byte, pair) in raw.iter_mut().zip(pairs) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(raw)
}
