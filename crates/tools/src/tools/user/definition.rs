//! What a tool is, as somebody wrote it down or a program of theirs printed it.
//!
//! Whoever reads an error has the file before them: it says what is wrong and what would be right.

use super::located::{Located, Wrong};
use super::schema::{JsonKind, Schema};
use super::template::Template;
use crate::program::{LONGEST, USUAL};
use crate::reserved_names::LONGEST_NAME;
use agent_protocol::Profile;
use serde_json::{Map, Value};

/// Characters that a description may have: all of it is part of every prompt.
const LONGEST_DESCRIPTION: usize = 600;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Schema,
    /// How it is started; `None`: it is a program that takes JSON on its standard input.
    pub(super) command: Option<Template>,
    pub(super) timeout_secs: u64,
    /// How far it may reach.
    pub(super) profile: Profile,
    /// Parameters that name files or folders.
    pub(super) paths: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// A file that says what is started.
    File,
    Program,
}

impl By {
    fn keys(self) -> &'static [&'static str] {
        match self {
            By::File => &["name", "description", "parameters", "command", "timeout", "effect", "paths"],
            By::Program => &["name", "description", "parameters", "timeout", "effect", "paths"],
        }
    }
}

/// Reads a file. The error begins with the line and the column.
pub(super) fn of_file(text: &str) -> Result<Definition, String> {
    let located = Located::read(text)?;
    definition(&located.value, By::File).map_err(|wrong| located.explained(&wrong))
}

/// Reads what a program printed. The error says in which part of it something is wrong.
pub(super) fn of_program(printed: &[u8]) -> Result<Definition, String> {
    let value: Value = serde_json::from_slice(printed).map_err(|error| format!("is not JSON: {error}"))?;
    definition(&value, By::Program).map_err(|wrong| wrong.in_words())
}

fn definition(value: &Value, by: By) -> Result<Definition, Wrong> {
    let given = value.as_object().ok_or_else(|| Wrong::at("", "a definition is a JSON object"))?;
    if let Some(unknown) = given.keys().find(|key| !by.keys().contains(&key.as_str())) {
        let what = format!("there is no `{unknown}`; a definition has {}", by.keys().join(", "));
        return Err(Wrong::at(&format!("/{unknown}"), what));
    }
    let name = name(given)?;
    let description = description(given)?;
    let schema = Schema::read(given.get("parameters"))?;
    let command = match by {
        By::File => Some(Template::read(needed(given, "command", "[\"rg\", \"--\", \"{pattern}\"]")?, &schema)?),
        By::Program => None,
    };
    let (timeout_secs, profile, paths) = (timeout(given)?, profile(given)?, paths(given, &schema)?);
    Ok(Definition { name, description, schema, command, timeout_secs, profile, paths })
}

fn needed<'a>(given: &'a Map<String, Value>, key: &str, example: &str) -> Result<&'a Value, Wrong> {
    given.get(key).ok_or_else(|| Wrong::at("", format!("`{key}` is missing, like {key} = {example}")))
}

fn name(given: &Map<String, Value>) -> Result<String, Wrong> {
    let name = needed(given, "name", "\"count_marks\"")?.as_str().unwrap_or_default();
    let plain =
        |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || "_-".contains(character);
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && name.chars().all(plain) && name.len() <= LONGEST_NAME {
        return Ok(name.into());
    }
    let what =
        format!("a name is small letters, digits, _ and -, begins with a letter, and has {LONGEST_NAME} at most");
    Err(Wrong::at("/name", what))
}

fn description(given: &Map<String, Value>) -> Result<String, Wrong> {
    let way = "/description";
    let text = needed(given, "description", "\"Counts the marks below a folder\"")?;
    let text = text.as_str().ok_or_else(|| Wrong::at(way, "must be text"))?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() {
        0 => Err(Wrong::at(way, "is empty; the model goes by it")),
        long if long > LONGEST_DESCRIPTION => Err(Wrong::at(
            way,
            format!("has {long} characters; {LONGEST_DESCRIPTION} at most, as all of it is in every prompt"),
        )),
        _ => Ok(text),
    }
}

fn timeout(given: &Map<String, Value>) -> Result<u64, Wrong> {
    match given.get("timeout").map(|timeout| timeout.as_u64().filter(|seconds| (1..=LONGEST).contains(seconds))) {
        None => Ok(USUAL),
        Some(Some(seconds)) => Ok(seconds),
        Some(None) => Err(Wrong::at("/timeout", format!("must be whole seconds from 1 to {LONGEST}"))),
    }
}

fn profile(given: &Map<String, Value>) -> Result<Profile, Wrong> {
    match needed(given, "effect", "\"read\"; or \"write\", or \"run\"")?.as_str() {
        Some("read") => Ok(Profile::ReadOnly),
        Some("write") => Ok(Profile::Project),
        Some("run") => Ok(Profile::Network),
        Some(_) | None => {
            let what = "must be \"read\" (it changes nothing), \"write\" (it changes files of the project) or \"run\" (it \
                        does that and reaches the network)";
            Err(Wrong::at("/effect", what))
        }
    }
}

fn paths(given: &Map<String, Value>, schema: &Schema) -> Result<Vec<String>, Wrong> {
    let Some(listed) = given.get("paths") else { return Ok(Vec::new()) };
    let listed = listed.as_array().ok_or_else(|| Wrong::at("/paths", "must be a list of parameters"))?;
    let name = |(number, name): (usize, &Value)| {
        let wrong = |what: String| Wrong::at(&format!("/paths/{number}"), what);
        let parameter = name.as_str().and_then(|name| schema.parameter(name));
        let parameter =
            parameter.ok_or_else(|| wrong(format!("{name} is no parameter; it takes {}", schema.names())))?;
        if !parameter.is(JsonKind::Text) && !parameter.is(JsonKind::List) {
            return Err(wrong(format!("{name} must be of type \"string\" or \"array\" to be a path")));
        }
        Ok(parameter.name.clone())
    };
    listed.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const WHOLE: &str = r#"name = "count_marks"
description = """
Counts the marks
below a folder"""
command = ["rg", "--count", ["--max-depth", "{depth}"], "--", "TODO", "{path}"]
timeout = 30
effect = "read"
paths = ["path"]

[parameters]
required = ["path"]

[parameters.properties]
path = { type = "string" }
depth = { type = "integer", description = "folders deep" }
"#;

    #[test]
    fn a_file_says_all_of_a_tool() {
        let tool = of_file(WHOLE).unwrap();
        assert_eq!((tool.name.as_str(), tool.description.as_str()), ("count_marks", "Counts the marks below a folder"));
        assert_eq!((tool.timeout_secs, tool.profile, tool.paths), (30, Profile::ReadOnly, vec!["path".to_owned()]));
        let told = json!({
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": { "type": "string" },
                "depth": { "type": "integer", "description": "folders deep" },
            },
        });
        assert_eq!(tool.schema.told, told);
        let values = json!({ "path": "src", "depth": 2 });
        let words = tool.command.unwrap().words(values.as_object().unwrap()).unwrap();
        assert_eq!(words, ["--count", "--max-depth", "2", "--", "TODO", "src"]);
    }

    #[test]
    fn what_may_be_left_out_is_what_is_usual() {
        let tool = of_file("name = \"a\"\ndescription = \"b\"\ncommand = [\"ls\"]\neffect = \"run\"\n").unwrap();
        assert_eq!((tool.timeout_secs, tool.profile, tool.paths), (USUAL, Profile::Network, Vec::new()));
        assert_eq!(tool.schema.told, json!({ "type": "object", "properties": {}, "required": [] }));
    }

    /// `WHOLE` with one thing written in another way, and what is said of it.
    const WRONG: &[(&str, &str, &str)] = &[
        ("name = \"count_marks\"\n", "", "1:1: `name` is missing, like name = \"count_marks\""),
        (
            "\"count_marks\"",
            "\"Count\"",
            "1:1: a name is small letters, digits, _ and -, begins with a letter, and has 64",
        ),
        ("\"count_marks\"", "3", "1:1: a name is small letters"),
        ("name =", "nam =", "1:1: there is no `nam`; a definition has name, description, parameters, command, timeout"),
        ("effect = \"read\"", "effect = \"look\"", "7:1: must be \"read\" (it changes nothing), \"write\""),
        ("effect = \"read\"\n", "", "1:1: `effect` is missing, like effect = \"read\"; or \"write\", or \"run\""),
        ("timeout = 30", "timeout = 601", "6:1: must be whole seconds from 1 to 600"),
        ("timeout = 30", "timeout = \"30\"", "6:1: must be whole seconds from 1 to 600"),
        ("timeout = 30", "timeout = ", "6:11: "),
        ("[\"path\"]\n\n", "[\"depth\"]\n\n", "8:10: \"depth\" must be of type \"string\" or \"array\" to be a path"),
        ("[\"path\"]\n\n", "[\"way\"]\n\n", "8:10: \"way\" is no parameter; it takes depth, path"),
        ("[\"path\"]\n\n", "\"path\"\n\n", "8:1: must be a list of parameters"),
        ("required = [\"path\"]", "required = [\"way\"]", "11:13: \"way\" does not stand under parameters.properties"),
        ("required = [\"path\"]", "type = \"array\"", "11:1: the type of parameters is \"object\", or left out"),
        (
            "type = \"integer\"",
            "type = \"int\"",
            "15:11: \"int\" is no type; there are string, integer, number, boolean",
        ),
        ("type = \"integer\"", "enum = []", "15:11: must be a list of values, with at least one"),
        ("{ type = \"string\" }", "\"string\"", "14:1: must be a table"),
        ("\"rg\"", "3", "5:12: the first word is the program: text"),
        ("\"rg\"", "\"{path}\"", "5:12: the program cannot be an argument; write its name"),
        ("\"rg\"", "\"tools/rg\"", "5:12: the program is a name, an absolute path, or \"./name\" for a file beside"),
        ("\"rg\"", "\"./a/rg\"", "5:12: a program of your own lies beside this file: \"./name\""),
        ("\"TODO\"", "\"in {path}\"", "5:63: \"{path}\" stands for a whole argument; write it as a word of its own"),
        ("\"TODO\"", "\"{way}\"", "5:63: \"{way}\" stands for a parameter that there is not; it takes depth, path"),
        ("\"TODO\"", "3", "5:63: must be text, or a list of texts"),
        (
            "[\"--max-depth\", \"{depth}\"]",
            "[\"--max\"]",
            "5:29: a list within the command begins with a word and holds",
        ),
        ("[\"--max-depth\", \"{depth}\"]", "[\"{depth}\"]", "5:29: a list within the command begins with a word and"),
    ];

    #[test]
    fn every_error_has_its_place_and_says_what_is_right() {
        for (part, instead, expected) in WRONG {
            let text = WHOLE.replacen(part, instead, 1);
            assert_ne!(text, WHOLE, "{part}");
            let wrong = of_file(&text).expect_err(instead);
            assert!(wrong.starts_with(expected), "{part} → {instead}: {wrong}");
        }
    }

    #[test]
    fn what_would_fill_every_prompt_is_too_long() {
        let long = of_file(&WHOLE.replace("Counts the marks", &"word ".repeat(200))).unwrap_err();
        assert_eq!(long, "2:1: has 1014 characters; 600 at most, as all of it is in every prompt");
        let long = of_file(&WHOLE.replace("folders deep", &"word ".repeat(800))).unwrap_err();
        assert!(long.starts_with("10:"), "{long}");
        assert!(long.contains("characters as JSON; 3000 at most"), "{long}");
        let many: String = (0..25).map(|number| format!("p{number} = {{}}\n")).collect();
        assert_eq!(of_file(&(WHOLE.to_owned() + &many)).unwrap_err(), "13:13: a tool has at most 24 parameters");
    }

    #[test]
    fn a_program_prints_the_same_as_json() {
        let tool = of_program(br#"{"name": "a", "description": "b", "effect": "write", "timeout": 5}"#).unwrap();
        assert_eq!((tool.profile, tool.timeout_secs, tool.command), (Profile::Project, 5, None));
        for (printed, expected) in [
            ("usage: a", "is not JSON: expected value at line 1 column 1"),
            ("[]", "a definition is a JSON object"),
            (r#"{"name": "a"}"#, "`description` is missing"),
            (r#"{"name": "a", "command": []}"#, "command: there is no `command`; a definition has name, description"),
            (
                r#"{"name": "a", "description": "b", "parameters": {"properties": {"x": {"type": 3}}}}"#,
                "parameters.properties.x.type: 3 is no type",
            ),
        ] {
            let wrong = of_program(printed.as_bytes()).unwrap_err();
            assert!(wrong.starts_with(expected), "{printed}: {wrong}");
        }
    }
}
