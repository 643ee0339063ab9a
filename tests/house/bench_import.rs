//! `agent bench --import`, with a scripted model and a small made-up track.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

const TEST: &str = "import unittest\nimport greet\n\n\nclass Greeting(unittest.TestCase):\n    def test_it(self):\n        \
                    self.assertEqual(greet.greet(), 'hello')\n";

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A tree with an exercise that holds, one whose example is wrong, and one in a language that nobody imports.
fn tree(house: &House) -> PathBuf {
    let root = house.outside().join("polyglot");
    let config = r#"{"files": {"solution": ["greet.py"], "test": ["greet_test.py"], "example": [".meta/example.py"]}}"#;
    for (name, example) in [("greet", "def greet():\n    return 'hello'\n"), ("wrong", "def greet():\n    return 1\n")]
    {
        for (file, content) in [
            (".meta/config.json", config),
            (".meta/example.py", example),
            (".docs/instructions.md", "Greet with hello."),
            ("greet.py", "def greet():\n    pass\n"),
            ("greet_test.py", TEST),
        ] {
            let path = root.join("python/exercises/practice").join(name).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }
    fs::create_dir_all(root.join("cobol/exercises/practice/greet")).unwrap();
    root
}

fn writes(word: &str) -> Value {
    let content = format!("def greet():\n    return '{word}'\n");
    call("write_file", json!({"file_path": "greet.py", "content": content}))
}

/// Replies of a model that is wrong at first and right when it is told.
fn learns() -> [Value; 4] {
    [writes("hi"), text("It greets."), writes("hello"), text("Now it does.")]
}

fn bodies(house: &House) -> Vec<Value> {
    house.server().chats().iter().map(|chat| chat.body.clone()).collect()
}

fn tools(body: &Value) -> Vec<&str> {
    body["tools"].as_array().unwrap().iter().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

fn row(house: &House) -> Value {
    let report: Value = serde_json::from_str(out(&run(house, &["bench", "show", "--json"]))).unwrap();
    assert_eq!(report["rows"].as_array().unwrap().len(), 1);
    report["rows"][0].clone()
}

fn bench(house: &House, tree: &str, protocol: &str) -> Output {
    run(house, &["bench", "--models", "m", "--no-exam", "--import", tree, "--protocol", protocol])
}

#[test]
fn tests_that_are_unseen_are_told_of_once_and_the_conversation_goes_on() {
    let house = House::new(&learns());
    let made = bench(&house, tree(&house).to_str().unwrap(), "aider");
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert!(out(&made).contains("left out: python-wrong (its own example does not pass"), "{}", out(&made));
    assert!(out(&made).contains("left out: cobol (no language"), "{}", out(&made));
    assert!(out(&made).contains("pass_rate_1 0.0 %, pass_rate_2 100.0 %"), "{}", out(&made));
    let bodies = bodies(&house);
    let (first, again) = (bodies[0].to_string(), bodies[2].to_string());
    assert!(!first.contains("greet_test"), "{first}");
    assert!(again.contains("It greets.") && again.contains("'hi' != 'hello'"), "{again}");
    assert!(bodies.iter().all(|body| !tools(body).contains(&"run_command") && tools(body).contains(&"write_file")));
    let row = row(&house);
    let classes: Vec<_> = row["tries"].as_array().unwrap().iter().map(|each| each["class"].clone()).collect();
    assert_eq!((row["class"].clone(), classes), (json!("solved"), vec![json!("wrong"), json!("solved")]));
    let runs = house.state().join("bench");
    let folder = fs::read_dir(runs).unwrap().next().unwrap().unwrap().path();
    let table = fs::read_to_string(folder.join("aider.yml")).unwrap();
    assert!(table.contains("pass_rate_2: 100.0") && table.contains("test_cases: 1"), "{table}");
    let page = fs::read_to_string(folder.join("bench.md")).unwrap();
    assert!(page.lines().next().unwrap().contains("protocol aider"), "{page}");
    assert!(page.contains("--protocol aider --trials 1"), "{page}");
    assert_eq!(run(&house, &["bench", "resume"]).status.code(), Some(0));
    assert_eq!(house.server().chats().len(), bodies.len(), "nothing is made twice");
}

#[test]
fn tests_that_are_open_lie_there_with_their_command() {
    let [wrong, said, right, done] = learns();
    // The tests are there, so the first try ends with a check, and what fails is told before the second.
    let house = House::new(&[wrong, said, text("It is right as it is."), right, done]);
    let made = bench(&house, tree(&house).to_str().unwrap(), "open");
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let bodies = bodies(&house);
    let (first, told) = (bodies[0].to_string(), bodies[2].to_string());
    assert!(tools(&bodies[0]).contains(&"run_command"));
    assert!(first.contains("The tests are in greet_test.py"), "{first}");
    assert!(told.contains("Fix the cause"), "{told}");
    assert_eq!(row(&house)["tries"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_solved_at_once_is_not_tried_again() {
    let house = House::new(&[writes("hello"), text("It greets.")]);
    let made = bench(&house, tree(&house).to_str().unwrap(), "aider");
    assert!(out(&made).contains("pass_rate_1 100.0 %, pass_rate_2 100.0 %"), "{}", out(&made));
    assert_eq!(row(&house)["tries"].as_array().unwrap().len(), 1);
}

#[test]
fn a_tree_is_held_to_its_examples_without_a_model() {
    let house = House::new(&[]);
    let tree = tree(&house);
    let tree = tree.to_str().unwrap();
    let held = run(&house, &["bench", "selftest", "--import", tree]);
    assert_eq!(held.status.code(), Some(0), "{held:?}");
    assert!(out(&held).contains("holds     python-greet\n"), "{}", out(&held));
    assert!(out(&held).ends_with("1 hold, 2 left out\n"), "{}", out(&held));
    let code = |args: &[&str]| run(&house, args).status.code();
    assert_eq!(code(&["bench", "--models", "m", "--import", tree, "--lang", "basic"]), Some(2));
    assert_eq!(code(&["bench", "--models", "m", "--protocol", "open"]), Some(2), "it goes with --import");
    assert_eq!(code(&["bench", "--models", "m", "--import", tree, "--course", "core"]), Some(2));
}
