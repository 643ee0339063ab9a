//! The parts of a long file that have to do with some words: for files that are too long to be read and answered with whole.
//!
//! What is left out between them stands as a line that models write themselves for it, so that an answer in the same shape can be
//! put back in place.

use super::wanted::{Wanted, has_word};
use crate::words;
use agent_syntax::{Kind, Language, Source, Symbol};
use std::collections::BTreeSet;

/// Lines of a file that is shown whole.
pub(super) const LONGEST: usize = 250;

/// Lines in front of the first definition that are shown.
const HEAD: usize = 30;

/// How a change is written that names the lines it replaces.
const BLOCKS: &str = "Do not answer with this file whole, but with its path and below it a block for each change:\n<<<<<<< SEARCH\nthe \
    lines as they stand here\n=======\nthe lines that take their place\n>>>>>>> REPLACE\n";

/// Definitions that are shown, and names of others that are told.
const MOST: usize = 6;
const NAMES: usize = 40;

/// What a definition gets for bearing a name of the words, for a word of them in its name, for such a name in it, and a word.
const IS_NAMED: u64 = 300;
const WORD_IN_NAME: u64 = 100;
const HAS_NAME: u64 = 30;
const HAS_WORD: u64 = 10;

/// How a model changes a file of which it sees parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartForm {
    /// It answers with the definitions that change.
    Definitions,
    /// It answers with SEARCH/REPLACE blocks.
    Blocks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Its lines, with one in place of each stretch that is left out.
    pub(super) text: String,
    /// What the model is told of it.
    pub(super) note: String,
}

/// What of the file has to do with the words, in about so many bytes. `None` where nothing does, or where it cannot be told what
/// is defined in it.
pub(super) fn excerpt(shown: &str, text: &str, wanted: &Wanted, room: usize, form: PartForm) -> Option<Excerpt> {
    let source = Source::read(Language::of(shown, text)?, text, &|| Ok(())).ok()?;
    let symbols = source.symbols();
    let lines: Vec<&str> = text.lines().collect();
    let mut kept: BTreeSet<usize> = (1..=head(symbols, lines.len())).collect();
    let mut left = room.saturating_sub(bytes(&lines, kept.iter().copied()));
    let mut parts = Vec::new();
    for at in ranked(symbols, &lines, wanted) {
        let of_part = symbols[at].first..=symbols[at].last;
        let cost = bytes(&lines, of_part.clone());
        if cost <= left {
            left -= cost;
            kept.extend(of_part);
            kept.extend(frame(symbols, at, &lines));
            parts.push(at);
        }
    }
    if parts.is_empty() || source.by_words() {
        return None;
    }
    Some(Excerpt { text: joined(&lines, &kept, comment(shown)), note: note(shown, symbols, &parts, lines.len(), form) })
}

/// Lines in front of the first definition.
fn head(symbols: &[Symbol], lines: usize) -> usize {
    let defines = |symbol: &&Symbol| symbol.kind != Kind::Constant;
    symbols.iter().find(defines).map_or(lines, |first| first.first - 1).min(HEAD)
}

/// The places of the definitions that have to do with the words, the nearest first. What holds others is shown by these.
fn ranked(symbols: &[Symbol], lines: &[&str], wanted: &Wanted) -> Vec<usize> {
    let holds_others = |at: usize| symbols.iter().any(|symbol| symbol.parent == Some(at));
    let is_inner = |at: usize| {
        let outer = std::iter::successors(symbols[at].parent, |outer| symbols[*outer].parent);
        outer.into_iter().any(|outer| symbols[outer].kind.is_function())
    };
    let is_part = |at: usize| symbols[at].kind.is_function() || !holds_others(at);
    let mut ranked: Vec<(u64, usize)> = (0..symbols.len())
        .filter(|at| symbols[*at].kind != Kind::Constant && is_part(*at) && !is_inner(*at))
        .map(|at| (score(&symbols[at], lines, wanted), at))
        .filter(|(score, _)| *score > 0)
        .collect();
    ranked.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    let best = ranked.first().map_or(0, |(score, _)| *score);
    ranked.into_iter().take_while(|(score, _)| score * 3 >= best).take(MOST).map(|(_, at)| at).collect()
}

fn score(symbol: &Symbol, lines: &[&str], wanted: &Wanted) -> u64 {
    let name = symbol.name.to_lowercase();
    let body = lines[symbol.first - 1..symbol.last].join("\n").to_lowercase();
    let count = |words: &[String], holds: &dyn Fn(&str) -> bool| {
        words.iter().filter(|word| holds(&word.to_lowercase())).count() as u64
    };
    let is_named = count(&wanted.names, &|word| word == name);
    let in_name = count(&wanted.names, &|word| word != name && has_word(&name, word))
        + count(&wanted.words, &|word| has_word(&name, word));
    let names = count(&wanted.names, &|word| has_word(&body, word));
    let words = count(&wanted.words, &|word| has_word(&body, word));
    is_named * IS_NAMED + in_name * WORD_IN_NAME + names * HAS_NAME + words * HAS_WORD
}

/// The first lines of what it stands in, and the brackets that close them.
fn frame(symbols: &[Symbol], at: usize, lines: &[&str]) -> Vec<usize> {
    let outer = std::iter::successors(symbols[at].parent, |outer| symbols[*outer].parent);
    let of_one = |symbol: &Symbol| {
        let closes =
            lines[symbol.last - 1].trim_start().starts_with(['}', ')']) || lines[symbol.last - 1].trim() == "end";
        let body = symbols.iter().filter(|inner| inner.first > symbol.name_line).map(|inner| inner.first).min();
        let head = symbol.name_line.min(body.unwrap_or(symbol.last));
        (symbol.first..=head).chain(closes.then_some(symbol.last)).collect::<Vec<_>>()
    };
    outer.flat_map(|outer| of_one(&symbols[outer])).collect()
}

fn bytes(lines: &[&str], of: impl IntoIterator<Item = usize>) -> usize {
    of.into_iter().map(|line| lines[line - 1].len() + 1).sum()
}

/// The kept lines, with a comment in place of what is between them.
fn joined(lines: &[&str], kept: &BTreeSet<usize>, comment: &str) -> String {
    let mut out = String::new();
    let mut next = 1;
    let gap = |out: &mut String, below: &str| {
        let indent = &below[..below.len() - below.trim_start().len()];
        out.push_str(&format!("{indent}{comment} ... rest of the code unchanged ...\n"));
    };
    for line in kept {
        let text = lines[line - 1];
        // A blank line or two are no gap.
        let skipped = lines.get(next - 1..line - 1).unwrap_or_default();
        if skipped.iter().all(|line| line.trim().is_empty()) {
            skipped.iter().for_each(|_| out.push('\n'));
        } else {
            gap(&mut out, text);
        }
        out.push_str(text);
        out.push('\n');
        next = line + 1;
    }
    if lines.get(next - 1..).unwrap_or_default().iter().any(|line| !line.trim().is_empty()) {
        gap(&mut out, "");
    }
    out
}

fn comment(shown: &str) -> &'static str {
    match shown.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "py" | "pyi" | "sh" | "bash" | "rb" => "#",
        _ => "//",
    }
}

fn note(shown: &str, symbols: &[Symbol], parts: &[usize], lines: usize, form: PartForm) -> String {
    let is_other = |at: &usize| symbols[*at].kind.is_function() && !parts.contains(at);
    let others: Vec<&str> = (0..symbols.len()).filter(is_other).map(|at| symbols[at].name.as_str()).collect();
    let more = others.len().saturating_sub(NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = others[..others.len().min(NAMES)].join(", ");
    let besides = if others.is_empty() { String::new() } else { format!(" It also defines: {named}{more}.") };
    let how = match form {
        PartForm::Definitions => {
            "Answer with only those of its definitions that change, each whole, below its path; the rest stays as it is."
        }
        PartForm::Blocks => BLOCKS,
    };
    format!("({shown} has {} and is shown in parts. {how}{besides})", words::count(lines as u64, "line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class of many methods.
    fn long(method: impl Fn(usize) -> String) -> String {
        let head = "\"\"\"Words of a calculator.\"\"\"\n\nimport math\n\n\nclass Calculator:\n    limit = 9\n";
        let methods: String = (0..100).map(|at| format!("\n{}", method(at))).collect();
        format!("{head}{methods}")
    }

    fn python() -> String {
        let name = |at| if at == 40 { "op_heading".to_owned() } else { format!("op_other{at}") };
        long(|at| format!("    def {}(self):\n        return self.pop() % {at}\n", name(at)))
    }

    #[test]
    fn a_long_file_is_shown_by_what_has_to_do_with_the_words() {
        let found = excerpt(
            "calc.py",
            &python(),
            &Wanted::of("the word `heading` can leave 360"),
            2_000,
            PartForm::Definitions,
        )
        .unwrap();
        assert_eq!(
            found.text,
            "\"\"\"Words of a calculator.\"\"\"\n\nimport math\n\n\nclass Calculator:\n    # ... rest of the code unchanged \
             ...\n    def op_heading(self):\n        return self.pop() % 40\n# ... rest of the code unchanged ...\n"
        );
        assert!(found.note.starts_with("(calc.py has 307 lines and is shown in parts."), "{}", found.note);
        assert!(found.note.ends_with("op_other39 and 59 more.)"), "{}", found.note);
    }

    #[test]
    fn an_answer_in_the_shape_of_the_excerpt_is_put_back_in_place() {
        let before = python();
        let found = excerpt("calc.py", &before, &Wanted::of("mend op_heading"), 2_000, PartForm::Definitions).unwrap();
        let answer = found.text.replace("self.pop() % 40", "self.pop() % 360");
        let filled = agent_syntax::fill("calc.py", &before, &answer).unwrap();
        assert_eq!(filled.text, before.replace("self.pop() % 40", "self.pop() % 360"));
        let alone = "class Calculator:\n    def op_heading(self):\n        return self.pop() % 360\n";
        let filled = agent_syntax::fill("calc.py", &before, alone).unwrap();
        assert_eq!(filled.text, before.replace("self.pop() % 40", "self.pop() % 360"));
    }

    #[test]
    fn who_writes_blocks_is_told_how() {
        let found = excerpt("calc.py", &python(), &Wanted::of("mend op_heading"), 2_000, PartForm::Blocks).unwrap();
        assert!(found.note.contains("<<<<<<< SEARCH\n") && found.note.contains(">>>>>>> REPLACE\n"), "{}", found.note);
        assert!(!found.note.contains("definitions that change"), "{}", found.note);
    }

    #[test]
    fn brackets_are_closed() {
        let methods: String =
            (0..9).map(|at| format!("    fn at{at}(&self) -> u8 {{\n        {at}\n    }}\n")).collect();
        let text = format!("struct A;\n\nimpl A {{\n{methods}}}\n");
        let found = excerpt("a.rs", &text, &Wanted::of("at4() is wrong"), 2_000, PartForm::Definitions).unwrap();
        assert!(found.text.contains("impl A {\n"), "{}", found.text);
        let end = "    fn at4(&self) -> u8 {\n        4\n    }\n// ... rest of the code unchanged ...\n}\n";
        assert!(found.text.ends_with(end), "{}", found.text);
    }

    #[test]
    fn where_nothing_has_to_do_with_the_words_there_is_no_excerpt() {
        assert_eq!(
            excerpt("calc.py", &python(), &Wanted::of("the colour is wrong"), 2_000, PartForm::Definitions),
            None
        );
        assert_eq!(excerpt("notes.txt", "heading\n", &Wanted::of("heading"), 2_000, PartForm::Definitions), None);
    }
}
