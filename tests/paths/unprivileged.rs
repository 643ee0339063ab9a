//! Runs a test in a process of its own, as somebody who may not do everything.
//!
//! In a process of its own because memory is told of a whole process and a kill ends one; as another user where this one
//! is root.

use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user who owns nothing.
const NOBODY: u32 = 65_534;
/// Set in the process of its own; names the folder it works in.
const INSIDE: &str = "AGENT_PATHS_INSIDE";

/// Runs `test`, which is the whole of the test called `name`.
pub(crate) fn run(name: &str, test: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let top = tempfile::tempdir().unwrap();
    let mut command = again(top.path(), name);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{name} did not run: {said}");
    print(&said);
}

/// This program again, for the one test called `name`, in the folder `top`.
pub(crate) fn again(top: &Path, name: &str) -> Command {
    let root = rustix::process::geteuid().is_root();
    let program = if root { copied(top) } else { std::env::current_exe().unwrap() };
    let mut command = Command::new(program);
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]).stdin(Stdio::null());
    command.env(INSIDE, top).env("TMPDIR", top).env("HOME", top).current_dir(top);
    if root {
        std::fs::set_permissions(top, std::fs::Permissions::from_mode(0o755)).unwrap();
        chown(top, Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The folder that a process of its own works in.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os(INSIDE).expect("only in a process of its own")).canonicalize().unwrap()
}

/// Somebody else may not be able to look into the folder that this program lies in.
fn copied(top: &Path) -> PathBuf {
    let program = top.join("program");
    if !program.exists() {
        // By another process: what any thread of ours held open for writing while another started a child could not be run.
        let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
        assert!(copied.success());
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    program
}

#[expect(clippy::print_stdout, reason = "what the other process said belongs to this test")]
fn print(said: &str) {
    println!("{said}");
}
