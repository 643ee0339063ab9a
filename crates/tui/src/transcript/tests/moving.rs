//! How the view moves, what a click folds, what can be copied and printed.

use super::story::{command, ended, finished, notice, proposed, replied, running, started, story, text};
use super::{after, screen, transcript};
use agent_protocol::{ContextEvent, Event, NoticeLevel, Status, TurnEndReason};
use serde_json::json;
use std::time::Duration;

/// A transcript of one long answer, `lines` lines of it.
fn long(lines: usize) -> super::Transcript {
    let lines: Vec<Event> = (0..lines).map(|n| text(&format!("line {n}\n\n"))).collect();
    let mut transcript = after(&lines);
    transcript.layout(40, 10);
    transcript
}

#[test]
fn it_follows_until_someone_scrolls_up_and_again_from_the_end_on() {
    let mut transcript = long(30);
    assert!(transcript.following());
    transcript.scroll_by(-3);
    assert!(!transcript.following());
    let top = transcript.top();
    transcript.apply(&text("more\n\nand more\n"), Duration::ZERO);
    transcript.layout(40, 10);
    assert_eq!(transcript.top(), top);
    transcript.scroll_to_end();
    assert!(transcript.following());
    transcript.apply(&text("\n\nlast"), Duration::ZERO);
    assert!(screen(&mut transcript, 40, 10).ends_with("last\n"));
}

#[test]
fn what_is_below_is_counted() {
    let mut transcript = long(30);
    transcript.scroll_by(-12);
    let screen = screen(&mut transcript, 40, 10);
    assert!(screen.lines().last().unwrap().ends_with("↓ 12 more lines"), "{screen}");
    assert_eq!(screen.matches('┃').count(), 1);
}

#[test]
fn scrolling_stops_at_both_ends() {
    let mut transcript = long(30);
    transcript.scroll_by(-10_000);
    assert_eq!(transcript.top(), 0);
    transcript.scroll_by(transcript.page());
    assert_eq!(transcript.top(), 8);
    transcript.scroll_by(i32::MAX);
    assert!(transcript.following());
    transcript.scroll_to_start();
    assert_eq!((transcript.top(), transcript.following()), (0, false));
}

#[test]
fn another_width_keeps_the_cell_in_view() {
    let mut transcript = after(&story());
    transcript.layout(80, 10);
    transcript.scroll_to_start();
    transcript.scroll_by(20);
    let first = |screen: &str| screen.lines().find(|line| line.starts_with(['✓', '•', '✗', '›'])).unwrap().to_owned();
    let wide = first(&screen(&mut transcript, 80, 10));
    let narrow = first(&screen(&mut transcript, 60, 10));
    assert_eq!(wide.split(" · ").next(), narrow.split(" · ").next());
}

#[test]
fn a_click_folds_the_cell_under_it() {
    let mut transcript = after(&story());
    let before = screen(&mut transcript, 80, 200);
    let row = |screen: &str| {
        let row = screen.lines().position(|line| line.contains("3 matches in 2 files")).unwrap();
        u16::try_from(row).unwrap()
    };
    transcript.toggle_at(row(&before));
    let unfolded = screen(&mut transcript, 80, 200);
    assert!(unfolded.contains("  │ 4: total(&items)"), "{unfolded}");
    transcript.toggle_at(row(&unfolded));
    assert_eq!(screen(&mut transcript, 80, 200), before);
}

#[test]
fn the_tail_is_what_was_seen_last() {
    let mut transcript = long(30);
    assert_eq!(transcript.tail(3, 40), ["  line 28", "", "  line 29"]);
    assert_eq!(transcript.tail(2, 40), ["  line 29"]);
    transcript.apply(&text("\n\nwords that are too long"), Duration::ZERO);
    transcript.layout(40, 10);
    assert_eq!(transcript.tail(2, 16), ["  words that", "  are too long"]);
}

#[test]
fn the_tail_does_without_colour_and_keys() {
    let log: String = (1..=9).map(|n| format!("{n}\n")).collect();
    let mut transcript = after(&[
        proposed(1, "run_command", json!({"command": "make"})),
        running(1, command("make")),
        finished(1, Status::Done, "exit 0", &log),
        text("See `make` in **it**.\n\n```sh\nls\n```\n"),
    ]);
    let tail = ["✓ Run make · exit 0", "  │ … 6 more lines", "  │ 7", "  │ 8", "  │ 9", ""];
    let tail = [&tail[..], &["  See `make` in it.", "", "    ls"]].concat();
    assert_eq!(transcript.tail(20, 40), tail);
    let seen = screen(&mut transcript, 40, 9);
    assert!(seen.contains("… 6 more lines (Ctrl+O)") && seen.contains("See make in it."), "{seen}");
}

#[test]
fn the_last_answer_and_its_code_can_be_copied() {
    let mut transcript = after(&[text("One\n\n```sh\nls\n```\n"), replied(), text("\n"), ended(TurnEndReason::Done)]);
    assert_eq!(transcript.last_answer().unwrap(), "One\n\n```sh\nls\n```");
    assert_eq!(transcript.code_blocks(), ["ls\n"]);
    transcript.apply(&Event::Context(ContextEvent::Cleared), Duration::ZERO);
    assert!(transcript.is_empty());
    assert_eq!(transcript.last_answer(), None);
}

#[test]
fn a_notice_does_not_tear_a_reply_in_two() {
    let mut transcript = after(&[text("```\none\n"), notice(NoticeLevel::Info, "by the way"), text("two\n```\n")]);
    assert!(screen(&mut transcript, 40, 4).starts_with("· by the way\n\n    one\n    two\n"));
}

#[test]
fn settled_parts_of_a_long_stream_are_never_laid_out_again() {
    let mut transcript = transcript();
    transcript.apply(&started("Tell me"), Duration::ZERO);
    let renders = |transcript: &super::Transcript| transcript.answer().unwrap().renders();
    let mut counts = Vec::new();
    for paragraph in 0..400 {
        for piece in ["Some words ", "and more\n", "of them.\n\n"] {
            transcript.apply(&text(piece), Duration::ZERO);
            transcript.layout(80, 24);
        }
        if paragraph % 100 == 99 {
            counts.push(renders(&transcript));
        }
    }
    let steps: Vec<usize> = counts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|&step| step == steps[0]), "the cost of a paragraph grows: {counts:?}");
    let before = renders(&transcript);
    transcript.scroll_by(-50);
    transcript.layout(80, 24);
    assert_eq!(renders(&transcript), before);
}

#[test]
fn what_is_far_from_view_is_let_go_and_comes_back_as_it_was() {
    let thought = super::story::thinking("hm\nwell\nso\n");
    let events: Vec<Event> = (0..40).flat_map(|_| story().into_iter().chain([thought.clone(), replied()])).collect();
    let mut transcript = after(&events);
    super::unfold_all(&mut transcript);
    let whole = super::whole(&mut transcript, 60);
    let rows: Vec<&str> = whole.lines().collect();
    transcript.layout(60, 20);
    assert!(transcript.laid_rows() < 600 && rows.len() > 2_000, "{} of {}", transcript.laid_rows(), rows.len());
    for top in (0..rows.len() - 20).step_by(97).chain((0..rows.len() - 20).rev().step_by(333)) {
        transcript.scroll_to_start();
        transcript.scroll_by(i32::try_from(top).unwrap());
        let shown = screen(&mut transcript, 60, 20);
        let top = transcript.top();
        let plain = |row: &str| row.trim_end_matches('┃').trim_end().to_owned();
        let shown: Vec<String> = shown.lines().map(plain).collect();
        let expected: Vec<String> = rows[top..top + 20].iter().map(|row| plain(row)).collect();
        // The last row has the mark that there is more below.
        assert_eq!(shown[..19], expected[..19], "{top}");
    }
}
