//! What each test of this crate needs: somewhere to print, and a server.

use agent_headless::Streams;
use agent_protocol::{Capability, Event, ServerCard, ServerEvent, ServerState};
use std::io::Write;

/// Prints here; both are a terminal, or both a pipe.
pub(crate) fn streams<'a>(out: &'a mut dyn Write, progress: &'a mut dyn Write, terminal: bool) -> Streams<'a> {
    Streams { out, progress, out_is_terminal: terminal, progress_is_terminal: terminal, redraws: terminal }
}

/// A server answers that does all that a server can do.
pub(crate) fn up() -> Event {
    let card = ServerCard {
        version: "0.33.1".into(),
        product: "Ollama".into(),
        can: Capability::ALL.into(),
        library: Some("ollama.com/library".into()),
        window_variable: Some("OLLAMA_CONTEXT_LENGTH".into()),
        refuses_overflow: false,
    };
    Event::Server(ServerEvent::Server { state: ServerState::Up(card) })
}
