//! One parameter of a tool: how it is called, what may stand there, what the model is told of it.

use super::{Form, plain};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// One parameter of a tool.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Its name in the schema.
    pub(crate) name: &'static str,
    /// Other names that models give it, in lower case without underscores, blanks between them.
    pub(crate) aliases: &'static str,
    pub(crate) kind: Kind,
    pub(crate) need: Need,
    /// What the model is told of it; empty where the name says it all.
    pub(crate) says: &'static str,
    /// A value, as JSON, to show when it is missing.
    pub(crate) example: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text,
    /// Text of a whole file: what was given as JSON is written as JSON.
    Body,
    /// A line for the shell: may come as a list of its words.
    Line,
    Number,
    Flag,
    One(&'static [&'static str]),
    /// A list of texts; one text alone is a list of it.
    Texts,
    /// A list of objects, each with arguments of this form.
    Items(&'static Form),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// There, though maybe empty.
    Required,
    Optional,
    /// Taken when it is given; the model is not told of it, as every word costs.
    Unlisted,
}

impl Parameter {
    /// One that is taken and of which the model is not told, with a value, as JSON, to show for it.
    pub(crate) const fn new(name: &'static str, kind: Kind, example: &'static str) -> Self {
        Parameter { name, aliases: "", kind, need: Need::Unlisted, says: "", example }
    }

    /// Other names that models give it, in lower case without underscores, blanks between them.
    pub(crate) const fn also(mut self, aliases: &'static str) -> Self {
        self.aliases = aliases;
        self
    }

    /// The model is told of it, and may leave it out.
    pub(crate) const fn optional(mut self) -> Self {
        self.need = Need::Optional;
        self
    }

    /// The model is told of it, and has to give it.
    pub(crate) const fn required(mut self) -> Self {
        self.need = Need::Required;
        self
    }

    /// What the model is told of it.
    pub(crate) const fn says(mut self, says: &'static str) -> Self {
        self.says = says;
        self
    }

    /// Its own name and those that others give it, in plain spelling.
    pub(super) fn names(&self) -> impl Iterator<Item = Cow<'static, str>> {
        std::iter::once(plain(self.name).into()).chain(self.aliases.split_whitespace().map(Cow::Borrowed))
    }
}

impl Kind {
    /// The beginning of its property in a schema.
    pub(super) fn schema(self) -> Map<String, Value> {
        let mut property = Map::new();
        let kind = match self {
            Kind::Text | Kind::Body | Kind::Line | Kind::One(_) => "string",
            Kind::Number => "integer",
            Kind::Flag => "boolean",
            Kind::Texts | Kind::Items(_) => "array",
        };
        property.insert("type".into(), kind.into());
        match self {
            Kind::One(words) => drop(property.insert("enum".into(), words.into())),
            Kind::Texts => drop(property.insert("items".into(), json!({ "type": "string" }))),
            Kind::Items(form) => drop(property.insert("items".into(), form.schema())),
            Kind::Text | Kind::Body | Kind::Line | Kind::Number | Kind::Flag => {}
        }
        property
    }

    pub(super) fn in_words(self) -> Cow<'static, str> {
        match self {
            Kind::Text | Kind::Body | Kind::Line => "text".into(),
            Kind::Number => "a whole number from 0".into(),
            Kind::Flag => "true or false".into(),
            Kind::One(words) => format!("one of {}", words.join(", ")).into(),
            Kind::Texts => "a list of texts".into(),
            Kind::Items(_) => "a list of objects".into(),
        }
    }
}
