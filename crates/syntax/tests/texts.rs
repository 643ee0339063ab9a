//! What holds for every text, in every language.

use agent_syntax::{DEEPEST, LONGEST, Language, Refused, Source};
use proptest::prelude::*;
use std::cell::Cell;

const FIXTURES: [&str; 12] = [
    include_str!("fixtures/a.rs.txt"),
    include_str!("fixtures/a.py"),
    include_str!("fixtures/a.js"),
    include_str!("fixtures/a.ts"),
    include_str!("fixtures/a.tsx"),
    include_str!("fixtures/a.go"),
    include_str!("fixtures/a.c"),
    include_str!("fixtures/a.cpp"),
    include_str!("fixtures/a.java"),
    include_str!("fixtures/a.sh"),
    include_str!("fixtures/a.rb"),
    include_str!("fixtures/broken.rs.txt"),
];

fn read(language: Language, text: &str) -> Source<'_> {
    Source::read(language, text, &|| Ok(())).expect("it is short")
}

/// All that is said of a text lies inside it.
fn is_sound(source: &Source<'_>, text: &str, names: &[&str]) {
    let lines = text.lines().count();
    assert_eq!(source.lines().all(), lines);
    for (at, symbol) in source.symbols().iter().enumerate() {
        assert!(1 <= symbol.first && symbol.first <= symbol.last && symbol.last <= lines, "{symbol:?} of {lines}");
        assert!(symbol.holds(symbol.name_line), "{symbol:?}");
        assert!(!symbol.name.is_empty() && !symbol.signature.contains('\n'), "{symbol:?}");
        assert_eq!(symbol.depth, symbol.parent.map_or(0, |parent| source.symbols()[parent].depth + 1));
        assert!(symbol.parent.is_none_or(|parent| parent < at));
    }
    for name in names {
        let mut last = (0, 0);
        for found in source.references(name) {
            let line = text.lines().nth(found.line - 1).expect("there is such a line");
            let there: String = line.chars().skip(found.column - 1).take(name.chars().count()).collect();
            assert_eq!(there, *name);
            assert!(last < (found.line, found.column), "{found:?} after {last:?}");
            last = (found.line, found.column);
        }
    }
}

fn language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL.to_vec())
}

fn fixture() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(FIXTURES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_text_in_any_language_is_read_and_what_is_said_lies_inside_it(text in any::<String>(), language in language()) {
        is_sound(&read(language, &text), &text, &["a"]);
        is_sound(&Source::plain("a.rb", &text), &text, &["a"]);
    }

    #[test]
    fn code_with_a_part_taken_out_or_doubled_is_read(
        text in fixture(), language in language(), from in any::<prop::sample::Index>(), length in 0_usize..200, twice: bool,
    ) {
        let from = text.floor_char_boundary(from.index(text.len()));
        let to = text.ceil_char_boundary((from + length).min(text.len()));
        let (before, part, after) = (&text[..from], &text[from..to], &text[to..]);
        let text = if twice { format!("{before}{part}{part}{after}") } else { format!("{before}{after}") };
        is_sound(&read(language, &text), &text, &["inner", "outer", "look", "total", "x"]);
    }

    #[test]
    fn marks_of_languages_in_any_order_are_read(
        marks in prop::collection::vec(proptest::sample::select(MARKS.to_vec()), 0..60), language in language(),
    ) {
        let text = marks.concat();
        is_sound(&read(language, &text), &text, &["f", "x"]);
    }
}

const MARKS: [&str; 34] = [
    "f",
    "x",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    "\r\n",
    "\t",
    " ",
    "#",
    "//",
    "/*",
    "*/",
    "fn ",
    "def ",
    "class ",
    "function ",
    "=>",
    "::",
    ";",
    ":",
    "<<EOF\n",
    "é",
    "${",
    "template<",
];

#[test]
fn texts_that_are_too_long_are_read_by_words() {
    let text = "fn f() {}\n".repeat(LONGEST / 10 + 1);
    let source = read(Language::Rust, &text);
    assert_eq!((source.refused(), source.by_words()), (Some(Refused::TooLong), true));
    assert_eq!(source.references("f").len(), LONGEST / 10 + 1);
}

#[test]
fn whatever_is_nested_without_end_comes_to_an_end() {
    let open = ["(", "[", "{", "f(", "a<", "if (x) {", "\"${", "$(", "`${", "f'{", "!", "*", "-", "<a>", "a?", "/*"];
    for language in Language::ALL {
        for mark in open {
            let text = mark.repeat(20_000 / mark.len());
            is_sound(&read(language, &text), &text, &["x"]);
        }
    }
}

#[test]
fn what_is_nested_too_deeply_is_read_by_words() {
    let text = format!("const X: u8 = {}1{};\nfn f() {{}}\n", "(".repeat(DEEPEST), ")".repeat(DEEPEST));
    let source = read(Language::Rust, &text);
    assert_eq!(source.refused(), Some(Refused::TooDeep));
    assert_eq!(source.symbols().iter().map(|symbol| symbol.name.as_str()).collect::<Vec<_>>(), ["f"]);
}

/// Each step takes the longer the more came before; that is seen from outside only.
#[test]
fn what_takes_too_long_for_who_asked_is_read_by_words() {
    let text = "x=>".repeat(2_000);
    let steps = Cell::new(0);
    let go_on = || {
        steps.set(steps.get() + 1);
        if steps.get() > 20 { Err(Refused::TooHard) } else { Ok(()) }
    };
    let source = Source::read(Language::Java, &text, &go_on).unwrap();
    assert_eq!(source.refused(), Some(Refused::TooHard));
    is_sound(&source, &text, &["x"]);
}

#[test]
fn whoever_no_longer_wants_to_know_is_not_kept_waiting() {
    let text = FIXTURES[0].repeat(400);
    assert_eq!(Source::read(Language::Rust, &text, &|| Err(Refused::Stopped)).unwrap_err(), Refused::Stopped);
}

#[test]
fn many_places_in_one_line_are_found_at_once() {
    let text = format!("x = [{}]", "a, ".repeat(100_000));
    assert_eq!(read(Language::Python, &text).references("a").len(), 100_000);
}
