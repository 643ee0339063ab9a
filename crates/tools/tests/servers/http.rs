//! A server that is reached by streamable HTTP, on loopback.

use super::{PATIENCE, fence};
use agent_tools::mcp::{Connection, McpError, Secret, Server, Way};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Heads of the requests that came.
type Heads = Arc<Mutex<Vec<String>>>;

async fn start() -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    let heads = Heads::default();
    let seen = heads.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, seen.clone()));
        }
    });
    (address, heads)
}

async fn answer(stream: TcpStream, heads: Heads) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut body).await.unwrap();
        heads.lock().unwrap().push(head);
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        if stream.write_all(reply(&message).as_bytes()).await.is_err() {
            return;
        }
    }
}

fn reply(message: &Value) -> String {
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
            "serverInfo": { "name": "far", "version": "1" } }),
        "tools/list" => json!({ "tools": [{ "name": "add", "inputSchema": { "type": "object" } }] }),
        "tools/call" if message["params"]["name"] == "moved" => {
            return "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
                .into();
        }
        "tools/call" => json!({ "content": [{ "type": "text", "text": "added" }] }),
        _ => return "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".into(),
    };
    let body = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }).to_string();
    let (kind, body) = match message["method"] == "tools/call" {
        true => ("text/event-stream", format!("event: message\ndata: {body}\n\n")),
        false => ("application/json", body),
    };
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nmcp-session-id: abc\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn server(url: String, variable: &str) -> Server {
    let secret = Secret { header: "Authorization".into(), before: "Bearer ", variable: variable.into() };
    let way = Way::Address { url, secrets: vec![secret], proxy: false };
    Server { name: "far".into(), way, timeout: PATIENCE }
}

#[tokio::test]
async fn a_server_elsewhere_is_asked_and_called_with_its_secret_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (url, heads) = start().await;
    let connection = Connection::open(&server(url, "CARGO_PKG_NAME"), &fence(folder.path())).await.unwrap();
    assert_eq!(connection.tools().await.unwrap()[0].name, "add");
    assert_eq!(connection.call("add", Map::new()).await.unwrap().text, "added");
    let heads = heads.lock().unwrap();
    assert!(heads.iter().all(|head| head.contains("authorization: bearer agent-tools\r\n")), "{heads:?}");
    assert!(heads.iter().skip(1).all(|head| head.contains("mcp-session-id: abc\r\n")), "{heads:?}");
}

#[tokio::test]
async fn an_address_leads_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _) = start().await;
    let connection = Connection::open(&server(url, "CARGO_PKG_NAME"), &fence(folder.path())).await.unwrap();
    let error = connection.call("moved", Map::new()).await.unwrap_err();
    assert!(error.to_string().contains("only the address in the settings is used"), "{error}");
}

#[tokio::test]
async fn what_is_missing_or_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let unset = server("http://127.0.0.1:1/".into(), "NO_SUCH_VARIABLE");
    let expected = McpError::NotSet { server: "far".into(), variable: "NO_SUCH_VARIABLE".into() };
    assert_eq!(Connection::open(&unset, &fence(folder.path())).await.unwrap_err(), expected);
    let closed = server("http://127.0.0.1:1/".into(), "CARGO_PKG_NAME");
    let error = Connection::open(&closed, &fence(folder.path())).await.unwrap_err();
    assert!(matches!(error, McpError::NotThere { .. }), "{error}");
}
