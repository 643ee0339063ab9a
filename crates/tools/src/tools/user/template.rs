//! The words that a tool's program is started with, and the places in them that stand for arguments.
//!
//! `"{path}"` stands for the whole value of `path`, and is one word however it is spelled: there is no shell that could
//! read it again. A list gives one word for each of its values; what is left out gives none. A list within the command,
//! like `["--depth", "{depth}"]`, is there only where all its arguments are, and once for each value of a list; a yes-or-no
//! parameter stands in one, and is not a word itself: `["--all", "{all}"]` is `--all` or nothing.
//!
//! **Invariant.** A value that begins with `-` stands only behind a `--` of the definition, or directly behind an option
//! of the definition within its list.

use super::located::Wrong;
use super::schema::{JsonKind, Schema};
use serde_json::{Map, Value};

/// Words that a command may have.
const MOST: usize = 64;

/// The words, and what stands for arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Template {
    /// As it is written: a name, an absolute path, or `./name` beside the definition.
    pub(super) program: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    One(Piece),
    /// Together, or not at all.
    Group(Vec<Piece>),
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Word(String),
    Value(String),
    /// Says whether its group is there.
    Flag(String),
}

impl Template {
    /// Reads what stands under `command`.
    pub(super) fn read(value: &Value, schema: &Schema) -> Result<Self, Wrong> {
        let way = "/command";
        let words = value.as_array().ok_or_else(|| Wrong::at(way, "must be a list: the program and its arguments"))?;
        let Some((program, rest)) = words.split_first() else {
            return Err(Wrong::at(way, "is empty; its first word is the program"));
        };
        if words.len() > MOST {
            return Err(Wrong::at(way, format!("has more than {MOST} words")));
        }
        let program = program_word(program)?;
        let part = |(number, value): (usize, &Value)| part(value, &format!("{way}/{}", number + 1), schema);
        let parts = rest.iter().enumerate().map(part).collect::<Result<Vec<_>, _>>()?;
        Ok(Template { program, parts })
    }

    /// The words behind the program. The error says what the model may change.
    pub(super) fn words(&self, values: &Map<String, Value>) -> Result<Vec<String>, String> {
        let mut words: Vec<String> = Vec::new();
        // Only a word of the definition ends the options: one among the values may itself be the value of an option.
        let mut ended = false;
        // An option whose value was left out takes the next word for it, also a `--`.
        let (mut awaits, mut takes_next) = (false, false);
        for part in &self.parts {
            let before = words.len();
            match part {
                Part::One(piece @ Piece::Word(word)) => {
                    ended |= word == "--" && !takes_next;
                    words.push(word.clone());
                    (awaits, takes_next) = (awaits_a_value(piece), false);
                    continue;
                }
                Part::One(Piece::Value(name) | Piece::Flag(name)) => {
                    let given = values.get(name).map(spelled).unwrap_or_default();
                    if !ended {
                        no_option(name, &given)?;
                    }
                    words.extend(given);
                }
                Part::Group(pieces) => {
                    if !ended {
                        no_options(pieces, values)?;
                    }
                    words.extend(group(pieces, values));
                }
            }
            let left_out = words.len() == before;
            takes_next = left_out && (takes_next || awaits && matches!(part, Part::One(_)));
            awaits &= left_out;
        }
        Ok(words)
    }
}

/// No value of a group is read as an option: only directly behind an option of the definition it may look like one.
fn no_options(pieces: &[Piece], values: &Map<String, Value>) -> Result<(), String> {
    for (at, piece) in pieces.iter().enumerate() {
        let Piece::Value(name) = piece else { continue };
        let before = at.checked_sub(1).map(|before| &pieces[before]);
        if !before.is_some_and(awaits_a_value) {
            no_option(name, &values.get(name).map(spelled).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// Is it a word behind which a program reads a value, whatever that looks like?
fn awaits_a_value(piece: &Piece) -> bool {
    match piece {
        Piece::Word(word) => word.len() > 1 && word.starts_with('-') && word != "--" && !word.contains('='),
        Piece::Value(_) | Piece::Flag(_) => false,
    }
}

fn no_option(name: &str, given: &[String]) -> Result<(), String> {
    match given.iter().find(|word| word.starts_with('-')) {
        Some(option) => Err(format!("`{name}` begins with -, so {option:?} would be read as an option")),
        None => Ok(()),
    }
}

/// The words of a group, once for each value of a list in it.
fn group(pieces: &[Piece], values: &Map<String, Value>) -> Vec<String> {
    let given = |name: &String| values.get(name).map(spelled).unwrap_or_default();
    let times = pieces.iter().map(|piece| match piece {
        Piece::Word(_) => usize::MAX,
        Piece::Flag(name) => {
            if values.get(name) == Some(&Value::Bool(true)) {
                1
            } else {
                0
            }
        }
        Piece::Value(name) => given(name).len(),
    });
    let times = times.min().unwrap_or(0);
    let once = |time: usize| {
        pieces.iter().filter_map(move |piece| match piece {
            Piece::Word(word) => Some(word.clone()),
            Piece::Flag(_) => None,
            Piece::Value(name) => given(name).into_iter().nth(time),
        })
    };
    (0..times).flat_map(once).collect()
}

/// A value as words: text as it stands, a list one by one, anything else as JSON.
fn spelled(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(one).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec![value.to_string()],
    }
}

fn one(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Some(value.to_string()),
    }
}

fn program_word(value: &Value) -> Result<String, Wrong> {
    let wrong = |what: &str| Err(Wrong::at("/command/0", what));
    match value.as_str() {
        None | Some("") => wrong("the first word is the program: text"),
        Some(word) if placeholder(word).is_some() => wrong("the program cannot be an argument; write its name"),
        Some(word) => match word.strip_prefix("./").unwrap_or(word) {
            beside
                if word.starts_with("./") && (beside.contains('/') || beside.is_empty() || beside.starts_with('.')) =>
            {
                wrong("a program of your own lies beside this file: \"./name\"")
            }
            name if name.contains('/') && !word.starts_with('/') => {
                wrong("the program is a name, an absolute path, or \"./name\" for a file beside this one")
            }
            _ => Ok(word.into()),
        },
    }
}

fn part(value: &Value, way: &str, schema: &Schema) -> Result<Part, Wrong> {
    let Some(list) = value.as_array() else {
        return match piece(value, way, schema)? {
            Piece::Flag(name) => {
                let what = format!(
                    "{name} is true or false: write a list with what stands there if true, [\"--{name}\", \"{{{name}}}\"]"
                );
                Err(Wrong::at(way, what))
            }
            one @ (Piece::Word(_) | Piece::Value(_)) => Ok(Part::One(one)),
        };
    };
    let pieces = list.iter().enumerate().map(|(number, value)| piece(value, &format!("{way}/{number}"), schema));
    let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
    // Its first word is ours, so no value stands where an option would be read.
    if !matches!(pieces.first(), Some(Piece::Word(_))) || pieces.iter().all(|piece| matches!(piece, Piece::Word(_))) {
        let what =
            "a list within the command begins with a word and holds a \"{parameter}\", like [\"--depth\", \"{depth}\"]";
        return Err(Wrong::at(way, what));
    }
    Ok(Part::Group(pieces))
}

fn piece(value: &Value, way: &str, schema: &Schema) -> Result<Piece, Wrong> {
    let word = value.as_str().ok_or_else(|| Wrong::at(way, "must be text, or a list of texts"))?;
    if word.contains('\0') {
        return Err(Wrong::at(way, "holds a NUL character"));
    }
    let Some(name) = placeholder(word) else {
        let within = schema.names().split(", ").find(|name| word.contains(&format!("{{{name}}}"))).map(str::to_owned);
        return match within {
            Some(name) => {
                let what = format!("\"{{{name}}}\" stands for a whole argument; write it as a word of its own");
                Err(Wrong::at(way, what))
            }
            None => Ok(Piece::Word(word.into())),
        };
    };
    match schema.parameter(name) {
        Some(parameter) if parameter.is(JsonKind::Flag) => Ok(Piece::Flag(name.into())),
        Some(_) => Ok(Piece::Value(name.into())),
        None => {
            let what = format!("\"{word}\" stands for a parameter that there is not; it takes {}", schema.names());
            Err(Wrong::at(way, what))
        }
    }
}

/// The name in `{name}`.
fn placeholder(word: &str) -> Option<&str> {
    let name = word.strip_prefix('{')?.strip_suffix('}')?;
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Schema {
        let properties = json!({
            "path": { "type": "string" }, "depth": { "type": "integer" }, "kinds": { "type": "array" },
            "all": { "type": "boolean" }, "more": {},
        });
        Schema::read(Some(&json!({ "properties": properties }))).unwrap()
    }

    fn filled(command: Value, values: Value) -> Result<Vec<String>, String> {
        let template = Template::read(&command, &schema()).expect("the command can be read");
        template.words(values.as_object().expect("values are an object"))
    }

    #[test]
    fn arguments_become_whole_words() {
        for (command, values, expected) in [
            (json!(["ls", "-l", "{path}"]), json!({ "path": "a b; rm $(x)" }), vec!["-l", "a b; rm $(x)"]),
            (json!(["ls", "{path}"]), json!({ "path": "" }), vec![""]),
            (json!(["ls", "{path}"]), json!({}), vec![]),
            (json!(["ls", "{depth}", "{more}"]), json!({ "depth": 3, "more": { "a": 1 } }), vec!["3", "{\"a\":1}"]),
            (json!(["ls", "{kinds}"]), json!({ "kinds": ["a", 2, null] }), vec!["a", "2"]),
            (json!(["ls", ["--depth", "{depth}"]]), json!({ "depth": 2 }), vec!["--depth", "2"]),
            (json!(["ls", ["--depth", "{depth}"], "x"]), json!({}), vec!["x"]),
            (json!(["ls", ["-k", "{kinds}"]]), json!({ "kinds": ["a", "b"] }), vec!["-k", "a", "-k", "b"]),
            (json!(["ls", ["-k", "{kinds}"]]), json!({ "kinds": [] }), vec![]),
            (json!(["ls", ["--all", "{all}"]]), json!({ "all": true }), vec!["--all"]),
            (json!(["ls", ["--all", "{all}"]]), json!({ "all": false }), vec![]),
            (json!(["ls", "--", "{path}"]), json!({ "path": "-rf" }), vec!["--", "-rf"]),
            (json!(["ls", ["-d", "{depth}"]]), json!({ "depth": -1 }), vec!["-d", "-1"]),
            (json!(["awk", "{ print $1 }", "{}"]), json!({}), vec!["{ print $1 }", "{}"]),
        ] {
            assert_eq!(filled(command.clone(), values).unwrap(), expected, "{command}");
        }
    }

    #[test]
    fn a_value_is_never_taken_for_an_option() {
        let expected = "`path` begins with -, so \"--delete\" would be read as an option";
        assert_eq!(filled(json!(["ls", "{path}"]), json!({ "path": "--delete" })).unwrap_err(), expected);
        assert!(filled(json!(["ls", "{kinds}"]), json!({ "kinds": ["a", "-x"] })).is_err());
        // A value is no end of the options, and what a list holds besides the value of its option is a value too.
        let values = json!({ "more": "--", "path": "--pre=./x.sh" });
        let expected = "`path` begins with -, so \"--pre=./x.sh\" would be read as an option";
        assert_eq!(filled(json!(["rg", ["-e", "{more}"], "{path}"]), values).unwrap_err(), expected);
        for command in [
            json!(["tool", ["--all", "{all}", "{path}"]]),
            json!(["tool", ["--two", "{more}", "{path}"]]),
            json!(["tool", ["--mode=x", "{path}"]]),
            json!(["tool", ["copy", "{path}"]]),
            json!(["tool", ["-", "{path}"]]),
        ] {
            let values = json!({ "all": true, "more": "a", "path": "--delete" });
            assert!(filled(command.clone(), values).is_err(), "{command}");
        }
        let values = json!({ "path": "--pre=./x.sh" });
        assert!(filled(json!(["rg", "-e", "{more}", "--", "{path}"]), values).is_err(), "-e takes the --");
        let values = json!({ "path": "-x", "more": "--" });
        let words = filled(json!(["rg", ["-e", "{more}"], "--", ["a", "{path}"]]), values).unwrap();
        assert_eq!(words, ["-e", "--", "--", "a", "-x"]);
    }
}
