//! Hooks, as somebody meets them: a guard script written for Claude Code that refuses an edit, on the screen and by `-p`; and
//! those of a project, before and after they are approved.

use crate::stage::{House, call, text};
use serde_json::json;
use std::process::{Output, Stdio};

/// A guard as people have it for Claude Code: exit code 2 and a word on standard error.
const GUARD: &str = r#"#!/usr/bin/env python3
import json, sys
data = json.load(sys.stdin)
if data["tool_name"] in ("Edit", "Write") and data["tool_input"].get("file_path", "").endswith("locked.txt"):
    print("locked.txt is locked until the release", file=sys.stderr)
    sys.exit(2)
"#;

const HOOK: &str =
    "[[hooks]]\nevent = \"PreToolUse\"\nmatcher = \"Edit|Write\"\ncommand = \"python3 hooks/guard.py\"\n";

/// A house in which the model wants to write into this file, with the guard in the project.
fn guarded(file: &str) -> House {
    let house = House::new(&[call("write_file", json!({"file_path": file, "content": "new\n"})), text("I see.")]);
    house.write("hooks/guard.py", GUARD);
    house
}

/// Adds to the user's own config.
fn own(house: &House, text: &str) {
    let file = house.config().join("config.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, format!("{before}\n{text}")).unwrap();
}

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What the model was told last.
fn told(house: &House) -> String {
    let chats = house.server().chats();
    chats[chats.len() - 1].body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
}

fn writes(house: &House, flags: &[&str]) -> Output {
    run(house, &[&["--model", "m", "-p", "write it", "--allow", "write"], flags].concat())
}

#[test]
fn a_guard_script_refuses_an_edit_before_the_screen_asks() {
    let house = guarded("locked.txt");
    own(&house, HOOK);
    let mut screen = house.open();
    screen.keys("write it<enter>");
    let shown = screen.wait_for("I see.");
    assert!(shown.contains("hook  pre_tool · guard.py · refused: locked.txt is locked until the release"), "{shown}");
    assert!(!shown.contains("approve once"), "{shown}");
    assert!(told(&house).contains("locked.txt is locked until the release"), "{}", told(&house));
    assert!(!house.project().join("locked.txt").exists());
    screen.keys("/hooks<enter>");
    let shown = screen.wait_for("In your config");
    assert!(shown.contains("Edit|Write · python3 hooks/guard.py") && shown.contains("in force"), "{shown}");
    house.wait_turns(1);
    assert!(house.journals()[0].contains(r#""type":"hook_ran""#), "{:?}", house.journals());
}

#[test]
fn a_guard_script_refuses_an_edit_that_a_flag_allows_and_lets_others_be() {
    let house = guarded("locked.txt");
    own(&house, HOOK);
    let output = writes(&house, &[]);
    assert!(err(&output).contains("hook pre_tool · guard.py · refused: locked.txt is locked"), "{}", err(&output));
    assert!(!house.project().join("locked.txt").exists() && told(&house).contains("refused by a hook"));

    let house = guarded("open.txt");
    own(&house, HOOK);
    let output = writes(&house, &["--output-format", "stream-json"]);
    assert_eq!(house.read("open.txt"), "new\n");
    let firing = out(&output).lines().find(|line| line.contains(r#""type":"hook_ran""#)).unwrap_or_default().to_owned();
    assert!(firing.contains(r#""fate":"nothing""#) && firing.contains(r#""hook":"guard.py""#), "{}", out(&output));
}

#[test]
fn a_hook_of_the_project_runs_only_when_it_was_approved_and_is_as_it_was() {
    let house = guarded("locked.txt");
    house.write(".agent/config.toml", HOOK);
    let output = writes(&house, &["--trust"]);
    assert!(
        err(&output).contains("this project brings 1 hook that is not run before you approved"),
        "{}",
        err(&output)
    );
    assert_eq!(house.read("locked.txt"), "new\n");

    let refused = run(&house, &["hooks", "approve"]);
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
    let shown = run(&house, &["hooks", "approve", "--yes"]);
    assert_eq!(shown.status.code(), Some(0), "{}", err(&shown));
    for part in ["runs     python3 hooks/guard.py", "| data = json.load(sys.stdin)", "tools    Edit|Write"] {
        assert!(out(&shown).contains(part), "{part}: {}", out(&shown));
    }
    assert!(out(&run(&house, &["hooks", "list"])).contains("approved on "));

    let again = |name: &str| {
        let replies = [call("write_file", json!({"file_path": name, "content": "other\n"})), text("I see.")];
        json!({
            "models": [{"name": "m", "context_length": 32768}],
            "replies": replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect::<Vec<_>>()
        })
    };
    let house = house.with_server(again("two/locked.txt"));
    let output = writes(&house, &[]);
    assert!(err(&output).contains("guard.py · refused"), "{}", err(&output));
    assert!(!house.project().join("two/locked.txt").exists());

    // Somebody pulls: the script is another.
    house.write("hooks/guard.py", "import sys\nopen('owned', 'w')\n");
    let house = house.with_server(again("three/locked.txt"));
    let output = writes(&house, &["--trust"]);
    let words = "the project's hook guard.py (`python3 hooks/guard.py`) is not run";
    assert!(err(&output).matches(words).count() == 1, "{}", err(&output));
    assert!(told(&house).contains("the hook guard.py is not run: changed since you approved it"), "{}", told(&house));
    assert!(!house.project().join("three/locked.txt").exists() && !house.project().join("owned").exists());
    assert_eq!(run(&house, &["hooks", "forget"]).status.code(), Some(0));
    assert!(out(&run(&house, &["hooks", "list"])).contains("not approved"));
}

/// The attack: what a guard refuses first empties the guard, by a tool or by a command, and then does it again.
#[test]
fn what_a_guard_refuses_cannot_rewrite_the_guard() {
    let script = "hooks/guard.py";
    for empties in [
        call("write_file", json!({"file_path": script, "content": ""})),
        call("run_command", json!({"command": "echo > hooks/guard.py"})),
        call("run_command", json!({"command": "mv hooks away && mkdir hooks && echo > hooks/guard.py"})),
        call("run_command", json!({"command": "python3 -c 'import os; os.rename(\"hooks\", \"away\")'"})),
        call("run_command", json!({"command": "g=guard; echo > \"$(echo hooks)/$g.py\""})),
    ] {
        let house = House::new(&[
            empties,
            call("write_file", json!({"file_path": "locked.txt", "content": "new\n"})),
            text("I see."),
        ]);
        house.write(script, GUARD);
        own(&house, HOOK);
        let output = run(&house, &["--model", "m", "-p", "write it", "--allow", "write", "--allow", "run"]);
        assert!(!house.project().join("locked.txt").exists(), "{}", err(&output));
    }
}

#[test]
fn a_message_that_a_hook_refuses_goes_to_nobody_and_a_script_learns_it() {
    let house = House::new(&[text("Hello.")]);
    own(&house, "[[hooks]]\nevent = \"user_prompt\"\ncommand = \"echo 'no work on Sundays' >&2; exit 2\"\n");
    let output = run(&house, &["--model", "m", "-p", "hello"]);
    assert_eq!((output.status.code(), house.server().chats().len()), (Some(1), 0), "{}", err(&output));
    assert!(err(&output).contains("your message was not sent") && err(&output).contains("no work on Sundays"));
    let mut screen = house.open();
    screen.keys("hello there<enter>");
    let shown = screen.wait_for("your message was not sent");
    assert!(shown.contains("no work on Sundays") && shown.contains("hello there"), "{shown}");
    assert_eq!(house.server().chats().len(), 0);
}

#[test]
fn words_of_a_beginning_and_of_an_end_reach_the_model() {
    let house = House::new(&[text("Done."), text("Now it is there.")]);
    own(
        &house,
        "[[hooks]]\nevent = \"SessionStart\"\ncommand = \"echo release week\"\n\
         [[hooks]]\nevent = \"Stop\"\ncommand = \"grep -q 'stop_hook_active\\\":true' || { echo write report.txt >&2; exit 2; }\"\n\
         [[hooks]]\nevent = \"SessionEnd\"\ncommand = \"touch ended\"\n",
    );
    let output = run(&house, &["--model", "m", "-p", "hello"]);
    assert_eq!((out(&output).as_str(), output.status.code()), ("Now it is there.\n", Some(0)), "{}", err(&output));
    let first = house.server().chats()[0].body["messages"].to_string();
    assert!(first.contains("release week"), "{first}");
    assert!(told(&house).contains("write report.txt"), "{}", told(&house));
    assert!(house.project().join("ended").exists());
}
