//! Titles, and that a glance sees all that reading does.

use super::*;
use crate::sessions::line::NewLine;
use agent_protocol::{ModelCard, ServerEvent, SessionEvent, Setting, TurnEvent, TurnId};
use serde_json::json;

fn facts(records: &[Record], learn: impl Fn(&mut Facts, &JournalLine<'_>)) -> SessionCard {
    let mut facts = Facts::default();
    let folder = Folder { path: "/p".into(), device: 1, inode: 2, born: None };
    let head = NewLine::head(&SessionHead::new(&SessionId("a".into()), &folder, None));
    let entries = records.iter().map(|record| NewLine {
        kind: LineKind::Record,
        time: 2_000,
        json: serde_json::to_string(record).unwrap(),
        begins: None,
    });
    for (seq, entry) in (0..).zip([NewLine { time: 1_000, ..head }].into_iter().chain(entries)) {
        let line = entry.line(seq);
        learn(&mut facts, &JournalLine::read(&line[..line.len() - 1]).unwrap());
    }
    facts.known(&SessionId("a".into()), 7, false).card
}

fn glanced(records: &[Record]) -> SessionCard {
    facts(records, |facts, line| facts.glance(line).unwrap())
}

fn event(event: Event) -> Record {
    Record::Event { event }
}

fn said(text: &str) -> Record {
    event(Event::Turn(TurnEvent::Started { turn: TurnId(1), text: text.into() }))
}

fn named(title: &str) -> Record {
    event(Event::Session(SessionEvent::Renamed { title: title.into() }))
}

fn talks_to(name: &str) -> Record {
    let fields = ["size_bytes", "context_length", "parameter_size", "quantization", "family", "tools", "thinking"];
    let mut card = json!({"name": name, "digest": null, "own_window": null});
    fields.iter().for_each(|field| card[*field] = json!(null));
    let card: ModelCard = serde_json::from_value(card).unwrap();
    event(Event::Server(ServerEvent::ModelSet { card, window: 1 }))
}

#[test]
fn a_glance_sees_all_that_stands_on_a_card() {
    let setting = Setting { project: "/q".into(), instructions: "x".into(), tools: vec![], version: "1".into() };
    let talk = [
        Record::Setting(setting),
        talks_to("small"),
        said(" \n"),
        said("first\nthen"),
        event(Event::Turn(TurnEvent::Text { text: "hm".into() })),
        Record::Conversation { from: 0, messages: vec![], broken_tail: false, settled: true, unsent: false },
        said("second"),
        talks_to("large"),
        named("a name"),
    ];
    let read = facts(&talk, |facts, line| match line.kind {
        LineKind::Head => facts.head(line).unwrap(),
        LineKind::Record => facts.record(line, &serde_json::from_slice(line.json).unwrap()),
    });
    assert_eq!(glanced(&talk), read);
    let expected = SessionCard {
        id: SessionId("a".into()),
        title: "a name".into(),
        project: "/q".into(),
        began: 1,
        updated: 2,
        model: Some("large".into()),
        turns: 2,
        bytes: 7,
        parent: None,
        open: false,
    };
    assert_eq!(read, expected);
}

#[test]
fn a_title_is_what_the_person_named_it_else_what_they_said_first() {
    let title = |records: &[Record]| glanced(records).title;
    assert_eq!(title(&[]), "");
    assert_eq!(title(&[said(""), said("mend  the\tlist "), said("more")]), "mend the list");
    assert_eq!(title(&[said("words"), named("one"), named("two")]), "two");
    assert_eq!(title(&[said("words"), named("one"), named(" ")]), "words", "the name was taken back");
}

#[test]
fn long_first_words_are_cut_at_a_word() {
    let cut = |text: &str| first_words(text);
    let sixty = "0123456789 ".repeat(6).trim().replacen("0123456789 ", "012345 ", 1) + "x";
    assert_eq!(
        (sixty.chars().count(), cut(&sixty)),
        (62, "012345 0123456789 0123456789 0123456789 0123456789…".into())
    );
    assert_eq!(cut(&"ü".repeat(60)), "ü".repeat(60));
    assert_eq!(cut(&"ü".repeat(61)), "ü".repeat(59) + "…");
    assert_eq!(cut(&format!("{} x", "y".repeat(59))), "y".repeat(59) + "…", "the word just fits");
    assert_eq!(cut("\n\n  two \n three"), "two");
}
