//! Is an answer the whole file, or parts of it?

use super::imports::{forgotten, words};
use super::leading::{defined, indent, is_comment, is_import};
use super::merge::merged;
use super::pairs::{Pairs, is_same};
use super::parts::{Parsed, Part, joined, parses};
use super::{How, Pair, Unfillable, plain};
use crate::Kind;
use std::collections::HashSet;

/// The text that the answer means; `filled` lines of it stood for the rest.
pub(super) fn choose(pair: &Pair<'_>, filled: usize) -> Result<(String, How), Unfillable> {
    let (before, answer) = (&pair.before, &pair.answer);
    let whole = || Ok((titled(pair), How::Whole));
    let pairs = Pairs::of(before, answer);
    let (of, kept) = pairs.counts(before);
    if before.lines.iter().all(|line| line.trim().is_empty()) {
        return whole();
    }
    if of == 0 {
        // What was filled from the file is no piece of it.
        return if filled > 0 { whole() } else { plain::looked_over(before, answer).and_then(|()| whole()) };
    }
    let missing = pairs.missing(before);
    let bare = before.by_tree && (is_bare(before, answer) || forgets(pair, &pairs));
    if missing.is_empty() && !pairs.has_stray && !bare {
        return with_tail(before, answer).map_or_else(whole, Ok);
    }
    let drops = || match answer.fault.filter(|_| before.fault.is_none()) {
        Some(line) => Unfillable::Broken { line },
        None => Unfillable::Drops { kept, of, names: missing.iter().map(|part| part.said()).collect() },
    };
    if kept == 0 && is_another(pair) {
        return Err(Unfillable::NotTheFile);
    }
    if answer.by_tree && kept == 0 && is_gathered(pair, &missing) {
        return whole();
    }
    if !bare && (is_renamed(pair, &pairs) || is_shortened(pair, &pairs)) {
        return whole();
    }
    if !before.by_tree || !answer.by_tree {
        return if missing.is_empty() { whole() } else { Err(drops()) };
    }
    parts(pair, &pairs, filled).ok_or_else(drops).or_else(|drops| if missing.is_empty() { whole() } else { Err(drops) })
}

/// The answer, with the comment that has the file's name at its start: readers of answers take that for a label.
fn titled(pair: &Pair<'_>) -> String {
    let base = pair.path.rsplit('/').next().unwrap_or(pair.path);
    let (before, answer) = (&pair.before.lines, &pair.answer.lines);
    let is_title = |line: &&String| is_comment(line) && line.contains(base);
    let has_it = answer.iter().take(TITLE).any(|line| is_title(&line));
    match before.iter().take(TITLE).position(|line| is_title(&line)) {
        Some(at) if !has_it && before[..at] == answer[..at.min(answer.len())] => {
            let blank = before[at + 1..].iter().take_while(|line| line.trim().is_empty()).count();
            let mut lines = before[..=at + blank].to_vec();
            lines.extend(answer[at..].iter().skip_while(|line| line.trim().is_empty()).cloned());
            joined(&lines)
        }
        Some(_) | None => pair.answer.text(),
    }
}

/// In so many lines at the start a file's name may stand.
const TITLE: usize = 2;

/// The file with the parts of the answer in place; `None` where they have no place, or break it.
fn parts(pair: &Pair<'_>, pairs: &Pairs, filled: usize) -> Option<(String, How)> {
    let replaces = !pairs.new_ones(&pair.answer).is_empty() && pairs.both().next().is_none();
    // Many new definitions with a start of their own, and none of the file's, are another program.
    if replaces && pairs.new_ones(&pair.answer).len() > MOST_NEW {
        return None;
    }
    let (text, put) = merged(pair, pairs)?;
    let breaks =
        parses(pair.language, &text) == Some(false) && parses(pair.language, &pair.before.text()) == Some(true);
    (!breaks).then_some((text, How::Parts { put, filled }))
}

/// New definitions that are added to a file of which the answer shows nothing.
const MOST_NEW: usize = 3;

/// Does the answer use constants or imports of the file that it does not have?
fn forgets(pair: &Pair<'_>, pairs: &Pairs) -> bool {
    let lost = pair.before.parts.iter().enumerate();
    let mut lost =
        lost.filter(|(at, part)| part.kind == Kind::Constant && part.parent.is_none() && !pairs.is_there[*at]);
    let used: HashSet<&str> = pair.answer.lines.iter().flat_map(|line| words(line)).collect();
    let known = |name: &str| pair.answer.parts.iter().any(|part| part.name == name);
    lost.any(|(_, part)| used.contains(part.name.as_str()) && !known(&part.name)) || forgotten(pair)
}

/// The answer with what the file does behind its definitions, where the answer ends before it: starting, exporting. Only
/// what still has all that it names is kept.
fn with_tail(before: &Parsed, answer: &Parsed) -> Option<(String, How)> {
    let (tail, new_tail) = (before.around().1, answer.around().1);
    if !before.by_tree || tail.is_empty() || !new_tail.is_empty() {
        return None;
    }
    let names = |parsed: &Parsed| -> HashSet<String> { parsed.parts.iter().map(|part| part.name.clone()).collect() };
    let (old, new) = (names(before), names(answer));
    let mut words = tail.iter().flat_map(|line| words(line));
    if words.any(|word| old.contains(word) && !new.contains(word)) {
        return None;
    }
    let mut lines = answer.lines[..answer.end_of_parts()].to_vec();
    lines.extend_from_slice(&before.lines[before.end_of_parts()..]);
    Some((joined(&lines), How::Parts { put: Vec::new(), filled: 1 }))
}

/// Lacks the answer what the file has around its definitions?
fn is_bare(before: &Parsed, answer: &Parsed) -> bool {
    let ((head, tail), (new_head, new_tail)) = (before.around(), answer.around());
    if head.is_empty() && tail.is_empty() && new_head.is_empty() && new_tail.is_empty() {
        let comments = |parsed: &Parsed| parsed.lines.iter().any(|line| indent(line) == 0 && is_comment(line));
        return comments(before) && !comments(answer);
    }
    if head.is_empty() { !tail.is_empty() && new_tail.is_empty() } else { new_head.is_empty() }
}

/// Do all that are missing stand in types of the answer now?
fn is_gathered(pair: &Pair<'_>, missing: &[&Part]) -> bool {
    let inner = |part: &Part| part.parent.is_some() && part.kind.is_function();
    let names: HashSet<&str> =
        pair.answer.parts.iter().filter(|part| inner(part)).map(|part| part.name.as_str()).collect();
    missing.iter().all(|part| part.kind.is_function() && names.contains(part.name.as_str()))
}

/// Has the answer some of the lines that stand in no definition?
fn shares(answer: &[(usize, &str)], before: &[(usize, &str)]) -> bool {
    let there: HashSet<&str> = before.iter().map(|(_, line)| line.trim()).collect();
    answer.iter().any(|(_, line)| there.contains(line.trim()))
}

/// Does the answer use the file from outside?
fn is_another(pair: &Pair<'_>) -> bool {
    let base = pair.path.rsplit('/').next().unwrap_or(pair.path);
    let stem = base.split('.').next().unwrap_or(base);
    let imports = pair.answer.lines.iter().filter(|line| is_import(line, pair.language));
    let names_it =
        |line: &String| line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).any(|word| word == stem);
    let there: HashSet<&str> = pair.before.lines.iter().map(|line| line.trim()).collect();
    let new = imports.filter(|line| !there.contains(line.trim()));
    let says_nothing = |line: &String| !there.contains(line.trim()) && defined(line).is_none();
    let strange = pair.answer.lines.iter().all(|line| line.trim().is_empty() || says_nothing(line));
    let faulty = strange && pair.answer.by_tree && pair.answer.fault.is_some() && pair.answer.parts.is_empty();
    (!stem.is_empty() && new.into_iter().any(names_it)) || (faulty && pair.before.fault.is_none())
}

/// Is one definition there under another name?
fn is_renamed(pair: &Pair<'_>, pairs: &Pairs) -> bool {
    let (missing, new) = (pairs.missing(&pair.before), pairs.new_ones(&pair.answer));
    let ([old], [new]) = (missing.as_slice(), new.as_slice()) else { return false };
    if pair.before.by_tree { is_same(pair, old, new) } else { old.kind == new.kind }
}

/// Is it the file without some definitions that are to go? Then the rest of it stands as it was.
fn is_shortened(pair: &Pair<'_>, pairs: &Pairs) -> bool {
    let (of, kept) = pairs.counts(&pair.before);
    let loose = pair.before.loose();
    // Tests are left out for shortness more often than they are to go.
    if pairs.missing(&pair.before).iter().any(|part| part.is_tests()) {
        return false;
    }
    if (of - kept) * 2 > of || kept == 0 || loose.is_empty() || !shares(&pair.answer.loose(), &loose) {
        return false;
    }
    let both: Vec<(usize, usize)> = pairs.both().filter(|(_, old)| pair.before.parts[*old].counts()).collect();
    let is_ordered = both.windows(2).all(|two| two[0].1 < two[1].1);
    let functions = both.iter().filter(|(_, old)| pair.before.parts[*old].kind.is_function());
    let (mut same, mut changed) = (0, 0);
    for (new, old) in functions {
        let lines = |parsed: &Parsed, part: &Part| parsed.lines[part.head..part.end].to_vec();
        let equal = lines(&pair.before, &pair.before.parts[*old]) == lines(&pair.answer, &pair.answer.parts[*new]);
        same += usize::from(equal);
        changed += usize::from(!equal);
    }
    is_ordered && same > 0 && same >= changed
}
