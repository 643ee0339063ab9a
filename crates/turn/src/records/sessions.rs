//! Kept sessions: list them, go on with one, copy one, name one, write one out.

use crate::machine::Machine;
use crate::records::resume::Past;
use crate::records::said::Sayings;
use crate::records::undo::UndoLog;
use crate::turn::jobs::AFTER_A_BREAK;
use crate::{Effect, Input};
use agent_policy::{Facts, Verdict};
use agent_protocol::{
    Action, CallId, Event, ExportFormat, FileChange, JobState, JournalState, NoticeLevel, Op, Record, SaidId,
    SessionCard, SessionId, Setting,
};
use std::path::PathBuf;

/// A session that was opened to go on with.
#[derive(Debug)]
pub struct OpenedSession {
    /// What is known of it.
    pub card: SessionCard,
    /// All of it.
    pub records: Vec<Record>,
    /// What could not be read of its end, and where that lies now, in words.
    pub torn: Option<String>,
    /// What became of files in calls that never told how they ended.
    pub recovered: Vec<(CallId, Vec<FileChange>)>,
    /// What was said first after the place it was copied from: it may be said again in other words.
    pub next: Option<String>,
}

/// What a session begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Begin {
    /// Nothing.
    #[default]
    New,
    /// A kept session goes on.
    Session(SessionId),
    /// A copy of a kept session goes on.
    Copy(SessionId),
}

impl Machine {
    /// Begins as the door was told. The server is looked for when it is known which model is wanted.
    pub(crate) fn begin(&mut self) {
        match std::mem::take(&mut self.settings.begin) {
            Begin::New if self.settings.alone => {}
            Begin::New => self.look_for_server(),
            Begin::Session(id) => {
                self.resuming = Some(Resuming::AtStart);
                self.out.carry_out(Effect::OpenSession { id });
            }
            Begin::Copy(id) => {
                self.resuming = Some(Resuming::AtStart);
                self.out.carry_out(Effect::CopySession { id });
            }
        }
    }

    /// What faces want of sessions and of what was changed in them.
    pub(crate) fn op_of_sessions(&mut self, op: Op) {
        match op {
            Op::Sessions => self.out.carry_out(Effect::ListSessions),
            Op::Open { id } => self.open_session(id),
            Op::Rename { title } => self.rename(title),
            Op::Fork { said } => self.fork(said),
            Op::Page { session, turn } => self.out.carry_out(Effect::ReadPage { session, turn }),
            Op::Export { format, path } => self.export(format, path),
            Op::Undoable => self.tell_undoable(),
            Op::PlanUndo { direction, said } => self.plan_undo(direction, said),
            Op::Undo { direction, said, choices } => self.undo(direction, said, &choices),
            Op::Rewind { said, what, choices } => self.rewind(said, what, &choices),
            _ => unreachable!("the machine took up every other wish"),
        }
    }

    /// What comes back of that.
    pub(crate) fn of_sessions(&mut self, input: Input) {
        match input {
            Input::Journal { state } => {
                self.out.recorder.stands(&state);
                self.out.emit(Event::Journal { state });
            }
            Input::SessionsListed { sessions, now } => self.out.emit(Event::Sessions { sessions, now }),
            Input::SessionOpened { result } => self.session_opened(result.map(|opened| *opened)),
            Input::PageRead { session, turn, result } => self.page_read(session, turn, result),
            Input::ReadBack { said, result } => self.read_back(said, result),
            Input::Exported { result } => self.exported(result),
            Input::Written { result } => self.written(result),
            Input::UndoPlanned { plan } => self.undo_planned(plan),
            Input::Undone { files } => self.restored(files),
            Input::LookedAfter { files } => self.looked_after(files),
            _ => unreachable!("the machine took up everything else"),
        }
    }

    /// What was not handed on yet is written down in this session.
    pub(crate) fn flush_records(&mut self) {
        self.record_conversation();
        if let Some(effect) = self.out.recorder.hand_on() {
            self.out.carry_out(effect);
        }
    }

    /// The conversation ends here for good: what comes next is another session.
    pub(crate) fn leave_session(&mut self) {
        self.out.recorder.sleep();
        (self.sayings, self.log) = (Sayings::default(), UndoLog::default());
        (self.undo_plan, self.resumed, self.ran_before) = (None, false, false);
        self.untold.clear();
        if self.resumed_with.take().is_some() {
            self.offer_tools();
        }
        self.out.carry_out(Effect::CloseJournal);
    }

    /// The standing instructions of this session.
    pub(crate) fn instructions(&self) -> &str {
        if let Some(aside) = &self.aside {
            return aside.system();
        }
        self.resumed_with.as_deref().unwrap_or(&self.settings.system)
    }

    pub(crate) fn open_session(&mut self, id: SessionId) {
        if self.may_change_session() {
            self.resuming = Some(Resuming::Later);
            self.out.carry_out(Effect::OpenSession { id });
        }
    }

    pub(crate) fn fork(&mut self, said: Option<SaidId>) {
        if !self.may_change_session() {
            return;
        }
        if !self.is_kept("to copy") {
            return;
        }
        self.resuming = Some(Resuming::Later);
        let next = said.and_then(|said| self.sayings.text(said)).map(str::to_owned);
        self.out.carry_out(Effect::ForkSession { said, next });
    }

    /// Is something of this session written down? Else it is said why not.
    fn is_kept(&mut self, what: &str) -> bool {
        if self.out.recorder.is_awake() || self.resumed {
            return true;
        }
        self.out.notice(
            NoticeLevel::Info,
            if self.settings.record {
                format!("there is nothing {what} yet: say something first")
            } else {
                format!("there is nothing {what}: sessions are not kept (enabled = false under [sessions])")
            },
        );
        false
    }

    fn may_change_session(&mut self) -> bool {
        if self.resuming.is_some() {
            self.out.notice(NoticeLevel::Info, "a session is being opened already");
            return false;
        }
        self.between_turns("another session can be opened")
    }

    pub(crate) fn session_opened(&mut self, result: Result<OpenedSession, String>) {
        let Some(resuming) = self.resuming.take() else { return };
        match result {
            Ok(opened) => self.take_up_session(opened, resuming),
            Err(why) => {
                self.out.emit(Event::NotRestored { why });
                if resuming == Resuming::AtStart {
                    self.look_for_server();
                }
            }
        }
        self.go_on_if_idle();
    }

    fn take_up_session(&mut self, opened: OpenedSession, resuming: Resuming) {
        let OpenedSession { card, records, torn, recovered, next } = opened;
        let mut past = Past::of(records);
        let (history, closing) = past.brought_to_an_end(&self.settings.system, &recovered);
        self.out.recorder.sleep();
        self.out.recorder.stands(&JournalState::Kept { id: card.id.clone() });
        self.history = history;
        self.sayings = std::mem::take(&mut past.sayings);
        self.sayings.let_go();
        self.log = std::mem::take(&mut past.log);
        self.untold = std::mem::take(&mut past.untold);
        self.untold.plan_mode(self.policy.mode() == agent_protocol::Mode::Plan);
        if past.left_running && !self.jobs.iter().any(|job| job.state == JobState::Running) {
            self.untold.of_jobs(AFTER_A_BREAK.into());
        }
        self.todos = std::mem::take(&mut past.todos);
        (self.undo_plan, self.ran_before, self.resumed) = (None, past.ran, true);
        self.out.ids_at_least(past.highest);
        self.resumed_with = past.setting.as_ref().map(|setting| setting.instructions.clone());
        let mut events = std::mem::take(&mut past.events);
        let cut_short = closing.iter().any(|event| matches!(event, Event::Undone { .. }));
        if !closing.is_empty() {
            self.wake_recorder();
            closing.iter().for_each(|event| self.out.recorder.note(event));
            events.extend(closing);
        }
        self.out.emit(Event::Restored { card, events });
        self.out.emit(Event::ModeChanged { mode: self.policy.mode() });
        if cut_short {
            let text = "the program ended while files were being taken back; /undo and /redo show how they are now";
            self.out.notice(NoticeLevel::Warning, text);
        }
        self.say_what_changed(torn, past.setting.as_ref());
        self.rewritten(0);
        // A face forgot the figures with what it showed.
        self.link.measure.told = None;
        self.take_up_model(past.model, resuming);
        if let Some(text) = next {
            self.out.emit(Event::Unqueued { text });
        }
    }

    /// Goes on with the model the session had, unless the person named another.
    fn take_up_model(&mut self, model: Option<String>, resuming: Resuming) {
        let wanted = model.filter(|_| resuming == Resuming::Later || !self.settings.model_named);
        match (resuming, wanted) {
            (Resuming::AtStart, wanted) => {
                if let Some(name) = wanted {
                    self.link.want(name);
                }
                self.look_for_server();
            }
            (Resuming::Later, Some(name)) if name != self.link.model_name() => self.go_on_with(name),
            (Resuming::Later, _) => self.show_model_again(),
        }
    }

    fn say_what_changed(&mut self, torn: Option<String>, setting: Option<&Setting>) {
        if let Some(torn) = torn {
            self.out.notice(NoticeLevel::Warning, torn);
        }
        let Some(setting) = setting else { return };
        if setting.project != self.settings.project {
            let text = format!(
                "this session was in {}, and goes on in {}: what it says of files may not be so here, and what it changed \
                 there cannot be undone from here",
                setting.project.display(),
                self.settings.project.display()
            );
            self.out.notice(NoticeLevel::Warning, text);
            // What is known of files is known by where they were.
            self.log = UndoLog::default();
            self.untold.add(format!("the project folder is {} now", self.settings.project.display()));
        }
        let tools: Vec<&str> = self.settings.tools.iter().map(|spec| spec.name.as_str()).collect();
        if setting.tools != tools {
            let text = "the tools are others than when this session was left; the model reads everything anew";
            self.out.notice(NoticeLevel::Info, text);
        }
        // The folder stands in the instructions; that it is another was said.
        if setting.project == self.settings.project && setting.instructions != self.settings.system {
            let text = "the instructions (AGENTS.md, or yours) changed since; this session goes on with those it began \
                        with, /clear begins one with the new ones";
            self.out.notice(NoticeLevel::Info, text);
        }
    }

    pub(crate) fn rename(&mut self, title: String) {
        if self.resuming.is_some() {
            return self.out.notice(NoticeLevel::Info, "a session is being opened; name it in a moment");
        }
        self.wake_recorder();
        self.out.emit(Event::Renamed { title });
    }

    pub(crate) fn export(&mut self, format: ExportFormat, path: Option<String>) {
        if !self.is_kept("to write out") {
            return;
        }
        self.out.carry_out(Effect::Export { format, path });
    }

    /// The text is there; it is written where the person wants it, if nothing of that name is there.
    pub(crate) fn exported(&mut self, result: Result<(Action, Facts), String>) {
        let (action, facts) = match result {
            Ok(planned) => planned,
            Err(why) => return self.out.notice(NoticeLevel::Warning, why),
        };
        match self.policy.judge(action, &facts) {
            Verdict::Allow(permit) => self.out.carry_out(Effect::Write { permit }),
            // The person said to write it, and where.
            Verdict::Ask(held) => match self.policy.answer(held, None) {
                Ok(permit) => self.out.carry_out(Effect::Write { permit }),
                Err(_) => self.out.notice(NoticeLevel::Warning, "that cannot be permitted; nothing was written"),
            },
            Verdict::Deny(why) | Verdict::Impossible(why) => self.out.notice(NoticeLevel::Warning, why),
        }
    }

    pub(crate) fn written(&mut self, result: Result<PathBuf, String>) {
        match result {
            Ok(path) => {
                let shown = path.strip_prefix(&self.settings.project).unwrap_or(&path).display();
                self.out.notice(NoticeLevel::Info, format!("written: {shown}"));
            }
            Err(why) => self.out.notice(NoticeLevel::Warning, format!("not written: {why}")),
        }
    }
}

/// A session is being opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resuming {
    AtStart,
    Later,
}
