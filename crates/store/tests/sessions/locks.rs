//! One agent writes in a session; others are told so, and go their own way.

use crate::ground::{Ground, number, numbered, wait, write};
use agent_store::SessionError;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_session_that_is_open_is_not_opened_again() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &numbered(1));
    let id = journal.id().clone();
    let error = ground.sessions().open(&id, &ground.project()).unwrap_err();
    assert!(matches!(error, SessionError::InUse { .. }));
    let words = format!(
        "session {id} is open in another agent; go on there, in a copy with `agent -r {id} --fork`, or pick another one \
         with `agent -r`"
    );
    assert_eq!(error.to_string(), words);
    assert!(ground.sessions().list()[0].open);
    write(&journal, &[number(1)]);
    drop(journal);
    assert!(!ground.sessions().list()[0].open);
    let (opened, loaded) = ground.sessions().open(&id, &ground.project()).unwrap();
    assert_eq!(loaded.records, numbered(2));
    assert!(ground.sessions().open(&id, &ground.project()).is_err(), "also one that was opened, not made");
    drop(opened);
}

/// A program that starts another one has, for a moment, a twin with all its open files.
#[test]
fn a_session_that_was_closed_is_free_whoever_has_its_file_still() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &numbered(1));
    let id = journal.id().clone();
    let twins = twins(&ground.journal(&id));
    assert!(!twins.is_empty());
    drop(journal);
    assert!(!ground.sessions().list()[0].open);
    drop(ground.sessions().open(&id, &ground.project()).unwrap());
    drop(twins);
}

/// The files of this process that `path` leads to, each once more.
fn twins(path: &Path) -> Vec<OwnedFd> {
    let ourselves = pidfd_open(getpid(), PidfdFlags::empty()).unwrap();
    let place = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    let numbers =
        std::fs::read_dir("/proc/self/fd").unwrap().flatten().filter(|entry| place(&entry.path()) == place(path));
    let numbers = numbers.map(|entry| entry.file_name().to_string_lossy().parse().unwrap());
    numbers.map(|number| pidfd_getfd(&ourselves, number, PidfdGetfdFlags::empty()).unwrap()).collect()
}

#[test]
fn looking_at_sessions_keeps_nobody_from_opening_them() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(1));
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                assert_eq!(ground.sessions().list().len(), 1);
            }
        });
        for _ in 0..50 {
            drop(ground.sessions().open(&id, &ground.project()).unwrap());
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn two_sessions_in_one_project_do_not_disturb_each_other() {
    let ground = Ground::new();
    let (one, other) = (ground.sessions().create(&ground.project()), ground.sessions().create(&ground.project()));
    for place in 0..20 {
        one.write(vec![number(place)], true);
        other.write(vec![number(place + 1_000)], true);
    }
    wait(one.settled());
    wait(other.settled());
    assert_ne!(one.id(), other.id());
    assert_eq!(one.records().unwrap(), numbered(20));
    assert_eq!(other.records().unwrap(), (1_000..1_020).map(number).collect::<Vec<_>>());
}

#[test]
fn an_open_session_is_not_removed() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &numbered(1));
    assert!(matches!(ground.sessions().remove(journal.id()), Err(SessionError::InUse { .. })));
    let closed = ground.kept(&numbered(1));
    let pruned = ground.sessions().prune(Duration::ZERO).unwrap();
    assert_eq!(pruned.iter().map(|card| &card.id).collect::<Vec<_>>(), [&closed]);
    assert_eq!(ground.sessions().list().len(), 1);
}
