//! With whom the user searches, and with which keys. Keys are never shown.

use agent_protocol::{Failure, FailureKind};
use std::fmt::{self, Debug, Formatter};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Tavily,
    Google,
    Ollama,
    /// A SearXNG of the user's choice.
    Searxng,
}

impl Engine {
    /// All of them, in the order in which they are taken.
    pub const ALL: [Engine; 4] = [Engine::Tavily, Engine::Google, Engine::Ollama, Engine::Searxng];

    /// As it is called in settings and calls.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Tavily => "tavily",
            Engine::Google => "google",
            Engine::Ollama => "ollama",
            Engine::Searxng => "searxng",
        }
    }

    /// The one that is called so.
    pub fn named(name: &str) -> Option<Self> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// The settings without which it cannot search.
    fn wants(self) -> &'static str {
        match self {
            Engine::Tavily => "tavily_key",
            Engine::Google => "google_key and google_cx",
            Engine::Ollama => "ollama_key",
            Engine::Searxng => "searxng",
        }
    }
}

/// What the user set up.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Accounts {
    /// The one that searches where a call names none; `None`: the first that is set up.
    pub chosen: Option<Engine>,
    pub tavily: Option<String>,
    /// The key for Google, and which of the user's search engines.
    pub google: Option<(String, String)>,
    pub ollama: Option<String>,
    /// Where their SearXNG is; it may be on this machine.
    pub searxng: Option<String>,
}

impl Debug for Accounts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ready: Vec<&str> = Engine::ALL.into_iter().filter(|engine| self.has(*engine)).map(Engine::name).collect();
        f.debug_struct("Accounts").field("chosen", &self.chosen).field("ready", &ready).finish()
    }
}

impl Accounts {
    /// Who searches, where the call asks for `asked`.
    ///
    /// # Errors
    /// Nobody is set up, or not the one that is asked for.
    pub fn engine(&self, asked: Option<Engine>) -> Result<Engine, Failure> {
        let not_ready = |what: String| Err(Failure::new(FailureKind::NotReady, what));
        match asked.or(self.chosen) {
            Some(engine) if self.has(engine) => Ok(engine),
            Some(engine) => {
                let (name, wants) = (engine.name(), engine.wants());
                not_ready(format!("{name} is not set up for searches: {wants} under [web] in the user's config.toml"))
            }
            None => Engine::ALL.into_iter().find(|engine| self.has(*engine)).map_or_else(
                || {
                    not_ready(
                        "nobody is set up to search with: the user sets provider and its key under [web] in their \
                         config.toml (tavily, google, ollama, or the address of a searxng); until then ask them, or use \
                         web_fetch on an address you know"
                            .into(),
                    )
                },
                Ok,
            ),
        }
    }

    /// All keys, so that they can be kept out of what is shown.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        let google = self.google.as_ref().map(|(key, _)| key);
        [self.tavily.as_ref(), google, self.ollama.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn has(&self, engine: Engine) -> bool {
        match engine {
            Engine::Tavily => self.tavily.is_some(),
            Engine::Google => self.google.is_some(),
            Engine::Ollama => self.ollama.is_some(),
            Engine::Searxng => self.searxng.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_is_asked_for_searches_else_the_chosen_one_else_the_first() {
        let keys = Accounts { ollama: Some("k".into()), searxng: Some("http://s".into()), ..Accounts::default() };
        assert_eq!(keys.engine(None), Ok(Engine::Ollama));
        assert_eq!(keys.engine(Some(Engine::Searxng)), Ok(Engine::Searxng));
        let chosen = Accounts { chosen: Some(Engine::Searxng), ..keys.clone() };
        assert_eq!(chosen.engine(None), Ok(Engine::Searxng));
        let failure = keys.engine(Some(Engine::Google)).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotReady);
        assert_eq!(
            failure.message,
            "google is not set up for searches: google_key and google_cx under [web] in the user's config.toml"
        );
        assert!(Accounts::default().engine(None).unwrap_err().message.contains("provider and its key under [web]"));
    }

    #[test]
    fn a_key_is_in_no_debug_text() {
        let keys = Accounts { tavily: Some("tvly-secret".into()), ..Accounts::default() };
        assert_eq!(format!("{keys:?}"), "Accounts { chosen: None, ready: [\"tavily\"] }");
    }
}
