//! Runs one shell line to its end: reads what it says, watches the time, and leaves nothing behind.

mod blocked;

use crate::ending::Ending;
use crate::finish::{Finish, NotStarted};
use crate::flush::Flushed;
use crate::inside::Running;
use crate::kept::{Keeper, Kept};
use crate::live::{Live, Pace};
use crate::program::Program;
use crate::system::{CommandView, Family, Walls};
use crate::{Flushes, HeldFolder, Hold, Inside, Surroundings};
use agent_policy::SandboxLimits;
use agent_protocol::{Blocked, Profile};
use blocked::Attempts;
use std::ffi::OsStr;
use std::future::{Future, pending};
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

/// How long the output may stay open when all that was started has ended: a child of ours that begins at this moment
/// holds it, too, until it runs its own program, and on a busy machine that takes a while.
const LINGER: Duration = Duration::from_secs(2);
/// How long it may take to end everything when the time is up; more than whoever sees to it takes at its worst.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most that can stand in a pipe, in bytes: pipe-max-size of Linux.
const FULL_PIPE: usize = 1024 * 1024;

/// What is run and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// A line for `sh -c`.
    pub line: String,
    /// A program with its arguments, in place of the line; empty: the line.
    pub argv: Vec<String>,
    /// The folder.
    pub cwd: PathBuf,
    /// The same, as it was when somebody looked at it: it is started there, whatever `cwd` leads to by then. `None`:
    /// wherever that leads.
    pub held: Option<HeldFolder>,
    /// What it reads on its standard input; `None`: nothing. One that is [`serve`](crate::serve)d gets it from whoever has
    /// it served.
    pub input: Option<String>,
}

/// How a command ended and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub ending: Ending,
    /// Standard output and standard error, in the order in which they were written.
    pub output: Kept,
    pub took: Duration,
    /// Whether it meant to leave something running.
    pub remains: Remains,
    /// What the sandbox kept it from, where it failed for that. Where its exit code is 0 that is told by its last lines
    /// alone, and is so only if a part of it failed.
    pub blocked: Option<Blocked>,
    /// Only its words say so: a possibility.
    pub unsure: bool,
    /// Where it wanted to go there, as far as it says so: a host, or a path.
    pub place: Option<String>,
}

/// What was still there when the command itself had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remains {
    Nothing,
    /// Processes in the background; they were ended.
    Ended,
    /// Processes that could not be ended: those of another user, or (where this is not Linux) ones that made a session
    /// of their own.
    Escaped,
}

/// Why a command could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// It is longer than the system hands to a program.
    #[error("the command is too long for the system; write it to a script file and run that")]
    TooLong,
    /// The folder is gone.
    #[error("{} is not there any more", cwd.display())]
    NoFolder {
        /// The folder it should run in.
        cwd: PathBuf,
    },
    /// There is no such program.
    #[error("{name} is not installed, or not on the PATH")]
    NoProgram { name: String },
    /// Its profile cannot be held up here, and it is not run without.
    #[error("the sandbox does not hold here ({why}); /sandbox says more")]
    NoSandbox {
        /// What stands in the way.
        why: String,
    },
    /// Anything else.
    #[error("the command could not be started ({source})")]
    Start {
        #[from]
        source: io::Error,
    },
}

/// What one command gets beside what is around all of them.
#[derive(Debug, Default)]
pub struct More {
    pub variables: Vec<(String, String)>,
    /// Files and folders that it finds empty, where it has a mount namespace of its own: absolute, links resolved.
    pub hidden: Vec<PathBuf>,
    pub hold: Option<Hold>,
    /// Who keeps its output asks for what it wrote a moment ago, and gets all of it, as it comes; `None`: pieces that a
    /// screen can follow.
    pub flushes: Option<Flushes>,
    /// Ends it when the other end is used or dropped: at once, and its end is waited for as where its time is up.
    pub stop: Option<oneshot::Receiver<()>>,
}

/// Runs `shell` within `sandbox`, with what is `around` it. `live` gets pieces of the output as they come, at most about
/// twenty a second.
///
/// Dropping the future ends the command with all it started before the drop returns, within a tenth of a second; `live`
/// gets the last that it wrote.
///
/// # Errors
/// [`SandboxError`] when it could not be started.
pub async fn run(
    shell: &Shell,
    sandbox: &SandboxLimits,
    around: &Surroundings,
    live: impl FnMut(String),
) -> Result<Ended, SandboxError> {
    run_with(shell, sandbox, around, More::default(), live).await
}

/// The same, with `more` for this command alone.
///
/// # Errors
/// As for [`run`].
pub async fn run_with(
    shell: &Shell,
    sandbox: &SandboxLimits,
    around: &Surroundings,
    more: More,
    live: impl FnMut(String),
) -> Result<Ended, SandboxError> {
    run_into(shell, sandbox, (around, more), None, live).await
}

/// The same, with what it writes to standard error told apart, as the second.
///
/// Must be called within a runtime.
///
/// # Errors
/// As for [`run`].
pub async fn run_apart(
    shell: &Shell,
    sandbox: &SandboxLimits,
    around: &Surroundings,
    more: More,
) -> Result<(Ended, Kept), SandboxError> {
    let (reader, writer) = io::pipe()?;
    let mut errors = Output::new(Receiver::from_owned_fd(reader.into())?, None, |_| {});
    // It ends when nobody is left who could write there.
    let mut errors = tokio::spawn(async move {
        errors.drain().await;
        errors.finish()
    });
    let ended = run_into(shell, sandbox, (around, more), Some(writer.into()), |_| {}).await;
    let said = timeout(LINGER, &mut errors).await;
    errors.abort();
    Ok((ended?, said.ok().and_then(Result::ok).unwrap_or_default()))
}

/// Standard error goes to `errors` where there is one, else with the output.
async fn run_into(
    shell: &Shell,
    sandbox: &SandboxLimits,
    (around, mut more): (&Surroundings, More),
    errors: Option<OwnedFd>,
    live: impl FnMut(String),
) -> Result<Ended, SandboxError> {
    let started = Instant::now();
    let seen = CommandView { cwd: &shell.cwd, hidden: &more.hidden };
    let walls = raised(sandbox, around, seen)?;
    let sandboxed = walls.sandboxed;
    // One pipe for both streams, where nobody tells them apart: only so does the order in which they were written survive.
    let (reader, writer) = io::pipe()?;
    let mut output = Output::new(Receiver::from_owned_fd(reader.into())?, more.flushes.take(), live);
    let input = shell.input.as_deref().map(|text| holding(text, around)).transpose()?;
    let streams = match errors {
        Some(errors) => Streams { input, output: writer.into(), errors },
        None => Streams { input, output: writer.try_clone()?.into(), errors: writer.into() },
    };
    let running = running(sandbox, around);
    let before = attempts(sandbox, around);
    let variables: Vec<(&str, &str)> =
        more.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let family = start(shell, sandbox, (around, &variables), streams, walls)?;
    let limits = (started + sandbox.time(), more.hold.as_ref(), more.stop.take());
    let (ending, mut remains) = see_to_the_end(family, limits, &mut output).await?;
    let _ = timeout(LINGER, output.drain()).await;
    if output.open {
        remains = Remains::Escaped;
    }
    let output = output.finish();
    let attempted = before.and_then(|before| Some(attempts(sandbox, around)? > before));
    let alone = running.as_ref().is_none_or(Running::was_alone);
    let attempts = Attempts { attempted, alone };
    let denied = if sandboxed { blocked::reason(ending, &output, shell, sandbox, around, attempts) } else { None };
    let unsure = denied.as_ref().is_some_and(|denied| denied.unsure);
    let (blocked, place) = denied.map_or((None, None), |denied| (Some(denied.blocked), denied.place));
    Ok(Ended { ending, output, took: started.elapsed(), remains, blocked, unsure, place })
}

/// A command that begins to run in the network of its session; `None` where this one does not.
pub(crate) fn running(sandbox: &SandboxLimits, around: &Surroundings) -> Option<Running> {
    around.inside().filter(|_| sandbox.profile() == Profile::Project).map(Inside::enter)
}

/// How often commands tried to leave the network that they have for themselves; `None` where this one has none.
fn attempts(sandbox: &SandboxLimits, around: &Surroundings) -> Option<u64> {
    around.inside().filter(|_| sandbox.profile() == Profile::Project)?.session.attempts()
}

async fn see_to_the_end<F: FnMut(String)>(
    mut family: Family,
    (deadline, hold, stop): (Instant, Option<&Hold>, Option<oneshot::Receiver<()>>),
    output: &mut Output<F>,
) -> Result<(Ending, Remains), SandboxError> {
    let mut stopped = false;
    let finish = async {
        tokio::select! {
            finish = in_time(&mut family, deadline, hold) => finish,
            () = asked_to_stop(stop) => {
                stopped = true;
                None
            }
        }
    };
    let finish = match output.during(finish).await {
        Some(finish) => finish?,
        None => {
            if stopped {
                family.end_now()
            } else {
                family.ask_to_leave()
            }
            match output.during(timeout(PATIENCE, family.finished())).await {
                Ok(finish) => finish?,
                Err(_elapsed) => return Ok((Ending::TimedOut, Remains::Escaped)),
            }
        }
    };
    let Finish { status, asked, remained, escaped } = finish;
    let remains = match (escaped, remained) {
        (true, _) => Remains::Escaped,
        (false, true) => Remains::Ended,
        (false, false) => Remains::Nothing,
    };
    Ok((if asked { Ending::TimedOut } else { ending(status) }, remains))
}

/// Never, where nobody can.
async fn asked_to_stop(stop: Option<oneshot::Receiver<()>>) {
    match stop {
        // Whoever could ask and is gone has asked.
        Some(stop) => drop(stop.await),
        None => pending().await,
    }
}

/// Its end; `None` where its time is up before. While it is held it stands still, and so does its time.
async fn in_time(family: &mut Family, mut deadline: Instant, hold: Option<&Hold>) -> Option<io::Result<Finish>> {
    let Some(hold) = hold else { return timeout_at(deadline, family.finished()).await.ok() };
    let (mut holders, mut since) = (hold.watch(), None::<Instant>);
    loop {
        let held = *holders.borrow_and_update() > 0;
        match since {
            None if held => {
                family.hold();
                since = Some(Instant::now());
            }
            Some(began) if !held => {
                family.go_on();
                deadline += began.elapsed();
                since = None;
            }
            None | Some(_) => {}
        }
        tokio::select! {
            finish = family.finished() => return Some(finish),
            () = sleep_until(deadline), if since.is_none() => return None,
            // It is never closed: we have one end of it.
            _ = holders.changed() => {}
        }
    }
}

/// The walls of a command.
pub(crate) fn raised(
    sandbox: &SandboxLimits,
    around: &Surroundings,
    seen: CommandView<'_>,
) -> Result<Walls, SandboxError> {
    aside(|| Walls::around(sandbox, around, seen)).map_err(|why| SandboxError::NoSandbox { why })
}

/// What a program reads and writes.
pub(crate) struct Streams {
    pub(crate) input: Option<OwnedFd>,
    pub(crate) output: OwnedFd,
    pub(crate) errors: OwnedFd,
}

/// A file without a name that holds `text`, to be read from its beginning.
fn holding(text: &str, around: &Surroundings) -> io::Result<OwnedFd> {
    let mut file = tempfile::tempfile_in(around.temporary())?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file.into())
}

pub(crate) fn start(
    shell: &Shell,
    sandbox: &SandboxLimits,
    (around, more): (&Surroundings, &[(&str, &str)]),
    streams: Streams,
    walls: Walls,
) -> Result<Family, SandboxError> {
    let (path, arguments) = match shell.argv.split_first() {
        None => (PathBuf::from("/bin/sh"), vec![OsStr::new("-c"), OsStr::new(&shell.line)]),
        Some((name, rest)) => {
            let path = around.program(Path::new(name)).ok_or_else(|| SandboxError::NoProgram { name: name.clone() })?;
            (path, rest.iter().map(OsStr::new).collect())
        }
    };
    let own = sandbox.env().iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let own = walls.variables().iter().copied().chain(own);
    let program = Program {
        path: &path,
        arguments,
        environment: around.environment(sandbox.profile(), walls.usual(), own.chain(more.iter().copied())),
        folder: &shell.cwd,
        held: shell.held.as_ref(),
        input: streams.input,
        output: streams.output,
        errors: Some(streams.errors),
    };
    aside(|| Family::start(program, walls)).map_err(|error| match error {
        NotStarted::NoSandbox(why) => SandboxError::NoSandbox { why },
        NotStarted::NoFolder => SandboxError::NoFolder { cwd: shell.cwd.clone() },
        NotStarted::TooLong => SandboxError::TooLong,
        NotStarted::System(source) => SandboxError::Start { source },
    })
}

/// Does `work`, which blocks until a program is there (long, where a folder does not answer), without keeping others of a
/// runtime with few workers waiting.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        // Those of one thread have nobody to hand their tasks to.
        _ => work(),
    }
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Signalled(0),
    }
}

/// The reading end of the pipe and where its bytes go.
struct Output<F: FnMut(String)> {
    pipe: Receiver,
    open: bool,
    buffer: Box<[u8]>,
    kept: Keeper,
    live: Live<F>,
    flushes: Option<Flushes>,
}

impl<F: FnMut(String)> Output<F> {
    fn new(pipe: Receiver, flushes: Option<Flushes>, live: F) -> Self {
        let buffer = vec![0; 64 * 1024].into_boxed_slice();
        let pace = if flushes.is_some() { Pace::Whole } else { Pace::Screen };
        Output { pipe, open: true, buffer, kept: Keeper::default(), live: Live::new(pace, live), flushes }
    }

    /// Waits for `event` and reads all the while.
    async fn during<T>(&mut self, event: impl Future<Output = T>) -> T {
        let mut event = pin!(event);
        loop {
            tokio::select! {
                value = &mut event => return value,
                () = self.step(), if self.open || self.live.due().is_some() => {}
            }
        }
    }

    async fn drain(&mut self) {
        while self.open {
            self.step().await;
        }
    }

    /// Reads once, or lets a piece of live output go that is due.
    async fn step(&mut self) {
        let due = self.live.due();
        tokio::select! {
            read = self.pipe.read(&mut self.buffer), if self.open => self.take(read.unwrap_or(0)),
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.live.flush(),
            asked = asked(&mut self.flushes) => {
                self.take_written();
                drop(asked);
            }
        }
    }

    /// So many bytes were read; 0: nothing more comes.
    fn take(&mut self, length: usize) {
        if length == 0 {
            self.open = false;
            // Whoever asks has all of it.
            self.flushes = None;
        }
        self.kept.push(&self.buffer[..length]);
        self.live.push(&self.buffer[..length]);
    }

    /// Takes what was written until now, without waiting.
    fn take_written(&mut self) {
        for _ in 0..FULL_PIPE / self.buffer.len() {
            match rustix::io::read(&self.pipe, &mut self.buffer[..]) {
                Ok(length) if self.open => self.take(length),
                Ok(_) | Err(_) => return,
            }
        }
    }

    fn finish(&mut self) -> Kept {
        self.live.finish();
        std::mem::take(&mut self.kept).finish()
    }
}

/// The next who asks; never, where nobody can.
async fn asked(flushes: &mut Option<Flushes>) -> Flushed {
    match flushes {
        Some(flushes) => flushes.next().await,
        None => pending().await,
    }
}

impl<F: FnMut(String)> Drop for Output<F> {
    /// Nobody waits for the command any more; what it wrote until then is there.
    fn drop(&mut self) {
        self.take_written();
        self.live.finish();
    }
}
