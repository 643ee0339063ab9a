//! Where each turn begins in a journal, so that one can be read without all the others.

use super::line::{JournalLine, LineKind};
use agent_protocol::{Event, Record, TurnEvent, TurnId};

/// A place in a journal, between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// Lines before it.
    pub(super) seq: u64,
    /// Bytes before it.
    pub(super) bytes: u64,
}

/// The beginnings of all turns, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Pages(Vec<(TurnId, Mark)>);

impl Pages {
    /// A turn begins here, behind all others.
    pub(super) fn begin(&mut self, turn: TurnId, at: Mark) {
        self.0.push((turn, at));
    }

    /// What lies behind `end` is not there any more.
    pub(super) fn cut(&mut self, end: Mark) {
        self.0.retain(|(_, at)| at.bytes < end.bytes);
    }

    /// The turn that begins last.
    pub(super) fn last(&self) -> Option<TurnId> {
        self.0.last().map(|(turn, _)| *turn)
    }

    /// Where a turn begins, and where the next one does or the file ends.
    pub(super) fn of(&self, turn: TurnId, end: Mark) -> Option<(Mark, Mark)> {
        let place = self.0.iter().rposition(|(known, _)| *known == turn)?;
        let next = self.0.get(place + 1).map_or(end, |(_, next)| *next);
        Some((self.0[place].1, next))
    }
}

/// The turn that begins with this record.
pub(super) fn begun(record: &Record) -> Option<TurnId> {
    match record {
        Record::Event { event: Event::Turn(TurnEvent::Started { turn, .. }) } => Some(*turn),
        Record::Event { .. } => None,
        Record::Setting(_) | Record::Conversation { .. } | Record::Undoing { .. } | Record::Before { .. } => None,
    }
}

/// The records in whole lines, of which the first has the number `seq`.
///
/// # Errors
/// When a line is not as it was written.
pub(super) fn records(text: &[u8], seq: u64) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    for (seq, line) in (seq..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let damaged = || format!("line {} of the session's file is damaged", seq + 1);
        let line =
            line.strip_suffix(b"\n").and_then(JournalLine::read).filter(|line| line.seq == seq).ok_or_else(damaged)?;
        if line.kind == LineKind::Record {
            records.push(Record::from_json(line.json).map_err(|_| damaged())?);
        }
    }
    Ok(records)
}
