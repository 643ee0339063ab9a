//! Models that would not get on by themselves, each once left alone and once with what the program does about it: facts with the
//! first words, a bound for thinking, for looks, for steps and for one call.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::{Output, Stdio};

const WISH: &str = "the parser drops the last word; fix `parse_item`";

/// A house whose settings around the model are these.
fn with(house: House, harness: &str) -> House {
    std::fs::write(house.config().join("config.toml"), format!("[harness]\n{harness}\n")).unwrap();
    house
}

/// A house with a model that can do this and plays these rules.
fn scripted(capabilities: &[&str], rules: &[Value]) -> House {
    House::scripted(json!({
        "models": [{"name": "m", "context_length": 32768, "family": "qwen2", "capabilities": capabilities}],
        "replies": rules,
    }))
}

fn rule(when: Value, say: Value) -> Value {
    json!({"when": when, "say": say})
}

fn once(say: Value) -> Value {
    json!({"times": 1, "say": say})
}

fn run(house: &House, words: &str, more: &[&str]) -> Output {
    let args = [&["--model", "m", "-p", words, "--unsafe"], more].concat();
    house.headless(&args).stdin(Stdio::null()).output().unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The messages of the request of this number.
fn sent(house: &House, chat: usize) -> Vec<Value> {
    house.server().chats()[chat].body["messages"].as_array().unwrap().clone()
}

fn content(message: &Value) -> &str {
    message["content"].as_str().unwrap()
}

/// The change that is wished for, and the words after it.
fn change() -> Value {
    call("write_file", json!({"file_path": "fixed.txt", "content": "fixed\n"}))
}

fn is_fixed(house: &House) -> bool {
    house.project().join("fixed.txt").exists()
}

/// A project with a name that the wish names.
fn project(house: &House) {
    house.write("Makefile", "check:\n\ttouch checked\n");
    house.write("src/parse.rs", "// parses\npub fn parse_item() {}\n");
}

#[test]
fn facts_and_the_tool_list_are_all_that_the_first_request_has_besides() {
    let first = |house: House| {
        project(&house);
        let output = run(&house, WISH, &["--no-stdin"]);
        assert_eq!(content(&sent(&house, 0)[1]).lines().next(), Some(WISH), "{}", err(&output));
        house.server().chats()[0].body.clone()
    };
    let (on, off) = (first(House::new(&[text("Which one?")]).with_facts()), first(House::new(&[text("Which one?")])));
    let facts = content(&on["messages"][1]).strip_prefix(&format!("{WISH}\n\n")).unwrap().to_owned();
    assert!(facts.chars().count() <= 1_200, "{facts}");
    for fact in ["tests: make check", "on top: src/, Makefile", "parse_item: src/parse.rs:2", "$TMPDIR", "today is 20"]
    {
        assert!(facts.contains(fact), "{fact}: {facts}");
    }
    let mut same = on.clone();
    same["messages"][1]["content"] = off["messages"][1]["content"].clone();
    // The folders of the two houses have other names.
    same["messages"][0]["content"] = off["messages"][0]["content"].clone();
    assert_eq!(same, off);
    assert_eq!(
        content(&on["messages"][0]).len(),
        content(&off["messages"][0]).len(),
        "nothing is said in the instructions"
    );
}

#[test]
fn facts_are_told_once_and_come_back_as_they_were_with_the_session() {
    let house = House::new(&[text("Which one?"), text("Thank you.")]).with_facts();
    project(&house);
    run(&house, WISH, &[]);
    house.write("later.txt", "there since\n");
    let output = run(&house, "the first", &["-c"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let (before, after) = (sent(&house, 0), sent(&house, 1));
    assert_eq!(before[..], after[..2], "what was told stays as it was, byte for byte");
    assert_eq!(content(&after[3]), "the first");
}

#[test]
fn a_person_sees_a_row_of_it_and_a_new_conversation_gets_facts_of_its_own() {
    let house = House::new(&[text("Which one?"), text("That one.")]).with_facts();
    project(&house);
    let mut screen = house.open();
    screen.keys(&format!("{WISH}<enter>"));
    let shown = screen.wait_for("Which one?");
    assert!(shown.contains("Look around the project") && shown.contains("tests: make check"), "{shown}");
    house.wait_turns(1);
    screen.wait_gone("Esc interrupts");
    screen.keys("/clear<enter>");
    screen.wait_gone("Which one?");
    screen.keys("fix the other one<enter>");
    screen.wait_for("That one.");
    let anew = sent(&house, 1);
    assert_eq!(anew.len(), 2);
    assert!(content(&anew[1]).contains("tests: make check"), "{anew:?}");
}

#[test]
fn who_knows_only_one_test_command_by_heart_runs_the_right_one_with_the_facts() {
    let runs = |command: &str| call("run_command", json!({"command": command}));
    let rules = || {
        [
            rule(json!({"tool": "run_command"}), text("That is what it says.")),
            rule(json!({"user_contains": "tests: make check"}), runs("make check")),
            rule(json!({}), runs("pytest --version-of-nothing")),
        ]
    };
    for (house, checked) in [
        (scripted(&["completion", "tools"], &rules()).with_facts(), true),
        (scripted(&["completion", "tools"], &rules()), false),
    ] {
        project(&house);
        let output = run(&house, "run the tests", &[]);
        assert_eq!(house.project().join("checked").exists(), checked, "{}", err(&output));
    }
}

/// A file that is long enough to be read on and on.
fn parts() -> String {
    (0..30).map(|at| format!("part {at}\n")).collect()
}

#[test]
fn who_looks_for_ever_makes_the_change_when_it_is_told() {
    let rules = || {
        let mut rules = vec![
            rule(json!({"tool": "write_file"}), text("Fixed.")),
            rule(json!({"user_contains": "your last 12 replies changed nothing"}), change()),
        ];
        rules.extend((1..30).map(|line| once(call("read_file", json!({"file_path": "parts.txt", "offset": line})))));
        rules.push(rule(json!({}), text("I have seen all parts now.")));
        rules
    };
    for (harness, fixed, code) in [("looks = 12", true, 0), ("looks = 0", false, 9)] {
        let house = with(scripted(&["completion", "tools"], &rules()), &format!("facts = false\nidle = 0\n{harness}"));
        house.write("parts.txt", &parts());
        let output = run(&house, "fix the parser", &[]);
        assert_eq!((is_fixed(&house), output.status.code()), (fixed, Some(code)), "{harness}: {}", err(&output));
    }
}

#[test]
fn who_looks_on_though_it_was_told_ends_with_the_code_of_circles() {
    let looks = (1..30).map(|line| once(call("read_file", json!({"file_path": "parts.txt", "offset": line}))));
    let house = with(scripted(&["completion", "tools"], &looks.collect::<Vec<_>>()), "facts = false\nlooks = 4");
    house.write("parts.txt", &parts());
    let output = run(&house, "fix the parser", &[]);
    assert_eq!((output.status.code(), house.server().chats().len()), (Some(7), 13), "told twice: {}", err(&output));
    assert!(err(&output).contains("looks at one thing after the other, and changes nothing"), "{}", err(&output));
}

#[test]
fn who_gets_nowhere_finds_another_way_when_it_is_told() {
    let rules = || {
        let mut rules = vec![
            rule(json!({"tool": "write_file"}), text("Fixed.")),
            rule(json!({"user_contains": "brought nothing new"}), change()),
        ];
        rules.extend((0..20).map(|at| once(call("run_command", json!({"command": format!("true attempt {at}")})))));
        rules.push(rule(json!({}), text("Nothing helps.")));
        rules
    };
    for (harness, fixed) in [("idle = 6", true), ("idle = 0", false)] {
        let house = with(scripted(&["completion", "tools"], &rules()), &format!("facts = false\nlooks = 0\n{harness}"));
        let output = run(&house, "fix the parser", &[]);
        assert_eq!(is_fixed(&house), fixed, "{harness}: {}", err(&output));
    }
}

#[test]
fn who_thinks_without_end_acts_when_its_thinking_is_closed() {
    let thoughts: String = (0..4_000).map(|at| format!("Or is it option {at}?\n\n")).collect();
    let rules = [
        rule(json!({"tool": "write_file"}), text("Fixed.")),
        rule(json!({"user_contains": "you have thought long enough"}), change()),
        rule(json!({}), json!([{"thinking": thoughts}, {"done_reason": "length"}])),
    ];
    for (harness, fixed, code) in [("think_tokens = 400", true, 0), ("think_tokens = 0", false, 5)] {
        let house = with(scripted(&["completion", "tools", "thinking"], &rules), &format!("facts = false\n{harness}"));
        let output = run(&house, "fix the parser", &[]);
        assert_eq!((is_fixed(&house), output.status.code()), (fixed, Some(code)), "{harness}: {}", err(&output));
        let thinks: Vec<Value> = house.server().chats().iter().map(|chat| chat.body["think"].clone()).collect();
        let expected = if fixed { vec![Value::Null, json!(false), Value::Null] } else { vec![Value::Null] };
        assert_eq!(thinks, expected, "only the reply that acts is told not to think");
        assert_eq!(err(&output).contains("tokens; told to act"), fixed, "{}", err(&output));
    }
}

#[test]
fn a_person_sees_how_far_thinking_has_come_and_that_it_was_closed() {
    let thoughts: String = (0..400).map(|at| format!("Or is it option {at}?\n\n")).collect();
    let rules = [
        rule(json!({"user_contains": "you have thought long enough"}), text("It is the last word.")),
        rule(json!({}), json!([{"thinking": thoughts, "tokens_per_second": 90}])),
    ];
    let house = with(scripted(&["completion", "tools", "thinking"], &rules), "facts = false\nthink_tokens = 400");
    let mut screen = house.open();
    screen.keys("how does the parser work?<enter>");
    screen.wait_for(" of 400");
    let shown = screen.wait_for("It is the last word.");
    assert!(shown.contains("tokens; told to act"), "{shown}");
}

#[test]
fn who_writes_one_call_without_end_writes_in_parts_when_it_is_told() {
    let lines: String = (0..3_000).map(|at| format!("value_{at} = compute({at})\\n")).collect();
    let endless = format!(
        "<tool_call>\n{{\"name\": \"write_file\", \"arguments\": {{\"file_path\": \"fixed.txt\", \"content\": \"{lines}"
    );
    let written = "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"file_path\": \"fixed.txt\", \"content\": \"fixed\\n\"}}\n</tool_call>";
    let rules = [
        rule(json!({"user_contains": "write it in parts"}), text(written)),
        once(json!([{"text": endless}, {"done_reason": "length"}])),
        rule(json!({}), text("That was too long for me.")),
    ];
    for (harness, fixed) in [("longest_call = 1500", true), ("longest_call = 0", false)] {
        let house = with(scripted(&["completion"], &rules), &format!("facts = false\n{harness}"));
        let output = run(&house, "write the table", &[]);
        assert_eq!(is_fixed(&house), fixed, "{harness}: {}", err(&output));
    }
}

#[test]
fn a_script_s_model_hears_of_its_last_steps_and_finishes_what_works() {
    let rules = || {
        let mut rules = vec![
            rule(json!({"tool": "write_file"}), text("Half of it works.")),
            rule(json!({"user_contains": "3 steps are left"}), change()),
        ];
        rules.extend((0..20).map(|at| once(call("read_file", json!({"file_path": format!("part_{at}.txt")})))));
        rules
    };
    let house = scripted(&["completion", "tools"], &rules());
    (0..20).for_each(|at| house.write(&format!("part_{at}.txt"), &format!("part {at}\n")));
    let output = run(&house, "fix the parser", &["--max-turns", "6"]);
    assert_eq!((is_fixed(&house), output.status.code()), (true, Some(0)), "{}", err(&output));
}

/// A good model in a project of two files: it looks, thinks a little, changes, tests, and says so.
#[test]
fn a_strong_model_hears_nothing_but_the_facts() {
    let rules = [
        once(
            json!([{"thinking": "The name says where it is."}, {"call": {"name": "read_file", "arguments": {"file_path": "src/parse.rs"}}}]),
        ),
        once(call(
            "edit_file",
            json!({"file_path": "src/parse.rs", "old_string": "parse_item() {}", "new_string": "parse_item() -> u8 {\n    0\n}"}),
        )),
        once(call("run_command", json!({"command": "make check"}))),
        once(text("parse_item keeps the last word now; `make check` passes.")),
    ];
    let house = scripted(&["completion", "tools", "thinking"], &rules).with_facts();
    project(&house);
    let output = run(&house, WISH, &["--max-turns", "20", "--max-time", "5m"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let last = sent(&house, 3);
    let told: Vec<&str> = last.iter().filter(|message| message["role"] == "user").map(content).collect();
    assert_eq!(told.len(), 1, "the user's words with the facts, and nothing else: {told:?}");
}
