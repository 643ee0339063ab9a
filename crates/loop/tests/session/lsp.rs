//! A language server in a session: asked about once, there for every question, gone with the session.
use crate::scripted::*;
use agent_protocol::CallOp;
use agent_protocol::*;
use agent_tools::LanguageServer;
use serde_json::json;
use std::path::Path;

/// Knows one symbol in every file.
const SERVER: &str = r#"
import json, sys
def say(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()
while True:
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit()
        if not line.strip():
            break
        length = int(line.split(b":")[1])
    message = json.loads(sys.stdin.buffer.read(length))
    start = {"line": 0, "character": 0}
    symbol = {"name": "only", "kind": 12, "selectionRange": {"start": start, "end": start}}
    results = {"initialize": {"capabilities": {"documentSymbolProvider": True}}, "textDocument/documentSymbol": [symbol]}
    if "id" in message:
        say({"id": message["id"], "result": results.get(message["method"])})
"#;

#[expect(clippy::print_stdout, reason = "a test that is left out says so")]
fn left_out() {
    println!("left out: there is no /usr/bin/python3; in Debian it is in python3");
}

/// The processes that work in `folder`.
fn working_in(folder: &Path) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|at| at == folder)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_server_is_asked_about_once_and_ends_with_the_session() {
    if !Path::new("/usr/bin/python3").exists() {
        return left_out();
    }
    let symbols = || calls("lsp", json!({ "action": "symbols", "file_path": "a.only" }));
    let server = LanguageServer {
        name: "only".into(),
        command: vec!["/usr/bin/python3".into(), "server.py".into()],
        extensions: vec!["only".into()],
    };
    let replies = vec![symbols(), symbols(), says("fine")];
    let mut session =
        open_in(folder(), Opening { mode: Mode::Safe, replies, servers: vec![server], ..Opening::default() });
    session.write("a.only", "one\n");
    session.write("server.py", SERVER);
    session.say("what is in there?");
    let question = session.asked().await;
    assert_eq!(question.preview.title, "Start only for this project");
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    // The second call asks nobody: the server is there.
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.last_told(), "1: function only\n");
    let project = session.project();
    assert!(working_in(&project) > 0);
    let _folder = session.leave().await;
    assert_eq!(working_in(&project), 0);
}
