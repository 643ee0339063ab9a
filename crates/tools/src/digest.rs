//! What bytes are told apart by.

use agent_protocol::Digest;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};

pub(crate) fn digest(bytes: &[u8]) -> Digest {
    spelled(&Sha256::digest(bytes))
}

/// The digest of what is left to read of `file`, and how many bytes that is; `None`: more than `most`. Holds little of it
/// at a time.
pub(crate) fn digest_of(file: &mut File, most: u64) -> io::Result<Option<(Digest, u64)>> {
    let mut hashing = Hashing(Sha256::new());
    let read = io::copy(&mut file.take(most.saturating_add(1)), &mut hashing)?;
    Ok((read <= most).then(|| (spelled(&hashing.0.finalize()), read)))
}

/// Takes what is written to it into a hash.
struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// As it is written down.
pub(crate) fn spelled(digest: &[u8]) -> Digest {
    Digest(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The largest file that is changed by an edit, in bytes.
pub(crate) const LARGEST: u64 = 8 * 1024 * 1024;
