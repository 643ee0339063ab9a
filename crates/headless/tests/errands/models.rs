//! Listing, showing, downloading and removing models.

use crate::errands::stage::{
    Answers, On, Printed, coder, coder_loaded, described, down, json, known, loaded, only_talks, opened, play, tiny,
    untold, with_models,
};
use agent_headless::{Consent, End, Form, Subcommand, models};
use agent_protocol::{
    BenchResult, Calibration, Event, Examined, LoadedModel, LoadedWeights, ModelCard, ModelProfile, ModelsReason, Op,
    PullState, ServerError, ServerEvent, ServerOp, ToolsBy, Tuned, Way,
};
use std::io::Cursor;

async fn run(on: On, form: Form, errand: Subcommand, start: Vec<Event>, answers: Answers) -> Printed {
    play(on, start, answers, |ops, events, streams| Box::pin(models(ops, events, errand, form, streams))).await
}

async fn text(errand: Subcommand, start: Vec<Event>, answers: Answers) -> Printed {
    run(On::Pipe, Form::Text, errand, start, answers).await
}

#[tokio::test]
async fn models_are_listed_with_what_they_can_and_where_they_lie() {
    let start = with_models(vec![coder(), tiny()]);
    let printed = text(Subcommand::List(Vec::new()), start.clone(), vec![loaded(vec![coder_loaded()])]).await;
    assert_eq!(printed.end, End::Answered);
    insta::assert_snapshot!(printed.out);
    let printed =
        run(On::Pipe, Form::Json, Subcommand::List(Vec::new()), start, vec![loaded(vec![coder_loaded()])]).await;
    let told = json(&printed);
    assert_eq!((&told["models"][0]["loaded"]["gpu_percent"], &told["models"][1]["loaded"]), (&79.into(), &().into()));
    assert_eq!((&told["version"], &told["exit_code"]), (&"0.33.1".into(), &0.into()));
}

#[tokio::test]
async fn what_the_bench_found_stands_below_the_models_and_fits_eighty_columns() {
    let result = |card: &ModelCard, digest: &str| BenchResult {
        host: "127.0.0.1:11434".into(),
        model: card.name.clone(),
        digest: Some(digest.into()),
        solved: (0.42, 0.28, 0.57),
        course: "core".into(),
        date: "2026-11-26".into(),
        agent: "0.1.0".into(),
    };
    let other = ModelCard { digest: Some("one".into()), ..tiny() };
    let found = || vec![result(&coder(), &coder().digest.unwrap()), result(&tiny(), "another")];
    let (start, answers) = (with_models(vec![coder(), other]), || vec![loaded(Vec::new())]);
    let printed = text(Subcommand::List(found()), start.clone(), answers()).await;
    let below = printed.out.split("solved in `agent bench`:").nth(1).unwrap();
    assert!(below.lines().all(|line| line.chars().count() <= 80), "{below}");
    insta::assert_snapshot!(below);
    let told = json(&run(On::Pipe, Form::Json, Subcommand::List(found()), start, answers()).await);
    let stale = |model: usize| told["models"][model]["bench"]["stale"].as_bool();
    assert_eq!((stale(0), stale(1)), (Some(false), Some(true)), "{told}");
}

#[tokio::test]
async fn cloud_models_are_marked_where_models_are_listed() {
    let cloud = ModelCard { remote_host: Some("ollama.com".into()), ..tiny() };
    let start = with_models(vec![coder(), cloud]);
    let printed = text(Subcommand::List(Vec::new()), start, vec![loaded(Vec::new())]).await;
    let marked: Vec<&str> = printed.out.lines().filter(|row| row.contains("cloud: leaves this machine")).collect();
    assert!(marked.len() == 1 && marked[0].starts_with("tiny:latest"), "{}", printed.out);
}

#[tokio::test]
async fn a_server_without_models_says_how_to_get_one() {
    let printed = text(Subcommand::List(Vec::new()), with_models(Vec::new()), vec![loaded(Vec::new())]).await;
    assert!(printed.out.contains("`agent models pull NAME` gets one"), "{}", printed.out);
}

#[tokio::test]
async fn without_a_server_every_errand_ends_with_3_and_the_way_to_start_one() {
    let name = || "m".to_owned();
    let errands = [
        Subcommand::List(Vec::new()),
        Subcommand::Show { name: name(), known: known(&[]) },
        Subcommand::Pull { name: name() },
        Subcommand::Remove { name: name(), consent: Consent::Given },
    ];
    for errand in errands {
        let printed = text(errand, vec![opened(), down()], Vec::new()).await;
        assert_eq!((printed.end, printed.end.code(), printed.ops), (End::NoServer, 3, Vec::new()));
        assert!(printed.progress.contains("`ollama serve`"), "{}", printed.progress);
    }
    let printed = run(On::Pipe, Form::Json, Subcommand::List(Vec::new()), vec![opened(), down()], Vec::new()).await;
    assert_eq!(json(&printed)["exit_code"], 3);
}

#[tokio::test]
async fn a_model_is_shown_with_what_was_learned_of_it() {
    let profile = ModelProfile {
        tuned: None,
        digest: coder().digest.unwrap(),
        name: "an older name".into(),
        window: Some(32_768),
        gpu_percent: Some(79),
        calibration: Some(Calibration { weights: vec![0.3], samples: 12 }),
        reading: Some(812.4),
        writing: Some(9.31),
        load_ms: Some(4_200),
        examined: Some(Examined {
            tools_by: Some(ToolsBy::Server),
            ways: vec![Way::Server, Way::Text],
            dialects: vec!["qwen-coder".into()],
            schema_alone: false,
            faults: vec!["the call came as text".into()],
            findings: Vec::new(),
        }),
        form: None,
        cloud_allowed: None,
    };
    let other = ModelProfile { digest: "other".into(), name: coder().name, ..ModelProfile::default() };
    let errand = Subcommand::Show { name: "qwen3-coder:30b".into(), known: known(&[other, profile.clone()]) };
    let answers = vec![described("qwen3-coder:30b", Some(coder()), Some(coder_loaded()))];
    let printed = text(errand, with_models(vec![coder()]), answers.clone()).await;
    insta::assert_snapshot!(printed.out);
    let errand = Subcommand::Show { name: "qwen3-coder:30b".into(), known: known(&[profile]) };
    let printed = run(On::Pipe, Form::Json, errand, with_models(vec![coder()]), answers).await;
    let told = json(&printed);
    assert_eq!((&told["model"]["name"], &told["learned"]["window"]), (&"qwen3-coder:30b".into(), &32_768.into()));
}

#[tokio::test]
async fn what_was_measured_to_suit_a_model_is_shown() {
    let tuned = Tuned { found: vec!["think=off: m think=off is better than m".into()], ..Tuned::default() };
    let digest = coder().digest.unwrap();
    let profile = ModelProfile { digest, name: coder().name, tuned: Some(tuned), ..ModelProfile::default() };
    let errand = Subcommand::Show { name: "qwen3-coder:30b".into(), known: known(&[profile]) };
    let answers = vec![described("qwen3-coder:30b", Some(coder()), Some(coder_loaded()))];
    let printed = text(errand, with_models(vec![coder()]), answers).await;
    assert!(printed.out.contains("suits it: think=off: m think=off is better than m"), "{}", printed.out);
}

#[tokio::test]
async fn a_model_that_may_lie_in_memory_under_another_name_is_shown_so() {
    let show = || Subcommand::Show { name: "alias".into(), known: known(&[]) };
    let alias = || ModelCard { name: "alias".into(), digest: Some("another".into()), ..coder() };
    let weights = |family: &str| {
        let weights = LoadedWeights { family: Some(family.into()), ..LoadedWeights::default() };
        LoadedModel { weights: Some(Box::new(weights)), ..coder_loaded() }
    };
    for (family, words) in
        [("qwen3moe", "perhaps, under the name qwen3-coder:30b (window 32k"), ("llama", "in memory       no")]
    {
        let answers = || vec![described("alias", Some(alias()), None), loaded(vec![weights(family)])];
        let printed = text(show(), with_models(vec![alias()]), answers()).await;
        assert!(printed.out.contains(words), "{}", printed.out);
        let printed = run(On::Pipe, Form::Json, show(), with_models(vec![alias()]), answers()).await;
        let names = if family == "llama" { serde_json::json!([]) } else { serde_json::json!(["qwen3-coder:30b"]) };
        assert_eq!(json(&printed)["may_be_loaded_as"], names);
    }
}

#[tokio::test]
async fn a_model_that_is_not_there_ends_with_4() {
    let errands = [
        Subcommand::Show { name: "nope".into(), known: known(&[]) },
        Subcommand::Remove { name: "nope".into(), consent: Consent::Given },
        Subcommand::Remove { name: "nope".into(), consent: Consent::Nobody },
    ];
    for errand in errands {
        let printed = text(errand, with_models(vec![tiny()]), vec![described("nope", None, None)]).await;
        assert_eq!((printed.end, printed.end.code()), (End::NoModel, 4));
        assert!(printed.progress.contains("`agent models pull nope` gets it"), "{}", printed.progress);
    }
}

#[tokio::test]
async fn a_model_that_is_there_stays_where_nobody_agrees_and_the_flag_is_named() {
    let errand = Subcommand::Remove { name: "tiny".into(), consent: Consent::Nobody };
    let printed = text(errand, with_models(vec![tiny()]), vec![described("tiny", Some(tiny()), None)]).await;
    assert_eq!((printed.end, printed.end.code()), (End::WrongUsage, 2));
    assert!(printed.progress.contains("--yes agrees beforehand"), "{}", printed.progress);
    assert!(!printed.ops.contains(&Op::Server(ServerOp::RemoveModel { name: "tiny".into() })));
}

#[tokio::test]
async fn a_model_that_the_server_cannot_tell_about_may_well_be_installed() {
    let errands = [
        Subcommand::Show { name: "m".into(), known: known(&[]) },
        Subcommand::Remove { name: "m".into(), consent: Consent::Given },
    ];
    for errand in errands {
        let printed = text(errand, with_models(vec![tiny()]), vec![untold("m")]).await;
        assert_eq!((printed.end, printed.end.code()), (End::Failed, 1));
        let words = "the server could not tell about the model m: the server refused (500: disk I/O error); see the \
                     server's log, then try again\n";
        assert_eq!(printed.progress, words);
    }
}

fn pulling(states: &[PullState]) -> Answers {
    let event = |state: &PullState| Event::Server(ServerEvent::Pulling { name: "m".into(), state: state.clone() });
    vec![(Op::Server(ServerOp::Pull { name: "m".into() }), states.iter().map(event).collect())]
}

fn far(done: u64) -> PullState {
    PullState::Progress { status: "pulling 2af3b81862c6".into(), done, total: 5_000_000_000 }
}

fn arriving() -> Vec<PullState> {
    let word = |status: &str, done, total| PullState::Progress { status: status.into(), done, total };
    let mut states = vec![word("pulling manifest", 0, 0)];
    states.extend((0..=50).map(|part| far(part * 100_000_000)));
    states.push(word("verifying sha256 digest", 5_000_000_000, 5_000_000_000));
    states.push(PullState::Done);
    states
}

#[tokio::test]
async fn without_a_terminal_a_download_has_a_line_for_every_ten_percent() {
    let errand = Subcommand::Pull { name: "m".into() };
    let printed = text(errand, with_models(Vec::new()), pulling(&arriving())).await;
    assert_eq!((printed.end, printed.out.as_str()), (End::Answered, "m is here, 5.0 GB\n"));
    let lines: Vec<&str> = printed.progress.lines().collect();
    assert_eq!(lines.len(), 11, "{lines:?}");
    assert_eq!((lines[0], lines[3]), ("m: 0 % · 0 B of 5.0 GB", "m: 30 % · 1.5 GB of 5.0 GB"));
}

#[tokio::test]
async fn on_a_terminal_it_has_one_line_that_is_drawn_anew() {
    let errand = Subcommand::Pull { name: "m".into() };
    let printed = run(On::Terminal, Form::Text, errand, with_models(Vec::new()), pulling(&arriving())).await;
    assert!(!printed.progress.contains('\n'), "{:?}", printed.progress);
    let drawn: Vec<&str> = printed.progress.split('\r').map(|line| line.trim_end_matches("\u{1b}[K")).collect();
    assert_eq!(drawn[1], "m: pulling manifest");
    assert!(drawn.contains(&"m: 50 % · 2.5 GB of 5.0 GB"), "{drawn:?}");
    assert!(drawn.contains(&"m: 100 % · 5.0 GB of 5.0 GB · verifying sha256 digest"), "{drawn:?}");
    assert_eq!(drawn.last(), Some(&""), "and is taken away in the end");
}

#[tokio::test]
async fn a_download_that_fails_says_why_and_a_model_that_nobody_has_ends_with_4() {
    let gos =
        "pull model manifest: Get \"https://registry.example/v2/m\": dial tcp: lookup registry.example: no such host";
    let no_route = ServerError::PullFailed { message: gos.into() };
    let unknown = ServerError::NotInLibrary { model: "m".into(), library: "ollama.com/library".into() };
    for (trouble, end, words) in [
        (no_route, End::Failed, "what has arrived stays (the server's words: pull model manifest: Get"),
        (unknown, End::NoModel, "the library has no model m; ollama.com/library lists those there are"),
    ] {
        let errand = Subcommand::Pull { name: "m".into() };
        let failed = PullState::Failed { trouble: trouble.clone() };
        let printed = text(errand, with_models(Vec::new()), pulling(&[far(1), failed])).await;
        assert_eq!(printed.end, end, "{trouble}");
        assert!(printed.progress.contains(words), "{}", printed.progress);
    }
}

fn removed() -> Answers {
    let gone = Event::Server(ServerEvent::ModelRemoved { name: "tiny".into(), trouble: None });
    vec![described("tiny", Some(tiny()), None), (Op::Server(ServerOp::RemoveModel { name: "tiny".into() }), vec![gone])]
}

fn answering(line: &'static str) -> Subcommand {
    Subcommand::Remove { name: "tiny".into(), consent: Consent::Asked(Box::new(Cursor::new(line))) }
}

#[tokio::test]
async fn a_model_is_removed_only_after_a_yes() {
    for (line, end, words) in [
        ("y\n", End::Answered, "tiny is removed\n"),
        ("Yes\n", End::Answered, "tiny is removed\n"),
        ("n\n", End::Failed, ""),
        ("\n", End::Failed, ""),
        ("", End::Failed, ""),
    ] {
        let printed = text(answering(line), with_models(vec![tiny()]), removed()).await;
        assert_eq!((printed.end, printed.out.as_str()), (end, words), "{line:?}");
        let question = "Remove tiny:latest from http://127.0.0.1:11434? [y/N] ";
        assert!(printed.progress.starts_with(question), "{}", printed.progress);
        let asked = printed.ops.contains(&Op::Server(ServerOp::RemoveModel { name: "tiny".into() }));
        assert_eq!(asked, end == End::Answered, "{line:?}");
    }
    let errand = Subcommand::Remove { name: "tiny".into(), consent: Consent::Given };
    let printed = run(On::Pipe, Form::Json, errand, with_models(vec![tiny()]), removed()).await;
    assert_eq!((&json(&printed)["removed"], printed.progress.as_str()), (&true.into(), ""));
}

#[tokio::test]
async fn the_question_says_that_a_model_is_in_use() {
    let answers = vec![described("tiny", Some(coder()), Some(coder_loaded()))];
    let printed = text(answering("n\n"), with_models(vec![coder()]), answers).await;
    let question = "Remove qwen3-coder:30b (18.6 GB) from http://127.0.0.1:11434? It is in memory now. [y/N] ";
    assert!(printed.progress.starts_with(question), "{}", printed.progress);
}

#[tokio::test]
async fn no_name_of_a_server_commands_the_terminal_or_forges_a_row() {
    let evil = "\u{1b}[2J\u{202e}x\nforged  row";
    let card = ModelCard { name: evil.into(), family: Some(evil.into()), ..coder() };
    let lies = LoadedModel { name: evil.into(), ..coder_loaded() };
    let show = Subcommand::Show { name: evil.into(), known: known(&[]) };
    let pull = Subcommand::Pull { name: evil.into() };
    let state = |status: &str| PullState::Progress { status: status.into(), done: 0, total: 0 };
    let progress = Event::Server(ServerEvent::Pulling { name: evil.into(), state: state(evil) });
    let trouble = ServerError::PullFailed { message: evil.into() };
    let failed = Event::Server(ServerEvent::Pulling { name: evil.into(), state: PullState::Failed { trouble } });
    for (errand, answers) in [
        (Subcommand::List(Vec::new()), vec![loaded(vec![lies.clone()])]),
        (show, vec![described(evil, Some(card.clone()), Some(lies))]),
        (pull, vec![(Op::Server(ServerOp::Pull { name: evil.into() }), vec![progress, failed])]),
    ] {
        let start = with_models(vec![card.clone()]);
        let printed = run(On::Terminal, Form::Text, errand, start, answers).await;
        let said = format!("{}{}", printed.out, printed.progress.replace("\r", "").replace("\u{1b}[K", ""));
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
        assert!(!said.lines().any(|line| line.starts_with("forged")), "{said:?}");
    }
}

#[tokio::test]
async fn a_server_that_manages_its_models_itself_is_asked_for_nothing_but_its_list() {
    let start = || vec![opened(), only_talks()];
    for (errand, words) in [
        (Subcommand::Pull { name: "m".into() }, "cannot download a model for you"),
        (answering("y\n"), "cannot remove a model for you"),
    ] {
        let printed = text(errand, start(), Vec::new()).await;
        assert_eq!((printed.end, printed.ops.len()), (End::Failed, 0), "{}", printed.progress);
        assert!(printed.progress.contains("this server manages its models itself: it "), "{}", printed.progress);
        assert!(printed.progress.contains(words), "{}", printed.progress);
    }
    let listed = |models| {
        let listed = Event::Server(ServerEvent::Models { models, reason: ModelsReason::NoneChosen });
        [start(), vec![listed]].concat()
    };
    let printed = text(Subcommand::List(Vec::new()), listed(vec![tiny()]), Vec::new()).await;
    assert!(printed.out.contains("tiny") && printed.ops.is_empty(), "{}", printed.out);
    let printed = text(Subcommand::List(Vec::new()), listed(Vec::new()), Vec::new()).await;
    assert_eq!(printed.out, "the server has no model\n");
}
