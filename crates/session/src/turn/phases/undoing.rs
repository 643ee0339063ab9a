//! Taking changes back, making them again, and going back in the conversation. Only between turns, and only as the
//! user saw it in the plan.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::records::resume::Past;
use crate::records::said::EarlierConversation;
use crate::records::undo::UndoLog;
use crate::server::Server;
use crate::turn::phase::{After, Next, Phase, Undoing};
use crate::turn::phases::ending::clear_if_wanted;
use crate::turn::phases::fresh_start;
use crate::turn::sessions::between_turns;
use crate::turn::state::Turn;
use crate::{SessionEffect, Trust};
use agent_policy::{Facts, Verdict};
use agent_protocol::{
    Action, ConflictChoice, DiffBase, FileState, LinesBack, ListEvent, Message, NoticeLevel, Record, Restoring,
    RewindWhat, SaidId, SessionEvent, TurnEvent, UndoChoice, UndoDirection, UndoFile, UndoPlan, UndoneFile,
};
use std::path::PathBuf;

/// Said of a file of which a part is taken back and that others changed as well.
const OTHERS: &str = "somebody else changed this file as well; what is theirs in these lines goes, too";

/// Said where lines become what the last commit holds, which may be older than the session.
const NOT_COMMITTED: &str = "these lines become what git HEAD holds, whoever changed them since";

pub(crate) fn tell_undoable(phase: &Phase, turn: &Turn, records: &Records, out: &mut Out) {
    if turn.resuming.is_none() || between_turns(phase, "changes can be listed", turn, out) {
        out.emit(ListEvent::Undoable { turns: records.log.turns() });
    }
}

/// What would an undo change?
pub(crate) fn plan(
    phase: &Phase,
    direction: UndoDirection,
    said: SaidId,
    turn: &Turn,
    records: &mut Records,
    out: &mut Out,
) {
    records.undo_plan = None;
    if between_turns(phase, "changes can be undone", turn, out) {
        let wanted = records.log.wanted(direction, said);
        out.carry_out(SessionEffect::PlanUndo { direction, said, wanted });
    }
}

/// Lines of a file that are to become what they were.
pub(crate) struct PartAsked {
    pub(crate) path: PathBuf,
    pub(crate) base: DiffBase,
    /// As the user saw it.
    pub(crate) now: FileState,
    pub(crate) lines: Vec<LinesBack>,
}

/// What would change if only these lines of one file became what they were?
pub(crate) fn plan_part(
    phase: &Phase,
    said: SaidId,
    asked: PartAsked,
    turn: &Turn,
    records: &mut Records,
    out: &mut Out,
) {
    records.undo_plan = None;
    if !between_turns(phase, "changes can be undone", turn, out) {
        return;
    }
    let PartAsked { path, base, now, lines } = asked;
    // How it is now, the user saw.
    let was = match base {
        DiffBase::Start => {
            let mut wanted = records.log.wanted(UndoDirection::Undo, said).into_iter();
            wanted.find_map(|file| (file.path == path).then_some(file.to))
        }
        DiffBase::Head => records.committed.iter().find_map(|(known, was)| (*known == path).then(|| was.clone())),
    };
    records.base = base;
    match was {
        Some(to) => {
            let file = Restoring { path, from: now, to };
            out.carry_out(SessionEffect::PlanPart { said, file, lines });
        }
        None => {
            let text = format!("{} was changed by nothing that stands: /diff looks again", path.display());
            out.notice(NoticeLevel::Warning, text);
        }
    }
}

/// Looks how the files that this session changed differ from the last commit. Where the folder is not trusted, git is not asked.
pub(crate) fn hold_against_head(turn: &Turn, records: &mut Records, out: &mut Out) {
    records.committed.clear();
    if !matches!(turn.trust, Trust::Settled) {
        return held_against_head(Err("this folder is not trusted, so git is not asked".to_owned()), records, out);
    }
    let paths = records.log.standing_files();
    out.carry_out(SessionEffect::AgainstHead { paths });
}

pub(crate) fn held_against_head(result: Result<Vec<UndoFile>, String>, records: &mut Records, out: &mut Out) {
    let (files, why) = match result {
        Ok(files) => (files, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let committed = files.iter().filter(|file| file.possible).map(|file| (file.path.clone(), file.target.clone()));
    records.committed = committed.collect();
    out.emit(ListEvent::AgainstHead { files, why });
}

pub(crate) fn planned(phase: &Phase, mut plan: UndoPlan, turn: &Turn, records: &mut Records, out: &mut Out) {
    // It came late, and may not be so any more.
    if phase.is_idle() && turn.resuming.is_none() {
        if plan.part.is_some() {
            tell_of_others(&mut plan, records.base, &records.log);
        }
        records.undo_plan = Some(plan.clone());
        out.emit(SessionEvent::UndoPlanned { plan: Box::new(plan) });
    }
}

/// Lines that are taken back may be somebody else's, where the file is not as we left it: that is said with them.
fn tell_of_others(plan: &mut UndoPlan, base: DiffBase, log: &UndoLog) {
    let left = log.wanted(plan.direction, plan.said);
    let is_ours = |file: &UndoFile| left.iter().any(|left| left.path == file.path && left.from == file.now);
    for file in plan.files.iter_mut().filter(|file| file.possible) {
        let told = match base {
            DiffBase::Start if is_ours(file) => continue,
            DiffBase::Start => OTHERS,
            DiffBase::Head => NOT_COMMITTED,
        };
        let notes = file.diff.note.take().into_iter().chain([told.to_owned()]);
        file.diff.note = Some(notes.collect::<Vec<_>>().join("; "));
    }
}

/// Does what the last plan showed.
pub(crate) fn undo(
    phase: Phase,
    direction: UndoDirection,
    said: SaidId,
    choices: &[UndoChoice],
    parts: &mut Parts,
) -> Next {
    if !between_turns(&phase, "changes can be undone", &parts.turn, &mut parts.out) {
        return Next::Rest(phase);
    }
    let is_it = |plan: &UndoPlan| plan.direction == direction && plan.said == said;
    match parts.records.undo_plan.take().filter(is_it) {
        Some(plan) => carry_out(plan, choices, false, parts),
        None => {
            parts.out.notice(NoticeLevel::Warning, "look at what it would change first: /undo shows it");
            Next::idle()
        }
    }
}

/// Goes back to before this was said.
pub(crate) fn rewind(phase: Phase, said: SaidId, what: RewindWhat, choices: &[UndoChoice], parts: &mut Parts) -> Next {
    if !between_turns(&phase, "you can go back", &parts.turn, &mut parts.out) {
        return Next::Rest(phase);
    }
    if parts.records.sayings.text(said).is_none() {
        parts.out.notice(NoticeLevel::Warning, "that was said in a part that is gone; choose another");
        return Next::idle();
    }
    let nothing_to_restore = parts.records.log.wanted(UndoDirection::Undo, said).is_empty();
    match what {
        RewindWhat::Files if nothing_to_restore => {
            parts.out.notice(NoticeLevel::Info, "no file was changed since; nothing was undone");
            return Next::idle();
        }
        RewindWhat::Both if nothing_to_restore => return Next::GoBack(said),
        RewindWhat::Conversation => return Next::GoBack(said),
        RewindWhat::Files | RewindWhat::Both => {}
    }
    let is_it = |plan: &UndoPlan| plan.direction == UndoDirection::Undo && plan.said == said && plan.part.is_none();
    match parts.records.undo_plan.take().filter(is_it) {
        Some(plan) => carry_out(plan, choices, what == RewindWhat::Both, parts),
        None => {
            let text = "look at what it would change first: choose the message again";
            parts.out.notice(NoticeLevel::Warning, text);
            Next::idle()
        }
    }
}

fn carry_out(plan: UndoPlan, choices: &[UndoChoice], conversation: bool, parts: &mut Parts) -> Next {
    let UndoPlan { direction, said, files, part } = plan;
    let (mut restored, mut left) = (Vec::new(), Vec::new());
    for file in files {
        match decided(&file, choices) {
            Ok(restoring) => restored.push(restoring),
            Err(why) => left.push(stays(file, why)),
        }
    }
    parts.conversation.wake_recorder(&parts.server, &mut parts.out);
    let meant = meant(&restored, &left);
    let then = if conversation { After::GoBack } else { After::Rest };
    let undoing = Undoing { direction, said, part, left, then };
    if restored.is_empty() {
        return undone(undoing, Vec::new(), parts);
    }
    parts.out.recorder.intend(Record::Undoing { direction, said, files: meant, part });
    let permit = match parts.turn.policy.judge(Action::Restore { files: restored }, &Facts::default()) {
        Verdict::Allow(permit) => Ok(permit),
        // The user saw every file of it, and said to do it.
        Verdict::Ask(held) => {
            parts.turn.policy.answer(held, None).map_err(|_| "that cannot be permitted; nothing was changed".to_owned())
        }
        Verdict::Deny(why) | Verdict::Impossible(why) => Err(why),
    };
    match permit {
        Ok(permit) => {
            parts.out.carry_out(SessionEffect::Restore { permit });
            Next::Rest(Phase::Undoing(Box::new(undoing)))
        }
        Err(why) => {
            parts.out.notice(NoticeLevel::Warning, why);
            Next::idle()
        }
    }
}

/// The files are back, as far as they could be.
pub(crate) fn undone(undoing: Undoing, mut files: Vec<UndoneFile>, parts: &mut Parts) -> Next {
    let Undoing { direction, said, part, left, then } = undoing;
    if let After::Anew(tried) = then {
        return fresh_start::anew(&tried, files, parts);
    }
    files.extend(left);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    parts.records.log.done(direction, said, part, &files);
    // Where the conversation then goes back, too, that is all there is to tell; but it may not.
    parts.conversation.untold.moved(&files);
    parts.out.emit(SessionEvent::Undone { direction, said, files, part });
    match then {
        After::GoBack => Next::GoBack(said),
        After::End(reason) => Next::End(*reason),
        After::Rest | After::Anew(_) => {
            clear_if_wanted(parts);
            Next::GoOn
        }
    }
}

/// The conversation goes back to before this was said; the prompt before it stays to the byte.
pub(crate) fn go_back(said: SaidId, parts: &mut Parts) -> Next {
    match parts.records.sayings.conversation_before(said, parts.conversation.messages()) {
        Some(EarlierConversation::Known(before)) => {
            go_back_to(said, before, &mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out)
        }
        Some(EarlierConversation::InJournal) => {
            parts.out.carry_out(SessionEffect::ReadBack { said });
            return Next::Rest(Phase::GoingBack(said));
        }
        None => {}
    }
    clear_if_wanted(parts);
    Next::GoOn
}

/// The session is here as it was written down: the conversation goes back to before this was said.
pub(crate) fn read_back(said: SaidId, result: Result<Vec<Record>, String>, parts: &mut Parts) -> Next {
    match result.map(|records| Past::conversation_before(records, said)) {
        Ok(Some(before)) => {
            go_back_to(said, before, &mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out)
        }
        Ok(None) => not_read_back("it does not stand there", &mut parts.out),
        Err(why) => not_read_back(&why, &mut parts.out),
    }
    clear_if_wanted(parts);
    Next::GoOn
}

fn not_read_back(why: &str, out: &mut Out) {
    let text =
        format!("what was said before that cannot be read from the session's file: {why}; choose a later message");
    out.notice(NoticeLevel::Warning, text);
}

/// The conversation is `before` again.
fn go_back_to(
    said: SaidId,
    before: Vec<Message>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) {
    let now = conversation.messages();
    let same = now.iter().zip(&before).take_while(|(now, before)| now == before).count();
    let text = records.sayings.text(said).unwrap_or_default().to_owned();
    let other_instructions = now.first() != before.first();
    conversation.wake_recorder(server, out);
    records.sayings.go_back(said);
    conversation.now.history.go_back(before);
    conversation.untold.went_back(&text, &records.log.changed_since(said));
    out.emit(SessionEvent::Rewound { said, text });
    if conversation.todos.go_back(said) {
        out.emit(TurnEvent::Todos { items: conversation.todos.now().to_vec() });
    }
    if other_instructions {
        conversation.offer_tools(server, records, out);
    }
    conversation.rewritten(same, server);
    conversation.tell_window(server, out);
}

/// From what to what a file goes, or why it stays.
fn decided(file: &UndoFile, choices: &[UndoChoice]) -> Result<Restoring, String> {
    let restoring =
        |to: &agent_protocol::FileState| Restoring { path: file.path.clone(), from: file.now.clone(), to: to.clone() };
    if !file.possible {
        return Err(file.diff.note.clone().unwrap_or_else(|| "what it held was not kept".to_owned()));
    }
    let Some(conflict) = &file.conflict else { return Ok(restoring(&file.target)) };
    let choice = choices.iter().find(|choice| choice.path == file.path).map(|choice| choice.what);
    match (choice, &conflict.merged) {
        (Some(ConflictChoice::Restore), _) => Ok(restoring(&file.target)),
        (Some(ConflictChoice::Merge), Some(merged)) => Ok(restoring(&merged.target)),
        (Some(ConflictChoice::Merge | ConflictChoice::Leave) | None, _) => Err("it changed since".to_owned()),
    }
}

/// How it ends where nothing stands in the way.
fn meant(restored: &[Restoring], left: &[UndoneFile]) -> Vec<UndoneFile> {
    let done = restored.iter().map(|file| UndoneFile {
        path: file.path.clone(),
        shown_path: file.path.display().to_string(),
        before: file.from.clone(),
        after: file.to.clone(),
        left: None,
    });
    done.chain(left.iter().cloned()).collect()
}

fn stays(file: UndoFile, why: String) -> UndoneFile {
    UndoneFile {
        path: file.path,
        shown_path: file.diff.shown_path,
        before: file.now.clone(),
        after: file.now,
        left: Some(why),
    }
}
