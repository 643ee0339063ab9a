//! The files that a turn changed, as they are now and as they were before it.
//!
//! What a file was is known only where its bytes were kept; of any other nothing can be said to be new.

use crate::arguments::Arguments;
use crate::open::plain_file_below;
use crate::tools::ToolContext;
use agent_protocol::{Digest, Failure};
use std::path::Path;

/// Bytes of the largest file that is looked at.
const LARGEST: u64 = 512 * 1_024;

/// Stands for the text before the turn of a file that was not there.
const NEW: &str = "new";

/// A file that a turn changed.
#[derive(Debug, Clone)]
pub(super) struct ChangedFile {
    /// As a person would name it.
    pub(super) shown: String,
    /// Its text before the turn.
    pub(super) before: TextBefore,
    /// Its text now; `None` where it cannot be read as text.
    pub(super) now: Option<String>,
}

/// What is known of the text of a file before the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TextBefore {
    /// There was no such file.
    Absent,
    Text(String),
    Unknown,
}

impl ChangedFile {
    /// Those that the call names, with the digests that it gives for them.
    pub(super) fn all(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<ChangedFile>, Failure> {
        let before = arguments.texts("before")?;
        let files = arguments.texts("files")?.into_iter().enumerate();
        let changed = files.map(|(at, shown)| {
            let bytes = plain_file_below(kit.workspace.root(), Path::new(&shown), LARGEST);
            let now = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let before = match before.get(at).map(String::as_str) {
                Some(NEW) => TextBefore::Absent,
                Some(digest) => {
                    kit.runner.kept_text(&Digest(digest.to_owned())).map_or(TextBefore::Unknown, TextBefore::Text)
                }
                None => TextBefore::Unknown,
            };
            ChangedFile { shown, before, now }
        });
        Ok(changed.collect())
    }

    /// The text before and the text now, where both are known.
    pub(super) fn texts(&self) -> Option<(Option<&str>, &str)> {
        let now = self.now.as_deref()?;
        match &self.before {
            TextBefore::Absent => Some((None, now)),
            TextBefore::Text(before) => Some((Some(before), now)),
            TextBefore::Unknown => None,
        }
    }

    /// May the change of this file be why no module of this name is found? Where the file is that module, and was and is
    /// there, it may not.
    pub(super) fn may_have_made_absent(&self, module: &str) -> bool {
        let is_module = self.shown.split('/').any(|part| part.split('.').next() == Some(module));
        let stays = matches!(self.before, TextBefore::Text(_)) && self.now.is_some();
        if is_module { !stays } else { self.may_have_added(module) }
    }

    /// Does the word stand in it now and not before? Where that is not known, it may.
    pub(super) fn may_have_added(&self, word: &str) -> bool {
        let has = |text: &str| !super::uses::places(text, word).is_empty();
        match (&self.before, &self.now) {
            (TextBefore::Text(before), Some(now)) => has(now) && !has(before),
            (TextBefore::Absent | TextBefore::Unknown, Some(now)) => has(now),
            (_, None) => false,
        }
    }
}
