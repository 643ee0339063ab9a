//! Puts calls together from the pieces in which servers send them.
//!
//! Pieces come by index, by id, by neither or by both; names come late or again; arguments come as text, as an object, or not
//! at all. A call is complete only when the reply is.

use super::wire::{CallPiece, FunctionPiece, arguments};
use agent_protocol::ModelCall;
use serde_json::Value;

/// The calls of one reply as far as they have arrived, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls {
    begun: Vec<Begun>,
}

/// A call of which something has arrived.
#[derive(Debug, Default)]
struct Begun {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    text: String,
    object: Option<Value>,
}

impl Calls {
    pub(super) fn count(&self) -> usize {
        self.begun.len()
    }

    /// Takes in a piece and answers with how many bytes of name and arguments it brought.
    pub(super) fn take(&mut self, piece: CallPiece) -> usize {
        let id = piece.id.filter(|id| !id.is_empty());
        let function = piece.function.unwrap_or_default();
        let at = self.place_of(piece.index, id.as_deref(), &function);
        let call = &mut self.begun[at];
        call.index = call.index.or(piece.index);
        call.id = call.id.take().or(id);
        call.add(function)
    }

    /// The call that a piece belongs to; it begins with this piece where there is none yet.
    ///
    /// An index decides, except where another id comes under it together with a name: some servers number every call 0.
    fn place_of(&mut self, index: Option<u64>, id: Option<&str>, function: &FunctionPiece) -> usize {
        let names = function.name.as_deref().is_some_and(|name| !name.is_empty());
        let same_id = |call: &Begun| id.is_some() && call.id.as_deref() == id;
        let another = |call: &Begun| names && id.is_some() && call.id.is_some() && !same_id(call);
        let known = match (index, id) {
            (Some(_), _) => self.begun.iter().rposition(|call| call.index == index && !another(call)),
            (None, Some(_)) => self.begun.iter().rposition(same_id),
            (None, None) if names && self.begun.last().is_none_or(|last| !last.name.is_empty()) => None,
            (None, None) => self.begun.len().checked_sub(1),
        };
        known.unwrap_or_else(|| {
            self.begun.push(Begun::default());
            self.begun.len() - 1
        })
    }

    /// The calls, now that the reply is complete.
    pub(super) fn complete(self) -> Vec<ModelCall> {
        self.begun.into_iter().map(Begun::complete).collect()
    }
}

impl Begun {
    fn add(&mut self, function: FunctionPiece) -> usize {
        let mut bytes = 0;
        // A name that comes again is the same name; one that comes in pieces comes before the arguments.
        if let Some(name) = function.name.filter(|name| *name != self.name)
            && self.text.is_empty()
        {
            bytes += name.len();
            self.name.push_str(&name);
        }
        match function.arguments {
            Value::String(text) => {
                bytes += text.len();
                self.text.push_str(&text);
            }
            object @ Value::Object(_) => {
                bytes += object.to_string().len();
                self.object = Some(object);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
        bytes
    }

    fn complete(self) -> ModelCall {
        let arguments = match self.object {
            Some(object) if self.text.trim().is_empty() => object,
            _ => arguments(&self.text),
        };
        ModelCall { server_id: self.id, index: self.index, name: self.name, arguments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(pieces: &[Value]) -> Vec<(Option<String>, String, Value)> {
        let mut calls = Calls::default();
        for piece in pieces {
            calls.take(serde_json::from_value(piece.clone()).unwrap());
        }
        calls.complete().into_iter().map(|call| (call.server_id, call.name, call.arguments)).collect()
    }

    fn call(id: &str, name: &str, arguments: Value) -> (Option<String>, String, Value) {
        (Some(id.to_owned()).filter(|id| !id.is_empty()), name.to_owned(), arguments)
    }

    #[test]
    fn pieces_come_together_by_index_in_any_order() {
        let pieces = [
            json!({"index": 0, "id": "a", "function": {"name": "read_file", "arguments": ""}}),
            json!({"index": 1, "id": "b", "function": {"name": "list", "arguments": "{\"p\":"}}),
            json!({"index": 0, "function": {"arguments": "{\"path\":"}}),
            json!({"index": 1, "function": {"arguments": "1}"}}),
            json!({"index": 0, "function": {"arguments": "\"x\"}"}}),
        ];
        assert_eq!(read(&pieces), [call("a", "read_file", json!({"path": "x"})), call("b", "list", json!({"p": 1}))]);
    }

    #[test]
    fn a_name_may_come_late_again_or_in_pieces() {
        let late = [
            json!({"index": 0, "id": "a"}),
            json!({"index": 0, "function": {"name": "f"}}),
            json!({"index": 0, "function": {"name": "f", "arguments": "{}"}}),
        ];
        assert_eq!(read(&late), [call("a", "f", json!({}))]);
        let pieces = [
            json!({"index": 0, "id": "a", "function": {"name": "read_"}}),
            json!({"index": 0, "function": {"name": "file"}}),
            json!({"index": 0, "function": {"arguments": "{}"}}),
        ];
        assert_eq!(read(&pieces), [call("a", "read_file", json!({}))]);
    }

    #[test]
    fn calls_that_are_all_numbered_0_are_told_apart_by_id() {
        let pieces = [
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"}}),
            json!({"index": 0, "id": "b", "function": {"name": "f", "arguments": "{\"n\":2}"}}),
        ];
        assert_eq!(read(&pieces), [call("a", "f", json!({"n": 1})), call("b", "f", json!({"n": 2}))]);
        let repeated = [
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":"}}),
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "1}"}}),
        ];
        assert_eq!(read(&repeated), [call("a", "f", json!({"n": 1}))]);
    }

    #[test]
    fn without_index_and_id_a_name_begins_a_call() {
        let pieces = [
            json!({"function": {"name": "f", "arguments": "{\"n\":"}}),
            json!({"function": {"arguments": "1}"}}),
            json!({"function": {"name": "g", "arguments": {"n": 2}}}),
            json!({"function": {"name": "h"}}),
        ];
        let expected = [call("", "f", json!({"n": 1})), call("", "g", json!({"n": 2})), call("", "h", Value::Null)];
        assert_eq!(read(&pieces), expected);
    }

    #[test]
    fn arguments_that_are_no_object_stay_as_they_are() {
        let cut = [json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"path\": \"x"}})];
        assert_eq!(read(&cut), [call("a", "f", json!("{\"path\": \"x"))]);
    }
}
