//! Turns that are over go where they are far from the view, and come back when it comes near: their events stand in the
//! session's journal, and are asked for by turn. In the place of each stands an [`Away`] of as many rows.
//!
//! Only what is written down may go: nothing does in a session that is not kept, or cannot be at the moment, and no turn
//! in which something was shown that the journal does not hold. That a session is kept may be heard of long after its
//! first turns.

use super::cells::Away;
use super::view::{Anchor, NEAR};
use super::{Entry, Tense, Transcript};
use agent_protocol::{CallEvent, Event, Op, SaidId, SessionId, SessionOp, TurnEvent, TurnId};
use std::cmp::Ordering;
use std::ops::Range;
use std::time::Duration;

/// Rows between the view and a turn that goes. More than those within which one is asked for, so that a small step back
/// and forth moves nothing.
const FAR: usize = 2 * NEAR;

/// Characters that are kept of what was said in a turn that is not here.
const MOST_WORDS: usize = 400;

/// Rows of a turn beside what is counted, about.
const ROWS_OF_A_TURN: usize = 4;

/// What of the conversation may go and come.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) journal: Journal,
    wanted: Vec<TurnId>,
}

/// Is what happens written down?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Journal {
    /// Nothing was heard of that: a slow disk takes its time.
    #[default]
    Unheard,
    Kept,
    Unkept,
}

impl Transcript {
    /// Asks for what will soon be in view.
    pub(crate) fn wanted(&mut self) -> Vec<Op> {
        let wanted = std::mem::take(&mut self.pages.wanted);
        let Some(session) = &self.session else { return Vec::new() };
        wanted.into_iter().map(|turn| Op::Session(SessionOp::Page { session: session.clone(), turn })).collect()
    }

    /// What happens is not written down any more: what is here stays here.
    pub(super) fn keep_pages(&mut self) {
        self.pages.journal = Journal::Unkept;
        self.entries.iter_mut().for_each(|entry| entry.turn = None);
    }

    /// The turn at hand is over: it may go once it is written down, if all of it can be told again.
    pub(super) fn end_page(&mut self) {
        let may_go = self.pages.journal != Journal::Unkept && !self.turn.only_shown;
        let turn = self.turn.id.take().filter(|_| may_go);
        let first = self.turn.first.min(self.entries.len());
        self.entries[first..].iter_mut().for_each(|entry| entry.turn = turn);
    }

    /// Something that the journal does not hold is shown in the turn at hand.
    pub(super) fn only_shown(&mut self) {
        self.turn.only_shown = true;
    }

    /// Lets the turns go that are far from the view. Their rows stay.
    pub(super) fn let_pages_go(&mut self) {
        if self.pages.journal != Journal::Kept {
            return;
        }
        let far = self.view.around(FAR);
        let mut stay = self.first_that_stays();
        let mut index = 0;
        while index < stay {
            let end = self.end_of_page(index);
            let is_far = |rows: &Range<usize>| rows.end <= far.start || far.end <= rows.start;
            let rows = rows_of(&self.entries[index..end]).filter(is_far);
            match rows.filter(|_| self.entries[index].turn.is_some() && end <= stay) {
                Some(rows) => {
                    self.let_page_go(index..end, rows);
                    stay -= end - index - 1;
                    index += 1;
                }
                None => index = end,
            }
        }
    }

    /// The last rows always stay, for one goes back there with a key, and so does the last answer, which can be copied.
    fn first_that_stays(&self) -> usize {
        let last = self.view.total.saturating_sub(NEAR);
        let near_the_end = self.entries.partition_point(|entry| entry.start + entry.height <= last);
        self.place_of_answer().map_or(near_the_end, |answer| near_the_end.min(answer))
    }

    /// Where the entries end that are of one turn with this one.
    fn end_of_page(&self, index: usize) -> usize {
        let turn = self.entries[index].turn;
        let rest = self.entries[index + 1..].iter();
        index + 1 + rest.take_while(|entry| turn.is_some() && entry.turn == turn).count()
    }

    fn let_page_go(&mut self, place: Range<usize>, rows: Range<usize>) {
        let Some(turn) = self.entries[place.start].turn else { return };
        let page = &self.entries[place.clone()];
        let mut away = Away::new(turn, rows.len(), self.palette);
        for (number, entry) in page.iter().enumerate() {
            away.folds.extend(entry.fold.map(|fold| (number, fold)));
            away.said.extend(entry.cell.said().into_iter().map(|(said, words)| (said, shortened(words))));
            entry.cell.keep_time(&mut away.times);
        }
        self.replace(place, vec![Entry::placed(away, rows)]);
    }

    /// Puts a turn that is over and stands in the journal in its place, without ever having had it here.
    pub(super) fn push_away(&mut self, turn: TurnId, events: &[Event]) {
        let mut away = Away::new(turn, rows_about(events), self.palette);
        for event in events {
            let (Event::Turn(TurnEvent::Started { text, .. }) | Event::Turn(TurnEvent::Steered { text })) = event
            else {
                continue;
            };
            self.said += u64::from(matches!(event, Event::Turn(TurnEvent::Steered { .. })) || !text.trim().is_empty());
            if !text.trim().is_empty() {
                away.said.push((SaidId(self.said), shortened(text)));
            }
        }
        self.push(away);
    }

    /// A turn that was asked for is here. What is in view stays where it is.
    pub(super) fn page_came(&mut self, session: &SessionId, turn: TurnId, events: &[Event]) {
        let Some(index) = self.place_of_away(session, turn) else { return };
        let Some(away) = self.entries[index].cell.away() else { return };
        let entries = self.rebuilt(away, events);
        if entries.is_empty() {
            return self.page_missing(session, turn, "nothing of it was written down");
        }
        let anchor = self.anchor();
        let count = entries.len();
        self.replace(index..index + 1, entries);
        (index..index + count).for_each(|index| self.lay_out_entry(index));
        self.find_places();
        let anchor = anchor.map(|(place, above)| match place.cmp(&index) {
            Ordering::Less => (place, above),
            // Nothing else is in view: the row at the top is as far from the turn's first one as before.
            Ordering::Equal => self.entry_at(index..index + count, above),
            Ordering::Greater => (place + count - 1, above),
        });
        self.return_to(anchor);
    }

    /// The entry that has the row so far below the first of these, and how much of it is above that row.
    fn entry_at(&self, place: Range<usize>, below: isize) -> Anchor {
        let row = self.entries[place.start].start.saturating_add_signed(below);
        let ends_below = |index: &usize| {
            let entry = &self.entries[*index];
            entry.height > 0 && entry.start + entry.height > row
        };
        let index = place.clone().find(ends_below).unwrap_or(place.start);
        (index, row.cast_signed() - self.entries[index].start.cast_signed())
    }

    /// A turn that was asked for cannot be read; that stands in its place.
    pub(super) fn page_missing(&mut self, session: &SessionId, turn: TurnId, why: &str) {
        let Some(index) = self.place_of_away(session, turn) else { return };
        let Entry { cell, laid, .. } = &mut self.entries[index];
        cell.away_mut().into_iter().for_each(|away| away.unreadable(why));
        laid.spoil();
    }

    fn place_of_away(&self, session: &SessionId, turn: TurnId) -> Option<usize> {
        let is_it = |entry: &Entry| entry.cell.away().is_some_and(|away| away.turn == turn);
        // Another session may be open by now, with turns of the same numbers.
        (self.session.as_ref() == Some(session)).then(|| self.entries.iter().position(is_it)).flatten()
    }

    /// The cells of a turn as they were, made of its events.
    fn rebuilt(&self, away: &Away, events: &[Event]) -> Vec<Entry> {
        let mut past = Transcript::new(self.palette, self.highlighter.clone());
        (past.tense, past.said, past.pages.journal) = (Tense::Past, away.said_before(), Journal::Kept);
        for event in events {
            let ended = matches!(event, Event::Turn(TurnEvent::Ended { .. }));
            past.apply(event, if ended { away.times.turn } else { Duration::ZERO });
        }
        past.nothing_goes_on();
        let mut entries = past.entries;
        if let Some(until) = away.until {
            let is_gone = |entry: &Entry| entry.cell.said().iter().any(|(said, _)| *said >= until);
            let end = entries.iter().position(is_gone).unwrap_or(entries.len());
            entries.truncate(end);
            entries.iter_mut().for_each(|entry| entry.turn = None);
        }
        away.folds.iter().for_each(|(number, fold)| {
            if let Some(entry) = entries.get_mut(*number) {
                entry.fold = Some(*fold);
            }
        });
        let mut times = away.times.clone();
        entries.iter_mut().for_each(|entry| entry.cell.take_time(&mut times));
        entries
    }

    /// Puts `entries` in the place of others, and has everything that counts entries count right.
    fn replace(&mut self, place: Range<usize>, entries: Vec<Entry>) {
        let count = entries.len();
        let moved = |index: usize| if index >= place.end { index - place.len() + count } else { index };
        self.calls.retain(|_, index| !place.contains(index));
        self.calls.values_mut().for_each(|index| *index = moved(*index));
        self.turn.first = moved(self.turn.first);
        self.view.held = moved(self.view.held.start.min(place.start))..moved(self.view.held.end.max(place.end));
        self.entries.splice(place, entries);
    }

    /// Asks for the turns that will soon be in view.
    pub(super) fn want_pages(&mut self) {
        let near = self.view.around(NEAR);
        for entry in &mut self.entries {
            let Some(away) = entry.cell.away_mut() else { continue };
            if entry.start < near.end && near.start < entry.start + entry.height {
                self.pages.wanted.extend(away.want());
            } else {
                away.is_far();
                entry.laid.spoil();
            }
        }
    }
}

/// The turns that are over: where each stands among `events`.
pub(super) fn turns_in(events: &[Event]) -> Vec<(TurnId, Range<usize>)> {
    let (mut turns, mut open) = (Vec::new(), None);
    for (index, event) in events.iter().enumerate() {
        if let Event::Turn(TurnEvent::Started { turn, .. }) = event {
            open = Some((*turn, index));
        } else if matches!(event, Event::Turn(TurnEvent::Ended { .. })) {
            turns.extend(open.take().map(|(turn, first)| (turn, first..index + 1)));
        }
    }
    turns
}

/// From which of these turns on they are here when a session is opened: enough to fill some screens, with an answer.
pub(super) fn first_here(events: &[Event], turns: &[(TurnId, Range<usize>)]) -> usize {
    let (mut rows, mut answered) = (0, false);
    let enough = |(_, place): &(TurnId, Range<usize>)| {
        let events = &events[place.clone()];
        rows += rows_about(events);
        answered |= events
            .iter()
            .any(|event| matches!(event, Event::Turn(TurnEvent::Text { text }) if !text.trim().is_empty()));
        rows > NEAR && answered
    };
    turns.iter().rposition(enough).unwrap_or(0)
}

/// How many rows a turn will have, about.
fn rows_about(events: &[Event]) -> usize {
    let rows = |event: &Event| {
        if let Event::Turn(TurnEvent::Started { text, .. })
        | Event::Turn(TurnEvent::Steered { text })
        | Event::Turn(TurnEvent::Text { text }) = event
        {
            text.lines().count()
        } else {
            usize::from(matches!(
                event,
                Event::Call(CallEvent::Proposed { .. }) | Event::Turn(TurnEvent::Replied { .. })
            ))
        }
    };
    ROWS_OF_A_TURN + events.iter().map(rows).sum::<usize>()
}

/// The rows that entries take, those between them counted; `None`: none.
fn rows_of(entries: &[Entry]) -> Option<Range<usize>> {
    let mut seen = entries.iter().filter(|entry| entry.height > 0);
    let first = seen.next()?;
    let last = seen.next_back().unwrap_or(first);
    Some(first.start..last.start + last.height)
}

fn shortened(words: &str) -> String {
    words.chars().take(MOST_WORDS).collect()
}
