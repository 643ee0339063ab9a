//! Which kind of server is spoken to, and with which key.

use crate::http::server::Way;
use crate::{Chat, Host, Ollama, OpenAi};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use std::sync::Arc;

/// What a server wants to be shown in every request. Nothing writes it down.
#[derive(Clone, Default)]
pub struct Credentials {
    pub(crate) headers: HeaderMap,
}

/// A key that cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key has characters that no header may have")]
pub struct BadKey;

impl Credentials {
    /// The same with a key as `Authorization: Bearer KEY`.
    ///
    /// # Errors
    /// It has characters that no header may have.
    pub fn with_key(mut self, key: &str) -> Result<Credentials, BadKey> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim())).map_err(|_| BadKey)?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(self)
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.headers.keys()).finish()
    }
}

/// The server at `host`: one that speaks OpenAI's `/v1/chat/completions` where the address ends in `/v1`, else Ollama.
/// Connects to nothing before it is asked for something.
pub fn connect(host: Host, way: Way, credentials: Credentials) -> Arc<dyn Chat> {
    if host.ends_in("v1") {
        return Arc::new(OpenAi::at(host, way, credentials));
    }
    Arc::new(Ollama::at(host, way, credentials))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_written_down() {
        let keys = Credentials::default().with_key("sk-very-secret").unwrap();
        let written = format!("{keys:?} {:?}", keys.headers);
        assert!(!written.contains("secret"), "{written}");
        assert_eq!(keys.with_key("a\nb").unwrap_err(), BadKey);
    }

    #[test]
    fn the_address_says_which_kind_it_is() {
        let of = |text: &str| connect(Host::parse(text).unwrap(), Way::Straight, Credentials::default());
        let request = crate::stand_in::request();
        let is_ollama = |text: &str| of(text).written(&request).contains("num_ctx");
        assert!(!is_ollama("http://127.0.0.1:8080/v1") && !is_ollama("https://gpu.example/team/v1/"));
        assert!(is_ollama("127.0.0.1:11434") && is_ollama("https://gpu.example/v1/ollama"));
    }
}
