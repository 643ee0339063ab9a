//! What markdown looks like, that cutting it changes nothing, and that settled text costs nothing.

use super::Markdown;
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use proptest::prelude::*;
use std::sync::mpsc;

fn markdown(palette: Palette) -> Markdown {
    Markdown::new(palette, Highlighter::off())
}

fn rows(markdown: &mut Markdown, width: usize) -> Vec<String> {
    let height = markdown.lay_out(width);
    (0..height).map(|row| markdown.row(row).to_string()).collect()
}

fn laid(source: &str, width: usize) -> String {
    let mut markdown = markdown(Palette::coloured());
    markdown.push(source);
    markdown.end();
    rows(&mut markdown, width).join("\n")
}

const EVERYTHING: &str = "# A title\n\nSome *words* with **weight**, `code` and a [link](https://example.org/a).\nSame \
paragraph ~~gone~~.\n\n## Lists\n\nTight:\n- one\n- two with enough words to need another line\n  - nested\n    1. deep\n    2. deeper\n\
- [x] done\n- [ ] open\n\nLoose:\n\n1. first\n\n   more of it\n\n2. second\n\n   ```sh\n   ls -l\n   ```\n\n\
> quoted\n> > twice\n>\n> - item\n\n| Name | What it does | N |\n|:--|:-:|--:|\n| a | short | 1 |\n\
| b | rather a long text that must wrap somewhere | 22 |\n\n```rust\nfn main() {\n\tprintln!(\"x\");\n}\n```\n\n---\n\n\
![alt](pic.png) <b>html</b> a<br>b\n\n<https://example.org>\n";

#[test]
fn everything_finds_its_place() {
    insta::assert_snapshot!("wide", laid(EVERYTHING, 76));
    insta::assert_snapshot!("narrow", laid(EVERYTHING, 36));
}

#[test]
fn a_table_too_wide_for_the_screen_becomes_lists() {
    let table = "|alpha|beta|gamma|delta|\n|-|-|-|-|\n|first value|second value|third value|fourth value|\n|a|b|c|d|\n";
    insta::assert_snapshot!(laid(table, 24));
}

#[test]
fn signs_stay_where_there_is_no_colour() {
    let mut plain = markdown(Palette::plain());
    plain.push("run `ls`");
    assert_eq!(rows(&mut plain, 20), ["run `ls`"]);
}

#[test]
fn entities_cannot_smuggle_control_characters() {
    assert_eq!(laid("&#27;[31m &#x202E;x `\u{1b}`", 60), "␛[31m ⟨U+202E⟩x ␛");
    assert_eq!(laid("[a](&#27;b)", 60), "a (␛b)");
    assert_eq!(laid("```\n\u{1b}]0;x\u{7}\n```", 60), "  ␛]0;x␇");
}

#[test]
fn a_line_of_signs_waits_for_what_it_becomes() {
    let mut text = markdown(Palette::coloured());
    text.push("words\n-");
    assert_eq!(rows(&mut text, 20), ["words"]);
    text.push(" item");
    assert_eq!(rows(&mut text, 20), ["words", "• item"]);
}

#[test]
fn deep_nesting_leaves_room_for_words() {
    let deep = format!("{}words that go on", "> ".repeat(60));
    let laid = laid(&deep, 20);
    assert!(laid.lines().all(|line| line.chars().count() <= 20), "{laid}");
}

#[test]
fn settled_blocks_are_never_laid_out_again() {
    let mut text = markdown(Palette::coloured());
    let mut blocks = 0;
    for number in 0..300 {
        for piece in ["A paragraph ", "of words.\n", "\n- item ", "one\n", "- item two\n\n", "```\ncode\n", "```\n\n"] {
            text.push(piece);
            text.lay_out(80);
        }
        blocks = 4 * (number + 1);
    }
    // Each unit is laid out a few times while it is the last one, and once when it settles; never in proportion to
    // what comes after it.
    assert!(text.renders() <= blocks * 4, "{} renders of {blocks} blocks", text.renders());
    let before = text.renders();
    text.lay_out(80);
    assert_eq!(text.renders(), before);
}

#[test]
fn a_long_open_fence_is_taken_line_by_line() {
    let mut text = markdown(Palette::coloured());
    text.push("```\n");
    for number in 0..2_000 {
        text.push(&format!("line {number}\n"));
        text.lay_out(80);
    }
    assert_eq!(text.renders(), 0);
    assert_eq!(text.lay_out(80), 2_000);
}

#[test]
fn code_takes_colours_when_they_are_ready() {
    let (send, results) = mpsc::channel();
    let palette = Palette::coloured();
    let highlighter = Highlighter::start(palette, move |done| drop(send.send(done)));
    let mut text = Markdown::new(palette, highlighter);
    text.push("```rust\nlet x\n");
    text.lay_out(40);
    assert_eq!(text.row(0).spans.len(), 2, "plain at first");
    assert!(text.highlighted(&results.recv().unwrap()));
    text.lay_out(40);
    assert_eq!(text.row(0).spans.len(), 3);
    text.push("= 1;\n```\n\n1. nested\n   ```rust\n   let y\n   ```\n");
    text.end();
    text.lay_out(40);
    assert!(text.highlighted(&results.recv().unwrap()));
    assert!(text.highlighted(&results.recv().unwrap()));
    text.lay_out(30);
    let spans: Vec<usize> = (0..5).map(|row| text.row(row).spans.len()).collect();
    assert_eq!(spans, [3, 4, 0, 2, 4]);
}

#[test]
fn copies_are_what_the_model_wrote_made_safe() {
    let mut text = markdown(Palette::coloured());
    text.push("Do\n\n```make\nall:\n\tcc\u{1b}\n```\n\n1. x\n   ```\n   y\n   ```\n");
    assert_eq!(text.code_blocks(), ["all:\n\tcc␛\n", "y\n"]);
    assert!(text.copy().ends_with("   y\n   ```"));
}

fn pieces_of_markdown() -> impl Strategy<Value = Vec<String>> {
    let piece = prop::sample::select(vec![
        "word",
        " ",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "2. ",
        "* ",
        "# ",
        "> ",
        "```",
        "```\n",
        "~~~\n",
        "    ",
        "  ",
        "`",
        "**",
        "|",
        "|-|-|\n",
        "| a | b |\n",
        "---",
        "[x](y)",
        "<div>",
        "\t",
        "漢字",
        "é",
        "=",
        "text after\n",
    ]);
    prop::collection::vec(piece.prop_map(str::to_owned), 0..40)
}

proptest! {
    #[test]
    fn rows_are_the_same_however_the_text_comes(pieces in pieces_of_markdown()) {
        let mut whole = markdown(Palette::coloured());
        whole.push(&pieces.concat());
        whole.end();
        let mut cut = markdown(Palette::coloured());
        for piece in &pieces {
            cut.push(piece);
            cut.lay_out(30);
        }
        cut.end();
        let (whole_rows, cut_rows) = (rows(&mut whole, 30), rows(&mut cut, 30));
        prop_assert_eq!(&whole_rows, &cut_rows);
        cut.lay_out(50);
        prop_assert_eq!(whole_rows, rows(&mut cut, 30));
    }
}
