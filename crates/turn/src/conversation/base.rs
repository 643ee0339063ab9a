//! What stands in every request, the instructions and the tools, and what to do where the window holds no more than that.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use agent_context::grouped;
use agent_protocol::NoticeLevel;

/// The window to ask for where the one in use is too small, in tokens.
const ENOUGH: u64 = 16_384;

impl Conversation {
    /// Tokens of the instructions and the tools.
    pub(crate) fn base(&self, server: &Server) -> u64 {
        server.measure.gauge.used(&self.messages()[..1.min(self.messages().len())], server.sent_tools())
    }

    /// Says before the first message that none will fit, where that is beyond the doubt of an estimate.
    pub(crate) fn warn_of_base(&self, server: &mut Server, out: &mut Out) {
        let (needs, window) = (self.base(server), server.window());
        let doubt = if server.measure.is_counted() { 0 } else { window / 4 };
        if window == 0 || needs <= window + doubt || self.is_delegating() {
            return;
        }
        let text = base_does_not_fit(needs, server);
        if !server.measure.warned_of_base {
            server.measure.warned_of_base = true;
            out.notice(NoticeLevel::Warning, text);
        }
    }
}

/// That no message fits, and what helps.
pub(crate) fn base_does_not_fit(needs: u64, server: &Server) -> String {
    let window = server.window();
    let (tokens, holds) = (grouped(needs), grouped(window));
    let trained = server.measure.window.trained.unwrap_or(u64::MAX);
    let larger = ENOUGH.max(needs * 2).min(trained);
    let way = if larger > needs {
        format!("start with --num-ctx {larger}, or with fewer tools (/tools, --tools)")
    } else {
        "choose a model that was trained for more with /model, or fewer tools (/tools, --tools)".to_owned()
    };
    format!(
        "the instructions and tools alone have about {tokens} tokens and the window holds {holds}, so no message fits; {way}"
    )
}
