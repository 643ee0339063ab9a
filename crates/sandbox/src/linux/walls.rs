//! The walls around one command: built here, raised by the command's own process just before it runs.
//!
//! **Invariant.** [`Walls::raise`] allocates nothing; it runs between clone and exec, in memory that is ours.

#![expect(unsafe_code, reason = "std has no words for Landlock, seccomp and no_new_privs")]

mod files;

use super::apart::Apart;
use super::calls::Sockets;
use super::layers::{Layers, last};
use super::limits::TaskLimits;
use super::session::CacheMounts;
use super::view::{Needs, Usual};
use super::{calls, sockets};
use crate::{Caches, Surroundings};
use agent_policy::SandboxLimits;
use agent_protocol::Profile;
use rustix::io::Errno;
use seccompiler::BpfProgram;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What root keeps within a sandbox (capabilities(7)): `CHOWN`, `DAC_OVERRIDE`, `FOWNER`, `FSETID`, `KILL`, `SETGID`,
/// `SETUID`, `NET_BIND_SERVICE`.
const POWERS: &[u32] = &[0, 1, 3, 4, 5, 6, 7, 10];

/// The version of capget(2) with 64 of them: effective, permitted, inheritable; the lower halves, then the upper ones.
const POWERS_VERSION: u32 = 0x2008_0522;

/// Files that are kept as they are; each costs the start of a command a little.
const MOST_KEPT: usize = 64;

/// What is to be sandboxed: of a [`SandboxLimits`], what the kernel holds up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot<'a> {
    pub(super) profile: Profile,
    /// What may be written in, and beneath.
    pub(super) writable: &'a [BorrowedFd<'a>],
    pub(super) ports: &'a [u16],
    /// What sets it apart, where anything does.
    pub(super) apart: Option<&'a Apart>,
}

/// What one command sees that others do not, or the other way round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandView<'a> {
    /// Where it runs.
    pub(crate) cwd: &'a Path,
    /// What it finds empty.
    pub(crate) hidden: &'a [PathBuf],
}

/// The walls around one command.
#[derive(Debug)]
pub(crate) struct Walls {
    files: Option<OwnedFd>,
    calls: Vec<BpfProgram>,
    limits: TaskLimits,
    pub(crate) sandboxed: bool,
    apart: Option<Apart>,
    /// What of the rules for files may be done where a command writes.
    writing: u64,
}

/// Which wall could not be raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wall {
    /// Namespaces, and what is seen in them.
    Apart,
    /// Never to have more rights than now.
    Rights,
    Files,
    Calls,
}

impl Walls {
    /// For `sandbox`, as far as this kernel has what it takes.
    ///
    /// # Errors
    /// Why there can be none. For a profile that nobody was asked about that is so if anything is missing; for others
    /// what is missing is said beforehand, by the probe.
    pub(crate) fn around(
        sandbox: &SandboxLimits,
        around: &Surroundings,
        seen: CommandView<'_>,
    ) -> Result<Self, String> {
        let (profile, ports) = (sandbox.profile(), sandbox.ports());
        let opened = match profile {
            Profile::Project | Profile::Network => opened(sandbox, around)?,
            Profile::ReadOnly | Profile::Unfenced => Vec::new(),
        };
        let opened: Vec<(PathBuf, BorrowedFd<'_>)> =
            opened.iter().map(|(path, opened)| (path.clone(), opened.as_fd())).collect();
        let apart = match profile {
            Profile::Project if Layers::find().missing().is_none() => apart(sandbox, around, seen, &opened)?,
            Profile::Project | Profile::ReadOnly | Profile::Network | Profile::Unfenced => None,
        };
        let private = apart.iter().flat_map(Apart::private);
        let writable: Vec<BorrowedFd<'_>> =
            opened.iter().map(|(_, opened)| *opened).chain([around.held_temporary()]).chain(private).collect();
        let walls = Walls::on(&Plot { profile, writable: &writable, ports, apart: apart.as_ref() })?;
        Ok(Walls { apart, ..walls })
    }

    /// The same, for whoever has no sandbox.
    pub(super) fn on(plot: &Plot<'_>) -> Result<Self, String> {
        let limits = TaskLimits::now();
        let layers = Layers::find();
        match plot.profile {
            Profile::Unfenced => {
                return Ok(Walls { files: None, calls: Vec::new(), limits, sandboxed: false, apart: None, writing: 0 });
            }
            Profile::ReadOnly => layers.missing().map_or(Ok(()), Err)?,
            Profile::Project | Profile::Network => {}
        }
        let (files, writing) = match layers.landlock {
            Ok(_) => files::ruleset(plot).map_err(|error| error.to_string())?,
            Err(_) => (None, 0),
        };
        let version = layers.landlock.unwrap_or(u32::MAX);
        let programs = if layers.calls { calls::programs(plot.profile, kinds(plot), version) } else { Ok(Vec::new()) };
        let calls = programs.map_err(|error| error.to_string())?;
        Ok(Walls { files, calls, limits, sandboxed: layers.missing().is_none(), apart: None, writing })
    }

    /// What sets the command apart, if anything does.
    pub(super) fn apart(&self) -> Option<&Apart> {
        self.apart.as_ref()
    }

    /// What the caches of a program in them are taken from, to be held for as long as it runs.
    pub(super) fn caches(&self) -> Option<Arc<CacheMounts>> {
        self.apart.as_ref()?.caches().cloned()
    }

    /// What a program in them has to be told by its environment.
    pub(crate) fn variables(&self) -> &'static [(&'static str, &'static str)] {
        self.apart.as_ref().map_or(&[], Apart::variables)
    }

    /// Which of the caches a program in them finds where they usually are.
    pub(crate) fn usual(&self) -> &[usize] {
        self.apart.as_ref().map_or(&[], Apart::usual)
    }

    /// Sets the calling process apart from the machine, before the walls rise. Its folder is left behind: it has to be
    /// gone to anew.
    pub(super) fn set_apart(&self) -> Result<(), (Wall, Errno)> {
        // Nothing can be said of oneself any more where everything may only be read.
        self.limits.set();
        let Some(apart) = &self.apart else { return Ok(()) };
        apart.enter().map_err(|error| (Wall::Apart, Errno::from_raw_os_error(error)))?;
        if let Some(files) = &self.files {
            apart.allow(files.as_fd(), self.writing);
        }
        Ok(())
    }

    /// Raises them around the calling process, for good.
    pub(super) fn raise(&self) -> Result<(), (Wall, Errno)> {
        if self.files.is_none() && self.calls.is_empty() {
            return Ok(());
        }
        give_up_powers();
        // SAFETY: a plain number is set.
        if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
            return Err((Wall::Rights, last()));
        }
        if let Some(files) = &self.files {
            // SAFETY: the descriptor is open and a ruleset.
            if unsafe { libc::syscall(libc::SYS_landlock_restrict_self, files.as_raw_fd(), 0) } != 0 {
                return Err((Wall::Files, last()));
            }
        }
        for program in &self.calls {
            seccompiler::apply_filter(program).map_err(|_| (Wall::Calls, last()))?;
        }
        Ok(())
    }
}

/// The places of `sandbox` that are there.
fn opened(sandbox: &SandboxLimits, around: &Surroundings) -> Result<Vec<(PathBuf, OwnedFd)>, String> {
    let places = sandbox.writable().iter().map(PathBuf::as_path).chain([sandbox.root()]);
    let caches = around.held_caches().map(|(path, held)| {
        held.try_clone_to_owned().map(|held| (path.to_owned(), held)).map_err(|error| error.to_string())
    });
    places.filter_map(|place| around.places().open(place).transpose()).chain(caches).collect()
}

/// What sets a command apart that needs this; `None` where it cannot be had.
fn apart(
    sandbox: &SandboxLimits,
    around: &Surroundings,
    seen: CommandView<'_>,
    writable: &[(PathBuf, BorrowedFd<'_>)],
) -> Result<Option<Apart>, String> {
    let Some(inside) = around.inside() else { return Ok(None) };
    let real = |path: PathBuf| path.canonicalize().ok().filter(|real| real.is_dir() && real.parent().is_some());
    let needed = around.needed().chain([seen.cwd.to_owned()]).chain(sockets::NEEDED.iter().map(PathBuf::from));
    let readable: Vec<PathBuf> = needed.filter_map(real).collect();
    let cwd = seen.cwd.canonicalize().unwrap_or_else(|_| seen.cwd.to_owned());
    let project = around.places().note(sandbox.root());
    let whole =
        |path: &&PathBuf| path.canonicalize().is_ok_and(|real| real == **path) && !sandbox.root().starts_with(path);
    let kept: Vec<PathBuf> = sandbox.kept().iter().filter(whole).take(MOST_KEPT).cloned().collect();
    let caches = around.caches().map_or(&[][..], Caches::usual);
    let usual = caches.iter().enumerate().map(|(index, usual)| Usual {
        index,
        place: &usual.place,
        over: &usual.over,
        works: &usual.works,
        folders: usual.folders,
        files: usual.files,
        mount: None,
    });
    let usual: Vec<Usual<'_>> = usual.collect();
    let needs = Needs {
        writable,
        project: project.as_deref(),
        temporary: (around.temporary(), around.held_temporary()),
        readable: &readable,
        cwd: &cwd,
        hidden: seen.hidden,
        kept: &kept,
        home: around.home(),
        overlays: None,
        usual: &usual,
    };
    let made = Apart::new(Arc::clone(&inside.session), &needs);
    made.map(Some).map_err(|error| format!("what the command may see could not be laid out: {error}"))
}

fn kinds(plot: &Plot<'_>) -> Sockets {
    match (plot.profile, plot.apart) {
        (Profile::Project, Some(apart)) if apart.path_sockets() => Sockets::NetworkAndPaths,
        (Profile::Project, Some(_)) | (Profile::Network | Profile::Unfenced, _) => Sockets::Network,
        (Profile::Project, None) | (Profile::ReadOnly, _) => Sockets::None,
    }
}

impl Wall {
    /// In words, for the one who asks why a command did not start.
    pub(super) fn words(self) -> &'static str {
        match self {
            Wall::Apart => "namespaces",
            Wall::Rights => "no_new_privs",
            Wall::Files => "Landlock",
            Wall::Calls => "seccomp",
        }
    }
}

/// Where we are root: what root may do beyond what concerns files and its own processes. With it one could look into
/// any process, make a device out of nothing, load code into the kernel. Those who are not root have none of it.
fn give_up_powers() {
    for power in (0..64).filter(|power| !POWERS.contains(power)) {
        // SAFETY: plain numbers are set; whoever has no powers is refused, which is as good.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, power, 0, 0, 0) };
    }
    // What is handed down to any program beside that: a service of an ordinary user may have some, and root keeps what
    // is inheritable whatever the bound is.
    // SAFETY: plain numbers, and two structures as long as this version has them.
    unsafe {
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        let (mut which, mut powers) = ([POWERS_VERSION, 0], [0_u32; 6]);
        if libc::syscall(libc::SYS_capget, which.as_mut_ptr(), powers.as_mut_ptr()) == 0 {
            [powers[2], powers[5]] = [0, 0];
            libc::syscall(libc::SYS_capset, which.as_mut_ptr(), powers.as_mut_ptr());
        }
    }
}

/// Marks everything but the standard streams to be closed when the command starts. Allocates nothing.
pub(super) fn hand_nothing_down() {
    // On a kernel before 5.11 what we opened is marked already, one by one.
    // SAFETY: nothing is closed yet.
    unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}
