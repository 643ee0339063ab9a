//! A fresh start: where the check still fails after its rounds, the task is begun again from the files as they were, without what
//! led astray. The user is asked; of several tries the best stays.
//!
//! A further try is said anew, and that the files went back belongs to it: so undoing it brings back the try before.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::records::said::EarlierConversation;
use crate::server::Server;
use crate::turn::file_work::FileWork;
use crate::turn::guards::loop_guard::{Halt, LoopGuard};
use crate::turn::guards::progress::Progress;
use crate::turn::guards::thinking_bound::ThinkingWork;
use crate::turn::guards::unusable_reply::Rescue;
use crate::turn::phase::{After, Next, Phase, Undoing};
use crate::turn::phases::tries::Try;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::check_state::{Check, Checking};
use crate::turn::program_calls::context_files::before_asking;
use crate::turn::results::{bare, tell};
use crate::turn::state::Turn;
use crate::{Keep, SessionEffect};
use agent_policy::{Facts, Permit, Verdict};
use agent_protocol::{
    Action, CallEvent, FileChange, FileReceipt, Message, NoticeLevel, Preview, PreviewBody, Profile, Restoring, Role,
    SaidId, Status, TurnEndReason, TurnEvent, UndoDirection, UndoPlan, UndoneFile,
};
use serde_json::json;

/// Names of failing tests that the model is told.
const MOST_NAMES: usize = 5;

/// A try has ended, and what it did is known: what comes before the turn is over, if anything.
pub(crate) fn after_try(reason: &TurnEndReason, files: &[FileReceipt], parts: &mut Parts) -> Option<Next> {
    let counts = &parts.turn.counts;
    let (check, tries) = (&counts.check, &counts.tries);
    let ended = matches!(reason, TurnEndReason::Done | TurnEndReason::StepLimit);
    let failed = matches!(check.last, Check::Failed(_));
    if !ended || tries.closed || (tries.earlier.is_empty() && !failed) {
        return None;
    }
    let last = Try::ended(tries.said, &check.last, check.failing.len(), files);
    if failed && tries.earlier.len() + 1 < most(&parts.turn, &parts.server) {
        match obstacle(&parts.turn, &parts.conversation, &parts.records) {
            Some(why) => keep_and_say(why, &mut parts.turn, &parts.server, &mut parts.out),
            None => return Some(look(reason, files, &mut parts.turn, &parts.records, &mut parts.out)),
        }
    }
    keep_the_best(&last, reason, &mut parts.turn, &parts.records, &mut parts.out)
}

/// Tries that one task may take, the first included. Who is there is asked before each further one.
fn most(turn: &Turn, server: &Server) -> usize {
    let wanted = server.levers().attempts as usize;
    match turn.keep {
        Keep::Everything if wanted > 0 => wanted.max(2),
        Keep::Everything | Keep::Nothing => wanted,
    }
}

/// Why this turn cannot be begun anew.
fn obstacle(turn: &Turn, conversation: &Conversation, records: &Records) -> Option<&'static str> {
    let (turn, records) = (turn, records);
    let said = turn.counts.tries.said;
    let spoke =
        records.sayings.current() != said || records.sayings.text(said).is_none_or(|text| text.trim().is_empty());
    let before = || records.sayings.conversation_before(said, conversation.messages());
    match () {
        () if turn.counts.from_outside || turn.paused.is_some() => Some("it is part of another task"),
        () if turn.counts.done.escaped => {
            Some("a command or a call reached beyond the sandbox, which nothing takes back")
        }
        () if !turn.jobs.is_empty() => Some("a command still runs in the background"),
        () if spoke => Some("something else was said meanwhile"),
        () if !matches!(before(), Some(EarlierConversation::Known(_))) => {
            Some("the conversation was made shorter meanwhile")
        }
        () => None,
    }
}

fn keep_and_say(why: &str, turn: &mut Turn, server: &Server, out: &mut Out) {
    turn.counts.tries.closed = true;
    // Who did not ask for further tries need not hear why there is none.
    if server.levers().attempts > 1 {
        out.notice(NoticeLevel::Info, format!("the check still fails, and the try stays as it is: {why}"));
    }
}

/// Can all that was changed be taken back, and did nobody else change it since? That is looked up on disk.
fn look(reason: &TurnEndReason, files: &[FileReceipt], turn: &mut Turn, records: &Records, out: &mut Out) -> Next {
    let said = turn.counts.tries.said;
    let wanted = records.log.wanted(UndoDirection::Undo, first(turn));
    if wanted.is_empty() {
        turn.counts.tries.closed = true;
        return Next::Settle(reason.clone(), files.to_vec());
    }
    out.carry_out(SessionEffect::PlanUndo { direction: UndoDirection::Undo, said, wanted });
    Next::Rest(Phase::LookingBack { reason: Box::new(reason.clone()), files: files.to_vec() })
}

/// What the first try was said as.
fn first(turn: &Turn) -> SaidId {
    let tries = &turn.counts.tries;
    tries.earlier.first().map_or(tries.said, |one| one.said)
}

/// What going back would change is known: the user is asked, and where nobody is there, it is done.
pub(crate) fn planned(reason: TurnEndReason, files: Vec<FileReceipt>, plan: &UndoPlan, parts: &mut Parts) -> Next {
    if parts.turn.counts.done.told_enough {
        parts.turn.counts.tries.closed = true;
        return Next::Settle(reason, files);
    }
    let uncovered = parts.records.log.leaves_out(first(&parts.turn));
    if uncovered || plan.files.iter().any(|file| !file.possible || file.conflict.is_some()) {
        keep_and_say("not all of it can be taken back as it was", &mut parts.turn, &parts.server, &mut parts.out);
        return Next::Settle(reason, files);
    }
    let counts = &parts.turn.counts;
    let how = if let Check::Failed(how) = &counts.check.last { how.clone() } else { String::new() };
    let halt = Halt::Again { failing: how, files: files.clone() };
    match parts.turn.keep {
        Keep::Everything => Next::AskAbout(halt),
        Keep::Nothing => begin(files, &mut parts.turn, &parts.server, &parts.records, &mut parts.out),
    }
}

/// The user wants the try to stay.
pub(crate) fn declined(turn: &mut Turn) -> Next {
    turn.counts.tries.closed = true;
    Next::End(TurnEndReason::Done)
}

/// The task is begun again.
pub(crate) fn begin(
    files: Vec<FileReceipt>,
    turn: &mut Turn,
    server: &Server,
    records: &Records,
    out: &mut Out,
) -> Next {
    let wanted = records.log.wanted(UndoDirection::Undo, first(turn));
    match permit(wanted, turn) {
        Ok(permit) => restore(permit, After::Anew(files), first(turn), out),
        Err(why) => {
            keep_and_say(&why, turn, server, out);
            Next::End(TurnEndReason::Done)
        }
    }
}

/// Leave to bring these back: the user said yes, or asked for tries before.
fn permit(files: Vec<Restoring>, turn: &mut Turn) -> Result<Permit, String> {
    match turn.policy.judge(Action::Restore { files }, &Facts::default()) {
        Verdict::Allow(permit) => Ok(permit),
        Verdict::Ask(held) => turn.policy.answer(held, None).map_err(|_| "that cannot be permitted".to_owned()),
        Verdict::Deny(why) | Verdict::Impossible(why) => Err(why),
    }
}

fn restore(permit: Permit, then: After, said: SaidId, out: &mut Out) -> Next {
    out.carry_out(SessionEffect::Restore { permit });
    let undoing = Undoing { direction: UndoDirection::Undo, said, part: None, left: Vec::new(), then };
    Next::Rest(Phase::Undoing(Box::new(undoing)))
}

/// The files are as they were before the first try: the user's words are said again, and what went wrong.
pub(crate) fn anew(tried: &[FileReceipt], files: Vec<UndoneFile>, parts: &mut Parts) -> Next {
    let check = std::mem::take(&mut parts.turn.counts.check);
    let ended = Try::ended(parts.turn.counts.tries.said, &check.last, check.failing.len(), tried);
    let text = parts.records.sayings.text(ended.said).unwrap_or_default().to_owned();
    if let Some(EarlierConversation::Known(before)) =
        parts.records.sayings.conversation_before(ended.said, parts.conversation.messages())
    {
        go_back(before, &mut parts.conversation, &mut parts.server, &mut parts.out);
    }
    let Parts { server, conversation, records, out, .. } = &mut *parts;
    conversation.take_saying(&Message::text(Role::User, text.as_str()), server, records, out);
    out.emit(TurnEvent::Steered { text });
    conversation.remind(&remark(tried, &check.failing));
    let left = files.iter().find_map(|file| file.left.as_ref().map(|why| format!("{}: {why}", file.shown_path)));
    let said = records.sayings.current();
    let counts = &mut parts.turn.counts;
    counts.tries.earlier.push(ended);
    counts.tries.said = said;
    (counts.guard, counts.rescue) = (LoopGuard::default(), Rescue::default());
    (counts.files, counts.check, counts.remark) = (FileWork::default(), Checking::default(), None);
    (counts.progress, counts.thinking) = (Progress::default(), ThinkingWork::default());
    counts.done.begin_again();
    parts.server.tries = counts.tries.earlier.len();
    tell_of_files(files, parts);
    if let Some(left) = left {
        parts.out.notice(NoticeLevel::Warning, format!("one file changed meanwhile and stays as it is: {left}"));
    }
    before_asking(parts)
}

/// The conversation is as it was before the words were said.
fn go_back(before: Vec<Message>, conversation: &mut Conversation, server: &mut Server, out: &mut Out) {
    let same = conversation.messages().iter().zip(&before).take_while(|(now, before)| now == before).count();
    conversation.wake_recorder(server, out);
    conversation.now.history.go_back(before);
    conversation.rewritten(same, server);
}

/// That the files went back stands as a change of the new try, so undoing that brings back the one before.
fn tell_of_files(files: Vec<UndoneFile>, parts: &mut Parts) {
    let call = CallOrigin::RestoreFiles.call(json!({}), &mut parts.out);
    let restored: Vec<FileChange> = files.into_iter().filter(|file| file.left.is_none()).map(change).collect();
    let number = parts.turn.counts.tries.earlier.len() + 1;
    let title = format!("Start again from the files as they were (try {number})");
    let preview = Preview { title, body: PreviewBody::Plain };
    let summary = match restored.as_slice() {
        [one] => format!("{} is as it was", one.shown_path),
        many => format!("{} files are as they were", many.len()),
    };
    parts.out.emit(CallEvent::Proposed { call: call.clone() });
    parts.out.emit(CallEvent::Running { call: call.id, preview });
    let outcome = bare(Status::Done, String::new(), &summary);
    tell(&call, agent_protocol::Outcome { changed: restored, ..outcome }, parts);
    parts.turn.counts.done.unchecked = false;
}

fn change(file: UndoneFile) -> FileChange {
    let UndoneFile { path, shown_path, before, after, .. } = file;
    FileChange { path, shown_path, before, after, added: 0, removed: 0 }
}

fn remark(tried: &[FileReceipt], failing: &[String]) -> String {
    let files: Vec<&str> = tried.iter().map(|file| file.shown_path.as_str()).collect();
    let left = match failing {
        [] => "the check failing".to_owned(),
        names => format!("{} failing", names[..names.len().min(MOST_NAMES)].join(", ")),
    };
    format!("(an earlier try changed {} and left {left}; it is undone. Try another way.)", files.join(", "))
}

/// The last try has ended: the best of all stays.
fn keep_the_best(
    last: &Try,
    reason: &TurnEndReason,
    turn: &mut Turn,
    records: &Records,
    out: &mut Out,
) -> Option<Next> {
    let tries = &mut turn.counts.tries;
    tries.closed = true;
    if tries.earlier.is_empty() {
        return None;
    }
    let best = tries.best(last).clone();
    let number = 1 + tries.earlier.iter().take_while(|one| **one != best).count();
    if best.said == last.said {
        out.notice(NoticeLevel::Info, format!("try {number} stays; /undo brings back the one before"));
        return None;
    }
    let after = tries.after(&best);
    let wanted = records.log.wanted(UndoDirection::Undo, after);
    let text = format!("try {number} was better and is brought back; /redo brings this one back");
    out.notice(NoticeLevel::Info, text);
    turn.counts.check.last = best.check;
    match permit(wanted, turn) {
        Ok(permit) => Some(restore(permit, After::End(Box::new(reason.clone())), after, out)),
        Err(why) => {
            out.notice(NoticeLevel::Warning, why);
            None
        }
    }
}

/// Does a call with this permit do what no undo takes back?
pub(crate) fn escapes(permit: &Permit) -> bool {
    match permit.action() {
        Action::Run { .. } => matches!(permit.sandbox().profile(), Profile::Network | Profile::Unfenced),
        Action::Call { .. } => true,
        _ => false,
    }
}
