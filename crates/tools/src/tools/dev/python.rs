//! `python_dev`: Python's own programs, in the virtual environment of the project where there is one.

use super::shared::{ARGS, COMMAND, Call, DIRECTORY, FOREIGN, HABITS, REFUSED, TIMEOUT};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::program::Runner;
use crate::tools::list_directory::require_folder;
use crate::tools::{Kit, spec};
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;

mod environment;
mod line;

const ACTIONS: &[&str] = &[
    "run",
    "test",
    "lint",
    "format",
    "venv_create",
    "venv_activate",
    "pip_install",
    "pip_list",
    "pip_freeze",
    "mypy",
    "custom",
];

const PYTHON_PATH: Parameter = Parameter::new("python_path", Kind::Text, "\"python3.12\"")
    .also("python interpreter pythonbin pythoninterpreter pythonexecutable executable");

pub(super) static FORM: Form = Form {
    tool: "python_dev",
    group: Group::Dev,
    aliases: "py python python3 pip pip3 pytest python_tool run_python execute_python",
    parameters: &[
        Parameter::new("action", Kind::One(ACTIONS), "\"test\"").also("subcommand operation task op").required(),
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

/// What only some actions take.
const OPERANDS: &[&str] = &["script", "packages", "test_pattern", "lint_config", "requirements_file", "command"];

/// Which of them `action` takes.
fn taken(action: &str) -> &'static [&'static str] {
    match action {
        "run" | "format" | "mypy" => &["script"],
        "test" => &["script", "test_pattern"],
        "lint" => &["script", "lint_config"],
        "pip_install" => &["packages", "requirements_file"],
        "pip_freeze" => &["requirements_file"],
        "custom" => &["command"],
        _ => &[],
    }
}

pub(super) struct PythonDev {
    workspace: Workspace,
    runner: Runner,
}

impl PythonDev {
    pub(super) fn new(kit: &Kit) -> Self {
        PythonDev { workspace: kit.workspace.clone(), runner: kit.runner.clone() }
    }

    fn call<'a>(&self, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
        let call = Call::new(FORM.tool, arguments, &self.workspace)?;
        call.takes(taken(call.action), OPERANDS)?;
        Ok(call)
    }
}

impl Tool for PythonDev {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("python.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        let arguments = FORM.read(args)?;
        let call = self.call(&arguments)?;
        let mut paths = vec![call.cwd.clone()];
        paths.extend(environment::candidates(&call, &self.workspace)?);
        paths.extend(line::pattern_path(&call, &self.workspace)?);
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

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let arguments = FORM.read(args)?;
        let call = self.call(&arguments)?;
        require_folder(&self.workspace, &call.cwd)?;
        if call.action == "venv_activate" {
            return environment::activation(&call, &self.workspace);
        }
        let python = environment::interpreter(&call, &self.workspace, &self.runner)?;
        Ok(self.runner.job(line::wanted(&call, &python, &self.workspace)?))
    }
}
