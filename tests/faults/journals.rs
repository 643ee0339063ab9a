//! What a row leaves among the kept sessions, read as a later agent would read it.
//!
//! They are read in a copy: the files belong to whom the program ran as, and what others wrote is not believed.

use agent_protocol::{Event, Message, Record, Role, SessionId, TurnEndReason, TurnEvent};
use agent_store::{Loaded, Place, Sessions};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How their names end.
const JOURNAL: &str = ".jsonl";

/// How long what was told may take to be written.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of the journals.
pub(crate) fn folder(state: &Path) -> PathBuf {
    state.join("sessions")
}

pub(crate) fn path(state: &Path, id: &SessionId) -> PathBuf {
    folder(state).join(format!("{id}{JOURNAL}"))
}

/// All sessions kept below `state`, the oldest first.
pub(crate) fn read(state: &Path) -> Result<Vec<Loaded>, String> {
    let copy = tempfile::tempdir().expect("a temporary folder can be made");
    DirBuilder::new().mode(0o700).create(folder(copy.path())).expect("a folder can be made");
    let mut ids = Vec::new();
    for name in names(state) {
        let Some(id) = name.strip_suffix(JOURNAL) else { continue };
        fs::copy(folder(state).join(&name), folder(copy.path()).join(&name)).expect("a journal can be copied");
        ids.push(SessionId(id.to_owned()));
    }
    ids.sort();
    let sessions = Sessions::new(Place::new(copy.path()));
    ids.iter().map(|id| sessions.read(id).map_err(|error| error.to_string())).collect()
}

/// The names of all that lies among the journals.
pub(crate) fn names(state: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder(state)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Complains of the first journal that does not load whole, is no text, or could be read by others.
pub(crate) fn check(state: &Path) -> Result<(), String> {
    if let Some(torn) = read(state)?.into_iter().find_map(|loaded| loaded.torn) {
        return Err(format!("the journal has a torn end of {} bytes", torn.bytes));
    }
    let files = names(state).into_iter().map(|name| (folder(state).join(name), 0o600));
    for (path, mode) in files.chain([(folder(state), 0o700)]) {
        let Ok(found) = fs::metadata(&path) else { continue };
        if found.permissions().mode() & 0o777 != mode {
            return Err(format!("{} has the rights {:o}", path.display(), found.permissions().mode()));
        }
        if found.is_file() && fs::read_to_string(&path).is_err() {
            return Err(format!("{} is no UTF-8", path.display()));
        }
    }
    Ok(())
}

/// The only session below `state`, which must load whole.
pub(crate) fn only(state: &Path) -> Loaded {
    check(state).unwrap_or_else(|fault| panic!("{fault}"));
    let mut all = read(state).expect("it was read just now");
    assert_eq!(all.len(), 1, "so many sessions are kept");
    all.remove(0)
}

/// Waits until there is one session, loads whole, and is as `done` says.
pub(crate) fn wait(state: &Path, done: impl Fn(&Loaded) -> bool) -> Loaded {
    wait_for(state, |all| all.len() == 1 && done(&all[0])).remove(0)
}

/// Waits until all sessions load whole and are as `done` says: an open one is written while we look.
pub(crate) fn wait_for(state: &Path, done: impl Fn(&[Loaded]) -> bool) -> Vec<Loaded> {
    let until = Instant::now() + PATIENCE;
    loop {
        let is_there = check(state).is_ok() && names(state).iter().any(|name| name.ends_with(JOURNAL));
        match is_there.then(|| read(state)) {
            Some(Ok(all)) if all.iter().all(|loaded| loaded.torn.is_none()) && done(&all) => return all,
            other => assert!(Instant::now() < until, "waited in vain for a journal: {other:?}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn events(loaded: &Loaded) -> impl DoubleEndedIterator<Item = &Event> {
    loaded.records.iter().filter_map(|record| match record {
        Record::Event { event } => Some(event),
        _ => None,
    })
}

/// How the last turn ended; `None`: it did not.
pub(crate) fn end(loaded: &Loaded) -> Option<&TurnEndReason> {
    events(loaded).rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Started { .. }) => Some(None),
        Event::Turn(TurnEvent::Ended { reason, .. }) => Some(Some(reason)),
        _ => None,
    })?
}

/// What the model wrote, all in one.
pub(crate) fn text(loaded: &Loaded) -> String {
    let piece = |event: &Event| match event {
        Event::Turn(TurnEvent::Text { text }) => Some(text.clone()),
        _ => None,
    };
    events(loaded).filter_map(piece).collect()
}

/// The conversation as it stands in the end, and whether its last message broke off.
pub(crate) fn conversation(loaded: &Loaded) -> (Vec<Message>, bool) {
    let (mut all, mut broken) = (Vec::new(), false);
    for record in &loaded.records {
        if let Record::Conversation { from, messages, broken_tail, .. } = record {
            all.truncate(*from);
            all.extend(messages.iter().cloned());
            broken = *broken_tail;
        }
    }
    (all, broken)
}

/// What the model was told of its calls.
pub(crate) fn results(loaded: &Loaded) -> Vec<String> {
    let (messages, _) = conversation(loaded);
    messages
        .into_iter()
        .filter(|message| message.role == Role::Tool)
        .map(|message| message.content.to_string())
        .collect()
}
