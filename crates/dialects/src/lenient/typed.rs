//! Gives values the types that a tool's schema asks for.
//!
//! Does not judge whether a value fits: one that does not is left as it is, and the tool will say so.

use super::cursor::past_space;
use super::python::python_whole;
use super::reader::parse_number;
use super::{LenientReading, json_closed};
use crate::Tools;
use serde_json::{Map, Number, Value};

/// The text of a parameter in markup, typed by its schema.
///
/// - No schema, or one that says no type: the text as it stands.
/// - A type that is not string: the text without white space around it is read as strict JSON of a type asked for, then
///   as a Python literal, then leniently as JSON. `3.0` is a whole number; `yes`, `no`, `1`, `0` and any spelling of
///   `true` and `false` are yes and no. Text that reads as nothing asked for stays as it stands.
/// - String among other types: the text as it stands, unless it is strict JSON of one of the others: exactly `null`,
///   `true` or `false`, a number, or a list or object in brackets. A text in quotation marks keeps them.
pub(crate) fn typed(raw: &str, schema: Option<&Value>) -> Value {
    let types = Types::from_schema(schema);
    if !types.is_specified() {
        return Value::from(raw);
    }
    let read = if types.string { types.strictly(raw.trim()) } else { types.leniently(raw.trim()) };
    read.unwrap_or_else(|| Value::from(raw))
}

/// Types the arguments of a dialect that has types of its own: a text where the schema wants no text is read as `typed`
/// reads it. All else stays. True when something changed.
pub(crate) fn retype(arguments: &mut Map<String, Value>, tool: &str, tools: &Tools) -> bool {
    each(arguments, tool, tools, |types, value| match value {
        Value::String(text) if types.is_specified() && !types.string => types.leniently(text.trim()),
        _ => None,
    })
}

/// The other way round, for a dialect that writes texts without quotation marks: a number or truth value where the schema
/// wants nothing but text becomes the text it was written as. True when something changed.
pub(crate) fn respell(arguments: &mut Map<String, Value>, tool: &str, tools: &Tools) -> bool {
    each(arguments, tool, tools, |types, value| match value {
        Value::Number(_) | Value::Bool(_) if *types == Types { string: true, ..Types::default() } => {
            Some(Value::from(value.to_string()))
        }
        _ => None,
    })
}

fn each(
    arguments: &mut Map<String, Value>,
    tool: &str,
    tools: &Tools,
    change: impl Fn(&Types, &Value) -> Option<Value>,
) -> bool {
    let mut changed = false;
    for (name, value) in arguments.iter_mut() {
        if let Some(new) = change(&Types::from_schema(tools.schema(tool, name)), value) {
            *value = new;
            changed = true;
        }
    }
    changed
}

/// The types that a schema allows.
#[derive(Debug, Default, PartialEq, Eq)]
struct Types {
    string: bool,
    integer: bool,
    number: bool,
    boolean: bool,
    null: bool,
    array: bool,
    object: bool,
}

impl Types {
    fn from_schema(schema: Option<&Value>) -> Types {
        let mut types = Types::default();
        if let Some(schema) = schema {
            types.add(schema, 8);
        }
        types
    }

    /// Adds what `schema` allows, into so many levels of alternatives.
    fn add(&mut self, schema: &Value, levels: usize) {
        match schema.get("type") {
            Some(Value::String(name)) => self.add_name(name),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).for_each(|name| self.add_name(name)),
            _ => self.add_values(schema),
        }
        if schema.get("nullable") == Some(&Value::Bool(true)) {
            self.null = true;
        }
        for alternatives in ["anyOf", "oneOf", "allOf"] {
            let alternatives = schema.get(alternatives).and_then(Value::as_array).filter(|_| levels > 0);
            alternatives.into_iter().flatten().for_each(|schema| self.add(schema, levels - 1));
        }
    }

    /// The types of the values that are listed.
    fn add_values(&mut self, schema: &Value) {
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"));
        for value in listed {
            self.add_name(match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(number) if number.is_f64() => "number",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            });
        }
        if schema.get("properties").is_some() {
            self.object = true;
        }
        if schema.get("items").is_some() {
            self.array = true;
        }
    }

    fn add_name(&mut self, name: &str) {
        // Some schemas are written by hand, and some in the words of a programming language.
        match name.to_ascii_lowercase().as_str() {
            "string" | "str" => self.string = true,
            "integer" | "int" => self.integer = true,
            "number" | "float" | "double" => self.number = true,
            "boolean" | "bool" => self.boolean = true,
            "null" | "none" => self.null = true,
            "array" | "list" | "tuple" => self.array = true,
            "object" | "dict" => self.object = true,
            _ => {}
        }
    }

    fn is_specified(&self) -> bool {
        *self != Types::default()
    }

    /// `text` as strict JSON of a type other than string.
    fn strictly(&self, text: &str) -> Option<Value> {
        self.fit(serde_json::from_str(text).ok()?)
    }

    /// `text` in any way that comes to a type other than string.
    fn leniently(&self, text: &str) -> Option<Value> {
        let strict = self.strictly(text);
        strict.or_else(|| self.word(text)).or_else(|| self.fit(complete(text, python_whole(text))?)).or_else(|| {
            // What is added to make it whole would be guessed.
            let guessed = |reading: &LenientReading| match reading {
                LenientReading::Value { repairs, .. } => repairs.contains(&crate::Repair::MissingCloser),
                LenientReading::Open | LenientReading::No => true,
            };
            Some(json_closed(text)).filter(|reading| !guessed(reading)).and_then(|json| self.fit(complete(text, json)?))
        })
    }

    /// Words for yes, no and nothing, and numbers that JSON spells otherwise.
    fn word(&self, text: &str) -> Option<Value> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" if self.boolean => Some(Value::Bool(true)),
            "false" | "no" | "0" if self.boolean => Some(Value::Bool(false)),
            "null" | "none" if self.null => Some(Value::Null),
            _ if text.starts_with('+') => self.fit(parse_number(text)?),
            _ => None,
        }
    }

    /// `value`, if it is of a type that is allowed and not string. A float without fraction is a whole number.
    fn fit(&self, value: Value) -> Option<Value> {
        match &value {
            Value::Null => self.null,
            Value::Bool(_) => self.boolean,
            Value::Array(_) => self.array,
            Value::Object(_) => self.object,
            Value::Number(number) if self.number || (self.integer && !number.is_f64()) => true,
            Value::Number(number) if self.integer => return whole(number),
            Value::Number(_) | Value::String(_) => false,
        }
        .then_some(value)
    }
}

/// The whole number that a float is, where no digit gets lost.
fn whole(number: &Number) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT)?;
    format!("{float:.0}").parse::<i64>().ok().map(Value::from)
}

/// The value of a reading that takes up all of `text`.
fn complete(text: &str, reading: LenientReading) -> Option<Value> {
    match reading {
        LenientReading::Value { value, len, .. } if past_space(text.as_bytes(), len) == text.len() => Some(value),
        LenientReading::Value { .. } | LenientReading::Open | LenientReading::No => None,
    }
}
