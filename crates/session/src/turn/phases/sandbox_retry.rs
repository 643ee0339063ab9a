//! A call did not run, or ran into the fence: the user is asked anew.
//!
//! A command failed, and the fence is the likely reason: the user is asked whether it may run again with more reach.
//! Or what would have been started was not what the user was asked about any more: whoever answered saw other things, so
//! that yes counts for nothing: a rule made with it is taken back, and even what would be allowed by now is asked about.
//!
//! Whatever comes of that, the call has one result: that of its last run.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use crate::turn::permissions::{keep_permissions, lasts_for_good, tell_mode_since};
use crate::turn::phase::Next;
use crate::turn::phases::work::{Fenced, Stage, Working};
use crate::turn::state::Turn;
use crate::{CallEffect, Planned};
use agent_policy::{Facts, Held, Verdict};
use agent_protocol::{Failure, FailureKind, NoticeLevel, Outcome, Profile, Rule, Status};

/// A command that changes what other programs obey ends all trust given beforehand. A repository that it made is for the
/// receipt.
pub(crate) fn watch_for_tampering(outcome: &Outcome, turn: &mut Turn, out: &mut Out) {
    let made = outcome.fence.as_ref().map(|report| report.made.as_slice()).unwrap_or_default();
    turn.counts.done.made(made);
    let Some(report) = outcome.fence.as_ref().filter(|report| !report.tampered.is_empty()) else { return };
    suspend("the command changed protected files", &report.tampered, turn, out);
}

/// So does what goes on beside the calls; the model, which is told of a command with its result, hears of it here.
pub(crate) fn tampered_beside(names: &[String], turn: &mut Turn, conversation: &mut Conversation, out: &mut Out) {
    let what = "protected files were changed while a command or a language server ran in the background";
    conversation.untold.of_jobs(format!("{what}, and the user has been told: {}", names.join(", ")));
    suspend(what, names, turn, out);
}

fn suspend(what: &str, names: &[String], turn: &mut Turn, out: &mut Out) {
    turn.policy.suspend();
    let names = names.join(", ");
    let text = format!(
        "{what}: {names}. Look at them; what you allowed beforehand (rules, flags, unsafe mode) is suspended until you \
         start agent again"
    );
    out.notice(NoticeLevel::Warning, text);
}

/// Did the call not run because it is another by now, and can the user be asked again?
pub(crate) fn was_replaced(working: &Working, outcome: &Outcome) -> bool {
    working.ends.is_none() && outcome.status == Status::Failed { kind: FailureKind::Replaced }
}

/// Plans the call again, as things are now.
pub(crate) fn plan_anew(mut working: Box<Working>, outcome: Outcome, turn: &mut Turn, out: &mut Out) -> Next {
    working.was_replaced(outcome.summary);
    if let Some(rule) = working.remembered.take() {
        take_back(&rule, turn, out);
    }
    out.carry_out(CallEffect::Again { call: working.current.id, profile: working.profile });
    Next::working(working)
}

fn take_back(rule: &Rule, turn: &mut Turn, out: &mut Out) {
    let mode = turn.policy.mode();
    turn.policy.revoke(rule);
    tell_mode_since(mode, turn, out);
    if lasts_for_good(rule) {
        keep_permissions(turn, out);
    }
}

/// What is asked about anew, or what a hook wants asked about, is not let through without an answer.
pub(crate) fn ask_at_least(working: &Working, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Allow(permit) if working.replaced.is_some() => {
            Verdict::Ask(Held::again(permit, "it would run unasked, but what it starts just changed"))
        }
        Verdict::Allow(permit) => match &working.hooked.asks {
            Some(why) => Verdict::Ask(Held::again(permit, why.clone())),
            None => Verdict::Allow(permit),
        },
        Verdict::Ask(held) => match &working.hooked.asks {
            Some(why) => Verdict::Ask(held.warned(why.clone())),
            None => Verdict::Ask(held),
        },
        Verdict::Deny(_) | Verdict::Impossible(_) => verdict,
    }
}

/// The next wider profile, where a call ran into its fence and the user can still be asked.
pub(crate) fn wider(working: &Working, outcome: &Outcome, server: &Server) -> Option<Profile> {
    let report = outcome.fence.as_ref()?;
    let blocked = report.blocked?;
    // The loopback of this machine is in no reach that commands with one of their own are given.
    let loopback = report
        .place
        .as_deref()
        .is_some_and(|place| ["127.", "localhost", "::1", "[::1]"].iter().any(|name| place.starts_with(name)));
    if loopback && server.settings.sandbox.apart {
        return None;
    }
    working.widens(blocked)
}

/// Plans the call again with another reach; what came of it so far is its result unless it runs again.
pub(crate) fn run_again(mut working: Box<Working>, profile: Profile, outcome: Outcome, out: &mut Out) -> Next {
    working.fenced = Fenced::from_outcome(outcome);
    working.stage = Stage::Planning;
    out.carry_out(CallEffect::Again { call: working.current.id, profile });
    Next::working(working)
}

/// The call with its wider reach is judged like any other action.
pub(crate) fn planned_again(
    working: Box<Working>,
    result: Result<Planned, Failure>,
    facts: &Facts,
    turn: &Turn,
    out: &mut Out,
) -> Next {
    let (Ok(planned), Some(looked)) = (result, working.looked.clone()) else { return stay_fenced(working, out) };
    match turn.policy.judge_planned(planned.action, facts, &looked) {
        // What it did already would be done twice: never without an answer. With no more reach than before it would only
        // fail again, and again.
        Verdict::Allow(permit) if permit.sandbox().profile() > working.profile => {
            Next::AskToRun(working, Held::again(permit, "it would run again from the start"), planned.preview)
        }
        Verdict::Allow(_) | Verdict::Deny(_) | Verdict::Impossible(_) => stay_fenced(working, out),
        Verdict::Ask(held) => Next::AskToRun(working, held, planned.preview),
    }
}

/// The user does not want it to run again.
pub(crate) fn declined(mut working: Box<Working>, word: Option<String>, out: &mut Out) -> Next {
    if let Some(Fenced { outcome, .. }) = &mut working.fenced {
        outcome.told.push_str("\n\nThe user was asked whether it may run with more reach, and it may not.");
        if let Some(word) = word {
            outcome.told.push_str(&format!(" They say: {word}"));
        }
    }
    stay_fenced(working, out)
}

/// It does not run again: how it ended stands.
fn stay_fenced(mut working: Box<Working>, out: &mut Out) -> Next {
    out.carry_out(CallEffect::Forget(working.current.id));
    match working.fenced.take() {
        Some(Fenced { outcome, .. }) => Next::Result(working, outcome),
        None => Next::working(working),
    }
}
