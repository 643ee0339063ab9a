//! Questions of the model: answers to choose from, and one's own.

use super::harness::{Stage, turn};
use super::looks::{look, worked};
use super::plans::{finished, proposed};
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallId, CallOp, Event, Op, Preview, PreviewBody, Question, SessionAct,
    Settlement, Status, Subject,
};
use serde_json::json;

const WHICH: &str = "Which database should the cache use? The project has a driver for both; only one is kept.";
const CHOICES: [&str; 3] = [
    "SQLite: one file, nothing to start",
    "Postgres, as in production",
    "none: keep it in memory, and lose it when the program ends",
];

fn preview(question: &str, choices: &[&str]) -> Preview {
    let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
    let body = PreviewBody::Choices { question: question.into(), choices };
    Preview { title: format!("Ask: {question}"), body }
}

pub(super) fn asks(question: &str, choices: &[&str]) -> Event {
    let texts = choices.iter().map(|choice| (*choice).to_owned()).collect();
    let action = Action::Session { act: SessionAct::Inquire { question: question.into(), choices: texts } };
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject: Subject::Action { action },
            preview: preview(question, choices),
            why: String::new(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

fn asked(choices: &[&str]) -> Stage {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks(WHICH, choices)).wait(600);
    stage
}

fn answered(answer: &str) -> Vec<Op> {
    vec![Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Yes { remember: None, word: Some(answer.into()) } })]
}

fn refused() -> Vec<Op> {
    vec![Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::No { word: None } })]
}

#[test]
fn arrows_or_digits_choose_and_enter_answers() {
    for (keys, choice) in
        [("", 0), ("<down>", 1), ("<down><down>", 2), ("<down><down><up>", 1), ("3", 2), ("32", 1), ("1<up>", 0)]
    {
        let mut stage = asked(&CHOICES);
        stage.keys(keys);
        assert_eq!(stage.ops(), [], "{keys}");
        stage.keys("<enter>");
        assert_eq!(stage.ops(), answered(CHOICES[choice]), "{keys}");
    }
}

#[test]
fn a_choice_is_answered_as_the_model_wrote_it() {
    let mut stage = asked(&[" a\u{200b} b "]);
    stage.keys("<enter>");
    assert_eq!(stage.ops(), answered(" a\u{200b} b "));
}

#[test]
fn nothing_is_chosen_in_the_first_half_second() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks(WHICH, &CHOICES)).wait(300).keys("<enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("nothing was answered"), "{}", stage.screen());
    stage.wait(400).keys("<enter>");
    assert_eq!(stage.ops(), answered(CHOICES[0]));
}

#[test]
fn words_in_the_middle_of_which_it_comes_are_still_words() {
    let mut stage = Stage::new();
    stage
        .hear(turn("go"))
        .keys("and th")
        .hear(asks(WHICH, &CHOICES))
        .wait(100)
        .keys("en<enter>")
        .wait(100)
        .keys(" this");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "and then this".into()));
}

#[test]
fn what_is_typed_or_pasted_is_an_own_answer() {
    for (keys, paste, answer) in [
        ("both", "", "both"),
        ("<down><down><down>  neither <enter>", "", "neither"),
        ("", "line 1\nline 2", "line 1\nline 2"),
        ("a<a-enter>b", "", "a\nb"),
        ("use 2<backspace>3 of them<home>I ", "", "I use 3 of them"),
        ("42", "", "42"),
    ] {
        let mut stage = asked(&CHOICES);
        stage.keys(keys);
        if !paste.is_empty() {
            stage.paste(paste);
        }
        stage.keys("<enter>");
        assert_eq!(stage.ops(), answered(answer), "{keys}{paste}");
    }
}

#[test]
fn without_choices_there_is_only_the_field() {
    let mut stage = asked(&[]);
    stage.keys("<enter>");
    assert!(stage.shows("write an answer, or press Esc"), "{}", stage.screen());
    stage.keys("3 times<enter>");
    assert_eq!(stage.ops(), answered("3 times"));
}

#[test]
fn escape_leaves_the_field_first_and_then_answers_no() {
    let mut stage = asked(&CHOICES);
    stage.keys("wai<esc>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("or your own: wai"), "what was written is kept: {}", stage.screen());
    stage.keys("<esc>");
    assert_eq!(stage.ops(), refused());
    let mut stage = asked(&[]);
    stage.keys("wai<esc><esc>");
    assert_eq!(stage.ops(), refused());
}

#[test]
fn of_many_choices_each_has_its_number() {
    let all: Vec<String> = (1..=12).map(|number| format!("choice {number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for (keys, answer) in
        [("1", "choice 1"), ("12", "choice 12"), ("13", "choice 3"), ("99", "choice 9"), ("10", "choice 10")]
    {
        let mut stage = asked(&all);
        stage.keys(keys).keys("<enter>");
        assert_eq!(stage.ops(), answered(answer), "{keys}");
    }
}

#[test]
fn what_was_not_on_the_screen_is_not_answered() {
    let long = "why ".repeat(200);
    let mut stage = Stage::new();
    stage.resize(40, 12).hear(turn("go")).hear(asks(&long, &CHOICES)).wait(600);
    assert!(stage.shows("why why") && !stage.shows("SQLite"), "the question comes first: {}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("› 1  SQLite"), "{}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(stage.ops(), answered(CHOICES[0]));
}

#[test]
fn a_question_commands_no_terminal() {
    let mut stage = asked(&["a\u{1b}[2J", "b\u{202e}\nc"]);
    stage.hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn }));
    stage.hear(asks("d\u{9b}\u{7}", &["a\u{1b}[2J", "b\u{202e}\nc"])).wait(600).keys("\u{e9}<esc>");
    let shown = stage.screen();
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}', '\u{9b}']) && shown.contains("a␛[2J"), "{shown}");
}

#[test]
fn a_question_of_the_model() {
    look("asks_inquiry", |stage| {
        worked(stage);
        stage.hear(asks(WHICH, &CHOICES)).wait(600).keys("<down>");
    });
}

#[test]
fn an_own_answer_being_written() {
    look("asks_inquiry_own", |stage| {
        worked(stage);
        stage
            .hear(asks(WHICH, &CHOICES))
            .wait(600)
            .keys("SQLite, but behind a trait, so that 资料库 can be another later");
    });
}

#[test]
fn a_question_that_was_answered() {
    look("inquiry_answered", |stage| {
        worked(stage);
        stage.hear(proposed("ask_user", json!({"question": WHICH}))).hear(asks(WHICH, &CHOICES));
        let settlement = Settlement::Yes { remember: None, word: Some(CHOICES[1].into()) };
        stage.hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement }));
        stage.hear(Event::Call(CallEvent::Running { call: CallId(1), preview: preview(WHICH, &CHOICES) }));
        stage.hear(finished(Status::Done, "answered")).keys("<c-o>");
    });
}
