//! Reads journals: every whole line up to the first that is not as it was written.

use super::cards::{Facts, KnownSession};
use super::pages::{self, Mark, Pages};
use super::{Loaded, SessionError, Torn};
use crate::sessions::line::{JournalLine, LineKind};
use crate::sessions::lines::{Whole, lines, unknown};
use agent_protocol::{Record, SessionId};
use std::path::Path;

/// So many threads read lines at most, and each so many at least: fewer are read before another thread has begun.
const MOST_READERS: usize = 4;
const LEAST_LINES: usize = 200;

/// Everything that a journal holds.
pub(super) struct JournalReading {
    pub(super) known: KnownSession,
    pub(super) records: Vec<Record>,
    pub(super) pages: Pages,
    pub(super) whole: Whole,
}

/// A line, and what stands before it.
type PlacedLine<'a> = (JournalLine<'a>, Whole);

/// What these lines tell, in order; `None` for a head. A long session is megabytes of them, so several threads read.
fn told(lines: &[PlacedLine<'_>]) -> Vec<Option<serde_json::Result<Record>>> {
    let each = |lines: &[PlacedLine<'_>]| -> Vec<_> {
        let records = lines.iter().map(|(line, _)| (line.kind == LineKind::Record).then_some(line.json));
        records.map(|json| json.map(Record::from_json)).collect()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_READERS);
    let share = lines.len().div_ceil(cores).max(LEAST_LINES);
    let (own, others) = lines.split_at(share.min(lines.len()));
    std::thread::scope(|scope| {
        let others: Vec<_> = others.chunks(share).map(|part| scope.spawn(move || each(part))).collect();
        let mut told = each(own);
        for other in others {
            told.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        told
    })
}

impl JournalReading {
    pub(super) fn read(id: &SessionId, text: &[u8], open: bool) -> Result<Self, SessionError> {
        let mut all = Vec::new();
        let whole = lines(id, text, |line, before| {
            all.push((*line, before));
            Ok(())
        })?;
        let (mut records, mut pages) = (Vec::new(), Pages::default());
        let mut facts = Facts::default();
        for ((line, before), record) in all.iter().zip(told(&all)) {
            match record {
                None => facts.head(line),
                Some(record) => record.map(|record| {
                    facts.record(line, &record);
                    if let Some(turn) = pages::begun(&record) {
                        pages.begin(turn, Mark { seq: before.lines, bytes: before.bytes as u64 });
                    }
                    records.push(record);
                }),
            }
            .map_err(|error| unknown(id, line.seq + 1, &error))?;
        }
        Ok(JournalReading { known: facts.known(id, text.len() as u64, open), records, pages, whole })
    }

    /// As it is handed out, while the torn tail lies in the file at `tail`.
    pub(super) fn loaded(self, tail: &Path) -> Loaded {
        let bytes = self.known.card.bytes - self.whole.bytes as u64;
        let torn = (bytes > 0).then(|| Torn { path: tail.to_owned(), bytes });
        Loaded { card: self.known.card, records: self.records, torn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Folder;
    use crate::sessions::line::{NewLine, SessionHead};
    use agent_protocol::{Event, TurnEvent};

    /// More lines than one thread reads.
    const MANY: u64 = 3 * LEAST_LINES as u64;

    /// A journal of many lines, each its number, but for one that tells something unknown.
    fn journal(unknown: Option<u64>) -> (SessionId, Vec<u8>) {
        let id = SessionId("20261127-120000-abcd".into());
        let folder = Folder::at(&std::env::temp_dir()).unwrap();
        let mut text = NewLine::head(&SessionHead::new(&id, &folder, None)).line(0);
        for seq in 1..=MANY {
            let record = Record::Event { event: Event::Turn(TurnEvent::Text { text: seq.to_string() }) };
            let known = serde_json::to_string(&record).unwrap();
            let json = if unknown == Some(seq) { r#"{"record":"tune"}"#.to_owned() } else { known };
            text.extend(NewLine { kind: LineKind::Record, time: 1, json, begins: None }.line(seq));
        }
        (id, text)
    }

    #[test]
    fn what_several_threads_read_is_in_order() {
        let (id, text) = journal(None);
        let read = JournalReading::read(&id, &text, false).unwrap();
        let said = read.records.iter().map(|record| match record {
            Record::Event { event: Event::Turn(TurnEvent::Text { text }) } => text.clone(),
            other => panic!("{other:?}"),
        });
        assert_eq!(said.collect::<Vec<_>>(), (1..=MANY).map(|seq| seq.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn the_line_that_is_not_known_is_named_whoever_read_it() {
        for unknown in [1, MANY / 2, MANY] {
            let (id, text) = journal(Some(unknown));
            let why = JournalReading::read(&id, &text, false).err().unwrap().to_string();
            assert!(why.contains(&format!("line {} holds something", unknown + 1)), "{why}");
        }
    }
}
