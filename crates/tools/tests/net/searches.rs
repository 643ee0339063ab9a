//! Each provider is asked as it documents, and its key goes nowhere else.

use crate::serving::{Say, Server, page, redirect};
use agent_protocol::{Failure, FailureKind};
use agent_tools::web::{Accounts, Engine, Hit, Web};
use serde_json::{Value, json};

fn accounts() -> Accounts {
    Accounts {
        chosen: None,
        tavily: Some("tvly-key".into()),
        google: Some(("google-key".into(), "my-cx".into())),
        ollama: Some("ollama-key".into()),
        searxng: None,
    }
}

fn answer(body: Value) -> Say {
    Say::Whole(page("200 OK", "application/json", body.to_string().as_bytes()))
}

fn hit() -> Vec<Hit> {
    vec![Hit { title: "Url".into(), url: "https://docs.rs/url".into(), snippet: "parses".into() }]
}

fn results() -> Say {
    answer(json!({ "results": [{ "title": "Url", "url": "https://docs.rs/url", "content": "parses" }] }))
}

fn body_of(request: &str) -> Value {
    serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[tokio::test]
async fn tavily_and_ollama_get_the_words_in_a_body_and_the_key_in_a_header() {
    let server = Server::saying([("/search", results()), ("/api/web_search", results())]).await;
    let web = server.web(accounts());
    for (engine, line, key) in [
        (Engine::Tavily, "POST /search HTTP/1.1", "authorization: bearer tvly-key"),
        (Engine::Ollama, "POST /api/web_search HTTP/1.1", "authorization: bearer ollama-key"),
    ] {
        assert_eq!(web.search(engine, "rust url").await, Ok(hit()));
        let request = server.heard().pop().unwrap();
        assert!(request.starts_with(line) && request.to_ascii_lowercase().contains(key), "{request}");
        assert_eq!(body_of(&request), json!({ "query": "rust url", "max_results": 8 }));
    }
}

#[tokio::test]
async fn google_gets_key_and_engine_in_the_address_which_is_not_shown() {
    let items = json!({ "items": [{ "title": "Url", "link": "https://docs.rs/url", "snippet": "parses" }] });
    let server = Server::saying([("/customsearch/v1", answer(items))]).await;
    let web = server.web(accounts());
    assert_eq!(web.search(Engine::Google, "rust & url").await, Ok(hit()));
    let line = "GET /customsearch/v1?key=google-key&cx=my-cx&q=rust+%26+url&num=8 HTTP/1.1";
    assert!(server.heard()[0].starts_with(line), "{}", server.heard()[0]);
    let shown = Web::new(accounts()).search_address(Engine::Google).unwrap();
    assert_eq!(shown, "https://www.googleapis.com/customsearch/v1");
}

/// It is the one place nearby that the user chose themselves; no page there is fetched for that.
#[tokio::test]
async fn a_searxng_of_the_persons_may_be_on_this_machine() {
    let server = Server::saying([("/search", results())]).await;
    let address = format!("http://{}/", server.place);
    let web = Web::new(Accounts { searxng: Some(address.clone()), ..Accounts::default() });
    assert_eq!(web.engine(None), Ok(Engine::Searxng));
    assert_eq!(web.search_address(Engine::Searxng), Ok(format!("{address}search")));
    assert_eq!(web.search(Engine::Searxng, "rust url").await, Ok(hit()));
    assert!(server.heard()[0].starts_with("GET /search?q=rust+url&format=json HTTP/1.1"), "{}", server.heard()[0]);
    assert_eq!(web.fetch(&address).await.unwrap_err().kind, FailureKind::Denied);
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn an_answer_that_is_none_says_what_the_person_can_do_and_no_key() {
    let refused = |status| Say::Whole(page(status, "application/json", b"{}"));
    let server = Server::saying([
        ("/search", refused("401 Unauthorized")),
        ("/api/web_search", refused("429 Too Many Requests")),
        ("/customsearch/v1", redirect("https://elsewhere.example/?key=x")),
    ])
    .await;
    let web = server.web(accounts());
    let said = |engine| {
        let web = web.clone();
        async move { web.search(engine, "x").await.unwrap_err() }
    };
    let unreachable = |message: &str| Failure::new(FailureKind::Unreachable, message);
    assert_eq!(
        said(Engine::Tavily).await,
        unreachable(
            "tavily answers 401 Unauthorized; the user should look at its key under [web] in their config.toml"
        )
    );
    assert_eq!(
        said(Engine::Ollama).await,
        unreachable("ollama answers 429 Too Many Requests; too many searches were made with this key; go on without")
    );
    assert_eq!(said(Engine::Google).await, unreachable("google answers 302 Found; try again later, or go on without"));
    let gone = Web::new(Accounts { searxng: Some("http://127.0.0.1:1".into()), ..Accounts::default() });
    let failure = gone.search(Engine::Searxng, "secret words").await.unwrap_err();
    assert!(!failure.message.contains("secret"), "{}", failure.message);
}

#[tokio::test]
async fn an_address_of_a_searxng_that_is_none_is_said_so() {
    for address in ["127.0.0.1:8888", "file:///x", "http://me:pw@a.b"] {
        let web = Web::new(Accounts { searxng: Some(address.into()), ..Accounts::default() });
        let failure = web.search_address(Engine::Searxng).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotReady, "{address}");
    }
}
