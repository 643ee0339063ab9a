//! Long files that are written anew on purpose, and those that are not.

use super::{Project, call};
use agent_protocol::{FailureKind, LeverChanges, SyntaxGate};
use serde_json::json;

const FUNCTIONS: usize = 60;

/// A file of 240 lines.
fn python() -> String {
    (0..FUNCTIONS).map(|at| format!("def f{at}(x):\n    return x + {at}\n\n\n")).collect()
}

/// What comes of a write of `after` over `before`: the refusal and the remarks.
fn written(path: &str, before: &str, after: &str) -> Result<Vec<String>, FailureKind> {
    let levers = LeverChanges { syntax: Some(SyntaxGate::Refuse), ..LeverChanges::default() };
    let mut project = Project::new(&levers, path, Some(before));
    project.read(path);
    let made = project.make(&call("write_file", json!({ "file_path": path, "content": after })));
    let made = made.map_err(|failure| failure.kind)?;
    assert_eq!(project.text(path), after);
    Ok(made.remarks())
}

#[test]
fn a_long_file_that_becomes_another_is_written() {
    let before = python();
    let numbered = |line: &dyn Fn(usize) -> String| (0..FUNCTIONS).map(line).collect::<String>();
    for (what, after) in [
        ("another indentation", before.replace("    ", "\t")),
        ("a method of a class each", numbered(&|at| format!("    def f{at}(self):\n        return self.x + {at}\n\n"))),
        (
            "other names and bodies",
            numbered(&|at| format!("def f{at}(value, *, more=0):\n    return value + more + {at}\n\n")),
        ),
        ("comments all over", before.replace("    return", "    # as before, and checked\n    return")),
        ("types all over", before.replace("(x):", "(x: int) -> int:")),
        (
            "twice as long",
            format!("{before}{}", numbered(&|at| format!("def g{at}(x):\n    y = x * {at}\n    return y\n\n\n"))),
        ),
    ] {
        let after = if what.starts_with("a method") { format!("class F:\n{after}") } else { after };
        assert_eq!(written("long.py", &before, &after), Ok(Vec::new()), "{what}");
    }
}

#[test]
fn long_files_of_other_kinds_that_are_made_by_programs_are_written() {
    let rows = |add: usize| (0..200).map(|at| format!("{at},{}\n", at * 3 + add)).collect::<String>();
    assert_eq!(written("rows.csv", &rows(0), &rows(1)), Ok(Vec::new()));
    let list = |key: &str| {
        let items: Vec<String> = (0..200).map(|at| format!("  \"{key}{at}\": {at}")).collect();
        format!("{{\n{}\n}}\n", items.join(",\n"))
    };
    assert_eq!(written("list.json", &list("a"), &list("b")), Ok(Vec::new()));
    assert_eq!(written("a.min.js", "a();\n", &"b({c:[1,2]});".repeat(2_000)), Ok(Vec::new()));
}

#[test]
fn a_long_file_of_which_most_stays_is_not() {
    let before = python();
    assert_eq!(written("long.py", &before, &before.replace("x + 7\n", "x - 7\n")), Err(FailureKind::NotReady));
    let lost = before.replace("def f9(x):\n    return x + 9\n\n\n", "");
    assert_eq!(written("long.py", &before, &lost), Err(FailureKind::NotReady));
    let short: String = before.split_inclusive('\n').take(100).collect();
    assert_eq!(written("long.py", &short, &short.replace("x + 7\n", "x - 7\n")), Ok(Vec::new()), "it is short");
}
