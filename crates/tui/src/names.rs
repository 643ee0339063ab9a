//! The names of a project's files and folders, and which of them fit what somebody types: letters in their order, with others
//! between them. Public for its benchmark.

use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::cmp::Reverse;
use std::fmt;

/// So many names at the beginning are of files that were changed last.
const RECENT: usize = 50;
/// What a name gets for being one of them, and for having been named in a message of this session; a letter that fits gets 16
/// and more.
const FOR_RECENT: u32 = 8;
const FOR_NAMED: u32 = 24;
/// Of all names that fit, so many are looked into more closely.
const LOOKED_INTO: usize = 1_000;
/// Names of this session that are kept.
const MOST_NAMED: usize = 50;

/// The names, in the order of the house: what was changed last stands first.
#[derive(Default)]
pub struct FileNames {
    names: Vec<String>,
    /// What was named in messages, newest first.
    named: Vec<String>,
    matcher: Option<Box<Matcher>>,
    /// What was looked for last, and the places of all that fit it: what fits more letters is among them.
    last: (String, Vec<usize>),
}

impl fmt::Debug for FileNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileNames").field("names", &self.names.len()).finish_non_exhaustive()
    }
}

impl FileNames {
    /// Puts `names` in place of those that were known.
    pub fn replace(&mut self, names: Vec<String>) {
        self.names = names;
        self.last = (String::new(), Vec::new());
    }

    /// Is it one of the names? That of a folder may lack its slash.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name || known.strip_suffix('/') == Some(name))
    }

    /// Is it the name of a file, written out?
    pub fn has_file(&self, name: &str) -> bool {
        !name.ends_with('/') && self.names.iter().any(|known| known == name)
    }

    /// It was named in a message: from now on it stands before others that fit as well.
    pub fn was_named(&mut self, name: &str) {
        self.named.retain(|known| known != name);
        self.named.insert(0, name.to_owned());
        self.named.truncate(MOST_NAMED);
    }

    /// The names that fit `query`, at most so many, those that fit best first; without letters the newest.
    pub fn find(&mut self, query: &str, most: usize) -> Vec<&str> {
        if query.is_empty() {
            return self.newest(most);
        }
        let mut scored = self.at_a_glance(query);
        self.last = (query.to_owned(), scored.iter().map(|(_, at)| *at).collect());
        self.keep_best(&mut scored, LOOKED_INTO.max(most));
        self.look_closer(query, &mut scored);
        self.keep_best(&mut scored, most);
        scored.sort_unstable_by_key(|scored| self.order(scored));
        scored.into_iter().map(|(_, at)| self.names[at].as_str()).collect()
    }

    fn order(&self, (score, at): &(u32, usize)) -> (Reverse<u32>, usize, usize) {
        (Reverse(*score), self.names[*at].len(), *at)
    }

    fn keep_best(&self, scored: &mut Vec<(u32, usize)>, most: usize) {
        if scored.len() > most {
            scored.select_nth_unstable_by_key(most, |scored| self.order(scored));
            scored.truncate(most);
        }
    }

    fn newest(&self, most: usize) -> Vec<&str> {
        let named = self.named.iter().map(String::as_str).filter(|name| self.names.iter().any(|known| known == name));
        let others = self.names.iter().map(String::as_str).filter(|name| !self.named.iter().any(|known| known == name));
        named.chain(others).take(most).collect()
    }

    /// Every name that fits, with how well at a first glance.
    fn at_a_glance(&mut self, query: &str) -> Vec<(u32, usize)> {
        let mut letters = (Vec::new(), Vec::new());
        let needle = Utf32Str::new(query, &mut letters.0);
        let matcher = ready(&mut self.matcher, query);
        let (names, named) = (&self.names, &self.named);
        let mut score = |at: usize| {
            let name = names.get(at)?;
            let fits = u32::from(matcher.fuzzy_match_greedy(Utf32Str::new(name, &mut letters.1), needle)?);
            Some((fits + bonus(at, name, named), at))
        };
        let (before, fitted) = &self.last;
        // A letter more, or a capital one, asks for more, never for less.
        if !before.is_empty() && query.starts_with(before.as_str()) {
            fitted.iter().filter_map(|at| score(*at)).collect()
        } else {
            (0..names.len()).filter_map(score).collect()
        }
    }

    /// Finds the best way in which each of them fits: too much work for all names.
    fn look_closer(&mut self, query: &str, scored: &mut [(u32, usize)]) {
        let mut letters = (Vec::new(), Vec::new());
        let needle = Utf32Str::new(query, &mut letters.0);
        let matcher = ready(&mut self.matcher, query);
        for (score, at) in scored {
            let name = &self.names[*at];
            if let Some(fits) = matcher.fuzzy_match(Utf32Str::new(name, &mut letters.1), needle) {
                *score = u32::from(fits) + bonus(*at, name, &self.named);
            }
        }
    }
}

/// The matcher, which tells capital letters from others where the query has some.
fn ready<'a>(matcher: &'a mut Option<Box<Matcher>>, query: &str) -> &'a mut Matcher {
    let matcher = matcher.get_or_insert_with(|| Box::new(Matcher::new(Config::DEFAULT.match_paths())));
    matcher.config.ignore_case = !query.chars().any(char::is_uppercase);
    // What is typed would have to be made plain as well; names are found as they are written.
    matcher.config.normalize = false;
    matcher
}

/// What a name gets besides.
fn bonus(at: usize, name: &str, named: &[String]) -> u32 {
    let recent = if at < RECENT { FOR_RECENT } else { 0 };
    let again = if named.iter().any(|known| known == name) { FOR_NAMED } else { 0 };
    recent + again
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(names: &[&str]) -> FileNames {
        let mut known = FileNames::default();
        known.replace(names.iter().map(|name| (*name).to_owned()).collect());
        known
    }

    #[test]
    fn letters_in_their_order_find_a_path_and_its_name_counts_most() {
        let mut names = known(&["docs/parsers.md", "src/parse/lexer.rs", "src/parser.rs", "src/", "README.md"]);
        assert_eq!(names.find("parser.rs", 9).first(), Some(&"src/parser.rs"));
        assert_eq!(names.find("sprs", 9).first(), Some(&"src/parser.rs"));
        assert_eq!(names.find("readme", 9), ["README.md"]);
        assert_eq!(names.find("zzz", 9), [""; 0]);
    }

    #[test]
    fn without_letters_the_newest_come_first_and_those_named_in_messages_before_them() {
        let mut names = known(&["new.rs", "older.rs", "oldest.rs"]);
        assert_eq!(names.find("", 2), ["new.rs", "older.rs"]);
        names.was_named("oldest.rs");
        names.was_named("gone.rs");
        assert_eq!(names.find("", 2), ["oldest.rs", "new.rs"]);
        assert_eq!(names.find("old", 1), ["oldest.rs"]);
    }

    #[test]
    fn what_is_typed_on_finds_the_same_as_what_is_typed_at_once() {
        let many: Vec<String> = (0..500).map(|number| format!("src/room{}/file{number}.rs", number % 7)).collect();
        let mut slowly = FileNames::default();
        slowly.replace(many.clone());
        for end in 1..="roomfile42".len() {
            let mut at_once = FileNames::default();
            at_once.replace(many.clone());
            let query = &"roomfile42"[..end];
            assert_eq!(slowly.find(query, 20), at_once.find(query, 20), "{query}");
        }
        assert!(!slowly.find("room3", 20).is_empty(), "letters were taken back");
    }

    #[test]
    fn a_folder_is_known_with_and_without_its_slash() {
        let names = known(&["src/", "src/a.rs"]);
        assert!(names.has("src") && names.has("src/") && names.has("src/a.rs") && !names.has("src/b.rs"));
    }
}
