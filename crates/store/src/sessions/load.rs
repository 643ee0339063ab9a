//! Reads journals: every whole line up to the first that is not as it was written.

use super::cards::{Facts, KnownSession};
use super::pages::{self, Mark, Pages};
use super::{Loaded, SessionError, Torn};
use crate::sessions::line::LineKind;
use crate::sessions::lines::Whole;
use crate::sessions::lines::lines;
use agent_protocol::{Record, SessionId};
use std::path::Path;

/// Everything that a journal holds.
pub(super) struct JournalReading {
    pub(super) known: KnownSession,
    pub(super) records: Vec<Record>,
    pub(super) pages: Pages,
    pub(super) whole: Whole,
}

impl JournalReading {
    pub(super) fn read(id: &SessionId, text: &[u8], open: bool) -> Result<Self, SessionError> {
        let (mut records, mut pages) = (Vec::new(), Pages::default());
        let mut facts = Facts::default();
        let whole = lines(id, text, |line, before| {
            match line.kind {
                LineKind::Head => facts.head(line)?,
                LineKind::Record => {
                    let record = Record::from_json(line.json)?;
                    facts.record(line, &record);
                    if let Some(turn) = pages::begun(&record) {
                        pages.begin(turn, Mark { seq: before.lines, bytes: before.bytes as u64 });
                    }
                    records.push(record);
                }
            }
            Ok(())
        })?;
        Ok(JournalReading { known: facts.known(id, text.len() as u64, open), records, pages, whole })
    }

    /// As it is handed out, while the torn tail lies in the file at `tail`.
    pub(super) fn loaded(self, tail: &Path) -> Loaded {
        let bytes = self.known.card.bytes - self.whole.bytes as u64;
        let torn = (bytes > 0).then(|| Torn { path: tail.to_owned(), bytes });
        Loaded { card: self.known.card, records: self.records, torn }
    }
}
