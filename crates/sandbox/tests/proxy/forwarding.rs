//! A port of the machine that leads into the sandbox.

use crate::ground::{all, listener, own, port, speaks_both_ways};
use agent_sandbox::proxy::forward;
use std::io;
use std::net::TcpStream as Connected;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_forwarded_port_leads_inside_until_it_is_closed() {
    let inside = listener().await;
    let place = inside.local_addr().unwrap();
    let wanted = own().local_addr().unwrap().port();
    let forwarded = forward(wanted, move || Connected::connect(place)).unwrap();
    let at = forwarded.port();
    assert_eq!(at, wanted);
    let mut client = TcpStream::connect(("127.0.0.1", at)).await.unwrap();
    let mut server = inside.accept().await.unwrap().0;
    speaks_both_ways(&mut client, &mut server).await;
    let mut client = TcpStream::connect(("127.0.0.1", at)).await.unwrap();
    client.write_all(b"x").await.unwrap();
    let _server = inside.accept().await.unwrap().0;
    drop(forwarded);
    assert_eq!(all(&mut client).await, "");
    assert!(TcpStream::connect(("127.0.0.1", at)).await.is_err());
}

#[tokio::test]
async fn one_that_is_taken_is_led_by_another() {
    let inside = listener().await;
    let place = inside.local_addr().unwrap();
    let forwarded = forward(port(&inside), move || Connected::connect(place)).unwrap();
    assert_ne!(forwarded.port(), place.port());
    let mut client = TcpStream::connect(("127.0.0.1", forwarded.port())).await.unwrap();
    let mut server = inside.accept().await.unwrap().0;
    speaks_both_ways(&mut client, &mut server).await;
}

#[tokio::test]
async fn where_nothing_listens_the_connection_ends_and_the_port_stays() {
    let forwarded = forward(0, || Err(io::ErrorKind::ConnectionRefused.into())).unwrap();
    for _ in 0..2 {
        let mut client = TcpStream::connect(("127.0.0.1", forwarded.port())).await.unwrap();
        assert_eq!(all(&mut client).await, "");
    }
}
