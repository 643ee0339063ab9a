//! The working set: so many tokens of conversation a model works with well, whatever its window holds. Beyond it the oldest
//! results become a line each, so many in one go that it does not happen soon again: each time, the server reads anew all that
//! stands behind the first of them.

use crate::context::elide_oldest;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::records::Records;
use crate::server::Server;
use agent_protocol::{Compaction, Message, PartOrigin, Role};

/// No more than this share of the window, whatever is wished.
const WINDOW_SHARE: (u64, u64) = (3, 4);

/// So much of the working set is to be left when results were left out, in percent; where it would be more than the second, it
/// is not done, for it would have to be done again soon.
const LEFT: u64 = 60;
const LEFT_AT_MOST: u64 = 75;

/// Tokens that have to come before it happens again.
const APART: u64 = 8_000;

/// So many results stay in any case.
const LAST: usize = 3;

/// Tokens that the conversation is kept to; `None`: only the window counts.
pub(crate) fn working_set(server: &Server) -> Option<u64> {
    let wished = u64::from(server.levers().working_tokens);
    let (share, of) = WINDOW_SHARE;
    Some(wished.min(server.window() * share / of)).filter(|tokens| *tokens > 0)
}

impl Conversation {
    /// Leaves the oldest results out where the conversation has outgrown the working set.
    pub(crate) fn keep_working_set(&mut self, server: &mut Server, records: &mut Records, out: &mut Out) {
        let Some(working) = working_set(server) else { return };
        let used = self.used(server);
        // It may be another conversation by now.
        let last = self.now.shortened_to.filter(|tokens| *tokens <= used);
        if used > working && last.is_none_or(|tokens| used - tokens >= APART) {
            self.leave_out_oldest(working * LEFT_AT_MOST / 100, server, records, out);
        }
    }

    /// The same where the window is nearly full: false where more than half of it would stay full.
    pub(crate) fn leave_out_half(&mut self, server: &mut Server, records: &mut Records, out: &mut Out) -> bool {
        let most = server.window() / 2;
        self.leave_out_oldest(most, server, records, out) || self.results_left_out(most, server, records, out)
    }

    /// Leaves the oldest results out until a part of the working set is left, where what remains has so many tokens at most.
    fn leave_out_oldest(&mut self, most: u64, server: &mut Server, records: &mut Records, out: &mut Out) -> bool {
        let Some(working) = working_set(server) else { return false };
        let before = self.used(server);
        let free = before.saturating_sub(working * LEFT / 100);
        let unanswered = self.unanswered();
        let mut shorter = self.messages().to_vec();
        let last = LAST.saturating_sub(results(&shorter[unanswered..]));
        let elided = elide_oldest(&mut shorter[..unanswered], server.measure.gauge.estimator(), free, last);
        if elided.results == 0 || before.saturating_sub(elided.freed) > most {
            return false;
        }
        self.rewrite(shorter, server, records, out);
        self.fitted(Compaction::Stubbed { results: elided.results }, before, server, out);
        true
    }
}

fn results(messages: &[Message]) -> usize {
    let parts = messages.iter().filter(|message| message.role != Role::Assistant).flat_map(Message::parts);
    parts.filter(|part| part.origin == PartOrigin::Result).count()
}
