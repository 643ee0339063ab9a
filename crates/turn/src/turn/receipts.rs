//! At the end of a turn: what really happened, looked up on disk, beside what the answer says.

use crate::Effect;
use crate::machine::{Machine, State};
use crate::turn::claims::{Did, doubts};
use crate::turn::undoing::Before;
use agent_protocol::{
    CommandReceipt, Event, FenceReport, FileFate, FileReceipt, FolderReceipt, Host, NoticeLevel, Outcome, PreviewBody,
    Receipt, Role, Status, TurnEndReason, parts_words,
};
use std::collections::HashSet;
use std::path::PathBuf;

/// What a turn did, as far as it is known without a look.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Files that were changed, as they were before the turn.
    before: Before,
    known: HashSet<PathBuf>,
    commands: Vec<CommandReceipt>,
    folders: Vec<FolderReceipt>,
    hosts: Vec<Host>,
    /// Repositories that commands made.
    made: Vec<String>,
    /// The command that is being carried out, and whether it is to go on in the background.
    running: Option<(String, bool)>,
    /// The model was told that something it says did not happen.
    told: bool,
}

impl Done {
    /// The person wants nothing more of this turn: the model is not told of its doubtful words.
    pub(crate) fn say_nothing_more(&mut self) {
        self.told = true;
    }

    pub(crate) fn runs(&mut self, body: &PreviewBody) {
        self.running = match body {
            PreviewBody::Command { command, background, .. } => Some((command.clone(), *background)),
            PreviewBody::Plain
            | PreviewBody::Diff { .. }
            | PreviewBody::Fetch { .. }
            | PreviewBody::Call { .. }
            | PreviewBody::Task { .. }
            | PreviewBody::Plan { .. }
            | PreviewBody::Choices { .. } => None,
        };
    }

    /// A command made these repositories.
    pub(crate) fn made(&mut self, repositories: &[String]) {
        let new = |name: &&String| !self.made.contains(*name);
        let new: Vec<String> = repositories.iter().filter(new).cloned().collect();
        self.made.extend(new);
    }

    /// How the last test run of the turn ended, in words, where it failed.
    fn failed_tests(&self) -> Option<String> {
        let last = self.commands.iter().rev().find(|ran| !ran.background && runs_tests(&ran.command))?;
        match (parts_words(&last.parts), last.status) {
            // What failed may be another part of the same line.
            (Some(words), _) => {
                last.parts.iter().any(|part| part.code != 0 && runs_tests(&part.words)).then_some(words)
            }
            (None, Status::Exited { code: Some(code) }) => Some(format!("exit code {code}")),
            (None, _) => None,
        }
    }

    /// A call has ended.
    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        for change in &outcome.changed {
            if self.known.insert(change.path.clone()) {
                self.before.push((change.path.clone(), change.before.clone()));
            }
        }
        let ran = !matches!(outcome.status, Status::Refused);
        if let Some((command, background)) = self.running.take().filter(|_| ran) {
            let parts = outcome.fence.as_ref().map(|report| report.parts.clone()).unwrap_or_default();
            // How it ended last is how things are.
            self.commands.retain(|earlier| earlier.command != command || earlier.background || background);
            self.commands.push(CommandReceipt { command, status: outcome.status, background, parts });
        }
        if let Some(report) = &outcome.fence {
            self.told_by(report);
        }
    }

    /// What it built and where it was.
    fn told_by(&mut self, report: &FenceReport) {
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

/// Is it a run of tests, as far as its words tell?
fn runs_tests(command: &str) -> bool {
    let words = command.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| {
        matches!(
            word.as_str(),
            "test" | "tests" | "pytest" | "jest" | "vitest" | "ctest" | "tox" | "nox" | "rspec" | "nextest"
        )
    })
}

impl Machine {
    /// The turn is over but for a look at what it did. True where one is taken.
    pub(crate) fn look_after(&mut self, reason: &TurnEndReason) -> bool {
        let before = self.turn.done.before.clone();
        if before.is_empty() {
            return false;
        }
        self.state = State::LookingAfter(Box::new(reason.clone()));
        self.out.carry_out(Effect::LookAfter { before });
        true
    }

    pub(crate) fn looked_after(&mut self, files: Vec<FileReceipt>) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::LookingAfter(reason) => self.settle_turn(*reason, files),
            other => self.state = other,
        }
    }

    /// What happened is known: it is told, and the turn is over unless the model has to hear of it first.
    pub(crate) fn settle_turn(&mut self, reason: TurnEndReason, files: Vec<FileReceipt>) {
        let doubts =
            if reason == TurnEndReason::Done && !self.turn.from_outside { self.doubts(&files) } else { Vec::new() };
        if !doubts.is_empty() && !self.turn.done.told {
            self.turn.done.told = true;
            return self.tell_doubts(&doubts);
        }
        let commands = self.turn.done.commands.clone();
        self.ran_before |= !commands.is_empty();
        let made = self.turn.done.made.iter().map(|place| FileReceipt {
            shown_path: format!("repository {place}"),
            what: FileFate::Created,
            added: 0,
            removed: 0,
        });
        let files = files.into_iter().chain(made).collect();
        let (folders, hosts) = (self.turn.done.folders.clone(), self.turn.done.hosts.clone());
        let receipt = Receipt { files, commands, folders, hosts, doubts };
        if receipt != Receipt::default() {
            self.out.emit(Event::Receipt { turn: self.turn.id, receipt });
        }
        self.finish_turn(reason);
    }

    /// What the answer says and was not done.
    fn doubts(&self, files: &[FileReceipt]) -> Vec<String> {
        let last = self.history.messages().last().filter(|last| last.role == Role::Assistant);
        let Some(answer) = last.filter(|_| self.offers_tools()) else { return Vec::new() };
        let files: Vec<String> = files.iter().map(|file| file.shown_path.clone()).collect();
        let commands: Vec<String> = self.turn.done.commands.iter().map(|ran| ran.command.clone()).collect();
        let did = Did {
            files: &files,
            earlier: &self.log.changed_files(),
            commands: &commands,
            failed_tests: self.turn.done.failed_tests(),
            ran_earlier: self.ran_before,
            asked: &self.turn.asked,
        };
        doubts(&answer.content, &did)
    }

    /// Tells the model, once in a turn, what of its answer is not so.
    fn tell_doubts(&mut self, doubts: &[String]) {
        let what = doubts.join("; ");
        self.out.notice(NoticeLevel::Warning, format!("not so: {what}; the model is told"));
        self.history.said(&format!(
            "(your answer is not so: {what}. If it is still to be done, do it now with a call; else say in a few words \
             how it really is)"
        ));
        self.call_model();
    }
}
