//! Answering questions.

use super::harness::{Stage, asks_command, asks_edit, turn};
use crate::app::Msg;
use crate::cmd::{Cmd, Purpose};
use crate::terminal::Edited;
use agent_protocol::{
    Answer, AskId, CallEvent, CallOp, Event, Op, Preview, PreviewBody, Proposal, Question, Rule, Settlement, Subject,
    TurnOp,
};

fn asked(event: Event) -> Stage {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(event);
    stage
}

fn reply(answer: Answer) -> Op {
    Op::Call(CallOp::Reply { ask: AskId(1), answer })
}

fn yes() -> Op {
    reply(Answer::Yes { remember: None, word: None })
}

#[test]
fn y_says_yes_when_nothing_was_typed_for_a_second_before_it_and_nothing_comes_for_400_ms_after_it() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("<enter>").hear(asks_command("make")).wait(1_000).keys("y").wait(399);
    assert_eq!(stage.ops(), []);
    stage.wait(1);
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn keys_in_the_first_half_second_answer_nothing() {
    let mut stage = asked(asks_command("make"));
    stage.wait(499).keys("ynae<esc><tab><enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("approve once") && stage.shows("nothing was answered"));
}

#[test]
fn enter_alone_and_pastes_answer_nothing() {
    let mut stage = asked(asks_command("make"));
    stage.wait(600).keys("<enter>");
    assert!(stage.shows("Enter answers after an arrow chose; or press y or n"));
    stage.paste("y");
    assert!(stage.shows("a paste answers nothing"));
    assert_eq!(stage.ops(), []);
}

#[test]
fn words_in_the_middle_of_which_a_question_comes_stay_words() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("please sa").hear(asks_command("make"));
    stage.wait(100).keys("y ").wait(300).keys("y").wait(300).keys("es");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("› please say yes") && stage.shows("that went to your message; backspace it to answer"));
    stage.keys("<backspace><backspace><backspace><backspace><=n>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "please sayn".into()), "a part of it stands there");
    stage.keys("<backspace><backspace>");
    assert!(!stage.shows("that went to your message"), "{}", stage.screen());
    stage.keys("<=n>");
    assert_eq!(stage.ops(), [reply(Answer::No { word: None })]);
    assert_eq!(stage.app.composer.text(), "please sa");
}

#[test]
fn a_remembers_what_its_words_say() {
    let mut stage = asked(asks_command("make"));
    assert!(
        stage.shows("a/5 approve, and don't ask again in this session for exactly this command in /home/me/project")
    );
    stage.wait(600).keys("<=a>");
    let remember = Some(Rule::Command { command: "make".into(), cwd: "/home/me/project".into() });
    assert_eq!(stage.ops(), [reply(Answer::Yes { remember, word: None })]);
}

#[test]
fn a_means_nothing_where_nothing_is_offered_and_goes_to_the_message() {
    let mut stage = asked(brake());
    stage.wait(600).keys("<=a>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "a".into()));
    assert!(stage.shows("that went to your message"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "ay".into()));
    stage.keys("<c-u><=y>");
    assert_eq!((stage.ops(), stage.app.composer.is_empty()), (vec![yes()], true));
}

#[test]
fn esc_refuses_and_ends_the_turn() {
    let mut stage = asked(asks_command("make"));
    stage.wait(600).keys("<esc>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
}

#[test]
fn a_word_goes_with_either_answer() {
    for (key, answer) in [
        ("y", Answer::Yes { remember: None, word: Some("yes y n".into()) }),
        ("n", Answer::No { word: Some("yes y n".into()) }),
    ] {
        let mut stage = asked(asks_command("make"));
        stage.wait(600).keys("<tab>");
        assert!(stage.shows("your word to the model"));
        stage.keys("yes y n<enter>");
        assert!(stage.shows("your word: yes y n"));
        stage.keys(&format!("<={key}>"));
        assert_eq!(stage.ops(), [reply(answer)]);
    }
}

#[test]
fn esc_drops_the_word_and_not_the_question() {
    let mut stage = asked(asks_command("make"));
    stage.wait(600).keys("<tab>never<esc><=y>");
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_command_is_edited_in_place_and_proposed_instead() {
    let mut stage = asked(asks_command("make"));
    stage.wait(600).keys("<=e> test<enter>");
    let proposal = Proposal::Command { command: "make test".into() };
    assert_eq!(stage.ops(), [reply(Answer::Instead { proposal })]);
}

#[test]
fn a_command_left_as_it_was_is_asked_still() {
    let mut stage = asked(asks_command("make"));
    stage.wait(600).keys("<=e><enter>");
    assert!(stage.shows("the command is unchanged") && stage.shows("approve once"));
    assert_eq!(stage.ops(), []);
}

#[test]
fn a_file_is_edited_in_the_editor_and_proposed_instead() {
    let mut stage = asked(asks_edit("old\n", "new\n"));
    stage.wait(600).keys("<=e>");
    let path = std::path::PathBuf::from("/home/me/project/src/main.rs");
    let purpose = Purpose::Proposal { ask: AskId(1), path: path.clone() };
    assert_eq!(
        stage.cmds(),
        [Cmd::Edit { text: "new\n".into(), extension: "rs".into(), line: Some(1), purpose: purpose.clone() }]
    );
    stage.tell(Msg::Edited(purpose, Edited::Text("mine\n".into())));
    let proposal = Proposal::Text { path, text: "mine\n".into() };
    assert_eq!(stage.ops(), [reply(Answer::Instead { proposal })]);
}

#[test]
fn back_from_the_editor_the_first_half_second_counts_again() {
    let mut stage = asked(asks_edit("old\n", "new\n"));
    stage.wait(600).keys("<=e>").cmds();
    let size = stage.app.size;
    stage.tell(Msg::Back(size)).keys("y").wait(400);
    assert_eq!(stage.ops(), []);
    stage.wait(600).keys("<=y>");
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_question_that_cannot_be_seen_hears_nothing() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).resize(30, 8).hear(asks_command("make")).wait(600).keys("<=y>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("40x12"));
    stage.resize(120, 40).keys("y").wait(400);
    assert_eq!(stage.ops(), []);
    stage.wait(600).keys("<=y>");
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_settled_question_is_gone() {
    let mut stage = asked(asks_command("make"));
    stage.hear(Event::Call(CallEvent::Settled { ask: AskId(1), settlement: Settlement::Withdrawn }));
    assert!(!stage.shows("approve once"));
}

#[test]
fn what_cannot_be_seen_in_a_command_is_made_visible() {
    let mut stage = asked(asks_command("echo \u{202e}safe\u{200b} \u{1b}[2J\nrm -rf ./build"));
    let shown = stage.screen();
    assert!(shown.contains("$ echo ⟨U+202E⟩safe⟨U+200B⟩ ␛[2J\n"), "{shown}");
    assert!(shown.contains("   rm -rf ./build"), "{shown}");
}

#[test]
fn a_long_command_is_shown_to_its_last_character() {
    let command = format!("echo {}THE-END", "long ".repeat(60));
    let mut stage = asked(asks_command(&command));
    let shown: String = stage.screen().split_whitespace().collect();
    assert!(shown.contains(&command.split_whitespace().collect::<String>()), "{shown}");
}

pub(super) fn brake() -> Event {
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: None,
            subject: Subject::Steps { steps: 100 },
            preview: Preview { title: "Go on?".into(), body: PreviewBody::Plain },
            why: "the model has taken 100 steps in this turn; yes lets it take as many again".into(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

#[test]
fn a_brake_is_a_question_like_any_other() {
    let mut stage = asked(brake());
    assert!(stage.shows("Go on?") && stage.shows("100 steps") && stage.shows("y/1 go on"));
    stage.wait(600).keys("<c-o><=y>");
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_word_goes_with_the_answer_to_a_brake() {
    let word = || Some("the tests are in tests/".to_owned());
    for (key, answer) in [("y", Answer::Yes { remember: None, word: word() }), ("n", Answer::No { word: word() })] {
        let mut stage = asked(brake());
        assert!(stage.shows("y/1 go on   n/2 stop here   Tab add a word"), "{}", stage.screen());
        stage.wait(600).keys("<tab>the tests are in tests/<enter>");
        assert!(stage.shows("Tab change your word"));
        stage.keys(&format!("<={key}>"));
        assert_eq!(stage.ops(), [reply(answer)]);
    }
}

pub(super) fn folder() -> Event {
    let question = Question {
        hosts: Vec::new(),
        id: AskId(1),
        call: None,
        subject: Subject::Folder { path: "/home/me".into() },
        preview: Preview { title: "Work in /home/me?".into(), body: PreviewBody::Plain },
        why: "this is hardly a project folder".into(),
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Default::default(),
    };
    Event::Call(CallEvent::Asked { question })
}

#[test]
fn a_folder_is_declined_by_esc_as_well() {
    let mut stage = Stage::new();
    stage.hear(folder()).wait(600).keys("<esc>");
    assert_eq!(stage.ops(), [reply(Answer::No { word: None })]);
}

#[test]
fn a_letter_alone_answers_for_the_folder_and_words_go_to_the_draft() {
    let mut stage = Stage::new();
    stage.hear(folder()).wait(600).keys("you never know").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "you never know".into()));
    stage.keys("<=y>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "you never knowy".into()));
    stage.keys("<c-u>").wait(1_000).keys("y").wait(399);
    assert_eq!(stage.ops(), []);
    stage.wait(1);
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_letter_too_early_for_the_folder_says_so() {
    let mut stage = Stage::new();
    stage.hear(folder()).wait(100).keys("n").wait(500);
    assert!(stage.shows("nothing was answered") && stage.app.composer.is_empty());
    assert_eq!(stage.ops(), []);
}

#[test]
fn where_a_command_runs_is_seen_on_the_smallest_screen_too() {
    let mut stage = asked(asks_command(&"make all the things there are to be made; ".repeat(9)));
    stage.resize(40, 12);
    let shown = stage.screen();
    assert!(shown.contains("in /home/me/project, 2 min at most") && shown.contains("$ make all"), "{shown}");
    assert!(shown.contains("more lines") && shown.contains("y approve once"), "{shown}");
}

#[test]
fn trust_is_not_given_by_a_letter_while_words_stand_in_the_draft() {
    let trust = Question {
        hosts: Vec::new(),
        id: AskId(1),
        call: None,
        subject: Subject::Trust { path: "/home/me".into(), found: Vec::new() },
        preview: Preview { title: "Trust /home/me?".into(), body: PreviewBody::Plain },
        why: "nobody has said yet".into(),
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Default::default(),
    };
    let mut stage = Stage::new();
    stage
        .hear(Event::Call(CallEvent::Asked { question: trust }))
        .wait(600)
        .keys("xn")
        .wait(2_000)
        .keys("<=y>")
        .wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "xny".into()));
    assert!(stage.shows("that went to your message"), "{}", stage.screen());
    stage.keys("<backspace><backspace><backspace>").wait(2_000).keys("<=y>").wait(500);
    assert_eq!(stage.ops(), [yes()]);
}
