//! Runs one shell line to its end: reads what it says, watches the time, and leaves nothing behind.

use crate::group::Group;
use crate::kept::{Keeper, Kept};
use crate::live::Live;
use agent_policy::Fence;
use rustix::io::Errno;
use std::future::Future;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::Command;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

/// From the request to leave to the kill, when the time is up.
const GRACE: Duration = Duration::from_secs(2);
/// How long output and processes may outlast the leader; a pipeline's last members need a moment.
const LINGER: Duration = Duration::from_millis(200);

/// A line for `sh -c` and where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// The line.
    pub line: String,
    /// The folder.
    pub cwd: PathBuf,
}

/// How a command ended and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// Standard output and standard error, in the order in which they were written.
    pub output: Kept,
    /// From start to end.
    pub took: Duration,
    /// Whether it meant to leave something running.
    pub remains: Remains,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which was not ours.
    Signalled(i32),
    /// By us: its time was up.
    TimedOut,
}

/// What was still there when the command itself had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remains {
    /// Nothing.
    Nothing,
    /// Processes in the background; they were ended.
    Ended,
    /// A process that made a session of its own and keeps the output open; it was not reached.
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
    /// Anything else.
    #[error("the command could not be started ({source})")]
    Start {
        /// The system's words.
        #[from]
        source: io::Error,
    },
}

/// Runs `shell` within `fence`. `live` gets pieces of the output as they come, at most about twenty a second.
///
/// Dropping the future ends the command with its whole group before the drop returns, within a tenth of a second.
///
/// # Errors
/// [`SandboxError`] when it could not be started.
pub async fn run(shell: &Shell, fence: &Fence, live: impl FnMut(String)) -> Result<Ended, SandboxError> {
    run_for(shell, fence.time(), live).await
}

async fn run_for(shell: &Shell, time: Duration, live: impl FnMut(String)) -> Result<Ended, SandboxError> {
    let started = Instant::now();
    // One pipe for both streams: only so does the order in which they were written survive.
    let (reader, writer) = io::pipe()?;
    let mut output = Output::new(Receiver::from_owned_fd(reader.into())?, live);
    let mut group = start(shell, writer)?;
    let ending = match output.during(timeout_at(started + time, group.leader())).await {
        Ok(status) => ending(status?),
        Err(_elapsed) => {
            group.ask_to_leave();
            let _ = output.during(timeout(GRACE, group.gone())).await;
            group.kill();
            let _ = output.during(timeout(GRACE, group.gone())).await;
            Ending::TimedOut
        }
    };
    let remains = clear_up(&mut group, &mut output).await;
    Ok(Ended { ending, output: output.finish(), took: started.elapsed(), remains })
}

/// Reads what is still in the pipe and ends what is still in the group.
async fn clear_up<F: FnMut(String)>(group: &mut Group, output: &mut Output<F>) -> Remains {
    let deadline = Instant::now() + LINGER;
    let _ = timeout_at(deadline, output.drain()).await;
    if output.during(timeout_at(deadline, group.gone())).await.is_ok() {
        return if output.open { Remains::Escaped } else { Remains::Nothing };
    }
    group.ask_to_leave();
    let _ = output.during(timeout(LINGER, group.gone())).await;
    group.kill();
    let _ = output.during(timeout(LINGER, group.gone())).await;
    let _ = timeout(LINGER, output.drain()).await;
    Remains::Ended
}

fn start(shell: &Shell, output: io::PipeWriter) -> Result<Group, SandboxError> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(&shell.line).current_dir(&shell.cwd);
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    // Nobody is there to turn a page or answer a prompt, and how our own screen is coloured is none of its business.
    command.env("TERM", "dumb").env("PAGER", "cat").env("GIT_PAGER", "cat").env("GIT_TERMINAL_PROMPT", "0");
    command.env_remove("NO_COLOR");
    Group::start(command).map_err(|source| {
        if source.raw_os_error() == Some(Errno::TOOBIG.raw_os_error()) {
            SandboxError::TooLong
        } else if !shell.cwd.is_dir() {
            SandboxError::NoFolder { cwd: shell.cwd.clone() }
        } else {
            SandboxError::Start { source }
        }
    })
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Signalled(0),
    }
}

/// The reading end of the pipe and where its bytes go.
struct Output<F> {
    pipe: Receiver,
    open: bool,
    buffer: Box<[u8]>,
    kept: Keeper,
    live: Live<F>,
}

impl<F: FnMut(String)> Output<F> {
    fn new(pipe: Receiver, live: F) -> Self {
        let buffer = vec![0; 64 * 1024].into_boxed_slice();
        Output { pipe, open: true, buffer, kept: Keeper::default(), live: Live::new(live) }
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
            read = self.pipe.read(&mut self.buffer), if self.open => match read {
                Ok(0) | Err(_) => self.open = false,
                Ok(length) => {
                    self.kept.push(&self.buffer[..length]);
                    self.live.push(&self.buffer[..length]);
                }
            },
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.live.flush(),
        }
    }

    fn finish(self) -> Kept {
        self.live.finish();
        self.kept.finish()
    }
}

#[cfg(test)]
mod tests;
