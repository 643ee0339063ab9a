//! Everything through the proxy of a company, which looks the names up.

use crate::ground::{Ground, Known, all, host, listener, port, speaks_both_ways, take, until};
use agent_sandbox::proxy::{Rules, Upstream};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;

async fn behind(form: &str, names: Known, refused: Vec<agent_protocol::Host>) -> Ground {
    let server = listener().await;
    let upstream = Upstream::read(&form.replace("PORT", &port(&server).to_string())).unwrap();
    let rules = Rules { upstream: Some(upstream), names: Arc::new(names), refused, ..Rules::default() };
    Ground::over(server, rules, true)
}

#[tokio::test]
async fn an_http_proxy_is_told_the_name_and_who_we_are() {
    for (form, key) in [
        ("http://127.0.0.1:PORT", ""),
        (concat!("http://me:", "p%40ss@127.0.0.1:PORT"), "Proxy-Authorization: Basic bWU6cEBzcw==\r\n"),
    ] {
        let ground = behind(form, Known::default(), Vec::new()).await;
        let mut client = ground.client().await;
        client.write_all(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n").await.unwrap();
        let mut proxy = ground.server.accept().await.unwrap().0;
        let heard = until(&mut proxy, "\r\n\r\n").await;
        assert_eq!(heard, format!("CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n{key}\r\n"));
        proxy.write_all(b"HTTP/1.0 200 Fine\r\nVia: x\r\n\r\n").await.unwrap();
        assert_eq!(until(&mut client, "\r\n\r\n").await, "HTTP/1.1 200 Connection established\r\n\r\n");
        speaks_both_ways(&mut client, &mut proxy).await;
        assert_eq!(ground.proxy.reached(), [host("far.example", 443)]);
    }
}

#[tokio::test]
async fn a_plain_request_goes_through_it_too_and_what_comes_early_is_not_lost() {
    let ground = behind("http://127.0.0.1:PORT", Known::default(), Vec::new()).await;
    let mut client = ground.client().await;
    client.write_all(b"GET http://far.example/a HTTP/1.1\r\n\r\n").await.unwrap();
    let mut proxy = ground.server.accept().await.unwrap().0;
    assert!(until(&mut proxy, "\r\n\r\n").await.starts_with("CONNECT far.example:80 HTTP/1.1\r\n"));
    proxy.write_all(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbo").await.unwrap();
    assert_eq!(
        until(&mut proxy, "\r\n\r\n").await,
        "GET /a HTTP/1.1\r\nHost: far.example\r\nConnection: close\r\n\r\n"
    );
    proxy.write_all(b"dy").await.unwrap();
    drop(proxy);
    assert!(all(&mut client).await.ends_with("\r\n\r\nbody"));
}

#[tokio::test]
async fn a_socks_proxy_is_told_the_name_and_who_we_are() {
    let ground = behind("socks5://me:pw@127.0.0.1:PORT", Known::default(), Vec::new()).await;
    let mut client = ground.client().await;
    client.write_all(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n").await.unwrap();
    let mut proxy = ground.server.accept().await.unwrap().0;
    assert_eq!(take::<4>(&mut proxy).await, [5, 2, 0, 2]);
    proxy.write_all(&[5, 2]).await.unwrap();
    assert_eq!(&take::<7>(&mut proxy).await, b"\x01\x02me\x02pw");
    proxy.write_all(&[1, 0]).await.unwrap();
    assert_eq!(&take::<18>(&mut proxy).await, b"\x05\x01\x00\x03\x0bfar.example\x01\xbb");
    proxy.write_all(&[5, 0, 0, 3, 1, b'x', 0, 0]).await.unwrap();
    until(&mut client, "\r\n\r\n").await;
    speaks_both_ways(&mut client, &mut proxy).await;
}

#[tokio::test]
async fn what_it_refuses_is_told_as_its_own_word() {
    let cases = [
        ("HTTP/1.1 407 Auth\r\n\r\n", "it wants a name and a password; put them into upstream_proxy"),
        ("HTTP/1.1 403 Blocked by us\r\n\r\n", "it answered 403 Blocked by us"),
        ("220 ftp\r\n\r\n", "its answer cannot be read: it does not begin like an answer"),
        ("", "it broke off ("),
    ];
    for (answer, why) in cases {
        let ground = behind("http://127.0.0.1:PORT", Known::default(), Vec::new()).await;
        let (_, heard) = ground.exchange("CONNECT far.example:443 HTTP/1.1\r\n\r\n", "\r\n\r\n", answer).await;
        let words =
            format!("HTTP/1.1 502 far.example:443 was allowed, but the upstream proxy does not reach it: {why}");
        assert!(heard.starts_with(&words), "{heard}");
    }
}

#[tokio::test]
async fn what_is_near_stays_refused_behind_it() {
    let ground = behind("http://127.0.0.1:PORT", Known::default(), Vec::new()).await;
    for name in ["10.0.0.1:80", "127.0.0.1:80", "[::1]:80", "localhost:80", "a.internal:80"] {
        let heard = ground.answer(format!("CONNECT {name} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.starts_with("HTTP/1.1 403 "), "{name}: {heard}");
    }
    assert_eq!(ground.asked(), []);
}

/// The proxy looks names up itself, so that a name of a stranger could be one of the model server.
#[tokio::test]
async fn a_model_server_stays_refused_behind_it() {
    let names = Known::default();
    names.leads("models.example", &[&["192.0.2.7"]]);
    names.leads("alias.example", &[&["192.0.2.7"]]);
    names.leads("near.example", &[&["127.0.0.1"]]);
    names.leads("elsewhere.example", &[&["8.8.8.8"]]);
    let refused = vec![host("models.example", 11_434), host("models.example", 443)];
    let ground = behind("http://127.0.0.1:PORT", names, refused).await;
    for name in ["models.example:11434", "alias.example:11434", "unknown.example:11434", "alias.example:443"] {
        let heard = ground.answer(format!("CONNECT {name} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.contains("a model server is there"), "{name}: {heard}");
    }
    // What leads inside as far as we can tell is not passed on, at whatever port.
    for name in ["near.example:11434", "near.example:443"] {
        let heard = ground.answer(format!("CONNECT {name} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.contains("it leads to an address nearby, 127.0.0.1"), "{name}: {heard}");
    }
    for name in ["elsewhere.example:11434", "unknown.example:443", "alias.example:8080"] {
        let request = format!("CONNECT {name} HTTP/1.1\r\n\r\n");
        let (heard, _) = ground.exchange(request, "\r\n\r\n", "HTTP/1.1 503 x\r\n\r\n").await;
        assert!(heard.starts_with(&format!("CONNECT {name} ")), "{heard}");
    }
}

/// Whoever reaches the proxy itself could have it lead anywhere inside.
#[tokio::test]
async fn the_proxy_itself_is_reached_by_no_command() {
    let names = Known::default();
    names.leads("proxy.example", &[&["192.0.2.9"]]);
    names.leads("alias.example", &[&["192.0.2.9"]]);
    let upstream = Upstream::read("http://proxy.example:3128").unwrap();
    let rules = Rules { upstream: Some(upstream), names: Arc::new(names), ..Rules::default() };
    let ground = Ground::over(listener().await, rules, true);
    for name in ["proxy.example:3128", "PROXY.example.:3128", "alias.example:3128", "192.0.2.9:3128"] {
        let heard = ground.answer(format!("CONNECT {name} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.starts_with("HTTP/1.1 403 "), "{name}: {heard}");
        assert!(heard.contains("the proxy that all connections go through") || name.starts_with("192"), "{heard}");
    }
}
