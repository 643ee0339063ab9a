//! SOCKS towards a proxy that leads out: the other side of `socks`.

use crate::proxy::place;
use crate::proxy::wire::Wire;
use agent_protocol::Host;
use std::io;
use std::net::IpAddr;

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

/// A name and a password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) password: String,
}
