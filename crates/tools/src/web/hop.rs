//! One request to one place: the name is looked up, every answer judged, and the connection made to just these.

use crate::web::Web;
use crate::web::address::{Address, refused};
use agent_protocol::{Failure, FailureKind};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderName};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::Value;
use std::error::Error;
use std::net::SocketAddr;

/// We say who we are, and no more than that.
const NAME: &str = concat!("agent/", env!("CARGO_PKG_VERSION"));
/// What is understood, best first.
const UNDERSTOOD: &str = "text/markdown,text/html,application/xhtml+xml,text/plain,application/json;q=0.9,*/*;q=0.5";

/// How near a place may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It comes from a model or a page.
    None,
    /// The user wrote it into their own settings.
    Configured,
}

/// What is asked of a place.
pub(crate) enum Ask<'a> {
    Page,
    /// Results, with these words in the address.
    Results(&'a [(&'static str, &'a str)]),
    /// Results, with a key and this body.
    Post {
        key: &'a str,
        body: Value,
    },
}

impl Web {
    /// Connects only where it may, and sends it.
    pub(crate) async fn send(&self, address: &Address, trust: Trust, ask: Ask<'_>) -> Result<Response, Failure> {
        let places = self.places(address, trust).await?;
        let client = client(address, &places).map_err(|error| unreached(address, error))?;
        let request = match ask {
            Ask::Page => client.get(address.url().clone()).header(ACCEPT, UNDERSTOOD),
            Ask::Results(words) => client.get(address.url().clone()).query(words).header(ACCEPT, "application/json"),
            Ask::Post { key, body } => client.post(address.url().clone()).bearer_auth(key).json(&body),
        };
        request.header(ACCEPT_ENCODING, "gzip").send().await.map_err(|error| unreached(address, error))
    }

    /// Where to connect to. One bad answer spoils all: who mixes them means no good.
    async fn places(&self, address: &Address, trust: Trust) -> Result<Vec<SocketAddr>, Failure> {
        let ips = match address.ip() {
            Some(ip) => vec![ip],
            None => self.names.look_up(address.host()).await.unwrap_or_default(),
        };
        if ips.is_empty() {
            let message = format!("the name {} leads nowhere; check it, or whether there is a net", address.host());
            return Err(Failure::new(FailureKind::Unreachable, message));
        }
        let places: Vec<SocketAddr> = ips.into_iter().map(|ip| SocketAddr::new(ip, address.port())).collect();
        for place in places.iter().filter(|_| trust == Trust::None) {
            self.reach.judge(*place).map_err(|what| refused(address.url(), &what))?;
        }
        Ok(places)
    }
}

/// Follows nothing, remembers nothing, and asks no proxy: each would go where nobody looked.
fn client(address: &Address, places: &[SocketAddr]) -> reqwest::Result<Client> {
    let client = Client::builder().no_proxy().redirect(Policy::none()).referer(false).user_agent(NAME);
    client.resolve_to_addrs(address.host(), places).build()
}

/// The failure to get an answer. The address is left out of it: it may hold a key.
pub(crate) fn unreached(address: &Address, error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Failure::new(FailureKind::Unreachable, format!("{} does not answer: {cause}", address.host()))
}

/// A header of an answer, as text.
pub(crate) fn header(response: &Response, name: HeaderName) -> &str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// `404 Not Found`.
pub(crate) fn status(response: &Response) -> String {
    response.status().to_string()
}
