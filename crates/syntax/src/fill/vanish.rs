//! What would be gone where a text takes the place of another.

use super::Pair;
use super::pairs::{Pairs, is_same};
use super::parts::{Parsed, Part};
use super::style::{Style, plain};
use crate::Language;
use std::collections::HashSet;

/// Definitions that a text has no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vanishing {
    /// Their names, outermost only: what stands in a class that goes is not named by itself.
    pub names: Vec<String>,
    /// So many go, with those inside of others.
    pub gone: usize,
    pub of: usize,
    /// Are they functions, all of them? Then only functions are counted.
    pub are_functions: bool,
}

impl Vanishing {
    /// `3 of 14 functions`.
    pub fn counted(&self) -> String {
        format!("{} of {} {}", self.gone, self.of, if self.are_functions { "functions" } else { "definitions" })
    }

    /// Their names, the first few of them.
    pub fn named(&self) -> String {
        super::names(&self.names)
    }
}

/// The definitions of `before` that are gone where `text` takes its place. One that has only another name, or belongs to another
/// type, counts as there.
/// `None` where none is gone, or one of the texts cannot be read by a grammar.
pub fn vanishing(path: &str, before: &str, text: &str) -> Option<Vanishing> {
    let language = Language::of(path, before)?;
    let style = Style::of(before);
    let (old, new) = (plain(before), style.fitted(&plain(text)));
    let pair = Pair {
        path,
        language: Some(language),
        before: Parsed::of(path, Some(language), &old),
        answer: Parsed::of(path, Some(language), &new),
    };
    let is_read = |parsed: &Parsed| parsed.by_tree && parsed.fault.is_none();
    if !is_read(&pair.before) || !(is_read(&pair.answer) || new.trim().is_empty()) {
        return None;
    }
    let pairs = Pairs::of(&pair.before, &pair.answer);
    let mut new_ones = pairs.new_ones(&pair.answer);
    let unpaired =
        pair.answer.parts.iter().zip(&pairs.of_answer).filter(|(_, old)| old.is_none()).map(|(part, _)| part);
    let names: HashSet<(&str, bool)> = unpaired.map(|part| (part.name.as_str(), part.kind.is_function())).collect();
    let mut is_there = |old: &&Part| {
        let place = new_ones.iter().position(|new| is_same(&pair, old, new));
        place.map(|place| new_ones.remove(place)).is_some() || names.contains(&(&*old.name, old.kind.is_function()))
    };
    let (_, gone): (Vec<_>, Vec<_>) = pairs.missing(&pair.before).into_iter().partition(|old| is_there(old));
    let inside = |part: &Part| gone.iter().any(|gone| gone.start <= part.start && part.end <= gone.end);
    let are_functions = gone.iter().all(|part| part.kind.is_function());
    let counted =
        || pair.before.parts.iter().filter(|part| part.counts() && (!are_functions || part.kind.is_function()));
    let names = gone.iter().map(|part| part.said()).collect();
    let vanishing =
        Vanishing { names, gone: counted().filter(|part| inside(part)).count(), of: counted().count(), are_functions };
    (!gone.is_empty()).then_some(vanishing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &str = "class A:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n\n\ndef c():\n    return 3\n";

    fn told(before: &str, text: &str) -> Option<(String, String)> {
        vanishing("a.py", before, text).map(|gone| (gone.counted(), gone.named()))
    }

    #[test]
    fn what_is_gone_is_counted_and_named() {
        let told = |text: &str| told(CLASS, text);
        let said = |counted: &str, named: &str| Some((counted.to_owned(), named.to_owned()));
        assert_eq!(told(&CLASS.replace("def c():\n    return 3\n", "")), said("1 of 3 functions", "c"));
        assert_eq!(told("def c():\n    return 3\n"), said("3 of 4 definitions", "A"));
        assert_eq!(told(""), said("4 of 4 definitions", "A, c"));
    }

    #[test]
    fn another_name_another_place_and_what_cannot_be_read_are_not_gone() {
        for text in [
            CLASS.replace("def c(", "def see("),
            CLASS.replace("return 3", "return 4"),
            format!("def c():\n    return 3\n\n\n{}", CLASS.replace("\n\ndef c():\n    return 3\n", "")),
            "def broken(:\n".to_owned(),
            CLASS.replace("\n\ndef c():\n    return 3\n", "\n    def c(self):\n        return 33\n"),
        ] {
            assert_eq!(told(CLASS, &text), None, "{text}");
        }
        assert_eq!(vanishing("a.txt", "def a():\n    b\n", ""), None);
    }
}
