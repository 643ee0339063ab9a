//! A proxy in the environment is not for our own machine. The environment belongs to the whole process, so each claim
//! runs this test program once more.

use super::stand_in::{StandIn, impatient};
use crate::{Backend, Host};
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

#[tokio::test]
async fn a_proxy_is_not_used_for_our_own_machine() {
    let proxy = StandIn::saying(200, r#"{"version":"the proxy"}"#).await;
    let address = proxy.host().to_string();
    tokio::task::spawn_blocking(move || with_proxy(&address, "here")).await.unwrap();
    assert!(proxy.asked().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_for_other_machines() {
    let proxy = StandIn::saying(200, r#"{"version":"the proxy"}"#).await;
    let address = proxy.host().to_string();
    tokio::task::spawn_blocking(move || with_proxy(&address, "elsewhere")).await.unwrap();
    assert_eq!(proxy.asked(), ["GET http://ollama.invalid:11434/api/version"]);
}

#[tokio::test]
#[ignore = "run by a_proxy_is_not_used_for_our_own_machine, with a proxy in the environment"]
async fn here() {
    let server = StandIn::saying(200, r#"{"version":"the server"}"#).await;
    assert_eq!(server.client().version().await, Ok("the server".to_owned()));
}

#[tokio::test]
#[ignore = "run by a_proxy_is_used_for_other_machines, with a proxy in the environment"]
async fn elsewhere() {
    let client = impatient(Host::parse("ollama.invalid").unwrap());
    assert_eq!(client.version().await, Ok("the proxy".to_owned()));
}
