//! Names as models write them, and the tools that are meant.

use super::*;
use crate::tools::forms;

/// `name`, or `name?` where it is only a question.
fn of(asked: &str) -> String {
    let forms = forms();
    match meant(&forms, asked) {
        Meant::Exactly(at) => format!("= {}", forms[at].tool),
        Meant::Read(at) => forms[at].tool.into(),
        Meant::None { near: Some(at) } => format!("{}?", forms[at].tool),
        Meant::None { near: None } => "none".into(),
    }
}

#[test]
fn names_mean_what_other_agents_mean_by_them() {
    for (asked, tool) in [
        ("read_file", "= read_file"),
        ("Read", "read_file"),
        ("cat", "read_many_files"),
        ("find", "grep_search"),
        ("files", "glob_files"),
        ("readFile", "read_file"),
        ("Read-File", "read_file"),
        ("read file", "read_file"),
        ("ReadFileTool", "read_file"),
        ("Write", "write_file"),
        ("write_to_file", "write_file"),
        ("createFile", "write_file"),
        ("StrReplace", "edit_file"),
        ("str_replace_editor", "edit_file"),
        ("replace_in_file", "edit_file"),
        ("Edit", "edit_file"),
        ("LS", "list_directory"),
        ("listDir", "list_directory"),
        ("list_files", "list_directory"),
        ("Glob", "glob_files"),
        ("find_by_name", "glob_files"),
        ("Grep", "grep_search"),
        ("ripgrep", "grep_search"),
        ("search_file_content", "grep_search"),
        ("Bash", "run_command"),
        ("shell", "run_command"),
        ("run_shell_command", "run_command"),
        ("execute_bash", "run_command"),
        ("run_terminal_cmd", "run_command"),
        ("ApplyPatch", "apply_patch"),
        ("apply_diff", "apply_patch"),
        ("functions.apply_patch", "apply_patch"),
        ("insert_content", "insert_lines"),
        ("replace_lines", "edit_lines"),
    ] {
        assert_eq!(of(asked), tool, "{asked}");
    }
}

#[test]
fn what_stands_around_a_name_is_taken_off() {
    for (asked, tool) in [
        ("functions.read_file", "read_file"),
        ("functions.read_file:0", "read_file"),
        ("tools.bash", "run_command"),
        ("default_api:read_file", "read_file"),
        ("container.exec", "run_command"),
        ("repo_browser.print_tree", "list_directory"),
        ("mcp__files__read_file", "read_file"),
        ("read_file:12", "read_file"),
        ("read_file()", "read_file"),
        ("`read_file`", "read_file"),
        (" read_file\n", "read_file"),
        ("read_file<|channel|>commentary", "read_file"),
    ] {
        assert_eq!(of(asked), tool, "{asked}");
    }
}

#[test]
fn another_servers_tool_is_not_ours_by_an_alias() {
    let forms = forms();
    for asked in ["mcp__tracker__search", "github.create_file", "mail.read", "browser/find", "calendar:list"] {
        assert!(matches!(meant(&forms, asked), Meant::None { .. }), "{asked}");
    }
}

#[test]
fn one_slip_is_mended_where_only_one_tool_can_be_meant() {
    for (asked, tool) in [
        ("read_fil", "read_file"),
        ("raed_file", "read_file"),
        ("write_files", "write_file"),
        ("edit_fille", "edit_file"),
        ("run_comand", "run_command"),
        ("grep_serch", "grep_search"),
        ("run_shell_comand", "run_command"),
    ] {
        assert_eq!(of(asked), tool, "{asked}");
    }
}

#[test]
fn what_is_merely_near_is_asked_about_and_never_run() {
    for (asked, tool) in [
        ("delete_file", "run_command?"),
        ("move_file", "run_command?"),
        ("read_many_fiels", "read_many_files"),
        ("reed_fiel", "read_file?"),
        ("get_weather", "none"),
        ("task", "= task"),
        ("lss", "none"),
        ("bsh", "none"),
        ("", "none"),
        ("🦀", "none"),
    ] {
        assert_eq!(of(asked), tool, "{asked}");
    }
}

#[test]
fn no_two_tools_share_a_name() {
    let forms = forms();
    for (at, form) in forms.iter().enumerate() {
        for name in names(form) {
            assert_eq!(whole(&forms, &name), Some(at), "{name} of {}", form.tool);
        }
    }
}

#[test]
fn a_name_that_asks_to_look_never_means_a_tool_that_changes_things() {
    let changing = ["write_file", "edit_file", "run_command", "multi_edit", "batch_operations"];
    let looking = [
        "read", "view", "show", "get", "list", "find", "search", "grep", "cat", "open", "look", "fetch", "check",
        "inspect", "print", "head", "tail", "stat", "diff", "preview", "glob", "tree",
    ];
    let forms = forms();
    for form in forms.iter().filter(|form| changing.contains(&form.tool)) {
        let names = form.aliases.split_whitespace().chain([form.tool]);
        for name in names.filter(|name| !name.contains("replace")) {
            let rest = name.split_once('_').map_or("", |(_, rest)| rest);
            for asked in looking.map(|verb| format!("{verb}_{rest}")) {
                let at = match meant(&forms, &asked) {
                    Meant::Exactly(at) | Meant::Read(at) => at,
                    Meant::None { .. } => continue,
                };
                assert!(!changing.contains(&forms[at].tool), "{asked} means {}", forms[at].tool);
            }
        }
    }
}

#[test]
fn other_agents_tools_that_are_none_of_ours_have_no_alias_here() {
    let forms = forms();
    for (other, instead) in INSTEAD {
        assert!(matches!(meant(&forms, other), Meant::None { near: Some(at) } if forms[at].tool == instead), "{other}");
    }
}

#[test]
fn an_editor_that_does_several_things_says_which() {
    assert_eq!(by_command("str_replace_editor", "view"), Some(Ok("read_file")));
    assert_eq!(by_command("functions.str_replace_based_edit_tool", "create"), Some(Ok("write_file")));
    assert_eq!(by_command("text_editor", "str_replace"), Some(Ok("edit_file")));
    assert_eq!(by_command("str_replace_editor", "insert"), Some(Ok("insert_lines")));
    assert_eq!(by_command("bash", "view"), None);
    assert_eq!(by_command("fs_write", "create"), Some(Ok("write_file")));
    assert_eq!(by_command("fs_write", "str_replace"), Some(Ok("edit_file")));
    for command in ["append", "delete", "undo_edit", ""] {
        assert!(by_command("fs_write", command).is_some_and(|meant| meant.is_err()), "{command}");
    }
    assert_eq!(by_command("write_file", "append"), None);
}

#[test]
fn a_name_is_known_by_what_it_is_behind_its_prefix() {
    let forms = forms();
    for (asked, name) in [
        ("functions.run_shell_command", "runshellcommand"),
        ("functions.run_shell_command:0", "runshellcommand"),
        ("RunShellCommandTool", "runshellcommand"),
        ("run_shell_comand", "runshellcommand"),
        ("functions.pytest", "pytest"),
        ("tools.yarn", "yarn"),
        ("bash_tool", "bashtool"),
        ("run_command", "runcommand"),
        ("str_replace_editor", "strreplaceeditor"),
    ] {
        let at = match meant(&forms, asked) {
            Meant::Exactly(at) | Meant::Read(at) => at,
            Meant::None { .. } => panic!("{asked}"),
        };
        assert_eq!(called(forms[at], asked), name, "{asked}");
    }
}

#[test]
fn a_name_of_two_tools_means_what_the_arguments_are_for() {
    use serde_json::json;
    let (names, file) = (&["glob_files"][..], &["read_file", "read_many_files"][..]);
    for (asked, given, expected) in [
        ("find", json!({"pattern": "TODO"}), &[][..]),
        ("find", json!({"pattern": "foo.*bar"}), &[]),
        ("find", json!({"pattern": "*args|TODO"}), &[]),
        ("find", json!({"pattern": "fn main", "glob": "*.rs"}), &[]),
        ("find", json!({"pattern": "*.rs"}), names),
        ("functions.find", json!({"pattern": "src/**/*.js", "path": "."}), names),
        ("find", json!({"name": "main.rs"}), names),
        ("browser.find", json!({"name": "main.rs"}), &[]),
        ("cat", json!({"path": "a.rs"}), file),
        ("cat", json!({"paths": ["a.rs"]}), file),
        ("functions.cat", json!({"file": "a.rs"}), file),
        ("cat", json!({"paths": ["a.rs", "b.rs"]}), &[]),
        ("cat", json!({"paths": "[\"a.rs\", \"b.rs\"]"}), &[]),
        ("find_files", json!({"pattern": "TODO"}), &[]),
    ] {
        assert_eq!(by_arguments(asked, &given), expected, "{asked} {given}");
    }
}
