//! Hosts that commands of the sandbox want to reach while they run.
//!
//! A command in the foreground is held while the user is asked; its questions come one after the other. One in the
//! background has nobody waiting beside it: what nothing allows is refused at once, and told.

use crate::out::Out;
use crate::parts::Parts;
use crate::turn::permissions::keep_permissions;
use crate::turn::phase::Phase;
use crate::turn::phase::Verdict;
use crate::turn::phases::questions::{ask_reach, settle, settle_withdrawn};
use crate::turn::phases::work::{OpenReach, Stage, Working};
use crate::turn::state::Turn;
use crate::{CallEffect, Keep};
use agent_policy::{Invocation, ReachVerdict, Refused, Wish};
use agent_protocol::{
    AskId, BackgroundId, CallId, Host, ListEvent, NoticeLevel, PortCard, ReachId, Reacher, Settlement,
};

/// A command wants to reach a host.
pub(crate) fn reaches(
    phase: &mut Phase,
    (reach, by): (ReachId, Reacher),
    (host, sees_secrets): (Host, bool),
    parts: &mut Parts,
) {
    let call = match by {
        Reacher::Job { job } => return job_reaches(job, reach, host, sees_secrets, parts),
        Reacher::Call { call } => call,
    };
    let Some(working) = running(phase, call) else { return let_reach(reach, false, &mut parts.out) };
    let by = working.invocation.clone().unwrap_or_default();
    working.wishes.waiting.push_back((reach, Wish { by, host, sees_secrets, background: false }));
    next_wish(working, &mut parts.turn, &mut parts.out);
}

/// The work whose command runs, if it is that of `call` and nobody stops it.
fn running(phase: &mut Phase, call: CallId) -> Option<&mut Working> {
    match phase {
        Phase::Working(working) if working.is_on(call) && working.ends.is_none() && working.is_running() => {
            Some(working)
        }
        _ => None,
    }
}

/// Judges what waits, up to the first that has to be asked about.
fn next_wish(working: &mut Working, turn: &mut Turn, out: &mut Out) {
    while matches!(working.stage, Stage::Running { held: None }) {
        let Some((reach, wish)) = working.wishes.waiting.pop_front() else { return };
        // What was answered meanwhile counts.
        let by = working.invocation.clone().unwrap_or_default();
        let host = wish.host.clone();
        match turn.policy.judge_reach(Wish { by, ..wish }) {
            ReachVerdict::Allow => let_reach(reach, true, out),
            ReachVerdict::Deny(why) => {
                working.wishes.refuse(&host, &why);
                let_reach(reach, false, out);
            }
            ReachVerdict::Ask(held) => ask_reach(working, reach, *held, turn, out),
        }
    }
}

/// The user answered; the command goes on, with the host or without.
pub(crate) fn answer_reach(working: &mut Working, open: OpenReach, verdict: Verdict, turn: &mut Turn, out: &mut Out) {
    let OpenReach { ask, reach, held } = open;
    let host = held.wish().host.clone();
    match verdict {
        Verdict::Yes { remember, word } => match turn.policy.answer_reach(held, remember.clone()) {
            Ok(hosts) => {
                if remember.is_some() {
                    keep_permissions(turn, out);
                }
                settle(ask, Settlement::Yes { remember, word: word.clone() }, out);
                working.invocation.get_or_insert_default().let_reach(hosts);
                working.words.extend(word);
                let_reach(reach, true, out);
            }
            Err(Refused) => {
                let text = "that answer was wider than what was offered; taken as no";
                out.notice(NoticeLevel::Warning, text);
                decline_reach(working, (ask, reach), &host, None, turn, out);
            }
        },
        Verdict::No { word } => decline_reach(working, (ask, reach), &host, word, turn, out),
    }
    next_wish(working, turn, out);
}

fn decline_reach(
    working: &mut Working,
    (ask, reach): (AskId, ReachId),
    host: &Host,
    word: Option<String>,
    turn: &Turn,
    out: &mut Out,
) {
    let why = match (&word, turn.keep) {
        (Some(word), Keep::Everything) => format!("the user was asked and said no: {word}"),
        // Nobody was there.
        (Some(word), Keep::Nothing) => word.clone(),
        (None, _) => "the user was asked and said no; do not look for a way around".to_owned(),
    };
    working.wishes.refuse(host, &why);
    settle(ask, Settlement::No { word }, out);
    let_reach(reach, false, out);
}

fn let_reach(reach: ReachId, allowed: bool, out: &mut Out) {
    out.carry_out(CallEffect::LetReach { reach, allowed });
}

/// Whoever wanted it has gone: nothing is left to ask.
pub(crate) fn reach_is_over(phase: &mut Phase, reach: ReachId, turn: &mut Turn, out: &mut Out) {
    let Phase::Working(working) = phase else { return };
    working.wishes.waiting.retain(|(waiting, _)| *waiting != reach);
    let Stage::Running { held } = &mut working.stage else { return };
    if let Some(open) = held.take_if(|open| open.reach == reach) {
        settle_withdrawn(open.ask, out);
        next_wish(working, turn, out);
    }
}

/// The command has ended, or is stopped: what it still wanted is refused, and a question about it withdrawn.
pub(crate) fn drop_wishes(working: &mut Working, out: &mut Out) {
    let open = match &mut working.stage {
        Stage::Running { held } => held.take(),
        Stage::Reaching | Stage::AskingLook { .. } | Stage::Planning => None,
        Stage::Asking { .. } | Stage::Hooked { .. } => None,
    };
    if let Some(open) = open {
        settle_withdrawn(open.ask, out);
        let_reach(open.reach, false, out);
    }
    for (reach, _) in working.wishes.waiting.drain(..) {
        let_reach(reach, false, out);
    }
}

/// A command in the background is not held: it gets what is allowed, and the rest is told.
fn job_reaches(job: BackgroundId, reach: ReachId, host: Host, sees_secrets: bool, parts: &mut Parts) {
    let turn = &parts.turn;
    let line = turn.jobs.iter().find(|card| card.id == job).map(|card| card.command.clone());
    let known = turn.background.iter().rev().find(|known| line.as_ref().is_none_or(|line| known.line() == line));
    let by = known.cloned().unwrap_or_else(|| Invocation::unread(line.as_deref().unwrap_or_default()));
    let name = host.name.clone();
    let verdict = turn.policy.judge_reach(Wish { by, host: host.clone(), sees_secrets, background: true });
    let allowed = matches!(verdict, ReachVerdict::Allow);
    let_reach(reach, allowed, &mut parts.out);
    // It never asks, but would be refused in any case.
    let (ReachVerdict::Deny(why), false) = (verdict, allowed) else { return };
    let told = format!("the background command {} was kept from {host}: {why}", job.0);
    let how = format!("{told}; the user has been told how to allow it, then start it again");
    parts.conversation.untold.of_jobs(how);
    let how = format!(
        "to allow it, put hosts = [\"{name}\"] under [sandbox] in your config (or start with `--allow hosts={name}`), or \
         let it run in the foreground once and answer for good; then stop it with /stop {} and let it start again",
        job.0
    );
    parts.out.notice(NoticeLevel::Warning, format!("{told}. {how}"));
}

/// The ports of the sandbox, as the user asked for them.
pub(crate) fn ports(ports: Vec<PortCard>, fault: Option<String>, out: &mut Out) {
    out.emit(ListEvent::Ports { ports });
    if let Some(text) = fault {
        out.notice(NoticeLevel::Warning, text);
    }
}
