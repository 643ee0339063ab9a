//! Parts the words of a program into flags and operands, the way GNU programs do.

use super::{Reader, Uses};
use crate::lists::listed;
use crate::shell::words::Word;

pub(super) struct ParsedArgs<'a> {
    pub(super) words: &'a [Word],
    /// The flags with their values, `-` and `--` included in the name.
    pub(super) flags: Vec<(String, Option<String>)>,
    /// The numbers of the operands among the words; 1 is the first argument.
    pub(super) operands: Vec<usize>,
    /// How many operands stand before `--`.
    pub(super) guarded_from: usize,
}

impl ParsedArgs<'_> {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|(flag, _)| names.contains(&flag.as_str()))
    }

    /// The values of these flags.
    pub(super) fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'s str> {
        let named = self.flags.iter().filter(move |(flag, _)| names.contains(&flag.as_str()));
        named.filter_map(|(_, value)| value.as_deref())
    }

    /// The operand of this place.
    pub(super) fn text(&self, operand: usize) -> &str {
        self.operands.get(operand).map_or("", |at| &self.words[at - 1].text)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().map(|at| self.words[at - 1].text.as_str())
    }

    /// All operands from this place on are files.
    pub(super) fn files(&self, from: usize) -> Result<Uses, String> {
        for place in from..self.operands.len() {
            let text = self.text(place);
            if text.starts_with('-') && text.len() > 1 && place >= self.guarded_from {
                return Err(format!("`{text}` looks like a flag and is used as a file"));
            }
        }
        Ok(Uses { files: self.operands.get(from..).unwrap_or_default().to_vec(), ..Uses::default() })
    }
}

/// Parts `words` as `reader` takes them, with the flags of `also`.
pub(super) fn parse<'a>(reader: &Reader, also: &[&Reader], words: &'a [Word]) -> Result<ParsedArgs<'a>, String> {
    let flags = Flags { own: reader, also };
    let numbers = flags.all().any(|reader| reader.numbers);
    let mut given = ParsedArgs { words, flags: Vec::new(), operands: Vec::new(), guarded_from: usize::MAX };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        let flag = text.len() > 1 && text.starts_with('-');
        match text {
            _ if given.guarded_from != usize::MAX => given.operands.push(at),
            "--" => given.guarded_from = given.operands.len(),
            _ if flag && !reader.mixed && !given.operands.is_empty() => {
                return Err(format!("`{text}` after a name may be taken for another name"));
            }
            _ if numbers && is_number_flag(text) => given.flags.push((text.into(), None)),
            _ if text.starts_with("--") => flags.long(text, words, &mut at, &mut given)?,
            _ if flag => flags.short(text, words, &mut at, &mut given)?,
            _ => given.operands.push(at),
        }
    }
    Ok(given)
}

fn is_number_flag(text: &str) -> bool {
    let digits = text.strip_prefix('-').filter(|digits| !digits.is_empty() && digits.len() < 9);
    digits.is_some_and(|digits| digits.bytes().all(|c| c.is_ascii_digit()))
}

/// What a long flag takes.
enum Takes {
    Nothing,
    Value,
    MaybeValue,
}

/// The flags that a program takes.
struct Flags<'a> {
    own: &'a Reader,
    also: &'a [&'a Reader],
}

impl Flags<'_> {
    fn all(&self) -> impl Iterator<Item = &Reader> {
        std::iter::once(self.own).chain(self.also.iter().copied())
    }

    fn lists(&self, letter: char, list: fn(&Reader) -> &'static str) -> bool {
        self.all().any(|reader| list(reader).contains(letter))
    }

    fn long(&self, text: &str, words: &[Word], at: &mut usize, given: &mut ParsedArgs<'_>) -> Result<(), String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        if listed(self.own.twice, &text[2..]) {
            given.flags.push((text.into(), Some(next(text, words, at)?)));
            return next(text, words, at).map(|_| ());
        }
        let value = match (self.long_takes(&name[2..]), value) {
            (Some(Takes::Nothing | Takes::MaybeValue), None) => None,
            (Some(Takes::Value | Takes::MaybeValue), Some(value)) => Some(value),
            (Some(Takes::Value), None) => Some(next(name, words, at)?),
            (Some(Takes::Nothing), Some(_)) | (None, _) => return Err(self.why_not(name)),
        };
        given.flags.push((name.into(), value));
        Ok(())
    }

    fn long_takes(&self, name: &str) -> Option<Takes> {
        self.all().flat_map(|reader| reader.long.split_ascii_whitespace()).find_map(|listed| {
            match listed.strip_prefix(name)? {
                "" => Some(Takes::Nothing),
                "=" => Some(Takes::Value),
                "[=]" => Some(Takes::MaybeValue),
                _ => None,
            }
        })
    }

    fn short(&self, text: &str, words: &[Word], at: &mut usize, given: &mut ParsedArgs<'_>) -> Result<(), String> {
        for (place, letter) in text[1..].char_indices() {
            let name = format!("-{letter}");
            let rest = &text[1 + place + letter.len_utf8()..];
            let valueless = || text[1..].chars().all(|letter| self.lists(letter, |reader| reader.short));
            if place > 0 && !self.own.clusters && !valueless() {
                return Err(self.why_not(text));
            }
            if self.lists(letter, |reader| reader.short) {
                given.flags.push((name, None));
            } else if self.lists(letter, |reader| reader.attached) {
                given.flags.push((name, (!rest.is_empty()).then(|| rest.to_owned())));
                return Ok(());
            } else if self.lists(letter, |reader| reader.valued) {
                let value = if rest.is_empty() { next(&name, words, at)? } else { rest.to_owned() };
                given.flags.push((name, Some(value)));
                return Ok(());
            } else {
                return Err(self.why_not(&name));
            }
        }
        Ok(())
    }

    fn why_not(&self, flag: &str) -> String {
        match self.all().flat_map(|reader| reader.known).find(|(flags, _)| listed(flags, flag)) {
            Some((_, why)) => format!("`{flag}` {why}"),
            None => format!("`{flag}` is not among its flags that are known to only read"),
        }
    }
}

fn next(flag: &str, words: &[Word], at: &mut usize) -> Result<String, String> {
    let word = words.get(*at).ok_or_else(|| format!("`{flag}` lacks its value"))?;
    *at += 1;
    Ok(word.text.clone())
}
