//! A task for a second agent: the conversation is set aside, one of the agent's own begins, and goes on through the very
//! same rooms; when it ends, the first one is there again as it was, and its call has the agent's answer for a result.
//!
//! Everything else stays the session's own: model and options, policy and rules, numbers, what can be undone, the records.
//! One agent at a time: it gives no tasks itself. Its steps are steps of the turn: it has no more than are left of that.

use crate::Trust;
use crate::agents::kind_of;
use crate::context::{agent_prompt, grouped, squeeze};
use crate::conversation::Conversation;
use crate::out::Out;
use crate::out::Task;
use crate::parts::Parts;
use crate::server::Server;
use crate::server::offer::Offered;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::phase::Next;
use crate::turn::phases::work::{Stage, Working};
use crate::turn::results::{bare, tell};
use crate::turn::state::Turn;
use crate::turn::state::{Counts, PausedTurn, sum};
use agent_protocol::{Failure, FailureKind, NoticeLevel, Outcome, Role, ServerError, Status, ToolCall, TurnEndReason};

/// Bytes of an agent's last words where it did not finish.
const LAST_WORDS: usize = 4_096;

/// The call gives `task` to an agent of this kind.
pub(crate) fn begin(mut working: Box<Working>, agent: &str, task: &str, parts: &mut Parts) -> Next {
    let trusted = matches!(parts.turn.trust, Trust::Settled);
    let kind = match kind_of(agent, &parts.server.settings.agents, trusted) {
        Ok(kind) => kind,
        Err(names) => {
            let message = format!("there is no agent {agent:?}; take one of {}", names.join(", "));
            return Next::Result(working, Failure::new(FailureKind::InvalidArguments, message).into());
        }
    };
    let offer = &parts.server.offer;
    let tools = kind.tools_of(offer.specs(), &offer.groups);
    if tools.is_empty() {
        let message = format!("{} would have no tools here; do the task yourself", kind.name);
        return Next::Result(working, Failure::new(FailureKind::NotReady, message).into());
    }
    if parts.turn.steps_left() == 0 {
        let message = "this turn has no steps left for an agent; answer with what you have";
        return Next::Result(working, Failure::new(FailureKind::NotReady, message).into());
    }
    working.stage = Stage::Running { held: None };
    let call = working.current.id;
    let form = parts.server.form_in_use();
    let Parts { turn, conversation, server, out, .. } = parts;
    let mut counts = Counts::new(turn.counts.id);
    // What happens for the task belongs to what the turn did.
    counts.done = std::mem::take(&mut turn.counts.done);
    task.clone_into(&mut counts.asked);
    conversation.record(out);
    out.task = Some(Task { call, agent: kind.name, calls: 0, wished: false });
    turn.paused = Some(Box::new(PausedTurn {
        working,
        counts: std::mem::replace(&mut turn.counts, counts),
        offered: std::mem::replace(&mut server.offer.now, Offered::new(tools)),
        form,
        told_to_end: false,
    }));
    conversation.set_aside(agent_prompt(&kind.prompt, conversation.instructions()));
    conversation.put_tools(server);
    conversation.append_user_text(task);
    Next::Ask
}

/// The agent is done, for this reason: the first conversation goes on.
pub(crate) fn end(reason: TurnEndReason, parts: &mut Parts) -> Next {
    let (Some(aside), Some(task)) = (parts.turn.paused.take(), parts.out.task.take()) else {
        return Next::Settle(reason, Vec::new());
    };
    let outcome = outcome_of_task(task.calls, &reason, &parts.conversation, &parts.server);
    let PausedTurn { mut working, counts, offered, form, .. } = *aside;
    working.ends = match reason {
        TurnEndReason::Interrupted => Some(TurnEndReason::Interrupted),
        // Whoever asks again at once only waits in vain again.
        TurnEndReason::Broken { trouble } if is_gone(&trouble) => Some(TurnEndReason::Broken { trouble }),
        TurnEndReason::Done
        | TurnEndReason::Length
        | TurnEndReason::StepLimit
        | TurnEndReason::TimeLimit
        | TurnEndReason::Repeating
        | TurnEndReason::Stuck { .. }
        | TurnEndReason::Full
        | TurnEndReason::TooSmall { .. }
        | TurnEndReason::Lost
        | TurnEndReason::Broken { .. } => None,
    };
    let Parts { turn, conversation, server, records, out, .. } = parts;
    let agents = std::mem::replace(&mut turn.counts, counts);
    turn.counts.done = agents.done;
    turn.counts.guard.stepped_by_agent(agents.guard.taken);
    turn.counts.usage = sum(agents.usage, turn.counts.usage);
    server.offer.now = offered;
    conversation.take_up_again();
    if form == server.form_in_use() {
        server.measure.rewritten(&[], &[]);
    } else {
        // The server turned out not to take calls while the agent worked.
        conversation.now.results = server.form_in_use();
        conversation.offer_tools(server, records, out);
    }
    Next::Result(working, outcome)
}

fn outcome_of_task(calls: u64, reason: &TurnEndReason, conversation: &Conversation, server: &Server) -> Outcome {
    let last = conversation.messages().iter().rev().find(|message| message.role == Role::Assistant);
    let said = last.map(|last| last.content.trim()).unwrap_or_default();
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    let summary = format!("{calls}, {} tokens", grouped(conversation.used(server)));
    let outcome =
        |status, told: String, summary: String| Outcome { detail: said.to_owned(), ..bare(status, told, &summary) };
    let (kind, why) = match reason {
        TurnEndReason::Done => return outcome(Status::Done, said.to_owned(), summary),
        TurnEndReason::Length => {
            let told = format!("{said}\n\n(the agent's answer was cut off here)");
            return outcome(Status::Done, told, format!("{summary}, cut off"));
        }
        TurnEndReason::Interrupted => {
            let told = "stopped by the user before the agent was done; what it changed so far stands".to_owned();
            return outcome(Status::Stopped, told, summary);
        }
        TurnEndReason::StepLimit => (FailureKind::Timeout, "it took all the steps it may take".to_owned()),
        TurnEndReason::TimeLimit => (FailureKind::Timeout, "its time was up".to_owned()),
        TurnEndReason::Repeating => (FailureKind::Io, "it went in circles".to_owned()),
        TurnEndReason::Stuck { how } => (FailureKind::Io, format!("it {}", how.words())),
        TurnEndReason::Full => (FailureKind::TooLarge, "its conversation fills the window".to_owned()),
        TurnEndReason::TooSmall { .. } => {
            (FailureKind::TooLarge, "the window holds less than its instructions and tools".to_owned())
        }
        TurnEndReason::Lost => (FailureKind::Io, "it was lost".to_owned()),
        TurnEndReason::Broken { trouble } => (FailureKind::Unreachable, trouble.to_string()),
    };
    let mut told =
        format!("error: the agent did not finish: {why}; what it changed stands. Give it less, or do it yourself");
    if !said.is_empty() {
        let said = squeeze(said.to_owned(), LAST_WORDS);
        told.push_str(&format!("\n\nWhat it said last:\n{said}"));
    }
    outcome(Status::Failed { kind }, told, format!("{summary}: {why}"))
}

/// The agent was told to end, and makes calls none the less: none of them is run, and its task ends.
pub(crate) fn fruitless_calls(calls: &[ToolCall], parts: &mut Parts) -> Option<Next> {
    if !parts.turn.paused.as_ref().is_some_and(|aside| aside.told_to_end) {
        return None;
    }
    calls.iter().for_each(|call| tell(call, too_late(), parts));
    Some(Next::End(TurnEndReason::StepLimit))
}

/// An agent is not worth a question: it is told to answer, or its task ends here, and the first one decides. What only it
/// has said may be made shorter by rule.
pub(crate) fn halt(halt: &Halt, turn: &mut Turn, conversation: &mut Conversation, out: &mut Out) -> Option<Next> {
    let aside = turn.paused.as_mut()?;
    Some(match halt {
        Halt::Full { then, .. } => {
            out.notice(NoticeLevel::Info, "the subagent's conversation is compacted by rule");
            Next::Shorten(*then)
        }
        Halt::Steps(steps) if !aside.told_to_end => {
            aside.told_to_end = true;
            out.notice(NoticeLevel::Info, format!("the agent took {steps} steps; it is told to answer now"));
            let told = "(that was the last step: make no more calls, and answer now with what you have)";
            conversation.remind(told);
            Next::Ask
        }
        Halt::Steps(_) => Next::End(TurnEndReason::StepLimit),
        Halt::Repeat(..) => Next::End(TurnEndReason::Repeating),
        Halt::Stuck(how) | Halt::Counted(how, _) => Next::End(TurnEndReason::Stuck { how: *how }),
        // The turn of the first one alone is begun again.
        Halt::Again { .. } => Next::End(TurnEndReason::Done),
    })
}

/// Why the current call may not go on, where its tool is none of the agent's, nor does the work of some of these.
pub(crate) fn not_the_agents(name: &str, stands_for: &[String], turn: &Turn, server: &Server) -> Option<Failure> {
    turn.paused.as_ref()?;
    let names = server.offer.names();
    let message = format!("{name} is none of your tools in this task; yours are {}", names.join(", "));
    let is_had = |name: &str| names.contains(&name);
    let is_the_agents = is_had(name) || !stands_for.is_empty() && stands_for.iter().all(|name| is_had(name));
    (!is_the_agents).then(|| Failure::new(FailureKind::UnknownTool, message))
}

/// What comes of a call after the last step.
fn too_late() -> Outcome {
    Failure::new(FailureKind::Denied, "not run: that was the last step").into()
}

/// Nobody would answer the next request either.
fn is_gone(trouble: &ServerError) -> bool {
    matches!(trouble, ServerError::Unreachable { .. } | ServerError::ModelMissing { .. })
}
