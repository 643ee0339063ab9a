//! Commands in the background: faces hear of each change, and the model hears, once, of what it did not bring about itself.
//!
//! They belong to the running program and not to the conversation: a cleared one leaves them running, and nothing of them is
//! written down.

use crate::CallEffect;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::state::Turn;
use agent_policy::{Invocation, Permit};
use agent_protocol::{Action, BackgroundCommand, BackgroundId, BackgroundState, CallEvent};

/// Letters of a command that a line repeats.
const MOST_LETTERS: usize = 80;

/// Lines of commands in the background that are kept.
const MOST_KEPT: usize = 64;

/// Told when a session is taken up in which something was started in the background.
pub(crate) const AFTER_A_BREAK: &str = "time has passed; whatever still ran in the background when this session was left has \
                                        ended with it, and jobs lists what runs now";

pub(crate) fn changed(jobs: Vec<BackgroundCommand>, turn: &mut Turn, conversation: &mut Conversation, out: &mut Out) {
    for job in &jobs {
        let known = turn.jobs.iter().find(|known| known.id == job.id);
        if let (BackgroundState::Ended { code }, false) =
            (job.state, known.is_some_and(|known| known.state == job.state))
        {
            conversation.untold.of_jobs(ended(job, code));
        }
    }
    turn.jobs.clone_from(&jobs);
    out.emit(CallEvent::Jobs { jobs });
}

/// The user ends one, or all; the model is told why they are gone.
pub(crate) fn stop(wanted: Option<BackgroundId>, turn: &Turn, conversation: &mut Conversation, out: &mut Out) {
    let runs = |job: &&BackgroundCommand| {
        job.state == BackgroundState::Running && wanted.is_none_or(|wanted| job.id == wanted)
    };
    for job in turn.jobs.iter().filter(runs) {
        conversation.untold.of_jobs(stopped(job));
    }
    out.carry_out(CallEffect::StopJob { job: wanted });
}

/// Tells the model, beside the results of its calls, what became of them meanwhile.
pub(crate) fn tell_of_jobs(conversation: &mut Conversation) {
    if conversation.is_delegating() {
        // What an agent hears goes with it: it is told to the one who stays.
        return;
    }
    let lines: Vec<String> = conversation.untold.tell_of_jobs().iter().map(|line| format!("({line})")).collect();
    if !lines.is_empty() {
        conversation.remind(&lines.join("\n"));
    }
}

/// How the line of a command that goes on was read: its wishes come when the call is long over.
pub(crate) fn note_background(permit: &Permit, background: &mut Vec<Invocation>) {
    if let (Action::Run { background: true, .. }, Some(by)) = (permit.action(), permit.invocation()) {
        background.retain(|known| known.line() != by.line());
        background.push(by.clone());
        let more = background.len().saturating_sub(MOST_KEPT);
        background.drain(..more);
    }
}

fn ended(job: &BackgroundCommand, code: Option<i32>) -> String {
    let how = code.map_or("by a signal".to_owned(), |code| format!("with exit code {code}"));
    format!("the background command {}, ended {how}; jobs shows its output", describe_job(job))
}

fn stopped(job: &BackgroundCommand) -> String {
    format!("the user stopped the background command {}", describe_job(job))
}

/// ``2, `npm run dev` ``.
fn describe_job(job: &BackgroundCommand) -> String {
    let whole = job.command.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(MOST_LETTERS).collect();
    let more = if shown == whole { "" } else { " …" };
    format!("{}, `{shown}{more}`", job.id.0)
}
