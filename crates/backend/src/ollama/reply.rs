//! Reads the bytes of a reply into events. Pure: the same bytes give the same events, wherever they are cut.
//!
//! **Invariant.** A reply ends in `Done` only if the server said `done:true`; nothing is read after that.

use super::wire::Line;
use crate::http::reply::{ReadLine, Reply};
use crate::http::{CALLS_LIMIT, REPLY_LIMIT, broken, json, trouble};
use agent_protocol::{ModelCall, ModelEvent, ServerError};

/// The lines of a reply: JSON objects.
pub(super) struct Lines {
    model: String,
    said: usize,
    calls: usize,
}

/// A reply of `model`, of which nothing has arrived yet.
pub(super) fn reply_of(model: &str) -> Reply<Lines> {
    Reply::read_by(Lines { model: model.to_owned(), said: 0, calls: 0 })
}

impl Lines {
    /// Counts what `line` of so many bytes adds; `false` when that is more than one reply may say.
    fn fits(&mut self, line: &Line, bytes: usize) -> bool {
        let Some(message) = &line.message else { return true };
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let calls = message.tool_calls.as_ref().map_or(0, Vec::len);
        self.calls += calls;
        self.said += if calls > 0 { bytes } else { length(&message.content) + length(&message.thinking) };
        self.said <= REPLY_LIMIT && self.calls <= CALLS_LIMIT
    }

    fn tell(&mut self, mut line: Line, events: &mut Vec<ModelEvent>) {
        if let Some(error) = &line.error {
            return events.push(broken(trouble::of_line(error, &self.model)));
        }
        let message = line.message.take().unwrap_or_default();
        if let Some(text) = message.thinking.filter(|text| !text.is_empty()) {
            events.push(ModelEvent::Thinking { text });
        }
        if let Some(text) = message.content.filter(|text| !text.is_empty()) {
            events.push(ModelEvent::Text { text });
        }
        if let Some(calls) = message.tool_calls.filter(|calls| !calls.is_empty()) {
            events.push(ModelEvent::Calls { calls: calls.into_iter().map(ModelCall::from).collect() });
        }
        if line.done == Some(true) {
            let usage = line.usage();
            events.push(ModelEvent::Done { reason: line.done_reason, usage });
        }
    }
}

impl ReadLine for Lines {
    fn read(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) -> bool {
        if line.is_empty() {
            return false;
        }
        let before = events.len();
        // A struct can also be read from an array, which would be taken for a line that says nothing.
        let read = if line.starts_with(b"{") { json::read::<Line>(line, json::PIECES) } else { None };
        match read {
            Some(read) if self.fits(&read, line.len()) => self.tell(read, events),
            Some(_) => events.push(broken(ServerError::ReplyTooLong { limit: REPLY_LIMIT })),
            None => events.push(broken(trouble::of_garbage(line))),
        }
        events.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::frame::LINE_LIMIT;
    use agent_protocol::Usage;
    use serde_json::json;

    fn read(text: &str) -> Vec<ModelEvent> {
        let mut reply = reply_of("tiny");
        let mut events = Vec::new();
        reply.take(text.as_bytes(), &mut events);
        reply.end(&mut events);
        events
    }

    fn text(text: &str) -> ModelEvent {
        ModelEvent::Text { text: text.to_owned() }
    }

    fn done(reason: Option<&str>) -> ModelEvent {
        ModelEvent::Done { reason: reason.map(str::to_owned), usage: Usage::default() }
    }

    #[test]
    fn thinking_text_and_calls_come_in_that_order_and_done_last() {
        let line = json!({"message": {"content": "b", "thinking": "a", "tool_calls": [
            {"id": "call_1", "function": {"index": 0, "name": "read_file", "arguments": {"z": 1, "a": 2}}}]},
            "done": true, "done_reason": "stop", "eval_count": 7, "prompt_eval_count": 9, "total_duration": 5});
        let events = read(&line.to_string());
        let call = ModelCall {
            server_id: Some("call_1".to_owned()),
            index: Some(0),
            name: "read_file".to_owned(),
            arguments: json!({"z": 1, "a": 2}),
        };
        let ModelEvent::Calls { calls } = &events[2] else { panic!("calls come third") };
        assert_eq!(calls[0].arguments.to_string(), r#"{"z":1,"a":2}"#, "the order of the keys is kept");
        let usage = Usage { prompt_tokens: Some(9), reply_tokens: Some(7), total_ns: Some(5), ..Usage::default() };
        assert_eq!(
            events,
            [
                ModelEvent::Thinking { text: "a".to_owned() },
                text("b"),
                ModelEvent::Calls { calls: vec![call] },
                ModelEvent::Done { reason: Some("stop".to_owned()), usage },
            ]
        );
    }

    #[test]
    fn nulls_and_missing_fields_are_no_trouble() {
        assert_eq!(
            read(concat!(
                r#"{"message":{"role":"Assistant","content":null,"thinking":null,"tool_calls":null},"done":null}"#,
                "\n",
                r#"{"message":{"tool_calls":[{"id":null,"function":{"name":"f","arguments":null}},{},{"function":{"#,
                r#""name":"g","arguments":"{\"a\":1}"}}]}}"#,
                "\r\n\n",
                r#"{"message":null,"error":null,"done":true,"done_reason":null,"eval_count":null,"load_duration":-1}"#,
                "\n",
            )),
            [
                ModelEvent::Calls {
                    calls: vec![
                        ModelCall { server_id: None, index: None, name: "f".to_owned(), arguments: json!(null) },
                        ModelCall { server_id: None, index: None, name: String::new(), arguments: json!(null) },
                        ModelCall { server_id: None, index: None, name: "g".to_owned(), arguments: json!({"a": 1}) },
                    ]
                },
                done(None),
            ]
        );
    }

    #[test]
    fn what_follows_done_is_not_read() {
        let events = read("{\"done\":true}\n{\"message\":{\"content\":\"late\"}}\nrubbish\n");
        assert_eq!(events, [done(None)]);
    }

    #[test]
    fn an_end_without_done_is_not_done() {
        assert_eq!(read(""), [broken(ServerError::NotDone)]);
        let cut_short = read("{\"message\":{\"content\":\"ha\"},\"done\":false}");
        assert_eq!(cut_short, [text("ha"), broken(ServerError::NotDone)]);
    }

    #[test]
    fn an_error_line_breaks_the_reply() {
        let trouble = ServerError::BadCall { message: "tool 'x' not found".to_owned() };
        let events = read("{\"message\":{\"content\":\"a\"}}\n{\"error\":\"tool 'x' not found\"}\n{\"done\":true}\n");
        assert_eq!(events, [text("a"), broken(trouble)]);
    }

    #[test]
    fn what_is_not_of_the_protocol_is_garbage() {
        for line in ["<html>", "[]", "\"done\"", "{\"done\":tru", "data: {\"done\":true}"] {
            let trouble = ServerError::Garbage { line: line.to_owned() };
            assert_eq!(read(&format!("{line}\n{{\"done\":true}}\n")), [broken(trouble.clone())]);
            assert_eq!(read(line), [broken(trouble)], "also without a line end");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        let mut events = Vec::new();
        reply_of("tiny").take(b"{\"message\":{\"content\":\"a\xff\xfeb\"},\"done\":true}\n", &mut events);
        assert_eq!(events, [text("a\u{fffd}\u{fffd}b"), done(None)]);
    }

    #[test]
    fn arguments_too_deep_or_of_too_many_pieces_are_garbage() {
        for arguments in [format!("{}{}", "[".repeat(5000), "]".repeat(5000)), format!("[{}0]", "0,".repeat(300_000))] {
            let call = r#"{"message":{"tool_calls":[{"function":{"name":"f","arguments":"#;
            let events = read(&format!("{call}{arguments}}}}}]}}}}\n"));
            assert!(matches!(&events[..], [ModelEvent::Broken { trouble: ServerError::Garbage { .. } }]), "{events:?}");
        }
    }

    #[test]
    fn json_inside_a_string_is_as_bounded_as_outside() {
        let inside = format!("[{}0]", "0,".repeat(300_000));
        let line = json!({"message": {"tool_calls": [{"function": {"name": "f", "arguments": inside}}]}});
        let events = read(&format!("{line}\n"));
        let [ModelEvent::Calls { calls }, _] = &events[..] else { panic!("calls and an end") };
        assert!(calls[0].arguments.is_string(), "left as it is");
        let error = json!({ "error": inside });
        let events = read(&format!("{error}\n"));
        let [ModelEvent::Broken { trouble: ServerError::MidReply { message } }] = &events[..] else {
            panic!("{events:?}")
        };
        assert!(message.starts_with("[0,0,"));
    }

    #[test]
    fn a_reply_of_too_much_text_or_too_many_calls_is_given_up() {
        let too_long = broken(ServerError::ReplyTooLong { limit: REPLY_LIMIT });
        let line = format!("{}\n", json!({"message": {"content": "x".repeat(REPLY_LIMIT / 4)}}));
        assert_eq!(read(&line.repeat(4)).last(), Some(&broken(ServerError::NotDone)), "as much as allowed");
        assert_eq!(read(&line.repeat(5)).last(), Some(&too_long));
        let calls = vec![json!({"function": {"name": "f"}}); 300];
        let line = format!("{}\n", json!({"message": {"tool_calls": calls}}));
        assert_eq!(read(&line.repeat(3)).last(), Some(&broken(ServerError::NotDone)));
        assert_eq!(read(&line.repeat(4)).last(), Some(&too_long));
    }

    #[test]
    fn lines_that_say_nothing_are_listened_to_for_long_and_not_for_ever() {
        let empty = format!("{}\n", json!({"message": {"role": "assistant", "content": ""}, "done": false}));
        for line in ["\n", " \r\n", empty.as_str()] {
            let mut reply = reply_of("tiny");
            let mut events = Vec::new();
            let piece = line.repeat(100_000);
            let mut pieces = std::iter::repeat_n(piece.as_bytes(), 1_000);
            reply.take(piece.as_bytes(), &mut events);
            assert_eq!(events, [], "{line:?}: a server may hold back a whole file");
            while !reply.is_over() {
                reply.take(pieces.next().expect("it ends"), &mut events);
            }
            assert!(matches!(&events[..], [ModelEvent::Broken { trouble: ServerError::Garbage { .. } }]), "{events:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let mut reply = reply_of("tiny");
        let mut events = Vec::new();
        let piece = vec![b' '; LINE_LIMIT / 4];
        for _ in 0..5 {
            reply.take(&piece, &mut events);
        }
        assert_eq!(events, [broken(ServerError::LineTooLong { limit: LINE_LIMIT })]);
        assert!(reply.is_over());
    }
}
