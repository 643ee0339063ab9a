//! The job of every tool that runs a program: one runner for all of them, within the permit's fence, watched, with what
//! it put out cut to size. A tool says what to run and, where that helps, how to read what it said.

use crate::undo::Undo;
use crate::{Ground, Output, PlannedCall, facts};
use agent_policy::{GitFacts, Leave, Permit, spelled};
use agent_protocol::{
    Action, Chunk, Cover, Digest, Failure, FailureKind, FileDiff, Levers, Outcome, PartEnd, Preview, PreviewBody,
    Profile, Proposal, SandboxReport, Stream,
};
use agent_sandbox::{Ended, Ending, Shell, Surroundings};
use asked::{AskedCommand, Looker};
use ends::Parts;
use futures_util::future::BoxFuture;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use tokio::task::spawn_blocking;
use watch::Armed;

mod asked;
mod background;
mod ends;
mod reaching;
mod serves;
mod starting;
mod telling;
mod watch;

pub(crate) use background::{Background, BackgroundOutput};
pub(crate) use reaching::{Asker, Network, WayOut, Went};
pub(crate) use telling::{REST, detail, seconds, shorter, shown};
pub(crate) use watch::{Armed as Watched, Watch};

/// Seconds a program may take when nothing is said.
pub(crate) const USUAL: u64 = 120;
/// Seconds a program may take at most.
pub(crate) const LONGEST: u64 = 600;
/// Characters of a command that a title shows.
const TITLE: usize = 80;

/// Plans runs. Clones share what they know.
#[derive(Clone)]
pub(crate) struct Runner {
    ground: Ground,
    pub(crate) watch: Watch,
    undo: Undo,
    pub(crate) background: Background,
    looker: Looker,
    levers: SharedLevers,
}

/// What is done around the model in use, as all tools share it.
pub(crate) type SharedLevers = Arc<RwLock<Levers>>;

/// What a tool wants to have run.
pub(crate) struct WantedRun {
    pub(crate) command: Command,
    /// The folder, resolved.
    pub(crate) cwd: PathBuf,
    /// Seconds; more than [`LONGEST`] is cut to it.
    pub(crate) timeout_secs: u64,
    pub(crate) profile: Profile,
    /// In words; `None`: the beginning of the command.
    pub(crate) title: Option<String>,
    /// What it acts on, to be looked at with the question.
    pub(crate) files: Vec<FileDiff>,
    /// Something to know besides, in the question.
    pub(crate) note: Option<String>,
    /// How what it said is read; `None`: as it stands.
    pub(crate) reading: Option<Reading>,
    /// The model may ask for more time.
    pub(crate) has_timeout: bool,
    /// What it reads on its standard input.
    pub(crate) input: Option<String>,
    /// It goes on while the model does other things, without a limit of time.
    pub(crate) background: bool,
    /// What it is for, in the model's words; shown in the title.
    pub(crate) description: String,
    /// What must still be so when it is started.
    pub(crate) still: Option<Still>,
}

/// Says why something must not be started any more. May look; blocking.
pub(crate) type Still = Arc<dyn Fn() -> Result<(), Failure> + Send + Sync>;

/// A program with its arguments, or a line for the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Started as it is, without a shell.
    Argv(Vec<String>),
    Line(String),
}

impl Command {
    /// As a line for a shell.
    fn line(&self) -> String {
        match self {
            Command::Line(line) => line.clone(),
            Command::Argv(argv) => spelled(argv),
        }
    }
}

/// Makes of what a program said what is told of it; `None`: that cannot be read, and stays as it is.
pub(crate) type Reading = Arc<dyn Fn(&Said<'_>) -> Option<Told> + Send + Sync>;

/// What a program said and how it ended.
pub(crate) struct Said<'a> {
    /// Its exit code; `None`: it was ended by a signal. One whose time was up is never read.
    pub(crate) code: Option<i32>,
    /// Standard output and standard error together, plain; of a long one the beginning and the end.
    pub(crate) text: &'a str,
    /// The same as it came; of a long one only the beginning.
    pub(crate) raw: &'a str,
    /// Something between the beginning and the end was not kept.
    pub(crate) cut: bool,
    /// Bytes that what is told of it may take.
    pub(crate) room: usize,
}

/// What is told of it in place of its output.
pub(crate) struct Told {
    /// For the model, below the line that tells the exit code.
    pub(crate) told: String,
    /// For the user, before how long it took: `12 passed, 1 failed`.
    pub(crate) summary: String,
    /// Names of the tests that failed, where it was a run of tests.
    pub(crate) failing: Option<Vec<String>>,
    /// It could not begin, or had nothing to do: how it ended says nothing of the code. The summary says why.
    pub(crate) cannot_run: bool,
}

impl WantedRun {
    /// These words in `cwd`, and nothing special.
    pub(crate) fn argv(argv: Vec<String>, cwd: PathBuf) -> Self {
        WantedRun::new(Command::Argv(argv), cwd)
    }

    /// This line in `cwd`, and nothing special.
    pub(crate) fn line(line: String, cwd: PathBuf) -> Self {
        WantedRun::new(Command::Line(line), cwd)
    }

    fn new(command: Command, cwd: PathBuf) -> Self {
        WantedRun {
            command,
            cwd,
            timeout_secs: USUAL,
            profile: Profile::Project,
            title: None,
            files: Vec::new(),
            note: None,
            reading: None,
            has_timeout: true,
            input: None,
            background: false,
            description: String::new(),
            still: None,
        }
    }
}

impl Runner {
    pub(crate) fn new(ground: &Ground, undo: Undo, levers: SharedLevers) -> Self {
        let (background, looker) = (Background::new(ground, Network::new(ground)), Looker::new(ground));
        Runner { ground: ground.clone(), watch: Watch::default(), undo, background, looker, levers }
    }

    /// The job that runs it. Looks at what it would start; blocking.
    pub(crate) fn job(&self, wanted: WantedRun) -> Box<dyn PlannedCall> {
        let timeout_secs = if wanted.background { 0 } else { wanted.timeout_secs.clamp(1, LONGEST) };
        let asked = self.looker.look(&wanted.command.line(), &wanted.cwd);
        Box::new(Run {
            wanted: Arc::new(WantedRun { timeout_secs, ..wanted }),
            instead: None,
            profile: None,
            around: self.ground.surroundings.clone(),
            watch: self.watch.clone(),
            cover: self.undo.cover(),
            background: self.background.clone(),
            looker: self.looker.clone(),
            folds: self.levers.read().unwrap_or_else(PoisonError::into_inner).fold_output,
            asked,
        })
    }

    /// The text that was kept under this name, of a file as it was before a call; `None` where it is not there, or no text.
    pub(crate) fn kept_text(&self, digest: &Digest) -> Option<String> {
        String::from_utf8(self.undo.kept(digest)?).ok()
    }

    /// Where a program of this name is found, outside the project.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        facts::programs::find(&self.ground, name)
    }

    /// The same, or a failure that says how to `install` it.
    pub(crate) fn need(&self, name: &str, install: &str) -> Result<PathBuf, Failure> {
        let message = || format!("{name} is not installed, or not on the PATH; install it with: {install}");
        self.find(name).ok_or_else(|| Failure::new(FailureKind::NotInstalled, message()))
    }

    /// What git would obey in `folder`; `None` where that cannot be found out.
    pub(crate) fn obeyed_by_git(&self, folder: &Path) -> Option<GitFacts> {
        facts::git::audit(&self.ground, folder)
    }

    /// What stands around every program.
    pub(crate) fn around(&self) -> &Surroundings {
        &self.ground.surroundings
    }
}

#[derive(Clone)]
struct Run {
    wanted: Arc<WantedRun>,
    /// What the user put in place of the command.
    instead: Option<String>,
    /// How far they let it reach.
    profile: Option<Profile>,
    around: Arc<Surroundings>,
    watch: Watch,
    /// How much of what it may do can be undone, also where it turns out to do nothing: that policy knows.
    cover: Cover,
    background: Background,
    looker: Looker,
    /// Long runs of routine lines are told as one.
    folds: bool,
    /// What it would start, as it was when it was planned.
    asked: AskedCommand,
}

impl Run {
    /// As a line for a shell.
    fn command(&self) -> String {
        self.instead.clone().unwrap_or_else(|| self.wanted.command.line())
    }

    fn words(&self) -> Vec<String> {
        match (&self.instead, &self.wanted.command) {
            (Some(_), _) | (None, Command::Line(_)) => Vec::new(),
            (None, Command::Argv(argv)) => argv.clone(),
        }
    }

    fn input(&self) -> Option<String> {
        // What was meant for the model's command is not for another.
        self.wanted.input.clone().filter(|_| self.instead.is_none())
    }

    fn reach(&self) -> Profile {
        self.profile.unwrap_or(self.wanted.profile)
    }

    fn title(&self, command: &str) -> String {
        let Some(title) = self.wanted.title.as_ref().filter(|_| self.instead.is_none()) else {
            let start = if self.wanted.background { "Start" } else { "Run" };
            return format!("{start} {}{}", first_line(command), self.purpose());
        };
        title.clone() + &self.purpose()
    }

    /// What was said of the model's command need not be so of another.
    fn purpose(&self) -> String {
        let purpose = first_line(&self.wanted.description);
        if purpose.is_empty() || self.instead.is_some() { String::new() } else { format!(" ({purpose})") }
    }

    /// What is started for `permit`. What was proved to only read is run as it was read.
    fn shell(&self, permit: &Permit) -> Shell {
        let (line, argv) = match permit.line() {
            Some(line) => (line.to_owned(), Vec::new()),
            None => (self.command(), self.words()),
        };
        let (cwd, held) = (self.wanted.cwd.clone(), self.asked.folder());
        Shell { line, argv, cwd, held, input: self.input() }
    }

    /// The same as things are now. Blocking.
    fn anew(self) -> Box<dyn PlannedCall> {
        let asked = self.looker.look(&self.command(), &self.wanted.cwd);
        Box::new(Run { asked, ..self })
    }
}

impl Run {
    /// Is everything still as it was planned? Of a command that the user wrote nothing was, but for what it starts.
    async fn still(&self, leave: Leave) -> Result<(), Failure> {
        let still = self.wanted.still.clone().filter(|_| self.instead.is_none());
        let (asked, looker) = (self.asked.clone(), self.looker.clone());
        let unknown = || Failure::new(FailureKind::Stale, "what would be started could not be looked at; it was not");
        let look = move || still.map_or(Ok(()), |still| still()).and_then(|()| asked.still(&looker, leave));
        spawn_blocking(look).await.unwrap_or_else(|_| Err(unknown()))
    }

    async fn ended(
        &self,
        permit: Permit,
        (ended, went): (Ended, Went),
        (wire, parts): (Armed, Vec<PartEnd>),
        room: usize,
    ) -> Outcome {
        let seen = wire.sprung().await;
        // What was proved to only read was not in need of more.
        let blocked = ended.blocked.filter(|_| permit.line().is_none() && has_failed(&ended, &parts));
        let place = ended.place.clone().filter(|_| blocked.is_some());
        let (tampered, made) = (seen.tampered, seen.made);
        let report = SandboxReport {
            blocked,
            unsure: blocked.is_some() && ended.unsure,
            place,
            tampered,
            made,
            parts,
            hosts: went.hosts,
            ..SandboxReport::default()
        };
        let outcome = telling::outcome(self, permit, ended, (report, &went.refused), room);
        if seen.incomplete { telling::watched_in_part(outcome) } else { outcome }
    }
}

impl PlannedCall for Run {
    fn action(&self) -> Action {
        Action::Run {
            command: self.command(),
            argv: self.words(),
            cwd: self.wanted.cwd.clone(),
            timeout_secs: self.wanted.timeout_secs,
            profile: self.reach(),
            background: self.wanted.background,
            input: self.input(),
        }
    }

    fn preview(&self) -> Preview {
        let command = self.command();
        let title = self.title(&command);
        let body = PreviewBody::Command {
            command,
            cwd: self.wanted.cwd.clone(),
            timeout_secs: self.wanted.timeout_secs,
            profile: self.reach(),
            // What it does in the background is not looked at.
            cover: (!self.wanted.background).then(|| self.cover.clone()),
            // What was so of the model's command may not be of another.
            files: if self.instead.is_none() { self.wanted.files.clone() } else { Vec::new() },
            note: self.wanted.note.clone().filter(|_| self.instead.is_none()),
            background: self.wanted.background,
        };
        Preview { title, body }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        match proposal {
            Proposal::Command { command } if command.trim().is_empty() => {
                Err(Failure::new(FailureKind::InvalidArguments, "the command is empty; refuse it instead"))
            }
            Proposal::Command { command } => Ok(Run { instead: Some(command), ..*self }.anew()),
            Proposal::Profile { profile } => Ok(Run { profile: Some(profile), ..*self }.anew()),
            Proposal::Text { .. } | Proposal::Part { .. } | Proposal::Plan { .. } => {
                Err(Failure::new(FailureKind::InvalidArguments, "this runs a command and changes no file itself"))
            }
        }
    }

    fn again(&self) -> Option<Box<dyn PlannedCall>> {
        Some(Box::new(self.clone()))
    }

    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        if self.wanted.background {
            return Box::pin(starting::start(*self, permit, out.room));
        }
        Box::pin(async move {
            let mut shell = self.shell(&permit);
            let parts = Parts::watch(&mut shell, &permit, &self.around);
            let live = |text| {
                // Nobody may be watching.
                let _ = out.live.send(Chunk { stream: Stream::Stdout, text });
            };
            let wire = self.watch.arm(permit.sandbox()).await;
            if let Err(failure) = self.still(permit.leave()).await {
                return failure.into();
            }
            let way = self.background.network().open(permit.sandbox(), Asker::Call(out.reaches)).await;
            let more = way.as_ref().map(WayOut::more).unwrap_or_default();
            let ended = agent_sandbox::run_with(&shell, permit.sandbox(), &self.around, more, live).await;
            let went = way.map(WayOut::went).unwrap_or_default();
            match ended {
                Ok(ended) => {
                    let parts = parts.hidden(&ended);
                    self.ended(permit, (ended, went), (wire, parts), out.room).await
                }
                Err(error) => telling::not_started(&error).into(),
            }
        })
    }

    fn rest(&self) -> &'static str {
        telling::REST
    }
}

/// Did it, or a part of it, fail? What one that did not fail says tells of no denial.
fn has_failed(ended: &Ended, parts: &[PartEnd]) -> bool {
    ended.ending != Ending::Exited(0) || !parts.is_empty()
}

/// The beginning of a command. Blanks in a row count as one: nothing hides behind many of them.
fn first_line(command: &str) -> String {
    let line = command.trim().lines().next().unwrap_or_default();
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(TITLE).collect();
    if shown == whole && line == command.trim() { shown } else { format!("{shown} …") }
}
