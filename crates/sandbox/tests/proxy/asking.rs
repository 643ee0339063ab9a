//! One question for a host, while its connections wait.

use crate::ground::{Ground, all, asking, connect, host, listener, own, rules, until};
use agent_sandbox::proxy::{Refusal, serve};
use tokio::io::AsyncWriteExt;

const TUNNEL: &str = "CONNECT good.example:443 HTTP/1.1\r\n\r\n";

#[tokio::test]
async fn connections_to_the_same_host_wait_for_the_same_answer() {
    let server = listener().await;
    let (gate, mut asked) = asking();
    let place = server.local_addr().unwrap();
    let proxy = serve(own(), rules(place), gate).unwrap();
    let request = format!("CONNECT good.example:{} HTTP/1.1\r\n\r\n", place.port());
    let (mut one, mut two) = (connect(&proxy).await, connect(&proxy).await);
    one.write_all(request.as_bytes()).await.unwrap();
    let (wanted, answer) = asked.recv().await.unwrap();
    assert_eq!(wanted, host("good.example", place.port()));
    two.write_all(request.to_uppercase().as_bytes()).await.unwrap();
    // Another host is another question.
    let mut three = connect(&proxy).await;
    three.write_all(TUNNEL.as_bytes()).await.unwrap();
    let (other, no) = asked.recv().await.unwrap();
    assert_eq!(other, host("good.example", 443));
    answer.send(true).unwrap();
    for client in [&mut one, &mut two] {
        assert_eq!(until(client, "\r\n\r\n").await, "HTTP/1.1 200 Connection established\r\n\r\n");
    }
    no.send(false).unwrap();
    let heard = all(&mut three).await;
    let words = "the sandbox let no connection to good.example:443 happen: it was not allowed; trying again does not help, \
                 go on without it or ask the user";
    assert!(heard.starts_with(&format!("HTTP/1.1 403 {words}\r\n")), "{heard}");
    assert!(heard.ends_with(&format!("\r\n\r\n{words}\n")), "{heard}");
    assert!(asked.try_recv().is_err());
}

#[tokio::test]
async fn a_no_is_remembered_as_long_as_the_proxy_lives() {
    let ground = Ground::saying(false).await;
    for _ in 0..3 {
        assert!(ground.answer(TUNNEL).await.starts_with("HTTP/1.1 403 "));
        assert!(ground.answer("GET http://GOOD.example:443/ HTTP/1.1\r\n\r\n").await.starts_with("HTTP/1.1 403 "));
    }
    assert_eq!(ground.asked(), [host("good.example", 443)]);
    assert_eq!(ground.proxy.refused(), [(host("good.example", 443), Refusal::NotAllowed)]);
    assert_eq!(ground.proxy.reached(), []);
}

#[tokio::test]
async fn nobody_is_asked_for_a_client_that_left() {
    let (gate, mut asked) = asking();
    let proxy = serve(own(), rules("127.0.0.1:1".parse().unwrap()), gate).unwrap();
    for (wish, early) in [(TUNNEL, ""), (TUNNEL, "early")] {
        let mut client = connect(&proxy).await;
        client.write_all(format!("{wish}{early}").as_bytes()).await.unwrap();
        let (_, mut answer) = asked.recv().await.unwrap();
        assert!(!answer.is_closed());
        if !early.is_empty() {
            // Said while it waits, so that its leaving cannot be read.
            client.write_all(b"more").await.unwrap();
        }
        drop(client);
        answer.closed().await;
    }
    // Asked anew: nobody has answered.
    let mut client = connect(&proxy).await;
    client.write_all(TUNNEL.as_bytes()).await.unwrap();
    let (_, mut answer) = asked.recv().await.unwrap();
    drop(proxy);
    answer.closed().await;
    assert_eq!(all(&mut client).await, "");
}

#[tokio::test]
async fn one_that_stays_keeps_the_question_open() {
    let (gate, mut asked) = asking();
    let proxy = serve(own(), rules("127.0.0.1:1".parse().unwrap()), gate).unwrap();
    let (mut one, mut two) = (connect(&proxy).await, connect(&proxy).await);
    one.write_all(TUNNEL.as_bytes()).await.unwrap();
    let (_, answer) = asked.recv().await.unwrap();
    two.write_all(b"GET http://good.example:443/ HTTP/1.1\r\n\r\n").await.unwrap();
    two.shutdown().await.unwrap();
    // Its question is the other's, and it is there before that one leaves: a third that is refused at once shows it.
    let mut three = connect(&proxy).await;
    three.write_all(b"CONNECT localhost:1 HTTP/1.1\r\n\r\n").await.unwrap();
    all(&mut three).await;
    drop(one);
    answer.send(false).unwrap();
    assert!(all(&mut two).await.starts_with("HTTP/1.1 403 "));
    assert!(asked.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn no_clock_counts_while_somebody_is_asked() {
    let (gate, mut asked) = asking();
    let proxy = serve(own(), rules("127.0.0.1:1".parse().unwrap()), gate).unwrap();
    let mut held = connect(&proxy).await;
    held.write_all(b"CONNECT good").await.unwrap();
    let mut client = connect(&proxy).await;
    client.write_all(TUNNEL.as_bytes()).await.unwrap();
    let (_, answer) = asked.recv().await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3_600)).await;
    held.write_all(b".example:443 HTTP/1.1\r\n\r\n").await.unwrap();
    answer.send(false).unwrap();
    for client in [&mut held, &mut client] {
        assert!(all(client).await.starts_with("HTTP/1.1 403 "));
    }
}
