//! The window on the screen: how full it is, what is waited for, what was made shorter, and the commands that tell.

use super::harness::{Stage, model, turn, turn_ended, up};
use super::looks::{look, worked};
use agent_protocol::{
    AskId, CallEvent, CallOp, Checked, Compaction, CompactionReason, ContextEvent, ContextOp, ContextPart,
    ContextReport, Event, Examined, ListEvent, ListOp, ModelCard, ModelProfile, Op, PartKind, Phase, Preview,
    PreviewBody, Probe, ProbeFinding, ProbeVerdict, Question, ReadingEstimate, Reused, ServerError, ServerEvent,
    ServerOp, Subject, Think, ToolsBy, TurnEndReason, TurnEvent, TurnId, TurnOp, Usage, WindowChoice, WindowState,
};

fn window(effective: Option<u64>, gpu_percent: Option<u8>) -> WindowState {
    WindowState { asked: 16_384, chosen: WindowChoice::Remembered, trained: Some(40_960), effective, gpu_percent }
}

fn report() -> ContextReport {
    let part = |kind, tokens, count| ContextPart { kind, tokens, count };
    ContextReport {
        model: "qwen3:8b".into(),
        window: window(Some(16_384), Some(63)),
        parts: vec![
            part(PartKind::System, 640, 1),
            part(PartKind::ProjectWords, 40, 1),
            part(PartKind::Tools, 1_120, 7),
            part(PartKind::Summary, 0, 0),
            part(PartKind::Person, 310, 4),
            part(PartKind::Model, 2_450, 12),
            part(PartKind::Results, 6_870, 1_031),
        ],
        used: 11_430,
        working: Some(12_288),
        reserve: 2_048,
        longest_reply: 4_096,
        checked: Some(Checked { estimated: 11_230, counted: 11_402 }),
        characters_per_token: 3.61,
        samples: 14,
        reading: Some(480.4),
        writing: Some(31.2),
        reused: Some(Reused { tokens: 10_950, of: 11_402 }),
        fitted: 2,
        cuts_silently: false,
    }
}

pub(super) fn asks_to_shorten() -> Event {
    let why = "the conversation has 17020 tokens of the 16384 that the window holds, and no summary made it shorter; \
               approving puts a rule-based one in its place: what you said, files and commands";
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(7),
            call: None,
            subject: Subject::Shorten { tokens: 17_020, window: 16_384 },
            preview: Preview { title: "Use a rule-based summary?".into(), body: PreviewBody::Plain },
            why: why.into(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

fn reading(ms: Option<u64>) -> Event {
    let estimate = Some(ReadingEstimate { new: 6_120, of: 18_040, ms });
    Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate } })
}

pub(super) fn prompt(rendered: Option<&str>, trouble: Option<ServerError>) -> Event {
    let request = r#"{"model":"qwen3:8b","messages":[{"role":"user","content":"why?"}]}"#.to_owned();
    Event::List(ListEvent::Prompt { request, rendered: rendered.map(str::to_owned), trouble })
}

fn examination(stage: &mut Stage) {
    let finding = |probe, verdict, words: &str| ProbeFinding { probe, verdict, words: words.into() };
    stage.hear(turn("")).hear(Event::Server(ServerEvent::Examining { probe: Probe::OneCall }));
    for finding in [
        finding(Probe::OneCall, ProbeVerdict::Passed, "by the server"),
        finding(Probe::TwoCalls, ProbeVerdict::Rescued, "the second call stood in the text, in the words of hermes"),
        finding(Probe::Write, ProbeVerdict::Failed, "a backslash was lost"),
        finding(Probe::Think, ProbeVerdict::Skipped, "this model does not think"),
    ] {
        stage.hear(Event::Server(ServerEvent::Probed { finding }));
    }
}

fn diagnosed() -> Event {
    let dialects = vec!["hermes".to_owned()];
    let examined = Some(Examined { tools_by: Some(ToolsBy::Server), dialects, ..Examined::default() });
    let name = "qwen3:8b".to_owned();
    let profile = ModelProfile { name, reading: Some(480.2), writing: Some(31.0), examined, ..ModelProfile::default() };
    Event::Server(ServerEvent::Diagnosed { profile: Box::new(profile) })
}

fn last_line(stage: &mut Stage) -> String {
    stage.screen().lines().last().unwrap().to_owned()
}

#[test]
fn the_status_line_tells_how_much_lies_on_the_card() {
    let mut stage = Stage::new();
    assert!(!last_line(&mut stage).contains("gpu"));
    stage.hear(Event::Context(ContextEvent::WindowMeasured { window: window(Some(8_192), Some(63)) }));
    assert!(last_line(&mut stage).contains("context 0 / 8k  gpu 63 %"), "{}", stage.screen());
    stage.resize(40, 12);
    assert!(last_line(&mut stage).contains("qwen3:8b  0 / 8k  gpu 63 %"), "{}", stage.screen());
    stage.hear(Event::Context(ContextEvent::WindowMeasured { window: window(Some(16_384), Some(100)) }));
    assert!(!last_line(&mut stage).contains("gpu"));
    stage.resize(120, 40);
    assert!(last_line(&mut stage).contains("context 0 / 16k  gpu 100 %"));
    stage.hear(Event::Server(ServerEvent::ModelSet { card: model("other"), window: 4_096 }));
    assert!(!last_line(&mut stage).contains("gpu"));
}

#[test]
fn the_status_line_tells_how_much_the_model_thinks_where_it_was_told() {
    let mut stage = Stage::new();
    stage.hear(Event::Server(ServerEvent::ThinkSet { think: Some(Think::Low) }));
    assert!(last_line(&mut stage).contains("think low") && !stage.shows("from the next request on"));
    stage.hear(up());
    stage.hear(Event::Server(ServerEvent::ThinkSet { think: None }));
    assert!(!last_line(&mut stage).contains("think") && stage.shows("thinking: auto, from the next request on"));
}

#[test]
fn the_waiting_line_counts_a_reading_down() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(reading(Some(14_000))).wait(4_000);
    assert!(stage.shows("reading 6.1k new of 18k tokens · about 10 s left · Esc interrupts"), "{}", stage.screen());
}

#[test]
fn what_is_made_shorter_shows_while_it_is_done_and_after() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(Event::Context(ContextEvent::Fitting { reason: CompactionReason::NearlyFull }));
    stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Sending })).hear(reading(None)).wait(6_000);
    let shown = "compacting the conversation: reading 6.1k new of 18k tokens · 6 s · Esc interrupts";
    assert!(stage.shows(shown), "{}", stage.screen());
    stage.hear(Event::Context(ContextEvent::Fitted {
        how: Compaction::Stubbed { results: 14 },
        before: 15_100,
        after: 9_230,
    }));
    assert!(stage.shows("· compacted: 14 old results left out · 15.1k → 9.2k tokens"));
    stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }));
    assert!(stage.shows("waiting for qwen3:8b"));
}

#[test]
fn a_summary_unfolds_and_what_came_before_stays() {
    let mut stage = Stage::new();
    worked(&mut stage);
    let summary = "Goal: a green build.\nFiles: src/\u{1b}main.rs".to_owned();
    let how = Compaction::Summarised { summary, messages: 48 };
    stage.hear(Event::Context(ContextEvent::Fitted { how, before: 15_100, after: 4_000 }));
    assert!(stage.shows("▸ compacted: 48 messages became a summary · 15.1k → 4k tokens"));
    assert!(stage.shows("A test fails.") && !stage.shows("a green build"));
    stage.keys("<c-o>");
    assert!(stage.shows("│ Goal: a green build.") && stage.shows("src/␛main.rs") && stage.shows("A test fails."));
}

#[test]
fn a_list_in_the_place_of_the_conversation_is_put_there_by_a_yes_alone() {
    for (keys, answered) in [("<=y>", "yes"), ("<=n>", "no"), ("<esc>", "interrupt")] {
        let mut stage = Stage::new();
        stage.hear(turn("go")).hear(asks_to_shorten()).wait(600).keys(keys);
        let answer = match &stage.ops()[..] {
            [
                Op::Call(CallOp::Reply {
                    ask: AskId(7),
                    answer: agent_protocol::Answer::Yes { remember: None, word: None },
                }),
            ] => "yes",
            [Op::Call(CallOp::Reply { ask: AskId(7), answer: agent_protocol::Answer::No { word: None } })] => "no",
            [Op::Turn(TurnOp::Interrupt)] => "interrupt",
            other => panic!("{other:?}"),
        };
        assert_eq!(answer, answered);
    }
}

#[test]
fn a_full_window_says_what_helps() {
    let mut stage = Stage::new();
    stage.hear(turn("go"));
    stage.hear(Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Full, usage: Usage::default() }));
    assert!(stage.shows("! the conversation fills the window"));
    assert!(stage.shows("/compact makes it shorter, /clear begins anew, or start with a larger --num-ctx"));
}

#[test]
fn the_commands_of_the_window_send_their_wishes() {
    let compact = |words: &str| Op::Context(ContextOp::Compact { instructions: words.into() });
    for (keys, op) in [
        ("/context<enter>", Op::List(ListOp::Context)),
        ("/prompt<enter>", Op::List(ListOp::Prompt)),
        ("/compact<enter>", compact("")),
        ("/compress the plan, and why<enter>", compact("the plan, and why")),
        ("/doctor<enter>", Op::Server(ServerOp::Examine)),
        ("/think high<enter>", Op::Server(ServerOp::SetThink { think: Some(Think::High) })),
        ("/effort me<enter>", Op::Server(ServerOp::SetThink { think: Some(Think::Medium) })),
        ("/think auto<enter>", Op::Server(ServerOp::SetThink { think: None })),
        ("/think<enter><down><enter>", Op::Server(ServerOp::SetThink { think: Some(Think::Off) })),
    ] {
        let mut stage = Stage::new();
        stage.keys(keys);
        assert_eq!(stage.ops(), [op], "{keys}");
    }
    for half in ["/comp<enter>", "/do<enter>"] {
        assert_eq!(Stage::new().keys(half).ops(), [], "{half}");
    }
}

#[test]
fn a_level_of_thinking_that_is_none_is_answered_with_those_there_are() {
    let mut stage = Stage::new();
    stage.keys("/think lots<enter>");
    assert!(stage.shows("lots is no level of thinking; there are auto, off, on, low, medium, high, max"));
    let card = ModelCard { thinking: Some(false), ..model("gemma3:12b") };
    stage.hear(Event::Server(ServerEvent::ModelSet { card, window: 8_192 })).keys("/think<enter>/think high<enter>");
    assert!(stage.shows("this model does not think; /model chooses another"));
    assert_eq!(stage.ops(), []);
    stage.keys("/think off<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::SetThink { think: Some(Think::Off) })]);
}

#[test]
fn what_the_prompt_looks_like_has_two_pages_and_commands_nothing() {
    let mut stage = Stage::new();
    stage.hear(prompt(Some("<|im_start|>user\nwhy?\u{1b}[2J<|im_end|>\n"), None));
    assert!(stage.shows("The prompt, as the model reads it") && stage.shows("why?␛[2J<|im_end|>"));
    stage.keys("<tab>");
    assert!(stage.shows("The prompt, as it is sent") && stage.shows(r#"{"model":"qwen3:8b""#));
    stage.keys("<tab><esc>");
    assert!(!stage.shows("The prompt"));
    let trouble = ServerError::Refused { status: 400, message: "unknown field".into() };
    stage.hear(prompt(None, Some(trouble)));
    assert!(stage.shows("how the model reads it is not known: the server refused (400: unknown field)"));
    assert!(stage.shows("The prompt, as it is sent") && !stage.shows("tab as"));
}

#[test]
fn a_prompt_of_millions_of_letters_is_seen_to_its_end() {
    let mut stage = Stage::new();
    let rendered = (0..200_000).map(|number| format!("line {number}\n")).collect::<String>();
    stage.hear(prompt(Some(&rendered), None));
    assert!(stage.shows("line 0\n") && stage.shows("% more · PgDn"));
    stage.keys("<end>");
    assert!(stage.shows("line 199999") && stage.shows("↑ 100 % more · PgUp"), "{}", stage.screen());
    stage.keys("<up>");
    assert!(!stage.shows("line 199999") && stage.shows("line 199998"));
    stage.keys("<=a>");
    assert_eq!(stage.app.composer.text(), "a");
}

#[test]
fn an_examination_shows_each_answer_as_it_comes() {
    let mut stage = Stage::new();
    examination(&mut stage);
    stage.hear(Event::Server(ServerEvent::Examining { probe: Probe::Stop })).wait(3_000);
    assert!(stage.shows("examining the model: stops after a result · 3 s"), "{}", stage.screen());
    assert!(stage.shows("✓ one call") && stage.shows("~ two calls at once") && stage.shows("– thinking switch"));
    stage.hear(diagnosed()).hear(turn_ended());
    assert!(stage.shows("qwen3:8b: 1 passed, 1 with help, 1 failed, 1 skipped · tools go by the server"));
    examination(&mut stage);
    assert_eq!(stage.screen().matches("✓ one call").count(), 2, "another examination stands by itself");
}

#[test]
fn what_was_read_stands_at_the_end_of_the_turn_where_there_is_room() {
    let mut stage = Stage::new();
    let usage = Usage {
        prompt_tokens: Some(18_040),
        prompt_ns: Some(12_750_000_000),
        reply_tokens: Some(212),
        reply_ns: Some(6_800_000_000),
        ..Usage::default()
    };
    stage.hear(turn("go")).wait(20_000);
    stage.hear(Event::Turn(TurnEvent::Replied { usage, reused: Some(Reused { tokens: 11_920, of: 18_040 }) }));
    stage.hear(Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage }));
    assert!(stage.shows("  20 s\n") && !stage.shows("212 tokens"), "one short figure: {}", stage.screen());
    stage.keys("<c-o>");
    assert!(stage.shows("20 s · 212 tokens · 31 tokens/s · 6.1k read at 480/s"), "{}", stage.screen());
    stage.resize(40, 12);
    assert!(stage.shows("20 s · 212 tokens · 31 tokens/s\n"), "{}", stage.screen());
}

#[test]
fn where_the_tokens_go() {
    look("context", |stage| {
        stage.hear(Event::List(ListEvent::Context { report: Box::new(report()) }));
    });
}

#[test]
fn a_window_that_a_server_cuts() {
    look("context_cut", |stage| {
        let window = WindowState { gpu_percent: Some(100), ..window(Some(4_096), None) };
        let report = ContextReport {
            window,
            used: 9_000,
            working: None,
            parts: vec![ContextPart { kind: PartKind::Summary, tokens: 9_000, count: 1 }],
            checked: None,
            samples: 0,
            reading: None,
            writing: None,
            reused: None,
            fitted: 0,
            cuts_silently: true,
            ..report()
        };
        stage.hear(Event::List(ListEvent::Context { report: Box::new(report) }));
    });
}

#[test]
fn the_prompt_as_the_model_reads_it() {
    let rendered: String = (1..=80).map(|number| format!("line {number} of what the model reads\n")).collect();
    look("prompt", |stage| {
        worked(stage);
        stage.hear(prompt(Some(&rendered), None)).keys("<pgdn>");
    });
}

#[test]
fn the_levels_of_thinking() {
    look("levels", |stage| {
        stage.hear(Event::Server(ServerEvent::ThinkSet { think: Some(Think::Low) })).keys("/think<enter><down>");
    });
}

#[test]
fn a_conversation_that_does_not_fit() {
    look("asks_to_shorten", |stage| {
        worked(stage);
        stage.hear(asks_to_shorten()).wait(600);
    });
}

#[test]
fn a_conversation_made_shorter() {
    look("made_shorter", |stage| {
        worked(stage);
        stage.hear(Event::Context(ContextEvent::WindowMeasured { window: window(Some(16_384), Some(63)) }));
        stage.hear(Event::Context(ContextEvent::Fitted {
            how: Compaction::Stubbed { results: 14 },
            before: 15_100,
            after: 12_230,
        }));
        let summary = "Goal: find out why the build is red, and mend it.\nFiles: src/main.rs (read)\n".to_owned();
        let how = Compaction::Summarised { summary, messages: 48 };
        stage.hear(Event::Context(ContextEvent::Fitted { how, before: 12_230, after: 4_010 })).keys("<c-o>");
        stage
            .hear(Event::Context(ContextEvent::Window { used: 14_900, of: 16_384 }))
            .hear(reading(Some(14_000)))
            .wait(20_000);
    });
}

#[test]
fn an_examined_model() {
    look("examined", |stage| {
        examination(stage);
        stage.wait(61_000).hear(diagnosed()).hear(turn_ended());
    });
}
