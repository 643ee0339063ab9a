//! Tools that a person brought along, from the model's call to what it is told. Needs a kernel with Landlock.

use crate::scripted::*;
use agent_protocol::CallOp;
use agent_protocol::*;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const COUNT: &str = "name = \"count_words\"\ndescription = \"Counts the words of a file\"\neffect = \"read\"\ncommand = \
    [\"wc\", \"-w\", \"--\", \"{file}\"]\npaths = [\"file\"]\n[parameters]\nrequired = [\"file\"]\nproperties = { file = \
    { type = \"string\" } }\n";
const NOTE: &str = "#!/bin/sh\nif [ \"$1\" = --describe ]; then\necho '{\"name\": \"take_note\", \"description\": \"Takes a \
    note\", \"effect\": \"write\", \"parameters\": {\"properties\": {\"text\": {\"type\": \"string\"}}}}'\nexit\nfi\ncat > \
    note.json && echo noted\n";

/// A place with the user's tools in it, put there by another process.
fn with_tools() -> (TempDir, PathBuf) {
    let folder = folder();
    let tools = folder.path().canonicalize().unwrap().join("home/.config/agent/tools");
    std::fs::create_dir_all(&tools).unwrap();
    let put = |name: &str, text: &str, rights: &str| {
        let made = folder.path().join(name);
        std::fs::write(&made, text).unwrap();
        let ended = Command::new("install").args(["-m", rights]).arg(&made).arg(tools.join(name)).status();
        assert!(ended.unwrap().success());
    };
    put("count.toml", COUNT, "644");
    put("note", NOTE, "755");
    (folder, tools)
}

#[tokio::test]
async fn the_question_shows_the_words_and_what_a_program_is_given_to_read() {
    let (folder, tools) = with_tools();
    let text = "it's new\n$(rm -rf .)";
    let replies = vec![
        calls("count_words", json!({ "file": "a b.txt" })),
        calls("take_note", json!({ "text": text })),
        says("fine"),
    ];
    let mut session = open_in(folder, Opening { mode: Mode::Safe, replies, ..Opening::default() });
    session.write("a b.txt", "one two\n");
    session.say("count, then note");
    let question = session.asked().await;
    let project = session.project();
    let Subject::Action { action: Action::Run { argv, input, profile, .. } } = &question.subject else {
        panic!("it runs something")
    };
    let words = ["wc", "-w", "--", &project.join("a b.txt").display().to_string()].map(str::to_owned);
    assert_eq!((argv.as_slice(), input, *profile), (words.as_slice(), &None, Profile::ReadOnly));
    assert_eq!(question.preview.title, "Run count_words (your tool)");
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    let question = session.asked().await;
    assert!(session.last_told().starts_with("exit code 0\n2 "), "{}", session.last_told());
    let Subject::Action { action: Action::Run { argv, input, .. } } = &question.subject else {
        panic!("it runs something")
    };
    let given = json!({ "text": text }).to_string();
    assert_eq!((argv, input), (&vec![tools.join("note").display().to_string()], &Some(given.clone())));
    assert!(question.offers.is_empty(), "what it reads is another each time: {:?}", question.offers);
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("note.json"), given);
    assert_eq!(session.last_told(), "exit code 0\nnoted\n");
}
