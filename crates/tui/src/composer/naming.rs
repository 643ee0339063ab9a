//! The file or folder that is being named by `@` where the cursor stands, and what it may become. The names come from the
//! house; they are asked for once for each message, and the old ones serve until the new ones are there.

use crate::dropped::is_picture;
use crate::names::FileNames;
use agent_protocol::{Mention, mention_at, mentions};
use std::ops::Range;
use std::path::Path;

/// Names that are offered at most.
const MOST: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct Naming {
    known: FileNames,
    state: Known,
    /// Were they asked for since this message was begun?
    asked: bool,
    /// Where the name that is being written stands, the sign included.
    place: Option<Range<usize>>,
    fits: Vec<String>,
}

/// What is known of the names.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    Some,
    All,
}

impl Naming {
    /// Looks what is being named in `text`, in which the cursor stands at a place in bytes.
    pub(crate) fn look(&mut self, text: &str, cursor: usize) {
        self.fits.clear();
        let mention = mention_at(text, cursor);
        self.place = mention.as_ref().map(|mention| mention.place.clone());
        let Some(Mention { path, .. }) = mention else { return };
        // What is written out already is offered no more, nor with lines of it.
        let whole = path.rsplit_once(':').map_or(path.as_str(), |(path, _)| path);
        if self.known.has_file(whole) {
            return;
        }
        let found = self.known.find(&path, MOST);
        self.fits = found.into_iter().filter(|name| *name != path).map(str::to_owned).collect();
    }

    /// The names that the one being written may become.
    pub(crate) fn fits(&self) -> &[String] {
        &self.fits
    }

    /// Where the name that is being written stands.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        self.place.clone()
    }

    /// The names of now, which may not be all of them.
    pub(crate) fn take(&mut self, names: Vec<String>, more: bool) {
        self.known.replace(names);
        self.state = if more { Known::Some } else { Known::All };
    }

    /// Are the names wanted? Says so once for each message.
    pub(crate) fn wants_names(&mut self) -> bool {
        self.place.is_some() && !std::mem::replace(&mut self.asked, true)
    }

    /// A message went out, and another begins.
    pub(crate) fn sent(&mut self, text: &str) {
        self.asked = false;
        for mention in mentions(text) {
            if self.known.has(&mention.path) {
                self.known.was_named(&mention.path);
            }
        }
    }

    /// What `text` names that is no file of the project, as far as that is known.
    pub(crate) fn unknown(&self, text: &str) -> Option<String> {
        if self.state != Known::All {
            return None;
        }
        // A picture may lie anywhere: it is asked about by itself.
        let is_elsewhere = |path: &Path| path.is_absolute() && is_picture(path);
        let is_unknown = |mention: &Mention| {
            mention.is_path_like() && !self.known.has(mention.name()) && !is_elsewhere(Path::new(&mention.path))
        };
        mentions(text).into_iter().find(is_unknown).map(|mention| mention.path)
    }
}
