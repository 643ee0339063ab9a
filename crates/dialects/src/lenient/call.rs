//! The arguments of a call in parentheses.

use super::LenientReading;
use super::cursor::{CommentMarks, Cursor, Extent, Stop};
use super::json::json;
use super::python::Python;
use crate::Repair;
use serde_json::{Map, Value};

/// The arguments of a call, from just after its `(` to just after its `)`.
///
/// Each has a name (`path="."`), or one object is all there is (`{"path": "."}`), or nothing.
pub(crate) fn python_arguments(text: &str) -> LenientReading {
    let mut call = CallReader { python: Python { cursor: Cursor::new(text, Extent::Growing), depth: 1 } };
    let arguments = call.arguments();
    call.python.cursor.reading(arguments.map(Value::Object))
}

struct CallReader<'a> {
    python: Python<'a>,
}

impl CallReader<'_> {
    fn arguments(&mut self) -> Result<Map<String, Value>, Stop> {
        self.skip()?;
        match self.python.cursor.needed()? {
            b')' => {
                self.python.cursor.at += 1;
                Ok(Map::new())
            }
            b'{' => self.one_object(),
            _ => self.named(),
        }
    }

    fn skip(&mut self) -> Result<(), Stop> {
        self.python.cursor.skip_comments(CommentMarks::Python)
    }

    fn one_object(&mut self) -> Result<Map<String, Value>, Stop> {
        // In this place it is JSON far more often than a dict, and the two differ in their escapes.
        let value = match self.json() {
            Err(Stop::No) => self.literal()?,
            read => read?,
        };
        match value {
            Value::Object(object) if !self.next()? => Ok(object),
            _ => Err(Stop::No),
        }
    }

    fn named(&mut self) -> Result<Map<String, Value>, Stop> {
        let mut arguments = Map::new();
        loop {
            let name = self.python.name().to_owned();
            if name.is_empty() {
                return Err(Stop::No);
            }
            self.skip()?;
            if self.python.cursor.needed()? != b'=' {
                return Err(Stop::No);
            }
            self.python.cursor.at += 1;
            self.skip()?;
            let value = match self.literal() {
                Err(Stop::No) => self.json()?,
                read => read?,
            };
            arguments.insert(name, value);
            if !self.next()? {
                return Ok(arguments);
            }
        }
    }

    /// Goes to the next argument, or over the end: is there a next one?
    fn next(&mut self) -> Result<bool, Stop> {
        self.skip()?;
        let comma = self.python.cursor.take(b',');
        if comma {
            self.skip()?;
        }
        if self.python.cursor.needed()? == b')' {
            self.python.cursor.at += 1;
            return Ok(false);
        }
        if comma { Ok(true) } else { Err(Stop::No) }
    }

    /// A Python literal; where there is none, nothing has happened.
    fn literal(&mut self) -> Result<Value, Stop> {
        let before = self.python.cursor.mark();
        let value = self.python.value();
        if value == Err(Stop::No) {
            self.python.cursor.back_to(before);
            self.python.depth = 1;
        }
        value
    }

    fn json(&mut self) -> Result<Value, Stop> {
        match json(self.python.cursor.rest()) {
            LenientReading::Value { value, len, repairs } => {
                self.python.cursor.at += len;
                repairs
                    .into_iter()
                    .filter(|&repair| !is_python(repair))
                    .for_each(|repair| self.python.cursor.note(repair));
                Ok(value)
            }
            LenientReading::Open => Err(Stop::Open),
            LenientReading::No => Err(Stop::No),
        }
    }
}

/// What is a repair in JSON, and needs none between these parentheses.
fn is_python(repair: Repair) -> bool {
    matches!(repair, Repair::SingleQuotes | Repair::PythonWords)
}
