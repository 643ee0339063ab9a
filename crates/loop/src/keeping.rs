//! The session's record: hands what happens to the journal, and opens, copies and lists sessions.
//!
//! The journal writes on a thread of its own. Only what is about to change something waits for the disk.

use crate::arrival::{Arrival, Inbox, Opened};
use agent_policy::{Facts, queries};
use agent_protocol::{
    Action, CallEvent, CallId, Change, Changes, Digest, Event, ExportFormat, Failure, FileChange, FileState,
    JournalState, Record, SaidId, ServerEvent, SessionCard, SessionEvent, SessionId, TurnEvent, TurnId,
};
use agent_session::export::{json, markdown};
use agent_session::{Input, OpenedSession, SessionInput, records_before, unfinished};
use agent_store::{Contents, Folder, Journal, Loaded, Place, SessionError, Sessions};
use agent_tools::{HookScene, Intent, Keep, Toolbox};
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// So long it is waited at most until what is open is on disk, before something else is done with it.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Why something was not read.
const NOT_READ: &str = "reading broke off; this is a fault in agent";

/// What a session is kept with.
#[derive(Debug, Clone)]
pub struct Archive {
    /// The folder of the project.
    pub project: Folder,
    /// The kept sessions; `None`: nothing is written down.
    pub sessions: Option<Sessions>,
    /// What the first new session is called; `None`: as it comes.
    pub name: Option<SessionId>,
    /// Where the bytes of changed files lie.
    pub contents: Arc<Contents>,
    /// Where these and all other things are kept.
    pub place: Place,
    /// Bytes of changed files go when they are older than this …
    pub older_than: Duration,
    /// … or when there are more than so many, the oldest first.
    pub at_most: u64,
}

impl Archive {
    /// Nothing is written down of a session in `project`; bytes of changed files lie in `place`, and stay for long.
    pub fn of_nothing(place: Place, project: Folder) -> Self {
        let contents = Arc::new(Contents::new(&place, &project));
        Archive { project, sessions: None, name: None, contents, place, older_than: Duration::MAX, at_most: u64::MAX }
    }
}

/// The bytes of changed files, for tools.
#[derive(Debug)]
pub struct KeptContents(pub Arc<Contents>);

impl Keep for KeptContents {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        self.0.keep(bytes)
    }

    fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        self.0.fetch(digest)
    }

    fn settle(&self, digest: &agent_protocol::Digest) -> io::Result<()> {
        self.0.settle(digest)
    }
}

/// The record of the session that is open.
pub(crate) struct Keeping {
    archive: Archive,
    tools: Arc<Toolbox>,
    inbox: Inbox,
    journal: Option<Arc<Journal>>,
    /// Something was written down, and what is too old was looked for.
    tidied: bool,
    /// What the sessions that were opened need of the bytes of changed files.
    needed: HashSet<Digest>,
}

impl Keeping {
    /// How it stands with writing comes through the second.
    pub(crate) fn new(archive: Archive, tools: Arc<Toolbox>, inbox: Inbox) -> (Self, UnboundedReceiver<JournalState>) {
        let (states, heard) = unbounded_channel();
        let archive = Archive { sessions: archive.sessions.map(|sessions| wired(sessions, &tools, states)), ..archive };
        (Keeping { archive, tools, inbox, journal: None, tidied: false, needed: HashSet::new() }, heard)
    }

    pub(crate) fn write(&mut self, records: Vec<Record>, sync: bool) {
        let Some(sessions) = &self.archive.sessions else { return };
        let (project, name) = (&self.archive.project, &mut self.archive.name);
        let journal = self.journal.get_or_insert_with(|| {
            Arc::new(match name.take() {
                Some(name) => sessions.create_named(&name, project),
                None => sessions.create(project),
            })
        });
        journal.write(records, sync);
        if !std::mem::replace(&mut self.tidied, true) {
            let Archive { place, contents, older_than, at_most, .. } = self.archive.clone();
            let needed = std::mem::take(&mut self.needed);
            // Nobody waits for it. What can be undone in this session is not thrown away while it is open.
            drop(spawn_blocking(move || {
                needed.iter().for_each(|digest| contents.touch(digest));
                Contents::collect(&place, older_than, at_most)
            }));
        }
    }

    /// Resolves when all that was given so far is on disk, or cannot be.
    pub(crate) fn settled(&self) -> impl Future<Output = ()> + Send + 'static {
        let settled = self.journal.as_ref().map(|journal| journal.settled());
        async move {
            if let Some(settled) = settled {
                settled.await;
            }
        }
    }

    /// What hooks are told of the session.
    pub(crate) fn scene(&mut self) -> HookScene {
        let Some(sessions) = &self.archive.sessions else { return HookScene::default() };
        let id = match &self.journal {
            Some(journal) => journal.id().clone(),
            // It will be called so when something is written down of it.
            None => self.archive.name.get_or_insert_with(|| sessions.new_name()).clone(),
        };
        HookScene { transcript: Some(sessions.path(&id)), session: id.0 }
    }

    /// Writes down under which digest it is kept what was there before this call, and waits until that is on disk.
    pub(crate) fn intent(&self, call: CallId) -> Option<Intent> {
        let journal = self.journal.clone()?;
        Some(Box::new(move |kept| {
            Box::pin(async move {
                // Where nothing of it could be kept, that it begins is written down all the same.
                journal.write(kept.map(|kept| Record::Before { call, kept }).into_iter().collect(), true);
                journal.settled().await;
            })
        }))
    }

    /// What is written down next is another session.
    pub(crate) fn close(&mut self) {
        if let Some(journal) = self.journal.take() {
            // What waits is written first, and that may take a moment.
            drop(spawn_blocking(move || drop(journal)));
        }
    }

    /// The session is over: all of it is on disk when this returns, or cannot be.
    pub(crate) async fn wind_up(&mut self) {
        if let Some(journal) = self.journal.take() {
            let _written = spawn_blocking(move || drop(journal)).await;
        }
    }

    /// Takes over what was opened.
    pub(crate) fn opened(&mut self, opened: Opened) -> Input {
        let Opened { journal, needed, result } = opened;
        if self.tidied {
            let contents = self.archive.contents.clone();
            drop(spawn_blocking(move || needed.iter().for_each(|digest| contents.touch(digest))));
        } else {
            self.needed.extend(needed);
        }
        if let Some(journal) = journal {
            self.close();
            self.journal = Some(Arc::new(journal));
        }
        Input::Session(SessionInput::SessionOpened { result })
    }

    /// What was done in this session until now counts as well.
    pub(crate) fn list(&self) {
        let (sessions, project) = (self.archive.sessions.clone(), self.archive.project.clone());
        let settled = self.settled();
        self.inbox.answer(async move {
            let _settled = timeout(LONGEST_WAIT, settled).await;
            let listed = spawn_blocking(move || {
                let mut cards = sessions.map(|sessions| sessions.list()).unwrap_or_default();
                cards.sort_by_key(|card| card.project != project.path);
                cards
            });
            let sessions = listed.await.unwrap_or_default();
            SessionInput::SessionsListed { sessions, now: now() }
        });
    }

    pub(crate) fn open(&self, id: SessionId) {
        let is_open = self.journal.as_ref().is_some_and(|journal| *journal.id() == id);
        self.take_up(move |archive, sessions| {
            if is_open {
                return Err(Unopened("this session is open already".into()));
            }
            // The beginning of a name is enough.
            let id = sessions.find(&id.0)?.id;
            Ok((sessions.open(&id, &archive.project)?, None))
        });
    }

    /// Goes on with a copy of a session that is not open here.
    pub(crate) fn copy(&self, id: SessionId) {
        self.take_up(move |archive, sessions| Ok((sessions.fork(&id, usize::MAX, &archive.project)?, None)));
    }

    /// Goes on with a copy of the session that is open, from before this was said.
    pub(crate) fn fork(&self, said: Option<SaidId>, next: Option<String>) {
        let journal = self.journal.clone();
        self.take_up(move |archive, sessions| {
            let journal = journal.ok_or_else(|| Unopened("nothing of this session is written down yet".into()))?;
            let records = journal.records().map_err(Unopened)?;
            if sessions.read(journal.id())?.records.len() < records.len() {
                let why = "not all of this session is saved at the moment; it can be copied when it is";
                return Err(Unopened(why.into()));
            }
            let end = match said.map(|said| records_before(&records, said)) {
                None => records.len(),
                Some(Some(end)) => end,
                Some(None) => return Err(Unopened("that message does not stand in the session's file".into())),
            };
            Ok((sessions.fork(journal.id(), end, &archive.project)?, next))
        });
    }

    fn take_up(
        &self,
        open: impl FnOnce(&Archive, &Sessions) -> Result<((Journal, Loaded), Option<String>), Unopened> + Send + 'static,
    ) {
        let (archive, tools, inbox) = (self.archive.clone(), self.tools.clone(), self.inbox.clone());
        let settled = self.settled();
        tokio::spawn(async move {
            // A disk that hangs must not keep another session from being opened.
            let _settled = timeout(LONGEST_WAIT, settled).await;
            let opened = spawn_blocking(move || opened(&archive, &tools, open)).await;
            let opened =
                opened.unwrap_or_else(|_| Opened::failed("the session could not be opened; this is a fault in agent"));
            inbox.put(Arrival::Session(Box::new(opened))).await;
        });
    }

    /// Reads what is written down of one turn of the session that is open.
    pub(crate) fn read_page(&self, session: SessionId, turn: TurnId) {
        let journal = self.journal.clone().filter(|journal| *journal.id() == session);
        let broken = SessionInput::PageRead { session: session.clone(), turn, result: Err(NOT_READ.into()) };
        self.answer_blocking(broken, move || {
            let result = journal.ok_or("another session is open now".into()).and_then(|journal| journal.page(turn));
            SessionInput::PageRead { session, turn, result }
        });
    }

    /// Reads all that is written down of the session that is open.
    pub(crate) fn read_back(&self, said: SaidId) {
        let journal = self.journal.clone();
        let broken = SessionInput::ReadBack { said, result: Err(NOT_READ.into()) };
        self.answer_blocking(broken, move || {
            let result =
                journal.ok_or("nothing of this session is written down".into()).and_then(|journal| journal.records());
            SessionInput::ReadBack { said, result }
        });
    }

    /// Tells the machine what was read; `broken` where that broke.
    fn answer_blocking(&self, broken: SessionInput, read: impl FnOnce() -> SessionInput + Send + 'static) {
        self.inbox.answer(async move { spawn_blocking(read).await.unwrap_or(broken) });
    }

    /// Writes the session out as text, and finds the place for it.
    pub(crate) fn export(&self, format: ExportFormat, path: Option<String>) {
        let (journal, tools, settled) = (self.journal.clone(), self.tools.clone(), self.settled());
        let sessions = self.archive.sessions.clone();
        self.inbox.answer(async move {
            let _settled = timeout(LONGEST_WAIT, settled).await;
            let exported = spawn_blocking(move || {
                let (journal, sessions) = journal.zip(sessions).ok_or("nothing of this session is written down")?;
                exported(&journal, &sessions, &tools, format, path)
            });
            let result = exported.await.unwrap_or_else(|_| Err("the session could not be written out".into()));
            SessionInput::Exported { result }
        });
    }
}

/// Why a session is not opened, in words.
struct Unopened(String);

impl From<SessionError> for Unopened {
    fn from(error: SessionError) -> Self {
        Unopened(error.to_string())
    }
}

/// What is written down holds no secrets, and the machine hears whether it is.
fn wired(sessions: Sessions, tools: &Arc<Toolbox>, states: UnboundedSender<JournalState>) -> Sessions {
    let tools = tools.clone();
    // Nobody may be left to hear it.
    let report = move |state| drop(states.send(state));
    sessions.hiding(Arc::new(move |text| tools.hide(text))).reporting(Arc::new(report))
}

fn opened(
    archive: &Archive,
    tools: &Toolbox,
    open: impl FnOnce(&Archive, &Sessions) -> Result<((Journal, Loaded), Option<String>), Unopened>,
) -> Opened {
    let Some(sessions) = &archive.sessions else {
        let why = "sessions are not kept: enabled = false under [sessions] in your config";
        return Opened::failed(why);
    };
    match open(archive, sessions) {
        Err(Unopened(why)) => Opened::failed(why),
        Ok(((journal, Loaded { card, records, torn }), next)) => {
            let recovered = recovered(archive, tools, &records);
            let torn = torn.map(|torn| {
                let path = torn.path.display();
                format!("the end of this session was not written whole; these {} bytes lie in {path}", torn.bytes)
            });
            let needed = needed(&records);
            let session = OpenedSession { card, records, torn, recovered, next };
            Opened { journal: Some(journal), needed, result: Ok(Box::new(session)) }
        }
    }
}

/// What became of files in calls that never told how they ended; nobody knows where the project is another one now.
fn recovered(archive: &Archive, tools: &Toolbox, records: &[Record]) -> Vec<(CallId, Vec<FileChange>)> {
    let setting = records.iter().rev().find_map(|record| match record {
        Record::Setting(setting) => Some(setting),
        _ => None,
    });
    if setting.is_none_or(|setting| setting.project != archive.project.path) {
        return Vec::new();
    }
    unfinished(records).into_iter().map(|(call, kept)| (call, tools.recovered(&kept))).collect()
}

/// The bytes of changed files that undo and redo may need.
fn needed(records: &[Record]) -> HashSet<Digest> {
    let mut needed = HashSet::new();
    let mut need = |state: &FileState| {
        if let FileState::File { content, .. } = state {
            needed.insert(content.clone());
        }
    };
    for record in records {
        match record {
            Record::Event { event } => match event.of_agent() {
                Event::Call(CallEvent::Finished { outcome, .. }) => {
                    outcome.changed.iter().flat_map(|change| [&change.before, &change.after]).for_each(&mut need);
                }
                Event::Session(SessionEvent::Undone { files, .. }) => {
                    files.iter().flat_map(|file| [&file.before, &file.after]).for_each(&mut need);
                }
                _ => {}
            },
            Record::Undoing { files, .. } => {
                files.iter().flat_map(|file| [&file.before, &file.after]).for_each(&mut need);
            }
            _ => {}
        }
    }
    needed
}

/// The action that writes it, and what policy wants to know about that.
fn exported(
    journal: &Journal,
    sessions: &Sessions,
    tools: &Toolbox,
    format: ExportFormat,
    path: Option<String>,
) -> Result<(Action, Facts), String> {
    let (card, records) = whole(journal, sessions)?;
    let (text, extension) = match format {
        ExportFormat::Markdown => (markdown(&card, &records), "md"),
        ExportFormat::Json => (json(&card, &records), "json"),
    };
    let path = match path {
        Some(name) => tools.resolve(&name),
        None => free_name(tools, &format!("session-{}", journal.id()), extension),
    };
    let path = path.map_err(|failure| failure.message)?;
    let change = Change { path, before: None, after: Some(text) };
    let action = Action::Write { changes: Changes(vec![change]) };
    let facts = tools.facts(&queries(&action));
    Ok((action, facts))
}

/// All of the session, also what could not be written down, and what is known of it.
fn whole(journal: &Journal, sessions: &Sessions) -> Result<(SessionCard, Vec<Record>), String> {
    let shows = |why| format!("{why}; `agent sessions show {}` prints what comes before", journal.id());
    let records = journal.records().map_err(shows)?;
    match sessions.read(journal.id()) {
        // The thread that writes it may be gone.
        Ok(loaded) if records.is_empty() => Ok((loaded.card, loaded.records)),
        Ok(loaded) => Ok((loaded.card, records)),
        Err(error) if records.is_empty() => Err(error.to_string()),
        Err(_) => Ok((card_of(journal.id(), &records), records)),
    }
}

/// What is known of a session that is only in memory.
fn card_of(id: &SessionId, records: &[Record]) -> SessionCard {
    let (mut project, mut title, mut model, mut turns) = (PathBuf::new(), None, None, 0);
    for record in records {
        match record {
            Record::Setting(setting) => project.clone_from(&setting.project),
            Record::Event { event: Event::Turn(TurnEvent::Started { text, .. }) } if !text.trim().is_empty() => {
                turns += 1;
                title.get_or_insert_with(|| text.trim().lines().next().unwrap_or_default().to_owned());
            }
            Record::Event { event: Event::Server(ServerEvent::ModelSet { card, .. }) } => {
                model = Some(card.name.clone())
            }
            _ => {}
        }
    }
    let (title, now) = (title.unwrap_or_default(), now());
    SessionCard {
        id: id.clone(),
        title,
        project,
        began: now,
        updated: now,
        model,
        turns,
        bytes: 0,
        parent: None,
        open: true,
    }
}

/// A name in the project folder that nothing has yet: `session-….md`, else `session-…-2.md`.
fn free_name(tools: &Toolbox, stem: &str, extension: &str) -> Result<PathBuf, Failure> {
    let mut path = tools.resolve(&format!("{stem}.{extension}"))?;
    let mut number = 2;
    while path.symlink_metadata().is_ok() {
        path = tools.resolve(&format!("{stem}-{number}.{extension}"))?;
        number += 1;
    }
    Ok(path)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
