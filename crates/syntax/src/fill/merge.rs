//! Puts the definitions of an answer in place in a file.

use super::Pair;
use super::blanks::{Edit, applied, gap, inserted, margin, shifted};
use super::imports;
use super::members;
use super::pairs::{Pairs, is_same};
use super::parts::{Parsed, Part, joined};
use crate::{Kind, Language};

/// The file with what the answer holds, and the names of what was put; `None` where something has no place.
pub(super) fn merged(pair: &Pair<'_>, pairs: &Pairs) -> Option<(String, Vec<String>)> {
    let mut merge = Merge { pair, pairs, edits: Vec::new(), put: Vec::new(), last: None };
    merge.parts();
    if !merge.tail() {
        merge.guard();
    }
    merge.edits.extend(imports::added(pair));
    if merge.edits.is_empty() {
        return None;
    }
    let lines = applied(&pair.before.lines, merge.edits)?;
    Some((joined(&lines), merge.put))
}

struct Merge<'a, 'b> {
    pair: &'a Pair<'b>,
    pairs: &'a Pairs,
    edits: Vec<Edit>,
    put: Vec<String>,
    /// Behind the last definition at the top that was replaced.
    last: Option<usize>,
}

impl<'a> Merge<'a, '_> {
    fn before(&self) -> &'a Parsed {
        &self.pair.before
    }

    fn answer(&self) -> &'a Parsed {
        &self.pair.answer
    }

    /// Definitions that the file has first, so that new ones know where to go.
    fn parts(&mut self) {
        let tops: Vec<(usize, &Part)> = self.answer().top().collect();
        for (at, _) in &tops {
            if let Some(old) = self.pairs.of_answer[*at] {
                self.known(*at, old);
            }
        }
        for (at, part) in tops {
            if self.pairs.of_answer[at].is_none() {
                self.new_one(at, part);
            }
        }
    }

    /// Puts a definition where the file has it. One that holds only some of what the file's holds is put piece by piece.
    fn known(&mut self, at: usize, old: usize) {
        let (before, answer) = (self.before(), self.answer());
        let lacks = before.inside(old).any(|(inner, part)| part.counts() && !self.pairs.is_there[inner]);
        if before.parts[old].parent.is_none() {
            self.last = Some(self.last.unwrap_or(0).max(before.parts[old].end));
        }
        let holds = answer.inside(at).next().is_some();
        if !(lacks && holds) || self.has_renamed_inside(at, old) {
            return self.replace(at, old);
        }
        self.edits.extend(members::changed(before, old, answer, at));
        let inner: Vec<(usize, &Part)> = answer.inside(at).collect();
        for (at, _) in &inner {
            if let Some(old) = self.pairs.of_answer[*at] {
                self.known(*at, old);
            }
        }
        for (at, part) in inner {
            if self.pairs.of_answer[at].is_none() {
                self.put_inside(at, part, old);
            }
        }
    }

    /// Is one of the methods there under another name?
    fn has_renamed_inside(&self, at: usize, old: usize) -> bool {
        let missing = self.before().inside(old).filter(|(inner, part)| part.counts() && !self.pairs.is_there[*inner]);
        let new = self.answer().inside(at);
        let new = new.filter(|(inner, part)| part.counts() && self.pairs.of_answer[*inner].is_none());
        let (missing, new): (Vec<_>, Vec<_>) = (missing.collect(), new.collect());
        let knows_others = self.answer().inside(at).count() > new.len();
        match (missing.as_slice(), new.as_slice()) {
            ([(_, old)], [(_, new)]) => knows_others && is_same(self.pair, old, new),
            _ => false,
        }
    }

    fn replace(&mut self, at: usize, old: usize) {
        let (before, answer) = (self.before(), self.answer());
        let (old, new) = (&before.parts[old], &answer.parts[at]);
        let mut lines = above(before, old, answer, new);
        lines.extend_from_slice(&answer.lines[own(answer, new)..new.end]);
        let lines = shifted(&lines, margin(&answer.lines[new.head]), margin(&before.lines[old.head]));
        if lines != before.lines[old.start..old.end] {
            self.edits.push(Edit { from: old.start, to: old.end, lines });
        }
        self.put.push(new.said());
    }

    fn new_one(&mut self, at: usize, part: &Part) {
        let before = self.before();
        if part.kind == Kind::Constant {
            return self.constant(part);
        }
        if takes_self(part)
            && let Some(class) = self.class_of_strays()
        {
            return self.put_inside(at, part, class);
        }
        let end = match (self.last, self.pair.language) {
            (Some(last), _) => last,
            (None, Some(Language::Python)) => guard(&before.lines).unwrap_or(before.lines.len()),
            (None, _) => before.top().map(|(_, part)| part.end).max().unwrap_or(before.lines.len()),
        };
        let end = trimmed(&before.lines, end);
        let text = self.answer().of_part(part).to_vec();
        self.edits.push(inserted(&before.lines, end, gap(before, self.pair.language), text));
        self.put.push(part.said());
    }

    /// A constant of the file; new ones are as often examples of use.
    fn constant(&mut self, part: &Part) {
        let is_constant = part.name.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_');
        let first = self.answer().parts.iter().filter(|other| other.counts()).map(|other| other.start).min();
        let comes_first = first.is_none_or(|first| part.end <= first);
        if !is_constant || !comes_first {
            return;
        }
        let at = imports::end(&self.before().lines, self.pair.language);
        let mut lines = self.answer().of_part(part).to_vec();
        if at > 0 {
            lines.insert(0, String::new());
        }
        self.edits.push(Edit { from: at, to: at, lines });
        self.put.push(part.said());
    }

    /// The class to which methods belong that stand alone: that of others, or the only one.
    fn class_of_strays(&self) -> Option<usize> {
        let others = self.pairs.both().filter(|(new, _)| self.answer().parts[*new].parent.is_none());
        let parent = others.filter_map(|(_, old)| self.before().parts[old].parent).next();
        parent.or_else(|| {
            let mut types = self.before().top().filter(|(_, part)| part.kind.is_type());
            types.next().filter(|_| types.next().is_none()).map(|(at, _)| at)
        })
    }

    /// Puts a new definition at the end of the type at `old`.
    fn put_inside(&mut self, at: usize, part: &Part, old: usize) {
        let (before, answer) = (self.before(), self.answer());
        let whole = &before.parts[old];
        let last = before.inside(old).map(|(_, part)| part).max_by_key(|part| part.end);
        let to = last.map_or_else(
            || format!("{}    ", margin(&before.lines[whole.head])),
            |last| margin(&before.lines[last.head]).to_owned(),
        );
        let end = match last {
            Some(last) => last.end,
            None if before.lines[whole.end - 1].trim_start().starts_with('}') => whole.end - 1,
            None => whole.end,
        };
        let text = shifted(answer.of_part(&answer.parts[at]), margin(&answer.lines[part.head]), &to);
        let inside = &before.lines[..whole.end];
        let mut edit = inserted(inside, end, 1, text);
        // Nothing stands between the last one and the brace.
        if before.lines.get(end).is_some_and(|line| line.trim_start().starts_with('}')) {
            while edit.lines.last().is_some_and(|line| line.trim().is_empty()) {
                edit.lines.pop();
            }
        }
        self.edits.push(edit);
        self.put.push(part.said());
    }

    /// What stands behind the definitions, where the answer has all of them and that, too.
    fn tail(&mut self) -> bool {
        let (before, answer) = (self.before(), self.answer());
        let has = |parsed: &Parsed| !parsed.around().1.is_empty();
        if !self.pairs.missing(before).is_empty() || !has(before) || !has(answer) {
            return false;
        }
        let from = before.end_of_parts();
        let lines = answer.lines[answer.end_of_parts()..].to_vec();
        if before.lines[from..] != lines {
            self.edits.push(Edit { from, to: before.lines.len(), lines });
        }
        true
    }

    /// In Python, what runs when the file is started.
    fn guard(&mut self) {
        if self.pair.language != Some(Language::Python) {
            return;
        }
        let (before, answer) = (&self.before().lines, &self.answer().lines);
        let Some(new) = guard(answer) else { return };
        let text = answer[new..end_of_guard(answer, new)].to_vec();
        match guard(before) {
            Some(old) => {
                let end = end_of_guard(before, old);
                if before[old..end] != text {
                    self.edits.push(Edit { from: old, to: end, lines: text });
                }
            }
            None => {
                let end = trimmed(before, before.len());
                self.edits.push(inserted(before, end, 2, text));
            }
        }
    }
}

/// The comments and decorators above a definition: the answer's, and of each kind that it leaves out the file's.
fn above(before: &Parsed, old: &Part, answer: &Parsed, new: &Part) -> Vec<String> {
    let split = |parsed: &Parsed, part: &Part| -> (Vec<String>, Vec<String>) {
        let lines = parsed.lines[part.start..own(parsed, part)].to_vec();
        lines.into_iter().partition(|line| is_decorator(line))
    };
    let ((decorators, comments), (new_decorators, new_comments)) = (split(before, old), split(answer, new));
    // Where the answer has both or none missing, its own order counts.
    let has = |lines: &[String]| !lines.is_empty();
    if (has(&new_decorators) || !has(&decorators)) && (has(&new_comments) || !has(&comments)) {
        return answer.lines[new.start..own(answer, new)].to_vec();
    }
    let (from, to) = (margin(&before.lines[old.head]), margin(&answer.lines[new.head]));
    let comments = if has(&new_comments) { new_comments } else { shifted(&comments, from, to) };
    let decorators = if has(&new_decorators) { new_decorators } else { shifted(&decorators, from, to) };
    comments.into_iter().chain(decorators).collect()
}

fn is_decorator(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('@') || line.starts_with("#[")
}

/// The line on which a definition begins behind its decorators.
fn own(parsed: &Parsed, part: &Part) -> usize {
    let decorated = parsed.lines[part.head..part.end].iter().take_while(|line| {
        is_decorator(line) && !line.trim_start().starts_with("@interface") && !line.contains(" class ")
    });
    (part.head + decorated.count()).min(part.end - 1)
}

/// Does it take the object that it belongs to?
fn takes_self(part: &Part) -> bool {
    ["(self", "(cls", "(&self", "(&mut self", "(mut self"].iter().any(|begin| part.signature.contains(begin))
}

/// Where `if __name__ == "__main__":` stands.
fn guard(lines: &[String]) -> Option<usize> {
    lines.iter().position(|line| line.starts_with("if __name__"))
}

fn end_of_guard(lines: &[String], from: usize) -> usize {
    let inside = |line: &&String| line.trim().is_empty() || line.starts_with([' ', '\t']);
    trimmed(lines, from + 1 + lines[from + 1..].iter().take_while(inside).count())
}

/// `end` without the blank lines before it.
fn trimmed(lines: &[String], end: usize) -> usize {
    let end = end.min(lines.len());
    end - lines[..end].iter().rev().take_while(|line| line.trim().is_empty()).count()
}
