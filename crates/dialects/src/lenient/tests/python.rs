//! Python literals, and the arguments of calls.

use crate::Repair::{self, *};
use crate::lenient::{LenientReading, python, python_arguments};
use serde_json::{Value, json};

/// The value and the repairs; a space after the text shows where a number or string ends.
fn read(text: &str) -> (Value, Vec<Repair>) {
    match python(&format!("{text} ;")) {
        LenientReading::Value { value, len, repairs } if len == text.len() => (value, repairs),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn literals_are_read_as_python_reads_them() {
    let cases = [
        ("None", json!(null)),
        ("[True, False, true, false, null]", json!([true, false, true, false, null])),
        ("[1, -2, +3, 1_000, 0x1F, 0o17, 0b101, -0x10]", json!([1, -2, 3, 1000, 31, 15, 5, -16])),
        ("[1.5, .5, 5., -1e-7, 1_0.5e+3]", json!([1.5, 0.5, 5.0, -1e-7, 10500.0])),
        ("[18446744073709551615, -9223372036854775808]", json!([18446744073709551615u64, i64::MIN])),
        ("18446744073709551616", json!("18446744073709551616")),
        ("('a', 1,)", json!(["a", 1])),
        ("('a',)", json!(["a"])),
        ("('a')", json!("a")),
        ("()", json!([])),
        (
            "{'a': {'b': [1, (2, 3)]}, \"c\": None, 1: 'x', -2.5: 'y',}",
            json!({"a": {"b": [1, [2, 3]]}, "c": null, "1": "x", "-2.5": "y"}),
        ),
        ("'a' \"b\" r'\\c'", json!("ab\\c")),
        ("[('a'\n  'b'), # why\n 'c']", json!(["ab", "c"])),
        (r#""it's \"x\"""#, json!("it's \"x\"")),
        (r"'\n\t\\\'\x41\u00e9\U0001F642\101\a'", json!("\n\t\\'Aé🙂A\u{7}")),
        ("'one \\\ntwo'", json!("one two")),
        (r"'\ud83d\ude42 \ud83d'", json!("🙂 \u{fffd}")),
        (r"r'\d\'x'", json!(r"\d\'x")),
        (r#"[b'a', u"b", f'{c}', Rb'\x']"#, json!(["a", "b", "{c}", "\\x"])),
        ("\"\"\"one\n\"two\" '''\n\"\"\"", json!("one\n\"two\" '''\n")),
        ("\"\"\"say \"x\"\"\"\"", json!("say \"x\"")),
        ("''", json!("")),
        ("['', \"\", '''''']", json!(["", "", ""])),
    ];
    for (text, value) in cases {
        assert_eq!(read(text), (value, Vec::new()), "{text}");
    }
}

#[test]
fn what_python_would_refuse_is_mended_and_noted() {
    let cases: [(&str, Value, &[Repair]); 4] = [
        (r"'\d \N{DASH} C:\Users'", json!(r"\d \N{DASH} C:\Users"), &[InvalidEscape]),
        ("'one\ntwo'", json!("one\ntwo"), &[RawControl]),
        ("{a: 1, url: 2}", json!({"a": 1, "url": 2}), &[BareWords]),
        (r"'\xZZ'", json!(r"\xZZ"), &[InvalidEscape]),
    ];
    for (text, value, repairs) in cases {
        assert_eq!(read(text), (value, repairs.to_vec()), "{text}");
    }
}

#[test]
fn what_is_no_literal_is_refused() {
    for text in [
        "name", "f(1)", "{1, 2}", "[1 2]", "1j", "007", "[,]", "[1,,2]", "{'a'}", "{'a': b}", "-", "nan", "0x", "1__0",
        "None_x",
    ] {
        assert_eq!(python(&format!("{text} ")), LenientReading::No, "{text}");
    }
    for text in ["", "'a'", "12", "Non", "None", "[1", "'a' ", "r", "''", "'\\x4", "{'a': 1", "\"\"\"a\"\"\""] {
        assert_eq!(python(text), LenientReading::Open, "{text}");
    }
}

#[test]
fn arguments_have_names_or_are_one_object() {
    let cases: [(&str, Value, &[Repair]); 11] = [
        (")", json!({}), &[]),
        (" \n)", json!({}), &[]),
        (r#"k="v", n=1)"#, json!({"k": "v", "n": 1}), &[]),
        ("k = 'v' ,\n n = [1, (2,)],\n)", json!({"k": "v", "n": [1, [2]]}), &[]),
        ("enabled=true, x=None)", json!({"enabled": true, "x": null}), &[]),
        ("content=\"\"\"a\n\"b\" )\n\"\"\")", json!({"content": "a\n\"b\" )\n"}), &[]),
        ("s=('a'\n'b'))", json!({"s": "ab"}), &[]),
        (r#"{"path": "."})"#, json!({"path": "."}), &[]),
        (r#"{'path': r'\d', 'x': None}, )"#, json!({"path": "\\d", "x": null}), &[]),
        (r#"{"path": "a\/b",})"#, json!({"path": "a/b"}), &[ExtraComma]),
        (r#"v={"a": “b”}, w=1)"#, json!({"v": {"a": "b"}, "w": 1}), &[SmartQuotes]),
    ];
    for (text, value, repairs) in cases {
        let expected = LenientReading::Value { value, len: text.len(), repairs: repairs.to_vec() };
        assert_eq!(python_arguments(&format!("{text} rest")), expected, "{text}");
    }
}

#[test]
fn other_arguments_are_refused() {
    for text in [
        r#""a")"#,
        "1, 2)",
        "[1])",
        "k: 'v')",
        "k=v)",
        "k='a' 'b' n=1)",
        "k=='v')",
        "{'a': 1}, {'b': 2})",
        "{'a': 1} x)",
        "*args)",
        "k=f(1))",
        "k=1 n=2)",
        "k='x' + 'y')",
        ",)",
    ] {
        assert_eq!(python_arguments(text), LenientReading::No, "{text}");
    }
    for text in ["", "k", "k=", "k='v'", "k='v',", "{", "{\"a\": 1}", "k=1", "k=Tru"] {
        assert_eq!(python_arguments(text), LenientReading::Open, "{text}");
    }
}

#[test]
fn deep_nesting_and_long_texts_end() {
    assert_eq!(python(&"[".repeat(201)), LenientReading::No);
    assert_eq!(python(&"(".repeat(200)), LenientReading::Open);
    assert_eq!(python_arguments(&format!("k={}", "[".repeat(10_000))), LenientReading::No);
    for part in ["\"\"", "\\x", "''", "\"\"\" ", "r", "1", "\\0", "# '\n"] {
        for opener in ["'''", "[\"", "{", "[", "\"\"\""] {
            // Quadratic reading would take hours.
            let reading = python(&format!("{opener}{}", part.repeat(300_000)));
            assert!(!matches!(reading, LenientReading::Value { .. }) || opener.len() == 3, "{opener}{part}");
        }
    }
}
