//! Which Python: the one that is asked for, else that of the virtual environment, else the system's.

use crate::open::{Found, open};
use crate::program::Runner;
use crate::read_only_job;
use crate::tools::dev::shared::{Call, is_there};
use crate::workspace::{Workspace, one_line};
use crate::{PlannedCall, words};
use agent_policy::spelled;
use agent_protocol::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// What virtual environments are called when nothing is said.
const USUAL: [&str; 2] = [".venv", "venv"];
const INSTALL: &str = "apt install python3 (Debian, Ubuntu), brew install python (macOS)";

/// A virtual environment that may be there.
struct Candidate {
    /// As the program is given it: relative to where it runs where it lies there, its own links not followed.
    named: PathBuf,
    /// Where that leads.
    real: PathBuf,
}

/// Where the call would look for a virtual environment.
pub(super) fn candidates(call: &Call<'_>, workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    if call.arguments.has("python_path") || call.action == "venv_create" {
        return Ok(Vec::new());
    }
    Ok(named(call, workspace)?.into_iter().map(|candidate| candidate.real).collect())
}

fn named(call: &Call<'_>, workspace: &Workspace) -> Result<Vec<Candidate>, Failure> {
    let candidate = |base: &Path, name: &str| -> Result<Candidate, Failure> {
        let path = base.join(name);
        let real = workspace.resolve(&path.to_string_lossy())?;
        let named = path.strip_prefix(&call.cwd).map_or(path.clone(), Path::to_owned);
        Ok(Candidate { named, real })
    };
    match call.name("venv")? {
        // Said from the project when it is not there from the folder.
        Some(venv) => {
            let mut both = vec![candidate(&call.cwd, &venv)?, candidate(workspace.root(), &venv)?];
            both.dedup_by(|one, other| one.real == other.real);
            Ok(both)
        }
        None => USUAL.iter().map(|usual| candidate(&call.cwd, usual)).collect(),
    }
}

/// The first word of whatever is run.
pub(super) fn interpreter(call: &Call<'_>, workspace: &Workspace, runner: &Runner) -> Result<String, Failure> {
    if let Some(python) = call.name("python_path")? {
        return if python.contains('/') { Ok(from(call, workspace, &python)) } else { found(runner, &[&python]) };
    }
    match environment(call, workspace)? {
        Some(venv) => Ok(word(&venv.join("bin/python"))),
        None => found(runner, &["python3", "python"]),
    }
}

/// The virtual environment to be used; it must be there where it was asked for.
fn environment(call: &Call<'_>, workspace: &Workspace) -> Result<Option<PathBuf>, Failure> {
    if call.action == "venv_create" {
        return Ok(None);
    }
    let there = named(call, workspace)?.into_iter().find(|candidate| is_environment(workspace, &candidate.real));
    match (there, call.name("venv")?) {
        (Some(candidate), _) => Ok(Some(candidate.named)),
        (None, None) => Ok(None),
        (None, Some(venv)) => Err(none(call, &venv)),
    }
}

fn none(call: &Call<'_>, venv: &str) -> Failure {
    let message = format!(
        "there is no virtual environment at {venv}; make it with {} action venv_create, or leave venv out",
        call.tool
    );
    Failure::new(FailureKind::NotFound, message)
}

fn is_environment(workspace: &Workspace, real: &Path) -> bool {
    matches!(open(workspace, &real.join("pyvenv.cfg")), Ok(Found::File(..)))
        || matches!(open(workspace, &real.join("conda-meta")), Ok(Found::Folder))
}

/// A path of the model's as a word to run, whatever it leads to: an environment's Python is a link that knows its place.
fn from(call: &Call<'_>, workspace: &Workspace, path: &str) -> String {
    let whole = workspace.root().join(path);
    whole.strip_prefix(&call.cwd).map_or_else(|_| word(&whole), word)
}

/// `bin/python` is a path also when it stands alone.
fn word(path: &Path) -> String {
    let word = path.to_string_lossy().into_owned();
    if word.contains('/') { word } else { format!("./{word}") }
}

fn found(runner: &Runner, names: &[&str]) -> Result<String, Failure> {
    match names.iter().find(|name| runner.find(name).is_some()) {
        Some(name) => Ok((*name).to_owned()),
        None => runner.need(names[0], INSTALL).map(|_| names[0].to_owned()),
    }
}

/// `venv_activate`: how a person enters the environment. Runs nothing: the next program would know nothing of it.
pub(super) fn activation(call: &Call<'_>, workspace: &Workspace) -> Result<Box<dyn PlannedCall>, Failure> {
    let asked = call.name("venv")?.unwrap_or_else(|| USUAL[0].to_owned());
    let there = named(call, workspace)?.into_iter().find(|candidate| is_environment(workspace, &candidate.real));
    let Some(Candidate { named, real }) = there else { return Err(none(call, &asked)) };
    if !is_there(workspace, &real.join("bin/activate")) {
        let message = format!("{} has no bin/activate; use its Python as python_path instead", one_line(&named));
        return Err(Failure::new(FailureKind::NotFound, message));
    }
    let line = format!(". {}", spelled(&[word(&named.join("bin/activate"))]));
    let by = if call.arguments.has("venv") { "where `venv` names it" } else { "by itself" };
    let told = format!(
        "{line}\nthis is for a terminal or one run_command line, which forgets it at its end; {} uses the environment {by}",
        call.tool
    );
    let title = format!("Look how to activate {}", one_line(&named));
    let work = Box::new(move |_: &_, _| Ok(words::done(told.clone(), line, told)));
    Ok(read_only_job::planned(call.cwd.clone(), title, "", work))
}
