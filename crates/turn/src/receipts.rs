//! At the end of a turn: what really happened, looked up on disk, beside what the answer says.

use crate::Effect;
use crate::claims::{Did, doubts};
use crate::machine::{Machine, State};
use crate::undoing::Before;
use agent_protocol::{
    CommandReceipt, Event, FileFate, FileReceipt, NoticeLevel, Outcome, PreviewBody, Receipt, Role, Status,
    TurnEndReason,
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

    /// A call has ended.
    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        for change in &outcome.changed {
            if self.known.insert(change.path.clone()) {
                self.before.push((change.path.clone(), change.before.clone()));
            }
        }
        let ran = !matches!(outcome.status, Status::Refused);
        if let Some((command, background)) = self.running.take().filter(|_| ran) {
            self.commands.push(CommandReceipt { command, status: outcome.status, background });
        }
    }
}

impl Machine {
    /// The turn is over but for a look at what it did. True where one is taken.
    pub(crate) fn look_after(&mut self, reason: &TurnEndReason) -> bool {
        let before = self.turn.done.before.clone();
        if before.is_empty() {
            return false;
        }
        self.state = State::LookingAfter(Box::new(reason.clone()));
        self.carry_out(Effect::LookAfter { before });
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
        let receipt = Receipt { files: files.into_iter().chain(made).collect(), commands, doubts };
        if receipt != Receipt::default() {
            self.emit(Event::Receipt { turn: self.turn.id, receipt });
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
            ran_earlier: self.ran_before,
            asked: &self.turn.asked,
        };
        doubts(&answer.content, &did)
    }

    /// Tells the model, once in a turn, what of its answer is not so.
    fn tell_doubts(&mut self, doubts: &[String]) {
        let what = doubts.join("; ");
        self.notice(NoticeLevel::Warning, format!("not so: {what}; the model is told"));
        self.history.said(&format!(
            "(your answer is not so: {what}. If it is still to be done, do it now with a call; else say in a few words \
             how it really is)"
        ));
        self.call_model();
    }
}
