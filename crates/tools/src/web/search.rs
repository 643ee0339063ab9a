//! Searches with one of the user's providers, each asked as it documents.

mod results;

use crate::web::address::Address;
use crate::web::body;
use crate::web::hop::{Ask, Trust, status};
use crate::web::{Engine, Web};
use agent_protocol::{Failure, FailureKind};
use agent_sandbox::proxy::Reach;
use serde_json::{Value, json};

/// Results that are asked for.
const MOST: u32 = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// What the page calls itself, in one line.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// What it says about the words.
    pub snippet: String,
}

impl Web {
    /// Who searches, where a call asks for `asked`.
    ///
    /// # Errors
    /// [`FailureKind::NotReady`]: the user set nobody up.
    pub fn engine(&self, asked: Option<Engine>) -> Result<Engine, Failure> {
        self.accounts.engine(asked)
    }

    /// Where the words of a search go; without any key.
    ///
    /// # Errors
    /// The user's own address is none.
    pub fn search_address(&self, engine: Engine) -> Result<String, Failure> {
        Ok(self.place_of(engine)?.text().to_owned())
    }

    /// What `engine` finds for `words`, best first.
    ///
    /// # Errors
    /// A [`Failure`] that says what to do next.
    pub async fn search(&self, engine: Engine, words: &str) -> Result<Vec<Hit>, Failure> {
        let engine = self.engine(Some(engine))?;
        let address = self.place_of(engine)?;
        let found = tokio::time::timeout(self.limits.time, self.results(engine, &address, words)).await;
        found.unwrap_or_else(|_| Err(self.too_long(address.host())))
    }

    async fn results(&self, engine: Engine, address: &Address, words: &str) -> Result<Vec<Hit>, Failure> {
        let ask = self.ask(engine, words);
        let trust = if engine == Engine::Searxng { Trust::Configured } else { Trust::None };
        let response = match &ask {
            SearchRequest::Get(query) => {
                let query: Vec<(&str, &str)> = query.iter().map(|(key, value)| (*key, value.as_str())).collect();
                self.send(address, trust, Ask::Results(&query)).await?
            }
            SearchRequest::Post { key, body } => {
                self.send(address, trust, Ask::Post { key, body: body.clone() }).await?
            }
        };
        if !response.status().is_success() {
            let message = format!(
                "{} answers {}; {}",
                engine.name(),
                status(&response),
                advice(engine, response.status().as_u16())
            );
            return Err(Failure::new(FailureKind::Unreachable, message));
        }
        let body = body::take(address, response, self.limits.body).await?;
        results::read(engine, &body.bytes)
    }

    fn ask(&self, engine: Engine, words: &str) -> SearchRequest<'_> {
        fn key(key: Option<&String>) -> &str {
            key.map(String::as_str).unwrap_or_default()
        }
        let body = json!({ "query": words, "max_results": MOST });
        match engine {
            Engine::Tavily => SearchRequest::Post { key: key(self.accounts.tavily.as_ref()), body },
            Engine::Ollama => SearchRequest::Post { key: key(self.accounts.ollama.as_ref()), body },
            Engine::Google => {
                let (key, cx) = self.accounts.google.clone().unwrap_or_default();
                let (words, most) = (words.to_owned(), MOST.to_string());
                SearchRequest::Get(vec![("key", key), ("cx", cx), ("q", words), ("num", most)])
            }
            Engine::Searxng => SearchRequest::Get(vec![("q", words.to_owned()), ("format", "json".to_owned())]),
        }
    }

    /// Where a provider is; in tests one place plays them all.
    fn place_of(&self, engine: Engine) -> Result<Address, Failure> {
        let (base, path) = match engine {
            Engine::Tavily => ("https://api.tavily.com", "/search"),
            Engine::Google => ("https://www.googleapis.com", "/customsearch/v1"),
            Engine::Ollama => ("https://ollama.com", "/api/web_search"),
            Engine::Searxng => (self.accounts.searxng.as_deref().unwrap_or_default(), "/search"),
        };
        let played = match self.reach {
            Reach::GlobalAnd(place) if engine != Engine::Searxng => format!("http://{place}"),
            Reach::Global | Reach::GlobalAnd(_) => base.trim_end_matches('/').to_owned(),
        };
        Address::own(&format!("{played}{path}")).ok_or_else(|| {
            let message = "searxng under [web] in the user's config.toml is no address; ask them to set it to one like \
                 http://127.0.0.1:8888";
            Failure::new(FailureKind::NotReady, message)
        })
    }
}

/// What is sent to a provider.
enum SearchRequest<'a> {
    Get(Vec<(&'static str, String)>),
    Post { key: &'a str, body: Value },
}

/// What a person can do about an answer that is none.
fn advice(engine: Engine, status: u16) -> &'static str {
    match (engine, status) {
        (Engine::Searxng, 403) => "its settings must list json among the formats of search",
        (Engine::Tavily | Engine::Google | Engine::Ollama, 400 | 401 | 403) => {
            "the user should look at its key under [web] in their config.toml"
        }
        (_, 429 | 432 | 433) => "too many searches were made with this key; go on without",
        (_, _) => "try again later, or go on without",
    }
}
