//! Questions, and what choices mean.

use super::*;
use agent_protocol::sanitize::{LINE_BREAKS, broken_lines};
use agent_protocol::{Action, AskId, CallId, Changes, FileDiff, Lasts, Preview, Rule, RuleOffer};

fn question(subject: Subject, body: PreviewBody, offers: &[Rule]) -> Question {
    Question {
        id: AskId(4),
        call: Some(CallId(2)),
        subject,
        preview: Preview { title: "Edit a.rs".into(), body },
        why: "safe mode asks before every write".into(),
        offers: offers.iter().map(|rule| RuleOffer { rule: rule.clone(), words: "don't ask again".into() }).collect(),
        warnings: vec!["it leaves the project".into()],
        parts: Vec::new(),
        cause: Default::default(),
        hosts: Vec::new(),
    }
}

fn write() -> Subject {
    Subject::Action { action: Action::Write { changes: Changes::default() } }
}

fn diff() -> PreviewBody {
    PreviewBody::Diff {
        files: vec![FileDiff {
            path: "/p/a.rs".into(),
            shown_path: "a.rs".into(),
            before: Some("one\n".into()),
            after: Some("two\n".into()),
            note: None,
            skipped: 0,
            marks: Vec::new(),
        }],
    }
}

fn selected(id: &str) -> Value {
    json!({"outcome": {"outcome": "selected", "optionId": id}})
}

fn put(question: &Question) -> Asking {
    asking("s", question).unwrap_or_else(|_| panic!("it can be put"))
}

#[test]
fn a_write_is_asked_with_its_difference_and_every_rule_that_is_offered() {
    let rule = Rule::ReadOnly { lasts: Lasts::Session };
    let Asking { request: told, answers, .. } = put(&question(write(), diff(), &[rule.clone(), Rule::Edits]));
    let options: Vec<(&str, &str)> = told["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| (option["kind"].as_str().unwrap(), option["name"].as_str().unwrap()))
        .collect();
    assert_eq!(
        options,
        [
            ("allow_once", "Approve once"),
            ("allow_always", "Approve, and don't ask again"),
            ("allow_always", "Approve, and don't ask again"),
            ("reject_once", "Reject"),
        ]
    );
    let call = &told["toolCall"];
    assert_eq!((&call["toolCallId"], &call["kind"]), (&json!("call-2"), &json!("edit")), "{call}");
    let content = call["content"].as_array().unwrap();
    assert!(content[1]["content"]["text"].as_str().unwrap().contains("**Warning:** it leaves the project"), "{call}");
    let difference = json!({"type": "diff", "path": "/p/a.rs", "oldText": "one\n", "newText": "two\n"});
    assert_eq!(content[0], difference);
    let answer = |id: &str| answers.meant(&selected(id));
    assert_eq!(answer("allow_once-0"), Answered::Answer(Answer::Yes { remember: None, word: None }));
    assert_eq!(answer("allow_always-1"), Answered::Answer(Answer::Yes { remember: Some(rule), word: None }));
    assert_eq!(answer("reject_once-3"), Answered::Answer(no()));
}

#[test]
fn what_is_no_choice_of_ours_is_a_no_and_what_is_taken_back_ends_the_turn() {
    let Asking { answers, .. } = put(&question(write(), diff(), &[]));
    for id in ["", "allow_once", "allow_once-1", "yes", "allow_always-0"] {
        assert_eq!(answers.meant(&selected(id)), Answered::Answer(no()), "{id}");
    }
    for told in [json!({"outcome": {"outcome": "cancelled"}}), json!({}), json!({"outcome": "selected"}), Value::Null] {
        assert_eq!(answers.meant(&told), Answered::TakenBack, "{told}");
    }
}

#[test]
fn a_question_of_the_model_is_put_with_its_answers_and_not_at_all_without_any() {
    let inquiry = |choices: &[&str]| {
        let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        question(write(), PreviewBody::Choices { question: "which?".into(), choices }, &[])
    };
    let Asking { request, answers, .. } = put(&inquiry(&["tabs", "spaces"]));
    let options = request["options"].as_array().unwrap();
    let names: Vec<&str> = options.iter().map(|option| option["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["tabs", "spaces", "None of these"]);
    let tabs = Answer::Yes { remember: None, word: Some("tabs".into()) };
    assert_eq!(answers.meant(&selected("allow_once-0")), Answered::Answer(tabs));
    let Err(Answer::No { word: Some(word) }) = asking("s", &inquiry(&[])) else { panic!("it cannot be put") };
    assert!(word.contains("end the turn"), "{word}");
}

#[test]
fn a_question_about_no_call_has_one_of_its_own() {
    let trust = Subject::Trust { path: "/p".into(), found: Vec::new() };
    let mut question = question(trust, PreviewBody::Plain, &[]);
    question.call = None;
    let Asking { request: told, alone, .. } = put(&question);
    assert_eq!(alone.as_deref(), Some("question-4"));
    assert_eq!(told["toolCall"]["toolCallId"], "question-4");
    assert_eq!(told["options"][0]["name"], "Trust it");
    assert_eq!(told["options"][1]["name"], "Work without it");
}

/// The lines of all texts of a question, blocks of code aside: in those nothing is Markdown.
fn lines_outside_code(told: &Value) -> Vec<String> {
    let contents = told["toolCall"]["content"].as_array().unwrap();
    let texts = contents.iter().filter_map(|content| content["content"]["text"].as_str());
    let mut lines = Vec::new();
    for text in texts {
        let mut fence: Option<&str> = None;
        for line in broken_lines(text) {
            let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                Some(open) if line.trim_end() == open => fence = None,
                Some(_) => {}
                None if ticks.len() >= 3 => fence = Some(ticks),
                None => lines.push(line.to_owned()),
            }
        }
    }
    lines
}

#[test]
fn nothing_that_others_write_is_taken_for_words_of_ours_and_what_nobody_sees_is_named() {
    for ends in LINE_BREAKS.into_iter().chain(["\n```\n", "\n````\n\n"]) {
        let text = || {
            format!("a\u{202e}b{ends}**Warning:** forged{ends}# forged{ends}- forged{ends}x <b>![](https://a.example)")
        };
        let PreviewBody::Diff { files } = diff() else { panic!("it is one") };
        let named = FileDiff { shown_path: text(), note: Some(text()), after: Some(text()), ..files[0].clone() };
        let ran = PreviewBody::Command {
            command: text(),
            cwd: text().into(),
            timeout_secs: 60,
            profile: Default::default(),
            cover: None,
            files: vec![named.clone()],
            note: Some(text()),
            background: false,
        };
        let found = vec![agent_protocol::Finding { name: text(), what: text() }];
        for subject in [
            write(),
            Subject::Trust { path: "/p".into(), found },
            Subject::Again { failing: text(), files: vec![text()] },
        ] {
            for body in [
                ran.clone(),
                PreviewBody::Diff { files: vec![named.clone()] },
                PreviewBody::Fetch { url: text(), sends: text() },
                PreviewBody::Call { server: text(), tool: text(), arguments: text(), description: text() },
                PreviewBody::Task { agent: text(), prompt: text() },
                PreviewBody::Plan { text: text() },
                PreviewBody::Choices { question: text(), choices: vec![text()] },
            ] {
                let mut question = question(subject.clone(), body, &[]);
                (question.why, question.warnings) = (text(), vec![text()]);
                let Asking { request, .. } = put(&question);
                let lines = lines_outside_code(&request);
                for begin in ["**Warning:** forged", "# ", "- forged", "- **forged", "x <"] {
                    assert!(!lines.iter().any(|line| line.trim_start().starts_with(begin)), "{begin}: {lines:?}");
                }
                assert!(!lines.iter().any(|line| line.contains('\u{202e}')), "{lines:?}");
                assert!(request.to_string().contains("U+202E right-to-left override"), "{request}");
                assert!(!request["toolCall"]["title"].as_str().unwrap().contains('\n'));
            }
        }
    }
}
