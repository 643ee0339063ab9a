//! Replies of a real server, recorded, read again: whole, in single bytes, in two pieces, in random pieces.

use super::super::reply::reply_of;
use crate::http::trouble;
use agent_protocol::{ModelEvent, ServerError};
use proptest::prelude::*;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::LazyLock;

/// One recorded exchange.
#[derive(Debug, Deserialize)]
pub(super) struct Capture {
    pub(super) case: String,
    path: String,
    model: String,
    status: u16,
    end: String,
    pub(super) body: String,
}

static CAPTURES: LazyLock<Vec<Capture>> = LazyLock::new(|| {
    let lines = include_str!("../../../tests/captures.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
});

/// Bodies up to this length are cut at every byte into two; longer ones, which are only more of the same lines, where
/// every seventh line ends.
const SMALL: usize = 2000;

/// The recorded exchange of this name.
pub(super) fn capture(case: &str) -> &'static Capture {
    CAPTURES.iter().find(|capture| capture.case == case).unwrap_or_else(|| panic!("there is no case {case}"))
}

fn chats() -> impl Iterator<Item = &'static Capture> {
    CAPTURES.iter().filter(|capture| capture.path == "/api/chat")
}

fn streams() -> impl Iterator<Item = &'static Capture> {
    chats().filter(|capture| capture.status == 200)
}

fn read<'a>(capture: &Capture, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    if capture.status != 200 {
        let body: Vec<u8> = pieces.into_iter().flatten().copied().collect();
        let trouble = trouble::of_status(capture.status, &body, &capture.model);
        return vec![ModelEvent::Broken { trouble }];
    }
    let mut reply = reply_of(&capture.model);
    for piece in pieces {
        reply.take(piece, &mut events);
    }
    match capture.end.as_str() {
        "last-chunk" | "content-length" => reply.end(&mut events),
        _ if reply.is_over() => {}
        why => events.push(ModelEvent::Broken { trouble: ServerError::Cut { why: why.to_owned() } }),
    }
    events
}

fn whole(capture: &Capture) -> Vec<ModelEvent> {
    read(capture, [capture.body.as_bytes()])
}

#[test]
fn every_recorded_reply_ends_once_and_as_it_should() {
    for capture in chats() {
        let events = whole(capture);
        let ends =
            events.iter().filter(|event| matches!(event, ModelEvent::Done { .. } | ModelEvent::Broken { .. })).count();
        assert_eq!(ends, 1, "{}", capture.case);
        let done = matches!(events.last(), Some(ModelEvent::Done { .. }));
        let said_done = capture.status == 200 && capture.body.contains("\"done\":true");
        assert_eq!(done, said_done, "{}: {:?}", capture.case, events.last());
    }
}

#[test]
fn each_way_to_end_is_told_apart() {
    let last = |case: &str| match whole(capture(case)).pop() {
        Some(ModelEvent::Broken { trouble }) => trouble,
        other => panic!("{case}: {other:?}"),
    };
    assert_eq!(last("loop-repeat-30"), ServerError::NotDone);
    assert_eq!(last("loop-repeat-30-nonstream"), ServerError::NotDone);
    assert!(matches!(last("term-server-midstream"), ServerError::Cut { .. }));
    let message = "an error was encountered while running the model: unexpected EOF".to_owned();
    assert_eq!(last("kill9-runner-midstream"), ServerError::Crashed { message });
    let overflow = ServerError::TooLong { prompt_tokens: Some(5596), window: Some(2048) };
    assert_eq!(last("ctx-overflow-history-truncate-false-stream"), overflow);
    assert_eq!(last("chat-unknown-model"), ServerError::ModelMissing { model: "nope:7b".to_owned() });
    assert_eq!(last("chat-tools-on-notools"), ServerError::NoTools { model: "tiny-notools".to_owned() });
}

#[test]
fn byte_by_byte_every_reply_reads_the_same() {
    for capture in streams() {
        assert_eq!(read(capture, capture.body.as_bytes().chunks(1)), whole(capture), "{}", capture.case);
    }
}

#[test]
fn cut_at_every_byte_small_replies_read_the_same() {
    for capture in streams().filter(|capture| capture.body.len() <= SMALL) {
        let expected = whole(capture);
        for cut in 0..=capture.body.len() {
            let (left, right) = capture.body.as_bytes().split_at(cut);
            assert_eq!(read(capture, [left, right]), expected, "{} cut at {cut}", capture.case);
        }
    }
}

#[test]
fn cut_near_every_line_end_large_replies_read_the_same() {
    for capture in streams().filter(|capture| capture.body.len() > SMALL) {
        let expected = whole(capture);
        let bytes = capture.body.as_bytes();
        let ends = (0..bytes.len()).filter(|&place| bytes[place] == b'\n');
        for cut in ends.step_by(7).flat_map(|end| [end, end + 1]) {
            let (left, right) = bytes.split_at(cut);
            assert_eq!(read(capture, [left, right]), expected, "{} cut at {cut}", capture.case);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn in_random_pieces_every_reply_reads_the_same(lengths in proptest::collection::vec(1usize..300, 1..40)) {
        for capture in streams() {
            let mut rest = capture.body.as_bytes();
            let pieces = lengths.iter().cycle().map_while(|&length| {
                let (piece, after) = rest.split_at(length.min(rest.len()));
                rest = after;
                (!piece.is_empty()).then_some(piece)
            });
            prop_assert_eq!(read(capture, pieces), whole(capture), "{}", capture.case);
        }
    }
}

/// One line a case: enough to see by eye that it was understood.
#[test]
fn every_recorded_reply_says_this() {
    let mut page = String::new();
    for capture in chats() {
        let (mut text, mut thinking, mut calls, mut last) =
            (String::new(), String::new(), String::new(), String::new());
        for event in whole(capture) {
            match event {
                ModelEvent::Text { text: piece } => text += &piece,
                ModelEvent::Thinking { text: piece } => thinking += &piece,
                ModelEvent::Calls { calls: found } => {
                    for call in found {
                        write!(calls, " {}{}", call.name, call.arguments).unwrap();
                    }
                }
                ModelEvent::Done { reason, usage } => {
                    let figures = [usage.prompt_tokens, usage.reply_tokens].map(|count| count.unwrap_or_default());
                    last = format!("{} {figures:?}", reason.unwrap_or_default());
                }
                ModelEvent::Broken { trouble } => last = format!("BROKEN {trouble}"),
                ModelEvent::Waiting { .. } => unreachable!("bytes say nothing of waiting"),
            }
        }
        let shown = |text: &str| text.chars().take(60).collect::<String>();
        writeln!(page, "{}: {:?} {:?}{calls} | {last}", capture.case, shown(&thinking), shown(&text)).unwrap();
    }
    insta::assert_snapshot!(page);
}
