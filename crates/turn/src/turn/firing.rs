//! Has hooks run, and tells of each what came of it. What becomes of calls and turns is decided in `hooks`.

use crate::SessionEffect;
use crate::parts::Parts;
use agent_policy::HookPermit;
use agent_protocol::{
    CallId, FiringId, HookDecision, HookEvent, HookFate, HookFault, HookFiring, HookInput, HookOrigin, HookRun,
    NoticeLevel, SessionEvent,
};

/// Letters of what a hook says that its row holds.
const MOST_LETTERS: usize = 200;

/// Runs the hooks that are for this, one after the other; none where there is none. `tool`: the one that a call is carried
/// out by.
pub(crate) fn fire(input: HookInput, tool: Option<&str>, parts: &mut Parts) -> Option<FiringId> {
    let mut permits: Vec<HookPermit> = Vec::new();
    let mut refused = Vec::new();
    for hook in parts.turn.hooks.at(input.event, tool) {
        match parts.turn.policy.hook(hook) {
            Ok(permit) => permits.push(permit),
            Err(why) => refused.push((hook.label(), hook.origin, why)),
        }
    }
    let call = None;
    for (hook, origin, why) in refused {
        let (at, fate, words) = (input.event, HookFate::Failed, why.to_owned());
        parts.out.emit(SessionEvent::HookRan { firing: HookFiring { at, hook, origin, call, fate, words } });
    }
    if permits.is_empty() {
        return None;
    }
    let firing = parts.turn.hooks.next_firing();
    parts.out.carry_out(SessionEffect::FireHooks { firing, permits, input: Box::new(input) });
    Some(firing)
}

/// The user is asked something: hooks are told, and nothing waits for them.
pub(crate) fn notify(message: String, parts: &mut Parts) {
    let mode = parts.turn.policy.mode();
    let input = HookInput { message: Some(message), ..HookInput::new(HookEvent::Notification, mode) };
    if let Some(firing) = fire(input, None, parts) {
        parts.turn.hooks.let_loose(firing, HookEvent::Notification);
    }
}

/// Tells what came of one.
pub(crate) fn tell(at: HookEvent, call: Option<CallId>, run: &HookRun, fate: HookFate, parts: &mut Parts) {
    let said = &run.said;
    let words = match &said.fault {
        Some(HookFault::TimedOut(seconds)) => format!("after {seconds} s"),
        Some(HookFault::Failed(words) | HookFault::NotRun(words)) => words.clone(),
        Some(HookFault::Changed(file)) => format!("{file} changed since you approved it"),
        None if fate == HookFate::Told && said.decision != HookDecision::Refuse => said.context.clone(),
        None => said.reason.clone(),
    };
    let firing = HookFiring { at, hook: run.name.clone(), origin: run.origin, call, fate, words: first_line(&words) };
    parts.out.emit(SessionEvent::HookRan { firing });
    if !said.shown.is_empty() {
        parts.out.notice(NoticeLevel::Info, format!("hook {}: {}", run.name, said.shown));
    }
    if let (Some(HookFault::Changed(file)), HookOrigin::Project) = (&said.fault, run.origin)
        && parts.turn.hooks.switch_off(file)
    {
        let text = format!(
            "the project's hook {} is off: {file} changed since you approved it; `agent hooks approve` looks at it again",
            run.name
        );
        parts.out.notice(NoticeLevel::Warning, text);
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let start: String = line.chars().take(MOST_LETTERS).collect();
    if start == line { start } else { start + " …" }
}
