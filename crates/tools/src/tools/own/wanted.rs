//! What words name: files, and things that are defined in files.

/// Words that say nothing of a project, though they are as long as a name.
const COMMON: &str = "about add added adds after again also and another any anything are argument arguments back because been \
    before behaves below better both bring but call called calls can cannot case cases change changed changes check class \
    code comment comments correct could create crash crashes debug default delete describe description docstring does \
    done each edit empty error errors every example expected explain fail failing fails file files first fix fixed flag \
    following format from function functions gets give given gives give good have help here implement implemented in into \
    instead is it its just keep know last like line lines list look make makes method missing module more must name named \
    names need needs new none not nothing now number numbers only option other output over pass passes path please print \
    prints problem program project raise raises read refactor remove rename replace result return returned returns right \
    rule run running same second set should show shows so some string such support take takes tell test tests text than \
    that the their them then there these they thing this time together true turn two type under update use used user uses \
    using value values variable want well what when where whether which while will with without work works would write \
    written wrong you your";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Files, as they are written: `src/a.py`, `Makefile`.
    pub(super) paths: Vec<String>,
    /// What looks like a name in code: `parse_args`, `HttpClient`, `main()`, anything in backquotes.
    pub(super) names: Vec<String>,
    /// Other words of some length, in lower case: any of them may be a name.
    pub(super) words: Vec<String>,
}

impl Wanted {
    pub(super) fn of(text: &str) -> Self {
        let mut wanted = Wanted::default();
        for (at, word) in words_of(text) {
            let quoted = text[..at].ends_with('`') || text[at + word.len()..].starts_with(['`', '(']);
            let path = word.trim_end_matches(['.', '/']).trim_start_matches("./");
            if is_path(path) {
                add(&mut wanted.paths, path);
            }
            for name in path.split(['.', '/', '-', '@', '+']).filter(|name| !name.is_empty()) {
                if quoted || is_name(name) {
                    add(&mut wanted.names, name);
                } else {
                    let low = name.to_lowercase();
                    if low.len() >= 3 && !COMMON.split_whitespace().any(|common| common == low) {
                        add(&mut wanted.words, &low);
                    }
                }
            }
        }
        wanted
    }
}

/// Does the word stand in the text, not as a part of a longer one?
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric();
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(letter)
            && !text[at + word.len()..].chars().next().is_some_and(letter)
    })
}

/// Runs of characters that paths and names are made of, with where they begin.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '@' | '+');
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while rest.next_if(|(_, c)| !part(*c)).is_some() {}
        let (begin, _) = rest.next()?;
        while rest.next_if(|(_, c)| part(*c)).is_some() {}
        let end = rest.peek().map_or(text.len(), |(at, _)| *at);
        Some((begin, &text[begin..end]))
    })
}

/// `a.py`, `src/a`, `Makefile`; not `e.g`, `1.5` or `and/or` alone.
fn is_path(word: &str) -> bool {
    let base = word.rsplit('/').next().unwrap_or(word);
    let ending = base.rsplit_once('.').map(|(stem, ending)| (stem, ending.len(), ending));
    let has_ending = ending.is_some_and(|(stem, length, ending)| {
        !stem.is_empty() && (1..=8).contains(&length) && ending.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    has_ending || matches!(base, "Makefile" | "Dockerfile" | "Justfile" | "Rakefile" | "Gemfile") || word.contains('/')
}

/// Does it look like a name in code, and not like a word of a sentence?
fn is_name(word: &str) -> bool {
    let letters = word.chars().any(char::is_alphabetic);
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let constant = word.len() > 3 && word.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
    letters && (word.contains('_') || inner_capital || constant)
}

fn add(list: &mut Vec<String>, word: &str) {
    if !list.iter().any(|known| known == word) {
        list.push(word.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_names_are_told_from_other_words() {
        let wanted =
            Wanted::of("In src/shop/cart.py, `total` ignores max_items; see Makefile and HttpClient. Fix parse() too.");
        assert_eq!(wanted.paths, ["src/shop/cart.py", "Makefile"]);
        assert_eq!(wanted.names, ["total", "max_items", "HttpClient", "parse"]);
        assert_eq!(wanted.words, ["src", "shop", "cart", "ignores", "see", "makefile", "too"]);
    }

    #[test]
    fn figures_and_abbreviations_are_no_files() {
        assert_eq!(Wanted::of("version 1.5, 3.11.7 or so.").paths, [""; 0]);
        assert_eq!(Wanted::of("open ./a.txt.").paths, ["a.txt"]);
    }
}
