//! The wire: JSON-RPC 2.0, one message a line. Whatever is no message is answered as such, and nothing else comes of it.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// Why a request is not answered with a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: i64,
    /// What happened, why, and what to do next.
    pub(crate) message: String,
}

impl Fault {
    pub(crate) const PARSE: i64 = -32_700;
    pub(crate) const REQUEST: i64 = -32_600;
    pub(crate) const METHOD: i64 = -32_601;
    pub(crate) const PARAMS: i64 = -32_602;
    pub(crate) const INTERNAL: i64 = -32_603;
    /// A session or a file that is not there, as the Agent Client Protocol has it.
    pub(crate) const MISSING: i64 = -32_002;

    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Fault { code, message: message.into() }
    }
}

/// Who waits for which answer.
type Waiting = HashMap<u64, oneshot::Sender<Result<Value, Fault>>>;

/// The way to the editor; cheap to clone.
#[derive(Clone)]
pub(crate) struct Editor {
    out: UnboundedSender<String>,
    waiting: Arc<Mutex<Waiting>>,
    last: Arc<AtomicU64>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    /// It wants an answer under this name.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// An answer, or no message: whoever it is for has it.
    Done,
}

/// An answer that is waited for. Dropped before it is there, the request is taken back.
pub(crate) struct Reply {
    id: u64,
    answer: oneshot::Receiver<Result<Value, Fault>>,
    editor: Editor,
}

impl Editor {
    /// One that reads what goes into `out`.
    pub(crate) fn new(out: UnboundedSender<String>) -> Self {
        Editor { out, waiting: Arc::default(), last: Arc::default() }
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn request(&self, method: &str, params: Value) -> Reply {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        let (answered, answer) = oneshot::channel();
        self.waiting().insert(id, answered);
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        Reply { id, answer, editor: self.clone() }
    }

    pub(crate) fn answer(&self, id: &Value, answer: Result<Value, Fault>) {
        self.write(&match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(Fault { code, message }) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        });
    }

    /// Reads a line. Answers go to whoever waits for them; what is no message is answered here.
    pub(crate) fn parse_message(&self, line: &str) -> Heard {
        let fault = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(mut message)) => {
                let id = message.remove("id");
                let params = message.remove("params").unwrap_or_default();
                match (message.remove("method"), id) {
                    (Some(Value::String(method)), Some(id)) => return Heard::Request { id, method, params },
                    (Some(Value::String(method)), None) => return Heard::Notification { method, params },
                    (None, Some(id)) if message.contains_key("result") || message.contains_key("error") => {
                        self.answered(&id, message.remove("result"), message.get("error"));
                        return Heard::Done;
                    }
                    _ => Fault::new(Fault::REQUEST, "this is no request; send an object with jsonrpc, id and method"),
                }
            }
            Ok(_) => Fault::new(Fault::REQUEST, "this is no request; send one object a line, without a list around it"),
            Err(error) => Fault::new(Fault::PARSE, format!("this line is no JSON ({error}); send one object a line")),
        };
        self.answer(&Value::Null, Err(fault));
        Heard::Done
    }

    fn answered(&self, id: &Value, result: Option<Value>, error: Option<&Value>) {
        let Some(waiting) = id.as_u64().and_then(|id| self.waiting().remove(&id)) else { return };
        let fault = |error: &Value| {
            let message = error["message"].as_str().unwrap_or("without a word");
            Fault::new(error["code"].as_i64().unwrap_or(Fault::INTERNAL), message)
        };
        // Whoever asked may be gone.
        let _told = waiting.send(error.map_or_else(|| Ok(result.unwrap_or_default()), |error| Err(fault(error))));
    }

    pub(crate) fn is_gone(&self) {
        self.waiting().clear();
    }

    fn write(&self, message: &Value) {
        // An editor that is gone hears nothing, and the end of its input ends its sessions.
        drop(self.out.send(message.to_string()));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Future for Reply {
    type Output = Result<Value, Fault>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let gone = |_| Err(Fault::new(Fault::INTERNAL, "the editor is gone"));
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.unwrap_or_else(gone))
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if self.editor.waiting().remove(&self.id).is_some() {
            self.editor.notify("$/cancel_request", json!({"requestId": self.id}));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    fn editor() -> (Editor, UnboundedReceiver<String>) {
        let (out, said) = unbounded_channel();
        (Editor::new(out), said)
    }

    fn next(said: &mut UnboundedReceiver<String>) -> Value {
        serde_json::from_str(&said.try_recv().unwrap()).unwrap()
    }

    #[test]
    fn requests_and_notifications_are_told_apart_and_anything_else_is_answered() {
        let (editor, mut said) = editor();
        let request = editor.parse_message(r#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}"#);
        assert_eq!(request, Heard::Request { id: json!("a"), method: "m".into(), params: json!({"x": 1}) });
        let notification = editor.parse_message(r#"{"jsonrpc":"2.0","method":"m"}"#);
        assert_eq!(notification, Heard::Notification { method: "m".into(), params: Value::Null });
        assert!(said.try_recv().is_err());
        for (line, code) in [("{", -32_700), ("[]", -32_600), ("{}", -32_600), (r#"{"id":1}"#, -32_600), ("1", -32_600)]
        {
            assert_eq!(editor.parse_message(line), Heard::Done, "{line}");
            let answer = next(&mut said);
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)), "{line}");
        }
    }

    #[tokio::test]
    async fn an_answer_reaches_who_asked_and_a_late_one_nobody() {
        let (editor, mut said) = editor();
        let (first, second) = (editor.request("a", json!({})), editor.request("b", json!({})));
        assert_eq!([next(&mut said)["id"].clone(), next(&mut said)["id"].clone()], [json!(0), json!(1)]);
        editor.parse_message(r#"{"id":1,"error":{"code":-32601,"message":"no such method"}}"#);
        editor.parse_message(r#"{"id":0,"result":{"ok":true}}"#);
        editor.parse_message(r#"{"id":0,"result":{"ok":false}}"#);
        assert_eq!(first.await, Ok(json!({"ok": true})));
        assert_eq!(second.await, Err(Fault::new(Fault::METHOD, "no such method")));
        assert!(said.try_recv().is_err(), "what was answered is not taken back");
    }

    #[tokio::test]
    async fn a_request_that_nobody_waits_for_is_taken_back() {
        let (editor, mut said) = editor();
        drop(editor.request("a", json!({})));
        next(&mut said);
        let taken_back = next(&mut said);
        assert_eq!(taken_back["method"], "$/cancel_request");
        assert_eq!(taken_back["params"], json!({"requestId": 0}));
        let waits = editor.request("b", json!({}));
        editor.is_gone();
        assert!(waits.await.unwrap_err().message.contains("gone"));
    }
}
