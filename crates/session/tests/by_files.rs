//! Models that cannot call: files are gathered for them, and their answers are read as files.

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallEffect, CallInput, Effect, Input, Keep, ModelSize, ServerInput, Settings, ToolsMode};

/// A session with a model that works by files, where a file is named in the words.
pub(crate) fn by_files(mode: Mode) -> Play {
    Play::ready_with(Settings { tools_mode: ToolsMode::Files, levers: with_checks(), ..settings() }, mode)
}

/// A session with a model of this size.
fn with_model(size: &str, settings: Settings) -> Play {
    let mut play = Play::new(Settings { levers: with_checks(), ..settings }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { parameter_size: Some(size.into()), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
    play
}

/// The words are said, and the files of these paths are gathered by the call of this number.
pub(crate) fn asks(play: &mut Play, words: &str, call: u64, files: &[&str]) {
    play.say_only(words);
    gathers(play, call, files);
}

pub(crate) fn gathers(play: &mut Play, call: u64, files: &[&str]) {
    play.reached(call, ROOT);
    let paths = files.iter().map(|file| format!("{ROOT}/{file}").into()).collect();
    play.planned(call, Action::Read { paths });
    let told: Vec<String> = files.iter().map(|file| format!("{file}\n```\ntext of {file}\n```")).collect();
    play.ran(call, &told.join("\n\n"));
}

/// The call of this number writes the file.
pub(crate) fn writes(play: &mut Play, call: u64, file: &str) {
    play.reached(call, &format!("{ROOT}/{file}"));
    play.planned(call, write(&format!("{ROOT}/{file}")));
}

pub(crate) fn wrote(play: &mut Play, call: u64, file: &str) {
    let state = |size| FileState::Unkept { why: Unkept::Special, size };
    let change = FileChange {
        path: format!("{ROOT}/{file}").into(),
        shown_path: file.into(),
        before: state(1),
        after: state(2),
        added: 1,
        removed: 1,
    };
    let outcome = Outcome { changed: vec![change], ..outcome("wrote it") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

/// The check of this number has nothing to run.
pub(crate) fn unchecked(play: &mut Play, call: u64) {
    play.reached(call, ROOT);
    let result = Err(Failure::new(FailureKind::NotReady, "no check"));
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result, facts: agent_policy::Facts::default() }));
}

/// The check of this number runs and ends so.
pub(crate) fn checked(play: &mut Play, call: u64, code: i32, told: &str) {
    play.reached(call, ROOT);
    play.planned(call, run("make check"));
    if play.subject().is_some() {
        play.answer(yes());
    }
    let outcome = Outcome { status: Status::Exited { code: Some(code) }, ..outcome(told) };
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

/// What was done is looked up and as it should be.
pub(crate) fn looked_after(play: &mut Play, files: &[&str]) {
    let files = files.iter().map(|file| FileReceipt {
        shown_path: (*file).into(),
        what: FileFate::Changed,
        added: 1,
        removed: 1,
    });
    play.feed(Input::Session(agent_session::SessionInput::LookedAfter { files: files.collect() }));
}

pub(crate) fn receipt(play: &Play) -> Option<Receipt> {
    play.events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.clone()),
        _ => None,
    })
}

pub(crate) const ANSWER: &str = "a.py\n```python\nprint(1)\n```\n";

#[test]
fn it_gets_files_and_an_example_and_no_tools() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "fix a.py", 1, &["a.py"]);
    let request = play.requests.last().unwrap();
    assert!(request.tools.is_empty());
    let roles: Vec<Role> = request.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
    assert!(!request.messages[0].content.contains("tool"), "{}", &*request.messages[0].content);
    assert_eq!(&*request.messages[3].content, "a.py\n```\ntext of a.py\n```\n\nfix a.py");
    assert_eq!(play.offered().last(), None, "that was told when the model was taken");
}

#[test]
fn a_file_in_the_answer_is_asked_about_like_any_other_write() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "fix a.py", 1, &["a.py"]);
    play.writes(ANSWER);
    let call = play.proposed().last().unwrap().clone();
    assert_eq!((call.name(), &call.call.arguments["file_path"]), ("write_file", &"a.py".into()));
    assert_eq!(play.shown(), "");
    writes(&mut play, 2, "a.py");
    assert!(play.subject().is_some());
    play.answer(yes());
    wrote(&mut play, 2, "a.py");
    unchecked(&mut play, 3);
    looked_after(&mut play, &["a.py"]);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert_eq!(play.requests.len(), 1, "what is done needs no further words");
    assert!(!receipt(&play).unwrap().unchanged);
}

#[test]
fn a_refusal_ends_the_turn_and_one_with_words_is_answered() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "fix a.py", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.answer(no(""));
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    asks(&mut play, "fix a.py", 3, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 4, "a.py");
    play.answer(no("keep the name"));
    assert_eq!(play.requests.len(), 3);
    assert!(play.last_said().contains("keep the name"), "{}", play.last_said());
}

#[test]
fn an_answer_without_a_file_is_told_so_once_and_the_person_always() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes("I fixed it.");
    let said = play.last_said();
    assert!(
        said.contains("Fix the bug in a.py.") && said.contains("an answer without a file changes nothing"),
        "{said}"
    );
    assert!(!play.requests.last().unwrap().messages.iter().any(|message| message.content.contains("I fixed it")));
    play.writes("It is fixed.");
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 2));
    assert!(receipt(&play).unwrap().unchanged);
}

#[test]
fn what_a_check_says_goes_back_twice_and_then_to_the_person() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    for (round, call) in [(1, 2), (2, 4), (3, 6)] {
        play.writes(ANSWER);
        writes(&mut play, call, "a.py");
        wrote(&mut play, call, "a.py");
        checked(&mut play, call + 1, 1, "test_a failed");
        let asked_again = play.requests.len() == round + 1;
        assert_eq!(asked_again, round < 3, "round {round}");
    }
    assert!(play.last_said().contains("test_a failed"), "{}", play.last_said());
    looked_after(&mut play, &["a.py"]);
    assert_eq!(receipt(&play).unwrap().failing.as_deref(), Some("test_a failed"));
}

/// The call of this number is refused, for the file would not parse.
fn would_not_parse(play: &mut Play, call: u64, file: &str) {
    play.reached(call, &format!("{ROOT}/{file}"));
    let result = Err(Failure::new(FailureKind::Syntax, format!("{file} was not changed, for line 1 would not parse")));
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result, facts: agent_policy::Facts::default() }));
}

#[test]
fn a_file_that_is_refused_once_for_its_syntax_leaves_a_round_for_it_and_all_for_the_check() {
    let mut play = by_files(Mode::AcceptEdits);
    asks(&mut play, "fix a.py", 1, &["a.py"]);
    play.writes(ANSWER);
    would_not_parse(&mut play, 2, "a.py");
    assert!(play.last_said().contains("line 1 would not parse"), "{}", play.last_said());
    play.writes(ANSWER);
    writes(&mut play, 3, "a.py");
    wrote(&mut play, 3, "a.py");
    checked(&mut play, 4, 1, "test_a failed");
    assert!(play.last_said().contains("test_a failed"), "{}", play.last_said());
    play.writes(ANSWER);
    writes(&mut play, 5, "a.py");
    wrote(&mut play, 5, "a.py");
    checked(&mut play, 6, 0, "all well");
    looked_after(&mut play, &["a.py"]);
    assert_eq!(receipt(&play).unwrap().failing, None);
}

#[test]
fn the_answer_to_a_failing_check_does_not_change_the_tests() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py", "test_a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    wrote(&mut play, 2, "a.py");
    checked(&mut play, 3, 1, "test_a failed");
    play.writes("test_a.py\n```python\npass\n```\n");
    assert!(!play.has("reach 4"), "{:?}", play.lines.last());
    assert!(play.last_said().contains("the tests are not changed"), "{}", play.last_said());
}

#[test]
fn a_file_that_is_asked_for_by_name_is_shown_and_one_that_is_there_is_not_shown_again() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes("NEED: b.py");
    gathers(&mut play, 2, &["b.py"]);
    assert_eq!(play.last_said(), "b.py\n```\ntext of b.py\n```");
    play.writes("NEED: b.py");
    assert!(play.last_said().contains("that file stands above"), "{}", play.last_said());
}

#[test]
fn a_command_in_an_answer_is_always_asked_about_and_never_run_without_a_person() {
    let command = "Run this:\n```sh\nmake check\n```\n";
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(command);
    play.reached(2, ROOT);
    play.planned(2, run("make check"));
    assert!(play.subject().is_some(), "also in unsafe mode");
    let alone = Settings { tools_mode: ToolsMode::Files, keep: Keep::Nothing, levers: with_checks(), ..settings() };
    let mut play = Play::ready_with(alone, Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(command);
    assert!(!play.has("reach 2"));
    assert!(play.shown().contains("make check"), "{}", play.shown());
}

#[test]
fn a_small_model_works_by_files_until_the_person_says_otherwise() {
    let sizes = vec![ModelSize { below: Some(2.0), form: Some(ToolsBy::Files), levers: LeverChanges::default() }];
    let mut play = with_model("1.5B", Settings { sizes, ..settings() });
    assert_eq!(play.offered(), [ToolsBy::Files]);
    play.op(Op::Server(ServerOp::SetForm { form: Some(ToolsBy::Server) }));
    assert_eq!(play.offered(), [ToolsBy::Files, ToolsBy::Server]);
    play.say("hello");
    assert_eq!(play.requests[0].tools.len(), 2);
    assert_eq!(&*play.requests[0].messages[0].content, "system");
}

#[test]
fn calls_that_cannot_be_read_twice_make_it_work_by_files_in_the_same_turn() {
    let mut play = with_model("3B", settings());
    play.say_only("fix it");
    let broken = "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": }}}}\n</tool_call>";
    play.writes(broken);
    play.writes(broken);
    assert_eq!(play.offered().pop(), Some(ToolsBy::Files));
    let told = play.notices().pop().unwrap();
    assert!(told.contains("works by files from here on"), "{told}");
    gathers(&mut play, 1, &["a.py"]);
    let request = play.requests.last().unwrap();
    assert_eq!((request.messages.len(), request.tools.len()), (4, 0), "it begins again with the words");
    assert_eq!(play.last_said(), "a.py\n```\ntext of a.py\n```\n\nfix it");
}

#[test]
fn for_a_model_that_calls_nothing_is_added_but_what_the_words_name() {
    let mut play = Play::ready(Mode::Safe);
    play.say("fix the bug");
    assert_eq!((play.last_said().as_str(), play.has("reach")), ("fix the bug", false));
    let mut play = Play::ready(Mode::Safe);
    play.say_only("fix a.py");
    assert!(play.has("reach 1"));
    play.reached(1, ROOT);
    play.planned(1, Action::Read { paths: Vec::new() });
    assert_eq!(play.last_said(), "fix a.py", "there is no such file");
    assert!(play.proposed().is_empty(), "and nobody is told of it");
}

#[test]
fn files_that_would_have_to_be_asked_about_are_left_out() {
    let mut play = by_files(Mode::Safe);
    play.say_only("fix a.py");
    play.reached(1, "/elsewhere");
    assert_eq!((play.subject(), play.requests.len()), (None, 1));
    let reaches = |effect: &Effect| matches!(effect, Effect::Call(CallEffect::Run { .. }));
    assert!(!play.machine.step(Input::Minutes).iter().any(reaches));
}

/// A session in which this lever is on or off, and no other is on.
fn unmade(changes: bool, mode: Mode) -> Play {
    let levers = LeverChanges { unmade_changes: Some(changes), ..LeverChanges::off() };
    Play::ready_with(Settings { levers, ..settings() }, mode)
}

#[test]
fn a_file_in_the_answer_of_a_model_that_calls_is_always_asked_about() {
    let mut play = unmade(true, Mode::Unsafe);
    play.say("Fix the bug.");
    play.writes(&format!("Here it is:\n\n{ANSWER}"));
    let call = play.proposed().pop().unwrap();
    assert_eq!((call.name(), call.origin.dialect.as_deref()), ("write_file", Some("file_blocks")));
    writes(&mut play, 1, "a.py");
    assert!(play.subject().is_some(), "also in unsafe mode");
    let alone = Settings { keep: Keep::Nothing, levers: with_checks(), ..settings() };
    let mut play = Play::ready_with(alone, Mode::Unsafe);
    play.say("Fix the bug.");
    play.writes(ANSWER);
    assert!(play.proposed().is_empty(), "where nobody can be asked, nothing comes of it");
}

#[test]
fn without_the_lever_an_answer_in_the_place_of_a_change_ends_the_turn_and_the_user_is_told() {
    for answer in [&format!("Here it is:\n\n{ANSWER}"), "I have mended it."] {
        let mut play = unmade(false, Mode::Safe);
        play.say("Fix the bug.");
        play.writes(answer);
        assert_eq!((play.proposed().len(), play.requests.len()), (0, 1), "{answer}");
        assert!(play.ended() == Some(TurnEndReason::Done) && receipt(&play).unwrap().unchanged, "{answer}");
        let mut play = unmade(true, Mode::Safe);
        play.say("Fix the bug.");
        play.writes(answer);
        assert!(play.ended().is_none() && play.proposed().len() + play.requests.len() == 2, "{answer}");
    }
}

#[test]
fn a_file_that_comes_back_as_it_was_is_told_so() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.ran(2, "a.py already holds exactly this text; nothing was written");
    unchecked(&mut play, 3);
    let said = play.last_said();
    assert!(
        said.contains("Fix the bug in a.py.") && said.contains("changes nothing. Find what has to change"),
        "{said}"
    );
    assert_eq!(play.ended(), None);
    let request = play.requests.last().unwrap();
    let answers = request.messages.iter().filter(|message| message.content.contains("print(1)"));
    assert_eq!(answers.count(), 0, "it would copy its own answer");
    play.writes(ANSWER);
    writes(&mut play, 4, "a.py");
    play.ran(4, "a.py already holds exactly this text; nothing was written");
    looked_after(&mut play, &[]);
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 2), "twice is always");
    assert!(receipt(&play).unwrap().unchanged);
}

#[test]
fn of_several_files_the_others_are_named_where_one_comes_back_as_it_was() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug.", 1, &["a.py", "b.py", "c.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.ran(2, "a.py already holds exactly this text; nothing was written");
    unchecked(&mut play, 3);
    assert!(play.last_said().contains("What has to change is in b.py or c.py:"), "{}", play.last_said());
}

#[test]
fn a_check_by_the_program_is_nothing_that_the_model_did() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.ran(2, "a.py already holds exactly this text; nothing was written");
    checked(&mut play, 3, 0, "2 passed");
    play.writes(ANSWER);
    writes(&mut play, 4, "a.py");
    play.ran(4, "a.py already holds exactly this text; nothing was written");
    looked_after(&mut play, &[]);
    assert!(receipt(&play).unwrap().unchanged, "the check ran, and nothing was changed all the same");
}

#[test]
fn a_file_that_comes_back_as_it_was_is_told_with_what_fails() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    play.ran(2, "a.py already holds exactly this text; nothing was written");
    checked(&mut play, 3, 1, "test_a fails");
    let said = play.last_said();
    assert!(said.contains("nothing was changed. The check fails:\ntest_a fails"), "{said}");
    play.writes("I cannot see it.");
    assert!(play.last_said().contains("an answer without a file changes nothing"), "{}", play.last_said());
}

#[test]
fn words_about_a_failing_check_are_no_answer_to_it_once() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    wrote(&mut play, 2, "a.py");
    checked(&mut play, 3, 1, "test_a fails");
    play.writes("It failed because of x.");
    assert!(
        play.last_said().contains("your answer holds no file, so the check fails as before"),
        "{}",
        play.last_said()
    );
    play.writes("As I said.");
    looked_after(&mut play, &["a.py"]);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert!(receipt(&play).unwrap().failing.is_some());
}

#[test]
fn a_model_that_asks_back_is_not_told_that_nothing_changed() {
    let mut play = Play::ready(Mode::Safe);
    play.say("Fix the bug.");
    play.writes("Which one do you mean?");
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    assert!(receipt(&play).unwrap().unchanged, "the user is");
}

#[test]
fn a_file_that_was_to_be_made_and_is_not_in_the_answer_is_asked_for_once() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "write endings.sh, which counts files, and say so in README.md", 1, &["README.md"]);
    play.writes("README.md\n```\nIt counts files.\n```");
    writes(&mut play, 2, "README.md");
    wrote(&mut play, 2, "README.md");
    assert!(play.last_said().contains("endings.sh is not there yet"), "{}", play.last_said());
    play.writes("README.md\n```\nIt counts them.\n```");
    writes(&mut play, 3, "README.md");
    wrote(&mut play, 3, "README.md");
    unchecked(&mut play, 4);
    looked_after(&mut play, &["README.md"]);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_file_that_is_not_written_because_the_words_are_unclear_is_told_so() {
    let alone = Settings { tools_mode: ToolsMode::Files, keep: Keep::Nothing, levers: with_checks(), ..settings() };
    let mut play = Play::ready_with(alone, Mode::Unsafe);
    asks(&mut play, "a darker background", 1, &["a.py"]);
    play.writes(ANSWER);
    let told = play.notices().pop().unwrap();
    assert_eq!(told, "not written: a.py (it is unclear whether you want a change)");
}

#[test]
fn a_picture_that_joins_the_turn_is_said_to_be_unseen_as_well() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "what is wrong here?", 1, &[]);
    play.op(Op::Turn(TurnOp::Say { text: "see @shot.png".into() }));
    play.writes("I do not know.");
    assert!(play.last_said().contains("not shown to you"), "{}", play.last_said());
}

#[test]
fn a_picture_is_said_to_be_unseen_where_the_model_works_by_files() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "what is wrong in @shot.png?", 1, &[]);
    let said = play.notices().iter().any(|text| text.contains("shot.png") && text.contains("is shown no pictures"));
    assert!(said, "{:?}", play.notices());
    assert!(play.last_said().contains("not shown to you"), "or it makes up what it does not see: {}", play.last_said());
}
