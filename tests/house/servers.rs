//! Servers that bring tools of their own: named in the config, approved, called by a model, and not used once changed.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::{Output, Stdio};

const ADD: &str = r#"{"name":"add","description":"Adds a note.","inputSchema":{"type":"object"}}"#;
const HELLO: &str =
    r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}"#;
const ADDED: &str = r#"{"content":[{"type":"text","text":"added"}]}"#;

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A house whose config names the server `notes`, a script that is no part of the project.
fn house(replies: &[Value]) -> House {
    let house = House::new(replies);
    let script = house.outside().join("notes.sh");
    let answer =
        |result: &str| format!("printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}'");
    let list = format!("{{\"tools\":[{ADD}]}}");
    let lines = [
        "while read -r line; do".to_owned(),
        "id=${line#*\\\"id\\\":}; id=${id%%[,\\}]*}".to_owned(),
        "case $line in".to_owned(),
        format!("*'\"initialize\"'*) {} ;;", answer(HELLO)),
        format!("*'\"tools/list\"'*) {} ;;", answer(&list)),
        format!("*'\"tools/call\"'*) {} ;;", answer(ADDED)),
        "esac".to_owned(),
        "done".to_owned(),
    ];
    std::fs::write(&script, lines.join("\n")).unwrap();
    let config = house.config().join("config.toml");
    std::fs::create_dir_all(house.config()).unwrap();
    let before = std::fs::read_to_string(&config).unwrap_or_default();
    let server = format!("[mcp.notes]\ncommand = [\"sh\", {:?}]\n", script.to_str().unwrap());
    std::fs::write(&config, format!("{before}\n{server}")).unwrap();
    house
}

#[test]
fn a_server_is_used_after_it_was_approved_and_only_as_it_was_approved() {
    let house =
        house(&[text("No notes."), call("notes__add", json!({"text": "milk"})), text("Done."), text("No notes.")]);
    let ask = ["--model", "m", "-p", "for the notes: milk", "--allow", "mcp"];
    let unapproved = said(&run(&house, &ask));
    assert!(unapproved.contains("`agent mcp approve notes`"), "{unapproved}");
    let alone = run(&house, &["mcp", "approve", "notes"]);
    assert!(alone.status.code() == Some(2) && said(&alone).contains("--yes"), "{}", said(&alone));

    let approved = run(&house, &["mcp", "approve", "notes", "--yes"]);
    let shown = said(&approved);
    assert_eq!(approved.status.code(), Some(0), "{shown}");
    assert!(shown.contains("notes.sh (sha256 ") && shown.contains("Adds a note."), "{shown}");
    assert!(said(&run(&house, &["mcp", "list"])).contains("approved on"));

    let used = run(&house, &ask);
    assert!(said(&used).contains("Done."), "{}", said(&used));
    let chats = house.server().chats();
    assert!(chats[1].body["tools"].to_string().contains("notes__add"));
    let told = chats[2].body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert!(told.as_str().unwrap().ends_with("<answer-1>\nadded\n</answer-1>\n"), "{told}");

    std::fs::write(house.outside().join("notes.sh"), "exit 1\n").unwrap();
    let changed = said(&run(&house, &ask));
    assert!(changed.contains("its program or its settings changed"), "{changed}");
    assert!(!house.server().chats()[3].body["tools"].to_string().contains("notes__add"));
    assert_eq!(run(&house, &["mcp", "forget", "notes"]).status.code(), Some(0));
    assert!(said(&run(&house, &["mcp", "list", "--json"])).contains("not approved"));
}

#[test]
fn a_project_names_no_server() {
    let house = House::new(&[text("Fine.")]);
    house.write(".agent/config.toml", "[mcp.evil]\ncommand = [\"sh\", \"-c\", \"touch here\"]\n");
    let output = said(&run(&house, &["--model", "m", "-p", "hello"]));
    assert!(output.contains("sets mcp"), "{output}");
    assert!(!said(&run(&house, &["mcp", "approve", "evil", "--yes"])).contains("is approved"));
    assert!(!house.project().join("here").exists());
}
