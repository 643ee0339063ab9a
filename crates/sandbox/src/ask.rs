//! Runs a program that answers a question of fact: it reads only, says little, and not for long.

use crate::Surroundings;
use crate::program::Program;
use crate::system::{Walls, answer};
use agent_policy::Fence;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::Instant;

/// The longest answer.
const MOST: usize = 1 << 20;

/// What `program` (a path, or a name to be looked for) answers to `args` on its standard output, run in `cwd` with
/// `env` on top of what is `around` it.
///
/// `None` where it fails, takes longer than questions of fact may (10 s), says more than 1 MiB, or where the fence for
/// commands that only read does not hold. Blocks.
pub fn ask(program: &Path, args: &[&str], cwd: &Path, env: &[(&str, &str)], around: &Surroundings) -> Option<Vec<u8>> {
    let fence = Fence::for_facts(cwd);
    let deadline = Instant::now() + fence.time();
    let walls = Walls::around(&fence, around).ok()?;
    let (reader, writer) = io::pipe().ok()?;
    let program = Program {
        path: &around.program(program)?,
        arguments: args.iter().map(OsStr::new).collect(),
        environment: around.environment(env.iter().copied()),
        folder: cwd,
        output: writer.into(),
        errors: None,
    };
    answer(program, walls, &reader, deadline, MOST)
}
