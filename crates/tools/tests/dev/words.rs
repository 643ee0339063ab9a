//! What all three have in common.

use crate::dev::house::House;
use agent_protocol::Action;
use serde_json::json;

#[test]
fn a_timeout_counts_in_milliseconds_under_every_name() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    for (name, action) in
        [("python_dev", "pip_list"), ("pip", "list"), ("npm", "audit"), ("go", "version"), ("golang_dev", "env")]
    {
        for (given, seconds) in [
            (json!({}), 120),
            (json!({"timeout": 300_000}), 300),
            (json!({"timeout": "1500"}), 2),
            (json!({"timeout": 0}), 120),
            (json!({"timeout": 900_000}), 600),
            // Nobody waits less than a second: what says so means seconds.
            (json!({"timeout": 300}), 300),
            (json!({"timeout_ms": 60_000}), 60),
            (json!({"timeout_seconds": 60}), 60),
        ] {
            let mut arguments = given.clone();
            arguments["action"] = action.into();
            assert_eq!(house.limits(name, &arguments).0, seconds, "{name} {given}");
        }
    }
}

#[test]
fn what_a_timeout_was_read_as_is_said() {
    let house = House::with(&[]);
    for (given, note) in [
        (300, "timeout 300 was read as seconds: milliseconds would be less than one"),
        (900_000, "timeout 900000 ms was cut to 600000 ms, the most there is"),
    ] {
        assert_eq!(house.notes("golang_dev", &json!({"action": "version", "timeout": given})), [note]);
    }
}

#[test]
fn it_runs_in_the_folder_that_is_asked_for() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    house.file("back/x", "");
    for name in ["python_dev", "nodejs_dev", "golang_dev"] {
        let arguments = json!({"action": "custom", "command": "--version", "directory": "back"});
        assert_eq!(house.limits(name, &arguments).1, "back");
        let arguments = json!({"action": "custom", "command": "--version", "directory": "front"});
        assert!(house.planned(name, &arguments).starts_with("NotFound: "), "{name}");
    }
}

#[test]
fn an_option_is_no_name() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    let option = |name: &str, value: &str, tool: &str| {
        format!("InvalidArguments: {value:?} in `{name}` of {tool} is an option, not a name; give options in `args`")
    };
    for (tool, arguments, name, value) in [
        ("python_dev", json!({"action": "run", "script": "-c"}), "script", "-c"),
        (
            "python_dev",
            json!({"action": "pip_install", "packages": ["x", "--index-url=y"]}),
            "packages",
            "--index-url=y",
        ),
        ("python_dev", json!({"action": "venv_create", "venv": "--clear"}), "venv", "--clear"),
        ("python_dev", json!({"action": "test", "test_pattern": "-p"}), "test_pattern", "-p"),
        ("python_dev", json!({"action": "pip_list", "python_path": "-c"}), "python_path", "-c"),
        ("nodejs_dev", json!({"action": "add", "packages": ["-g"]}), "packages", "-g"),
        ("nodejs_dev", json!({"action": "run", "script": "--eval=1"}), "script", "--eval=1"),
        ("nodejs_dev", json!({"action": "run_script", "script_name": "-w"}), "script_name", "-w"),
        ("golang_dev", json!({"action": "run", "file": "-exec=x"}), "file", "-exec=x"),
        ("golang_dev", json!({"action": "test", "package": "-toolexec=x"}), "package", "-toolexec=x"),
        ("golang_dev", json!({"action": "get", "packages": "-u x"}), "packages", "-u"),
        ("golang_dev", json!({"action": "build", "output": "-x"}), "output", "-x"),
        ("golang_dev", json!({"action": "mod_init", "module_name": "-x"}), "module_name", "-x"),
    ] {
        assert_eq!(house.planned(tool, &arguments), option(name, value, tool), "{arguments}");
    }
}

#[test]
fn what_an_action_has_no_use_for_is_not_left_out_in_silence() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    for (tool, arguments, said) in [
        (
            "python_dev",
            json!({"action": "test", "packages": ["x"]}),
            "python_dev test takes `script`, `test_pattern` and `args`, not `packages`",
        ),
        (
            "python_dev",
            json!({"action": "pip_list", "script": "a.py"}),
            "python_dev pip_list takes `args`, not `script`",
        ),
        ("nodejs_dev", json!({"action": "audit", "packages": "x"}), "nodejs_dev audit takes `args`, not `packages`"),
        (
            "golang_dev",
            json!({"action": "vet", "output": "x"}),
            "golang_dev vet takes `file`, `package`, `packages` and `args`, not `output`",
        ),
    ] {
        let expected = format!("InvalidArguments: {said}; leave it out or choose another action");
        assert_eq!(house.planned(tool, &arguments), expected);
    }
    // Nothing is nothing.
    let empty = json!({"action": "pip_list", "script": "", "packages": [], "command": null});
    assert_eq!(house.planned("python_dev", &empty), "python3 -m pip --disable-pip-version-check list");
}

#[test]
fn lines_for_a_shell_are_refused_with_a_way_out() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    for (tool, arguments, holds) in [
        ("python_dev", json!({"action": "custom", "command": "-m pip list | head"}), "`command` holds `|`"),
        ("nodejs_dev", json!({"action": "custom", "command": "run build && ls"}), "`command` holds `&`"),
        (
            "golang_dev",
            json!({"action": "custom", "command": "CGO_ENABLED=0 go build"}),
            "`command` holds `CGO_ENABLED=0`",
        ),
        ("golang_dev", json!({"action": "test", "args": "-v > out.txt"}), "`args` holds `>`"),
    ] {
        let expected = format!(
            "InvalidArguments: {tool} starts no shell, and {holds}; give plain words (quoted where they hold more), or use \
             run_command"
        );
        assert_eq!(house.planned(tool, &arguments), expected);
    }
}

#[test]
fn what_they_cannot_do_is_refused_by_name() {
    let mut house = House::with(&["python3", "node", "npm", "go"]);
    for (tool, more) in [
        ("python_dev", json!({"code": "print(1)"})),
        ("python_dev", json!({"env": {"A": "1"}})),
        ("nodejs_dev", json!({"stdin": "yes"})),
        ("golang_dev", json!({"dry_run": true})),
    ] {
        let mut arguments = more.clone();
        arguments["action"] = "custom".into();
        let said = house.planned(tool, &arguments);
        assert!(said.contains("is not possible here: "), "{tool} {more}: {said}");
    }
}

#[test]
fn what_keeps_running_goes_to_the_background_a_server_also_unsaid() {
    let mut house = House::with(&["node", "npm", "go", "bun"]);
    house.file("package.json", r#"{"scripts": {"dev": "vite", "build": "x"}}"#);
    for (tool, arguments, line, in_background) in [
        ("nodejs_dev", json!({"action": "dev"}), "npm run dev", true),
        ("nodejs_dev", json!({"action": "dev", "background": true, "package_manager": "bun"}), "bun run dev", true),
        ("nodejs_dev", json!({"action": "dev", "background": false}), "npm run dev", false),
        ("nodejs_dev", json!({"action": "build", "background": "true"}), "npm run build", true),
        ("golang_dev", json!({"action": "run", "file": "main.go", "is_background": true}), "go run main.go", true),
        ("golang_dev", json!({"action": "run", "file": "main.go"}), "go run main.go", false),
    ] {
        let Action::Run { command, timeout_secs, background, .. } = house.action(tool, &arguments) else {
            panic!("{arguments} runs a program")
        };
        assert_eq!((command.as_str(), background), (line, in_background), "{arguments}");
        assert_eq!(timeout_secs, if in_background { 0 } else { 120 }, "{arguments}");
    }
}

#[test]
fn what_is_not_installed_is_said_with_how_to_install_it() {
    let mut house = House::with(&[]);
    for (tool, arguments, program, how) in [
        ("python_dev", json!({"action": "pip_list"}), "python3", "apt install python3 "),
        (
            "python_dev",
            json!({"action": "pip_list", "python_path": "python3.99"}),
            "python3.99",
            "apt install python3 ",
        ),
        ("nodejs_dev", json!({"action": "run", "script": "a.js"}), "node", "apt install nodejs "),
        ("nodejs_dev", json!({"action": "install"}), "npm", "apt install npm "),
        ("nodejs_dev", json!({"action": "exec", "command": "x"}), "npx", "apt install npm "),
        ("nodejs_dev", json!({"action": "install", "package_manager": "yarn"}), "yarn", "npm install --global yarn"),
        ("nodejs_dev", json!({"action": "install", "package_manager": "pnpm"}), "pnpm", "npm install --global pnpm"),
        ("nodejs_dev", json!({"action": "install", "package_manager": "bun"}), "bun", "npm install --global bun"),
        ("golang_dev", json!({"action": "version"}), "go", "apt install golang-go "),
        ("golang_dev", json!({"action": "lint"}), "golangci-lint", "golang_dev {\"action\": \"install\""),
    ] {
        let said = house.planned(tool, &arguments);
        let expected = format!("NotInstalled: {program} is not installed, or not on the PATH; install it with: {how}");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn other_names_and_words_mean_what_they_say() {
    let mut house = House::with(&["python3", "node", "npm", "yarn", "pnpm", "bun", "go"]);
    house.file("package.json", r#"{"scripts": {"build": "x"}}"#);
    let list = "python3 -m pip --disable-pip-version-check list";
    let install = "python3 -m pip --disable-pip-version-check install x +net";
    for (name, arguments, expected) in [
        ("py", json!({"action": "pip_list"}), list),
        ("python", json!({"action": "pip-list"}), list),
        ("pip", json!({"action": "list"}), list),
        ("pip", json!({"action": "install", "packages": "x"}), install),
        ("pip", json!({"packages": ["x"]}), install),
        ("pip3", json!({"package": "x"}), install),
        ("pytest", json!({}), "python3 -m pytest"),
        ("pytest", json!({"args": ["-x"]}), "python3 -m pytest -x"),
        ("python_dev", json!({"action": "black", "path": "a.py"}), "python3 -m black a.py"),
        ("node", json!({"action": "run", "file": "a.js"}), "node a.js"),
        ("npm", json!({"action": "run_script", "script": "build"}), "npm run build"),
        ("yarn", json!({"action": "add", "package": "x"}), "yarn add x +net"),
        ("pnpm", json!({"action": "i"}), "pnpm install +net"),
        ("bun", json!({"action": "uninstall", "packages": ["x"]}), "bun remove x +net"),
        // What is said counts more than the name.
        ("yarn", json!({"action": "install", "package_manager": "npm"}), "npm install +net"),
        ("go", json!({"action": "version"}), "go version"),
        ("golang", json!({"action": "tidy"}), "go mod tidy +net"),
        ("GoLang_Dev", json!({"action": "bench"}), "go test -run '^$' -bench . ./..."),
    ] {
        assert_eq!(house.planned(name, &arguments), expected, "{name} {arguments}");
    }
    assert_eq!(
        house.notes("yarn", &json!({"action": "upgrade"})),
        [
            "action `upgrade` was read as update",
            "package_manager yarn was taken from the name of the call",
            "`yarn` was read as nodejs_dev"
        ]
    );
}

#[test]
fn without_an_action_all_actions_are_named() {
    let mut house = House::with(&["python3", "node", "go"]);
    for (tool, begins) in [
        (
            "python_dev",
            "run, test, lint, format, venv_create, venv_activate, pip_install, pip_list, pip_freeze, mypy, custom; ",
        ),
        (
            "nodejs_dev",
            "run, install, add, remove, update, run_script, test, build, dev, lint, exec, info, list, outdated, audit, clean, init, custom; ",
        ),
        (
            "golang_dev",
            "run, build, test, test_cover, test_bench, fmt, vet, lint, mod_init, mod_tidy, mod_download, mod_verify, mod_graph, get, install, list, doc, env, version, clean, generate, custom; ",
        ),
    ] {
        for arguments in [json!({}), json!({"action": "fly"})] {
            let said = house.planned(tool, &arguments);
            let expected = format!("InvalidArguments: {tool} needs `action`: one of {begins}");
            assert!(said.starts_with(&expected), "{said}");
        }
    }
}
