//! One trial: this very program with `-p`, in a folder of its own, with nothing of the user's settings but the arm.
//!
//! Whatever happens, the process and its group have ended when the trial has; what they started in the sandbox ends with
//! them.

use crate::class::ChildEnd;
use crate::stream::Told;
use crate::task::Task;
use crate::tree::{self, Files};
use crate::variant::Variant;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Replies with calls that a trial may have.
pub(crate) const STEPS: &str = "60";
/// How long it may take to leave when it is asked to.
const LEAVING: Duration = Duration::from_secs(10);
/// Longest time by which a trial may outstay its limit before it is ended from outside: it ends itself, and may be slow to.
const OUTSTAYING: Duration = Duration::from_secs(30);
/// So much of a stream is kept.
const KEPT: usize = 32 << 20;
/// A longer line is no event.
const LONGEST_LINE: u64 = 8 << 20;

/// Variables that would bring in the user's own settings.
const OWN: [&str; 10] = [
    "AGENT_HOST",
    "AGENT_MODEL",
    "AGENT_NUM_CTX",
    "OLLAMA_HOST",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
];

/// What all trials of a run have in common.
#[derive(Debug, Clone)]
pub struct TrialSettings {
    pub program: PathBuf,
    /// A file of what was learned of models, which a trial's own state begins with.
    pub learned: Option<PathBuf>,
    /// Longest time, as a multiple of what the task says.
    pub time_factor: f64,
}

/// What came of one trial.
#[derive(Debug)]
pub struct Tried {
    pub end: ChildEnd,
    /// What it told.
    pub told: Told,
    /// The project as it is afterwards.
    pub result: Files,
    /// How long it took.
    pub took: Duration,
    /// The end of what it said to people.
    pub complaint: String,
}

/// A folder that is gone when it is dropped.
///
/// # Errors
/// The system's words.
pub fn scratch() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("agent-bench-").tempdir()
}

/// Which attempt of a trial.
pub(crate) enum Attempt {
    First,
    /// The conversation goes on with these words.
    Again {
        words: String,
    },
}

impl Attempt {
    /// The file of its events, in the folder of what is kept of the trial.
    pub(crate) fn stream(&self) -> &'static str {
        match self {
            Attempt::First => "stream.jsonl",
            Attempt::Again { .. } => "stream-2.jsonl",
        }
    }

    /// The file of what it says to people.
    fn words(&self) -> &'static str {
        match self {
            Attempt::First => "stderr.txt",
            Attempt::Again { .. } => "stderr-2.txt",
        }
    }
}

/// A project with folders of its own around it, in which attempts are made.
pub(crate) struct TrialPlace {
    root: PathBuf,
    project: PathBuf,
    /// Gone when this is dropped.
    _folder: tempfile::TempDir,
}

impl TrialPlace {
    /// Lays the start of `task` out for `arm`.
    ///
    /// # Errors
    /// The system's words.
    pub(crate) async fn lay(arm: &Variant, task: &Task, settings: &TrialSettings) -> io::Result<Self> {
        let folder = scratch()?;
        let root = folder.path().canonicalize()?;
        let project = root.join("project");
        tree::lay(&project, &task.start)?;
        commit(&project).await;
        lay_out(&root, arm, settings)?;
        Ok(TrialPlace { root, project, _folder: folder })
    }

    /// Makes an attempt; stream, words and difference are kept in `kept`.
    ///
    /// # Errors
    /// The process could not be made. It says nothing of the model.
    pub(crate) async fn attempt(
        &self,
        attempt: &Attempt,
        task: &Task,
        settings: &TrialSettings,
        kept: &Path,
    ) -> io::Result<Tried> {
        fs::create_dir_all(kept)?;
        let (words, stream) = (kept.join(attempt.words()), kept.join(attempt.stream()));
        let mut command = match attempt {
            Attempt::First => command(&self.root, &self.project, &task.prompt, settings),
            Attempt::Again { words } => {
                let mut command = command(&self.root, &self.project, words, settings);
                command.arg("--continue");
                command
            }
        };
        let limit = Duration::from_secs_f64(f64::from(task.sheet.minutes) * 60.0 * settings.time_factor);
        command.args(["--max-time", &format!("{}s", limit.as_secs().max(1))]);
        let began = Instant::now();
        let mut child = command.stderr(File::create(&words)?).spawn()?;
        let group = Group::of(&child);
        let outer = limit + limit.min(OUTSTAYING);
        let (end, told) = follow(&mut child, &group, outer, &stream).await?;
        let took = began.elapsed();
        drop(group);
        let result = tree::read(&self.project)?;
        fs::write(kept.join("changes.diff"), tree::difference(&task.start, &result))?;
        let complaint = last_words(&words);
        Ok(Tried { end, told, result, took, complaint })
    }
}

impl Tried {
    /// Both together: sums, and what the later one ended with.
    pub(crate) fn followed_by(self, later: Tried) -> Tried {
        Tried { told: self.told.followed_by(later.told), took: self.took + later.took, ..later }
    }
}

/// Makes a trial of `task` with `arm`; stream, words and difference are kept in `kept`.
///
/// # Errors
/// The folder or the process could not be made. It says nothing of the model.
pub async fn try_once(arm: &Variant, task: &Task, settings: &TrialSettings, kept: &Path) -> io::Result<Tried> {
    TrialPlace::lay(arm, task, settings).await?.attempt(&Attempt::First, task, settings, kept).await
}

/// Folders of its own, with the arm's config and what was learned of models.
fn lay_out(root: &Path, arm: &Variant, settings: &TrialSettings) -> io::Result<()> {
    let config = root.join("config").join("agent");
    let state = root.join("state").join("agent");
    for folder in [&config, &state, &root.join("data"), &root.join("cache")] {
        fs::create_dir_all(folder)?;
    }
    fs::write(config.join("config.toml"), arm.config())?;
    if let Some(learned) = settings.learned.as_ref().filter(|path| path.is_file()) {
        fs::copy(learned, state.join(learned.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn command(root: &Path, project: &Path, prompt: &str, settings: &TrialSettings) -> Command {
    let mut command = Command::new(&settings.program);
    command
        .arg("-p")
        .arg(prompt)
        .args(["--no-stdin", "--unsafe", "--trust", "--output-format", "stream-json", "--max-turns", STEPS])
        .current_dir(project)
        .env("XDG_CONFIG_HOME", root.join("config"))
        .env("XDG_STATE_HOME", root.join("state"))
        .env("XDG_DATA_HOME", root.join("data"))
        .env("XDG_CACHE_HOME", root.join("cache"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    for name in OWN {
        command.env_remove(name);
    }
    command
}

/// One commit of all files; agents and models look at git. Where it is not there it goes without.
async fn commit(project: &Path) {
    let lines: [&[&str]; 3] = [
        &["init", "-q", "-b", "main"],
        &["add", "-A"],
        &["-c", "user.name=Task", "-c", "user.email=task@localhost", "commit", "-q", "-m", "Start"],
    ];
    for line in lines {
        let mut git = Command::new("git");
        git.args(line).current_dir(project).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").kill_on_drop(true);
        for name in OWN {
            git.env_remove(name);
        }
        if !git.status().await.is_ok_and(|status| status.success()) {
            return;
        }
    }
}

/// Reads what it tells until it has ended, which it does in time.
async fn follow(child: &mut Child, group: &Group, limit: Duration, kept: &Path) -> io::Result<(ChildEnd, Told)> {
    let mut told = Told::default();
    let output = child.stdout.take().ok_or_else(|| io::Error::other("the trial has no output"))?;
    let mut stream = Stream { lines: BufReader::new(output), kept: File::create(kept)?, room: KEPT };
    let in_time = timeout(limit, async {
        stream.read(&mut told).await?;
        child.wait().await
    });
    if let Ok(status) = in_time.await {
        return Ok((ended(status?), told));
    }
    group.signal(Signal::TERM);
    let _left = timeout(LEAVING, async {
        stream.read(&mut told).await?;
        child.wait().await
    })
    .await;
    group.signal(Signal::KILL);
    child.wait().await?;
    Ok((ChildEnd::TimeUp, told))
}

fn ended(status: ExitStatus) -> ChildEnd {
    status.code().map_or(ChildEnd::Killed, ChildEnd::Exited)
}

struct Stream {
    lines: BufReader<tokio::process::ChildStdout>,
    kept: File,
    /// Bytes that are still kept.
    room: usize,
}

impl Stream {
    async fn read(&mut self, told: &mut Told) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            // Not more of a line than this: what comes behind is read as the next one, and is no event either.
            let read = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut line).await?;
            if read == 0 {
                return Ok(());
            }
            told.line(&String::from_utf8_lossy(&line));
            if line.len() <= self.room {
                self.room -= line.len();
                self.kept.write_all(&line)?;
            }
        }
    }
}

/// The processes of a trial. When it is dropped they are ended.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Group(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // Nobody is left: that is what was wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// The last lines that it said to people.
fn last_words(path: &Path) -> String {
    let text = fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join("\n")
}
