//! What a diff shows, and what it says beside the lines.

use super::{Columns, DiffView, Extent};
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::{FileDiff, LineMark};
use ratatui::style::{Color, Modifier};
use std::ops::Range;
use std::sync::mpsc;

fn the_palette() -> Palette {
    Palette::coloured()
}

fn file(before: Option<&str>, after: Option<&str>) -> FileDiff {
    FileDiff {
        path: "/p/src/lib.rs".into(),
        shown_path: "src/lib.rs".to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    }
}

fn view(files: &[FileDiff]) -> DiffView {
    DiffView::new(files, the_palette(), Highlighter::off())
}

/// The diff as text; changed words stand between `[` and `]`.
fn drawn(files: &[FileDiff], width: u16) -> String {
    let mut text = String::new();
    for line in view(files).lines(width) {
        for span in &line.spans {
            let loud = span.style.add_modifier.contains(Modifier::UNDERLINED);
            text.push_str(&if loud { format!("[{}]", span.content) } else { span.content.to_string() });
        }
        text.push('\n');
    }
    text
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

#[test]
fn a_change_shows_its_words_and_its_surroundings() {
    let before = numbered(30);
    let after =
        before.replace("line 12\n", "line twelve\n").replace("line 20\n", "").replace("line 29\n", "line 29\nnew\n");
    insta::assert_snapshot!(drawn(&[file(Some(&before), Some(&after))], 40));
}

#[test]
fn new_and_deleted_files_say_so() {
    insta::assert_snapshot!(drawn(&[file(None, Some("a\nb\n")), file(Some("gone\n"), None), file(None, Some(""))], 40));
}

#[test]
fn emptying_a_file_says_so() {
    let emptied = file(Some("gone\n"), Some(""));
    assert_eq!(drawn(&[emptied], 40), "   the file becomes empty\n 1 - gone\n");
    assert_eq!(drawn(&[file(Some("gone"), Some(""))], 40), "   the file becomes empty\n 1 - gone\n");
}

#[test]
fn a_part_of_a_file_has_the_numbers_of_the_whole() {
    let part = FileDiff { skipped: 46, ..file(Some("47\n48\nold\n50\n"), Some("47\n48\nnew\n50\n")) };
    let shown = "   ⋯ 46 unchanged lines\n47   47\n48   48\n49 - old\n49 + new\n50   50\n";
    assert_eq!(drawn(&[part], 40), shown);
    let gone = FileDiff { skipped: 120, ..file(Some("a\nb\n"), Some("")) };
    assert_eq!(drawn(&[gone], 40), "    ⋯ 120 unchanged lines\n121 - a\n122 - b\n");
    let far = FileDiff { skipped: u64::MAX, ..file(Some("a\n"), Some("b\n")) };
    assert!(drawn(&[far], 60).contains("+ b\n"));
}

#[test]
fn what_is_to_be_known_of_a_line_stands_below_it_wherever_it_is() {
    let old: String = (1..=20).map(|line| format!("{line}\n")).collect();
    let mark = |line: u64| vec![LineMark { line, text: "does not parse since this change (`(` is open)".into() }];
    let changed = FileDiff { marks: mark(2), ..file(Some(&old), Some(&old.replace("\n2\n", "\n2(\n"))) };
    let told = "! line 2 does not parse since this change (`(` is open)\n";
    let beside = format!(" 1   1\n 2 - 2\n 2 + 2[(]\n{told} 3   3\n 4   4\n 5   5\n   ⋯ 15 unchanged lines\n");
    assert_eq!(drawn(std::slice::from_ref(&changed), 80), beside);
    let far = FileDiff { marks: mark(12), ..changed };
    let drawn = drawn(&[far], 80);
    let shown =
        format!("   ⋯ 6 unchanged lines\n12   12\n{}   ⋯ 8 unchanged lines\n", told.replace("line 2", "line 12"));
    assert!(drawn.ends_with(&shown), "{drawn}");
}

#[test]
fn line_ends_are_told_not_drawn() {
    let note = |before: &str, after: &str| drawn(&[file(Some(before), Some(after))], 60);
    assert_eq!(note("a\r\nb\r\n", "a\r\nc\r\n"), "   line ends are CRLF\n 1   a\n 2 - b\n 2 + c\n");
    assert_eq!(note("a\r\nb\r\n", "a\nb\n"), "   line ends change from CRLF to LF\n");
    assert_eq!(note("a\nb", "a\nb\n"), "   the last line gains a line break\n");
    assert_eq!(note("a\nb\n", "a\nb"), "   the last line loses its line break\n");
    assert_eq!(note("a\n", "a\n"), "   nothing changes\n");
}

#[test]
fn changes_of_blanks_are_visible() {
    let drawn = drawn(&[file(Some("\tx = 1\ny\n"), Some("    x = 1\ny  \n"))], 60);
    assert_eq!(drawn, " 1 - [→   ]x = 1\n 2 - y\n 1 + [····]x = 1\n 2 + y[··]\n");
}

#[test]
fn what_cannot_be_seen_is_marked_counted_and_named() {
    let drawn = drawn(&[file(Some("a\n"), Some("a\nb\u{200b}\u{202e}\u{1b}[2J\n"))], 200);
    let warning = "! warning: 2 invisible characters (U+200B zero width space, U+202E right-to-left override), \
                   1 control character (U+001B escape)\n";
    assert!(drawn.starts_with(warning), "{drawn}");
    assert!(drawn.ends_with(" 2 + b⟨U+200B⟩⟨U+202E⟩␛[2J\n"), "{drawn}");
}

#[test]
fn a_name_that_hides_something_is_told_as_well() {
    let named = FileDiff { shown_path: "аdmin\u{200b}.rs".into(), ..file(None, Some("a\n")) };
    let drawn = drawn(&[named], 80);
    assert!(
        drawn.starts_with("! warning: 1 invisible character (U+200B zero width space)\n! warning: mixed"),
        "{drawn}"
    );
}

#[test]
fn what_is_taken_away_or_stays_is_no_news() {
    let hidden = "a\u{200b}\nаdmin\n";
    let drawn = drawn(&[file(Some(&format!("{hidden}b\u{202e}\n")), Some(hidden))], 80);
    assert!(!drawn.contains("warning") && drawn.contains("⟨U+202E⟩"), "{drawn}");
}

#[test]
fn a_word_of_two_scripts_is_told_and_stands_out_in_its_line() {
    let mut view = view(&[file(Some("one\n"), Some("if аdmin { pass }\n"))]);
    let lines = view.lines(60);
    assert_eq!(lines[0].to_string(), "! warning: mixed scripts: аdmin (Cyrillic а)");
    let marked = |span: &&ratatui::text::Span<'_>| span.style.add_modifier.contains(Modifier::REVERSED);
    let marked: Vec<&str> = lines[2].spans.iter().filter(marked).map(|span| span.content.as_ref()).collect();
    assert_eq!(marked, ["аdmin"]);
}

#[test]
fn long_lines_are_broken_and_nothing_is_lost() {
    let long = "x".repeat(50);
    assert_eq!(drawn(&[file(None, Some(&format!("{long}\n")))], 25).matches('x').count(), 50);
}

#[test]
fn what_changes_in_a_very_long_line_is_in_sight() {
    for length in [1_000, 50_000] {
        let line = |word: &str| format!("{}{word}{}\n", "x".repeat(length), "y".repeat(length));
        let drawn = drawn(&[file(Some(&line("old")), Some(&line("new")))], 80);
        assert!(drawn.contains("[old]") && drawn.contains("[new]"), "{drawn}");
        assert!(drawn.contains("unchanged characters") && drawn.lines().count() < 20, "{drawn}");
    }
}

#[test]
fn nothing_is_left_out_of_a_line_that_is_new() {
    let long = "x".repeat(5_000);
    assert_eq!(drawn(&[file(Some("a\n"), Some(&format!("a\n{long}\n")))], 80).matches('x').count(), 5_000);
    assert_eq!(drawn(&[file(Some("a\n"), Some(&format!("{long}\n")))], 80).matches('x').count(), 5_000);
}

#[test]
fn a_long_line_beside_a_change_takes_no_more_than_a_few_rows() {
    let long = "x".repeat(5_000);
    let drawn = drawn(&[file(Some(&format!("{long}\na\n")), Some(&format!("{long}\nb\n")))], 80);
    assert!(drawn.lines().count() < 8 && drawn.contains("4,840 unchanged characters"), "{drawn}");
}

#[test]
fn signs_and_colours_agree() {
    let mut view = view(&[file(Some("old\n"), Some("new\n"))]);
    let lines = view.lines(40);
    let colour = |line: usize| (lines[line].spans[0].content.to_string(), lines[line].spans[0].style.fg);
    assert_eq!(colour(0), (" 1 - ".to_owned(), Some(Color::Red)));
    assert_eq!(colour(1), (" 1 + ".to_owned(), Some(Color::Green)));
    assert_eq!(view.counts(), (1, 1));
}

#[test]
fn the_head_holds_changes_only_and_counts_the_rest() {
    let before = numbered(30);
    let after = before.replace("line 1", "row 1");
    let head = view(&[file(Some(&before), Some(&after))]).head(40, 8);
    assert_eq!(head.lines.len(), 8);
    assert_eq!(head.more, 22 - 8);
    assert!(head.lines.iter().all(|line| !line.spans[0].content.ends_with("  ")));
}

#[test]
fn the_file_as_it_will_be_is_coloured() {
    let (send, results) = mpsc::channel();
    let highlighter = Highlighter::start(the_palette(), move |done| drop(send.send(done)));
    let before = "/*\none\n*/\nfn a() {}\n";
    let mut view =
        DiffView::new(&[file(Some(before), Some(&before.replace("a()", "b()")))], the_palette(), highlighter);
    view.lines(40);
    view.highlighted(&results.recv().unwrap());
    let lines = view.lines(40);
    assert!(lines[1].spans[1].style.add_modifier.contains(Modifier::ITALIC), "a comment, told from the line above");
    assert_eq!(lines[4].spans[1].style.fg, Some(Color::Magenta));
}

/// A view that can show all of the files, with the files.
fn whole(before: &str, after: &str) -> (DiffView, [FileDiff; 1]) {
    let files = [file(Some(before), Some(after))];
    (view(&files).reviewed(&files), files)
}

fn text(lines: &[ratatui::text::Line<'_>]) -> Vec<String> {
    lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect()
}

#[test]
fn the_whole_file_stands_around_its_changes_and_long_stretches_are_folded() {
    let before = numbered(200);
    let (mut view, files) = whole(&before, &before.replace("line 100\n", "line C\n"));
    assert!(view.can_be_whole() && view.folds() == 0);
    view.set_extent(&files, Extent::Whole);
    let lines = text(&view.lines(40));
    assert_eq!(lines[0], "    … 76 lines …");
    assert_eq!(lines[1..3], [" 77   line 77", " 78   line 78"]);
    assert_eq!(lines[24..26], ["100 - line 100", "100 + line C"]);
    assert_eq!(lines[48..], ["123   line 123", "    … 77 lines …"]);
    assert_eq!(view.folds(), 2);
    assert!(view.open_fold(1), "the one that comes next");
    let lines = text(&view.lines(40));
    assert_eq!((lines.len(), lines[0].as_str(), lines[125].as_str()), (126, "    … 76 lines …", "200   line 200"));
    assert!(!view.open_fold(1) && view.open_fold(0));
    assert_eq!(view.lines(40).len(), 201);
    view.set_extent(&files, Extent::Hunks);
    assert!(text(&view.lines(40)).contains(&"    ⋯ 96 unchanged lines".to_owned()));
}

#[test]
fn a_part_of_a_file_has_only_that_part_to_show() {
    let before = numbered(30);
    let files = [FileDiff { skipped: 46, ..file(Some(&before), Some(&before.replace("line 20\n", "new\n"))) }];
    let mut view = view(&files).reviewed(&files);
    view.set_extent(&files, Extent::Whole);
    let lines = text(&view.lines(40));
    assert_eq!(lines[..2], ["   ⋯ 46 unchanged lines", "47   line 1"]);
}

#[test]
fn of_a_file_with_lone_carriage_returns_only_the_hunks_are_shown() {
    let before = numbered(30) + "a\rb\n";
    let (view, _) = whole(&before, &before.replace("line 1\n", "line one\n"));
    assert!(!view.can_be_whole());
}

#[test]
fn what_is_drawn_in_parts_is_what_is_drawn_at_once() {
    let before: String = (1..=400).map(|n| format!("{} line {n}\n", "wide 字 ".repeat(n % 9))).collect();
    let after = before.replace(" line 50\n", " line fifty\n").replace(" line 300\n", "\tother\nand more\n");
    let (mut view, files) = whole(&before, &after);
    for (extent, columns) in
        [Extent::Hunks, Extent::Whole].into_iter().flat_map(|extent| [(extent, Columns::One), (extent, Columns::Two)])
    {
        view.set_extent(&files, extent);
        view.set_columns(columns);
        for width in [30, 150] {
            let all = view.lines(width);
            assert_eq!(all, view.drawn(width));
            for page in [1, 7, 40] {
                let parts: Vec<_> =
                    (0..all.len()).step_by(page).flat_map(|at| view.part(at..(at + page).min(all.len()))).collect();
                assert!(parts == all, "{extent:?} {columns:?} {width} {page}");
            }
            assert_eq!(view.part(all.len()..all.len() + 5), []);
        }
    }
}

#[test]
fn hunks_that_are_left_out_end_where_they_end() {
    let before = numbered(40);
    let (mut view, files) =
        whole(&before, &before.replace("line 10\n", "line ten\n").replace("line 30\n", "line thirty\n"));
    view.set_extent(&files, Extent::Whole);
    assert!(view.hunks.toggle());
    view.hunks_changed();
    let lines = view.lines(40);
    let is_out = |line: &&ratatui::text::Line<'_>| {
        line.spans.iter().any(|span| span.style.add_modifier.contains(Modifier::CROSSED_OUT))
    };
    let out: Vec<String> = lines.iter().filter(is_out).map(|line| line.to_string()).collect();
    assert_eq!((out.len(), out[0].as_str(), out[7].as_str()), (8, " 7   line 7", "13   line 13"));
}

#[test]
fn what_was_on_the_screen_needs_no_reading_at_any_width_nor_does_what_is_unchanged() {
    let before = numbered(200);
    let after = before.replace("line 100\n", "line C\n").replace("line 150\n", "line CL\n");
    let (mut view, files) = whole(&before, &after);
    view.lay_out(40);
    assert!(view.needs_no_reading().is_empty());
    // The heading of the first hunk and its eight lines.
    view.was_shown(&(1..10));
    assert_eq!(view.needs_no_reading(), vec![Range { start: 1, end: 10 }]);
    view.lay_out(20);
    let read = vec![Range { start: 2, end: 12 }];
    assert_eq!(view.needs_no_reading(), read, "where the fold above and the heading take two lines each");
    view.set_extent(&files, Extent::Whole);
    view.lay_out(40);
    let unread: usize = view.len() - view.needs_no_reading().iter().map(ExactSizeIterator::len).sum::<usize>();
    assert_eq!(unread, 9, "the other hunk");
}

#[test]
fn a_file_of_fifty_thousand_lines_and_two_thousand_hunks_is_laid_out_without_being_drawn() {
    let before = numbered(50_000);
    let after: String = before
        .lines()
        .enumerate()
        .map(|(at, line)| if at % 25 == 12 { format!("{line} changed\n") } else { format!("{line}\n") })
        .collect();
    let (mut view, files) = whole(&before, &after);
    view.set_extent(&files, Extent::Whole);
    view.lay_out(160);
    assert_eq!((view.hunk_lines().len(), view.len()), (2_000, 54_000));
    assert_eq!(text(&view.part(53_990..53_992)), ["49991   line 49991", "49992   line 49992"]);
}
