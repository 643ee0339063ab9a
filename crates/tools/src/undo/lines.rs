//! How many lines came and went. Bounded: where there is too much to compare, nothing is counted.

use super::vault::Vault;
use crate::change::counts_within;
use agent_protocol::FileState;
use std::time::{Duration, Instant};

/// Bytes of the largest text that is compared.
const LARGEST: usize = 1 << 20;
/// Time that one file may take, and all of them.
const ONE: Duration = Duration::from_millis(100);
const ALL: Duration = Duration::from_millis(500);

/// Counts until its time is up.
#[derive(Debug)]
pub(super) struct Counter {
    until: Instant,
}

impl Counter {
    pub(super) fn new() -> Self {
        Counter { until: Instant::now() + ALL }
    }

    /// Lines added and removed; 0 where one of both is no text, or where there is no time left.
    pub(super) fn lines(&mut self, before: &FileState, after: &FileState, vault: &Vault) -> (u64, u64) {
        let left = self.until.saturating_duration_since(Instant::now()).min(ONE);
        if left.is_zero() {
            return (0, 0);
        }
        let (Some(before), Some(after)) = (text(before, vault), text(after, vault)) else { return (0, 0) };
        counts_within(&before, &after, left)
    }
}

/// The text of a file; of none where there is none; `None` where it is no text.
fn text(state: &FileState, vault: &Vault) -> Option<String> {
    match state {
        FileState::Missing => Some(String::new()),
        FileState::File { content, .. } => {
            let bytes = vault.fetch(content).filter(|bytes| bytes.len() <= LARGEST)?;
            crate::text::readable(&bytes).map(|text| text.into_owned())
        }
        FileState::Link { .. } | FileState::Unkept { .. } => None,
    }
}
