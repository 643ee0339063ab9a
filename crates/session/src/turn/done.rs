//! What a turn did, as far as it is known without a look.

use agent_protocol::{
    BackgroundCommand, BackgroundId, BackgroundState, CommandReceipt, FileState, FolderReceipt, Host, Outcome,
    PreviewBody, Profile, SandboxReport, Status, parts_words,
};
use std::collections::HashSet;
use std::path::PathBuf;

/// The tool that starts background jobs.
const RUNS_JOBS: &str = "run_command";

/// What a turn did, as far as it is known without a look.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Files that were changed, as they were before the turn.
    pub(super) before: Vec<(PathBuf, FileState)>,
    known: HashSet<PathBuf>,
    /// What a person calls these files, in the same order.
    shown: Vec<String>,
    pub(super) commands: Vec<DoneCommand>,
    pub(super) folders: Vec<FolderReceipt>,
    pub(super) hosts: Vec<Host>,
    pub(super) made: Vec<String>,
    /// The command that is being carried out.
    running: Option<RunningCommand>,
    /// The model was told that something it says did not happen.
    pub(super) told: bool,
    /// A file was changed, and no run of tests ended well since.
    pub(crate) unchecked: bool,
    /// The user wants nothing more of this turn.
    pub(crate) told_enough: bool,
    /// A call did something, to files or elsewhere.
    pub(super) acted: bool,
    /// A call was refused: that nothing came of it is what the user wanted.
    pub(super) denied: bool,
    /// A command or a call did what no undo takes back.
    pub(crate) escaped: bool,
}

/// A command that was carried out.
#[derive(Debug)]
pub(super) struct DoneCommand {
    pub(super) receipt: CommandReceipt,
    /// The background job that it became.
    job: Option<BackgroundId>,
}

/// A command that is being carried out.
#[derive(Debug)]
struct RunningCommand {
    line: String,
    folder: PathBuf,
    extent: RunExtent,
}

/// How long a command goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunExtent {
    /// Until its result is there.
    Foreground,
    /// It becomes a background job, unless it ends at once.
    Job,
    /// As long as the session: a language server is no job.
    Session,
}

impl Done {
    /// The user wants nothing more of this turn: the model is not told of its doubtful words.
    pub(crate) fn say_nothing_more(&mut self) {
        (self.told, self.told_enough) = (true, true);
    }

    /// The task is begun again: what this try says and did is heard anew. What its files were before the turn stays known.
    pub(super) fn begin_again(&mut self) {
        (self.told, self.unchecked, self.acted, self.denied) = (false, false, false, false);
        self.commands.clear();
    }

    /// A call of this tool is carried out. What the program calls itself is nothing that the model did, and what can only read
    /// changes nothing.
    pub(crate) fn runs(&mut self, tool: &str, body: &PreviewBody, by_program: bool) {
        self.running = None;
        let reads = matches!(
            body,
            PreviewBody::Plain | PreviewBody::Fetch { .. } | PreviewBody::Command { profile: Profile::ReadOnly, .. }
        );
        self.acted |= !by_program && !reads;
        if let PreviewBody::Command { command, cwd, background, .. } = body {
            let extent = match *background {
                false => RunExtent::Foreground,
                true if tool == RUNS_JOBS => RunExtent::Job,
                true => RunExtent::Session,
            };
            self.running = Some(RunningCommand { line: command.clone(), folder: cwd.clone(), extent });
        }
    }

    /// The commands as they stand now; `ends`: all that runs ends with the turn.
    pub(super) fn commands(&self, jobs: &[BackgroundCommand], ends: bool) -> Vec<CommandReceipt> {
        let stands = |DoneCommand { receipt, job }: &DoneCommand| {
            let is_running = receipt.background && receipt.status == Status::Done;
            let state = job.map(|id| jobs.iter().find(|job| job.id == id).map(|job| job.state));
            let (status, background) = match state {
                Some(Some(BackgroundState::Ended { code: Some(0) })) => (Status::Done, false),
                Some(Some(BackgroundState::Ended { code })) => (Status::Exited { code }, false),
                Some(Some(BackgroundState::Stopped)) => (Status::Stopped, true),
                // Of those that ended only the last are listed.
                Some(None) => (Status::Unknown, true),
                Some(Some(BackgroundState::Running)) | None if is_running && ends => (Status::Stopped, true),
                Some(Some(BackgroundState::Running)) | None => (receipt.status, receipt.background),
            };
            CommandReceipt { status, background, ..receipt.clone() }
        };
        self.commands.iter().map(stands).collect()
    }

    /// A command made these repositories.
    pub(crate) fn made(&mut self, repositories: &[String]) {
        let new = |name: &&String| !self.made.contains(*name);
        let new: Vec<String> = repositories.iter().filter(new).cloned().collect();
        self.made.extend(new);
    }

    /// The files that were changed, as a person would name them.
    pub(super) fn touched(&self) -> &[String] {
        &self.shown
    }

    /// What is known of the text of this file before the turn: `new`, the digest of what was kept, or nothing.
    pub(super) fn text_before(&self, shown: &str) -> &str {
        let at = self.shown.iter().position(|known| known == shown);
        match at.and_then(|at| self.before.get(at)) {
            Some((_, FileState::Missing)) => "new",
            Some((_, FileState::File { content, .. })) => &content.0,
            Some((_, FileState::Link { .. } | FileState::Unkept { .. })) | None => "",
        }
    }

    /// How the last test run of the turn ended, in words, where it failed.
    pub(super) fn failed_tests(&self) -> Option<String> {
        let mut ran = self.commands.iter().rev().map(|done| &done.receipt);
        let last = ran.find(|ran| !ran.background && runs_tests(&ran.command))?;
        match (parts_words(&last.parts), last.status) {
            // What failed may be another part of the same line.
            (Some(words), _) => {
                last.parts.iter().any(|part| part.code != 0 && runs_tests(&part.words)).then_some(words)
            }
            (None, Status::Exited { code: Some(code) }) => Some(format!("exit code {code}")),
            (None, _) => None,
        }
    }

    /// A call has ended. The command that it ran and its folder, where it ran one to its end.
    pub(crate) fn ended(&mut self, outcome: &Outcome, by_program: bool) -> Option<(String, PathBuf)> {
        for change in &outcome.changed {
            if self.known.insert(change.path.clone()) {
                self.before.push((change.path.clone(), change.before.clone()));
                self.shown.push(change.shown_path.clone());
            }
        }
        self.unchecked |= !outcome.changed.is_empty();
        self.denied |= !by_program && outcome.status == Status::Refused;
        let ran = !matches!(outcome.status, Status::Refused);
        let mut ended = None;
        if let Some(RunningCommand { line: command, folder, extent }) = self.running.take().filter(|_| ran) {
            let background = match extent {
                RunExtent::Foreground => false,
                // One that ended at once never became a job.
                RunExtent::Job => outcome.job.is_some(),
                RunExtent::Session => true,
            };
            let parts = outcome.fence.as_ref().map(|report| report.parts.clone()).unwrap_or_default();
            self.unchecked &= outcome.status != Status::Done || background || !runs_tests(&command);
            // How it ended last is how things are.
            let is_other = |earlier: &CommandReceipt| earlier.command != command || earlier.background || background;
            self.commands.retain(|earlier| is_other(&earlier.receipt));
            ended = (extent == RunExtent::Foreground).then(|| (command.clone(), folder));
            let receipt = CommandReceipt { command, status: outcome.status, background, parts };
            self.commands.push(DoneCommand { receipt, job: outcome.job });
        }
        if let Some(report) = &outcome.fence {
            self.told_by(report);
        }
        ended
    }

    /// What it built and where it was.
    fn told_by(&mut self, report: &SandboxReport) {
        for folder in &report.built {
            match self.folders.iter_mut().find(|known| known.shown_path == folder.shown_path) {
                Some(known) => known.files += folder.files,
                None => self.folders.push(folder.clone()),
            }
        }
        for host in &report.hosts {
            if !self.hosts.contains(host) {
                self.hosts.push(host.clone());
            }
        }
    }
}

/// Is it a run of tests, as far as its words tell? Whoever looks at tests, or moves them about, runs none.
pub(super) fn runs_tests(command: &str) -> bool {
    command.split(['&', ';', '|', '\n']).any(part_runs_tests)
}

/// Programs that run nothing of what they are given.
const LOOKS: &str =
    "cat ls git head tail sed grep rg less more vim nano mkdir touch cp mv rm echo printf find wc cd tree diff";

fn part_runs_tests(part: &str) -> bool {
    let program = part.split_whitespace().find(|word| !word.contains('='));
    if program.is_none_or(|program| LOOKS.split(' ').any(|known| known == program)) {
        return false;
    }
    if program == Some("make") && part.split_whitespace().any(|word| word == "check") {
        return true;
    }
    let words = part.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| {
        matches!(
            word.as_str(),
            "test"
                | "tests"
                | "unittest"
                | "pytest"
                | "jest"
                | "vitest"
                | "ctest"
                | "tox"
                | "nox"
                | "rspec"
                | "nextest"
        )
    })
}

/// Programs that do no more when they run once more, besides those that run tests.
const REPEATABLE: &str = "cd tail head grep true export source set tsc mypy ruff eslint gofmt";

/// Does it do the same when it runs once more? A line that writes files, commits or starts something else does not.
pub(super) fn can_repeat(command: &str) -> bool {
    let plain = [("2>&1", ""), ("2>/dev/null", ""), (">/dev/null", "")];
    let line = plain.iter().fold(command.to_owned(), |line, (from, to)| line.replace(from, to));
    if line.contains(['>', '<', '`']) || line.contains("$(") {
        return false;
    }
    line.split(['&', ';', '|', '\n']).filter(|part| !part.trim().is_empty()).all(|part| {
        let program = part.split_whitespace().find(|word| !word.contains('='));
        let is_known = program.is_none_or(|program| REPEATABLE.split(' ').any(|known| known == program));
        is_known || part_runs_tests(part)
    })
}
