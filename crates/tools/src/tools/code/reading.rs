//! Which files the tools for code look at, and how these become text: like `grep_search`, without hidden, ignored,
//! binary and secret ones.

use super::each::each;
use crate::blocking::Stop;
use crate::open::{Found, open, read_all};
use crate::text;
use crate::tools::read_file::missing;
use crate::walk::{self, Area, walk_beside};
use crate::words;
use crate::workspace::Workspace;
use agent_policy::Leave;
use agent_protocol::{Failure, FailureKind};
use agent_syntax::{LONGEST, Language, Refused, Source, is_code};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest that a grammar may work on one file.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest that the files of one call are read.
const TIME: Duration = Duration::from_secs(20);

/// Until when a call that begins now reads files.
pub(super) fn until() -> Instant {
    Instant::now() + TIME
}

/// Where to look.
pub(super) struct CodePlace {
    pub(super) workspace: Workspace,
    pub(super) base: PathBuf,
    pub(super) leave: Leave,
}

/// What there is to look at.
pub(super) struct Files {
    pub(super) paths: Vec<PathBuf>,
    /// Files passed over because their names say that they hold secrets.
    pub(super) closed: Vec<PathBuf>,
    /// Just this one was asked for.
    pub(super) one: bool,
}

impl Files {
    pub(super) fn remark(&self) -> String {
        match self.closed.len() {
            0 => String::new(),
            1 => "1 file whose name says that it holds secrets was not looked at".into(),
            many => format!("{many} files whose names say that they hold secrets were not looked at"),
        }
    }
}

impl CodePlace {
    /// ` in src`, for a title; nothing where it is the whole project.
    pub(super) fn inside(&self) -> String {
        match self.workspace.shown(&self.base).as_str() {
            "." => String::new(),
            shown => format!(" in {shown}"),
        }
    }

    pub(super) fn files(&self, stop: &Stop) -> Result<Files, Failure> {
        let workspace = self.workspace.clone();
        self.files_of(|| walk_beside(self.area(), Arc::new(move |path| workspace.is_secret(path)), stop))
    }

    /// The folder to go through.
    pub(super) fn area(&self) -> Area<'_> {
        Area { root: self.workspace.root(), base: &self.base }
    }

    /// The same, of what `below` finds in a folder.
    pub(super) fn files_of(&self, below: impl FnOnce() -> Vec<walk::Entry>) -> Result<Files, Failure> {
        let (one, all) = match open(&self.workspace, &self.base)? {
            Found::Missing => return Err(missing(&self.workspace, &self.base)),
            Found::File(..) => (true, vec![self.base.clone()]),
            Found::Folder => {
                let files = below().into_iter().filter(|entry| entry.kind == walk::EntryKind::File);
                (false, files.map(|entry| entry.path).collect())
            }
        };
        // The user said that the model may look at this very file.
        let is_allowed = one && self.leave == Leave::Person;
        let (closed, paths) = all.into_iter().partition(|path| !is_allowed && self.workspace.is_secret(path));
        Ok(Files { paths, closed, one })
    }

    /// The text of the file at `path`, without a byte order mark.
    pub(super) fn text(&self, path: &Path) -> Result<String, Failure> {
        let shown = self.workspace.shown(path);
        let (mut file, size) = match open(&self.workspace, path)? {
            Found::File(file, metadata) => (file, metadata.len()),
            Found::Missing | Found::Folder => return Err(missing(&self.workspace, path)),
        };
        let bytes = read_all(&mut file, &shown, LONGEST as u64)?;
        let text = text::readable(&bytes).ok_or_else(|| text::binary(&shown, size))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    }

    /// Which files could not be read, in words; empty where all were.
    pub(super) fn unread(&self, paths: &[PathBuf]) -> String {
        let Some(first) = paths.first() else { return String::new() };
        let files = words::count(paths.len() as u64, "file");
        let like = if paths.len() > 1 { "like " } else { "" };
        let shown = self.workspace.shown(first);
        format!("{files} larger than 1 MB or not to be read, and left out: {like}{shown}")
    }

    /// What `look` makes of each of `paths`, with its place in the list, in their order; `None` is left out. How many of the
    /// last there was no time for.
    pub(super) fn each<T: Send>(
        &self,
        paths: &[PathBuf],
        until: Instant,
        stop: &Stop,
        look: impl Fn(&Path) -> Option<T> + Sync,
    ) -> (Vec<(usize, T)>, usize) {
        each(paths, until.saturating_duration_since(Instant::now()), stop, |path| look(path))
    }
}

/// `path`, where it may hold code all the same: what is no text does not, nor what is gone.
pub(super) fn no_binary(path: &Path, failure: &Failure) -> Option<PathBuf> {
    use FailureKind::{Io, PermissionDenied, TooLarge};
    matches!(failure.kind, TooLarge | PermissionDenied | Io).then(|| path.to_owned())
}

/// Reads `text`, which is called `path`.
pub(super) fn read<'a>(path: &str, text: &'a str, stop: &Stop) -> Result<Source<'a>, Failure> {
    match Language::of(path, text) {
        Some(language) => read_as(language, text, stop),
        None => Ok(Source::plain(path, text)),
    }
}

/// Reads `text` by the grammar of `language`, for as long as that is worth it.
pub(super) fn read_as<'a>(language: Language, text: &'a str, stop: &Stop) -> Result<Source<'a>, Failure> {
    let began = Instant::now();
    let go_on = || match () {
        () if stop.wanted() => Err(Refused::Stopped),
        () if began.elapsed() > PATIENCE => Err(Refused::TooHard),
        () => Ok(()),
    };
    stop.check()?;
    match Source::read(language, text, &go_on) {
        Ok(source) => Ok(source),
        // Only a stop ends a reading; the failure reaches nobody.
        Err(_) => stop.check().map(|()| Source::plain("", text)),
    }
}

/// May the file at `path` hold code? One without an ending may say so in its first line.
pub(super) fn may_be_code(path: &Path) -> bool {
    path.extension().is_none() || path.to_str().is_some_and(is_code)
}

/// What is to be known of how `source` was read; empty where nothing is.
pub(super) fn caveat(source: &Source<'_>) -> String {
    match (source.refused(), source.by_words(), source.fault()) {
        (Some(refused), ..) => format!(
            "it {}: read by words, so definitions are lines that look like some, and where they end is not known",
            refused.in_words()
        ),
        (None, true, _) if source.symbols().is_empty() => "there is no grammar for it: read by words".into(),
        (None, true, _) => "there is no grammar for it: read by words, so definitions are lines that look like some, \
            and where they end is not known"
            .into(),
        (None, false, Some(line)) => format!("its grammar cannot read line {line}; something may be missing"),
        (None, false, None) => String::new(),
    }
}
