//! Taking changes back, making them again, and going back in the conversation. Only between turns, and only as the
//! person saw it in the plan.

use crate::Effect;
use crate::machine::{Machine, State};
use crate::records::said::Conversation;
use agent_policy::{Facts, Verdict};
use agent_protocol::{
    Action, ConflictChoice, Event, Message, NoticeLevel, Record, Restoring, RewindWhat, SaidId, UndoChoice,
    UndoDirection, UndoFile, UndoPlan, UndoneFile,
};
use std::path::PathBuf;

/// Files are being brought back.
#[derive(Debug)]
pub(crate) struct Undoing {
    direction: UndoDirection,
    said: SaidId,
    /// What stays as it is, and why.
    left: Vec<UndoneFile>,
    /// The conversation goes back as well.
    conversation: bool,
}

impl Machine {
    pub(crate) fn tell_undoable(&mut self) {
        if self.resuming.is_none() || self.between_turns("changes can be listed") {
            self.out.emit(Event::Undoable { turns: self.log.turns() });
        }
    }

    pub(crate) fn plan_undo(&mut self, direction: UndoDirection, said: SaidId) {
        self.undo_plan = None;
        if self.between_turns("changes can be taken back") {
            let wanted = self.log.wanted(direction, said);
            self.out.carry_out(Effect::PlanUndo { direction, said, wanted });
        }
    }

    pub(crate) fn undo_planned(&mut self, plan: UndoPlan) {
        // It came late, and may not be so any more.
        if !self.is_idle() {
            return;
        }
        self.undo_plan = Some(plan.clone());
        self.out.emit(Event::UndoPlanned { plan: Box::new(plan) });
    }

    /// Does what the last plan showed.
    pub(crate) fn undo(&mut self, direction: UndoDirection, said: SaidId, choices: &[UndoChoice]) {
        if !self.between_turns("changes can be taken back") {
            return;
        }
        let is_it = |plan: &UndoPlan| plan.direction == direction && plan.said == said;
        match self.undo_plan.take().filter(is_it) {
            Some(plan) => self.carry_out_plan(plan, choices, false),
            None => self.out.notice(NoticeLevel::Warning, "look at what it would change first: /undo shows it"),
        }
    }

    pub(crate) fn rewind(&mut self, said: SaidId, what: RewindWhat, choices: &[UndoChoice]) {
        if !self.between_turns("you can go back") {
            return;
        }
        if self.sayings.text(said).is_none() {
            return self.out.notice(NoticeLevel::Warning, "that was said in a part that is gone; choose another");
        }
        let nothing_to_restore = self.log.wanted(UndoDirection::Undo, said).is_empty();
        match what {
            RewindWhat::Files if nothing_to_restore => {
                return self.out.notice(NoticeLevel::Info, "no file was changed since; nothing was taken back");
            }
            RewindWhat::Both if nothing_to_restore => return self.go_back(said),
            RewindWhat::Conversation => return self.go_back(said),
            RewindWhat::Files | RewindWhat::Both => {}
        }
        let is_it = |plan: &UndoPlan| plan.direction == UndoDirection::Undo && plan.said == said;
        match self.undo_plan.take().filter(is_it) {
            Some(plan) => self.carry_out_plan(plan, choices, what == RewindWhat::Both),
            None => {
                let text = "look at what it would change first: choose the message again";
                self.out.notice(NoticeLevel::Warning, text);
            }
        }
    }

    fn carry_out_plan(&mut self, plan: UndoPlan, choices: &[UndoChoice], conversation: bool) {
        let UndoPlan { direction, said, files } = plan;
        let (mut restored, mut left) = (Vec::new(), Vec::new());
        for file in files {
            match decided(&file, choices) {
                Ok(restoring) => restored.push(restoring),
                Err(why) => left.push(stays(file, why)),
            }
        }
        self.wake_recorder();
        let meant = meant(&restored, &left);
        let undoing = Undoing { direction, said, left, conversation };
        if restored.is_empty() {
            return self.undone(undoing, Vec::new());
        }
        self.out.recorder.intend(Record::Undoing { direction, said, files: meant });
        match self.policy.judge(Action::Restore { files: restored }, &Facts::default()) {
            // The person saw every file of it, and said to do it.
            Verdict::Ask(held) => match self.policy.answer(held, None) {
                Ok(permit) => {
                    self.state = State::Undoing(Box::new(undoing));
                    self.out.carry_out(Effect::Restore { permit });
                }
                Err(_) => self.out.notice(NoticeLevel::Warning, "that cannot be permitted; nothing was changed"),
            },
            Verdict::Allow(permit) => {
                self.state = State::Undoing(Box::new(undoing));
                self.out.carry_out(Effect::Restore { permit });
            }
            Verdict::Deny(why) | Verdict::Impossible(why) => self.out.notice(NoticeLevel::Warning, why),
        }
    }

    pub(crate) fn restored(&mut self, files: Vec<UndoneFile>) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Undoing(undoing) => self.undone(*undoing, files),
            other => self.state = other,
        }
    }

    fn undone(&mut self, undoing: Undoing, mut files: Vec<UndoneFile>) {
        let Undoing { direction, said, left, conversation } = undoing;
        files.extend(left);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        self.log.done(direction, said, &files);
        // Where the conversation then goes back, too, that is all there is to tell; but it may not.
        self.untold.moved(&files);
        self.out.emit(Event::Undone { direction, said, files });
        if conversation {
            self.go_back(said);
        }
        self.clear_if_wanted();
        self.go_on_if_idle();
    }

    /// The conversation goes back to before this was said; the prompt before it stays to the byte.
    fn go_back(&mut self, said: SaidId) {
        match self.sayings.conversation_before(said, self.history.messages()) {
            Some(Conversation::Known(before)) => self.go_back_to(said, before),
            Some(Conversation::InJournal) => {
                self.state = State::GoingBack(said);
                self.out.carry_out(Effect::ReadBack { said });
            }
            None => {}
        }
    }

    /// The conversation is `before` again.
    pub(crate) fn go_back_to(&mut self, said: SaidId, before: Vec<Message>) {
        let now = self.history.messages();
        let same = now.iter().zip(&before).take_while(|(now, before)| now == before).count();
        let text = self.sayings.text(said).unwrap_or_default().to_owned();
        let other_instructions = now.first() != before.first();
        self.wake_recorder();
        self.sayings.go_back(said);
        self.history.go_back(before);
        self.untold.went_back(&text, &self.log.changed_since(said));
        self.out.emit(Event::Rewound { said, text });
        if self.todos.go_back(said) {
            self.out.emit(Event::Todos { items: self.todos.now().to_vec() });
        }
        if other_instructions {
            self.offer_tools();
        }
        self.rewritten(same);
        self.tell_window();
    }

    /// Is no turn under way? Else it is said when `what` can be done.
    pub(crate) fn between_turns(&mut self, what: &str) -> bool {
        let idle = self.is_idle();
        if self.resuming.is_some() {
            self.out.notice(NoticeLevel::Warning, format!("a session is being opened; {what} in a moment"));
        } else if !idle {
            self.out.notice(NoticeLevel::Warning, format!("{what} when the turn is over; esc ends it"));
        }
        idle
    }

    /// Puts what the person says into the conversation, with what the model does not know yet.
    pub(crate) fn take_saying(&mut self, text: &str) {
        self.wake_recorder();
        self.record_conversation();
        if text.trim().is_empty() {
            return self.history.said(text);
        }
        self.sayings.say(text, self.history.messages());
        let untold = self.untold.tell(self.plan_by());
        self.history.said(&(untold + text));
    }

    /// The conversation was `before` and is another now, for what is sent and not for what was said.
    pub(crate) fn reworked(&mut self, before: &[Message]) {
        let now = self.history.messages();
        let same = before.iter().zip(now).take_while(|(before, now)| before == now).count();
        if same < before.len() {
            self.sayings.rewritten(before, same, self.out.recorder.earlier());
        }
    }
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

/// Paths with what was there before, for a look at what became of them.
pub(crate) type Before = Vec<(PathBuf, agent_protocol::FileState)>;
