//! Overlays of the user's caches, shared by all commands of a session that run at the same time. Two overlays that write in
//! one folder do not see each other's locks, and the kernel promises nothing about what comes of it.
//!
//! They are made in a mount namespace of their own, from which each command takes copies. When no command uses them they go:
//! what the user downloads meanwhile is seen by the next command.

#![expect(unsafe_code, reason = "what a child opened becomes ours by its number")]

use crate::linux::mounts::{Mount, Mounts, SharedMount};
use crate::linux::raw::open;
use crate::linux::session::{Session, trial};
use crate::linux::small::Small;
use crate::linux::view::Usual;
use std::ffi::{c_int, c_void};
use std::fs::DirBuilder;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

#[derive(Debug, Default)]
pub(in crate::linux) struct SharedCaches {
    now: Mutex<Weak<CacheMounts>>,
    /// Whether a command can take one of them.
    tried: OnceLock<bool>,
    /// The number of the next folder for the kernel.
    next: AtomicU64,
}

/// Overlays that commands use now.
#[derive(Debug)]
pub(in crate::linux) struct CacheMounts {
    space: OwnedFd,
    /// By the number of the cache, where there is one.
    mounts: Vec<(usize, OwnedFd)>,
}

impl CacheMounts {
    pub(in crate::linux) fn mount(&self, index: usize) -> Option<SharedMount> {
        let (_, mount) = self.mounts.iter().find(|(at, _)| *at == index)?;
        Some(SharedMount { space: self.space.as_raw_fd(), mount: mount.as_raw_fd() })
    }
}

impl Session {
    /// Overlays of all these caches that can be had; the ones that are in use where there are any.
    pub(in crate::linux) fn lay_over(&self, caches: &[Usual<'_>]) -> Option<Arc<CacheMounts>> {
        if caches.is_empty() || self.covers().is_err() || self.caches.tried.get() == Some(&false) {
            return None;
        }
        let mut now = self.caches.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = now.upgrade() {
            return Some(used);
        }
        let made = self.make_caches(caches);
        let can_take = |made: &CacheMounts| {
            let first = caches.iter().find_map(|cache| Some((cache, made.mount(cache.index)?)));
            first.is_some_and(|(cache, from)| {
                cache.taken(from).is_ok_and(|mount| trial::of_taken(self, Mounts::new(vec![mount])))
            })
        };
        if !*self.caches.tried.get_or_init(|| made.as_ref().is_some_and(can_take)) {
            return None;
        }
        let made = Arc::new(made?);
        *now = Arc::downgrade(&made);
        Some(made)
    }

    fn make_caches(&self, caches: &[Usual<'_>]) -> Option<CacheMounts> {
        let mounts =
            caches.iter().map(|cache| Mount::written_over(cache.place, cache.over, &self.work(cache.works)?).ok());
        let mounts = Mounts::new(mounts.collect::<Option<_>>()?);
        let opened = caches.iter().map(|_| AtomicI32::new(-1)).collect();
        let making = Making { session: self, mounts, space: AtomicI32::new(-1), opened };
        Small::run(libc::CLONE_FILES, make, &making).ok()?;
        // SAFETY: the child opened them for us, and has ended.
        let ours = |opened: &AtomicI32| match opened.load(Ordering::Relaxed) {
            fd @ 0.. => Some(unsafe { OwnedFd::from_raw_fd(fd) }),
            _ => None,
        };
        let opened = caches.iter().zip(&making.opened);
        let mounts = opened.filter_map(|(cache, opened)| Some((cache.index, ours(opened)?))).collect();
        Some(CacheMounts { space: ours(&making.space)?, mounts })
    }

    /// A new folder for the kernel. One that it has used for an overlay serves for no other.
    fn work(&self, works: &Path) -> Option<PathBuf> {
        let work = works.join(self.caches.next.fetch_add(1, Ordering::Relaxed).to_string());
        DirBuilder::new().mode(0o700).create(&work).ok()?;
        Some(work)
    }
}

/// What the child that makes them is given, and what it hands over.
struct Making<'a> {
    session: &'a Session,
    mounts: Mounts,
    space: AtomicI32,
    opened: Vec<AtomicI32>,
}

/// The child that makes them.
extern "C" fn make(making: *mut c_void) -> c_int {
    // SAFETY: it is one, and stays one for as long as we run.
    let making = unsafe { &*making.cast::<Making<'_>>() };
    let made = making.session.join().and_then(|()| making.mounts.make());
    if let Ok(space) = made.and_then(|()| open(c"/proc/self/ns/mnt")) {
        making.mounts.open_each(&making.opened);
        making.space.store(space as i32, Ordering::Relaxed);
    }
    0
}
