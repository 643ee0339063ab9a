//! Hooks: when they are run, and what becomes of what they say.
//!
//! **Invariant.** A hook never allows what policy asks about: it can refuse a call, have it asked about, add a word, or put other
//! arguments in place of the model's, with which the call is reached, planned and judged anew like any other.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::phase::{Hooking, Next, Phase};
use crate::turn::phases::firing::{fire, fire_guards, tell};
use crate::turn::phases::sandbox_retry::tampered_beside;
use crate::turn::phases::work::{AfterRun, Stage, Working};
use crate::turn::state::Turn;
use crate::{Begin, CallEffect, SessionEffect};
use agent_protocol::{
    Action, CallEvent, CallId, Failure, FailureKind, FileReceipt, FiringId, HookCall, HookDecision, HookEvent,
    HookFate, HookFault, HookInput, HookOrigin, HookRun, ListEvent, NoticeLevel, Outcome, Status, TurnEndReason,
    TurnEvent, fenced,
};
use serde_json::Value;

/// What hooks want, all of one firing together.
#[derive(Debug, Default)]
struct Wanted {
    refused: Option<(String, String)>,
    /// Why the user is to be asked.
    asked: Option<String>,
    /// Who puts other arguments in place of the model's, and which; the same as the model may read them.
    input: Option<(String, Value, String)>,
    /// What the model is to know, ready to be told.
    told: Vec<String>,
    /// The turn is to end.
    stops: bool,
}

/// The session begins: hooks may want the model to know something.
pub(crate) fn session_starts(begin: &Begin, turn: &mut Turn, out: &mut Out) {
    let source = match begin {
        Begin::New => "startup",
        Begin::Session(_) | Begin::Copy(_) => "resume",
    };
    let input = HookInput { cause: Some(source.into()), ..input(HookEvent::SessionStart, turn) };
    turn.hooks.starting = fire(input, None, turn, out);
}

pub(crate) fn session_ends(turn: &mut Turn, out: &mut Out) {
    let input = HookInput { cause: Some("other".into()), ..input(HookEvent::SessionEnd, turn) };
    turn.hooks.leaving = fire(input, None, turn, out);
}

/// A call is understood: hooks are asked about it before anybody else is, once. Does it wait for them?
pub(crate) fn before_call(working: &mut Working, tool: &str, action: &Action, turn: &mut Turn, out: &mut Out) -> bool {
    let again = working.hooked.asked;
    working.hooked.tool = tool.to_owned();
    working.hooked.paths = action.looked_at().to_vec();
    if again || working.origin().is_of_program() {
        return false;
    }
    working.hooked.asked = true;
    let input = HookInput { call: Some(told_call(working)), ..input(HookEvent::PreTool, turn) };
    let (firing, missing) = fire_guards(input, tool, turn, out);
    working.hooked.asks = missing;
    let Some(firing) = firing else { return false };
    working.stage = Stage::Hooked { firing, after: None };
    true
}

/// What becomes of a call that has its result.
#[expect(clippy::large_enum_variant, reason = "lives for a moment")]
pub(crate) enum AfterCall {
    Waits(Next),
    Over(Box<Working>, Outcome),
}

/// A call has its result: if it ran, hooks are told, once.
pub(crate) fn after_call(mut working: Box<Working>, outcome: Outcome, turn: &mut Turn, out: &mut Out) -> AfterCall {
    let due = working.hooked.ran && !std::mem::replace(&mut working.hooked.told, true);
    if !due || working.ends.is_some() || working.origin().is_of_program() {
        return AfterCall::Over(working, outcome);
    }
    let failed = outcome.status != Status::Done;
    let call = HookCall { told: Some(outcome.told.clone()), failed, ..told_call(&working) };
    let tool = working.hooked.tool.clone();
    let input = HookInput { call: Some(call), ..input(HookEvent::PostTool, turn) };
    let Some(firing) = fire(input, Some(&tool), turn, out) else { return AfterCall::Over(working, outcome) };
    let after = Some(Box::new(AfterRun { outcome, running: working.is_running() }));
    working.stage = Stage::Hooked { firing, after };
    AfterCall::Waits(Next::working(working))
}

/// What is queued is about to be said: hooks hear it first. None: it may be said at once.
pub(crate) fn before_prompt(turn: &mut Turn, out: &mut Out) -> Option<Next> {
    let (prompt, messages) = (turn.queue.text(), turn.queue.len());
    let input = HookInput { prompt: Some(prompt), ..input(HookEvent::UserPrompt, turn) };
    let firing = fire(input, None, turn, out)?;
    tell_queue(turn, out);
    Some(Next::Rest(Phase::Hooking(Box::new(Hooking::Prompt { firing, messages }))))
}

/// Does what is said while the model works wait for the end of the turn? Hooks hear it then.
pub(crate) fn hold_words(turn: &Turn) -> bool {
    turn.hooks.any_at(HookEvent::UserPrompt)
}

/// The model has nothing more to do: hooks may see that otherwise.
pub(crate) fn at_end(reason: TurnEndReason, files: Vec<FileReceipt>, turn: &mut Turn, out: &mut Out) -> Next {
    let again = turn.counts.hooks_went_on;
    let input = HookInput { again, ..input(HookEvent::TurnEnd, turn) };
    match fire(input, None, turn, out) {
        Some(firing) => Next::Rest(Phase::Hooking(Box::new(Hooking::TurnEnd { firing, reason, files }))),
        None => end_now(reason, files, turn),
    }
}

/// Are hooks to be heard before this turn ends?
pub(crate) fn hear_end(turn: &Turn) -> bool {
    !turn.counts.end_heard && turn.hooks.any_at(HookEvent::TurnEnd)
}

/// Nothing more is heard of hooks in this turn: it ends.
pub(crate) fn end_now(reason: TurnEndReason, files: Vec<FileReceipt>, turn: &mut Turn) -> Next {
    turn.counts.end_heard = true;
    Next::Settle(reason, files)
}

/// Ends hooks that are under way, with all they started.
pub(crate) fn stop(firing: FiringId, out: &mut Out) {
    out.carry_out(SessionEffect::StopHooks(firing));
}

pub(crate) fn list(turn: &Turn, out: &mut Out) {
    out.emit(ListEvent::Hooks { hooks: turn.hooks.all().to_vec() });
}

/// Hooks have ended. Where nothing waits for them any more, what they say comes late.
pub(crate) fn ended(
    phase: Phase,
    firing: FiringId,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    match phase {
        Phase::Working(working) if matches!(working.stage, Stage::Hooked { firing: open, .. } if open == firing) => {
            of_call(working, runs, turn, conversation, out)
        }
        Phase::Hooking(hooking) if hooking.firing() == firing => match *hooking {
            Hooking::Prompt { messages, .. } => of_prompt(messages, runs, turn, conversation, out),
            Hooking::TurnEnd { reason, files, .. } => of_end(reason, files, runs, turn, conversation, out),
        },
        phase => {
            let begins = of_session(firing, runs, turn, conversation, out) && phase.is_idle();
            if begins { Next::GoOnOrLoad } else { Next::Rest(phase) }
        }
    }
}

/// Of the beginning, the end, or a question. Could a turn begin now that could not before?
fn of_session(
    firing: FiringId,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> bool {
    if turn.hooks.starting.take_if(|open| *open == firing).is_some() {
        let wanted = hear(HookEvent::SessionStart, None, runs, turn, conversation, out);
        turn.hooks.first_words.extend(wanted.told);
        return true;
    }
    if turn.hooks.leaving.take_if(|open| *open == firing).is_some() {
        hear(HookEvent::SessionEnd, None, runs, turn, conversation, out);
    } else if let Some(event) = turn.hooks.take_loose(firing) {
        hear(event, None, runs, turn, conversation, out);
    }
    false
}

fn of_call(
    mut working: Box<Working>,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    match std::mem::replace(&mut working.stage, Stage::Reaching) {
        Stage::Hooked { after: Some(after), .. } => of_result(working, *after, runs, turn, conversation, out),
        _ => of_proposal(working, runs, turn, conversation, out),
    }
}

/// What becomes of a call that nobody was asked about yet.
fn of_proposal(
    mut working: Box<Working>,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    let wanted = hear(HookEvent::PreTool, Some(working.current.id), runs, turn, conversation, out);
    if wanted.stops {
        working.ends = Some(TurnEndReason::Interrupted);
    }
    if let Some((hook, reason)) = wanted.refused {
        return Next::Result(working, refused(&hook, &reason));
    }
    working.hooked.asides.extend(wanted.told);
    working.hooked.asks = working.hooked.asks.take().or(wanted.asked);
    if let Some((hook, arguments, told)) = wanted.input {
        let call = &mut working.current.call;
        // Told in the words in which the hook was told: those of the tool, by its own name.
        (call.name, call.arguments) = (working.hooked.tool.clone(), arguments);
        let aside = "(a hook of the user's changed the arguments of this call before it ran)";
        working.hooked.asides.push(format!("{aside}\n{}", foreign(&hook, &told)));
        working.hooked.changed_by = Some(hook);
    }
    // A hook may have taken its time, and done something: the call is looked at as things are now.
    out.carry_out(CallEffect::Reach(working.current.clone()));
    Next::working(working)
}

/// What is told beside the result of a call.
fn of_result(
    mut working: Box<Working>,
    after: AfterRun,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    let AfterRun { outcome, running } = after;
    working.stage = if running { Stage::Running { held: None } } else { Stage::Planning };
    let wanted = hear(HookEvent::PostTool, Some(working.current.id), runs, turn, conversation, out);
    working.hooked.asides.extend(wanted.told);
    if let Some((hook, reason)) = wanted.refused {
        working.hooked.asides.push(foreign(&hook, &reason));
    }
    if wanted.stops {
        working.ends = Some(TurnEndReason::Interrupted);
    }
    Next::Result(working, outcome)
}

/// What becomes of a message.
fn of_prompt(
    messages: usize,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    let wanted = hear(HookEvent::UserPrompt, None, runs, turn, conversation, out);
    let Some(waiting) = turn.queue.take(messages) else { return Next::GoOn };
    let Some((hook, reason)) = wanted.refused else {
        wanted.told.into_iter().for_each(|text| conversation.untold.of_hook(text));
        return Next::Begin(Box::new(waiting));
    };
    tell_queue(turn, out);
    let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    out.notice(NoticeLevel::Warning, format!("your message was not sent; the hook {hook} refused it{why}"));
    out.emit(TurnEvent::Unqueued { text: waiting.text });
    Next::GoOn
}

fn of_end(
    reason: TurnEndReason,
    files: Vec<FileReceipt>,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Next {
    let wanted = hear(HookEvent::TurnEnd, None, runs, turn, conversation, out);
    let Some((hook, why)) = wanted.refused.filter(|_| !wanted.stops) else { return end_now(reason, files, turn) };
    if std::mem::replace(&mut turn.counts.hooks_went_on, true) {
        return end_now(reason, files, turn);
    }
    let text = format!(
        "(the turn does not end yet: a hook of the user's, {hook}, says what is missing)\n\n{}",
        foreign(&hook, &why)
    );
    conversation.remind(&text);
    Next::Ask
}

/// What hooks want, each told to the user.
fn hear(
    at: HookEvent,
    call: Option<CallId>,
    runs: &[HookRun],
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> Wanted {
    let mut wanted = Wanted::default();
    for run in runs {
        let fate = take(at, run, &mut wanted, turn.counts.hooks_went_on);
        tell(at, call, run, fate, turn, out);
        if !run.tampered.is_empty() {
            tampered_beside(&run.tampered, turn, conversation, out);
        }
    }
    wanted
}

/// Takes up what one wants, as far as it can want that here; what comes of it.
fn take(at: HookEvent, run: &HookRun, wanted: &mut Wanted, went_on: bool) -> HookFate {
    let (said, name) = (&run.said, &run.name);
    if let Some(fault) = &said.fault {
        return of_fault(at, fault, (name, run.origin), wanted);
    }
    if !said.context.is_empty() && takes_words(at) {
        wanted.told.push(foreign(name, &said.context));
    }
    let told = !said.context.is_empty() && takes_words(at);
    let refuses = said.decision == HookDecision::Refuse;
    if said.stop {
        wanted.stops = true;
        if at != HookEvent::PostTool {
            wanted.refused.get_or_insert_with(|| (name.clone(), said.reason.clone()));
        }
        return HookFate::Stopped;
    }
    match (at, said.decision) {
        (HookEvent::PreTool, HookDecision::Ask) => {
            let why = if said.reason.is_empty() { String::new() } else { format!(": {}", said.reason) };
            wanted.asked.get_or_insert_with(|| format!("the hook {name} wants you to be asked{why}"));
        }
        (HookEvent::PreTool | HookEvent::PostTool | HookEvent::UserPrompt | HookEvent::TurnEnd, _) if refuses => {
            wanted.refused.get_or_insert_with(|| (name.clone(), said.reason.clone()));
        }
        _ => {}
    }
    if let (HookEvent::PreTool, false, Some(input)) = (at, refuses, &said.input) {
        wanted.input = Some((name.clone(), input.clone(), said.input_told.clone()));
    }
    match (at, said.decision) {
        (HookEvent::PreTool | HookEvent::UserPrompt, HookDecision::Refuse) => HookFate::Refused,
        (HookEvent::PostTool, HookDecision::Refuse) => HookFate::Told,
        (HookEvent::TurnEnd, HookDecision::Refuse) if !went_on => HookFate::WentOn,
        (HookEvent::PreTool, _) if said.input.is_some() => HookFate::Rewrote,
        (HookEvent::PreTool, HookDecision::Ask) => HookFate::Asked,
        (HookEvent::PreTool, HookDecision::Allow) => HookFate::AllowIgnored,
        _ if told => HookFate::Told,
        _ => HookFate::Nothing,
    }
}

/// What went wrong counts for nothing, but that a call is asked about of which nobody knows what a guard would have said.
fn of_fault(at: HookEvent, fault: &HookFault, (name, origin): (&str, HookOrigin), wanted: &mut Wanted) -> HookFate {
    let mut ask = |why: String| {
        if at == HookEvent::PreTool {
            wanted.asked.get_or_insert(why);
        }
    };
    match fault {
        HookFault::TimedOut(seconds) => {
            ask(format!("the hook {name} did not answer within {seconds} s"));
            HookFate::TimedOut
        }
        HookFault::NotRun(why) => {
            ask(format!("the hook {name} could not be run: {why}"));
            HookFate::Failed
        }
        HookFault::Failed(_) => HookFate::Failed,
        HookFault::Changed(file) => {
            ask(format!("the hook {name} is not run: {file} changed {}", origin.since()));
            HookFate::Off
        }
    }
}

/// May a hook that is run at this say something to the model?
fn takes_words(at: HookEvent) -> bool {
    match at {
        HookEvent::PreTool | HookEvent::PostTool | HookEvent::UserPrompt | HookEvent::SessionStart => true,
        HookEvent::TurnEnd | HookEvent::SessionEnd | HookEvent::Notification => false,
    }
}

/// The words of a hook, for the model: somebody else's.
fn foreign(hook: &str, text: &str) -> String {
    let text = if text.trim().is_empty() { "(it gives no reason)" } else { text };
    fenced("hook", &format!("a hook, a program of the user's settings ({hook})"), text)
}

fn refused(hook: &str, reason: &str) -> Outcome {
    let told =
        format!("refused by a hook; do not try the same again, find another way or ask.\n\n{}", foreign(hook, reason));
    let first = reason.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let summary =
        if first.is_empty() { format!("refused by the hook {hook}") } else { format!("hook {hook}: {first}") };
    Outcome {
        status: Status::Refused,
        told,
        summary,
        detail: String::new(),
        ..Failure::new(FailureKind::Denied, "").into()
    }
}

fn input(event: HookEvent, turn: &Turn) -> HookInput {
    HookInput::new(event, turn.policy.mode())
}

fn told_call(working: &Working) -> HookCall {
    HookCall {
        call: working.current.call.clone(),
        tool: working.hooked.tool.clone(),
        paths: working.hooked.paths.clone(),
        told: None,
        failed: false,
    }
}

/// Tells the front ends what waits, where that changed.
fn tell_queue(turn: &mut Turn, out: &mut Out) {
    if let Some(texts) = turn.queue.news() {
        out.emit(TurnEvent::Queued { texts });
    }
}

/// In which words a call is carried out since a hook changed it.
pub(crate) fn tell_understood(working: &Working, name: String, mut notes: Vec<String>, out: &mut Out) {
    let by_hook = working.hooked.changed_by.as_ref();
    if working.hooked.asked && by_hook.is_none() {
        // It was told before hooks were asked.
        return;
    }
    if let Some(hook) = by_hook {
        notes.insert(0, format!("the hook {hook} changed the arguments"));
    }
    if !notes.is_empty() || name != working.current.call.name {
        out.emit(CallEvent::Understood { call: working.current.id, name, notes });
    }
}
