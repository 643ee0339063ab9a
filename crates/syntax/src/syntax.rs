//! What is wrong in the syntax of a text since it was changed: by its grammar, by the indentation of Python, by the parsers of
//! JSON, TOML and YAML.
//!
//! Only what is new counts: a file that made no sense before is written in something else than its name says (a template, an
//! old version of its language, a part of a file). For the same reason a fault is believed only where it stays when the marks
//! of templates, and what the grammars do not know yet, are taken out (`gaps`). C and C++ are not judged: what the compiler
//! reads in the end depends on its preprocessor.

mod balance;
mod gaps;
mod json;
mod python;
mod tree;
mod yaml;

use crate::Language;
use json::Json;

/// Bytes of the largest text that is looked at.
const LARGEST: usize = 512 * 1_024;

/// What is wrong in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1, where to look: one that was changed, or one beside them.
    pub line: usize,
    /// What is wrong, in a few words; empty where the grammar does not say.
    pub why: String,
    /// Nothing but a fault reads like this. Grammars of languages with macros are wrong now and then.
    pub is_certain: bool,
}

/// The fault that `after`, which is to take the place of `before` in the file `path`, has and `before` had not. `None` as well
/// where there is no grammar, or the text is larger than 512 KiB.
pub fn new_fault(path: &str, before: Option<&str>, after: &str) -> Option<Fault> {
    let before = before.filter(|before| !before.trim().is_empty());
    if after.trim().is_empty() || [before, Some(after)].into_iter().flatten().any(|text| text.len() > LARGEST) {
        return None;
    }
    let form = Form::of(path, after).filter(|_| !is_foreign(after))?;
    let changed = changed_lines(before.unwrap_or_default(), after);
    let fault = form.fault(path, before, after, &changed)?;
    let had_one = |before: &str| form.fault(path, None, before, &(1..=usize::MAX)).is_some();
    let is_old = before.is_some_and(had_one) || gaps::are_all(form, path, before, after);
    // What comes to light further on has its cause in what was changed.
    let line = fault.line.clamp(*changed.start(), *changed.end()).min(after.lines().count());
    (!is_old).then_some(Fault { line, ..fault })
}

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Code(Language),
    Json,
    Toml,
    Yaml,
}

/// The lines of a text, from 1, that a change touched.
type ChangedLines = std::ops::RangeInclusive<usize>;

impl Form {
    fn of(path: &str, text: &str) -> Option<Form> {
        match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("json" | "jsonc") => Some(Form::Json),
            Some("toml") => Some(Form::Toml),
            Some("yaml" | "yml") => Some(Form::Yaml),
            _ => Language::of(path, text).filter(|language| !language.has_preprocessor()).map(Form::Code),
        }
    }

    /// What is wrong in `text`, which takes the place of `before`.
    fn fault(self, path: &str, before: Option<&str>, text: &str, changed: &ChangedLines) -> Option<Fault> {
        let certain = |(line, why): (usize, String)| Fault { line, why, is_certain: true };
        match self {
            Form::Json => Json::read(text).fault(path, before).map(certain),
            Form::Yaml => yaml::fault(text).map(certain),
            Form::Toml => {
                let error = text.parse::<toml::Table>().err()?;
                Some(certain((line_of(text, error.span().map(|span| span.start)), error.message().to_owned())))
            }
            Form::Code(Language::Python) => {
                let by_tree = tree::fault(Language::Python, before, text, changed);
                let by_indent = python::fault(text).map(certain);
                by_indent.into_iter().chain(by_tree).min_by_key(|fault| fault.line)
            }
            Form::Code(language) => tree::fault(language, before, text, changed),
        }
    }
}

/// Is it something else under the name of a program? Translations of Qt end in `.ts`, pages of a server in `.js`.
fn is_foreign(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    ["<?xml", "<!DOCTYPE", "<!doctype", "<?php", "%PDF"].iter().any(|mark| start.starts_with(mark))
}

/// The lines of `after` that are not as in `before`, with the one before and the one after them.
fn changed_lines(before: &str, after: &str) -> ChangedLines {
    let same = before.lines().zip(after.lines()).take_while(|(old, new)| old == new).count();
    let (old, new) = (before.lines().count(), after.lines().count());
    let most = old.min(new) - same.min(old.min(new));
    let tail = before.lines().rev().zip(after.lines().rev()).take(most).take_while(|(old, new)| old == new).count();
    same.max(1)..=(new - tail + 1)
}

fn line_of(text: &str, at: Option<usize>) -> usize {
    let before = at.and_then(|at| text.get(..at)).unwrap_or_default();
    before.matches('\n').count() + 1
}

#[cfg(test)]
mod tests;
