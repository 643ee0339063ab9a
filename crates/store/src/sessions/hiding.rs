//! Leaves secrets out of what is written down.

use agent_protocol::Record;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Gives a text with the secrets left out; `None` where there are none. Called on writing threads.
pub type Hide = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The record as JSON, without secrets; `None` where it could not be read back, so that it would spoil what follows.
pub(super) fn written(record: &Record, hide: Option<&Hide>) -> Option<String> {
    let json = match hide {
        None => serde_json::to_string(record).ok()?,
        Some(hide) => {
            let mut value = serde_json::to_value(record).ok()?;
            clean(&mut value, hide);
            value.to_string()
        }
    };
    serde_json::from_str::<Record>(&json).is_ok().then_some(json)
}

fn clean(value: &mut Value, hide: &Hide) {
    match value {
        Value::String(text) => {
            if !is_digest(text)
                && let Some(hidden) = hide(text)
            {
                *text = hidden;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| clean(value, hide)),
        // A picture looks as random as a secret, and a mark in it would spoil it.
        Value::Object(fields) if is_picture(fields) => {}
        Value::Object(fields) => fields.values_mut().for_each(|value| clean(value, hide)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The name of kept bytes looks as random as a secret, and is needed as it is.
fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Is it an [`agent_protocol::Image`]?
fn is_picture(fields: &Map<String, Value>) -> bool {
    let names = ["mime", "width", "height", "base64"];
    let is_image = fields.get("mime").and_then(Value::as_str).is_some_and(|mime| mime.starts_with("image/"));
    is_image && fields.len() == names.len() && names.iter().all(|name| fields.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{ContextEvent, Event, Image, Message, ModelCall, PartOrigin, Role, TurnEvent};
    use serde_json::json;

    fn hide() -> Hide {
        Arc::new(|text| text.contains("hunter2").then(|| text.replace("hunter2", "[hidden]")))
    }

    #[test]
    fn secrets_are_left_out_wherever_they_stand() {
        let call = ModelCall {
            server_id: None,
            index: None,
            name: "run_command".into(),
            arguments: json!({"z": ["echo hunter2"], "a": {"hunter2": 1.5}}),
        };
        let mut said = Message { calls: vec![call], ..Message::text(Role::Assistant, "it is hunter2") };
        said.push(PartOrigin::Program, ", hunter2");
        let record =
            Record::Conversation { from: 1, messages: vec![said], broken_tail: false, settled: true, unsent: false };
        let read: Record = serde_json::from_str(&written(&record, Some(&hide())).unwrap()).unwrap();
        let Record::Conversation { messages, .. } = read else { panic!("{read:?}") };
        assert_eq!(messages[0].content, "it is [hidden], [hidden]");
        assert_eq!(
            messages[0].calls[0].arguments.to_string(),
            r#"{"z":["echo [hidden]"],"a":{"hunter2":1.5}}"#,
            "names stay, and the order does"
        );
    }

    #[test]
    fn digests_stay_as_they_are() {
        let all: Hide = Arc::new(|text| (text.len() > 20).then(|| "[hidden]".into()));
        let digest = "0123456789abcdef".repeat(4);
        for (text, kept) in [(digest.clone(), digest.clone()), (format!("{digest}0"), "[hidden]".into())] {
            let json = written(&Record::Event { event: Event::Turn(TurnEvent::Text { text }) }, Some(&all)).unwrap();
            assert!(json.contains(&kept), "{json}");
        }
    }

    #[test]
    fn pictures_stay_as_they_are() {
        let all: Hide = Arc::new(|text| (text.len() > 20).then(|| "[hidden]".into()));
        let picture = Image { mime: "image/png".into(), width: 1, height: 1, base64: "iVBORw0K".repeat(9) };
        let said = Message { images: vec![picture.clone()], ..Message::text(Role::Tool, "x".repeat(21)) };
        let record =
            Record::Conversation { from: 1, messages: vec![said], broken_tail: false, settled: true, unsent: false };
        let read: Record = serde_json::from_str(&written(&record, Some(&all)).unwrap()).unwrap();
        let Record::Conversation { messages, .. } = read else { panic!("{read:?}") };
        assert_eq!((messages[0].content.as_str(), &messages[0].images), ("[hidden]", &vec![picture]));
    }

    #[test]
    fn what_could_not_be_read_back_is_not_written() {
        let all: Hide = Arc::new(|_| Some("[hidden]".into()));
        assert_eq!(written(&Record::Event { event: Event::Context(ContextEvent::Cleared) }, Some(&all)), None);
    }
}
