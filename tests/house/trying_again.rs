//! A task whose check still fails, begun again from the files as they were: by a script that asked for it, and by a person.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::{Output, Stdio};

const START: &str = "def area(a, b):\n    return a + b\n";
const TESTS: &str = "import unittest\nfrom shapes import area\n\n\nclass Area(unittest.TestCase):\n    \
                     def test_area(self):\n        self.assertEqual(area(2, 3), 6)\n\n    \
                     def test_none(self):\n        self.assertEqual(area(0, 3), 0)\n";

fn writes(body: &str) -> Value {
    call("write_file", json!({"file_path": "shapes.py", "content": format!("def area(a, b):\n    return {body}\n")}))
}

fn house(replies: &[Value]) -> House {
    let replies: Vec<Value> = replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect();
    let house = House::scripted(json!({"models": [{"name": "m", "context_length": 16384}], "replies": replies}));
    house.write("shapes.py", START);
    house.write("test_shapes.py", TESTS);
    house
}

fn fix(house: &House, more: &[&str]) -> Output {
    let args = [&["-p", "mend area in shapes.py", "--allow", "write", "--allow", "run"], more].concat();
    house.headless(&args).stdin(Stdio::null()).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_script_gets_the_second_try_where_it_asked_for_two() {
    let wrong = [writes("a - b - 1"), text("Mended."), text("It is mended.")];
    let right = [writes("a * b"), text("It multiplies now.")];
    let alone = house(&wrong);
    let output = fix(&alone, &[]);
    assert_eq!(output.status.code(), Some(10), "without --attempts: {}", told(&output));

    let house = house(&[wrong.as_slice(), right.as_slice()].concat());
    let output = fix(&house, &["--attempts", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(house.read("shapes.py").contains("a * b"));
    let chats = house.server().chats();
    let second = chats.last().unwrap().body["messages"].to_string();
    let end = &second[second.len().saturating_sub(1_500)..];
    assert!(second.contains("an earlier try changed shapes.py") && second.contains("test_area"), "{end}");
    assert!(!second.contains("It is mended"), "what led astray is gone: {end}");
}

#[test]
fn a_second_try_that_is_no_better_gives_way_to_the_first() {
    // The first fails in one test, the second in both.
    let first = [writes("a + a - a"), text("Mended."), text("It is mended.")];
    let second = [writes("a + b"), writes("a + b + 1"), text("Mended."), text("It is mended.")];
    let house = house(&[first.as_slice(), second.as_slice()].concat());
    house.write("test_shapes.py", &TESTS.replace("area(0, 3), 0", "area(0, 0), 0"));
    let output = fix(&house, &["--attempts", "2"]);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(told(&output).contains("try 1 was better and is brought back"), "{}", told(&output));
    assert!(house.read("shapes.py").contains("a + a - a"), "{}", house.read("shapes.py"));
}

#[test]
fn a_person_is_asked_and_can_go_back_to_the_first_try() {
    let replies =
        [writes("a - b - 1"), text("Mended."), text("It is mended."), writes("a * b"), text("It multiplies now.")];
    let house = house(&replies);
    let mut screen = house.open_with(&["--unsafe", "--model", "m"], (100, 30));
    screen.wait_for("unsafe");
    screen.keys("mend area in shapes.py<enter>");
    let asked = screen.wait_for("start again");
    assert!(asked.contains("shapes.py") && asked.contains("Start this task again"), "{asked}");
    screen.press_until_gone("y", "start again");
    house.wait_turns(1);
    screen.wait_gone("Esc interrupts");
    assert!(house.read("shapes.py").contains("a * b"));
    screen.keys("/undo<enter>");
    screen.wait_for("y undo");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: 1 file");
    assert!(house.read("shapes.py").contains("a - b - 1"), "{}", house.read("shapes.py"));
}
