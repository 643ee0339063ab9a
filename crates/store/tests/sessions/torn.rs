//! An agent that dies while it writes loses the line it was at, and no more.

use crate::ground::{Ground, looks, number, numbered, write};
use agent_protocol::SessionId;
use agent_store::{SessionError, Torn};
use std::fs;
use std::ops::Range;

/// A session of three records, its text, and where the last line lies.
fn three(ground: &Ground) -> (SessionId, Vec<u8>, Range<usize>) {
    let id = ground.kept(&numbered(3));
    let text = fs::read(ground.journal(&id)).unwrap();
    let last = text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let end = text.len();
    (id, text, last..end)
}

#[test]
fn torn_at_any_byte_the_records_before_it_are_kept_and_the_rest_is_set_aside() {
    let ground = Ground::new();
    let (id, text, last) = three(&ground);
    let (sessions, project, journal) = (ground.sessions(), ground.project(), ground.journal(&id));
    for cut in last.clone() {
        fs::write(&journal, &text[..cut]).unwrap();
        let seen = sessions.read(&id).unwrap();
        let (opened, loaded) = sessions.open(&id, &project).unwrap();
        assert_eq!((&seen.records, &loaded.records), (&numbered(2), &numbered(2)), "cut at {cut}");
        let bytes = (cut - last.start) as u64;
        assert_eq!(seen.torn, (bytes > 0).then(|| Torn { path: journal.clone(), bytes }), "cut at {cut}");
        assert_eq!(loaded.card.bytes, last.start as u64);
        if let Some(torn) = &loaded.torn {
            assert_eq!(torn.bytes, bytes);
            assert_eq!(fs::read(&torn.path).unwrap(), &text[last.start..cut], "cut at {cut}");
            assert!(torn.path.to_string_lossy().contains(&format!("{id}.torn-")));
            fs::remove_file(&torn.path).unwrap();
        }
        write(&opened, &[number(2)]);
        drop(opened);
        let again = sessions.read(&id).unwrap();
        assert_eq!((again.records, again.torn), (numbered(3), None), "cut at {cut}");
    }
}

#[test]
fn every_flipped_bit_of_a_line_is_noticed() {
    let ground = Ground::new();
    let (id, text, last) = three(&ground);
    for at in last {
        for bit in 0..8 {
            let mut other = text.clone();
            other[at] ^= 1 << bit;
            fs::write(ground.journal(&id), &other).unwrap();
            let loaded = ground.sessions().read(&id).unwrap();
            assert_eq!(loaded.records, numbered(2), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn reading_changes_nothing() {
    let ground = Ground::new();
    let (id, text, _) = three(&ground);
    fs::write(ground.journal(&id), &text[..text.len() - 5]).unwrap();
    let before = looks(&ground.journal(&id));
    assert!(ground.sessions().read(&id).unwrap().torn.is_some());
    assert_eq!((looks(&ground.journal(&id)), ground.names().len()), (before, 1));
}

#[test]
fn foreign_lines_at_the_end_are_set_aside() {
    let ground = Ground::new();
    let (id, text, _) = three(&ground);
    let line_of_another = fs::read(ground.journal(&ground.kept(&numbered(2)))).unwrap();
    let again = text.split_inclusive(|byte| *byte == b'\n').next_back().unwrap();
    for garbage in [&b"hello\n"[..], b"\n", b"{}\n", b"\0\0\0\0", b"\xff\xfe\n", &line_of_another, again] {
        fs::write(ground.journal(&id), [&text, garbage, b"more\n"].concat()).unwrap();
        let (_, loaded) = ground.sessions().open(&id, &ground.project()).unwrap();
        assert_eq!(loaded.records, numbered(3));
        let torn = loaded.torn.unwrap();
        assert_eq!(fs::read(torn.path).unwrap(), [garbage, b"more\n"].concat());
        assert_eq!(fs::read(ground.journal(&id)).unwrap(), text);
    }
}

#[test]
fn a_journal_without_a_head_is_left_as_it_is() {
    let ground = Ground::new();
    let (id, text, _) = three(&ground);
    let head = text.iter().position(|byte| *byte == b'\n').unwrap();
    let headless = &text[head + 1..];
    for spoilt in [&b""[..], b"hello\n", &text[..head], headless] {
        fs::write(ground.journal(&id), spoilt).unwrap();
        let before = looks(&ground.journal(&id));
        let error = ground.sessions().open(&id, &ground.project()).unwrap_err();
        assert!(matches!(error, SessionError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains("its first line is damaged"), "{error}");
        assert_eq!(looks(&ground.journal(&id)), before);
        let card = ground.sessions().find(&id.0).unwrap();
        assert_eq!((card.title.as_str(), card.bytes), ("cannot be read", before.0));
    }
}
