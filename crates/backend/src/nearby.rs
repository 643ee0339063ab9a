//! Model servers that run on this machine, at the ports where such servers listen unless told otherwise.
//!
//! Asked are only listeners of the same user, once each, without a key.

use crate::http::server::beginning;
use crate::owners::Owner;
use agent_protocol::NearbyServer;
use futures_util::future::join_all;
use reqwest::{Client, redirect};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// Longest wait for one of them.
const LIMIT: Duration = Duration::from_millis(300);

/// So much of a list of models is read.
const SIZE: usize = 1024 * 1024;

/// The ports, and what listens there as far as its documents say.
const USUAL: [(u16, &str); 8] = [
    (11434, "Ollama"),
    (1234, "LM Studio"),
    (8080, "llama.cpp"),
    (8000, "vLLM"),
    (30000, "SGLang"),
    (5000, "TabbyAPI"),
    (4000, "LiteLLM"),
    (1337, "Jan"),
];

/// The servers of this user that answer with a list of models, but for the one at port `but`, which was asked already.
pub async fn nearby(but: u16) -> Vec<NearbyServer> {
    let Some(listening) = ports_of_this_user() else { return Vec::new() };
    let settings = Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(LIMIT);
    let Ok(client) = settings.tls_built_in_root_certs(false).build() else { return Vec::new() };
    let there = USUAL.iter().filter(|(port, _)| *port != but && listening.contains(port));
    let asked = there.map(|(port, usual)| at(&client, *port, usual));
    join_all(asked).await.into_iter().flatten().collect()
}

/// The server at `port`, if it lists models.
async fn at(client: &Client, port: u16, usual: &str) -> Option<NearbyServer> {
    let root = format!("http://127.0.0.1:{port}");
    let answer = client.get(format!("{root}/v1/models")).send().await.ok()?;
    // One that wants a key is a server too, only not known by name.
    let listed: Listed = match answer.status().as_u16() {
        401 | 403 => Listed { data: Vec::new() },
        200..=299 => serde_json::from_slice(&beginning(answer, SIZE).await).ok()?,
        _ => return None,
    };
    let owner = listed.data.iter().find_map(|model| model.owned_by.as_deref());
    let name = owner.and_then(Owner::of).map_or(usual, |known| known.product()).to_owned();
    let host = if name == "Ollama" { root } else { format!("{root}/v1") };
    Some(NearbyServer { name, host })
}

#[derive(Debug, Deserialize)]
struct Listed {
    data: Vec<ListedModel>,
}

#[derive(Debug, Deserialize)]
struct ListedModel {
    #[serde(default)]
    owned_by: Option<String>,
}

/// The ports at which programs of this user listen; `None` where the system does not tell.
fn ports_of_this_user() -> Option<BTreeSet<u16>> {
    let user = fs::metadata("/proc/self").ok()?.uid();
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    Some(tables.iter().flat_map(|table| ports(table, user)).collect())
}

/// The listening ports of `user` in a table of the kernel.
///
/// Source: `proc_pid_net(5)`: `sl local_address rem_address st tx:rx tr:tm retrnsmt uid …`, hexadecimal, state 0A listens.
fn ports(table: &str, user: u32) -> impl Iterator<Item = u16> {
    table.lines().skip(1).filter_map(move |line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, local, _, "0A", _, _, _, owner, ..] = fields.as_slice() else { return None };
        let (_, port) = local.rsplit_once(':')?;
        (owner.parse() == Ok(user)).then(|| u16::from_str_radix(port, 16).ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stand_in::StandIn;

    #[test]
    fn only_what_this_user_listens_at_counts() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:04D2 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0\n\
            1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0\n\
            2: 0100007F:2CAA 0100007F:0001 01 00000000:00000000 00:00000000 00000000  1000        0 1 1 0\n";
        assert_eq!(ports(table, 1000).collect::<Vec<_>>(), [1234]);
    }

    #[tokio::test]
    async fn a_server_is_called_by_its_owner_or_else_by_its_port() {
        let client = Client::new();
        let cases = [
            (200, r#"{"data":[{"id":"m","owned_by":"llamacpp"}]}"#, Some(("llama.cpp", "/v1"))),
            (200, r#"{"data":[{"id":"m","owned_by":"library"}]}"#, Some(("Ollama", ""))),
            (200, r#"{"data":[{"id":"m","owned_by":"organization_owner"}]}"#, Some(("LM Studio", "/v1"))),
            (401, "key?", Some(("LM Studio", "/v1"))),
            (200, r#"{"data":"#, None),
            (404, "", None),
        ];
        for (status, body, expected) in cases {
            let server = StandIn::saying(status, body).await;
            let root = server.host().to_string();
            let port = server.host().place().port;
            let found = at(&client, port, "LM Studio").await;
            let expected =
                expected.map(|(name, path)| NearbyServer { name: name.to_owned(), host: format!("{root}{path}") });
            assert_eq!(found, expected, "{body}");
        }
    }

    #[tokio::test]
    async fn who_listens_here_is_told_by_the_system() {
        let server = StandIn::saying(200, r#"{"data":[]}"#).await;
        let ports = ports_of_this_user().expect("Linux tells");
        assert!(ports.contains(&server.host().place().port));
    }
}
