//! `python_dev`, action by action.

use crate::dev::house::{House, module, there};
use agent_protocol::Status;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

#[test]
fn every_action_on_code_runs_these_words() {
    let mut house = House::with(&["python3"]);
    house.file("tests/test_a.py", "");
    house.plans(
        "python_dev",
        &[
            (json!({"action": "run", "script": "main.py"}), "python3 main.py"),
            (
                json!({"action": "run", "script": "main.py", "args": ["--verbose", "input.txt"]}),
                "python3 main.py --verbose input.txt",
            ),
            (json!({"action": "run", "script": "a b.py", "args": "-x 'one two'"}), "python3 'a b.py' -x 'one two'"),
            (json!({"action": "test"}), "python3 -m pytest"),
            (
                json!({"action": "test", "test_pattern": "tests/unit/", "args": ["-k", "test_auth"]}),
                "python3 -m pytest -k test_auth tests/unit/",
            ),
            (json!({"action": "test", "test_pattern": "tests"}), "python3 -m pytest tests"),
            (json!({"action": "test", "test_pattern": "test_auth"}), "python3 -m pytest -k test_auth"),
            (
                json!({"action": "test", "test_pattern": "tests/test_a.py::test_b"}),
                "python3 -m pytest tests/test_a.py::test_b",
            ),
            (json!({"action": "test", "script": "tests/test_a.py"}), "python3 -m pytest tests/test_a.py"),
            (json!({"action": "lint"}), "python3 -m pylint --recursive=y --ignore=CVS,.git,.venv,venv,node_modules ."),
            (
                json!({"action": "lint", "script": "src", "lint_config": ".pylintrc", "args": ["-E"]}),
                "python3 -m pylint --rcfile=.pylintrc -E src",
            ),
            (json!({"action": "format"}), "python3 -m black ."),
            (json!({"action": "format", "args": ["--check"]}), "python3 -m black --check ."),
            (json!({"action": "format", "args": ["--check", "src"]}), "python3 -m black --check src"),
            (json!({"action": "format", "script": "a.py"}), "python3 -m black a.py"),
        ],
    );
}

#[test]
fn every_other_action_runs_these_words() {
    let mut house = House::with(&["python3", "python3.12"]);
    house.plans(
        "python_dev",
        &[
            (json!({"action": "venv_create"}), "python3 -m venv .venv"),
            (
                json!({"action": "venv_create", "venv": "env", "args": ["--clear"], "python_path": "python3.12"}),
                "python3.12 -m venv --clear env",
            ),
            (
                json!({"action": "pip_install", "packages": ["requests", "numpy"]}),
                "python3 -m pip --disable-pip-version-check install requests numpy +net",
            ),
            (
                json!({"action": "pip_install", "requirements_file": "requirements.txt", "args": ["-U"]}),
                "python3 -m pip --disable-pip-version-check install -U -r requirements.txt +net",
            ),
            (
                json!({"action": "pip_install", "args": ["-e", "."]}),
                "python3 -m pip --disable-pip-version-check install -e . +net",
            ),
            (
                json!({"action": "pip_list", "args": ["--outdated"]}),
                "python3 -m pip --disable-pip-version-check list --outdated",
            ),
            (json!({"action": "pip_freeze"}), "python3 -m pip freeze"),
            // Only a shell puts into a file what a program says.
            (
                json!({"action": "pip_freeze", "requirements_file": "all needed.txt"}),
                "sh: frozen=$(python3 -m pip freeze) && printf '%s\\n' \"$frozen\" > 'all needed.txt'",
            ),
            (json!({"action": "mypy"}), "python3 -m mypy ."),
            (json!({"action": "mypy", "script": "src/", "args": ["--strict"]}), "python3 -m mypy --strict src/"),
            (json!({"action": "custom", "command": "-c 'print(1)'"}), "python3 -c 'print(1)'"),
            (json!({"action": "custom", "command": "python -m this", "args": ["x"]}), "python3 -m this x"),
            (json!({"action": "custom", "command": "pip show x"}), "python3 -m pip show x"),
            (json!({"action": "custom", "command": ["setup.py", "build"]}), "python3 setup.py build"),
            (
                json!({"action": "run", "script": "a.py", "python_path": "/opt/py/bin/python"}),
                "/opt/py/bin/python a.py",
            ),
            (json!({"action": "run", "script": "a.py", "python_path": "env/bin/python"}), "env/bin/python a.py"),
        ],
    );
}

#[test]
fn what_an_action_cannot_do_without_is_named() {
    let mut house = House::with(&["python3"]);
    house.plans(
        "python_dev",
        &[
            (
                json!({"action": "run"}),
                "InvalidArguments: python_dev run needs `script`; for example {\"action\": \"run\", \"script\": \"main.py\"}",
            ),
            (
                json!({"action": "pip_install"}),
                "InvalidArguments: python_dev pip_install needs `packages`; for example {\"action\": \"pip_install\", \
                 \"packages\": [\"requests\"]}",
            ),
            (
                json!({"action": "custom", "command": " "}),
                "InvalidArguments: python_dev custom needs `command`; for example {\"action\": \"custom\", \"command\": \
                 \"-m http.server --help\"}",
            ),
        ],
    );
}

#[test]
fn the_environment_of_the_folder_is_used_and_of_two_the_hidden_one() {
    let mut house = House::with(&["python3"]);
    let list = json!({"action": "pip_freeze"});
    assert_eq!(house.planned("python_dev", &list), "python3 -m pip freeze");
    house.file("venv/pyvenv.cfg", "");
    assert_eq!(house.planned("python_dev", &list), "venv/bin/python -m pip freeze");
    house.file(".venv/pyvenv.cfg", "");
    assert_eq!(house.planned("python_dev", &list), ".venv/bin/python -m pip freeze");
    let other = json!({"action": "pip_freeze", "venv": "venv"});
    assert_eq!(house.planned("python_dev", &other), "venv/bin/python -m pip freeze");
    let own = json!({"action": "pip_freeze", "python_path": "python3"});
    assert_eq!(house.planned("python_dev", &own), "python3 -m pip freeze");
    // A new one is made by the system's Python.
    assert_eq!(house.planned("python_dev", &json!({"action": "venv_create"})), "python3 -m venv .venv");
    // One that is named from the project is found from below, too.
    house.file("back/a.py", "");
    let below = json!({"action": "pip_freeze", "directory": "back", "venv": ".venv"});
    assert_eq!(house.planned("python_dev", &below), format!("{}/.venv/bin/python -m pip freeze", house.root.display()));
    let none = json!({"action": "pip_freeze", "directory": "back"});
    assert_eq!(house.planned("python_dev", &none), "python3 -m pip freeze");
}

#[test]
fn an_environment_that_is_not_there_is_no_other() {
    let mut house = House::with(&["python3"]);
    for action in ["test", "venv_activate"] {
        let expected = "NotFound: there is no virtual environment at env; make it with python_dev action venv_create, or \
            leave venv out";
        assert_eq!(house.planned("python_dev", &json!({"action": action, "venv": "env"})), expected);
    }
}

#[test]
fn it_says_where_it_would_look() {
    let house = House::with(&["python3"]);
    house.file("back/a.py", "");
    std::os::unix::fs::symlink("/opt/envs/x", house.root.join(".venv")).unwrap();
    assert_eq!(house.reached("python_dev", &json!({"action": "pip_list"})), ["", "/opt/envs/x"]);
    assert_eq!(house.reached("python_dev", &json!({"action": "pip_list", "python_path": "python3"})), [""]);
    assert_eq!(house.reached("python_dev", &json!({"action": "pip_list", "directory": "back"})), ["back"]);
    let test = json!({"action": "test", "directory": "back", "test_pattern": "../tests", "python_path": "python3"});
    assert_eq!(house.reached("python_dev", &test), ["back", "tests"]);
}

#[test]
fn activation_runs_nothing() {
    let mut house = House::with(&[]);
    house.file(".venv/pyvenv.cfg", "");
    let activate = json!({"action": "venv_activate"});
    assert_eq!(
        house.planned("python_dev", &activate),
        "NotFound: .venv has no bin/activate; use its Python as python_path instead"
    );
    house.file(".venv/bin/activate", "");
    assert_eq!(house.planned("python_dev", &activate), "looks");
    assert_eq!(house.preview("python_dev", &activate).title, "Look how to activate .venv");
}

#[tokio::test]
async fn a_script_runs_with_its_arguments() {
    if !there("python3", "python3") {
        return;
    }
    let mut house = House::real();
    house.file("back/main.py", "import sys\nprint('told', sys.argv[1:])\nsys.exit(len(sys.argv) - 1)\n");
    let call = json!({"action": "run", "script": "main.py", "args": ["a b", "$HOME"], "directory": "back"});
    let outcome = house.run("python_dev", &call).await;
    assert_eq!(outcome.told, "exit code 2\ntold ['a b', '$HOME']\n");
    assert_eq!(outcome.status, Status::Exited { code: Some(2) });
    let call = json!({"action": "custom", "command": "-c 'print(6 * 7)'"});
    assert_eq!(house.done("python_dev", &call).await, "exit code 0\n42\n");
}

#[tokio::test]
async fn an_environment_is_made_and_used_from_then_on() {
    if !there("python3", "python3") || !module("ensurepip", "python3-venv") {
        return;
    }
    let mut house = House::real();
    house.done("python_dev", &json!({"action": "venv_create"})).await;
    assert!(house.root.join(".venv/pyvenv.cfg").exists());
    let told = house.done("python_dev", &json!({"action": "venv_activate"})).await;
    assert!(told.starts_with(". .venv/bin/activate\n"), "{told}");
    let prefix = json!({"action": "custom", "command": "-c 'import sys; print(sys.prefix)'"});
    let root = house.root.display().to_string();
    assert_eq!(house.done("python_dev", &prefix).await, format!("exit code 0\n{root}/.venv\n"));
    let told = house.done("pip", &json!({"action": "list"})).await;
    assert!(told.contains("pip ") && !told.contains("WARNING"), "{told}");
    installs_a_folder_and_freezes_it(&mut house).await;
    let outcome = house.run("pytest", &json!({})).await;
    let told = "exit code 1\npytest is not installed for .venv/bin/python; install it with python_dev {\"action\": \
        \"pip_install\", \"packages\": [\"pytest\"]}";
    assert_eq!(outcome.told, told);
    assert!(outcome.summary.starts_with("pytest is not installed · exit 1"), "{}", outcome.summary);
}

/// Without the network: a wheel made by hand, which is no more than an archive.
async fn installs_a_folder_and_freezes_it(house: &mut House) {
    house.file(
        "make.py",
        "import zipfile\n\
         info = 'thing-1.0.dist-info/'\n\
         with zipfile.ZipFile('thing-1.0-py3-none-any.whl', 'w') as wheel:\n\
         \x20   wheel.writestr('thing.py', 'answer = 42\\n')\n\
         \x20   wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: thing\\nVersion: 1.0\\n')\n\
         \x20   wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n\
         \x20   wheel.writestr(info + 'RECORD', '')\n",
    );
    house.done("python_dev", &json!({"action": "run", "script": "make.py"})).await;
    let install =
        json!({"action": "pip_install", "packages": ["./thing-1.0-py3-none-any.whl"], "args": ["--no-index"]});
    let told = house.done("python_dev", &install).await;
    assert!(told.contains("Successfully installed thing-1.0"), "{told}");
    let answer = json!({"action": "custom", "command": "-c \"import thing; print(thing.answer)\""});
    assert_eq!(house.done("python_dev", &answer).await, "exit code 0\n42\n");
    let told = house.done("python_dev", &json!({"action": "pip_freeze"})).await;
    assert!(told.contains("thing @ file://"), "{told}");
    house.done("python_dev", &json!({"action": "pip_freeze", "requirements_file": "requirements.txt"})).await;
    assert!(std::fs::read_to_string(house.root.join("requirements.txt")).unwrap().starts_with("thing @ file://"));
}

#[tokio::test]
async fn a_freeze_that_fails_leaves_the_list_as_it_was() {
    let mut house = House::real();
    house.file("python", "#!/bin/sh\necho half of it\nexit 3\n");
    std::fs::set_permissions(house.root.join("python"), PermissionsExt::from_mode(0o755)).unwrap();
    house.file("needed.txt", "kept==1.0\n");
    let freeze = json!({"action": "pip_freeze", "requirements_file": "needed.txt", "python_path": "./python"});
    let outcome = house.run("python_dev", &freeze).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(3) }, "{}", outcome.told);
    assert_eq!(std::fs::read_to_string(house.root.join("needed.txt")).unwrap(), "kept==1.0\n");
}

#[tokio::test]
async fn the_systems_own_python_is_left_alone_and_the_way_is_named() {
    let marked = std::process::Command::new("/usr/bin/python3")
        .args([
            "-c",
            "import sysconfig,os,pip; print(os.path.exists(sysconfig.get_path('stdlib') + '/EXTERNALLY-MANAGED'))",
        ])
        .output();
    if !marked.is_ok_and(|output| output.stdout == b"True\n") {
        eprintln!("passed over: this Python has no pip, or may be installed into");
        return;
    }
    let mut house = House::real();
    let outcome = house.run("pip", &json!({"packages": ["thing"]})).await;
    assert_eq!(
        outcome.told,
        "exit code 1\nthis Python belongs to the system, and nothing was installed; make an environment with python_dev \
         action venv_create and try again: it is used by itself"
    );
}

#[tokio::test]
async fn tests_are_run_by_pytest() {
    if !module("pytest", "python3-pytest") {
        return;
    }
    let mut house = House::real();
    house.file("tests/test_a.py", "def test_one():\n    assert True\n\ndef test_two():\n    assert 1 == 2\n");
    let told = house.done("pytest", &json!({"test_pattern": "test_one"})).await;
    assert!(told.contains("1 passed, 1 deselected"), "{told}");
    let outcome = house.run("python_dev", &json!({"action": "test", "test_pattern": "tests", "args": ["-q"]})).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(1) });
    assert!(outcome.told.contains("1 failed, 1 passed"), "{}", outcome.told);
}

#[tokio::test]
async fn code_is_formatted_by_black_and_can_be_put_back() {
    if !module("black", "black") {
        return;
    }
    let mut house = House::real();
    house.file("a.py", "x = { 'a':1 }\n");
    let outcome = house.run("python_dev", &json!({"action": "format", "script": "a.py"})).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(std::fs::read_to_string(house.root.join("a.py")).unwrap(), "x = {\"a\": 1}\n");
    assert!(outcome.changed.iter().any(|change| change.path == house.root.join("a.py")), "{:?}", outcome.changed);
}

#[tokio::test]
async fn code_is_looked_over_by_pylint_and_mypy() {
    let mut house = House::real();
    house.file("a.py", "\"\"\"A module.\"\"\"\nimport os\n\nNUMBER: int = \"one\"\n");
    house.file(".venv/lib/b.py", "import os\n");
    if module("pylint", "pylint") {
        let told = house.run("python_dev", &json!({"action": "lint"})).await.told;
        assert!(told.contains("a.py:2:0: W0611") && !told.contains("b.py"), "{told}");
    }
    if module("mypy", "mypy") {
        let told = house.run("python_dev", &json!({"action": "mypy", "script": "a.py"})).await.told;
        assert!(told.contains("a.py:4: error: Incompatible types"), "{told}");
    }
}
