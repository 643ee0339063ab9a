//! Types by schema.

use crate::Repair::*;
use crate::Tools;
use crate::lenient::{object_from_string, respell, retype, typed};
use agent_protocol::ToolSpec;
use serde_json::{Map, Value, json};

fn schema(kind: &str) -> Value {
    match kind {
        "int?" => json!({"type": ["integer", "null"]}),
        "string?" => json!({"type": ["string", "null"]}),
        "text or list" => json!({"anyOf": [{"type": "string"}, {"type": "array"}]}),
        "text or int" => json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        "any" => json!({"description": "x"}),
        "mode" => json!({"enum": ["1", "null"]}),
        "level" => json!({"enum": [1, 2]}),
        kind => json!({"type": kind}),
    }
}

#[test]
fn a_text_gets_the_type_that_the_schema_asks_for() {
    let cases = [
        ("string", " 42\n", json!(" 42\n")),
        ("string", "null", json!("null")),
        ("mode", "1", json!("1")),
        ("any", "1", json!("1")),
        ("integer", " 42\n", json!(42)),
        ("integer", "3.0", json!(3)),
        ("integer", "+3", json!(3)),
        ("integer", "3.5", json!("3.5")),
        ("integer", "1e300", json!("1e300")),
        ("integer", "many", json!("many")),
        ("integer", "null", json!("null")),
        ("integer", "true", json!("true")),
        ("integer", "\"3\"", json!("\"3\"")),
        ("integer", "12 x", json!("12 x")),
        ("integer", "", json!("")),
        ("int?", "null", json!(null)),
        ("int?", "None", json!(null)),
        ("level", "2", json!(2)),
        ("number", "3", json!(3)),
        ("number", "-1.5e3", json!(-1500.0)),
        ("boolean", "true", json!(true)),
        ("boolean", "False", json!(false)),
        ("boolean", " yes ", json!(true)),
        ("boolean", "0", json!(false)),
        ("boolean", "2", json!("2")),
        ("array", "[1, \"a\"]", json!([1, "a"])),
        ("array", "['a', None]", json!(["a", null])),
        ("array", "('a', 'b')", json!(["a", "b"])),
        ("array", "[a, b,]", json!(["a", "b"])),
        ("array", "[1, 2", json!("[1, 2")),
        ("array", "a, b", json!("a, b")),
        ("array", "{\"a\": 1}", json!("{\"a\": 1}")),
        ("object", "{'a': {\"b\": True}}", json!({"a": {"b": true}})),
        ("object", "{\"a\": 1} x", json!("{\"a\": 1} x")),
        ("string?", "null", json!(null)),
        ("string?", " null ", json!(null)),
        ("string?", "None", json!("None")),
        ("string?", "\"a\"", json!("\"a\"")),
        ("text or list", "[1]", json!([1])),
        ("text or list", "['a']", json!("['a']")),
        ("text or int", "3", json!(3)),
        ("text or int", "3x", json!("3x")),
        ("text or int", "03", json!("03")),
    ];
    for (kind, text, value) in cases {
        assert_eq!(typed(text, Some(&schema(kind))), value, "{kind}: {text}");
    }
    assert_eq!(typed("42", None), json!("42"));
}

fn tools() -> Tools {
    let properties: Map<String, Value> = ["integer", "boolean", "array", "object", "string", "string?", "any", "int?"]
        .into_iter()
        .map(|kind| (kind.to_owned(), schema(kind)))
        .collect();
    let parameters = json!({"type": "object", "properties": properties});
    let spec = json!({"name": "f", "description": "", "parameters": parameters});
    Tools::new(&[serde_json::from_value::<ToolSpec>(spec).unwrap()])
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

#[test]
fn texts_in_place_of_other_types_are_read() {
    let mut arguments = object(json!({
        "integer": "3", "boolean": "False", "array": "[\"a\"]", "object": "{\"a\": 1}", "int?": "None",
        "string": "3", "string?": "null", "any": "3", "other": "3",
    }));
    assert!(retype(&mut arguments, "f", &tools()));
    let expected = json!({
        "integer": 3, "boolean": false, "array": ["a"], "object": {"a": 1}, "int?": null,
        "string": "3", "string?": "null", "any": "3", "other": "3",
    });
    assert_eq!(arguments, object(expected));
    assert!(!retype(&mut arguments, "f", &tools()), "it is typed already");
}

#[test]
fn what_does_not_read_cleanly_stays() {
    let before = object(json!({"integer": "three", "boolean": 1, "array": "[1", "string": 3}));
    let mut arguments = before.clone();
    assert!(!retype(&mut arguments, "f", &tools()));
    assert!(!retype(&mut arguments, "unknown", &tools()));
    assert!(!retype(&mut arguments, "f", &Tools::any()));
    assert_eq!(arguments, before);
}

#[test]
fn words_in_place_of_texts_are_spelt_out() {
    let mut arguments = object(json!({"string": 90210, "string?": null, "integer": 3, "any": true, "other": 1}));
    assert!(respell(&mut arguments, "f", &tools()));
    assert_eq!(arguments, object(json!({"string": "90210", "string?": null, "integer": 3, "any": true, "other": 1})));
}

#[test]
fn arguments_in_a_string_are_unpacked() {
    let plain = object(json!({"path": "."}));
    let twice = serde_json::to_string(&json!({"path": "."}).to_string()).unwrap();
    assert_eq!(object_from_string(r#"{"path": "."}"#), Some((plain.clone(), vec![StringEncoded])));
    assert_eq!(object_from_string(&twice), Some((plain.clone(), vec![StringEncoded])));
    assert_eq!(object_from_string(" {'path': '.'} "), Some((plain, vec![StringEncoded, SingleQuotes])));
    assert_eq!(object_from_string(""), Some((Map::new(), vec![StringEncoded])));
    for text in ["ls -la", "[1]", "null", "{\"a\": 1} x", "\"x\"", "{\"a\": \"b", "3"] {
        assert_eq!(object_from_string(text), None, "{text}");
    }
}
