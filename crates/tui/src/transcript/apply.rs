//! From events to cells.

use super::cells::{Answer, Aside, Call, Cell, Cut, Notice, Person, Thinking, TurnEnd};
use super::{Entry, Transcript, Turn};
use agent_protocol::{CallId, Event, Phase, Question, SetAside, Settlement, TurnEndReason, Usage};
use std::time::Duration;

impl Transcript {
    /// Takes up one event. What is no part of the conversation is left to the rest of the screen.
    pub(crate) fn apply(&mut self, event: &Event, now: Duration) {
        self.note_cut(event);
        match event {
            Event::TurnStarted { text, .. } => {
                self.close(now);
                self.turn = Turn { began: now, first: self.entries.len(), cut: Cut::Nothing };
                self.say(text);
            }
            Event::Steered { text } => {
                self.close(now);
                self.say(text);
            }
            Event::Thinking { text } => self.think(text, now),
            Event::Text { text } => self.answer_on(text, now),
            // A reply that was cut is followed by a new one without having been complete.
            Event::Replied { .. } | Event::Waiting { phase: Phase::Sending } => self.close(now),
            Event::Proposed { call } => {
                self.close(now);
                self.calls.insert(call.id, self.entries.len());
                self.push(Cell::Call(Box::new(Call::new(call, self.palette))));
            }
            Event::Understood { call, name, notes } => {
                self.with_call(Some(*call), |call| call.understood(name, notes));
            }
            Event::SetAside { text, why } => self.set_aside(text, *why, now),
            Event::Asked { question } => self.asked(question),
            Event::Settled { ask, settlement } => {
                let call = self.asks.remove(ask);
                self.with_call(call, |call| call.settled(settlement));
            }
            Event::Running { call, preview } => {
                let highlighter = self.highlighter.clone();
                self.with_call(Some(*call), |call| call.running(preview, &highlighter, now));
            }
            Event::Output { call, chunk } => self.with_call(Some(*call), |call| call.output(chunk)),
            Event::Finished { call, outcome } => self.with_call(Some(*call), |call| call.finished(outcome)),
            Event::TurnEnded { reason, usage, .. } => self.turn_ended(reason, *usage, now),
            Event::Cleared => self.clear(),
            Event::Notice { level, text } => self.note(Notice::new(*level, text, self.palette)),
            Event::Opened { .. }
            | Event::Said { .. }
            | Event::Server { .. }
            | Event::Models { .. }
            | Event::ModelSet { .. }
            | Event::Offered { .. }
            | Event::Pulling { .. }
            | Event::Queued { .. }
            | Event::Unqueued { .. }
            | Event::Waiting { .. }
            | Event::Window { .. }
            | Event::ModeChanged { .. }
            | Event::Closed => {}
        }
    }

    /// Keeps in mind what an interruption would cut off.
    fn note_cut(&mut self, event: &Event) {
        self.turn.cut = match event {
            Event::Text { text } if !text.trim().is_empty() => Cut::Reply,
            Event::Replied { .. } | Event::Steered { .. } | Event::Waiting { phase: Phase::Sending } => Cut::Nothing,
            Event::Settled { ask, settlement: Settlement::Withdrawn } if self.asks.contains_key(ask) => Cut::Question,
            _ => return,
        };
    }

    fn push(&mut self, cell: Cell) {
        self.entries.push(Entry::new(cell));
    }

    /// A notice in the middle of a reply goes above it: the text must not be torn in two.
    fn note(&mut self, notice: Notice) {
        let open = self.entries.last().is_some_and(|entry| entry.cell.is_open());
        let place = self.entries.len() - usize::from(open);
        self.entries.insert(place, Entry::new(Cell::Notice(notice)));
    }

    /// Nothing is added to the last cell any more.
    fn close(&mut self, now: Duration) {
        if let Some(entry) = self.entries.last_mut() {
            entry.cell.close(now);
        }
    }

    fn say(&mut self, text: &str) {
        // A turn that is taken up again begins without words.
        if !text.trim().is_empty() {
            self.push(Cell::Person(Person::new(text, self.palette)));
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
        let highlighter = self.highlighter.clone();
        self.with_call(Some(id), |call| call.asked(&question.preview, &highlighter));
    }

    fn with_call(&mut self, id: Option<CallId>, change: impl FnOnce(&mut Call)) {
        let entry = id.and_then(|id| self.calls.get(&id)).and_then(|&index| self.entries.get_mut(index));
        if let Some(Cell::Call(call)) = entry.map(|entry| &mut entry.cell) {
            change(call);
        }
    }

    fn turn_ended(&mut self, reason: &TurnEndReason, usage: Usage, now: Duration) {
        self.close(now);
        let took = now.saturating_sub(self.turn.began);
        self.push(Cell::TurnEnd(TurnEnd::new(reason, self.turn.cut, usage, took, self.palette)));
    }

    fn clear(&mut self) {
        let key = std::mem::take(&mut self.details_key);
        let anew = Transcript::new(self.palette, self.highlighter.clone()).with_details_key(key);
        *self = Transcript { details: self.details, ..anew };
    }
}
