//! At the end of a turn: what really happened, looked up on disk, beside what the answer says.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::server::Server;
use crate::turn::guards::claims::{Facts, unverified, wants_change};
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::fresh_start;
use crate::turn::phases::hooks;
use crate::turn::program_calls::check;
use crate::turn::program_calls::check_state::Check;
use crate::turn::state::Turn;
use crate::{Keep, SessionEffect};
use agent_protocol::{FileFate, FileReceipt, Mode, NoticeLevel, Receipt, Role, TurnEndReason, TurnEvent};

/// The turn is over but for a look at what it did.
pub(crate) fn look_after(reason: TurnEndReason, turn: &Turn, out: &mut Out) -> Next {
    let before = turn.counts.done.before.clone();
    if before.is_empty() {
        return Next::Settle(reason, Vec::new());
    }
    out.carry_out(SessionEffect::LookAfter { before });
    Next::Rest(Phase::LookingAfter(Box::new(reason)))
}

/// What happened is known: it is told, and the turn is over unless the model has to hear of it first.
pub(crate) fn settle(reason: TurnEndReason, files: Vec<FileReceipt>, parts: &mut Parts) -> Settled {
    let counts = &parts.turn.counts;
    let asks = reason == TurnEndReason::Done && !counts.from_outside;
    let due = if asks { check::due(&files, &parts.turn, &parts.server) } else { Vec::new() };
    if !due.is_empty() {
        return Settled::Check(due);
    }
    let doubts = if asks {
        unverified_claims(&files, &parts.turn, &parts.conversation, &parts.server, &parts.records)
    } else {
        Vec::new()
    };
    let done = &mut parts.turn.counts.done;
    if !doubts.is_empty() && !std::mem::replace(&mut done.told, true) {
        tell_the_model(&doubts, &mut parts.conversation, &mut parts.out);
        return Settled::NotYet;
    }
    let unchanged = asks && is_unchanged(&files, &parts.turn, &parts.server);
    // A model that works by files has heard of it already.
    let may_tell = parts.server.levers().unmade_changes && !parts.server.works_by_files();
    let forgot = unchanged && !asks_back(&parts.conversation) && !parts.turn.counts.done.denied;
    if may_tell && forgot && !std::mem::replace(&mut parts.turn.counts.done.told, true) {
        tell_of_nothing(&mut parts.conversation, &mut parts.out);
        return Settled::NotYet;
    }
    if let Some(next) = fresh_start::after_try(&reason, &files, parts) {
        return Settled::NotOver(Box::new(next));
    }
    if asks && hooks::hear_end(&parts.turn) {
        return Settled::Hooks(reason, files);
    }
    let (checked, failing, not_run) = match &parts.turn.counts.check.last {
        Check::Failed(how) => (None, Some(how.clone()), None),
        Check::Passed(how) => (Some(how.clone()), None, None),
        Check::NotRun(why) => (None, None, Some(why.clone())),
        Check::None => (None, None, check::too_slow(&files, &parts.turn, &parts.server)),
    };
    let ends = parts.turn.keep == Keep::Nothing && !parts.turn.counts.from_outside;
    let commands = parts.turn.counts.done.commands(&parts.turn.jobs, ends);
    let done = &mut parts.turn.counts.done;
    parts.records.ran_before |= !done.commands.is_empty();
    let made = done.made.iter().map(|place| FileReceipt {
        shown_path: format!("repository {place}"),
        what: FileFate::Created,
        added: 0,
        removed: 0,
    });
    let files = files.into_iter().chain(made).collect();
    let (folders, hosts) = (done.folders.clone(), done.hosts.clone());
    let receipt = Receipt { files, commands, folders, hosts, doubts, unchanged, checked, failing, not_run };
    if receipt != Receipt::default() {
        parts.out.emit(TurnEvent::Receipt { turn: parts.turn.counts.id, receipt });
    }
    Settled::Over(reason)
}

/// Was a change asked for, and is nothing changed? Where the user rejected it, that is what they wanted; a run that nobody
/// watches rejects by itself, and what it allowed beside that made no change of it.
fn is_unchanged(files: &[FileReceipt], turn: &Turn, server: &Server) -> bool {
    let counts = &turn.counts;
    let done = &counts.done;
    let nothing_came_of_it = match (done.denied, turn.keep) {
        (true, Keep::Everything) => false,
        (true, Keep::Nothing) => true,
        (false, Keep::Everything | Keep::Nothing) => !done.acted,
    };
    files.is_empty()
        && done.made.is_empty()
        && nothing_came_of_it
        && turn.policy.mode() != Mode::Plan
        && server.acts()
        && wants_change(&counts.asked)
}

/// Does the answer end in a question? Whoever has to know something first did not forget the change.
fn asks_back(conversation: &Conversation) -> bool {
    conversation.messages().last().is_some_and(|last| last.content.trim_end().ends_with('?'))
}

/// Tells the model, once in a turn, that nothing of what was asked for is done.
fn tell_of_nothing(conversation: &mut Conversation, out: &mut Out) {
    let text = "a change was asked for and nothing was changed; the model is told";
    out.notice(NoticeLevel::Info, text);
    conversation.remind(
        "(nothing was changed yet, though a change was asked for. Make it now with calls; or say in a few words why it is \
         not to be made, or what you have to know first)",
    );
}

/// Is the turn over, when it is known what it did?
pub(crate) enum Settled {
    Over(TurnEndReason),
    /// The model was told that its answer is not so.
    NotYet,
    NotOver(Box<Next>),
    /// These files are to be checked first.
    Check(Vec<String>),
    /// Hooks are to be heard first.
    Hooks(TurnEndReason, Vec<FileReceipt>),
}

/// What the answer says and was not done.
fn unverified_claims(
    files: &[FileReceipt],
    turn: &Turn,
    conversation: &Conversation,
    server: &Server,
    records: &Records,
) -> Vec<String> {
    let last = conversation.messages().last().filter(|last| last.role == Role::Assistant);
    let Some(answer) = last.filter(|_| server.acts()) else { return Vec::new() };
    let counts = &turn.counts;
    let files: Vec<String> = files.iter().map(|file| file.shown_path.clone()).collect();
    let commands: Vec<String> = counts.done.commands.iter().map(|ran| ran.receipt.command.clone()).collect();
    let facts = Facts {
        files: &files,
        earlier: &records.log.changed_files(),
        commands: &commands,
        failed_tests: counts.done.failed_tests(),
        ran_earlier: records.ran_before,
        denied: counts.done.denied,
        asked: &counts.asked,
    };
    unverified(&answer.content, &facts)
}

/// Tells the model, once in a turn, what of its answer is not so.
fn tell_the_model(doubts: &[String], conversation: &mut Conversation, out: &mut Out) {
    let what = doubts.join("; ");
    out.notice(NoticeLevel::Warning, format!("not so: {what}; the model is told"));
    conversation.remind(&format!(
        "(your answer is not so: {what}. If it is still to be done, do it now with a call; else say in a few words \
         how it really is)"
    ));
}
