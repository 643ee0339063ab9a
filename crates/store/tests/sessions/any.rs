//! Whatever happens to the bytes of a journal, what is read of it is the beginning of what was written.

use crate::ground::{Ground, numbered};
use agent_store::{SessionError, Sessions};
use proptest::prelude::*;
use std::fs;

#[derive(Debug, Clone)]
enum Change {
    Cut(usize),
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<usize>().prop_map(Change::Cut),
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (any::<usize>(), proptest::collection::vec(any::<u8>(), 1..40))
            .prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (any::<usize>(), 1..200_usize).prop_map(|(at, count)| Change::Remove(at, count)),
    ]
}

fn changed(mut text: Vec<u8>, change: Change) -> Vec<u8> {
    let at = |place: usize| place % (text.len() + 1);
    match change {
        Change::Cut(place) => text.truncate(at(place)),
        Change::Set(place, byte) => {
            let at = at(place);
            if let Some(old) = text.get_mut(at) {
                *old = byte;
            }
        }
        Change::Insert(place, bytes) => {
            let at = at(place);
            text.splice(at..at, bytes);
        }
        Change::Remove(place, count) => {
            let at = at(place);
            text.drain(at..text.len().min(at + count));
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_is_a_beginning_of_what_was_written(changes in proptest::collection::vec(change(), 1..4)) {
        let ground = Ground::new();
        let all = numbered(8);
        let id = ground.kept(&all);
        let text = fs::read(ground.journal(&id)).unwrap();
        let text = changes.into_iter().fold(text, changed);
        fs::write(ground.journal(&id), &text).unwrap();
        let sessions: Sessions = ground.sessions();
        prop_assert_eq!(sessions.list().len(), 1);
        match sessions.open(&id, &ground.project()) {
            Ok((journal, loaded)) => {
                prop_assert!(all.starts_with(&loaded.records));
                let whole = fs::read(ground.journal(&id)).unwrap();
                let torn = loaded.torn.map(|torn| fs::read(torn.path).unwrap()).unwrap_or_default();
                prop_assert_eq!([whole, torn].concat(), text, "no byte is lost");
                prop_assert_eq!(journal.records().unwrap(), loaded.records);
            }
            Err(SessionError::Unreadable { .. } | SessionError::Newer { .. }) => {
                prop_assert_eq!(fs::read(ground.journal(&id)).unwrap(), text);
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}
