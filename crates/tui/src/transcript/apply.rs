//! From events to cells.

use super::cells::{
    Answer, Aside, Call, Cell, CutOff, Examination, Fitted, HookRow, Notice, Person, Piece, Thinking, TurnEnd,
};
use super::{Entry, Tense, Transcript, Turn, models};
use agent_protocol::{
    CallEvent, CallId, ContextEvent, Event, HookFate, HookFiring, Phase, Question, SaidId, ServerEvent, SessionEvent,
    SetAside, Settlement, Subject, TurnEndReason, TurnEvent, Usage,
};
use std::time::Duration;

impl Transcript {
    /// Takes up one event. What is no part of the conversation is left to the rest of the screen.
    pub(crate) fn apply(&mut self, event: &Event, now: Duration) {
        self.note_cut(event);
        match event {
            Event::Turn(TurnEvent::Started { turn, text }) => {
                self.close(now);
                self.turn = Turn { id: Some(*turn), began: now, first: self.entries.len(), ..Turn::default() };
                // A turn that is taken up again begins without words.
                if !text.trim().is_empty() {
                    self.say(text);
                }
            }
            Event::Turn(TurnEvent::Steered { text }) => {
                self.close(now);
                self.say(text);
            }
            Event::Turn(TurnEvent::Thinking { text }) => self.think(text, now),
            Event::Turn(TurnEvent::Text { text }) => self.answer_on(text, now),
            Event::Turn(TurnEvent::WasThinking { text }) => self.was_thinking(text, now),
            Event::Turn(TurnEvent::Replied { usage, reused }) => {
                self.turn.read.add(*usage, *reused);
                self.close(now);
            }
            // A reply that was cut is followed by a new one without having been complete.
            Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => self.close(now),
            Event::Turn(TurnEvent::SetAside { text, why }) => self.set_aside(text, *why, now),
            Event::Context(ContextEvent::Fitted { how, before, after }) => {
                self.close(now);
                self.push(Fitted::new(how, *before, *after, self.palette));
            }
            Event::Server(ServerEvent::Probed { finding }) => {
                self.with_examination(now, |examination| examination.found(finding))
            }
            Event::Server(ServerEvent::Diagnosed { profile }) => {
                self.with_examination(now, |examination| examination.over(profile))
            }
            Event::Turn(TurnEvent::Ended { reason, usage, .. }) => {
                self.turn_ended(reason, *usage, now);
                self.end_page();
            }
            Event::Context(ContextEvent::Cleared) => self.clear(),
            Event::Session(SessionEvent::Notice { level, text }) => self.note((*level, text.clone())),
            Event::Session(SessionEvent::HookRan { firing }) => self.hook_ran(firing),
            Event::Server(ServerEvent::ModelDescribed { name, card, trouble, loaded }) => {
                self.remark(models::described(name, card.as_ref(), trouble.as_ref(), loaded.as_ref()));
            }
            Event::Server(ServerEvent::ModelRemoved { name, trouble }) => {
                self.remark(models::removed(name, trouble.as_ref()))
            }
            Event::Server(ServerEvent::Loaded { models, trouble }) => {
                self.remark(models::in_memory(models, trouble.as_ref()))
            }
            event => self.apply_to_session(event, now),
        }
    }

    pub(super) fn apply_to_call(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Call(CallEvent::Proposed { call }) => {
                self.close(now);
                self.calls.insert(call.id, self.entries.len());
                self.push(Call::new(call, self.palette));
            }
            Event::Call(CallEvent::Understood { call, name, notes }) => {
                self.with_call(Some(*call), |call| call.understood(name, notes));
            }
            Event::Call(CallEvent::Asked { question }) => self.asked(question),
            Event::Call(CallEvent::Settled { ask, settlement }) => {
                let call = self.asks.remove(ask);
                self.with_call(call, |call| call.settled(settlement));
            }
            Event::Call(CallEvent::Running { call, preview }) => {
                let highlighter = self.highlighter.clone();
                self.with_call(Some(*call), |call| call.running(preview, &highlighter, now));
            }
            Event::Call(CallEvent::Output { call, chunk }) => self.with_call(Some(*call), |call| call.output(chunk)),
            Event::Call(CallEvent::Finished { call, outcome }) => {
                self.with_call(Some(*call), |call| call.finished(outcome))
            }
            Event::Call(CallEvent::Delegated { call, event }) => self.apply_to_subagent(*call, event, now),
            // No part of the conversation.
            _ => {}
        }
    }

    /// What an agent does stands under the call that gave it the task; its calls are heard of like others.
    fn apply_to_subagent(&mut self, task: CallId, event: &Event, now: Duration) {
        match event {
            Event::Call(CallEvent::Proposed { call }) => {
                if let Some(&place) = self.calls.get(&task) {
                    self.calls.insert(call.id, place);
                }
                self.with_call(Some(task), |parent| parent.agent_calls(call));
            }
            Event::Turn(TurnEvent::Text { text }) => self.with_call(Some(task), |parent| parent.agent_writes(text)),
            Event::Turn(TurnEvent::WasThinking { .. }) => self.with_call(Some(task), Call::agent_thought),
            Event::Turn(TurnEvent::Replied { .. }) => self.with_call(Some(task), Call::agent_replied),
            Event::Session(SessionEvent::Notice { text, .. }) => {
                self.with_call(Some(task), |parent| parent.agent_noted(text))
            }
            Event::Turn(TurnEvent::SetAside { text, why }) => {
                self.with_call(Some(task), |parent| parent.agent_set_aside(text, *why))
            }
            Event::Call(CallEvent::Understood { .. })
            | Event::Call(CallEvent::Running { .. })
            | Event::Call(CallEvent::Output { .. })
            | Event::Call(CallEvent::Finished { .. }) => {
                self.apply_to_call(event, now);
            }
            // That it thinks, and that its conversation was made shorter, the status line says.
            _ => {}
        }
    }

    /// Keeps in mind what an interruption would cut off.
    fn note_cut(&mut self, event: &Event) {
        self.turn.cut = match event {
            Event::Turn(TurnEvent::Text { text }) if !text.trim().is_empty() => CutOff::Reply,
            Event::Turn(TurnEvent::Replied { .. })
            | Event::Turn(TurnEvent::WasThinking { .. })
            | Event::Turn(TurnEvent::Steered { .. })
            | Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => CutOff::Nothing,
            Event::Call(CallEvent::Settled { ask, settlement: Settlement::Withdrawn })
                if self.asks.contains_key(ask) =>
            {
                CutOff::Question
            }
            _ => return,
        };
    }

    pub(super) fn push(&mut self, cell: impl Cell + 'static) {
        self.entries.push(Entry::new(cell));
    }

    /// A notice in the middle of a reply goes above it: the text must not be torn in two.
    pub(super) fn note(&mut self, (level, text): models::RemarkText) {
        self.put_above(Notice::new(level, &text, self.palette));
    }

    fn put_above(&mut self, cell: impl Cell + 'static) {
        let open = self.entries.last().is_some_and(|entry| entry.cell.is_open());
        let place = self.entries.len() - usize::from(open);
        self.entries.insert(place, Entry::new(cell));
    }

    /// One that had nothing to say about a call is counted in the row of that; any other has a row of its own.
    fn hook_ran(&mut self, firing: &HookFiring) {
        match (firing.call, firing.fate) {
            (Some(call), HookFate::Nothing) => self.with_call(Some(call), Call::hook_passed),
            _ => self.put_above(HookRow::new(firing, self.palette)),
        }
    }

    /// A notice that nobody writes down.
    pub(super) fn remark(&mut self, words: models::RemarkText) {
        self.only_shown();
        self.note(words);
    }

    /// Nothing is added to the last cell any more.
    pub(super) fn close(&mut self, now: Duration) {
        if let Some(entry) = self.entries.last_mut().filter(|entry| entry.cell.is_open()) {
            entry.cell.close((self.tense == Tense::Present).then_some(now));
            entry.laid.spoil();
        }
    }

    fn say(&mut self, text: &str) {
        self.said += 1;
        if !text.trim().is_empty() {
            self.push(Person::new(SaidId(self.said), text, self.palette));
        }
    }

    fn think(&mut self, text: &str, now: Duration) {
        if !self.goes_on(Piece::Thought(text)) {
            self.close(now);
            self.push(Thinking::new(self.palette, now));
            self.goes_on(Piece::Thought(text));
        }
    }

    /// What was shown as the answer of this reply is folded away as thinking.
    fn was_thinking(&mut self, text: &str, now: Duration) {
        self.entries.pop_if(|entry| entry.cell.is_open() && entry.cell.answer().is_some());
        self.think(text, now);
        self.close(now);
    }

    fn answer_on(&mut self, text: &str, now: Duration) {
        if !self.goes_on(Piece::Text(text)) {
            self.close(now);
            self.push(Answer::new(self.palette, self.highlighter.clone()));
            self.goes_on(Piece::Text(text));
        }
    }

    /// Adds a piece to the last cell, if that is what is being written.
    fn goes_on(&mut self, piece: Piece<'_>) -> bool {
        let Some(entry) = self.entries.last_mut() else { return false };
        let taken = entry.cell.push(piece);
        if taken {
            entry.laid.spoil();
        }
        taken
    }

    /// Where it was written it leaves a line; what is not worth one must not part the words around it either.
    fn set_aside(&mut self, text: &str, why: SetAside, now: Duration) {
        if let Some(aside) = Aside::new(text, why, self.palette) {
            self.close(now);
            self.push(aside);
        }
    }

    fn asked(&mut self, question: &Question) {
        let Some(id) = question.call else { return };
        self.asks.insert(question.id, id);
        if matches!(question.subject, Subject::Reach { .. }) {
            // It runs, and goes on running under its own title.
            return;
        }
        let highlighter = self.highlighter.clone();
        self.with_call(Some(id), |call| call.asked(&question.preview, &highlighter));
    }

    fn with_call(&mut self, id: Option<CallId>, change: impl FnOnce(&mut Call)) {
        let Some(id) = id else { return };
        let entry = self.calls.get(&id).and_then(|&index| self.entries.get_mut(index));
        let Some(Entry { cell, laid, .. }) = entry else { return };
        if let Some(call) = cell.call(id) {
            change(call);
            laid.spoil();
        }
    }

    /// The examination of this turn; it begins with its first answer.
    fn with_examination(&mut self, now: Duration, change: impl FnOnce(&mut Examination)) {
        let first = self.turn.first.min(self.entries.len());
        if !self.entries[first..].iter_mut().any(|entry| entry.cell.examination().is_some()) {
            self.close(now);
            self.push(Examination::new(self.palette));
        }
        for entry in self.entries[first..].iter_mut().rev() {
            let Some(examination) = entry.cell.examination() else { continue };
            change(examination);
            return entry.laid.spoil();
        }
    }

    fn turn_ended(&mut self, reason: &TurnEndReason, usage: Usage, now: Duration) {
        self.close(now);
        let took = now.saturating_sub(self.turn.began);
        self.push(TurnEnd::new(reason, self.turn.cut, usage, &self.turn.read, took, self.palette));
    }

    pub(super) fn clear(&mut self) {
        let key = std::mem::take(&mut self.details_key);
        let anew = Transcript::new(self.palette, self.highlighter.clone()).with_details_key(key);
        let (session, session_before) = (self.session.take(), self.session_before.take());
        *self = Transcript { details: self.details, tense: self.tense, session, session_before, ..anew };
    }
}
