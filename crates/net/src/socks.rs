//! SOCKS5, SOCKS4 and SOCKS4a for a client, and SOCKS5 towards an upstream proxy. Only connections are made: nothing is
//! listened for and no datagram carried.

use crate::outside::Refusal;
use crate::place;
use crate::serve::Desk;
use crate::upstream::Account;
use crate::wire::{Wire, join};
use agent_protocol::Host;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest name or account in SOCKS4, which has no lengths of its own.
const LONGEST: usize = 255;

/// Serves a client that speaks SOCKS5.
pub(crate) async fn five(mut client: Wire, desk: &Desk) -> io::Result<()> {
    let wanted = desk.in_time(five_wants(&mut client)).await?;
    let host = match wanted {
        Ok(host) => host,
        Err(code) => {
            client.farewell(&five_says(code)).await;
            return Ok(());
        }
    };
    match desk.reach_for(&client, &host).await {
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
        Refusal::Near(_) | Refusal::ModelServer | Refusal::NotAllowed => 2,
        Refusal::NotFound => 4,
        Refusal::Unreached(_) => 5,
        Refusal::Upstream(_) => 1,
    }
}

/// Serves a client that speaks SOCKS4, or 4a.
pub(crate) async fn four(mut client: Wire, desk: &Desk) -> io::Result<()> {
    let host = desk.in_time(four_wants(&mut client)).await?;
    let reached = match &host {
        Some(host) => match desk.reach_for(&client, host).await {
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

/// Has an upstream proxy lead to `host`. The error says why it does not.
pub(crate) async fn through(server: &mut Wire, host: &Host, account: Option<&Account>) -> Result<(), String> {
    match handshake(server, host, account).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(why)) => Err(why.into()),
        Err(error) => Err(format!("it broke off ({error})")),
    }
}

async fn handshake(server: &mut Wire, host: &Host, account: Option<&Account>) -> io::Result<Result<(), &'static str>> {
    let hello: &[u8] = if account.is_some() { &[5, 2, 0, 2] } else { &[5, 1, 0] };
    server.say(hello).await?;
    match (server.take(2).await?.as_slice(), account) {
        ([5, 0], _) => {}
        ([5, 2], Some(Account { name, password })) => {
            let mut words = vec![1];
            for part in [name, password] {
                words.push(u8::try_from(part.len()).map_err(|_| io::ErrorKind::InvalidInput)?);
                words.extend_from_slice(part.as_bytes());
            }
            server.say(&words).await?;
            if server.take(2).await?[1] != 0 {
                return Ok(Err("it does not take the name and the password of upstream_proxy"));
            }
        }
        ([5, _], _) => return Ok(Err("it wants to know who we are in another way")),
        _ => return Ok(Err("it does not speak SOCKS5")),
    }
    let mut wish = vec![5, 1, 0];
    match place::ip(host) {
        Some(IpAddr::V4(ip)) => wish.extend([&[1][..], &ip.octets()].concat()),
        Some(IpAddr::V6(ip)) => wish.extend([&[4][..], &ip.octets()].concat()),
        None => {
            wish.extend([3, u8::try_from(host.name.len()).map_err(|_| io::ErrorKind::InvalidInput)?]);
            wish.extend_from_slice(host.name.as_bytes());
        }
    }
    wish.extend(host.port.to_be_bytes());
    server.say(&wish).await?;
    let answer = server.take(4).await?;
    let rest = match answer[3] {
        1 => 4,
        4 => 16,
        3 => usize::from(server.take(1).await?[0]),
        _ => return Ok(Err("its answer cannot be read")),
    };
    server.take(rest + 2).await?;
    Ok(match answer[1] {
        0 => Ok(()),
        2 => Err("it is not allowed there"),
        3 | 4 => Err("the host was not found there"),
        5 => Err("nothing answers at that port"),
        _ => Err("it could not connect"),
    })
}
