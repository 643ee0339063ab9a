//! Quotes, dashes and blanks of several kinds that mean the same.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Texts longer than this together are not compared letter by letter, in characters.
const COMPARED: usize = 20_000;

/// The plain one of its kind.
fn plain_of(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        _ => c,
    }
}

/// `text` with plain ones only; as many characters as before.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(|c| plain_of(c) == c) {
        return text.into();
    }
    text.chars().map(plain_of).collect::<String>().into()
}

/// Where `sought` is in `text`, if only the kind of marks differs; also where it overlaps itself.
pub(super) fn find(text: &str, sought: &str) -> Vec<Range<usize>> {
    let (flat, sought) = (plain(text), plain(sought));
    // A plain character may have fewer bytes than what it stands for: (where it is in `flat`, bytes saved up to its end).
    let mut saved = Vec::new();
    let (mut index, mut sum) = (0, 0);
    for c in text.chars().filter(|_| matches!(flat, Cow::Owned(_))) {
        let plain = plain_of(c).len_utf8();
        if plain != c.len_utf8() {
            sum += c.len_utf8() - plain;
            saved.push((index, sum));
        }
        index += plain;
    }
    let original = |at: usize| match saved.partition_point(|(index, _)| *index < at) {
        0 => at,
        count => at + saved[count - 1].1,
    };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(index) = flat[from..].find(&*sought) {
        let at = from + index;
        found.push(original(at)..original(at + sought.len()));
        from = at + flat[at..].chars().next().map_or(1, char::len_utf8);
    }
    found
}

/// How the marks that a model wrote go over into those of a file.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Plain characters of the file for which the model wrote others; one kind of quotes stands for both.
    made_plain: HashSet<char>,
}

impl Marks {
    /// As `pairs` of what the model wrote and what the file has tell.
    pub(super) fn new<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut made_plain = HashSet::new();
        for (wrote, has) in pairs.filter(|(wrote, _)| !wrote.is_ascii()) {
            for (wrote, has) in wrote.trim().chars().zip(has.trim().chars()) {
                match has {
                    _ if wrote == has || plain_of(wrote) != has => {}
                    '"' | '\'' => made_plain.extend(['"', '\'']),
                    _ => drop(made_plain.insert(has)),
                }
            }
        }
        Marks { made_plain }
    }

    /// `new`, which the model made of `old`, as it would be made of `real`: what the model left alone stays as it is in
    /// the file, and what it added is written as plainly as the file is.
    pub(super) fn carried(&self, old: &str, real: &str, new: &str) -> String {
        let (old, real, new): (Vec<char>, Vec<char>, Vec<char>) =
            (old.chars().collect(), real.chars().collect(), new.chars().collect());
        let alike = old.len() == real.len() && old.iter().zip(&real).all(|(a, b)| plain_of(*a) == plain_of(*b));
        if !alike || old == real || old.len() + new.len() > COMPARED {
            return self.translated(&new);
        }
        let mut result = String::new();
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            match op {
                DiffOp::Equal { old_index, len, .. } => result.extend(&real[old_index..old_index + len]),
                DiffOp::Insert { .. } | DiffOp::Replace { .. } => result += &self.translated(&new[op.new_range()]),
                DiffOp::Delete { .. } => {}
            }
        }
        result
    }

    fn translated(&self, new: &[char]) -> String {
        new.iter().map(|c| Some(plain_of(*c)).filter(|plain| self.made_plain.contains(plain)).unwrap_or(*c)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_whatever_its_marks() {
        let text = "a – “b”\u{a0}c “b” – é\n";
        let found = |sought: &str| find(text, sought).into_iter().map(|at| &text[at]).collect::<Vec<_>>();
        assert_eq!(found("- \"b\" c"), ["– “b”\u{a0}c"]);
        assert_eq!(found("\"b\""), ["“b”", "“b”"]);
        assert_eq!(found("”b“ — é"), ["“b” – é"]);
        assert_eq!(found("b"), ["b", "b"]);
        assert_eq!(found("x"), [""; 0]);
    }

    #[test]
    fn what_was_left_alone_keeps_its_marks() {
        for (old, real, new, expected) in [
            ("say \"hi\"", "say “hi”", "say \"ho\"", "say “ho”"),
            ("say \"hi\"", "say “hi”", "say \"hi\", \"you\"", "say “hi”, \"you\""),
            ("print(“x”)", "print(\"x\")", "print(“x”, “y”)", "print(\"x\", \"y\")"),
            ("f(“a”)", "f(\"a\")", "f(“a”, ‘b’, –)", "f(\"a\", 'b', –)"),
            ("a", "b", "“c”", "“c”"),
        ] {
            let marks = Marks::new([(old, real)].into_iter());
            assert_eq!(marks.carried(old, real, new), expected, "{old} → {new} on {real}");
        }
    }
}
