//! Kept sessions: list them, go on with one, copy one, name one, write one out, and begin anew.

use crate::context::changed_sources;
use crate::conversation::Conversation;
use crate::conversation::{CountedBefore, LeftWith};
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::records::resume::Past;
use crate::records::undo::UndoLog;
use crate::server::Server;
use crate::turn::jobs::AFTER_A_BREAK;
use crate::turn::phase::{Next, Phase};
use crate::turn::program_calls::check_state::CheckHabits;
use crate::turn::state::Resuming;
use crate::turn::state::Turn;
use crate::{Begin, Effect, Keep, Memory, OpenedSession, SessionEffect, Trust};
use agent_policy::{Facts, Verdict};
use agent_protocol::{
    Action, BackgroundState, CallEvent, ContextEvent, DiffBase, Event, ExportFormat, JournalState, Mode, NoticeLevel,
    SaidId, SessionEvent, SessionId, Setting, TurnEvent,
};
use std::path::PathBuf;

/// Begins as the door was told. The server is looked for when it is known which model is wanted.
pub(crate) fn begin(begin: Begin, turn: &mut Turn, server: &mut Server, out: &mut Out) {
    let effect = match begin {
        Begin::New if server.settings.alone => return,
        Begin::New => return server.look(out),
        Begin::Session(id) => Effect::Session(SessionEffect::OpenSession { id }),
        Begin::Copy(id) => Effect::Session(SessionEffect::CopySession { id }),
    };
    turn.resuming = Some(Resuming::AtStart);
    out.carry_out(effect);
}

/// Is no turn under way? Else it is said when `what` can be done.
pub(crate) fn between_turns(phase: &Phase, what: &str, turn: &Turn, out: &mut Out) -> bool {
    let opening = turn.resuming.is_some();
    let idle = phase.is_idle() && !opening;
    if opening {
        out.notice(NoticeLevel::Warning, format!("a session is being opened; {what} in a moment"));
    } else if !idle {
        out.notice(NoticeLevel::Warning, format!("{what} when the turn is over; Esc ends it"));
    }
    idle
}

/// Forgets the conversation: what comes next is another session.
pub(crate) fn forget_conversation(parts: &mut Parts) {
    let Parts { conversation, out, .. } = parts;
    // What was not handed on yet is written down in this session.
    conversation.record(out);
    if let Some(effect) = out.recorder.hand_on() {
        out.carry_out(effect);
    }
    conversation.now.history.clear();
    parts.server.forget_resume();
    leave_session(parts);
    let Parts { conversation, server, out, .. } = parts;
    conversation.rewritten(usize::MAX, server);
    out.emit(ContextEvent::Cleared);
    if !std::mem::take(&mut conversation.todos).now().is_empty() {
        out.emit(TurnEvent::Todos { items: Vec::new() });
    }
    conversation.tell_window(server, out);
}

/// The conversation ends here for good: what comes next is another session.
fn leave_session(parts: &mut Parts) {
    let Parts { turn, conversation, server, records, out, .. } = parts;
    out.recorder.sleep();
    *records = Records::default();
    turn.checks = CheckHabits::default();
    conversation.untold.clear();
    conversation.left_with = None;
    if conversation.resumed_with.take().is_some() {
        conversation.offer_tools(server, records, out);
    }
    out.carry_out(SessionEffect::CloseJournal);
}

pub(crate) fn open(phase: &Phase, id: SessionId, turn: &mut Turn, out: &mut Out) {
    if may_change_session(phase, turn, out) {
        turn.resuming = Some(Resuming::Later);
        out.carry_out(SessionEffect::OpenSession { id });
    }
}

pub(crate) fn fork(
    phase: &Phase,
    said: Option<SaidId>,
    turn: &mut Turn,
    server: &Server,
    records: &Records,
    out: &mut Out,
) {
    if !may_change_session(phase, turn, out) || !is_kept("to copy", server, records, out) {
        return;
    }
    turn.resuming = Some(Resuming::Later);
    let next = said.and_then(|said| records.sayings.text(said)).map(str::to_owned);
    out.carry_out(SessionEffect::ForkSession { said, next });
}

/// Is something of this session written down? Else it is said why not.
fn is_kept(what: &str, server: &Server, records: &Records, out: &mut Out) -> bool {
    if out.recorder.awake || records.resumed {
        return true;
    }
    let text = if server.settings.record {
        format!("there is nothing {what} yet: say something first")
    } else {
        format!("there is nothing {what}: sessions are not kept (enabled = false under [sessions])")
    };
    out.notice(NoticeLevel::Info, text);
    false
}

fn may_change_session(phase: &Phase, turn: &Turn, out: &mut Out) -> bool {
    if turn.resuming.is_some() {
        out.notice(NoticeLevel::Info, "a session is being opened already");
        return false;
    }
    between_turns(phase, "another session can be opened", turn, out)
}

/// The session that was asked for is here, or cannot be opened.
pub(crate) fn opened(phase: Phase, result: Result<OpenedSession, String>, parts: &mut Parts) -> Next {
    let Some(resuming) = parts.turn.resuming.take() else { return Next::Rest(phase) };
    match result {
        Ok(opened) => take_up_session(opened, resuming, parts),
        Err(why) => {
            parts.out.emit(SessionEvent::NotRestored { why });
            if resuming == Resuming::AtStart {
                parts.server.look(&mut parts.out);
            }
        }
    }
    if phase.is_idle() { Next::GoOn } else { Next::Rest(phase) }
}

fn take_up_session(opened: OpenedSession, resuming: Resuming, parts: &mut Parts) {
    let OpenedSession { card, records: written, torn, recovered, next } = opened;
    let mut past = Past::from_records(written);
    let Parts { turn, conversation, server, records, out, .. } = parts;
    let (history, closing) = past.brought_to_an_end(&conversation.standing, &recovered);
    out.recorder.sleep();
    out.recorder.stands(&JournalState::Kept { id: card.id.clone() });
    conversation.now.history = history;
    turn.checks = CheckHabits::default();
    conversation.untold = std::mem::take(&mut past.untold);
    conversation.untold.plan_mode(turn.policy.mode() == Mode::Plan);
    if past.left_running && !turn.jobs.iter().any(|job| job.state == BackgroundState::Running) {
        conversation.untold.of_jobs(AFTER_A_BREAK.into());
    }
    conversation.todos = std::mem::take(&mut past.todos);
    conversation.resumed_at = CountedBefore::from_record(past.model.clone(), past.counted());
    conversation.left_with = past
        .setting
        .as_ref()
        .filter(|setting| !setting.tools.is_empty())
        .map(|setting| LeftWith { model: past.model.clone(), tools: setting.tools.clone() });
    conversation.resumed_with = past.setting.as_ref().map(|setting| setting.instructions.clone());
    *records = Records {
        sayings: std::mem::take(&mut past.sayings),
        log: std::mem::take(&mut past.log),
        undo_plan: None,
        committed: Vec::new(),
        base: DiffBase::default(),
        resumed: true,
        ran_before: past.ran,
        last_command: std::mem::take(&mut past.last_command),
    };
    records.sayings.let_go();
    out.ids_at_least(past.highest);
    let mut events = std::mem::take(&mut past.events);
    let cut_short = closing.iter().any(|event| matches!(event, Event::Session(SessionEvent::Undone { .. })));
    if !closing.is_empty() {
        conversation.wake_recorder(server, out);
        closing.iter().for_each(|event| out.recorder.note(event));
        events.extend(closing);
    }
    out.emit(SessionEvent::Restored { card, events });
    out.emit(CallEvent::ModeChanged { mode: turn.policy.mode() });
    if cut_short {
        let text = "the program ended while files were being undone; /undo and /redo show how they are now";
        out.notice(NoticeLevel::Warning, text);
    }
    say_what_changed(torn, past.setting.as_ref(), parts);
    parts.conversation.rewritten(0, &mut parts.server);
    // A front end forgot the figures with what it showed.
    parts.server.measure.told = None;
    parts.conversation.take_up_count(&mut parts.server);
    take_up_model(past.model, resuming, &mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out);
    if let Some(text) = next {
        parts.out.emit(TurnEvent::Unqueued { text });
    }
}

/// Goes on with the model the session had, unless the user named another.
fn take_up_model(
    model: Option<String>,
    resuming: Resuming,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) {
    let wanted = model.filter(|_| resuming == Resuming::Later || !server.settings.model_named);
    match (resuming, wanted) {
        (Resuming::AtStart, wanted) => {
            if let Some(name) = wanted {
                server.want(name);
            }
            server.look(out);
        }
        (Resuming::Later, Some(name)) if name != server.model_name() => server.go_on_with(name, out),
        (Resuming::Later, _) => show_model_again(conversation, server, records, out),
    }
}

/// What a front end forgot with the session before.
fn show_model_again(conversation: &mut Conversation, server: &mut Server, records: &mut Records, out: &mut Out) {
    if server.show_model(out) {
        if server.measure.window.effective.is_some() {
            conversation.window_measured(server, out);
        }
        conversation.offer_tools(server, records, out);
    }
    conversation.tell_window(server, out);
}

fn say_what_changed(torn: Option<String>, setting: Option<&Setting>, parts: &mut Parts) {
    let Parts { turn, conversation, records, out, server, .. } = parts;
    if let Some(torn) = torn {
        out.notice(NoticeLevel::Warning, torn);
    }
    let Some(setting) = setting else { return };
    if setting.project != server.settings.project {
        let text = format!(
            "this session was in {}, and goes on in {}: what it says of files may not be so here, and what it changed \
             there cannot be undone from here",
            setting.project.display(),
            server.settings.project.display()
        );
        out.notice(NoticeLevel::Warning, text);
        // What is known of files is known by where they were.
        records.log = UndoLog::default();
        conversation.untold.add(format!("the project folder is {} now", server.settings.project.display()));
    }
    // What the model is sent first stays as it was; a project that has another folder has other files.
    let now = match &turn.trust {
        Trust::Ask { system, .. } => system.as_str(),
        Trust::Settled => conversation.standing.as_str(),
    };
    let changed = changed_sources(&setting.instructions, now);
    if setting.project == server.settings.project && !changed.is_empty() {
        let text = format!(
            "{} changed since; this session goes on with what it began with, /clear begins one with what is new",
            changed.join(", ")
        );
        out.notice(NoticeLevel::Info, text);
    }
}

/// Says that the tools changed, where a session goes on with the same model: before its first request, for the tools depend on what
/// the model turns out to be.
pub(crate) fn say_if_tools_changed(conversation: &mut Conversation, server: &Server, out: &mut Out) {
    let Some(left) = conversation.left_with.take() else { return };
    let is_same_model = left.model.is_some_and(|model| model == server.model_name());
    if is_same_model && server.offers_tools() && left.tools != server.offer.names() {
        let text = "the tools changed since this session was left, so the model reads all of it again";
        out.notice(NoticeLevel::Info, text);
    }
}

/// Keeps what is being written, where anything is kept.
pub(crate) fn keep_draft(text: String, turn: &Turn, conversation: &Conversation, out: &mut Out) {
    if turn.keep == Keep::Everything {
        let project = conversation.project.clone();
        out.carry_out(Effect::Remember(Memory::Draft { project, text }));
    }
}

pub(crate) fn rename(title: String, turn: &Turn, conversation: &Conversation, server: &Server, out: &mut Out) {
    if turn.resuming.is_some() {
        return out.notice(NoticeLevel::Info, "a session is being opened; name it in a moment");
    }
    conversation.wake_recorder(server, out);
    out.emit(SessionEvent::Renamed { title });
}

pub(crate) fn export(format: ExportFormat, path: Option<String>, server: &Server, records: &Records, out: &mut Out) {
    if is_kept("to write out", server, records, out) {
        out.carry_out(SessionEffect::Export { format, path });
    }
}

/// The text is there; it is written where the user wants it, if nothing of that name is there.
pub(crate) fn exported(result: Result<(Action, Facts), String>, turn: &mut Turn, out: &mut Out) {
    let policy = &mut turn.policy;
    let permit = result.and_then(|(action, facts)| match policy.judge(action, &facts) {
        Verdict::Allow(permit) => Ok(permit),
        // The user said to write it, and where.
        Verdict::Ask(held) => {
            policy.answer(held, None).map_err(|_| "that cannot be permitted; nothing was written".to_owned())
        }
        Verdict::Deny(why) | Verdict::Impossible(why) => Err(why),
    });
    match permit {
        Ok(permit) => out.carry_out(SessionEffect::Write { permit }),
        Err(why) => out.notice(NoticeLevel::Warning, why),
    }
}

pub(crate) fn written(result: Result<PathBuf, String>, conversation: &Conversation, out: &mut Out) {
    match result {
        Ok(path) => {
            let shown = path.strip_prefix(&conversation.project).unwrap_or(&path).display();
            out.notice(NoticeLevel::Info, format!("written: {shown}"));
        }
        Err(why) => out.notice(NoticeLevel::Warning, format!("not written: {why}")),
    }
}
