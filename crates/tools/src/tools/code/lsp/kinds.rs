//! Words for the numbers that servers use.

use serde_json::Value;

/// Kinds of symbols, from 1.
const SYMBOLS: &str = "file, module, namespace, package, class, method, property, field, constructor, enum, interface, \
    function, variable, constant, string, number, boolean, array, object, key, null, variant, struct, \
    event, operator, type parameter";

/// How bad it is, from 1.
const SEVERITIES: &str = "error, warning, note, hint";

fn named(names: &'static str, number: &Value) -> Option<&'static str> {
    let at = usize::try_from(number.as_u64()?).ok()?.checked_sub(1)?;
    names.split(", ").nth(at)
}

/// What kind of symbol that is.
pub(super) fn symbol(number: &Value) -> &'static str {
    named(SYMBOLS, number).unwrap_or("symbol")
}

/// How bad that is; what nobody says is an error.
pub(super) fn severity(number: &Value) -> &'static str {
    named(SEVERITIES, number).unwrap_or("error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_from_one_and_unknown_ones_have_a_word() {
        assert_eq!((symbol(&1.into()), symbol(&12.into()), symbol(&26.into())), ("file", "function", "type parameter"));
        assert_eq!((symbol(&0.into()), symbol(&99.into()), symbol(&Value::Null)), ("symbol", "symbol", "symbol"));
        assert_eq!((severity(&2.into()), severity(&Value::Null)), ("warning", "error"));
    }
}
