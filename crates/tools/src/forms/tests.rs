//! What the arguments of a call mean, where they have another tool's form.

use super::*;
use crate::tools;
use serde_json::json;

/// Which tool takes it instead, and with what.
fn read(tool: &str, called: &str, given: Value) -> Option<(&'static str, Value)> {
    let form = tools::forms().into_iter().find(|form| form.tool == tool).unwrap();
    instead(form, called, &given).unwrap().map(|instead| (instead.tool, instead.arguments))
}

#[test]
fn several_edits_are_made_together_and_one_is_the_tools_own() {
    let edits = json!([{"old": "a", "new": "b"}, {"old": "c", "new": "d"}]);
    let several = Some(("multi_edit", json!({"operations": edits, "path": "x"})));
    assert_eq!(read("edit_file", "edit", json!({"path": "x", "edits": edits})), several);
    assert_eq!(read("edit_file", "edit", json!({"path": "x", "edits": edits.to_string()})), several);
    assert_eq!(read("edit_file", "edit", json!({"path": "x", "edits": [{"old": "a", "new": "b"}]})), None);
    let beside = json!({"path": "x", "edits": edits, "old_string": "e", "new_string": "f"});
    assert_eq!(read("edit_file", "edit", beside), None, "which of them comes first?");
}

#[test]
fn patches_are_told_by_what_they_hold_and_a_quoted_text_by_itself() {
    let block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";
    let patch = Some(("apply_patch", json!({"patch": block, "path": "x"})));
    assert_eq!(read("edit_file", "replace_in_file", json!({"path": "x", "diff": block})), patch);
    assert_eq!(read("write_file", "write", json!({"path": "x", "diff": block})), patch);
    assert_eq!(read("write_file", "write", json!({"path": "x", "content": block})), None);
    assert_eq!(read("edit_file", "edit", json!({"path": "x", "old_string": "a", "new_string": block})), None);
    assert_eq!(read("edit_file", "edit", json!(block)), Some(("apply_patch", json!({"patch": block}))));
    assert_eq!(
        read("edit_file", "edit", json!({"path": "x", "edits": [block, block]})),
        Some(("apply_patch", json!({"patch": format!("{block}\n{block}"), "path": "x"})))
    );
}

#[test]
fn several_paths_are_read_together() {
    let together = |extra: Value| Some(("read_many_files", extra));
    let paths = json!(["a", "b"]);
    assert_eq!(read("read_file", "read", json!({"paths": paths})), together(json!({"paths": ["a", "b"]})));
    assert_eq!(read("read_file", "read", json!({"path": "[\"a\", \"b\"]"})), together(json!({"paths": ["a", "b"]})));
    assert_eq!(
        read("read_file", "read", json!({"files": [{"path": "a"}, {"path": "b"}]})),
        together(json!({"paths": ["a", "b"]}))
    );
    assert_eq!(
        read("read_file", "read", json!({"paths": paths, "offset": 3, "limit": 9})),
        together(json!({"limit": 9, "offset": 2, "paths": ["a", "b"]})),
        "there the lines that are left out are counted"
    );
    assert_eq!(read("read_file", "read", json!({"path": ["a"]})), Some(("read_file", json!({"file_path": "a"}))));
    assert_eq!(read("read_file", "read", json!({"path": "a"})), None);
    let form = tools::forms().into_iter().find(|form| form.tool == "read_file").unwrap();
    let lines = json!({"files": [{"path": "a", "start_line": 1}, {"path": "b"}]});
    assert!(instead(form, "read_file", &lines).unwrap_err().message.contains("holds more than paths"));
}

#[test]
fn lines_are_taken_by_numbers_only_where_nothing_is_quoted() {
    let lines = json!({"path": "x", "start_line": 2, "end_line": 3, "new_string": "a"});
    assert_eq!(read("edit_file", "edit", lines.clone()), Some(("edit_lines", lines)));
    let quoted = json!({"path": "x", "start_line": 2, "end_line": 3, "old_string": "b", "new_string": "a"});
    assert_eq!(read("edit_file", "edit", quoted.clone()), None);
    assert_eq!(
        read("edit_lines", "replace_lines", quoted),
        Some(("edit_file", json!({"path": "x", "old_string": "b", "new_string": "a"})))
    );
    let ranged = Some(("edit_lines", json!({"path": "x", "content": "a", "start_line": 2, "end_line": 3})));
    for range in [json!([2, 3]), json!("2-3")] {
        assert_eq!(read("edit_file", "edit", json!({"path": "x", "line_range": range, "content": "a"})), ranged);
    }
    let insert = json!({"path": "x", "insert_line": 2, "new_str": "a"});
    assert_eq!(read("edit_file", "edit", insert.clone()), Some(("insert_lines", insert)));
    assert_eq!(
        read("insert_lines", "insert_content", json!({"path": "x", "line": 2, "content": "a"})),
        Some(("insert_lines", json!({"path": "x", "content": "a", "before_line": 2})))
    );
    assert_eq!(read("insert_lines", "insert", json!({"path": "x", "line": 2, "content": "a"})), None);
}

#[test]
fn a_command_that_only_applies_a_patch_is_no_command() {
    let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";
    let found = Some(("apply_patch", json!({"patch": patch})));
    assert_eq!(read("run_command", "shell", json!({"command": ["apply_patch", patch]})), found);
    assert_eq!(read("run_command", "bash", json!({"cmd": format!("apply_patch <<'EOF'\n{patch}EOF")})), found);
    let line = format!("apply_patch <<'EOF'\n{patch}EOF\n");
    assert_eq!(read("run_command", "shell", json!({"command": ["bash", "-lc", line]})), found);
    assert_eq!(
        read("run_command", "shell", json!({"command": format!("cd b && {line}"), "workdir": "a"})),
        Some(("apply_patch", json!({"patch": patch, "working_directory": "a/b"})))
    );
    assert_eq!(read("apply_patch", "apply_patch", json!({"command": ["apply_patch", patch]})), found);
    for other in [json!({"command": "ls"}), json!({"command": ["ls", "-l"]}), json!({"command": "patch < a"})] {
        assert_eq!(read("run_command", "bash", other), None);
    }
}
