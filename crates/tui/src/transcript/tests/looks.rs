//! How cells look: the whole story at three sizes, and single cells through their lives.

use super::story::{command, edit, finished, output, plain, proposed, running, started, story, thinking};
use super::{after, screen, transcript, unfold_all, whole};
use agent_protocol::{Blocked, CallEvent, Event, SandboxReport, Status};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use serde_json::json;
use std::time::Duration;

#[test]
fn everything_is_drawn_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        let mut transcript = after(&story());
        insta::assert_snapshot!(format!("screen_{width}x{height}"), screen(&mut transcript, width, height));
        insta::assert_snapshot!(format!("whole_{width}"), whole(&mut transcript, width));
    }
}

#[test]
fn details_unfold() {
    let mut transcript = after(&story());
    unfold_all(&mut transcript);
    insta::assert_snapshot!("unfolded_80", whole(&mut transcript, 80));
    transcript.toggle_details();
    let folded = whole(&mut transcript, 80);
    assert_eq!(folded, whole(&mut after(&story()), 80));
}

#[test]
fn a_recorded_session_is_drawn() {
    let recorded = include_str!("../../../../../tests/recorded/session.jsonl");
    let events: Vec<Event> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut transcript = transcript();
    events.iter().for_each(|event| transcript.apply(event, Duration::ZERO));
    insta::assert_snapshot!("recorded_80", whole(&mut transcript, 80));
}

#[test]
fn no_row_is_wider_than_the_screen_and_no_control_character_is_drawn() {
    for width in [10, 40, 80, 120] {
        let mut transcript = after(&story());
        unfold_all(&mut transcript);
        transcript.layout(width, 10);
        for row in transcript.tail(usize::MAX, width) {
            assert!(crate::text::width::width(&row) < usize::from(width), "{row:?} at {width}");
            assert!(!row.contains(|c: char| c.is_control() || c == '\u{202e}'), "{row:?}");
        }
    }
}

#[test]
fn a_running_command_shows_its_last_lines_and_the_time() {
    let mut transcript = after(&[
        proposed(1, "run_command", json!({"command": "make"})),
        running(1, command("make")),
        output(1, "1\n2\n3\n4\n5\n6\n"),
    ]);
    transcript.tick(Duration::from_secs(75));
    let shown = "● Run make · running 1 min 14 s\n  │ 2\n  │ 3\n  │ 4\n  │ 5\n  │ 6\n";
    assert_eq!(whole(&mut transcript, 60), shown);
}

/// A command that ended with this to tell of the fence.
fn fenced(report: SandboxReport) -> Vec<Event> {
    let mut end = finished(1, Status::Exited { code: Some(6) }, "exit 6 · 0.1 s", "");
    if let Event::Call(CallEvent::Finished { outcome, .. }) = &mut end {
        outcome.fence = Some(report);
    }
    vec![proposed(1, "run_command", json!({"command": "make"})), running(1, command("make")), end]
}

#[test]
fn what_the_fence_kept_a_command_from_is_told_folded_and_unfolded() {
    for (blocked, told) in [
        (Blocked::Network, "kept from the network by the sandbox"),
        (Blocked::Writing, "kept from writing outside the project by the sandbox"),
    ] {
        let mut transcript = after(&fenced(SandboxReport {
            blocked: Some(blocked),
            tampered: Vec::new(),
            made: Vec::new(),
            ..SandboxReport::default()
        }));
        let shown = format!("✗ Run make · exit 6 · 0.1 s\n  ! {told}\n");
        assert_eq!(whole(&mut transcript, 60), shown);
        unfold_all(&mut transcript);
        assert!(whole(&mut transcript, 60).starts_with(&shown));
    }
}

#[test]
fn protected_files_that_a_command_changed_are_named_in_red() {
    let tampered = vec![".git/hooks/pre-commit".into(), "evil\u{202e}\u{1b}[2J".into()];
    let mut transcript =
        after(&fenced(SandboxReport { blocked: None, tampered, made: Vec::new(), ..SandboxReport::default() }));
    let shown = whole(&mut transcript, 60);
    assert!(shown.contains("\n  ! changed a protected file: .git/hooks/pre-commit\n"), "{shown}");
    assert!(shown.contains("\n  ! changed a protected file: evil⟨U+202E⟩␛[2J\n"), "{shown}");
    let area = Rect::new(0, 0, 60, 4);
    let mut buffer = Buffer::empty(area);
    transcript.layout(60, 4);
    transcript.draw(area, &mut buffer);
    let red = (0..4).find(|y| buffer[(2, *y)].symbol() == "!").map(|y| buffer[(4, y)].fg);
    assert_eq!(red, Some(Color::Red));
}

#[test]
fn output_that_was_only_streamed_is_kept() {
    let mut transcript = after(&[
        proposed(1, "run_command", json!({"command": "make"})),
        running(1, command("make")),
        output(1, "built\n"),
        finished(1, Status::Done, "exit 0 · 1.0 s", ""),
    ]);
    transcript.toggle_details();
    let shown = "✓ Run make · exit 0 · 1.0 s\n  $ make\n    in /project, for 2 min at most\n  │ built\n";
    assert_eq!(whole(&mut transcript, 60), shown);
}

#[test]
fn an_edited_proposal_shows_the_edit() {
    let mut transcript = after(&[
        proposed(1, "edit_file", json!({})),
        super::story::asked(1, edit(Some("a\n"), "b\n")),
        super::story::settled(1, agent_protocol::Settlement::Instead),
        running(1, edit(Some("a\n"), "c\n")),
        finished(1, Status::Done, "+1 −1", ""),
    ]);
    assert_eq!(whole(&mut transcript, 60), "✓ Edit src/total.rs  +1 −1 · done\n   1 - a\n   1 + c\n");
}

#[test]
fn calls_of_one_line_stand_together() {
    let mut transcript = after(&[
        started("Look"),
        proposed(1, "list_directory", json!({"path": "."})),
        running(1, plain("List .")),
        finished(1, Status::Done, "5 entries", "a\nb"),
        proposed(2, "read_file", json!({"file_path": "a"})),
    ]);
    assert_eq!(whole(&mut transcript, 60), "› Look\n\n✓ List . · 5 entries\n• Read a · waiting\n");
}

#[test]
fn thinking_tells_how_long_and_unfolds() {
    let mut transcript = transcript();
    transcript.apply(&thinking("First\nthis."), Duration::from_secs(1));
    transcript.tick(Duration::from_secs(4));
    assert_eq!(whole(&mut transcript, 60), "▸ thinking for 3 s\n");
    transcript.apply(&super::story::text("So:"), Duration::from_secs(13));
    assert_eq!(whole(&mut transcript, 60), "▸ thought for 12 s\n\n  So:\n");
    transcript.toggle_at(0);
    assert_eq!(whole(&mut transcript, 60), "▾ thought for 12 s\n  │ First\n  │ this.\n\n  So:\n");
}

#[test]
fn thinking_that_ends_in_blank_lines_can_be_watched_unfolded() {
    let mut transcript = transcript();
    transcript.toggle_details();
    transcript.apply(&thinking("So.\n\n\n"), Duration::ZERO);
    transcript.layout(60, 10);
    transcript.apply(&thinking("  \n"), Duration::ZERO);
    transcript.layout(60, 10);
    transcript.apply(&super::story::replied(), Duration::ZERO);
    assert_eq!(whole(&mut transcript, 60), "▾ thought for a moment\n  │ So.\n");
}

#[test]
fn no_size_is_too_small_to_draw() {
    for (width, height) in [(0, 0), (1, 1), (2, 5), (5, 0), (0, 5), (8, 2)] {
        let mut transcript = after(&story());
        unfold_all(&mut transcript);
        screen(&mut transcript, width, height);
        transcript.scroll_by(-1);
        screen(&mut transcript, width, height);
    }
}
