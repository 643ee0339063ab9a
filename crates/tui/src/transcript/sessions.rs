//! What concerns the session as a whole: it goes on from where it was, goes back, is called by another name; and what
//! was really done in it, and undone.

use super::cells::{Mark, Receipt, Undone};
use super::pages::{Journal, first_here, turns_in};
use super::{Entry, Tense, Transcript, Turn};
use crate::clean::clean_line;
use crate::text::width::shorten;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Event, JournalState, NoticeLevel, SaidId, SessionCard, SessionEvent, SessionId, TurnEvent};
use std::time::Duration;

/// Columns of the words of a person where they only name what is meant.
const LONGEST_WORDS: usize = 40;

impl Transcript {
    pub(super) fn apply_to_session(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Turn(TurnEvent::Receipt { receipt, .. }) => {
                self.close(now);
                if let Some(receipt) = Receipt::new(receipt, self.palette) {
                    self.push(receipt);
                }
            }
            Event::Session(SessionEvent::Restored { card, events }) => self.restored(card, events, now),
            Event::Session(SessionEvent::Page { session, turn, events }) => self.page_came(session, *turn, events),
            Event::Session(SessionEvent::NoPage { session, turn, why }) => self.page_missing(session, *turn, why),
            Event::Session(SessionEvent::NotRestored { why }) => {
                self.remark((NoticeLevel::Warning, format!("not opened: {why}")))
            }
            Event::Session(SessionEvent::Renamed { title }) if title.trim().is_empty() => {
                self.note((NoticeLevel::Info, "the session is called by its first words again".to_owned()));
            }
            Event::Session(SessionEvent::Renamed { title }) => {
                self.note((NoticeLevel::Info, format!("the session is called “{}” now", first_line(title))));
            }
            Event::Session(SessionEvent::Undone { direction, said, files, part }) => {
                self.close(now);
                let words = self.words_of(*said);
                self.push(match part {
                    Some(part) => Undone::of_part(*part, files, self.palette),
                    None => Undone::new(*direction, words.as_deref(), files, self.palette),
                });
            }
            Event::Session(SessionEvent::Rewound { said, text }) => self.rewound(*said, text, now),
            Event::Session(SessionEvent::Journal { state: JournalState::Kept { id } }) => {
                self.pages.journal = Journal::Kept;
                self.is_in(id);
            }
            Event::Session(SessionEvent::Journal { state: JournalState::Unkept { .. } }) => self.keep_pages(),
            event => self.apply_to_call(event, now),
        }
    }

    /// What can be gone back to, oldest first.
    pub(crate) fn said(&self) -> Vec<(SaidId, String)> {
        self.sayings().map(|(_, said, words)| (said, words.to_owned())).collect()
    }

    /// Something to know that the session's journal does not hold.
    pub(crate) fn tell(&mut self, level: NoticeLevel, words: String) {
        self.remark((level, words));
    }

    /// What was said, with its place; of turns that are not here the beginning of long words.
    fn sayings(&self) -> impl Iterator<Item = (usize, SaidId, &str)> {
        self.entries
            .iter()
            .enumerate()
            .flat_map(|(index, entry)| entry.cell.said().into_iter().map(move |(said, words)| (index, said, words)))
    }

    /// What was said, in short. Clean.
    fn words_of(&self, said: SaidId) -> Option<String> {
        let (_, _, words) = self.sayings().find(|(_, known, _)| *known == said)?;
        Some(shorten(&first_line(words), LONGEST_WORDS).into_owned())
    }

    /// Forgets what is shown and shows what happened in another session. Nothing of it goes on by itself.
    fn restored(&mut self, card: &SessionCard, events: &[Event], now: Duration) {
        if self.tense == Tense::Past {
            return;
        }
        self.clear();
        self.tense = Tense::Past;
        self.pages.journal = Journal::Kept;
        let mut heard = 0;
        let turns = turns_in(events);
        // Most of it is far above the view.
        for (turn, place) in &turns[..first_here(events, &turns)] {
            events[heard..place.start].iter().for_each(|event| self.apply(event, now));
            self.close(now);
            self.push_away(*turn, &events[place.clone()]);
            heard = place.end;
        }
        events[heard..].iter().for_each(|event| self.apply(event, now));
        self.close(now);
        self.nothing_goes_on();
        self.tense = Tense::Present;
        self.turn = Turn { first: self.entries.len(), ..Turn::default() };
        let before = if self.is_copied_to(card) { "forked: " } else { "resumed: " };
        self.push(Mark::new(before, first_line(&card.title), facts(card), self.palette));
        self.is_in(&card.id);
    }

    /// What had not come to its end will not any more.
    pub(super) fn nothing_goes_on(&mut self) {
        for entry in &mut self.entries {
            entry.cell.lost();
            entry.laid.spoil();
        }
        self.asks.clear();
    }

    /// This session is open now.
    fn is_in(&mut self, id: &SessionId) {
        if self.session.as_ref() != Some(id) {
            self.session_before = self.session.replace(id.clone());
        }
    }

    /// Is it a copy of the session that was open? That it is written down may have been heard already.
    fn is_copied_to(&self, card: &SessionCard) -> bool {
        let open = if self.session.as_ref() == Some(&card.id) { &self.session_before } else { &self.session };
        card.parent.is_some() && card.parent == *open
    }

    /// The first entry of what came from `said` on. A turn in which that was said is not what the journal tells any more.
    fn first_from(&mut self, said: SaidId) -> Option<usize> {
        let (index, _, _) = self.sayings().find(|(_, known, _)| *known >= said)?;
        if let Some(away) = self.entries[index].cell.away_mut()
            && away.said.first().is_some_and(|(first, _)| *first < said)
        {
            away.until = Some(said);
            away.said.retain(|(known, _)| *known < said);
            return Some(index + 1);
        }
        let turn = self.entries[index].turn;
        self.entries.iter_mut().filter(|entry| entry.turn == turn).for_each(|entry| entry.turn = None);
        Some(index)
    }

    /// Takes away what came from `said` on. What was undone last is still so.
    fn rewound(&mut self, said: SaidId, text: &str, now: Duration) {
        self.close(now);
        if let Some(first) = self.first_from(said) {
            let gone = self.entries.split_off(first);
            let after = gone.iter().rposition(|entry| !entry.cell.outlasts_rewind()).map_or(0, |last| last + 1);
            let undone: Vec<Entry> = gone.into_iter().skip(after).collect();
            self.entries.extend(undone);
            self.calls.retain(|_, index| *index < first);
            self.asks.clear();
        }
        self.turn = Turn { first: self.entries.len(), ..Turn::default() };
        let title = shorten(&first_line(text), LONGEST_WORDS).into_owned();
        let after = "”; the rest stays in the session's file".to_owned();
        self.push(Mark::new("went back to before “", title, after, self.palette));
        self.scroll_to_end();
    }
}

/// ` · 12 turns · qwen3:8b`, as far as it is known.
fn facts(card: &SessionCard) -> String {
    let turns = counted(card.turns, "turn");
    let model = card.model.as_deref().map(|model| format!(" · {}", clean_line(model)));
    format!(" · {turns}{}", model.unwrap_or_default())
}

/// The first line of `text` that says anything, made safe to draw.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    clean_line(line).into_owned()
}
