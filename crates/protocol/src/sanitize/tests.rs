//! No result holds what a terminal would obey: claims and properties.

use super::{OutputCleaner, clean_copy, clean_line, clean_output, clean_piped, clean_text, marked, name};
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

/// What begins a string that only a terminal reads, in seven bits and in eight.
const OPENERS: [&str; 10] =
    ["\u{1b}P", "\u{1b}]", "\u{1b}X", "\u{1b}^", "\u{1b}_", "\u{90}", "\u{9d}", "\u{98}", "\u{9e}", "\u{9f}"];
/// What ends it.
const ENDS: [&str; 5] = ["\u{1b}\\", "\u{9c}", "\u{7}", "\u{18}", "\u{1a}"];

/// What is left of `text` when it arrives cut before the character `cut`, and nothing or something follows it.
fn arrived(text: &str, cut: usize) -> String {
    let at = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
    let mut cleaner = OutputCleaner::new(usize::MAX);
    cleaner.push(&text[..at]);
    let half = cleaner.last(usize::MAX).join("\n");
    assert_eq!(forbidden(&half), None, "{text:?} cut at {cut}");
    cleaner.push(&text[at..]);
    cleaner.last(usize::MAX).join("\n")
}

#[test]
fn strings_for_terminals_vanish_whole_wherever_they_are_cut() {
    for opener in OPENERS {
        for end in ENDS {
            let text = format!("a{opener}52;c;ZXZpbA=={end}b");
            for cut in 0..text.chars().count() {
                assert_eq!(arrived(&text, cut), "ab", "{text:?} cut at {cut}");
            }
        }
        let unended = format!("a{opener}1$r\nb{opener}");
        for cut in 0..unended.chars().count() {
            assert_eq!(arrived(&unended, cut), "a\nb", "{unended:?} cut at {cut}");
        }
    }
}

#[test]
fn sequences_vanish_whole_wherever_they_are_cut() {
    for sequence in [
        "\u{1b}[2J",
        "\u{9b}31;1m",
        "\u{1b}[?1049h",
        "\u{1b}[6n",
        "\u{1b}c",
        "\u{1b}(0",
        "\u{1b}#8",
        "\u{1b}7",
        "\u{1b}[1 q",
    ] {
        let text = format!("a{sequence}b");
        for cut in 0..text.chars().count() {
            assert_eq!(arrived(&text, cut), "ab", "{text:?} cut at {cut}");
        }
    }
}

#[test]
fn every_control_and_every_hidden_character_is_shown_by_its_mark_and_can_be_told() {
    let hidden = (0..0x20).chain(0x7f..0xa0).chain(0x200b..0x2010).chain(0x2028..0x202f).chain(0x2060..0x2070);
    for c in hidden.chain([0xad, 0x61c, 0xfeff]).chain(0xe0000..0xe0080).filter_map(char::from_u32) {
        let text = format!("a{c}b");
        assert_eq!(forbidden(&clean_line(&text)), None, "{c:?}");
        if !matches!(c, '\n' | '\t') {
            assert_eq!(marked(&text), [c]);
        }
    }
    assert_eq!(marked("plain, Grüße, 👩🏽\u{200d}💻\n\tand a tab"), []);
    assert_eq!((name('\u{202e}'), name('\u{1b}'), name('a')), (Some("right-to-left override"), Some("escape"), None));
}

#[test]
fn a_sequence_that_never_ends_takes_no_room() {
    let mut cleaner = OutputCleaner::new(10);
    cleaner.push("a\u{1b}[");
    (0..100).for_each(|_| cleaner.push(&"1;".repeat(1_000)));
    assert!(cleaner.held() < 1_000);
    cleaner.push("mb");
    assert_eq!(cleaner.last(9), ["ab"]);
}

#[test]
fn a_panic_that_quotes_foreign_text_says_it_cleanly() {
    let (send, said) = std::sync::mpsc::channel();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| drop(send.send(super::panic_words(panic)))));
    let ended = std::thread::Builder::new().name("careless".into()).spawn(|| panic!("no \u{1b}[2J\u{202e}here"));
    assert!(ended.unwrap().join().is_err());
    std::panic::set_hook(before);
    let words: Vec<String> = said.iter().collect();
    assert!(words.iter().any(|words| words.starts_with("thread 'careless' panicked at")), "{words:?}");
    assert!(words.iter().any(|words| words.ends_with("no ␛[2J⟨U+202E⟩here")), "{words:?}");
    assert!(words.iter().all(|words| forbidden(words).is_none()), "{words:?}");
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

proptest! {
    #[test]
    fn what_goes_into_a_pipe_holds_no_control_but_ends_of_lines_and_is_the_same_where_it_held_none(text in hostile()) {
        let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        let piped = clean_piped(&text);
        prop_assert!(!piped.contains(obeyed), "{piped:?}");
        let plain: String = text.chars().filter(|c| !obeyed(*c)).collect();
        prop_assert_eq!(clean_piped(&plain), plain.as_str());
    }
}
