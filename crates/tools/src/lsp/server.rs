//! One running server: started once, asked often, ended when it is dropped.
//!
//! Each has a thread of its own with a runtime of its own, so that whoever asks may simply wait, wherever that is, and
//! the server's family lives as long as the thread that began it.

use super::address;
use super::envelope::UNREAD;
use super::link::{Answer, Refusal, Word, talk};
use super::position::Encoding;
use super::state::State;
use crate::blocking::Stop;
use crate::program::Watched;
use agent_policy::SandboxLimits;
use agent_protocol::{Digest, Failure, FailureKind};
use agent_sandbox::{SandboxError, Shell, Surroundings, serve_with};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How often somebody who waits looks whether they still should.
const BETWEEN: Duration = Duration::from_millis(50);
/// Time between two tries where the server says that it changed its mind meanwhile.
const AGAIN: Duration = Duration::from_millis(100);
/// "Content modified" and "server cancelled": to be asked again.
const ASK_AGAIN: [i64; 2] = [-32801, -32802];
/// Characters of a server's own words that are passed on.
const WORDS: usize = 400;

/// How long somebody waits for an answer.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    pub(crate) until: Instant,
    pub(crate) stop: Stop,
}

impl Patience {
    pub(crate) fn secs(secs: u64, stop: &Stop) -> Self {
        Patience { until: Instant::now() + Duration::from_secs(secs), stop: stop.clone() }
    }

    /// Until then, whatever happens.
    pub(crate) fn until(until: Instant) -> Self {
        Patience { until, stop: Stop::default() }
    }

    /// The same, but not longer than `secs` from now.
    pub(crate) fn at_most(&self, secs: u64) -> Self {
        Patience { until: self.until.min(Instant::now() + Duration::from_secs(secs)), stop: self.stop.clone() }
    }

    fn goes_on(&self) -> bool {
        !self.stop.wanted()
    }
}

/// How a server is started.
pub(crate) struct Launch {
    pub(crate) shell: Shell,
    pub(crate) fence: SandboxLimits,
    pub(crate) around: Arc<Surroundings>,
    /// It may write in the project, as long as it is there.
    pub(crate) watched: Watched,
    /// It says when it has seen all there is.
    pub(crate) announces: bool,
}

/// A file that the server was told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) version: i64,
    pub(super) digest: Digest,
}

#[derive(Debug)]
pub(crate) struct LanguageServerProcess {
    name: String,
    /// `None` only while it is dropped.
    words: Option<UnboundedSender<Word>>,
    next: AtomicI64,
    pub(super) state: Arc<State>,
    pub(super) told: Mutex<HashMap<PathBuf, Told>>,
    abilities: Value,
    pub(crate) encoding: Encoding,
    thread: Option<JoinHandle<()>>,
}

impl LanguageServerProcess {
    /// Starts it and waits until it is there.
    pub(crate) fn start(name: &str, launch: Launch, root: &Path, patience: &Patience) -> Result<Self, Failure> {
        let (started, has_started) = mpsc::channel();
        let state = Arc::new(State::new(launch.announces));
        let of_thread = state.clone();
        let server = LanguageServerProcess::within(name, state, move |words| run(launch, words, of_thread, started))?;
        let refused = match has_started.recv() {
            Ok(Ok(())) => return server.introduced(root, patience),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "its thread ended".into(),
        };
        Err(Failure::new(FailureKind::Io, format!("{name} could not be started: {refused}")))
    }

    /// One whose talk is led by `run` on a thread of its own.
    fn within(
        name: &str,
        state: Arc<State>,
        run: impl FnOnce(UnboundedReceiver<Word>) + Send + 'static,
    ) -> Result<Self, Failure> {
        let (words, to_say) = unbounded_channel();
        let ended = state.clone();
        let thread = Builder::new().name(format!("lsp {name}")).spawn(move || {
            run(to_say);
            ended.ended();
        });
        let thread = thread.map_err(|error| Failure::new(FailureKind::Io, format!("no thread for {name}: {error}")))?;
        Ok(LanguageServerProcess {
            name: name.into(),
            words: Some(words),
            next: AtomicI64::new(1),
            state,
            told: Mutex::default(),
            abilities: Value::Null,
            encoding: Encoding::Utf16,
            thread: Some(thread),
        })
    }

    /// Says who we are, and learns what it can do.
    fn introduced(mut self, root: &Path, patience: &Patience) -> Result<Self, Failure> {
        let known = self.ask("initialize", super::hello::hello(root), patience)?;
        self.encoding = Encoding::of(known["capabilities"]["positionEncoding"].as_str());
        self.abilities = known["capabilities"].clone();
        self.tell("initialized", json!({}));
        Ok(self)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.state.is_gone()
    }

    /// Can it do what it calls `ability`?
    pub(crate) fn can(&self, ability: &str) -> bool {
        match self.abilities.get(ability) {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_)) => true,
        }
    }

    pub(super) fn tell(&self, method: &'static str, params: Value) {
        self.say(Word::Tell { method, params });
    }

    fn say(&self, word: Word) {
        if let Some(words) = &self.words {
            // One that ended hears nothing; whoever asked learns of it.
            let _ = words.send(word);
        }
    }

    /// Is it still at something?
    pub(crate) fn is_busy(&self) -> bool {
        self.state.is_busy()
    }

    /// Waits until it has seen all there is. Has it?
    pub(crate) fn settle(&self, patience: &Patience) -> bool {
        self.state.wait(patience.until, || patience.goes_on(), || !self.state.is_busy())
    }

    /// Asks until there is an answer that holds.
    pub(crate) fn ask(&self, method: &'static str, params: Value, patience: &Patience) -> Result<Value, Failure> {
        loop {
            match self.answer(method, params.clone(), patience)? {
                Ok(answer) => return Ok(answer),
                Err(refusal) if ASK_AGAIN.contains(&refusal.code) && Instant::now() < patience.until => {
                    std::thread::sleep(AGAIN);
                }
                Err(refusal) => return Err(self.refused(&refusal)),
            }
        }
    }

    fn answer(&self, method: &'static str, params: Value, patience: &Patience) -> Result<Answer, Failure> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = mpsc::channel();
        let began = Instant::now();
        self.say(Word::Ask { id, method, params, answer });
        loop {
            match answered.recv_timeout(BETWEEN) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) if patience.goes_on() && Instant::now() < patience.until => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.tell("$/cancelRequest", json!({ "id": id }));
                    patience.stop.check()?;
                    return Err(self.silent(began.elapsed()));
                }
            }
        }
    }

    fn refused(&self, refusal: &Refusal) -> Failure {
        let words = clipped(&refusal.message);
        if refusal.code == UNREAD {
            let message = format!("{} could not be read: {words}; ask about one file or symbol", self.name);
            return Failure::new(FailureKind::TooLarge, message);
        }
        Failure::new(FailureKind::Io, format!("{} says: {words}", self.name))
    }

    fn silent(&self, waited: Duration) -> Failure {
        let why = if self.state.is_busy() { "is still indexing and" } else { "" };
        let message = format!(
            "{} {why} did not answer within {} s; call lsp again, or use find_references and grep_search",
            self.name,
            waited.as_secs().max(1)
        );
        Failure::new(FailureKind::Timeout, message.replace("  ", " "))
    }

    pub(super) fn gone(&self) -> Failure {
        // Its last words may come a moment after its end.
        self.state.wait(Instant::now() + Duration::from_secs(2), || true, || self.state.is_gone());
        let complaints = clipped(self.state.complaints().trim());
        let said = if complaints.is_empty() { String::new() } else { format!(" (it said: {complaints})") };
        let message = format!("{} ended{said}; call lsp again to start it anew", self.name);
        Failure::new(FailureKind::Io, message)
    }

    /// The address of a file, as it is told.
    pub(crate) fn address(path: &Path) -> Value {
        json!({ "uri": address::of(path) })
    }
}

impl Drop for LanguageServerProcess {
    fn drop(&mut self) {
        self.words = None;
        if let Some(thread) = self.thread.take() {
            // A fault there was told to whoever asked.
            let _ = thread.join();
        }
    }
}

/// The last characters of `text`, on one line.
fn clipped(text: &str) -> String {
    let whole = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let more = whole.chars().count().saturating_sub(WORDS);
    whole.chars().skip(more).collect()
}

/// Starts the program and talks with it until one of both ends.
fn run(
    launch: Launch,
    words: UnboundedReceiver<Word>,
    state: Arc<State>,
    started: mpsc::Sender<Result<(), SandboxError>>,
) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(started.send(Err(error.into()))),
    };
    runtime.block_on(async {
        // Some answer nothing where they cannot keep what they worked out, and their usual place is behind the fence.
        let caches = launch.around.temporary().join("caches").to_string_lossy().into_owned();
        match serve_with(&launch.shell, &launch.fence, &launch.around, &[("XDG_CACHE_HOME", &caches)]) {
            Ok(serving) => {
                // Whoever started it waits for this.
                let _ = started.send(Ok(()));
                let complaints = tokio::spawn(complaints(serving.errors, state.clone()));
                talk(serving.input, serving.output, words, state).await;
                drop(serving.family);
                // With its family gone the end is near.
                let _ = tokio::time::timeout(Duration::from_secs(1), complaints).await;
            }
            Err(error) => drop(started.send(Err(error))),
        }
    });
    // It wrote until its family was gone: only now is the last look at what it did.
    drop(launch.watched);
}

/// Reads what it complains of, so that it never waits for that.
async fn complaints(mut errors: Receiver, state: Arc<State>) {
    let mut bytes = vec![0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut bytes).await {
        state.complained(&bytes[..read]);
    }
}

#[cfg(test)]
impl LanguageServerProcess {
    /// One that is talked to over these streams.
    pub(crate) fn over(
        name: &str,
        (input, output): (tokio::io::DuplexStream, tokio::io::DuplexStream),
        root: &Path,
        patience: &Patience,
    ) -> Result<Self, Failure> {
        let state = Arc::new(State::new(false));
        let of_thread = state.clone();
        let run = move |words| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(talk(input, output, words, of_thread));
        };
        LanguageServerProcess::within(name, state, run)?.introduced(root, patience)
    }
}
