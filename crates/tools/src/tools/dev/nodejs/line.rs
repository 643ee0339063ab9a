//! What each action runs.

use super::manager::{Manager, PackageScope};
use super::project::Project;
use crate::program::{Command, Runner, WantedRun};
use crate::tools::dev::shared::{Call, argv, is_there};
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use std::path::PathBuf;

/// Programs that `custom` starts by their own name, with how they are installed; all other words are the package manager's.
const PROGRAMS: [(&str, &str); 8] = [
    ("node", "apt install nodejs (Debian, Ubuntu), brew install node (macOS)"),
    ("npm", "apt install npm (Debian, Ubuntu), brew install node (macOS)"),
    ("npx", "apt install npm (Debian, Ubuntu), brew install node (macOS)"),
    ("yarn", "npm install --global yarn, or corepack enable"),
    ("pnpm", "npm install --global pnpm, or corepack enable"),
    ("bun", "npm install --global bun"),
    ("bunx", "npm install --global bun"),
    ("corepack", "npm install --global corepack"),
];

/// What `call` runs.
pub(super) fn wanted(call: &Call<'_>, project: &Project, workspace: &Workspace) -> Result<WantedRun, Failure> {
    let manager = project.manager(call.arguments.one("package_manager")?);
    let words = words(call, project, manager, workspace)?;
    Ok(WantedRun {
        timeout_secs: call.timeout_secs()?,
        profile: call.profile,
        background: call.in_background()?,
        ..WantedRun::argv(words, call.cwd.clone())
    })
}

/// Fails where the program is not there, and says how to install it.
pub(super) fn is_installed(wanted: &WantedRun, runner: &Runner) -> Result<(), Failure> {
    let Command::Argv(argv) = &wanted.command else { return Ok(()) };
    let known = argv.first().and_then(|program| PROGRAMS.iter().find(|(name, _)| name == program));
    known.map_or(Ok(()), |(name, install)| runner.need(name, install).map(drop))
}

fn words(call: &Call<'_>, project: &Project, manager: Manager, workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let place = place(call)?;
    let packages = call.names("packages")?;
    let action = match call.action {
        "run" => return run(call, project, manager, workspace),
        "run_script" | "test" | "build" | "dev" | "lint" => return script(call, project, manager),
        "exec" => return exec(call, manager, packages),
        "custom" => return custom(call, manager),
        "add" if packages.is_empty() && call.args()?.is_empty() => return Err(packages_are_lacking(call)),
        "remove" | "info" if packages.is_empty() => return Err(packages_are_lacking(call)),
        "install" if !packages.is_empty() || place == PackageScope::Global => "add",
        "update" if packages.is_empty() && place != PackageScope::Global => "update_all",
        action => action,
    };
    let mut words = manager.words(action, place).map_err(|why| call.invalid(why.to_owned()))?;
    words.extend(call.args()?);
    words.extend(packages);
    Ok(words)
}

fn packages_are_lacking(call: &Call<'_>) -> Failure {
    call.lacking("packages", "\"packages\": [\"express\"]")
}

fn place(call: &Call<'_>) -> Result<PackageScope, Failure> {
    match (call.arguments.flag("global")?, call.arguments.flag("dev")?) {
        (false, false) => Ok(PackageScope::Project),
        (false, true) => Ok(PackageScope::Development),
        (true, false) => Ok(PackageScope::Global),
        (true, true) => Err(call.invalid("`dev` and `global` are two places; give one of them".to_owned())),
    }
}

/// The file that `run` may mean.
pub(super) fn file(call: &Call<'_>, workspace: &Workspace) -> Result<Option<PathBuf>, Failure> {
    let Some(script) = call.name("script")?.filter(|_| call.action == "run") else { return Ok(None) };
    workspace.resolve(&call.cwd.join(script).to_string_lossy()).map(Some)
}

/// A file; where there is none of that name, but a script of the package, that.
fn run(call: &Call<'_>, project: &Project, manager: Manager, workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let Some(script) = call.name("script")?.filter(|_| !call.arguments.has("script_name")) else {
        return match call.name("script_name")? {
            Some(_) => self::script(call, project, manager),
            None => Err(call.lacking("script", "\"script\": \"src/index.js\"")),
        };
    };
    let there = file(call, workspace)?.is_some_and(|file| is_there(workspace, &file));
    if !there && project.has_script(&script) {
        return Ok(manager.script(&script, call.args()?));
    }
    let program = if manager == Manager::Bun { "bun" } else { "node" };
    let mut words = argv([program, &script]);
    words.extend(call.args()?);
    Ok(words)
}

/// A script of `package.json`: the one that is named, else the one that is called as the action. Such a one may be told of
/// a file.
fn script(call: &Call<'_>, project: &Project, manager: Manager) -> Result<Vec<String>, Failure> {
    let (named, script, mut args) = (call.name("script_name")?, call.name("script")?, call.args()?);
    let name = match (named, script, call.action) {
        (Some(name), _, _) | (None, Some(name), "run" | "run_script") => name,
        (None, None, "run" | "run_script") => return Err(call.lacking("script_name", "\"script_name\": \"build\"")),
        (None, Some(script), _) if project.has_script(&script) => script,
        (None, script, action) => {
            args.extend(script);
            action.to_owned()
        }
    };
    match project.scripts() {
        Some(_) if project.has_script(&name) => Ok(manager.script(&name, args)),
        // It has its own.
        Some(_) if name == "test" && manager == Manager::Bun => {
            Ok(argv(["bun", "test"]).into_iter().chain(args).collect())
        }
        Some(scripts) => Err(no_script(call, &name, scripts)),
        None => {
            let message = format!("there is no package.json that could be read here or above; {MAKE_ONE}");
            Err(Failure::new(FailureKind::NotFound, message))
        }
    }
}

const MAKE_ONE: &str = "give the `directory` it is in, or make one with action init";

fn no_script(call: &Call<'_>, name: &str, scripts: &[String]) -> Failure {
    let there = match scripts {
        [] => "it has none".to_owned(),
        scripts => format!("its scripts are {}", scripts.join(", ")),
    };
    let message = format!(
        "package.json has no script {name:?}; {there}; give one of them as `script_name` to run_script, or use action exec \
         to run a program of a package"
    );
    call.invalid(message)
}

/// A program of a package: the first word of the command, or the one package.
fn exec(call: &Call<'_>, manager: Manager, packages: Vec<String>) -> Result<Vec<String>, Failure> {
    let mut command = match packages.as_slice() {
        [] => call.command("\"command\": \"create-next-app\", \"args\": [\"my-app\"]")?,
        [only] if !call.arguments.has("command") => vec![only.clone()],
        _ => return Err(call.lacking("command", "\"command\": \"create-next-app\", \"args\": [\"my-app\"]")),
    };
    if command.len() > 1 && ["npx", "bunx"].contains(&command[0].as_str()) {
        command.remove(0);
    }
    if command[0].starts_with('-') {
        return Err(
            call.invalid(format!("the first word of `command` is the program, not an option like {}", command[0]))
        );
    }
    let exec = manager.words("exec", PackageScope::Project).map_err(|why| call.invalid(why.to_owned()))?;
    Ok(exec.into_iter().chain(command).chain(call.args()?).collect())
}

/// Words for the package manager, or a line that begins with one of the programs.
fn custom(call: &Call<'_>, manager: Manager) -> Result<Vec<String>, Failure> {
    let mut words = call.command("\"command\": \"pkg get name\"")?;
    if !PROGRAMS.iter().any(|(program, _)| *program == words[0]) {
        words.insert(0, manager.program().to_owned());
    }
    words.extend(call.args()?);
    Ok(words)
}
