//! What is said of the end of a call and of a turn.

use super::story::{asked, command, ended, finished, proposed, replied, running, settled, started, text, thinking};
use super::{after, transcript, whole};
use agent_protocol::{Event, FailureKind, Phase, Settlement, Status, TurnEndReason, TurnEvent, TurnId, Usage};
use serde_json::json;
use std::time::Duration;

/// The end of a turn of which the server counted nothing.
fn uncounted(reason: TurnEndReason) -> Event {
    Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage: Usage::default() })
}

fn last_line(events: &[Event]) -> String {
    whole(&mut after(events), 60).lines().last().unwrap().to_owned()
}

#[test]
fn a_failed_call_says_why_in_one_line_and_the_rest_unfolds() {
    let why = "old_string is not in a.rs; the nearest lines are:\r\n243 one\n244 \u{1b}two";
    let mut transcript = after(&[
        proposed(1, "edit_file", json!({"file_path": "a.rs"})),
        finished(1, Status::Failed { kind: FailureKind::NoMatch }, why, ""),
    ]);
    assert_eq!(whole(&mut transcript, 60), "✗ Edit a.rs · failed: old_string is not in a.rs\n");
    transcript.toggle_details();
    let rest = "  │ old_string is not in a.rs; the nearest lines are:\n  │ 243 one\n  │ 244 ␛two\n";
    let unfolded = format!("✗ Edit a.rs · failed: old_string is not in a.rs\n  file_path: a.rs\n{rest}");
    assert_eq!(whole(&mut transcript, 60), unfolded);
}

#[test]
fn the_first_line_of_a_summary_ends_where_it_leads_over_to_the_next() {
    let said = |summary: &str| {
        let call = proposed(1, "fetch", json!({}));
        let shown = whole(&mut after(&[call, finished(1, Status::Done, summary, "")]), 60);
        shown.trim_end().strip_prefix("✓ fetch · ").unwrap().to_owned()
    };
    assert_eq!(said("two found:\na\nb"), "two found");
    assert_eq!(said("one; two;\nthree"), "one; two");
    assert_eq!(said("exit 0: fine"), "exit 0: fine");
}

#[test]
fn a_long_reason_is_cut_until_it_is_unfolded() {
    let why = "word ".repeat(100) + "end";
    let mut transcript = after(&[
        proposed(1, "read_file", json!({"file_path": "a"})),
        finished(1, Status::Failed { kind: FailureKind::Io }, &why, ""),
    ]);
    let folded = whole(&mut transcript, 60);
    assert!(folded.lines().count() <= 2 && folded.ends_with("…\n"), "{folded}");
    transcript.toggle_details();
    assert!(whole(&mut transcript, 60).contains(" end\n"));
}

#[test]
fn an_interruption_says_what_became_of_the_turn() {
    let stop = || uncounted(TurnEndReason::Interrupted);
    let call = || proposed(1, "run_command", json!({"command": "make"}));
    assert_eq!(last_line(&[started("Go"), stop()]), "– stopped · 1 s");
    assert_eq!(last_line(&[started("Go"), thinking("Hm."), stop()]), "– stopped · 2 s");
    let cut = "– interrupted; what had arrived is kept · 2 s";
    assert_eq!(last_line(&[started("Go"), text("Half a sent"), stop()]), cut);
    let sending = Event::Turn(TurnEvent::Waiting { phase: Phase::Sending });
    assert_eq!(last_line(&[started("Go"), text("Now."), replied(), sending, text("\n"), stop()]), "– stopped · 5 s");
    let running = [started("Go"), text("Now."), replied(), call(), running(1, command("make"))];
    let stopped = finished(1, Status::Stopped, "", "");
    assert_eq!(last_line(&[running.to_vec(), vec![stopped, stop()]].concat()), "– stopped · 6 s");
    let refused = finished(1, Status::Refused, "", "");
    let asked = [started("Go"), call(), asked(1, command("make")), settled(1, Settlement::Withdrawn), refused, stop()];
    assert_eq!(last_line(&asked), "– rejected; the turn ended · 5 s");
}

#[test]
fn figures_are_told_where_they_tell_something() {
    let told = |took, tokens, ns, unfolded| {
        let mut transcript = transcript();
        transcript.apply(&started(""), Duration::ZERO);
        let usage = Usage { reply_tokens: Some(tokens), reply_ns: Some(ns), ..Usage::default() };
        let end = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage });
        transcript.apply(&end, Duration::from_millis(took));
        if unfolded {
            transcript.toggle_details();
        }
        whole(&mut transcript, 60).trim().to_owned()
    };
    let line = |took, tokens, ns| told(took, tokens, ns, false);
    assert_eq!(line(420, 1, 1_000), "0.4 s");
    assert_eq!(line(999, 60, 2_000_000_000), "0.9 s");
    assert_eq!(line(1_000, 4, 2_000_000_000), "1 s");
    assert_eq!(line(40, 0, 0), "");
    let unfolded = |took, tokens, ns| told(took, tokens, ns, true);
    assert_eq!(unfolded(420, 1, 1_000), "0.4 s · 1 token");
    assert_eq!(unfolded(999, 60, 2_000_000_000), "0.9 s · 60 tokens · 30 tokens/s");
    assert_eq!(unfolded(1_000, 4, 2_000_000_000), "1 s · 4 tokens");
}

#[test]
fn a_turn_taken_up_again_has_no_words_of_the_person() {
    let mut transcript = after(&[started(""), text("On we go."), ended(TurnEndReason::Interrupted)]);
    assert!(whole(&mut transcript, 60).starts_with("  On we go.\n"));
}
