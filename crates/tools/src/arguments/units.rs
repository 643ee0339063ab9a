//! What values mean that came with other agents' names: lines counted from 0, milliseconds, a first and a last line, a
//! command as a list of words.

use super::names::{plain, quoted};
use super::reading::contradiction;
use super::refusals::is_empty;
use super::{Form, Kind, Notes, Parameter, shell, values};
use agent_protocol::{Failure, FailureKind};
use serde_json::{Map, Value};

/// From so many on, seconds of a timeout are taken for milliseconds without a second look: nobody waits three hours.
const SURELY_MILLISECONDS: i64 = 10_000;

/// Names of other agents whose values count in `unit`.
#[derive(Debug)]
pub(crate) struct Foreign {
    /// In lower case without underscores, blanks between them.
    pub(crate) names: &'static str,
    pub(crate) unit: Unit,
}

/// Another unit, with the parameter of ours that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Thousandths of a second, for seconds.
    Milliseconds(&'static str),
    Minutes(&'static str),
    /// Seconds, for thousandths of one.
    Seconds(&'static str),
    /// A line, the first being 0.
    LineFromZero(&'static str),
    /// The last line wanted, for how many from `first` on; `from` is the number of the first line there is.
    LastLine {
        first: &'static str,
        count: &'static str,
        from: i64,
    },
    /// First and last line.
    Range {
        first: &'static str,
        count: &'static str,
    },
    /// Yes means no.
    Opposite(&'static str),
    /// When it says this, the parameter is meant letter by letter and is no regular expression.
    Literal(&'static str, bool),
    /// A list of lines for the shell.
    Lines(&'static str),
    /// Words that stand behind a line for the shell.
    Words(&'static str),
}

/// How a parameter of our own name is often meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Lines count from 1; from 0 where an argument of this name stands beside.
    FirstLine { from_zero_beside: &'static str },
    /// Below 0 means no limit.
    Limit,
    /// Seconds, at most so many; large round numbers are milliseconds.
    Seconds { at_most: i64 },
    /// Thousandths of a second, at most so many; less than one second of them is meant in seconds.
    Milliseconds { at_most: i64 },
    /// For the shell; another language beside it is refused.
    Shell,
}

impl Unit {
    pub(super) fn needs_another(self) -> bool {
        matches!(self, Unit::LastLine { .. } | Unit::Literal(..) | Unit::Words(_))
    }
}

/// Puts what came as `given` among `values`, in our unit. What we were given by our own name wins.
pub(super) fn convert(
    form: &'static Form,
    unit: Unit,
    given: (&str, &Value),
    values: &mut Map<String, Value>,
    notes: &mut Notes,
) -> Result<(), Failure> {
    let (key, value) = (quoted(given.0), given.1);
    let (name, (new, note)) = match unit {
        Unit::Milliseconds(name) => (name, seconds(form, name, value, 1, 1000)?),
        Unit::Minutes(name) => (name, seconds(form, name, value, 60, 1)?),
        Unit::Seconds(name) => (name, milliseconds(form, name, value)?),
        Unit::LineFromZero(name) => (name, from_zero(form, name, value)?),
        Unit::Opposite(name) => (name, opposite(form, name, value)?),
        Unit::Lines(name) => return lines(form, name, given, values, notes),
        Unit::Words(name) => return words(form, name, given, values, notes),
        Unit::LastLine { first, count, from } => match last_line(form, (first, count, from), value, values)? {
            Some(found) => (count, found),
            None => return Ok(()),
        },
        Unit::Range { first, count } => return range(form, (first, count), (&key, value), values, notes),
        Unit::Literal(name, meant) => {
            if values::flag(value) == Some(meant)
                && let Some(Value::String(pattern)) = values.get(name)
            {
                notes.value(format!("{name} is searched for letter by letter, as {key} says"));
                values.insert(name.into(), escaped(pattern).into());
            }
            return Ok(());
        }
    };
    if values.contains_key(name) {
        notes.value(format!("{key} was left out, as {name} is given"));
    } else {
        notes.value(format!("{key} {}", note));
        values.insert(name.into(), new);
    }
    Ok(())
}

/// Is `value` in our unit all the same? Nobody waits less than a second for a command: what would be so is in seconds.
pub(super) fn are_ours(unit: Unit, value: &Value) -> bool {
    matches!(unit, Unit::Milliseconds(_)) && values::signed(value).is_some_and(|given| (1..1000).contains(&given))
}

type Converted = (Value, String);

fn whole(form: &'static Form, name: &str, value: &Value) -> Result<i64, Failure> {
    values::signed(value).ok_or_else(|| form.wrong(name))
}

fn seconds(form: &'static Form, name: &str, value: &Value, times: i64, parts: i64) -> Result<Converted, Failure> {
    let given = whole(form, name, value)?.max(0);
    let seconds = given.saturating_mul(times).saturating_add(parts - 1) / parts;
    Ok((capped(form, name, seconds).into(), format!("{given} was read as {name} {} s", capped(form, name, seconds))))
}

/// As many seconds as there may be.
fn capped(form: &'static Form, name: &str, seconds: i64) -> i64 {
    form.habits.iter().fold(seconds, |seconds, (of, habit)| match habit {
        Habit::Seconds { at_most } if *of == name => seconds.min(*at_most),
        Habit::Seconds { .. } | Habit::Milliseconds { .. } | Habit::FirstLine { .. } | Habit::Limit | Habit::Shell => {
            seconds
        }
    })
}

fn milliseconds(form: &'static Form, name: &str, value: &Value) -> Result<Converted, Failure> {
    let given = whole(form, name, value)?.max(0);
    Ok((given.saturating_mul(1000).into(), format!("{given} was read as {name} {given} s")))
}

fn from_zero(form: &'static Form, name: &str, value: &Value) -> Result<Converted, Failure> {
    let given = whole(form, name, value)?.max(0);
    let line = given.saturating_add(1);
    Ok((line.into(), format!("{given} was read as line {line}")))
}

fn opposite(form: &'static Form, name: &str, value: &Value) -> Result<Converted, Failure> {
    let given = values::flag(value).ok_or_else(|| form.wrong(name))?;
    Ok((Value::Bool(!given), format!("{given} was read as {name} {}", !given)))
}

/// How many lines there are from the first wanted to this last one; `None`: all.
fn last_line(
    form: &'static Form,
    (first, count, from): (&str, &str, i64),
    value: &Value,
    values: &Map<String, Value>,
) -> Result<Option<Converted>, Failure> {
    let given = whole(form, count, value)?;
    if given < 0 {
        return Ok(None);
    }
    let last = given.saturating_add(1 - from);
    let begin = match values.get(first) {
        Some(value) => whole(form, first, value)?.max(1),
        None => 1,
    };
    if last < begin {
        return Err(backwards(form, begin, last));
    }
    Ok(Some(((last - begin + 1).into(), format!("{given} was read as {count} {}", last - begin + 1))))
}

fn backwards(form: &'static Form, first: i64, last: i64) -> Failure {
    let message = format!("{}: line {last} is before line {first}; the first line comes first", form.tool);
    Failure::new(FailureKind::InvalidArguments, message)
}

/// `[10, 20]`, `"[10, 20]"` or `"10-20"`; a last line below 0 is the end.
fn range(
    form: &'static Form,
    (first, count): (&'static str, &'static str),
    (key, value): (&str, &Value),
    values: &mut Map<String, Value>,
    notes: &mut Notes,
) -> Result<(), Failure> {
    let (begin, last) = ends(value).ok_or_else(|| {
        let message = format!("{} {key} cannot be read; give {first} and {count} instead", form.tool);
        Failure::new(FailureKind::InvalidArguments, message)
    })?;
    if values.contains_key(first) || values.contains_key(count) {
        notes.value(format!("{key} was left out, as {first} or {count} is given"));
        return Ok(());
    }
    let begin = begin.max(1);
    values.insert(first.into(), begin.into());
    if last < 0 {
        notes.value(format!("{key} was read as {first} {begin}"));
        return Ok(());
    }
    if last < begin {
        return Err(backwards(form, begin, last));
    }
    values.insert(count.into(), (last - begin + 1).into());
    notes.value(format!("{key} {begin} to {last} was read as {first} {begin}, {count} {}", last - begin + 1));
    Ok(())
}

fn ends(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Array(list) => match list.as_slice() {
            [first, last] => Some((values::signed(first)?, values::signed(last)?)),
            [first] => Some((values::signed(first)?, -1)),
            _ => None,
        },
        Value::String(text) => match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) => ends(&list),
            Ok(_) | Err(_) => {
                let (first, last) = text.split_once(['-', ':', ','])?;
                Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// Lines beside another line would be one too many.
fn lines(
    form: &'static Form,
    name: &'static str,
    given: (&str, &Value),
    values: &mut Map<String, Value>,
    notes: &mut Notes,
) -> Result<(), Failure> {
    if is_empty(given.1) {
        return Ok(());
    }
    let (line, note) = shell::lines(form, name, given)?;
    match values.get(name) {
        Some(Value::String(there)) if *there == line => {}
        Some(_) => return Err(contradiction(form, name, name, given.0)),
        None => {
            notes.value(format!("{} {note}", quoted(given.0)));
            values.insert(name.into(), line.into());
        }
    }
    Ok(())
}

fn words(
    form: &'static Form,
    name: &'static str,
    given: (&str, &Value),
    values: &mut Map<String, Value>,
    notes: &mut Notes,
) -> Result<(), Failure> {
    if is_empty(given.1) {
        return Ok(());
    }
    let line = values.get(name).and_then(values::text).ok_or_else(|| form.wrong(name))?;
    let (line, note) = shell::extended(form, name, &line, given)?;
    notes.value(format!("{} {note}", quoted(given.0)));
    values.insert(name.into(), line.into());
    Ok(())
}

/// Brings a value that came by our own name, or another, to what is meant by it.
pub(super) fn settle(
    form: &'static Form,
    name: &'static str,
    habit: Habit,
    given: &[(&String, &Value)],
    values: &mut Map<String, Value>,
    notes: &mut Notes,
) -> Result<(), Failure> {
    let Some(value) = values.get(name) else { return Ok(()) };
    let number = values::signed(value);
    match (habit, number) {
        (Habit::FirstLine { from_zero_beside }, Some(line)) if line >= 0 => {
            let beside = given.iter().find(|(key, _)| plain(key) == from_zero_beside);
            if let Some((key, _)) = beside {
                notes.value(format!(
                    "{name} {line} beside {} counts from 0 and was read as line {}",
                    quoted(key),
                    line + 1
                ));
                values.insert(name.into(), (line + 1).into());
            } else if line == 0 {
                notes.value(format!("{name} 0 was read as line 1"));
                values.insert(name.into(), 1.into());
            }
        }
        (Habit::Limit, Some(limit)) if limit < 0 => {
            notes.value(format!("{name} {limit} was read as no limit"));
            values.remove(name);
        }
        (Habit::Seconds { at_most }, Some(given)) if given > at_most => {
            let (seconds, note) = long_wait(name, given, at_most);
            notes.value(note);
            values.insert(name.into(), seconds.into());
        }
        (Habit::Milliseconds { .. }, Some(given @ 1..1000)) => {
            notes.value(format!("{name} {given} was read as seconds: milliseconds would be less than one"));
            values.insert(name.into(), (given * 1000).into());
        }
        (Habit::Milliseconds { at_most }, Some(given)) if given > at_most => {
            notes.value(format!("{name} {given} ms was cut to {at_most} ms, the most there is"));
            values.insert(name.into(), at_most.into());
        }
        (Habit::Shell, _) => return only_shell(form, name, given),
        (Habit::FirstLine { .. } | Habit::Limit | Habit::Seconds { .. } | Habit::Milliseconds { .. }, _) => {}
    }
    Ok(())
}

/// More seconds than there may be: thousands are milliseconds, as with most other agents.
fn long_wait(name: &str, given: i64, at_most: i64) -> (i64, String) {
    let milliseconds = given >= SURELY_MILLISECONDS || (given >= 1000 && given % 1000 == 0);
    let seconds = if milliseconds { given.saturating_add(999) / 1000 } else { given };
    match (milliseconds, seconds > at_most) {
        (true, false) => (seconds, format!("{name} {given} was read as milliseconds: {seconds} s")),
        (true, true) => {
            (at_most, format!("{name} {given} was read as milliseconds and cut to {at_most} s, the most there is"))
        }
        (false, _) => (at_most, format!("{name} {given} s was cut to {at_most} s, the most there is")),
    }
}

/// Code in another language is no line for the shell, which would make something else of it.
fn only_shell(form: &'static Form, name: &str, given: &[(&String, &Value)]) -> Result<(), Failure> {
    let language = given.iter().find(|(key, _)| ["language", "lang", "interpreter"].contains(&plain(key).as_str()));
    let Some(language) = language.and_then(|(_, value)| value.as_str()) else { return Ok(()) };
    if ["", "sh", "bash", "zsh", "dash", "shell", "console", "terminal"].contains(&plain(language).as_str()) {
        return Ok(());
    }
    let language: String = language.chars().take(20).collect();
    let message = format!(
        "{} takes a line for the shell, not {language}; write the code to a file and give the command that runs it \
         as `{name}`",
        form.tool
    );
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

/// `value` in the shape of its kind, with a note, where it has another.
pub(super) fn shaped(form: &'static Form, parameter: &Parameter, value: &Value) -> Result<Option<Converted>, Failure> {
    let name = parameter.name;
    Ok(match (parameter.kind, value) {
        (Kind::Line, Value::Array(_) | Value::String(_)) => {
            shell::line(form, name, value)?.map(|(line, note)| (line.into(), note))
        }
        (Kind::Body, Value::Object(_)) => serde_json::to_string_pretty(value)
            .ok()
            .map(|text| (format!("{text}\n").into(), format!("{name} was given as JSON and is written as its text"))),
        (Kind::Text, Value::Array(list)) => match list.as_slice() {
            [Value::String(only)] => Some((only.clone().into(), format!("the one entry of {name} was taken"))),
            _ => None,
        },
        (Kind::Text | Kind::Body | Kind::Line, Value::Number(number)) if number.is_f64() => {
            Some((number.to_string().into(), format!("{name} was given as a number; it is read as {number}")))
        }
        (Kind::Texts | Kind::Items(_), Value::String(text)) => match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) => Some((list, format!("the text of {name} was read as a list"))),
            Ok(_) | Err(_) => None,
        },
        (Kind::Items(_), Value::Object(_)) => {
            Some((Value::Array(vec![value.clone()]), format!("{name} was read as a list of one")))
        }
        (_, _) => None,
    })
}

/// A regular expression that finds `text` and nothing else.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut pattern, c| {
        if "\\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
        pattern
    })
}
