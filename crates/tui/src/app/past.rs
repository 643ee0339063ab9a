//! Another session is open: what was open of the old one goes, and what is known of the new one is taken from its past.
//! Nothing in it waits for an answer or takes time any more.

use super::App;
use crate::dialogs::Approval;
use crate::todos::Todos;
use agent_protocol::{Event, JournalState, NoticeLevel, SessionCard, TurnEvent};

impl App {
    pub(super) fn restored(&mut self, card: &SessionCard, events: &[Event]) {
        self.work = None;
        self.queued.clear();
        self.questions.retain(Approval::stands_alone);
        if !self.dialog.as_ref().is_some_and(|dialog| dialog.is_of_the_server()) {
            self.close();
        }
        self.begun = true;
        self.todos = Todos::default();
        let lists = events
            .iter()
            .filter_map(|event| if let Event::Turn(TurnEvent::Todos { items }) = event { Some(items) } else { None });
        lists.for_each(|items| self.todos.take(items.clone()));
        self.session.recall(card, events);
    }

    pub(super) fn renamed(&mut self, title: &str) {
        let first_words = || self.transcript.said().into_iter().next().map(|(_, words)| words);
        self.session.named(title.to_owned(), first_words);
    }

    /// Is what happens written down? That it is not is said once, and the status line shows it from then on.
    pub(super) fn journal(&mut self, state: &JournalState) {
        match state {
            JournalState::Kept { id } => self.session.kept_in(id.clone()),
            JournalState::Unkept { why } => {
                if self.session.unkept.is_none() {
                    self.transcript.tell(NoticeLevel::Warning, format!("this session is not saved: {why}"));
                }
                self.session.unkept = Some(why.clone());
            }
        }
    }
}
