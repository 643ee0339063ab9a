//! A pattern with a slash that is not noticed, in Rust: few files, some of them long.

use super::project::{Project, cargo_test, prose, rust, with};
use super::{Session, does, edit, needing, read, read_at, run, says, search, search_in};

const ENSURE: &str = "/// A pattern with a separator never matches a name.\nfn ensure_no_separator(pattern: &str, and: &[String]) -> \
                      Result<(), String> {\n    if pattern.contains('/') {\n        return Err(format!(\"the search pattern \
                      '{pattern}' contains a path separator\"));\n    }\n    Ok(())\n}\n\n";
const TEST: &str = "/// A pattern with a slash is refused.\n#[test]\nfn test_pattern_with_slash() {\n    let environment = \
                    TestEnv::new();\n    environment.assert_failure(&[\"a/b\"]);\n}\n\n";

pub(crate) fn session() -> Session {
    let (main, tests) = ("src/main.rs", "tests/tests.rs");
    Session {
        name: "fd",
        project: project(),
        window: 65_536,
        says: vec!["`--and` takes a pattern with a slash without a word; it should be refused like the first pattern."],
        course: vec![
            does(search("path separator|and_patterns|exprs")),
            needing(
                &["if pattern.contains('/')"],
                &[read_at(main, "fn ensure_no_separator(", 20), read(main)],
                edit(
                    main,
                    "    if pattern.contains('/') {\n        return Err(format!(\"the search pattern '{pattern}' contains",
                    "    for pattern in std::iter::once(pattern).chain(and.iter().map(String::as_str)).filter(|it| it.contains('/')) {\n        \
                 return Err(format!(\"the search pattern '{pattern}' contains",
                ),
            ),
            does(search_in("fn test_pattern", tests)),
            needing(
                &["&[\"a/b\"]"],
                &[read_at(tests, "fn test_pattern_with_slash(", 30)],
                edit(
                    tests,
                    "    environment.assert_failure(&[\"a/b\"]);\n",
                    "    environment.assert_failure(&[\"a/b\"]);\n    environment.assert_failure(&[\"a\", \"--and\", \"c/d\"]);\n",
                ),
            ),
            does(run("sh run_tests.sh")),
            says("Each pattern of `--and` is looked at like the first one, and a test holds it."),
        ],
        summary: "## Goal\nrefuse it\n\n## Open\n- go on",
        wanted: vec![(main.into(), "chain(and.iter()".into()), (tests.into(), "\"--and\", \"c/d\"".into())],
    }
}

fn project() -> Project {
    let mut project = Project::default();
    project.add("src/main.rs", with(&rust("main", 46), "fn main_buffer_14(", ENSURE));
    project.add("src/cli.rs", rust("cli", 90) + "/// exprs: all and_patterns\nstruct Exprs;\n");
    project.add("src/walk.rs", rust("walk", 70));
    project.add("tests/tests.rs", with(&rust("tests", 230), "fn tests_handler_102(", TEST));
    for at in 0..8 {
        project.add(format!("src/exec/part_{at}.rs"), rust(&format!("part{at}"), 12));
    }
    project.add("README.md", prose("Finding files", 60));
    project.add("run_tests.sh", cargo_test(300));
    project
}
