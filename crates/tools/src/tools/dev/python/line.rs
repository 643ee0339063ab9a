//! What each action runs.

use crate::program::{Reading, WantedRun};
use crate::tools::dev::shared::{Call, argv, is_there, lacking};
use crate::workspace::Workspace;
use agent_policy::spelled;
use agent_protocol::Failure;
use std::path::PathBuf;

/// Programs that are modules of Python: `pip install x` is `python -m pip install x`.
const MODULES: [&str; 12] =
    ["pip", "venv", "pytest", "unittest", "pylint", "flake8", "ruff", "black", "isort", "mypy", "coverage", "build"];
/// Where pylint is not to look, when nothing is said.
const IGNORED: &str = "--ignore=CVS,.git,.venv,venv,node_modules";

/// What `call` runs with `python`.
pub(super) fn wanted(call: &Call<'_>, python: &str, workspace: &Workspace) -> Result<WantedRun, Failure> {
    let words = match call.action {
        "run" => after([call.needed("script", "\"script\": \"main.py\"")?], call.args()?),
        "test" => module("pytest", tests(call, workspace)?),
        "lint" => module("pylint", lint(call)?),
        "format" => module("black", targets(call, &[])?),
        "mypy" => module("mypy", targets(call, &[])?),
        "venv_create" => {
            module("venv", after(call.args()?, [call.name("venv")?.unwrap_or_else(|| ".venv".to_owned())]))
        }
        "pip_install" => module("pip", install(call)?),
        "pip_list" => module("pip", after(argv(["--disable-pip-version-check", "list"]), call.args()?)),
        "pip_freeze" => module("pip", after(argv(["freeze"]), call.args()?)),
        _ => custom(call)?,
    };
    let argv = after([python.to_owned()], words);
    let reading = Some(reading(call, python));
    let timeout_secs = call.timeout_secs()?;
    let wanted = match (call.action, call.name("requirements_file")?) {
        ("pip_freeze", Some(file)) => WantedRun::line(frozen(&argv, file), call.cwd.clone()),
        (_, _) => WantedRun::argv(argv, call.cwd.clone()),
    };
    Ok(WantedRun { timeout_secs, profile: call.profile, reading, ..wanted })
}

/// Puts what `argv` says into `file`, which only a shell does. All of it is there before the file is opened: a redirection
/// would empty it first, and leave it so where pip fails.
fn frozen(argv: &[String], file: String) -> String {
    format!("frozen=$({}) && printf '%s\\n' \"$frozen\" > {}", spelled(argv), spelled(&[file]))
}

fn after(words: impl IntoIterator<Item = String>, more: impl IntoIterator<Item = String>) -> Vec<String> {
    words.into_iter().chain(more).collect()
}

fn module(name: &str, words: Vec<String>) -> Vec<String> {
    after(argv(["-m", name]), words)
}

/// What `test_pattern` may be the path of.
pub(super) fn pattern_path(call: &Call<'_>, workspace: &Workspace) -> Result<Option<PathBuf>, Failure> {
    let Some(pattern) = call.name("test_pattern")?.filter(|_| call.action == "test") else { return Ok(None) };
    // `tests/test_a.py::test_b` names a test in a file.
    let path = pattern.split("::").next().unwrap_or(&pattern);
    workspace.resolve(&call.cwd.join(path).to_string_lossy()).map(Some)
}

/// A pattern that is the path of something there names it, all else is an expression of names.
fn tests(call: &Call<'_>, workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut words = call.args()?;
    words.extend(call.name("script")?);
    if let (Some(pattern), Some(path)) = (call.name("test_pattern")?, pattern_path(call, workspace)?) {
        let is_path = pattern.contains(['/', ':']) || pattern.ends_with(".py") || is_there(workspace, &path);
        words.extend(if is_path { vec![pattern] } else { vec!["-k".to_owned(), pattern] });
    }
    Ok(words)
}

fn lint(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let config = call.name("lint_config")?.map(|file| format!("--rcfile={file}"));
    Ok(after(config, targets(call, &["--recursive=y", IGNORED])?))
}

/// The script, else what the arguments name, else the folder, `within` it so.
fn targets(call: &Call<'_>, within: &[&str]) -> Result<Vec<String>, Failure> {
    let args = call.args()?;
    if let Some(script) = call.name("script")? {
        return Ok(after(args, [script]));
    }
    if args.iter().any(|word| !word.starts_with('-')) {
        return Ok(args);
    }
    let within = within.iter().map(|word| (*word).to_owned());
    Ok(after(after(within, args), argv(["."])))
}

fn install(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let (packages, file, args) = (call.names("packages")?, call.name("requirements_file")?, call.args()?);
    if packages.is_empty() && file.is_none() && args.is_empty() {
        return Err(call.lacking("packages", "\"packages\": [\"requests\"]"));
    }
    let mut words = argv(["--disable-pip-version-check", "install"]);
    words.extend(args);
    words.extend(file.into_iter().flat_map(|file| ["-r".to_owned(), file]));
    words.extend(packages);
    Ok(words)
}

/// Words for Python itself, with or without its name in front.
fn custom(call: &Call<'_>) -> Result<Vec<String>, Failure> {
    let mut words = call.command("\"command\": \"-m http.server --help\"")?;
    let is_python = |word: &String| ["python", "python3", "py"].contains(&word.as_str());
    if words.len() > 1 && words.first().is_some_and(is_python) {
        words.remove(0);
    }
    if words.first().is_some_and(|word| MODULES.contains(&word.as_str())) {
        words.insert(0, "-m".to_owned());
    }
    words.extend(call.args()?);
    Ok(words)
}

/// Says what is not installed, and how it is.
fn reading(call: &Call<'_>, python: &str) -> Reading {
    let tool = call.tool;
    let absent = |module: &str, how: String, summary| {
        let told = format!("{module} is not installed for {python}; install it with {how}");
        (format!(": No module named {module}"), told, summary)
    };
    let by_pip = |module| format!("{tool} {{\"action\": \"pip_install\", \"packages\": [\"{module}\"]}}");
    let environment = format!("{tool} action venv_create, then use that environment: it brings pip");
    lacking(vec![
        absent("pytest", by_pip("pytest"), "pytest is not installed"),
        absent("pylint", by_pip("pylint"), "pylint is not installed"),
        absent("black", by_pip("black"), "black is not installed"),
        absent("mypy", by_pip("mypy"), "mypy is not installed"),
        absent(
            "pip",
            format!("apt install python3-pip (Debian), or make an environment with {environment}"),
            "pip is not installed",
        ),
        absent("venv", "apt install python3-venv (Debian)".to_owned(), "venv is not installed"),
        (
            "error: externally-managed-environment".to_owned(),
            format!(
                "this Python belongs to the system, and nothing was installed; make an environment with {tool} action \
                 venv_create and try again: it is used by itself"
            ),
            "needs a virtual environment",
        ),
    ])
}
