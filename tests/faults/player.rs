//! A model server on loopback that plays what a row injects: what it says, what it withholds, and how it breaks.
//!
//! Speaks just enough HTTP to be taken for Ollama; how a reply goes on is in `playing`.

use crate::playing::{self, Gone};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Longest wait for the program to do its next request.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is waited for may depend on time as well.
const LOOK: Duration = Duration::from_millis(100);

/// A server that plays one script. It stops when it is dropped.
pub(crate) struct Player {
    address: SocketAddr,
    house: Arc<House>,
    /// A port that is ours and refuses.
    _refusing: Option<tokio::net::TcpSocket>,
}

/// What all its connections share.
pub(crate) struct House {
    pub(crate) script: Value,
    pub(crate) stopped: AtomicBool,
    chats: Mutex<Vec<Chat>>,
    changed: Condvar,
}

/// One chat request, and what became of the reply.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    pub(crate) body: Value,
    /// So many events of the script have been played.
    pub(crate) played: usize,
    /// When the other side was seen to be gone.
    pub(crate) gone: Option<Instant>,
}

impl Player {
    /// Plays `script`, the `inject` of a row.
    pub(crate) fn start(script: &Value) -> Player {
        let house = Arc::new(House {
            script: script.clone(),
            stopped: AtomicBool::new(false),
            chats: Mutex::new(Vec::new()),
            changed: Condvar::new(),
        });
        if script["server"] == "none" {
            let socket = tokio::net::TcpSocket::new_v4().expect("a socket can be had");
            socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a loopback port is free");
            let address = socket.local_addr().expect("it is bound");
            return Player { address, house, _refusing: Some(socket) };
        }
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
        let address = listener.local_addr().expect("it is bound");
        let shared = house.clone();
        std::thread::spawn(move || accept(&listener, &shared));
        Player { address, house, _refusing: None }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All chat requests so far.
    pub(crate) fn chats(&self) -> Vec<Chat> {
        self.house.chats().clone()
    }

    /// Waits until there have been so many chat requests.
    pub(crate) fn wait_chats(&self, count: usize) -> Vec<Chat> {
        self.wait(&format!("request {count}"), |chats| chats.len() >= count)
    }

    /// The same, for what takes long on a small machine.
    pub(crate) fn wait_patiently(&self, count: usize) -> Vec<Chat> {
        self.wait_until(Instant::now() + 5 * PATIENCE, &format!("request {count}"), |chats| chats.len() >= count)
    }

    /// Waits until `done` holds of the chat requests.
    pub(crate) fn wait(&self, what: &str, done: impl Fn(&[Chat]) -> bool) -> Vec<Chat> {
        self.wait_until(Instant::now() + PATIENCE, what, done)
    }

    fn wait_until(&self, until: Instant, what: &str, done: impl Fn(&[Chat]) -> bool) -> Vec<Chat> {
        let mut chats = self.house.chats();
        while !done(&chats) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the server waited in vain for {what}; it saw {} requests", chats.len());
            chats = self.house.changed.wait_timeout(chats, left.min(LOOK)).expect("no connection panicked").0;
        }
        chats.clone()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.house.stopped.store(true, Ordering::SeqCst);
        // Wakes the one who waits for visitors; where nobody listens there is nobody to wake.
        drop(TcpStream::connect(self.address));
    }
}

impl House {
    fn chats(&self) -> MutexGuard<'_, Vec<Chat>> {
        self.chats.lock().expect("no connection panicked")
    }

    pub(crate) fn note(&self, number: usize, change: impl FnOnce(&mut Chat)) {
        change(&mut self.chats()[number]);
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}

fn accept(listener: &TcpListener, house: &Arc<House>) {
    for stream in listener.incoming() {
        if house.is_stopped() {
            return;
        }
        let Ok(stream) = stream else { return };
        let house = house.clone();
        // Who visits may leave at any time: that is what many rows are about.
        std::thread::spawn(move || drop(serve(stream, &house)));
    }
}

fn serve(mut stream: TcpStream, house: &House) -> Result<(), Gone> {
    let (path, body) = read_request(&stream)?;
    match path.as_str() {
        "/api/version" => answer(&mut stream, 200, "application/json", &[], br#"{"version":"0.12.0"}"#),
        "/api/tags" => answer(&mut stream, 200, "application/json", &[], models(&house.script).to_string().as_bytes()),
        "/api/show" => {
            let shown = shown(&house.script).to_string();
            answer(&mut stream, 200, "application/json", &[], shown.as_bytes())
        }
        "/api/chat" => chat(stream, house, body),
        _ => answer(&mut stream, 404, "text/plain", &[], b"404 page not found"),
    }
}

fn read_request(stream: &TcpStream) -> Result<(String, Vec<u8>), Gone> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split_whitespace().nth(1).ok_or(Gone)?.split('?').next().unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((path, body))
}

/// The list of models: one, or a hundred thousand with names that a terminal would obey.
fn models(script: &Value) -> Value {
    let model = |name: String| json!({"name": name, "model": "m", "modified_at": "2025-01-01T00:00:00Z", "size": 1, "digest": "d", "details": {}});
    if script["tags"] == "hostile" {
        let hostile = |number: usize| model(format!("\u{1b}]0;x\u{7}m{number}\u{202e}"));
        return json!({"models": (0..100_000).map(hostile).collect::<Vec<_>>()});
    }
    json!({"models": [model("m".to_owned())]})
}

fn shown(script: &Value) -> Value {
    let capabilities = script.get("capabilities").cloned().unwrap_or_else(|| json!(["completion", "tools"]));
    json!({
        "capabilities": capabilities,
        "model_info": {"general.architecture": "x", "x.context_length": 1_048_576},
        "details": {"family": "x"}, "template": "", "modelfile": "", "parameters": "",
    })
}

fn chat(mut stream: TcpStream, house: &House, body: Vec<u8>) -> Result<(), Gone> {
    let script = &house.script;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if is_load(&body) {
        let loaded = json!({
            "model": body["model"],
            "created_at": "2025-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": ""},
            "done": true,
            "done_reason": "load",
        });
        return answer(&mut stream, 200, "application/json; charset=utf-8", &[], loaded.to_string().as_bytes());
    }
    let number = {
        let mut chats = house.chats();
        chats.push(Chat { body, played: 0, gone: None });
        house.changed.notify_all();
        chats.len() - 1
    };
    if script["accept_then_hang"] == true {
        return playing::pause(&mut stream, house, Duration::from_secs(3600));
    }
    let mut headers = headers(script);
    let kind = headers.iter().position(|(name, _)| name == "Content-Type").map(|at| headers.remove(at).1);
    if let Some(status) = script["chat_status"].as_u64() {
        let body = script["chat_body"].as_str().unwrap_or_default();
        return answer(&mut stream, status, kind.as_deref().unwrap_or("application/json"), &headers, body.as_bytes());
    }
    let kind = kind.unwrap_or_else(|| "application/x-ndjson".to_owned());
    let further: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n{further}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    let events = events(script, number);
    let played = playing::play(stream, house, number, &events);
    if played.is_err() {
        house.note(number, |chat| chat.gone = Some(chat.gone.unwrap_or_else(Instant::now)));
    }
    played
}

/// A request without messages only wants the model loaded, which it is: nothing of the script is meant for it.
fn is_load(body: &Value) -> bool {
    body.is_object() && body["messages"].as_array().is_none_or(Vec::is_empty)
}

fn headers(script: &Value) -> Vec<(String, String)> {
    let given = script["chat_headers"].as_object().into_iter().flatten();
    given.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect()
}

/// What is played at the `number`-th request, counted from 0. A script with calls is played once: what comes back
/// after them is answered with a plain word.
fn events(script: &Value, number: usize) -> Vec<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let finished = vec![json!(["ok", "finished"])];
    if script.get("chat_loop").is_some() {
        return list(&script["chat_loop"]);
    }
    if let Some(call) = script.get("call") {
        let call: Vec<Value> = std::iter::once(json!("call")).chain(list(call)).collect();
        return if number == 0 { vec![Value::from(call), json!(["done"])] } else { finished };
    }
    let events = list(&script["chat"]);
    let has_calls = events.iter().any(|event| event[0].as_str().is_some_and(|kind| kind.starts_with("call")));
    if events.is_empty() || (has_calls && number > 0) { finished } else { events }
}

fn answer(
    stream: &mut TcpStream,
    status: u64,
    kind: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Result<(), Gone> {
    let further: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{further}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    Ok(stream.write_all(body)?)
}
