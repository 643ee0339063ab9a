//! What this kind of server is called, what it can do, and how a person gets and starts it.

use agent_protocol::{Capability, ServerCard, ServerProgram, WindowsBy};

/// A server of this version.
pub(super) fn card(version: String) -> ServerCard {
    ServerCard {
        version,
        product: "Ollama".to_owned(),
        can: Capability::ALL.into(),
        library: Some(library()),
        window_variable: Some("OLLAMA_CONTEXT_LENGTH".to_owned()),
        windows: WindowsBy::Request,
        slots: None,
    }
}

/// Its program.
pub(crate) fn program() -> ServerProgram {
    ServerProgram { start: "ollama serve".to_owned(), home: "ollama.com".to_owned() }
}

/// Where a person finds the models that it can download.
pub(super) fn library() -> String {
    "ollama.com/library".to_owned()
}
