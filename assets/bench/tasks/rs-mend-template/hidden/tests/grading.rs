use std::collections::BTreeMap;

use letterhead::@@FN@@;

fn ok(text: &str) -> String {
    let values = BTreeMap::from([("a", "1"), ("long_name", "two"), ("empty", ""), ("money", "${a}")]);
    match @@FN@@(text, &values) {
        Ok(filled) => filled,
        Err(fault) => format!("{fault}"),
    }
}

#[test]
fn plain_text_and_values() {
    assert_eq!(ok(""), "");
    assert_eq!(ok("{a} }{"), "{a} }{");
    assert_eq!(ok("${a}${long_name}é${a}"), "1twoé1");
    assert_eq!(ok("$$$${a}"), "$${a}");
    assert_eq!(ok("${money}"), "${a}");
    assert_eq!(ok("[${empty}]"), "[]");
}

#[test]
fn defaults_of_one_level() {
    assert_eq!(ok("${no@@OR@@x}"), "x");
    assert_eq!(ok("${no@@OR@@}."), ".");
    assert_eq!(ok("${a@@OR@@x}"), "1");
    assert_eq!(ok("${empty@@OR@@x}"), "");
    assert_eq!(ok("${no@@OR@@x@@OR@@y}"), "x@@OR@@y");
}

#[test]
fn defaults_inside_defaults() {
    assert_eq!(ok("${no@@OR@@<${a}>}-${a}"), "<1>-1");
    assert_eq!(ok("${no@@OR@@${nor@@OR@@${neither@@OR@@deep}}}."), "deep.");
    assert_eq!(ok("${no@@OR@@${a}${nor@@OR@@é}${a}}${a}"), "1é11");
    assert_eq!(ok("${a@@OR@@${no}}"), "1");
}

#[test]
fn other_braces_do_not_count() {
    assert_eq!(ok("${no@@OR@@{x}}"), "{x}");
    assert_eq!(ok("${no@@OR@@{} and ${a}}"), "{ and 1}");
    assert_eq!(ok("{${a}}"), "{1}");
}

#[test]
fn doubled_signs_inside_defaults() {
    assert_eq!(ok("${no@@OR@@$$}5"), "$5");
    assert_eq!(ok("${no@@OR@@$${x}}"), "${x}");
    assert_eq!(ok("${a@@OR@@$${x}}"), "1}");
    assert_eq!(ok("${no@@OR@@$${}"), "${");
    assert_eq!(ok("${no@@OR@@$$${a}}"), "$1");
}

#[test]
fn places_of_faults() {
    let n = "@@OR@@".len();
    assert_eq!(ok("ab ${x}"), "no value for 'x' at byte 3");
    assert_eq!(ok("é${"), "hole is not closed at byte 2");
    assert_eq!(ok("${a} $a"), "dollar sign stands alone at byte 5");
    assert_eq!(ok("${a b}"), "bad name 'a b' at byte 2");
    assert_eq!(ok(". ${no@@OR@@é${x}}"), format!("no value for 'x' at byte {}", 8 + n));
    assert_eq!(ok("${no@@OR@@a$}"), format!("dollar sign stands alone at byte {}", 5 + n));
    assert_eq!(ok("..${no@@OR@@${nor@@OR@@ ${?}}}"), format!("bad name '?' at byte {}", 14 + 2 * n));
    assert_eq!(ok("..${no@@OR@@${nor@@OR@@ ${x}}}"), format!("no value for 'x' at byte {}", 12 + 2 * n));
    assert_eq!(ok(". ${no@@OR@@${a}"), "hole is not closed at byte 2");
}
