//! `python_dev`: Python's own programs, in the virtual environment of the project where there is one.

use super::shared::{ARGS, COMMAND, Call, DIRECTORY, FOREIGN, HABITS, REFUSED, TIMEOUT};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::tools::Kit;
use crate::tools::list_directory::require_folder;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure};

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
    description: include_str!("python.md"),
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

pub(super) struct PythonDev;

impl Tool for PythonDev {
    fn reach(&self, kit: &Kit, arguments: &Arguments) -> Result<Action, Failure> {
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

    fn plan(&self, kit: &Kit, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let call = call(kit, arguments)?;
        require_folder(&kit.workspace, &call.cwd)?;
        if call.action == "venv_activate" {
            return environment::activation(&call, &kit.workspace);
        }
        let python = environment::interpreter(&call, &kit.workspace, &kit.runner)?;
        Ok(kit.runner.job(line::wanted(&call, &python, &kit.workspace)?))
    }
}

fn call<'a>(kit: &Kit, arguments: &'a Arguments) -> Result<Call<'a>, Failure> {
    let call = Call::new(FORM.tool, arguments, &kit.workspace)?;
    call.takes(taken(call.action), OPERANDS)?;
    Ok(call)
}
