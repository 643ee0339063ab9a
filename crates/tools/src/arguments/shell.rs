//! Lines for the shell, from lists of words and lists of lines.
//!
//! Never joined is what would swallow what stands behind it: the shell takes no list, and a line that it reads otherwise
//! than it was meant is worse than one more question.

use super::names::quoted;
use super::{Form, values};
use agent_protocol::{Failure, FailureKind};
use serde_json::Value;

/// A line in place of what was given, and a note on it.
pub(super) type ShellLine = (String, String);

/// Each entry of `value` is a line of its own; the next runs only where the one before went well.
pub(super) fn lines(form: &'static Form, name: &str, (key, value): (&str, &Value)) -> Result<ShellLine, Failure> {
    let lines = match list(value) {
        Some(Value::Array(list)) => strings(&list).ok_or_else(|| form.wrong(name))?,
        _ => vec![values::text(value).ok_or_else(|| form.wrong(name))?],
    };
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
    let note = match lines.len() {
        0 | 1 => format!("was read as {name}"),
        _ => format!("was read as one {name}, its parts joined by &&"),
    };
    Ok((joined(form, name, key, &lines)?, note))
}

/// `line` with what `value` holds behind it: words as the shell takes them, or the rest of a line as it stands.
pub(super) fn extended(
    form: &'static Form,
    name: &str,
    line: &str,
    (key, value): (&str, &Value),
) -> Result<ShellLine, Failure> {
    let more = match list(value) {
        Some(Value::Array(list)) => {
            let words = list.iter().map(|word| values::text(word).map(|word| shell_word(&word)));
            words.collect::<Option<Vec<String>>>().ok_or_else(|| unread(form, name, key))?.join(" ")
        }
        _ => match value {
            Value::String(text) if !text.contains(['\n', '\r']) => text.trim().to_owned(),
            _ => return Err(unread(form, name, key)),
        },
    };
    if swallows(line) {
        return Err(unread(form, name, key));
    }
    Ok((format!("{} {more}", line.trim_end()), format!("was put behind {name}: {more}")))
}

/// `["ls", "-la"]` is a program with its words; `["bash", "-lc", "…"]` a line; `["cd src", "make"]` several lines.
pub(super) fn line(form: &'static Form, name: &str, value: &Value) -> Result<Option<ShellLine>, Failure> {
    let Some(words) = list(value).as_ref().and_then(Value::as_array).and_then(|list| strings(list)) else {
        return Ok(None);
    };
    let Some((first, rest)) = words.split_first() else { return Ok(None) };
    if let [flag, line] = rest
        && ["sh", "bash", "zsh"].contains(&first.rsplit('/').next().unwrap_or(first))
        && ["-c", "-lc", "-ic", "-lic"].contains(&flag.as_str())
    {
        return Ok(Some((line.clone(), format!("{name} was read from the list {first} {flag} …"))));
    }
    if first.trim().contains(char::is_whitespace) {
        let note = match rest {
            [] => format!("the one entry of {name} was taken"),
            _ => format!("the lines of {name} were joined by &&"),
        };
        return Ok(Some((joined(form, name, name, &words)?, note)));
    }
    let line: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    Ok(Some((line.join(" "), format!("{name} was a list of words and was read as one line"))))
}

/// A list, also where it came as its text.
fn list(value: &Value) -> Option<Value> {
    match value {
        Value::Array(_) => Some(value.clone()),
        Value::String(text) if text.trim_start().starts_with("[\"") => serde_json::from_str(text).ok(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => None,
    }
}

fn strings(list: &[Value]) -> Option<Vec<String>> {
    list.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

fn joined(form: &'static Form, name: &str, key: &str, lines: &[String]) -> Result<String, Failure> {
    if lines.len() > 1
        && let Some(line) = lines.iter().find(|line| swallows(line))
    {
        let message = format!(
            "{}: {} cannot be joined to one line because of {}; give one `{name}`, with a line break after each part, or \
             one call for each",
            form.tool,
            quoted(key),
            quoted(line.trim())
        );
        return Err(Failure::new(FailureKind::InvalidArguments, message));
    }
    Ok(lines.join(" && "))
}

/// Could what follows on this line belong to it: to a comment, a text that goes on, a quotation, another command? Rather
/// yes than no: nothing is lost but a call.
fn swallows(line: &str) -> bool {
    let line = line.trim();
    let open = |quote: char| line.chars().filter(|c| *c == quote).count() % 2 == 1;
    line.contains(['#', '\n', '\r'])
        || line.contains("<<")
        || line.ends_with(['&', '\\', '|', ';'])
        || ['\'', '"', '`'].into_iter().any(open)
}

fn unread(form: &'static Form, name: &str, key: &str) -> Failure {
    let message =
        format!("{}: {} cannot be put behind `{name}`; give the whole line as `{name}`", form.tool, quoted(key));
    Failure::new(FailureKind::InvalidArguments, message)
}

/// A word that the shell takes as it stands.
fn shell_word(word: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
