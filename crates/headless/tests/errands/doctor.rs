//! The doctor: what it says of everything, and of the model.

use crate::errands::stage::{
    Answers, On, Printed, coder, coder_loaded, described, down, json, known, loaded, nobody_answers, opened, play,
    tiny, untold, up, with_models,
};
use agent_headless::{CacheCard, Checkup, Contact, End, Form, Probes, doctor};
use agent_protocol::{
    ContextEvent, Event, Examined, ModelProfile, ModelsReason, NoticeLevel, Op, Probe, ProbeFinding, ProbeVerdict,
    ServerError, ServerEvent, ServerOp, SessionEvent, ToolsBy, TurnEndReason, TurnEvent, TurnId, Usage, Way,
    WindowChoice, WindowState,
};

const NAME: &str = "qwen3-coder:30b";

fn checkup() -> Checkup {
    Checkup {
        version: "0.1.0".into(),
        contacts: vec![Contact { address: "http://127.0.0.1:11434".into(), what: "the model server".into() }],
        config_files: vec!["/home/ann/.config/agent/config.toml".into()],
        state_folder: "/home/ann/.local/state/agent".into(),
        caches: Some(CacheCard {
            folder: "/home/ann/.cache/agent/sandbox".into(),
            here: 12 << 20,
            all: 3 << 30,
            most: 5 << 30,
        }),
        model: Some(NAME.into()),
        known: known(&[]),
        probes: Probes::Ask,
        form: Form::Text,
    }
}

async fn look(on: On, checkup: Checkup, start: Vec<Event>, answers: Answers) -> Printed {
    play(on, start, answers, |ops, events, streams| Box::pin(doctor(ops, events, checkup, streams))).await
}

fn finding(probe: Probe, verdict: ProbeVerdict) -> ProbeFinding {
    let words = match verdict {
        ProbeVerdict::Passed => "as it should",
        ProbeVerdict::Rescued => "the call came as text (hermes)",
        ProbeVerdict::Failed => "no call: it only thought",
        ProbeVerdict::Skipped => "this model does not think",
    };
    ProbeFinding { probe, verdict, words: words.into() }
}

fn profile() -> ModelProfile {
    ModelProfile {
        digest: coder().digest.unwrap(),
        name: NAME.into(),
        window: Some(32_768),
        reading: Some(812.4),
        writing: Some(43.0),
        examined: Some(Examined { tools_by: Some(ToolsBy::Server), ways: vec![Way::Server], ..Examined::default() }),
        ..ModelProfile::default()
    }
}

/// The start of a session with the chosen model, and an examination in which one question goes like this.
fn examined(two_calls: ProbeVerdict) -> (Vec<Event>, Answers) {
    let window = WindowState {
        asked: 32_768,
        chosen: WindowChoice::Remembered,
        trained: Some(262_144),
        effective: Some(32_768),
        gpu_percent: Some(79),
    };
    let start = vec![opened(), up(), Event::Server(ServerEvent::ModelSet { card: coder(), window: 32_768 })];
    let verdicts = [ProbeVerdict::Passed, two_calls, ProbeVerdict::Rescued].into_iter();
    let verdicts = verdicts.chain(std::iter::repeat_n(ProbeVerdict::Passed, 2));
    let verdicts = verdicts.chain([ProbeVerdict::Skipped, ProbeVerdict::Passed]);
    let questions = Probe::ALL.into_iter().filter(|probe| *probe != Probe::Schema).zip(verdicts);
    let asked = questions.flat_map(|(probe, verdict)| {
        [
            Event::Server(ServerEvent::Examining { probe }),
            Event::Server(ServerEvent::Probed { finding: finding(probe, verdict) }),
        ]
    });
    let notice = Event::Session(SessionEvent::Notice {
        level: NoticeLevel::Warning,
        text: "21 % of the model lies outside the GPU".into(),
    });
    let over = [
        Event::Context(ContextEvent::WindowMeasured { window }),
        notice,
        Event::Server(ServerEvent::Diagnosed { profile: Box::new(profile()) }),
        Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() }),
    ];
    let listed = Event::Server(ServerEvent::Models { models: vec![coder(), tiny()], reason: ModelsReason::Asked });
    let answers = vec![
        (Op::Server(ServerOp::Models), vec![listed]),
        (Op::Server(ServerOp::Examine), asked.chain(over).collect()),
        loaded(vec![coder_loaded()]),
    ];
    (start, answers)
}

#[tokio::test]
async fn an_examination_is_printed_with_all_around_it() {
    let (start, answers) = examined(ProbeVerdict::Passed);
    let printed = look(On::Pipe, checkup(), start, answers).await;
    assert_eq!((printed.end, printed.progress.as_str()), (End::Answered, ""));
    insta::assert_snapshot!(printed.out);
}

#[tokio::test]
async fn a_question_that_fails_is_what_the_shell_learns() {
    let (start, answers) = examined(ProbeVerdict::Failed);
    let printed = look(On::Pipe, Checkup { form: Form::Json, ..checkup() }, start, answers).await;
    assert_eq!((printed.end, printed.end.code()), (End::Failed, 1));
    insta::assert_json_snapshot!(json(&printed));
}

#[tokio::test]
async fn on_a_terminal_the_question_under_way_is_shown_and_taken_away() {
    let (start, answers) = examined(ProbeVerdict::Passed);
    let printed = look(On::Terminal, checkup(), start, answers).await;
    assert!(printed.progress.starts_with("\r  … one call\u{1b}[K\r\u{1b}[K"), "{:?}", printed.progress);
    assert!(printed.progress.ends_with("\r\u{1b}[K") && !printed.progress.contains('\n'), "{:?}", printed.progress);
}

#[tokio::test]
async fn without_a_server_all_else_is_said_and_how_to_start_one() {
    let here = Checkup { known: known(&[profile()]), ..checkup() };
    let printed = look(On::Pipe, here.clone(), vec![opened(), down()], Vec::new()).await;
    assert_eq!((printed.end, printed.end.code()), (End::NoServer, 3));
    insta::assert_snapshot!(printed.out);
    let printed = look(On::Pipe, Checkup { form: Form::Json, ..here }, vec![opened(), down()], Vec::new()).await;
    let told = json(&printed);
    assert_eq!(
        (&told["exit_code"], &told["installed"], &told["fence"]["kind"]),
        (&3.into(), &().into(), &"kernel".into())
    );
}

#[tokio::test]
async fn a_server_that_leaves_in_the_middle_keeps_what_was_found() {
    let (start, mut answers) = examined(ProbeVerdict::Passed);
    answers[1].1.truncate(3);
    answers[1].1.push(down());
    let printed = look(On::Pipe, checkup(), start, answers).await;
    assert_eq!(printed.end, End::NoServer);
    assert!(printed.out.contains("✓ one call") && printed.out.contains("`ollama serve`"), "{}", printed.out);
}

/// What is printed of an examination that ends for this reason after its first question; these events follow.
async fn ended(reason: TurnEndReason, then: Vec<Event>) -> Printed {
    let (start, mut answers) = examined(ProbeVerdict::Passed);
    answers[1].1.truncate(3);
    answers[1].1.push(Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage: Usage::default() }));
    answers[1].1.extend(then);
    look(On::Pipe, checkup(), start, answers).await
}

#[tokio::test]
async fn a_server_that_leaves_ends_it_with_3_however_soon_it_is_back() {
    let lost = TurnEndReason::Broken { trouble: nobody_answers() };
    for (then, words) in [(down(), "or start agent, which offers to"), (up(), "and is back")] {
        let printed = ended(lost.clone(), vec![then]).await;
        assert_eq!((printed.end, printed.end.code()), (End::NoServer, 3));
        assert!(printed.out.contains(words), "{}", printed.out);
    }
}

#[tokio::test]
async fn an_examination_that_breaks_off_is_no_verdict_on_the_model() {
    let printed = ended(TurnEndReason::Broken { trouble: ServerError::NotDone }, Vec::new()).await;
    assert_eq!((printed.end, printed.end.code()), (End::Failed, 1));
    let words = "result     the examination broke off: the reply ended without its last line; the server may have \
                 stopped a loop; try again\n";
    assert!(printed.out.ends_with(words), "{}", printed.out);
    assert_eq!(ended(TurnEndReason::Interrupted, Vec::new()).await.end.code(), 130);
}

#[tokio::test]
async fn what_is_printed_of_a_model_is_what_is_kept_of_it() {
    let (start, answers) = examined(ProbeVerdict::Passed);
    let earlier = vec![finding(Probe::OneCall, ProbeVerdict::Failed)];
    let examined = Examined { faults: vec!["an earlier fault".into()], findings: earlier, ..Examined::default() };
    let kept = ModelProfile { reading: Some(99.0), examined: Some(examined), ..profile() };
    let printed = look(On::Pipe, Checkup { known: known(&[kept]), ..checkup() }, start, answers).await;
    assert!(printed.out.contains("reads 99 tokens/s"), "{}", printed.out);
    assert!(printed.out.contains("fault: an earlier fault"), "these were not just printed: {}", printed.out);
}

#[tokio::test]
async fn a_model_that_the_server_cannot_tell_about_may_well_be_installed() {
    let missing = Event::Server(ServerEvent::Models {
        models: vec![coder()],
        reason: ModelsReason::Missing { name: NAME.into() },
    });
    let words = "the server could not tell about the model qwen3-coder:30b: the server refused (500: disk I/O error)";
    let later = "the server can tell about the model qwen3-coder:30b only now; run `agent doctor` again";
    for (answer, words) in [(untold(NAME), words), (described(NAME, Some(coder()), None), later)] {
        let start = vec![opened(), up(), missing.clone()];
        let printed = look(On::Pipe, checkup(), start, vec![answer, loaded(Vec::new())]).await;
        assert_eq!((printed.end, printed.end.code()), (End::Failed, 1));
        assert!(printed.out.contains(words) && !printed.out.contains("not installed"), "{}", printed.out);
    }
}

#[tokio::test]
async fn no_model_is_no_fault_of_the_server_and_ends_with_4() {
    let missing = Event::Server(ServerEvent::Models {
        models: vec![tiny()],
        reason: ModelsReason::Missing { name: NAME.into() },
    });
    let asked_again = vec![described(NAME, None, None), loaded(Vec::new())];
    let none = Checkup { model: None, ..checkup() };
    for (checkup, start, answers, words) in [
        (checkup(), vec![opened(), up(), missing], asked_again, "the model qwen3-coder:30b is not installed"),
        (
            none,
            with_models(vec![tiny(), coder()]),
            vec![loaded(Vec::new())],
            "no model is chosen; name one with --model",
        ),
    ] {
        let printed = look(On::Pipe, checkup, start, answers).await;
        assert_eq!((printed.end, printed.end.code()), (End::NoModel, 4));
        assert!(printed.out.contains(words) && printed.out.contains(" installed"), "{}", printed.out);
    }
}

#[tokio::test]
async fn the_only_model_is_taken_where_none_is_chosen() {
    let looked_at = Checkup { model: None, probes: Probes::Leave, ..checkup() };
    let answers = vec![described(NAME, Some(coder()), None), loaded(Vec::new())];
    let printed = look(On::Pipe, looked_at, with_models(vec![coder()]), answers).await;
    assert_eq!(printed.end, End::Answered);
    let examined = Checkup { model: None, probes: Probes::Ask, ..checkup() };
    let gone = Event::Server(ServerEvent::Models { models: Vec::new(), reason: ModelsReason::NoneChosen });
    let set = (Op::Server(ServerOp::SetModel { name: NAME.into() }), vec![gone]);
    let answers = vec![set, described(NAME, None, None), loaded(Vec::new())];
    let printed = look(On::Pipe, examined, with_models(vec![coder()]), answers).await;
    assert!(printed.ops.contains(&Op::Server(ServerOp::SetModel { name: NAME.into() })), "{:?}", printed.ops);
    assert_eq!(printed.end, End::NoModel);
}

#[tokio::test]
async fn without_questions_the_model_is_only_looked_at() {
    let here = Checkup { probes: Probes::Leave, known: known(&[profile()]), ..checkup() };
    let answers = vec![described(NAME, Some(coder()), None), loaded(Vec::new())];
    let printed = look(On::Pipe, here.clone(), with_models(vec![coder()]), answers).await;
    assert_eq!(printed.end, End::Answered);
    assert_eq!(printed.ops, [Op::Server(ServerOp::DescribeModel { name: NAME.into() }), Op::Server(ServerOp::Loaded)]);
    assert!(printed.out.contains("reads 812 tokens/s"), "{}", printed.out);
    let answers = vec![described(NAME, None, None), loaded(Vec::new())];
    let printed = look(On::Pipe, here, with_models(vec![tiny()]), answers).await;
    assert_eq!(printed.end, End::NoModel);
}
