//! As whom the program runs: as who runs the tests, or as nobody where that is root, who may do everything.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

const NOBODY: u32 = 65_534;

/// The program, and where it lies when nobody may look into our own folder.
static PROGRAM: LazyLock<(PathBuf, Option<TempDir>)> = LazyLock::new(|| {
    let built = PathBuf::from(env!("CARGO_BIN_EXE_agent"));
    let prefix = prefix();
    let reachable = prefix.is_empty()
        || Command::new(&prefix[0])
            .args(&prefix[1..])
            .args(["test", "-x"])
            .arg(&built)
            .status()
            .is_ok_and(|s| s.success());
    if reachable {
        return (built, None);
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("it is ours");
    let copy = folder.path().join("agent");
    // By another process: what any thread of ours held open for writing while another started a child could not be run.
    let copied = Command::new("cp").arg(&built).arg(&copy).status().expect("`cp` can be run");
    assert!(copied.success(), "the program can be copied");
    (copy, Some(folder))
});

/// The program that is tested.
pub(crate) fn program() -> &'static Path {
    &PROGRAM.0
}

/// What stands before a command so that it runs as somebody who may not do everything.
pub(crate) fn prefix() -> Vec<String> {
    if !is_root() {
        return Vec::new();
    }
    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map(str::to_owned).to_vec()
}

/// Gives `path` to whom the program runs as.
pub(crate) fn give(path: &Path) {
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("root may give away what is its own");
    }
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
