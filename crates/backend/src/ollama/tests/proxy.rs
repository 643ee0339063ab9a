//! A proxy in the environment is used only where it is asked for, and never for our own machine. The environment belongs to the whole process, so each claim
//! runs this test program once more.

use crate::http::server::Way;
use crate::stand_in::StandIn;
use crate::{Chat, Credentials, Host, Ollama};
use std::process::Command;

/// Runs the test `name` of this program with `proxy` in its environment.
fn with_proxy(proxy: &str, name: &str) {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "--ignored", &format!("ollama::tests::proxy::{name}")]);
    for variable in ["NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "http_proxy"] {
        again.env_remove(variable);
    }
    let output = again.env("HTTP_PROXY", proxy).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn proxied(host: Host) -> Ollama {
    Ollama::at(host, Way::ThroughProxy, Credentials::default())
}

#[tokio::test]
async fn a_proxy_is_not_used_for_our_own_machine() {
    let proxy = StandIn::saying(200, r#"{"version":"the proxy"}"#).await;
    let address = proxy.host().to_string();
    tokio::task::spawn_blocking(move || with_proxy(&address, "here")).await.unwrap();
    assert!(proxy.asked().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_for_other_machines_when_asked_for() {
    let proxy = StandIn::saying(200, r#"{"version":"the proxy"}"#).await;
    let address = proxy.host().to_string();
    tokio::task::spawn_blocking(move || with_proxy(&address, "elsewhere")).await.unwrap();
    assert_eq!(proxy.asked(), ["GET http://ollama.invalid:11434/api/version"]);
}

#[tokio::test]
async fn a_proxy_that_nobody_asked_for_is_not_used() {
    let proxy = StandIn::saying(200, r#"{"version":"the proxy"}"#).await;
    let address = proxy.host().to_string();
    tokio::task::spawn_blocking(move || with_proxy(&address, "straight")).await.unwrap();
    assert!(proxy.asked().is_empty());
}

#[tokio::test]
#[ignore = "run by a_proxy_is_not_used_for_our_own_machine, with a proxy in the environment"]
async fn here() {
    let server = StandIn::saying(200, r#"{"version":"the server"}"#).await;
    for client in [Ollama::new(server.host()), proxied(server.host())] {
        assert_eq!(client.card().await.map(|card| card.version), Ok("the server".to_owned()));
    }
}

#[tokio::test]
#[ignore = "run by a_proxy_is_used_for_other_machines_when_asked_for, with a proxy in the environment"]
async fn elsewhere() {
    let client = proxied(Host::parse("ollama.invalid").unwrap());
    assert_eq!(client.card().await.map(|card| card.version), Ok("the proxy".to_owned()));
}

#[tokio::test]
#[ignore = "run by a_proxy_that_nobody_asked_for_is_not_used, with a proxy in the environment"]
async fn straight() {
    // A name that is never given to anybody: only a proxy would answer for it.
    assert!(Ollama::new(Host::parse("ollama.invalid").unwrap()).card().await.is_err());
}
