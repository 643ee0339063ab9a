//! What words ask for decides what may become of the answer of a model that works by files.

use crate::by_files::{ANSWER, asks, by_files, receipt, writes};
use crate::play::*;
use agent_protocol::*;
use agent_session::{Keep, Settings, ToolsMode};

#[test]
fn small_talk_reads_nothing_writes_nothing_and_runs_nothing() {
    for words in ["hi", "Hello!", "thanks, that was all", "Danke, das war's"] {
        let mut play = by_files(Mode::Unsafe);
        play.say_only(words);
        assert_eq!(play.requests.len(), 1, "no file is gathered for {words}");
        assert!(play.last_said().contains("asks for no change"), "{}", play.last_said());
        play.writes(&format!("Here you are.\n\n{ANSWER}"));
        assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1), "{words}");
        assert_eq!((play.proposed(), play.has("reach")), (Vec::new(), false), "{words}");
        assert_eq!(play.notices(), ["not written: a.py; your message asks for no change"]);
        assert_eq!(receipt(&play), None);
    }
}

#[test]
fn where_nobody_can_tell_whether_a_change_is_wanted_it_is_always_asked_about_and_a_mere_remark_changes_nothing() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "a darker background", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    assert!(
        play.question().why.contains("not clear whether your message asks for a change"),
        "{}",
        play.question().why
    );
    let alone = Settings { tools_mode: ToolsMode::Files, keep: Keep::Nothing, levers: with_checks(), ..settings() };
    let mut play = Play::ready_with(alone.clone(), Mode::Unsafe);
    asks(&mut play, "a darker background", 1, &["a.py"]);
    play.writes(ANSWER);
    assert_eq!((play.ended(), play.has("reach 2")), (Some(TurnEndReason::Done), false));
    let mut play = Play::ready_with(alone, Mode::Unsafe);
    asks(&mut play, "the names of all members in a table with a row for each", 1, &["a.py"]);
    play.writes(ANSWER);
    assert!(play.has("reach 2"), "that is more than a remark");
}

#[test]
fn a_yes_is_for_what_the_model_asked_before() {
    for (asked, written) in [("Shall I change a.py?", true), ("That is a.py.", false)] {
        let mut play = by_files(Mode::Unsafe);
        asks(&mut play, "What does a.py do?", 1, &["a.py"]);
        play.writes(asked);
        asks(&mut play, "ok", 2, &["a.py"]);
        play.writes(ANSWER);
        writes(&mut play, 3, "a.py");
        assert_eq!(play.subject().is_none(), written, "{asked}");
    }
}

#[test]
fn what_cannot_be_used_of_an_answer_to_a_question_is_asked_for_as_an_answer() {
    for (words, told) in [
        ("What does a.py do?", "in a sentence or two, without a file"),
        ("Can you fix a.py?", "Answer with each file that has to change"),
        ("a darker background", "Answer in words, or with each file that has to change"),
    ] {
        let mut play = by_files(Mode::Safe);
        asks(&mut play, words, 1, &["a.py"]);
        play.text("It ");
        play.broken(ServerError::Crashed { message: "gone".into() });
        assert!(play.last_said().contains(told), "{}", play.last_said());
    }
}

#[test]
fn a_question_is_answered_in_words_whatever_stands_in_fences() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "What does a.py do?", 1, &["a.py"]);
    play.writes(ANSWER);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert_eq!(play.proposed().len(), 1, "only the files were read");
    assert!(play.shown().contains("print(1)"), "{}", play.shown());
}

#[test]
fn a_rejection_by_nobody_ends_the_turn_and_the_change_is_missing() {
    let alone = Settings { tools_mode: ToolsMode::Files, keep: Keep::Nothing, levers: with_checks(), ..settings() };
    let mut play = Play::ready_with(alone, Mode::Safe);
    asks(&mut play, "fix a.py", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.answer(no("nobody is here to approve this; `--allow write` lets it happen"));
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    assert!(receipt(&play).unwrap().unchanged);
}
