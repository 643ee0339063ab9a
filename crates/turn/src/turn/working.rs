//! Calls are being carried out, one after the other: reach → judge → plan → judge → run.
//!
//! Every call gets exactly one result, whatever happens.

use crate::machine::{Machine, State};
use crate::turn::fenced::Fenced;
use crate::turn::reaching::{OpenReach, Wishes};
use crate::{Effect, Keep, Planned, Reached};
use agent_context::squeeze;
use agent_policy::{Facts, Held, Invocation, Looked, Permit, Verdict};
use agent_protocol::{
    Action, AskId, Blocked, CallId, Chunk, Event, Failure, FailureKind, FileChange, FileState, Outcome, Preview,
    PreviewBody, Profile, Rule, Status, ToolCall, TurnEndReason,
};
use std::collections::VecDeque;

/// The calls of one reply.
#[derive(Debug)]
pub(crate) struct Working {
    /// The one being worked on.
    pub(crate) current: ToolCall,
    pub(crate) stage: Stage,
    /// What it was let look at.
    pub(crate) looked: Option<Looked>,
    /// How it ended within a fence that was in its way, while the person is asked about a wider one.
    pub(crate) fenced: Option<Fenced>,
    /// How far it reached when it ran last.
    profile: Profile,
    /// It ran as what was proved to only read.
    proved: bool,
    /// It ran again with more reach than at first.
    pub(crate) widened: bool,
    /// It did not run, for this is not what the person was asked about any more; they are asked anew.
    pub(crate) replaced: Option<String>,
    /// The rule that was made with the last yes.
    pub(crate) remembered: Option<Rule>,
    /// How it ended before it was let run again with more reach, and what had changed before that.
    pub(crate) before: Option<(Fenced, Vec<FileChange>)>,
    /// What it changed before it ran again.
    pub(crate) changed: Vec<FileChange>,
    /// What the person added to their answers; the model reads it with the result.
    pub(crate) words: Vec<String>,
    /// The person put something else in place of what the model proposed.
    pub(crate) amended: bool,
    /// How the line of the running command was read, and what it was let reach so far.
    pub(crate) invocation: Option<Invocation>,
    /// Wishes of the running command to reach a host that wait for the question before them, and those that came to nothing.
    pub(crate) wishes: Wishes,
    /// The turn ends for this reason when the running job has.
    pub(crate) ends: Option<TurnEndReason>,
    waiting: VecDeque<ToolCall>,
}

/// How far the current call is.
#[derive(Debug)]
pub(crate) enum Stage {
    /// The tool resolves names.
    Reaching,
    /// The person decides whether it may look.
    AskingLook { ask: AskId, held: Held },
    /// The tool looks and plans.
    Planning,
    /// The person decides whether it may happen.
    Asking { ask: AskId, held: Held, preview: Preview },
    /// It happens; it may be held while the person is asked whether it may reach a host.
    Running { held: Option<Box<OpenReach>> },
}

impl Working {
    /// How far it reached when it ran last.
    pub(crate) fn reached(&self) -> Profile {
        self.profile
    }

    /// May the person be asked for more reach?
    pub(crate) fn widens(&self, blocked: Blocked) -> Option<Profile> {
        // A host that was refused is why the network was missing, and that is settled.
        let settled = blocked == Blocked::Network && self.wishes.any_refused();
        // What was proved to only read needs no more reach: it failed for some other reason.
        if self.ends.is_some() || self.proved || settled { None } else { blocked.wider(self.profile) }
    }
}

impl Machine {
    pub(crate) fn begin_work(&mut self, calls: Vec<ToolCall>) {
        if self.calls_in_vain(&calls) {
            return;
        }
        let mut waiting = VecDeque::from(calls);
        match waiting.pop_front() {
            Some(call) => self.begin_call(call, waiting),
            None => self.call_model(),
        }
    }

    fn begin_call(&mut self, call: ToolCall, waiting: VecDeque<ToolCall>) {
        self.out.carry_out(Effect::Reach(call.clone()));
        self.state = State::Working(Box::new(Working {
            current: call,
            stage: Stage::Reaching,
            looked: None,
            fenced: None,
            profile: Profile::ReadOnly,
            proved: false,
            widened: false,
            replaced: None,
            remembered: None,
            before: None,
            changed: Vec::new(),
            words: Vec::new(),
            amended: false,
            invocation: None,
            wishes: Wishes::default(),
            ends: None,
            waiting,
        }));
    }

    /// The current work, if it is on `call`; an answer for another call came late and falls through.
    fn working_on(&mut self, call: CallId) -> Option<&mut Working> {
        match &mut self.state {
            State::Working(working) if working.current.id == call => Some(working),
            _ => None,
        }
    }

    pub(crate) fn reached(&mut self, call: CallId, result: Result<Reached, Failure>, facts: &Facts) {
        if !self.working_on(call).is_some_and(|working| matches!(working.stage, Stage::Reaching)) {
            return;
        }
        match result {
            Err(failure) => self.failed(call, failure),
            Ok(Reached { action, name, notes }) => {
                if let Some(failure) = self.not_the_agents(&name) {
                    return self.failed(call, failure);
                }
                self.understand(call, name, notes);
                match self.policy.judge(action, facts) {
                    Verdict::Allow(permit) => self.let_look(permit),
                    Verdict::Deny(why) => self.failed(call, denied(&why)),
                    Verdict::Impossible(why) => self.failed(call, impossible(why)),
                    Verdict::Ask(held) => self.ask_look(held),
                }
            }
        }
    }

    /// Says in which words the call is carried out, where they are not the model's.
    fn understand(&mut self, call: CallId, name: String, notes: Vec<String>) {
        let State::Working(working) = &self.state else { return };
        if !notes.is_empty() || name != working.current.call.name {
            self.out.emit(Event::Understood { call, name, notes });
        }
    }

    /// The call may look at what it reached for.
    pub(crate) fn let_look(&mut self, permit: Permit) {
        let State::Working(working) = &mut self.state else { return };
        working.looked = Some(Looked::from(&permit));
        working.remembered = None;
        working.stage = Stage::Planning;
        let call = working.current.clone();
        self.out.carry_out(Effect::Plan { call, permit });
    }

    pub(crate) fn planned(&mut self, call: CallId, result: Result<Planned, Failure>, facts: &Facts) {
        let Some(working) = self.working_on(call).filter(|working| matches!(working.stage, Stage::Planning)) else {
            // The plan came after the call was given up.
            self.out.carry_out(Effect::Forget(call));
            return;
        };
        let looked = working.looked.clone();
        if working.fenced.is_some() {
            return self.planned_again(call, result, facts);
        }
        if let Some(failure) = result.as_ref().ok().and_then(|planned| self.only_inside(&planned.action)) {
            self.out.carry_out(Effect::Forget(call));
            return self.failed(call, failure);
        }
        match (result, looked) {
            (Err(failure), _) => self.failed(call, failure),
            (Ok(_), None) => self.failed(call, denied("it was never allowed to look")),
            (Ok(planned), Some(looked)) => {
                let verdict = self.policy.judge_planned(planned.action, facts, &looked);
                self.follow(call, self.ask_at_least(verdict), planned.preview);
            }
        }
    }

    /// What becomes of a planned call.
    fn follow(&mut self, call: CallId, verdict: Verdict, preview: Preview) {
        match verdict {
            Verdict::Allow(permit) => self.let_run(permit, preview),
            Verdict::Deny(why) => {
                self.out.carry_out(Effect::Forget(call));
                self.failed(call, denied(&why));
            }
            Verdict::Impossible(why) => {
                self.out.carry_out(Effect::Forget(call));
                self.failed(call, impossible(why));
            }
            Verdict::Ask(held) => self.ask_run(held, preview),
        }
    }

    /// The call may do what it planned.
    pub(crate) fn let_run(&mut self, permit: Permit, preview: Preview) {
        let Some((permit, mut preview)) = self.act(permit, preview) else { return };
        if permit.fence().profile() == Profile::Network {
            reach_at_least(&mut preview, Profile::Network);
        }
        self.note_background(&permit);
        let room = self.room();
        let State::Working(working) = &mut self.state else { return };
        working.stage = Stage::Running { held: None };
        working.invocation = permit.invocation().cloned();
        working.replaced = None;
        (working.profile, working.proved) = (permit.fence().profile(), permit.line().is_some());
        if let Some(fenced) = working.fenced.take() {
            working.widened = true;
            working.before = Some((fenced.clone(), working.changed.clone()));
            working.changed = both(std::mem::take(&mut working.changed), fenced.into_outcome().changed);
        }
        let call = working.current.id;
        self.turn.done.runs(&preview.body);
        self.out.emit(Event::Running { call, preview });
        self.out.carry_out(Effect::Run { call, permit, room });
    }

    pub(crate) fn put_out(&mut self, call: CallId, chunk: Chunk) {
        if self.working_on(call).is_some() {
            self.out.emit(Event::Output { call, chunk });
        }
    }

    pub(crate) fn ran(&mut self, call: CallId, outcome: Outcome) {
        if self.working_on(call).is_some_and(|working| matches!(working.stage, Stage::Running { .. })) {
            self.drop_wishes();
            self.watch_for_tampering(&outcome);
            if self.was_replaced(&outcome) {
                return self.plan_anew(call, outcome);
            }
            match self.wider(&outcome) {
                Some(profile) => self.run_again(call, profile, outcome),
                None => self.finish(outcome),
            }
        }
    }

    pub(crate) fn failed(&mut self, call: CallId, failure: Failure) {
        if self.working_on(call).is_some() {
            self.finish(failure.into());
        }
    }

    /// The current call has its result; on to the next.
    pub(crate) fn finish(&mut self, mut outcome: Outcome) {
        let State::Working(working) = std::mem::replace(&mut self.state, State::Idle) else { return };
        let Working { current, words, ends, mut waiting, widened, changed, wishes, .. } = *working;
        outcome.changed = both(changed, outcome.changed);
        if widened {
            outcome.told.insert_str(0, "(run again with more reach, which the person allowed)\n");
        }
        wishes.tell(&mut outcome);
        for word in words {
            outcome.told.push_str(&format!("\n\nThe person adds: {word}"));
        }
        // Most results are cut where they are made; a failure, or a person's words, come from elsewhere.
        outcome.told = squeeze(outcome.told, self.room());
        self.turn.brakes.ran(&current.call, &outcome);
        self.tell(&current, outcome);
        if let Some(reason) = ends {
            self.drop_waiting(waiting, &reason);
            self.end_turn(reason);
            return;
        }
        match waiting.pop_front() {
            Some(next) => self.begin_call(next, waiting),
            None => self.next_step(),
        }
    }

    /// All calls have their results: what is queued goes out, and the model is asked again.
    fn next_step(&mut self) {
        if self.end_call_from_outside() {
            return;
        }
        if let Some(remark) = self.turn.remark.take() {
            self.history.said(&remark);
        }
        self.tell_of_jobs();
        match self.turn.brakes.pull(&self.limits()) {
            Some(brake) => self.brake(brake),
            None => {
                self.steer();
                self.call_model();
            }
        }
    }

    /// The person interrupted. A job under way is stopped and still answers; anything earlier is simply dropped.
    pub(crate) fn stop_working(&mut self, mut working: Working) {
        let call = working.current.id;
        match working.stage {
            Stage::Running { .. } => {
                let ends = working.ends.replace(TurnEndReason::Interrupted);
                self.state = State::Working(Box::new(working));
                self.drop_wishes();
                if ends.is_none() {
                    self.out.carry_out(Effect::Stop(call));
                }
                return;
            }
            Stage::AskingLook { ask, .. } | Stage::Asking { ask, .. } => {
                self.settle_withdrawn(ask);
                self.out.carry_out(Effect::Forget(call));
                let outcome =
                    working.fenced.take().map_or_else(|| refused(None, self.settings.keep), Fenced::into_outcome);
                self.tell(&working.current, outcome);
            }
            Stage::Reaching | Stage::Planning => {
                self.out.carry_out(Effect::Forget(call));
                let outcome = working.fenced.take().map_or_else(never_begun, Fenced::into_outcome);
                self.tell(&working.current, outcome);
            }
        }
        self.drop_waiting(working.waiting, &TurnEndReason::Interrupted);
        self.end_turn(TurnEndReason::Interrupted);
    }

    fn drop_waiting(&mut self, waiting: VecDeque<ToolCall>, reason: &TurnEndReason) {
        for call in waiting {
            let mut outcome = never_begun();
            if let TurnEndReason::Broken { trouble } = reason {
                outcome.told = format!("not run: {trouble}");
            }
            self.tell(&call, outcome);
        }
    }

    pub(crate) fn tell(&mut self, call: &ToolCall, mut outcome: Outcome) {
        if !self.turn.from_outside {
            self.tell_model(call, &mut outcome);
        }
        self.turn.done.ended(&outcome);
        let said = self.sayings.current();
        self.log.changed(said, self.sayings.text(said).unwrap_or_default(), &outcome.changed);
        self.out.emit(Event::Finished { call: call.id, outcome });
    }

    fn tell_model(&mut self, call: &ToolCall, outcome: &mut Outcome) {
        let mut images = std::mem::take(&mut outcome.images);
        if !images.is_empty() && !self.link.sees() {
            images.clear();
            outcome.told.push_str("\n(this model does not understand pictures, so it was not shown)");
        }
        match self.turn.results {
            Some(form) => self.history.result_by_text(&form.result(&outcome.told), images),
            None => self.history.result(&call.call, &outcome.told, images),
        }
        self.turn.after_result = true;
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

/// A preview of a look.
pub(crate) fn look_preview(action: &Action) -> Preview {
    let paths: Vec<String> = match action {
        Action::Read { paths } => paths.iter().map(|path| path.display().to_string()).collect(),
        Action::Write { .. }
        | Action::Restore { .. }
        | Action::Run { .. }
        | Action::Fetch { .. }
        | Action::Call { .. }
        | Action::Session { .. } => Vec::new(),
    };
    Preview { title: format!("Look at {}", paths.join(", ")), body: PreviewBody::Plain }
}

/// The person said no.
pub(crate) fn refused(word: Option<&str>, keep: Keep) -> Outcome {
    let told = match (word, keep) {
        (Some(word), Keep::Everything) => format!("refused by the person, who says: {word}"),
        // Nobody was there.
        (Some(word), Keep::Nothing) => format!("refused: {word}"),
        (None, _) => "refused by the person; do not try the same again, ask or find another way".to_owned(),
    };
    Outcome {
        status: Status::Refused,
        told,
        summary: word.map_or_else(String::new, str::to_owned),
        detail: String::new(),
        fence: None,
        changed: Vec::new(),
        images: Vec::new(),
    }
}

fn never_begun() -> Outcome {
    Outcome {
        status: Status::Stopped,
        told: "not run: the turn was stopped by the person".into(),
        summary: "not run".into(),
        detail: String::new(),
        fence: None,
        changed: Vec::new(),
        images: Vec::new(),
    }
}

fn impossible(why: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, why)
}

fn denied(why: &str) -> Failure {
    Failure::new(FailureKind::Denied, format!("refused: {why}"))
}
