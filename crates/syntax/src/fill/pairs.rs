//! Which definition of an answer is which of the file.

use super::Pair;
use super::parts::{Parsed, Part};
use std::collections::HashMap;

/// The definitions of two texts, side by side.
#[derive(Debug)]
pub(super) struct Pairs {
    /// For each of the answer's, the file's.
    pub(super) of_answer: Vec<Option<usize>>,
    /// For each of the file's, is it in the answer?
    pub(super) is_there: Vec<bool>,
    /// Some stand without the type that they belong to.
    pub(super) has_stray: bool,
}

impl Pairs {
    pub(super) fn of(before: &Parsed, answer: &Parsed) -> Self {
        let mut pairs = Pairs {
            of_answer: vec![None; answer.parts.len()],
            is_there: vec![false; before.parts.len()],
            has_stray: false,
        };
        pairs.by_key(before, answer);
        pairs.strays(before, answer);
        pairs
    }

    /// Those of one key; of several, those with one signature first.
    fn by_key(&mut self, before: &Parsed, answer: &Parsed) {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, part) in before.parts.iter().enumerate() {
            places.entry(&part.key).or_default().push(at);
        }
        for exact in [true, false] {
            for (at, part) in answer.parts.iter().enumerate() {
                let Some(known) = places.get_mut(part.key.as_str()).filter(|_| self.of_answer[at].is_none()) else {
                    continue;
                };
                let fits = |place: &usize| !exact || before.parts[*place].signature == part.signature;
                // Of several that look alike from outside, the one that is most like it inside.
                let shared = |place: usize| {
                    let lines = before.of_part(&before.parts[place]);
                    answer.of_part(part).iter().filter(|line| lines.contains(line)).count()
                };
                let mut fitting: Vec<usize> = known.iter().copied().filter(fits).collect();
                if exact && fitting.len() > 1 {
                    fitting.sort_by_key(|place| std::cmp::Reverse(shared(*place)));
                }
                if let Some(found) = fitting.first().copied() {
                    known.retain(|place| *place != found);
                    self.join(at, found);
                }
            }
        }
    }

    /// Methods at the top of the answer, of which the file has one of that name.
    fn strays(&mut self, before: &Parsed, answer: &Parsed) {
        let mut methods: HashMap<&str, Vec<usize>> = HashMap::new();
        let is_method = |part: &Part| part.parent.is_some_and(|parent| before.parts[parent].kind.is_type());
        for (at, part) in before.parts.iter().enumerate().filter(|(_, part)| is_method(part) && part.kind.is_function())
        {
            methods.entry(&part.name).or_default().push(at);
        }
        for (at, part) in answer.top().filter(|(_, part)| part.kind.is_function()) {
            let Some([one]) = methods.get(part.name.as_str()).map(Vec::as_slice) else { continue };
            if self.of_answer[at].is_none() && !self.is_there[*one] {
                self.join(at, *one);
                self.has_stray = true;
            }
        }
    }

    fn join(&mut self, answer: usize, before: usize) {
        self.of_answer[answer] = Some(before);
        self.is_there[before] = true;
    }

    /// Of the file's definitions, those that are missing by themselves, not with what they stand in.
    pub(super) fn missing<'a>(&self, before: &'a Parsed) -> Vec<&'a Part> {
        let by_itself = |part: &Part| part.parent.is_none_or(|parent| self.is_there[parent]);
        let missing = before.parts.iter().enumerate().filter(|(at, part)| !self.is_there[*at] && by_itself(part));
        missing.map(|(_, part)| part).filter(|part| part.counts()).collect()
    }

    /// Of the answer's definitions, those that are new by themselves.
    pub(super) fn new_ones<'a>(&self, answer: &'a Parsed) -> Vec<&'a Part> {
        let by_itself = |part: &Part| part.parent.is_none_or(|parent| self.of_answer[parent].is_some());
        let new = answer.parts.iter().enumerate().filter(|(at, part)| self.of_answer[*at].is_none() && by_itself(part));
        new.map(|(_, part)| part).filter(|part| part.counts()).collect()
    }

    /// How many definitions of the file there are, and how many of them the answer has.
    pub(super) fn counts(&self, before: &Parsed) -> (usize, usize) {
        let counted = before.parts.iter().enumerate().filter(|(_, part)| part.counts());
        let (mut all, mut kept) = (0, 0);
        for (at, _) in counted {
            all += 1;
            kept += usize::from(self.is_there[at]);
        }
        (all, kept)
    }

    /// The pairs, by their places: the answer's and the file's.
    pub(super) fn both(&self) -> impl Iterator<Item = (usize, usize)> {
        self.of_answer.iter().enumerate().filter_map(|(answer, before)| Some((answer, (*before)?)))
    }
}

/// Is `new` what `old` was, under another name? What it does says so, or what it takes and gives.
pub(super) fn is_same(pair: &Pair<'_>, old: &Part, new: &Part) -> bool {
    let body = |parsed: &Parsed, part: &Part| -> Vec<String> {
        let lines = parsed.lines[part.head..part.end].iter().map(|line| line.trim().to_owned());
        lines.filter(|line| line.len() > 1).skip(1).collect()
    };
    let (before, after) = (body(&pair.before, old), body(&pair.answer, new));
    let rest = |part: &Part| part.signature.replace(&part.name, "");
    let same = before.iter().filter(|line| after.contains(line)).count();
    let alike = same * 3 >= before.len().max(1) || (before.is_empty() && rest(old) == rest(new));
    old.kind == new.kind && alike
}
