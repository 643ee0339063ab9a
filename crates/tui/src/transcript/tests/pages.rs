//! Turns that go where they are far from the view, and come back when it comes near.

use super::sessions::{card, restored, rewound, steered, undone};
use super::story::{command, finished, notice, proposed, replied, running, text, thinking};
use super::{after, screen, transcript};
use crate::transcript::Transcript;
use crate::transcript::cells::Cell;
use agent_protocol::{
    Event, JournalState, NoticeLevel, Op, SaidId, SessionEvent, SessionId, SessionOp, Status, TurnEndReason, TurnEvent,
    TurnId, Usage,
};
use serde_json::json;
use std::time::Duration;

const SIZE: (u16, u16) = (80, 24);

/// A turn with thinking, an answer and a call.
fn turn(number: u64) -> Vec<Event> {
    let usage = Usage { reply_tokens: Some(412), ..Usage::default() };
    vec![
        Event::Turn(TurnEvent::Started { turn: TurnId(number), text: format!("message {number}") }),
        thinking("hm\nwell"),
        text(&format!("Some **words** of {number}.\n\n- one\n- two\n")),
        replied(),
        proposed(number, "run_command", json!({"command": "make"})),
        running(number, command("make")),
        finished(number, Status::Done, "exit 0", "1\n2\n3\n4\n5\n"),
        Event::Turn(TurnEvent::Ended { turn: TurnId(number), reason: TurnEndReason::Done, usage }),
    ]
}

fn turns(count: u64) -> Vec<Event> {
    (1..=count).flat_map(turn).collect()
}

/// Three hundred turns.
pub(super) fn long() -> Vec<Event> {
    turns(300)
}

fn id() -> SessionId {
    card(None).id
}

fn kept() -> Event {
    Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: id() } })
}

fn unkept() -> Event {
    Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why: "the disk is full".into() } })
}

/// A transcript that was looked at all the time.
fn seen(events: &[Event]) -> Transcript {
    let mut transcript = transcript();
    for (second, event) in (0..).zip(events) {
        transcript.apply(event, Duration::from_secs(second));
        if matches!(event, Event::Turn(TurnEvent::Ended { .. })) {
            transcript.layout(SIZE.0, SIZE.1);
        }
    }
    transcript.layout(SIZE.0, SIZE.1);
    transcript
}

fn asked(transcript: &mut Transcript) -> Vec<u64> {
    let turn = |op| match op {
        Op::Session(SessionOp::Page { session, turn }) if session == id() => turn.0,
        other => panic!("not asked for: {other:?}"),
    };
    transcript.wanted().into_iter().map(turn).collect()
}

/// What the journal has to say of a turn.
fn page(number: u64, journal: &[Event]) -> Event {
    let begins = |event: &&Event| matches!(event, Event::Turn(TurnEvent::Started { turn, .. }) if turn.0 == number);
    let mut events: Vec<Event> = journal.iter().skip_while(|event| !begins(event)).cloned().collect();
    let end = events.iter().position(|event| matches!(event, Event::Turn(TurnEvent::Ended { .. }))).unwrap();
    events.truncate(end + 1);
    Event::Session(SessionEvent::Page { session: id(), turn: TurnId(number), events })
}

/// Reads all that is asked for, until nothing is.
pub(super) fn all_read(transcript: &mut Transcript, (width, height): (u16, u16), journal: &[Event]) {
    transcript.layout(width, height);
    loop {
        let wanted = asked(transcript);
        if wanted.is_empty() {
            return;
        }
        for number in wanted {
            transcript.apply(&page(number, journal), Duration::from_secs(9_000));
        }
        transcript.layout(width, height);
    }
}

fn away(transcript: &Transcript) -> usize {
    transcript.entries.iter().filter(|entry| entry.cell.away().is_some()).count()
}

fn rows(transcript: &mut Transcript) -> Vec<String> {
    let plain = |row: &str| row.trim_end_matches('┃').trim_end().to_owned();
    let shown: Vec<String> = screen(transcript, SIZE.0, SIZE.1).lines().map(plain).collect();
    // The last row has the mark that there is more below.
    shown[..shown.len() - 1].to_vec()
}

#[test]
fn what_is_over_and_far_above_goes_and_takes_its_texts_with_it() {
    let (few, many) = (seen(&[vec![kept()], turns(100)].concat()), seen(&[vec![kept()], turns(500)].concat()));
    let here = |transcript: &Transcript| transcript.entries.len() - away(transcript);
    assert!(away(&many) > 400 && here(&many) <= here(&few) + 8, "{} and {}", here(&few), here(&many));
    assert!(many.calls.len() < 100, "{}", many.calls.len());
}

#[test]
fn every_row_stands_where_it_stood_when_the_turns_come_back() {
    let journal = turns(200);
    let mut whole = seen(&journal);
    assert_eq!(away(&whole), 0, "nothing is written down of it");
    let mut paged = seen(&[vec![kept()], journal.clone()].concat());
    assert!(away(&paged) > 150);
    assert_eq!(paged.view.total, whole.view.total);
    let step = 137;
    for _ in 0..=whole.view.total / 137 {
        assert_eq!(paged.top(), whole.top());
        all_read(&mut paged, SIZE, &journal);
        assert_eq!(rows(&mut paged), rows(&mut whole), "from row {}", whole.top());
        paged.scroll_by(-step);
        whole.scroll_by(-step);
    }
    assert_eq!((paged.top(), rows(&mut paged)[0].as_str()), (0, "› message 1"));
    assert!(away(&paged) > 100, "what one came past goes again");
    paged.scroll_to_end();
    all_read(&mut paged, SIZE, &journal);
    whole.scroll_to_end();
    assert_eq!(rows(&mut paged), rows(&mut whole));
}

#[test]
fn while_a_turn_is_read_a_line_says_so_and_its_rows_are_free() {
    let mut paged = seen(&[vec![kept()], turns(200)].concat());
    paged.scroll_to_start();
    let shown = rows(&mut paged);
    assert_eq!(shown[0], "  … reading the earlier part");
    assert!(asked(&mut paged).contains(&1));
    paged.layout(SIZE.0, SIZE.1);
    assert_eq!(asked(&mut paged), [0; 0], "it is asked for once");
}

#[test]
fn a_turn_that_cannot_be_read_says_so_and_ends_nothing() {
    let journal = turns(200);
    let mut paged = seen(&[vec![kept()], journal.clone()].concat());
    paged.scroll_to_start();
    paged.layout(SIZE.0, SIZE.1);
    let missing = |turn| {
        Event::Session(SessionEvent::NoPage {
            session: id(),
            turn: TurnId(turn),
            why: "line 7 is \u{1b}damaged".into(),
        })
    };
    for turn in asked(&mut paged) {
        paged.apply(&if turn == 1 { missing(1) } else { page(turn, &journal) }, Duration::ZERO);
    }
    let shown = rows(&mut paged);
    assert_eq!(shown[0], "! this part of the conversation cannot be read: line 7 is ␛damaged");
    assert!(shown.contains(&"› message 2".to_owned()), "{shown:?}");
    // Who comes back later finds it, if it can be read by then.
    paged.scroll_to_end();
    all_read(&mut paged, SIZE, &journal);
    paged.scroll_to_start();
    all_read(&mut paged, SIZE, &journal);
    assert_eq!(rows(&mut paged)[0], "› message 1");
}

#[test]
fn nothing_goes_that_is_not_written_down() {
    assert_eq!(away(&seen(&turns(100))), 0);
    assert_eq!(away(&seen(&[vec![kept(), unkept()], turns(100)].concat())), 0);
    // What was here when the disk was full stays, also when there is room again.
    let mut all = [vec![kept()], turns(60)].concat();
    let gone = away(&seen(&all));
    all.extend([vec![unkept(), kept()], (61..=100).flat_map(turn).collect()].concat());
    let transcript = seen(&all);
    let here = |number| {
        let is_it = |cell: &dyn Cell| cell.away().is_none() && cell.said().iter().any(|(said, _)| said.0 == number);
        transcript.entries.iter().any(|entry| is_it(entry.cell.as_ref()))
    };
    let first = u64::try_from(gone).unwrap() + 1;
    assert!(gone > 20 && away(&transcript) > gone && (first..=60).all(here), "{} of {gone}", away(&transcript));
    // Nor does a turn in which the screen said something by itself.
    let mut told = transcript_with_a_remark();
    told.layout(SIZE.0, SIZE.1);
    let first = &told.entries[0].cell;
    assert!(first.away().is_none() && !first.said().is_empty() && away(&told) > 50);
}

#[test]
fn turns_that_end_before_the_journal_is_heard_of_go_like_all_others() {
    let at_once = seen(&[vec![kept()], turns(100)].concat());
    let late = seen(&[turns(3), vec![kept()], (4..=100).flat_map(turn).collect()].concat());
    assert_eq!(away(&late), away(&at_once));
    // They stay where the disk was full from the start.
    let full = seen(&[turns(3), vec![unkept(), kept()], (4..=100).flat_map(turn).collect()].concat());
    assert_eq!(away(&full), away(&at_once) - 3);
}

fn transcript_with_a_remark() -> Transcript {
    let mut transcript = after(&[kept(), Event::Turn(TurnEvent::Started { turn: TurnId(900), text: "first".into() })]);
    transcript.tell(NoticeLevel::Info, "a command in the background ended".into());
    let mut rest = turn(900);
    rest.remove(0);
    rest.iter().chain(&turns(100)).for_each(|event| transcript.apply(event, Duration::ZERO));
    transcript
}

#[test]
fn at_another_width_one_stays_where_one_reads_and_what_comes_back_moves_nothing() {
    let journal = turns(200);
    let mut paged = seen(&[vec![kept()], journal.clone()].concat());
    paged.scroll_by(-900);
    all_read(&mut paged, SIZE, &journal);
    let first = |transcript: &mut Transcript, width| {
        let screen = screen(transcript, width, SIZE.1);
        screen.lines().find(|line| line.starts_with('›')).unwrap().trim_end_matches('┃').trim_end().to_owned()
    };
    let before = first(&mut paged, SIZE.0);
    assert_eq!(first(&mut paged, 17), before);
    all_read(&mut paged, (17, SIZE.1), &journal);
    assert_eq!(first(&mut paged, 17), before, "the rows above are more now");
    for _ in 0..400 {
        paged.scroll_by(-30);
        all_read(&mut paged, (17, SIZE.1), &journal);
    }
    assert_eq!((paged.top(), first(&mut paged, 17).as_str()), (0, "› message 1"));
}

#[test]
fn all_that_was_said_is_known_whether_it_is_here_or_not() {
    let steers = |number| [turn(number), vec![notice(NoticeLevel::Info, "between")]].concat();
    let mut middle = turn(3);
    middle.insert(4, steered("and this"));
    let journal = [turn(1), turn(2), middle, (4..=120).flat_map(steers).collect()].concat();
    let (paged, whole) = (seen(&[vec![kept()], journal.clone()].concat()), seen(&journal));
    assert!(away(&paged) > 50 && paged.said() == whole.said());
    let opened = after(&[restored(journal)]);
    assert!(away(&opened) > 50 && opened.said() == whole.said());
    assert_eq!(paged.last_answer(), whole.last_answer());
    assert_eq!(opened.last_answer(), whole.last_answer());
    assert_eq!(paged.tail(22, 80), whole.tail(22, 80));
}

#[test]
fn one_goes_back_into_the_middle_of_a_turn_that_is_not_here() {
    let mut middle = turn(2);
    middle.insert(4, steered("and this"));
    let journal = [turn(1), middle, (3..=120).flat_map(turn).collect()].concat();
    let mut whole = seen(&[journal.clone(), vec![undone(3), rewound(3, "and this")]].concat());
    let mut paged = seen(&[vec![kept()], journal.clone(), vec![undone(3), rewound(3, "and this")]].concat());
    all_read(&mut paged, SIZE, &journal);
    assert_eq!(rows(&mut paged), rows(&mut whole));
    assert_eq!(paged.said().iter().map(|(said, _)| *said).collect::<Vec<_>>(), [SaidId(1), SaidId(2)]);
    let again = after(&[restored([journal.clone(), vec![undone(3), rewound(3, "and this")]].concat())]);
    assert_eq!(again.said(), paged.said());
}

#[test]
fn what_was_unfolded_in_a_turn_is_so_when_it_comes_back() {
    let journal = turns(200);
    let (mut paged, mut whole) = (transcript(), transcript());
    paged.apply(&kept(), Duration::ZERO);
    for transcript in [&mut paged, &mut whole] {
        turn(1).iter().for_each(|event| transcript.apply(event, Duration::ZERO));
        transcript.layout(SIZE.0, SIZE.1);
        transcript.toggle_details();
        journal[8..].iter().for_each(|event| transcript.apply(event, Duration::ZERO));
        transcript.layout(SIZE.0, SIZE.1);
        transcript.scroll_to_start();
    }
    assert!(away(&paged) > 150);
    all_read(&mut paged, SIZE, &journal);
    assert_eq!(rows(&mut paged), rows(&mut whole));
    assert!(rows(&mut paged).contains(&"  │ 1".to_owned()), "{:?}", rows(&mut paged));
}

#[test]
fn a_turn_of_another_session_is_not_put_into_this_one() {
    let mut paged = seen(&[vec![kept()], turns(200)].concat());
    paged.scroll_to_start();
    paged.layout(SIZE.0, SIZE.1);
    let late = |session: &str| {
        let Event::Session(SessionEvent::Page { turn, events, .. }) = page(1, &turns(1)) else { unreachable!() };
        Event::Session(SessionEvent::Page { session: SessionId(session.into()), turn, events })
    };
    paged.apply(&late("another"), Duration::ZERO);
    assert_eq!(rows(&mut paged)[0], "  … reading the earlier part");
    paged.apply(&late(&id().0), Duration::ZERO);
    assert_eq!(rows(&mut paged)[0], "› message 1");
}

#[test]
fn of_a_long_session_that_is_opened_only_the_end_is_here_and_all_of_it_can_be_read() {
    let mut opened = after(&[restored(long())]);
    assert!(screen(&mut opened, 80, 24).contains("resumed"));
    assert!(opened.laid_rows() < 600 && away(&opened) > 250, "{} and {}", opened.laid_rows(), away(&opened));
    let end = rows(&mut opened);
    all_read(&mut opened, SIZE, &long());
    assert_eq!(rows(&mut opened), end, "what comes back above moves nothing");
    let mut last = None;
    while opened.top() > 0 {
        opened.scroll_by(-20);
        all_read(&mut opened, SIZE, &long());
        let said = rows(&mut opened).into_iter().rev().filter_map(|row| row.strip_prefix("› message ")?.parse().ok());
        for number in said.collect::<Vec<u64>>() {
            assert!(last.is_none_or(|last| number == last || number + 1 == last), "{number} above {last:?}");
            last = Some(number);
        }
    }
    assert_eq!(last, Some(1));
    opened.scroll_to_end();
    all_read(&mut opened, SIZE, &long());
    assert_eq!(rows(&mut opened), end);
}
