//! Lines that stand for the rest of a file, and what they stand for.

mod marks;

use super::Unfillable;
use super::leading::{belongs_below, defined, indent};
use super::likeness::likeness;
use super::parts::{joined, parses};
use crate::Language;
use marks::is_elision;
use std::collections::{HashMap, HashSet};

/// Lines of a file that a new text of it may lack without anything being left out of it.
const FEW: usize = 1;

/// The first line of `new`, from 1, that stands for other text and is not in the file itself. A comment that only sounds like it
/// is none: where next to nothing of the file is missing, nothing is left out.
pub(super) fn first(old: &str, new: &str, language: Option<Language>) -> Option<usize> {
    let there: HashSet<&str> = old.lines().map(str::trim).collect();
    let lines: Vec<&str> = new.lines().collect();
    let (missing, all) = missing(old, &lines);
    let stands = |at: &usize| {
        let line = lines[*at];
        let has_dots = line.contains("...") || line.contains('…');
        let is_much = missing > FEW && (has_dots || (missing > 2 * FEW && missing * 4 > all));
        is_much && is_elision(line) && !there.contains(line.trim()) && !is_own_body(&lines, *at, &there, language)
    };
    (0..lines.len()).find(stands).map(|at| at + 1)
}

/// How many lines of `old` that say something are not among `lines`, and how many it has.
fn missing(old: &str, lines: &[&str]) -> (usize, usize) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in lines {
        *counts.entry(line.trim()).or_default() += 1;
    }
    let said: Vec<&str> = old.lines().map(str::trim).filter(|line| !is_weak(line)).collect();
    let is_missing = |line: &&&str| match counts.get_mut(**line).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    };
    (said.iter().filter(is_missing).count(), said.len())
}

/// The answer with what its lines for the rest stand for, and how many there were.
pub(super) fn filled(old: &str, new: &str, language: Option<Language>) -> Result<(String, usize), Unfillable> {
    let old_lines: Vec<&str> = old.lines().collect();
    let spread = spread(new, &old_lines);
    let new = spread.as_deref().unwrap_or(new);
    let new_lines: Vec<&str> = new.lines().collect();
    let there: HashSet<&str> = old_lines.iter().map(|line| line.trim()).collect();
    let stands = |at: usize| {
        let line = new_lines[at];
        is_elision(line) && !there.contains(line.trim()) && !is_own_body(&new_lines, at, &there, language)
    };
    let places: Vec<usize> = (0..new_lines.len()).filter(|at| stands(*at)).collect();
    let Some(first) = places.first() else { return Ok((new.to_owned(), 0)) };
    if old_lines.is_empty() {
        return Err(Unfillable::Elided { line: first + 1 });
    }
    let text = Filling::new(&old_lines, &new_lines).through(&places)?;
    let breaks = parses(language, old) == Some(true) && parses(language, &text) == Some(false);
    let bare: String =
        new.split_inclusive('\n').enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, line)| line).collect();
    let breaks = breaks && (parses(language, new) != Some(false) || parses(language, &bare) != Some(false));
    if breaks || repeats(&text, old) {
        return Err(Unfillable::Elided { line: first + 1 });
    }
    Ok((text, places.len()))
}

/// The answer with bodies like `{ ... }` and `: ...` on lines of their own, where the file has more of them.
fn spread(new: &str, old: &[&str]) -> Option<String> {
    let known: HashSet<&str> = old.iter().filter_map(|line| marks::opened(line)).collect();
    let there: HashSet<&str> = old.iter().map(|line| line.trim()).collect();
    let mut out = String::new();
    let mut is_changed = false;
    for line in new.split_inclusive('\n') {
        let body = marks::body(line).filter(|(head, ..)| known.contains(head.trim()) && !there.contains(line.trim()));
        match body {
            Some((head, inner, close)) => {
                let margin = &line[..indent(line)];
                let close = if close.is_empty() { String::new() } else { format!("{margin}{close}\n") };
                out.push_str(&format!("{head}\n{margin}    {inner}\n{close}"));
                is_changed = true;
            }
            None => out.push_str(line),
        }
    }
    is_changed.then_some(out)
}

/// In Python, dots may be all that a new function does.
fn is_own_body(lines: &[&str], at: usize, there: &HashSet<&str>, language: Option<Language>) -> bool {
    if language != Some(Language::Python) || lines[at].trim() != "..." {
        return false;
    }
    let above = lines[..at].iter().rev().find(|line| !line.trim().is_empty());
    above.is_some_and(|above| above.trim_end().ends_with(':') && !there.contains(above.trim()))
}

/// Is something defined twice that was not before?
fn repeats(text: &str, old: &str) -> bool {
    let before = heads(old);
    heads(text).into_iter().any(|(head, count)| count > 1 && count > before.get(head).copied().unwrap_or(0).max(1))
}

/// How often each line stands that begins a definition, with its indentation.
fn heads(text: &str) -> HashMap<&str, usize> {
    let mut found = HashMap::new();
    for line in text.lines().filter(|line| defined(line).is_some()) {
        *found.entry(line.trim_end()).or_insert(0) += 1;
    }
    found
}

/// Behind the last line of the definition that begins at `at`, by how far its lines are indented.
fn end_of_definition(lines: &[&str], at: usize) -> usize {
    let depth = indent(lines[at]);
    let mut end = at + 1;
    for (line, text) in lines.iter().enumerate().skip(at + 1) {
        let closes = indent(text) == depth && text.trim_start().starts_with(['}', ')', ']']);
        let opens = line == at + 1 && text.trim() == "{";
        match () {
            () if text.trim().is_empty() => {}
            () if indent(text) > depth || closes || opens => end = line + 1,
            () => break,
        }
    }
    end
}

/// Does a line say nothing of its own?
fn is_weak(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphanumeric()).count() < 2
}

/// How alike lines are of which one was made of the other, in hundredths; how many lines are looked at, and how many more
/// than the answer has.
const ALIKE: usize = 55;
const MOST_LOOKS: usize = 200;
const SLACK: usize = 3;

/// Equal lines around a place that are counted at most, and places that are tried.
const CONTEXT: usize = 4;
const TRIES: usize = 64;

/// Which way a segment is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

struct Filling<'a> {
    old: &'a [&'a str],
    new: &'a [&'a str],
    places: HashMap<&'a str, Vec<usize>>,
    /// Where the old text begins to define a name.
    defined: HashMap<&'a str, Vec<usize>>,
    /// So far the old text is used.
    cursor: usize,
    out: Vec<String>,
}

impl<'a> Filling<'a> {
    fn new(old: &'a [&'a str], new: &'a [&'a str]) -> Self {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in old.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            places.entry(line.trim()).or_default().push(at);
        }
        let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in old.iter().enumerate() {
            if let Some(name) = defined(line) {
                names.entry(name).or_default().push(at);
            }
        }
        Filling { old, new, places, defined: names, cursor: 0, out: Vec::new() }
    }

    fn through(mut self, elisions: &[usize]) -> Result<String, Unfillable> {
        let mut begin = 0;
        for (number, at) in elisions.iter().enumerate() {
            let end = elisions.get(number + 1).copied().unwrap_or(self.new.len());
            let Some((from, to)) = self.region(begin, *at, end) else {
                return Err(Unfillable::Elided { line: at + 1 });
            };
            self.add_new(begin, *at);
            self.add_old(from, to, *at);
            begin = at + 1;
        }
        self.add_new(begin, self.new.len());
        while self.out.last().is_some_and(|last| last.trim().is_empty()) {
            self.out.pop();
        }
        Ok(joined(&self.out))
    }

    /// Which old lines the elision at `at` stands for; its segment above begins at `begin`, the one below ends at `end`.
    fn region(&self, begin: usize, at: usize, end: usize) -> Option<(usize, usize)> {
        let from = self.from(begin, at)?;
        let to = self.to(from, at, end)?;
        (from <= to).then_some((from, to))
    }

    fn from(&self, begin: usize, at: usize) -> Option<usize> {
        let Some(last) = (begin..at).rev().find(|at| !self.new[*at].trim().is_empty()) else {
            return Some(self.cursor);
        };
        if let Some(end) = self.end_of_changed(begin, at) {
            return Some(end);
        }
        if let Some(place) = self.find(last, self.cursor, begin, at, Way::Up) {
            return Some(place + 1);
        }
        // What is new altogether may stand above; what was changed may not.
        let aligned =
            (begin..last).rev().find_map(|line| Some((line, self.find(line, self.cursor, begin, at, Way::Up)?)));
        let (line, place) = aligned.map_or((begin, self.cursor), |(line, place)| (line + 1, place + 1));
        if self.is_new(line, at) {
            return Some(place);
        }
        // As many lines were changed, about, as stand there now.
        self.alike(last, place, at - line).map(|place| place + 1)
    }

    /// Where the old text of the definition ends that the answer has, changed or not, right above the elision.
    fn end_of_changed(&self, begin: usize, at: usize) -> Option<usize> {
        let depth = indent(self.new[at]);
        let filled = (begin..at).rev().filter(|line| !self.new[*line].trim().is_empty());
        let mut beside = filled.take_while(|line| indent(self.new[*line]) >= depth);
        let heads: Vec<usize> = beside.by_ref().filter(|line| indent(self.new[*line]) == depth).collect();
        // Only its own text may stand between it and the elision, or new definitions.
        let (line, place) = heads.into_iter().find_map(|line| Some((line, self.head(line, begin, at)?)))?;
        let behind = end_of_definition(self.new, line);
        self.is_new(behind.min(at), at).then(|| end_of_definition(self.old, place))
    }

    /// Where the old text has the definition or the block that begins on this line of the answer.
    fn head(&self, line: usize, begin: usize, at: usize) -> Option<usize> {
        if defined(self.new[line]).is_some() {
            return self.defined_from(line, self.cursor);
        }
        let text = self.new[line];
        let closes = text.trim_start().starts_with([')', '}', ']']);
        let opens = end_of_definition(&self.new[..at], line) > line + 1 && !is_weak(text) && !closes;
        opens.then(|| self.find(line, self.cursor, begin, line + 1, Way::Up)).flatten()
    }

    /// Where the old text, from `from` on, defines what this line of the answer defines: with the same words at the same
    /// depth, if it can be.
    fn defined_from(&self, line: usize, from: usize) -> Option<usize> {
        let new = self.new[line];
        let places = self.defined.get(defined(new)?)?;
        let later = || places.iter().copied().filter(|place| *place >= from);
        let deep = |place: &usize| indent(self.old[*place]) == indent(new);
        let same = later().find(|place| self.old[*place].trim_end() == new.trim_end());
        same.or_else(|| later().find(deep)).or_else(|| later().next())
    }

    /// Where the old text of a definition begins that the answer has, changed, right below the elision.
    fn start_of_changed(&self, from: usize, at: usize, end: usize) -> Option<usize> {
        let mut lines = (at + 1..end).skip_while(|line| {
            let line = self.new[*line];
            line.trim().is_empty() || (belongs_below(line) && defined(line).is_none())
        });
        let mut place = self.defined_from(lines.next()?, from)?;
        while place > from && belongs_below(self.old[place - 1]) {
            place -= 1;
        }
        Some(place)
    }

    fn to(&self, from: usize, at: usize, end: usize) -> Option<usize> {
        let Some(first) = (at + 1..end).find(|at| !self.new[*at].trim().is_empty()) else {
            return Some(self.end_of_block(from, at));
        };
        let depth = indent(self.new[at]);
        let block = self.end_of_block(from, at);
        // The bracket that closes what the elision stands in.
        let closes = is_weak(self.new[first]) && indent(self.new[first]) < depth;
        if closes && self.old.get(block).is_some_and(|line| line.trim() == self.new[first].trim()) {
            return Some(block);
        }
        if let Some(place) = self.find(first, from, at + 1, end, Way::Down) {
            return Some(place);
        }
        if let Some(place) = self.start_of_changed(from, at, end) {
            return Some(place);
        }
        if let Some(place) = self.alike(first, from, self.old.len()).filter(|_| defined(self.new[first]).is_none()) {
            return Some(place);
        }
        if depth > 0 && indent(self.new[first]) <= depth {
            return self
                .is_new(at + 1, end)
                .then_some(block)
                .or(Some(block).filter(|_| indent(self.new[first]) < depth));
        }
        let aligned = (first..end).find_map(|line| Some((line, self.find(line, from, at + 1, end, Way::Down)?)));
        let (line, place) = aligned.unwrap_or((end, self.old.len()));
        if self.is_new(at + 1, line) {
            return Some(place);
        }
        self.alike(first, from, self.old.len())
    }

    /// The one old line, among `among` of them from `from` on, of which the line `at` of the answer was made.
    fn alike(&self, at: usize, from: usize, among: usize) -> Option<usize> {
        if is_weak(self.new[at]) {
            return None;
        }
        let end = from.saturating_add(among.min(MOST_LOOKS) + SLACK).min(self.old.len());
        let alike = (from..end).filter(|place| indent(self.old[*place]) == indent(self.new[at]));
        let alike = alike.map(|place| (likeness(self.old[place], self.new[at]), place));
        let best = alike
            .filter(|(likeness, _)| *likeness >= ALIKE)
            .max_by_key(|(likeness, place)| (*likeness, usize::MAX - place));
        best.map(|(_, place)| place)
    }

    /// Where the lines end that are indented at least as far as the elision.
    fn end_of_block(&self, from: usize, at: usize) -> usize {
        let depth = indent(self.new[at]);
        let shallow = |line: &&str| !line.trim().is_empty() && indent(line) < depth;
        let mut end = self.old[from..].iter().position(shallow).map_or(self.old.len(), |at| from + at);
        while depth > 0 && end > from && self.old[end - 1].trim().is_empty() {
            end -= 1;
        }
        end
    }

    /// Are these lines of the answer definitions that the file does not have?
    fn is_new(&self, from: usize, to: usize) -> bool {
        let lines = &self.new[from..to];
        let names: Vec<&str> = lines.iter().filter_map(|line| defined(line)).collect();
        let begins = lines.iter().find(|line| !line.trim().is_empty()).is_none_or(|line| {
            let line = line.trim_start();
            let above = ["@", "#", "//", "/*", "import ", "from ", "use ", "\"\"\""];
            defined(line).is_some() || above.iter().any(|begin| line.starts_with(begin))
        });
        begins && !names.iter().any(|name| self.defined.contains_key(name))
    }

    /// Where the old text, from `from` on, has the line `at` of the answer, with the most of its neighbours.
    fn find(&self, at: usize, from: usize, begin: usize, end: usize, way: Way) -> Option<usize> {
        let score = |place: usize| self.equal(at, place, begin, end, way);
        let places = self.places.get(self.new[at].trim()).map_or(&[][..], Vec::as_slice);
        let later = &places[places.partition_point(|place| *place < from)..];
        let mut best: Option<(usize, usize)> = None;
        // A bracket alone is everywhere: only with its neighbour does it say where.
        let least = if is_weak(self.new[at]) && begin + 1 < end { 2 } else { 1 };
        for place in later.iter().take(TRIES) {
            let (equal, score) = score(*place);
            if equal >= least && best.is_none_or(|(_, most)| score > most) {
                best = Some((*place, score));
            }
        }
        best.map(|(place, _)| place).or_else(|| self.defined_from(at, from))
    }

    /// How many lines are equal from `at` and `place` on, and how much that says.
    fn equal(&self, at: usize, place: usize, begin: usize, end: usize, way: Way) -> (usize, usize) {
        let (mut new, mut old) = (at as isize, place as isize);
        let step = if way == Way::Up { -1 } else { 1 };
        let deep = usize::from(indent(self.new[at]) == indent(self.old[place]));
        let mut equal = 0;
        for _ in 0..CONTEXT {
            let (Ok(here), Ok(there)) = (usize::try_from(new), usize::try_from(old)) else { break };
            let same = here >= begin
                && here < end
                && self.old.get(there).is_some_and(|old| old.trim() == self.new[here].trim());
            if !same {
                break;
            }
            equal += 1;
            (new, old) = (new + step, old + step);
        }
        (equal, equal + deep)
    }

    /// Lines of the answer; of the blank ones at their beginning none where the old text has none, or brings its own.
    fn add_new(&mut self, from: usize, to: usize) {
        let lines = &self.new[from..to];
        let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
        let next = lines.get(blank);
        let same = |old: &&str| {
            next.is_some_and(|new| old.trim() == new.trim() || (defined(new).is_some() && defined(old) == defined(new)))
        };
        let follows = self.old.get(self.cursor).is_some_and(same) && !self.out.is_empty();
        let brings = self.out.last().is_some_and(|last| last.trim().is_empty());
        let skipped = if follows || brings { blank } else { 0 };
        self.out.extend(lines[skipped..].iter().map(|line| (*line).to_owned()));
    }

    fn add_old(&mut self, from: usize, to: usize, at: usize) {
        let lines = &self.old[from..to];
        let last = self.out.iter().rev().find(|line| !line.trim().is_empty());
        let follows = from > 0 && last.is_some_and(|last| last.trim() == self.old[from - 1].trim());
        if follows || lines.first().is_some_and(|line| line.trim().is_empty()) {
            while self.out.last().is_some_and(|last| last.trim().is_empty()) {
                self.out.pop();
            }
        }
        let deepest = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line)).min().unwrap_or(0);
        let more = indent(self.new[at]).saturating_sub(deepest);
        // A method that was sent without its class is filled at its own depth; else the old lines stay as they are.
        let less = if self.is_shallower(at) { deepest.saturating_sub(indent(self.new[at])) } else { 0 };
        let more = if self.is_shallower(at) { more } else { 0 };
        for line in lines {
            let cut = indent(line).min(less);
            let blank = if line.trim().is_empty() { 0 } else { more };
            self.out.push(format!("{}{}", " ".repeat(blank), &line[cut..]));
        }
        self.cursor = to;
    }

    /// Does the line above the elision stand less deep in the answer than in the file?
    fn is_shallower(&self, at: usize) -> bool {
        let Some(above) = (0..at).rev().find(|at| !self.new[*at].trim().is_empty()) else { return false };
        let places = self.places.get(self.new[above].trim());
        places.is_some_and(|places| places.iter().all(|place| indent(self.old[*place]) > indent(self.new[above])))
    }
}
