//! SOCKS5, SOCKS4 and SOCKS4a for a client, and SOCKS5 towards an upstream proxy. Only connections are made: nothing is
//! listened for and no datagram carried.

use crate::proxy::outside::Refusal;
use crate::proxy::place;
use crate::proxy::proxy_state::ProxyState;
use crate::proxy::wire::{Wire, join};
use agent_protocol::Host;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The longest name or account in SOCKS4, which has no lengths of its own.
const LONGEST: usize = 255;

/// Serves a client that speaks SOCKS5.
pub(crate) async fn five(mut client: Wire, state: &ProxyState) -> io::Result<()> {
    let wanted = state.in_time(five_wants(&mut client)).await?;
    let host = match wanted {
        Ok(host) => host,
        Err(code) => {
            client.farewell(&five_says(code)).await;
            return Ok(());
        }
    };
    match state.reach_for(&client, &host).await {
        None => Ok(()),
        Some(Err(refused)) => {
            client.farewell(&five_says(five_code(&refused))).await;
            Ok(())
        }
        Some(Ok(server)) => {
            client.say(&five_says(0)).await?;
            join(client, server).await
        }
    }
}

/// What it wants to reach; the inner error is what it is told.
async fn five_wants(client: &mut Wire) -> io::Result<Result<Host, u8>> {
    let methods = client.take(2).await?[1];
    let methods = client.take(usize::from(methods)).await?;
    if methods.contains(&0) {
        client.say(&[5, 0]).await?;
    } else if methods.contains(&2) {
        // Whoever it says it is, it is the command that this proxy is for.
        client.say(&[5, 2]).await?;
        let name = client.take(2).await?[1];
        client.take(usize::from(name)).await?;
        let password = client.take(1).await?[0];
        client.take(usize::from(password)).await?;
        client.say(&[1, 0]).await?;
    } else {
        client.say(&[5, 0xff]).await?;
        return Err(io::ErrorKind::InvalidData.into());
    }
    let start = client.take(4).await?;
    let name = match start[3] {
        1 => address(&client.take(4).await?),
        4 => address(&client.take(16).await?),
        3 => {
            let length = client.take(1).await?[0];
            String::from_utf8(client.take(usize::from(length)).await?).unwrap_or_default()
        }
        _ => return Ok(Err(8)),
    };
    let port = client.take(2).await?;
    match (start[0], start[1]) {
        (5, 1) => Ok(place::host(&name, u16::from_be_bytes([port[0], port[1]])).ok_or(1)),
        (5, _) => Ok(Err(7)),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn five_says(code: u8) -> [u8; 10] {
    [5, code, 0, 1, 0, 0, 0, 0, 0, 0]
}

fn five_code(refused: &Refusal) -> u8 {
    match refused {
        Refusal::Near(_) | Refusal::ModelServer | Refusal::Entrance | Refusal::NotAllowed => 2,
        Refusal::NotFound => 4,
        Refusal::Unreached(_) => 5,
        Refusal::Upstream(_) => 1,
    }
}

/// Serves a client that speaks SOCKS4, or 4a.
pub(crate) async fn four(mut client: Wire, state: &ProxyState) -> io::Result<()> {
    let host = state.in_time(four_wants(&mut client)).await?;
    let reached = match &host {
        Some(host) => match state.reach_for(&client, host).await {
            Some(reached) => reached.ok(),
            None => return Ok(()),
        },
        None => None,
    };
    match reached {
        None => client.farewell(&[0, 0x5b, 0, 0, 0, 0, 0, 0]).await,
        Some(server) => {
            client.say(&[0, 0x5a, 0, 0, 0, 0, 0, 0]).await?;
            join(client, server).await?;
        }
    }
    Ok(())
}

/// What it wants to reach; `None`: nothing that is done here.
async fn four_wants(client: &mut Wire) -> io::Result<Option<Host>> {
    let start = client.take(8).await?;
    client.until(&[0], LONGEST).await?;
    let (port, ip) = (u16::from_be_bytes([start[2], start[3]]), &start[4..8]);
    let name = match ip {
        // Not an address: the name follows.
        [0, 0, 0, last] if *last != 0 => String::from_utf8(client.until(&[0], LONGEST).await?).unwrap_or_default(),
        _ => address(ip),
    };
    Ok(place::host(&name, port).filter(|_| start[1] == 1))
}

fn address(bytes: &[u8]) -> String {
    match (<[u8; 4]>::try_from(bytes), <[u8; 16]>::try_from(bytes)) {
        (Ok(four), _) => Ipv4Addr::from(four).to_string(),
        (_, Ok(six)) => Ipv6Addr::from(six).to_string(),
        (Err(_), Err(_)) => String::new(),
    }
}
