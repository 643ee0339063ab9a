//! `agent bench`, with a scripted model and a task of the user's own.

mod killed;
mod trials;
mod tuning;

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

const SHEET: &str = r#"
kind = "write"
language = "shell"
hidden = "bash unseen.sh"
reader = "tap"
tests = ["says it"]
may_change = ["say.sh"]
"#;
const UNSEEN: &str = "if [ \"$(bash say.sh)\" = hello ]; then echo 'ok 1 - says it'; else exit 1; fi\n";

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A folder with one task.
fn tasks(house: &House) -> PathBuf {
    let folder = house.outside().join("tasks");
    for (name, text) in [
        ("say/task.toml", SHEET),
        ("say/prompt.md", "Make say.sh say hello."),
        ("say/start/say.sh", "true\n"),
        ("say/hidden/unseen.sh", UNSEEN),
        ("say/solution/say.sh", "echo hello\n"),
        ("say/wrong/1/say.sh", "echo Hello\n"),
        ("say/wrong/2/say.sh", "printf 'hello there'\n"),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn solves() -> Value {
    call("write_file", json!({"file_path": "say.sh", "content": "echo hello\n"}))
}

#[test]
fn a_run_is_made_shown_and_compared() {
    let house = House::new(&[solves(), text("It says hello now."), text("It should say hello.")]);
    let tasks = tasks(&house);
    fs::create_dir_all(house.config()).unwrap();
    fs::write(house.config().join("AGENTS.md"), "Words of mine alone.\n").unwrap();
    let made = run(&house, &["bench", "--models", "m", "--dir", tasks.to_str().unwrap(), "--trials", "2", "--no-exam"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert!(out(&made).contains("[1/2]  m  say · 1  solved"), "{}", out(&made));
    assert!(out(&made).contains("[2/2]  m  say · 2  nothing changed"), "{}", out(&made));
    assert!(out(&made).contains("m solves 50 % ("), "{}", out(&made));
    assert!(house.server().chats().iter().all(|chat| !chat.body.to_string().contains("Words of mine")));

    let shown = run(&house, &["bench", "show", "--json"]);
    let report: Value = serde_json::from_str(out(&shown)).unwrap();
    assert_eq!(report["figures"][0]["kinds"], json!({"write": [1, 2]}));
    let page = run(&house, &["bench", "show", "--markdown"]);
    assert!(out(&page).contains("| 1 | m | 1/2 | 50 % ("), "{}", out(&page));
    let id = report["plan"]["id"].as_str().unwrap();
    assert!(out(&run(&house, &["bench", "list"])).starts_with(id));
    let compared = run(&house, &["bench", "compare", id, id]);
    assert_eq!(compared.status.code(), Some(0));
    assert!(out(&compared).starts_with("no difference seen"), "{}", out(&compared));
    let listed = run(&house, &["models"]);
    assert!(out(&listed).contains("m:latest  50 % (") && out(&listed).contains(") tasks, 20"), "{}", out(&listed));
    assert!(out(&run(&house, &["bench", "show"])).contains("per solved task"));
    let asked = house.server().chats().len();
    assert_eq!(run(&house, &["bench", "resume"]).status.code(), Some(0));
    assert_eq!(house.server().chats().len(), asked, "nothing is made twice");
}

#[test]
fn the_shell_learns_what_stands_in_the_way() {
    let house = House::new(&[]);
    let tasks = tasks(&house);
    let folder = tasks.to_str().unwrap();
    let code = |args: &[&str]| run(&house, args).status.code();
    assert_eq!(code(&["bench", "--models", "other", "--dir", folder]), Some(4), "no model");
    assert_eq!(code(&["bench", "--models", "m", "--course", "golf"]), Some(2), "no such course");
    assert_eq!(code(&["bench", "show", "zzz"]), Some(4), "no such run");
    assert_eq!(code(&["bench", "--models", "m", "--dir", folder, "--host", "127.0.0.1:9"]), Some(3), "no server");
    assert_eq!(code(&["bench", "selftest", "--dir", folder]), Some(0));
    fs::write(tasks.join("say/solution/say.sh"), "echo good day\n").unwrap();
    assert_eq!(code(&["bench", "selftest", "--dir", folder]), Some(1), "the solution does not pass");
}
