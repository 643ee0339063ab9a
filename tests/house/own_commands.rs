//! Slash commands of the user's own where there is no screen: in lines, with `-p`, and in an editor.

use crate::editors::editor::Editor;
use crate::stage::{House, text};
use crate::terminal::Terminal;
use std::process::Stdio;

const ISSUE: &str = "---\ndescription: Explain an issue\nargument-hint: \"[number]\"\n---\nWhat is issue $1?\n";
const STATE: &str = "State: !`echo from-the-file`\nCommit it.\n";

fn house(name: &str, file: &str) -> House {
    let house = House::new(&[text("Done.")]);
    let folder = house.config().join("commands");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.md")), file).unwrap();
    house
}

/// What the model was told last.
fn told(house: &House) -> String {
    let chats = house.server().chats();
    chats[0].body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
}

#[test]
fn in_lines_it_is_said_and_stands_among_the_commands() {
    let house = house("issue", ISSUE);
    let mut screen = Terminal::spawn(house.command(&["-m", "m", "--screen-reader"]), (100, 80));
    screen.wait("a prompt", |shown| shown.ends_with("\n>"));
    screen.keys("/help<enter>");
    screen.wait_for("/issue [number]: Explain an issue (yours)");
    screen.keys("/issue 12<enter>");
    screen.wait_for("answer:\n| Done.");
    assert_eq!(told(&house), "What is issue 12?");
}

#[test]
fn with_p_it_is_said_and_a_command_in_it_is_judged_like_any_other() {
    let house = house("state", STATE);
    let run = |args: &[&str]| house.headless(args).stdin(Stdio::null()).output().unwrap();
    let output = run(&["-m", "m", "-p", "/state now"]);
    assert_eq!(output.status.code(), Some(8), "something was refused, and nothing carried out: {output:?}");
    let refused = told(&house);
    assert!(refused.starts_with("State: \n(the command `echo from-the-file` was not run: "), "{refused}");
    assert!(refused.ends_with("Commit it.\n\nnow"), "{refused}");
}

#[test]
fn with_p_a_command_that_may_run_runs() {
    let house = house("state", STATE);
    let output = house.headless(&["-m", "m", "-p", "/state", "--allow", "run"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(told(&house).contains("\nfrom-the-file\n"), "{}", told(&house));
}

#[test]
fn an_editor_is_offered_it() {
    let house = house("issue", ISSUE);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    editor.until(|editor| !editor.updates_of(&session, "available_commands_update").is_empty());
    let offered = editor.updates_of(&session, "available_commands_update")[0]["availableCommands"].clone();
    let issue = offered.as_array().unwrap().iter().find(|command| command["name"] == "issue").unwrap();
    assert_eq!((&issue["description"], &issue["input"]["hint"]), (&"Explain an issue".into(), &"[number]".into()));
    assert_eq!(editor.say(&session, "/issue 12"), "end_turn");
    assert_eq!(told(&house), "What is issue 12?");
    assert_eq!(editor.leave(), Some(0));
}
