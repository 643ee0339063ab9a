//! Calls are being carried out, one after the other: reach → judge → plan → judge → run.
//!
//! Every call gets exactly one result, whatever happens.

use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::acts::{Acted, act, only_in_plan_mode};
use crate::turn::file_mode;
use crate::turn::guards::budget::tell_what_is_left;
use crate::turn::guards::claims::wants_change;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::progress::opens_files;
use crate::turn::guards::recovery::fruitless_calls;
use crate::turn::jobs::{note_background, tell_of_jobs};
use crate::turn::outside_call::only_inside;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::answering::approved_part;
use crate::turn::phases::hooks::AfterCall;
use crate::turn::phases::questions::{ask_look, settle_withdrawn};
use crate::turn::phases::reaching::drop_wishes;
use crate::turn::phases::sandbox_retry::{ask_at_least, run_again, was_replaced, watch_for_tampering, wider};
use crate::turn::phases::work::{Stage, Working, reach_at_least};
use crate::turn::phases::{delegating, fresh_start, hooks, sandbox_retry};
use crate::turn::program_calls::{CallOrigin, dispatch};
use crate::turn::results::{denied, impossible, never_begun, refused, stopped_for, tell};
use crate::turn::state::Turn;
use crate::turn::state::room;
use crate::turn::user_message::steer;
use crate::{CallEffect, Planned, Reached};
use agent_policy::{Facts, Looked, Permit, Verdict};
use agent_protocol::{CallEvent, CallId, Chunk, Failure, Mode, Outcome, Preview, Profile, ToolCall, TurnEndReason};
use std::collections::VecDeque;

/// Carries out the calls of a reply.
pub(crate) fn begin(calls: Vec<ToolCall>, parts: &mut Parts) -> Next {
    if let Some(next) = delegating::fruitless_calls(&calls, parts) {
        return next;
    }
    let mut waiting = VecDeque::from(calls);
    match waiting.pop_front() {
        Some(call) => begin_call(call, waiting, &mut parts.out),
        None => Next::Ask,
    }
}

fn begin_call(call: ToolCall, waiting: VecDeque<ToolCall>, out: &mut Out) -> Next {
    out.carry_out(CallEffect::Reach(call.clone()));
    Next::working(Box::new(Working::new(call, waiting)))
}

/// What the call would look at is known: that is judged.
pub(crate) fn reached(
    mut working: Box<Working>,
    call: CallId,
    result: Result<Reached, Failure>,
    facts: &Facts,
    parts: &mut Parts,
) -> Next {
    if !working.is_on(call) || !matches!(working.stage, Stage::Reaching) {
        return Next::working(working);
    }
    let Reached { action, name, stands_for, notes } = match result {
        Err(failure) => {
            return dispatch::not_reached(&working, &mut parts.out)
                .unwrap_or_else(|| Next::Result(working, failure.into()));
        }
        Ok(reached) => reached,
    };
    if let Some(failure) = delegating::not_the_agents(&name, &stands_for, &parts.turn, &parts.server) {
        return Next::Result(working, failure.into());
    }
    // In which words the call is carried out, where they are not the model's.
    hooks::tell_understood(&working, name.clone(), notes, &mut parts.out);
    if hooks::before_call(&mut working, &name, &action, &mut parts.turn, &mut parts.out) {
        return Next::working(working);
    }
    match parts.turn.policy.judge(action, facts) {
        Verdict::Allow(permit) => Next::Look(working, permit),
        verdict => not_let_look(working, verdict, parts),
    }
}

/// The call may not look unasked.
fn not_let_look(working: Box<Working>, verdict: Verdict, parts: &mut Parts) -> Next {
    if let Some(next) = dispatch::not_allowed_to_look(&working, parts) {
        return next;
    }
    match verdict {
        Verdict::Allow(permit) => Next::Look(working, permit),
        Verdict::Deny(why) => Next::Result(working, denied(&why).into()),
        Verdict::Impossible(why) => Next::Result(working, impossible(why).into()),
        Verdict::Ask(held) => ask_look(working, held, &mut parts.turn, &mut parts.out),
    }
}

/// The call may look at what it reached for.
pub(crate) fn look(mut working: Box<Working>, permit: Permit, out: &mut Out) -> Next {
    working.looked = Some(Looked::from(&permit));
    working.remembered = None;
    working.stage = Stage::Planning;
    out.carry_out(CallEffect::Plan { call: working.current.clone(), permit });
    Next::working(working)
}

/// What the call would do is known: that is judged.
pub(crate) fn planned(
    phase: Phase,
    call: CallId,
    result: Result<Planned, Failure>,
    facts: &Facts,
    parts: &mut Parts,
) -> Next {
    let working = match phase {
        Phase::Working(working) if working.is_on(call) && matches!(working.stage, Stage::Planning) => working,
        other => {
            // The plan came after the call was given up.
            parts.out.carry_out(CallEffect::Forget(call));
            return Next::Rest(other);
        }
    };
    if working.fenced.is_some() {
        return sandbox_retry::planned_again(working, result, facts, &parts.turn, &mut parts.out);
    }
    if let Some(next) = dispatch::planned(&working, &result, parts) {
        return next;
    }
    let planned = result.as_ref().ok();
    let failure = planned.and_then(|planned| {
        only_inside(&planned.action, &parts.turn).or_else(|| only_in_plan_mode(&planned.action, &parts.turn))
    });
    if let Some(failure) = failure {
        parts.out.carry_out(CallEffect::Forget(call));
        return Next::Result(working, failure.into());
    }
    match (result, working.looked.clone()) {
        (Err(failure), _) => Next::Result(working, failure.into()),
        (Ok(_), None) => Next::Result(working, denied("it was never allowed to look").into()),
        (Ok(planned), Some(looked)) => {
            let verdict = parts.turn.policy.judge_planned(planned.action, facts, &looked);
            let verdict = file_mode::always_asked(
                &working.current,
                ask_at_least(&working, verdict),
                &parts.turn,
                &parts.conversation,
                &parts.server,
            );
            match dispatch::judged(
                &working,
                &verdict,
                &mut parts.turn,
                &mut parts.conversation,
                &parts.server,
                &mut parts.out,
            ) {
                Some(next) => next,
                None => follow(working, verdict, planned.preview, &mut parts.turn, &mut parts.out),
            }
        }
    }
}

/// What becomes of a planned call.
fn follow(working: Box<Working>, verdict: Verdict, preview: Preview, turn: &mut Turn, out: &mut Out) -> Next {
    let failure = match verdict {
        Verdict::Allow(permit) => return Next::Run(working, permit, preview),
        Verdict::Ask(held) => return approved_part(working, held, preview, turn, out),
        Verdict::Deny(why) => denied(&why),
        Verdict::Impossible(why) => impossible(why),
    };
    out.carry_out(CallEffect::Forget(working.current.id));
    Next::Result(working, failure.into())
}

/// The call may do what it planned.
pub(crate) fn run(mut working: Box<Working>, permit: Permit, preview: Preview, parts: &mut Parts) -> Next {
    let (permit, mut preview) = match act(&mut working, permit, preview, parts) {
        Acted::NotOurs(permit, preview) => (*permit, preview),
        Acted::Done(outcome) => return Next::Result(working, outcome),
        Acted::Delegates { agent, task } => return Next::Delegate { working, agent, task },
    };
    if permit.sandbox().profile() == Profile::Network {
        reach_at_least(&mut preview, Profile::Network);
    }
    note_background(&permit, &mut parts.turn.background);
    let room = room(&parts.turn, &parts.conversation, &parts.server);
    working.runs(&permit);
    let call = working.current.id;
    parts.turn.counts.done.runs(&working.hooked.tool, &preview.body, !working.origin().is_by_model());
    parts.turn.counts.done.escaped |= fresh_start::escapes(&permit);
    parts.out.emit(CallEvent::Running { call, preview });
    parts.out.carry_out(CallEffect::Run { call, permit, room });
    Next::working(working)
}

pub(crate) fn put_out(phase: &Phase, call: CallId, chunk: Chunk, out: &mut Out) {
    if matches!(phase, Phase::Working(working) if working.is_on(call)) {
        out.emit(CallEvent::Output { call, chunk });
    }
}

/// The call ran: it has its result, unless it runs again.
pub(crate) fn ran(
    mut working: Box<Working>,
    call: CallId,
    outcome: Outcome,
    turn: &mut Turn,
    server: &Server,
    out: &mut Out,
) -> Next {
    if !working.is_on(call) || !working.is_running() {
        return Next::working(working);
    }
    drop_wishes(&mut working, out);
    watch_for_tampering(&outcome, turn, out);
    if was_replaced(&working, &outcome) {
        return sandbox_retry::plan_anew(working, outcome, turn, out);
    }
    match wider(&working, &outcome, server) {
        Some(profile) => run_again(working, profile, outcome, out),
        None => Next::Result(working, outcome),
    }
}

/// The current call has its result; on to the next.
pub(crate) fn finish(working: Box<Working>, outcome: Outcome, parts: &mut Parts) -> Next {
    let (mut working, outcome) = match hooks::after_call(working, outcome, &mut parts.turn, &mut parts.out) {
        AfterCall::Over(working, outcome) => (working, outcome),
        AfterCall::Waits(next) => return next,
    };
    let outcome = working.result(outcome, room(&parts.turn, &parts.conversation, &parts.server));
    let kind = working.kind(&outcome);
    let Working { current, ends, mut waiting, read, hooked, .. } = *working;
    parts.turn.counts.guard.ran(&current.call, &outcome);
    let origin = CallOrigin::from_call(&current);
    if origin.is_by_model() {
        let files = if opens_files(&hooked.tool) { &read[..] } else { &[] };
        parts.turn.counts.progress.ended(kind, files, &outcome);
    }
    file_mode::ended(&current, &outcome, &mut parts.turn, &parts.conversation, &parts.server);
    parts.turn.checks.ended(&outcome, origin == CallOrigin::Check);
    let not_models = (!origin.is_by_model()).then(|| outcome.clone());
    tell(&current, outcome, parts);
    if let Some(reason) = ends {
        drop_waiting(waiting, &reason, parts);
        return Next::End(reason);
    }
    match (waiting.pop_front(), not_models) {
        (Some(next), _) => begin_call(next, waiting, &mut parts.out),
        (None, Some(outcome)) => dispatch::ended(&current, &outcome, parts).unwrap_or_else(|| next_step(parts)),
        (None, None) => next_step(parts),
    }
}

/// All calls have their results: what is queued goes out, and the model is asked again.
fn next_step(parts: &mut Parts) -> Next {
    if parts.turn.counts.from_outside {
        return Next::End(TurnEndReason::Done);
    }
    if let Some(remark) = parts.turn.counts.remark.take() {
        parts.conversation.remind(&remark);
    }
    tell_of_jobs(&mut parts.conversation);
    if let Some(next) = fruitless_calls(parts) {
        return next;
    }
    let limits = parts.turn.limits();
    match parts.turn.counts.guard.pull(&limits) {
        Some(halt) => Next::Halt(halt),
        None if parts.server.works_by_files() => file_mode::next(parts),
        None => match stands_still(&mut parts.turn, &parts.server) {
            Some(halt) => Next::Halt(halt),
            None => {
                tell_what_is_left(&mut parts.turn, &mut parts.conversation, &mut parts.out);
                steer(parts);
                Next::Ask
            }
        },
    }
}

/// Does the turn get no further?
fn stands_still(turn: &mut Turn, server: &Server) -> Option<Halt> {
    // Who may change nothing, or works for somebody who does, only looks.
    let may_change = turn.paused.is_none() && turn.policy.mode() != Mode::Plan;
    let levers = server.levers();
    let counts = &mut turn.counts;
    let wants = may_change && wants_change(&counts.asked);
    let (how, count) = counts.progress.stepped(&levers, wants)?;
    Some(Halt::Counted(how, u64::from(count)))
}

/// The user interrupted. A call that runs is stopped and still answers; anything earlier is simply dropped.
pub(crate) fn stop(mut working: Box<Working>, parts: &mut Parts) -> Next {
    let call = working.current.id;
    if working.is_running() {
        let ends = working.ends.replace(TurnEndReason::Interrupted);
        drop_wishes(&mut working, &mut parts.out);
        if ends.is_none() {
            parts.out.carry_out(CallEffect::Stop(call));
        }
        return Next::working(working);
    }
    if let Stage::Hooked { firing, after } = &mut working.stage {
        hooks::stop(*firing, &mut parts.out);
        if let Some(after) = after.take() {
            // It ran, and what came of it is told.
            working.ends = Some(TurnEndReason::Interrupted);
            return Next::Result(working, after.outcome);
        }
    }
    let Working { current, stage, fenced, waiting, .. } = *working;
    let outcome = match stage {
        Stage::AskingLook { ask, .. } | Stage::Asking { ask, .. } => {
            settle_withdrawn(ask, &mut parts.out);
            refused(None, parts.turn.keep)
        }
        Stage::Reaching | Stage::Planning | Stage::Hooked { .. } | Stage::Running { .. } => never_begun(),
    };
    parts.out.carry_out(CallEffect::Forget(call));
    tell(&current, fenced.map_or(outcome, |fenced| fenced.outcome), parts);
    drop_waiting(waiting, &TurnEndReason::Interrupted, parts);
    Next::End(TurnEndReason::Interrupted)
}

fn drop_waiting(waiting: VecDeque<ToolCall>, reason: &TurnEndReason, parts: &mut Parts) {
    for call in waiting {
        tell(&call, stopped_for(reason), parts);
    }
}
