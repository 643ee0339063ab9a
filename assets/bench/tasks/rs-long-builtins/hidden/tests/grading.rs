use cells::builtins::{call, names};
use cells::{Fault, Value};

fn n(value: f64) -> Value {
    Value::Number(value)
}

fn t(value: &str) -> Value {
    Value::from(value)
}

fn swap(text: &str, old: &str, new: &str, which: f64) -> Result<Value, Fault> {
    call("@@NAME@@", &[t(text), t(old), t(new), n(which)])
}

#[test]
fn all_are_exchanged_without_a_number() {
    assert_eq!(call("@@NAME@@", &[t("a-b-c"), t("-"), t("+")]), Ok(t("a+b+c")));
    assert_eq!(call("@@NAME@@", &[t("a-b-c"), t(""), t("+")]), Ok(t("a-b-c")));
    assert_eq!(call("@@NAME@@", &[n(101.0), n(1.0), Value::Blank]), Ok(t("0")));
}

#[test]
fn only_the_one_wanted() {
    assert_eq!(swap("a-b-c-d", "-", "+", 2.0), Ok(t("a-b+c-d")));
    assert_eq!(swap("red red red", "red", "blue", 2.0), Ok(t("red blue red")));
    assert_eq!(call("@@NAME@@", &[t("x.x.x"), t("x"), t(""), t("3")]), Ok(t("x.x.")));
    assert_eq!(swap("a-b-c-d", "-", "--", 2.9), Ok(t("a-b--c-d")));
}

#[test]
fn ends_and_neighbours() {
    assert_eq!(swap("red red red", "red", "r", 1.0), Ok(t("r red red")));
    assert_eq!(swap("red red red", "red", "r", 3.0), Ok(t("red red r")));
    assert_eq!(swap("aaaa", "aa", "b", 2.0), Ok(t("aab")));
    assert_eq!(swap("aaaaa", "aa", "b", 2.0), Ok(t("aaba")));
    assert_eq!(swap("abc", "abc", "x", 1.0), Ok(t("x")));
}

#[test]
fn numbers_that_are_too_high() {
    assert_eq!(swap("a-b-c", "-", "+", 3.0), Ok(t("a-b-c")));
    assert_eq!(swap("aaa", "aa", "b", 2.0), Ok(t("aaa")));
    assert_eq!(swap("abc", "x", "y", 1.0), Ok(t("abc")));
    assert_eq!(swap("", "x", "y", 1.0), Ok(t("")));
    assert_eq!(swap("abc", "", "y", 1.0), Ok(t("abc")));
}

#[test]
fn numbers_that_are_no_places() {
    for which in [0.0, -1.0, 0.5] {
        assert_eq!(swap("a-b-c", "-", "+", which), Err(Fault::Number));
        assert_eq!(swap("a-b-c", "x", "+", which), Err(Fault::Number));
        assert_eq!(swap("a-b-c", "", "+", which), Err(Fault::Number));
    }
    assert_eq!(call("@@NAME@@", &[t("a"), t("a"), t("b"), t("many")]), Err(Fault::Value));
    assert_eq!(call("@@NAME@@", &[t("a"), t("a"), t("b"), Value::Blank]), Err(Fault::Number));
}

#[test]
fn letters_of_several_bytes() {
    assert_eq!(swap("äöäöä", "ä", "ae", 2.0), Ok(t("äöaeöä")));
    assert_eq!(swap("日本日本", "本", "x", 2.0), Ok(t("日本日x")));
}

#[test]
fn the_number_of_arguments() {
    assert_eq!(call("@@NAME@@", &[t("a"), t("b")]), Err(Fault::Arguments));
    assert_eq!(call("@@NAME@@", &[t("a"), t("b"), t("c"), n(1.0), n(1.0)]), Err(Fault::Arguments));
    assert_eq!(call("REPLACE", &[t("a"), n(1.0), n(1.0)]), Err(Fault::Arguments));
    assert_eq!(call("EXACT", &[t("a"), t("a"), t("a")]), Err(Fault::Arguments));
    assert_eq!(names().count(), 87);
}

#[test]
fn other_texts_as_before() {
    assert_eq!(call("REPLACE", &[t("harbour"), n(2.0), n(3.0), t("-")]), Ok(t("h-our")));
    assert_eq!(call("FIND", &[t("a"), t("banana"), n(3.0)]), Ok(n(4.0)));
    assert_eq!(call("SEARCH", &[t("NA"), t("banana")]), Ok(n(3.0)));
    assert_eq!(call("PROPER", &[t("old TOWN's hall")]), Ok(t("Old Town'S Hall")));
    assert_eq!(call("REPT", &[t("ab"), n(3.0)]), Ok(t("ababab")));
    assert_eq!(call("REPT", &[t("a"), n(@@LONGEST@@.0)]).map(|_| ()), Ok(()));
    assert_eq!(call("REPT", &[t("a"), n(@@LONGEST@@.0 + 1.0)]), Err(Fault::Value));
    assert_eq!(call("FIXED", &[n(-1234567.891)]), Ok(t("-1,234,567.89")));
    assert_eq!(call("BASE", &[n(255.0), n(16.0), n(4.0)]), Ok(t("00FF")));
    assert_eq!(call("MID", &[t("abc"), n(0.0), n(1.0)]), Err(Fault::Number));
}

#[test]
fn everything_else_as_before() {
    let list = Value::List(vec![n(4.0), n(9.0), n(4.0), Value::Blank, t("z")]);
    assert_eq!(call("MODE", &[list.clone()]), Ok(n(4.0)));
    assert_eq!(call("COUNTA", &[list.clone()]), Ok(n(4.0)));
    assert_eq!(call("LARGE", &[list.clone(), n(3.0)]), Ok(n(4.0)));
    assert_eq!(call("INDEX", &[list, n(5.0)]), Ok(t("z")));
    assert_eq!(call("SWITCH", &[n(2.0), n(1.0), t("a"), n(2.0), t("b"), t("c")]), Ok(t("b")));
    assert_eq!(call("COMBIN", &[n(10.0), n(3.0)]), Ok(n(120.0)));
    assert_eq!(call("NETWORKDAYS", &[n(0.0), n(6.0)]), Ok(n(5.0)));
    assert_eq!(call("EOMONTH", &[n(0.0), n(1.0)]), Ok(n(58.0)));
    assert_eq!(call("EVEN", &[n(-3.0)]), Ok(n(-4.0)));
}
