//! The calls of one reply, and how far the one at hand is. Only holds it; `working` goes on with it.

use crate::context::squeeze;
use crate::turn::guards::progress::CallKind;
use crate::turn::program_calls::CallOrigin;
use agent_policy::{Held, HeldReach, Invocation, Looked, Permit, Wish};
use agent_protocol::{
    Action, AskId, Blocked, CallId, FileChange, FileState, FiringId, Host, Outcome, PartText, Preview, PreviewBody,
    Profile, ReachId, Rule, Status, ToolCall, TurnEndReason,
};
use std::collections::VecDeque;
use std::path::PathBuf;

/// The calls of one reply.
#[derive(Debug)]
pub(crate) struct Working {
    /// The one being worked on.
    pub(crate) current: ToolCall,
    pub(crate) stage: Stage,
    /// What it was let look at.
    pub(crate) looked: Option<Looked>,
    /// How it ended within a fence that was in its way, while the user is asked about a wider one.
    pub(crate) fenced: Option<Fenced>,
    /// How far it reached when it ran last.
    pub(crate) profile: Profile,
    /// It ran as what was proved to only read.
    proved: bool,
    /// It ran as something that only looks.
    only_looks: bool,
    /// What it read, as far as that has paths.
    pub(crate) read: Vec<PathBuf>,
    /// It put a question or a plan before the user.
    pub(crate) asked_person: bool,
    /// It ran again with more reach than at first.
    widened: bool,
    /// It did not run, for this is not what the user was asked about any more; they are asked anew.
    pub(crate) replaced: Option<String>,
    /// The rule that was made with the last yes.
    pub(crate) remembered: Option<Rule>,
    /// How it ended before it was let run again with more reach, and what had changed before that.
    before: Option<(Fenced, Vec<FileChange>)>,
    /// What it changed before it ran again.
    changed: Vec<FileChange>,
    /// What the user added to their answers; the model reads it with the result.
    pub(crate) words: Vec<String>,
    /// The user put something else in place of what the model proposed.
    pub(crate) amended: bool,
    /// The user left parts of the proposal out, and approved the rest: these texts, to the letter.
    pub(crate) approved_part: Option<Vec<PartText>>,
    /// How the line of the running command was read, and what it was let reach so far.
    pub(crate) invocation: Option<Invocation>,
    /// Wishes of the running command to reach a host that wait for the question before them, and those that came to nothing.
    pub(crate) wishes: Wishes,
    /// What hooks have to do with it.
    pub(crate) hooked: Hooked,
    /// The turn ends for this reason when the running call has.
    pub(crate) ends: Option<TurnEndReason>,
    /// The calls behind it, in order.
    pub(crate) waiting: VecDeque<ToolCall>,
}

/// How far the current call is.
#[derive(Debug)]
pub(crate) enum Stage {
    Reaching,
    /// The user decides whether it may look.
    AskingLook {
        ask: AskId,
        held: Held,
    },
    /// The tool looks and plans.
    Planning,
    /// The user decides whether it may happen.
    Asking {
        ask: AskId,
        held: Held,
        preview: Preview,
    },
    /// Hooks are heard: before anybody is asked about it, or when it ran.
    Hooked {
        firing: FiringId,
        after: Option<Box<AfterRun>>,
    },
    /// It happens; it may be held while the user is asked whether it may reach a host.
    Running {
        held: Option<Box<OpenReach>>,
    },
}

/// What hooks have to do with a call.
#[derive(Debug, Default)]
pub(crate) struct Hooked {
    /// Those that are asked beforehand were asked, or there are none.
    pub(crate) asked: bool,
    pub(crate) ran: bool,
    /// Those that are told afterwards were told, or there are none.
    pub(crate) told: bool,
    /// The tool that carries it out, and the files that it looks at first.
    pub(crate) tool: String,
    pub(crate) paths: Vec<PathBuf>,
    /// Why the user is asked about it, whatever else allows it.
    pub(crate) asks: Option<String>,
    /// The one that put other arguments in place of the model's.
    pub(crate) changed_by: Option<String>,
    /// What the model is told with the result.
    pub(crate) asides: Vec<String>,
}

/// A call that ran, while hooks are told.
#[derive(Debug)]
pub(crate) struct AfterRun {
    pub(crate) outcome: Outcome,
    /// It was running until then.
    pub(crate) running: bool,
}

/// How a call ended that ran into the fence.
#[derive(Debug, Clone)]
pub(crate) struct Fenced {
    /// What it was kept from.
    blocked: Blocked,
    pub(crate) outcome: Outcome,
}

/// A question whether the running command may reach a host.
#[derive(Debug)]
pub(crate) struct OpenReach {
    pub(crate) ask: AskId,
    pub(crate) reach: ReachId,
    pub(crate) held: HeldReach,
}

/// What the running command wanted to reach.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    /// Those that wait for the question before them, oldest first.
    pub(crate) waiting: VecDeque<(ReachId, Wish)>,
    /// What was refused, and why: for the model.
    refused: Vec<String>,
}

impl Working {
    pub(crate) fn new(call: ToolCall, waiting: VecDeque<ToolCall>) -> Self {
        Working {
            current: call,
            stage: Stage::Reaching,
            looked: None,
            fenced: None,
            profile: Profile::ReadOnly,
            proved: false,
            only_looks: false,
            read: Vec::new(),
            asked_person: false,
            widened: false,
            replaced: None,
            remembered: None,
            before: None,
            changed: Vec::new(),
            words: Vec::new(),
            amended: false,
            approved_part: None,
            invocation: None,
            wishes: Wishes::default(),
            hooked: Hooked::default(),
            ends: None,
            waiting,
        }
    }

    /// Is it on `call`? An answer for another call came late.
    pub(crate) fn is_on(&self, call: CallId) -> bool {
        self.current.id == call
    }

    /// Whose call the current one is.
    pub(crate) fn origin(&self) -> CallOrigin {
        CallOrigin::from_call(&self.current)
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
    }

    /// What it was, as far as progress goes; one that is the session's own affair is over without being run.
    pub(crate) fn kind(&self, outcome: &Outcome) -> CallKind {
        let came_to_nothing = matches!(outcome.status, Status::Refused | Status::Failed { .. });
        match (self.is_running(), self.only_looks) {
            (false, _) if came_to_nothing || !self.asked_person => CallKind::None,
            (true, true) => CallKind::Look,
            (false, _) | (true, false) => CallKind::Deed,
        }
    }

    /// Does a question about it stand open?
    pub(crate) fn is_asking(&self) -> bool {
        match &self.stage {
            Stage::AskingLook { .. } | Stage::Asking { .. } => true,
            Stage::Running { held } => held.is_some(),
            Stage::Reaching | Stage::Planning | Stage::Hooked { .. } => false,
        }
    }

    /// May the user be asked for more reach?
    pub(crate) fn widens(&self, blocked: Blocked) -> Option<Profile> {
        // A host that was refused is why the network was missing, and that is settled.
        let settled = blocked == Blocked::Network && self.wishes.any_refused();
        // What was proved to only read needs no more reach: it failed for some other reason.
        if self.ends.is_some() || self.proved || settled { None } else { blocked.wider(self.profile) }
    }

    /// It runs now with this permit. What it changed before, in a run that the fence was in the way of, belongs to it.
    pub(crate) fn runs(&mut self, permit: &Permit) {
        self.stage = Stage::Running { held: None };
        self.hooked.ran = true;
        self.invocation = permit.invocation().cloned();
        self.replaced = None;
        (self.profile, self.proved) = (permit.sandbox().profile(), permit.line().is_some());
        if let Action::Read { paths } = permit.action() {
            self.read.clone_from(paths);
        }
        self.only_looks = self.proved || matches!(permit.action(), Action::Read { .. } | Action::Fetch { .. });
        if let Some(fenced) = self.fenced.take() {
            self.widened = true;
            self.before = Some((fenced.clone(), self.changed.clone()));
            self.changed = both(std::mem::take(&mut self.changed), fenced.outcome.changed);
        }
    }

    /// It did not run, because it is not what the user was asked about any more.
    pub(crate) fn was_replaced(&mut self, by: String) {
        self.replaced = Some(by);
        self.stage = Stage::Planning;
        if let Some((fenced, changed)) = self.before.take() {
            // It did not run again, so how it ended then is its result still.
            (self.fenced, self.changed, self.widened) = (Some(fenced), changed, false);
        }
    }

    /// What its runs came to together, in `room` bytes. What the user and hooks say of it comes last and stays: what it said
    /// itself is cut for that.
    pub(crate) fn result(&mut self, mut outcome: Outcome, room: usize) -> Outcome {
        outcome.changed = both(std::mem::take(&mut self.changed), outcome.changed);
        if self.widened {
            outcome.told.insert_str(0, "(run again with more reach, which the user allowed)\n");
        }
        let mut behind = self.wishes.tell(&mut outcome);
        for word in self.words.drain(..) {
            behind.push_str(&format!("\n\nThe user adds: {word}"));
        }
        for aside in self.hooked.asides.drain(..) {
            behind.push_str(&format!("\n\n{}", aside.trim_end()));
        }
        let behind = squeeze(behind, room / 4 * 3);
        // Most results are cut where they are made; a failure, or a person's words, come from elsewhere.
        outcome.told = squeeze(outcome.told, room - behind.len()) + &behind;
        outcome
    }
}

impl Fenced {
    /// How it ended, if something was in its way.
    pub(crate) fn from_outcome(outcome: Outcome) -> Option<Fenced> {
        let blocked = outcome.fence.as_ref()?.blocked?;
        Some(Fenced { blocked, outcome })
    }

    /// What to tell the user with the question.
    pub(crate) fn describe(&self) -> String {
        let report = self.outcome.fence.as_ref();
        let place = report.and_then(|report| report.place.as_ref());
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let what = match self.outcome.status {
            Status::Exited { code: Some(0) } => "a part of it failed",
            Status::Done
            | Status::Exited { .. }
            | Status::Failed { .. }
            | Status::Refused
            | Status::Stopped
            | Status::Unknown => "it failed",
        };
        let reason = match report.is_some_and(|report| report.unsure) {
            true => "and the sandbox may be the reason: it may have been kept",
            false => "and the sandbox is the likely reason: it was kept",
        };
        let twice = match self.outcome.changed.len() {
            0 => String::new(),
            1 => ", and what it did to 1 file would be done twice".into(),
            files => format!(", and what it did to {files} files would be done twice"),
        };
        format!("{what}, {reason} from {}{place}. It would run again from the start{twice}", self.blocked.words())
    }
}

impl Wishes {
    pub(crate) fn any_refused(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Tells what came to nothing: the user in its line, which is no good end; for the model behind what the command said.
    fn tell(&self, outcome: &mut Outcome) -> String {
        if self.any_refused() {
            outcome.summary.push_str(" · not all it asked for was reached");
            if outcome.status == Status::Done {
                outcome.status = Status::Exited { code: Some(0) };
            }
        }
        self.refused.iter().map(|line| format!("\n\n({line})")).collect()
    }

    pub(crate) fn refuse(&mut self, host: &Host, why: &str) {
        let line = format!("the sandbox let it not reach {host}: {why}");
        if !self.refused.contains(&line) {
            self.refused.push(line);
        }
    }
}

/// What was changed by two runs, one after the other.
fn both(mut first: Vec<FileChange>, then: Vec<FileChange>) -> Vec<FileChange> {
    for change in then {
        match first.iter_mut().find(|earlier| earlier.path == change.path) {
            Some(earlier) => {
                earlier.after = change.after;
                earlier.added += change.added;
                earlier.removed += change.removed;
            }
            None => first.push(change),
        }
    }
    // Of what was not kept nobody can say that it is as it was.
    first.retain(|change| change.before != change.after || matches!(change.after, FileState::Unkept { .. }));
    first
}

/// The preview of a command that reaches further than it was planned to.
pub(crate) fn reach_at_least(preview: &mut Preview, least: Profile) {
    if let PreviewBody::Command { profile, .. } = &mut preview.body {
        *profile = (*profile).max(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::results::bare;
    use agent_protocol::{ModelCall, Origin};

    #[test]
    fn a_result_with_all_that_is_said_of_it_stays_within_its_room_and_keeps_its_end_and_the_words() {
        for letter in ["x", "漢", "\n", "ab cd\n"] {
            for (said, words) in [(100, 100), (100_000, 100), (100, 100_000), (100_000, 100_000)] {
                for room in [1_024, 12_288, 49_152] {
                    let call = ModelCall {
                        server_id: None,
                        index: None,
                        name: "run_command".into(),
                        arguments: serde_json::Value::Null,
                    };
                    let call = ToolCall { id: CallId(1), call, origin: Origin::default() };
                    let mut working = Working::new(call, VecDeque::new());
                    working.words.push("only this".into());
                    working.hooked.asides.push(letter.repeat(words));
                    let told = format!("exit code 1\n{}\nlast line", letter.repeat(said));
                    let told = working.result(bare(Status::Done, told, ""), room).told;
                    let case = format!("{letter:?}, {said} and {words} in {room}: {}", told.len());
                    assert!(told.len() <= room && told.starts_with("exit code 1\n"), "{case}");
                    assert!(told.contains("\nlast line\n\nThe user adds: only this\n\n"), "{case}");
                }
            }
        }
    }
}
