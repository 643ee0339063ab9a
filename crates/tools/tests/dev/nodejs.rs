//! `nodejs_dev`, action by action and manager by manager.

use crate::dev::house::{House, there};
use agent_protocol::Status;
use serde_json::{Value, json};

const ALL: &[&str] = &["node", "npm", "npx", "yarn", "pnpm", "bun", "bunx"];
const PACKAGE: &str = r#"{"scripts": {"test": "x", "build": "x", "lint": "x", "dev": "x", "say": "x"}}"#;

/// A project of each manager: npm, yarn 1, yarn 4, pnpm, bun.
fn houses() -> [House; 5] {
    let house = |lock: &str, text: &str| {
        let house = House::with(ALL);
        house.file("package.json", PACKAGE);
        house.file(lock, text);
        house
    };
    [
        house("package-lock.json", "{}"),
        house("yarn.lock", "# yarn lockfile v1\n"),
        house("yarn.lock", "__metadata:\n  version: 8\n"),
        house("pnpm-lock.yaml", ""),
        house("bun.lock", ""),
    ]
}

#[test]
fn every_change_of_packages_runs_these_words_with_every_manager() {
    let mut houses = houses();
    let refused = "yarn 2 and later installs nothing globally";
    let rows: &[(Value, [&str; 5])] = &[
        (json!({"action": "install"}), ["npm install", "yarn install", "yarn install", "pnpm install", "bun install"]),
        (
            json!({"action": "install", "packages": ["a"]}),
            ["npm install a", "yarn add a", "yarn add a", "pnpm add a", "bun add a"],
        ),
        (
            json!({"action": "add", "packages": ["a", "b"], "dev": false}),
            ["npm install a b", "yarn add a b", "yarn add a b", "pnpm add a b", "bun add a b"],
        ),
        (
            json!({"action": "add", "packages": ["a"], "dev": true, "args": ["--exact"]}),
            [
                "npm install --save-dev --exact a",
                "yarn add --dev --exact a",
                "yarn add --dev --exact a",
                "pnpm add --save-dev --exact a",
                "bun add --dev --exact a",
            ],
        ),
        (
            json!({"action": "add", "packages": ["a"], "global": true}),
            ["npm install --global a", "yarn global add a", refused, "pnpm add --global a", "bun add --global a"],
        ),
        (
            json!({"action": "remove", "packages": ["a"]}),
            ["npm uninstall a", "yarn remove a", "yarn remove a", "pnpm remove a", "bun remove a"],
        ),
        (
            json!({"action": "remove", "packages": ["a"], "global": true}),
            [
                "npm uninstall --global a",
                "yarn global remove a",
                refused,
                "pnpm remove --global a",
                "bun remove --global a",
            ],
        ),
        (json!({"action": "update"}), ["npm update", "yarn upgrade", "yarn up '*'", "pnpm update", "bun update"]),
        (
            json!({"action": "update", "packages": ["a"]}),
            ["npm update a", "yarn upgrade a", "yarn up a", "pnpm update a", "bun update a"],
        ),
        (
            json!({"action": "update", "global": true}),
            ["npm update --global", "yarn global upgrade", refused, "pnpm update --global", "bun update --global"],
        ),
    ];
    check(&mut houses, rows, " +net");
}

#[test]
fn so_does_every_action_that_asks_a_registry() {
    let mut houses = houses();
    let rows: &[(Value, [&str; 5])] = &[
        (
            json!({"action": "exec", "command": "create-next-app", "args": ["my-app", "--typescript"]}),
            [
                "npx --yes create-next-app my-app --typescript",
                "npx --yes create-next-app my-app --typescript",
                "yarn dlx create-next-app my-app --typescript",
                "pnpm dlx create-next-app my-app --typescript",
                "bunx create-next-app my-app --typescript",
            ],
        ),
        (
            json!({"action": "info", "packages": ["a"]}),
            ["npm view a", "yarn info a", "yarn npm info a", "pnpm view a", "bun info a"],
        ),
        (json!({"action": "audit"}), ["npm audit", "yarn audit", "yarn npm audit", "pnpm audit", "bun audit"]),
        (json!({"action": "init"}), ["npm init --yes", "yarn init --yes", "yarn init", "pnpm init", "bun init --yes"]),
        (
            json!({"action": "outdated"}),
            [
                "npm outdated",
                "yarn outdated",
                "yarn 2 and later cannot list what is outdated",
                "pnpm outdated",
                "bun outdated",
            ],
        ),
    ];
    check(&mut houses, rows, " +net");
}

#[test]
fn what_stays_here_runs_without_the_network() {
    let mut houses = houses();
    let refused = "yarn 2 and later installs nothing globally";
    let rows: &[(Value, [&str; 5])] = &[
        (
            json!({"action": "run_script", "script_name": "say"}),
            ["npm run say", "yarn run say", "yarn run say", "pnpm run say", "bun run say"],
        ),
        (
            json!({"action": "run_script", "script_name": "say", "args": ["-x", "y"]}),
            ["npm run say -- -x y", "yarn run say -x y", "yarn run say -x y", "pnpm run say -x y", "bun run say -x y"],
        ),
        (
            json!({"action": "test", "args": ["--coverage"]}),
            [
                "npm run test -- --coverage",
                "yarn run test --coverage",
                "yarn run test --coverage",
                "pnpm run test --coverage",
                "bun run test --coverage",
            ],
        ),
        (
            json!({"action": "build"}),
            ["npm run build", "yarn run build", "yarn run build", "pnpm run build", "bun run build"],
        ),
        (
            json!({"action": "lint"}),
            ["npm run lint", "yarn run lint", "yarn run lint", "pnpm run lint", "bun run lint"],
        ),
        (json!({"action": "list"}), ["npm ls", "yarn list --depth=0", "yarn info", "pnpm list", "bun pm ls"]),
        (
            json!({"action": "list", "global": true}),
            ["npm ls --global", "yarn global list", refused, "pnpm list --global", "bun pm ls --global"],
        ),
        (
            json!({"action": "run", "script": "a.js", "args": ["-x"]}),
            ["node a.js -x", "node a.js -x", "node a.js -x", "node a.js -x", "bun a.js -x"],
        ),
        (
            json!({"action": "custom", "command": "pkg get name"}),
            ["npm pkg get name", "yarn pkg get name", "yarn pkg get name", "pnpm pkg get name", "bun pkg get name"],
        ),
        (json!({"action": "custom", "command": "node --version"}), ["node --version"; 5]),
    ];
    check(&mut houses, rows, "");
}

fn check(houses: &mut [House; 5], rows: &[(Value, [&str; 5])], net: &str) {
    for (arguments, expected) in rows {
        for (house, expected) in houses.iter_mut().zip(expected) {
            let planned = house.planned("nodejs_dev", arguments);
            if expected.starts_with("yarn 2 and later ") {
                assert!(planned.starts_with(&format!("InvalidArguments: {expected}")), "{planned}");
            } else {
                assert_eq!(planned, format!("{expected}{net}"), "{arguments}");
            }
        }
    }
}

#[test]
fn the_manager_is_the_one_of_the_folder_or_of_those_above() {
    for (files, program) in [
        (&[][..], "npm"),
        (&[("package-lock.json", "")], "npm"),
        (&[("npm-shrinkwrap.json", "")], "npm"),
        (&[("yarn.lock", "")], "yarn"),
        (&[("pnpm-lock.yaml", "")], "pnpm"),
        (&[("bun.lockb", "")], "bun"),
        (&[("bun.lock", "")], "bun"),
        (&[("package.json", r#"{"packageManager": "pnpm@9.1.0"}"#), ("yarn.lock", "")], "pnpm"),
        (&[("package.json", r#"{"packageManager": "other@1"}"#), ("yarn.lock", "")], "yarn"),
        (&[("package.json", "{"), ("bun.lock", "")], "bun"),
        (&[("deep/er/package.json", "{}"), ("pnpm-lock.yaml", "")], "pnpm"),
        (&[("deep/er/yarn.lock", ""), ("pnpm-lock.yaml", "")], "yarn"),
    ] {
        let mut house = House::with(ALL);
        house.file("deep/er/x", "");
        files.iter().for_each(|(name, text)| house.file(name, text));
        let call = json!({"action": "install", "path": "deep/er"});
        assert_eq!(house.planned("nodejs_dev", &call), format!("{program} install +net"), "{files:?}");
    }
}

#[test]
fn yarns_edition_is_told_by_what_it_leaves() {
    for (files, exec) in [
        (&[("yarn.lock", "# yarn lockfile v1\n")][..], "npx --yes x"),
        (&[("yarn.lock", "__metadata:\n")], "yarn dlx x"),
        (&[("yarn.lock", ""), (".yarnrc.yml", "")], "yarn dlx x"),
        (&[("package.json", r#"{"packageManager": "yarn@4.1.0"}"#)], "yarn dlx x"),
        (&[("package.json", r#"{"packageManager": "yarn@1.22.22"}"#)], "npx --yes x"),
    ] {
        let mut house = House::with(ALL);
        files.iter().for_each(|(name, text)| house.file(name, text));
        assert_eq!(
            house.planned("yarn", &json!({"action": "exec", "command": "x"})),
            format!("{exec} +net"),
            "{files:?}"
        );
    }
}

#[test]
fn a_file_comes_before_a_script_of_the_same_name() {
    let mut house = House::with(ALL);
    house.file("package.json", PACKAGE);
    let run = json!({"action": "run", "script": "build"});
    assert_eq!(house.planned("nodejs_dev", &run), "npm run build");
    house.file("build", "");
    assert_eq!(house.planned("nodejs_dev", &run), "node build");
    assert_eq!(house.planned("nodejs_dev", &json!({"action": "run", "script_name": "build"})), "npm run build");
    // What has a script of its own may be told of a file.
    assert_eq!(
        house.planned("nodejs_dev", &json!({"action": "test", "script": "a.test.js"})),
        "npm run test -- a.test.js"
    );
    assert_eq!(house.planned("nodejs_dev", &json!({"action": "test", "script": "say"})), "npm run say");
}

#[test]
fn a_script_that_is_not_there_is_answered_with_those_that_are() {
    let mut house = House::with(ALL);
    let start = json!({"action": "run_script", "script_name": "start"});
    let test = json!({"action": "test"});
    assert_eq!(
        house.planned("npm", &start),
        "NotFound: there is no package.json that could be read here or above; give the `directory` it is in, or make one \
         with action init"
    );
    house.file("package.json", r#"{"scripts": {"build": "x", "serve": "x"}}"#);
    assert_eq!(
        house.planned("npm", &start),
        "InvalidArguments: package.json has no script \"start\"; its scripts are build, serve; give one of them as \
         `script_name` to run_script, or use action exec to run a program of a package"
    );
    assert!(house.planned("npm", &test).contains("no script \"test\""));
    assert_eq!(house.planned("bun", &test), "bun test");
}

#[test]
fn clean_names_what_it_removes_and_removes_nothing_else() {
    let mut house = House::with(ALL);
    let clean = json!({"action": "clean"});
    assert_eq!(house.planned("nodejs_dev", &clean), "looks");
    for name in ["yarn.lock", "bun.lock", "npm-shrinkwrap.json", "package.json", ".gitignore"] {
        house.file(name, "node_modules\n");
    }
    // A link is removed, not what it leads to.
    std::os::unix::fs::symlink("/", house.root.join("node_modules")).unwrap();
    assert_eq!(house.planned("nodejs_dev", &clean), "rm -rf -- node_modules yarn.lock bun.lock");
    assert_eq!(house.preview("nodejs_dev", &clean).title, "Remove node_modules, yarn.lock, bun.lock");
}

#[tokio::test]
async fn a_cleaned_package_keeps_all_that_is_its_own() {
    let mut house = House::real();
    for name in ["node_modules/a/index.js", "package-lock.json", "package.json", "src/a.js", "src/node_modules/b.js"] {
        house.file(name, "{}");
    }
    assert_eq!(house.done("nodejs_dev", &json!({"action": "clean"})).await, "exit code 0, no output");
    let there = |name: &str| house.root.join(name).exists();
    assert!(!there("node_modules") && !there("package-lock.json"));
    assert!(there("package.json") && there("src/a.js") && there("src/node_modules/b.js"));
}

#[test]
fn what_an_action_cannot_do_without_is_named() {
    let mut house = House::with(ALL);
    for (action, lacking) in [
        ("run", "script"),
        ("add", "packages"),
        ("remove", "packages"),
        ("info", "packages"),
        ("run_script", "script_name"),
        ("exec", "command"),
        ("custom", "command"),
    ] {
        let expected = format!(
            "InvalidArguments: nodejs_dev {action} needs `{lacking}`; for example {{\"action\": \"{action}\", "
        );
        let planned = house.planned("nodejs_dev", &json!({"action": action}));
        assert!(planned.starts_with(&expected), "{planned}");
    }
    let both = json!({"action": "add", "packages": ["a"], "dev": true, "global": true});
    assert!(house.planned("nodejs_dev", &both).contains("are two places"));
    let option = json!({"action": "exec", "command": "--call=x"});
    assert!(house.planned("nodejs_dev", &option).contains("is the program, not an option"));
}

#[tokio::test]
async fn node_runs_a_file() {
    if !there("node", "nodejs") {
        return;
    }
    let mut house = House::real();
    house.file("a.js", "console.log(process.argv.slice(2)); process.exit(3)");
    let outcome = house.run("node", &json!({"action": "run", "script": "a.js", "args": ["one two"]})).await;
    assert_eq!(
        (outcome.status, outcome.told.as_str()),
        (Status::Exited { code: Some(3) }, "exit code 3\n[ 'one two' ]\n")
    );
}

#[tokio::test]
async fn npm_does_what_needs_no_network() {
    if !there("npm", "npm") {
        return;
    }
    let mut house = House::real();
    house.done("npm", &json!({"action": "init"})).await;
    assert!(house.root.join("package.json").exists());
    house.file("package.json", r#"{"name": "x", "scripts": {"say": "echo said", "test": "node t.js"}}"#);
    house.file("t.js", "console.log('tested', process.argv[2])");
    house.file("other/package.json", r#"{"name": "other", "version": "1.2.3"}"#);
    assert!(house.done("npm", &json!({"action": "run_script", "script": "say"})).await.contains("\nsaid\n"));
    assert!(house.done("npm", &json!({"action": "test", "args": ["--fast"]})).await.contains("tested --fast"));
    let add = json!({"action": "add", "packages": ["./other"]});
    house.done("npm", &add).await;
    assert!(house.root.join("node_modules/other/package.json").exists());
    assert!(house.done("npm", &json!({"action": "list"})).await.contains("other@1.2.3"));
    house.done("npm", &json!({"action": "clean"})).await;
    assert!(!house.root.join("node_modules").exists() && !house.root.join("package-lock.json").exists());
    assert!(house.root.join("other/package.json").exists(), "what a link led to stays");
    house.done("npm", &json!({"action": "install"})).await;
    let remove = json!({"action": "remove", "packages": ["other"]});
    house.done("npm", &remove).await;
    assert!(!house.root.join("node_modules/other").exists());
    let name = json!({"action": "custom", "command": "pkg get name"});
    assert!(house.done("npm", &name).await.contains("\"x\""));
}
