//! What sets a command apart from the machine: it joins its session's namespaces, and sees files of its own.
//!
//! **Invariant.** [`Apart::enter`] allocates nothing; it runs between clone and exec, in memory that is ours.

use super::session::{CacheMounts, Session};
use super::view::{self, Needs, Usual, View};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Git looks for its folder upwards, and not beyond a mount; what lies around a project seems to be one in an overlay.
const ACROSS: &[(&str, &str)] = &[("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1")];

#[derive(Debug)]
pub(super) struct Apart {
    session: Arc<Session>,
    view: Option<View>,
    /// What lies around the project is mounted with it outside, and not for the command.
    split: bool,
    /// Which of the caches it finds where they usually are.
    usual: Vec<usize>,
    /// Where these are taken from.
    caches: Option<Arc<CacheMounts>>,
}

impl Apart {
    /// Of a command of `session` that needs this.
    pub(super) fn new(session: Arc<Session>, needs: &Needs<'_>) -> io::Result<Self> {
        let overlays = session.overlays().ok();
        let caches = session.lay_over(needs.usual);
        let taken = |usual: &Usual<'_>| caches.as_ref()?.mount(usual.index);
        let usual = needs.usual.iter().filter(|usual| usual.is_apart(needs));
        let usual = usual.filter_map(|usual| Some(Usual { mount: Some(taken(usual)?), ..*usual }));
        let usual: Vec<Usual<'_>> = usual.collect();
        let needs = &Needs { overlays: overlays.as_deref(), usual: &usual, ..*needs };
        let view = session.covers().is_ok().then(|| view::of(&session.private, needs)).transpose()?;
        let split = overlays.is_some() && needs.project.is_some_and(is_one_with_what_is_around);
        let usual = usual.iter().filter(|_| view.is_some()).map(|usual| usual.index).collect();
        Ok(Apart { session, view, split, usual, caches })
    }

    /// What its caches are taken from: must be held for as long as it runs, so that others meanwhile get the same.
    pub(super) fn caches(&self) -> Option<&Arc<CacheMounts>> {
        self.caches.as_ref()
    }

    /// The calling process enters; it has all rights in there until it gives them up.
    pub(super) fn enter(&self) -> Result<(), i32> {
        self.session.join()?;
        self.view.as_ref().map_or(Ok(()), |view| view.mounts.make())
    }

    /// Folders that are private to the session, where its commands see them.
    pub(super) fn private(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let private = &self.session.private;
        self.view.iter().flat_map(|_| [private.tmp.opened(), private.var_tmp.opened()])
    }

    /// The one of them that memory is in which programs share.
    pub(super) fn shared(&self) -> Option<BorrowedFd<'_>> {
        self.view.as_ref()?;
        self.session.private.shared.as_ref().map(|shared| shared.opened())
    }

    /// What it reads that rules for files do not reach from above.
    pub(super) fn readable(&self) -> &[PathBuf] {
        self.view.as_ref().map_or(&[], |view| &view.readable)
    }

    /// Adds to the `rules` for files what can be allowed only now that it has entered. Allocates nothing.
    pub(super) fn allow(&self, rules: BorrowedFd<'_>, writing: u64) {
        if let (Some(view), Ok(rules)) = (&self.view, usize::try_from(rules.as_raw_fd())) {
            view.mounts.allow(rules, writing);
        }
    }

    /// What programs have to be told of that.
    pub(super) fn variables(&self) -> &'static [(&'static str, &'static str)] {
        if self.split { ACROSS } else { &[] }
    }

    /// Which of the caches it finds where they usually are, by their place in the list.
    pub(super) fn usual(&self) -> &[usize] {
        &self.usual
    }

    /// May it have sockets with a path?
    pub(super) fn path_sockets(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.no_foreign_sockets)
    }

    /// Where it failed to enter.
    pub(super) fn stopped_at(&self) -> Option<String> {
        self.view.as_ref()?.mounts.stopped_at()
    }
}

fn is_one_with_what_is_around(project: &Path) -> bool {
    let device = |path: &Path| path.metadata().ok().map(|found| found.dev());
    project.parent().is_some_and(|around| device(around) == device(project))
}
