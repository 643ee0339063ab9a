//! What is remembered in one session is told in the next, and skills are offered and told.

use crate::stage::{House, call, text};
use serde_json::json;
use std::process::Stdio;

/// With the tools for it.
const ARGS: [&str; 4] = ["--model", "m", "--tools", "core,agent"];

/// The system message of the last request.
fn system(house: &House) -> String {
    let chats = house.server().chats();
    chats[chats.len() - 1].body["messages"][0]["content"].as_str().unwrap().to_owned()
}

fn says_hello(house: &House, args: &[&str]) -> String {
    let args = [&ARGS[..], &["-p", "hello"], args].concat();
    let output = house.headless(&args).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_remembered_in_one_session_is_told_in_the_next() {
    let remember = |fact: &str, scope: &str| call("save_memory", json!({"fact": fact, "scope": scope}));
    let replies = [
        remember("write short answers", "global"),
        text("Noted for all."),
        remember("run make check", "project"),
        text("Noted for here."),
        text("Hello."),
        text("Hello."),
    ];
    let house = House::new(&replies);
    let mut screen = house.open_with(&ARGS, (120, 40));
    for answer in ["Noted for all.", "Noted for here."] {
        screen.keys("remember it<enter>");
        let shown = screen.wait_for("approve once");
        assert!(shown.contains("Remember in") && shown.contains("in every later session"), "{shown}");
        screen.press_until("y", answer);
    }
    house.wait_turns(2);
    assert!(
        !system(&house).contains("Notes of earlier sessions"),
        "what a session is told first does not change in it"
    );
    drop(screen);

    let progress = says_hello(&house, &[]);
    let told = system(&house);
    assert!(
        told.contains("# From your memory.md\n\nNotes of earlier sessions.") && told.contains("- write short answers")
    );
    assert!(!told.contains("run make check"), "the project is not trusted: {told}");
    assert!(progress.contains(".agent/memory.md is not used"), "{progress}");

    says_hello(&house, &["--trust"]);
    let told = system(&house);
    assert!(
        told.contains("# From .agent/memory.md\n\nNotes of earlier sessions.") && told.contains("- run make check")
    );
}

#[test]
fn a_skill_is_offered_by_name_and_told_when_it_is_asked_for() {
    let house = House::new(&[call("skill", json!({"command": "pdf"})), text("Filled.")]);
    let folder = house.config().join("skills/pdf");
    std::fs::create_dir_all(&folder).unwrap();
    let skill = "---\nname: pdf\ndescription: Fills forms\n---\nRead forms.md first.\n";
    std::fs::write(folder.join("SKILL.md"), skill).unwrap();
    std::fs::write(folder.join("forms.md"), "fields\n").unwrap();
    says_hello(&house, &[]);
    let chats = house.server().chats();
    let tools = chats[0].body["tools"].to_string();
    assert!(tools.contains("Get the instructions of a skill. pdf: Fills forms"), "{} {tools}", chats.len());
    let told = |at: usize| chats[at].body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told(1).contains("Read forms.md first.") && !told(1).contains("description:"), "{}", told(1));
}
