//! Which kind of server is spoken to.

use crate::http::server::Way;
use crate::{Chat, Credentials, Host, Ollama, OpenAi};
use std::sync::Arc;

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
    fn the_address_says_which_kind_it_is() {
        let of = |text: &str| connect(Host::parse(text).unwrap(), Way::Straight, Credentials::default());
        let request = crate::stand_in::request();
        let is_ollama = |text: &str| of(text).written(&request).contains("num_ctx");
        assert!(!is_ollama("http://127.0.0.1:8080/v1") && !is_ollama("https://gpu.example/team/v1/"));
        assert!(is_ollama("127.0.0.1:11434") && is_ollama("https://gpu.example/v1/ollama"));
    }
}
