//! Programs that start the one that their words name, and the words that are started.
//!
//! They stand in `config/starters.toml`, each row with its source. Behind a program that stands in no table, a word that
//! names a dangerous program counts as started, too: too much is seen rather than too little.

use super::known::{is_known_by_name, known_as, name, publishes, takes_subcommand, unversioned};
use super::lasting::is_listed;
use super::script::{ScriptWord, assignment};
use super::subcommands;
use crate::lists::listed;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Dangerous programs behind one that nobody knows that are looked at.
const MOST_NAMED: usize = 16;

/// What the names of shell scripts end in. Files in other languages are what checkers and formatters are given.
const SCRIPTS: &str = "sh bash zsh fish ksh ps1 bat cmd command";

/// Folders in which they lie without such an end.
const OF_SCRIPTS: &str = "bin .bin script scripts tools";

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../../config/starters.toml")).expect("the starters are valid TOML")
});

static BY_NAME: LazyLock<HashMap<&str, &Starter>> = LazyLock::new(|| {
    TABLE.starter.iter().flat_map(|row| row.names.split_ascii_whitespace().map(move |name| (name, row))).collect()
});

static OTHERS: LazyLock<HashSet<&str>> = LazyLock::new(|| TABLE.others.split_ascii_whitespace().collect());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    dangerous: String,
    others: String,
    starter: Vec<Starter>,
}

/// A program, or several that take the same words. What the fields mean stands in the file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Starter {
    names: String,
    first: Vec<String>,
    letters: String,
    long: String,
    twice: String,
    operands: usize,
    behind: String,
    asks: String,
    text: String,
    takes: Takes,
    /// Where this is documented: for whoever reads or changes the table.
    source: String,
}

/// What the operands of a starter are.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Takes {
    #[default]
    Program,
    Texts,
    Joined,
}

/// Is it this program's work to start others, whatever its words are?
pub(super) fn is_starter(program: &str) -> bool {
    row(program).is_some_and(|row| row.first.is_empty())
}

/// Does a program with these words start what its words name?
pub(super) fn starts_what_follows(words: &[String]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let rest: Vec<ScriptWord> = rest.iter().map(|word| ScriptWord::plain(word)).collect();
    let program = base(program);
    let named = || !is_known(program) && !named(&rest).is_empty();
    row(program).is_some_and(|row| row.first.is_empty() || row.own(&rest).is_some()) || named()
}

/// The shell script that a program in no table names, which it may run.
pub(super) fn names_a_script(words: &[String]) -> Option<&String> {
    let (program, rest) = words.split_first()?;
    let is_script = |word: &&String| {
        let (folder, file) = word.rsplit_once('/').unwrap_or(("", word));
        match file.rsplit_once('.') {
            Some((_, kind)) => listed(SCRIPTS, kind),
            None => !file.is_empty() && listed(OF_SCRIPTS, folder.rsplit('/').next().unwrap_or_default()),
        }
    };
    rest.iter().find(is_script).filter(|_| !is_known(base(program)))
}

/// Do the `words` of a program, or of one that it may start, begin with those of a `rule`? By which folder a program is
/// called does not count.
pub(super) fn begins_with(words: &[String], rule: &[String]) -> bool {
    let begins = |words: &[String]| match (words.split_first(), rule.split_first()) {
        (Some((program, words)), Some((wanted, rule))) => base(program) == *wanted && words.starts_with(rule),
        (None, _) | (_, None) => false,
    };
    let unknown = || words.first().is_some_and(|program| !is_known(base(program)));
    begins(words) || (1..words.len()).any(|at| begins(&words[at..])) && unknown()
}

/// The programs with their words that `program` starts with these words.
pub(super) fn started(program: &str, words: &[ScriptWord]) -> Vec<Vec<ScriptWord>> {
    match row(program) {
        Some(row) if row.takes == Takes::Texts => Vec::new(),
        Some(row) => row.own(words).map(|words| row.programs(words)).unwrap_or_default(),
        None if is_known(program) => Vec::new(),
        None => named(words),
    }
}

/// The texts that `program` has a shell run.
pub(super) fn texts(program: &str, words: &[ScriptWord]) -> Vec<String> {
    row(program).and_then(|row| Some(row.texts(row.own(words)?))).unwrap_or_default()
}

fn row(program: &str) -> Option<&'static Starter> {
    BY_NAME.get(program).copied()
}

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

/// Does a table say what this program does with its words?
fn is_known(program: &str) -> bool {
    let by = |name: &str| {
        OTHERS.contains(name) || takes_subcommand(known_as(name)) || is_listed(known_as(name)) || is_known_by_name(name)
    };
    row(program).is_some() || by(program) || by(unversioned(program))
}

/// Dangerous programs among the words of a program that nobody knows, each with what follows it.
fn named(words: &[ScriptWord]) -> Vec<Vec<ScriptWord>> {
    let mut seen: Vec<&str> = Vec::new();
    let mut named: Vec<Vec<ScriptWord>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let program = name(word);
        let rest = &words[at + 1..];
        // What follows one of a name follows the next of that name as well, but for git, of which one word counts.
        let again = seen.contains(&program) && program != "git";
        if named.len() < MOST_NAMED && !again && is_dangerous(program, rest) {
            seen.push(program);
            named.push(words[at..].to_vec());
        }
    }
    named
}

/// Does it name a dangerous program with its words, and not only something that is called the same?
fn is_dangerous(program: &str, rest: &[ScriptWord]) -> bool {
    if rest.is_empty() || !listed(&TABLE.dangerous, program) && !program.starts_with("mkfs.") {
        return false;
    }
    match program {
        "git" => super::flags::of_git(rest).is_some_and(|(subcommand, _)| subcommands::is_known(subcommand)),
        "npm" | "pnpm" | "yarn" | "cargo" | "twine" => publishes(program, &rest[0].text),
        _ => true,
    }
}

impl Starter {
    /// The words behind those that must come first; `None` where they do not, or where it only asks for something.
    fn own<'a>(&self, words: &'a [ScriptWord]) -> Option<&'a [ScriptWord]> {
        let asks = |word: &ScriptWord| listed(&self.asks, &word.text);
        if words.iter().take_while(|word| word.text.starts_with('-')).any(asks) {
            return None;
        }
        if self.first.is_empty() {
            return Some(words);
        }
        let behind_flags = self.skip_flags(words);
        let find = |words: &'a [ScriptWord]| {
            self.first.iter().filter(|first| !first.is_empty()).find_map(|first| {
                let first: Vec<&str> = first.split_ascii_whitespace().collect();
                let begins = words.iter().map(|word| word.text.as_str()).take(first.len()).eq(first.iter().copied());
                begins.then(|| &words[first.len()..])
            })
        };
        let bare = self.first.iter().any(String::is_empty).then_some(words);
        find(words).or_else(|| find(behind_flags)).or(bare)
    }

    /// `words` from the first one that is neither a flag nor the value of one.
    fn skip_flags<'a>(&self, mut words: &'a [ScriptWord]) -> &'a [ScriptWord] {
        while let Some((word, rest)) = words.split_first() {
            let text = word.text.as_str();
            if text == "--" {
                return rest;
            }
            if !text.starts_with('-') || text == "-" {
                return words;
            }
            words = rest.get(self.values(text)..).unwrap_or_default();
        }
        words
    }

    /// How many of the next words this flag takes. Of letters written together the first that has a value takes the rest.
    fn values(&self, flag: &str) -> usize {
        if listed(&self.twice, flag) {
            return 2;
        }
        let last = |letters: &str| {
            let at = letters.find(|letter| self.letters.contains(letter));
            at.is_some_and(|at| letters[at..].chars().count() == 1)
        };
        let letters = flag.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        usize::from(listed(&self.long, flag) || letters.is_some_and(last))
    }

    /// What it starts of its own `words`.
    fn programs(&self, words: &[ScriptWord]) -> Vec<Vec<ScriptWord>> {
        if !self.behind.is_empty() {
            let starts = words.iter().enumerate().filter(|(_, word)| listed(&self.behind, &word.text));
            let programs = starts.map(|(at, _)| plain(&words[at + 1..]).to_vec());
            let programs: Vec<_> = programs.filter(|words| !words.is_empty()).take(MOST_NAMED).collect();
            if !programs.is_empty() {
                return programs;
            }
        }
        let words = self.skip_flags(words);
        // An operand may be left out.
        let operands = 0..self.operands.min(words.len());
        let left_out = operands.filter(|at| is_dangerous(name(&words[*at]), &words[at + 1..]));
        let mut programs: Vec<_> = left_out.map(|at| words[at..].to_vec()).collect();
        let words = words.get(self.operands..).unwrap_or_default();
        let words = match words.split_first() {
            Some((dashes, rest)) if dashes.text == "--" => rest,
            Some(_) | None => words,
        };
        let words = plain(words);
        programs.extend((!words.is_empty()).then(|| words.to_vec()));
        programs
    }

    /// What a shell runs of its own `words`.
    fn texts(&self, words: &[ScriptWord]) -> Vec<String> {
        let mut texts = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let (flag, value) = word.text.split_once('=').map_or((word.text.as_str(), None), |(f, v)| (f, Some(v)));
            let cluster = |letters: &str| letters.ends_with(|last| listed(&self.text, &format!("-{last}")));
            let bare = flag.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
            if listed(&self.text, flag) || value.is_none() && bare.is_some_and(cluster) {
                let next = words.get(at + 1).map(|word| word.text.as_str());
                texts.extend(value.or(next).map(str::to_owned));
            }
        }
        let operands = self.skip_flags(words).get(self.operands..).unwrap_or_default();
        let operands = operands.iter().map(|word| word.text.as_str());
        match self.takes {
            Takes::Program => {}
            Takes::Texts => texts.extend(operands.filter(|text| !text.starts_with('-')).map(str::to_owned)),
            Takes::Joined => texts.push(operands.collect::<Vec<_>>().join(" ")),
        }
        texts
    }
}

/// `words` without variables that are set first.
fn plain(words: &[ScriptWord]) -> &[ScriptWord] {
    let set = words.iter().take_while(|word| assignment(&word.text).is_some()).count();
    &words[set..]
}

/// Every way in which the table says that `command` can be started, for tests.
#[cfg(test)]
pub(crate) fn every_start_of(command: &str) -> Vec<String> {
    let quoted = format!("'{}'", command.replace('\'', r"'\''"));
    let mut starts = Vec::new();
    for row in &TABLE.starter {
        let mut flags = vec![String::new()];
        flags.extend(row.letters.chars().map(|letter| format!("-{letter} 1 ")));
        flags.extend(row.long.split_ascii_whitespace().flat_map(|flag| [format!("{flag} 1 "), format!("{flag}=1 ")]));
        flags.extend(row.twice.split_ascii_whitespace().map(|flag| format!("{flag} /a /b ")));
        flags.push("-- ".into());
        let first = row.first.first().map_or("", String::as_str);
        let words = if row.takes == Takes::Texts { &quoted } else { command };
        let operands = "a1 ".repeat(row.operands);
        let names: Vec<&str> = row.names.split_ascii_whitespace().collect();
        starts.extend(names.iter().map(|name| format!("{name} {first} {operands}{words}")));
        starts.extend(row.first.iter().map(|first| format!("{} {first} {operands}{words}", names[0])));
        let name = names[0];
        starts.extend(flags.iter().map(|flag| format!("{name} {first} {flag}{operands}{words}")));
        starts.extend(row.behind.split_ascii_whitespace().map(|flag| format!("{name} {first} --x y {flag} {words}")));
        starts.extend(row.text.split_ascii_whitespace().map(|flag| format!("{name} {first} {flag} {quoted}")));
        if row.takes == Takes::Joined {
            starts.push(format!("{name} {quoted}"));
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_names_and_a_source() {
        for row in &TABLE.starter {
            assert!(!row.names.trim().is_empty() && !row.source.is_empty(), "{} {}", row.names, row.source);
            let flags = [&row.long, &row.twice, &row.text].into_iter().flat_map(|flags| flags.split_ascii_whitespace());
            assert!(flags.into_iter().all(|flag| flag.starts_with('-')), "{}", row.names);
        }
        let names: Vec<&str> = TABLE.starter.iter().flat_map(|row| row.names.split_ascii_whitespace()).collect();
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        assert_eq!(twice, None);
    }
}
