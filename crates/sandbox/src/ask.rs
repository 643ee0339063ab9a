//! Runs a program that answers a question of fact: it reads only, says little, and not for long.

use crate::Surroundings;
use crate::program::Program;
use crate::system::{CommandView, Walls, answer};
use agent_policy::SandboxLimits;
use rustix::io::ioctl_fionbio;
use std::ffi::OsStr;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Instant;

/// The longest answer.
const MOST: usize = 1 << 20;

/// What a program made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Its exit code; `None`: it was ended by a signal.
    pub code: Option<i32>,
    pub output: Vec<u8>,
    /// The beginning of its standard error.
    pub errors: Vec<u8>,
}

/// What `program` (a path, or a name to be looked for) answers to `args` on its standard output, run in `cwd` with
/// `env` on top of what is `around` it.
///
/// `None` where it fails, takes longer than questions of fact may (10 s), says more than 1 MiB, or where the sandbox for
/// commands that only read does not hold. Blocks.
pub fn ask(program: &Path, args: &[&str], cwd: &Path, env: &[(&str, &str)], around: &Surroundings) -> Option<Vec<u8>> {
    let answered = answered(program, args, (cwd, env, around), (None, None), None)?;
    Some(answered.1).filter(|_| answered.0.success())
}

/// The same without variables, for who asks several and has until `until` for all of them; it is not started after that.
/// Blocks.
pub fn ask_until(program: &Path, args: &[&str], cwd: &Path, until: Instant, around: &Surroundings) -> Option<Vec<u8>> {
    let answered = answered(program, args, (cwd, &[], around), (None, None), Some(until))?;
    Some(answered.1).filter(|_| answered.0.success())
}

/// What such a program makes of `text`, which is its standard input, also where it fails: it gets a copy that has no name
/// and that nobody else sees.
///
/// `None` where it was not run, takes longer than 10 s, or makes more than 1 MiB of it. Blocks.
pub fn make(
    program: &Path,
    args: &[&str],
    cwd: &Path,
    env: &[(&str, &str)],
    text: &[u8],
    around: &Surroundings,
) -> Option<Made> {
    let mut copy = tempfile::tempfile_in(around.temporary()).ok()?;
    copy.write_all(text).ok()?;
    copy.rewind().ok()?;
    // Whoever complains of more than a pipe holds does so in vain, and waits for nobody.
    let (reader, writer) = io::pipe().ok()?;
    ioctl_fionbio(&reader, true).and_then(|()| ioctl_fionbio(&writer, true)).ok()?;
    let (status, output) = answered(program, args, (cwd, env, around), (Some(copy.into()), Some(writer.into())), None)?;
    Some(Made { code: status.code(), output, errors: there(reader) })
}

type Streams = (Option<OwnedFd>, Option<OwnedFd>);

fn answered(
    program: &Path,
    args: &[&str],
    (cwd, env, around): (&Path, &[(&str, &str)], &Surroundings),
    (input, errors): Streams,
    until: Option<Instant>,
) -> Option<(ExitStatus, Vec<u8>)> {
    let sandbox = SandboxLimits::for_facts(cwd);
    let now = Instant::now();
    if until.is_some_and(|until| until <= now) {
        return None;
    }
    let usual = now + sandbox.time();
    let deadline = until.map_or(usual, |until| until.min(usual));
    let walls = Walls::around(&sandbox, around, CommandView { cwd, hidden: &[] }).ok()?;
    let (reader, writer) = io::pipe().ok()?;
    let program = Program {
        path: &around.program(program)?,
        arguments: args.iter().map(OsStr::new).collect(),
        environment: around.environment(sandbox.profile(), &[], env.iter().copied()),
        folder: cwd,
        held: None,
        input,
        output: writer.into(),
        errors,
    };
    answer(program, walls, &reader, deadline, MOST)
}

/// What can be read without waiting.
fn there(mut pipe: io::PipeReader) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Where somebody still holds the other end, it fails when nothing more is there.
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}
