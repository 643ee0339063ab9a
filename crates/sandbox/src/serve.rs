//! Starts a program that goes on and is talked to over its standard streams: a server of a protocol.

use crate::inside::Running;
use crate::run::{Streams, raised, running, start};
use crate::system::{CommandView, Family};
use crate::{SandboxError, Shell, Surroundings};
use agent_policy::SandboxLimits;
use std::io;
use tokio::net::unix::pipe::{Receiver, Sender};

/// A program that goes on. Dropping it ends it with all it started.
#[derive(Debug)]
pub struct Serving {
    pub input: Sender,
    pub output: Receiver,
    /// Its standard error. Must be read, or the program waits when the pipe is full.
    pub errors: Receiver,
    /// Lives as long as this.
    pub family: Lifeline,
}

/// Keeps a program alive that is served; dropping it ends the program with all it started. Blocks for a moment then.
#[derive(Debug)]
pub struct Lifeline {
    family: Family,
    _running: Option<Running>,
}

impl Lifeline {
    /// Waits until nobody of it is left.
    pub async fn finished(&mut self) {
        // Whoever cannot be asked is gone.
        let _ = self.family.finished().await;
    }
}

/// Starts `shell` within `sandbox`, with what is `around` it. Its time is not watched: whoever has it served ends it.
///
/// Must be called within a runtime.
///
/// # Errors
/// [`SandboxError`] when it could not be started.
pub fn serve(shell: &Shell, sandbox: &SandboxLimits, around: &Surroundings) -> Result<Serving, SandboxError> {
    serve_with(shell, sandbox, around, &[])
}

/// The same, with `more` set for it besides.
///
/// # Errors
/// As for [`serve`].
pub fn serve_with(
    shell: &Shell,
    sandbox: &SandboxLimits,
    around: &Surroundings,
    more: &[(&str, &str)],
) -> Result<Serving, SandboxError> {
    let walls = raised(sandbox, around, CommandView { cwd: &shell.cwd, hidden: &[] })?;
    let (theirs, input) = io::pipe()?;
    let (output, said) = io::pipe()?;
    let (errors, complained) = io::pipe()?;
    let streams = Streams { input: Some(theirs.into()), output: said.into(), errors: complained.into() };
    let running = running(sandbox, around);
    let family = start(shell, sandbox, (around, more), streams, walls)?;
    Ok(Serving {
        input: Sender::from_owned_fd(input.into())?,
        output: Receiver::from_owned_fd(output.into())?,
        errors: Receiver::from_owned_fd(errors.into())?,
        family: Lifeline { family, _running: running },
    })
}
