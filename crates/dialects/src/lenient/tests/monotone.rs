//! Properties: strict JSON stays itself, a reading once made stays made, and nothing panics.

use crate::lenient::{LenientReading, gemma, gemma_closed, json, json_closed, python, python_arguments};
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Each proper beginning of `text` reads as `Open`, or as the whole does.
fn stays_made(text: &str, read: impl Fn(&str) -> LenientReading) {
    let whole = read(text);
    for (cut, _) in text.char_indices() {
        let part = read(&text[..cut]);
        assert!(
            part == LenientReading::Open || part == whole,
            "{:?} of {text:?}: {part:?}, then {whole:?}",
            &text[..cut]
        );
    }
}

const NASTY: &[&str] = &[
    r#"{\"a\": \"b\\n\\\"c\\\" \u00e9\", \"d\": {\n}} \"#,
    r#"[{"a": {\"b\": 1}}, {\"a\": "x"}, {\\\"c\\\": 2}, {\"d\": 1}, 2] "#,
    r#"p="a", n=1, t=(1, 2,), d={'k': None, 3: r'\d'}, s="x" 'y' """z""")"#,
    "a = [1, 0x1F, -1_000, 2.5e-3, ('a'\n 'b')], # c\n b = true , ) x",
    r#"{"path": "C:\x", 'b': None}, ) "#,
    r"{'path': r'\d', }) ",
    "b'\\x41\\u00e9\\101\\N{DASH}\\\n\\ud83d\\ude42\\U0001F642' + 1",
    "'''a''b''''' ''  '' x",
    "{a:<escape>b,}<escape>,n:1,l:[<escape>x<escape>,y z],o:{t:true,e:\"q, \"r\"\"},s:'x'<escape>,u:v<escape>} <escape>",
    "{a:<|\"|>b,}<|\"|>,n:1.10,l:[x<y,<|],o:{t:true,e:<|\"|>\"<|\"|>},<|\"|>k<|\"|>:'it's'<|\"|>} <|",
    r#"{"a": "echo "hi" && ls", "b": "x" "c": 1}} trailing"#,
    r#"{'a': 'it's', 'b': "don't", c: d, e: None,} x"#,
    r#"{"a": "x", y: "z", "b": ["p" , "q" r", 1], }"#,
    "{\"a\": \"x\" // c\n, \"b\": \"y\" /* d */ } # e\n",
    "[\"a\"\n\"b\"\n\"c\"] [",
    r#"{"a": "\ud83d\ude42\ud83d\u12", "b": "\u00", "c": "C:\Users\new"} "#,
    r#"{"a": """one "two" three"""", "b": '''x''', "c": "", "d": ''}"#,
    "{“a”: “b “c” d”, ‘e’: ‘it’s’, \"f\": \"g”, h\"} ”",
    r#"{"a": {"c": "awk '{print "x"}' "y" }"}, "d": "e"]"}"#,
    "\u{feff}\u{a0}{\u{a0}\"a\":\u{a0}1.5e3\u{a0}}",
    r#"{"a": 12abc}"#,
    "true ",
    "nullx",
    "-1.5e+7,",
    "\"a\"\"",
    "'a'b'",
    "[1 2 {} [] \"x\" y]",
    r#"[{"a": "x"], "y"}"#,
    "{a-b.c: d/e, $f: g}h",
    "{\"a\": \"b\"/",
    "{\"a\": \"b\"/*\"*/}",
    "[/**/1/*/*/]",
];

#[test]
fn a_reading_once_made_stays_made() {
    for text in NASTY {
        all_stay_made(text);
    }
}

/// Every way to read a text that may go on.
fn all_stay_made(text: &str) {
    stays_made(text, json);
    stays_made(text, python);
    stays_made(text, python_arguments);
    stays_made(text, |text| gemma(text, "<escape>"));
    stays_made(text, |text| gemma(text, "<|\"|>"));
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,12}", "[\"'\\\\,:{}\\[\\]a /#\n]{0,10}", any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        text.clone().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((text.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// Pieces of which almost-JSON is made.
fn almost() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"",
        "'",
        "“",
        "”",
        "‘",
        "’",
        "\\",
        "\\\"",
        "\\u00",
        "\\ud83d",
        "a",
        "b",
        " ",
        "\n",
        "1",
        "-",
        ".",
        "true",
        "None",
        "//",
        "/*",
        "*/",
        "#",
        "\"a\":",
        "'b': ",
        "\"\"\"",
        "é",
        "{\\\"a\\\": ",
        "(",
        ")",
        "=",
        "k=",
        "r",
        "\\x4",
        "<escape>",
        "<|\"|>",
        "<|",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strict_json_stays_itself(value in value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        // Through strict JSON once, as not every float survives that.
        let value: Value = serde_json::from_str(&text).unwrap();
        let expected = LenientReading::Value { value: value.clone(), len: text.len(), repairs: Vec::new() };
        prop_assert_eq!(json_closed(&text), expected.clone());
        if value.is_number() || value.is_boolean() || value.is_null() {
            return Ok(());
        }
        prop_assert_eq!(json(&text), expected);
        for (cut, _) in text.char_indices() {
            prop_assert_eq!(json(&text[..cut]), LenientReading::Open, "{}", &text[..cut]);
        }
    }

    #[test]
    fn whatever_is_appended_the_reading_stays(text in prop_oneof![almost(), almost().prop_map(|text| format!("{{\"a\": \"{text}"))]) {
        all_stay_made(&text);
        prop_assert_ne!(json_closed(&text), LenientReading::Open);
        prop_assert_ne!(gemma_closed(&text, "<escape>"), LenientReading::Open);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        all_stay_made(&text);
        prop_assert_ne!(json_closed(&text), LenientReading::Open);
        prop_assert_ne!(gemma_closed(&text, "<escape>"), LenientReading::Open);
    }
}
