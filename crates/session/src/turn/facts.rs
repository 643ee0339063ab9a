//! Facts about the project, once, with the first words of a session: what a model would spend its first steps on finding out, and
//! what a small one does wrong because it never asks. A call of the program, judged like any other look; what would have to be
//! asked about is left out.
//!
//! They stand behind the user's words, never in the instructions: those stay the same for every project.

use crate::parts::Parts;
use crate::turn::phase::Next;
use crate::turn::program_calls::{is_programs, pass_over, program_call};
use crate::turn::work::Working;
use crate::{CallEffect, Keep};
use agent_policy::Verdict;
use agent_protocol::{CallEvent, Message, PartOrigin, Role, SandboxKind, ToolCall};
use serde_json::{Value, json};

/// The call that finds facts.
pub(crate) const FACTS: &str = "project_facts";

/// What the call is told; `None`: no facts go with these words. A model that works by files is shown files instead.
pub(crate) fn arguments(words: &str, parts: &Parts) -> Option<Value> {
    let wanted = parts.server.offers_tools()
        && parts.server.levers().facts
        && is_first(parts.conversation.messages())
        && !parts.conversation.is_delegating();
    wanted.then(|| {
        json!({
            "words": words,
            "message": parts.records.sayings.current().0,
            // Git is asked only where what it obeys is trusted.
            "git": parts.turn.policy.is_trusted(),
            "network": network(parts),
            "check": parts.settings.check.clone().unwrap_or_default(),
        })
    })
}

/// Are these the first words of the conversation, with nothing read for them yet?
fn is_first(messages: &[Message]) -> bool {
    let [_, only] = messages else { return false };
    let by_nobody_else = |origin| matches!(origin, PartOrigin::Person | PartOrigin::Program);
    only.role == Role::User && only.parts().iter().all(|part| by_nobody_else(part.origin))
}

/// How commands stand to the network.
fn network(parts: &Parts) -> &'static str {
    let is_held = parts.settings.sandbox.kind == SandboxKind::Kernel;
    match (is_held && parts.turn.policy.asks_about_network(), parts.settings.keep) {
        (false, _) => "open",
        (true, Keep::Everything) => "asked",
        (true, Keep::Nothing) => "closed",
    }
}

/// Is it the call that finds facts?
pub(crate) fn is_facts(call: &ToolCall) -> bool {
    is_programs(call) && call.call.name == FACTS
}

/// What it found would be read unasked, or not: then it is looked for once more without what the words name.
pub(crate) fn judged(working: &Working, verdict: &Verdict, parts: &mut Parts) -> Option<Next> {
    let call = &working.current.call;
    if matches!(verdict, Verdict::Allow(_)) {
        parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
        return None;
    }
    if call.arguments.get("words").is_none() {
        return Some(pass_over(working, parts));
    }
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    let mut arguments = call.arguments.clone();
    arguments.as_object_mut().and_then(|arguments| arguments.shift_remove("words"));
    let again = program_call(FACTS, arguments, parts);
    Some(Next::Work(std::iter::once(again).chain(working.waiting.iter().cloned()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(origin: PartOrigin, text: &str) -> Message {
        Message::by(Role::User, origin, text)
    }

    #[test]
    fn only_words_that_nothing_stands_before_are_the_first() {
        let system = Message::text(Role::System, "Be brief.");
        let words = said(PartOrigin::Person, "fix it");
        assert!(is_first(&[system.clone(), words.clone()]));
        let mut after_summary = said(PartOrigin::Summary { left_out: 3 }, "earlier");
        after_summary.push(PartOrigin::Person, "fix it");
        assert!(!is_first(&[system.clone(), after_summary]), "the facts stood before what was summarised");
        assert!(!is_first(&[system.clone(), words, Message::text(Role::Assistant, "Done.")]));
        assert!(!is_first(&[system]));
    }
}
