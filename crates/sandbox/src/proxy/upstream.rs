//! The proxy of a company: everything goes through it, and it is told the name.

use crate::proxy::through::{Account, through};
use crate::proxy::wire::Wire;
use crate::proxy::{head, place};
use agent_protocol::Host;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::{self, Debug, Formatter};
use url::Url;

/// A proxy through which everything goes.
#[derive(Clone, PartialEq, Eq)]
pub struct Upstream {
    kind: UpstreamKind,
    pub(crate) host: Host,
    account: Option<Account>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UpstreamKind {
    Http,
    Socks,
}

impl Upstream {
    /// Reads `http://[name:password@]host:port`, or the same with `socks5://` or `socks5h://`.
    ///
    /// # Errors
    /// It is no such address, in words that follow the name of the setting.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong =
            |what: &str| format!("{what}; write it like http://proxy.example:3128 or socks5://proxy.example:1080");
        let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("is no address ({error})")))?;
        let (kind, usual) = match url.scheme() {
            "http" => (UpstreamKind::Http, 80),
            "socks5" | "socks5h" => (UpstreamKind::Socks, 1080),
            scheme => return Err(wrong(&format!("cannot begin with {scheme}:"))),
        };
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("has something after its port"));
        }
        let name = url.host_str().unwrap_or_default();
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let host = place::host(name, url.port().unwrap_or(usual)).ok_or_else(|| wrong("names no host"))?;
        Ok(Upstream { kind, host, account: account(&url).ok_or_else(|| wrong("has a name that cannot be read"))? })
    }

    /// Has `server`, which is connected to it, lead to `host`. The error says why it does not.
    pub(crate) async fn through(&self, mut server: Wire, host: &Host) -> Result<Wire, String> {
        let account = self.account.as_ref();
        match self.kind {
            UpstreamKind::Socks => through(&mut server, host, account).await?,
            UpstreamKind::Http => {
                let key = account.map_or(String::new(), |Account { name, password }| {
                    format!("Proxy-Authorization: Basic {}\r\n", STANDARD.encode(format!("{name}:{password}")))
                });
                let request = format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n{key}\r\n");
                let broken = |error: std::io::Error| format!("it broke off ({error})");
                server.say(request.as_bytes()).await.map_err(broken)?;
                let answer = server.until(head::END, head::MOST).await.map_err(broken)?;
                let answer =
                    head::ResponseHead::read(&answer).map_err(|what| format!("its answer cannot be read: {what}"))?;
                match answer.status {
                    200..=299 => {}
                    407 => return Err("it wants a name and a password; put them into upstream_proxy".into()),
                    status => return Err(format!("it answered {status} {}", answer.reason())),
                }
            }
        }
        Ok(server)
    }
}

impl Debug for Upstream {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Upstream { kind, host, account } = self;
        let mut shown = f.debug_struct("Upstream");
        shown.field("kind", kind).field("host", host).field("account", &account.is_some()).finish()
    }
}

/// Who we are to it; the outer `None`: that cannot be read.
fn account(url: &Url) -> Option<Option<Account>> {
    if url.username().is_empty() && url.password().is_none() {
        return Some(None);
    }
    let (name, password) = (decoded(url.username())?, decoded(url.password().unwrap_or_default())?);
    Some(Some(Account { name, password }))
}

/// Without `%40` and the like.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok().filter(|text| text.len() <= 255 && !text.chars().any(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_read_with_its_account_and_shown_without() {
        let read = Upstream::read(concat!("http://me:", "p%40ss@proxy.example:3128/")).unwrap();
        assert_eq!(read.host.to_string(), "proxy.example:3128");
        assert_eq!(read.account.as_ref().map(|account| account.password.as_str()), Some("p@ss"));
        assert!(!format!("{read:?}").contains("p@ss"));
        assert_eq!(Upstream::read("socks5h://[::1]").unwrap().host.to_string(), "[::1]:1080");
        assert_eq!(Upstream::read("http://127.0.0.1:8080").unwrap().account.as_ref().map(|_| ()), None);
    }

    #[test]
    fn what_is_no_proxy_is_told_with_the_form() {
        for text in
            ["proxy.example:3128", "https://proxy.example", "http://proxy.example/x", "http://", "http://a%00b@c"]
        {
            let why = Upstream::read(text).unwrap_err();
            assert!(why.ends_with("write it like http://proxy.example:3128 or socks5://proxy.example:1080"), "{why}");
        }
    }
}
