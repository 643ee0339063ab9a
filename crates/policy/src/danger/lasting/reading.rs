//! Reads the words of a program against those that were agreed to.

use super::Covered;
use super::runners::{After, Operands, RUNNERS, Runner, Style, UNKNOWN};
use crate::danger::known::{known_as, takes_subcommand};
use crate::danger::script::assignment;
use crate::lists::listed;

/// The words of a program, read from the first to the last.
pub(super) struct FlagReading<'a> {
    words: &'a [String],
    agreed: &'a [String],
    runner: &'static Runner,
    /// What its operands are, behind the agreed words.
    operands: Operands,
    /// The next word to be read.
    at: usize,
    /// So many agreed words were found.
    found: usize,
}

/// What a word is to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordKind {
    /// A flag known to be harmless.
    Flag,
    /// One that takes the next word.
    Valued,
    /// One that takes the next word if that is a number.
    Counted,
    /// Looks like a flag, or sets a variable, and is not known.
    Strange,
    /// The end of the flags.
    End,
    /// Anything else.
    Operand,
}

impl<'a> FlagReading<'a> {
    /// Both begin with the same program, the word `at`.
    pub(super) fn new(words: &'a [String], agreed: &'a [String], at: usize) -> Self {
        let own = &agreed[at..];
        let runner = runner(own);
        // Without a word that says what is done, the first one would.
        let operands = match runner.operands {
            Operands::Any | Operands::Paths if own.len() == 1 && takes_subcommand(known_as(&own[0])) => {
                Operands::Choose
            }
            Operands::Paths if own.len() > 1 => Operands::Any,
            operands @ (Operands::Any | Operands::Choose | Operands::Paths) => operands,
        };
        FlagReading { words, agreed, runner, operands, at: at + 1, found: at + 1 }
    }

    pub(super) fn outcome(mut self) -> Covered {
        let mut except = None;
        while let Some(word) = self.words.get(self.at) {
            let kind = self.runner.kind(word);
            let agreed = self.agreed.get(self.found).is_some_and(|agreed| agreed == word);
            self.found += usize::from(agreed);
            self.at += 1;
            let strange = match kind {
                WordKind::End if !agreed && self.found < self.agreed.len() => return Covered::No,
                WordKind::End => self.behind(),
                _ if agreed => self.value_of_agreed(kind),
                WordKind::Flag => None,
                WordKind::Valued => self.value(),
                WordKind::Counted => {
                    self.at += usize::from(self.words.get(self.at).is_some_and(|next| is_number(next)));
                    None
                }
                WordKind::Strange => Some(word),
                WordKind::Operand if self.found < self.agreed.len() => return Covered::No,
                WordKind::Operand => self.operands.choose(word).then_some(word),
            };
            // A strange word before the agreed ones may change what they mean.
            if strange.is_some() && self.found < self.agreed.len() {
                return Covered::No;
            }
            except = except.or(strange);
        }
        match except {
            _ if self.found < self.agreed.len() => Covered::No,
            Some(word) => Covered::Except(word.clone()),
            None => Covered::All,
        }
    }

    /// The value of a flag; what begins like a flag is none, for the flag may do without.
    fn value(&mut self) -> Option<&'a String> {
        let value = self.words.get(self.at)?;
        self.at += 1;
        value.starts_with('-').then_some(value)
    }

    /// The word behind an agreed one: the value of a flag was agreed to only where it is named as well.
    fn value_of_agreed(&mut self, kind: WordKind) -> Option<&'a String> {
        let last = self.found == self.agreed.len();
        let next = self.words.get(self.at).filter(|next| !looks_like_flag(next))?;
        match kind {
            WordKind::Valued if last => self.value(),
            WordKind::Counted if last && is_number(next) => {
                self.at += 1;
                None
            }
            // It is not known whether it takes a value; the program's own name takes none.
            WordKind::Strange if last && !self.words[self.at - 1].contains('=') => {
                self.at += 1;
                Some(next)
            }
            WordKind::Flag
            | WordKind::Valued
            | WordKind::Counted
            | WordKind::Strange
            | WordKind::End
            | WordKind::Operand => None,
        }
    }

    /// All that follows `--`: the first word of it that is not covered.
    fn behind(&mut self) -> Option<&'a String> {
        let rest = &self.words[self.at..];
        self.at = self.words.len();
        // What was agreed to behind it is all that is.
        let agreed = self.agreed[self.found..].len();
        if agreed > 0 {
            let same = rest.starts_with(&self.agreed[self.found..]);
            self.found += if same { agreed } else { 0 };
            return rest.get(if same { agreed } else { 0 });
        }
        match self.runner.after {
            After::Operands if self.operands == Operands::Choose => rest.first(),
            After::Operands => rest.iter().find(|word| assignment(word).is_some()),
            After::Asks => rest.first(),
            After::Strange => rest.iter().find(|word| looks_like_flag(word)),
            After::Inner(inner) => inner.first_strange(rest),
        }
    }
}

impl Operands {
    /// Does `word` choose what is run?
    fn choose(self, word: &str) -> bool {
        match self {
            Operands::Any => false,
            Operands::Choose => true,
            Operands::Paths => !word.contains(['/', '.']) || word.contains(char::is_whitespace),
        }
    }
}

impl Runner {
    fn kind(&self, word: &str) -> WordKind {
        if word == "--" {
            return WordKind::End;
        }
        if word == "-" || !looks_like_flag(word) {
            return WordKind::Operand;
        }
        if !word.starts_with('-') {
            return WordKind::Strange;
        }
        let word = if self.style == Style::Go && word.starts_with("--") { &word[1..] } else { word };
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match value {
            Some(_) if listed(self.valued, name) || listed(self.plain, &format!("{name}[=]")) => WordKind::Flag,
            Some(value) if listed(self.counted, name) && is_number(value) => WordKind::Flag,
            Some(_) => WordKind::Strange,
            None if listed(self.plain, word) || listed(self.plain, &format!("{word}[=]")) => WordKind::Flag,
            None if listed(self.valued, word) => WordKind::Valued,
            None if listed(self.counted, word) => WordKind::Counted,
            None => self.cluster(word),
        }
    }

    /// Flags of one letter written together, the last one maybe with its value: `-xvs`, `-kname`, `-j4`.
    fn cluster(&self, word: &str) -> WordKind {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            return WordKind::Strange;
        };
        let has = |list: &str, letter: char| list.split_whitespace().any(|known| is_letter(known, letter));
        for (at, letter) in letters.char_indices() {
            let rest = &letters[at + letter.len_utf8()..];
            if has(self.counted, letter) && (rest.is_empty() || is_number(rest)) {
                return if rest.is_empty() { WordKind::Counted } else { WordKind::Flag };
            }
            if self.style != Style::Letters {
                return WordKind::Strange;
            }
            if has(self.valued, letter) {
                return if rest.is_empty() { WordKind::Valued } else { WordKind::Flag };
            }
            if !has(self.plain, letter) {
                return WordKind::Strange;
            }
        }
        WordKind::Flag
    }

    /// The first of `words` that these flags do not cover.
    fn first_strange<'a>(&'static self, words: &'a [String]) -> Option<&'a String> {
        let mut reading = FlagReading { words, agreed: &[], runner: self, operands: self.operands, at: 0, found: 0 };
        while let Some(word) = reading.words.get(reading.at) {
            let kind = self.kind(word);
            reading.at += 1;
            let strange = match kind {
                WordKind::Flag | WordKind::Counted => None,
                WordKind::Valued => reading.value(),
                WordKind::Strange => Some(word),
                WordKind::Operand => self.operands.choose(word).then_some(word),
                WordKind::End => reading.behind(),
            };
            if strange.is_some() {
                return strange;
            }
        }
        None
    }
}

/// Are words of this program listed?
pub(in crate::danger) fn is_listed(program: &str) -> bool {
    let names = |head: &str| head.split(' ').next() == Some(program);
    RUNNERS.iter().any(|runner| runner.heads.split(", ").any(names))
}

/// How many of `words`, the first ones behind `program`, are harmless flags of it with their values.
pub(in crate::danger) fn harmless_flags(program: &str, words: &[String]) -> usize {
    let program = [program.to_owned()];
    let mut reading =
        FlagReading { words, agreed: &[], runner: runner(&program), operands: Operands::Any, at: 0, found: 0 };
    while let Some(word) = words.get(reading.at) {
        let begin = reading.at;
        reading.at += 1;
        let harmless = match reading.runner.kind(word) {
            WordKind::Flag => true,
            WordKind::Valued => reading.value().is_none(),
            WordKind::Counted => {
                reading.at += usize::from(words.get(reading.at).is_some_and(|next| is_number(next)));
                true
            }
            WordKind::Strange | WordKind::End | WordKind::Operand => false,
        };
        if !harmless || reading.at > words.len() {
            return begin;
        }
    }
    reading.at
}

/// The row that the agreed words belong to: the one that names most of them.
fn runner(agreed: &[String]) -> &'static Runner {
    let names = |head: &str| {
        let head: Vec<&str> = head.split(' ').collect();
        let known = agreed.iter().enumerate().map(|(at, word)| if at == 0 { known_as(word) } else { word.as_str() });
        let named = agreed.len() >= head.len() && head.iter().zip(known).all(|(word, known)| *word == known);
        named.then_some(head.len())
    };
    let rows = RUNNERS.iter().filter_map(|runner| {
        let longest = runner.heads.split(", ").filter_map(names).max()?;
        Some((longest, runner))
    });
    rows.max_by_key(|(length, _)| *length).map_or(&UNKNOWN, |(_, runner)| runner)
}

/// Flags, files of flags (`@args`), toolchains (`+nightly`), variables.
fn looks_like_flag(word: &str) -> bool {
    word.starts_with(['-', '@', '+']) || assignment(word).is_some()
}

fn is_letter(flag: &str, letter: char) -> bool {
    flag.strip_prefix('-').is_some_and(|name| name.chars().eq([letter]))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|digit| digit.is_ascii_digit() || digit == '.')
}
