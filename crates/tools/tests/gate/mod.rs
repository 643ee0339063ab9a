//! The gate over real projects: every command of the cases gets the verdict its row allows, with facts as they are.
//!
//! `fixture.sh DIR VARIANT` makes such a project; `examples/classify.rs` judges and counts.

use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../policy/tests/cases/commands.jsonl");
const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gate/fixture.sh");

/// The example is built beside the tests.
fn classify() -> PathBuf {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    deps.parent().unwrap().join("examples/classify")
}

fn verdicts(folder: &Path) -> (HashMap<String, String>, String) {
    let output = Command::new(classify()).arg(CASES).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let told = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let verdicts = rows.map(|row| (told(&row, "id"), told(&row, "verdict"))).collect();
    (verdicts, text.lines().last().unwrap_or_default().to_owned())
}

#[test]
fn every_command_of_the_cases_gets_a_verdict_that_its_row_accepts() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["plain", "optnames", "evilgit"] {
        let made = Command::new("bash").arg(FIXTURE).arg(folder.path().join(variant)).arg(variant).output().unwrap();
        assert!(made.status.success(), "git, bash and seq are needed: {}", String::from_utf8_lossy(&made.stderr));
    }
    let (verdicts, figures) = verdicts(folder.path());
    let cases = std::fs::read_to_string(CASES).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let wrong: Vec<String> = cases
        .filter_map(|case| {
            let verdict = &verdicts[case["id"].as_str().unwrap()];
            let accepted = case["accept"].as_array().unwrap().iter().any(|one| one == verdict);
            (!accepted).then(|| format!("{}: {verdict}, {}", case["id"], case["cmd"]))
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(figures, "auto-readers 61/61, must-not-auto 0/219 wrong");
}
