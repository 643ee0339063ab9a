//! The talk with one server: questions and answers, what it tells by itself, and what it asks of us.

use super::framing;
use super::state::State;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, mpsc};
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};

/// Messages that may wait to be read.
const WAITING: usize = 64;
/// "Method not found", as servers know it.
const UNKNOWN: i64 = -32601;

/// What is to be said to a server.
#[derive(Debug)]
pub(super) enum Word {
    Ask { id: i64, method: &'static str, params: Value, answer: mpsc::Sender<Answer> },
    Tell { method: &'static str, params: Value },
}

/// What it answered: the result, or its own code and words. Nothing comes of one that ends.
pub(super) type Answer = Result<Value, Refusal>;

/// A server's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
}

/// Talks until nobody has anything to say any more, or the server ends.
pub(super) async fn talk(
    input: impl AsyncWrite + Unpin + Send + 'static,
    output: impl AsyncRead + Unpin + Send + 'static,
    mut words: UnboundedReceiver<Word>,
    state: Arc<State>,
) {
    let (say, to_say) = unbounded_channel();
    let (heard, mut to_hear) = channel(WAITING);
    // Each at its own pace: a server that does not read must not keep us from reading.
    let tasks = [tokio::spawn(speak(input, to_say)), tokio::spawn(listen(output, heard))];
    let mut talk = Talk { say, waiting: HashMap::new(), state };
    loop {
        tokio::select! {
            word = words.recv() => match word {
                Some(word) => talk.word(word),
                None => break,
            },
            message = to_hear.recv() => match message {
                Some(message) => talk.message(&message),
                None => break,
            },
        }
    }
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
}

async fn speak(mut input: impl AsyncWrite + Unpin, mut to_say: UnboundedReceiver<Value>) {
    while let Some(message) = to_say.recv().await {
        if framing::write(&mut input, &message).await.is_err() {
            return;
        }
    }
}

async fn listen(output: impl AsyncRead + Unpin, heard: Sender<Value>) {
    let mut output = BufReader::new(output);
    // What is no message ends it as well: nobody knows where the next one begins.
    while let Ok(Some(message)) = framing::read(&mut output).await {
        if heard.send(message).await.is_err() {
            return;
        }
    }
}

fn answer(message: &Value) -> Answer {
    match message.get("error").filter(|error| !error.is_null()) {
        None => Ok(message.get("result").cloned().unwrap_or_default()),
        Some(error) => Err(Refusal {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().into(),
        }),
    }
}

struct Talk {
    say: UnboundedSender<Value>,
    waiting: HashMap<i64, mpsc::Sender<Answer>>,
    state: Arc<State>,
}

impl Talk {
    fn say(&self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        // One that ended hears nothing.
        let _ = self.say.send(message);
    }

    fn word(&mut self, word: Word) {
        match word {
            Word::Ask { id, method, params, answer } => {
                self.waiting.insert(id, answer);
                self.say(json!({ "id": id, "method": method, "params": params }));
            }
            Word::Tell { method, params } => self.say(json!({ "method": method, "params": params })),
        }
    }

    fn message(&mut self, message: &Value) {
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), Some(id)) => self.asked(method, id, &message["params"]),
            (Some(method), None) => self.state.told(method, &message["params"]),
            (None, Some(id)) => self.answered(id, message),
            // It answered, and nobody can say whom.
            (None, None) if message.get("error").is_some() => {
                for (_, waiting) in self.waiting.drain() {
                    let _ = waiting.send(answer(message));
                }
            }
            (None, None) => {}
        }
    }

    fn answered(&mut self, id: &Value, message: &Value) {
        let id = id.as_i64().or_else(|| id.as_str()?.parse().ok());
        let Some(waiting) = id.and_then(|id| self.waiting.remove(&id)) else { return };
        // Whoever asked may have gone.
        let _ = waiting.send(answer(message));
    }

    /// A server's own question. It changes nothing here: what it would have written is written by nobody.
    fn asked(&self, method: &str, id: &Value, params: &Value) {
        let result = match method {
            "workspace/configuration" => {
                let items = params["items"].as_array().map_or(0, Vec::len);
                Value::from(vec![Value::Null; items])
            }
            "workspace/workspaceFolders"
            | "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest" => Value::Null,
            "workspace/applyEdit" => json!({ "applied": false, "failureReason": "this client writes nothing itself" }),
            _ if method.ends_with("/refresh") => Value::Null,
            _ => {
                let error = json!({ "code": UNKNOWN, "message": format!("{method} is not known here") });
                return self.say(json!({ "id": id, "error": error }));
            }
        };
        self.say(json!({ "id": id, "result": result }));
    }
}
