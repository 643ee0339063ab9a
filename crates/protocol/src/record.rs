//! What is written down of a session.

use crate::kinds::through_json;
use crate::{CallId, Digest, Event, Message, SaidId, UndoDirection, UndoPart, UndoneFile, lossy};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::path::PathBuf;

/// One thing that is written down of a session. In order they are the session: the events for a person, and the
/// conversation for the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case", remote = "Self")]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are events")]
pub enum Record {
    /// The session begins, or goes on after it was resumed.
    Setting(Setting),
    /// A fact, as the faces heard it.
    Event { event: Event },
    /// Files are about to be brought back, to be followed by an `Undone` that says what came of it.
    Undoing {
        direction: UndoDirection,
        /// Back to before this was said, or forth to after it.
        said: SaidId,
        /// As it is meant to end.
        files: Vec<UndoneFile>,
        /// Only this part of what was changed in one file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<UndoPart>,
    },
    /// A call is about to change something: what was there before is kept under this digest.
    Before {
        call: CallId,
        /// Of a list of files, as `tools` wrote it.
        kept: Digest,
    },
    /// The conversation as the model sees it: from the message number `from` on it is these.
    Conversation {
        /// So many messages stay, from the first.
        from: usize,
        messages: Vec<Message>,
        /// The last of them is what arrived of a reply that broke off.
        #[serde(default)]
        broken_tail: bool,
        /// What stands last awaits no reply.
        #[serde(default)]
        settled: bool,
        /// What stands last was not sent yet: what is said next is joined to it.
        #[serde(default)]
        unsent: bool,
    },
}

/// What says of a record as it is written whether it is an event, and which.
#[derive(Deserialize)]
struct Outside<'a> {
    #[serde(borrow)]
    record: Cow<'a, str>,
    #[serde(borrow, default)]
    event: Option<&'a RawValue>,
}

impl Record {
    /// Reads one as it was written. Nearly all are events, and a long session has many thousands of them: serde itself would
    /// make values of each of them first, and look then of what kind it is.
    ///
    /// # Errors
    /// It is no record that is known.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        let text = std::str::from_utf8(text).map_err(serde::de::Error::custom)?;
        let Outside { record, event } = serde_json::from_str(text)?;
        match event.filter(|_| record == "event") {
            Some(event) => Event::from_json(event.get()).map(|event| Record::Event { event }),
            None => Record::deserialize(&mut serde_json::Deserializer::from_str(text)),
        }
    }

    fn read(value: serde_json::Value) -> serde_json::Result<Self> {
        Record::deserialize(value)
    }
}

through_json!(Record);

/// What a session runs with, to be compared when it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The project folder, links resolved.
    #[serde(serialize_with = "lossy::path")]
    pub project: PathBuf,
    /// The standing instructions that a new conversation would begin with.
    pub instructions: String,
    /// The tools that are offered, by name, in order.
    pub tools: Vec<String>,
    /// The version of this program.
    pub version: String,
}
