//! Texts: parts, search, joining. Places in texts count characters from 1.

use super::{Answer, Function, MANY};
use crate::error::CellError;
use crate::eval::Arguments;
use crate::format::Format;
use crate::input;
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "CONCAT", fewest: 1, most: MANY, help: "all values joined", run: concat },
    Function { name: "EXACT", fewest: 2, most: 2, help: "whether texts are equal, case included", run: |a| Ok(Value::Bool(a.text(0)? == a.text(1)?)) },
    Function { name: "FIND", fewest: 2, most: 3, help: "the place of a text in another one, case included", run: |a| search(a, str::to_string) },
    Function { name: "LEFT", fewest: 1, most: 2, help: "the first characters", run: left },
    Function { name: "LEN", fewest: 1, most: 1, help: "how many characters", run: |a| Ok(Value::Number(a.text(0)?.chars().count() as f64)) },
    Function { name: "LOWER", fewest: 1, most: 1, help: "in small letters", run: |a| Ok(Value::Text(a.text(0)?.to_lowercase())) },
    Function { name: "MID", fewest: 3, most: 3, help: "characters from a place on", run: mid },
    Function { name: "PROPER", fewest: 1, most: 1, help: "Each Word With A Capital", run: |a| Ok(Value::Text(proper(&a.text(0)?))) },
    Function { name: "REPLACE", fewest: 4, most: 4, help: "another text at a place", run: replace },
    Function { name: "REPT", fewest: 2, most: 2, help: "a text several times", run: repeat },
    Function { name: "RIGHT", fewest: 1, most: 2, help: "the last characters", run: right },
    Function { name: "SEARCH", fewest: 2, most: 3, help: "the place of a text in another one, in any case", run: |a| search(a, str::to_lowercase) },
    Function { name: "SUBSTITUTE", fewest: 3, most: 4, help: "one text in place of another", run: substitute },
    Function { name: "TEXT", fewest: 2, most: 2, help: "a value in a format", run: formatted },
    Function { name: "TEXTJOIN", fewest: 3, most: MANY, help: "values joined with something between", run: join },
    Function { name: "TRIM", fewest: 1, most: 1, help: "without needless blanks", run: |a| Ok(Value::Text(a.text(0)?.split_whitespace().collect::<Vec<_>>().join(" "))) },
    Function { name: "UPPER", fewest: 1, most: 1, help: "in capitals", run: |a| Ok(Value::Text(a.text(0)?.to_uppercase())) },
    Function { name: "VALUE", fewest: 1, most: 1, help: "the number a text stands for", run: value },
];

/// Texts longer than this are refused.
const LONGEST: usize = 32_767;

/// A count or place that must not be negative.
fn length(number: i64) -> Result<usize, CellError> {
    usize::try_from(number).map_err(|_| CellError::Value)
}

/// A place that counts from 1, as one from 0.
fn place(number: i64) -> Result<usize, CellError> {
    length(number - 1)
}

fn limited(text: String) -> Answer {
    if text.chars().count() > LONGEST {
        return Err(CellError::Value);
    }
    Ok(Value::Text(text))
}

fn concat(arguments: &Arguments) -> Answer {
    let mut joined = String::new();
    for value in arguments.values(0) {
        joined.push_str(&value.to_text()?);
    }
    limited(joined)
}

fn left(arguments: &Arguments) -> Answer {
    let count = length(arguments.whole_or(1, 1)?)?;
    Ok(Value::Text(arguments.text(0)?.chars().take(count).collect()))
}

fn right(arguments: &Arguments) -> Answer {
    let text = arguments.text(0)?;
    let count = length(arguments.whole_or(1, 1)?)?;
    let skipped = text.chars().count().saturating_sub(count);
    Ok(Value::Text(text.chars().skip(skipped).collect()))
}

fn mid(arguments: &Arguments) -> Answer {
    let (start, count) = (place(arguments.whole(1)?)?, length(arguments.whole(2)?)?);
    Ok(Value::Text(arguments.text(0)?.chars().skip(start).take(count).collect()))
}

fn replace(arguments: &Arguments) -> Answer {
    let text = arguments.text(0)?;
    let (start, count) = (place(arguments.whole(1)?)?, length(arguments.whole(2)?)?);
    let before: String = text.chars().take(start).collect();
    let after: String = text.chars().skip(start.saturating_add(count)).collect();
    limited(before + &arguments.text(3)? + &after)
}

fn repeat(arguments: &Arguments) -> Answer {
    let text = arguments.text(0)?;
    let times = length(arguments.whole(1)?)?;
    if text.chars().count().saturating_mul(times) > LONGEST {
        return Err(CellError::Value);
    }
    Ok(Value::Text(text.repeat(times)))
}

/// A capital after everything that is no letter.
fn proper(text: &str) -> String {
    let mut inside = false;
    let mut result = String::new();
    for letter in text.chars() {
        if inside {
            result.extend(letter.to_lowercase());
        } else {
            result.extend(letter.to_uppercase());
        }
        inside = letter.is_alphabetic();
    }
    result
}

/// The place of the first argument in the second, from the third on.
fn search(arguments: &Arguments, fold: fn(&str) -> String) -> Answer {
    let wanted: Vec<char> = fold(&arguments.text(0)?).chars().collect();
    let text: Vec<char> = fold(&arguments.text(1)?).chars().collect();
    let start = place(arguments.whole_or(2, 1)?)?;
    let last = text.len().checked_sub(wanted.len()).ok_or(CellError::Value)?;
    let found = (start..=last).find(|at| text[*at..].starts_with(&wanted));
    found.map(|at| Value::Number((at + 1) as f64)).ok_or(CellError::Value)
}

fn substitute(arguments: &Arguments) -> Answer {
    let (text, old, new) = (arguments.text(0)?, arguments.text(1)?, arguments.text(2)?);
    if old.is_empty() {
        return Ok(Value::Text(text));
    }
    if arguments.count() < 4 {
        return limited(text.replace(&old, &new));
    }
    let which = place(arguments.whole(3)?)?;
    match text.match_indices(&old).nth(which) {
        Some((at, _)) => limited(format!("{}{new}{}", &text[..at], &text[at + old.len()..])),
        None => Ok(Value::Text(text)),
    }
}

fn formatted(arguments: &Arguments) -> Answer {
    let value = arguments.value(0);
    if let Some(error) = value.error() {
        return Err(error);
    }
    let format = Format::parse(&arguments.text(1)?).map_err(|_| CellError::Value)?;
    Ok(Value::Text(format.show(&value, arguments.settings)))
}

/// Separator, whether empty ones are left out, values.
fn join(arguments: &Arguments) -> Answer {
    let separator = arguments.text(0)?;
    let skip_empty = arguments.truth_or(1, true)?;
    let mut parts = Vec::new();
    for value in arguments.values(2) {
        let text = value.to_text()?;
        if !(skip_empty && text.is_empty()) {
            parts.push(text);
        }
    }
    limited(parts.join(&separator))
}

/// Reads a text as if it were typed into a cell.
fn value(arguments: &Arguments) -> Answer {
    match arguments.value(0) {
        Value::Text(text) => match input::literal(&text, arguments.settings).value {
            Value::Number(number) => Ok(Value::Number(number)),
            Value::Empty | Value::Text(_) | Value::Bool(_) | Value::Error(_) => Err(CellError::Value),
        },
        other => Ok(Value::Number(other.to_number()?)),
    }
}
