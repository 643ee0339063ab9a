//! Which tool a call means, and what its arguments say in our own words.

use super::{Entry, Present, Toolbox};
use crate::arguments::{Arguments, Form, Group};
use crate::forms::{self, Instead};
use crate::names::{self, Meant};
use agent_protocol::{Failure, FailureKind, ModelCall};
use serde_json::{Map, Value};

/// The tool that is meant; its arguments where they are others than the call's; what was read otherwise than it was written.
struct Found<'a> {
    entry: &'a Entry,
    given: Option<Value>,
    notes: Vec<String>,
}

impl<'a> Found<'a> {
    fn exactly(entry: &'a Entry) -> Self {
        Found { entry, given: None, notes: Vec::new() }
    }

    fn read(entry: &'a Entry, asked: &str) -> Self {
        Found { entry, given: None, notes: vec![format!("`{asked}` was read as {}", entry.form.tool)] }
    }
}

impl Toolbox {
    /// The tool that is meant, and the arguments in our own words.
    pub(super) fn understood(&self, call: &ModelCall) -> Result<(&Entry, Arguments), Failure> {
        let Found { entry, given, notes } = self.in_our_form(self.named(call)?, call)?;
        let given = given.as_ref().unwrap_or(&call.arguments);
        let mut arguments = entry.form.read_as(&names::called(entry.form, &call.name), given)?;
        notes.into_iter().for_each(|note| arguments.note_tool(note));
        Ok((entry, arguments))
    }

    /// The arguments alone; none where they cannot be understood.
    pub(crate) fn understood_arguments(&self, call: &ModelCall) -> Option<Map<String, Value>> {
        self.understood(call).ok().map(|(_, arguments)| arguments.values().clone())
    }

    /// The same where the arguments have the form of another tool.
    fn in_our_form<'a>(&'a self, found: Found<'a>, call: &ModelCall) -> Result<Found<'a>, Failure> {
        let given = found.given.as_ref().unwrap_or(&call.arguments);
        let Some(Instead { tool, arguments, note }) = forms::instead(found.entry.form, &call.name, given)? else {
            return Ok(found);
        };
        let entry = self.ours(tool)?;
        let notes = [found.notes, vec![note]].concat();
        Ok(Found { entry: self.answering(entry, &shortened(&call.name))?, given: Some(arguments), notes })
    }

    /// The tool that is meant by the name.
    fn named(&self, call: &ModelCall) -> Result<Found<'_>, Failure> {
        let asked = shortened(&call.name);
        if let Some(own) = self.own.iter().find(|own| own.form.tool == call.name) {
            return Ok(Found::exactly(own));
        }
        if let Some((name, given)) = several_in_one(call)? {
            let note = format!("`{asked}` was read as {name}, as its command says");
            let entry = self.answering(self.ours(name)?, &asked)?;
            return Ok(Found { entry, given: Some(given), notes: vec![note] });
        }
        let meant = names::by_arguments(&call.name, &call.arguments);
        let meant = meant.iter().find_map(|name| self.answered().find(|entry| entry.form.tool == *name));
        if let Some(entry) = meant {
            return Ok(Found::read(entry, &asked));
        }
        // Of two tools that a name may mean, the one that is there is meant.
        let answered: Vec<&Entry> = self.answered().collect();
        let forms: Vec<&'static Form> = answered.iter().map(|entry| entry.form).collect();
        let exact_elsewhere = self.tools.iter().any(|entry| entry.form.tool == call.name);
        match names::meant(&forms, &call.name) {
            Meant::Exactly(at) => return Ok(Found::exactly(answered[at])),
            Meant::Read(at) if !exact_elsewhere => return Ok(Found::read(answered[at], &asked)),
            Meant::Read(_) | Meant::None { .. } => {}
        }
        match names::meant(&self.forms(), &call.name) {
            Meant::Exactly(at) | Meant::Read(at) => Err(self.off(&self.tools[at], &asked)),
            Meant::None { near } => Err(self.unknown(&call.name, near.map(|at| &self.tools[at]))),
        }
    }

    /// Our tool of this name, whoever else has one of the same.
    fn ours(&self, name: &str) -> Result<&Entry, Failure> {
        let is_ours = |entry: &&Entry| !matches!(entry.form.group, Group::User | Group::Mcp);
        let entry = self.tools.iter().filter(is_ours).find(|entry| entry.form.tool == name);
        entry.ok_or_else(|| self.unknown(name, None))
    }

    fn answering<'a>(&self, entry: &'a Entry, asked: &str) -> Result<&'a Entry, Failure> {
        if self.is_answered(entry) { Ok(entry) } else { Err(self.off(entry, asked)) }
    }

    /// There is such a tool, but the model does not have it.
    fn off(&self, entry: &Entry, asked: &str) -> Failure {
        let (tool, group) = (entry.form.tool, entry.form.group.name());
        let alone = entry.tool.alone().filter(|_| self.present == Present::Nobody);
        let needs = entry.form.stands_for.iter().filter(|_| entry.form.unoffered).find(|name| !self.offers(name));
        let how = match (entry.tool.idle().or(alone), needs) {
            (Some(why), _) => why.to_owned(),
            (None, Some(needs)) => format!("it does what {needs} does, which is switched off here"),
            (None, None) if entry.allowed => format!(
                "{tool} belongs to the group {group}, which is off; the user can turn it on with /tools, or with \
                 --tools at the start"
            ),
            (None, None) => format!("{tool} is switched off here"),
        };
        let message = format!("there is no tool {asked:?}: {how}; {}", self.list());
        Failure::new(FailureKind::UnknownTool, message)
    }

    fn unknown(&self, asked: &str, near: Option<&Entry>) -> Failure {
        let near = near.filter(|entry| self.is_offered(entry));
        let near = near.map_or(String::new(), |entry| format!("did you mean {}? ", entry.form.tool));
        let message = format!("there is no tool {:?}; {near}{}", shortened(asked), self.list());
        Failure::new(FailureKind::UnknownTool, message)
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.offered().map(|entry| entry.form.tool).collect();
        if names.is_empty() {
            "there are no tools; answer in words".into()
        } else {
            format!("the tools are {}", names.join(", "))
        }
    }

    pub(super) fn offered(&self) -> impl Iterator<Item = &Entry> {
        let on = self.on();
        self.tools.iter().filter(move |entry| entry.allowed && on.contains(&entry.form.group))
    }

    pub(super) fn is_offered(&self, entry: &Entry) -> bool {
        entry.allowed && self.on().contains(&entry.form.group)
    }

    fn offers(&self, name: &str) -> bool {
        self.offered().any(|entry| entry.form.tool == name)
    }

    /// Those that are offered, then those that do nothing which these cannot do.
    fn answered(&self) -> impl Iterator<Item = &Entry> {
        let beside = self.tools.iter().filter(|entry| !self.is_offered(entry) && self.is_answered(entry));
        self.offered().chain(beside)
    }

    fn is_answered(&self, entry: &Entry) -> bool {
        let needs = entry.form.stands_for;
        let stands_for_offered = || !needs.is_empty() && needs.iter().all(|name| self.offers(name));
        self.is_offered(entry) || (!entry.excluded && entry.tool.idle().is_none() && stands_for_offered())
    }

    pub(super) fn forms(&self) -> Vec<&'static Form> {
        self.tools.iter().map(|entry| entry.form).collect()
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Other agents' editor that reads, writes and edits, as its `command` says: our tool, and the arguments without it.
fn several_in_one(call: &ModelCall) -> Result<Option<(&'static str, Value)>, Failure> {
    let parsed;
    let given = match &call.arguments {
        Value::Object(given) => given,
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(given)) => {
                parsed = given;
                &parsed
            }
            Ok(_) | Err(_) => return Ok(None),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return Ok(None),
    };
    let Some(meant) = given.get("command").and_then(Value::as_str).and_then(|said| names::by_command(&call.name, said))
    else {
        return Ok(None);
    };
    let name = meant.map_err(|why| Failure::new(FailureKind::InvalidArguments, why))?;
    let rest = given.iter().filter(|(key, _)| *key != "command").map(|(key, value)| (key.clone(), value.clone()));
    Ok(Some((name, Value::Object(rest.collect()))))
}
