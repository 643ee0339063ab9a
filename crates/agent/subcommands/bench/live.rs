//! A run with a table on the terminal: what is pressed becomes a wish at the run's control, what the run tells is drawn.

use super::screen::{Asked, Screen};
use agent_bench::{Began, KeptRun, Live, Pace, RunError, Stopped, TrialHandle, TrialKey, TrialRow};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

/// How often keys are heard.
const KEYS: Duration = Duration::from_millis(100);
/// The table is drawn every third time, if anything changed: more often nobody can read it.
const DRAWN: u32 = 3;
/// So much of a trial's events is read at once.
const PIECE: u64 = 1 << 20;

/// A trial that was made, and how long the rest takes.
pub(super) type Made = (TrialRow, Duration);

/// The table, the terminal that it is on, and the user's side of the control.
pub(super) struct Table<'a> {
    screen: &'a mut Screen,
    live: Live,
    handle: TrialHandle,
    trial: Option<Following>,
}

impl<'a> Table<'a> {
    /// Of a run with these rows so far.
    pub(super) fn new(screen: &'a mut Screen, kept: &KeptRun, rows: &[TrialRow], handle: TrialHandle) -> Self {
        Table { screen, live: Live::new(&kept.plan, rows), handle, trial: None }
    }

    /// Draws until `running` ends or a person stops it, which is none. Leaves the last table on the terminal.
    ///
    /// # Errors
    /// What the run says, or a terminal that is gone.
    pub(super) async fn until_end(
        mut self,
        running: impl Future<Output = Result<Stopped, RunError>>,
        mut made: UnboundedReceiver<Made>,
    ) -> Result<Option<Stopped>, RunError> {
        let mut running = std::pin::pin!(running);
        let mut stops = stops()?;
        let mut goes_on = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
        let mut ticks = interval(KEYS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut count = 0_u32;
        let ended = loop {
            tokio::select! {
                biased;
                () = any(&mut stops) => break Ok(None),
                Some((row, left)) = made.recv() => self.made(row, left),
                Some(began) = self.handle.news.recv() => self.begins(began),
                ended = &mut running => break ended.map(Some),
                _ = goes_on.recv() => self.screen.take_again()?,
                _ = ticks.tick() => {
                    if self.hear_keys() {
                        break Ok(None);
                    }
                    if count.is_multiple_of(DRAWN) {
                        self.draw()?;
                    }
                    count = count.wrapping_add(1);
                }
            }
        };
        while let Ok((row, left)) = made.try_recv() {
            self.made(row, left);
        }
        self.live.go(Pace::Over);
        self.draw()?;
        ended
    }

    fn begins(&mut self, began: Began) {
        let Began { key, stream } = began;
        // A second try is of the same trial, whose time goes on.
        let same = self.trial.as_ref().filter(|trial| trial.key == key);
        let since = same.map_or_else(Instant::now, |trial| trial.since);
        self.live.begins(key.clone());
        self.trial = Some(Following { key, stream, since, at: 0, rest: Vec::new() });
    }

    fn made(&mut self, row: TrialRow, left: Duration) {
        self.trial = None;
        self.live.made(row, left);
    }

    fn hear_keys(&mut self) -> bool {
        for asked in self.screen.keys() {
            match asked {
                Asked::Stop => return true,
                Asked::Pause => {
                    let paused = self.live.pace() != Pace::Paused;
                    self.live.go(if paused { Pace::Paused } else { Pace::Going });
                    self.handle.wishes.send_modify(|wishes| wishes.paused = paused);
                }
                Asked::Skip => {
                    if let Some(task) = self.live.skip() {
                        self.trial = None;
                        self.handle.wishes.send_modify(|wishes| {
                            wishes.skipped.insert(task);
                        });
                    }
                }
            }
        }
        false
    }

    fn draw(&mut self) -> io::Result<()> {
        if let Some(trial) = &mut self.trial {
            trial.read().iter().for_each(|line| self.live.hears(line));
            self.live.takes(trial.since.elapsed());
        }
        let (width, height) = self.screen.size();
        // The line below the table is the cursor's.
        self.screen.draw(self.live.lines(width, height.saturating_sub(1)))
    }
}

/// The events of the trial under way, as far as they were read.
struct Following {
    key: TrialKey,
    stream: PathBuf,
    since: Instant,
    at: u64,
    /// The beginning of a line whose end is not there yet.
    rest: Vec<u8>,
}

impl Following {
    /// Whole lines that came since the last time. That the file is not there yet, or no longer, is no fault.
    fn read(&mut self) -> Vec<String> {
        let Ok(mut file) = File::open(&self.stream) else { return Vec::new() };
        let before = self.rest.len();
        let read = file.seek(SeekFrom::Start(self.at)).and_then(|_| file.take(PIECE).read_to_end(&mut self.rest));
        if read.is_err() {
            return Vec::new();
        }
        self.at += (self.rest.len() - before) as u64;
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let whole: Vec<u8> = self.rest.drain(..=end).collect();
        String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
    }
}

/// Every signal that ends a program and would leave its terminal as it is.
pub(super) fn stops() -> io::Result<Vec<Signal>> {
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup(), SignalKind::quit()];
    kinds.into_iter().map(signal).collect()
}

/// Waits for any of them.
pub(super) async fn any(signals: &mut [Signal]) {
    std::future::poll_fn(|context| {
        let heard = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if heard { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
