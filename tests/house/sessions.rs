//! Sessions without a screen: `agent sessions`, and `-p` that goes on with one.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::{Output, Stdio};

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn told(output: &Output) -> Value {
    serde_json::from_str(out(output)).unwrap_or_else(|error| panic!("{error}: {}{}", out(output), err(output)))
}

/// The kept sessions of the project.
fn kept(house: &House) -> Vec<Value> {
    told(&run(house, &["sessions", "list", "--json"]))["sessions"].as_array().unwrap().clone()
}

#[test]
fn where_nothing_is_kept_the_list_is_empty_and_a_session_that_is_named_is_missing() {
    let house = House::without_server();
    let listed = run(&house, &["sessions", "list", "--json"]);
    let expected = json!({"project": house.project(), "sessions": [], "exit_code": 0});
    assert_eq!((told(&listed), listed.status.code(), err(&listed)), (expected, Some(0), ""));
    for args in [&["sessions", "rm", "2020", "--yes"][..], &["sessions", "show", "2020"]] {
        let output = run(&house, args);
        assert_eq!((output.status.code(), out(&output)), (Some(4), ""), "{}", err(&output));
        assert!(err(&output).contains("`agent sessions list`"), "{}", err(&output));
    }
    let output = run(&house, &["sessions", "show", "2020", "--json"]);
    assert_eq!((told(&output)["exit_code"].clone(), output.status.code()), (json!(4), Some(4)));
    let nobody = run(&house, &["sessions", "prune", "--older-than", "30d"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(err(&nobody).contains("--yes agrees beforehand"), "{}", err(&nobody));
    assert!(!house.state().join("sessions").exists(), "nobody looks for sessions by making a folder for them");
}

#[test]
fn what_is_wrong_in_the_config_keeps_nobody_from_their_sessions() {
    let house = House::without_server();
    std::fs::create_dir_all(house.config()).unwrap();
    std::fs::write(house.config().join("config.toml"), "mode = [[[").unwrap();
    let output = run(&house, &["sessions"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("`agent sessions --all`"), "{}", out(&output));
}

#[test]
fn a_session_is_kept_listed_shown_gone_on_with_and_removed() {
    let house = House::new(&[
        call("write_file", json!({"file_path": "new.txt", "content": "one\n"})),
        text("It is written."),
        text("You are welcome."),
    ]);
    let first = run(&house, &["--model", "m", "-p", "write it down", "--allow", "write", "--output-format", "json"]);
    let id = told(&first)["session"].as_str().unwrap().to_owned();
    assert_eq!(told(&first)["receipt"]["files"][0]["shown_path"], "new.txt");
    let listed = kept(&house);
    assert_eq!((listed.len(), &listed[0]["id"], &listed[0]["title"]), (1, &json!(id), &json!("write it down")));
    assert!(listed[0]["turns"] == 1 && listed[0]["open"] == false, "{listed:?}");

    let shown = run(&house, &["sessions", "show", &id]);
    for words in ["write it down", "new.txt", "It is written."] {
        assert!(out(&shown).contains(words), "{words}: {}", out(&shown));
    }
    let shown = told(&run(&house, &["sessions", "show", &id, "--json"]));
    assert_eq!(shown["session"]["id"], json!(id));

    let second = run(&house, &["--model", "m", "-c", "-p", "thank you"]);
    assert_eq!((out(&second), second.status.code()), ("You are welcome.\n", Some(0)), "{}", err(&second));
    assert!(err(&second).contains("going on with “write it down” (1 turn)"), "{}", err(&second));
    let last = house.server().chats()[2].body["messages"].to_string();
    assert!(last.contains("write it down") && last.contains("It is written."), "{last}");
    assert_eq!((kept(&house).len(), &kept(&house)[0]["turns"]), (1, &json!(2)));

    assert_eq!(run(&house, &["sessions", "rm", &id, "--yes"]).status.code(), Some(0));
    assert_eq!(kept(&house), Vec::<Value>::new());
}

#[test]
fn a_prompt_for_a_session_that_is_not_there_is_said_to_no_other() {
    let house = House::new(&[text("Hello.")]);
    for args in [&["-r", "2020"][..], &["-c"]] {
        let output = run(&house, &[args, &["--model", "m", "-p", "go on"]].concat());
        assert_eq!((output.status.code(), out(&output)), (Some(2), ""), "{args:?}: {}", err(&output));
        assert!(err(&output).contains("`agent sessions list"), "{args:?}: {}", err(&output));
    }
    assert_eq!(house.server().chats().len(), 0);
}

#[test]
fn a_copy_goes_on_and_leaves_the_session_as_it_is() {
    let house = House::new(&[text("One."), text("Two.")]);
    run(&house, &["--model", "m", "-p", "first"]);
    let before = kept(&house);
    let output = run(&house, &["--model", "m", "-c", "--fork", "-p", "second"]);
    assert_eq!(out(&output), "Two.\n", "{}", err(&output));
    let after = kept(&house);
    assert!(after.len() == 2 && after.contains(&before[0]), "{after:?}");
    let copy = after.iter().find(|card| card["parent"] == before[0]["id"]);
    assert_eq!(copy.map(|card| &card["turns"]), Some(&json!(2)), "{after:?}");
}

#[test]
fn a_session_is_written_out_for_others() {
    let house =
        House::new(&[call("write_file", json!({"file_path": "new.txt", "content": "one\n"})), text("It is written.")]);
    assert_eq!(run(&house, &["sessions", "export"]).status.code(), Some(2), "there is none yet");
    run(&house, &["--model", "m", "-p", "write it down", "--allow", "write"]);
    let printed = run(&house, &["sessions", "export", "--format", "atif"]);
    let whole = told(&printed);
    let sources: Vec<_> = whole["steps"].as_array().unwrap().iter().map(|step| &step["source"]).collect();
    assert_eq!(sources, ["system", "user", "agent", "agent"], "{whole:#}");
    assert_eq!(whole["steps"][2]["tool_calls"][0]["function_name"], "write_file");
    assert_eq!(whole["steps"][3]["message"], "It is written.");
    let file = house.outside().join("out.json");
    let id = whole["session_id"].as_str().unwrap();
    let written = run(&house, &["sessions", "export", id, "--format", "atif", "-o", file.to_str().unwrap()]);
    assert_eq!((written.status.code(), out(&written)), (Some(0), ""), "{}", err(&written));
    assert_eq!(serde_json::from_slice::<Value>(&std::fs::read(file).unwrap()).unwrap(), whole);
    assert!(out(&run(&house, &["sessions", "export"])).contains("It is written."));
    assert_eq!(run(&house, &["sessions", "export", "--json"]).status.code(), Some(2), "it has its own word for that");
}
