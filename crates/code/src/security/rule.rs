//! One rule, and how a table of them goes over a text: once for all of them together, and then only for those that are
//! there at all.

use super::mask::{Kind, Mask, Syntax};
use super::{Confidence, Finding, Severity};
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::OnceLock;

/// Findings of one rule in one file. Whoever has more of them knows by then.
const MOST: usize = 100;
/// Bytes of a statement that are looked at.
const STATEMENT: usize = 800;

/// What to look for, why and what then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) severity: Severity,
    confidence: Confidence,
    looks: &'static str,
    /// The statement must hold this as well.
    with: Option<&'static str>,
    /// The statement must not hold this.
    unless: Option<&'static str>,
    /// The whole file must hold this as well.
    where_: Option<&'static str>,
    place: Place,
    why: &'static str,
    fix: &'static str,
}

/// Where a finding may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Code,
    CodeAndStrings,
}

/// A rule that is likely true where it is found, in code.
pub(super) const fn rule(
    name: &'static str,
    severity: Severity,
    looks: &'static str,
    why: &'static str,
    fix: &'static str,
) -> Rule {
    let confidence = Confidence::Likely;
    Rule { name, severity, confidence, looks, with: None, unless: None, where_: None, place: Place::Code, why, fix }
}

impl Rule {
    pub(super) const fn sure(self) -> Rule {
        Rule { confidence: Confidence::Sure, ..self }
    }

    pub(super) const fn maybe(self) -> Rule {
        Rule { confidence: Confidence::Maybe, ..self }
    }

    /// Only where the statement holds this, too.
    pub(super) const fn with(self, with: &'static str) -> Rule {
        Rule { with: Some(with), ..self }
    }

    /// Not where the statement holds this.
    pub(super) const fn unless(self, unless: &'static str) -> Rule {
        Rule { unless: Some(unless), ..self }
    }

    /// Only where the file holds this, too.
    pub(super) const fn where_file(self, where_: &'static str) -> Rule {
        Rule { where_: Some(where_), ..self }
    }

    /// In strings as well, for what is written there is obeyed.
    pub(super) const fn in_strings(self) -> Rule {
        Rule { place: Place::CodeAndStrings, ..self }
    }

    pub(super) fn finding(&self, line: usize) -> Finding {
        Finding {
            rule: self.name,
            severity: self.severity,
            confidence: self.confidence,
            line,
            what: String::new(),
            why: self.why,
            fix: self.fix,
        }
    }
}

/// A text under search.
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

    pub(super) fn kind(&self, at: usize) -> Kind {
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
        let shown = |at: usize| if self.kind(at) == Kind::Comment { b' ' } else { bytes[at] };
        (start..end).map(shown).collect()
    }
}

/// The rules of one language.
pub(super) struct Table {
    rules: &'static [&'static [Rule]],
    ready: OnceLock<Ready>,
}

struct Ready {
    all: RegexSet,
    each: Vec<Compiled>,
}

struct Compiled {
    rule: &'static Rule,
    looks: OnceLock<Regex>,
    with: OnceLock<Regex>,
    unless: OnceLock<Regex>,
    where_: OnceLock<Regex>,
}

impl Table {
    pub(super) const fn new(rules: &'static [&'static [Rule]]) -> Self {
        Table { rules, ready: OnceLock::new() }
    }

    #[cfg(test)]
    pub(super) fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        self.rules.iter().copied().flatten()
    }

    pub(super) fn findings(&self, text: &Text<'_>) -> Vec<Finding> {
        let ready = self.ready.get_or_init(|| Ready::of(self.rules));
        let there = ready.all.matches(text.bytes());
        there.iter().flat_map(|at| ready.each[at].findings(text)).collect()
    }
}

impl Ready {
    fn of(rules: &'static [&'static [Rule]]) -> Self {
        let rules = || rules.iter().copied().flatten();
        let all = RegexSetBuilder::new(rules().map(|rule| rule.looks))
            .unicode(false)
            .multi_line(true)
            .dfa_size_limit(8 << 20)
            .build()
            .expect("every table is tested");
        let each = rules().map(|rule| Compiled {
            rule,
            looks: OnceLock::new(),
            with: OnceLock::new(),
            unless: OnceLock::new(),
            where_: OnceLock::new(),
        });
        Ready { all, each: each.collect() }
    }
}

pub(super) fn regex(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).multi_line(true).build().expect("every table is tested")
}

impl Compiled {
    fn findings(&self, text: &Text<'_>) -> Vec<Finding> {
        let rule = self.rule;
        if rule.where_.is_some_and(|where_| !self.where_.get_or_init(|| regex(where_)).is_match(text.bytes())) {
            return Vec::new();
        }
        let looks = self.looks.get_or_init(|| regex(rule.looks));
        let found = looks.find_iter(text.bytes()).map(|found| begun(text.bytes(), found.range()));
        let found = found.filter(|found| self.holds(text, found));
        found.map(|found| rule.finding(text.line(found.start))).take(MOST).collect()
    }

    fn holds(&self, text: &Text<'_>, found: &Range<usize>) -> bool {
        let right_place = match (text.kind(found.start), self.rule.place) {
            (Kind::Code, _) | (Kind::String, Place::CodeAndStrings) => true,
            (Kind::String, Place::Code) | (Kind::Comment, _) => false,
        };
        if !right_place {
            return false;
        }
        let statement = text.statement(found);
        let with = self.rule.with.is_none_or(|with| self.with.get_or_init(|| regex(with)).is_match(&statement));
        with && self.rule.unless.is_none_or(|unless| !self.unless.get_or_init(|| regex(unless)).is_match(&statement))
    }
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
