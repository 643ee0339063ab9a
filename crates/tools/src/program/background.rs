//! Commands in the background: started within their permit's fence, listened to, and ended when they are stopped or the
//! session is over. What they say is kept without secrets: all of some megabytes, of more the beginning and the end.
//!
//! Does not decide whether one may be started, and tells nobody in words; see `program` and `tools::jobs`.
//!
//! **Invariant.** None outlives its session: when the last clone is gone, or [`Background::wind_up`] has returned, all are
//! ended with all they started.

mod said;
#[cfg(test)]
mod tests;

use crate::Ground;
use crate::program::{Asker, Network, WayOut, Went};
use crate::redact::{Live, Secrets};
use agent_policy::SandboxLimits;
use agent_protocol::{BackgroundCommand, BackgroundId, BackgroundState, Failure, FailureKind};
use agent_sandbox::{Ended, Ending, Flush, Flushes, Kept, More, SandboxError, Shell, Surroundings, run_with};
use said::SaidInBackground;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// So many run at a time at most.
const MOST_RUNNING: usize = 16;
/// Of so many that ended it is known what they said; older ones are forgotten.
const MOST_ENDED: usize = 16;
/// What one wrote a moment ago is waited for so long at most: one that is not started yet may take its time.
const FRESH: Duration = Duration::from_secs(3);

/// The commands in the background of a session. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Background(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    around: Arc<Surroundings>,
    network: Network,
    secrets: Secrets,
    at_once: Duration,
    room: Mutex<Room>,
    cards: watch::Sender<Vec<BackgroundCommand>>,
    /// One said something, or ended.
    moved: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Room {
    jobs: Vec<Entry>,
    last: u64,
    closed: bool,
}

#[derive(Debug)]
struct Entry {
    card: BackgroundCommand,
    stage: Stage,
    began: Instant,
    /// How long it ran; `None`: it runs.
    took: Option<Duration>,
    said: SaidInBackground,
    /// How far the model has read.
    read: u64,
    /// Asks for what it wrote a moment ago.
    flush: Flush,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

/// How far it has come with a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It may still end at once.
    Beginning,
    /// It outlived that, and the model knows its number.
    Announced,
    /// It did not, or was stopped before it could; it is forgotten when it is gone.
    Abandoned,
}

pub(crate) struct BackgroundStart {
    pub(crate) shell: Shell,
    pub(crate) fence: SandboxLimits,
    /// As a line.
    pub(crate) command: String,
    pub(crate) description: String,
    /// Hears how it ended, unless it was stopped.
    pub(crate) at_end: AtEnd,
}

/// What is told how a command ended, and what it reached.
type AtEnd = Box<dyn FnOnce(Result<Ended, SandboxError>, Went) + Send>;

/// One as it is at a moment.
#[derive(Debug, Clone)]
pub(crate) struct BackgroundOutput {
    pub(crate) card: BackgroundCommand,
    /// How long it runs, or ran.
    pub(crate) time: Duration,
    /// Bytes it said so far.
    pub(crate) total: u64,
    /// Bytes of these that the model has not read.
    pub(crate) new: u64,
    /// The position that these are read from.
    pub(crate) from: u64,
}

/// A command that was just started. Dropping it ends the command, unless it was announced.
#[derive(Debug)]
pub(crate) struct Starting {
    background: Background,
    id: BackgroundId,
}

impl Background {
    pub(crate) fn new(ground: &Ground, network: Network) -> Self {
        Background(Arc::new(Shared {
            around: ground.surroundings.clone(),
            network,
            secrets: Secrets::new(ground.secret_values.iter().cloned()),
            at_once: ground.at_once,
            room: Mutex::default(),
            cards: watch::Sender::new(Vec::new()),
            moved: watch::Sender::new(()),
        }))
    }

    /// How it, and every other command, reaches the net.
    pub(crate) fn network(&self) -> &Network {
        &self.0.network
    }

    /// How long a start is waited for, in case it ends.
    pub(crate) fn at_once(&self) -> Duration {
        self.0.at_once
    }

    /// Starts a command. Must be called within a runtime.
    pub(crate) fn start(&self, start: BackgroundStart) -> Result<Starting, Failure> {
        let mut room = self.0.room();
        let running = room.jobs.iter().filter(|job| job.runs()).count();
        if room.closed || running >= MOST_RUNNING {
            let message = format!("{running} commands run in the background already; stop one of them with jobs first");
            return Err(Failure::new(FailureKind::NotReady, message));
        }
        room.last += 1;
        let id = BackgroundId(room.last);
        let BackgroundStart { shell, fence, command, description, at_end } = start;
        let (stop, stopped) = oneshot::channel();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        let (flush, flushes) = Flush::new();
        let heard = Heard { shared: Arc::downgrade(&self.0), id, flushes };
        let task = see_through(heard, shell, fence, self.0.surroundings(), stopped, at_end);
        room.jobs.push(Entry {
            card: BackgroundCommand { id, command, description, state: BackgroundState::Running, since },
            stage: Stage::Beginning,
            began: Instant::now(),
            took: None,
            said: SaidInBackground::default(),
            read: 0,
            flush,
            stop: Some(stop),
            task: Some(tokio::spawn(task)),
        });
        Ok(Starting { background: self.clone(), id })
    }

    /// Those the model knows of, oldest first.
    pub(crate) fn list(&self) -> Vec<BackgroundOutput> {
        self.0.room().jobs.iter().filter(|job| job.is_announced()).map(Entry::look).collect()
    }

    /// What this one said until now from position `since` on, or since it was last read; it is read then.
    pub(crate) async fn read(&self, id: BackgroundId, since: Option<u64>) -> Option<(BackgroundOutput, Kept)> {
        let flush = self.0.room().jobs.iter().find(|job| job.card.id == id)?.flush.clone();
        // What does not come in time is read the next time.
        drop(tokio::time::timeout(FRESH, flush.flush()).await);
        let mut room = self.0.room();
        let job = room.jobs.iter_mut().find(|job| job.card.id == id)?;
        let from = since.unwrap_or(job.read);
        let kept = job.said.since(from);
        let look = BackgroundOutput { from, ..job.look() };
        job.read = job.said.total;
        Some((look, kept))
    }

    /// Waits until this one ended, or says something that was not read, but no longer than `most`.
    pub(crate) async fn moves(&self, id: BackgroundId, most: Duration) {
        self.wait(most, |job| !job.runs() || job.said.total > job.read, id).await;
    }

    /// Waits until this one ended, but no longer than `most`.
    pub(crate) async fn ends(&self, id: BackgroundId, most: Duration) {
        self.wait(most, |job| !job.runs(), id).await;
    }

    async fn wait(&self, most: Duration, over: impl Fn(&Entry) -> bool, id: BackgroundId) {
        let mut moved = self.0.moved.subscribe();
        let wait = async {
            loop {
                moved.mark_unchanged();
                let waits = self.0.room().jobs.iter().any(|job| job.card.id == id && !over(job));
                if !waits || moved.changed().await.is_err() {
                    return;
                }
            }
        };
        // What does not come in time is no error: whoever waited looks for themselves.
        drop(tokio::time::timeout(most, wait).await);
    }

    /// Ends one, or all. They are ended when their state says so.
    pub(crate) fn stop(&self, id: Option<BackgroundId>) {
        let mut room = self.0.room();
        let meant = room.jobs.iter_mut().filter(|job| id.is_none_or(|id| job.card.id == id));
        meant.for_each(|job| drop(job.stop.take()));
    }

    /// Hears of each change to those the model knows of.
    pub(crate) fn cards(&self) -> watch::Receiver<Vec<BackgroundCommand>> {
        self.0.cards.subscribe()
    }

    /// Ends all, lets none begin any more, and waits until all are gone.
    pub(crate) async fn wind_up(&self) {
        self.0.room().closed = true;
        self.stop(None);
        let tasks: Vec<_> = self.0.room().jobs.iter_mut().filter_map(|job| job.task.take()).collect();
        for task in tasks {
            // One that broke has dropped what it held, and so ended it.
            drop(task.await);
        }
    }
}

impl Shared {
    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn surroundings(&self) -> (Arc<Surroundings>, Network, Secrets) {
        (self.around.clone(), self.network.clone(), self.secrets.clone())
    }

    fn say(&self, id: BackgroundId, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(job) = self.room().jobs.iter_mut().find(|job| job.card.id == id) {
            job.said.push(text);
        }
        self.moved.send_replace(());
    }

    fn ended(&self, id: BackgroundId, state: BackgroundState) {
        let mut room = self.room();
        if let Some(job) = room.jobs.iter_mut().find(|job| job.card.id == id) {
            job.card.state = state;
            job.took = Some(job.began.elapsed());
            job.stop = None;
        }
        self.publish(&mut room);
        self.moved.send_replace(());
    }

    /// Forgets the oldest that ended where these are many, and tells of the others.
    fn publish(&self, room: &mut Room) {
        room.jobs.retain(|job| job.runs() || job.stage != Stage::Abandoned);
        let ended = room.jobs.iter().filter(|job| !job.runs() && job.is_announced()).count();
        let mut too_many = ended.saturating_sub(MOST_ENDED);
        room.jobs.retain(|job| {
            let goes = too_many > 0 && !job.runs() && job.is_announced();
            too_many -= usize::from(goes);
            !goes
        });
        let announced = room.jobs.iter().filter(|job| job.is_announced());
        let cards: Vec<BackgroundCommand> = announced.map(|job| job.card.clone()).collect();
        self.cards.send_if_modified(|told| {
            let news = *told != cards;
            *told = cards;
            news
        });
    }
}

impl Entry {
    fn runs(&self) -> bool {
        self.card.state == BackgroundState::Running
    }

    fn is_announced(&self) -> bool {
        self.stage == Stage::Announced
    }

    fn look(&self) -> BackgroundOutput {
        BackgroundOutput {
            card: self.card.clone(),
            time: self.took.unwrap_or_else(|| self.began.elapsed()),
            total: self.said.total,
            new: self.said.total.saturating_sub(self.read),
            from: self.read,
        }
    }
}

impl Starting {
    /// It goes on: the model is told its number, and what it said so far, which counts as read.
    pub(crate) async fn announce(self) -> (BackgroundId, Kept) {
        let read = self.background.read(self.id, None).await;
        self.set(Stage::Announced);
        (self.id, read.map(|(_, kept)| kept).unwrap_or_default())
    }

    fn set(&self, stage: Stage) {
        let shared = &self.background.0;
        let mut room = shared.room();
        if let Some(job) = room.jobs.iter_mut().find(|job| job.card.id == self.id && job.stage == Stage::Beginning) {
            job.stage = stage;
            if stage == Stage::Abandoned {
                job.stop = None;
            }
        }
        shared.publish(&mut room);
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.set(Stage::Abandoned);
    }
}

/// Where what a command says goes.
struct Heard {
    shared: Weak<Shared>,
    id: BackgroundId,
    flushes: Flushes,
}

/// A command from its start to its end. Whoever drops the sender of `stopped` ends it.
async fn see_through(
    Heard { shared, id, flushes }: Heard,
    shell: Shell,
    fence: SandboxLimits,
    (around, network, secrets): (Arc<Surroundings>, Network, Secrets),
    mut stopped: oneshot::Receiver<()>,
    at_end: AtEnd,
) {
    let mut live = Live::new(secrets);
    let hear = |text: String| {
        let text = live.take(&text);
        if let Some(shared) = shared.upgrade() {
            shared.say(id, &text);
        }
    };
    let way = tokio::select! {
        way = network.open(&fence, Asker::Job(id)) => Some(way),
        // It has not begun.
        _ = &mut stopped => None,
    };
    let result = match way {
        Some(way) => {
            let more = way.as_ref().map(WayOut::more).unwrap_or_default();
            let more = More { flushes: Some(flushes), stop: Some(stopped), ..more };
            let result = run_with(&shell, &fence, &around, more, hear).await;
            Some((result, way.map(WayOut::went).unwrap_or_default()))
        }
        None => None,
    };
    // By now it is gone with all it started.
    let Some(shared) = shared.upgrade() else { return };
    shared.say(id, &live.end());
    let state = match &result {
        None | Some((Ok(Ended { ending: Ending::TimedOut, .. }), _)) => BackgroundState::Stopped,
        Some((Ok(Ended { ending: Ending::Exited(code), .. }), _)) => BackgroundState::Ended { code: Some(*code) },
        Some((Ok(Ended { ending: Ending::Signalled(_), .. }) | Err(_), _)) => BackgroundState::Ended { code: None },
    };
    // Whoever waits for the beginning hears of the end before anybody else does.
    if let Some((result, went)) = result.filter(|_| state != BackgroundState::Stopped) {
        at_end(result, went);
    }
    shared.ended(id, state);
}
