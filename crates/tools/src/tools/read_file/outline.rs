//! What stands in the part of a file that a read does not show: its definitions with their lines, or the headings of a text, so
//! that the place is found without reading on page by page.

use crate::blocking::Stop;
use agent_syntax::{Kind, LONGEST, Language, Refused, Source, Symbol};
use std::time::{Duration, Instant};

/// The longest that a grammar may work for it.
const PATIENCE: Duration = Duration::from_millis(800);

/// Characters of a name or heading.
const NAME: usize = 60;

/// The largest text that is outlined, in bytes.
pub(super) const LARGEST: usize = LONGEST;

/// Stands between two of them.
const SEPARATOR: &str = " · ";

/// Bytes kept free for a word on what is not named.
const NOTE: usize = 60;

/// Which part of the rest matters where not all of it can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it, the more roughly the more there is.
    Whole,
    Next,
}

/// Something that stands in a text.
struct Entry {
    /// What it is, in a word.
    word: &'static str,
    name: String,
    first: usize,
    last: usize,
}

/// What is defined in `text` behind line `shown`, in at most `room` bytes; empty where nothing is, or nobody can tell.
pub(super) fn outline(path: &str, text: &str, shown: u64, (part, room): (Part, usize), stop: &Stop) -> String {
    let shown = usize::try_from(shown).unwrap_or(usize::MAX);
    let listed = |entries: &[Entry]| match part {
        Part::Whole => whole(entries, room),
        Part::Next => next(entries, room),
    };
    if is_prose(path) {
        return listed(&headings(text, shown));
    }
    let stop = stop.until(Instant::now() + PATIENCE);
    let go_on = || if stop.wanted() { Err(Refused::Stopped) } else { Ok(()) };
    let source = match Language::of(path, text) {
        Some(language) => match Source::read(language, text, &go_on) {
            Ok(source) => source,
            Err(_) => return String::new(),
        },
        None => Source::plain(path, text),
    };
    let all = entries(&source, shown, |_| true);
    match in_full(&all, room) {
        Some(list) => list,
        None => listed(&entries(&source, shown, |symbol| symbol.kind != Kind::Constant)),
    }
}

/// The first of them with all that there is to say, and how many there are besides.
fn next(entries: &[Entry], room: usize) -> String {
    let mut named = 0;
    let mut list = String::new();
    for entry in entries {
        let entry = entry.in_full();
        if list.len() + entry.len() + NOTE / 2 > room {
            break;
        }
        list.push_str(if named == 0 { "" } else { SEPARATOR });
        list.push_str(&entry);
        named += 1;
    }
    match entries.len() - named {
        0 => list,
        _ if named == 0 => String::new(),
        more => format!("{list} and {more} more"),
    }
}

/// With all that there is to say, where that fits; else shorter, and of too many each second or third: a map of the whole rest is
/// worth more than all of its beginning.
fn whole(entries: &[Entry], room: usize) -> String {
    if let Some(list) = in_full(entries, room) {
        return list;
    }
    let short = |entry: &Entry| format!("{} {}", entry.name, entry.first);
    let all: Vec<String> = entries.iter().map(short).collect();
    for each in 1..=entries.len() {
        let list = all.iter().step_by(each).cloned().collect::<Vec<_>>().join(", ");
        let left = entries.len() - entries.len().div_ceil(each);
        let note = if each == 1 { String::new() } else { format!(" and {left} between them, which grep_search finds") };
        if list.len() + note.len().min(NOTE) <= room {
            return list + &note;
        }
    }
    String::new()
}

fn in_full(entries: &[Entry], room: usize) -> Option<String> {
    let full: Vec<String> = entries.iter().map(Entry::in_full).collect();
    let list = full.join(SEPARATOR);
    (list.len() <= room).then_some(list)
}

impl Entry {
    /// `fn parse_item 260–311`
    fn in_full(&self) -> String {
        let Entry { word, name, first, last } = self;
        if first == last { format!("{word} {name} {first}") } else { format!("{word} {name} {first}–{last}") }
    }
}

fn entries(source: &Source<'_>, shown: usize, wanted: impl Fn(&Symbol) -> bool) -> Vec<Entry> {
    let symbols = source.symbols();
    let is_local = |symbol: &Symbol| symbol.parent.is_some_and(|parent| symbols[parent].kind.is_function());
    let hidden = symbols.iter().filter(|symbol| symbol.first > shown && !is_local(symbol) && wanted(symbol));
    let entry = |symbol: &Symbol| Entry {
        word: if symbol.kind.is_function() { "fn" } else { symbol.kind.name() },
        name: crate::words::shortened(&symbol.name, NAME),
        first: symbol.first,
        last: symbol.last,
    };
    hidden.map(entry).collect()
}

fn is_prose(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ["md", "markdown", "mdx"].contains(&ending.as_str()))
}

/// Headings with their marks; what stands in a fence is none.
fn headings(text: &str, shown: usize) -> Vec<Entry> {
    const MARKS: [&str; 6] = ["#", "##", "###", "####", "#####", "######"];
    let (mut in_fence, mut found) = (false, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        in_fence ^= line.trim_start().starts_with("```");
        let (marks, name) = line.split_once(' ').unwrap_or_default();
        let Some(word) = MARKS.iter().find(|known| **known == marks).filter(|_| !in_fence && number > shown) else {
            continue;
        };
        found.push(Entry { word, name: crate::words::shortened(name.trim(), NAME), first: number, last: number });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str, shown: u64, room: usize) -> String {
        outline(path, text, shown, (Part::Whole, room), &Stop::default())
    }

    const RUST: &str = "fn first() {\n    fn inner() {}\n}\n\nstruct Lexer {\n    at: usize,\n}\n\nimpl Lexer {\n    \
                        fn next(&self) {\n        let _ = 1;\n    }\n}\n\nconst END: u8 = 0;\n";

    #[test]
    fn what_is_defined_behind_the_lines_that_are_shown_is_named_with_its_own() {
        assert_eq!(
            of("a.rs", RUST, 0, 500),
            "fn first 1–3 · struct Lexer 5–7 · impl Lexer 9–13 · fn next 10–12 · const END 15"
        );
        assert_eq!(of("a.rs", RUST, 9, 500), "fn next 10–12 · const END 15");
        assert_eq!(of("a.rs", RUST, 20, 500), "");
    }

    #[test]
    fn where_room_is_short_constants_go_then_words_and_then_each_second_one() {
        assert_eq!(of("a.rs", RUST, 0, 80), "fn first 1–3 · struct Lexer 5–7 · impl Lexer 9–13 · fn next 10–12");
        assert_eq!(of("a.rs", RUST, 0, 60), "first 1, Lexer 5, Lexer 9, next 10");
        let many: String = (0..40).map(|at| format!("fn number_{at}() {{}}\n")).collect();
        let thin = of("a.rs", &many, 0, 260);
        assert!(thin.len() <= 260 && thin.starts_with("number_0 1, number_3 4, "), "{thin}");
        assert!(thin.ends_with("number_39 40 and 26 between them, which grep_search finds"), "{thin}");
        assert_eq!(of("a.rs", RUST, 0, 5), "");
    }

    #[test]
    fn who_reads_on_is_told_what_comes_next() {
        let next = outline("a.rs", RUST, 3, (Part::Next, 60), &Stop::default());
        assert_eq!(next, "struct Lexer 5–7 and 2 more");
    }

    #[test]
    fn a_text_has_headings_and_other_files_have_nothing() {
        let text = "# One\n\n```\n# no heading\n```\n\n## Two, and more\ntext\n#hashtag\n";
        assert_eq!(of("README.md", text, 1, 500), "## Two, and more 7");
        assert_eq!(of("data.csv", "def a():\n    pass\n", 0, 500), "");
    }
}
