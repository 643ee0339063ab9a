use cells::builtins::{call, names};
use cells::{Fault, Value};

fn n(value: f64) -> Value {
    Value::Number(value)
}

fn t(value: &str) -> Value {
    Value::from(value)
}

#[test]
fn numbers() {
    assert_eq!(call("round", &[n(2.345), n(2.0)]), Ok(n(2.35)));
    assert_eq!(call("MOD", &[n(-7.0), n(3.0)]), Ok(n(2.0)));
    assert_eq!(call("MOD", &[n(1.0), n(0.0)]), Err(Fault::Division));
    assert_eq!(
        call(
            "MEDIAN",
            &[Value::List(vec![n(5.0), n(1.0), t("x"), n(2.0)])]
        ),
        Ok(n(2.0))
    );
}

#[test]
fn texts() {
    assert_eq!(
        call("@@NAME@@", &[t("tea for two"), t("t"), t("T")]),
        Ok(t("Tea for Two"))
    );
    assert_eq!(call("MID", &[t("harbour"), n(4.0), n(2.0)]), Ok(t("bo")));
    assert_eq!(
        call(
            "TEXTJOIN",
            &[t("-"), Value::Bool(true), t("a"), t(""), t("b")]
        ),
        Ok(t("a-b"))
    );
}

#[test]
fn dates() {
    assert_eq!(call("DATE", &[n(2024.0), n(2.0), n(29.0)]), Ok(n(19782.0)));
    assert_eq!(
        call("EDATE", &[n(19782.0), n(12.0)]),
        call("DATE", &[n(2025.0), n(2.0), n(28.0)])
    );
}

#[test]
fn every_name_once() {
    let mut all: Vec<_> = names().collect();
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(call("NOSUCH", &[]), Err(Fault::Name));
}
