//! From what a model wrote to what the schema names: whose value is it, and is it the only one?

use super::units;
use super::{Form, Kind, Parameter, values};
use agent_protocol::{Failure, FailureKind};
use serde_json::{Map, Value};
use std::borrow::Cow;
use strsim::damerau_levenshtein;

/// What models wrap arguments in once more.
const WRAPPERS: [&str; 7] = ["arguments", "parameters", "input", "args", "params", "kwargs", "tool_input"];
/// Shorter names are not mended: too many are one letter apart.
const SHORTEST: usize = 5;
/// Longer ones are like nothing, and would take long to compare.
const LONGEST: usize = 64;
/// Characters of a model's own words that are quoted.
const QUOTED: usize = 40;
/// So many arguments that nobody asked for are named.
const NAMED: usize = 5;

/// A name without what spellings differ in: `filePath`, `file-path` and `File_Path` are one.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The model's own words, short enough to be quoted.
pub(super) fn quoted(words: &str) -> String {
    let short: String = words.chars().take(QUOTED).collect();
    let more = if short.len() < words.len() { "…" } else { "" };
    format!("`{short}{more}`")
}

/// Reads `arguments` for `form`: values by their proper names, and notes.
pub(super) fn read(form: &'static Form, arguments: &Value) -> Result<(Map<String, Value>, Vec<String>), Failure> {
    let mut notes = Vec::new();
    let object = object(form, arguments, &mut notes)?;
    let object = unwrapped(form, &object, &mut notes)?;
    let mut taken = Taken { form, values: Map::new(), given_by: Vec::new(), notes };
    taken.take_all(&object)?;
    Ok((taken.values, taken.notes))
}

fn object<'a>(
    form: &'static Form,
    arguments: &'a Value,
    notes: &mut Vec<String>,
) -> Result<Cow<'a, Map<String, Value>>, Failure> {
    match arguments {
        Value::Object(object) => Ok(Cow::Borrowed(object)),
        Value::Null => Ok(Cow::Owned(Map::new())),
        Value::String(text) if text.trim().is_empty() => Ok(Cow::Owned(Map::new())),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Ok(Cow::Owned(object)),
            Ok(_) | Err(_) => the_only_text(form, text, notes).map(Cow::Owned),
        },
        Value::Array(list) => match list.as_slice() {
            [Value::Object(only)] => Ok(Cow::Borrowed(only)),
            _ => Err(form.not_an_object()),
        },
        Value::Bool(_) | Value::Number(_) => Err(form.not_an_object()),
    }
}

/// Plain text is the one text that a tool needs. What looks like JSON is not plain: part of it may be missing.
fn the_only_text(form: &'static Form, text: &str, notes: &mut Vec<String>) -> Result<Map<String, Value>, Failure> {
    let mut required = form.required();
    match (required.next(), required.next()) {
        (Some(Parameter { name, kind: Kind::Text | Kind::Line, .. }), None)
            if !text.trim_start().starts_with(['{', '[', '"', '<']) =>
        {
            notes.push(format!("the arguments were plain text and were read as {name}"));
            Ok(Map::from_iter([((*name).to_owned(), text.into())]))
        }
        _ => Err(form.not_an_object()),
    }
}

/// `{"arguments": {…}}` and `{"edits": [{…}], …}` mean what is inside.
fn unwrapped<'a>(
    form: &'static Form,
    given: &'a Map<String, Value>,
    notes: &mut Vec<String>,
) -> Result<Cow<'a, Map<String, Value>>, Failure> {
    let mut entries = given.iter();
    if let (Some((key, Value::Object(inner))), None) = (entries.next(), entries.next())
        && WRAPPERS.contains(&key.as_str())
    {
        return Ok(Cow::Borrowed(inner));
    }
    let Some((key, list)) = given.iter().find(|(key, _)| form.lists.contains(&plain(key).as_str())) else {
        return Ok(Cow::Borrowed(given));
    };
    let list = match list {
        Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let one = match list {
        Value::Object(one) => one,
        Value::Array(list) => the_only_one(form, key, list)?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return Ok(Cow::Borrowed(given)),
    };
    notes.push(format!("the one entry of {} was read as the arguments", quoted(key)));
    let others = given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone()));
    Ok(Cow::Owned(others.chain(one).collect()))
}

fn the_only_one(form: &'static Form, key: &str, list: Vec<Value>) -> Result<Map<String, Value>, Failure> {
    let length = list.len();
    let mut list = list.into_iter();
    match (list.next(), list.next()) {
        (Some(Value::Object(one)), None) => Ok(one),
        _ => {
            let message =
                format!("{} holds {length} entries; call {} once for each, one change a call", quoted(key), form.tool);
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}

/// What was taken so far.
struct Taken {
    form: &'static Form,
    values: Map<String, Value>,
    /// Under which of the model's names a value came, where that is another than ours.
    given_by: Vec<(&'static str, String)>,
    notes: Vec<String>,
}

impl Taken {
    /// Proper names win, then other names in their order, then those with a slip; the rest is left out.
    fn take_all(&mut self, given: &Map<String, Value>) -> Result<(), Failure> {
        let given: Vec<(&String, &Value)> = given.iter().filter(|(_, value)| !value.is_null()).collect();
        let (proper, rest): (Vec<_>, Vec<_>) = given.iter().partition(|(key, _)| self.form.parameter(key).is_some());
        self.values = proper.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let (mut foreign, mut unknown) = (Vec::new(), Vec::new());
        for (key, value) in rest {
            let plain_key = plain(key);
            if let Some(parameter) = answering(self.form, &plain_key).filter(|parameter| fits(parameter, value)) {
                self.take(parameter, key, value)?;
            } else if let Some(found) =
                self.form.foreign.iter().find(|f| f.names.split_whitespace().any(|name| name == plain_key))
            {
                foreign.push((found.unit, key, value));
            } else {
                unknown.push((key, value));
            }
        }
        let left = self.take_mended(unknown)?;
        for (name, habit) in self.form.habits {
            units::settle(self.form, name, *habit, &given, &mut self.values, &mut self.notes)?;
        }
        // A last line counts from a first one, which must be there by then.
        foreign.sort_by_key(|(unit, _, _)| unit.needs_another());
        for (unit, key, value) in foreign {
            units::convert(self.form, unit, (key, value), &mut self.values, &mut self.notes)?;
        }
        self.shape();
        self.note_left(&left);
        Ok(())
    }

    fn take(&mut self, parameter: &'static Parameter, key: &str, value: &Value) -> Result<(), Failure> {
        let name = parameter.name;
        let before = self.given_by.iter().find(|(taken, _)| *taken == name).map(|(_, by)| by.clone());
        match (self.values.get(name), before) {
            (None, _) => {
                self.values.insert(name.into(), value.clone());
                self.given_by.push((name, key.into()));
                self.notes.push(format!("{} was read as {name}", quoted(key)));
            }
            (Some(there), _) if there == value => {}
            (Some(_), None) => self.notes.push(format!("{} was left out, as {name} says another", quoted(key))),
            (Some(there), Some(_)) if parameter.kind == Kind::Number => {
                // More lines or more time do no harm; fewer may.
                if values::number(value) > values::number(there) {
                    self.values.insert(name.into(), value.clone());
                }
            }
            (Some(_), Some(by)) => return Err(self.contradiction(name, &by, key)),
        }
        Ok(())
    }

    fn contradiction(&self, name: &str, one: &str, other: &str) -> Failure {
        let (one, other) = (quoted(one), quoted(other));
        let message = format!("{}: {one} and {other} say different things; give only `{name}`", self.form.tool);
        Failure::new(FailureKind::InvalidArguments, message)
    }

    /// Takes what is one slip away from a name that nothing else was given by; gives back the rest.
    fn take_mended<'a>(&mut self, unknown: Vec<(&'a String, &'a Value)>) -> Result<Vec<&'a str>, Failure> {
        let mut left = Vec::new();
        for (key, value) in unknown {
            match nearly(self.form, &plain(key)) {
                Some(parameter) if !self.values.contains_key(parameter.name) && fits(parameter, value) => {
                    self.take(parameter, key, value)?;
                }
                Some(_) | None => left.push(key.as_str()),
            }
        }
        Ok(left)
    }

    /// Brings values into the shape of their kind: a list of one is that one, JSON for a file is its text.
    fn shape(&mut self) {
        for parameter in self.form.parameters {
            let Some(value) = self.values.get_mut(parameter.name) else { continue };
            if let Some((shaped, note)) = units::shaped(parameter, value) {
                *value = shaped;
                self.notes.push(note);
            }
        }
    }

    fn note_left(&mut self, left: &[&str]) {
        let mut names: Vec<String> = left.iter().take(NAMED).map(|key| quoted(key)).collect();
        if left.len() > NAMED {
            names.push(format!("{} more", left.len() - NAMED));
        }
        let Some(last) = names.pop() else { return };
        let note = match names.join(", ") {
            first if first.is_empty() => format!("{last} was not needed and left out"),
            first => format!("{first} and {last} were not needed and left out"),
        };
        self.notes.push(note);
    }
}

fn answering(form: &'static Form, key: &str) -> Option<&'static Parameter> {
    let called = |parameter: &&Parameter| {
        plain(parameter.name) == key || parameter.aliases.split_whitespace().any(|alias| alias == key)
    };
    form.parameters.iter().find(called)
}

/// Yes or no is no text, when it came under another name: `regex: true` is no pattern.
fn fits(parameter: &Parameter, value: &Value) -> bool {
    !(value.is_boolean() && matches!(parameter.kind, Kind::Text | Kind::Body | Kind::Line))
}

/// The only parameter of which a name is one slip of the pen away.
fn nearly(form: &'static Form, key: &str) -> Option<&'static Parameter> {
    if key.len() > LONGEST {
        return None;
    }
    let near = |name: &str| name.len() >= SHORTEST && damerau_levenshtein(name, key) == 1;
    let mut found = form
        .parameters
        .iter()
        .filter(|parameter| near(&plain(parameter.name)) || parameter.aliases.split_whitespace().any(near));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
