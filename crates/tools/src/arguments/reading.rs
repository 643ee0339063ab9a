//! From what a model wrote to what the schema names: whose value is it, and is it the only one?

use super::names::{plain, quoted};
use super::refusals::{self, Weighed, is_empty};
use super::{Form, Kind, Notes, Parameter, units, values};
use crate::typo::only_near;
use agent_protocol::{Failure, FailureKind};
use serde_json::{Map, Value};

/// What models wrap arguments in once more.
pub(crate) const WRAPPERS: [&str; 7] = ["arguments", "parameters", "input", "args", "params", "kwargs", "tool_input"];

/// A call's arguments while they are read.
pub(super) struct ArgumentReading {
    pub(super) form: &'static Form,
    /// What was taken so far, by our names.
    pub(super) values: Map<String, Value>,
    /// Under which of the model's names a value came, where that is another than ours.
    given_by: Vec<(&'static str, String)>,
    pub(super) notes: Notes,
}

/// Reads `arguments` for `form`: values by their proper names, and notes.
pub(super) fn read(
    form: &'static Form,
    called: &str,
    arguments: &Value,
) -> Result<(Map<String, Value>, Notes), Failure> {
    let called = plain(called);
    let mut reading = ArgumentReading { form, values: Map::new(), given_by: Vec::new(), notes: Notes::default() };
    let given = object(form, arguments, &mut reading.notes)?;
    let given = unwrapped(form, given, &mut reading.notes)?;
    let given = reading.in_units(&called, given)?;
    reading.take_all(&given)?;
    reading.complete(&called);
    Ok((reading.values, reading.notes))
}

fn object(form: &'static Form, arguments: &Value, notes: &mut Notes) -> Result<Map<String, Value>, Failure> {
    match arguments {
        Value::Object(object) => Ok(object.clone()),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) | Err(_) => the_only_text(form, text, notes),
        },
        Value::Array(list) => match list.as_slice() {
            [Value::Object(only)] => Ok(only.clone()),
            _ => Err(form.not_an_object()),
        },
        Value::Bool(_) | Value::Number(_) => Err(form.not_an_object()),
    }
}

/// Plain text is the one text that a tool needs. What looks like JSON is not plain: part of it may be missing.
fn the_only_text(form: &'static Form, text: &str, notes: &mut Notes) -> Result<Map<String, Value>, Failure> {
    let mut required = form.required();
    match (required.next(), required.next()) {
        (Some(Parameter { name, kind: Kind::Text | Kind::Line, .. }), None)
            if !text.trim_start().starts_with(['{', '[', '"', '<']) =>
        {
            notes.value(format!("the arguments were plain text and were read as {name}"));
            Ok(Map::from_iter([((*name).to_owned(), text.into())]))
        }
        _ => Err(form.not_an_object()),
    }
}

/// `{"arguments": {…}}` and `{"edits": [{…}], …}` mean what is inside.
fn unwrapped(form: &'static Form, given: Map<String, Value>, notes: &mut Notes) -> Result<Map<String, Value>, Failure> {
    let mut entries = given.iter();
    if let (Some((key, Value::Object(inner))), None) = (entries.next(), entries.next())
        && WRAPPERS.contains(&key.as_str())
    {
        return Ok(inner.clone());
    }
    let mut lists = given.iter().filter(|(key, list)| form.lists.contains(&plain(key).as_str()) && !is_empty(list));
    let Some((key, list)) = lists.next() else { return Ok(given) };
    if let Some((other, _)) = lists.next() {
        return Err(one_at_a_time(form, &format!("{} and {} are several changes", quoted(key), quoted(other))));
    }
    let list = match list {
        Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let one = match list {
        Value::Object(one) => one,
        Value::Array(list) => the_only_one(form, key, list)?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return Ok(given),
    };
    notes.value(format!("the one entry of {} was read as the arguments", quoted(key)));
    if let Some(twice) = one.iter().find(|(name, value)| given.get(*name).is_some_and(|there| there != *value)) {
        let both = format!("{} stands in {} and beside it", quoted(twice.0), quoted(key));
        return Err(one_at_a_time(form, &both));
    }
    let others = given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone()));
    Ok(others.chain(one).collect())
}

fn one_at_a_time(form: &'static Form, what: &str) -> Failure {
    let message = format!("{what}; call {} once for each, one change a call", form.tool);
    Failure::new(FailureKind::InvalidArguments, message)
}

fn the_only_one(form: &'static Form, key: &str, list: Vec<Value>) -> Result<Map<String, Value>, Failure> {
    let length = list.len();
    let mut list = list.into_iter();
    match (list.next(), list.next()) {
        (Some(Value::Object(one)), None) => Ok(one),
        _ => Err(one_at_a_time(form, &format!("{} holds {length} entries", quoted(key)))),
    }
}

/// Arguments as the model gave them.
type Given<'a> = Vec<(&'a String, &'a Value)>;

impl ArgumentReading {
    /// Values that count in other units where the tool is called by this name.
    fn in_units(&mut self, called: &str, given: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
        let mut rest = given;
        for (names, parameter, unit) in self.form.called {
            let foreign = |value: &&Value| !value.is_null() && !units::are_ours(*unit, value);
            if listed(names, called)
                && rest.get(*parameter).as_ref().is_some_and(foreign)
                && let Some(value) = rest.remove(*parameter)
            {
                self.convert(*unit, parameter, &value)?;
            }
        }
        rest.append(&mut self.values);
        Ok(rest)
    }

    /// Proper names win, then other names in their order, then those with a slip; the rest is left out, if it may be.
    fn take_all(&mut self, given: &Map<String, Value>) -> Result<(), Failure> {
        let given: Given<'_> = given.iter().filter(|(_, value)| !value.is_null()).collect();
        let (proper, rest): (Given<'_>, Given<'_>) =
            given.iter().partition(|(key, _)| self.form.parameter(key).is_some());
        self.values = proper.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let (mut foreign, mut unknown) = (Vec::new(), Vec::new());
        for (key, value) in rest {
            let plain_key = plain(key);
            let no_list = is_empty(value) && self.form.lists.contains(&plain_key.as_str());
            if no_list || refusals::weigh(self.form, &plain_key, (key, value), &given)? == Weighed::Same {
                continue;
            }
            if let Some(parameter) = self.form.answering(&plain_key).filter(|parameter| fits(parameter, value)) {
                self.take(parameter, key, value)?;
            } else if let Some(unit) = self.form.unit(&plain_key) {
                foreign.push((unit, key, value));
            } else {
                unknown.push((key, value));
            }
        }
        let left = self.take_mended(unknown, &given)?;
        self.notes.left(&left);
        for (name, habit) in self.form.habits {
            self.settle(name, *habit, &given)?;
        }
        self.shape()?;
        // What needs another, like a last line its first one, comes when that is there.
        foreign.sort_by_key(|(unit, _, _)| unit.needs_another());
        for (unit, key, value) in foreign {
            self.convert(unit, key, value)?;
        }
        Ok(())
    }

    fn take(&mut self, parameter: &'static Parameter, key: &str, value: &Value) -> Result<(), Failure> {
        let name = parameter.name;
        let before = self.given_by.iter().find(|(taken, _)| *taken == name).map(|(_, by)| by.clone());
        match (self.values.get(name), before) {
            (None, _) => {
                self.values.insert(name.into(), value.clone());
                self.given_by.push((name, key.into()));
                self.notes.renamed(key, name);
            }
            (Some(there), _) if there == value || is_empty(value) => {}
            // What would be written or run is nothing to choose from.
            (Some(_), None) if matches!(parameter.kind, Kind::Body | Kind::Line) => {
                return Err(self.contradiction(name, name, key));
            }
            (Some(_), None) => self.notes.value(format!("{} was left out, as {name} says another", quoted(key))),
            (Some(there), Some(_)) if matches!(parameter.kind, Kind::Number) => {
                // More lines or more time do no harm; fewer may.
                if values::number(value) > values::number(there) {
                    self.values.insert(name.into(), value.clone());
                }
            }
            (Some(_), Some(by)) => return Err(self.contradiction(name, &by, key)),
        }
        Ok(())
    }

    /// Takes what is one slip away from a name that nothing else was given by; gives back what is left out.
    fn take_mended<'a>(
        &mut self,
        unknown: Vec<(&'a String, &'a Value)>,
        given: &Given<'_>,
    ) -> Result<Vec<&'a str>, Failure> {
        let mut left = Vec::new();
        for (key, value) in unknown {
            let asked = plain(key);
            let parameter = nearly(self.form, &asked).filter(|parameter| fits(parameter, value));
            if let Some(parameter) = parameter.filter(|parameter| !self.values.contains_key(parameter.name)) {
                self.take(parameter, key, value)?;
                continue;
            }
            let name = only_near(refusals::names(self.form).map(|name| (name, name)), &asked);
            if refusals::weigh(self.form, name.unwrap_or(&asked), (key, value), given)? == Weighed::Unknown {
                left.push(key.as_str());
            }
        }
        Ok(left)
    }

    /// Puts our words in place of others, and what the tool's name says in place of what is left out.
    fn complete(&mut self, called: &str) {
        for (parameter, others, ours) in self.form.meant {
            let Some(Value::String(said)) = self.values.get(*parameter) else { continue };
            if listed(others, &plain(said)) {
                self.notes.value(format!("{parameter} {} was read as {ours}", quoted(said)));
                self.values.insert((*parameter).into(), (*ours).into());
            }
        }
        for (names, parameter, implied) in self.form.implied {
            if listed(names, called) && self.values.get(*parameter).is_none_or(is_empty) {
                self.notes.value(format!("{parameter} {implied} was taken from the name of the call"));
                self.values.insert((*parameter).into(), (*implied).into());
            }
        }
    }

    pub(super) fn contradiction(&self, name: &str, one: &str, other: &str) -> Failure {
        let (one, other) = (quoted(one), quoted(other));
        self.form.invalid(&format!("{one} and {other} say different things; give only `{name}`"))
    }
}

/// Is `word` one of `words`, which stand with blanks between?
fn listed(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

/// Yes or no is no text, when it came under another name: `regex: true` is no pattern.
fn fits(parameter: &Parameter, value: &Value) -> bool {
    !(value.is_boolean() && matches!(parameter.kind, Kind::Text | Kind::Body | Kind::Line))
}

/// The only parameter of which a name is one slip of the pen away.
fn nearly(form: &'static Form, key: &str) -> Option<&'static Parameter> {
    let known = form.parameters.iter().flat_map(|parameter| parameter.names().map(|name| (name, parameter.name)));
    form.parameter(only_near(known, key)?)
}
