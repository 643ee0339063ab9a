//! The demo's script, driven by a loop of a few lines that carries out what the model asks for.

use crate::client::chat;
use agent_mock_server::{Server, demo};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// What the user answers to edits and commands.
#[derive(Clone, Copy, PartialEq)]
enum Answers {
    Yes,
    NoToCommands,
    NoToEdits,
    NoToEdit,
    No,
}

struct Sitting {
    server: Server,
    project: TempDir,
    messages: Vec<Value>,
    calls: Vec<String>,
}

impl Sitting {
    fn new() -> Self {
        let project = tempfile::tempdir().unwrap();
        demo::unpack(project.path()).unwrap();
        let server = Server::start(demo::script().hurried()).unwrap();
        Sitting { server, project, messages: Vec::new(), calls: Vec::new() }
    }

    /// One turn; gives the model's last words.
    fn say(&mut self, text: &str, answers: Answers) -> String {
        self.messages.push(json!({"role": "user", "content": text}));
        self.calls.clear();
        for _ in 0..20 {
            let request = json!({"model": demo::MODEL, "messages": self.messages, "truncate": false, "options": {"num_ctx": 16384}});
            let reply = chat(self.server.addr(), &request);
            assert_eq!((reply.status, reply.end), (200, "last-chunk"), "{}", reply.text());
            let lines = reply.lines();
            let calls: Vec<Value> =
                lines.iter().filter_map(|line| line["message"]["tool_calls"].as_array()).flatten().cloned().collect();
            self.messages.push(json!({"role": "assistant", "content": reply.content(), "tool_calls": calls}));
            if calls.is_empty() {
                return reply.content();
            }
            for call in &calls {
                let result = self.carry_out(&call["function"], answers);
                let name = call["function"]["name"].as_str().unwrap().to_owned();
                self.messages
                    .push(json!({"role": "tool", "tool_name": name, "tool_call_id": call["id"], "content": result}));
                self.calls.push(name);
            }
        }
        panic!("the demo goes in circles: {:?}", self.calls);
    }

    fn carry_out(&self, function: &Value, answers: Answers) -> String {
        let name = function["name"].as_str().unwrap();
        let refused = match answers {
            Answers::Yes => false,
            Answers::NoToCommands => name == "run_command",
            Answers::NoToEdits => name == "edit_file" || name == "write_file",
            Answers::NoToEdit => name == "edit_file",
            Answers::No => name == "edit_file" || name == "write_file" || name == "run_command",
        };
        if refused {
            return "refused by the user; do not try the same again, ask or find another way".into();
        }
        perform(self.project.path(), name, &function["arguments"])
    }

    fn test(&self) -> (bool, String) {
        test(self.project.path())
    }
}

fn test(project: &Path) -> (bool, String) {
    let output = Command::new("sh").args(["-c", "sh test.sh"]).current_dir(project).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// The tools, as far as the demo needs them.
fn perform(project: &Path, name: &str, arguments: &Value) -> String {
    let text = |field: &str| arguments[field].as_str().unwrap_or_else(|| panic!("{name} without {field}"));
    match name {
        "list_directory" => {
            let entries = fs::read_dir(project.join(text("path"))).unwrap();
            entries.map(|entry| format!("{}\n", entry.unwrap().file_name().display())).collect()
        }
        "read_file" => fs::read_to_string(project.join(text("file_path"))).unwrap(),
        "grep_search" => {
            let pattern = text("pattern");
            let found = ["total.sh", "notes/format.md"].map(|path| fs::read_to_string(project.join(path)).unwrap());
            let lines: Vec<String> = found
                .iter()
                .flat_map(|text| text.lines())
                .filter(|line| line.contains(pattern))
                .map(str::to_owned)
                .collect();
            assert!(!lines.is_empty(), "nothing to be found for {pattern}");
            lines.join("\n")
        }
        "edit_file" => {
            let path = project.join(text("file_path"));
            let before = fs::read_to_string(&path).unwrap();
            assert_eq!(before.matches(text("old_string")).count(), 1, "the text to replace must be there once");
            fs::write(&path, before.replace(text("old_string"), text("new_string"))).unwrap();
            "done".into()
        }
        "write_file" => {
            fs::write(project.join(text("file_path")), text("content")).unwrap();
            "done".into()
        }
        "run_command" => {
            assert_eq!(text("command"), "sh test.sh");
            let (passed, output) = test(project);
            format!("exit code {}\n{output}", i32::from(!passed))
        }
        other => panic!("no such tool: {other}"),
    }
}

#[test]
fn the_demo_finds_the_fault_fixes_it_and_shows_that_the_test_passes() {
    let mut sitting = Sitting::new();
    assert!(!sitting.test().0, "the test fails before");
    let last = sitting.say(demo::PROMPT, Answers::Yes);
    assert!(sitting.test().0, "the test passes after");
    assert!(last.starts_with("## Fixed") && last.contains("```sh"), "{last}");
    assert_eq!(
        sitting.calls,
        ["list_directory", "read_file", "read_file", "grep_search", "run_command", "edit_file", "run_command"]
    );
    let again = sitting.say(demo::PROMPT, Answers::Yes);
    assert!(again.contains("passes already"), "{again}");
}

#[test]
fn a_refused_edit_is_followed_by_another_proposal_that_fixes_it_too() {
    let mut sitting = Sitting::new();
    let last = sitting.say(demo::PROMPT, Answers::NoToEdit);
    assert!(sitting.test().0);
    assert!(last.starts_with("## Fixed"), "{last}");
    assert_eq!(sitting.calls[5..], ["edit_file", "write_file", "run_command"]);
}

#[test]
fn advice_that_comes_with_a_refusal_is_acknowledged() {
    let sitting = Sitting::new();
    let call = json!({"function": {"name": "edit_file", "arguments": {}}});
    let messages = json!([
        {"role": "user", "content": demo::PROMPT},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_name": "edit_file", "content": "refused by the user, who says: use awk"},
    ]);
    let reply = chat(sitting.server.addr(), &json!({"model": demo::MODEL, "messages": messages}));
    assert!(reply.content().starts_with("Thank you for the advice."), "{}", reply.content());
}

#[test]
fn after_two_refusals_the_demo_explains_and_stops() {
    let mut sitting = Sitting::new();
    let last = sitting.say(demo::PROMPT, Answers::NoToEdits);
    assert!(!sitting.test().0);
    assert!(last.starts_with("Then I'll leave `total.sh` as it is."), "{last}");
}

#[test]
fn without_running_anything_the_demo_fixes_the_fault_all_the_same() {
    let mut sitting = Sitting::new();
    let last = sitting.say(demo::PROMPT, Answers::NoToCommands);
    assert!(sitting.test().0);
    assert!(last.contains("changed but not tested"), "{last}");
}

#[test]
fn refused_everything_the_demo_changes_nothing_and_stops() {
    let mut sitting = Sitting::new();
    sitting.say(demo::PROMPT, Answers::No);
    assert!(!sitting.test().0);
    assert_eq!(sitting.calls[4..], ["run_command", "edit_file", "write_file"]);
}

#[test]
fn the_test_alone_can_be_run() {
    let mut sitting = Sitting::new();
    assert!(sitting.say("Run the tests, please", Answers::Yes).contains("party list"));
    assert!(sitting.say("run the tests", Answers::No).contains("won't run"));
    sitting.say(demo::PROMPT, Answers::Yes);
    assert!(sitting.say("run the tests", Answers::Yes).contains("The test passes"));
    assert_eq!(sitting.calls, ["run_command"]);
}

#[test]
fn anything_else_is_answered_with_what_the_demo_can_do() {
    let mut sitting = Sitting::new();
    for words in ["Hello!", "help", "Write me a poem", ""] {
        let answer = sitting.say(words, Answers::Yes);
        assert!(answer.contains(demo::PROMPT) && answer.contains("`long`"), "{words}: {answer}");
    }
    let long = sitting.say("long", Answers::Yes);
    assert!(long.contains("|:----|") && long.contains("```python"), "{long}");
}

#[test]
fn a_phrase_makes_the_demo_think_aloud() {
    let sitting = Sitting::new();
    let body = json!({"model": "demo", "messages": [{"role": "user", "content": "think"}]});
    let lines = chat(sitting.server.addr(), &body).lines();
    assert!(lines[0]["message"]["thinking"].as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn a_message_queued_in_the_middle_is_answered_without_a_call() {
    let mut sitting = Sitting::new();
    sitting.messages = vec![
        json!({"role": "user", "content": demo::PROMPT}),
        json!({"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "list_directory", "arguments": {"path": "."}}}]}),
        json!({"role": "tool", "tool_name": "list_directory", "content": "total.sh"}),
    ];
    assert!(sitting.say("and fix the typo too", Answers::Yes).contains("I've seen your message"));
    assert!(sitting.calls.is_empty());
}

#[test]
fn unpacking_twice_gives_the_project_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("deep/er");
    demo::unpack(&project).unwrap();
    fs::write(project.join("total.sh"), "broken").unwrap();
    demo::unpack(&project).unwrap();
    let (passed, output) = test(&project);
    assert!(!passed && output.contains("FAIL  party: expected 4470, found 895"), "{output}");
}

#[cfg(unix)]
#[test]
fn the_demos_scripts_can_be_executed() {
    use std::os::unix::fs::PermissionsExt;
    let project = tempfile::tempdir().unwrap();
    demo::unpack(project.path()).unwrap();
    for script in ["test.sh", "total.sh"] {
        assert_eq!(fs::metadata(project.path().join(script)).unwrap().permissions().mode() & 0o777, 0o755);
    }
}
