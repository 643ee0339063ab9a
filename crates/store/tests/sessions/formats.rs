//! What a newer agent wrote is refused with words and left as it is.

use crate::ground::{Ground, looks, numbered};
use agent_protocol::SessionId;
use agent_store::SessionError;
use std::fs;
use std::path::{Path, PathBuf};

/// Puts another journal in the place of a kept one.
fn with(ground: &Ground, change: impl Fn(String) -> String) -> (SessionId, PathBuf) {
    let id = ground.kept(&numbered(2));
    let path = ground.journal(&id);
    fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    (id, path)
}

/// `line` with the checksum that its bytes have.
fn summed(line: &str) -> String {
    let (before, after) = line.split_once("\"crc\":\"").unwrap();
    let (before, after) = (format!("{before}\"crc\":\""), &after[8..]);
    let mut sum = crc32fast::Hasher::new();
    sum.update(before.as_bytes());
    sum.update(after.as_bytes());
    format!("{before}{:08x}{after}", sum.finalize())
}

fn refused(ground: &Ground, id: &SessionId, path: &Path, words: &str) -> SessionError {
    let before = looks(path);
    let error = ground.sessions().open(id, &ground.project()).unwrap_err();
    assert_eq!(error.to_string(), words);
    let sessions = ground.sessions();
    for other in [sessions.read(id).unwrap_err(), sessions.fork(id, 1, &ground.project()).unwrap_err()] {
        assert_eq!(other.to_string(), words);
    }
    assert_eq!(ground.sessions().list().len(), 1);
    assert_eq!(looks(path), before, "it is left as it is");
    assert_eq!(ground.names(), [path.file_name().unwrap().to_str().unwrap()], "and nothing lies beside it");
    error
}

fn newer(id: &SessionId) -> String {
    format!("session {id} was written by a newer agent (format 2, this one knows 1); update agent to open it")
}

#[test]
fn a_newer_format_is_refused_by_its_number_alone() {
    let ground = Ground::new();
    let (id, path) = with(&ground, |_| "{\"v\":2,\"sum\":7,\"what\":[]}\nand whatever follows".into());
    let error = refused(&ground, &id, &path, &newer(&id));
    assert!(matches!(error, SessionError::Newer { version: 2, .. }));
    assert_eq!(ground.sessions().list()[0].title, "written by a newer agent");
}

#[test]
fn a_line_of_a_newer_format_is_no_torn_line() {
    let ground = Ground::new();
    let (id, path) = with(&ground, |text| {
        let lines: Vec<&str> = text.lines().collect();
        let newer = summed(&lines[2].replace("\"v\":1", "\"v\":2"));
        format!("{}\n{}\n{newer}\n", lines[0], lines[1])
    });
    refused(&ground, &id, &path, &newer(&id));
    assert_eq!(ground.sessions().list()[0].project, ground.path("project"), "its head can be read");
}

#[test]
fn a_record_that_is_not_known_is_no_torn_line() {
    let ground = Ground::new();
    let (id, path) = with(&ground, |text| {
        let lines: Vec<&str> = text.lines().collect();
        let unknown = summed(&lines[2].replace("\"type\":\"text\"", "\"type\":\"tune\""));
        format!("{}\n{}\n{unknown}\n", lines[0], lines[1])
    });
    let before = looks(&path);
    for error in [ground.sessions().read(&id).unwrap_err(), ground.sessions().open(&id, &ground.project()).unwrap_err()]
    {
        let words = error.to_string();
        assert!(words.contains("line 3 holds something this agent does not know (unknown type `tune`"), "{words}");
        assert!(words.ends_with("update agent to open it"), "{words}");
    }
    assert_eq!(looks(&path), before);
}

#[test]
fn a_newer_session_can_be_removed() {
    let ground = Ground::new();
    let (id, _) = with(&ground, |_| "{\"v\":2}\n".into());
    ground.sessions().remove(&id).unwrap();
    assert_eq!(ground.names(), Vec::<String>::new());
}
