//! What is reached, whatever was granted: public addresses and nothing else, and no model server.

use crate::ground::{Ground, Known, host, listener, rules};
use agent_sandbox::proxy::Reach;
use agent_sandbox::proxy::{Refusal, Rules};
use std::sync::Arc;

fn connect(host: &str) -> String {
    format!("CONNECT {host} HTTP/1.1\r\n\r\n")
}

#[tokio::test]
async fn what_is_near_is_refused_before_anybody_is_asked() {
    let ground = Ground::saying(true).await;
    let near = "127.0.0.1:22 127.1:80 2130706433:80 0x7f000001:80 0.0.0.0:80 10.0.0.1:443 192.168.1.1:443 172.16.0.1:1 \
        169.254.169.254:80 100.64.0.1:80 [::1]:443 [::ffff:127.0.0.1]:443 [::ffff:10.0.0.1]:443 [fd00::1]:443 \
        [fe80::1]:443 [64:ff9b::7f00:1]:443 localhost:11434 LOCALHOST.:80 a.localhost:80 printer.local:631 nas.lan:80 \
        metadata.google.internal:80 printer:631";
    for name in near.split_whitespace() {
        for request in [connect(name), format!("GET http://{name}/ HTTP/1.1\r\n\r\n")] {
            let heard = ground.answer(request).await;
            assert!(heard.starts_with("HTTP/1.1 403 the sandbox let no connection to "), "{name}: {heard}");
            assert!(heard.contains("is reached directly at 127.0.0.1, without a proxy"), "{name}: {heard}");
        }
    }
    assert_eq!(ground.asked(), []);
}

#[tokio::test]
async fn any_port_that_was_allowed_is_reached() {
    let ground = Ground::saying(false).await;
    assert!(ground.answer(connect("good.example:25")).await.starts_with("HTTP/1.1 403 "));
    assert!(ground.answer(connect("8.8.8.8:53")).await.starts_with("HTTP/1.1 403 "));
    assert_eq!(ground.asked(), [host("good.example", 25), host("8.8.8.8", 53)]);
}

#[tokio::test]
async fn a_name_that_leads_nearby_is_refused_after_a_yes() {
    let names = Known::default();
    names.leads("near.example", &[&["10.0.0.1"]]);
    names.leads("mapped.example", &[&["::ffff:127.0.0.1"]]);
    names.leads("mixed.example", &[&["192.0.2.1", "127.0.0.1"]]);
    let server = listener().await;
    let rules = Rules { names: Arc::new(names), ..Rules::default() };
    let ground = Ground::over(server, rules, true);
    for (name, ip) in [("near", "10.0.0.1"), ("mapped", "::ffff:127.0.0.1"), ("mixed", "192.0.2.1")] {
        let heard = ground.answer(connect(&format!("{name}.example:443"))).await;
        assert!(heard.contains(&format!("happen: it leads to an address nearby, {ip} is ")), "{heard}");
    }
    let heard = ground.answer(connect("not.example:443")).await;
    assert!(heard.starts_with("HTTP/1.1 502 not.example:443 was allowed, but its name was not found\r\n"), "{heard}");
    assert_eq!(ground.proxy.reached(), []);
}

#[tokio::test]
async fn what_is_judged_is_what_is_connected_to_whatever_the_name_says_next() {
    let server = listener().await;
    let place = server.local_addr().unwrap();
    let names = Known::default();
    names.leads("turns.example", &[&["127.0.0.1"], &["127.0.0.2"]]);
    let rules = Rules { names: Arc::new(names), reach: Reach::GlobalAnd(place), ..Rules::default() };
    let ground = Ground::over(server, rules, true);
    let request = format!("GET http://turns.example:{}/ HTTP/1.1\r\n\r\n", place.port());
    let (_, heard) = ground.exchange(&request, "\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nhi").await;
    assert!(heard.ends_with("hi"));
    // One question for the host, one judgement for each connection.
    let heard = ground.answer(&request).await;
    assert!(heard.contains("127.0.0.2 is this machine"), "{heard}");
    assert_eq!(ground.asked().len(), 1);
}

#[tokio::test]
async fn a_model_server_is_reached_by_none_of_its_names() {
    let server = listener().await;
    let place = server.local_addr().unwrap();
    let port = place.port();
    let names = Known::default();
    names.leads("models.example", &[&["127.0.0.1"]]);
    names.leads("alias.example", &[&["127.0.0.1"]]);
    names.leads("mapped.example", &[&["::ffff:127.0.0.1"]]);
    let refused = vec![host("models.example", port)];
    let rules =
        Rules { names: Arc::new(names), reach: Reach::GlobalAnd(place), refused: refused.clone(), ..Rules::default() };
    let ground = Ground::over(server, rules, true);
    assert_eq!(ground.answer(connect(&format!("MODELS.example.:{port}"))).await[..13], *"HTTP/1.1 403 ");
    assert_eq!(ground.asked(), []);
    for name in ["alias.example", "mapped.example", "127.0.0.1"] {
        let heard = ground.answer(connect(&format!("{name}:{port}"))).await;
        assert!(heard.contains("a model server is there, and no command reaches it"), "{name}: {heard}");
    }
    let refusals = ground.proxy.refused();
    assert!(refusals.iter().all(|(_, why)| *why == Refusal::ModelServer) && refusals.len() == 4, "{refusals:?}");
    assert_eq!(ground.proxy.reached(), []);
}

#[tokio::test]
async fn what_does_not_answer_is_told_with_the_systems_words() {
    let server = listener().await;
    let place = server.local_addr().unwrap();
    drop(server);
    let ground = Ground::over(listener().await, rules(place), true);
    let heard = ground.answer(connect(&format!("good.example:{}", place.port()))).await;
    assert!(heard.starts_with("HTTP/1.1 502 good.example:"), "{heard}");
    assert!(heard.contains(" was allowed, but cannot be reached: "), "{heard}");
}
