//! Reads the arguments of a call: forgiving in how they are written, exact in what comes out.
//!
//! Forgiven are other agents' names for a parameter and one slip of the pen in a name, other units (`units`), numbers
//! and booleans written as text, `null` for "not given", arguments that are a JSON text of themselves or are wrapped
//! once more, and anything that nobody asked for and that changes nothing of what is done (`refusals`). Whatever is not
//! taken as it stands is noted in words, for the user to see. Never guessed is a value: what a tool needs and cannot be
//! read is a [`Failure`] that names it and shows an example.
//!
//! **Invariant.** Arguments that were read once read the same again, without a note.

mod group;
mod names;
mod notes;
mod parameter;
mod reading;
mod refusals;
mod shell;
mod units;
mod values;

use agent_protocol::{Failure, FailureKind, ToolSpec};
pub(crate) use group::Group;
pub(crate) use names::plain;
pub(crate) use notes::Notes;
pub(crate) use parameter::{Kind, Need, Parameter};
pub(crate) use reading::WRAPPERS;
pub(crate) use refusals::{Refusal, When};
use serde_json::{Map, Value, json};
pub(crate) use units::{Foreign, Habit, Unit};

/// All that is to know of one tool's arguments.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) tool: &'static str,
    /// With which others it is offered.
    pub(crate) group: Group,
    /// What other agents call the tool, in lower case, blanks between the names.
    pub(crate) aliases: &'static str,
    /// What the model is told of it: the text of its `.md` file.
    pub(crate) description: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// Other agents' arguments that count in other units.
    pub(crate) foreign: &'static [Foreign],
    /// Parameters of our own name that are often meant in another unit.
    pub(crate) habits: &'static [(&'static str, Habit)],
    /// Names under which other agents give a list of such arguments; one at a time is taken.
    pub(crate) lists: &'static [&'static str],
    /// Arguments that the tool does not have, and that may not be left out.
    pub(crate) refused: &'static [Refusal],
    /// What a parameter counts in where the tool is called by certain names, in plain spelling with blanks between.
    pub(crate) called: &'static [(&'static str, &'static str, Unit)],
    /// What a parameter says where it is left out and the tool is called by certain names, in plain spelling with blanks
    /// between: `yarn` is a package manager.
    pub(crate) implied: &'static [(&'static str, &'static str, &'static str)],
    /// Other words for a word of a parameter, in plain spelling with blanks between.
    pub(crate) meant: &'static [(&'static str, &'static str, &'static str)],
    /// Which form the arguments have by what they say, where that is another: a change that writes takes others than one that
    /// reads.
    pub(crate) instead: Option<fn(&Arguments) -> Option<&'static Form>>,
    /// The tool is not ours: whatever object comes is handed on as it is, and judged there.
    pub(crate) open: bool,
    /// No model is told of it: it only takes what models write who learned it elsewhere.
    pub(crate) unoffered: bool,
    /// It does nothing that these tools do not: where all of them are offered, a call of it is answered though it is not.
    pub(crate) stands_for: &'static [&'static str],
}

/// A form without anything, to build others on.
pub(crate) const BLANK: Form = Form {
    tool: "",
    group: Group::Core,
    aliases: "",
    description: "",
    parameters: &[],
    foreign: &[],
    habits: &[],
    lists: &[],
    refused: &[],
    called: &[],
    implied: &[],
    meant: &[],
    instead: None,
    open: false,
    unoffered: false,
    stands_for: &[],
};

impl Form {
    /// The tool as the model is told of it.
    pub(crate) fn spec(&self) -> ToolSpec {
        let description = self.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let spellings = |alias: &str| [alias.to_owned(), plain(alias)];
        let mut aliases: Vec<String> = self.aliases.split_whitespace().flat_map(spellings).collect();
        aliases.push(plain(self.tool));
        aliases.dedup();
        ToolSpec { name: self.tool.into(), description, parameters: self.schema(), aliases }
    }

    /// The JSON schema that the model sees.
    pub(crate) fn schema(&self) -> Value {
        let mut properties = Map::new();
        for parameter in self.parameters.iter().filter(|parameter| parameter.need != Need::Unlisted) {
            let mut property = parameter.kind.schema();
            if !parameter.says.is_empty() {
                property.insert("description".into(), parameter.says.into());
            }
            properties.insert(parameter.name.into(), property.into());
        }
        let required: Vec<&str> = self.required().map(|parameter| parameter.name).collect();
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// The arguments under their proper names and in their proper units.
    pub(crate) fn read(&'static self, arguments: &Value) -> Result<Arguments, Failure> {
        self.read_as(self.tool, arguments)
    }

    /// The same for a call by the name `called`, which may tell in which units they are.
    pub(crate) fn read_as(&'static self, called: &str, arguments: &Value) -> Result<Arguments, Failure> {
        if self.open {
            return self.handed_on(arguments);
        }
        let (values, notes) = reading::read(self, called, arguments)?;
        let mut read = Arguments { form: self, values, notes };
        if let Some(other) = self.instead.and_then(|other| other(&read)) {
            return other.read_as(called, arguments);
        }
        read.read_items();
        Ok(read)
    }

    /// The arguments of a tool that is not ours: an object, or the text of one.
    fn handed_on(&'static self, arguments: &Value) -> Result<Arguments, Failure> {
        let values = match arguments {
            Value::Object(values) => values.clone(),
            Value::Null => Map::new(),
            Value::String(text) => serde_json::from_str(text).map_err(|_| self.not_an_object())?,
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => return Err(self.not_an_object()),
        };
        Ok(Arguments { form: self, values, notes: Notes::default() })
    }

    fn required(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.need == Need::Required)
    }

    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The parameter that is called `key`, in plain spelling, by us or others.
    fn answering(&self, key: &str) -> Option<&'static Parameter> {
        let called = |parameter: &&Parameter| parameter.names().any(|name| name == key);
        self.parameters.iter().find(called)
    }

    /// Is the argument `key`, in plain spelling, the parameter `name`, as we call it or others?
    pub(crate) fn answers(&self, key: &str, name: &str) -> bool {
        self.answering(key).is_some_and(|parameter| parameter.name == name)
    }

    /// The unit of the other agents' argument `key`, in plain spelling.
    fn unit(&self, key: &str) -> Option<Unit> {
        let called = |foreign: &&Foreign| foreign.names.split_whitespace().any(|name| name == key);
        self.foreign.iter().find(called).map(|foreign| foreign.unit)
    }

    /// Which parameter of ours the argument `key` gives whole, by whatever name.
    fn stands_for(&self, key: &str) -> Option<&'static str> {
        match (self.answering(key), self.unit(key)) {
            (Some(parameter), _) => Some(parameter.name),
            (None, Some(Unit::Lines(name))) => Some(name),
            (None, _) => None,
        }
    }

    /// What is wrong with the arguments, behind the name of the tool and a colon.
    fn invalid(&self, what: &str) -> Failure {
        Failure::new(FailureKind::InvalidArguments, format!("{}: {what}", self.tool))
    }

    /// The same as one sentence that begins with the name.
    fn invalid_plainly(&self, what: &str) -> Failure {
        Failure::new(FailureKind::InvalidArguments, format!("{} {what}", self.tool))
    }

    fn not_an_object(&self) -> Failure {
        let message = format!("the arguments of {} must be a JSON object like {}", self.tool, self.example(&[]));
        Failure::new(FailureKind::InvalidArguments, message)
    }

    /// A whole call's arguments: what is required, and `also`.
    fn example(&self, also: &[&str]) -> String {
        let shown = |parameter: &&Parameter| parameter.need == Need::Required || also.contains(&parameter.name);
        let entries = self.parameters.iter().filter(shown);
        let entries: Vec<String> =
            entries.map(|parameter| format!("\"{}\": {}", parameter.name, parameter.example)).collect();
        format!("{{{}}}", entries.join(", "))
    }

    /// What parameter `name` should have been.
    fn wrong(&self, name: &str) -> Failure {
        let (kind, need) = self.parameter(name).map_or((Kind::Text, Need::Required), |wrong| (wrong.kind, wrong.need));
        let (tool, kind, example) = (self.tool, kind.in_words(), self.example(&[name]));
        let kind = kind.as_ref();
        let message = match need {
            Need::Required => format!("{tool} needs `{name}`: {kind}; for example {example}"),
            Need::Optional | Need::Unlisted => {
                format!("`{name}` of {tool} may be left out, or is {kind}; for example {example}")
            }
        };
        Failure::new(FailureKind::InvalidArguments, message)
    }
}

/// The arguments of one call.
#[derive(Debug)]
pub(crate) struct Arguments {
    form: &'static Form,
    values: Map<String, Value>,
    notes: Notes,
}

impl Arguments {
    /// The values as they were given or read, by their proper names.
    pub(crate) fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Notes that the tool was asked for by another name.
    pub(crate) fn note_tool(&mut self, note: String) {
        self.notes.tool(note);
    }

    /// The arguments as the schema wants them, and what was not taken as it stood.
    pub(crate) fn into_parts(self) -> (Value, Notes) {
        (Value::Object(self.values), self.notes)
    }

    /// Text that must be there, and may be empty.
    pub(crate) fn text(&self, name: &str) -> Result<String, Failure> {
        match self.value(name) {
            Some(value) => values::text(value).ok_or_else(|| self.wrong(name)),
            None => Err(self.wrong(name)),
        }
    }

    /// Text that must be there and say something.
    pub(crate) fn word(&self, name: &str) -> Result<String, Failure> {
        let text = self.text(name)?;
        if text.is_empty() { Err(self.wrong(name)) } else { Ok(text) }
    }

    /// Text that may be left out; empty text counts as left out.
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>, Failure> {
        match self.value(name) {
            Some(value) => {
                values::text(value).ok_or_else(|| self.wrong(name)).map(|text| Some(text).filter(|t| !t.is_empty()))
            }
            None => Ok(None),
        }
    }

    /// A number that may be left out.
    pub(crate) fn optional_number(&self, name: &str) -> Result<Option<u64>, Failure> {
        match self.value(name) {
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(value) => values::number(value).ok_or_else(|| self.wrong(name)).map(Some),
            None => Ok(None),
        }
    }

    /// Is it set? Left out means no.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.value(name) {
            Some(value) => values::flag(value).ok_or_else(|| self.wrong(name)),
            None => Ok(false),
        }
    }

    /// One of the words of its kind, in our spelling; `None` where it is left out.
    pub(crate) fn one(&self, name: &str) -> Result<Option<&'static str>, Failure> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let Some(Kind::One(words)) = self.form.parameter(name).map(|parameter| parameter.kind) else { return Ok(None) };
        let given = values::text(value).ok_or_else(|| self.wrong(name))?;
        if given.trim().is_empty() {
            return Ok(None);
        }
        let known = words.iter().find(|word| plain(word) == plain(&given));
        known.copied().map(Some).ok_or_else(|| self.wrong(name))
    }

    /// One of the words of its kind, which must be there.
    pub(crate) fn word_of(&self, name: &str) -> Result<&'static str, Failure> {
        self.one(name)?.ok_or_else(|| self.wrong(name))
    }

    /// A list of texts; left out means none.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(value) => values::texts(value).ok_or_else(|| self.wrong(name)),
        }
    }

    /// A list of objects, each read by the form of its kind; left out means none.
    pub(crate) fn items(&self, name: &str) -> Result<Vec<Arguments>, Failure> {
        let Some(Kind::Items(form)) = self.form.parameter(name).map(|parameter| parameter.kind) else {
            return Ok(Vec::new());
        };
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let list = values::objects(value).ok_or_else(|| self.wrong(name))?;
        let read = |(at, item): (usize, &Value)| {
            form.read(item).map_err(|failure| {
                Failure::new(failure.kind, format!("entry {} of `{name}`: {}", at + 1, failure.message))
            })
        };
        list.iter().enumerate().map(read).collect()
    }

    /// Puts lists of objects in our own words too. What cannot be read is told where it is asked for.
    fn read_items(&mut self) {
        let lists = self.form.parameters.iter().filter(|parameter| matches!(parameter.kind, Kind::Items(_)));
        for Parameter { name, .. } in lists {
            if !self.has(name) {
                continue;
            }
            let Ok(items) = self.items(name) else { continue };
            let mut read = Vec::new();
            for (at, item) in items.into_iter().enumerate() {
                let (value, notes) = item.into_parts();
                self.notes.of_entry(at + 1, name, notes);
                read.push(value);
            }
            self.values.insert((*name).into(), read.into());
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The failure about parameter `name` that is missing or empty.
    pub(crate) fn missing<T>(&self, name: &str) -> Result<T, Failure> {
        Err(self.wrong(name))
    }

    /// A failure about parameter `name` in the words of `what`.
    pub(crate) fn fault(&self, name: &str, what: &str) -> Failure {
        self.form.invalid_plainly(&format!("`{name}` {what}"))
    }

    fn value(&self, name: &str) -> Option<&Value> {
        debug_assert!(self.form.parameter(name).is_some(), "{name} is in no form");
        self.values.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str) -> Failure {
        self.form.wrong(name)
    }
}

#[cfg(test)]
mod tests;
