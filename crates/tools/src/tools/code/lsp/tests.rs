//! Questions to a server that plays a part, and what the model is told.

use super::asked::LspQuestion;
use super::{Desk, FORM, answer, rename};
use crate::Ground;
use crate::lsp::tests::{Heard, answer as said, patience, playing, told};
use crate::lsp::{Choice, LanguageServerProcess, Servers, address};
use crate::planning::Planning;
use crate::program::Watch;
use crate::workspace::Workspace;
use agent_protocol::{Action, Failure, FailureKind};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

const A: &str = "fn run() {}\nfn é() { run() }\n";
const B: &str = "use a::run; // run\n";

struct House {
    _folder: TempDir,
    desk: Desk,
    server: LanguageServerProcess,
    heard: Heard,
}

fn everything() -> Value {
    let names = ["definition", "references", "hover", "documentSymbol", "workspaceSymbol", "rename", "completion"];
    names.iter().map(|name| (format!("{name}Provider"), Value::Bool(true))).collect::<serde_json::Map<_, _>>().into()
}

/// A project of two files, and a server that answers a question with what `play` makes of it.
fn house(abilities: Value, play: impl Fn(&str, &Value, &str) -> Value + Send + 'static) -> House {
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in [("a.rs", A), ("b.rs", B)] {
        std::fs::write(root.join(name), text).unwrap();
    }
    let top = address::of(&root);
    let (server, heard) = playing(&root, abilities, move |message| {
        let (Some(method), Some(_)) = (message["method"].as_str(), message.get("id")) else { return Some(Vec::new()) };
        Some(vec![said(message, play(method, &message["params"], &top))])
    });
    let ground = Ground::of_this_process(root.clone()).unwrap();
    let servers = Arc::new(Servers::new(&ground, &Watch::default()));
    let desk = Desk { workspace: Workspace::new(&root), servers, planning: Planning::default() };
    House { _folder: folder, desk, server, heard }
}

fn choice() -> Choice {
    Choice { name: "fake".into(), argv: vec!["fake".into()], language: "rust".into(), install: None }
}

impl House {
    fn asked(&self, arguments: &Value) -> LspQuestion {
        LspQuestion::read(&FORM.read(arguments).unwrap(), &self.desk.workspace).unwrap()
    }

    fn answer(&self, arguments: Value) -> Result<(String, String), Failure> {
        let asked = self.asked(&arguments);
        let outcome = answer::answer(&self.desk, &self.server, (&choice(), &asked), &patience(), 4_000)?;
        Ok((outcome.told, outcome.summary))
    }

    fn renamed(&self) -> Result<(String, Vec<(PathBuf, String)>), Failure> {
        let arguments =
            json!({ "action": "rename", "file_path": "a.rs", "line": 1, "symbol": "run", "new_name": "go" });
        let job = rename::planned(&self.desk, &self.server, &choice(), &self.asked(&arguments))?;
        let Action::Write { changes } = job.action() else { panic!("a rename writes") };
        let texts = changes.0.into_iter().map(|change| (change.path, change.after.unwrap())).collect();
        Ok((job.preview().title, texts))
    }
}

fn range(line: usize, from: usize, to: usize) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

#[test]
fn places_are_told_with_their_lines() {
    let house = house(everything(), |method, params, top| match method {
        "textDocument/definition" => json!({ "uri": format!("{top}/a.rs"), "range": range(0, 3, 6) }),
        _ => {
            assert_eq!(params["context"]["includeDeclaration"], true);
            json!([
                { "uri": format!("{top}/b.rs"), "range": range(0, 7, 10) },
                { "uri": format!("{top}/a.rs"), "range": range(1, 9, 12) },
            ])
        }
    });
    let (told, summary) =
        house.answer(json!({ "action": "definition", "file_path": "b.rs", "symbol": "run" })).unwrap();
    assert_eq!((told.as_str(), summary.as_str()), ("a.rs:1:4: fn run() {}\n", "1 place in 1 file"));
    let (told, summary) =
        house.answer(json!({ "action": "references", "file_path": "a.rs", "line": 1, "symbol": "run" })).unwrap();
    assert_eq!(told, "a.rs:2:10: fn é() { run() }\nb.rs:1:8: use a::run; // run\n");
    assert_eq!(summary, "2 places in 2 files");
}

#[test]
fn where_only_a_name_is_given_its_places_are_tried_until_one_says_something() {
    let house = house(everything(), |_, params, _| match params["position"]["line"].as_u64() {
        Some(1) => json!({ "contents": "fn run()" }),
        _ => Value::Null,
    });
    let (told, _) = house.answer(json!({ "action": "hover", "file_path": "a.rs", "symbol": "run" })).unwrap();
    assert_eq!(told, "fn run()\n");
    let (told, summary) = house.answer(json!({ "action": "hover", "file_path": "b.rs", "symbol": "run" })).unwrap();
    assert_eq!(told, "fake knows no hover for that place; a name in a comment or string has none\n");
    assert_eq!(summary, "nothing found");
}

#[test]
fn what_a_server_does_not_offer_is_said_with_what_does() {
    let house = house(json!({}), |_, _, _| Value::Null);
    let failure = house.answer(json!({ "action": "definition", "file_path": "a.rs", "symbol": "run" })).unwrap_err();
    assert_eq!(failure.message, "fake does not offer definition; use find_references, search_code or grep_search");
    assert!(house.renamed().is_err());
}

#[test]
fn diagnostics_that_can_be_asked_for_are_the_worst_first() {
    let abilities = json!({ "diagnosticProvider": { "interFileDependencies": true } });
    let house = house(abilities, |_, _, _| {
        json!({ "kind": "full", "items": [
            { "range": range(0, 0, 1), "severity": 2, "message": "unused", "code": 7 },
            { "range": range(1, 9, 12), "severity": 1, "message": "cannot\n  find", "code": "E0425" },
        ] })
    });
    let (told, summary) = house.answer(json!({ "action": "diagnostics", "file_path": "a.rs" })).unwrap();
    assert_eq!(told, "a.rs:2:10: error: cannot find [E0425]\na.rs:1:1: warning: unused [7]\n");
    assert_eq!(summary, "1 error, 1 warning");
}

#[test]
fn completions_are_cut_and_counted() {
    let house = house(everything(), |_, _, _| {
        let items: Vec<Value> = (0..50).map(|at| json!({ "label": format!("n{at:02}"), "detail": "int" })).collect();
        json!({ "isIncomplete": true, "items": items })
    });
    let (told, summary) =
        house.answer(json!({ "action": "completions", "file_path": "a.rs", "symbol": "run" })).unwrap();
    assert!(told.starts_with("n00: int\nn01: int\n") && told.ends_with("n39: int\n[10 more]\n"), "{told}");
    assert_eq!(summary, "50 completions");
}

#[test]
fn a_rename_changes_texts_that_the_server_was_told() {
    let house = house(everything(), |_, params, top| {
        let edit = |line, from, to| json!({ "range": range(line, from, to), "newText": params["newName"] });
        json!({ "changes": {
            format!("{top}/a.rs"): [edit(0, 3, 6), edit(1, 9, 12)],
            format!("{top}/b.rs"): [edit(0, 7, 10)],
        } })
    });
    let (title, texts) = house.renamed().unwrap();
    assert_eq!(title, "Rename run to go in 2 files");
    assert_eq!(
        texts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
        ["fn go() {}\nfn é() { go() }\n", "use a::go; // run\n"]
    );
    assert_eq!(told(&house.heard, "textDocument/didOpen").len(), 2);
    assert_eq!(told(&house.heard, "textDocument/rename").len(), 2, "asked again with both texts told");
}

#[test]
fn a_rename_leaves_other_files_alone() {
    let elsewhere = |uri: &'static str| {
        house(everything(), move |_, _, top| {
            let uri = uri.replace("TOP", top);
            json!({ "changes": { uri: [{ "range": range(0, 0, 1), "newText": "x" }] } })
        })
    };
    for (uri, kind) in [
        ("file:///etc/hosts", FailureKind::Denied),
        ("TOP/.env", FailureKind::Denied),
        ("TOP/../x.rs", FailureKind::Denied),
        ("TOP/none.rs", FailureKind::NotFound),
    ] {
        assert_eq!(elsewhere(uri).renamed().unwrap_err().kind, kind, "{uri}");
    }
    let nothing = house(everything(), |_, _, _| Value::Null).renamed().unwrap_err();
    assert_eq!(nothing.message, "fake has nothing to rename there; check line and symbol");
}

#[test]
fn a_rename_that_nobody_waits_for_is_given_up() {
    let house = house(everything(), |_, _, _| Value::Null);
    house.desk.planning.begins();
    house.desk.planning.give_up();
    assert!(house.desk.planning.stop().wanted());
    let (silent, _heard) = playing(house.desk.workspace.root(), everything(), |_| Some(Vec::new()));
    let arguments = json!({ "action": "rename", "file_path": "a.rs", "line": 1, "symbol": "run", "new_name": "go" });
    let asked = house.asked(&arguments);
    let Err(failure) = rename::planned(&house.desk, &silent, &choice(), &asked) else { panic!("nobody answered") };
    assert_eq!(failure.message, "stopped");
    house.desk.planning.begins();
    assert!(!house.desk.planning.stop().wanted(), "the next one is another");
}
