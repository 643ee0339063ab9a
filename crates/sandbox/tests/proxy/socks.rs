//! SOCKS5, SOCKS4 and SOCKS4a.

use crate::ground::{Ground, all, speaks_both_ways, take};
use tokio::io::AsyncWriteExt;

const NAME: &[u8] = b"\x0cgood.example";

fn five(kind: u8, address: &[u8], port: u16) -> Vec<u8> {
    [&[5, 1, 0, 5, 1, 0, kind][..], address, &port.to_be_bytes()].concat()
}

#[tokio::test]
async fn socks5_reaches_a_name_wherever_it_is_cut() {
    let ground = Ground::saying(true).await;
    let wish = five(3, NAME, ground.good().port);
    for cut in 1..wish.len() {
        let mut client = ground.client().await;
        let (first, second) = wish.split_at(cut);
        client.write_all(first).await.unwrap();
        tokio::task::yield_now().await;
        client.write_all(second).await.unwrap();
        let mut server = ground.server.accept().await.unwrap().0;
        assert_eq!(take::<12>(&mut client).await, [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0], "{cut}");
        speaks_both_ways(&mut client, &mut server).await;
    }
    assert_eq!(ground.asked(), [ground.good()]);
}

#[tokio::test]
async fn socks5_takes_any_account() {
    let ground = Ground::saying(true).await;
    let mut client = ground.client().await;
    client.write_all(&[5, 1, 2]).await.unwrap();
    assert_eq!(take::<2>(&mut client).await, [5, 2]);
    client.write_all(b"\x01\x02me\x02pw").await.unwrap();
    assert_eq!(take::<2>(&mut client).await, [1, 0]);
    client.write_all(&[&[5, 1, 0, 3], NAME, &ground.good().port.to_be_bytes()].concat()).await.unwrap();
    let mut server = ground.server.accept().await.unwrap().0;
    assert_eq!(take::<10>(&mut client).await[..2], [5, 0]);
    speaks_both_ways(&mut client, &mut server).await;
    // One that offers neither.
    assert_eq!(ground.answer([5, 1, 1]).await.as_bytes(), "\u{5}\u{fffd}".as_bytes());
}

#[tokio::test]
async fn addresses_are_judged_as_addresses() {
    let ground = Ground::saying(true).await;
    let port = ground.good().port;
    // The one address that counts as public here.
    let mut client = ground.client().await;
    client.write_all(&five(1, &[127, 0, 0, 1], port)).await.unwrap();
    let mut server = ground.server.accept().await.unwrap().0;
    assert_eq!(take::<12>(&mut client).await[..4], [5, 0, 5, 0]);
    speaks_both_ways(&mut client, &mut server).await;
    let mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1];
    let six = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let near: [(u8, &[u8]); 6] = [
        (1, &[127, 0, 0, 2]),
        (1, &[169, 254, 169, 254]),
        (4, &mapped),
        (4, &six),
        (3, b"\x09localhost"),
        (3, b"\x05127.1"),
    ];
    for (kind, address) in near {
        let at = if address == b"\x05127.1" { port ^ 1 } else { port };
        assert_eq!(ground.answer(five(kind, address, at)).await.as_bytes()[..4], [5, 0, 5, 2], "{address:?}");
    }
    assert_eq!(ground.asked().len(), 1);
}

#[tokio::test]
async fn only_connections_are_made() {
    let ground = Ground::saying(true).await;
    for (command, kind, code) in [(2, 3, 7), (3, 3, 7), (9, 3, 7), (1, 9, 8)] {
        let wish = [&[5, 1, 0, 5, command, 0, kind], NAME, &[1, 187]].concat();
        assert_eq!(ground.answer(wish).await.as_bytes()[..4], [5, 0, 5, code]);
    }
    // No name, and one that is none.
    assert_eq!(ground.answer(five(3, b"\x00", 443)).await.as_bytes()[..4], [5, 0, 5, 1]);
    assert_eq!(ground.answer(five(3, b"\x03a/b", 443)).await.as_bytes()[..4], [5, 0, 5, 1]);
    assert_eq!(ground.answer(five(3, NAME, 0)).await.as_bytes()[..4], [5, 0, 5, 1]);
    // To be connected to, as FTP does.
    assert_eq!(ground.answer(b"\x04\x02\x01\xbb\x00\x00\x00\x01\x00good.example\x00").await.as_bytes()[..2], [0, b'[']);
    assert_eq!(ground.asked(), []);
}

#[tokio::test]
async fn socks4_and_4a_reach_it_too() {
    let ground = Ground::saying(true).await;
    let port = ground.good().port.to_be_bytes();
    let named = [&[4, 1], &port[..], &[0, 0, 0, 7], b"me\0good.example\0"].concat();
    let plain = [&[4, 1], &port[..], &[127, 0, 0, 1], b"\0"].concat();
    for wish in [named, plain] {
        let mut client = ground.client().await;
        client.write_all(&wish).await.unwrap();
        let mut server = ground.server.accept().await.unwrap().0;
        assert_eq!(take::<8>(&mut client).await[..2], [0, 0x5a]);
        speaks_both_ways(&mut client, &mut server).await;
    }
    let refused = Ground::saying(false).await;
    let wish = [&[4, 1], &port[..], &[0, 0, 0, 7], b"me\0good.example\0"].concat();
    assert_eq!(refused.answer(wish).await.as_bytes()[..2], [0, b'[']);
}

#[tokio::test]
async fn a_no_is_told_in_the_protocols_own_way() {
    let ground = Ground::saying(false).await;
    assert_eq!(ground.answer(five(3, NAME, 443)).await.as_bytes()[..4], [5, 0, 5, 2]);
    let unreached = Ground::saying(true).await;
    assert_eq!(unreached.answer(five(3, b"\x0bnot.example", 443)).await.as_bytes()[..4], [5, 0, 5, 4]);
    let long = [&[4, 1, 1, 187, 0, 0, 0, 1], &[b'a'; 400][..], b"\0"].concat();
    assert_eq!(unreached.answer(long).await, "");
    // What no protocol begins with.
    assert_eq!(unreached.answer([0x16, 3, 1]).await, "");
    let mut client = unreached.client().await;
    client.shutdown().await.unwrap();
    assert_eq!(all(&mut client).await, "");
}
