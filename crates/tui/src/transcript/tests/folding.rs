//! What the key for details does when it is pressed again and again, and how much unfolded output shows.

use super::story::{command, finished, proposed, running, started, story, text, thinking};
use super::{Transcript, after, screen, whole};
use agent_protocol::{Event, Status};
use serde_json::json;

/// A finished command that put out `lines` lines.
fn counted(id: u64, lines: usize) -> Vec<Event> {
    let log: String = (1..=lines).map(|n| format!("{id}: {n}\n")).collect();
    vec![
        proposed(id, "run_command", json!({"command": "count"})),
        running(id, command("count")),
        finished(id, Status::Done, "exit 0 · 0.1 s", &log),
    ]
}

/// Which of the calls 1 to 3 show their first line.
fn unfolded(transcript: &mut Transcript) -> Vec<u64> {
    let whole = whole(transcript, 60);
    (1..=3).filter(|id| whole.contains(&format!("{id}: 1\n"))).collect()
}

#[test]
fn the_newest_unfolds_first_then_all_then_all_fold() {
    let events = [counted(1, 20), counted(2, 20), counted(3, 20), vec![text("That is all.")]].concat();
    let mut transcript = after(&events);
    transcript.layout(60, 30);
    let mut seen = Vec::new();
    for _ in 0..4 {
        transcript.toggle_details();
        transcript.layout(60, 30);
        seen.push(unfolded(&mut transcript));
        transcript.layout(60, 30);
        transcript.scroll_to_end();
    }
    assert_eq!(seen, [vec![3], vec![1, 2, 3], vec![], vec![3]]);
}

#[test]
fn what_is_in_view_unfolds_before_what_is_not() {
    let mut transcript = after(&[counted(1, 20), counted(2, 20), vec![text(&"words\n\n".repeat(40))]].concat());
    transcript.layout(60, 8);
    transcript.scroll_to_start();
    assert!(screen(&mut transcript, 60, 5).starts_with("✓ Run count"));
    transcript.toggle_details();
    assert_eq!(unfolded(&mut transcript), [1]);
}

#[test]
fn a_cell_that_comes_between_is_the_newest() {
    let mut transcript = after(&counted(1, 20));
    transcript.layout(60, 30);
    transcript.toggle_details();
    counted(2, 20).iter().for_each(|event| transcript.apply(event, std::time::Duration::ZERO));
    transcript.layout(60, 30);
    transcript.toggle_details();
    assert_eq!(unfolded(&mut transcript), [1, 2]);
    transcript.toggle_details();
    assert_eq!(unfolded(&mut transcript), [0; 0], "all were unfolded already");
}

#[test]
fn what_comes_later_is_unfolded_where_all_is() {
    let mut transcript = after(&[counted(1, 20), counted(2, 20)].concat());
    transcript.layout(60, 30);
    super::unfold_all(&mut transcript);
    counted(3, 20).iter().for_each(|event| transcript.apply(event, std::time::Duration::ZERO));
    assert_eq!(unfolded(&mut transcript), [1, 2, 3]);
}

#[test]
fn short_words_of_the_person_have_nothing_to_unfold() {
    let mut transcript = after(&[thinking("Hm."), started("Short")]);
    transcript.layout(60, 10);
    transcript.toggle_details();
    assert!(whole(&mut transcript, 60).starts_with("▾ thought"));
}

#[test]
fn a_click_and_the_key_know_of_each_other() {
    let mut transcript = after(&story());
    let folded = whole(&mut transcript, 80);
    super::unfold_all(&mut transcript);
    let unfolded = whole(&mut transcript, 80);
    let row = unfolded.lines().position(|line| line.starts_with("✓ Search")).unwrap();
    transcript.toggle_at(u16::try_from(row).unwrap());
    assert_ne!(whole(&mut transcript, 80), unfolded);
    transcript.toggle_details();
    assert_eq!(whole(&mut transcript, 80), unfolded);
    transcript.toggle_details();
    assert_eq!(whole(&mut transcript, 80), folded);
}

#[test]
fn a_command_that_went_well_shows_its_last_lines() {
    let shown = "✓ Run count · exit 0 · 0.1 s\n  │ … 17 more lines (Ctrl+O)\n  │ 1: 18\n  │ 1: 19\n  │ 1: 20\n";
    assert_eq!(whole(&mut after(&counted(1, 20)), 60), shown);
    let short = "✓ Run count · exit 0 · 0.1 s\n  │ 1: 1\n  │ 1: 2\n";
    assert_eq!(whole(&mut after(&counted(1, 2)), 60), short);
}

#[test]
fn unfolded_output_shows_both_its_ends() {
    let shown = |lines| {
        let mut transcript = after(&counted(1, lines));
        transcript.toggle_details();
        whole(&mut transcript, 60)
    };
    let long = shown(4_000);
    assert!(long.contains("  │ 1: 100\n  │ ⋯ 3,600 lines left out here\n  │ 1: 3701\n"), "{long}");
    assert!(long.ends_with("  │ 1: 4000\n"));
    assert!(shown(401).contains("⋯ 1 line left out here"));
    assert!(!shown(400).contains('⋯'));
}
