//! The server program on this machine: is it installed, and how it is started.
//!
//! Does not ask whether it may be started and does not wait until it answers.

use crate::Host;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where `ollama` is installed, if it is on the search path.
pub fn find() -> Option<PathBuf> {
    find_in(&std::env::var_os("PATH")?)
}

/// Starts `program serve` in a process group of its own, with an empty input and all output to `log`; it outlives us.
/// Answers with its process id.
pub fn start(program: &Path, log: File) -> io::Result<u32> {
    launch(Command::new(program), log)
}

/// As [`start`], listening at `host` instead of where it would by itself.
pub fn start_at(program: &Path, host: &Host, log: File) -> io::Result<u32> {
    let mut command = Command::new(program);
    command.env("OLLAMA_HOST", host.to_string());
    launch(command, log)
}

fn launch(mut command: Command, log: File) -> io::Result<u32> {
    let errors = log.try_clone()?;
    let mut server = command.arg("serve").stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0).spawn()?;
    let id = server.id();
    // Somebody has to hear of its end while we live, or it stays behind as a zombie.
    std::thread::Builder::new().name("ollama-serve".to_owned()).spawn(move || server.wait())?;
    Ok(id)
}

/// Relative entries are passed over: they would let the folder we stand in say what is started.
fn find_in(path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("ollama"))
        .find(|program| is_executable(program))
}

fn is_executable(program: &Path) -> bool {
    program.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Read;
    use std::os::fd::OwnedFd;

    fn put(folder: &Path, mode: u32, text: &str) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let program = folder.join("ollama");
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
        program
    }

    #[test]
    fn the_first_program_that_can_be_run_is_found() {
        let room = tempfile::tempdir().unwrap();
        put(&room.path().join("plain"), 0o644, "");
        fs::create_dir_all(room.path().join("folder/ollama")).unwrap();
        let program = put(&room.path().join("real"), 0o755, "");
        put(&room.path().join("later"), 0o755, "");
        let path = std::env::join_paths(["plain", "folder", "real", "later"].map(|name| room.path().join(name)));
        assert_eq!(find_in(&path.unwrap()), Some(program));
        assert_eq!(find_in(OsStr::new("")), None);
        assert_eq!(find_in(OsStr::new(".:src")), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_server_is_started_in_a_group_of_its_own_and_writes_to_the_log() {
        let room = tempfile::tempdir().unwrap();
        let script = "#!/bin/sh\nread -r _ _ _ _ group _ </proc/$$/stat\n\
            echo \"$1 $$ $group at $OLLAMA_HOST\"\ncat >&2\n";
        let script = put(&room.path().join("script"), 0o755, script);
        let program = room.path().join("ollama");
        // Copied by another process: a file that any thread of ours still held open for writing could not be run.
        assert!(Command::new("cp").args([&script, &program]).status().unwrap().success());
        let (mut reader, writer) = io::pipe().unwrap();
        let log = File::from(OwnedFd::from(writer));

        let id = start_at(&program, &Host::parse(":4711").unwrap(), log).unwrap();

        let mut written = String::new();
        reader.read_to_string(&mut written).unwrap();
        assert_eq!(written, format!("serve {id} {id} at http://127.0.0.1:4711\n"));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let room = tempfile::tempdir().unwrap();
        let log = File::create(room.path().join("log")).unwrap();
        assert_eq!(start(&room.path().join("ollama"), log).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
