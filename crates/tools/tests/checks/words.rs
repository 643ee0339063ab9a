//! The exact words of every program, as tables.

use crate::checks::support::Project;
use serde_json::{Value, json};

const ALL: &[&str] = &[
    "cargo",
    "cargo-clippy",
    "cargo-nextest",
    "pytest",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "go",
    "mvn",
    "gradle",
    "make",
    "ruff",
    "pylint",
    "eslint",
    "golangci-lint",
    "shellcheck",
    "black",
    "rustfmt",
];
const CARGO: (&str, &str) = ("Cargo.toml", "[package]\nname = \"a\"\nedition = \"2021\"\n");
const GO: (&str, &str) = ("go.mod", "module a\n");

fn package(script: &str) -> String {
    json!({ "scripts": { "test": script } }).to_string()
}

/// Files, arguments, and what is started; every program is there.
type Row<'a> = (&'a [(&'a str, &'a str)], Value, &'a str);

fn check(tool: &str, programs: &[&str], rows: &[Row<'_>]) {
    let mut faults = String::new();
    for (files, arguments, expected) in rows {
        let words = Project::with_programs(files, programs).words(tool, arguments.clone());
        if words != *expected {
            faults.push_str(&format!("{files:?} {arguments}\n  expected {expected}\n  found    {words}\n"));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn each_test_program_is_found_by_its_files() {
    let (jest, mocha) = (package("jest --ci"), package("mocha"));
    let node = |lock: &'static str| [("package.json", jest.as_str()), (lock, "")];
    let none = json!({});
    check(
        "test_runner",
        ALL,
        &[
            (&[CARGO], none.clone(), "cargo test --no-fail-fast"),
            (&[CARGO, (".config/nextest.toml", "")], none.clone(), "cargo nextest run --no-fail-fast"),
            (&[("pytest.ini", "")], none.clone(), "pytest -q --tb=short -rfE --color=no"),
            (&[("pyproject.toml", "")], none.clone(), "pytest -q --tb=short -rfE --color=no"),
            (&[("tests/test_a.py", "")], none.clone(), "pytest -q --tb=short -rfE --color=no"),
            (&[("package.json", &jest)], none.clone(), "npm test"),
            (&node("package-lock.json"), none.clone(), "npm test"),
            (&node("pnpm-lock.yaml"), none.clone(), "pnpm test"),
            (&node("yarn.lock"), none.clone(), "yarn test"),
            (&node("bun.lockb"), none.clone(), "bun run test"),
            (&[GO], none.clone(), "go test -v ./..."),
            (&[("pom.xml", "")], none.clone(), "mvn -B test -Dsurefire.failIfNoSpecifiedTests=false"),
            (&[("pom.xml", ""), ("mvnw", "")], none.clone(), "$P/mvnw -B test -Dsurefire.failIfNoSpecifiedTests=false"),
            (&[("build.gradle", "")], none.clone(), "gradle test --continue --no-daemon --console=plain"),
            (&[("gradlew", "")], none.clone(), "$P/gradlew test --continue --no-daemon --console=plain"),
            (&[("Makefile", "all:\n\ntest: all\n\ttrue\n")], none.clone(), "make test"),
            (&[("Makefile", "check test-x:\n")], none.clone(), "make check"),
            (&[("package.json", &mocha)], json!({"pattern": "adds"}), "npm test -- -g adds"),
        ],
    );
}

#[test]
fn names_folders_and_more_words_are_given_as_each_program_takes_them() {
    let (jest, node, other) = (package("jest"), package("node --test"), package("./run-tests"));
    let sub = ("api/Cargo.toml", "[package]\n");
    check(
        "test_runner",
        ALL,
        &[
            (&[CARGO], json!({"pattern": "adds"}), "cargo test --no-fail-fast adds"),
            (&[CARGO], json!({"args": ["--release"]}), "cargo test --no-fail-fast --release"),
            (&[CARGO, sub], json!({"path": "api"}), "api: cargo test --no-fail-fast"),
            (&[CARGO, ("src/a.rs", "")], json!({"path": "src"}), "cargo test --no-fail-fast"),
            (&[CARGO, ("tests/a.rs", "")], json!({"path": "tests/a.rs"}), "cargo test --no-fail-fast --test a"),
            (
                &[CARGO, ("tests/a/main.rs", "")],
                json!({"file": "tests/a/main.rs"}),
                "cargo test --no-fail-fast --test a",
            ),
            (
                &[("setup.py", ""), ("tests/test_a.py", "")],
                json!({"path": "tests/test_a.py", "pattern": "adds"}),
                "pytest -q --tb=short -rfE --color=no tests/test_a.py -k adds",
            ),
            (
                &[("setup.py", ""), (".venv/bin/pytest", "")],
                json!({}),
                "$P/.venv/bin/pytest -q --tb=short -rfE --color=no",
            ),
            (&[("package.json", &jest)], json!({"testName": "adds"}), "npm test -- -t adds"),
            (&[("package.json", &jest), ("yarn.lock", "")], json!({"filter": "a b"}), "yarn test -t a b"),
            (&[("package.json", &node)], json!({"pattern": "adds"}), "npm test -- --test-name-pattern=adds"),
            (&[("package.json", &jest), ("a.test.js", "")], json!({"path": "a.test.js"}), "npm test -- a.test.js"),
            (
                &[("package.json", &other)],
                json!({"pattern": "adds"}),
                "InvalidArguments: how `./run-tests` takes the name of a test is not known; give what it takes as `args`, or \
             leave `pattern` out",
            ),
            (&[GO, ("a/b_test.go", "")], json!({"path": "a", "pattern": "Adds"}), "go test -v -run Adds ./a/..."),
            (&[GO, ("a/b_test.go", "")], json!({"path": "a/b_test.go"}), "go test -v ./a"),
            (
                &[("pom.xml", "")],
                json!({"pattern": "SumsTest"}),
                "mvn -B test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=SumsTest",
            ),
            (
                &[("pom.xml", "")],
                json!({"pattern": "adds"}),
                "mvn -B test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=*#*adds*",
            ),
            (
                &[("gradlew", "")],
                json!({"pattern": "adds"}),
                "$P/gradlew test --continue --no-daemon --console=plain --tests *adds*",
            ),
            (
                &[("Makefile", "test:\n")],
                json!({"pattern": "adds"}),
                "InvalidArguments: make takes no name of a test; give what it takes as `args`, or leave `pattern` out",
            ),
        ],
    );
}

#[test]
fn what_begins_with_a_dash_is_no_option() {
    let refused = "InvalidArguments: `pattern` is a part of the names of tests, and \"--x\" would be taken for an option; \
        give options as `args`";
    let (jest, other) = (package("jest"), package("./run-tests"));
    let pattern = || json!({"pattern": "--x"});
    let script = [("package.json", other.as_str())];
    let nextest = [CARGO, (".config/nextest.toml", "")];
    let each: [&[(&str, &str)]; 9] = [
        &[CARGO],
        &nextest,
        &[("setup.py", "")],
        &[("package.json", &jest)],
        &script,
        &[GO],
        &[("pom.xml", "")],
        &[("gradlew", "")],
        &[("Makefile", "test:\n")],
    ];
    let rows: Vec<Row<'_>> = each.into_iter().map(|files| (files, pattern(), refused)).collect();
    check("test_runner", ALL, &rows);
    check(
        "test_runner",
        ALL,
        &[
            (
                &[("setup.py", ""), ("-p evil.py", "")],
                json!({"path": "-p evil.py"}),
                "pytest -q --tb=short -rfE --color=no ./-p evil.py",
            ),
            (&[("package.json", &jest), ("-x/a.js", "")], json!({"path": "-x"}), "npm test -- ./-x"),
            (&[CARGO, ("tests/-x.rs", "")], json!({"path": "tests/-x.rs"}), "cargo test --no-fail-fast --test=-x"),
            (&[GO, ("-x/a_test.go", "")], json!({"path": "-x"}), "go test -v ./-x/..."),
        ],
    );
    let (ruff, pylint) = (format!("{RUFF} ./-x.py"), format!("{PYLINT} ./-x.py"));
    check(
        "lint_code",
        ALL,
        &[
            (&[("setup.py", ""), ("-x.py", "")], json!({"path": "-x.py"}), &ruff),
            (&[(".pylintrc", ""), ("-x.py", "")], json!({"path": "-x.py"}), &pylint),
            (
                &[("package.json", ""), ("-x.js", "")],
                json!({"path": "-x.js"}),
                "eslint --format stylish --no-color ./-x.js",
            ),
            (&[GO, ("-x/a.go", "")], json!({"path": "-x"}), "golangci-lint run ./-x/..."),
        ],
    );
}

#[test]
fn of_several_the_nearest_is_taken_unless_another_is_named() {
    let jest = package("jest");
    let make = ("Makefile", "test:\n");
    check(
        "test_runner",
        ALL,
        &[
            (&[CARGO, make], json!({}), "cargo test --no-fail-fast"),
            (&[CARGO, make], json!({"framework": "make"}), "make test"),
            (&[CARGO], json!({"framework": "cargo-nextest"}), "cargo nextest run --no-fail-fast"),
            (&[CARGO, ("web/package.json", &jest)], json!({"path": "web"}), "web: npm test"),
            (&[CARGO, ("web/package.json", &jest)], json!({}), "cargo test --no-fail-fast"),
            (&[("package.json", &jest), ("yarn.lock", "")], json!({"framework": "jest"}), "yarn test"),
            (&[CARGO, ("py/test_a.py", "")], json!({"path": "py"}), "py: pytest -q --tb=short -rfE --color=no"),
            (
                &[CARGO, ("setup.py", ""), ("test_a.py", "")],
                json!({"path": "test_a.py"}),
                "pytest -q --tb=short -rfE --color=no test_a.py",
            ),
            (
                &[("package.json", r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#), make],
                json!({}),
                "make test",
            ),
        ],
    );
}

#[test]
fn what_is_not_there_is_said() {
    check(
        "test_runner",
        &[],
        &[
            (
                &[CARGO],
                json!({}),
                "NotInstalled: cargo is not installed, or not on the PATH; install it with: https://rustup.rs",
            ),
            (
                &[("setup.py", "")],
                json!({}),
                "NotInstalled: pytest is not installed, or not on the PATH; install it with: pip install pytest",
            ),
            (
                &[("a.txt", "")],
                json!({}),
                "NotFound: nothing in . or above it says how tests are run (Cargo.toml, pyproject.toml or test_*.py, \
             package.json with a test script, go.mod, pom.xml, gradlew, Makefile with a test target); give another path, or \
             use run_command",
            ),
            (
                &[CARGO],
                json!({"framework": "rspec"}),
                "InvalidArguments: no framework \"rspec\" is known; give one of cargo, nextest, pytest, npm, pnpm, yarn, bun, go, \
             maven, gradle, make, or run the tests with run_command",
            ),
        ],
    );
}

#[test]
fn what_cannot_be_linted_or_formatted_is_said() {
    check(
        "lint_code",
        &[],
        &[
            (
                &[("a.sh", "")],
                json!({"path": "a.sh"}),
                "NotInstalled: shellcheck is not installed, or not on the PATH; install it with: apt install shellcheck",
            ),
            (
                &[("a.py", "")],
                json!({"path": "a.py"}),
                "NotInstalled: ruff is not installed, or not on the PATH; install it with: pip install ruff",
            ),
            (
                &[("a.txt", "")],
                json!({}),
                "InvalidArguments: no linter is known for .; known are those of Rust, Python, JavaScript, TypeScript, Go and \
             shell: run others with run_command",
            ),
            (
                &[("a.rs", "")],
                json!({"fix": true}),
                "InvalidArguments: `fix` is not possible here: lint_code changes nothing: use format_code, edit what it finds, or \
             run the linter with run_command",
            ),
        ],
    );
    check(
        "format_code",
        &[],
        &[
            (
                &[("a.rs", "")],
                json!({"path": "a.rs"}),
                "NotInstalled: rustfmt is not installed, or not on the PATH; install it with: rustup component add rustfmt",
            ),
            (
                &[("a.txt", "")],
                json!({"path": "a.txt"}),
                "InvalidArguments: no formatter is known for a.txt; known are those of Rust, Go, Python, JavaScript, TypeScript, \
             CSS, HTML, JSON, Markdown, YAML, C, C++, Java and shell",
            ),
            (
                &[("a.txt", "")],
                json!({"path": "."}),
                "NotFound: no file there has a known formatter; give the path of a file",
            ),
        ],
    );
}

const RUFF: &str = "ruff check --output-format=concise --no-cache";
const PYLINT: &str = "pylint --score=n --reports=n --recursive=y --msg-template={path}:{line}:{column}: {msg_id} {msg} \
    ({symbol})";

#[test]
fn each_linter_is_found_by_its_files() {
    let with = |words: &str, more: &str| format!("{words} {more}");
    let (ruff, pylint) = (with(RUFF, "."), with(PYLINT, "a.py"));
    let clippy = "cargo clippy --all-targets --message-format=short";
    check(
        "lint_code",
        ALL,
        &[
            (&[CARGO, ("src/a.rs", "")], json!({"path": "src/a.rs"}), clippy),
            (&[CARGO], json!({"args": ["--no-deps"]}), &with(clippy, "--no-deps")),
            (&[("setup.py", ""), ("a.py", "")], json!({}), &ruff),
            (&[(".pylintrc", ""), ("a.py", "")], json!({"path": "a.py"}), &pylint),
            (&[("a.py", "")], json!({"path": "a.py", "linter": "pylint"}), &pylint),
            (&[("package.json", ""), ("a.ts", "")], json!({"path": "a.ts"}), "eslint --format stylish --no-color a.ts"),
            (
                &[("package.json", ""), ("a.js", ""), ("node_modules/.bin/eslint", "")],
                json!({}),
                "$P/node_modules/.bin/eslint --format stylish --no-color .",
            ),
            (&[GO, ("a/a.go", "")], json!({"path": "a"}), "golangci-lint run ./a/..."),
            (&[GO, ("a/a.go", "")], json!({"path": "a/a.go", "linter": "go vet"}), "go vet ./a"),
            (&[("b.sh", ""), ("a/c.bash", "")], json!({}), "shellcheck -f gcc a/c.bash b.sh"),
            (&[("-x.sh", "")], json!({"path": "-x.sh", "args": ["-S", "error"]}), "shellcheck -f gcc -S error ./-x.sh"),
        ],
    );
    check(
        "lint_code",
        &["go", "pylint"],
        &[(&[GO, ("a.go", "")], json!({}), "go vet ./..."), (&[("a.py", "")], json!({"path": "a.py"}), &pylint)],
    );
}

#[test]
fn a_formatter_of_the_project_is_asked_about() {
    let ours = "node_modules/.bin/prettier";
    check(
        "format_code",
        &["prettier"],
        &[
            (&[("a.ts", "x"), (ours, "")], json!({"path": "a.ts"}), "$P/node_modules/.bin/prettier --write $P/a.ts"),
            (
                &[("a.ts", "x"), (ours, "")],
                json!({"path": "a.ts", "check": true}),
                "$P/node_modules/.bin/prettier --check $P/a.ts",
            ),
            (&[("a.ts", "x"), ("prettier.config.js", "")], json!({"path": "a.ts"}), "prettier --write $P/a.ts"),
            (
                &[("a.ts", "x"), (".prettierrc", "plugins: [./x.js]")],
                json!({"path": "a.ts"}),
                "prettier --write $P/a.ts",
            ),
            (
                &[("src/a.ts", "x"), (".prettierrc", "./mine.js # a: b"), ("src/package.json", "{}")],
                json!({"path": "src/a.ts"}),
                "src: prettier --write $P/src/a.ts",
            ),
            (
                &[("a.ts", "x"), (".prettierrc.json", r#"{"plu\u0067ins": ["./x.js"]}"#)],
                json!({"path": "a.ts"}),
                "prettier --write $P/a.ts",
            ),
            (
                &[("a.ts", "x"), ("package.json", r#"{"prettier": "@x/shared"}"#)],
                json!({"path": "a.ts"}),
                "prettier --write $P/a.ts",
            ),
        ],
    );
    check(
        "format_code",
        &[],
        &[(&[("a.py", "x"), (".venv/bin/black", "")], json!({"path": "a.py"}), "$P/.venv/bin/black -q $P/a.py")],
    );
}
