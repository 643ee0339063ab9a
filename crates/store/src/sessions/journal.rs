//! A session that is written down, on a thread of its own: whoever gives it records never waits for the disk.

use super::settled::{self, Signal};
use super::writer::Writer;
use agent_protocol::{Record, SessionId, TurnId};
use std::fmt;
use std::iter;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// So many jobs at most are done together: one sync serves them all.
const TOGETHER: usize = 256;

/// A disk that hangs keeps nobody longer from leaving.
const PATIENCE: Duration = Duration::from_secs(2);

enum Job {
    Write { records: Vec<Record>, sync: bool },
    Settle(Signal),
    Read(Sender<Result<Vec<Record>, String>>),
    ReadPage(TurnId, Sender<Result<Vec<Record>, String>>),
}

/// Writes a session down. Dropping it writes what waits, syncs, unlocks, and waits for that.
pub struct Journal {
    id: SessionId,
    /// Set with the first record: another agent may have taken the name just before.
    made: Arc<OnceLock<SessionId>>,
    /// `None`: there is no thread.
    jobs: Option<Sender<Job>>,
    thread: Option<(JoinHandle<()>, Mutex<Receiver<()>>)>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("id", self.id()).finish_non_exhaustive()
    }
}

impl Journal {
    pub(super) fn new(id: SessionId, made: Arc<OnceLock<SessionId>>, writer: Writer) -> Self {
        let (jobs, waiting) = mpsc::channel();
        let (over, ended) = mpsc::channel::<()>();
        let work = move || {
            run(writer, &waiting);
            drop(over);
        };
        let started = thread::Builder::new().name("journal".into()).spawn(work);
        match started {
            Ok(thread) => Journal { id, made, jobs: Some(jobs), thread: Some((thread, Mutex::new(ended))) },
            Err(error) => {
                tracing::warn!("the session is not saved, for no thread can be started: {error}");
                Journal { id, made, jobs: None, thread: None }
            }
        }
    }

    /// The name of the session. One whose file is not made yet may get another in the moment that it is, if somebody
    /// else takes this one first.
    pub fn id(&self) -> &SessionId {
        self.made.get().unwrap_or(&self.id)
    }

    /// Takes records; never waits, never fails. With `sync`, they are on disk before anything else is done.
    pub fn write(&self, records: Vec<Record>, sync: bool) {
        self.give(Job::Write { records, sync });
    }

    /// Resolves when everything given so far is written and on disk, or is known to be unwritable.
    pub fn settled(&self) -> impl Future<Output = ()> + Send + 'static + use<> {
        let (signal, settled) = settled::pair();
        self.give(Job::Settle(signal));
        settled
    }

    /// Everything so far, as it is written down, also what could not be. Waits for the disk. Nothing, where the thread that
    /// writes it is gone.
    ///
    /// # Errors
    /// Where not all of it can be read, in words.
    pub fn records(&self) -> Result<Vec<Record>, String> {
        let (answer, records) = mpsc::channel();
        self.give(Job::Read(answer));
        records.recv().unwrap_or_else(|_| Ok(Vec::new()))
    }

    /// What happened in one turn, up to where the next begins. Waits for the disk.
    ///
    /// # Errors
    /// Where nothing of it is written down, or it cannot be read, in words.
    pub fn page(&self, turn: TurnId) -> Result<Vec<Record>, String> {
        let (answer, records) = mpsc::channel();
        self.give(Job::ReadPage(turn, answer));
        records.recv().unwrap_or_else(|_| Err("the thread that writes the session ended".into()))
    }

    fn give(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A thread that is gone took its signals with it, so that nobody waits.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.jobs = None;
        let Some((thread, ended)) = self.thread.take() else { return };
        let ended = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        match ended.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {
                tracing::warn!("the disk hangs; the end of session {} is lost", self.id())
            }
            Ok(()) | Err(RecvTimeoutError::Disconnected) => drop(thread.join()),
        }
    }
}

fn run(mut writer: Writer, waiting: &Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let (mut due, mut signals, mut readers, mut pages) = (false, Vec::new(), Vec::new(), Vec::new());
        for job in iter::once(first).chain(waiting.try_iter()).take(TOGETHER) {
            match job {
                Job::Write { records, sync } => {
                    writer.take(&records);
                    due |= sync;
                }
                Job::Settle(signal) => signals.push(signal),
                Job::Read(reader) => readers.push(reader),
                Job::ReadPage(turn, reader) => pages.push((turn, reader)),
            }
        }
        writer.write(due || !signals.is_empty());
        drop(signals);
        for reader in readers {
            // Whoever asked may have left.
            let _ = reader.send(writer.records());
        }
        for (turn, reader) in pages {
            let _ = reader.send(writer.page(turn));
        }
    }
    writer.end();
}
