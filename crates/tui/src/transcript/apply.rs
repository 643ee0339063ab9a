//! From events to cells.

use super::cells::{Answer, Aside, Call, Cell, Cut, Examination, Fitted, Notice, Person, Thinking, TurnEnd};
use super::{Entry, Tense, Transcript, Turn, models};
use agent_protocol::{
    CallEvent, CallId, ContextEvent, Event, Phase, Question, SaidId, ServerEvent, SessionEvent, SetAside, Settlement,
    Subject, TurnEndReason, TurnEvent, Usage,
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
            Event::Turn(TurnEvent::Replied { usage, reused }) => {
                self.turn.read.add(*usage, *reused);
                self.close(now);
            }
            // A reply that was cut is followed by a new one without having been complete.
            Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => self.close(now),
            Event::Turn(TurnEvent::SetAside { text, why }) => self.set_aside(text, *why, now),
            Event::Context(ContextEvent::Fitted { how, before, after }) => {
                self.close(now);
                self.push(Cell::Fitted(Fitted::new(how, *before, *after, self.palette)));
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
                self.push(Cell::Call(Box::new(Call::new(call, self.palette))));
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
            Event::Call(CallEvent::Delegated { call, event }) => self.apply_to_task(*call, event, now),
            event => pass_over(event),
        }
    }

    /// What an agent does stands under the call that gave it the task; its calls are heard of like others.
    fn apply_to_task(&mut self, task: CallId, event: &Event, now: Duration) {
        match event {
            Event::Call(CallEvent::Proposed { call }) => {
                if let Some(&place) = self.calls.get(&task) {
                    self.calls.insert(call.id, place);
                }
                self.with_call(Some(task), |parent| parent.agent_calls(call));
            }
            Event::Turn(TurnEvent::Text { text }) => self.with_call(Some(task), |parent| parent.agent_writes(text)),
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
            event => pass_over(event),
        }
    }

    /// Keeps in mind what an interruption would cut off.
    fn note_cut(&mut self, event: &Event) {
        self.turn.cut = match event {
            Event::Turn(TurnEvent::Text { text }) if !text.trim().is_empty() => Cut::Reply,
            Event::Turn(TurnEvent::Replied { .. })
            | Event::Turn(TurnEvent::Steered { .. })
            | Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => Cut::Nothing,
            Event::Call(CallEvent::Settled { ask, settlement: Settlement::Withdrawn })
                if self.asks.contains_key(ask) =>
            {
                Cut::Question
            }
            _ => return,
        };
    }

    pub(super) fn push(&mut self, cell: Cell) {
        self.entries.push(Entry::new(cell));
    }

    /// A notice in the middle of a reply goes above it: the text must not be torn in two.
    pub(super) fn note(&mut self, (level, text): models::Words) {
        let notice = Notice::new(level, &text, self.palette);
        let open = self.entries.last().is_some_and(|entry| entry.cell.is_open());
        let place = self.entries.len() - usize::from(open);
        self.entries.insert(place, Entry::new(Cell::Notice(notice)));
    }

    /// A notice that nobody writes down.
    pub(super) fn remark(&mut self, words: models::Words) {
        self.only_shown();
        self.note(words);
    }

    /// Nothing is added to the last cell any more.
    pub(super) fn close(&mut self, now: Duration) {
        match (self.entries.last_mut().map(|entry| &mut entry.cell), self.tense) {
            (Some(Cell::Thinking(thinking)), Tense::Past) => thinking.recall(),
            (Some(cell), _) => cell.close(now),
            (None, _) => {}
        }
    }

    fn say(&mut self, text: &str) {
        self.said += 1;
        if !text.trim().is_empty() {
            self.push(Cell::Person(Person::new(SaidId(self.said), text, self.palette)));
        }
    }

    fn think(&mut self, text: &str, now: Duration) {
        if !matches!(self.last(), Some(Cell::Thinking(thinking)) if thinking.is_open()) {
            self.close(now);
            self.push(Cell::Thinking(Thinking::new(self.palette, now)));
        }
        if let Some(Cell::Thinking(thinking)) = self.last() {
            thinking.push(text);
        }
    }

    fn answer_on(&mut self, text: &str, now: Duration) {
        if !matches!(self.last(), Some(Cell::Answer(answer)) if answer.is_open()) {
            self.close(now);
            self.push(Cell::Answer(Box::new(Answer::new(self.palette, self.highlighter.clone()))));
        }
        if let Some(Cell::Answer(answer)) = self.last() {
            answer.push(text);
        }
    }

    /// Where it was written it leaves a line; what is not worth one must not part the words around it either.
    fn set_aside(&mut self, text: &str, why: SetAside, now: Duration) {
        if let Some(aside) = Aside::new(text, why, self.palette) {
            self.close(now);
            self.push(Cell::Aside(aside));
        }
    }

    fn last(&mut self) -> Option<&mut Cell> {
        self.entries.last_mut().map(|entry| &mut entry.cell)
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
        let entry = id.and_then(|id| self.calls.get(&id)).and_then(|&index| self.entries.get_mut(index));
        if let Some(Cell::Call(call)) = entry.map(|entry| &mut entry.cell) {
            change(match id {
                Some(id) => call.numbered(id),
                None => call,
            });
        }
    }

    /// The examination of this turn; it begins with its first answer.
    fn with_examination(&mut self, now: Duration, change: impl FnOnce(&mut Examination)) {
        let goes_on = |entry: &Entry| matches!(&entry.cell, Cell::Examination(examination) if examination.goes_on());
        if !self.entries[self.turn.first.min(self.entries.len())..].iter().any(goes_on) {
            self.close(now);
            self.push(Cell::Examination(Examination::new(self.palette)));
        }
        let cell = self.entries.iter_mut().rev().map(|entry| &mut entry.cell);
        if let Some(Cell::Examination(examination)) = cell.into_iter().find(|cell| matches!(cell, Cell::Examination(_)))
        {
            change(examination);
        }
    }

    fn turn_ended(&mut self, reason: &TurnEndReason, usage: Usage, now: Duration) {
        self.close(now);
        let took = now.saturating_sub(self.turn.began);
        self.push(Cell::TurnEnd(TurnEnd::new(reason, self.turn.cut, usage, &self.turn.read, took, self.palette)));
    }

    pub(super) fn clear(&mut self) {
        let key = std::mem::take(&mut self.details_key);
        let anew = Transcript::new(self.palette, self.highlighter.clone()).with_details_key(key);
        let (session, session_before) = (self.session.take(), self.session_before.take());
        *self = Transcript { details: self.details, tense: self.tense, session, session_before, ..anew };
    }
}

/// Nothing is to be done: it is no part of the conversation, or was taken up before. Whoever adds an event decides here.
fn pass_over(event: &Event) {
    match event {
        // Of the rest of the screen.
        Event::Session(SessionEvent::Opened { .. })
        | Event::Session(SessionEvent::Sessions { .. })
        | Event::Session(SessionEvent::Undoable { .. })
        | Event::Session(SessionEvent::UndoPlanned { .. })
        | Event::Session(SessionEvent::Closed)
        | Event::Session(SessionEvent::Said { .. })
        | Event::Server(ServerEvent::Server { .. })
        | Event::Server(ServerEvent::Models { .. })
        | Event::Server(ServerEvent::ModelSet { .. })
        | Event::Context(ContextEvent::WindowMeasured { .. })
        | Event::Server(ServerEvent::ThinkSet { .. })
        | Event::Context(ContextEvent::Offered { .. })
        | Event::Turn(TurnEvent::Todos { .. })
        | Event::Call(CallEvent::Jobs { .. })
        | Event::Call(CallEvent::Ports { .. })
        | Event::Session(SessionEvent::Skills { .. })
        | Event::Session(SessionEvent::Memory { .. })
        | Event::Server(ServerEvent::Pulling { .. })
        | Event::Turn(TurnEvent::Queued { .. })
        | Event::Turn(TurnEvent::Unqueued { .. })
        | Event::Turn(TurnEvent::Waiting { .. })
        | Event::Context(ContextEvent::Window { .. })
        | Event::Context(ContextEvent::Fitting { .. })
        | Event::Context(ContextEvent::Context { .. })
        | Event::Context(ContextEvent::Prompt { .. })
        | Event::Server(ServerEvent::Examining { .. })
        | Event::Call(CallEvent::ModeChanged { .. })
        | Event::Call(CallEvent::Permissions { .. })
        | Event::Call(CallEvent::Tried { .. }) => {}
        // Taken up before.
        Event::Turn(TurnEvent::Started { .. })
        | Event::Turn(TurnEvent::Steered { .. })
        | Event::Turn(TurnEvent::Thinking { .. })
        | Event::Turn(TurnEvent::Text { .. })
        | Event::Turn(TurnEvent::Replied { .. })
        | Event::Turn(TurnEvent::SetAside { .. })
        | Event::Context(ContextEvent::Fitted { .. })
        | Event::Server(ServerEvent::Probed { .. })
        | Event::Server(ServerEvent::Diagnosed { .. })
        | Event::Turn(TurnEvent::Ended { .. })
        | Event::Turn(TurnEvent::Receipt { .. })
        | Event::Session(SessionEvent::Journal { .. })
        | Event::Session(SessionEvent::Renamed { .. })
        | Event::Session(SessionEvent::Undone { .. })
        | Event::Session(SessionEvent::Rewound { .. })
        | Event::Context(ContextEvent::Cleared)
        | Event::Session(SessionEvent::Notice { .. })
        | Event::Server(ServerEvent::ModelDescribed { .. })
        | Event::Server(ServerEvent::ModelRemoved { .. })
        | Event::Server(ServerEvent::Loaded { .. })
        // Of a call.
        | Event::Call(CallEvent::Proposed { .. })
        | Event::Call(CallEvent::Understood { .. })
        | Event::Call(CallEvent::Asked { .. })
        | Event::Call(CallEvent::Settled { .. })
        | Event::Call(CallEvent::Running { .. })
        | Event::Call(CallEvent::Output { .. })
        | Event::Call(CallEvent::Delegated { .. })
        | Event::Call(CallEvent::Finished { .. }) => {}
        Event::Session(SessionEvent::Restored { .. }) | Event::Session(SessionEvent::NotRestored { .. }) | Event::Session(SessionEvent::Page { .. }) | Event::Session(SessionEvent::NoPage { .. }) => {}
    }
}
