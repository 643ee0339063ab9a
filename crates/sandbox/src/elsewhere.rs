//! Where there is no Linux (on x86-64 or 64-bit ARM): what macOS has of a sandbox, else none, and a process group in place
//! of a supervisor.
//!
//! What makes a session of its own is not reached here.
//!
//! **Invariant.** When a [`Family`] is gone, so is every process of its group.

#![expect(unsafe_code, reason = "a new session can only be made between fork and exec, and std offers no safe way")]

use crate::finish::{Finish, NotStarted};
use crate::program::Program;
use crate::{Surroundings, seatbelt};
use agent_policy::SandboxLimits;
use agent_protocol::{PortCard, Profile, SandboxSupport};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Child;

/// How often it is looked whether the group has gone.
const GLANCE: Duration = Duration::from_millis(10);
/// How long others may outlast the leader before they are asked to leave, and how long they may take to do so.
const LINGER: Duration = Duration::from_millis(200);
/// From the request to leave to the kill, when the time is up.
const GRACE: Duration = Duration::from_secs(2);
/// How long a dropped group may tidy up (git removes its lock files, say) before it is killed.
const LAST_GRACE: Duration = Duration::from_millis(100);
/// What holds a command in on macOS, by rules that are a text.
const SEATBELT: &str = "/usr/bin/sandbox-exec";
const WHY: &str = "there is no full sandbox on this system, only on Linux on x86-64 and 64-bit ARM";

/// Is there what macOS has? It is deprecated, and may be gone some day.
fn has_seatbelt() -> bool {
    cfg!(target_os = "macos") && Path::new(SEATBELT).exists()
}

/// What holds commands in here: nothing that was tried, so all but the simplest readers are asked about.
pub(crate) fn probe() -> SandboxSupport {
    let mut details = vec!["commands can do whatever you can", "what makes a session of its own outlives its command"];
    if has_seatbelt() {
        details = vec!["sandbox-exec keeps commands you allow from writing outside the project and from the network"];
        details.extend(seatbelt::NOT_HELD);
    }
    SandboxSupport { details: details.into_iter().map(String::from).collect(), ..SandboxSupport::none(WHY) }
}

/// Where commands may write: wherever the user may, so there is nothing to note.
#[derive(Debug, Default)]
pub(crate) struct Places;

impl Places {
    pub(crate) fn note(&self, _place: &Path) {}
}

/// What one command sees that others do not: all see all there is.
#[derive(Debug, Clone, Copy)]
#[expect(dead_code, reason = "nothing is hidden here")]
pub(crate) struct CommandView<'a> {
    /// Where it runs.
    pub(crate) cwd: &'a Path,
    /// What it would find empty.
    pub(crate) hidden: &'a [PathBuf],
}

/// No namespaces.
#[derive(Debug)]
pub(crate) enum Session {}

impl Session {
    /// None can be had.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn make(_place: Option<&Path>, _home: Option<&Path>, _project: &Path) -> Result<Self, String> {
        Err("commands have no network of their own on this system".into())
    }

    pub(crate) fn covers(&self) -> Result<(), &str> {
        match *self {}
    }

    pub(crate) fn overlays(&self) -> Result<Vec<PathBuf>, String> {
        match *self {}
    }

    pub(crate) fn attempts(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn listen(&self) -> io::Result<TcpListener> {
        match *self {}
    }

    pub(crate) fn connect(&self, _port: u16) -> io::Result<TcpStream> {
        match *self {}
    }

    pub(crate) fn ports(&self, _but: &[u64]) -> Vec<PortCard> {
        match *self {}
    }
}

/// What holds a command in, as far as anything does.
#[derive(Debug)]
pub(crate) struct Walls {
    /// What `sandbox-exec` reads.
    rules: Option<String>,
}

impl Walls {
    /// None of the caches.
    pub(crate) fn usual(&self) -> &[usize] {
        &[]
    }

    /// For `sandbox`, as far as this system has any.
    ///
    /// # Errors
    /// There can be none, and nobody was asked whether the command may run without.
    pub(crate) fn around(
        sandbox: &SandboxLimits,
        around: &Surroundings,
        _seen: CommandView<'_>,
    ) -> Result<Self, String> {
        match sandbox.profile() {
            Profile::ReadOnly => Err(WHY.into()),
            Profile::Project | Profile::Network | Profile::Unfenced => {
                let places = sandbox.writable().iter().map(PathBuf::as_path).chain([sandbox.root()]);
                let places: Vec<PathBuf> = places.filter_map(|place| place.canonicalize().ok()).collect();
                let places: Vec<&Path> = places.iter().map(PathBuf::as_path).collect();
                let rules = has_seatbelt().then(|| seatbelt::text(sandbox, around.temporary(), &places));
                Ok(Walls { rules: rules.flatten() })
            }
        }
    }

    /// What a program in them has to be told by its environment.
    pub(crate) fn variables(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Do they stand, so that what fails may have failed because of them?
    pub(crate) fn enclose(&self) -> bool {
        self.rules.is_some()
    }
}

/// What a program answers that is run within walls: nothing, for there are none.
pub(crate) fn answer(
    _program: Program<'_>,
    _walls: Walls,
    _pipe: &io::PipeReader,
    _deadline: Instant,
    _most: usize,
) -> Option<(ExitStatus, Vec<u8>)> {
    None
}

/// A running command with its group.
#[derive(Debug)]
pub(crate) struct Family {
    leader: Child,
    id: Pid,
    state: GroupState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupState {
    Running,
    /// It was asked to leave while the leader ran.
    Asked,
    Gone,
}

impl Family {
    /// Starts `program` as the leader of a session and group of its own: it has no terminal and can get none.
    pub(crate) fn start(program: Program<'_>, walls: Walls) -> Result<Self, NotStarted> {
        let mut command = match &walls.rules {
            None => Command::new(program.path),
            Some(rules) => {
                let mut command = Command::new(SEATBELT);
                command.arg("-p").arg(rules).arg(program.path);
                command
            }
        };
        command.args(program.arguments).env_clear().envs(program.environment);
        if program.held.is_none() {
            command.current_dir(program.folder);
        }
        command.stdin(program.input.map_or_else(Stdio::null, Stdio::from)).stdout(program.output);
        command.stderr(program.errors.map_or_else(Stdio::null, Stdio::from));
        let held = program.held.map(|held| held.opened().try_clone()).transpose().map_err(NotStarted::System)?;
        // SAFETY: between fork and exec only two system calls are made, which are async-signal-safe and allocate nothing.
        unsafe {
            command.pre_exec(move || {
                if let Some(held) = &held {
                    rustix::process::fchdir(held)?;
                }
                Ok(rustix::process::setsid().map(drop)?)
            });
        }
        let leader = tokio::process::Command::from(command).spawn().map_err(|error| match error.raw_os_error() {
            Some(code) if code == Errno::TOOBIG.raw_os_error() => NotStarted::TooLong,
            _ if !program.folder.is_dir() => NotStarted::NoFolder,
            _ => NotStarted::System(error),
        })?;
        let id = leader.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let id = id.expect("a child that was never waited for has a process id");
        Ok(Family { leader, id, state: GroupState::Running })
    }

    /// Waits until nobody of it is left.
    pub(crate) async fn finished(&mut self) -> io::Result<Finish> {
        let asked = self.state == GroupState::Asked;
        if asked && tokio::time::timeout(GRACE, self.leader.wait()).await.is_err() {
            self.signal(Signal::KILL);
        }
        let status = self.leader.wait().await?;
        let remained = !asked && tokio::time::timeout(LINGER, self.gone()).await.is_err();
        if remained || asked {
            self.signal(Signal::TERM);
            self.signal(Signal::CONT);
            let _ = tokio::time::timeout(LINGER, self.gone()).await;
            self.signal(Signal::KILL);
            let _ = tokio::time::timeout(LINGER, self.gone()).await;
        }
        Ok(Finish { status, asked, remained, escaped: false })
    }

    /// Asks everybody to leave, for the time is up; who does not is killed after a while.
    pub(crate) fn ask_to_leave(&mut self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
        self.state = GroupState::Asked;
    }

    /// The same at once.
    pub(crate) fn end_now(&mut self) {
        self.ask_to_leave();
        self.signal(Signal::KILL);
    }

    /// Has everybody stand still.
    pub(crate) fn hold(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    async fn gone(&mut self) {
        while self.alive() {
            tokio::time::sleep(GLANCE).await;
        }
        self.state = GroupState::Gone;
    }

    fn signal(&self, signal: Signal) {
        if self.state != GroupState::Gone {
            // The group may be gone already, which is what is wanted.
            let _ = kill_process_group(self.id, signal);
        }
    }

    fn alive(&mut self) -> bool {
        // A leader that nobody waits for stays in the group.
        let _ = self.leader.try_wait();
        self.state != GroupState::Gone && test_kill_process_group(self.id) != Err(Errno::SRCH)
    }
}

impl Drop for Family {
    /// Blocks for a moment, at most [`LAST_GRACE`], so that nothing is left even when the program ends right after.
    fn drop(&mut self) {
        if !self.alive() {
            return;
        }
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
        let deadline = Instant::now() + LAST_GRACE;
        while self.alive() {
            if Instant::now() >= deadline {
                self.signal(Signal::KILL);
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
