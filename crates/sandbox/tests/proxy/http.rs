//! HTTP and CONNECT.

use crate::ground::{Ground, all, speaks_both_ways, take, until};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: 5\r\nConnection: keep-alive\r\n\r\nhi";
const HEARD: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi";

#[tokio::test]
async fn a_request_is_passed_on_without_what_was_for_the_proxy() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let request = format!(
        "GET http://{good}/a?b=http://c/ HTTP/1.1\r\nHost: {good}\r\nProxy-Authorization: Basic bWU6cHc=\r\n\
         Proxy-Connection: keep-alive\r\nConnection: X-Mine\r\nX-Mine: 1\r\nAccept: */*\r\nAuthorization: Bearer t\r\n\r\n"
    );
    let (sent, heard) = ground.exchange(request, "\r\n\r\n", OK).await;
    let passed = format!(
        "GET /a?b=http://c/ HTTP/1.1\r\nHost: {good}\r\nAccept: */*\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n"
    );
    assert_eq!((sent, heard.as_str()), (passed, HEARD));
    assert_eq!(ground.asked(), std::slice::from_ref(&good));
    assert_eq!(ground.proxy.reached(), [good]);
    assert_eq!(ground.proxy.refused(), []);
}

#[tokio::test]
async fn the_address_counts_and_not_the_field_that_names_another_host() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let request = format!("GET http://{good} HTTP/1.1\r\nHost: other.example\r\n\r\n");
    let (sent, _) = ground.exchange(request, "\r\n\r\n", OK).await;
    assert_eq!(sent, format!("GET / HTTP/1.1\r\nHost: {good}\r\nConnection: close\r\n\r\n"));
    let request = format!("GET http://{good}?q HTTP/1.0\r\n\r\n");
    let (sent, _) = ground.exchange(request, "\r\n\r\n", OK).await;
    assert_eq!(sent, format!("GET /?q HTTP/1.0\r\nHost: {good}\r\nConnection: close\r\n\r\n"));
    assert_eq!(ground.asked(), [good]);
}

#[tokio::test]
async fn a_head_reads_the_same_wherever_it_is_cut() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let requests = [
        (format!("GET http://{good}/ HTTP/1.1\r\nHost: {good}\r\n\r\n"), "\r\n\r\n"),
        (format!("POST http://{good}/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"), "body"),
    ];
    for (request, ends) in requests {
        let mut seen = Vec::new();
        for cut in 1..request.len() {
            let mut client = ground.client().await;
            let (first, second) = request.as_bytes().split_at(cut);
            client.write_all(first).await.unwrap();
            tokio::task::yield_now().await;
            client.write_all(second).await.unwrap();
            let mut server = ground.server.accept().await.unwrap().0;
            seen.push(until(&mut server, ends).await);
            server.write_all(OK.as_bytes()).await.unwrap();
            drop(server);
            assert_eq!(all(&mut client).await, HEARD, "{cut}");
        }
        seen.dedup();
        assert_eq!(seen.len(), 1);
    }
    // Byte by byte.
    let mut client = ground.client().await;
    for byte in format!("GET http://{good}/ HTTP/1.1\r\n\r\n").bytes() {
        client.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut server = ground.server.accept().await.unwrap().0;
    assert!(until(&mut server, "\r\n\r\n").await.starts_with("GET / HTTP/1.1\r\n"));
}

#[tokio::test]
async fn a_second_request_in_the_first_reaches_nobody() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let second = format!("GET http://{good}/second HTTP/1.1\r\n\r\n");
    let chunked = format!(
        "POST http://{good}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nTrailer: t\r\n\r\n{second}"
    );
    let plain = format!("POST http://{good}/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc{second}");
    for (request, ends) in [(chunked, "0\r\n\r\n"), (plain, "abc")] {
        let mut client = ground.client().await;
        client.write_all(request.as_bytes()).await.unwrap();
        let mut server = ground.server.accept().await.unwrap().0;
        until(&mut server, ends).await;
        server.write_all(OK.as_bytes()).await.unwrap();
        server.shutdown().await.unwrap();
        assert_eq!(all(&mut client).await, HEARD);
        drop(client);
        assert_eq!(all(&mut server).await, "");
    }
}

#[tokio::test]
async fn shapes_that_two_servers_read_differently_are_refused() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let start = format!("POST http://{good}/ HTTP/1.1\r\n");
    let shapes = [
        format!("{start}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        format!("{start}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("{start}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"),
        format!("{start}Transfer-Encoding\t: chunked\r\n\r\n"),
        format!("{start}A: b\r\n Content-Length: 1\r\n\r\n"),
        format!("{start}A: b\nContent-Length: 1\r\n\r\n"),
        format!("{start}Host: a\r\nHost: b\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {good}\r\n\r\n"),
        format!("GET https://{good}/ HTTP/1.1\r\n\r\n"),
        format!("GET ftp://{good}/ HTTP/1.1\r\n\r\n"),
        format!("GET http://me:pw@{good}/ HTTP/1.1\r\n\r\n"),
        format!("GET http://{good}#@other.example/ HTTP/1.1\r\n\r\n"),
        format!("GET http://{good}\\@other.example/ HTTP/1.1\r\n\r\n"),
        "GET http:/// HTTP/1.1\r\n\r\n".into(),
        "CONNECT good.example HTTP/1.1\r\n\r\n".into(),
        "CONNECT good.example:0 HTTP/1.1\r\n\r\n".into(),
        "CONNECT good.example:99999 HTTP/1.1\r\n\r\n".into(),
        "CONNECT http://good.example:443/ HTTP/1.1\r\n\r\n".into(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(),
    ];
    for shape in shapes {
        let heard = ground.answer(&shape).await;
        assert!(heard.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{shape:?}: {heard}");
    }
    assert_eq!(ground.asked(), []);
}

#[tokio::test]
async fn a_head_that_has_no_end_is_cut_off() {
    let ground = Ground::saying(true).await;
    let mut client = ground.client().await;
    client.write_all(b"GET http://good.example/ HTTP/1.1\r\n").await.unwrap();
    let (mut reads, mut says) = client.split();
    let flood = async {
        // It may be closed while this goes on.
        while says.write_all(&[b'a'; 1024]).await.is_ok() {}
    };
    let mut heard = vec![0; 32];
    tokio::select! {
        read = tokio::io::AsyncReadExt::read_exact(&mut reads, &mut heard) => { read.unwrap(); }
        () = flood => panic!("it is told before it is closed"),
    }
    assert_eq!(heard, b"HTTP/1.1 431 Request Header Fiel");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_come_to_its_end_is_not_waited_for() {
    let ground = Ground::saying(true).await;
    assert!(ground.answer("GET http://good.example/ HTTP/1.1\r\nA: ").await.starts_with("HTTP/1.1 408 "));
    assert_eq!(ground.answer("").await, "");
    assert_eq!(ground.answer([5, 1]).await, "");
    assert_eq!(ground.answer([4, 1, 0]).await, "");
}

#[tokio::test]
async fn a_body_and_its_answer_flow_at_the_same_time() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let mut client = ground.client().await;
    let head = format!("POST http://{good}/ HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n");
    client.write_all(head.as_bytes()).await.unwrap();
    let mut server = ground.server.accept().await.unwrap().0;
    assert!(until(&mut server, "\r\n\r\n").await.contains("Expect: 100-continue\r\nContent-Length: 6\r\n"));
    server.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.unwrap();
    assert_eq!(until(&mut client, "\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"abc").await.unwrap();
    assert_eq!(&take::<3>(&mut server).await, b"abc");
    server.write_all(b"HTTP/1.1 200 OK\r\n\r\nfirst ").await.unwrap();
    assert!(until(&mut client, "first ").await.starts_with("HTTP/1.1 200 OK\r\nConnection: close\r\n"));
    client.write_all(b"def").await.unwrap();
    assert_eq!(&take::<3>(&mut server).await, b"def");
    // Who has asked may close its end and still hear.
    client.shutdown().await.unwrap();
    server.write_all(b"second").await.unwrap();
    drop(server);
    assert_eq!(all(&mut client).await, "second");
}

#[tokio::test]
async fn an_answer_that_is_none_is_told_as_that() {
    let ground = Ground::saying(true).await;
    let request = format!("GET http://{}/ HTTP/1.1\r\n\r\n", ground.good());
    for answer in ["", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1 200 OK\r\nA"] {
        let (_, heard) = ground.exchange(&request, "\r\n\r\n", answer).await;
        assert!(heard.starts_with("HTTP/1.1 502 Bad Gateway\r\n"), "{answer:?}: {heard}");
    }
}

#[tokio::test]
async fn a_tunnel_carries_both_ways_and_closes_each_by_itself() {
    let ground = Ground::saying(true).await;
    let good = ground.good();
    let mut client = ground.client().await;
    client.write_all(format!("CONNECT {good} HTTP/1.1\r\nHost: {good}\r\n\r\nearly").as_bytes()).await.unwrap();
    let mut server = ground.server.accept().await.unwrap().0;
    assert_eq!(until(&mut client, "\r\n\r\n").await, "HTTP/1.1 200 Connection established\r\n\r\n");
    assert_eq!(&take::<5>(&mut server).await, b"early");
    speaks_both_ways(&mut client, &mut server).await;
    assert_eq!(ground.proxy.reached(), [good]);
}

#[tokio::test]
async fn a_tunnel_carries_more_than_any_buffer_holds() {
    let ground = Ground::saying(true).await;
    let mut client = ground.client().await;
    client.write_all(format!("CONNECT {} HTTP/1.1\r\n\r\n", ground.good()).as_bytes()).await.unwrap();
    let mut server = ground.server.accept().await.unwrap().0;
    until(&mut client, "\r\n\r\n").await;
    let sent = vec![7; 8 << 20];
    let copy = sent.clone();
    let says = tokio::spawn(async move {
        client.write_all(&copy).await.unwrap();
        client.shutdown().await.unwrap();
        client
    });
    let mut heard = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut server, &mut heard).await.unwrap();
    assert!(heard == sent);
    says.await.unwrap();
}

#[tokio::test]
async fn whoever_drops_the_proxy_ends_all_of_it() {
    let Ground { proxy, server, .. } = Ground::saying(true).await;
    let at = proxy.port();
    let mut client = crate::ground::connect(&proxy).await;
    let request = format!("CONNECT good.example:{} HTTP/1.1\r\n\r\n", crate::ground::port(&server));
    client.write_all(request.as_bytes()).await.unwrap();
    let mut far = server.accept().await.unwrap().0;
    until(&mut client, "\r\n\r\n").await;
    drop(proxy);
    assert_eq!(all(&mut client).await, "");
    assert_eq!(all(&mut far).await, "");
    assert!(TcpStream::connect(("127.0.0.1", at)).await.is_err());
}
