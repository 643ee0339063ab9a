//! What a diff shows, and what it says beside the lines.

use super::DiffView;
use crate::palette::{Colour, Palette};
use crate::text::highlight::Highlighter;
use agent_protocol::FileDiff;
use ratatui::style::{Color, Modifier};
use std::sync::mpsc;

const PALETTE: Palette = Palette { colour: Colour::On };

fn file(before: Option<&str>, after: Option<&str>) -> FileDiff {
    FileDiff {
        path: "/p/src/lib.rs".into(),
        shown_path: "src/lib.rs".to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
        note: None,
    }
}

fn view(files: &[FileDiff]) -> DiffView {
    DiffView::new(files, PALETTE, Highlighter::off())
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
fn what_cannot_be_seen_is_marked_and_counted() {
    let drawn = drawn(&[file(Some("a\n"), Some("a\nb\u{200b}\u{202e}\u{1b}[2J\n"))], 120);
    assert!(drawn.starts_with("   adds 3 characters that are invisible"), "{drawn}");
    assert!(drawn.ends_with(" 2 + b⟨U+200B⟩⟨U+202E⟩␛[2J\n"), "{drawn}");
}

#[test]
fn long_lines_are_broken_and_nothing_is_lost() {
    let long = "x".repeat(50);
    assert_eq!(drawn(&[file(None, Some(&format!("{long}\n")))], 25).matches('x').count(), 50);
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
    let highlighter = Highlighter::start(PALETTE, move |done| drop(send.send(done)));
    let before = "/*\none\n*/\nfn a() {}\n";
    let mut view = DiffView::new(&[file(Some(before), Some(&before.replace("a()", "b()")))], PALETTE, highlighter);
    view.lines(40);
    view.highlighted(&results.recv().unwrap());
    let lines = view.lines(40);
    assert!(lines[1].spans[1].style.add_modifier.contains(Modifier::ITALIC), "a comment, told from the line above");
    assert_eq!(lines[4].spans[1].style.fg, Some(Color::Magenta));
}
