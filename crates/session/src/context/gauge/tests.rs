//! The gauge against a server whose rule is simple enough to work out.

use super::*;
use agent_protocol::{ModelCall, PartKind, PartOrigin};
use serde_json::json;

/// A server that counts a token for every four characters, and five for each message.
fn count(messages: &[Message]) -> u64 {
    let size = |message: &Message| {
        let thinking = message.thinking.as_deref().unwrap_or_default();
        let calls: usize = message.calls.iter().map(|call| call.arguments.to_string().len() + 20).sum();
        5 + (message.content.chars().count() + thinking.chars().count() + calls).div_ceil(4) as u64
    };
    messages.iter().map(size).sum()
}

fn counts(prompt: u64, reply: u64) -> Usage {
    Usage { prompt_tokens: Some(prompt), reply_tokens: Some(reply), ..Usage::default() }
}

fn said(role: Role, words: usize) -> Message {
    Message::text(role, "some words of code and prose ".repeat(words))
}

/// A conversation of so many turns, counted all along.
fn gauged(turns: usize) -> (ContextUsage, Vec<Message>) {
    let (mut gauge, mut messages) = (ContextUsage::new(None), vec![said(Role::System, 40)]);
    for turn in 0..turns {
        messages.push(said(Role::User, 5 + turn));
        gauge.sent(&messages, &[]);
        let reply = said(Role::Assistant, 7 + turn);
        gauge.counted(&counts(count(&messages), count(std::slice::from_ref(&reply)) - 4)).expect("it was counted");
        messages.push(reply);
    }
    (gauge, messages)
}

fn off(estimated: u64, counted: u64) -> f64 {
    Checked { estimated, counted }.error_percent().abs()
}

#[test]
fn what_was_counted_is_not_estimated_any_more() {
    let (gauge, messages) = gauged(6);
    let prompt = &messages[..messages.len() - 1];
    assert_eq!(gauge.used(prompt, &[]), count(prompt));
    assert!(off(gauge.used(&messages, &[]), count(&messages)) < 1.0);
    assert_eq!(gauge.checked().map(|checked| checked.counted), Some(count(prompt)));
}

#[test]
fn where_the_last_messages_are_taken_back_an_earlier_count_holds() {
    let (gauge, messages) = gauged(6);
    let earlier = &messages[..messages.len() - 3];
    assert_eq!(gauge.used(earlier, &[]), count(earlier));
}

#[test]
fn a_message_that_was_changed_is_noticed_though_nobody_says_so() {
    let (mut gauge, mut messages) = gauged(6);
    messages[3] = said(Role::User, 400);
    assert!(off(gauge.used(&messages, &[]), count(&messages)) < 3.0);
    gauge.sent(&messages, &[]);
    assert!(gauge.counted(&counts(count(&messages), 1)).is_some_and(|checked| checked.error_percent().abs() < 3.0));
    assert_eq!(gauge.used(&messages, &[]), count(&messages));
}

#[test]
fn what_stands_before_the_conversation_is_known_when_that_is_rewritten() {
    let (mut gauge, mut messages) = gauged(3);
    messages.truncate(1);
    messages.push(said(Role::User, 3));
    gauge.rewritten();
    assert!(off(gauge.used(&messages, &[]), count(&messages)) < 1.0);
}

#[test]
fn a_server_that_counts_nothing_leaves_an_estimate() {
    let (mut gauge, messages) = (ContextUsage::new(None), vec![said(Role::System, 40), said(Role::User, 40)]);
    let estimated = gauge.sent(&messages, &[]);
    assert_eq!(gauge.counted(&Usage::default()), None);
    assert_eq!(gauge.counted(&counts(400, 3)), None, "nothing is on its way");
    assert_eq!(gauge.used(&messages, &[]), estimated);
    assert_eq!((gauge.checked(), gauge.was_cut()), (None, false));
}

#[test]
fn a_refusal_says_how_long_the_prompt_is() {
    let (mut gauge, mut messages) = gauged(4);
    messages.push(said(Role::User, 900));
    gauge.sent(&messages, &[]);
    gauge.refused(count(&messages));
    assert_eq!(gauge.used(&messages, &[]), count(&messages));
    gauge.refused(7);
    assert_eq!(gauge.used(&messages, &[]), count(&messages), "nothing was on its way");
}

#[test]
fn a_server_that_refuses_does_not_cut() {
    let (mut gauge, mut messages) = gauged(4);
    messages.push(said(Role::User, 40));
    gauge.sent(&messages, &[]);
    gauge.refused(count(&messages) + 300);
    gauge.sent(&messages, &[]);
    gauge.counted(&counts(count(&messages), 5));
    assert!(!gauge.was_cut(), "what was refused may have been another request");
}

#[test]
fn a_prompt_that_shrank_was_cut_and_teaches_nothing() {
    let (mut gauge, mut messages) = gauged(5);
    let before = gauge.used(&messages, &[]);
    messages.push(said(Role::User, 30));
    let estimated = gauge.sent(&messages, &[]);
    let learned = gauge.estimator().calibration();
    assert!(gauge.counted(&counts(before / 2, 9)).is_some());
    assert!(gauge.was_cut());
    assert_eq!(gauge.used(&messages, &[]), estimated, "a prompt is as long as it is, whatever the server reads of it");
    assert_eq!(gauge.estimator().calibration(), learned);
    gauge.rewritten();
    assert!(!gauge.was_cut());
}

#[test]
fn a_prompt_without_earlier_thinking_was_not_cut() {
    let (mut gauge, mut messages) = gauged(3);
    for _ in 0..4 {
        messages.push(said(Role::User, 4));
        gauge.sent(&messages, &[]);
        // Only the thinking of the running turn comes back.
        let mut given_back = messages.clone();
        given_back.iter_mut().for_each(|message| message.thinking = None);
        let thinking = said(Role::Assistant, 150).content;
        let reply = Message { thinking: Some(thinking.to_string()), ..said(Role::Assistant, 5) };
        gauge.counted(&counts(count(&given_back), count(std::slice::from_ref(&reply)) - 4));
        assert!(!gauge.was_cut());
        messages.push(reply);
    }
    let last = gauge.checked().expect("it was counted");
    assert!(last.error_percent().abs() < 2.0, "that it does not come back is learned: {last:?}");
}

#[test]
fn a_first_prompt_longer_than_the_window_was_cut() {
    let messages = [said(Role::System, 40), said(Role::User, 3_000)];
    for (window, cut) in [(Some(4_096), true), (None, false)] {
        let mut gauge = ContextUsage::new(None);
        window.into_iter().for_each(|window| gauge.set_window(window));
        gauge.sent(&messages, &[]);
        gauge.counted(&counts(2_050, 9));
        assert_eq!(gauge.was_cut(), cut, "{window:?}");
    }
}

/// Measured with a real server: a window of 300, a template that renders neither instructions nor tools.
#[test]
fn a_template_that_leaves_out_instructions_and_tools_cuts_nothing() {
    let mut gauge = ContextUsage::new(None);
    gauge.set_window(300);
    let mut messages = vec![said(Role::System, 250), said(Role::User, 1)];
    gauge.sent(&messages, &[]);
    assert_eq!(gauge.counted(&counts(23, 137)), None, "that is hardly a count of all this");
    messages.extend([said(Role::Assistant, 19), said(Role::User, 1)]);
    gauge.sent(&messages, &[]);
    gauge.counted(&counts(172, 120));
    assert!(!gauge.was_cut(), "160 of the 172 tokens are those before");

    let mut first = ContextUsage::new(None);
    first.set_window(300);
    first.sent(&messages, &[]);
    first.counted(&counts(172, 120));
    assert!(!first.was_cut(), "nor may that be said of a first prompt");
}

#[test]
fn a_server_that_is_known_to_refuse_is_never_said_to_cut() {
    let messages = [said(Role::System, 40), said(Role::User, 3_000)];
    let mut gauge = ContextUsage::new(None);
    gauge.set_window(4_096);
    gauge.set_refuses();
    gauge.sent(&messages, &[]);
    gauge.counted(&counts(2_050, 9));
    assert!(!gauge.was_cut());
}

#[test]
fn oldest_messages_that_are_dropped_at_the_end_of_the_window_are_missed() {
    let (mut gauge, mut messages) = gauged(8);
    let window = count(&messages) + 20;
    gauge.set_window(window);
    messages.push(said(Role::User, 200));
    gauge.sent(&messages, &[]);
    gauge.counted(&counts(window - 9, 5));
    assert!(gauge.was_cut(), "more than before, but less than there is");
}

#[test]
fn a_window_that_is_large_enough_raises_no_alarm() {
    let (mut gauge, mut messages) = gauged(8);
    gauge.set_window(count(&messages) * 3);
    messages.push(said(Role::User, 50));
    gauge.sent(&messages, &[]);
    gauge.counted(&counts(count(&messages), 5));
    assert!(!gauge.was_cut());
}

fn by_kind(parts: &[ContextPart]) -> Vec<(PartKind, u64)> {
    parts.iter().map(|part| (part.kind, part.count)).collect()
}

#[test]
fn the_parts_add_up_to_what_is_used() {
    let words = [crate::context::ProjectWords { source: "AGENTS.md".into(), text: "Use tabs. ".repeat(30) }];
    let call = ModelCall { server_id: None, index: None, name: "read_file".into(), arguments: json!({"path": "a"}) };
    let tool = ToolSpec {
        name: "read_file".into(),
        description: "Read a file.".into(),
        parameters: json!({"type": "object"}),
        aliases: Vec::new(),
    };
    let messages = [
        Message::text(Role::System, crate::context::system_prompt("/p", "linux", &words)),
        Message::by(Role::User, PartOrigin::Summary { left_out: 0 }, &"## Goal".repeat(30)),
        said(Role::Assistant, 3),
        said(Role::User, 9),
        Message { calls: vec![call.clone()], ..said(Role::Assistant, 2) },
        Message::result(&call, "a file\n".repeat(90)),
    ];
    let mut gauge = ContextUsage::new(None);
    gauge.sent(&messages, std::slice::from_ref(&tool));
    gauge.counted(&counts(1_234, 9));
    let parts = gauge.parts(&messages, std::slice::from_ref(&tool));
    assert_eq!(parts.iter().map(|part| part.tokens).sum::<u64>(), 1_234);
    let kinds = [
        (PartKind::System, 1),
        (PartKind::ProjectWords, 1),
        (PartKind::Tools, 1),
        (PartKind::Summary, 1),
        (PartKind::Person, 1),
        (PartKind::Model, 2),
        (PartKind::Results, 1),
    ];
    assert_eq!(by_kind(&parts), kinds);
    assert!(gauge.parts(&[], &[]).is_empty());
}
