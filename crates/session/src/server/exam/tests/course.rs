//! The course of a whole examination: what is asked, what is not, and what is said in the end.

use super::*;

#[test]
fn each_question_offers_its_tool_alone_and_leaves_thinking_to_the_session() {
    let (asked, findings, examined) = play(exam(), right);
    let told = asked.iter().map(|next| match next {
        ExamStep::Ask { probe, tools, think, .. } => {
            assert!(tools.iter().all(|tool| specs().contains(tool)), "as the session has them");
            (*probe, tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), *think)
        }
        other => panic!("{other:?}"),
    });
    let expected = [
        (Probe::OneCall, vec!["read_file"], None),
        (Probe::TwoCalls, vec!["read_file"], None),
        (Probe::Write, vec!["write_file"], None),
        (Probe::Edit, vec!["edit_file"], None),
        (Probe::Stop, vec!["read_file"], None),
        (Probe::Think, vec![], Some(Think::Off)),
        (Probe::Think, vec![], Some(Think::On)),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let is_for_others = |finding: &&ProbeFinding| matches!(finding.probe, Probe::Schema | Probe::Blocks);
    let (last_ways, others): (Vec<_>, Vec<_>) = findings.iter().partition(is_for_others);
    assert!(others.iter().all(|finding| finding.verdict == ProbeVerdict::Passed), "{findings:?}");
    assert!(last_ways.iter().all(|finding| finding.verdict == ProbeVerdict::Skipped), "its calls work: {findings:?}");
    let faultless =
        Examined { tools_by: Some(ToolsBy::Server), ways: vec![Way::Server], findings, ..Examined::default() };
    assert_eq!(examined, faultless);
}

#[test]
fn every_conversation_begins_with_one_system_message_and_a_result_follows_its_call() {
    let (asked, ..) = play(exam(), right);
    for next in asked {
        let ExamStep::Ask { messages, .. } = next else { panic!("{next:?}") };
        let roles: Vec<&str> = messages
            .iter()
            .map(|message| match message.role {
                agent_protocol::Role::System => "system",
                agent_protocol::Role::User => "user",
                agent_protocol::Role::Assistant => "call",
                agent_protocol::Role::Tool => "result",
            })
            .collect();
        assert!([&["system", "user"][..], &["system", "user", "call", "result"][..]].contains(&&*roles), "{roles:?}");
    }
}

#[test]
fn what_cannot_be_asked_is_skipped_with_words() {
    let only_reads = &specs()[..1];
    let (asked, findings, _) = play(Exam::new(&card(Some(false)), only_reads, WINDOW), right);
    assert_eq!(asked.len(), 3);
    let told: Vec<_> = findings.into_iter().map(|finding| (finding.verdict, finding.words)).collect();
    assert_eq!(told[2], skipped("no tool that writes a file is offered"));
    assert_eq!(told[3], skipped("no tool that edits a file is offered"));
    assert_eq!(told[6], skipped("the model has no thinking to switch"));
    let (asked, findings, examined) = play(Exam::new(&card(None), &[], WINDOW), right);
    assert_eq!((asked.len(), findings.len()), (0, Probe::ALL.len()));
    assert_eq!(findings[6].words, "the server does not say whether the model can think");
    assert_eq!((examined.tools_by, &examined.findings), (None, &findings));
}

#[test]
fn trouble_that_would_come_again_fails_the_rest_of_its_kind() {
    let busy = || trouble(ServerError::Busy { status: 503, message: "full".into() });
    let (asked, findings, examined) = play(exam(), |next| match next {
        ExamStep::Ask { probe: Probe::TwoCalls, .. } => busy(),
        other => right(other),
    });
    assert_eq!(asked.len(), 4, "one call, two calls, and thinking off and on");
    for finding in &findings[1..5] {
        assert_eq!((finding.verdict, finding.words.as_str()), (ProbeVerdict::Failed, "the server is busy (503: full)"));
    }
    assert_eq!(findings[6].verdict, ProbeVerdict::Passed);
    assert_eq!(examined.faults, [""; 0], "the model is not to blame");
    assert_eq!(finding(Probe::Think, vec![busy()]), failed("the server is busy (503: full)"));
}

#[test]
fn trouble_of_one_reply_fails_one_question() {
    let bad = || ServerError::BadCall { message: "invalid character".into() };
    let words = "the server could not read the model's reply: invalid character";
    for probe in [Probe::OneCall, Probe::TwoCalls, Probe::Write, Probe::Edit, Probe::Stop] {
        let (_, findings, examined) = play(exam(), |next| match next {
            ExamStep::Ask { probe: asked, .. } if *asked == probe => trouble(bad()),
            other => right(other),
        });
        let failed: Vec<_> = findings.iter().filter(|finding| finding.verdict == ProbeVerdict::Failed).collect();
        assert_eq!(failed, [&ProbeFinding { probe, verdict: ProbeVerdict::Failed, words: words.into() }]);
        assert_eq!(examined.faults, [format!("{}: {words}", probe.words())]);
    }
    assert_eq!(finding(Probe::Think, vec![text("92"), trouble(ServerError::NotDone)]), {
        failed("the reply ended without its last line; the server may have stopped a loop")
    });
}

#[test]
fn a_call_that_was_read_in_a_servers_error_counts() {
    let (call, origin) = as_text(read("notes.txt"), &[]);
    let origin = Origin { way: Way::ServerError, ..origin };
    let bad = ServerError::BadCall { message: "raw='…'".into() };
    let answer = Answer { trouble: Some(bad.clone()), ..calls(&[(call, origin)]) };
    assert_eq!(finding(Probe::OneCall, vec![answer]), rescued("the call was read from a server error"));
    let before_it = Answer { trouble: Some(bad.clone()), ..calls(&[read("notes.txt")]) };
    assert_eq!(finding(Probe::OneCall, vec![before_it]), failed(&bad.to_string()));
}

#[test]
fn a_server_that_goes_away_ends_all() {
    let (asked, findings, examined) = play(exam(), |next| match next {
        ExamStep::Ask { probe: Probe::Write, .. } => trouble(gone()),
        other => right(other),
    });
    assert_eq!((asked.len(), findings.len()), (3, Probe::ALL.len()));
    assert_eq!(
        (findings[2].verdict, findings[2].words.as_str()),
        (ProbeVerdict::Failed, "no model server answers at 127.0.0.1:11434 (connection refused)")
    );
    for finding in &findings[3..] {
        assert_eq!((finding.verdict, finding.words.as_str()), (ProbeVerdict::Skipped, "the server went away"));
    }
    assert_eq!(examined.findings, findings);
}

#[test]
fn a_model_that_the_server_lets_have_no_tools_gets_them_by_text() {
    let (asked, findings, examined) = play(exam(), |next| match next {
        ExamStep::Ask { probe: Probe::Think, .. } => right(next),
        _ => trouble(ServerError::NoTools { model: "tiny".into() }),
    });
    assert_eq!(asked.len(), 3);
    for finding in &findings[..5] {
        assert_eq!(finding.verdict, ProbeVerdict::Failed);
        assert!(finding.words.contains("should go by text"), "{}", finding.words);
    }
    assert_eq!(examined.tools_by, Some(ToolsBy::Text));
}

/// What a model says that does everything right, and writes its calls as text.
fn in_text(next: &ExamStep) -> Answer {
    let mut answer = right(next);
    answer.calls = answer.calls.into_iter().map(|call| as_text(call, &[])).collect();
    answer
}

#[test]
fn tools_go_the_way_that_usable_calls_came() {
    let by = |reply: &dyn Fn(&ExamStep) -> Answer| play(exam(), reply).2.tools_by;
    let once_in_text = |next: &ExamStep| match next {
        ExamStep::Ask { probe: Probe::Write, .. } => in_text(next),
        other => right(other),
    };
    let wrong = |next: &ExamStep| {
        let mut answer = right(next);
        answer.calls.iter_mut().for_each(|(call, _)| call.name = "nothing_like_it".into());
        answer
    };
    assert_eq!(by(&right), Some(ToolsBy::Server));
    assert_eq!(by(&once_in_text), Some(ToolsBy::Server));
    assert_eq!(by(&in_text), Some(ToolsBy::Text));
    // What gets nothing done by calls works by files.
    assert_eq!(by(&wrong), Some(ToolsBy::Files));
    assert_eq!(by(&|_| text("no")), Some(ToolsBy::Files));
}

#[test]
fn who_gets_nothing_done_by_calls_is_asked_for_a_block() {
    let blocks = |answer: &str| {
        let (asked, findings, examined) = play(exam(), |next| match next {
            ExamStep::Ask { probe: Probe::Blocks, tools, .. } => {
                assert!(tools.is_empty());
                text(answer)
            }
            _ => text("no"),
        });
        let ExamStep::Ask { probe: Probe::Blocks, messages, .. } = asked.last().unwrap() else { panic!("{asked:?}") };
        assert_eq!(messages[1].content.matches("def greet_").count(), 10, "{messages:?}");
        let finding = findings.into_iter().last().unwrap();
        (finding.verdict, finding.words, suits(&examined).blocks)
    };
    let wrong = |old: &str| {
        format!(
            "greet.py\n```\n<<<<<<< SEARCH\n{old}\n=======\n    return \"Hello, stranger!\"\n>>>>>>> REPLACE\n```\n"
        )
    };
    let (met, exactly) = (ProbeVerdict::Passed, "its blocks were met exactly".to_owned());
    assert_eq!(blocks(BLOCK), (met, exactly.clone(), Some(true)));
    assert_eq!(blocks(&wrong("    return \"Hello, you!\"")), (met, exactly, Some(true)), "in a fence");
    for (answer, why) in [
        (wrong("    return \"Hello you\""), "what a block searches for is 0 times in the file"),
        (wrong("    return \"Hello, friend 4!\""), "the blocks make another text"),
        ("greet.py\n```python\ndef greet_5():\n    return 1\n```\n".to_owned(), "no block: it wrote"),
    ] {
        let (verdict, words, blocks) = blocks(&answer);
        assert_eq!((verdict, blocks), (ProbeVerdict::Failed, None), "{answer}");
        assert!(words.starts_with(why), "{words}");
    }
}

/// How a model is asked that is held to a schema whose other calls need help: what goes along with each request, the finding,
/// and whether a schema helps it only without the tools.
fn held(answers: &[Answer]) -> (Vec<(usize, bool)>, ProbeVerdict, String, bool) {
    let mut answers = answers.iter();
    let (asked, findings, examined) = play(exam(), |next| match next {
        ExamStep::Ask { probe: Probe::OneCall, .. } => in_text(next),
        ExamStep::Ask { probe: Probe::Schema, .. } => copy(answers.next().unwrap()),
        _ => right(next),
    });
    let asked = asked.iter().filter_map(|next| match next {
        ExamStep::Ask { probe: Probe::Schema, tools, messages, format, .. } => {
            assert_eq!(format.as_ref().unwrap()["anyOf"][0]["properties"]["name"]["enum"][0], "read_file");
            Some((tools.len(), messages[1].content.contains("The tools: read_file(file_path")))
        }
        _ => None,
    });
    let asked = asked.collect();
    let finding = findings.into_iter().find(|finding| finding.probe == Probe::Schema).unwrap();
    assert_eq!(examined.tools_by, Some(ToolsBy::Server));
    (asked, finding.verdict, finding.words, examined.schema_alone)
}

fn copy(answer: &Answer) -> Answer {
    let Answer { calls, text, trouble, .. } = answer;
    Answer { calls: calls.clone(), text: text.clone(), trouble: trouble.clone(), ..Answer::default() }
}

#[test]
fn whose_calls_need_help_is_held_to_a_schema_with_the_tools_and_else_without_them() {
    let (with, alone) = ((1, false), (0, true));
    let refused = || Answer {
        trouble: Some(ServerError::Refused { status: 400, message: "tools and format exclude one another".into() }),
        ..Answer::default()
    };
    let (asked, verdict, words, only_alone) = held(&[text(HELD)]);
    assert_eq!((asked, verdict, only_alone), (vec![with], ProbeVerdict::Passed, false), "{words}");
    for first in [text("I would read it."), text(&HELD.replace("notes", "other")), refused()] {
        let (asked, verdict, words, only_alone) = held(&[first, text(HELD)]);
        assert_eq!((asked, verdict, only_alone), (vec![with, alone], ProbeVerdict::Passed, true), "{words}");
        assert!(words.starts_with("a call came, without tools beside the schema (with them: "), "{words}");
    }
    let answered = "{\"name\": \"answer_in_text\", \"arguments\": {\"text\": \"no\"}}";
    let (asked, verdict, words, only_alone) = held(&[text("no"), text(answered)]);
    assert_eq!((asked, verdict, only_alone), (vec![with, alone], ProbeVerdict::Failed, false));
    assert!(words.ends_with("without tools beside the schema it answered instead of calling"), "{words}");
    let (asked, verdict, ..) = held(&[calls(&[read("notes.txt")])]);
    assert_eq!((asked.len(), verdict), (1, ProbeVerdict::Passed), "a server may make a call of it all the same");
}

#[test]
fn ways_dialects_and_faults_are_told_once_in_the_order_of_their_first_use() {
    let (_, _, examined) = play(exam(), |next| {
        let mut answer = right(next);
        match next {
            ExamStep::Ask { probe: Probe::OneCall | Probe::Edit, .. } => {
                answer.calls = answer.calls.into_iter().map(|call| as_text(call, &["comments left out"])).collect();
            }
            ExamStep::Ask { probe: Probe::Stop, .. } => answer.text = "done".into(),
            _ => {}
        }
        answer
    });
    assert_eq!(examined.ways, [Way::Text, Way::Server]);
    assert_eq!(examined.dialects, ["hermes"]);
    assert_eq!(
        examined.faults,
        [
            "the call came as text (hermes)",
            "comments left out",
            "stops after a result: the answer does not say what the result says: `done`",
        ]
    );
}

#[test]
fn what_nobody_asked_for_falls_through() {
    let mut exam = exam();
    assert_eq!(exam.looked(None), []);
    let first = exam.next();
    assert_eq!(exam.next(), first, "it waits for its answer");
    let (.., examined) = play(exam, right);
    let mut over = Exam::new(&card(None), &[], WINDOW);
    over.looked(None);
    assert_eq!(over.answered(text("late")), []);
    assert_eq!(over.looked(None), []);
    assert_eq!(examined.findings.len(), Probe::ALL.len());
}
