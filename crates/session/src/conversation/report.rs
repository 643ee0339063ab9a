//! Tells where the tokens of the window go.

use crate::conversation::Conversation;
use crate::conversation::working::working_set;
use crate::server::Server;
use agent_protocol::ContextReport;

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
