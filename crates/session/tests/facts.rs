//! Facts about the project with the first words: when they are looked for, where they stand, and what is left out.

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, Keep, Settings, ToolsMode};
use serde_json::Value;

const TOLD: &str = "(facts about the project, found by the program:\n- tests: cargo test)";

fn facts_on() -> LeverChanges {
    LeverChanges { facts: Some(true), ..LeverChanges::off() }
}

fn play() -> Play {
    Play::ready_with(Settings { levers: facts_on(), ..settings() }, Mode::Safe)
}

/// The call of this number finds facts.
fn finds(play: &mut Play, call: u64) {
    play.reached(call, ROOT);
    play.planned(call, read(ROOT));
    play.ran(call, TOLD);
}

fn words(play: &Play) -> String {
    play.requests.last().unwrap().messages[1].content.to_string()
}

/// What the program's calls were told so far.
fn arguments(play: &Play, name: &str) -> Vec<Value> {
    let calls = play.proposed().into_iter().filter(|call| call.call.name == name);
    calls.map(|call| call.call.arguments).collect()
}

#[test]
fn they_stand_behind_the_first_words_and_nothing_else_is_added() {
    let mut with = play();
    with.say_only("mend the tests");
    finds(&mut with, 1);
    let mut without = Play::ready(Mode::Safe);
    without.say_only("mend the tests");
    let (with, without) = (with.requests.last().unwrap(), without.requests.last().unwrap());
    assert_eq!(with.messages[1].content, format!("{}\n\n{TOLD}", without.messages[1].content));
    let mut same = with.clone();
    same.messages[1] = without.messages[1].clone();
    assert_eq!(same, *without, "instructions, tools and options are the same");
    let parts = with.messages[1].parts();
    let of = |origin| parts.iter().filter(|part| part.origin == origin).map(|part| part.text).collect::<String>();
    assert_eq!((of(PartOrigin::Person), of(PartOrigin::Result)), ("mend the tests".to_owned(), TOLD.to_owned()));
}

#[test]
fn with_the_lever_off_the_model_is_told_the_words_alone() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("mend the tests");
    assert_eq!((words(&play).as_str(), play.proposed().len()), ("mend the tests", 0));
}

#[test]
fn they_are_told_once_in_a_session_and_again_in_the_next() {
    let mut play = play();
    play.say_only("mend the tests");
    finds(&mut play, 1);
    play.writes("They pass.");
    play.say_only("thank you");
    play.writes("You are welcome.");
    assert_eq!(arguments(&play, "project_facts").len(), 1);
    play.op(Op::Context(ContextOp::Clear));
    play.say_only("mend it again");
    finds(&mut play, 2);
    assert_eq!(arguments(&play, "project_facts").len(), 2);
    assert!(words(&play).ends_with(TOLD), "{}", words(&play));
}

#[test]
fn going_back_to_before_the_first_words_takes_them_along_and_the_next_words_get_them_anew() {
    let mut play = Play::ready_with(Settings { levers: facts_on(), record: true, ..settings() }, Mode::Safe);
    play.say_only("mend the tests");
    finds(&mut play, 1);
    play.writes("They pass.");
    let what = RewindWhat::Conversation;
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(1), what, choices: Vec::new() }));
    play.say_only("mend the build");
    finds(&mut play, 2);
    assert!(words(&play).ends_with(TOLD), "{}", words(&play));
    assert_eq!(words(&play).matches("facts about the project").count(), 1, "{}", words(&play));
}

#[test]
fn the_person_sees_a_row_of_it_like_of_any_look() {
    let mut play = play();
    play.say_only("mend the tests");
    finds(&mut play, 1);
    let call = &play.proposed()[0];
    assert_eq!((call.call.name.as_str(), call.origin.way), ("project_facts", Way::Program));
    let finished =
        |event: &Event| matches!(event, Event::Call(CallEvent::Finished { outcome, .. }) if outcome.told == TOLD);
    assert!(play.events.iter().any(finished));
}

#[test]
fn files_that_are_named_stand_before_the_words_and_have_the_same_time() {
    let mut play = play();
    play.say_only("mend a.py");
    play.reached(1, ROOT);
    play.planned(1, read("/p/a.py"));
    play.ran(1, "a.py\n```python\npass\n```");
    finds(&mut play, 2);
    assert_eq!(words(&play), format!("a.py\n```python\npass\n```\n\nmend a.py\n\n{TOLD}"));
    let message = |name| arguments(&play, name)[0]["message"].clone();
    assert_eq!(message("gather_files"), message("project_facts"));
    assert!(message("gather_files").is_u64());
}

#[test]
fn files_that_are_not_there_leave_the_facts_as_they_are() {
    let mut play = play();
    play.say_only("mend a.py");
    play.reached(1, ROOT);
    play.planned(1, Action::Read { paths: Vec::new() });
    finds(&mut play, 2);
    assert_eq!(words(&play), format!("mend a.py\n\n{TOLD}"));
}

#[test]
fn what_would_have_to_be_asked_about_is_left_out_and_nobody_is_asked() {
    let mut play = play();
    play.say_only("mend parse_item");
    play.reached(1, ROOT);
    // A file outside the project is asked about.
    play.planned(1, Action::Read { paths: vec![ROOT.into(), "/elsewhere/parse.rs".into()] });
    assert_eq!((play.subject(), play.proposed().len()), (None, 0));
    finds(&mut play, 2);
    assert_eq!(words(&play), format!("mend parse_item\n\n{TOLD}"));
    assert_eq!(arguments(&play, "project_facts")[0].get("words"), None, "looked for again without the words");
}

#[test]
fn where_even_that_is_asked_about_the_words_go_out_alone() {
    let mut play = play();
    play.say_only("mend parse_item");
    for call in 1..=2 {
        play.reached(call, ROOT);
        play.planned(call, Action::Read { paths: vec!["/elsewhere".into()] });
    }
    assert_eq!((words(&play).as_str(), play.subject(), play.proposed().len()), ("mend parse_item", None, 0));
}

#[test]
fn a_look_that_fails_is_passed_over() {
    let mut play = play();
    play.say_only("mend it");
    play.reached(1, ROOT);
    let failure = Failure::new(FailureKind::Io, "no");
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Err(failure), facts: Default::default() }));
    assert_eq!((words(&play).as_str(), play.proposed().len()), ("mend it", 0));
}

#[test]
fn a_model_that_works_by_files_or_without_tools_hears_none() {
    let files = Settings { tools_mode: ToolsMode::Files, levers: facts_on(), ..settings() };
    let mut play = Play::ready_with(files, Mode::Safe);
    play.say_only("mend it");
    play.reached(1, ROOT);
    play.planned(1, read("/p/a.py"));
    play.ran(1, "a.py");
    assert_eq!(arguments(&play, "project_facts").len(), 0);
    let talks = Settings { tools: Vec::new(), levers: facts_on(), ..settings() };
    let mut play = Play::ready_with(talks, Mode::Safe);
    play.say_only("mend it");
    assert_eq!(words(&play), "mend it");
}

#[test]
fn git_is_asked_only_where_the_folder_is_trusted() {
    let of = |setup: agent_policy::Setup| {
        let mut play = Play::ready_by(Settings { levers: facts_on(), ..settings() }, setup);
        play.say_only("mend it");
        finds(&mut play, 1);
        arguments(&play, "project_facts")[0]["git"].clone()
    };
    let setup = || agent_policy::Setup::new(ROOT.into(), Mode::Safe);
    assert_eq!(of(setup()), false);
    assert_eq!(of(agent_policy::Setup { trusted: true, ..setup() }), true);
}

#[test]
fn of_the_network_the_model_hears_what_holds() {
    let kernel = SandboxSupport { kind: SandboxKind::Kernel, ..SandboxSupport::none("") };
    let of = |sandbox: &SandboxSupport, keep, network| {
        let settings = Settings { levers: facts_on(), sandbox: sandbox.clone(), keep, ..settings() };
        let setup = agent_policy::Setup { network, ..agent_policy::Setup::new(ROOT.into(), Mode::Safe) };
        let mut play = Play::ready_by(settings, setup);
        play.say_only("mend it");
        finds(&mut play, 1);
        arguments(&play, "project_facts")[0]["network"].clone()
    };
    use agent_policy::Network;
    assert_eq!(of(&kernel, Keep::Everything, Network::Ask), "asked");
    assert_eq!(of(&kernel, Keep::Nothing, Network::Ask), "closed", "nobody is there to allow it");
    assert_eq!(of(&kernel, Keep::Everything, Network::Allow), "open");
    assert_eq!(of(&SandboxSupport::none(""), Keep::Everything, Network::Ask), "open", "nothing holds commands in");
}

#[test]
fn they_are_written_down_with_the_words() {
    let settings = Settings { levers: facts_on(), record: true, ..settings() };
    let mut play = Play::ready_with(settings, Mode::Safe);
    play.say_only("mend the tests");
    finds(&mut play, 1);
    play.writes("They pass.");
    let kept = play.records.iter().filter_map(|record| match record {
        Record::Conversation { messages, .. } => Some(messages),
        _ => None,
    });
    let kept: Vec<&Message> = kept.flatten().collect();
    assert!(kept.iter().any(|message| message.content.ends_with(TOLD)), "{kept:?}");
}

/// The weak model runs what it knows by heart, the wrong test command, and gives up when that is not there.
#[test]
fn who_does_not_know_the_test_command_finds_it_in_the_facts() {
    let solves = |levers| {
        let mut play = Play::ready_with(Settings { levers, ..settings() }, Mode::Unsafe);
        play.say_only("make the tests pass");
        if play.has("reach") {
            finds(&mut play, 1);
        }
        words(&play).contains("cargo test")
    };
    assert!(!solves(LeverChanges::off()));
    assert!(solves(facts_on()));
}
