//! A text and the definitions in it, line by line.

use super::leading::{belongs_below, is_comment};
use crate::parse::errors;
use crate::{Kind, Language, Source, Symbol};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: String,
    /// What tells it from others: its kind, where several kinds of things share names, and its owner.
    pub(super) key: String,
    pub(super) signature: String,
    pub(super) kind: Kind,
    /// First line from 0, with the comments and decorators right above.
    pub(super) start: usize,
    /// The line that its own text begins on.
    pub(super) head: usize,
    /// Behind its last line.
    pub(super) end: usize,
    pub(super) parent: Option<usize>,
    pub(super) depth: usize,
    /// Around what stands in it, and no more.
    is_namespace: bool,
}

impl Part {
    /// Is it one that must not go lost? A constant may be anything, and a namespace may be left out.
    pub(super) fn counts(&self) -> bool {
        match self.kind {
            Kind::Constant => false,
            Kind::Module => !self.is_namespace && self.end - self.head > 1,
            Kind::Function
            | Kind::Method
            | Kind::Class
            | Kind::Struct
            | Kind::Union
            | Kind::Enum
            | Kind::Trait
            | Kind::Interface
            | Kind::Type
            | Kind::Macro
            | Kind::Impl => true,
        }
    }

    /// Does it hold the tests of the file?
    pub(super) fn is_tests(&self) -> bool {
        self.kind == Kind::Module && self.name.starts_with("test")
    }

    /// As it is told to people and models.
    pub(super) fn said(&self) -> String {
        self.key.split_once(' ').map_or(self.key.as_str(), |(_, name)| name).to_owned()
    }
}

/// A text that was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) lines: Vec<String>,
    pub(super) parts: Vec<Part>,
    /// The first line that its grammar can make nothing of.
    pub(super) fault: Option<usize>,
    /// Where definitions end is known.
    pub(super) by_tree: bool,
}

impl Parsed {
    pub(super) fn of(path: &str, language: Option<Language>, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let source = language.and_then(|language| Source::read(language, text, &|| Ok(())).ok());
        let source = source.unwrap_or_else(|| Source::plain(path, text));
        let parts = parts(source.symbols(), &lines);
        let fault = source.fault().filter(|_| language.is_some_and(|language| !language.has_preprocessor()));
        Parsed { parts, fault, by_tree: !source.by_words(), lines }
    }

    pub(super) fn text(&self) -> String {
        joined(&self.lines)
    }

    pub(super) fn top(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate().filter(|(_, part)| part.parent.is_none())
    }

    /// Those right inside the part at `at`.
    pub(super) fn inside(&self, at: usize) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate().filter(move |(_, part)| part.parent == Some(at))
    }

    /// The lines of a part, with what stands above it.
    pub(super) fn of_part(&self, part: &Part) -> &[String] {
        &self.lines[part.start..part.end]
    }

    /// Lines of code before the first definition, and behind the last one.
    pub(super) fn around(&self) -> (Vec<&str>, Vec<&str>) {
        let tops = || self.top().map(|(_, part)| part).filter(|part| part.counts());
        let (first, last) = (tops().map(|part| part.start).min(), tops().map(|part| part.end).max());
        let code = self.loose().into_iter().filter(|(_, line)| !is_comment(line));
        let (head, rest): (Vec<_>, Vec<_>) = code.partition(|(at, _)| first.is_none_or(|first| *at < first));
        let tail = rest.into_iter().filter(|(at, _)| last.is_some_and(|last| *at >= last));
        (head.into_iter().map(|(_, line)| line).collect(), tail.map(|(_, line)| line).collect())
    }

    /// Behind the last definition.
    pub(super) fn end_of_parts(&self) -> usize {
        self.top().map(|(_, part)| part).filter(|part| part.counts()).map(|part| part.end).max().unwrap_or(0)
    }

    /// Which lines stand in no definition.
    pub(super) fn loose(&self) -> Vec<(usize, &str)> {
        let mut in_part = vec![false; self.lines.len()];
        for (_, part) in self.top().filter(|(_, part)| part.kind != Kind::Constant) {
            in_part[part.start..part.end].iter_mut().for_each(|inside| *inside = true);
        }
        let loose = self.lines.iter().enumerate().filter(|(at, line)| !in_part[*at] && !line.trim().is_empty());
        loose.map(|(at, line)| (at, line.as_str())).collect()
    }
}

pub(super) fn joined(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Does the grammar make sense of `text`?
pub(super) fn parses(language: Option<Language>, text: &str) -> Option<bool> {
    errors(language?, text).map(|errors| errors == 0)
}

/// Of all symbols, those at the top and those right inside types; what a function holds is its own matter.
fn parts(symbols: &[Symbol], lines: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut places: Vec<Option<usize>> = vec![None; symbols.len()];
    for (at, symbol) in symbols.iter().enumerate() {
        let parent = symbol.parent.map(|parent| places[parent]);
        let fits = match parent {
            None => true,
            Some(None) => false,
            Some(Some(parent)) => {
                (parts[parent].kind.is_type() || parts[parent].kind == Kind::Module) && parts[parent].depth < 2
            }
        };
        let is_own = !(parent.is_some() && symbol.kind == Kind::Constant);
        if !fits || !is_own || symbol.first == 0 || symbol.last > lines.len() {
            continue;
        }
        let parent = parent.flatten();
        let part = part(symbol, parent, &parts, lines);
        places[at] = Some(parts.len());
        parts.push(part);
    }
    keep_apart(&mut parts);
    parts
}

fn part(symbol: &Symbol, parent: Option<usize>, parts: &[Part], lines: &[String]) -> Part {
    let head = symbol.first - 1;
    let mut start = head;
    while start > 0 && belongs_below(&lines[start - 1]) {
        start -= 1;
    }
    let owner = match (parent, &symbol.owner) {
        (_, Some(owner)) => format!("{owner}."),
        // A namespace is often left out where there is but one.
        (Some(parent), None) if parts[parent].is_namespace => String::new(),
        (Some(parent), None) => format!("{}.", parts[parent].name),
        (None, None) => String::new(),
    };
    let kind = match symbol.kind {
        Kind::Impl => format!("impl {}", symbol.signature),
        Kind::Method => format!("function {owner}{}", symbol.name),
        kind => format!("{} {owner}{}", kind.name(), symbol.name),
    };
    Part {
        name: symbol.name.clone(),
        key: kind,
        signature: symbol.signature.clone(),
        kind: symbol.kind,
        start,
        head,
        end: symbol.last,
        parent,
        depth: parent.map_or(0, |parent| parts[parent].depth + 1),
        is_namespace: symbol.kind == Kind::Module && lines[head].contains("namespace"),
    }
}

/// Parts do not overlap: what stands above one does not reach into the one before it.
fn keep_apart(parts: &mut [Part]) {
    for at in 1..parts.len() {
        let floor = match parts[at].parent {
            Some(parent) if parent + 1 == at => parts[parent].head + 1,
            _ => parts[..at].iter().rev().find(|other| other.parent == parts[at].parent).map_or(0, |other| other.end),
        };
        parts[at].start = parts[at].start.max(floor).min(parts[at].head);
    }
}
