//! Listing, showing and removing sessions.

use crate::printing::streams;
use crate::sessions::{EVIL, NOW, Printed, card, cards};
use agent_headless::sessions::{Listed, Pruning, Removal, list, prune, refused, remove, show};
use agent_headless::{Consent, End, Form};
use agent_protocol::{SessionCard, SessionId};
use serde_json::json;
use std::io::{self, Cursor};
use std::time::Duration;

fn listed(form: Form, sessions: Vec<SessionCard>, project: Option<&str>) -> Printed {
    let listed = Listed { sessions, project: project.map(Into::into), now: NOW };
    Printed::by(false, |streams| list(&listed, form, streams).unwrap())
}

#[test]
fn sessions_are_listed_with_when_they_were_and_of_all_projects_with_where() {
    let here = listed(Form::Text, cards()[..2].to_vec(), Some("/home/me/thing"));
    assert_eq!((here.end, here.progress.as_str()), (End::Answered, ""));
    insta::assert_snapshot!(here.out);
    insta::assert_snapshot!(listed(Form::Text, cards(), None).out);
}

#[test]
fn a_program_gets_every_card_whole() {
    let told = listed(Form::Json, cards(), None).json();
    assert_eq!(told, json!({"project": null, "sessions": cards(), "exit_code": 0}));
    let told = listed(Form::Json, Vec::new(), Some("/p")).json();
    assert_eq!(told, json!({"project": "/p", "sessions": [], "exit_code": 0}));
}

#[test]
fn where_none_is_kept_that_is_said_with_where_others_may_be() {
    let said = listed(Form::Text, Vec::new(), Some("/p")).out;
    assert!(said.contains("`agent sessions --all`"), "{said}");
    assert_eq!(listed(Form::Text, Vec::new(), None).out, "no session is kept\n");
}

#[test]
fn a_session_is_shown_as_it_was_written_out_and_commands_nothing() {
    let shown = |form, text: &str, missing| Printed::by(false, |streams| show(text, missing, form, streams).unwrap());
    let text = shown(Form::Text, "# Fix it\n\n\tcode\u{1b}[2J\n\n", None);
    assert_eq!((text.end, text.out.as_str()), (End::Answered, "# Fix it\n\n\tcode␛[2J\n"));
    assert_eq!(shown(Form::Json, "{\"records\":[]}", None).json(), json!({"records": []}));
    let torn = shown(Form::Text, "# Fix it", Some("the last 12 bytes are torn"));
    assert_eq!((torn.out.as_str(), torn.progress.as_str()), ("# Fix it\n", "warning: the last 12 bytes are torn\n"));
}

#[test]
fn a_session_that_is_not_there_is_said_in_words_or_as_an_object() {
    let said = |form| Printed::by(false, |streams| refused(End::NoSession, "there is none", form, streams).unwrap());
    let text = said(Form::Text);
    assert_eq!((text.end.code(), text.out.as_str(), text.progress.as_str()), (4, "", "there is none\n"));
    assert_eq!(said(Form::Json).json(), json!({"error": "there is none", "exit_code": 4}));
}

/// Removes them all but the one that cannot be, and tells which it was asked for.
fn removed(form: Form, sessions: Vec<SessionCard>, consent: Consent) -> (Printed, Vec<String>) {
    let mut asked = Vec::new();
    let mut take = |id: &SessionId| {
        asked.push(id.0.clone());
        if id.0 == "stuck" { Err("the disk is read-only".to_owned()) } else { Ok(()) }
    };
    let removal = Removal { sessions, consent, remove: &mut take };
    let printed = Printed::by(false, |streams| remove(removal, form, streams).unwrap());
    (printed, asked)
}

fn saying(line: &'static str) -> Consent {
    Consent::Asked(Box::new(Cursor::new(line)))
}

#[test]
fn a_session_is_removed_only_after_a_yes() {
    for (line, yes) in [("y\n", true), (" YES \n", true), ("n\n", false), ("\n", false), ("", false), ("yy\n", false)] {
        let (printed, asked) = removed(Form::Text, vec![card("a", "Fix it", 1)], saying(line));
        assert!(printed.progress.starts_with("Remove “Fix it” (a, 3 turns, 48 kB)? [y/N] "), "{}", printed.progress);
        assert_eq!((printed.end, asked.len()), if yes { (End::Answered, 1) } else { (End::Failed, 0) }, "{line:?}");
        let out = if yes { "“Fix it” (a, 3 turns, 48 kB) is removed\n" } else { "" };
        assert_eq!((printed.out.as_str(), printed.progress.contains("nothing is removed")), (out, !yes), "{line:?}");
    }
}

#[test]
fn several_are_listed_before_the_one_question_and_none_is_removed_twice() {
    let several = || vec![card("b", "Two", 1), card("a", "One", 1), card("b", "Two", 1)];
    let (printed, asked) = removed(Form::Text, several(), saying("y\n"));
    let said = "“One” (a, 3 turns, 48 kB)\n“Two” (b, 3 turns, 48 kB)\nRemove these (2 sessions, 96 kB)? [y/N] ";
    assert_eq!((printed.progress.as_str(), asked), (said, vec!["a".to_owned(), "b".to_owned()]));
    let (printed, _) = removed(Form::Json, several(), Consent::Given);
    assert_eq!(printed.json(), json!({"removed": ["a", "b"], "failed": [], "exit_code": 0}));
    assert_eq!(printed.progress, "", "nobody was asked");
    let (printed, _) = removed(Form::Json, several(), saying("no\n"));
    assert_eq!(printed.json(), json!({"removed": [], "exit_code": 1}));
}

#[test]
fn where_one_is_open_elsewhere_none_is_removed() {
    let (printed, asked) = removed(Form::Text, cards(), Consent::Given);
    assert_eq!((printed.end, asked.len()), (End::Failed, 0));
    assert!(printed.progress.contains("“Fix the tests”") && printed.progress.contains("close it there"));
}

#[test]
fn what_cannot_be_removed_stays_and_the_others_go() {
    let sessions = || vec![card("stuck", "One", 1), card("z", "Two", 1)];
    let (printed, _) = removed(Form::Text, sessions(), Consent::Given);
    assert_eq!((printed.end, printed.out.as_str()), (End::Failed, "“Two” (z, 3 turns, 48 kB) is removed\n"));
    assert!(printed.progress.contains("“One” (stuck, 3 turns, 48 kB) stays: the disk is read-only"));
    let (printed, _) = removed(Form::Json, sessions(), Consent::Given);
    let failed = json!([{"id": "stuck", "error": "the disk is read-only"}]);
    assert_eq!(printed.json(), json!({"removed": ["z"], "failed": failed, "exit_code": 1}));
}

/// Prunes with a store that removes what it should, and tells whether it was asked to.
fn pruned(form: Form, days: u64, consent: Option<Consent>) -> (Printed, bool) {
    let (older_than, mut asked) = (Duration::from_secs(days * 86_400), false);
    let mut take = |age| {
        assert_eq!(age, older_than);
        asked = true;
        Ok(cards().into_iter().skip(2).collect())
    };
    let pruning = Pruning { sessions: cards(), now: NOW, older_than, consent, prune: &mut take };
    let printed = Printed::by(false, |streams| prune(pruning, form, streams).unwrap());
    (printed, asked)
}

#[test]
fn what_is_old_and_closed_is_removed_after_a_yes() {
    let (printed, asked) = pruned(Form::Text, 30, Some(saying("y\n")));
    assert_eq!((printed.end, printed.out.as_str(), asked), (End::Answered, "removed: 1 session, 900 B\n", true));
    assert_eq!(printed.progress, "Remove “–” (20261001-080000-77aa, 0 turns, 900 B)? [y/N] ");
    let (printed, asked) = pruned(Form::Text, 30, Some(saying("n\n")));
    assert_eq!((printed.end, printed.out.as_str(), asked), (End::Failed, "", false));
    let (printed, _) = pruned(Form::Json, 30, Some(Consent::Given));
    assert_eq!(printed.json(), json!({"removed": ["20261001-080000-77aa"], "exit_code": 0}));
    let (printed, asked) = pruned(Form::Text, 365, Some(saying("y\n")));
    assert_eq!((printed.end, printed.progress.as_str(), asked), (End::Answered, "", false), "nobody is asked");
    assert!(printed.out.starts_with("nothing to remove"), "{}", printed.out);
}

#[test]
fn a_rehearsal_removes_nothing_and_names_what_would_go() {
    let (printed, asked) = pruned(Form::Text, 0, None);
    assert!(!asked && printed.end == End::Answered);
    assert_eq!(printed.progress, "would be removed: 2 sessions, 49 kB\n", "the open one is none of them");
    assert!(printed.out.contains("20261122-091500-00c1") && printed.out.contains("/srv/other"), "{}", printed.out);
    let (printed, _) = pruned(Form::Json, 30, None);
    assert_eq!(printed.json(), json!({"would_remove": ["20261001-080000-77aa"], "exit_code": 0}));
    assert!(pruned(Form::Text, u64::MAX / 86_400, None).0.out.starts_with("nothing to remove"));
}

#[test]
fn no_title_commands_the_terminal_or_forges_a_row() {
    let evil = || SessionCard { project: EVIL.into(), model: Some(EVIL.into()), ..card(EVIL, EVIL, 1) };
    let listed = |project| Listed { sessions: vec![evil()], project, now: NOW };
    for terminal in [true, false] {
        for project in [Some(EVIL.into()), None] {
            let listed = listed(project);
            assert!(Printed::by(terminal, |streams| list(&listed, Form::Text, streams).unwrap()).is_tame());
        }
        for consent in [Consent::Given, saying("y\n")] {
            let mut fail = |_: &SessionId| Err(EVIL.to_owned());
            let removal = Removal { sessions: vec![evil(), card("b", EVIL, 1)], consent, remove: &mut fail };
            assert!(Printed::by(terminal, |streams| remove(removal, Form::Text, streams).unwrap()).is_tame());
        }
        assert!(Printed::by(terminal, |streams| refused(End::NoSession, EVIL, Form::Text, streams).unwrap()).is_tame());
    }
    let listed = listed(None);
    assert!(Printed::by(true, |streams| list(&listed, Form::Json, streams).unwrap()).is_tame());
}

#[test]
fn a_reader_that_has_left_is_no_fault() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    let (mut out, mut progress) = (Closed, io::sink());
    let mut streams = streams(&mut out, &mut progress, false);
    let listed = Listed { sessions: cards(), project: None, now: NOW };
    for form in [Form::Text, Form::Json] {
        assert_eq!(list(&listed, form, &mut streams).unwrap(), End::PipeClosed);
        assert_eq!(show("x", None, form, &mut streams).unwrap().code(), 141);
    }
}
