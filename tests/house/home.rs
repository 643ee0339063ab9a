//! What an earlier version left in a home folder holds with this one: sessions, undo, rules, trust, choices, what was
//! learned of a model, config, and what a person put beside it.

mod moved;

use crate::terminal::Terminal;
use agent_mock_server::{Script, Server};
use moved::Home;
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use std::fs;
use std::process::{Output, Stdio};

/// What ada called her sessions, or said first in them, and the words that stood there last.
const SESSIONS: [(&str, &str, &str); 4] = [
    ("20261123-181629-56f7", "Mending the greeting", "The reviewer found nothing wrong."),
    ("20261123-181743-a323", "Mending the greeting", "It could also say Good day."),
    ("20261123-181835-bba0", "read the birds", "The wren is the smallest."),
    ("20261123-181915-92cf", "tell me a long tale", "tell me a long tale"),
];

/// The home of version 0.1, and a server with the model that was chosen there.
struct House {
    home: Home,
    server: Server,
}

impl House {
    /// The model says `replies` in order, each a list of steps.
    fn new(replies: &[Value]) -> Self {
        let replies: Vec<Value> = replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect();
        let models = json!([{"name": "pocket:3b", "context_length": 16_384, "parameter_size": "3.1B"}, {"name": "m"}]);
        let script = Script::from_value(json!({"models": models, "replies": replies})).unwrap();
        House { home: Home::of("0.1"), server: Server::start(script).unwrap() }
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
        vec![
            ("HOME", self.home.path().display().to_string()),
            ("AGENT_HOST", self.server.url()),
            ("PATH", format!("{}:{path}", self.home.path().join("bin").display())),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agent"));
        command.env_clear().envs(self.environment()).args(args).current_dir(self.home.project());
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn screen(&self, args: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_agent"));
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.args(args);
        command.cwd(self.home.project());
        Terminal::start(command, (120, 40))
    }

    /// The approval covers where the server lies, so it has to be given anew where it lies elsewhere.
    fn approve_again(&self) {
        let approved = self.run(&["mcp", "approve", "notes", "--yes"]);
        assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    }

    /// The messages of the request that came last.
    fn sent(&self) -> Vec<Value> {
        self.server.chats().last().unwrap().body["messages"].as_array().unwrap().clone()
    }
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn text(text: &str) -> Value {
    json!([{"text": text}])
}

fn command(line: &str) -> Value {
    json!([{"call": {"name": "run_command", "arguments": {"command": line}}}])
}

#[test]
fn its_sessions_are_listed_and_shown() {
    let house = House::new(&[]);
    let listed: Value = serde_json::from_str(out(&house.run(&["sessions", "list", "--json"]))).unwrap();
    let mut cards: Vec<(&str, &str)> = listed["sessions"].as_array().unwrap().iter().map(titled).collect();
    cards.sort_unstable();
    assert_eq!(cards, SESSIONS.map(|(id, title, _)| (id, title)));
    for (id, _, said) in SESSIONS {
        let shown = house.run(&["sessions", "show", id]);
        assert!(out(&shown).contains(said), "{id}: {}{}", out(&shown), err(&shown));
    }
}

fn titled(card: &Value) -> (&str, &str) {
    assert_eq!(card["open"], json!(false));
    (card["id"].as_str().unwrap(), card["title"].as_str().unwrap())
}

#[test]
fn each_of_its_sessions_goes_on_with_what_was_said() {
    let house = House::new(&[text("One."), text("Two."), text("Three."), text("Four.")]);
    house.approve_again();
    for ((id, title, _), (words, answer)) in SESSIONS.iter().zip([
        ("I still need them", "One."),
        ("is there another way?", "Two."),
        ("the wren is the smallest", "Three."),
        ("tell me a long tale", "Four."),
    ]) {
        let output = house.run(&["-r", id, "-p", "where were we?"]);
        assert_eq!((out(&output).trim_end(), output.status.code()), (answer, Some(0)), "{}", err(&output));
        assert!(err(&output).contains(&format!("going on with “{title}”")), "{}", err(&output));
        let sent = house.sent();
        let told = sent.iter().any(|message| message["content"].as_str().is_some_and(|text| text.contains(words)));
        assert!(told, "{id}: {sent:?}");
        assert_eq!(sent.last().unwrap()["content"], "where were we?");
    }
}

#[test]
fn on_the_screen_a_session_shows_what_was_said_and_offers_to_undo_what_was_done() {
    let house = House::new(&[]);
    let mut screen = house.screen(&["-r", "20261123-181629-56f7"]);
    let shown = screen.wait_for("The reviewer found nothing wrong.");
    assert!(shown.contains("› have it reviewed") && shown.contains("pocket:3b"), "{shown}");
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("mend the greeting, please");
    assert!(shown.contains("remember that") && shown.contains("tidy the notes"), "{shown}");
    assert!(!shown.contains("back to before “add a shout”"), "that was undone already: {shown}");
    screen.keys("<down>");
    screen.wait_for("back to before “tidy the notes”");
    // What was in the files comes from the undo store.
    // A row below the question that says something for a moment takes one of its own.
    screen
        .wait("all of the change to show", |shown| ["notes.txt", "milk", "bread"].iter().all(|it| shown.contains(it)));
    screen.keys("<esc>");
    screen.wait_gone("back to before");
    // The command is the last that was typed.
    screen.keys("<up>");
    screen.wait_for("› /undo");
    screen.keys("<up>");
    screen.wait_for("› which is the smallest of them");
}

#[test]
fn its_rules_hold_and_its_project_is_trusted() {
    let house = House::new(&[
        command("checkit greet.py"),
        command("checkit --publish now"),
        command("ls"),
        text("That is all."),
    ]);
    house.approve_again();
    let output = house.run(&["-p", "check it"]);
    assert_eq!(out(&output).trim_end(), "That is all.", "{}", err(&output));
    let sent = house.sent();
    let results: Vec<&str> = sent
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert!(results[0].contains("checked 1 words: greet.py"), "allowed for good: {results:?}");
    assert!(results[1].contains("rule") && !results[1].contains("checked"), "refused by a rule of hers: {results:?}");
    assert!(results[2].contains("greet.py"), "reading runs unasked: {results:?}");
    let system = sent[0]["content"].as_str().unwrap();
    assert!(system.contains("Run `checkit` before you say"), "the project is trusted: {system}");
    let rules = fs::read_to_string(house.home.path().join(".config/agent/policy.toml")).unwrap();
    assert!(rules.contains(r#"example = "checkit --fast greet.py""#), "{rules}");
}

#[test]
fn its_config_loads_without_a_word_and_all_beside_it_is_found() {
    let house = House::new(&[text("Hello.")]);
    let listed = house.run(&["mcp", "list"]);
    assert!(out(&listed).contains("changed since you approved it"), "the approval was read: {}", out(&listed));
    house.approve_again();
    let output = house.run(&["-p", "hello"]);
    assert_eq!((out(&output).trim_end(), output.status.code()), ("Hello.", Some(0)), "{}", err(&output));
    for odd in ["config.toml", "models.toml", "policy.toml", "unknown", "not used", "left out"] {
        assert!(!err(&output).contains(odd), "{}", err(&output));
    }
    let chats = house.server.chats();
    let body = &chats.last().unwrap().body;
    assert_eq!((&body["model"], &body["keep_alive"]), (&json!("pocket:3b"), &json!("45m")), "{body}");
    let options = &body["options"];
    let asked = ["num_ctx", "temperature", "top_p", "num_predict"].map(|name| options[name].clone());
    assert_eq!(asked, [json!(16_384), json!(0.25), json!(0.85), json!(2048)], "{options}");
    let system = body["messages"][0]["content"].as_str().unwrap();
    for words in ["Answer in one sentence.", "Ada writes British English", "the tests of thing run with checkit"] {
        assert!(system.contains(words), "{words}: {system}");
    }
    let tools = body["tools"].to_string();
    for words in ["count_marks", "notes__add", "pdf: Fills forms", "reviewer", "batch_operations"] {
        assert!(tools.contains(words), "{words}: {tools}");
    }
    assert!(!tools.contains("multi_edit"), "{tools}");
}

#[test]
fn what_was_learned_of_its_model_is_used_and_learned_on() {
    let house = House::new(&[text("Hello.")]);
    let learned = || -> Value {
        let text = fs::read_to_string(house.home.state().join("models.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let before = learned();
    let screen = house.screen(&[]);
    screen.wait_for("pocket:3b");
    let mut screen = screen;
    screen.keys("hello<enter>");
    screen.wait_for("Hello.");
    screen.wait_gone("Esc interrupts");
    screen.keys("<c-d>");
    assert!(screen.wait_exit().success());
    let after = learned();
    assert_eq!(after[0]["digest"], before[0]["digest"], "it is the same model");
    assert_eq!(after[0]["examined"], before[0]["examined"]);
    // 0.1 estimated tokens by other figures, which say nothing to this version: it learns anew, and keeps what it learned.
    let learned = |learned: &Value| {
        let calibration = &learned[0]["calibration"];
        (calibration["weights"].as_array().unwrap().len(), calibration["samples"].as_u64().unwrap())
    };
    assert_eq!(learned(&before).0, 25);
    assert_eq!(learned(&after), (15, 1), "{after}");
}
