//! Arguments that a tool does not have and that must not be left out: without them the call would do something else.

use super::names::{plain, quoted};
use super::{Form, values};
use agent_protocol::{Failure, FailureKind};
use serde_json::Value;

/// Arguments that mean the same, none of which the tool has.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// In lower case without underscores, blanks between them.
    pub(crate) names: &'static str,
    pub(crate) when: When,
    /// What the tool does, and what to do instead.
    pub(crate) advice: &'static str,
}

/// Which values change what the call means. Words are parted by blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Any that says something; 0 does.
    Given,
    /// Any but no, none and 0.
    Yes,
    No,
    /// Words that begin like one of `refused`; those of up to two letters are meant whole. `usual` is what happens anyway.
    Says {
        refused: &'static str,
        usual: &'static str,
    },
    /// Everything else than what happens anyway.
    Unless(&'static str),
    /// Any other than `usual`, where something else is given for the parameter.
    Beside {
        parameter: &'static str,
        usual: &'static str,
    },
}

/// What an argument that the tool does not have is to the call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Weighed {
    /// It asks for what happens anyway.
    Same,
    /// Nothing is known of it.
    Unknown,
}

/// Weighs the argument `key`, which is called `name` in the table of refusals.
pub(super) fn weigh(
    form: &'static Form,
    name: &str,
    (key, value): (&str, &Value),
    given: &[(&String, &Value)],
) -> Result<Weighed, Failure> {
    let Some(refusal) = form.refused.iter().find(|refusal| named(refusal).any(|known| known == name)) else {
        return Ok(Weighed::Unknown);
    };
    let word = values::text(value).map(|text| plain(&text));
    let is_one_of =
        |words: &str| word.as_deref().is_some_and(|word| words.split_whitespace().any(|known| known == word));
    let begins = |start: &str| word.as_deref().is_some_and(|word| begins(word, start));
    let (changes, otherwise) = match refusal.when {
        When::Given => (says_something(value), Weighed::Same),
        When::Yes => (says_something(value) && values::flag(value) != Some(false), Weighed::Same),
        When::No => (!is_empty(value) && values::flag(value) == Some(false), Weighed::Same),
        When::Unless(usual) => (says_something(value) && !is_one_of(usual), Weighed::Same),
        When::Says { refused, usual } if !is_one_of(usual) => {
            (refused.split_whitespace().any(begins), Weighed::Unknown)
        }
        When::Beside { parameter, usual } if is_beside(form, parameter, (key, value), given) => {
            (says_something(value) && !is_one_of(usual), Weighed::Same)
        }
        When::Says { .. } => (false, Weighed::Same),
        When::Beside { .. } => (false, Weighed::Unknown),
    };
    if changes { Err(refused(key, refusal)) } else { Ok(otherwise) }
}

/// All names in the table of `form`.
pub(super) fn names(form: &'static Form) -> impl Iterator<Item = &'static str> {
    form.refused.iter().flat_map(named)
}

fn named(refusal: &'static Refusal) -> impl Iterator<Item = &'static str> {
    refusal.names.split_whitespace()
}

fn refused(key: &str, refusal: &Refusal) -> Failure {
    let key = quoted(key);
    Failure::new(FailureKind::InvalidArguments, format!("{key} is not possible here: {}", refusal.advice))
}

fn begins(word: &str, start: &str) -> bool {
    if start.len() <= 2 { word == start } else { word.starts_with(start) }
}

fn says_something(value: &Value) -> bool {
    !is_empty(value) && *value != Value::Bool(false)
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Is something else than `key` given for `parameter`, and says another thing?
fn is_beside(form: &'static Form, parameter: &str, (key, value): (&str, &Value), given: &[(&String, &Value)]) -> bool {
    given.iter().any(|(other, said)| {
        other.as_str() != key
            && says_something(said)
            && *said != value
            && form.stands_for(&plain(other)).is_some_and(|name| name == parameter)
    })
}
