//! Which addresses everybody can reach. Everything else is refused: what is on this machine, in this house, in this
//! provider's net, and what only stands for another address.
//!
//! Sources: the IANA registries of special-purpose addresses for IPv4 and IPv6.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// How far fetching goes, and whoever else connects for a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// To what everybody can reach.
    #[default]
    Global,
    /// And to this one place, in tests.
    GlobalAnd(SocketAddr),
}

impl Reach {
    /// May this be connected to? Otherwise why not: `10.0.0.1 is in a private network`.
    ///
    /// # Errors
    /// It may not, in words.
    pub fn judge(self, place: SocketAddr) -> Result<(), String> {
        if self == Reach::GlobalAnd(place) {
            return Ok(());
        }
        match what(place.ip()) {
            Some(what) => Err(format!("{} is {what}", place.ip())),
            None if is_ours(place) => Err(format!("{} is this machine", place.ip())),
            None => Ok(()),
        }
    }
}

/// Would the system send from the very address it sends to? Nothing is sent to find that out.
fn is_ours(place: SocketAddr) -> bool {
    let any: IpAddr = if place.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let from = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect(place)?;
        socket.local_addr()
    });
    from.is_ok_and(|from| from.ip() == place.ip())
}

/// What an address is that not everybody can reach; `None`: everybody can.
pub(crate) fn what(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(ip) => of_four(ip),
        IpAddr::V6(ip) => of_six(ip),
    }
}

fn of_four(ip: Ipv4Addr) -> Option<&'static str> {
    Some(match ip.octets() {
        [127, ..] => "this machine",
        [0, ..] => "no address of the net",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "in a private network",
        [169, 254, ..] => "of the local link, where clouds keep their keys",
        [100, 64..=127, ..] => "inside a provider's network",
        [192, 0, 0, _] | [192, 88, 99, _] => "set aside for protocols",
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => "for documentation only",
        [198, 18..=19, ..] => "for benchmarks only",
        [224..=239, ..] => "a group of machines",
        [240..=255, ..] => "not in use",
        _ => return None,
    })
}

/// Only 2000::/3 is given out for everybody, and not all of it.
fn of_six(ip: Ipv6Addr) -> Option<&'static str> {
    Some(match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => "this machine",
        [0, 0, 0, 0, 0, 0, 0, 0] => "no address of the net",
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => "another address in disguise",
        [0x64, 0xff9b, ..] => "a way to another network",
        [0xfc00..=0xfdff, ..] => "in a private network",
        [0xfe80..=0xfeff, ..] => "of the local link",
        [0xff00..=0xffff, ..] => "a group of machines",
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => "for documentation only",
        [0x2001, 0..=0x1ff, ..] => "set aside for protocols",
        [0x2002, ..] => "another address in disguise",
        [0x2000..=0x3fff, ..] => return None,
        _ => "not in use",
    })
}

/// Names that stand for what is near, whatever answers for them.
const NEAR: [&str; 8] = ["localhost", "local", "internal", "intranet", "lan", "localdomain", "home.arpa", "onion"];

/// Does this name, without a dot at its end, stand for what is near, whatever answers for it?
pub fn is_near(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !name.contains('.') || NEAR.iter().any(|near| name == *near || name.ends_with(&format!(".{near}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_near_is_reachable_by_everybody() {
        let near = "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 \
            127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 \
            198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 \
            :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 \
            2001::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 \
            fec0::1 ff02::1";
        for ip in near.split_whitespace() {
            assert!(what(ip.parse().unwrap()).is_some(), "{ip}");
        }
    }

    #[test]
    fn what_is_given_out_to_everybody_is() {
        let far = "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.1.1.1 128.0.0.1 169.253.1.1 \
            172.15.0.1 172.32.0.1 192.0.1.1 192.167.1.1 192.169.1.1 198.17.0.1 198.20.0.1 223.255.255.255 \
            2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 3ffe::1";
        for ip in far.split_whitespace() {
            assert_eq!(what(ip.parse().unwrap()), None, "{ip}");
        }
    }

    #[test]
    fn a_test_may_reach_one_place_and_no_other_port_of_it() {
        let reach = Reach::GlobalAnd("127.0.0.1:8080".parse().unwrap());
        assert_eq!(reach.judge("127.0.0.1:8080".parse().unwrap()), Ok(()));
        let near = Err("127.0.0.1 is this machine".to_owned());
        assert_eq!(reach.judge("127.0.0.1:8081".parse().unwrap()), near);
        assert_eq!(Reach::Global.judge("127.0.0.1:8080".parse().unwrap()), near);
    }
}
