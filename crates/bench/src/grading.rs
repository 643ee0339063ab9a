//! Grades what became of a task: in a second copy, into which only files come that may be changed, with the hidden tests
//! laid on top, inside the sandbox and without network.
//!
//! So tests that were changed or taken away, files that a test runner loads on its own, and hooks have no effect. What is
//! graded can still print; therefore every named test has to be reported as passed, the command has to end with 0, and the
//! shell around it has to say so in words that it alone was told.

use crate::glob;
use crate::readers::Reported;
use crate::task::Task;
use crate::tree::{self, Files};
use agent_policy::SandboxLimits;
use agent_sandbox::{Ended, Ending, Kept, More, Remains, SandboxError, Shell, Surroundings, run_with};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Longest time of one command.
const TIME: Duration = Duration::from_secs(120);
/// Most memory of one process, in KB. Runtimes reserve far more than they use, so it is not less.
const MEMORY: u64 = 16 << 20;
/// Longest file, in blocks of 512 bytes (dash) or 1 KB (bash).
const FILE: u64 = 1 << 20;

/// Variables of every command that grades, so that no tool asks a network or leaves files behind.
const VARIABLES: [(&str, &str); 6] = [
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("CARGO_NET_OFFLINE", "true"),
    ("GOFLAGS", "-mod=mod"),
    ("GOPROXY", "off"),
];

/// A folder in which copies are made and commands run, and what holds them in.
#[derive(Debug)]
pub struct GradingPlace {
    root: PathBuf,
    limits: SandboxLimits,
    around: Surroundings,
    copies: AtomicU64,
}

/// Why nothing could be graded. It says nothing of the model.
#[derive(Debug, thiserror::Error)]
pub enum GradingError {
    /// Files could not be read or written.
    #[error("the copy for grading could not be made ({0})")]
    Files(#[from] io::Error),
    /// The command could not be started.
    #[error("the tests could not be started: {0}")]
    Start(#[from] SandboxError),
}

/// In which way it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradedFailure {
    /// No named test was reported at all: it does not build, or ended before.
    Silent,
    Tests,
    /// All tests pass, and more lines were changed than may be.
    TooMuchChanged,
    /// The command was ended, or did not come to its end.
    Cut,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graded {
    /// In which way it fails; none: it passes.
    pub failure: Option<GradedFailure>,
    pub passed: BTreeSet<String>,
    /// Tests that were reported, with what was said of them.
    pub reported: Reported,
    /// Files that are not as they were at the start.
    pub changed: BTreeSet<String>,
    /// Of these, files that must not be changed and were there at the start. What is new besides is no harm.
    pub outside: BTreeSet<String>,
    /// New files that test runners load on their own. They were not taken over.
    pub loaded: BTreeSet<String>,
    pub lines: usize,
    pub output: String,
    /// It left something running, which was ended.
    pub left_running: bool,
}

impl Graded {
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Checked {
    /// It came to its end, with this exit code.
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) remains: Remains,
}

impl GradingPlace {
    /// In `root`, which is there, with links resolved. `limits` are for commands in it.
    ///
    /// # Errors
    /// No temporary folder could be made.
    pub fn new(root: &Path, limits: SandboxLimits) -> io::Result<Self> {
        let around = Surroundings::new(std::env::vars_os(), &[], root)?;
        Ok(GradingPlace { root: root.to_owned(), limits, around, copies: AtomicU64::new(0) })
    }

    /// The longest time that a command in it may take, for whoever makes its limits.
    pub fn longest() -> Duration {
        TIME
    }

    /// Runs `command` in a new copy of `files`.
    pub(crate) async fn check(&self, files: &Files, command: &str) -> Result<Checked, GradingError> {
        let number = self.copies.fetch_add(1, Ordering::Relaxed);
        let folder = self.root.join(format!("copy-{number}"));
        tree::lay(&folder, files)?;
        let checked = self.run(&folder, command).await;
        // What a test made unreadable goes with the folder around it.
        drop(std::fs::remove_dir_all(&folder));
        checked
    }

    async fn run(&self, folder: &Path, command: &str) -> Result<Checked, GradingError> {
        let nonce = nonce(folder);
        let shell = Shell {
            line: guarded(command),
            argv: Vec::new(),
            cwd: folder.to_owned(),
            held: None,
            input: Some(format!("{nonce}\n")),
        };
        let fixed = VARIABLES.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        // What Go built for one copy serves the next; a trial is graded in a place of its own.
        let cache = ("GOCACHE".to_owned(), self.root.join("go-cache").display().to_string());
        let variables = fixed.chain([cache]).collect();
        let more = More { variables, ..More::default() };
        let ended = run_with(&shell, &self.limits, &self.around, more, |_| ()).await?;
        Ok(checked(ended, &nonce))
    }
}

/// The command with limits around it. The shell alone reads the words from its input, keeps them in a variable that
/// nothing inherits, and says them at the end with the exit code.
fn guarded(command: &str) -> String {
    let quoted = command.replace('\'', "'\\''");
    format!(
        "IFS= read -r nonce; exec </dev/null; ulimit -v {MEMORY} 2>/dev/null; ulimit -f {FILE} 2>/dev/null; \
         bash -c '{quoted}'; code=$?; printf '\\n%s %s\\n' \"$nonce\" \"$code\"; exit $code"
    )
}

/// Words that no file and no model ever held.
fn nonce(folder: &Path) -> String {
    // Its keys come from the system's source of chance.
    let keyed = || RandomState::new().hash_one(folder);
    format!("{:016x}{:016x}", keyed(), keyed())
}

fn checked(ended: Ended, nonce: &str) -> Checked {
    let Kept { head, tail, .. } = ended.output;
    let output = head + &tail;
    let code = match ended.ending {
        Ending::Exited(code) => Some(code),
        Ending::Signalled(_) | Ending::TimedOut => None,
    };
    let last = output.lines().rev().find_map(|line| line.strip_prefix(nonce)).and_then(|said| said.trim().parse().ok());
    let output = output.lines().filter(|line| !line.starts_with(nonce)).collect::<Vec<_>>().join("\n");
    Checked { code: code.filter(|code| last == Some(*code)), output, remains: ended.remains }
}

/// Grades `result`, the files as they are after a trial of `task`.
///
/// # Errors
/// Nothing could be graded.
pub async fn grade(place: &GradingPlace, task: &Task, result: &Files) -> Result<Graded, GradingError> {
    let mut graded = compared(task, result);
    if task.sheet.hidden.is_empty() {
        return Ok(graded);
    }
    let may = |name: &str| task.sheet.may_change.iter().any(|pattern| glob::matches(pattern, name));
    let taken: Files =
        result.iter().filter(|(name, _)| may(name)).map(|(name, content)| (name.clone(), content.clone())).collect();
    let files = tree::laid_over(&tree::laid_over(&task.start, &taken), &task.hidden);
    let checked = place.check(&files, &task.sheet.hidden).await?;
    graded.reported = task.sheet.reader.map_or_else(BTreeMap::new, |reader| reader.read(&checked.output));
    let passed = |name: &&String| graded.reported.get(*name) == Some(&true);
    graded.passed = task.sheet.tests.iter().filter(passed).cloned().collect();
    graded.left_running = checked.remains != Remains::Nothing;
    graded.failure = failure(task, &graded, &checked);
    graded.output = checked.output;
    Ok(graded)
}

/// What is not as it was at the start.
fn compared(task: &Task, result: &Files) -> Graded {
    let noise = |name: &String| task.start.contains_key(name) || !is_built(name);
    let changed: BTreeSet<String> = tree::differing(&task.start, result).into_iter().filter(noise).collect();
    let may = |name: &str| task.sheet.may_change.iter().any(|pattern| glob::matches(pattern, name));
    let outside = changed.iter().filter(|name| !may(name) && task.start.contains_key(*name)).cloned().collect();
    let loaded = changed.iter().filter(|name| !may(name) && !task.start.contains_key(*name) && is_loaded(name));
    let loaded = loaded.cloned().collect();
    let counted: Files =
        result.iter().filter(|(name, _)| noise(name)).map(|(name, it)| (name.clone(), it.clone())).collect();
    Graded { lines: tree::changed_lines(&task.start, &counted), changed, outside, loaded, ..Graded::default() }
}

/// What compilers and runners leave behind is no change that anybody made.
fn is_built(name: &str) -> bool {
    let folders = ["__pycache__", "target", "node_modules", "dist", "build", ".pytest_cache"];
    let endings = [".pyc", ".class", ".o", ".out"];
    let programs = !name.rsplit('/').next().unwrap_or(name).contains('.');
    name.split('/').any(|part| folders.contains(&part))
        || endings.iter().any(|ending| name.ends_with(ending))
        || programs
}

/// Does a test runner or an interpreter load it without being told to?
fn is_loaded(name: &str) -> bool {
    let names = ["conftest.py", "sitecustomize.py", "usercustomize.py", "setup.cfg", "pytest.ini", "tox.ini", ".npmrc"];
    let last = name.rsplit('/').next().unwrap_or(name);
    names.contains(&last) || last.ends_with(".pth") || name.ends_with(".cargo/config.toml") || last == "build.rs"
}

fn failure(task: &Task, graded: &Graded, checked: &Checked) -> Option<GradedFailure> {
    let all = graded.passed.len() == task.sheet.tests.len();
    let named = !task.sheet.tests.is_empty();
    let silent = named && !task.sheet.tests.iter().any(|name| graded.reported.contains_key(name));
    match checked.code {
        Some(0) if all && task.sheet.max_changed_lines.is_some_and(|most| graded.lines > most) => {
            Some(GradedFailure::TooMuchChanged)
        }
        Some(0) if all => None,
        Some(_) | None if silent => Some(GradedFailure::Silent),
        Some(_) => Some(GradedFailure::Tests),
        None => Some(GradedFailure::Cut),
    }
}
