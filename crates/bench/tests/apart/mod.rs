//! Runs a test where it can harm nobody: as a user who may not do everything, with a limit of processes, with a small disk of
//! its own, and in a PID namespace that ends whatever is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Set in there; names the small disk.
const INSIDE: &str = "AGENT_BENCH_APART";
/// Processes that there may be.
const PROCESSES: &str = "400";
/// Mounts the small disk at $0, and becomes what follows.
const ENTER: &str = r#"mount -t tmpfs -o size=16m,mode=1777 none "$0" && exec "$@""#;
const KINDS: [&str; 6] = ["--pid", "--fork", "--kill-child", "--mount-proc", "--mount", "--ipc"];
/// Users whom no machine has. Each test is another: the kernel counts the processes of a user wherever they run.
const USERS: u32 = 1_870_000_000;

/// Runs `test`, which is the whole of the test called `name`, in there; where there is no such place, says so.
pub(crate) fn run(name: &str, test: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let user = USERS + std::process::id() * 16 + u32::try_from(name.len() % 16).unwrap();
    let other =
        ["setpriv".to_owned(), format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()];
    let enter = |what: &[&str]| {
        let mut command = Command::new("unshare");
        let (more, become_other): (&[&str], &[String]) = if rustix::process::geteuid().is_root() {
            (&[], &other)
        } else {
            // Root of this namespace is no root of the machine, and is held to the limit.
            (&["--user", "--map-root-user"], &[])
        };
        command.args(KINDS).args(more).args(["--", "sh", "-c", ENTER]).arg(&disk).args(become_other);
        command.args(["prlimit", &format!("--nproc={PROCESSES}")]).args(what).stdin(Stdio::null());
        command.env(INSIDE, &disk).env("TMPDIR", &disk).env("HOME", &disk).current_dir("/");
        command.output()
    };
    match enter(&["true"]) {
        Ok(output) if output.status.success() => {}
        Ok(output) => return left_out(name, String::from_utf8_lossy(&output.stderr).trim()),
        Err(error) => return left_out(name, &format!("unshare: {error}")),
    }
    let program = copied(folder.path());
    let output = enter(&[&program, name, "--exact", "--nocapture", "--test-threads=1"]).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// This program, where the other user can read it.
fn copied(folder: &Path) -> String {
    let program = folder.join("program");
    // By another process: what any thread of ours held open for writing while another started a child could not be run.
    assert!(Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap().success());
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.display().to_string()
}

#[expect(clippy::print_stderr, reason = "whoever reads the tests' output learns what was not tested")]
fn left_out(name: &str, why: &str) {
    eprintln!("{name} is left out: no namespaces of its own can be had here ({why})");
}

/// Processes that run in there, those that have ended left out.
pub(crate) fn processes() -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbered =
        entries.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()));
    // What has ended and was not asked for yet has no arguments any more.
    numbered.filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| !line.is_empty())).count()
}

/// Free blocks on the small disk.
pub(crate) fn room() -> u64 {
    rustix::fs::statvfs(std::env::var_os(INSIDE).unwrap()).unwrap().f_bfree
}
