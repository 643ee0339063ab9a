//! What the writing thread does: writes what it is given, and holds in memory what cannot be written yet.

use super::file::JournalFile;
use super::hiding::{self, Hide};
use super::line::{self, LineKind, NewLine};
use super::pages;
use agent_protocol::{JournalState, Record, TurnId};
use std::collections::VecDeque;
use std::sync::Arc;

/// Told how it stands with a journal. Called on writing threads.
pub type Report = Arc<dyn Fn(JournalState) + Send + Sync>;

/// Bytes that are held in memory while nothing can be written.
const MOST_HELD: usize = 64 << 20;

/// Bytes that may stand in the file without being on disk.
const MOST_UNSYNCED: u64 = 4 << 20;

pub(super) struct Writer {
    file: JournalFile,
    hide: Option<Hide>,
    report: Option<Report>,
    /// Not written yet.
    held: VecDeque<NewLine>,
    held_bytes: usize,
    /// Written, but not on disk for certain: where syncing fails it is held again.
    unsynced: VecDeque<NewLine>,
    unsynced_bytes: u64,
    /// Some of what was held had to go.
    lost: bool,
    said: Option<JournalState>,
    /// There is nothing more to come.
    over: bool,
}

impl Writer {
    /// Writes to `file`.
    pub(super) fn new(file: JournalFile, hide: Option<Hide>, report: Option<Report>) -> Self {
        Writer {
            file,
            hide,
            report,
            held: VecDeque::new(),
            held_bytes: 0,
            unsynced: VecDeque::new(),
            unsynced_bytes: 0,
            lost: false,
            said: None,
            over: false,
        }
    }

    /// Takes records, without secrets.
    pub(super) fn take(&mut self, records: &[Record]) {
        for record in records {
            let Some(json) = hiding::written(record, self.hide.as_ref()) else {
                tracing::warn!("something of the session cannot be written down: {}", kind(record));
                continue;
            };
            if let Some(moved) = self.file.take_move() {
                self.hold(moved);
            }
            self.hold(NewLine { kind: LineKind::Record, time: line::now(), json, begins: pages::begun(record) });
        }
    }

    /// Writes what is held, and sees to it that it is on disk where that is wanted. Tells of it where that changed.
    pub(super) fn write(&mut self, sync: bool) {
        let any = !self.held.is_empty();
        match self.try_write(sync) {
            Ok(()) if any || matches!(self.said, Some(JournalState::Unkept { .. })) => {
                self.lost = false;
                self.say(JournalState::Kept { id: self.file.head().id.clone() });
            }
            Ok(()) => {}
            Err(why) => {
                self.forget_oldest();
                let held = if self.lost { "only the last 64 MB of it are" } else { "what happens is" };
                self.say(JournalState::Unkept { why: format!("{why}; until then {held} held in memory") });
            }
        }
    }

    /// Writes the rest: nothing more comes.
    pub(super) fn end(mut self) {
        self.write(true);
        self.over = true;
    }

    /// Everything so far, also what could not be written.
    pub(super) fn records(&self) -> Result<Vec<Record>, String> {
        let mut records = self.file.records()?;
        records.extend(self.held.iter().filter_map(NewLine::record));
        Ok(records)
    }

    /// What is known of one turn, up to where the next begins, also what could not be written.
    pub(super) fn page(&self, turn: TurnId) -> Result<Vec<Record>, String> {
        let mut records = self.file.page(turn).transpose()?.unwrap_or_default();
        let mut goes_on = self.file.ends_with(turn);
        for entry in &self.held {
            goes_on = entry.begins.map_or(goes_on, |begun| begun == turn);
            records.extend(entry.record().filter(|_| goes_on));
        }
        if records.is_empty() { Err("it does not stand in the session's file".into()) } else { Ok(records) }
    }

    fn try_write(&mut self, sync: bool) -> Result<(), String> {
        while let Some(entry) = self.held.front() {
            self.unsynced_bytes += self.file.add(entry)?;
            let entry = self.held.pop_front().expect("it was looked at just now");
            self.held_bytes -= entry.json.len();
            self.unsynced.push_back(entry);
            if self.unsynced_bytes > MOST_UNSYNCED {
                self.sync()?;
            }
        }
        if sync { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), String> {
        let synced = self.file.sync();
        self.hold_unsynced();
        synced
    }

    /// What is written but turned out not to be on disk is held again.
    fn hold_unsynced(&mut self) {
        if self.file.is_synced() {
            self.unsynced.clear();
        } else {
            while let Some(entry) = self.unsynced.pop_back() {
                self.held_bytes += entry.json.len();
                self.held.push_front(entry);
            }
        }
        self.unsynced_bytes = 0;
    }

    fn hold(&mut self, entry: NewLine) {
        self.held_bytes += entry.json.len();
        self.held.push_back(entry);
    }

    fn forget_oldest(&mut self) {
        while self.held_bytes > MOST_HELD {
            let Some(oldest) = self.held.pop_front() else { break };
            self.held_bytes -= oldest.json.len();
            self.lost = true;
        }
    }

    fn say(&mut self, state: JournalState) {
        if self.said.as_ref() == Some(&state) {
            return;
        }
        if let Some(report) = &self.report {
            report(state.clone());
        }
        self.said = Some(state);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.over {
            let why = "the thread that writes it ended; leave, and go on with `agent -c`".into();
            self.say(JournalState::Unkept { why });
        }
        if !self.held.is_empty() {
            tracing::warn!("the last {} things of session {} were not saved", self.held.len(), self.file.head().id);
        }
    }
}

fn kind(record: &Record) -> &'static str {
    match record {
        Record::Setting(_) => "its setting",
        Record::Event { .. } => "an event",
        Record::Conversation { .. } => "the conversation",
        Record::Undoing { .. } | Record::Before { .. } => "an intent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::line::SessionHead;
    use crate::sessions::room::SessionsFolder;
    use crate::{Folder, Place};
    use agent_protocol::{Event, TurnEvent};

    #[test]
    fn what_the_disk_did_not_take_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let room = SessionsFolder::new(Place::new(folder.path().join("state")));
        let head = SessionHead::new(&room.new_id(), &Folder::at(folder.path()).unwrap(), None);
        let path = room.journal(&head.id);
        let mut writer = Writer::new(JournalFile::unmade(room, head), None, None);
        let numbers: Vec<Record> =
            (0..6).map(|number| Event::Turn(TurnEvent::Text { text: format!("{number}") })).map(record).collect();
        writer.take(&numbers[..2]);
        writer.write(true);
        let synced = std::fs::read(&path).unwrap();
        writer.take(&numbers[2..4]);
        writer.write(false);
        let written = std::fs::read(&path).unwrap();
        assert!(written.len() > synced.len(), "it is in the file at once");
        // As if syncing had failed.
        writer.file.take_back();
        writer.hold_unsynced();
        assert_eq!(writer.records().unwrap(), numbers[..4]);
        writer.take(&numbers[4..]);
        writer.write(true);
        let all = std::fs::read(&path).unwrap();
        assert!(all.starts_with(&synced) && all.iter().filter(|byte| **byte == b'\n').count() == 7);
        assert_eq!((writer.file.records().unwrap(), writer.held_bytes), (numbers, 0));
        writer.end();
    }

    fn record(event: Event) -> Record {
        Record::Event { event }
    }
}
