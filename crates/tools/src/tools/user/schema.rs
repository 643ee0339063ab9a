//! What a tool that is not ours takes: a JSON schema, of which `required`, `type`, `enum` and `additionalProperties` are
//! held; whatever else it says is told to the model and left to the tool.

use super::located::Wrong;
use serde_json::{Map, Value, json};

/// Characters that a schema may have: all of it is part of every prompt.
const LONGEST: usize = 3_000;
/// Parameters that a tool may have.
const MOST: usize = 24;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Schema {
    /// As the model is told.
    pub(super) told: Value,
    parameters: Vec<SchemaParameter>,
    /// Takes what is not named here as well.
    open: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SchemaParameter {
    pub(super) name: String,
    /// Any of these; empty: anything.
    kinds: Vec<JsonKind>,
    /// One of these; empty: anything.
    words: Vec<Value>,
    pub(super) required: bool,
}

/// The types of JSON schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonKind {
    Text,
    Integer,
    Number,
    Flag,
    List,
    Object,
    Null,
}

const KINDS: [(&str, JsonKind, &str); 7] = [
    ("string", JsonKind::Text, "text"),
    ("integer", JsonKind::Integer, "a whole number"),
    ("number", JsonKind::Number, "a number"),
    ("boolean", JsonKind::Flag, "true or false"),
    ("array", JsonKind::List, "a list"),
    ("object", JsonKind::Object, "an object"),
    ("null", JsonKind::Null, "null"),
];

impl Schema {
    /// Reads what stands under `parameters`; nothing there: it takes nothing.
    pub(super) fn read(value: Option<&Value>) -> Result<Self, Wrong> {
        let way = "/parameters";
        let empty = json!({});
        let schema = object(value.unwrap_or(&empty), way)?;
        if schema.get("type").is_some_and(|kind| kind != "object") {
            return Err(Wrong::at("/parameters/type", "the type of parameters is \"object\", or left out"));
        }
        if !["type", "properties", "required"].iter().any(|key| schema.contains_key(*key)) && !schema.is_empty() {
            let what = "parameters is a JSON schema: its names stand under parameters.properties, each with a type";
            return Err(Wrong::at(way, what));
        }
        let properties = object(schema.get("properties").unwrap_or(&empty), "/parameters/properties")?;
        if properties.len() > MOST {
            return Err(Wrong::at("/parameters/properties", format!("a tool has at most {MOST} parameters")));
        }
        let required = required(schema, properties)?;
        let parameters = properties.iter().map(|(name, property)| parameter(name, property, &required));
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        let open = open(schema)?;
        let mut told = schema.clone();
        told.insert("type".into(), "object".into());
        told.entry("properties").or_insert_with(|| json!({}));
        told.entry("required").or_insert_with(|| json!([]));
        let told = Value::Object(told);
        match told.to_string().chars().count() {
            length if length > LONGEST => {
                let what =
                    format!("has {length} characters as JSON; {LONGEST} at most, as all of it is in every prompt");
                Err(Wrong::at(way, what))
            }
            _ => Ok(Schema { told, parameters, open }),
        }
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&SchemaParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        if names.is_empty() { "no parameters".into() } else { names.join(", ") }
    }

    /// `given` as the tool takes it: `null` is left out, numbers and the like written as text are what they say. The error
    /// names the parameter.
    pub(super) fn check(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut taken = Map::new();
        for (name, value) in given {
            match self.parameter(name) {
                Some(parameter) if value.is_null() && !parameter.takes(JsonKind::Null) => {}
                Some(parameter) => drop(taken.insert(name.clone(), parameter.check(value)?)),
                None if self.open => drop(taken.insert(name.clone(), value.clone())),
                None => return Err(format!("there is no parameter `{name}`; it takes {}", self.names())),
            }
        }
        match self.parameters.iter().find(|parameter| parameter.required && !taken.contains_key(&parameter.name)) {
            Some(missing) => Err(format!("`{}` is missing: {}", missing.name, missing.wanted())),
            None => Ok(taken),
        }
    }
}

impl SchemaParameter {
    pub(super) fn takes(&self, kind: JsonKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Is it of this kind and no other?
    pub(super) fn is(&self, kind: JsonKind) -> bool {
        self.kinds == [kind]
    }

    fn check(&self, value: &Value) -> Result<Value, String> {
        let wrong = || format!("`{}` must be {}, not {value:.80}", self.name, self.wanted());
        let fits = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.holds(value));
        let value = match fits {
            true => value.clone(),
            false => self.kinds.iter().find_map(|kind| kind.read(value)).ok_or_else(wrong)?,
        };
        if self.words.is_empty() || self.words.contains(&value) { Ok(value) } else { Err(wrong()) }
    }

    fn wanted(&self) -> String {
        if !self.words.is_empty() {
            let words: Vec<String> = self.words.iter().map(Value::to_string).collect();
            return format!("one of {}", words.join(", "));
        }
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.in_words()).collect();
        if kinds.is_empty() { "anything".into() } else { kinds.join(" or ") }
    }
}

impl JsonKind {
    fn in_words(self) -> &'static str {
        KINDS.iter().find(|(_, kind, _)| *kind == self).map_or("anything", |(_, _, words)| words)
    }

    fn holds(self, value: &Value) -> bool {
        match self {
            JsonKind::Text => value.is_string(),
            JsonKind::Integer => value.is_i64() || value.is_u64(),
            JsonKind::Number => value.is_number(),
            JsonKind::Flag => value.is_boolean(),
            JsonKind::List => value.is_array(),
            JsonKind::Object => value.is_object(),
            JsonKind::Null => value.is_null(),
        }
    }

    /// What models write for it: `"3"` for 3, one value for a list of it.
    fn read(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (JsonKind::Integer | JsonKind::Number | JsonKind::Flag, Value::String(text)) => {
                serde_json::from_str(text.trim()).ok().filter(|read| self.holds(read))
            }
            (JsonKind::Integer, Value::Number(number)) => {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15)?;
                Some(Value::from(whole as i64))
            }
            (JsonKind::Text, Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
            (JsonKind::List, Value::String(_) | Value::Number(_) | Value::Bool(_)) => Some(json!([value])),
            (
                JsonKind::Text
                | JsonKind::Integer
                | JsonKind::Number
                | JsonKind::Flag
                | JsonKind::List
                | JsonKind::Object
                | JsonKind::Null,
                _,
            ) => None,
        }
    }
}

fn object<'a>(value: &'a Value, way: &str) -> Result<&'a Map<String, Value>, Wrong> {
    value.as_object().ok_or_else(|| Wrong::at(way, "must be a table"))
}

fn open(schema: &Map<String, Value>) -> Result<bool, Wrong> {
    match schema.get("additionalProperties") {
        None => Ok(false),
        Some(Value::Bool(open)) => Ok(*open),
        Some(_) => Err(Wrong::at("/parameters/additionalProperties", "must be true or false")),
    }
}

/// The names under `required`, each of which there must be.
fn required(schema: &Map<String, Value>, properties: &Map<String, Value>) -> Result<Vec<String>, Wrong> {
    let way = "/parameters/required";
    let Some(listed) = schema.get("required") else { return Ok(Vec::new()) };
    let listed = listed.as_array().ok_or_else(|| Wrong::at(way, "must be a list of names"))?;
    let name = |(number, name): (usize, &Value)| match name.as_str() {
        Some(name) if properties.contains_key(name) => Ok(name.to_owned()),
        Some(_) | None => {
            let what = format!("{name} does not stand under parameters.properties");
            Err(Wrong::at(&format!("{way}/{number}"), what))
        }
    };
    listed.iter().enumerate().map(name).collect()
}

fn parameter(name: &str, property: &Value, required: &[String]) -> Result<SchemaParameter, Wrong> {
    let way = format!("/parameters/properties/{name}");
    let property = object(property, &way)?;
    let named = |kind: &Value| {
        let found = KINDS.iter().find(|(known, _, _)| kind == known).map(|(_, kind, _)| *kind);
        found.ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|(known, _, _)| *known).collect();
            Wrong::at(&format!("{way}/type"), format!("{kind} is no type; there are {}", known.join(", ")))
        })
    };
    let kinds = match property.get("type") {
        None => Vec::new(),
        Some(Value::Array(several)) => several.iter().map(named).collect::<Result<_, _>>()?,
        Some(one) => vec![named(one)?],
    };
    let words = match property.get("enum") {
        None => Vec::new(),
        Some(Value::Array(words)) if !words.is_empty() => words.clone(),
        Some(_) => return Err(Wrong::at(&format!("{way}/enum"), "must be a list of values, with at least one")),
    };
    Ok(SchemaParameter { name: name.into(), kinds, words, required: required.iter().any(|one| one == name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        let value = json!({
            "required": ["path"],
            "properties": {
                "path": { "type": "string" },
                "depth": { "type": "integer", "description": "how deep" },
                "kinds": { "type": "array" },
                "all": { "type": "boolean" },
                "order": { "enum": ["up", "down"] },
                "either": { "type": ["integer", "null"] },
            }
        });
        Schema::read(Some(&value)).unwrap()
    }

    #[test]
    fn arguments_are_taken_as_they_are_meant() {
        let given = json!({ "path": 3, "depth": "2", "kinds": "a", "all": "true", "order": "up", "either": null });
        let taken = schema().check(given.as_object().unwrap()).unwrap();
        let expected = json!({ "path": "3", "depth": 2, "kinds": ["a"], "all": true, "order": "up", "either": null });
        assert_eq!(Value::Object(taken.clone()), expected);
        assert_eq!(schema().check(&taken).unwrap(), taken);
        let nothing = json!({ "path": "", "depth": null });
        assert_eq!(Value::Object(schema().check(nothing.as_object().unwrap()).unwrap()), json!({ "path": "" }));
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (given, expected) in [
            (json!({}), "`path` is missing: text"),
            (json!({ "path": null }), "`path` is missing: text"),
            (json!({ "path": ["a"] }), "`path` must be text, not [\"a\"]"),
            (json!({ "path": "", "depth": "deep" }), "`depth` must be a whole number, not \"deep\""),
            (json!({ "path": "", "depth": 1.5 }), "`depth` must be a whole number, not 1.5"),
            (json!({ "path": "", "order": "left" }), "`order` must be one of \"up\", \"down\", not \"left\""),
            (json!({ "path": "", "either": "x" }), "`either` must be a whole number or null, not \"x\""),
            (
                json!({ "path": "", "deep": 1 }),
                "there is no parameter `deep`; it takes path, depth, kinds, all, order, either",
            ),
        ] {
            assert_eq!(schema().check(given.as_object().unwrap()).unwrap_err(), expected, "{given}");
        }
    }

    #[test]
    fn what_is_not_named_is_taken_where_the_schema_says_so() {
        let schema = Schema::read(Some(&json!({ "properties": {}, "additionalProperties": true }))).unwrap();
        let given = json!({ "any": [1] });
        assert_eq!(schema.check(given.as_object().unwrap()).unwrap(), *given.as_object().unwrap());
    }
}
