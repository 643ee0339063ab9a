//! Lists, the last one of a project, names, copies, and what is removed.

use crate::ground::{Ground, event, looks, number, numbered, said, write};
use agent_protocol::{Event, Record, SessionCard, SessionEvent, SessionId, Setting};
use agent_store::{Folder, SessionError};
use std::fs;
use std::time::Duration;

fn setting(project: &Folder) -> Record {
    let project = project.path.clone();
    Record::Setting(Setting { project, instructions: "be brief".into(), tools: vec![], version: "1".into() })
}

fn ids(cards: &[SessionCard]) -> Vec<&str> {
    cards.iter().map(|card| card.id.0.as_str()).collect()
}

/// A copy of the session of this name, written so many seconds later.
fn copy(ground: &Ground, of: &SessionId, name: &str, later: u64) -> SessionId {
    copy_after(ground, of, name, Duration::from_secs(later))
}

fn copy_after(ground: &Ground, of: &SessionId, name: &str, later: Duration) -> SessionId {
    let id = SessionId(name.into());
    let text = fs::read_to_string(ground.journal(of)).unwrap();
    let lines: Vec<String> = text.lines().map(|line| moved(line, later)).collect();
    fs::write(ground.journal(&id), lines.join("\n") + "\n").unwrap();
    id
}

fn moved(line: &str, later: Duration) -> String {
    let (before, after) = line.split_once("\"t\":").unwrap();
    let (time, after) = after.split_once(",\"crc\":\"").unwrap();
    let before = format!("{before}\"t\":{},\"crc\":\"", time.parse::<u128>().unwrap() + later.as_millis());
    let mut sum = crc32fast::Hasher::new();
    sum.update(before.as_bytes());
    sum.update(&after.as_bytes()[8..]);
    format!("{before}{:08x}{}", sum.finalize(), &after[8..])
}

#[test]
fn a_name_tells_when_a_session_began() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(1));
    let shape: String = id.0.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert!(shape.starts_with("00000000-000000-") && id.0.len() == 20, "{id}");
    assert!(id.0[16..].bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
}

#[test]
fn the_list_shows_what_was_written_to_last_first() {
    let ground = Ground::new();
    let one = ground.kept(&[setting(&ground.project()), said("mend the list")]);
    let two = copy(&ground, &one, "two", 20);
    let three = copy(&ground, &one, "three", 10);
    let list = ground.sessions().list();
    assert_eq!(ids(&list), ["two", "three", one.0.as_str()]);
    assert_eq!(
        (list[0].title.as_str(), list[0].turns, &list[0].project),
        ("mend the list", 1, &ground.path("project"))
    );
    assert_eq!(list[0].bytes, looks(&ground.journal(&two)).0);
    assert_eq!(list[1].updated - list[2].updated, 10);
    assert_eq!(ground.sessions().read(&three).unwrap().card, list[1]);
}

#[test]
fn of_two_that_were_written_to_in_the_same_second_the_later_one_counts() {
    let ground = Ground::new();
    let one = ground.kept(&[setting(&ground.project()), said("mend the list")]);
    for (name, later) in [("b", 4), ("a", 8), ("c", 6)] {
        copy_after(&ground, &one, name, Duration::from_millis(later));
    }
    assert_eq!(ids(&ground.sessions().list()), ["a", "c", "b", one.0.as_str()]);
    assert_eq!(ground.sessions().last_of(&ground.project()).unwrap().id.0, "a");
}

#[test]
fn cards_are_kept_beside_journals_and_made_anew_where_one_grew() {
    let ground = Ground::new();
    let id = ground.kept(&[said("first")]);
    let first = ground.sessions().list();
    let card = ground.path("state/sessions").join(format!("{id}.card.json"));
    let kept = looks(&card);
    assert_eq!((ground.sessions().list(), looks(&card)), (first, kept.clone()), "read, not made");
    let (journal, _) = ground.sessions().open(&id, &ground.project()).unwrap();
    write(&journal, &[event(Event::Session(SessionEvent::Renamed { title: "second".into() }))]);
    drop(journal);
    assert_eq!(ground.sessions().list()[0].title, "second");
    for spoilt in ["", "{", "{\"v\":9}"] {
        fs::write(&card, spoilt).unwrap();
        assert_eq!(ground.sessions().list()[0].title, "second");
        assert_ne!(fs::read_to_string(&card).unwrap(), spoilt);
    }
    assert_eq!(ground.sessions().list().len(), 1);
}

#[test]
fn other_files_are_no_sessions() {
    let ground = Ground::new();
    ground.kept(&numbered(1));
    for name in ["a.card.json", "b.torn-12", "notes.txt", "..jsonl", "c d.jsonl", ".jsonl"] {
        fs::write(ground.path("state/sessions").join(name), "x").unwrap();
    }
    fs::create_dir(ground.path("state/sessions/folder.jsonl")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", ground.path("state/sessions/link.jsonl")).unwrap();
    assert_eq!(ground.sessions().list().len(), 1);
    for name in ["link", "folder", "../x", "", "/etc/passwd", "a/b"] {
        let id = SessionId(name.into());
        assert!(ground.sessions().read(&id).is_err(), "{name}");
        assert!(ground.sessions().open(&id, &ground.project()).is_err(), "{name}");
        assert!(ground.sessions().find(name).is_err(), "{name}");
    }
}

#[test]
fn the_last_of_a_project_is_found_by_its_path() {
    let ground = Ground::new();
    assert_eq!(ground.sessions().last_of(&ground.project()), None);
    let one = ground.kept(&numbered(1));
    let two = copy(&ground, &one, "two", 10);
    fs::create_dir(ground.path("other")).unwrap();
    let other = Folder::at(&ground.path("other")).unwrap();
    let elsewhere = ground.sessions().create(&other);
    write(&elsewhere, &numbered(1));
    assert_eq!(ground.sessions().last_of(&ground.project()).unwrap().id, two);
    assert_eq!(&ground.sessions().last_of(&other).unwrap().id, elsewhere.id(), "open or not");
}

#[test]
fn a_session_in_which_nothing_stands_is_not_the_last_of_a_project() {
    let ground = Ground::new();
    let one = ground.kept(&[setting(&ground.project()), said("mend the list")]);
    let head = fs::read_to_string(ground.journal(&one)).unwrap().lines().next().unwrap().to_owned();
    let empty = SessionId("empty".into());
    fs::write(ground.journal(&empty), moved(&head, Duration::from_secs(9)) + "\n").unwrap();
    assert_eq!(ids(&ground.sessions().list()), ["empty", one.0.as_str()]);
    assert_eq!(ground.sessions().last_of(&ground.project()).unwrap().id, one);
}

#[test]
fn the_last_of_a_project_that_was_moved_is_found_by_its_folder() {
    let ground = Ground::new();
    let id = ground.kept(&[setting(&ground.project())]);
    fs::create_dir(ground.path("new")).unwrap();
    let new = Folder::at(&ground.path("new")).unwrap();
    assert_eq!(ground.sessions().last_of(&new), None, "another folder");
    fs::rename(ground.path("project"), ground.path("moved")).unwrap();
    let moved = Folder::at(&ground.path("moved")).unwrap();
    assert_eq!(ground.sessions().last_of(&moved).unwrap().id, id);
    fs::create_dir(ground.path("project")).unwrap();
    assert_eq!(ground.sessions().last_of(&moved), None, "somebody else lives under its old path now");
}

#[test]
fn where_a_session_goes_on_is_where_it_is_found() {
    let ground = Ground::new();
    let id = ground.kept(&[setting(&ground.project())]);
    for place in ["one", "two"] {
        fs::create_dir(ground.path(place)).unwrap();
        let folder = Folder::at(&ground.path(place)).unwrap();
        let (journal, _) = ground.sessions().open(&id, &folder).unwrap();
        write(&journal, &[number(0)]);
        drop(journal);
        assert_eq!(ground.sessions().last_of(&folder).unwrap().id, id);
    }
    fs::rename(ground.path("two"), ground.path("three")).unwrap();
    let three = Folder::at(&ground.path("three")).unwrap();
    assert_eq!(ground.sessions().last_of(&three).unwrap().id, id);
    assert_eq!(ground.sessions().read(&id).unwrap().records, [setting(&ground.project()), number(0), number(0)]);
}

#[test]
fn a_session_is_found_by_the_beginning_of_its_name() {
    let ground = Ground::new();
    let one = ground.kept(&numbered(1));
    for name in ["abc", "abcd", "abx", "aby"] {
        copy(&ground, &one, name, 0);
    }
    let sessions = ground.sessions();
    assert_eq!(sessions.find("abc").unwrap().id.0, "abc", "its whole name");
    assert_eq!(sessions.find("abx").unwrap().id.0, "abx");
    assert_eq!(sessions.find(&one.0[..5]).unwrap().id, one);
    let several = sessions.find("ab").unwrap_err();
    assert!(matches!(several, SessionError::Ambiguous { .. }));
    assert_eq!(several.to_string(), "`ab` is the beginning of 4 sessions: aby, abx, abcd, …; give more of the name");
    let none = sessions.find("zz").unwrap_err();
    assert_eq!(none.to_string(), "there is no session `zz`; `agent sessions list` shows those that are kept");
}

#[test]
fn a_fork_begins_as_its_parent_did_and_goes_its_own_way() {
    let ground = Ground::new();
    let parent = ground.sessions().create(&ground.project());
    write(&parent, &numbered(5));
    let (fork, loaded) = ground.sessions().fork(parent.id(), 3, &ground.project()).unwrap();
    assert_ne!(fork.id(), parent.id());
    assert_eq!((loaded.records, loaded.card.parent.as_ref()), (numbered(3), Some(parent.id())));
    write(&fork, &[number(7)]);
    write(&parent, &[number(5)]);
    assert_eq!((parent.records().unwrap().len(), fork.records().unwrap().len()), (6, 4));
    let id = fork.id().clone();
    drop(fork);
    let again = ground.sessions().read(&id).unwrap();
    assert_eq!(again.records, [numbered(3), vec![number(7)]].concat());
    let (_, all) = ground.sessions().fork(parent.id(), 99, &ground.project()).unwrap();
    assert_eq!(all.records, numbered(6), "there are no more");
    let torn = fs::read_to_string(ground.journal(&id)).unwrap() + "{\"v\":1,";
    fs::write(ground.journal(&id), &torn).unwrap();
    let (_, whole) = ground.sessions().fork(&id, 99, &ground.project()).unwrap();
    assert_eq!((whole.records.len(), whole.torn), (4, None), "what is torn is not copied");
    assert_eq!(fs::read_to_string(ground.journal(&id)).unwrap(), torn);
}

#[test]
fn a_session_goes_with_all_that_lies_beside_it() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(1));
    let other = copy(&ground, &id, "other", 0);
    fs::write(ground.journal(&id), fs::read_to_string(ground.journal(&id)).unwrap() + "torn").unwrap();
    drop(ground.sessions().open(&id, &ground.project()).unwrap());
    ground.sessions().list();
    assert_eq!(ground.names().len(), 5);
    ground.sessions().remove(&id).unwrap();
    assert_eq!(ground.names(), ["other.card.json", "other.jsonl"]);
    assert!(matches!(ground.sessions().remove(&id), Err(SessionError::Missing { .. })));
    ground.sessions().remove(&other).unwrap();
    assert_eq!(ground.names(), Vec::<String>::new());
}

#[test]
fn only_old_sessions_are_pruned() {
    let ground = Ground::new();
    let new = ground.kept(&numbered(1));
    let day = 24 * 60 * 60;
    let text = fs::read_to_string(ground.journal(&new)).unwrap();
    let lines: Vec<String> = text.lines().map(|line| moved(line, Duration::ZERO)).collect();
    assert_eq!(lines.join("\n") + "\n", text, "moving by nothing changes nothing");
    let id = SessionId("old".into());
    let old: String = text
        .lines()
        .map(|line| {
            let (before, after) = line.split_once("\"t\":").unwrap();
            let (time, after) = after.split_once(',').unwrap();
            let earlier = time.parse::<u64>().unwrap() - 31 * day * 1_000;
            moved(&format!("{before}\"t\":{earlier},{after}"), Duration::ZERO) + "\n"
        })
        .collect();
    fs::write(ground.journal(&id), old).unwrap();
    let pruned = ground.sessions().prune(Duration::from_secs(30 * day)).unwrap();
    assert_eq!(ids(&pruned), ["old"]);
    assert_eq!(ids(&ground.sessions().list()), [new.0.as_str()]);
}
