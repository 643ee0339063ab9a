//! Several files in one question: those that change together, and those that a command acts on.

use super::groups::offered;
use super::harness::{Stage, asks_command, turn, turn_ended};
use super::inquiries::asks;
use super::looks::{look, worked};
use super::plans::{asks_plan, finished, proposed};
use super::todos::todos;
use crate::app::Msg;
use crate::cmd::{Cmd, Purpose};
use crate::terminal::Edited;
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallId, CallOp, Changes, Event, FileDiff, Op, Preview, PreviewBody, Profile,
    Proposal, Question, Status, Subject,
};
use serde_json::json;
use std::path::PathBuf;

fn file(name: &str, before: Option<&str>, after: Option<&str>) -> FileDiff {
    FileDiff {
        path: PathBuf::from("/home/me/project").join(name),
        shown_path: name.into(),
        before: before.map(Into::into),
        after: after.map(Into::into),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    }
}

pub(super) fn files() -> Vec<FileDiff> {
    let before: String = (1..30).map(|number| format!("line {number}\n")).collect();
    let after = before.replace("line 7\n", "line seven\n").replace("line 20\n", "line 20\nline 20½\n");
    vec![
        file("src/main.rs", Some(&before), Some(&after)),
        file("src/added.rs", None, Some("//! New.\n\npub fn new() {}\n")),
        file("docs/gone.md", Some("# Gone\n\nNobody reads this.\n"), None),
    ]
}

pub(super) fn asks_files(files: Vec<FileDiff>) -> Event {
    let subject = Subject::Action { action: Action::Write { changes: Changes(Vec::new()) } };
    let preview = Preview { title: "Change 3 files".into(), body: PreviewBody::Diff { files } };
    let why = "safe mode asks before every write".into();
    let (offers, warnings, parts) = (Vec::new(), Vec::new(), Vec::new());
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject,
            preview,
            why,
            offers,
            warnings,
            parts,
            cause: Default::default(),
        },
    })
}

pub(super) fn asks_commit() -> Event {
    let mut event = asks_command("git commit -m 'Multiply by the quantity'");
    if let Event::Call(CallEvent::Asked { question }) = &mut event {
        question.preview.title = "Commit 3 files".into();
        if let PreviewBody::Command { files: shown, note, profile, .. } = &mut question.preview.body {
            *shown = files();
            *note = Some("hooks do not run".into());
            *profile = Profile::Project;
        }
    }
    event
}

fn asked(event: Event) -> Stage {
    let mut stage = Stage::new();
    stage.resize(80, 24).hear(turn("go")).hear(event).wait(600);
    stage
}

#[test]
fn arrows_go_from_file_to_file() {
    let mut stage = asked(asks_files(files()));
    assert!(stage.shows("Change 3 files?  +5 −4") && stage.shows("← → file 1 of 3"), "{}", stage.screen());
    for (key, at, heading) in [
        ("<right>", "file 2 of 3", "src/added.rs  +3 −0"),
        ("<right>", "file 3 of 3", "docs/gone.md  +0 −3"),
        ("<right>", "file 3 of 3", "the file is deleted"),
        ("<left>", "file 2 of 3", "new file"),
        ("<left>", "file 1 of 3", "src/main.rs  +2 −1"),
        ("<left>", "file 1 of 3", "safe mode asks before every write"),
    ] {
        stage.keys(key);
        let shown = stage.screen();
        assert!(shown.contains(at) && shown.contains(heading), "{key} {at} {heading}\n{shown}");
    }
}

#[test]
fn whoever_scrolls_is_told_at_which_file_they_are() {
    let mut stage = asked(asks_files(files()));
    stage.resize(40, 12).keys(&"<pgdn>".repeat(9));
    assert!(!stage.shows("file 1 of 3"), "{}", stage.screen());
    stage.keys("<home>");
    assert!(stage.shows("file 1 of 3"), "{}", stage.screen());
}

#[test]
fn the_file_that_is_looked_at_is_the_one_that_is_edited() {
    let mut stage = asked(asks_files(files()));
    stage.keys("<right>");
    assert!(stage.shows("e/3 edit src/added.rs first"), "{}", stage.screen());
    stage.keys("<=e>");
    let [Cmd::Edit { text, extension, purpose, .. }] = &stage.cmds()[..] else { panic!("it is edited") };
    let path = PathBuf::from("/home/me/project/src/added.rs");
    let wanted = Purpose::Proposal { ask: AskId(1), path: path.clone() };
    assert_eq!((text.as_str(), extension.as_str(), purpose), ("//! New.\n\npub fn new() {}\n", "rs", &wanted));
    stage.tell(Msg::Edited(wanted, Edited::Text("//! Newer.\n".into())));
    let proposal = Proposal::Text { path, text: "//! Newer.\n".into() };
    assert_eq!(stage.ops(), [Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Instead { proposal } })]);
}

#[test]
fn a_file_that_goes_cannot_be_edited() {
    let mut stage = asked(asks_files(files()));
    stage.keys("<right><right><=e>");
    assert_eq!(stage.cmds(), []);
    assert!(!stage.shows("e edit"), "{}", stage.screen());
}

#[test]
fn what_a_command_acts_on_is_read_before_a_yes_counts() {
    let mut stage = asked(asks_commit());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), []);
    stage.keys(&"<pgdn>".repeat(8)).keys("<=y>");
    assert_eq!(
        stage.ops(),
        [Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Yes { remember: None, word: None } })]
    );
}

fn one_long_file_of_two() -> Event {
    let long: String = (0..300).map(|number| format!("line {number}\n")).collect();
    asks_files(vec![file("long.txt", None, Some(&long)), file("short.txt", None, Some("short\n"))])
}

#[test]
fn a_file_that_was_jumped_over_was_not_seen() {
    let yes = Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Yes { remember: None, word: None } });
    for jump in ["<right>", "<end>"] {
        let mut stage = asked(one_long_file_of_two());
        stage.keys(jump).keys("<=y>");
        assert_eq!(stage.ops(), [], "{jump}");
        assert!(stage.shows("lines not shown: PgUp to read, y again"), "{jump}: {}", stage.screen());
        let digits = stage.screen().split(" lines not shown").next().unwrap().rsplit(' ').next().unwrap().to_owned();
        assert!((270..300).contains(&digits.parse::<i32>().unwrap()), "{digits}: what is above the end is told");
        stage.wait(300).keys("<=y>");
        assert_eq!(stage.ops(), std::slice::from_ref(&yes), "{jump}");
    }
    let mut stage = asked(one_long_file_of_two());
    stage.keys(&"<pgdn>".repeat(60)).keys("<=y>");
    assert_eq!(stage.ops(), [yes]);
}

#[test]
fn the_command_itself_is_what_is_edited_and_its_files_are_gone_through() {
    let mut stage = asked(asks_commit());
    stage.keys("<right>");
    assert!(
        stage.shows("e/3 edit   w/4") && stage.shows("file 2 of 3") && stage.shows("src/added.rs"),
        "{}",
        stage.screen()
    );
    stage.keys("<=e><c-u>git status<enter>");
    let proposal = Proposal::Command { command: "git status".into() };
    assert_eq!(stage.ops(), [Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::Instead { proposal } })]);
}

#[test]
fn a_command_names_its_file_where_there_is_but_one() {
    let mut event = asks_commit();
    if let Event::Call(CallEvent::Asked { question }) = &mut event
        && let PreviewBody::Command { files, .. } = &mut question.preview.body
    {
        files.truncate(1);
    }
    let mut stage = asked(event);
    assert!(stage.shows("src/main.rs  +2 −1") && !stage.shows("← →"), "{}", stage.screen());
}

#[test]
fn what_a_command_acted_on_can_be_unfolded_in_the_conversation() {
    let Event::Call(CallEvent::Asked { question }) = asks_commit() else { unreachable!("a question") };
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(proposed("git_operation", json!({"action": "commit"})));
    stage
        .hear(Event::Call(CallEvent::Running { call: CallId(1), preview: question.preview }))
        .hear(finished(Status::Done, "done"));
    assert!(!stage.shows("line seven"), "{}", stage.screen());
    stage.keys("<c-o>");
    for told in ["$ git commit -m", "src/main.rs  +2 −1", "+ line seven", "docs/gone.md  +0 −3", "the file is deleted"]
    {
        assert!(stage.shows(told), "{told}: {}", stage.screen());
    }
}

#[test]
fn every_size_can_be_drawn() {
    let long = "数据库\u{1b}".repeat(60);
    for width in (40..130).step_by(9) {
        for height in [12, 13, 15, 16, 17, 30] {
            let mut stage = Stage::new();
            stage.hear(turn("go")).hear(todos(3, 7)).resize(width, height).hear(asks_commit());
            stage
                .wait(600)
                .keys("<right><right><end><left><=n>")
                .hear(asks_plan(&long))
                .wait(600)
                .keys("<end><=r>no<esc><=n>");
            stage.hear(asks(&long, &[&long, "b"])).wait(600).keys("<down><pgup>x").paste(&long).keys("<esc><esc>");
            stage
                .hear(turn_ended())
                .hear(offered(&["core"]))
                .keys("/tools<enter><end><pgup><up><space>")
                .wait(400)
                .keys("<esc>");
            assert!(stage.shows("SAFE"), "{width}x{height}");
            let replies = stage.ops();
            assert_eq!(replies.len(), 4, "{replies:?} at {width}x{height}");
        }
    }
}

#[test]
fn several_files_asked_about() {
    look("asks_files", |stage| {
        worked(stage);
        stage.hear(asks_files(files())).wait(600).keys("<right>");
    });
}

#[test]
fn a_commit_asked_about() {
    look("asks_commit", |stage| {
        worked(stage);
        stage.hear(asks_commit()).wait(600);
    });
}
