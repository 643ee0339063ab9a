//! What stands in every request, the instructions and the tools, and what to do where the window holds no more than that; also the
//! report of where the tokens of the window go.

use crate::context::no_room_for_instructions;
use crate::conversation::Conversation;
use crate::conversation::example::with_example;
use crate::conversation::working::working_set;
use crate::out::Out;
use crate::server::Server;
use crate::server::offer::schema_characters;
use agent_protocol::{ContextReport, NoticeLevel};

/// Bytes of instructions and schemas that a token holds at most, on an average; the usual is four.
const MOST_IN_A_TOKEN: u64 = 6;

impl Conversation {
    /// Tokens of the instructions and the tools.
    pub(crate) fn base(&self, server: &Server) -> u64 {
        let first = &self.messages()[..1.min(self.messages().len())];
        server.measure.gauge.used(&with_example(first, server), server.sent_tools())
    }

    /// Says before the first message that none will fit, where that is beyond the doubt of an estimate.
    pub(crate) fn warn_of_base(&self, server: &mut Server, out: &mut Out) {
        let (needs, window) = (self.base(server), server.window());
        let doubt = if server.measure.is_counted() { 0 } else { window / 4 };
        if window == 0 || needs <= window + doubt || self.is_delegating() || server.measure.warned_of_base {
            return;
        }
        server.measure.warned_of_base = true;
        out.notice(NoticeLevel::Warning, base_does_not_fit(needs, server));
    }

    /// Is it certain that no message fits? What was learned of the model's tokens may be wrong, so the instructions have to be
    /// more than the window also where tokens hold as much as they ever do.
    pub(crate) fn is_full_of_instructions(&self, server: &Server) -> bool {
        let system = self.messages().first().map_or(0, |message| message.content.len() as u64);
        let characters = system + schema_characters(server.sent_tools());
        let window = server.window();
        window > 0 && characters / MOST_IN_A_TOKEN > window && self.base(server) > window
    }
}

/// That no message fits, and what helps.
pub(crate) fn base_does_not_fit(needs: u64, server: &Server) -> String {
    let about = server.about().cloned().unwrap_or_default();
    no_room_for_instructions(needs, &server.measure.window, &server.model_name(), &about)
}

impl Conversation {
    pub(crate) fn report(&self, server: &Server) -> ContextReport {
        let measure = &server.measure;
        let messages = self.messages();
        let parts = measure.gauge.parts(messages, server.sent_tools());
        let estimator = measure.gauge.estimator();
        ContextReport {
            model: server.model_name(),
            window: measure.window.clone(),
            used: parts.iter().map(|part| part.tokens).sum(),
            parts,
            working: working_set(server),
            reserve: measure.room.reserve,
            longest_reply: measure.room.longest_reply,
            checked: measure.gauge.checked(),
            characters_per_token: estimator.characters_per_token(),
            samples: estimator.samples(),
            reading: measure.speeds.reading(),
            writing: measure.speeds.writing(),
            reused: measure.reused,
            fitted: measure.fitted,
            cuts_silently: measure.cuts,
        }
    }
}
