//! Turns that run long, go in circles or stand still: told to the model once, then asked about.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Limits, Settings};

fn limited(limits: Limits) -> Play {
    Play::ready_with(Settings { limits, ..settings() }, Mode::Safe)
}

#[test]
fn the_same_call_with_the_same_result_is_told_to_the_model_twice_and_then_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    for call in 1..=3 {
        play.calls(&["one"]);
        play.reads(call, "same");
    }
    assert_eq!((play.requests.len(), play.subject()), (4, None));
    assert!(play.last_said().starts_with("(you called one 3 times"), "{}", play.last_said());
    play.calls(&["one"]);
    play.reads(4, "same");
    assert!(play.last_said().starts_with("(you called one 4 times"), "{}", play.last_said());
    play.calls(&["one"]);
    play.reads(5, "same");
    assert_eq!(play.subject(), Some(Subject::Repeat { name: "one".into(), times: 5 }));
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Repeating));
}

#[test]
fn a_yes_lets_a_circle_go_on_and_the_next_one_asks_at_once() {
    let mut play = limited(Limits { repeats: 2, ..Limits::default() });
    play.say("look");
    for call in 1..=4 {
        play.calls(&["one"]);
        play.reads(call, "same");
    }
    play.answer(yes());
    play.calls(&["one"]);
    play.reads(5, "same");
    assert_eq!(play.subject(), None, "the count began anew");
    play.calls(&["one"]);
    play.reads(6, "same");
    assert!(play.subject().is_some(), "and the model was told already");
}

#[test]
fn different_results_are_no_circle() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    for call in 1..=5 {
        play.calls(&["one"]);
        play.reads(call, &format!("result {call}"));
    }
    assert_eq!((play.subject(), play.notices().len()), (None, 0));
}

#[test]
fn a_circle_within_one_reply_is_seen_past_another_call() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.calls(&["one", "one", "one", "two"]);
    for call in 1..=3 {
        play.reads(call, "same");
    }
    play.reads(4, "other");
    assert!(play.last_said().contains("you called one 3 times"), "{}", play.last_said());
}

#[test]
fn two_calls_by_turns_are_a_circle_after_three_pairs() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    for pair in 0..3 {
        assert_eq!(play.notices().len(), 0, "pair {pair}");
        play.calls(&["one"]);
        play.reads(2 * pair + 1, "first");
        play.calls(&["two"]);
        play.reads(2 * pair + 2, "second");
    }
    assert!(play.last_said().contains("the same two calls by turns"), "{}", play.last_said());
    play.calls(&["one"]);
    play.reads(7, "first");
    assert_eq!((play.notices().len(), play.subject()), (2, None));
    play.calls(&["two"]);
    play.reads(8, "second");
    assert_eq!(play.subject(), Some(Subject::Stuck { how: Stuck::Alternating }));
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Alternating }));
}

#[test]
fn two_calls_by_turns_with_news_are_no_circle() {
    let mut play = Play::ready(Mode::Safe);
    play.say("fix it");
    for round in 0..6 {
        play.calls(&["edit"]);
        play.reads(2 * round + 1, "edited");
        play.calls(&["test"]);
        play.reads(2 * round + 2, &format!("{round} tests failed"));
    }
    assert_eq!((play.subject(), play.notices().len()), (None, 0));
}

#[test]
fn a_reply_of_the_same_words_is_hung_up_on_and_sent_back_without_them() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("I see. ");
    for _ in 0..60 {
        play.text("and then again ");
    }
    assert!(play.has("hang up"));
    assert_eq!(play.requests.len(), 2);
    let reply = &play.requests[1].messages[2];
    assert!(reply.content.starts_with("I see.") && reply.content.len() < 40, "{}", reply.content);
    assert!(play.last_said().contains("repeated the same words"), "{}", play.last_said());
    for _ in 0..120 {
        play.text("and then again ");
    }
    assert_eq!(play.subject(), Some(Subject::Stuck { how: Stuck::Babbling }));
    play.answer(yes());
    assert_eq!(play.last_said(), "(go on)", "a request does not end in the model's own words");
}

#[test]
fn reasoning_that_goes_round_is_a_loop_too() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.model(ModelEvent::Thinking { text: "Wait, no. ".repeat(60) });
    assert!(play.has("hang up") && play.requests.len() == 2);
}

#[test]
fn a_loop_that_the_server_stopped_by_itself_is_known_for_one() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text(&"again and again ".repeat(31));
    play.broken(ServerError::NotDone);
    assert!(play.last_said().contains("repeated the same words"), "{}", play.last_said());
}

#[test]
fn a_short_word_that_the_server_stopped_is_a_loop_too() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    for _ in 0..31 {
        play.text(" ha");
    }
    play.broken(ServerError::NotDone);
    assert!(play.last_said().contains("repeated the same words"), "{}", play.last_said());
    assert_eq!(play.requests[1].messages[2].content, " ha");
}

#[test]
fn equal_rows_in_a_file_that_is_being_written_are_no_loop() {
    let row = "    { 0, 0, 0, 0, 0, 0, 0, 0 },\\n";
    for content in [row.repeat(48), "0x00, ".repeat(100), " ".repeat(450), "    nop\\n".repeat(60)] {
        let call = hermes("write_file", "a").replace("\"a\"", &format!("\"a\", \"content\": \"{content}\""));
        for size in [7, 100_000] {
            let mut play = Play::by_text(Mode::Safe);
            play.say("fill it");
            for piece in call.as_bytes().chunks(size) {
                play.text(&String::from_utf8_lossy(piece));
            }
            play.done();
            assert_eq!((play.proposed().len(), play.notices().len()), (1, 0), "{content}");
        }
    }
}

#[test]
fn a_call_that_never_ends_is_hung_up_on() {
    let mut play = Play::by_text(Mode::Safe);
    play.say("fill it");
    play.text("I write.\n<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"");
    for _ in 0..5_000 {
        if !play.has("hang up") {
            play.text("0, ");
        }
    }
    assert!(play.has("hang up") && play.proposed().is_empty());
    assert_eq!(play.requests.len(), 2);
    assert_eq!(play.requests[1].messages[2].content.trim_end(), "I write.");
}

#[test]
fn equal_lines_of_code_that_is_shown_are_no_loop() {
    let mut play = Play::ready(Mode::Safe);
    play.say("show it");
    play.text("So:\n```asm\n");
    for _ in 0..60 {
        play.text("    nop\n");
    }
    play.writes("```\nThat is all.");
    assert_eq!((play.ended(), play.notices().len()), (Some(TurnEndReason::Done), 0));
}

#[test]
fn a_loop_of_long_lines_goes_back_once_with_all_that_was_said_before() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("<think>I know.</think>");
    play.text("I see what is wrong...\n\n");
    let line = "The quick brown fox jumps over the lazy dog, and then the dog jumps over the fox.\n\n";
    for _ in 0..50 {
        play.text(line);
    }
    assert_eq!(play.requests.len(), 2);
    let expected = format!("I see what is wrong...\n\n{}", line.trim_end());
    assert_eq!(play.requests[1].messages[2].content, expected);
}

#[test]
fn what_was_said_before_a_loop_in_the_reasoning_stays_whole() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    play.text("I think so...");
    play.model(ModelEvent::Thinking { text: "Wait, no. ".repeat(60) });
    assert_eq!(play.requests[1].messages[2].content, "I think so...");
}

#[test]
fn nothing_after_a_result_is_told_and_then_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look");
    play.calls(&["one"]);
    play.reads(1, "text");
    play.empty(1);
    assert!(play.last_said().contains("your last reply was empty"), "{}", play.last_said());
    play.empty(1);
    assert_eq!(play.subject(), Some(Subject::Stuck { how: Stuck::Silent }));
}

#[test]
fn a_plan_without_a_call_is_told_twice_and_then_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("fix the bug");
    play.writes("I will now read the file.");
    assert!(play.last_said().contains("made no call"), "{}", play.last_said());
    play.writes("Now I will read the file.");
    assert_eq!((play.requests.len(), play.subject()), (3, None));
    play.writes("Let me read the file:");
    assert_eq!(play.subject(), Some(Subject::Stuck { how: Stuck::Announcing }));
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Announcing }));
}

#[test]
fn a_plan_that_is_followed_by_its_call_is_no_matter() {
    let mut play = Play::ready(Mode::Safe);
    play.say("look into the bug");
    play.text("Let me read the file:");
    play.calls(&["one"]);
    play.reads(1, "text");
    play.writes("It is fixed.");
    assert_eq!((play.ended(), play.notices().len()), (Some(TurnEndReason::Done), 0));
}

#[test]
fn without_tools_a_plan_is_an_answer() {
    let mut play = Play::ready_with(Settings { tools: Vec::new(), ..settings() }, Mode::Safe);
    play.say("hi");
    play.writes("I will now read the file.");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn the_step_limit_asks_at_once_and_yes_lifts_it_for_as_many_again() {
    let mut play = limited(Limits { steps: 2, ..Limits::default() });
    play.say("look");
    for call in 1..=2 {
        play.calls(&["one"]);
        play.reads(call, &format!("result {call}"));
    }
    play.answer(yes());
    assert_eq!(play.requests.len(), 3);
    for call in 3..=4 {
        play.calls(&["one"]);
        play.reads(call, &format!("result {call}"));
    }
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::StepLimit));
}

#[test]
fn the_same_in_another_turn_is_told_again() {
    let mut play = Play::ready(Mode::Safe);
    for _ in 0..2 {
        play.say("fix the bug");
        play.writes("I will now read the file.");
        assert_eq!(play.subject(), None);
        play.writes("There is nothing to fix.");
    }
    assert_eq!(play.notices().len(), 2);
}

#[test]
fn a_turn_whose_time_is_up_ends_for_that_reason_and_keeps_what_there_is() {
    let mut play = Play::ready(Mode::Safe);
    // Where nothing is under way nothing is over, and nothing is kept for the turn that comes.
    play.op(Op::Turn(TurnOp::TimeUp));
    play.say("look");
    play.text("So far ");
    play.op(Op::Turn(TurnOp::TimeUp));
    assert_eq!(play.ended(), Some(TurnEndReason::TimeLimit));
    play.say("once more");
    assert!(play.conversation().join("\n").contains("so far"), "{:?}", play.conversation());
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
}

#[test]
fn a_command_that_runs_when_the_time_is_up_is_stopped_and_still_answers() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("look");
    play.calls(&["one"]);
    play.reached(1, "/p/a");
    play.planned(1, read("/p/a"));
    play.op(Op::Turn(TurnOp::TimeUp));
    assert!(play.has("stop"), "{:?}", play.lines);
    assert_eq!(play.ended(), None);
    play.ran(1, "half of it");
    assert_eq!(play.ended(), Some(TurnEndReason::TimeLimit));
}
