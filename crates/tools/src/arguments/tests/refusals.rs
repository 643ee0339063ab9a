//! What may not be left out of a call, what may, and in which order it is said.

use super::*;

/// Each tool with what it needs and one argument besides, which is refused.
#[test]
fn what_would_do_something_else_without_it_is_refused_by_its_name() {
    let write = json!({"file_path": "a", "content": "b"});
    let edit = json!({"file_path": "a", "old_string": "b", "new_string": "c"});
    let run = json!({"command": "rm -rf b"});
    for (tool, needed, more) in [
        ("write_file", &write, json!({"append": true})),
        ("write_file", &write, json!({"append": "true"})),
        ("write_file", &write, json!({"isAppend": 1})),
        ("write_file", &write, json!({"apend": true})),
        ("write_file", &write, json!({"mode": "append"})),
        ("write_file", &write, json!({"mode": "a"})),
        ("write_file", &write, json!({"mode": "a+"})),
        ("write_file", &write, json!({"mode": "x"})),
        ("write_file", &write, json!({"mode": "insert_before"})),
        ("write_file", &write, json!({"operation": "Append"})),
        ("write_file", &write, json!({"command": "append"})),
        ("write_file", &write, json!({"flag": "a"})),
        ("write_file", &write, json!({"insert_line": 0})),
        ("write_file", &write, json!({"start_line": 3})),
        ("write_file", &write, json!({"endLine": "7"})),
        ("write_file", &write, json!({"view_range": [1, 2]})),
        ("write_file", &write, json!({"old_str": "x"})),
        ("write_file", &write, json!({"overwrite": false})),
        ("write_file", &write, json!({"overwrite": "no"})),
        ("write_file", &write, json!({"create_only": true})),
        ("write_file", &write, json!({"encoding": "base64"})),
        ("write_file", &write, json!({"encoding": "latin-1"})),
        ("write_file", &write, json!({"base64": true})),
        ("write_file", &write, json!({"dry_run": true})),
        ("edit_file", &edit, json!({"dryRun": true})),
        ("edit_file", &edit, json!({"preview": "yes"})),
        ("edit_file", &edit, json!({"mode": "insert"})),
        ("edit_file", &edit, json!({"insert_line": 4})),
        ("edit_file", &edit, json!({"use_regex": true})),
        ("edit_file", &edit, json!({"encoding": "utf-16"})),
        ("edit_file", &edit, json!({"end_line": 9, "replace_all": true})),
        ("edit_file", &edit, json!({"start_line": 9, "all": true})),
        ("run_command", &run, json!({"dry_run": true})),
        ("run_command", &run, json!({"simulate": true})),
        ("run_command", &run, json!({"blocking": false})),
        ("run_command", &run, json!({"stdin": "y"})),
        ("run_command", &run, json!({"input": "y"})),
        ("run_command", &run, json!({"env": {"A": "b"}})),
        ("run_command", &run, json!({"host": "web1"})),
        ("run_command", &run, json!({"shell": "powershell"})),
    ] {
        let (name, given) = joined(needed, &more);
        let message = failing(tool, given);
        let advice = message.strip_prefix(&format!("`{name}` is not possible here: "));
        assert!(advice.is_some_and(|advice| advice.contains(tool)), "{more}: {message}");
    }
}

#[test]
fn the_one_edit_of_several_is_refused_like_any() {
    for (name, value) in [("regex", json!(true)), ("insert_line", json!(4)), ("operation", json!("append"))] {
        let alone = json!({"file": "a", "old": "b", "new": "c", name: value});
        for given in [alone.clone(), json!({"operations": [alone]})] {
            let said = crate::tools::forms().into_iter().find(|form| form.tool == "multi_edit").unwrap().read(&given);
            let said = said.and_then(|read| read.items("operations")).unwrap_err().message;
            assert!(said.contains(&format!("`{name}` is not possible here: edit_file ")), "{said}");
        }
    }
}

/// The first name of `more`, and both objects in one.
fn joined(needed: &Value, more: &Value) -> (String, Value) {
    let (needed, more) = (needed.as_object().unwrap(), more.as_object().unwrap());
    let both = needed.iter().chain(more).map(|(key, value)| (key.clone(), value.clone()));
    (more.keys().next().unwrap().clone(), Value::Object(both.collect()))
}

#[test]
fn what_asks_for_what_happens_anyway_is_left_out_without_a_word() {
    let write = json!({"file_path": "a", "content": "b"});
    let edit = json!({"file_path": "a", "old_string": "b", "new_string": "c"});
    let run = json!({"command": "ls"});
    for (tool, needed, more) in [
        ("write_file", &write, json!({"append": false, "mode": "w", "overwrite": true, "create_only": "false"})),
        ("write_file", &write, json!({"append": 0, "mode": "overwrite", "encoding": "UTF-8", "dry_run": "no"})),
        ("write_file", &write, json!({"insert_line": null, "view_range": [], "old_str": "", "encoding": "utf8"})),
        ("write_file", &write, json!({"command": "create"})),
        ("edit_file", &edit, json!({"dry_run": false, "mode": "replace", "regex": false, "insert_line": ""})),
        ("edit_file", &edit, json!({"edits": []})),
        ("run_command", &run, json!({"blocking": true, "stdin": "", "env": {}})),
        ("run_command", &run, json!({"args": [], "shell": "/bin/bash"})),
    ] {
        let (_, given) = joined(needed, &more);
        let (read, notes) = of(tool, given.clone());
        assert_eq!((&read, notes), (needed, Vec::new()), "{given}");
    }
}

#[test]
fn where_nothing_is_changed_nothing_is_refused() {
    for (tool, given) in [
        ("read_file", json!({"file_path": "a", "encoding": "base64"})),
        ("grep_search", json!({"pattern": "a", "dry_run": true})),
        ("list_directory", json!({"mode": "append"})),
        ("edit_file", json!({"file_path": "a", "old_string": "b", "new_string": "c", "start_line": 9})),
        ("write_file", json!({"file_path": "a", "content": "b", "mode": "0755"})),
    ] {
        let (_, notes) = of(tool, given.clone());
        assert!(notes.len() == 1 && notes[0].ends_with("is not known here and was left out"), "{given} {notes:?}");
    }
}

#[test]
fn words_given_apart_stand_behind_their_command() {
    for (given, line) in [
        (json!({"command": "rm", "args": ["old.txt"]}), "rm old.txt"),
        (json!({"command": "make", "args": ["-n"]}), "make -n"),
        (json!({"command": "git", "arguments": ["commit", "-m", "it's done"]}), "git commit -m 'it'\\''s done'"),
        (json!({"command": "head", "argv": ["-n", 3, "a b"]}), "head -n 3 'a b'"),
        (json!({"command": "ls", "args": "-la src"}), "ls -la src"),
        (json!({"command": "ls", "args": "[\"-la\", \"$HOME\"]"}), "ls -la '$HOME'"),
        (json!({"cmd": ["git", "log"], "args": ["-1"]}), "git log -1"),
    ] {
        let (read, notes) = of("run_command", given.clone());
        assert_eq!(read, json!({ "command": line }), "{given}");
        let told = notes.iter().any(|note| note.contains("was put behind command: "));
        assert!(told, "{given} {notes:?}");
    }
}

#[test]
fn what_would_be_swallowed_when_joined_is_refused() {
    for (given, by) in [
        (json!({"commands": ["echo a # first", "rm b"]}), "commands"),
        (json!({"commands": ["cat <<X", "X", "rm b"]}), "commands"),
        (json!({"commands": ["sleep 9 &", "rm b"]}), "commands"),
        (json!({"commands": ["echo a \\", "rm b"]}), "commands"),
        (json!({"commands": ["echo a\nfalse", "rm b"]}), "commands"),
        (json!({"commands": ["echo 'a", "rm b'"]}), "commands"),
        (json!({"command": ["echo a # first", "rm b"]}), "command"),
        (json!({"command": "make # all", "args": ["-n"]}), "args"),
        (json!({"command": "make &", "args": ["-n"]}), "args"),
        (json!({"command": "make", "args": "-n\nrm b"}), "args"),
        (json!({"command": "make", "args": {"n": true}}), "args"),
    ] {
        let message = failing("run_command", given.clone());
        assert!(message.starts_with(&format!("run_command: `{by}` cannot be ")), "{given}: {message}");
    }
    assert_eq!(of("run_command", json!({"commands": ["make # all"]})).0["command"], "make # all");
}

#[test]
fn what_would_run_or_be_written_is_never_chosen_between_two() {
    for (tool, given) in [
        ("run_command", json!({"command": "python", "code": "print(1)"})),
        ("run_command", json!({"command": "ls", "commands": ["rm a"]})),
        ("write_file", json!({"file_path": "a", "content": "b", "text": "c"})),
    ] {
        assert!(failing(tool, given.clone()).contains("say different things"), "{given}");
    }
    for given in [
        json!({"edits": [{"old_string": "a", "new_string": "b"}], "changes": [{"old_string": "c", "new_string": "d"}]}),
        json!({"old_string": "a", "new_string": "b", "edits": [{"old_string": "c", "new_string": "d"}]}),
    ] {
        assert!(failing("edit_file", given.clone()).ends_with("one change a call"), "{given}");
    }
    assert!(failing("run_command", json!({"args": ["a"]})).starts_with("run_command needs `command`"));
}

#[test]
fn what_weighs_most_is_said_first_and_other_names_last_in_one_note() {
    let (_, notes) = of(
        "run_command",
        json!({"cmd": ["make", "all"], "cwd": "src", "timeout_ms": 5000, "colour": "red", "sandbox": 1}),
    );
    assert_eq!(
        notes,
        [
            "`colour` and `sandbox` are not known here and were left out",
            "command was a list of words and was read as one line",
            "`timeout_ms` 5000 was read as timeout 5 s",
            "`cmd` and `cwd` were read as command and working_directory",
        ]
    );
}
