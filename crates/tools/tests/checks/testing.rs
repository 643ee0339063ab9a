//! Tests that really run.

use crate::checks::support::{Project, there};
use agent_protocol::{Action, Status};
use serde_json::json;

const CARGO: &str = "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const LIB: &str =
    "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n
#[test]\nfn adds_wrong() {\n    assert_eq!(add(2, 2), 5, \"two and two\");\n}\n";

#[tokio::test(flavor = "multi_thread")]
async fn cargo_tells_the_failing_test_and_its_line() {
    let workspace = ("Cargo.toml", "[workspace]\nmembers = [\"sums\"]\nresolver = \"2\"\n");
    let mut project =
        Project::new(&[workspace, ("sums/Cargo.toml", CARGO), ("sums/src/lib.rs", LIB), ("sums/Makefile", "test:\n")]);
    let (preview, outcome) = project.done("test_runner", json!({"path": "sums"})).await.unwrap();
    assert_eq!(preview.title, "Test with cargo test in sums");
    assert_eq!(outcome.status, Status::Exited { code: Some(101) });
    assert_eq!(
        outcome.told,
        "exit code 101\ncargo test in sums: 1 passed, 1 failed; there is also make test\n\
         failed: adds_wrong (sums/src/lib.rs:12)\n  assertion `left == right` failed: two and two\n    left: 4\n   right: 5"
    );
    assert!(outcome.summary.starts_with("1 passed, 1 failed · exit 101 · "), "{}", outcome.summary);
    assert_eq!(
        project
            .told("test_runner", json!({"path": "sums", "pattern": "adds", "args": ["--", "--skip", "wrong"]}))
            .await,
        "exit code 0\ncargo test in sums: 1 passed; there is also make test"
    );
    assert_eq!(
        project.told("test_runner", json!({"path": "sums", "pattern": "nothing"})).await,
        "exit code 0\ncargo test in sums: no test ran; there is also make test\nno test has \"nothing\" in its name"
    );
    project.sh("echo 'fn broken() -> i32 { \"a\" }' > sums/src/lib.rs");
    let told = project.told("test_runner", json!({"path": "sums"})).await;
    assert!(
        told.contains(
            "1 error before any test ran; there is also make test\nerror[E0308]: mismatched types (sums/src/lib.rs:1)"
        ),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nextest_does_where_the_project_is_set_up_for_it() {
    if !there(&["cargo nextest --version"]) {
        return;
    }
    let mut project = Project::new(&[("Cargo.toml", CARGO), ("src/lib.rs", LIB), (".config/nextest.toml", "")]);
    assert_eq!(
        project.told("test_runner", json!({})).await,
        "exit code 100\ncargo nextest: 1 passed, 1 failed\nfailed: sums adds_wrong (src/lib.rs:12)\n  \
         assertion `left == right` failed: two and two\n    left: 4\n   right: 5"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_make_says_is_read_if_it_is_known_and_shown_if_not() {
    let mut project = Project::new(&[("Makefile", "test:\n\t@echo all is well; exit $(CODE)\nCODE = 0\n")]);
    assert_eq!(
        project.told("test_runner", json!({})).await,
        "exit code 0\nmake test\nwhat it said could not be read as results of tests; its end:\nall is well"
    );
    let told = project.told("test_runner", json!({"args": ["CODE=3"]})).await;
    assert!(told.starts_with("exit code 2\nmake test\nwhat it said could not be read"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pytest_tells_the_failing_test_and_its_line() {
    if !there(&["pytest --version"]) {
        return;
    }
    let text = "def test_adds():\n    assert 1 + 2 == 3\n\n\ndef test_wrong():\n    assert 2 + 2 == 5\n";
    let mut project = Project::new(&[("api/tests/test_sums.py", text)]);
    assert_eq!(
        project.told("test_runner", json!({"path": "api"})).await,
        "exit code 1\npytest in api: 1 passed, 1 failed\nfailed: tests/test_sums.py::test_wrong (api/tests/test_sums.py:6)\n  \
         assert (2 + 2) == 5"
    );
    assert_eq!(
        project.told("test_runner", json!({"path": "api", "pattern": "nothing"})).await,
        "exit code 5\npytest in api: no test ran\nno test has \"nothing\" in its name"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn node_tells_the_failing_test_and_its_line() {
    if !there(&["node --version", "npm --version"]) {
        return;
    }
    let text = "const test = require('node:test');\nconst assert = require('node:assert');\n\
        test('adds', () => { assert.strictEqual(1 + 2, 3); });\n\
        test('adds wrong', () => { assert.strictEqual(2 + 2, 5); });\n";
    let package = r#"{ "name": "sums", "version": "1.0.0", "scripts": { "test": "node --test" } }"#;
    let mut project = Project::new(&[("package.json", package), ("sums.test.js", text)]);
    let told = project.told("test_runner", json!({})).await;
    assert!(
        told.starts_with("exit code 1\nnpm test: 1 passed, 1 failed\nfailed: adds wrong (sums.test.js:4)\n"),
        "{told}"
    );
    assert!(told.contains("4 !== 5"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn go_tells_the_failing_test_and_its_line() {
    if !there(&["go version"]) {
        return;
    }
    let text = "package deep\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {}\n\nfunc TestWrong(t *testing.T) {\n\
        \tt.Errorf(\"got %d\", 4)\n}\n";
    let mut project = Project::new(&[("go.mod", "module sums\n\ngo 1.19\n"), ("deep/a_test.go", text)]);
    assert_eq!(
        project.told("test_runner", json!({})).await,
        "exit code 1\ngo test: 1 passed, 1 failed\nfailed: TestWrong (deep/a_test.go:8)\n  a_test.go:8: got 4"
    );
}

#[test]
fn tests_are_run_without_a_shell_and_may_take_their_time() {
    let mut project = Project::with_programs(&[("Cargo.toml", CARGO)], &["cargo"]);
    let mut seconds = |arguments| {
        let (job, _) = project.planned("run_tests", arguments).unwrap();
        let Action::Run { timeout_secs, .. } = job.action() else { panic!("it runs something") };
        timeout_secs
    };
    assert_eq!(seconds(json!({})), 600);
    assert_eq!(seconds(json!({"timeout": 30})), 30);
    assert_eq!(seconds(json!({"timeout_ms": 90_000})), 90);
}
