//! `python_dev`: Python's own programs, in the virtual environment of the project where there is one.

use super::shared::{ARGS, COMMAND, Call, DIRECTORY, DevAction, FOREIGN, HABITS, REFUSED, TIMEOUT, names};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::tools::ToolContext;
use crate::tools::list_directory::require_folder;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Profile};

mod environment;
mod line;

const ACTIONS: [DevAction; 11] = [
    ("run", "script", Profile::Project),
    ("test", "script test_pattern", Profile::Project),
    ("lint", "script lint_config", Profile::Project),
    ("format", "script", Profile::Project),
    ("venv_create", "", Profile::Project),
    ("venv_activate", "", Profile::Project),
    ("pip_install", "packages requirements_file", Profile::Network),
    ("pip_list", "", Profile::Project),
    ("pip_freeze", "requirements_file", Profile::Project),
    ("mypy", "script", Profile::Project),
    ("custom", "command", Profile::Project),
];

const PYTHON_PATH: Parameter = Parameter::new("python_path", Kind::Text, "\"python3.12\"")
    .also("python interpreter pythonbin pythoninterpreter pythonexecutable executable");

pub(super) static FORM: Form = Form {
    tool: "python_dev",
    group: Group::Dev,
    aliases: "py python python3 pip pip3 pytest python_tool run_python execute_python",
    description: include_str!("python.md"),
    parameters: &[
        Parameter::new("action", Kind::One(&names(&ACTIONS)), "\"test\"")
            .also("subcommand operation task op")
            .required(),
        Parameter::new("script", Kind::Text, "\"main.py\"")
            .also("file path filepath filename scriptpath scriptfile target targets")
            .optional(),
        ARGS,
        Parameter::new("packages", Kind::Texts, "[\"requests\"]")
            .also("package pkg pkgs packagename packagenames dependencies deps libraries")
            .optional(),
        DIRECTORY,
        Parameter::new("venv", Kind::Text, "\".venv\"")
            .also("venvpath venvdir venvname virtualenv virtualenvironment environmentpath"),
        PYTHON_PATH,
        TIMEOUT,
        Parameter::new("test_pattern", Kind::Text, "\"tests/unit\"")
            .also("pattern tests testpath testfile testname testfilter filter k"),
        Parameter::new("lint_config", Kind::Text, "\".pylintrc\"")
            .also("rcfile pylintrc lintconfigfile config configfile"),
        Parameter::new("requirements_file", Kind::Text, "\"requirements.txt\"")
            .also("requirements requirementsfilepath requirementspath requirementstxt requirement"),
        COMMAND,
    ],
    foreign: FOREIGN,
    habits: HABITS,
    refused: REFUSED,
    implied: &[("pytest", "action", "test"), ("pip pip3", "action", "pip_install")],
    meant: &[
        ("action", "exec execute script runscript runfile", "run"),
        ("action", "pytest tests runtests unittest", "test"),
        ("action", "pylint", "lint"),
        ("action", "black fmt", "format"),
        ("action", "venv createvenv makevenv virtualenv", "venv_create"),
        ("action", "activate activatevenv", "venv_activate"),
        ("action", "install add pip", "pip_install"),
        ("action", "list", "pip_list"),
        ("action", "freeze", "pip_freeze"),
        ("action", "typecheck", "mypy"),
        ("action", "command", "custom"),
    ],
    ..BLANK
};

pub(super) struct PythonDev;

impl Tool for PythonDev {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let call = call(kit, arguments)?;
        let mut paths = vec![call.cwd.clone()];
        paths.extend(environment::candidates(&call, &kit.workspace)?);
        paths.extend(line::pattern_path(&call, &kit.workspace)?);
        let cwd = call.cwd.as_path();
        let mut at = 0;
        // What lies in the folder is looked at with it.
        paths.retain(|path| {
            at += 1;
            at == 1 || !path.starts_with(cwd)
        });
        paths.dedup();
        Ok(Action::Read { paths })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let call = call(kit, arguments)?;
        require_folder(&kit.workspace, &call.cwd)?;
        if call.action == "venv_activate" {
            return environment::activation(&call, &kit.workspace);
        }
        let python = environment::interpreter(&call, &kit.workspace, &kit.runner)?;
        Ok(kit.runner.job(line::wanted(&call, &python, &kit.workspace)?))
    }
}

fn call<'a>(kit: &ToolContext, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
    Call::new(FORM.tool, &ACTIONS, arguments, &kit.workspace)
}
