//! What is looked for before a check, unwritten bodies and names that nothing defines, in changes that are all right: nothing is found.

use super::good::{GOOD, TASKS, files, filled, folders};
use super::{Case, Project, call};
use agent_protocol::{Failure, FailureKind, LeverChanges};
use serde_json::json;
use std::fs;
use std::path::Path;

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
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut told, mut all) = (Vec::new(), 0);
    for task in TASKS.iter().flat_map(|tasks| folders(&top.join(tasks))) {
        let mut project = Project::new(&LeverChanges::default(), "none", None);
        let about = fs::read_to_string(task.join("task.toml")).unwrap_or_default();
        let base = about.lines().find_map(|line| line.strip_prefix("base = \"")?.strip_suffix('"'));
        let base = base.map(|base| top.join("assets/bench/tasks/bases").join(base));
        let solution = task.join("solution");
        let (mut paths, mut put) = (Vec::new(), Vec::<String>::new());
        for folder in base.into_iter().chain([task.join("start"), solution.clone()]).filter(|folder| folder.is_dir()) {
            for file in files(&folder) {
                let Some(text) = filled(&file) else { continue };
                let raw = fs::read_to_string(&file).unwrap();
                put.extend(raw.split("@@").skip(1).step_by(2).map(|part| format!("x{}", part.to_lowercase())));
                let path = project.root.join(file.strip_prefix(&folder).unwrap());
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, text).unwrap();
                if folder == solution {
                    paths.push(file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        let asked = fs::read_to_string(task.join("prompt.md")).unwrap_or_default();
        all += paths.len();
        let name = task.file_name().unwrap().to_string_lossy().into_owned();
        let lines = found(&mut project, &paths, &asked).unwrap_or_default();
        // What the benchmark puts a number for is a name here.
        let lines = lines.lines().filter(|line| !put.iter().any(|put| line.contains(&format!(" {put} is used"))));
        told.extend(lines.map(|line| format!("{name}: {line}")));
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
            let stubs = agent_code::stubs_left(case.path(), before, &now, "change it");
            let names = agent_code::new_unknown_names(case.path(), before, &now);
            if !stubs.is_empty() || !names.is_empty() {
                told.push(format!("{kind}: {}: {stubs:?} {names:?}", case.name));
            }
        }
    }
    assert_eq!(told, Vec::<String>::new());
}
