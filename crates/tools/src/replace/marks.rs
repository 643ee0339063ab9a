//! Quotes, dashes and blanks of several kinds that mean the same.

use super::glyphs::{Glyph, glyphs, plain, plain_of};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Texts longer than this together are not compared letter by letter, in bytes.
const COMPARED: usize = 40_000;

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
    /// In which form the file has letters that the model wrote in the other; `None`: in the same.
    form: Option<Form>,
}

/// How letters with marks are written.
#[derive(Debug, Clone, Copy)]
enum Form {
    Composed,
    Decomposed,
}

impl Form {
    /// That of `has`, where `wrote` is the same in the other.
    fn unlike(wrote: &str, has: &str) -> Option<Self> {
        match () {
            () if wrote == has => None,
            () if wrote.nfd().eq(has.chars()) => Some(Form::Decomposed),
            () if wrote.nfc().eq(has.chars()) => Some(Form::Composed),
            () => None,
        }
    }
}

impl Marks {
    /// As `pairs` of what the model wrote and what the file has tell.
    pub(super) fn new<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut marks = Marks::default();
        for (wrote, has) in pairs.filter(|(wrote, _)| !wrote.is_ascii()) {
            for (wrote, has) in glyphs(wrote.trim()).iter().zip(&glyphs(has.trim())) {
                marks.learn(wrote.text, has.text);
            }
        }
        marks
    }

    /// Of one character.
    fn learn(&mut self, wrote: &str, has: &str) {
        self.form = self.form.or_else(|| Form::unlike(wrote, has));
        let (mut wrote, mut has) = (wrote.chars(), has.chars());
        let (Some(wrote), None, Some(has), None) = (wrote.next(), wrote.next(), has.next(), has.next()) else { return };
        match has {
            _ if wrote == has || plain_of(wrote) != has => {}
            '"' | '\'' => self.made_plain.extend(['"', '\'']),
            _ => drop(self.made_plain.insert(has)),
        }
    }

    /// `new`, which the model made of `old`, as it would be made of `real`: what the model left alone stays as it is in
    /// the file, and what it added is written as plainly as the file is.
    pub(super) fn carried(&self, old: &str, real: &str, new: &str) -> String {
        if old == real || old.len() + new.len() > COMPARED {
            return self.translated(new);
        }
        let (before, real, after) = (glyphs(old), glyphs(real), glyphs(new));
        let alike = before.len() == real.len() && before.iter().zip(&real).all(|(one, other)| one.key == other.key);
        if !alike || after.is_empty() {
            return self.translated(new);
        }
        fn written<'a>(glyphs: &[Glyph<'a>]) -> Vec<&'a str> {
            glyphs.iter().map(|glyph| glyph.text).collect()
        }
        let (before, after) = (written(&before), written(&after));
        let mut result = String::new();
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            match op {
                DiffOp::Equal { old_index, len, .. } => {
                    result.extend(real[old_index..old_index + len].iter().map(|glyph| glyph.text));
                }
                DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    result += &self.translated(&after[op.new_range()].concat());
                }
                DiffOp::Delete { .. } => {}
            }
        }
        result
    }

    fn translated(&self, new: &str) -> String {
        let plain = new.chars().map(|c| Some(plain_of(c)).filter(|plain| self.made_plain.contains(plain)).unwrap_or(c));
        match self.form {
            None => plain.collect(),
            Some(Form::Composed) => plain.nfc().collect(),
            Some(Form::Decomposed) => plain.nfd().collect(),
        }
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
