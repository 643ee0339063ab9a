//! A scripted editor: starts `agent acp`, writes lines of JSON to it, and answers what it is asked.

use crate::stage::House;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// What the user behind the editor answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Person {
    /// The first choice of this kind.
    Chooses(&'static str),
    /// Cancels the prompt, whatever is asked.
    Cancels,
    /// Answers when the test says so.
    Waits,
}

/// The editor.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    pub(crate) person: Person,
    /// The files that are open, with their texts.
    pub(crate) buffers: HashMap<PathBuf, String>,
    /// Questions, as they came.
    pub(crate) asked: Vec<Value>,
    /// Updates with the sessions they are of, as they came.
    pub(crate) updates: Vec<(String, Value)>,
    /// Everything else that was wanted of it.
    pub(crate) wanted: Vec<String>,
    /// Answers that came before they were waited for.
    early: HashMap<u64, Value>,
}

impl Editor {
    /// Begins as the protocol wants it.
    pub(crate) fn start(house: &House) -> Self {
        let mut child = house
            .headless(&["acp", "--model", "m"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Editor {
            child,
            input,
            output,
            last: 100,
            person: Person::Chooses("allow_once"),
            buffers: HashMap::new(),
            asked: Vec::new(),
            updates: Vec::new(),
            wanted: Vec::new(),
            early: HashMap::new(),
        };
        let capabilities = json!({"fs": {"readTextFile": true, "writeTextFile": true}, "terminal": true});
        let told = editor.request("initialize", json!({"protocolVersion": 1, "clientCapabilities": capabilities}));
        assert_eq!(told["result"]["agentInfo"]["name"], "agent", "{told}");
        assert_eq!(told["result"]["protocolVersion"], 1, "{told}");
        editor
    }

    pub(crate) fn write(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a request, and gives its number.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answered(id)
    }

    /// Waits for an answer; what the agent wants meanwhile is done.
    pub(crate) fn answered(&mut self, id: u64) -> Value {
        loop {
            if let Some(early) = self.early.remove(&id) {
                return early;
            }
            self.step();
        }
    }

    /// Hears things until there is something to see in them.
    pub(crate) fn until(&mut self, done: impl Fn(&Self) -> bool) {
        while !done(self) {
            self.step();
        }
    }

    /// Hears one message.
    pub(crate) fn step(&mut self) {
        let message = self.read();
        match message["method"].as_str() {
            Some("session/update") => {
                let session = message["params"]["sessionId"].as_str().unwrap().to_owned();
                self.updates.push((session, message["params"]["update"].clone()));
            }
            Some("session/request_permission") => {
                self.asked.push(message.clone());
                self.decide(&message, self.person);
            }
            Some("fs/read_text_file") => {
                let path = Path::new(message["params"]["path"].as_str().unwrap());
                match self.buffers.get(path).cloned() {
                    Some(text) => self.reply(&message, json!({"content": text})),
                    None => self.refuse(&message),
                }
            }
            Some(method) => {
                self.wanted.push(method.to_owned());
                if !message["id"].is_null() {
                    self.refuse(&message);
                }
            }
            None => drop(self.early.insert(message["id"].as_u64().unwrap_or_default(), message)),
        }
    }

    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("standard output carries {line:?}: {error}"))
    }

    /// Answers a question as the user would.
    pub(crate) fn decide(&mut self, question: &Value, person: Person) {
        match person {
            Person::Waits => {}
            Person::Cancels => {
                let session = question["params"]["sessionId"].clone();
                self.notify("session/cancel", json!({"sessionId": session}));
                self.reply(question, json!({"outcome": {"outcome": "cancelled"}}));
            }
            Person::Chooses(kind) => {
                let options = question["params"]["options"].as_array().unwrap();
                let option =
                    options.iter().find(|option| option["kind"] == kind).unwrap_or_else(|| panic!("{question}"));
                let outcome = json!({"outcome": "selected", "optionId": option["optionId"]});
                self.reply(question, json!({"outcome": outcome}));
            }
        }
    }

    fn reply(&mut self, request: &Value, result: Value) {
        self.write(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string());
    }

    fn refuse(&mut self, request: &Value) {
        let error = json!({"code": -32_601, "message": "not here"});
        self.write(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}).to_string());
    }

    /// Opens a new session in `folder`; gives what was told of it.
    pub(crate) fn begin(&mut self, folder: &Path) -> Value {
        let told = self.request("session/new", json!({"cwd": folder.display().to_string(), "mcpServers": []}));
        assert!(told["result"]["sessionId"].is_string(), "{told}");
        told["result"].clone()
    }

    /// The same; gives its name.
    pub(crate) fn session(&mut self, folder: &Path) -> String {
        self.begin(folder)["sessionId"].as_str().unwrap().to_owned()
    }

    /// Says something and waits for the end; gives the stop reason, or what went wrong.
    pub(crate) fn say(&mut self, session: &str, text: &str) -> Value {
        let prompt = json!([{"type": "text", "text": text}]);
        let told = self.request("session/prompt", json!({"sessionId": session, "prompt": prompt}));
        if told["error"].is_null() { told["result"]["stopReason"].clone() } else { told["error"].clone() }
    }

    /// The updates of one kind, of one session.
    pub(crate) fn updates_of(&self, session: &str, kind: &str) -> Vec<Value> {
        let of_it = self.updates.iter().filter(|(name, update)| name == session && update["sessionUpdate"] == kind);
        of_it.map(|(_, update)| update.clone()).collect()
    }

    /// The text that came in pieces of one kind.
    pub(crate) fn text(&self, session: &str, kind: &str) -> String {
        let pieces = self.updates_of(session, kind);
        pieces.iter().map(|update| update["content"]["text"].as_str().unwrap()).collect()
    }

    /// Goes away, and gives the exit code. Nothing may have been wanted of it that it would have had to refuse.
    pub(crate) fn leave(mut self) -> Option<i32> {
        assert_eq!(self.wanted.iter().filter(|method| *method != "$/cancel_request").count(), 0, "{:?}", self.wanted);
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}
