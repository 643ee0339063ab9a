//! Every repair of JSON, and what is not repaired.

use crate::Repair::{self, *};
use crate::lenient::{LenientReading, json, json_closed};
use serde_json::Value;

/// The value and the repairs; the value takes up all of `text`.
fn read(text: &str) -> (Value, Vec<Repair>) {
    match json(text) {
        LenientReading::Value { value, len, repairs } if len == text.len() => (value, repairs),
        other => panic!("{text}: {other:?}"),
    }
}

fn strict(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn strict_json_is_read_as_it_stands() {
    for text in [
        r#"{"a": "b", "c": [1, -2.5, 1e-7, true, false, null, {}], "d": {"e": []}}"#,
        r#"["a, \"b\": c", "]", "}", ", \"x\": 1}", "a \\\" , b", "\u00fc\ud83d\ude42\/\b\f\n\r\t"]"#,
        r#"{"n": 9007199254740993, "m": -9223372036854775808, "u": 18446744073709551615, "f": 18446744073709551616}"#,
        r#"{"": "", "k": "C:\\new\\table", "code": "fn main() { println!(\"{}\", 'x'); } // done"}"#,
        r#"{"a": "naïve – “quotes” ‘single’ 日本語 🙂"}"#,
        r#"[["a"], ["b"], [["c"]]]"#,
    ] {
        assert_eq!(read(text), (strict(text), Vec::new()), "{text}");
    }
}

#[test]
fn each_repair_is_made_and_noted() {
    let cases: &[(&str, &str, &[Repair])] = &[
        (r#"{"path": ".",}"#, r#"{"path": "."}"#, &[ExtraComma]),
        (r#"{"a": {"path": ".",},}"#, r#"{"a": {"path": "."}}"#, &[ExtraComma]),
        (r#"[1,, 2,]"#, "[1, 2]", &[ExtraComma]),
        (r#"{, "a": 1}"#, r#"{"a": 1}"#, &[ExtraComma]),
        (r#"{'name': 'f', 'a': {'path': '.'}}"#, r#"{"name": "f", "a": {"path": "."}}"#, &[SingleQuotes]),
        (r"{'a': 'fix: don\'t panic'}", r#"{"a": "fix: don't panic"}"#, &[SingleQuotes]),
        (r#"{'a': 'say "hi"'}"#, r#"{"a": "say \"hi\""}"#, &[SingleQuotes]),
        (r#"{'a': 'it's here', 'b': 1}"#, r#"{"a": "it's here", "b": 1}"#, &[SingleQuotes, InnerQuote]),
        ("{“name”: “f”, “a”: {“path”: “.”}}", r#"{"name": "f", "a": {"path": "."}}"#, &[SmartQuotes]),
        ("{‘name’: ‘it’s’}", r#"{"name": "it’s"}"#, &[SmartQuotes, InnerQuote]),
        ("{“a”: “echo \"x\" y”}", r#"{"a": "echo \"x\" y"}"#, &[SmartQuotes]),
        (r#"{name: "f", a-b: {path: "."}}"#, r#"{"name": "f", "a-b": {"path": "."}}"#, &[BareWords]),
        (r#"{"a": src/main.rs, "b": [x, y_1]}"#, r#"{"a": "src/main.rs", "b": ["x", "y_1"]}"#, &[BareWords]),
        (r#"{"a": None, "b": [True, False]}"#, r#"{"a": null, "b": [true, false]}"#, &[PythonWords]),
        ("{\"a\": \"one\n\ttwo\n\"}", r#"{"a": "one\n\ttwo\n"}"#, &[RawControl]),
        (r#"{"a": "\d+\.\w"}"#, r#"{"a": "\\d+\\.\\w"}"#, &[InvalidEscape]),
        (r#"{"a": "\u12g"}"#, r#"{"a": "\\u12g"}"#, &[InvalidEscape]),
        (r#"{"a": "C:\Users\me\x.txt"}"#, r#"{"a": "C:\\Users\\me\\x.txt"}"#, &[InvalidEscape]),
        (r#"{"a": "C:\Users\\me\new\tab"}"#, r#"{"a": "C:\\Users\\me\\new\\tab"}"#, &[InvalidEscape]),
        (r#"{"a": "echo "hi" && ls"}"#, r#"{"a": "echo \"hi\" && ls"}"#, &[InnerQuote]),
        (r#"{"a": "say "x", then "y"", "b": 1}"#, r#"{"a": "say \"x\", then \"y\"", "b": 1}"#, &[InnerQuote]),
        (r#"{"a": {"c": "{print "x"} b"}}"#, r#"{"a": {"c": "{print \"x\"} b"}}"#, &[InnerQuote]),
        (r#"["say "x" y", "z"]"#, r#"["say \"x\" y", "z"]"#, &[InnerQuote]),
        ("{\"a\": 1, /* look */ \"b\": {} // done\n}", r#"{"a": 1, "b": {}}"#, &[Comment]),
        ("{ # first\n\"a\": \"x\" // the last\n}", r#"{"a": "x"}"#, &[Comment]),
        ("{\"a\": \"x\", // the \"best\"\n\"b\": 1}", r#"{"a": "x", "b": 1}"#, &[Comment]),
        (r#"{"a": "x" "b": {"c": "."}}"#, r#"{"a": "x", "b": {"c": "."}}"#, &[MissingComma]),
        (r#"{"a": 1 "b": {} "c": 2}"#, r#"{"a": 1, "b": {}, "c": 2}"#, &[MissingComma]),
        ("[{\"a\": 1}\n{\"a\": 2}]", r#"[{"a": 1}, {"a": 2}]"#, &[MissingComma]),
        ("[\"a\"\n\"b\"]", r#"["a", "b"]"#, &[MissingComma]),
        (r#"{"a": "x", 'b': "y", c: 1}"#, r#"{"a": "x", "b": "y", "c": 1}"#, &[SingleQuotes, BareWords]),
        ("{\"a\": \"\"\"one\n\"two\"\n\"\"\"}", r#"{"a": "one\n\"two\"\n"}"#, &[RawControl]),
        (r#"{\"a\": \"b\", \"c\": {\"d\": 1}}"#, r#"{"a": "b", "c": {"d": 1}}"#, &[StringEncoded]),
        (
            r#"{"n": "f", "a": {\n  \"p\": \".\",\n \"q\": \"x\\ny \\\"z\\\"\"}, "b": 1}"#,
            r#"{"n": "f", "a": {"p": ".", "q": "x\ny \"z\""}, "b": 1}"#,
            &[StringEncoded],
        ),
        (r#"{\\\"a\\\": 1}"#, r#"{"a": 1}"#, &[StringEncoded]),
        (r#"{"a": +5, "b": .5, "c": 5.}"#, r#"{"a": 5, "b": 0.5, "c": 5.0}"#, &[]),
        (r#"{"a": "\ud83d", "b": "\ud83dx\ude42"}"#, r#"{"a": "\ufffd", "b": "\ufffdx\ufffd"}"#, &[]),
        (r#"{"a": 1, "b": 2, "a": 3}"#, r#"{"a": 3, "b": 2}"#, &[]),
    ];
    for (text, value, repairs) in cases {
        assert_eq!(read(text), (strict(value), repairs.to_vec()), "{text}");
    }
}

#[test]
fn what_is_no_value_is_told_at_once() {
    for text in [
        "this is not json",
        "(1, 2)",
        "}",
        ",",
        "{(",
        r#"{\a: 1}"#,
        r#"{"a", "b"}"#,
        r#"{"a" "b"}"#,
        "{ color: red; }",
        r#"{"a": NaN}"#,
        r#"{"a": undefined, "b": 1}"#,
        r#"{"a": 007}"#,
        r#"{"a": 1.2.3}"#,
        r#"{"a": f("x")}"#,
        r#"{"a": two words}"#,
        r#"{"a": 1]"#,
        "[1}",
        "{/x",
        r#"{"a": 1e999}"#,
    ] {
        assert_eq!(json(text), LenientReading::No, "{text}");
    }
    assert_eq!(json(&"[".repeat(201)), LenientReading::No);
    assert_eq!(json(&"[".repeat(200)), LenientReading::Open);
}

#[test]
fn what_follows_the_value_is_left() {
    for (text, len) in [
        ("{\"a\": 1}}", 8),
        ("\u{feff} \n{} x", 7),
        ("\"a\"b\"", 3),
        ("12 ", 2),
        ("true,", 4),
        ("[1] [2]", 3),
        ("{} // x", 2),
    ] {
        assert!(matches!(json(text), LenientReading::Value { len: at, .. } if at == len), "{text}: {:?}", json(text));
    }
}

#[test]
fn a_text_that_may_go_on_is_open() {
    for text in [
        "",
        " ",
        "1",
        "tru",
        "Fals",
        "true",
        "\"a",
        "{\"a\": \"b\"",
        "{\"a\": \"b\",",
        "{\"a\": \"b\", \"c",
        "{\"a\": 1",
        "{\"a\": x",
        "{\"a\": x ",
        "{a",
        "{\"a\"",
        "[\"\\u12",
        "[\"\\",
        "[/",
        "[/* ",
        "[\"a\" // x",
        "{\"a\": {\"b\": \"c\" }",
    ] {
        assert_eq!(json(text), LenientReading::Open, "{text}");
    }
}

#[test]
fn a_closed_block_gets_its_brackets_right() {
    let cases: &[(&str, &str, usize, &[Repair])] = &[
        (r#"{"a": {"b": "."}"#, r#"{"a": {"b": "."}}"#, 16, &[MissingCloser]),
        (r#"{"a": {"b": ".""#, r#"{"a": {"b": "."}}"#, 15, &[MissingCloser]),
        (r#"[{"a": 1, "b": [1, 2"#, r#"[{"a": 1, "b": [1, 2]}]"#, 20, &[MissingCloser]),
        (r#"{"a": [1, 2}"#, r#"{"a": [1, 2]}"#, 12, &[MissingCloser]),
        (r#"[{"a": "x"]"#, r#"[{"a": "x"}]"#, 11, &[MissingCloser]),
        (r#"{"a": "x"]"#, r#"{"a": "x"}"#, 10, &[MissingCloser]),
        ("{\"a\": 1}\n}] ", r#"{"a": 1}"#, 11, &[ExtraCloser]),
        (r#"{"a": 1} I hope"#, r#"{"a": 1}"#, 8, &[]),
        (r#"{"a": true"#, r#"{"a": true}"#, 10, &[MissingCloser]),
        ("12", "12", 2, &[]),
        ("\"a\"", "\"a\"", 3, &[]),
        ("{\"a\": 1 // x", r#"{"a": 1}"#, 12, &[Comment, MissingCloser]),
    ];
    for (text, value, len, repairs) in cases {
        let expected = LenientReading::Value { value: strict(value), len: *len, repairs: repairs.to_vec() };
        assert_eq!(json_closed(text), expected, "{text}");
    }
}

#[test]
fn a_value_that_is_not_there_is_never_guessed() {
    for text in [
        "",
        " ",
        "\"a",
        r#"{"a": "#,
        r#"{"a""#,
        r#"{"a": "b"#,
        r#"{"a": "b", "c": "#,
        r#"{"a": "b", "c"#,
        r#"{"a": x"#,
        r#"{"a": tru"#,
        r#"["a", "b"#,
        r#"{"a": "b\"#,
        r#"{"a": -"#,
        r#"{"a": "say "x" y"#,
    ] {
        assert_eq!(json_closed(text), LenientReading::No, "{text}");
    }
}

#[test]
fn a_long_text_is_read_in_one_pass() {
    let nasty = [r#"", "#, r#"" // "#, r#""""#, "' ", r#"", "a "#, r#"\"", "#, "\"\n\"", "“”\""];
    for part in nasty {
        for opener in ["{\"a\": \"", "['", "[“"] {
            let text = format!("{opener}{}", part.repeat(400_000));
            // Quadratic reading would take hours.
            let reading = json(&text);
            assert!(!matches!(reading, LenientReading::Value { .. }) || part.contains('\''), "{opener}{part}");
        }
    }
}
