//! What is made of what a hook says: its exit code and its output, as Claude Code reads them.

use super::faulty;
use crate::cap;
use crate::plain::plain;
use agent_protocol::{HookDecision, HookEvent, HookFault, HookSaid};
use agent_sandbox::{Ended, Ending, Kept};
use serde_json::{Map, Value};

/// Bytes of each text of a hook that are taken.
const MOST: usize = 10_000;

/// Letters of it that a fault quotes.
const QUOTED: usize = 400;

/// What is said where a text is cut.
pub(super) const REST: &str = "no more of what a hook says is taken";

/// The exit code that blocks.
const BLOCKS: i32 = 2;

/// What a hook said that was run at `event` and had so many seconds.
pub(super) fn read(event: HookEvent, ended: &Ended, errors: &Kept, seconds: u64) -> HookSaid {
    match ended.ending {
        Ending::Exited(0) => silent_or_said(event, &ended.output),
        Ending::Exited(BLOCKS) => {
            HookSaid { decision: HookDecision::Refuse, reason: text(errors), ..HookSaid::default() }
        }
        // Of a shell: what it was to start cannot be, or is not there.
        Ending::Exited(code @ (126 | 127)) => faulty(HookFault::NotRun(quoting(&format!("exit code {code}"), errors))),
        Ending::Exited(code) => faulty(HookFault::Failed(quoting(&format!("exit code {code}"), errors))),
        Ending::Signalled(signal) => faulty(HookFault::Failed(quoting(&format!("ended by signal {signal}"), errors))),
        Ending::TimedOut => faulty(HookFault::TimedOut(seconds)),
    }
}

fn silent_or_said(event: HookEvent, output: &Kept) -> HookSaid {
    if !output.head.trim_start().starts_with('{') {
        // There plain words are for the model; elsewhere they are nobody's business.
        let told = matches!(event, HookEvent::UserPrompt | HookEvent::SessionStart);
        let context = if told { text(output) } else { String::new() };
        return HookSaid { context, ..HookSaid::default() };
    }
    if output.lost.bytes > 0 {
        return faulty(HookFault::Failed("its output is too long to be read".into()));
    }
    match serde_json::from_str::<Map<String, Value>>(output.head.trim()) {
        Ok(object) => of_object(&object).unwrap_or_else(|why| faulty(HookFault::Failed(why))),
        Err(error) => faulty(HookFault::Failed(format!("its output is no JSON: {error}"))),
    }
}

/// What a JSON answer says.
fn of_object(object: &Map<String, Value>) -> Result<HookSaid, String> {
    let nothing = Map::new();
    let inner = match object.get("hookSpecificOutput") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(inner)) => inner,
        Some(_) => return Err(misread("hookSpecificOutput", "an object")),
    };
    let stop = match object.get("continue") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(goes_on)) => !goes_on,
        Some(_) => return Err(misread("continue", "true or false")),
    };
    let (decision, reason) = decision(object, inner)?;
    let stop_reason = word(object, "stopReason")?;
    let reason = if stop && reason.is_empty() { stop_reason } else { reason };
    let input = match inner.get("updatedInput") {
        None | Some(Value::Null) => None,
        Some(input @ Value::Object(_)) => Some(input.clone()),
        Some(_) => return Err(misread("updatedInput", "an object")),
    };
    let context = word(inner, "additionalContext")?;
    let shown = word(object, "systemMessage")?;
    Ok(HookSaid { decision, reason, context, input, stop, shown, ..HookSaid::default() })
}

/// The decision and its reason: in today's form, or in the old one.
fn decision(object: &Map<String, Value>, inner: &Map<String, Value>) -> Result<(HookDecision, String), String> {
    let said = word(inner, "permissionDecision")?;
    let today = match said.as_str() {
        "" => None,
        "allow" => Some(HookDecision::Allow),
        "ask" => Some(HookDecision::Ask),
        "deny" => Some(HookDecision::Refuse),
        _ => return Err(misread("permissionDecision", "allow, ask or deny")),
    };
    if let Some(decision) = today {
        return Ok((decision, word(inner, "permissionDecisionReason")?));
    }
    let old = match word(object, "decision")?.as_str() {
        "" => HookDecision::None,
        "block" | "deny" => HookDecision::Refuse,
        "approve" | "allow" => HookDecision::Allow,
        "ask" => HookDecision::Ask,
        _ => return Err(misread("decision", "block or approve")),
    };
    Ok((old, word(object, "reason")?))
}

fn word(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(cap::text(text.trim().to_owned(), MOST, REST)),
        Some(_) => Err(misread(name, "text")),
    }
}

fn misread(name: &str, expected: &str) -> String {
    format!("its output cannot be read: {name} is not {expected}")
}

fn text(kept: &Kept) -> String {
    let whole = cap::kept(kept, MOST, REST);
    plain(&whole).trim().to_owned()
}

/// How it ended, with the first line that it complained with.
fn quoting(how: &str, errors: &Kept) -> String {
    let errors = text(errors);
    let first = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let first: String = first.chars().take(QUOTED).collect();
    if first.is_empty() { how.to_owned() } else { format!("{how}: {}", first.trim()) }
}

#[cfg(test)]
mod tests;
