//! The talk with a server that plays a part.

use super::*;
use crate::blocking::Stop;
use crate::workspace::Workspace;
use agent_protocol::FailureKind;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tempfile::TempDir;
use tokio::io::{BufReader, duplex};

/// Everything that a server was told, in order.
pub(crate) type Heard = Arc<Mutex<Vec<Value>>>;

/// A server that can do everything, over `root`. To each message but the first it says what `play` gives; `None`: it
/// ends.
pub(crate) fn playing(
    root: &Path,
    abilities: Value,
    mut play: impl FnMut(&Value) -> Option<Vec<Value>> + Send + 'static,
) -> (LanguageServerProcess, Heard) {
    let (input, their_input) = duplex(1 << 16);
    let (their_output, output) = duplex(1 << 16);
    let heard = Heard::default();
    let log = heard.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (mut from, mut to) = (BufReader::new(their_input), their_output);
            while let Ok(Some(message)) = framing::read(&mut from).await {
                log.lock().unwrap().push(message.clone());
                let said = match message["method"].as_str() {
                    Some("initialize") => Some(vec![answer(&message, json!({ "capabilities": abilities.clone() }))]),
                    Some(_) | None => play(&message),
                };
                let Some(said) = said else { return };
                for message in said {
                    framing::write(&mut to, &message).await.unwrap();
                }
            }
        });
    });
    let server = LanguageServerProcess::over("fake", (input, output), root, &patience()).unwrap();
    (server, heard)
}

pub(crate) fn patience() -> Patience {
    Patience::secs(60, &Stop::default())
}

pub(crate) fn answer(question: &Value, result: Value) -> Value {
    json!({ "id": question["id"], "result": result })
}

/// What it was told by this `method`.
pub(crate) fn told(heard: &Heard, method: &str) -> Vec<Value> {
    let heard = heard.lock().unwrap();
    heard.iter().filter(|message| message["method"] == method).map(|message| message["params"].clone()).collect()
}

/// Answers every question with `null`.
pub(crate) fn yes(message: &Value) -> Option<Vec<Value>> {
    let is_question = message.get("id").is_some() && message.get("method").is_some();
    Some(if is_question { vec![answer(message, Value::Null)] } else { Vec::new() })
}

fn project() -> (TempDir, Workspace) {
    let folder = TempDir::new().unwrap();
    let workspace = Workspace::new(&folder.path().canonicalize().unwrap());
    (folder, workspace)
}

#[test]
fn both_introduce_themselves() {
    let abilities = json!({ "positionEncoding": "utf-8", "hoverProvider": true, "renameProvider": false });
    let (server, heard) = playing(Path::new("/a b"), abilities, yes);
    assert_eq!(server.encoding, Encoding::Utf8);
    assert!(server.can("hoverProvider") && !server.can("renameProvider") && !server.can("definitionProvider"));
    server.ask("x", Value::Null, &patience()).unwrap();
    let first = &told(&heard, "initialize")[0];
    assert_eq!((&first["rootUri"], &first["processId"]), (&json!("file:///a%20b"), &Value::Null));
    assert_eq!(first["capabilities"]["general"]["positionEncodings"], json!(["utf-8", "utf-16"]));
    assert_eq!(told(&heard, "initialized"), [json!({})]);
    assert!(heard.lock().unwrap().iter().all(|message| message["jsonrpc"] == "2.0"));
}

#[test]
fn what_a_server_asks_is_answered_and_nothing_is_written_for_it() {
    let (mut question, mut answers) = (Value::Null, Vec::new());
    let (server, _heard) = playing(Path::new("/p"), json!({}), move |message| {
        match (message["method"].as_str(), message.get("id")) {
            (Some("initialized"), _) => {
                let ask =
                    |id: &str, method: &str, params: Value| json!({ "id": id, "method": method, "params": params });
                return Some(vec![
                    ask("a", "workspace/configuration", json!({ "items": [{}, {}] })),
                    ask("b", "client/registerCapability", json!({})),
                    ask("c", "window/workDoneProgress/create", json!({ "token": 1 })),
                    ask("d", "workspace/applyEdit", json!({ "edit": {} })),
                    ask("e", "workspace/semanticTokens/refresh", Value::Null),
                    ask("f", "terminal/run", json!({})),
                ]);
            }
            (Some(_), Some(_)) => question = message.clone(),
            (None, Some(_)) => answers.push(message.clone()),
            (_, None) => {}
        }
        let ready = answers.len() == 6 && !question.is_null();
        Some(if ready { vec![answer(&question, Value::from(answers.clone()))] } else { Vec::new() })
    });
    let answers = server.ask("all", Value::Null, &patience()).unwrap();
    let of = |id: &str| answers.as_array().unwrap().iter().find(|answer| answer["id"] == id).unwrap().clone();
    assert_eq!(of("a")["result"], json!([null, null]));
    for id in ["b", "c", "e"] {
        assert_eq!(of(id)["result"], Value::Null);
        assert!(of(id).get("error").is_none());
    }
    assert_eq!(of("d")["result"]["applied"], false);
    assert_eq!(of("f")["error"]["code"], -32601);
}

#[test]
fn answers_find_their_questions_in_any_order() {
    let mut waiting: Vec<Value> = Vec::new();
    let (server, _heard) = playing(Path::new("/p"), json!({}), move |message| {
        if message.get("id").is_some() {
            waiting.push(message.clone());
        }
        let all = if waiting.len() == 2 { std::mem::take(&mut waiting) } else { Vec::new() };
        Some(all.iter().rev().map(|question| answer(question, question["method"].clone())).collect())
    });
    std::thread::scope(|scope| {
        let asked = ["one", "two"].map(|method| (method, scope.spawn(|| server.ask(method, Value::Null, &patience()))));
        for (method, answer) in asked {
            assert_eq!(answer.join().unwrap().unwrap(), method);
        }
    });
}

#[test]
fn a_server_that_ends_fails_what_was_asked_and_says_what_to_do() {
    let (server, _heard) =
        playing(Path::new("/p"), json!({}), |message| if message["method"] == "die" { None } else { yes(message) });
    server.state.complained(b"panicked at x\n");
    let failure = server.ask("die", Value::Null, &patience()).unwrap_err();
    assert_eq!(failure.message, "fake ended (it said: panicked at x); call lsp again to start it anew");
    assert!(server.is_gone());
    let failure = server.ask("more", Value::Null, &patience()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Io);
}

#[test]
fn a_server_that_does_not_answer_is_told_to_leave_it() {
    let (server, heard) = playing(Path::new("/p"), json!({}), |message| match message["method"].as_str() {
        Some("slow") => Some(Vec::new()),
        Some(_) | None => yes(message),
    });
    let over = Patience { until: Instant::now(), stop: Stop::default() };
    let failure = server.ask("slow", Value::Null, &over).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(
        failure.message,
        "fake did not answer within 1 s; call lsp again, or use find_references and grep_search"
    );
    server.ask("next", Value::Null, &patience()).unwrap();
    assert_eq!(told(&heard, "$/cancelRequest").len(), 1);
    let stop = Stop::default();
    stop.ask();
    assert_eq!(server.ask("slow", Value::Null, &Patience::secs(60, &stop)).unwrap_err().message, "stopped");
}

#[test]
fn a_server_that_changed_its_mind_is_asked_again_and_one_that_refuses_is_quoted() {
    let mut asked = 0;
    let (server, _heard) = playing(Path::new("/p"), json!({}), move |message| {
        let error = |code: i64| json!({ "id": message["id"], "error": { "code": code, "message": "no\nway" } });
        match message["method"].as_str() {
            Some("twice") if asked == 0 => {
                asked += 1;
                Some(vec![error(-32801)])
            }
            Some("never") => Some(vec![error(-32602)]),
            Some(_) | None => yes(message),
        }
    });
    assert_eq!(server.ask("twice", Value::Null, &patience()).unwrap(), Value::Null);
    assert_eq!(server.ask("never", Value::Null, &patience()).unwrap_err().message, "fake says: no way");
}

#[test]
fn an_answer_that_is_too_much_fails_its_question_and_not_the_server() {
    let (server, _heard) = playing(Path::new("/p"), json!({}), |message| match message["method"].as_str() {
        Some("all") => Some(vec![answer(message, "x".repeat(framing::LONGEST).into())]),
        Some(_) | None => yes(message),
    });
    let failure = server.ask("all", Value::Null, &patience()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::TooLarge);
    assert_eq!(
        failure.message,
        "fake could not be read: the answer is longer than 8 MiB; ask about one file or symbol"
    );
    assert_eq!(server.ask("next", Value::Null, &patience()).unwrap(), Value::Null);
}

#[test]
fn a_server_is_told_each_text_as_it_is_now() {
    let (folder, workspace) = project();
    let at = |name: &str| workspace.root().join(name);
    for name in ["a.rs", "b.rs"] {
        std::fs::write(at(name), "one").unwrap();
    }
    let (server, heard) = playing(folder.path(), json!({}), yes);
    let show = |name: &str| server.show(&workspace, &at(name), "rust").unwrap();
    assert_eq!((show("a.rs").version, show("b.rs").version, show("a.rs").version), (1, 1, 1));
    std::fs::write(at("a.rs"), "two").unwrap();
    std::fs::remove_file(at("b.rs")).unwrap();
    assert_eq!((show("a.rs").text.as_str(), show("a.rs").version), ("two", 2));
    server.ask("all", Value::Null, &patience()).unwrap();
    let opened = told(&heard, "textDocument/didOpen");
    assert_eq!(opened.len(), 2);
    assert_eq!(opened[0]["textDocument"]["languageId"], "rust");
    let changed = told(&heard, "textDocument/didChange");
    assert_eq!(changed.len(), 1);
    assert_eq!(
        (&changed[0]["textDocument"]["version"], &changed[0]["contentChanges"]),
        (&json!(2), &json!([{ "text": "two" }]))
    );
    let closed = told(&heard, "textDocument/didClose");
    assert_eq!(closed, [json!({ "textDocument": { "uri": address::of(&at("b.rs")) } })]);
}

#[test]
fn only_files_that_are_there_and_are_text_are_told() {
    let (folder, workspace) = project();
    std::fs::write(folder.path().join("b"), [0, 1]).unwrap();
    let (server, heard) = playing(folder.path(), json!({}), yes);
    for (name, kind) in
        [("none", FailureKind::NotFound), ("b", FailureKind::NotText), (".", FailureKind::InvalidArguments)]
    {
        let path = workspace.resolve(name).unwrap();
        assert_eq!(server.show(&workspace, &path, "rust").unwrap_err().kind, kind, "{name}");
    }
    server.ask("all", Value::Null, &patience()).unwrap();
    assert_eq!(told(&heard, "textDocument/didOpen"), Vec::<Value>::new());
}
