//! What values mean that came with other agents' names: lines counted from 0, milliseconds, a first and a last line, a
//! command as a list of words.

use super::names::{plain, quoted};
use super::reading::ArgumentReading;
use super::refusals::is_empty;
use super::{Kind, Parameter, shell, values};
use agent_protocol::Failure;
use serde_json::Value;

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

/// Is `value` in our unit all the same? Nobody waits less than a second for a command: what would be so is in seconds.
pub(super) fn are_ours(unit: Unit, value: &Value) -> bool {
    matches!(unit, Unit::Milliseconds(_)) && values::signed(value).is_some_and(|given| (1..1000).contains(&given))
}

/// A value in our unit, and what is said of it.
type Converted = (Value, String);

impl ArgumentReading {
    /// Puts what came as `key` among the values, in our unit. What came by our own name wins.
    pub(super) fn convert(&mut self, unit: Unit, key: &str, value: &Value) -> Result<(), Failure> {
        let (name, (new, note)) = match unit {
            Unit::Milliseconds(name) => (name, self.seconds(name, value, 1, 1000)?),
            Unit::Minutes(name) => (name, self.seconds(name, value, 60, 1)?),
            Unit::Seconds(name) => {
                let given = self.whole(name, value)?.max(0);
                (name, (given.saturating_mul(1000).into(), format!("{given} was read as {name} {given} s")))
            }
            Unit::LineFromZero(name) => {
                let given = self.whole(name, value)?.max(0);
                let line = given.saturating_add(1);
                (name, (line.into(), format!("{given} was read as line {line}")))
            }
            Unit::Opposite(name) => {
                let given = values::flag(value).ok_or_else(|| self.form.wrong(name))?;
                (name, (Value::Bool(!given), format!("{given} was read as {name} {}", !given)))
            }
            Unit::LastLine { first, count, from } => match self.last_line(first, count, from, value)? {
                Some(found) => (count, found),
                None => return Ok(()),
            },
            Unit::Lines(name) => return self.lines(name, key, value),
            Unit::Words(name) => return self.words(name, key, value),
            Unit::Range { first, count } => return self.range(first, count, key, value),
            Unit::Literal(name, meant) => {
                self.literal(name, meant, key, value);
                return Ok(());
            }
        };
        let key = quoted(key);
        if self.values.contains_key(name) {
            self.notes.value(format!("{key} was left out, as {name} is given"));
        } else {
            self.notes.value(format!("{key} {note}"));
            self.values.insert(name.into(), new);
        }
        Ok(())
    }

    fn whole(&self, name: &str, value: &Value) -> Result<i64, Failure> {
        values::signed(value).ok_or_else(|| self.form.wrong(name))
    }

    /// Seconds, as many as there may be at most.
    fn seconds(&self, name: &str, value: &Value, times: i64, parts: i64) -> Result<Converted, Failure> {
        let given = self.whole(name, value)?.max(0);
        let mut seconds = given.saturating_mul(times).saturating_add(parts - 1) / parts;
        for (of, habit) in self.form.habits {
            if let (true, Habit::Seconds { at_most }) = (*of == name, habit) {
                seconds = seconds.min(*at_most);
            }
        }
        Ok((seconds.into(), format!("{given} was read as {name} {seconds} s")))
    }

    /// How many lines there are from the first wanted to this last one; `None`: all.
    fn last_line(&self, first: &str, count: &str, from: i64, value: &Value) -> Result<Option<Converted>, Failure> {
        let given = self.whole(count, value)?;
        if given < 0 {
            return Ok(None);
        }
        let begin = self.values.get(first).map_or(Ok(1), |value| self.whole(first, value))?.max(1);
        let lines = self.lines_between(begin, given.saturating_add(1 - from))?;
        Ok(Some((lines.into(), format!("{given} was read as {count} {lines}"))))
    }

    fn lines_between(&self, first: i64, last: i64) -> Result<i64, Failure> {
        if last < first {
            return Err(self.form.invalid(&format!("line {last} is before line {first}; the first line comes first")));
        }
        Ok(last - first + 1)
    }

    /// `[10, 20]`, `"[10, 20]"` or `"10-20"`; a last line below 0 is the end.
    fn range(&mut self, first: &'static str, count: &'static str, key: &str, value: &Value) -> Result<(), Failure> {
        let key = quoted(key);
        let Some((begin, last)) = ends(value) else {
            return Err(self.form.invalid_plainly(&format!("{key} cannot be read; give {first} and {count} instead")));
        };
        if self.values.contains_key(first) || self.values.contains_key(count) {
            self.notes.value(format!("{key} was left out, as {first} or {count} is given"));
            return Ok(());
        }
        let begin = begin.max(1);
        self.values.insert(first.into(), begin.into());
        if last < 0 {
            self.notes.value(format!("{key} was read as {first} {begin}"));
            return Ok(());
        }
        let lines = self.lines_between(begin, last)?;
        self.values.insert(count.into(), lines.into());
        self.notes.value(format!("{key} {begin} to {last} was read as {first} {begin}, {count} {lines}"));
        Ok(())
    }

    /// Where `value` says so, the pattern `name` is no regular expression.
    fn literal(&mut self, name: &str, meant: bool, key: &str, value: &Value) {
        if values::flag(value) == Some(meant)
            && let Some(Value::String(pattern)) = self.values.get(name)
        {
            let pattern = escaped(pattern);
            self.notes.value(format!("{name} is searched for letter by letter, as {} says", quoted(key)));
            self.values.insert(name.into(), pattern.into());
        }
    }

    /// Lines beside another line would be one too many.
    fn lines(&mut self, name: &'static str, key: &str, value: &Value) -> Result<(), Failure> {
        if is_empty(value) {
            return Ok(());
        }
        let (line, note) = shell::lines(self.form, name, (key, value))?;
        match self.values.get(name) {
            Some(Value::String(there)) if *there == line => {}
            Some(_) => return Err(self.contradiction(name, name, key)),
            None => {
                self.notes.value(format!("{} {note}", quoted(key)));
                self.values.insert(name.into(), line.into());
            }
        }
        Ok(())
    }

    fn words(&mut self, name: &'static str, key: &str, value: &Value) -> Result<(), Failure> {
        if is_empty(value) {
            return Ok(());
        }
        let line = self.values.get(name).and_then(values::text).ok_or_else(|| self.form.wrong(name))?;
        let (line, note) = shell::extended(self.form, name, &line, (key, value))?;
        self.notes.value(format!("{} {note}", quoted(key)));
        self.values.insert(name.into(), line.into());
        Ok(())
    }

    /// Brings a value that came by our own name, or another, to what is meant by it.
    pub(super) fn settle(
        &mut self,
        name: &'static str,
        habit: Habit,
        given: &[(&String, &Value)],
    ) -> Result<(), Failure> {
        let Some(value) = self.values.get(name) else { return Ok(()) };
        let (new, note) = match (habit, values::signed(value)) {
            (Habit::FirstLine { from_zero_beside }, Some(line)) if line >= 0 => {
                let beside = given.iter().find(|(key, _)| plain(key) == from_zero_beside);
                match beside {
                    Some((key, _)) => {
                        let (key, next) = (quoted(key), line + 1);
                        (Some(next), format!("{name} {line} beside {key} counts from 0 and was read as line {next}"))
                    }
                    None if line == 0 => (Some(1), format!("{name} 0 was read as line 1")),
                    None => return Ok(()),
                }
            }
            (Habit::Limit, Some(limit)) if limit < 0 => (None, format!("{name} {limit} was read as no limit")),
            (Habit::Seconds { at_most }, Some(given)) if given > at_most => {
                let (seconds, note) = long_wait(name, given, at_most);
                (Some(seconds), note)
            }
            (Habit::Milliseconds { .. }, Some(given @ 1..1000)) => {
                let note = format!("{name} {given} was read as seconds: milliseconds would be less than one");
                (Some(given * 1000), note)
            }
            (Habit::Milliseconds { at_most }, Some(given)) if given > at_most => {
                (Some(at_most), format!("{name} {given} ms was cut to {at_most} ms, the most there is"))
            }
            (Habit::Shell, _) => return self.only_shell(name, given),
            (Habit::FirstLine { .. } | Habit::Limit | Habit::Seconds { .. } | Habit::Milliseconds { .. }, _) => {
                return Ok(());
            }
        };
        self.notes.value(note);
        match new {
            Some(new) => drop(self.values.insert(name.into(), new.into())),
            None => drop(self.values.remove(name)),
        }
        Ok(())
    }

    /// Code in another language is no line for the shell, which would make something else of it.
    fn only_shell(&self, name: &str, given: &[(&String, &Value)]) -> Result<(), Failure> {
        let language = given.iter().find(|(key, _)| ["language", "lang", "interpreter"].contains(&plain(key).as_str()));
        let Some(language) = language.and_then(|(_, value)| value.as_str()) else { return Ok(()) };
        if ["", "sh", "bash", "zsh", "dash", "shell", "console", "terminal"].contains(&plain(language).as_str()) {
            return Ok(());
        }
        let language: String = language.chars().take(20).collect();
        Err(self.form.invalid_plainly(&format!(
            "takes a line for the shell, not {language}; write the code to a file and give the command that runs it as \
             `{name}`"
        )))
    }

    /// Brings values into the shape of their kind: a list of one is that one, JSON for a file is its text.
    pub(super) fn shape(&mut self) -> Result<(), Failure> {
        for parameter in self.form.parameters {
            let Some(value) = self.values.get(parameter.name) else { continue };
            if let Some((shaped, note)) = self.shaped(parameter, value)? {
                self.values.insert(parameter.name.into(), shaped);
                self.notes.value(note);
            }
        }
        Ok(())
    }

    /// `value` in the shape of its kind, with a note, where it has another.
    fn shaped(&self, parameter: &Parameter, value: &Value) -> Result<Option<Converted>, Failure> {
        let name = parameter.name;
        Ok(match (parameter.kind, value) {
            (Kind::Line, Value::Array(_) | Value::String(_)) => {
                shell::line(self.form, name, value)?.map(|(line, note)| (line.into(), note))
            }
            (Kind::Body, Value::Object(_)) => serde_json::to_string_pretty(value).ok().map(|text| {
                (format!("{text}\n").into(), format!("{name} was given as JSON and is written as its text"))
            }),
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
