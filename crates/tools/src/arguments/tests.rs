//! What arguments may look like, and what is said of them.

use super::*;

static FORM: Form = Form {
    tool: "paint",
    parameters: &[
        Parameter::new("file_path", Kind::Text, "\"a.rs\"").also("path file").required(),
        Parameter::new("coats", Kind::Number, "2").optional().says("default 1"),
        Parameter::new("dry_run", Kind::Flag, "true").optional(),
    ],
    ..BLANK
};

fn read(arguments: Value) -> Result<(String, Option<u64>, bool), String> {
    let read = || {
        let arguments = FORM.read(&arguments)?;
        Ok((arguments.word("file_path")?, arguments.optional_number("coats")?, arguments.flag("dry_run")?))
    };
    read().map_err(|failure: Failure| failure.message)
}

#[test]
fn many_spellings_mean_the_same() {
    for arguments in [
        json!({"file_path": "a", "coats": 2, "dry_run": true}),
        json!({"path": "a", "coats": "2", "dry_run": "true"}),
        json!({"filePath": "a", "coats": 2.0, "dryRun": 1, "extra": [1]}),
        json!({"File-Path": "a", "Coats": " 2 ", "DRY_RUN": "Yes"}),
        json!("{\"file\": \"a\", \"coats\": \"2.0\", \"dry_run\": \"1\"}"),
        json!({"arguments": {"file": "a", "coats": 2, "dry_run": true}}),
    ] {
        assert_eq!(read(arguments.clone()), Ok(("a".into(), Some(2), true)), "{arguments}");
    }
}

#[test]
fn null_and_empty_count_as_left_out() {
    for arguments in [
        json!({"file_path": "a"}),
        json!({"file_path": "a", "coats": null, "dry_run": null}),
        json!({"file_path": "a", "coats": "", "dry_run": ""}),
    ] {
        assert_eq!(read(arguments.clone()), Ok(("a".into(), None, false)), "{arguments}");
    }
}

#[test]
fn a_proper_name_wins_over_another() {
    assert_eq!(read(json!({"path": "b", "file_path": "a"})), Ok(("a".into(), None, false)));
}

#[test]
fn what_cannot_be_read_is_named_with_an_example() {
    let needs_path = "paint needs `file_path`: text; for example {\"file_path\": \"a.rs\"}";
    let needs_coats = "`coats` of paint may be left out, or is a whole number from 0; for example {\"file_path\": \"a.rs\", \"coats\": 2}";
    let not_object = "the arguments of paint must be a JSON object like {\"file_path\": \"a.rs\"}";
    for (arguments, message) in [
        (json!({}), needs_path),
        (json!(null), needs_path),
        (json!({"file_path": ""}), needs_path),
        (json!({"file_path": ["a", "b"]}), needs_path),
        (json!({"file_path": "a", "coats": -1}), needs_coats),
        (json!({"file_path": "a", "coats": 1.5}), needs_coats),
        (json!({"file_path": "a", "coats": "many"}), needs_coats),
        (json!([1]), not_object),
        (json!("{\"file_path\": \"a.r"), not_object),
    ] {
        assert_eq!(read(arguments.clone()), Err(message.into()), "{arguments}");
    }
}

/// What a real tool's form makes of `arguments`, then its notes.
fn of(tool: &str, arguments: Value) -> (Value, Vec<String>) {
    let (read, notes) = form(tool).read(&arguments).map_err(|failure| failure.message).unwrap().into_parts();
    (read, notes.in_words())
}

fn failing(tool: &str, arguments: Value) -> String {
    form(tool).read(&arguments).unwrap_err().message
}

fn form(tool: &str) -> &'static Form {
    crate::tools::forms().into_iter().find(|form| form.tool == tool).unwrap()
}

/// Each tool with arguments as given and as read, and what is noted.
fn noted<const N: usize>(cases: [(&str, Value, Value, Vec<&str>); N]) {
    for (tool, given, read, notes) in cases {
        let notes: Vec<String> = notes.into_iter().map(String::from).collect();
        assert_eq!(of(tool, given.clone()), (read, notes), "{given}");
    }
}

#[test]
fn other_agents_names_are_read_and_noted() {
    noted([
        ("read_file", json!({"path": "a"}), json!({"file_path": "a"}), vec!["`path` was read as file_path"]),
        ("read_file", json!({"filePath": "a"}), json!({"file_path": "a"}), vec!["`filePath` was read as file_path"]),
        ("read_file", json!({"file_paht": "a"}), json!({"file_path": "a"}), vec!["`file_paht` was read as file_path"]),
        (
            "read_file",
            json!({"file_path": "a", "explanation": "why"}),
            json!({"file_path": "a"}),
            vec!["`explanation` is not known here and was left out"],
        ),
        (
            "read_file",
            json!({"file_path": "a", "x": 1, "y": 2, "z": null}),
            json!({"file_path": "a"}),
            vec!["`x` and `y` are not known here and were left out"],
        ),
        (
            "read_file",
            json!({"paths": ["a"]}),
            json!({"file_path": "a"}),
            vec!["the one entry of file_path was taken", "`paths` was read as file_path"],
        ),
        (
            "read_file",
            json!("src/main.rs"),
            json!({"file_path": "src/main.rs"}),
            vec!["the arguments were plain text and were read as file_path"],
        ),
    ]);
}

#[test]
fn names_for_edits_and_searches_are_read_and_noted() {
    noted([
        (
            "edit_file",
            json!({"path": "a", "oldText": "x", "newText": "y"}),
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            vec!["`path`, `oldText` and `newText` were read as file_path, old_string and new_string"],
        ),
        (
            "edit_file",
            json!({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}),
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            vec!["the one entry of `edits` was read as the arguments"],
        ),
        (
            "grep_search",
            json!({"query": "a", "case_sensitive": false}),
            json!({"pattern": "a", "case_insensitive": true}),
            vec!["`case_sensitive` false was read as case_insensitive true", "`query` was read as pattern"],
        ),
        (
            "grep_search",
            json!({"query": "a.b(", "isRegexp": false}),
            json!({"pattern": "a\\.b\\("}),
            vec!["pattern is searched for letter by letter, as `isRegexp` says", "`query` was read as pattern"],
        ),
        (
            "grep_search",
            json!({"pattern": "a", "-A": 2, "-B": 5, "-i": true}),
            json!({
            "pattern": "a", "context_lines": 5, "case_insensitive": true}),
            vec!["`-A` and `-i` were read as context_lines and case_insensitive"],
        ),
        (
            "grep_search",
            json!({"pattern": "a", "regex": true}),
            json!({"pattern": "a"}),
            vec!["`regex` is not known here and was left out"],
        ),
    ]);
}

/// Arguments of one tool as given and as read, with the only note.
fn converted<const N: usize>(tool: &str, cases: [(Value, Value, &str); N]) {
    for (given, read, note) in cases {
        let notes: Vec<String> = [note].into_iter().filter(|note| !note.is_empty()).map(String::from).collect();
        assert_eq!(of(tool, given.clone()), (read, notes), "{given}");
    }
}

#[test]
fn lines_follow_the_name_they_came_with() {
    let third_to_seventh = json!({"offset": 3, "limit": 5});
    converted(
        "read_file",
        [
            (json!({"offset": 0}), json!({"offset": 1}), "offset 0 was read as line 1"),
            (json!({"line_offset": 9}), json!({"offset": 10}), "`line_offset` 9 was read as line 10"),
            (json!({"offset": 3, "end_line": 7}), third_to_seventh.clone(), "`end_line` 7 was read as limit 5"),
            (json!({"offset": 5, "end_line": -1}), json!({"offset": 5}), ""),
            (json!({"endLineBaseZero": 9}), json!({"limit": 10}), "`endLineBaseZero` 9 was read as limit 10"),
            (json!({"view_range": [3, -1]}), json!({"offset": 3}), "`view_range` was read as offset 3"),
            (json!({"limit": -1}), json!({}), "limit -1 was read as no limit"),
        ],
    );
    for range in [json!([3, 7]), json!("[3, 7]"), json!("3-7"), json!(["3", "7"])] {
        let note = "`view_range` 3 to 7 was read as offset 3, limit 5";
        converted("read_file", [(json!({"view_range": range}), third_to_seventh.clone(), note)]);
    }
    let (read, notes) = of("read_file", json!({"absolute_path": "/a", "offset": 100, "limit": 50}));
    assert_eq!(read, json!({"file_path": "/a", "offset": 101, "limit": 50}));
    assert_eq!(notes[0], "offset 100 beside `absolute_path` counts from 0 and was read as line 101");
}

#[test]
fn times_follow_the_name_they_came_with() {
    let seconds = |seconds: u64| json!({ "timeout": seconds });
    converted(
        "run_command",
        [
            (seconds(300), seconds(300), ""),
            (seconds(60_000), seconds(60), "timeout 60000 was read as milliseconds: 60 s"),
            (seconds(3_600), seconds(600), "timeout 3600 s was cut to 600 s, the most there is"),
            (
                seconds(1_800_000),
                seconds(600),
                "timeout 1800000 was read as milliseconds and cut to 600 s, the most there is",
            ),
            (json!({"timeout_ms": 1500}), seconds(2), "`timeout_ms` 1500 was read as timeout 2 s"),
            (json!({"timeout_minutes": "3"}), seconds(180), "`timeout_minutes` 3 was read as timeout 180 s"),
            (json!({"timeout_seconds": 5}), seconds(5), "`timeout_seconds` was read as timeout"),
        ],
    );
}

#[test]
fn a_command_as_a_list_is_one_line() {
    for (given, line) in [
        (json!({"command": ["ls", "-la"]}), "ls -la"),
        (json!({"command": ["git", "commit", "-m", "it's done"]}), "git commit -m 'it'\\''s done'"),
        (json!({"command": ["bash", "-lc", "make | tail"]}), "make | tail"),
        (json!({"command": ["cd src", "make"]}), "cd src && make"),
        (json!({"command": "[\"ls\", \"$HOME\"]"}), "ls '$HOME'"),
        (json!({"commands": ["cd src", "make"]}), "cd src && make"),
        (json!({"commands": "make"}), "make"),
        (json!("ls -R"), "ls -R"),
    ] {
        let (read, notes) = of("run_command", given.clone());
        assert_eq!((read["command"].as_str().unwrap(), notes.len()), (line, 1), "{given}");
    }
}

#[test]
fn json_for_a_file_is_written_as_its_text() {
    let (read, notes) = of("write_file", json!({"file_path": "p.json", "content": {"name": "x", "deps": []}}));
    assert_eq!(read["content"], "{\n  \"name\": \"x\",\n  \"deps\": []\n}\n");
    assert_eq!(notes, ["content was given as JSON and is written as its text"]);
}

#[test]
fn what_contradicts_itself_or_would_be_a_guess_is_refused() {
    for (tool, given, message) in [
        (
            "run_command",
            json!({"cmd": "ls", "script": "rm"}),
            "run_command: `cmd` and `script` say different things; give only `command`",
        ),
        (
            "edit_file",
            json!({"edits": [{}, {}]}),
            "`edits` holds 2 entries; call edit_file once for each, one change a call",
        ),
        (
            "run_command",
            json!({"code": "import os", "language": "python"}),
            "run_command takes a line for the shell, not python; write the code to a file and give the command that runs it as `command`",
        ),
        (
            "read_file",
            json!({"offset": 9, "end_line": 3}),
            "read_file: line 3 is before line 9; the first line comes first",
        ),
        (
            "read_file",
            json!({"view_range": "most"}),
            "read_file `view_range` cannot be read; give offset and limit instead",
        ),
        (
            "run_command",
            json!({"timeout_ms": "soon"}),
            "`timeout` of run_command may be left out, or is a whole number from 0; for example {\"command\": \"cargo test\", \"timeout\": 300}",
        ),
        (
            "run_command",
            json!("{\"command\": \"ls"),
            "the arguments of run_command must be a JSON object like {\"command\": \"cargo test\"}",
        ),
        (
            "edit_file",
            json!("a.rs"),
            "the arguments of edit_file must be a JSON object like {\"file_path\": \"src/main.rs\", \"old_string\": \"old text\", \"new_string\": \"new text\"}",
        ),
    ] {
        assert_eq!(failing(tool, given.clone()), message, "{given}");
    }
}

#[test]
fn a_name_one_letter_from_another_meaning_is_left_out() {
    for (tool, given) in [
        ("grep_search", json!({"pattern": "a", "exclude_pattern": "b"})),
        ("run_command", json!({"command": "ls", "patch": "b"})),
        ("write_file", json!({"file_path": "a", "content": "b", "context": "c"})),
    ] {
        let (_, notes) = of(tool, given.clone());
        assert!(notes.len() == 1 && notes[0].ends_with("is not known here and was left out"), "{given} {notes:?}");
    }
}

#[test]
fn what_was_read_once_reads_the_same_again_without_a_note() {
    for (tool, given) in [
        ("read_file", json!({"absolute_path": "/a", "offset": 100, "limit": -1})),
        ("read_file", json!({"path": "a", "view_range": [3, 7]})),
        ("run_command", json!({"commands": ["a b", "c"], "timeout": 9_000_000})),
        ("grep_search", json!({"query": "a.b", "isRegexp": false, "-C": "2"})),
        ("edit_file", json!({"path": "a", "edits": "[{\"old\": \"x\", \"new\": \"y\"}]"})),
        ("write_file", json!({"path": "a", "content": {"b": [1.5]}})),
        ("golang_dev", json!({"action": "bench", "timeout": 300})),
    ] {
        let (once, notes) = of(tool, given.clone());
        assert!(!notes.is_empty(), "{given}");
        assert_eq!(of(tool, once.clone()), (once, Vec::new()), "{given}");
    }
}

#[test]
fn no_name_means_two_things() {
    let forms = crate::tools::forms();
    let inner = forms.iter().flat_map(|form| form.parameters).filter_map(|parameter| match parameter.kind {
        Kind::Items(form) => Some(form),
        _ => None,
    });
    for form in inner.chain(forms.iter().copied()) {
        let own =
            form.parameters.iter().flat_map(|p| p.aliases.split_whitespace().map(str::to_owned).chain([plain(p.name)]));
        let foreign = form.foreign.iter().flat_map(|f| f.names.split_whitespace().map(str::to_owned));
        // What is refused only beside a parameter may be another name for it.
        let refused = form.refused.iter().filter(|refusal| !matches!(refusal.when, When::Beside { .. }));
        let refused = refused.flat_map(|refusal| refusal.names.split_whitespace().map(str::to_owned));
        let lists = form.lists.iter().map(|name| (*name).to_owned());
        let mut names: Vec<String> = own.chain(foreign).chain(lists).chain(refused).collect();
        assert!(names.iter().all(|name| plain(name) == *name), "{}: {names:?}", form.tool);
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{}: {names:?}", form.tool);
    }
}

mod refusals;
