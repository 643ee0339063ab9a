//! A host as a client names it, read once: so what is asked about, judged and connected to is the same.

use agent_protocol::Host;
use std::net::IpAddr;
use url::Host as Read;

const LONGEST: usize = 253;

/// `name` and `port` as they go over the wire; `None`: it is no host. Addresses come out plain, however they were written
/// (`127.1`, `0x7f000001`, `2130706433`), names in lower case and without a dot at the end.
pub(crate) fn host(name: &str, port: u16) -> Option<Host> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.is_empty() || name.len() > LONGEST + 2 || port == 0 || name.contains('%') {
        return None;
    }
    let bracketed = if name.contains(':') && !name.starts_with('[') { format!("[{name}]") } else { name.to_owned() };
    let name = match Read::parse(&bracketed).ok()? {
        Read::Domain(name) => name,
        Read::Ipv4(ip) => ip.to_string(),
        Read::Ipv6(ip) => ip.to_string(),
    };
    let name = name.trim_end_matches('.').to_owned();
    let is_named = name.parse::<IpAddr>().is_ok() || name.split('.').all(is_label);
    (is_named && name.len() <= LONGEST).then_some(Host { name, port })
}

/// A plain part of a name. Nothing that stands for more than one host (`.example`, `*`) is made of such parts.
fn is_label(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// `example.org:443`, `[2001:db8::1]:443`; without a port the `usual` one, where there is such.
pub(crate) fn authority(text: &str, usual: Option<u16>) -> Option<Host> {
    if text.contains('@') {
        return None;
    }
    let (name, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (inside, rest) = rest.split_once(']')?;
            let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
            (inside, port)
        }
        None => match text.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (text, None),
        },
    };
    let port = match port {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok()?
        }
        Some("") | None => usual?,
        Some(_) => return None,
    };
    host(name, port)
}

/// The address, where the name is one.
pub(crate) fn ip(host: &Host) -> Option<IpAddr> {
    host.name.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        authority(text, None).map(|host| host.to_string())
    }

    #[test]
    fn a_host_is_read_as_it_is_connected_to() {
        let cases = [
            ("Example.ORG:443", "example.org:443"),
            ("example.org.:443", "example.org:443"),
            ("ex_ample.org:1", "ex_ample.org:1"),
            ("127.1:80", "127.0.0.1:80"),
            ("2130706433:80", "127.0.0.1:80"),
            ("0x7f.1:80", "127.0.0.1:80"),
            ("0177.0.0.1.:80", "127.0.0.1:80"),
            ("[::1]:80", "[::1]:80"),
            ("[::FFFF:7f00:1]:80", "[::ffff:127.0.0.1]:80"),
            ("пример.рф:443", "xn--e1afmkfd.xn--p1ai:443"),
        ];
        for (text, host) in cases {
            assert_eq!(read(text).as_deref(), Some(host), "{text}");
        }
    }

    #[test]
    fn what_is_no_host_is_none() {
        let none = "example.org example.org: example.org:0 example.org:65536 example.org:+80 example.org:8a :80 \
            a:b:80 me@example.org:80 me:pw@example.org:80 [::1 [::1]80 [::1]:x %31%32%37.0.0.1:80 a/b:80 a?b:80 a#b:80 \
            a\\b:80 ..:80 [fe80::1%25eth0]:80 .example:80 .example.org.:80 a..b:80 *:80 *.example:80 a*b:80 ..example:80 \
            example~:80 !a:80 a,b:80 (a):80 a;b:80 $a:80 a=b:80 \"a\":80";
        for text in none.split_whitespace() {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&format!("{}.org:80", "a".repeat(260))), None);
        assert_eq!(authority("example.org", Some(80)).map(|host| host.port), Some(80));
        assert_eq!(authority("example.org:", Some(80)).map(|host| host.port), Some(80));
    }
}
