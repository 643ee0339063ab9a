//! Has hooks run, and tells of each what came of it. What becomes of calls and turns is decided in `hooks`.

use crate::SessionEffect;
use crate::out::Out;
use crate::turn::state::Turn;
use agent_policy::HookPermit;
use agent_protocol::{
    CallId, FiringId, Hook, HookDecision, HookEvent, HookFate, HookFault, HookFiring, HookInput, HookOrigin, HookRun,
    NoticeLevel, SessionEvent,
};

/// Letters of what a hook says that its row holds.
const MOST_LETTERS: usize = 200;

/// Runs the hooks that are for this, one after the other; none where there is none. `tool`: the one that a call is carried
/// out by.
pub(crate) fn fire(input: HookInput, tool: Option<&str>, turn: &mut Turn, out: &mut Out) -> Option<FiringId> {
    let permits = permits(input.event, tool, turn, out).0;
    fire_permitted(permits, input, turn, out)
}

/// The same for a call that nobody was asked about yet: also why it is to be asked about where a hook that guards it cannot
/// be run.
pub(crate) fn fire_guards(
    input: HookInput,
    tool: &str,
    turn: &mut Turn,
    out: &mut Out,
) -> (Option<FiringId>, Option<String>) {
    let (permits, missing) = permits(input.event, Some(tool), turn, out);
    (fire_permitted(permits, input, turn, out), missing)
}

fn fire_permitted(permits: Vec<HookPermit>, input: HookInput, turn: &mut Turn, out: &mut Out) -> Option<FiringId> {
    if permits.is_empty() {
        return None;
    }
    let firing = turn.hooks.next_firing();
    out.carry_out(SessionEffect::FireHooks { firing, permits, input: Box::new(input) });
    Some(firing)
}

/// Leave for the hooks that are for this; and of those that cannot be run why the first one cannot. Each of them is told.
fn permits(at: HookEvent, tool: Option<&str>, turn: &Turn, out: &mut Out) -> (Vec<HookPermit>, Option<String>) {
    let mut permits: Vec<HookPermit> = Vec::new();
    let of_asking = |(hook, why): (&Hook, &str)| (hook.label(), hook.origin, HookFate::Off, why.to_owned());
    let mut missing: Vec<_> = turn.hooks.asking(at, tool).map(of_asking).collect();
    for hook in turn.hooks.hooks_for(at, tool) {
        match turn.policy.hook(hook) {
            Ok(permit) => permits.push(permit),
            Err(why) => missing.push((hook.label(), hook.origin, HookFate::Failed, why.to_owned())),
        }
    }
    let why = missing.first().map(|(hook, _, _, why)| format!("the hook {hook} is not run: {why}"));
    for (hook, origin, fate, words) in missing {
        let firing = HookFiring { at, hook, origin, call: None, fate, words };
        out.emit(SessionEvent::HookRan { firing });
    }
    (permits, why)
}

/// The user is asked something: hooks are told, and nothing waits for them.
pub(crate) fn notify(message: String, turn: &mut Turn, out: &mut Out) {
    let mode = turn.policy.mode();
    let input = HookInput { message: Some(message), ..HookInput::new(HookEvent::Notification, mode) };
    if let Some(firing) = fire(input, None, turn, out) {
        turn.hooks.let_loose(firing, HookEvent::Notification);
    }
}

/// Tells what came of one.
pub(crate) fn tell(at: HookEvent, call: Option<CallId>, run: &HookRun, fate: HookFate, turn: &mut Turn, out: &mut Out) {
    let said = &run.said;
    let words = match &said.fault {
        Some(HookFault::TimedOut(seconds)) => format!("after {seconds} s"),
        Some(HookFault::Failed(words) | HookFault::NotRun(words)) => words.clone(),
        Some(HookFault::Changed(file)) => format!("{file} changed {}", run.origin.since()),
        None if fate == HookFate::Told && said.decision != HookDecision::Refuse => said.context.clone(),
        None => said.reason.clone(),
    };
    let firing = HookFiring { at, hook: run.name.clone(), origin: run.origin, call, fate, words: first_line(&words) };
    out.emit(SessionEvent::HookRan { firing });
    if !said.shown.is_empty() {
        out.notice(NoticeLevel::Info, format!("hook {}: {}", run.name, said.shown));
    }
    if let Some(HookFault::Changed(file)) = &said.fault
        && turn.hooks.stop_running(file)
    {
        let (whose, again) = match run.origin {
            HookOrigin::Yours => ("your hook", "start agent again to run it as it is now"),
            HookOrigin::Project => ("the project's hook", "`agent hooks approve` shows it again"),
        };
        let asks = if at == HookEvent::PreTool { ", and the calls that it guards are asked about" } else { "" };
        let changed = format!("{file} changed {}", run.origin.since());
        let text = format!("{whose} {} is not run any more{asks}: {changed}; {again}", run.name);
        out.notice(NoticeLevel::Warning, text);
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let start: String = line.chars().take(MOST_LETTERS).collect();
    if start == line { start } else { start + " …" }
}
