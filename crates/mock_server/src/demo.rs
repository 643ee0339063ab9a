//! The demo: a small project with a fault in it, and the script of a model that finds it.
//!
//! Everything is inside the program, so the demo works where nothing else is installed. Who runs it, and with which
//! approvals, is the door's business.

use crate::Script;
use std::fs;
use std::io;
use std::path::Path;

/// What the user is offered to send first.
pub const PROMPT: &str = "The test fails. Find out why and fix it.";

/// The name of the scripted model.
pub const MODEL: &str = "demo:latest";

/// The name of the scripted model that cannot call tools and works by files.
pub const SMALL_MODEL: &str = "small:latest";

/// The scripted model of this name, else the usual one.
pub fn model(named: Option<&str>) -> &'static str {
    if named == Some(SMALL_MODEL) { SMALL_MODEL } else { MODEL }
}

/// The scripted models that `agent bench` is shown with, the better one first.
pub const BENCH_MODELS: [&str; 2] = ["demo-large:latest", "demo-small:latest"];

/// The tasks for which they have something to say, filled from [`BENCH_SEED`].
pub const BENCH_TASKS: [&str; 7] = [
    "py-mend-laps",
    "py-mend-postage",
    "py-write-columns",
    "py-write-watering",
    "sh-write-tally",
    "py-find-tiles",
    "py-cannot-comments",
];

/// What they know the names and numbers of.
pub const BENCH_SEED: u64 = 1;

const BENCH_SCRIPT: &str = include_str!("../../../assets/demo/bench.json");

const SCRIPT: &str = include_str!("../../../assets/demo/script.json");

macro_rules! project {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../../assets/demo/project/", $path)))),+]
    };
}

/// Paths in the project, and what the files hold.
const FILES: &[(&str, &str)] = project![
    ".gitignore",
    "README.md",
    "lists/basics.txt",
    "lists/nothing.txt",
    "lists/party.txt",
    "notes/format.md",
    "notes/ideas.md",
    "test.sh",
    "total.sh",
];

/// What the scripted model says.
pub fn script() -> Script {
    Script::from_json(SCRIPT).expect("the script is part of the program, and a test reads it")
}

/// What the scripted models of the bench say.
pub fn bench_script() -> Script {
    Script::from_json(BENCH_SCRIPT).expect("the script is part of the program, and a test reads it")
}

/// Writes the project into `dir`, which is made if it is not there. Shell scripts can be executed.
///
/// # Errors
/// If a folder or file cannot be written.
pub fn unpack(dir: &Path) -> io::Result<()> {
    for (path, text) in FILES {
        let path = dir.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        if path.extension().is_some_and(|extension| extension == "sh") {
            make_executable(&path)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
