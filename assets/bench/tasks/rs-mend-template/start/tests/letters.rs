use std::collections::BTreeMap;

use letterhead::@@FN@@;

fn values() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([("name", "Ada"), ("town", "Turku")])
}

#[test]
fn values_and_defaults() {
    assert_eq!(@@FN@@("Dear ${name},", &values()).unwrap(), "Dear Ada,");
    assert_eq!(@@FN@@("${street@@OR@@no street}, ${town}", &values()).unwrap(), "no street, Turku");
    assert_eq!(@@FN@@("$$5", &values()).unwrap(), "$5");
}

#[test]
fn a_default_with_a_hole() {
    assert_eq!(@@FN@@("${street@@OR@@near ${town}}!", &values()).unwrap(), "near Turku!");
}

#[test]
fn place_of_a_fault_in_a_default() {
    let fault = @@FN@@("Dear ${nick@@OR@@or ${call}}", &values()).unwrap_err();
    assert_eq!(fault.to_string(), "no value for 'call' at byte 16");
}
