//! `[web]`: with whom the user searches, and with which keys. Only their own file and environment set it.

use agent_tools::{Accounts, Engine};
use serde::Deserialize;
use std::fmt::{self, Debug, Formatter};

/// `[web]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Web {
    pub(crate) provider: Option<Provider>,
    pub(crate) tavily_key: Option<Key>,
    pub(crate) google_key: Option<Key>,
    pub(crate) google_cx: Option<Key>,
    pub(crate) ollama_key: Option<Key>,
    pub(crate) searxng: Option<String>,
}

/// `web.provider`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Provider {
    Tavily,
    Google,
    Ollama,
    Searxng,
}

/// A key, or with a `$` before it the name of the variable that holds it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Key(String);

/// Never shown, not even where something goes wrong.
impl Debug for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// The variable that holds it, if one does.
    fn variable(&self) -> Option<&str> {
        self.0.strip_prefix('$')
    }

    /// The key itself, if there is one.
    fn value(&self, env: fn(&str) -> Option<String>) -> Option<String> {
        let value = match self.variable() {
            Some(name) => env(name)?,
            None => self.0.clone(),
        };
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

impl Web {
    /// Lays `above` over this layer.
    pub(crate) fn cover_with(&mut self, above: Web) {
        let Web { provider, tavily_key, google_key, google_cx, ollama_key, searxng } = above;
        self.provider = provider.or(self.provider);
        for (below, above) in [
            (&mut self.tavily_key, tavily_key),
            (&mut self.google_key, google_key),
            (&mut self.google_cx, google_cx),
            (&mut self.ollama_key, ollama_key),
        ] {
            *below = above.or(below.take());
        }
        self.searxng = searxng.or(self.searxng.take());
    }

    /// The variables that hold keys.
    pub(crate) fn variables(&self) -> Vec<String> {
        let Web { provider: _, tavily_key, google_key, google_cx, ollama_key, searxng: _ } = self;
        let keys = [tavily_key, google_key, google_cx, ollama_key].into_iter().flatten();
        keys.filter_map(Key::variable).map(str::to_owned).collect()
    }

    pub(crate) fn resolve(self, env: fn(&str) -> Option<String>) -> Accounts {
        let value = |key: Option<Key>| key.and_then(|key| key.value(env));
        Accounts {
            chosen: self.provider.map(|provider| match provider {
                Provider::Tavily => Engine::Tavily,
                Provider::Google => Engine::Google,
                Provider::Ollama => Engine::Ollama,
                Provider::Searxng => Engine::Searxng,
            }),
            tavily: value(self.tavily_key),
            google: value(self.google_key).zip(value(self.google_cx)),
            ollama: value(self.ollama_key),
            searxng: self.searxng.filter(|address| !address.trim().is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(name: &str) -> Option<String> {
        (name == "MINE").then(|| " key-of-mine\n".to_owned())
    }

    fn layer(text: &str) -> Web {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_key_is_a_value_or_names_a_variable() {
        let mut web = layer("tavily_key = '$NONE'\nollama_key = '$MINE'\ngoogle_key = 'abc'");
        assert_eq!(web.clone().resolve(env).google, None);
        web.cover_with(layer("provider = 'searxng'\ngoogle_cx = 'x'\nsearxng = 'http://127.0.0.1:8888'"));
        assert_eq!(web.variables(), ["NONE", "MINE"]);
        let accounts = web.resolve(env);
        assert_eq!(
            accounts,
            Accounts {
                chosen: Some(Engine::Searxng),
                tavily: None,
                google: Some(("abc".into(), "x".into())),
                ollama: Some("key-of-mine".into()),
                searxng: Some("http://127.0.0.1:8888".into()),
            }
        );
        assert_eq!(accounts.keys().collect::<Vec<_>>(), ["abc", "key-of-mine"]);
    }

    #[test]
    fn a_key_is_in_no_debug_text() {
        assert!(!format!("{:?}", layer("tavily_key = 'tvly-1'")).contains("tvly"));
    }
}
