//! Changes that are all right: none is refused, and of next to none is anything said.

use super::{Case, Project, call};
use agent_bench::embedded;
use agent_bench::task::Task;
use agent_protocol::{LeverChanges, SyntaxGate};
use serde_json::json;

use std::path::Path;

pub(super) const GOOD: [(&str, &str); 5] = [
    ("python", include_str!("good/python.txt")),
    ("script", include_str!("good/script.txt")),
    ("rust", include_str!("good/rust.txt")),
    ("go", include_str!("good/go.txt")),
    ("others", include_str!("good/others.txt")),
];

/// Remarks that need not have been made, of all.
const NEEDLESS: usize = 2;

#[test]
fn good_changes_are_made_and_next_to_nothing_is_said_of_them() {
    let levers = LeverChanges { syntax: Some(SyntaxGate::Refuse), ..LeverChanges::default() };
    let (mut refused, mut needless, mut all) = (Vec::new(), Vec::new(), 0);
    for (kind, text) in GOOD {
        let cases = Case::all(text);
        assert!(cases.len() >= 10, "{kind}");
        for case in cases {
            all += 1;
            let before = case.section("before").filter(|before| !before.is_empty());
            let mut project = Project::new(&levers, case.path(), before);
            project.read(case.path());
            match project.make(&case.call("")) {
                Ok(made) if made.outcome.changed.is_empty() => refused.push(format!("{kind}: {}: nothing", case.name)),
                Ok(made) => {
                    let remarks = made.remarks();
                    needless.extend((!remarks.is_empty()).then(|| format!("{kind}: {}: {remarks:?}", case.name)));
                }
                Err(failure) => refused.push(format!("{kind}: {}: {}", case.name, failure.message)),
            }
        }
    }
    assert!(all >= 95, "{all}");
    assert_eq!(refused, Vec::<String>::new());
    assert!(needless.len() <= NEEDLESS, "{needless:#?}");
}

/// All tasks of the benchmark that something solves, filled.
pub(super) fn tasks() -> Vec<Task> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["assets/bench/tasks", "tests/measure/small/one", "tests/measure/small/two"];
    let templates = folders.iter().flat_map(|folder| embedded::in_folder(&top.join(folder)).unwrap());
    templates.map(|task| task.fill(1).unwrap()).filter(|task| !task.solution.is_empty()).collect()
}

/// Each solution of a task is a change that somebody made with thought: a repair, a new option, a name that changes everywhere.
#[test]
fn the_solutions_of_the_benchmarks_tasks_are_made_and_next_to_nothing_is_said_of_them() {
    let levers = LeverChanges { syntax: Some(SyntaxGate::Refuse), ..LeverChanges::default() };
    let (mut refused, mut needless, mut all) = (Vec::new(), Vec::new(), 0);
    for (name, path, before, after) in solutions() {
        let Some((old, new)) = edit(&before, &after) else { continue };
        all += 1;
        let mut project = Project::new(&levers, &path, Some(&before));
        project.read(&path);
        let edit = call("edit_file", json!({ "file_path": path, "old_string": old, "new_string": new }));
        match project.make(&edit) {
            Ok(_) if project.text(&path) != after => {
                refused.push(format!("{name}: {path}: another text: {:?}", project.text(&path)));
            }
            Ok(made) => {
                let remarks = made.remarks();
                needless.extend((!remarks.is_empty()).then(|| format!("{name}: {path}: {remarks:?}")));
            }
            Err(failure) => refused.push(format!("{name}: {path}: {}", failure.message)),
        }
    }
    assert!(all >= 110, "{all}");
    assert_eq!(refused, Vec::<String>::new());
    assert!(needless.len() <= NEEDLESS, "{needless:#?}");
}

/// The files that solutions change: of which task, the path, the text before and after.
fn solutions() -> Vec<(String, String, String, String)> {
    let changed = tasks().into_iter().flat_map(|Task { id, start, solution, .. }| {
        solution.into_iter().filter_map(move |(path, after)| {
            let before = String::from_utf8(start.get(&path)?.clone()).ok()?;
            Some((id.clone(), path, before, String::from_utf8(after).ok()?))
        })
    });
    changed.collect()
}

/// The one place of `before` that is to be another text, wide enough to stand there once and to begin with a line that is not
/// blank, as models quote; `None`: nothing changes.
fn edit(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let begin = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - begin;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    if begin == old.len() && begin == new.len() {
        return None;
    }
    (0..=old.len()).find_map(|wider| {
        let (begin, end) = (begin.saturating_sub(wider), end.saturating_sub(wider));
        let part = old[begin..old.len() - end].concat();
        let is_one = !part.trim().is_empty() && !part.starts_with('\n') && before.matches(&part).count() == 1;
        is_one.then(|| (part, new[begin..new.len() - end].concat()))
    })
}
