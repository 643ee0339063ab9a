//! `--tune`: what suits a model better is found, kept, and used in sessions below the user's own settings.

use super::{out, run, tasks};
use crate::stage::House;
use serde_json::{Value, json};
use std::fs;

/// A model that works only where its calls are described to it.
fn house() -> House {
    let call = json!({"name": "write_file", "arguments": {"file_path": "say.sh", "content": "echo hello\n"}});
    House::scripted(json!({"models": [{"name": "m", "context_length": 32768}], "replies": [
        {"when": {"system_contains": "end your reply with its name and arguments as JSON", "user_contains": "Make say.sh"},
            "say": [{"text": format!("```json\n{call}\n```")}]},
        {"say": [{"text": "It should say hello."}]},
    ]}))
}

/// Eight tasks, so that a difference can show.
fn eight(house: &House) -> String {
    let folder = tasks(house);
    for number in 2..=8 {
        for part in ["task.toml", "prompt.md", "start/say.sh", "hidden/unseen.sh"] {
            let to = folder.join(format!("say{number}")).join(part);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(folder.join("say").join(part), to).unwrap();
        }
    }
    folder.display().to_string()
}

fn report(house: &House) -> Value {
    serde_json::from_slice(&run(house, &["bench", "show", "--json"]).stdout).unwrap()
}

fn profile(house: &House) -> Value {
    let text = fs::read_to_string(house.state().join("models.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[0].clone()
}

#[test]
fn what_is_better_beyond_doubt_is_kept_and_used_and_what_cannot_become_so_is_left_early() {
    let house = house();
    let folder = eight(&house);
    let first = ["bench", "--models", "m", "--dir", &folder, "--tasks", "say8", "--no-exam"];
    assert_eq!(run(&house, &first).status.code(), Some(0));
    let digest = report(&house)["servers"]["m"]["digest"].clone();
    let examined = json!([{"digest": digest, "name": "m", "examined": {"tools_by": "server"}}]);
    fs::write(house.state().join("models.json"), examined.to_string()).unwrap();

    let tuned = run(&house, &["bench", "--models", "m", "--dir", &folder, "--tune"]);
    assert_eq!(tuned.status.code(), Some(0), "{tuned:?}");
    assert!(out(&tuned).contains("kept: m tools.mode=text is better than m by 100 points"), "{}", out(&tuned));
    assert!(out(&tuned).contains("not kept: no difference seen between m options.temperature=0.2"), "{}", out(&tuned));
    assert_eq!(profile(&house)["tuned"]["form"], "text");
    let rows = report(&house)["rows"].as_array().unwrap().len();
    assert_eq!(rows, 8 + 8 + 3 + 3, "six of eight have to be better, so three that are not are enough to know");

    let form = |args: &[&str]| {
        run(&house, &[&["--model", "m", "-p", "hi"], args].concat());
        let asked = house.server().chats().pop().unwrap().body;
        asked["tools"].as_array().is_none_or(Vec::is_empty)
    };
    assert!(form(&[]), "a session uses what was kept");
    assert!(!form(&["--form", "calls"]), "and what the user says goes before it");
    let again = run(&house, &["bench", "resume"]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
}

#[test]
fn several_settings_are_compared_one_after_the_other_with_the_model_as_it_is() {
    let house = house();
    let folder = tasks(&house).display().to_string();
    let ab = ["--ab", "tools.mode=text,native", "--ab", "options.temperature=0.2,0.7"];
    let made = run(&house, &[&["bench", "--models", "m", "--dir", &folder, "--no-exam"], &ab[..]].concat());
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let report = report(&house);
    let arms: Vec<&str> = report["rows"].as_array().unwrap().iter().map(|row| row["arm"].as_str().unwrap()).collect();
    assert_eq!(arms[0], "m");
    assert_eq!((arms.len(), arms.iter().filter(|arm| **arm == "m").count()), (5, 1), "{arms:?}");
}

#[test]
fn options_that_were_kept_go_below_the_persons_own() {
    let house = house();
    let folder = tasks(&house).display().to_string();
    run(&house, &["bench", "--models", "m", "--dir", &folder, "--no-exam"]);
    let digest = report(&house)["servers"]["m"]["digest"].clone();
    let tuned = json!({"options": {"temperature": 0.25, "top_k": 7}, "think": "off"});
    let kept = json!([{"digest": digest, "name": "m", "tuned": tuned}]);
    fs::write(house.state().join("models.json"), kept.to_string()).unwrap();
    fs::create_dir_all(house.config()).unwrap();
    fs::write(house.config().join("config.toml"), "[options]\ntemperature = 0.5\n").unwrap();
    run(&house, &["--model", "m", "-p", "hi"]);
    let asked = house.server().chats().pop().unwrap().body;
    assert_eq!((&asked["options"]["temperature"], &asked["options"]["top_k"]), (&json!(0.5), &json!(7)));
    assert_eq!(asked["think"], json!(false));
    assert_eq!(profile(&house)["tuned"]["think"], "off", "a session keeps what it found there");
}
