//! Facts about the project, once, with the first words of a session: what a model would spend its first steps on finding out, and
//! what a small one does wrong because it never asks. A call of the program, judged like any other look; what would have to be
//! asked about is left out.
//!
//! They stand behind the user's words, never in the instructions: those stay the same for every project.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::records::Records;
use crate::server::Server;
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::CallOrigin;
use crate::turn::state::Turn;
use crate::{CallEffect, Keep};
use agent_policy::Verdict;
use agent_protocol::{CallEvent, Message, Outcome, PartOrigin, Role, SandboxKind};
use serde_json::{Value, json};

/// What the call is told; `None`: no facts go with these words. A model that works by files is shown files instead.
pub(crate) fn arguments(
    words: &str,
    turn: &Turn,
    conversation: &Conversation,
    server: &Server,
    records: &Records,
) -> Option<Value> {
    let wanted = server.offers_tools()
        && server.levers().facts
        && is_first(conversation.messages())
        && !conversation.is_delegating();
    wanted.then(|| {
        json!({
            "words": words,
            "message": records.sayings.current().0,
            // Git is asked only where what it obeys is trusted.
            "git": turn.policy.is_trusted(),
            "network": network(turn, server),
            "check": server.settings.check.clone().unwrap_or_default(),
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
fn network(turn: &Turn, server: &Server) -> &'static str {
    let is_held = server.settings.sandbox.kind == SandboxKind::Kernel;
    match (is_held && turn.policy.asks_about_network(), turn.keep) {
        (false, _) => "open",
        (true, Keep::Everything) => "asked",
        (true, Keep::Nothing) => "closed",
    }
}

/// What it found would be read unasked, or not: then it is looked for once more without what the words name.
pub(crate) fn judged(working: &Working, verdict: &Verdict, out: &mut Out) -> Option<Next> {
    let call = &working.current.call;
    if matches!(verdict, Verdict::Allow(_)) {
        out.emit(CallEvent::Proposed { call: working.current.clone() });
        return None;
    }
    if call.arguments.get("words").is_none() {
        return Some(Next::pass_over(working, out));
    }
    out.carry_out(CallEffect::Forget(working.current.id));
    let mut arguments = call.arguments.clone();
    arguments.as_object_mut().and_then(|arguments| arguments.shift_remove("words"));
    let again = CallOrigin::ProjectFacts.call(arguments, out);
    Some(Next::Work(std::iter::once(again).chain(working.waiting.iter().cloned()).collect()))
}

/// What was found stands behind the user's words.
pub(crate) fn tell_model(outcome: &Outcome, conversation: &mut Conversation) {
    if !outcome.told.trim().is_empty() {
        conversation.now.history.append_user_part(PartOrigin::Result, &outcome.told);
    }
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
