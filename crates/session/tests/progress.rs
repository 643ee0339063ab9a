//! Turns that stand still, and budgets that run out: what the model is told, when the user is asked, and that a model which gets
//! on hears nothing. Each with the lever off and on.

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, Keep, Limits, Settings};

/// Nothing is done around the model but this.
fn only(levers: LeverChanges) -> LeverChanges {
    let mut all = LeverChanges::off();
    all.cover_with(levers);
    all
}

fn with(levers: LeverChanges, mode: Mode) -> Play {
    Play::ready_with(Settings { levers: only(levers), ..settings() }, mode)
}

fn looks(count: u32) -> LeverChanges {
    LeverChanges { looks: Some(count), ..LeverChanges::default() }
}

fn idle(count: u32) -> LeverChanges {
    LeverChanges { idle: Some(count), ..LeverChanges::default() }
}

fn longest_call(tokens: u32) -> LeverChanges {
    LeverChanges { longest_call: Some(tokens), ..LeverChanges::default() }
}

/// The model looks at a file that it has seen, and at what it has not seen of it, with the call of this number.
fn looks_at(play: &mut Play, call: u64) {
    play.calls(&["read_file"]);
    play.reads(call, &format!("what stands in file {call}"));
}

/// The call of this number changes a file.
fn changes(play: &mut Play, call: u64) {
    play.calls(&["write_file"]);
    play.reached(call, &format!("{ROOT}/a.rs"));
    play.planned(call, write(&format!("{ROOT}/a.rs")));
    let state = |size| FileState::Unkept { why: Unkept::Special, size };
    let change = FileChange {
        path: format!("{ROOT}/a.rs").into(),
        shown_path: "a.rs".into(),
        before: state(call),
        after: state(call + 1),
        added: 1,
        removed: 0,
    };
    ends(play, call, Outcome { changed: vec![change], ..outcome("wrote it") });
}

/// The call of this number runs a command that says this.
fn runs(play: &mut Play, call: u64, told: &str) {
    play.calls(&["run_command"]);
    play.reached(call, ROOT);
    play.planned(call, run("make check"));
    ends(play, call, outcome(told));
}

fn ends(play: &mut Play, call: u64, outcome: Outcome) {
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

fn stuck(play: &Play) -> Option<Stuck> {
    match play.subject() {
        Some(Subject::Stuck { how }) => Some(how),
        _ => None,
    }
}

#[test]
fn who_only_looks_where_a_change_was_asked_for_is_told_and_makes_it() {
    let mut play = with(looks(12), Mode::Unsafe);
    play.say("fix the parser");
    (1..=13).for_each(|call| looks_at(&mut play, call));
    assert_eq!(
        play.last_said(),
        "(your last 12 replies changed nothing and opened no file that you had not seen; make the change now, or say what is \
         missing)"
    );
    assert_eq!((stuck(&play), play.notices().len()), (None, 1));
    changes(&mut play, 14);
    (15..=25).for_each(|call| looks_at(&mut play, call));
    assert_eq!((stuck(&play), play.notices().len()), (None, 1), "after a change the count begins anew");
}

#[test]
fn replies_that_read_many_new_files_at_once_are_good_work() {
    let mut play = with(looks(3), Mode::Unsafe);
    play.say("fix the parser");
    for reply in 0..6 {
        play.calls(&["read_file"; 11]);
        for call in reply * 11 + 1..=reply * 11 + 11 {
            let path = format!("/p/{call}.rs");
            play.reached(call, &path);
            play.planned(call, read(&path));
            play.ran(call, &format!("text of {call}"));
        }
    }
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

#[test]
fn a_search_is_good_work_as_long_as_it_finds_something_new() {
    let searches = |finds: fn(u64) -> String| {
        let mut play = with(looks(3), Mode::Unsafe);
        play.say("fix the parser");
        for call in 1..=12 {
            play.calls(&["grep_search"]);
            play.reached(call, ROOT);
            play.planned(call, read(ROOT));
            play.ran(call, &finds(call));
        }
        play.notices().len()
    };
    assert_eq!(searches(|call| format!("a.rs:{call}: fn f{call}()")), 0);
    assert_eq!(searches(|_| "a.rs:1: fn f()".into()), 2, "always the same");
}

#[test]
fn with_the_lever_off_the_same_model_looks_for_ever() {
    let mut play = with(looks(0), Mode::Unsafe);
    play.say("fix the parser");
    (1..=90).for_each(|call| looks_at(&mut play, call));
    assert_eq!((stuck(&play), play.notices().len(), play.requests.len()), (None, 0, 91));
}

#[test]
fn who_looks_on_after_being_told_twice_is_asked_about_and_a_no_ends_the_turn() {
    let mut play = with(looks(3), Mode::Unsafe);
    play.say("fix the parser");
    (1..=9).for_each(|call| looks_at(&mut play, call));
    assert_eq!((stuck(&play), play.notices().len()), (None, 2), "as many looks again");
    looks_at(&mut play, 10);
    assert_eq!(stuck(&play), Some(Stuck::Looking));
    assert!(
        play.question().why.contains("last 3 replies opened no new file and changed nothing"),
        "{}",
        play.question().why
    );
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Looking }));
}

#[test]
fn a_yes_lets_it_look_on_from_the_beginning_of_the_count() {
    let mut play = with(looks(3), Mode::Unsafe);
    play.say("fix the parser");
    (1..=10).for_each(|call| looks_at(&mut play, call));
    play.answer(yes());
    (11..=12).for_each(|call| looks_at(&mut play, call));
    assert_eq!(stuck(&play), None);
    looks_at(&mut play, 13);
    assert_eq!(stuck(&play), Some(Stuck::Looking), "and it was told already");
}

#[test]
fn a_question_about_the_code_may_take_as_many_looks_as_it_needs() {
    let mut play = with(looks(3), Mode::Unsafe);
    play.say("how does the parser work?");
    (1..=20).for_each(|call| looks_at(&mut play, call));
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

#[test]
fn in_plan_mode_nothing_can_be_changed_so_looking_is_all_there_is() {
    let mut play = with(looks(3), Mode::Plan);
    play.say("fix the parser");
    (1..=20).for_each(|call| looks_at(&mut play, call));
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

#[test]
fn a_command_between_the_looks_ends_their_row() {
    let mut play = with(looks(3), Mode::Unsafe);
    play.say("fix the parser");
    for call in (1..=9).step_by(3) {
        looks_at(&mut play, call);
        looks_at(&mut play, call + 1);
        runs(&mut play, call + 2, &format!("run {call}"));
    }
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

#[test]
fn steps_that_bring_nothing_new_are_told_and_another_way_is_found() {
    let mut play = with(idle(6), Mode::Unsafe);
    play.say("make the check pass");
    (1..=7).for_each(|call| runs(&mut play, call, &format!("error: no such target ({call}.0 s)")));
    assert!(play.last_said().starts_with("(6 steps in a row brought nothing new"), "{}", play.last_said());
    changes(&mut play, 8);
    (9..=13).for_each(|call| runs(&mut play, call, &format!("error: no such target ({call}.0 s)")));
    assert_eq!((stuck(&play), play.notices().len()), (None, 1));
}

#[test]
fn with_the_lever_off_nobody_hears_that_it_stands_still() {
    let mut play = Play::ready_with(
        Settings { levers: only(idle(0)), limits: Limits { repeats: 1_000, ..Limits::default() }, ..settings() },
        Mode::Unsafe,
    );
    play.say("make the check pass");
    (1..=60).for_each(|call| runs(&mut play, call, &format!("error: no such target ({call}.0 s)")));
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

#[test]
fn who_stands_still_after_being_told_twice_is_asked_about() {
    let mut play = with(idle(3), Mode::Unsafe);
    play.say("make the check pass");
    (1..=10).for_each(|call| runs(&mut play, call, &format!("error ({call} ms)")));
    assert_eq!(stuck(&play), Some(Stuck::Idle));
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Idle }));
}

#[test]
fn calls_that_fail_each_in_another_way_bring_nothing_either() {
    let mut play = with(idle(3), Mode::Unsafe);
    play.say("fix the parser");
    for call in 1..=3 {
        play.calls(&["edit_file"]);
        let failure = Failure::new(FailureKind::NoMatch, format!("old_string {call} is not in a.rs"));
        play.feed(Input::Call(CallInput::Reached {
            call: CallId(call),
            result: Err(failure),
            facts: Default::default(),
        }));
    }
    assert!(play.last_said().starts_with("(3 steps in a row"), "{}", play.last_said());
}

#[test]
fn fewer_failing_tests_are_progress_though_every_run_fails() {
    let mut play = with(idle(2), Mode::Unsafe);
    play.say("make the tests pass");
    for (call, failing) in [(1, vec!["a", "b", "c"]), (2, vec!["a", "b"]), (3, vec!["a"]), (4, vec![])] {
        play.calls(&["run_command"]);
        play.reached(call, ROOT);
        play.planned(call, run("make check"));
        let failing: Vec<String> = failing.into_iter().map(str::to_owned).collect();
        ends(&mut play, call, Outcome { failing: Some(failing), ..outcome(&format!("run {call}")) });
    }
    assert_eq!((stuck(&play), play.notices().len()), (None, 0));
}

/// The beginning of a call whose contents never end, written in so many pieces.
fn writes_without_end(play: &mut Play, pieces: usize) {
    play.text("I write it.\n<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"");
    for number in 0..pieces {
        if play.has("hang up") {
            return;
        }
        play.text(&format!("value_{number} = compute(value_{number}, seed)\\n"));
    }
}

fn by_text(levers: LeverChanges) -> Play {
    let hermes = agent_session::Family { matches: vec!["m".into()], form: agent_dialects::Form::Hermes, ..family() };
    let settings = Settings {
        tools_mode: agent_session::ToolsMode::Text,
        families: vec![hermes],
        levers: only(levers),
        ..settings()
    };
    Play::ready_with(settings, Mode::Safe)
}

#[test]
fn a_call_without_end_is_ended_and_written_in_parts() {
    let mut play = by_text(longest_call(500));
    play.say("write the table");
    writes_without_end(&mut play, 2_000);
    assert!(play.has("hang up") && play.proposed().is_empty());
    let told = play.last_said();
    assert!(told.starts_with("(your call was ended after 5") && told.ends_with("write it in parts)"), "{told}");
    assert_eq!(play.requests[1].messages[2].content, "I write it.\n", "the words before it stay");
    play.text(&hermes("write_file", "a"));
    play.done();
    assert_eq!(play.proposed().len(), 1);
}

#[test]
fn with_the_lever_off_the_call_goes_on_until_the_server_ends_it() {
    let mut play = by_text(longest_call(0));
    play.say("write the table");
    writes_without_end(&mut play, 2_000);
    assert!(!play.has("hang up"));
    assert_eq!(play.requests.len(), 1);
}

#[test]
fn a_third_call_without_end_is_asked_about() {
    let mut play = by_text(longest_call(500));
    play.say("write the table");
    for _ in 0..2 {
        writes_without_end(&mut play, 2_000);
        play.lines.clear();
    }
    writes_without_end(&mut play, 2_000);
    assert_eq!(stuck(&play), Some(Stuck::Endless));
    play.answer(no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Endless }));
}

#[test]
fn of_a_server_that_sends_calls_whole_the_silence_tells_how_long_one_is() {
    let silent = |secs| ModelEvent::Waiting { phase: Phase::Silent { secs } };
    let usage = Usage { reply_tokens: Some(200), reply_ns: Some(10_000_000_000), ..Usage::default() };
    let play = |levers| {
        let mut play = with(levers, Mode::Safe);
        play.say("write the table");
        play.model(ModelEvent::Calls { calls: vec![model_call("read_file")] });
        play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
        play.reads(1, "empty");
        play
    };
    let mut told = play(longest_call(1_000));
    told.model(silent(60));
    assert!(!told.has("hang up"), "nothing of this reply is here yet: it may wait for others");
    told.text("Now I write it.");
    told.model(silent(40));
    assert!(!told.has("hang up"), "that are 800 tokens");
    told.model(silent(60));
    assert!(told.has("hang up") && told.last_said().contains("ended after 1,200 tokens"), "{}", told.last_said());
    let mut off = play(longest_call(0));
    off.text("Now I write it.");
    off.model(silent(6_000));
    assert!(!off.has("hang up"));
}

fn script(limits: Limits) -> Play {
    Play::ready_with(Settings { keep: Keep::Nothing, limits, ..settings() }, Mode::Unsafe)
}

#[test]
fn three_steps_before_the_end_a_script_s_model_is_told_and_finishes() {
    let mut play = script(Limits { steps: 5, ..Limits::default() });
    play.say("fix the parser");
    looks_at(&mut play, 1);
    assert_eq!(play.notices().len(), 0);
    looks_at(&mut play, 2);
    assert_eq!(play.last_said(), "(3 steps are left: finish what works)");
    changes(&mut play, 3);
    play.writes("Half of it works.");
    assert_eq!(play.notices().len(), 1, "it is told once");
}

#[test]
fn a_person_is_asked_when_the_steps_are_over_so_nobody_is_told_before() {
    let limits = Limits { steps: 5, ..Limits::default() };
    let mut play = Play::ready_with(Settings { limits, ..settings() }, Mode::Unsafe);
    play.say("fix the parser");
    (1..=5).for_each(|call| looks_at(&mut play, call));
    assert_eq!(play.subject(), Some(Subject::Steps { steps: 5 }));
    assert_eq!(play.notices().len(), 0);
}

#[test]
fn when_most_of_the_time_is_over_it_is_told_with_the_next_results() {
    let mut play = script(Limits::default());
    play.say("fix the parser");
    play.calls(&["read_file"]);
    play.op(Op::Turn(TurnOp::TimeShort));
    play.reads(1, "text");
    assert_eq!(play.last_said(), "(nine tenths of the time are over: finish what works)");
    looks_at(&mut play, 2);
    assert_eq!(play.notices().len(), 1, "it is told once");
}

#[test]
fn the_time_of_a_turn_that_is_over_concerns_no_other() {
    let mut play = script(Limits::default());
    play.say("hello");
    play.writes("Hello.");
    play.op(Op::Turn(TurnOp::TimeShort));
    play.say("fix the parser");
    looks_at(&mut play, 1);
    assert_eq!(play.notices().len(), 0);
}

/// What a good model does in a long turn: it looks, changes, tests, and looks again.
#[test]
fn a_strong_model_hears_nothing_of_any_of_it() {
    let levers = Levers::default();
    let usual = LeverChanges {
        looks: Some(levers.looks),
        idle: Some(levers.idle),
        longest_call: Some(levers.longest_call),
        think_tokens: Some(levers.think_tokens),
        ..LeverChanges::default()
    };
    let mut play = with(usual, Mode::Unsafe);
    play.say("fix the parser");
    let mut call = 0;
    let mut next = || {
        call += 1;
        call
    };
    for round in 0..6 {
        play.model(ModelEvent::Thinking { text: "I look at the next part, then I change it.\n".repeat(5) });
        (0..8).for_each(|_| looks_at(&mut play, next()));
        changes(&mut play, next());
        runs(&mut play, next(), &format!("{} of 6 passed in 0.3 s", round + 1));
    }
    play.writes("The parser keeps the last line now.");
    assert_eq!((play.notices(), stuck(&play), play.has("hang up")), (Vec::new(), None, false));
}
