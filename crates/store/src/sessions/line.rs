//! One line of a journal, and the checksum that tells whether it is what was written.
//!
//! `{"v":1,"seq":4,"t":1795354321000,"crc":"0a1b2c3d","record":{…}}`: the format, the number of the line, when it was
//! written (milliseconds since 1970), the CRC-32 of every other byte of the line, and what it tells. Lines are numbered
//! from 0 without gaps; the first one is a head, and another head follows where the session goes on in another folder.
//!
//! **Invariant.** A line of any later format begins with `{"v":` and a larger number: that alone is what an older agent
//! needs to see that it must leave the file alone.

use crate::Folder;
use agent_protocol::{Record, SessionId, TurnId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The format that is written, and the newest that can be read.
pub(super) const VERSION: u64 = 1;

/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Whose session it is and where: a [`SessionHead`].
    Head,
    /// A [`Record`].
    Record,
}

impl LineKind {
    fn name(self) -> &'static str {
        match self {
            LineKind::Head => "head",
            LineKind::Record => "record",
        }
    }
}

/// What a session is, and the folder it is open in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SessionHead {
    pub(super) id: SessionId,
    /// The path as it can be written down.
    pub(super) project: PathBuf,
    pub(super) device: u64,
    pub(super) inode: u64,
    #[serde(default)]
    pub(super) born: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<SessionId>,
}

impl SessionHead {
    pub(super) fn new(id: &SessionId, project: &Folder, parent: Option<&SessionId>) -> Self {
        SessionHead {
            id: id.clone(),
            project: project.shown().into(),
            device: project.device,
            inode: project.inode,
            born: project.born,
            parent: parent.cloned(),
        }
    }
}

/// What is to become a line; its number is given to it when it is written.
#[derive(Debug, Clone)]
pub(super) struct NewLine {
    pub(super) kind: LineKind,
    /// Milliseconds since 1970.
    pub(super) time: u64,
    pub(super) json: String,
    pub(super) begins: Option<TurnId>,
}

impl NewLine {
    pub(super) fn head(head: &SessionHead) -> Self {
        let json = serde_json::to_string(head).expect("strings and numbers can be written as JSON");
        NewLine { kind: LineKind::Head, time: now(), json, begins: None }
    }

    /// What stands in a line.
    pub(super) fn of(line: &JournalLine<'_>) -> Self {
        let json = String::from_utf8_lossy(line.json).into_owned();
        NewLine { kind: line.kind, time: line.time, json, begins: None }
    }

    /// The record that it holds.
    pub(super) fn record(&self) -> Option<Record> {
        (self.kind == LineKind::Record).then(|| serde_json::from_str(&self.json).ok()).flatten()
    }

    /// The whole line, with its end.
    pub(super) fn line(&self, seq: u64) -> Vec<u8> {
        let mut line = format!(r#"{{"v":{VERSION},"seq":{seq},"t":{},"crc":""#, self.time).into_bytes();
        let at = line.len();
        line.extend_from_slice(&[b'0'; DIGITS]);
        line.extend_from_slice(format!(r#"","{}":"#, self.kind.name()).as_bytes());
        line.extend_from_slice(self.json.as_bytes());
        line.push(b'}');
        let sum = checksum(&line[..at], &line[at + DIGITS..]);
        line[at..at + DIGITS].copy_from_slice(sum.as_bytes());
        line.push(b'\n');
        line
    }
}

/// A line whose checksum is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JournalLine<'a> {
    pub(super) version: u64,
    pub(super) seq: u64,
    /// Milliseconds since 1970.
    pub(super) time: u64,
    pub(super) kind: LineKind,
    /// What it tells, as JSON.
    pub(super) json: &'a [u8],
}

impl<'a> JournalLine<'a> {
    /// Reads a line without its end; `None` where it is not as it was written.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let (version, rest) = number(line.strip_prefix(br#"{"v":"#)?)?;
        let (seq, rest) = number(rest.strip_prefix(br#","seq":"#)?)?;
        let (time, rest) = number(rest.strip_prefix(br#","t":"#)?)?;
        let rest = rest.strip_prefix(br#","crc":""#)?;
        let (sum, rest) = rest.split_at_checked(DIGITS)?;
        let before = &line[..line.len() - rest.len() - DIGITS];
        if checksum(before, rest).as_bytes() != sum {
            return None;
        }
        let rest = rest.strip_prefix(br#"",""#)?.strip_suffix(b"}")?;
        let kind =
            [LineKind::Head, LineKind::Record].into_iter().find(|kind| rest.starts_with(kind.name().as_bytes()))?;
        let json = rest[kind.name().len()..].strip_prefix(br#"":"#)?;
        Some(JournalLine { version, seq, time, kind, json })
    }
}

/// The format of a line, whatever else it holds; `None` where it is no line of any format.
pub(super) fn version(line: &[u8]) -> Option<u64> {
    number(line.strip_prefix(br#"{"v":"#)?).map(|(version, _)| version)
}

/// Now, in milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn checksum(before: &[u8], after: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(after);
    format!("{:0DIGITS$x}", hasher.finalize())
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Event, TurnEvent};

    fn entry(text: &str) -> NewLine {
        let record = Record::Event { event: Event::Turn(TurnEvent::Text { text: text.into() }) };
        NewLine {
            kind: LineKind::Record,
            time: 1_795_354_321_000,
            json: serde_json::to_string(&record).unwrap(),
            begins: None,
        }
    }

    #[test]
    fn a_line_is_one_object_that_any_program_can_read() {
        let line = String::from_utf8(entry("a\nb").line(4)).unwrap();
        let expected = r#"{"v":1,"seq":4,"t":1795354321000,"crc":"feed326a","record":{"record":"event","event":{"type":"text","text":"a\nb"}}}"#;
        assert_eq!(line, format!("{expected}\n"));
        let object: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((object["v"].as_u64(), object["seq"].as_u64()), (Some(1), Some(4)));
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let entry = entry("ünï");
        let line = entry.line(7);
        let read = JournalLine::read(&line[..line.len() - 1]).unwrap();
        assert_eq!((read.version, read.seq, read.time, read.kind), (1, 7, entry.time, LineKind::Record));
        assert_eq!(read.json, entry.json.as_bytes());
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let line = entry("some words").line(12);
        for at in 0..line.len() - 1 {
            for bit in 0..8 {
                let mut other = line[..line.len() - 1].to_vec();
                other[at] ^= 1 << bit;
                assert_eq!(JournalLine::read(&other), None, "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn a_later_format_is_known_by_its_number_alone() {
        assert_eq!(version(br#"{"v":2,"anything":"else"}"#), Some(2));
        assert_eq!((version(b"{\"w\":2}"), version(b""), version(b"\0\0\0")), (None, None, None));
    }
}
