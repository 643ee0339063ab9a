//! Gets into the world around: namespaces in which nothing is the machine's own, and everything may be tried.

use std::path::Path;
use std::process::Command;

/// Says that we are in it, and where its folder is.
pub(crate) const BASE: &str = "HOSTILE_BASE";
/// Says that we have the rights of the machine's root in it.
pub(crate) const ROOT: &str = "HOSTILE_ROOT";

const KINDS: &[&str] = &["--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"];

/// The test of this name of this very program, to be run in the world around; or why there can be none.
pub(crate) fn command(test: &str) -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    if !Path::new(super::world::PYTHON).exists() {
        return Err(format!("{} is not there", super::world::PYTHON));
    }
    let base = ["/mnt", "/srv", "/media"].into_iter().find(|place| is_free(place, &program));
    let base = base.ok_or("no folder of the machine can be covered")?;
    let (entry, rights) = entry()?;
    let mut command = Command::new("unshare");
    command.args(entry).args([super::world::PYTHON, "-c", include_str!("enter.py"), base]);
    command.args(["/run", "/tmp", "/dev/shm"].into_iter().filter(|place| is_free(place, &program)));
    command.arg("--").arg(&program).args([test, "--exact", "--nocapture"]).env(BASE, base);
    if rights {
        command.env(ROOT, "1");
    }
    Ok(command)
}

/// Is it there, and nothing of ours in it?
fn is_free(place: &str, program: &Path) -> bool {
    let agent = Path::new(env!("CARGO_BIN_EXE_agent"));
    Path::new(place).is_dir() && !program.starts_with(place) && !agent.starts_with(place)
}

/// How namespaces are made here, and whether that leaves us the rights of the machine's root.
fn entry() -> Result<(Vec<&'static str>, bool), String> {
    let mut told = String::new();
    for (rights, more) in [(true, &[][..]), (false, &["--user", "--map-root-user"])] {
        let entry = [KINDS, more].concat();
        match Command::new("unshare").args(&entry).arg("true").output() {
            Ok(output) if output.status.success() => return Ok((entry, rights)),
            Ok(output) => told = String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => told = format!("unshare: {error}"),
        }
    }
    Err(told)
}

/// Has this machine what a probe needs?
pub(crate) fn has(need: &str) -> bool {
    let mut command = Command::new(super::world::PYTHON);
    command.args(["-c", include_str!("needs.py")]).args(need.split(' '));
    command.output().is_ok_and(|output| output.status.success())
}
