//! Takes back the changes of a call of which one could not be made: all of them are, or none.

use super::site::Site;
use super::step::{Fault, Kept, Settle, Step, Was, Will};
use super::{LARGEST, take};
use crate::blocking::Stop;
use crate::workspace::Workspace;
use agent_protocol::Failure;
use std::borrow::Cow;

/// What was done of a call, in order, with what there was before.
#[derive(Default)]
pub(super) struct TakeBack<'a> {
    done: Vec<Done<'a>>,
}

/// One step that is about to be taken, or was.
struct Done<'a> {
    step: &'a Step<'a>,
    /// What lay there; `None`: nothing.
    old: Option<Kept>,
}

impl<'a> TakeBack<'a> {
    /// Keeps what lies there, unless nothing comes after it that could fail.
    pub(super) fn remember(&mut self, site: &Site<'a>, is_last: bool) -> Result<(), Fault> {
        if !is_last {
            self.done.push(Done { step: site.step, old: site.kept()? });
        }
        Ok(())
    }

    /// The failure of the step after those that are kept, or of the last of them, once all are taken back.
    pub(super) fn taken(&mut self, failure: Failure, workspace: &Workspace) -> Failure {
        // Nobody waits for this any more, perhaps, and it is done all the same.
        let stop = Stop::default();
        let (mut taken, mut left) = (false, Vec::new());
        while let Some(done) = self.done.pop() {
            // The one that failed was kept, but there is nothing of it.
            if !done.is_there(workspace, &stop) {
                continue;
            }
            match take(&done.reverse(), workspace, &stop) {
                Ok(()) => taken = true,
                Err(_) => left.push(workspace.shown(done.step.path)),
            }
        }
        let end = match left.as_slice() {
            [] if !taken => return failure,
            [] => "what was changed before it is taken back, so nothing is changed".to_owned(),
            left => format!("{} stays as this call made it, as it could not be taken back", left.join(" and ")),
        };
        let message = format!("{}; {end}", failure.message);
        Failure { message, ..failure }
    }
}

impl Done<'_> {
    /// Does what this step made lie there?
    fn is_there(&self, workspace: &Workspace, stop: &Stop) -> bool {
        let reverse = self.reverse();
        Site { workspace, step: &reverse, stop }.check_all().is_ok()
    }

    fn reverse(&self) -> Step<'_> {
        let was = match &self.step.will {
            Will::File { .. } => Was::File { digest: self.step.will.digest(), mode: None },
            Will::Nothing | Will::Rights { .. } | Will::Link { .. } => Was::Nothing,
        };
        let will = match (&self.old, &was) {
            (None, _) => Will::Nothing,
            // In the place of another it takes on the rights of that, which were its own.
            (Some(old), Was::File { .. }) => Will::File { bytes: Cow::Borrowed(&old.bytes), mode: None },
            (Some(old), _) => Will::File { bytes: Cow::Borrowed(&old.bytes), mode: Some(old.mode) },
        };
        Step { path: self.step.path, was, will, limit: LARGEST, settle: Settle::Now }
    }
}
