//! The end: what the house said last is heard, and the terminal is given back with the end of the conversation.

use super::{Ears, Face};
use crate::app::{Msg, update};
use crate::settings::Exit;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::time::timeout_at;

/// Longer nobody waits for the name under which a session is kept.
const JOURNAL_SAYS: Duration = Duration::from_millis(300);

impl Face {
    /// Hears what the house has said by now. Where something was said and nothing tells yet how to come back, the
    /// journal is about to: that is waited for a moment. Nothing is asked of the house any more.
    pub(super) async fn hear_the_last(&mut self, exit: &Exit, ears: &mut Ears) {
        let until = Instant::now() + JOURNAL_SAYS;
        loop {
            let event = match ears.events.try_recv() {
                Err(TryRecvError::Empty) if self.awaits_way_back(exit) => {
                    timeout_at(until.into(), ears.events.recv()).await.ok().flatten()
                }
                received => received.ok(),
            };
            let Some(event) = event else { return };
            drop(update(&mut self.app, self.began.elapsed(), Msg::Heard(event)));
        }
    }

    fn awaits_way_back(&self, exit: &Exit) -> bool {
        let session = &self.app.session;
        let is_told = matches!(exit, Exit::Quit) && !self.app.settings.demo;
        is_told && !self.app.transcript.is_empty() && session.id.is_none() && session.unkept.is_none()
    }

    /// Gives the terminal back and leaves the end of the conversation there, so that it is not lost.
    pub(super) fn say_goodbye(mut self, exit: &Exit) {
        let size = self.terminal.size();
        let rows = usize::from(size.height.saturating_sub(4));
        let from = self.end_of_conversation();
        let mut words = match exit {
            Exit::Demo | Exit::Server(_) => Vec::new(),
            Exit::Quit | Exit::Signalled(_) if self.scrollback.is_some() => Vec::new(),
            Exit::Quit | Exit::Signalled(_) => self.app.transcript.tail(rows, size.width),
        };
        let way = self.app.session.way_back().filter(|_| !self.app.settings.demo);
        if let (Exit::Quit, Some(way)) = (exit, way) {
            words.extend([String::new(), way]);
        }
        self.terminal.leave_with(&words, from);
    }

    /// Shows the end of the conversation where it stays behind; the first row below it.
    fn end_of_conversation(&mut self) -> u16 {
        if self.scrollback.is_none() {
            return 0;
        }
        // What takes room from the conversation goes.
        (self.app.dialog, self.app.questions) = (None, VecDeque::new());
        self.app.composer.take();
        self.app.transcript.scroll_to_end();
        // The terminal may be gone; there is nobody left to tell.
        drop(self.draw());
        let shown = self.app.transcript.total() - self.app.transcript.top();
        let area = self.app.regions.transcript;
        area.y + area.height.min(u16::try_from(shown).unwrap_or(area.height))
    }
}
