//! The literals of Google's models.

use crate::Repair::{self, *};
use crate::lenient::{LenientReading, gemma, gemma_closed};
use serde_json::{Value, json};

#[test]
fn literals_are_read_with_either_token() {
    let cases: [(&str, Value, &[Repair]); 17] = [
        ("{}", json!({}), &[]),
        ("{k:Qv}}, \"x\"Q,n:1}", json!({"k": "v}}, \"x\"", "n": 1}), &[]),
        ("{a:-1,b:-2.5,c:0,d:0.0}", json!({"a": -1, "b": -2.5, "c": 0, "d": 0.0}), &[]),
        ("{ok:true,no:False,x:null,y:None}", json!({"ok": true, "no": false, "x": null, "y": null}), &[]),
        ("{list:[QaQ,2,[]],nested:{x:null}}", json!({"list": ["a", 2, []], "nested": {"x": null}}), &[]),
        ("{ k : QvQ ,\n n : 1 , }", json!({"k": "v", "n": 1}), &[ExtraComma]),
        ("{QkQ:QvQ,\"l\":QwQ}", json!({"k": "v", "l": "w"}), &[]),
        ("{path:a.rs}", json!({"path": "a.rs"}), &[BareWords]),
        ("{location:San Francisco,l:[x y]}", json!({"location": "San Francisco", "l": ["x y"]}), &[BareWords]),
        ("{v:1.10,w:007,x:1e5}", json!({"v": "1.10", "w": "007", "x": "1e5"}), &[BareWords]),
        ("{s:\"a, \\\"b\\\"\\n\"}", json!({"s": "a, \"b\"\n"}), &[]),
        ("{s:\"say \"x\" y\",t:QzQ}", json!({"s": "say \"x\" y", "t": "z"}), &[]),
        ("{p:':\\s*\\w+'Q}", json!({"p": ":\\s*\\w+"}), &[SingleQuotes]),
        ("{p:'it's'}", json!({"p": "it's"}), &[SingleQuotes]),
        ("{p:ls -laQ,q:1}", json!({"p": "ls -la", "q": 1}), &[BareWords]),
        ("{p:QQ}", json!({"p": ""}), &[]),
        ("{weather.get:a<b}", json!({"weather.get": "a<b"}), &[BareWords]),
    ];
    for quote in ["<escape>", "<|\"|>"] {
        for (text, value, repairs) in &cases {
            let text = text.replace('Q', quote);
            let expected = LenientReading::Value { value: value.clone(), len: text.len(), repairs: repairs.to_vec() };
            assert_eq!(gemma(&format!("{text} }}<"), quote), expected, "{text}");
        }
    }
}

#[test]
fn a_missing_value_or_key_is_refused() {
    for text in ["x", "[1]", "{,}", "{:1}", "{k:}", "{k:,l:1}", "{k}", "{k:QvQ x:1}", "{k:[1}}", "{k:{l:1]}"] {
        let text = text.replace('Q', "<escape>");
        assert_eq!(gemma(&text, "<escape>"), LenientReading::No, "{text}");
    }
    for text in ["", "{", "{k", "{k:", "{k:1", "{k:<esc", "{k:<escape>v}", "{k:'x'", "{k:'x'<esc", "{k:a<es", "{k:[1]"]
    {
        assert_eq!(gemma(text, "<escape>"), LenientReading::Open, "{text}");
    }
    assert_eq!(gemma(&"{a:".repeat(300), "<escape>"), LenientReading::No);
}

#[test]
fn in_a_closed_block_the_last_text_ends_before_the_brackets() {
    let text = "{path:<|\"|>/tmp<|\"|>,o:{command:<|\"|>ls}, x} }\n";
    let value = json!({"path": "/tmp", "o": {"command": "ls}, x"}});
    let expected = LenientReading::Value { value, len: text.trim_end().len(), repairs: vec![MissingEnd] };
    assert_eq!(gemma_closed(text, "<|\"|>"), expected);
    for text in ["{command:<|\"|>ls", "{a:{b:<|\"|>c}", "{a:1", "{a", "{a:b", ""] {
        assert_eq!(gemma_closed(text, "<|\"|>"), LenientReading::No, "{text}");
    }
}
