//! `nodejs_dev`: Node.js and its package managers, each with its own words for the same.

use super::shared::{ARGS, BACKGROUND, COMMAND, Call, DIRECTORY, DevAction, FOREIGN, HABITS, REFUSED, TIMEOUT, names};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::tools::ToolContext;
use crate::tools::list_directory::require_folder;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Profile};
use project::Project;
use std::path::PathBuf;

mod clean;
mod line;
mod manager;
mod project;

const ACTIONS: [DevAction; 18] = [
    ("run", "script script_name", Profile::Project),
    ("install", "packages", Profile::Network),
    ("add", "packages", Profile::Network),
    ("remove", "packages", Profile::Network),
    ("update", "packages", Profile::Network),
    ("run_script", "script script_name", Profile::Project),
    ("test", "script script_name", Profile::Project),
    ("build", "script script_name", Profile::Project),
    ("dev", "script script_name", Profile::Project),
    ("lint", "script script_name", Profile::Project),
    ("exec", "command packages", Profile::Network),
    ("info", "packages", Profile::Network),
    ("list", "", Profile::Project),
    ("outdated", "", Profile::Network),
    ("audit", "", Profile::Network),
    ("clean", "", Profile::Project),
    ("init", "", Profile::Network),
    ("custom", "command", Profile::Project),
];

const SCRIPT_NAME: Parameter = Parameter::new("script_name", Kind::Text, "\"build\"").also("npmscript task");

/// Most actions are about a package, so a path is that of one.
const FOLDER: Parameter = DIRECTORY.also(
    "dir cwd path workdir workingdir workingdirectory folder root project projectdir projectdirectory projectpath \
        projectroot basepath",
);

pub(super) static FORM: Form = Form {
    tool: "nodejs_dev",
    group: Group::Dev,
    aliases: "node nodejs npm yarn pnpm bun node_dev npm_tool run_npm",
    description: include_str!("nodejs.md"),
    parameters: &[
        Parameter::new("action", Kind::One(&names(&ACTIONS)), "\"test\"").also("subcommand operation op").required(),
        Parameter::new("script", Kind::Text, "\"src/index.js\"")
            .also("file filepath filename scriptpath scriptfile entry")
            .optional(),
        ARGS,
        Parameter::new("packages", Kind::Texts, "[\"express\"]")
            .also("package pkg pkgs packagename packagenames dependencies deps modules")
            .optional(),
        Parameter::new("package_manager", Kind::One(&["npm", "yarn", "pnpm", "bun"]), "\"npm\"").also("manager pm"),
        FOLDER,
        Parameter::new("dev", Kind::Flag, "true").also("isdev savedev devdependency devdependencies d"),
        Parameter::new("global", Kind::Flag, "false").also("isglobal g"),
        TIMEOUT,
        SCRIPT_NAME,
        COMMAND,
        BACKGROUND,
    ],
    foreign: FOREIGN,
    habits: HABITS,
    refused: REFUSED,
    implied: &[
        ("npm runnpm npmtool", "package_manager", "npm"),
        ("yarn", "package_manager", "yarn"),
        ("pnpm", "package_manager", "pnpm"),
        ("bun", "package_manager", "bun"),
    ],
    meant: &[
        ("action", "execute script runfile", "run"),
        ("action", "i", "install"),
        ("action", "uninstall rm", "remove"),
        ("action", "upgrade up", "update"),
        ("action", "npmrun", "run_script"),
        ("action", "npx dlx bunx", "exec"),
        ("action", "view show", "info"),
        ("action", "ls", "list"),
        ("action", "create", "init"),
        ("action", "command", "custom"),
    ],
    ..BLANK
};

pub(super) struct NodejsDev;

impl Tool for NodejsDev {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let call = call(kit, arguments)?;
        let mut paths = folders(kit, &call);
        paths.extend(line::file(&call, &kit.workspace)?.filter(|file| !file.starts_with(&call.cwd)));
        Ok(Action::Read { paths })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let call = call(kit, arguments)?;
        require_folder(&kit.workspace, &call.cwd)?;
        if call.action == "clean" {
            return clean::job(&call, &kit.workspace, &kit.runner);
        }
        let project = Project::found(&folders(kit, &call), &kit.workspace);
        let wanted = line::wanted(&call, &project, &kit.workspace)?;
        line::is_installed(&wanted, &kit.runner)?;
        Ok(kit.runner.job(wanted))
    }
}

fn call<'a>(kit: &ToolContext, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
    Call::new(FORM.tool, &ACTIONS, arguments, &kit.workspace)
}

/// The folder, and those above it in the project: a package may lie below the one with the lock file.
fn folders(kit: &ToolContext, call: &Call<'_>) -> Vec<PathBuf> {
    let root = kit.workspace.root();
    call.cwd.ancestors().take_while(|folder| *folder == call.cwd || folder.starts_with(root)).map(Into::into).collect()
}
