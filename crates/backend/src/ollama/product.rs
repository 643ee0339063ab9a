//! What this kind of server is called, what it can do, and how a person gets and starts it.

use agent_protocol::{Capability, ServerCard, ServerProgram, WindowsBy};

/// From this version on `truncate:false` is known: it came with 0.12.6, after it had been in and out for a day.
const KNOWS_TRUNCATE: [u64; 2] = [0, 13];

/// A server of this version.
pub(super) fn card(version: String) -> ServerCard {
    ServerCard {
        refuses_overflow: knows_truncate(&version),
        version,
        product: "Ollama".to_owned(),
        can: Capability::ALL.into(),
        library: Some(library()),
        window_variable: Some("OLLAMA_CONTEXT_LENGTH".to_owned()),
        windows: WindowsBy::Request,
        slots: None,
    }
}

pub(crate) fn program() -> ServerProgram {
    ServerProgram { start: "ollama serve".to_owned(), home: "ollama.com".to_owned() }
}

/// Where a person finds the models that it can download.
pub(super) fn library() -> String {
    "ollama.com/library".to_owned()
}

/// Nobody knows what a version like `0.0.0` is, which those have that were built by hand.
fn knows_truncate(version: &str) -> bool {
    let mut parts = version.trim_start_matches('v').split(['.', '-', '+']).map_while(|part| part.parse::<u64>().ok());
    let known = (parts.next(), parts.next());
    matches!(known, (Some(major), Some(minor)) if [major, minor] >= KNOWS_TRUNCATE)
}

#[cfg(test)]
mod tests {
    use super::knows_truncate;

    #[test]
    fn a_version_tells_whether_the_server_refuses_what_does_not_fit() {
        for version in ["0.13.0", "0.33.1", "v0.33.0-rc2", "1.0.0"] {
            assert!(knows_truncate(version), "{version}");
        }
        for version in ["0.0.0", "0.12.3", "0.9.6", "", "new", "1"] {
            assert!(!knows_truncate(version), "{version}");
        }
    }
}
