//! Which of a project's files a model is shown: those that are named, then those that have to do with the words, as long as
//! there is room.

use super::excerpt::{Excerpt, LONGEST, PartForm, excerpt};
use super::wanted::{Wanted, has_word};
use crate::unicode_forms::folded;

/// What a file gets for being named, for a name in code that stands in it, for a word in its name, and for a word in it.
const NAMED: u64 = 100_000;
const HAS_NAME: u64 = 300;
const WORD_IN_PATH: u64 = 60;
const HAS_WORD: u64 = 10;

/// Bytes of a project that is shown whole.
const WHOLE: usize = 6_000;

/// Bytes that the parts of a long file may take.
const PARTS: usize = 6_000;

/// Files that are shown though they are not named, where more may have to do with the words.
const NEAREST: usize = 6;

/// Files of one base name that are all meant by it.
const ALIKE: usize = 3;

/// A file that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// As a person names it.
    pub(super) shown: String,
    pub(super) text: String,
    /// The parts that are shown of it, where that is not the whole.
    pub(super) part: Option<Excerpt>,
}

/// Where the files of this path stand among `paths`: as it is written, else by its end.
pub(super) fn meant(path: &str, paths: &[&str]) -> Vec<usize> {
    let path = &*folded(path);
    let exactly: Vec<usize> = places(paths, |known| known == path);
    if !exactly.is_empty() {
        return exactly;
    }
    let end = format!("/{path}");
    let by_end = places(paths, |known| known.ends_with(&end));
    let base = path.rsplit('/').next().unwrap_or(path);
    let by_base = || places(paths, |known| known.rsplit('/').next() == Some(base));
    let found = if by_end.is_empty() { by_base() } else { by_end };
    if found.len() <= ALIKE { found } else { Vec::new() }
}

fn places(paths: &[&str], wanted: impl Fn(&str) -> bool) -> Vec<usize> {
    paths.iter().enumerate().filter(|(_, known)| wanted(&folded(known))).map(|(at, _)| at).collect()
}

/// How much the file has to do with what is wanted; 0: nothing, as far as words tell.
pub(super) fn score(file: &Candidate, wanted: &Wanted, named: bool) -> u64 {
    let path = file.shown.to_lowercase();
    let in_path = wanted.words.iter().chain(&wanted.names).filter(|word| has_word(&path, &word.to_lowercase())).count();
    let names = wanted.names.iter().filter(|name| has_word(&file.text, name)).count();
    let low = file.text.to_lowercase();
    let words = wanted.words.iter().filter(|word| has_word(&low, word)).count();
    let by_name = if named { NAMED } else { 0 };
    by_name + names as u64 * HAS_NAME + in_path as u64 * WORD_IN_PATH + words as u64 * HAS_WORD
}

/// The files that are shown, best first, in so many bytes. In a project that is shown whole in half the room, all are. Of one
/// that is long, or finds no room, the parts are shown that have to do with the words, and changed in this form.
pub(super) fn chosen(files: &[Candidate], wanted: &Wanted, budget: usize, form: PartForm) -> Vec<Candidate> {
    let paths: Vec<&str> = files.iter().map(|file| file.shown.as_str()).collect();
    let named: Vec<usize> = wanted.paths.iter().flat_map(|path| meant(path, &paths)).collect();
    let mut ranked: Vec<(u64, usize)> =
        files.iter().enumerate().map(|(at, file)| (score(file, wanted, named.contains(&at)), at)).collect();
    ranked.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    let all: usize = files.iter().map(cost).sum();
    if all > WHOLE.min(budget / 2) {
        leave_out_the_far(&mut ranked);
    }
    let mut left = budget;
    let mut shown = Vec::new();
    for (_, at) in ranked {
        let mut file = files[at].clone();
        if cost(&file) > left || file.text.lines().count() > LONGEST {
            file.part = excerpt(&file.shown, &file.text, wanted, PARTS.min(budget / 2), form);
        }
        if cost(&file) <= left {
            left -= cost(&file);
            shown.push(file);
        }
    }
    shown
}

/// Of the files that are not named only the nearest stay: what is read costs a small machine seconds.
fn leave_out_the_far(ranked: &mut Vec<(u64, usize)>) {
    let named = ranked.iter().take_while(|(score, _)| *score >= NAMED).count();
    let best = ranked.get(named).map_or(0, |(score, _)| *score);
    let mut place = 0;
    ranked.retain(|(score, _)| {
        place += 1;
        *score >= NAMED || place <= named + NEAREST && *score > 0 && *score * 3 >= best
    });
}

/// Bytes that a file takes with its name and fence.
fn cost(file: &Candidate) -> usize {
    let text = file.part.as_ref().map_or(file.text.len(), |part| part.text.len() + part.note.len());
    text + file.shown.len() + 24
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(of: &[(&str, &str)]) -> Vec<Candidate> {
        of.iter().map(|(shown, text)| Candidate { shown: (*shown).into(), text: (*text).into(), part: None }).collect()
    }

    fn names(files: &[Candidate], words: &str, budget: usize) -> Vec<String> {
        chosen(files, &Wanted::of(words), budget, PartForm::Definitions).into_iter().map(|file| file.shown).collect()
    }

    #[test]
    fn a_small_project_is_shown_whole_with_what_is_named_first() {
        let files = files(&[("a.py", "x"), ("b.py", "y"), ("c.py", "z")]);
        assert_eq!(names(&files, "fix b.py", 1_000), ["b.py", "a.py", "c.py"]);
    }

    #[test]
    fn in_a_large_one_only_what_has_to_do_with_the_words_is_shown() {
        let long = "filler ".repeat(40);
        let cart = format!("def total_price(): pass\n{long}");
        let files = files(&[("README.md", &long), ("lib/cart.py", &cart), ("lib/basket.py", &long)]);
        assert_eq!(names(&files, "total_price is wrong", 700), ["lib/cart.py"]);
        assert_eq!(names(&files, "the basket forgets", 700), ["lib/basket.py"]);
    }

    #[test]
    fn of_a_long_file_the_parts_are_shown_that_have_to_do_with_the_words() {
        let long: String = (0..200).map(|at| format!("def f{at}():\n    return {at}\n")).collect();
        let files = files(&[("a.py", &long), ("b.py", "x = 1\n")]);
        let found = chosen(&files, &Wanted::of("f7() in a.py is wrong, see b.py"), 3_000, PartForm::Definitions);
        let [a, b] = &found[..] else { panic!("{found:?}") };
        assert!(a.part.as_ref().is_some_and(|part| part.text.contains("def f7()") && part.text.len() < 200), "{a:?}");
        assert_eq!((b.shown.as_str(), &b.part), ("b.py", &None));
    }

    #[test]
    fn a_name_without_its_folder_is_found_and_one_of_many_alike_is_not() {
        let paths = ["a/x.py", "b/x.py", "c/x.py", "d/x.py", "lib/y.py"];
        assert_eq!(meant("y.py", &paths), [4]);
        assert_eq!(meant("src/y.py", &paths), [4]);
        assert_eq!(meant("b/x.py", &paths), [1]);
        assert_eq!(meant("x.py", &paths), [0usize; 0]);
    }
}
