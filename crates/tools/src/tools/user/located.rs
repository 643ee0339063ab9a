//! The text of a definition as a value, and where in the text each part of it stands.

use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with the places of its parts.
#[derive(Debug)]
pub(super) struct Located<'a> {
    text: &'a str,
    pub(super) value: Value,
    /// Where each part begins, by its way from the top: `/command/0`.
    places: BTreeMap<String, usize>,
}

/// Something wrong, and the way to it from the top of the definition.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) at: String,
    pub(super) what: String,
}

impl Wrong {
    pub(super) fn at(way: &str, what: impl Into<String>) -> Self {
        Wrong { at: way.into(), what: what.into() }
    }

    /// In words, where the text itself is not at hand.
    pub(super) fn in_words(&self) -> String {
        match self.at.trim_start_matches('/') {
            "" => self.what.clone(),
            way => format!("{}: {}", way.replace('/', "."), self.what),
        }
    }
}

impl<'a> Located<'a> {
    /// Reads TOML. The error begins with the line and the column.
    pub(super) fn read(text: &'a str) -> Result<Self, String> {
        let table = DeTable::parse(text).map_err(|error| {
            let (line, column) = place(text, error.span().map_or(0, |span| span.start));
            format!("{line}:{column}: {}", error.message())
        })?;
        let mut located = Located { text, value: Value::Null, places: BTreeMap::new() };
        located.value = located.table(table.get_ref(), "").map_err(|wrong| located.explained(&wrong))?;
        Ok(located)
    }

    /// What is wrong, behind the line and the column.
    pub(super) fn explained(&self, wrong: &Wrong) -> String {
        let mut way = wrong.at.as_str();
        let at = loop {
            match (self.places.get(way), way.rfind('/')) {
                (Some(at), _) => break *at,
                (None, Some(up)) => way = &way[..up],
                (None, None) => break 0,
            }
        };
        let (line, column) = place(self.text, at);
        format!("{line}:{column}: {}", wrong.what)
    }

    fn table(&mut self, table: &DeTable<'_>, way: &str) -> Result<Value, Wrong> {
        let mut values = Map::new();
        for (key, value) in table {
            let below = format!("{way}/{}", key.get_ref());
            self.places.insert(below.clone(), key.span().start);
            values.insert(key.get_ref().to_string(), self.value(value, &below)?);
        }
        Ok(Value::Object(values))
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, way: &str) -> Result<Value, Wrong> {
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(yes) => Value::Bool(*yes),
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix());
                Value::Number(number.map_err(|_| Wrong::at(way, "is too large a number"))?.into())
            }
            DeValue::Float(number) => {
                let number = number.as_str().parse().ok().and_then(Number::from_f64);
                Value::Number(number.ok_or_else(|| Wrong::at(way, "is no number that JSON has"))?)
            }
            DeValue::Datetime(_) => {
                return Err(Wrong::at(way, "is a date, which JSON does not have; write it as text"));
            }
            DeValue::Table(table) => self.table(table, way)?,
            DeValue::Array(list) => {
                let mut values = Vec::new();
                for (number, one) in list.iter().enumerate() {
                    let below = format!("{way}/{number}");
                    self.places.insert(below.clone(), one.span().start);
                    values.push(self.value(one, &below)?);
                }
                Value::Array(values)
            }
        })
    }
}

/// The line and the column at byte `at`, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_part_is_found_again_in_the_text() {
        let text = "name = \"a\"\ncommand = [\"ls\",\n  [\"-d\", 3]]\n\n[parameters.properties.x]\ntype = \"é\"\n";
        let located = Located::read(text).unwrap();
        let expected = json!({
            "name": "a", "command": ["ls", ["-d", 3]], "parameters": { "properties": { "x": { "type": "é" } } }
        });
        assert_eq!(located.value, expected);
        for (way, place) in [
            ("/command", "2:1"),
            ("/command/0", "2:12"),
            ("/command/1/1", "3:10"),
            ("/parameters/properties/x/type", "6:1"),
            ("/parameters/properties/x/missing", "5:24"),
            ("/missing", "1:1"),
        ] {
            assert_eq!(located.explained(&Wrong::at(way, "no")), format!("{place}: no"), "{way}");
        }
    }

    #[test]
    fn what_is_no_definition_is_told_with_its_place() {
        for (text, expected) in [
            ("name = \"a\"\nname = \"b\"\n", "2:1: duplicate key"),
            ("name = \"a\"\n\n  x = 1979-05-27\n", "3:3: is a date, which JSON does not have; write it as text"),
            ("x = inf", "1:1: is no number that JSON has"),
        ] {
            assert_eq!(Located::read(text).unwrap_err(), expected);
        }
        let open = Located::read("a = 1\nb = [\n").unwrap_err();
        assert!(open.starts_with("2:") || open.starts_with("3:1: "), "{open}");
    }
}
