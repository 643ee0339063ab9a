//! What is looked for before a check, unwritten bodies and names that nothing defines, in changes that are all right: nothing is found.

use super::good::{GOOD, tasks};
use super::{Case, Project, call};
use agent_bench::tree;
use agent_protocol::{Failure, FailureKind, LeverChanges};
use serde_json::json;

/// What the look at these files, all of them new, finds.
fn found(project: &mut Project, paths: &[String], asked: &str) -> Option<String> {
    let before = vec!["new"; paths.len()];
    let check = call("check_project", json!({ "files": paths, "before": before, "asked": asked }));
    let look = project.gate.look(project.toolbox.reach(&check).unwrap().action).unwrap();
    match project.toolbox.plan(&check, look) {
        Err(Failure { kind: FailureKind::Unfinished, message }) => Some(message),
        Err(_) | Ok(_) => None,
    }
}

/// A solution is made on top of what the task begins with, as if all of it were new.
#[test]
fn nothing_is_unfinished_in_the_solutions_of_the_benchmarks_tasks() {
    let (mut told, mut all) = (Vec::new(), 0);
    for task in tasks() {
        let mut project = Project::new(&LeverChanges::default(), "none", None);
        tree::lay(&project.root, &tree::laid_over(&task.start, &task.solution)).unwrap();
        let paths: Vec<String> = task.solution.into_keys().collect();
        all += paths.len();
        let lines = found(&mut project, &paths, &task.prompt).unwrap_or_default();
        told.extend(lines.lines().map(|line| format!("{}: {line}", task.id)));
    }
    assert!(all >= 120, "{all}");
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn nothing_is_unfinished_in_good_changes() {
    let mut told = Vec::new();
    for (kind, text) in GOOD {
        for case in Case::all(text) {
            let before = case.section("before").filter(|before| !before.is_empty());
            let mut project = Project::new(&LeverChanges::default(), case.path(), before);
            project.read(case.path());
            let Ok(_) = project.make(&case.call("")) else { continue };
            let now = project.text(case.path());
            let stubs = agent_syntax::stubs_left(case.path(), before, &now, "change it");
            let names = agent_syntax::new_unknown_names(case.path(), before, &now);
            if !stubs.is_empty() || !names.is_empty() {
                told.push(format!("{kind}: {}: {stubs:?} {names:?}", case.name));
            }
        }
    }
    assert_eq!(told, Vec::<String>::new());
}
