//! One rule, and how a table of them goes over a text: once for all of them together, and then only for those that are
//! there at all.

use super::mask::{ByteKind, Mask, Syntax};
use super::{Confidence, Finding, Severity};
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Findings of one rule in one file. Whoever has more of them knows by then.
const MOST: usize = 100;
/// Bytes of a statement that are looked at.
const STATEMENT: usize = 800;

/// What to look for, why and what then; the keys are those of `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    #[serde(skip)]
    pub(super) name: String,
    severity: Severity,
    #[serde(default)]
    confidence: Confidence,
    /// `None`: no expression finds it, but code of its own.
    looks: Option<Expression>,
    /// The statement must hold this as well.
    with: Option<Expression>,
    /// The statement must not hold this.
    unless: Option<Expression>,
    /// The whole file must hold this as well.
    file: Option<Expression>,
    /// It counts in strings as well, for what is written there is obeyed.
    #[serde(default)]
    strings: bool,
    why: String,
    fix: String,
}

/// A regular expression on bytes that is compiled when it is first used.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
struct Expression {
    pattern: String,
    compiled: OnceLock<Regex>,
}

impl From<String> for Expression {
    fn from(pattern: String) -> Self {
        Expression { pattern, compiled: OnceLock::new() }
    }
}

impl Expression {
    fn get(&self) -> &Regex {
        self.compiled.get_or_init(|| regex(&self.pattern))
    }

    fn is_in(&self, text: &[u8]) -> bool {
        self.get().is_match(text)
    }
}

impl Rule {
    pub(super) fn finding(&'static self, line: usize) -> Finding {
        Finding {
            rule: &self.name,
            severity: self.severity,
            confidence: self.confidence,
            line,
            what: String::new(),
            why: &self.why,
            fix: &self.fix,
        }
    }

    fn findings(&'static self, looks: &Expression, text: &Text<'_>) -> Vec<Finding> {
        if !self.file.as_ref().is_none_or(|file| file.is_in(text.bytes())) {
            return Vec::new();
        }
        let found = looks.get().find_iter(text.bytes()).map(|found| begun(text.bytes(), found.range()));
        let found = found.filter(|found| self.holds(text, found));
        found.map(|found| self.finding(text.line(found.start))).take(MOST).collect()
    }

    fn holds(&self, text: &Text<'_>, found: &Range<usize>) -> bool {
        let right_place = match text.kind(found.start) {
            ByteKind::Code => true,
            ByteKind::String => self.strings,
            ByteKind::Comment => false,
        };
        if !right_place {
            return false;
        }
        let statement = text.statement(found);
        self.with.as_ref().is_none_or(|with| with.is_in(&statement))
            && !self.unless.as_ref().is_some_and(|unless| unless.is_in(&statement))
    }
}

pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    syntax: Syntax,
    mask: OnceCell<Mask>,
    lines: OnceCell<Vec<usize>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str, syntax: Syntax) -> Self {
        Text { text, syntax, mask: OnceCell::new(), lines: OnceCell::new() }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn kind(&self, at: usize) -> ByteKind {
        self.mask.get_or_init(|| Mask::of(self.bytes(), self.syntax)).kind(at)
    }

    /// Of the byte at `at`, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts().partition_point(|start| *start <= at)
    }

    fn starts(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let ends = self.bytes().iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        })
    }

    /// From the beginning of the line to where the brackets that follow are closed again and the line ends, without
    /// comments. A line that begins with a dot goes on with the one before.
    fn statement(&self, found: &Range<usize>) -> Vec<u8> {
        let bytes = self.bytes();
        let start = bytes[..found.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut depth = 0_i32;
        let mut end = found.start;
        while end < bytes.len() && end < found.end + STATEMENT {
            match bytes[end] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b'\n' if depth <= 0 && end >= found.end && !goes_on(&bytes[end..]) => break,
                b';' if depth < 1 && end >= found.end => break,
                _ => {}
            }
            end += 1;
        }
        let shown = |at: usize| if self.kind(at) == ByteKind::Comment { b' ' } else { bytes[at] };
        (start..end).map(shown).collect()
    }
}

/// The rules of one language.
#[derive(Deserialize)]
#[serde(from = "BTreeMap<String, Rule>")]
pub(super) struct Table {
    rules: Vec<Rule>,
    /// All that have an expression, by their places.
    all: OnceLock<(RegexSet, Vec<usize>)>,
}

impl From<BTreeMap<String, Rule>> for Table {
    fn from(rules: BTreeMap<String, Rule>) -> Self {
        let rules = rules.into_iter().map(|(name, rule)| Rule { name, ..rule }).collect();
        Table { rules, all: OnceLock::new() }
    }
}

impl Table {
    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn findings(&'static self, text: &Text<'_>) -> Vec<Finding> {
        let (all, places) = self.all.get_or_init(|| self.set());
        let there = all.matches(text.bytes()).into_iter().map(|at| &self.rules[places[at]]);
        there.filter_map(|rule| Some(rule.findings(rule.looks.as_ref()?, text))).flatten().collect()
    }

    fn set(&self) -> (RegexSet, Vec<usize>) {
        let looks = self.rules.iter().enumerate();
        let looks = looks.filter_map(|(at, rule)| Some((rule.looks.as_ref()?.pattern.as_str(), at)));
        let (patterns, places): (Vec<&str>, Vec<usize>) = looks.unzip();
        let set = RegexSetBuilder::new(patterns).unicode(false).multi_line(true).dfa_size_limit(8 << 20).build();
        (set.expect("every table is tested"), places)
    }
}

pub(super) fn regex(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).multi_line(true).build().expect("every table is tested")
}

/// Does the next line begin with a dot?
fn goes_on(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'.')
}

/// Without what stands in front of the first word: a pattern looks there to see what it is not part of.
fn begun(bytes: &[u8], found: Range<usize>) -> Range<usize> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte);
    let skipped = bytes[found.clone()].iter().position(word).unwrap_or(0);
    found.start + skipped..found.end
}
