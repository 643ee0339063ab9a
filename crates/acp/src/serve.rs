//! The connection: which message of the protocol is whose.

use crate::doorway::Doorway;
use crate::ending::{missing, unfit};
use crate::options::OptionChoice;
use crate::pipes::Pipes;
use crate::session::{Past, Ready};
use crate::sessions::{Sessions, Wanted};
use crate::wire::{Editor, Fault, Heard};
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::Receiver;

/// The version of the protocol.
const PROTOCOL: u64 = 1;

/// How serving came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The editor closed its end.
    Closed,
    /// A signal came: this one.
    Signalled(i32),
}

/// Serves one editor until it closes its end, or a signal comes. `version` is ours.
///
/// # Errors
/// When signals cannot be heard, or no thread can be begun.
pub async fn serve(doorway: Arc<dyn Doorway>, version: &str, pipes: Pipes) -> io::Result<Over> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let (lines, out, written) = pipes.open()?;
    let (sessions, editor) = (Arc::new(Sessions::new(doorway)), Editor::new(out));
    let connection = Connection { sessions: sessions.clone(), editor: editor.clone(), version: version.to_owned() };
    let over = tokio::select! {
        () = connection.listen(lines) => Over::Closed,
        _ = interrupt.recv() => Over::Signalled(2),
        _ = terminate.recv() => Over::Signalled(15),
        _ = hangup.recv() => Over::Signalled(1),
    };
    editor.is_gone();
    sessions.close_all().await;
    drop((sessions, editor));
    written.wait().await;
    Ok(over)
}

struct Connection {
    sessions: Arc<Sessions>,
    editor: Editor,
    version: String,
}

/// A request that waits for its answer.
struct Asked {
    id: Value,
    params: Value,
    editor: Editor,
}

impl Connection {
    /// Hears the editor until it closes its end.
    async fn listen(self, mut lines: Receiver<String>) {
        while let Some(line) = lines.recv().await {
            match self.editor.parse_message(&line) {
                Heard::Request { id, method, params } => {
                    self.request(&method, Asked { id, params, editor: self.editor.clone() });
                }
                Heard::Notification { method, params } if method == "session/cancel" => {
                    self.sessions.cancel(params["sessionId"].as_str().unwrap_or_default());
                }
                // Others may be left unheard, as JSON-RPC has it.
                Heard::Notification { .. } | Heard::Done => {}
            }
        }
    }

    /// Answers at once, or begins what ends in an answer: the next line is heard meanwhile.
    fn request(&self, method: &str, asked: Asked) {
        match method {
            "initialize" => {
                self.sessions.meet(&asked.params["clientCapabilities"]);
                asked.answer(Ok(initialized(&self.version)));
            }
            // Nobody needs to say who they are.
            "authenticate" => asked.answer(Ok(json!({}))),
            "session/new" => self.open(None, asked),
            "session/load" => self.open(Some(Past::Told), asked),
            "session/resume" => self.open(Some(Past::Known), asked),
            "session/list" => self.list(asked),
            "session/close" => self.close(asked),
            "session/prompt" => self.prompt(asked),
            "session/set_mode" => {
                let choice = asked.text("modeId").and_then(OptionChoice::mode);
                self.choose(choice, |_| json!({}), asked);
            }
            "session/set_config_option" => {
                let choice = asked.text("configId").and_then(|id| OptionChoice::parse(id, &asked.params["value"]));
                self.choose(choice, |options| json!({"configOptions": options}), asked);
            }
            _ => {
                let words = format!("there is no method {method} here; `initialize` tells what there is");
                asked.answer(Err(Fault::new(Fault::METHOD, words)));
            }
        }
    }

    fn open(&self, past: Option<Past>, asked: Asked) {
        let name = asked.text("sessionId").map(str::to_owned);
        let wanted = asked.text("cwd").map(PathBuf::from).and_then(|folder| {
            let earlier = past.map(|past| Ok((name?, past))).transpose()?;
            let servers = asked.params["mcpServers"].as_array().cloned().unwrap_or_default();
            Ok(Wanted { folder, earlier, servers })
        });
        let sessions = self.sessions.clone();
        tokio::spawn(async move {
            let opened = match wanted {
                Ok(wanted) => sessions.open(wanted, asked.editor.clone()).await,
                Err(fault) => Err(fault),
            };
            let name = opened.as_ref().ok().map(|(name, _)| name.clone());
            asked.answer(opened.map(|(name, Ready { modes, options })| {
                let mut told = json!({"modes": modes, "configOptions": options});
                if past.is_none() {
                    told["sessionId"] = name.into();
                }
                told
            }));
            if let Some(name) = name {
                sessions.announced(&name);
            }
        });
    }

    fn list(&self, asked: Asked) {
        let sessions = self.sessions.clone();
        tokio::spawn(async move {
            let folder = asked.params["cwd"].as_str().map(PathBuf::from);
            let listed = sessions.list(folder).await;
            asked.answer(Ok(json!({"sessions": listed})));
        });
    }

    fn close(&self, asked: Asked) {
        let sessions = self.sessions.clone();
        tokio::spawn(async move {
            let closed = match asked.text("sessionId") {
                Ok(name) if sessions.close(name).await => Ok(json!({})),
                Ok(name) => {
                    Err(missing(&format!("there is no session {name} open here, so there is nothing to close")))
                }
                Err(fault) => Err(fault),
            };
            asked.answer(closed);
        });
    }

    fn prompt(&self, asked: Asked) {
        let blocks = asked.params["prompt"].as_array().cloned().unwrap_or_default();
        match asked.text("sessionId").and_then(|name| self.sessions.prompt(name, blocks)) {
            Ok(ended) => drop(tokio::spawn(async move {
                let ended = ended.await;
                asked.answer(ended.map(|reason| json!({"stopReason": reason.word()})));
            })),
            Err(fault) => asked.answer(Err(fault)),
        }
    }

    fn choose(
        &self,
        choice: Result<OptionChoice, Fault>,
        answer: impl FnOnce(Vec<Value>) -> Value + Send + 'static,
        asked: Asked,
    ) {
        let chosen = choice.and_then(|choice| self.sessions.choose(asked.text("sessionId")?, choice));
        match chosen {
            Ok(chosen) => drop(tokio::spawn(async move {
                let chosen = chosen.await;
                asked.answer(chosen.map(answer));
            })),
            Err(fault) => asked.answer(Err(fault)),
        }
    }
}

impl Asked {
    fn answer(self, answer: Result<Value, Fault>) {
        self.editor.answer(&self.id, answer);
    }

    /// A parameter that must be there.
    fn text(&self, name: &str) -> Result<&str, Fault> {
        self.params[name]
            .as_str()
            .ok_or_else(|| unfit(&format!("{name} is missing, or is no text; send it as a string")))
    }
}

/// What we are, and can do. Pictures are taken whatever the model: it can be another one with the next prompt, and one that does
/// not understand them is shown none, which is said then.
fn initialized(version: &str) -> Value {
    json!({
        "protocolVersion": PROTOCOL,
        "agentInfo": {"name": "agent", "title": "Agent", "version": version},
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": {"image": true, "audio": false, "embeddedContext": true},
            "mcpCapabilities": {"http": false, "sse": false},
            "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
        },
        "authMethods": [],
    })
}
