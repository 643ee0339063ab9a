//! No result holds what a terminal would obey: claims and properties.

use crate::{OutputCleaner, clean_copy, clean_line, clean_output, clean_text};
use proptest::prelude::*;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Why `text` may not be drawn, if it may not.
fn forbidden(text: &str) -> Option<String> {
    let always = |c: char| {
        c != '\n' && c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    if let Some(c) = text.chars().find(|&c| always(c)) {
        return Some(format!("holds {c:?}"));
    }
    for grapheme in text.lines().flat_map(|line| line.graphemes(true)) {
        let joins = grapheme.chars().filter(|&c| c == '\u{200d}').count();
        if grapheme.width() == 0 && !grapheme.contains(['\u{ff9e}', '\u{ff9f}']) {
            return Some(format!("{grapheme:?} draws nothing"));
        }
        if joins > 0 && (grapheme.ends_with('\u{200d}') || grapheme.chars().all(|c| c.is_alphanumeric())) {
            return Some(format!("{grapheme:?} hides a joiner"));
        }
        if matches!(grapheme.chars().next(), Some('\u{fe00}'..='\u{fe0f}')) {
            return Some(format!("{grapheme:?} is a bare variation selector"));
        }
    }
    None
}

/// Texts made mostly of what is troublesome.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        (0u32..0x100).prop_map(|n| char::from_u32(n).map(String::from).unwrap_or_default()),
        (0x2000u32..0x2070).prop_map(|n| char::from_u32(n).map(String::from).unwrap_or_default()),
        prop::sample::select(vec![
            "\u{1b}[31m",
            "\u{1b}]0;x\u{7}",
            "\u{9b}2J",
            "\u{1b}P1\u{1b}\\",
            "\r\n",
            "\r",
            "\u{200d}",
            "👩",
            "💻",
            "🏽",
            "\u{fe0f}",
            "1",
            "a",
            "\u{301}",
            "한",
            "\u{1161}",
            "\u{11a8}",
            "\u{1100}",
            "🇩",
            "\u{e0041}",
            "\t",
            "漢",
            "\n",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_forbidden_survives(text in hostile()) {
        prop_assert_eq!(forbidden(&clean_text(&text)), None);
        prop_assert_eq!(forbidden(&clean_line(&text)), None);
        prop_assert!(!clean_line(&text).contains('\n'));
        prop_assert_eq!(forbidden(&clean_copy(&text).replace('\t', "")).filter(|why| !why.contains("nothing")), None);
    }

    #[test]
    fn cleaning_twice_changes_nothing(text in hostile()) {
        let once = clean_text(&text).into_owned();
        prop_assert_eq!(clean_text(&once).into_owned(), once);
    }

    #[test]
    fn output_reads_the_same_wherever_it_is_cut(text in hostile(), cut in any::<prop::sample::Index>()) {
        let cut = (0..=text.len()).rev().find(|&n| text.is_char_boundary(n) && n <= cut.index(text.len() + 1)).unwrap();
        let mut cleaner = OutputCleaner::new(usize::MAX);
        cleaner.push(&text[..cut]);
        cleaner.push(&text[cut..]);
        let cleaned = cleaner.last(usize::MAX).join("\n");
        prop_assert_eq!(forbidden(&cleaned), None);
        prop_assert_eq!(cleaned, clean_output(&text));
    }
}

#[test]
fn what_is_harmless_is_not_copied() {
    for text in ["plain words\nand more", "Grüße, 漢字, e\u{e9}, 🎉"] {
        assert!(matches!(clean_text(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn what_does_something_is_shown_instead() {
    assert_eq!(clean_text("\u{1b}[2J\u{7}\u{7f}\u{9b}x\r\n"), "␛[2J␇␡⟨U+009B⟩x␍\n");
    assert_eq!(clean_text("a\u{202e}txt.exe\u{200b}\u{e0041}"), "a⟨U+202E⟩txt.exe⟨U+200B⟩⟨U+E0041⟩");
    assert_eq!(clean_line("a\nb"), "a␤b");
}

#[test]
fn emoji_sequences_stay_whole_and_lone_joiners_show() {
    for whole in
        ["👩🏽\u{200d}💻", "👨\u{200d}👩\u{200d}👧", "❤\u{fe0f}", "1\u{fe0f}\u{20e3}", "🇩🇪", "👁\u{fe0f}\u{200d}🗨\u{fe0f}"]
    {
        assert_eq!(clean_text(whole), whole);
    }
    assert_eq!(clean_text("a\u{200d}b"), "a⟨U+200D⟩b");
    assert_eq!(clean_text("👩\u{200d}☻"), "👩⟨U+200D⟩☻");
    assert_eq!(clean_text("☻\u{200d}👩"), "☻⟨U+200D⟩👩");
    assert_eq!(clean_text("x\u{fe0f}"), "x⟨U+FE0F⟩");
}

#[test]
fn marks_need_a_letter_and_do_not_pile_up() {
    assert_eq!(clean_text("\u{301}a"), "◌\u{301}a");
    let piled = format!("a{}", "\u{301}".repeat(9));
    assert_eq!(clean_text(&piled), format!("a{}⟨U+0301⟩", "\u{301}".repeat(8)));
}

#[test]
fn tabs_reach_the_next_stop_also_after_wide_letters() {
    assert_eq!(clean_text("\tx\nab\ty\n漢\tz"), "    x\nab  y\n漢  z");
    assert_eq!(clean_copy("all:\n\tcc\u{1b}"), "all:\n\tcc␛");
}

#[test]
fn carriage_returns_write_over_the_line() {
    assert_eq!(clean_output("10%\r50%\r\u{1b}[K100%\ndone\r\n"), "100%\ndone");
    assert_eq!(clean_output("abc\rx"), "xbc");
    assert_eq!(clean_output("ab\u{8}c"), "ac");
}

#[test]
fn sequences_vanish_whole_and_swallow_at_most_their_line() {
    assert_eq!(clean_output("\u{1b}[1;31mred\u{1b}[0m \u{1b}]52;c;aGk=\u{7}text"), "red text");
    assert_eq!(clean_output("\u{1b}]0;never ended\nnext"), "\nnext");
    assert_eq!(clean_output("\u{1b}Pq#0\u{1b}\\after"), "after");
}

#[test]
fn only_the_last_lines_are_kept_and_the_rest_counted() {
    let mut cleaner = OutputCleaner::new(2);
    cleaner.push("1\n2\n3\n4");
    assert_eq!(cleaner.last(9), ["2", "3", "4"]);
    assert_eq!(cleaner.last(2), ["3", "4"]);
    assert_eq!(cleaner.count(), 4);
}

#[test]
fn a_character_of_no_width_that_joins_nothing_is_shown() {
    assert_eq!(clean_line("a\u{10ef0}"), "a⟨U+10EF0⟩");
}
