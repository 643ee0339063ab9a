//! What they do: with the question, the fence, the caps and the undo of ours.

use crate::theirs::house::House;
use agent_protocol::{Mode, PreviewBody, Profile, Status};
use serde_json::json;

/// Reads, and says so.
const COUNTS: &str = r#"
name = "count_words"
description = "Counts the words of a file"
command = ["wc", "-w", ["--files0-from", "{from}"], "--", "{file}"]
timeout = 20
effect = "read"
paths = ["file"]

[parameters]
required = ["file"]
properties = { file = { type = "string" }, from = { type = "string" } }
"#;

/// Writes, or says that it does.
fn writes(effect: &str) -> String {
    format!(
        "name = \"leave_mark\"\ndescription = \"Leaves a mark\"\ncommand = [\"touch\", \"--\", \"{{file}}\"]\neffect = \
         \"{effect}\"\npaths = [\"file\"]\n\n[parameters.properties]\nfile = {{ type = \"string\" }}\n"
    )
}

/// A program that answers `--describe`, and else gives back what it read.
fn echoes(effect: &str) -> String {
    let definition = json!({
        "name": "echo_back", "description": "Gives back", "effect": effect, "timeout": 7, "paths": ["file"],
        "parameters": { "properties": { "text": { "type": "string" }, "file": { "type": "string" } }, "required": ["text"] },
    });
    format!(
        "#!/bin/sh\nif [ \"$1\" = --describe ]; then\ncat <<'END'\n{definition}\nEND\nexit\nfi\nprintf 'got %s\\n' \"$(cat)\"\necho \
         there > left.txt && echo left it\n"
    )
}

#[tokio::test]
async fn a_file_says_what_is_started_and_it_only_reads() {
    let house = House::new().tool("count.toml", COUNTS).file("a b.txt", "one two three\n");
    let mut opened = house.open(Mode::Safe);
    let preview = opened.job("count_words", &json!({ "file": "a b.txt" })).unwrap().0.preview();
    assert_eq!(preview.title, "Run count_words (your tool)");
    let PreviewBody::Command { command, profile, timeout_secs, .. } = preview.body else { panic!("it runs something") };
    let expected = format!("wc -w -- '{}/a b.txt'", house.root.display());
    assert_eq!((command, profile, timeout_secs), (expected, Profile::ReadOnly, 20));
    let told = opened.told("count_words", &json!({ "file": "a b.txt" })).await;
    assert!(told.starts_with("exit code 0\n3 "), "{told}");
    assert_eq!(opened.asked.len(), 1, "safe mode asked: {:?}", opened.asked);
}

#[tokio::test]
async fn what_says_that_it_reads_is_kept_from_writing() {
    let house = House::new().tool("mark.toml", &writes("read"));
    let told = house.open(Mode::Unsafe).told("leave_mark", &json!({ "file": "mark" })).await;
    assert!(told.starts_with("exit code 1") && !house.root.join("mark").exists(), "{told}");
}

#[tokio::test]
async fn what_it_writes_is_told_like_the_changes_of_ours() {
    let house = House::new().tool("mark.toml", &writes("write"));
    let outcome = house.open(Mode::Unsafe).run("leave_mark", &json!({ "file": "mark" })).await.unwrap();
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    let changed: Vec<_> = outcome.changed.iter().map(|change| change.path.clone()).collect();
    assert_eq!(changed, [house.root.join("mark")]);
}

#[tokio::test]
async fn plan_mode_runs_none_that_is_not_proved_to_only_read() {
    let house = House::new()
        .tool("mark.toml", &writes("write"))
        .tool("count.toml", COUNTS)
        .program("echo", &echoes("read"))
        .file("a.txt", "one\n");
    let mut opened = house.open(Mode::Plan);
    let told = opened.told("leave_mark", &json!({ "file": "mark" })).await;
    assert!(told.contains("plan mode"), "{told}");
    let told = opened.told("echo_back", &json!({ "text": "hi" })).await;
    assert!(told.contains("plan mode"), "{told}");
    assert!(!house.root.join("mark").exists());
}

#[test]
fn paths_are_judged_where_they_lead() {
    let house = House::new().tool("count.toml", COUNTS).file(".env", "KEY=value\n");
    std::os::unix::fs::symlink("/etc", house.root.join("away")).unwrap();
    let mut opened = house.open(Mode::Safe);
    assert_eq!(opened.planned("count_words", &json!({ "file": "away/hosts" })), "wc|-w|--|/etc/hosts");
    assert_eq!(
        opened.asked.pop().unwrap(),
        "that is outside the project; to change something there would be asked again"
    );
    assert_eq!(opened.planned("count_words", &json!({ "file": ".env" })), "wc|-w|--|.env");
    assert_eq!(opened.asked.pop().unwrap(), "its name says that it holds secrets; the model would read them");
    let mut opened = house.open(Mode::Unsafe);
    let refused = "Denied: the name of .env says that it holds secrets, which only a person hands out";
    assert_eq!(opened.planned("count_words", &json!({ "file": ".env" })), refused);
    let own = opened.planned("count_words", &json!({ "file": ".agent/policy.toml" }));
    assert!(own.contains("is this program's own"), "{own}");
}

#[test]
fn wrong_arguments_name_the_parameter() {
    let mut opened = House::new().tool("count.toml", COUNTS).open(Mode::Unsafe);
    for (arguments, expected) in [
        (json!({}), "InvalidArguments: count_words: `file` is missing: text"),
        (json!({ "file": {} }), "InvalidArguments: count_words: `file` must be text, not {}"),
        (
            json!({ "file": "a", "depth": 1 }),
            "InvalidArguments: count_words: there is no parameter `depth`; it takes from, file",
        ),
        (json!({ "file": "a\0" }), "InvalidArguments: a path cannot hold a NUL character"),
    ] {
        let planned = opened.planned("count_words", &arguments).replace("it takes file, from", "it takes from, file");
        assert_eq!(planned, expected);
    }
    // A value of an option is one word, whatever it looks like.
    let from = opened.planned("count_words", &json!({ "file": "a", "from": "-x; y" }));
    assert_eq!(from, "wc|-w|--files0-from|-x; y|--|a");
}

#[test]
fn a_program_that_is_not_installed_is_named() {
    let tool = COUNTS.replace("\"wc\"", "\"no-such-counter\"");
    let mut opened = House::new().tool("count.toml", &tool).open(Mode::Unsafe);
    let planned = opened.planned("count_words", &json!({ "file": "a" }));
    assert!(planned.starts_with("NotInstalled: no-such-counter is not installed, or not on the PATH"), "{planned}");
}

#[tokio::test]
async fn a_program_takes_json_on_its_standard_input() {
    let house = House::new().program("echo", &echoes("write"));
    let mut opened = house.open(Mode::Unsafe);
    let arguments = json!({ "text": "it's \"so\"\nand so", "file": "sub/../x" });
    let planned = opened.planned("echo_back", &arguments);
    let input = r#"{"text":"it's \"so\"\nand so","file":"x"}"#;
    assert!(planned.ends_with(&format!("/config/tools/echo < {input}")), "{planned}");
    let outcome = opened.run("echo_back", &arguments).await.unwrap();
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    let input = input.replace("\"x\"", &format!("\"{}/x\"", house.root.display()));
    assert_eq!(outcome.told, format!("exit code 0\ngot {input}\nleft it\n"));
    assert!(house.root.join("left.txt").exists(), "it runs in the project");
}

#[tokio::test]
async fn a_program_that_only_reads_is_kept_from_writing_and_asks_each_time_in_safe_mode() {
    let house = House::new().program("echo", &echoes("read"));
    let mut opened = house.open(Mode::Safe);
    for _ in 0..2 {
        let told = opened.told("echo_back", &json!({ "text": "hi" })).await;
        assert!(told.contains("got {\"text\":\"hi\"}") && !house.root.join("left.txt").exists(), "{told}");
    }
    assert_eq!(opened.asked.len(), 2);
}

#[tokio::test]
async fn a_file_starts_a_program_beside_it_which_is_no_tool_itself() {
    let tool = COUNTS.replace("\"wc\", \"-w\"", "\"./helper\"");
    let house =
        House::new().tool("count.toml", &tool).program("helper", "#!/bin/sh\necho \"helped $2\"\n").file("a", "");
    let mut opened = house.open(Mode::Unsafe);
    assert_eq!((opened.offered(), opened.notices.clone()), (vec!["count_words".to_owned()], Vec::new()));
    let told = opened.told("count_words", &json!({ "file": "a" })).await;
    assert_eq!(told, format!("exit code 0\nhelped {}/a\n", house.root.display()));
}

#[tokio::test]
async fn a_program_that_is_another_by_now_is_not_started() {
    let house = House::new().program("echo", &echoes("write"));
    let mut opened = house.open(Mode::Unsafe);
    let house = house.program("echo", &(echoes("write") + "# more\n"));
    let planned = opened.planned("echo_back", &json!({ "text": "hi" }));
    assert!(planned.starts_with("Stale: the program of echo_back is not the one that was found"), "{planned}");
    assert!(house.open(Mode::Unsafe).planned("echo_back", &json!({ "text": "hi" })).contains("tools/echo <"));
}

#[tokio::test]
async fn a_program_that_was_changed_while_the_question_stood_open_is_not_started() {
    let house = House::new().program("echo", &echoes("write"));
    let mut opened = house.open(Mode::Unsafe);
    let planned = opened.job("echo_back", &json!({ "text": "hi" })).unwrap();
    let house = house.program("echo", &echoes("write").replace("left it", "evil it"));
    let outcome = opened.carried_out(planned).await.unwrap();
    assert!(outcome.told.contains("is not the one that was found at the start"), "{}", outcome.told);
    assert!(!house.root.join("left.txt").exists());
}

#[tokio::test]
async fn a_trusted_project_s_tool_is_called_so() {
    let house = House::new().trusted().projects_program(".agent/tools/echo", &echoes("write"));
    let mut opened = house.open(Mode::Unsafe);
    let preview = opened.job("echo_back", &json!({ "text": "hi" })).unwrap().0.preview();
    assert_eq!(preview.title, "Run echo_back (the project's tool)");
    let told = opened.told("echo_back", &json!({ "text": "hi" })).await;
    assert!(told.contains("left it"), "{told}");
}

#[tokio::test]
async fn what_takes_too_long_is_ended() {
    let tool =
        "name = \"sleepy\"\ndescription = \"sleeps\"\ncommand = [\"sleep\", \"60\"]\ntimeout = 1\neffect = \"write\"\n";
    let outcome = House::new().tool("sleepy.toml", tool).open(Mode::Unsafe).run("sleepy", &json!({})).await.unwrap();
    assert!(outcome.told.starts_with("stopped after 1 s; "), "{}", outcome.told);
}
