//! Turns the indentation that a model wrote into that of the file.
//!
//! **Invariant.** Where the lines that matched do not tell how a new line is to be indented, there is no answer: in some
//! languages a guess would mean something else.

use super::line_index::{LineIndex, indent, is_blank};

/// The indentation of one line, as the model wrote it and as it is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair<'a> {
    wrote: &'a str,
    has: &'a str,
}

/// A line of the model's new text that stands for one of its old text.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndentRule {
    pub(super) old: usize,
    pub(super) new: usize,
}

/// How to indent the lines of a new text.
#[derive(Debug)]
pub(super) struct Indents<'a> {
    /// For each line of the old text; `None` for a blank one.
    pairs: Vec<Option<Pair<'a>>>,
    way: Way<'a>,
}

#[derive(Debug)]
enum Way<'a> {
    /// As the model wrote it.
    Written,
    /// So too, but the first line has lost its indentation.
    First(Pair<'a>),
    /// As the lines that matched tell.
    Mapped(Steps),
}

/// How wide one step is, for the model and in the file.
#[derive(Debug)]
struct Steps {
    wrote: Option<usize>,
    has: String,
}

/// Where a new line stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndentPlace {
    /// The line of the old text that it stands for.
    pub(super) counterpart: Option<usize>,
    /// The first line of the old text that comes after it.
    pub(super) before: usize,
    /// Is it the only one that comes between two lines of the old text?
    pub(super) alone: bool,
    /// Is it the first of the new text?
    pub(super) first: bool,
}

/// Columns that a tab is wide where a model mixes both.
const TAB: usize = 4;

impl<'a> Indents<'a> {
    /// From the lines that matched. `None`: they contradict each other.
    pub(super) fn new(
        line_index: &LineIndex<'a>,
        start: usize,
        old: &[&'a str],
        new: &[&'a str],
        kept: &[IndentRule],
    ) -> Option<Self> {
        let pair = |(index, wrote): (usize, &&'a str)| {
            (!is_blank(wrote)).then(|| Pair { wrote: indent(wrote), has: indent(line_index.line(start + index)) })
        };
        let pairs: Vec<Option<Pair>> = old.iter().enumerate().map(pair).collect();
        let way = match () {
            () if pairs.iter().flatten().all(|pair| pair.wrote == pair.has) => Way::Written,
            () if is_written_for_the_file(&pairs, new, kept)? => Way::Written,
            () => match only_first(&pairs) {
                Some(first) => Way::First(first),
                None => Way::Mapped(Steps::new(line_index, &pairs, old, new)?),
            },
        };
        Some(Indents { pairs, way })
    }

    /// The indentation for `line` of the new text. `None`: nothing tells.
    pub(super) fn of(&self, line: &str, spot: IndentPlace) -> Option<String> {
        let wrote = indent(line);
        match &self.way {
            Way::Written => Some(wrote.into()),
            Way::First(first) if spot.first => (wrote == first.wrote || wrote == first.has).then(|| first.has.into()),
            Way::First(_) => Some(wrote.into()),
            Way::Mapped(steps) => self.mapped(wrote, spot, steps),
        }
    }

    fn mapped(&self, wrote: &str, spot: IndentPlace, steps: &Steps) -> Option<String> {
        let mut alike = self.pairs.iter().flatten().filter(|pair| pair.wrote == wrote).map(|pair| pair.has);
        let Some(has) = alike.next() else { return steps.reckoned(wrote, self.pairs.iter().flatten()) };
        if alike.all(|other| other == has) {
            return Some(has.into());
        }
        // The same for the model, not so in the file: only of one line in the place of another, or between two with the
        // same in both, is it known.
        let other = spot.counterpart.and_then(|index| self.pairs.get(index).copied().flatten());
        let (above, below) = self.pairs.split_at(spot.before.min(self.pairs.len()));
        match (other, above.iter().rev().flatten().next(), below.iter().flatten().next()) {
            _ if !spot.alone => None,
            (Some(other), _, _) => (other.wrote == wrote).then(|| other.has.into()),
            (None, Some(above), Some(below)) => (above == below && above.wrote == wrote).then(|| above.has.into()),
            (None, Some(_) | None, Some(_) | None) => None,
        }
    }
}

/// Is the new text indented as the file is, though the old one is not? `None`: part of it is.
fn is_written_for_the_file(pairs: &[Option<Pair>], new: &[&str], kept: &[IndentRule]) -> Option<bool> {
    let first_of_new = new.iter().find(|line| !is_blank(line)).map(|line| indent(line));
    let (mut as_file, mut as_old) = (0, 0);
    for IndentRule { old, new: line } in kept {
        let Some(pair) = pairs[*old].filter(|pair| pair.wrote != pair.has) else { continue };
        as_file += usize::from(indent(new[*line]) == pair.has);
        as_old += usize::from(indent(new[*line]) == pair.wrote);
    }
    let first = pairs.iter().flatten().next()?;
    let first_differs = first.wrote != first.has;
    match first_of_new {
        Some(wrote) if first_differs && wrote == first.wrote => Some(false),
        Some(wrote) if first_differs && wrote == first.has => (as_old == 0).then_some(true),
        Some(_) | None if as_file > 0 && as_old > 0 => None,
        Some(_) | None => Some(as_file > 0),
    }
}

/// The first line, if it alone differs because it has lost its indentation.
fn only_first<'a>(pairs: &[Option<Pair<'a>>]) -> Option<Pair<'a>> {
    let mut pairs = pairs.iter().flatten();
    let first = pairs.next().filter(|first| first.wrote.is_empty())?;
    let mut others = pairs.peekable();
    (others.peek().is_some() && others.all(|pair| pair.wrote == pair.has)).then_some(*first)
}

impl Steps {
    /// `None`: what matched contradicts itself.
    fn new(line_index: &LineIndex, pairs: &[Option<Pair>], old: &[&str], new: &[&str]) -> Option<Self> {
        let has = unit(line_index, pairs);
        let mut known: Vec<(usize, usize)> = pairs
            .iter()
            .flatten()
            .filter_map(|pair| depth(pair.has, &has).map(|depth| (width(pair.wrote), depth)))
            .collect();
        known.sort_unstable();
        known.dedup();
        let mut wrote = None;
        for two in known.windows(2) {
            let (wider, deeper) = (two[1].0 - two[0].0, two[1].1.checked_sub(two[0].1));
            match deeper {
                // One width for several depths is for `mapped` to tell apart; nothing is reckoned from it.
                _ if wider == 0 => return Some(Steps { wrote: None, has }),
                Some(deeper) if deeper > 0 && wider % deeper == 0 => match wrote.replace(wider / deeper) {
                    Some(before) if Some(before) != wrote => return None,
                    Some(_) | None => {}
                },
                Some(_) | None => return None,
            }
        }
        let wrote = wrote.unwrap_or_else(|| {
            let step = step(old).or_else(|| step(new)).unwrap_or(if has == "\t" { TAB } else { has.len() });
            if has != "\t" && step.is_multiple_of(has.len()) && !mixes_tabs(old) { has.len() } else { step }
        });
        Some(Steps { wrote: Some(wrote), has })
    }

    /// An indentation that the old text does not have, from the nearest that it has.
    fn reckoned<'p>(&self, wrote: &str, pairs: impl Iterator<Item = &'p Pair<'p>> + Clone) -> Option<String> {
        let step = self.wrote?;
        let wanted = width(wrote);
        let narrower = pairs.clone().filter(|pair| width(pair.wrote) <= wanted).max_by_key(|pair| width(pair.wrote));
        let nearest = narrower.or_else(|| pairs.min_by_key(|pair| width(pair.wrote)))?;
        let known = width(nearest.wrote);
        let mut result = nearest.has.to_owned();
        if wanted >= known {
            result += &self.has.repeat((wanted - known) / step);
            result += &" ".repeat((wanted - known) % step);
            return Some(result);
        }
        if !(known - wanted).is_multiple_of(step) {
            return None;
        }
        for _ in 0..(known - wanted) / step {
            result.truncate(result.strip_suffix(&self.has)?.len());
        }
        Some(result)
    }
}

/// One step of indentation in the file.
fn unit(line_index: &LineIndex, pairs: &[Option<Pair>]) -> String {
    let near = || pairs.iter().flatten().map(|pair| pair.has);
    let tabs = match (near().any(|has| has.starts_with('\t')), near().any(|has| has.starts_with(' '))) {
        (true, _) => true,
        (false, true) => false,
        (false, false) => {
            let count = |start: char| line_index.lines().filter(|line| line.starts_with(start)).count();
            count('\t') > count(' ')
        }
    };
    if tabs { "\t".into() } else { " ".repeat(step(&line_index.lines().collect::<Vec<_>>()).unwrap_or(TAB)) }
}

fn depth(has: &str, unit: &str) -> Option<usize> {
    let deep = has.len() / unit.len();
    (unit.repeat(deep) == has).then_some(deep)
}

fn width(indent: &str) -> usize {
    indent.chars().map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

fn mixes_tabs(lines: &[&str]) -> bool {
    lines.iter().any(|line| indent(line).contains('\t'))
}

/// By how many columns lines are mostly indented more than the one before; one alone is no step but alignment.
fn step(lines: &[&str]) -> Option<usize> {
    let widths: Vec<usize> = lines.iter().filter(|line| !is_blank(line)).map(|line| width(indent(line))).collect();
    let mut counts = [0_usize; 17];
    for two in widths.windows(2) {
        if let Some(count) = two[1].checked_sub(two[0]).filter(|more| *more > 1).and_then(|more| counts.get_mut(more)) {
            *count += 1;
        }
    }
    let most = *counts.iter().max()?;
    if most == 0 { None } else { counts.iter().position(|count| *count == most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The new lines, none of which stands for an old one, as they would be indented before old line `before`.
    fn indented(text: &str, old: &[&str], new: &[&str], before: usize) -> Option<Vec<String>> {
        let line_index = LineIndex::new(text);
        let indents = Indents::new(&line_index, 0, old, new, &[])?;
        let of = |(index, line): (usize, &&str)| {
            let spot = IndentPlace { counterpart: None, before, alone: new.len() == 1, first: index == 0 };
            indents.of(line, spot).map(|indent| indent + line.trim_start())
        };
        new.iter().enumerate().map(of).collect()
    }

    #[test]
    fn new_lines_get_the_steps_of_the_file() {
        for (text, old, new, expected) in [
            ("    a\n        b\n", vec!["a", "    b"], vec!["c", "        d"], vec!["    c", "            d"]),
            ("\ta\n\t\tb\n", vec!["    a", "        b"], vec!["            d"], vec!["\t\t\td"]),
            ("  a\n    b\n", vec!["\ta", "\t\tb"], vec!["\t\tc", "\t\t\td"], vec!["    c", "      d"]),
            ("\ta\n", vec!["a"], vec!["a {", "  b", "}"], vec!["\ta {", "\t\tb", "\t}"]),
            ("    a\n        b\n", vec!["  a"], vec!["  a {", "    b", "  }"], vec!["    a {", "        b", "    }"]),
            ("\t\ta\n", vec!["    a"], vec!["c"], vec!["\tc"]),
            ("\t/*\n\t * a\n", vec!["    /*", "     * a"], vec!["     * b"], vec!["\t * b"]),
            ("    a\n        b\n", vec!["a", "        b"], vec!["c", "        d"], vec!["    c", "        d"]),
        ] {
            let expected = expected.into_iter().map(String::from).collect();
            assert_eq!(indented(text, &old, &new, 0), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn what_nothing_tells_is_not_guessed() {
        let text = "if a:\n    b\n    c\nd\n";
        let flat = ["if a:", "b", "c", "d"];
        assert_eq!(indented(&text.replace("if", "  if"), &flat, &["new"], 1), None);
        assert_eq!(indented(text, &flat, &["new"], 1), None);
        assert_eq!(indented(text, &flat, &["new"], 2), Some(vec!["    new".into()]));
        assert_eq!(indented(text, &flat, &["new:", "newer"], 2), None);
        assert_eq!(indented("a\n", &["    a"], &["  b"], 0), None);
    }

    #[test]
    fn a_new_text_written_for_the_file_stays_as_it_is() {
        let new = ["    c {", "        d", "    }"];
        assert_eq!(indented("    a\n        b\n", &["a", "    b"], &new, 0), Some(new.map(String::from).into()));
    }
}
