//! The working set: old results go in one go before a conversation outgrows what a model works with well, however large the
//! window, and what stands for an earlier conversation ends with what the program knows.

use crate::play::*;
use crate::sessions::{recording, resumed_with};
use crate::window::fitted;
use agent_dialects::Form;
use agent_protocol::*;
use agent_session::{CallInput, Family, Input, ServerInput, Settings, ToolsMode};

const SUMMARY: &str =
    "## Goal\nfind the bug\n\n## Decisions\nnone\n\n## Files\n- a\n\n## Commands\nnone\n\n## Open\n- fix it";

/// A session in a window of so many tokens, with a working set of so many; 0: the window alone counts.
fn session(window: u64, working: u32, settings: Settings) -> Play {
    let levers = LeverChanges { working_tokens: Some(working), ..LeverChanges::off() };
    let mut play = Play::new(Settings { window: Some(window), levers, ..settings }, Mode::Unsafe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let result = Ok(ModelCard { context_length: Some(131_072), ..card(Some(true)) });
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result, loaded: None }));
    play.events.clear();
    play
}

/// The working set is as usual, and nothing else is done around the model.
fn working() -> LeverChanges {
    LeverChanges { working_tokens: Some(24_000), ..LeverChanges::off() }
}

/// The model calls this tool for this file.
fn calls(play: &mut Play, name: &str, path: &str) {
    let arguments = serde_json::json!({"path": path});
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    play.model(ModelEvent::Calls { calls: vec![call] });
    play.done();
}

/// Some 1,000 tokens about this.
fn lines(of: &str) -> String {
    format!("a line about {of} of some length\n").repeat(4_000 / (of.len() + 30))
}

/// So many words that go in no circle.
fn words(count: u64) -> String {
    (0..count).map(|at| format!("thing {at} of many, ")).collect()
}

/// The model reads this many files, one after the other; the calls are numbered from `first`.
fn reads(play: &mut Play, first: u64, files: u64) {
    for call in first..first + files {
        calls(play, "read_file", &format!("{call}.rs"));
        play.reads(call, &lines(&format!("{call}.rs")));
    }
}

/// Tokens of each request, as the server counts them.
fn counts(play: &Play) -> Vec<u64> {
    let counted = |request: &ChatRequest| serde_json::to_string(&request.messages).unwrap().len() as u64 / 4;
    play.requests.iter().map(counted).collect()
}

/// The results that stand whole in the last request.
fn whole(play: &Play) -> Vec<String> {
    let told = play.requests.last().unwrap().messages.iter().filter(|message| message.role == Role::Tool);
    let whole = told.filter(|message| message.content.starts_with("a line about"));
    whole.map(|message| message.content.split(' ').nth(3).unwrap_or_default().to_owned()).collect()
}

/// How often a request did not begin with the whole one before.
fn breaks(play: &Play) -> usize {
    play.requests.windows(2).filter(|pair| !pair[1].messages.starts_with(&pair[0].messages)).count()
}

#[test]
fn beyond_the_working_set_the_oldest_results_go_in_one_go_and_seldom() {
    let mut play = session(131_072, 24_000, settings());
    play.say("read them all");
    reads(&mut play, 1, 60);
    let counts = counts(&play);
    assert!(counts.iter().all(|tokens| *tokens < 26_000), "{counts:?}");
    assert!((3..=6).contains(&breaks(&play)), "{} times", breaks(&play));
    let shrunk: Vec<(u64, u64)> = counts.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| b < a).collect();
    assert!(shrunk.iter().all(|(_, after)| (13_000..16_500).contains(after)), "down to about 60 %: {shrunk:?}");
    assert!(play.conversation().iter().any(|line| line.contains("user: read them all")));
}

#[test]
fn without_a_working_set_only_the_window_counts() {
    let mut play = session(131_072, 0, settings());
    play.say("read them all");
    reads(&mut play, 1, 60);
    assert_eq!((breaks(&play), fitted(&play).len(), whole(&play).len()), (0, 0, 60));
}

#[test]
fn it_is_never_more_than_three_quarters_of_the_window() {
    let mut play = session(16_384, 24_000, settings());
    play.say("read them all");
    reads(&mut play, 1, 13);
    assert_eq!(fitted(&play).len(), 1);
    let largest = counts(&play).into_iter().max().unwrap_or_default();
    assert!(largest < 13_400, "{largest}");
    play.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = play.events.last() else { panic!() };
    assert_eq!(report.working, Some(12_288));
}

#[test]
fn the_last_three_results_and_the_task_stay_and_files_that_were_changed_go_first() {
    let mut play = session(32_768, 8_000, settings());
    play.say("never touch b.rs");
    calls(&mut play, "read_file", "kept.rs");
    play.reads(1, &lines("kept.rs"));
    calls(&mut play, "read_file", "changed.rs");
    play.reads(2, &lines("changed.rs"));
    calls(&mut play, "write_file", "changed.rs");
    play.reached(3, "/p/changed.rs");
    play.planned(3, write("/p/changed.rs"));
    play.ran(3, "wrote changed.rs");
    // Long enough that leaving one out is enough.
    calls(&mut play, "read_file", "long.rs");
    play.reads(4, &lines("long.rs").repeat(3));
    let last = (5..12).find(|call| {
        reads(&mut play, *call, 1);
        !fitted(&play).is_empty()
    });
    let (last, whole) = (last.expect("it outgrew the working set"), whole(&play));
    assert!(!whole.contains(&"changed.rs".to_owned()), "{whole:?}");
    assert!((last - 2..=last).all(|call| whole.contains(&format!("{call}.rs"))), "{last} of {whole:?}");
    assert!(play.conversation().iter().any(|line| line.contains("never touch b.rs")));
}

#[test]
fn results_that_go_as_text_go_too() {
    let hermes = Family { matches: vec!["m".into()], form: Form::Hermes, ..family() };
    let settings = Settings { tools_mode: ToolsMode::Text, families: vec![hermes], ..settings() };
    let mut play = session(65_536, 8_000, settings);
    play.say("read them all");
    for call in 1..=12 {
        play.writes(&crate::play::hermes("read_file", &format!("{call}.rs")));
        play.reads(call, &lines(&format!("{call}.rs")));
    }
    assert!(matches!(fitted(&play)[..], [Compaction::Stubbed { .. }]), "{:?}", fitted(&play));
    let conversation = play.conversation();
    assert!(conversation.iter().any(|line| line.contains("<tool_response>\n[result of a call: ")), "{conversation:#?}");
}

#[test]
fn where_the_window_is_nearly_full_no_results_are_trimmed_at_the_margin() {
    let mut play = session(16_384, 24_000, settings());
    play.say("read and talk");
    for call in 1..=40 {
        play.text(&words(40));
        calls(&mut play, "read_file", &format!("{call}.rs"));
        play.reads(call, &lines(&format!("{call}.rs"))[..1_400]);
        if play.requests.last().is_some_and(|request| request.messages.last().unwrap().content.contains("made shorter"))
        {
            play.writes(SUMMARY);
        }
    }
    let counts = counts(&play);
    let shrunk: Vec<(u64, u64)> = counts.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| b < a).collect();
    assert!(!shrunk.is_empty() && shrunk.iter().all(|(_, after)| *after < 8_400), "{shrunk:?}");
}

/// The model asks for a summary in which nothing is said of files and commands.
fn summarised(play: &mut Play) -> String {
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(SUMMARY);
    play.say("go on");
    let request = play.requests.last().unwrap();
    request.messages[1].content.to_string()
}

#[test]
fn what_the_program_knows_of_the_work_stands_at_the_end_of_a_summary() {
    let mut play = Play::ready_with(Settings { levers: working(), ..recording() }, Mode::Unsafe);
    play.say(&"do it ".repeat(200));
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    let preview = Preview {
        title: "Run".into(),
        body: PreviewBody::Command {
            command: "cargo test -q".into(),
            cwd: ROOT.into(),
            timeout_secs: 120,
            profile: Profile::Project,
            cover: None,
            files: Vec::new(),
            note: None,
            background: false,
        },
    };
    let action = run("cargo test -q");
    let facts = facts(&action);
    let call = CallId(1);
    play.feed(Input::Call(CallInput::Planned { call, result: Ok(agent_session::Planned { action, preview }), facts }));
    let told = "exit code 101\nrunning 2 tests\ntest result: FAILED";
    let (path, shown_path) = ("/p/src/a.rs".into(), "src/a.rs".into());
    let after = FileState::File { content: Digest("x".into()), mode: 0o644, size: 1 };
    let changed = vec![FileChange { path, shown_path, before: FileState::Missing, after, added: 12, removed: 3 }];
    play.feed(Input::Call(CallInput::Ran { call, outcome: Outcome { changed, ..outcome(told) } }));
    play.writes(&words(120));
    play.feed(Input::Session(agent_session::SessionInput::LookedAfter { files: Vec::new() }));
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    let mut later = resumed_with(&play.records, Settings { levers: working(), ..recording() });
    let known = "## Known to the program\n- changed so far: src/a.rs (+12 −3)\n- the last command was `cargo test -q`: exit \
                 code 101, last line: test result: FAILED";
    for play in [&mut play, &mut later] {
        let summary = summarised(play);
        assert!(summary.contains(known), "{summary}");
    }
}

#[test]
fn a_summary_that_comes_as_a_call_is_asked_for_once_more() {
    type Says = fn(&mut Play);
    let by_server: Says = |play| play.calls(&["read_file"]);
    let by_text: Says = |play| play.writes(&hermes("read_file", "a"));
    let unreadable: Says = |play| play.bad_call("error parsing tool call: raw='{'");
    for says in [by_server, by_text, unreadable] {
        let mut play = Play::ready_with(Settings { levers: working(), ..settings() }, Mode::Unsafe);
        play.say("look");
        play.writes(&words(120));
        play.op(Op::Context(ContextOp::Compact { instructions: "names".into() }));
        let (asked, first) = (play.requests.len(), play.requests.last().unwrap().clone());
        says(&mut play);
        assert_eq!(play.requests.len(), asked + 1);
        let again = play.requests.last().unwrap();
        assert_eq!(again.messages[..first.messages.len()], first.messages[..], "it goes on from what was read");
        let told = play.last_said();
        assert!(told.starts_with("(Your answer to this was a call. It was not carried out"), "{told}");
        assert!(play.notices().iter().any(|text| text.contains("asked once more")), "{:?}", play.notices());
        play.writes(SUMMARY);
        assert!(matches!(fitted(&play)[..], [Compaction::Summarised { .. }]), "{:?}", play.notices());
    }
}

#[test]
fn who_calls_twice_is_not_asked_a_third_time() {
    let mut play = Play::ready_with(Settings { levers: working(), ..settings() }, Mode::Unsafe);
    play.say("look");
    play.writes(&words(120));
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.calls(&["read_file"]);
    let asked = play.requests.len();
    play.calls(&["read_file"]);
    assert_eq!(play.requests.len(), asked);
    assert!(matches!(play.subject(), Some(Subject::Shorten { .. })));
}

#[test]
fn nobody_is_asked_about_a_list_that_would_hardly_help() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say(&"a task in many words that all have to stay as they are ".repeat(50));
    play.writes(&words(400));
    play.say("well");
    play.writes("yes");
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(&SUMMARY.replace("- a\n", &format!("- a: {}\n", words(85))));
    play.say("go on");
    play.writes("so be it, and a few words more than that");
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    assert!(play.last_said().contains("made shorter"), "a shorter summary could help: {:?}", play.notices());
    play.writes("I'm sorry, I can't do that.");
    assert_eq!(play.subject(), None, "what the user said stays, so a yes would do next to nothing");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert!(play.notices().iter().any(|text| text.contains("gets no shorter")), "{:?}", play.notices());
}

#[test]
fn nobody_is_asked_where_what_waits_would_not_fit_after_a_yes_either() {
    let mut play = Play::ready_with(Settings { window: Some(2_048), ..settings() }, Mode::Unsafe);
    play.say("first");
    play.writes(&words(200));
    play.events.clear();
    play.say(&"words that wait for an answer and do not get shorter ".repeat(140));
    assert!(play.last_said().contains("made shorter"), "a summary is asked for: {:?}", play.notices());
    play.writes("I'm sorry, I can't do that.");
    assert_eq!(play.subject(), None, "{:?}", play.notices());
    let counted = play.counted();
    play.broken(ServerError::TooLong { prompt_tokens: Some(counted.max(2_100)), window: Some(2_048) });
    assert_eq!((play.subject(), play.ended()), (None, Some(TurnEndReason::Full)), "{:?}", play.notices());
}
