//! What touches nothing but the session: the list of what there is to do, plans, and questions to the user. Nobody's
//! hands are needed for it, so it is over as soon as it may happen.

use crate::CallEffect;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::turn::phase::Next;
use crate::turn::phases::questions::settle;
use crate::turn::phases::work::Working;
use crate::turn::results::bare;
use crate::turn::state::Turn;
use agent_policy::Permit;
use agent_protocol::{
    Action, AskId, CallEvent, Failure, FailureKind, Mode, Outcome, Preview, SessionAct, Settlement, Status, Todo,
    TodoStatus, TurnEvent,
};

/// What became of a call that may touch only the session.
pub(crate) enum Acted {
    /// It is for the hands.
    NotOurs(Box<Permit>, Preview),
    Done(Outcome),
    /// It gives a task to an agent of this kind.
    Delegates {
        agent: String,
        task: String,
    },
}

/// Does what `permit` is for, if that is the session's own affair; else gives it back.
pub(crate) fn act(working: &mut Working, permit: Permit, preview: Preview, parts: &mut Parts) -> Acted {
    let Action::Session { act } = permit.action() else { return Acted::NotOurs(Box::new(permit), preview) };
    let act = act.clone();
    let call = working.current.id;
    // The planned call is not needed any more.
    parts.out.carry_out(CallEffect::Forget(call));
    parts.out.emit(CallEvent::Running { call, preview });
    working.asked_person = matches!(act, SessionAct::Propose { .. } | SessionAct::Inquire { .. });
    let (told, summary) = match act {
        SessionAct::Todo { items } => keep_list(items, &mut parts.conversation, &parts.records, &mut parts.out),
        SessionAct::Propose { plan } => {
            approved(&plan, working.amended, &mut parts.turn, &mut parts.conversation, &mut parts.out)
        }
        SessionAct::Inquire { .. } => answered(&std::mem::take(&mut working.words)),
        SessionAct::Delegate { agent, prompt, description: _ } => return Acted::Delegates { agent, task: prompt },
    };
    Acted::Done(bare(Status::Done, told, &summary))
}

fn keep_list(items: Vec<Todo>, conversation: &mut Conversation, records: &Records, out: &mut Out) -> (String, String) {
    let open = items.iter().filter(|item| item.status != TodoStatus::Completed).count();
    let told = match (items.len(), open) {
        (0, _) => "the list is empty".to_owned(),
        (all, 0) => format!("all {all} done"),
        (all, open) => format!("{open} of {all} to do"),
    };
    conversation.todos.set(records.sayings.current(), items.clone());
    out.emit(TurnEvent::Todos { items });
    (told.clone(), told)
}

/// Why a plan is not put before the user: they wait for one in plan mode alone.
pub(crate) fn only_in_plan_mode(action: &Action, turn: &Turn) -> Option<Failure> {
    let proposes = matches!(action, Action::Session { act: SessionAct::Propose { .. } });
    let message = "this is not plan mode, so nobody waits for a plan; carry it out, or write it as your answer where the \
                   user asked for nothing but a plan";
    (proposes && turn.policy.mode() != Mode::Plan).then(|| Failure::new(FailureKind::NotReady, message))
}

/// The user said yes to the plan: now it may be carried out.
fn approved(
    plan: &str,
    amended: bool,
    turn: &mut Turn,
    conversation: &mut Conversation,
    out: &mut Out,
) -> (String, String) {
    if turn.policy.mode() == Mode::Plan {
        turn.policy.set_mode(Mode::Safe);
        conversation.untold.knows_plan_mode(false);
        out.emit(CallEvent::ModeChanged { mode: Mode::Safe });
    }
    let told = if amended {
        format!("the user changed the plan and approved it; carry out this one:\n\n{}", plan.trim())
    } else {
        "the user approved the plan; carry it out".to_owned()
    };
    (told, "approved".to_owned())
}

fn answered(words: &[String]) -> (String, String) {
    match words {
        [] => ("the user says yes".to_owned(), "yes".to_owned()),
        words => (format!("the user answers: {}", words.join("\n")), words.join(" ")),
    }
}

/// The user does not answer a question of the model.
pub(crate) fn leave_unanswered(working: Box<Working>, ask: AskId, word: Option<String>, out: &mut Out) -> Next {
    let told = match &word {
        Some(word) => format!("the user does not answer, and says: {word}"),
        None => "the user does not answer; decide yourself, and say what you assumed".to_owned(),
    };
    let outcome = bare(Status::Refused, told, word.as_deref().unwrap_or_default());
    settle(ask, Settlement::No { word }, out);
    out.carry_out(CallEffect::Forget(working.current.id));
    Next::Result(working, outcome)
}
