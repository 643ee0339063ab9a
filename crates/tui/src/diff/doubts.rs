//! What a person should be told of a text that cannot be told by looking: characters that draw nothing or command a
//! terminal, and words in which letters of one script stand among those of another that look alike.
//!
//! Goes through a text once, when it is first shown; nothing here is done for a frame.

use crate::clean::{clean_line, marked};
use agent_protocol::sanitize::hidden_words;
use std::collections::BTreeMap;
use std::ops::Range;

/// Words that one warning names.
const NAMED: usize = 5;

/// Letters of a word that a warning shows.
const WORD: usize = 40;

/// What was found in a text so far.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    hidden: BTreeMap<char, usize>,
    /// The first words of mixed scripts, each once, with the letter that does not belong.
    mixed: Vec<String>,
    mixed_besides: usize,
}

impl Doubts {
    /// What there is to doubt in `text`.
    pub(crate) fn of(text: &str) -> Self {
        let mut doubts = Doubts::default();
        text.split('\n').for_each(|line| doubts.line(line));
        doubts
    }

    /// Looks at one more line.
    pub(super) fn line(&mut self, line: &str) {
        // Most lines; and nothing in them but letters that everybody can tell.
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
            return;
        }
        for c in marked(line) {
            *self.hidden.entry(c).or_default() += 1;
        }
        for Mixed { word, odd } in mixed(line) {
            let word = clean_line(&line[word]).chars().take(WORD).collect::<String>();
            let told = format!("{word} ({} {odd})", script_name(odd));
            match self.mixed.contains(&told) {
                true => {}
                false if self.mixed.len() < NAMED => self.mixed.push(told),
                false => self.mixed_besides += 1,
            }
        }
    }

    /// One warning a line, in words.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(hidden_words(&self.hidden).map(|words| format!("warning: {words}")));
        if !self.mixed.is_empty() {
            let listed = listed(&self.mixed, self.mixed_besides, "words");
            warnings.push(format!("warning: mixed scripts: {listed}"));
        }
        warnings
    }
}

/// The first of them, and how many more there are.
fn listed(first: &[String], more: usize, noun: &str) -> String {
    let first = first.join(", ");
    if more == 0 { first } else { format!("{first} and {more} more {noun}") }
}

/// A word that mixes scripts, and the first letter in it that looks like another.
#[derive(Debug, PartialEq)]
pub(super) struct Mixed {
    pub(super) word: Range<usize>,
    pub(super) odd: char,
}

/// The words of `text` in which Latin letters stand beside letters of another script that can be taken for Latin ones.
pub(super) fn mixed(text: &str) -> Vec<Mixed> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut word = Word::default();
    let end = [(text.len(), ' ')];
    for (at, c) in text.char_indices().chain(end) {
        match script(c) {
            Script::None => found.extend(std::mem::take(&mut word).closed(at)),
            script => word.take(at, c, script),
        }
    }
    found
}

#[derive(Default)]
struct Word {
    start: Option<usize>,
    latin: bool,
    odd: Option<char>,
}

impl Word {
    fn take(&mut self, at: usize, c: char, script: Script) {
        self.start.get_or_insert(at);
        match script {
            Script::Latin => self.latin = true,
            Script::LookAlike => self.odd = self.odd.or(Some(c)),
            Script::Other | Script::None => {}
        }
    }

    fn closed(self, end: usize) -> Option<Mixed> {
        let odd = self.odd.filter(|_| self.latin)?;
        Some(Mixed { word: self.start?..end, odd })
    }
}

/// What a character is to a word.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    /// No part of one.
    None,
    Latin,
    /// A letter of another script that can be taken for a Latin one.
    LookAlike,
    /// A digit, or a letter that nobody takes for a Latin one.
    Other,
}

fn script(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if c.is_alphabetic() => Script::Latin,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => Script::LookAlike,
        // Not all of Greek: λx, Δt and μs are written by people who mean it.
        'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ' => {
            Script::LookAlike
        }
        'α' | 'ι' | 'κ' | 'ν' | 'ο' | 'ρ' | 'υ' | 'χ' | 'ϲ' | 'ϳ' => Script::LookAlike,
        'ա' | 'ո' | 'ս' | 'օ' | 'հ' | 'ց' | 'զ' | 'յ' => Script::LookAlike,
        '\u{13a0}'..='\u{13ff}' => Script::LookAlike,
        _ if c.is_alphanumeric() => Script::Other,
        _ => Script::None,
    }
}

fn script_name(c: char) -> &'static str {
    match c {
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{530}'..='\u{58f}' => "Armenian",
        '\u{13a0}'..='\u{13ff}' => "Cherokee",
        _ => "Cyrillic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_see_is_counted_and_named() {
        assert_eq!(
            Doubts::of("let ok = 1; //\u{202e} }").warnings(),
            ["warning: 1 invisible character (U+202E right-to-left override)"]
        );
        assert_eq!(
            Doubts::of("a\u{200b}\u{200b}\n\u{1b}[2J\u{2064}").warnings(),
            ["warning: 3 invisible characters (U+200B zero width space, U+2064 invisible operator), \
             1 control character (U+001B escape)"]
        );
        let many: String = (0xe0020..0xe0030).filter_map(char::from_u32).collect();
        assert!(Doubts::of(&many).warnings()[0].ends_with("U+E0024 tag and 11 more kinds)"));
    }

    #[test]
    fn letters_that_look_like_others_are_told_with_their_word() {
        assert_eq!(Doubts::of("аdmin = true").warnings(), ["warning: mixed scripts: аdmin (Cyrillic а)"]);
        assert_eq!(
            Doubts::of("x.аdmin()\nx.аdmin()\nrοot").warnings(),
            ["warning: mixed scripts: аdmin (Cyrillic а), rοot (Greek ο)"]
        );
        assert_eq!(mixed("let pаss"), [Mixed { word: 4..9, odd: 'а' }]);
    }

    #[test]
    fn a_text_full_of_doubts_is_told_in_a_line() {
        let text: String = (0..20_000).map(|number| format!("а{number}x ")).collect();
        let warnings = Doubts::of(&text).warnings();
        assert!(warnings[0].ends_with("а4x (Cyrillic а) and 19995 more words"), "{warnings:?}");
    }

    #[test]
    fn what_people_write_on_purpose_is_not_doubted() {
        for text in ["λx = Δt / 5μs", "имя_name = \"Привет, world\"", "naïve café", "漢字kanji", "x² + y₁", "\tplain"]
        {
            assert_eq!(Doubts::of(text).warnings(), [""; 0], "{text}");
        }
    }
}
