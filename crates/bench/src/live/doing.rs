//! What a trial does just now, in a few words, by its last event.

use agent_protocol::{CallEvent, Event, Phase, ToolCall, TurnEvent};
use serde_json::Value;

/// The arguments of which one tells best what a call is about.
const TELLING: [&str; 6] = ["file_path", "path", "command", "pattern", "query", "url"];
/// A longer argument is cut.
const LONGEST: usize = 60;

/// None: the event changes nothing of it.
pub(super) fn words(event: &Event) -> Option<String> {
    if let Event::Call(CallEvent::Proposed { call }) = event {
        return Some(call_words(call));
    }
    let Event::Turn(turn) = event else { return None };
    let words = match turn {
        TurnEvent::Waiting { phase } => phase_words(phase),
        TurnEvent::Thinking { .. } => "thinking".into(),
        TurnEvent::Text { .. } => "writing an answer".into(),
        TurnEvent::Ended { .. } => "grading".into(),
        TurnEvent::Started { .. }
        | TurnEvent::Steered { .. }
        | TurnEvent::Queued { .. }
        | TurnEvent::Unqueued { .. }
        | TurnEvent::WasThinking { .. }
        | TurnEvent::Replied { .. }
        | TurnEvent::Todos { .. }
        | TurnEvent::SetAside { .. }
        | TurnEvent::Receipt { .. } => return None,
    };
    Some(words)
}

fn phase_words(phase: &Phase) -> String {
    match phase {
        Phase::Sending => "asking the model".into(),
        Phase::Loading => "the server loads the model".into(),
        Phase::Reading { .. } | Phase::ReadingPart { .. } => "reading".into(),
        Phase::Writing => "writing".into(),
        Phase::WritingCall { name: Some(name), .. } => format!("writing a call of {name}"),
        Phase::WritingCall { name: None, .. } => "writing a call".into(),
        Phase::Thinking { .. } => "thinking".into(),
        Phase::Silent { secs } => format!("nothing from the server for {secs} s"),
        Phase::Queued { .. } => "waiting until the server has room".into(),
        Phase::Retrying { attempt, .. } => format!("the server failed; attempt {attempt}"),
    }
}

fn call_words(call: &ToolCall) -> String {
    let name = call.call.name.replace('_', " ");
    let about = TELLING.iter().find_map(|key| call.call.arguments.get(key).and_then(Value::as_str));
    let about: Option<String> =
        about.map(|words| words.lines().next().unwrap_or_default().chars().take(LONGEST).collect());
    about.map_or(name.clone(), |about| format!("{name} {about}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Option<String> {
        words(&serde_json::from_str(line).unwrap())
    }

    #[test]
    fn calls_are_told_with_what_they_are_about() {
        let call = |arguments: &str| {
            said(&format!(r#"{{"type":"proposed","call":{{"id":1,"name":"edit_file","arguments":{arguments}}}}}"#))
        };
        assert_eq!(call(r#"{"content":"x","file_path":"src/a.py"}"#).as_deref(), Some("edit file src/a.py"));
        assert_eq!(call(r#"{"command":"make\nrm x"}"#).as_deref(), Some("edit file make"));
        assert_eq!(call("null").as_deref(), Some("edit file"));
    }

    #[test]
    fn what_the_model_does_is_told_and_the_rest_changes_nothing() {
        assert_eq!(said(r#"{"type":"thinking","text":"Hm"}"#).as_deref(), Some("thinking"));
        assert_eq!(
            said(r#"{"type":"turn_ended","turn":1,"reason":{"reason":"done"},"usage":{}}"#).as_deref(),
            Some("grading")
        );
        assert_eq!(said(r#"{"type":"replied","usage":{}}"#), None);
    }
}
