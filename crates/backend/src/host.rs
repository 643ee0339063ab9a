//! Reads a server's address in every form that Ollama accepts in `OLLAMA_HOST`.
//!
//! Looks nothing up and connects to nothing.

use reqwest::Url;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const OWN_PORT: u16 = 11434;

/// The address of a model server. `Display` writes it as a URL that [`Host::parse`] reads back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Always ends with a slash.
    base: Url,
}

/// Why an address could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Neither `http` nor `https`.
    #[error("{scheme}:// is not a way to reach a model server; use http:// or https://")]
    Scheme {
        /// What stood before `://`.
        scheme: String,
    },
    /// The port is not a number from 1 to 65535.
    #[error("{port:?} is not a port; use a number from 1 to 65535")]
    Port {
        /// What stood in its place.
        port: String,
    },
    /// A name or password before `@`: it would be shown and logged with the address.
    #[error("a user name in the address is not supported; write the address without it")]
    User,
    /// Not an address for another reason.
    #[error("{text:?} is not an address ({why}); use a form like 127.0.0.1:11434")]
    Address {
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Default for Host {
    /// Where Ollama listens unless told otherwise: `http://127.0.0.1:11434`.
    fn default() -> Self {
        Host::parse("").expect("nothing at all stands for the default address")
    }
}

impl Host {
    /// Reads `host`, `host:port`, `:port`, `[v6]:port`, bare IPv6, any of them after `http://` or `https://` and
    /// before a base path; spaces, quotes and trailing slashes around it are dropped. Without a port it is 11434, after
    /// `http://` 80 and after `https://` 443, as in Ollama itself. The addresses a server binds to in order to listen
    /// everywhere (`0.0.0.0`, `::`) become the loopback addresses that reach it.
    pub fn parse(text: &str) -> Result<Host, HostError> {
        let text = text.trim().trim_matches(['"', '\'']).trim();
        let (scheme, default_port, rest) = split_scheme(text)?;
        if rest.contains('@') {
            return Err(HostError::User);
        }
        let address = |why: &str| HostError::Address { text: text.to_owned(), why: why.to_owned() };
        if rest.contains(['?', '#']) {
            return Err(address("it has a ? or #"));
        }
        let (place, path) = rest.trim_end_matches('/').split_once('/').unwrap_or((rest.trim_end_matches('/'), ""));
        let (name, port) = split_port(place, default_port)?;
        let slash = if path.is_empty() { "" } else { "/" };
        let url = format!("{scheme}://{}:{port}/{path}{slash}", reachable(name));
        let base = Url::parse(&url).map_err(|error| address(&error.to_string()))?;
        Ok(Host { base })
    }

    /// Is the server on this machine, as far as the name tells?
    pub fn is_loopback(&self) -> bool {
        let name = self.name();
        match name.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => address.is_loopback(),
            Ok(IpAddr::V6(address)) => {
                address.is_loopback() || address.to_ipv4_mapped().is_some_and(|mapped| mapped.is_loopback())
            }
            Err(_) => name == "localhost" || name.ends_with(".localhost"),
        }
    }

    /// Can others on the way read and change what is said? Not on our own machine, and not behind TLS.
    pub fn is_exposed(&self) -> bool {
        !self.is_loopback() && !self.is_https()
    }

    /// Its name or address, and its port.
    pub fn place(&self) -> agent_protocol::Host {
        let name = self.name().trim_end_matches('.').to_ascii_lowercase();
        agent_protocol::Host { name, port: self.base.port_or_known_default().unwrap_or(OWN_PORT) }
    }

    /// The URL of `path` on this server, below the base path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{}", self.base, path.trim_start_matches('/'))
    }

    /// The URL of `path` beside the last part of the base path: below `http://host` for `http://host/v1`.
    pub fn url_beside(&self, path: &str) -> String {
        let base = self.base.join("..").unwrap_or_else(|_| self.base.clone());
        format!("{base}{}", path.trim_start_matches('/'))
    }

    /// The address that its last part, `v1`, stands below; `None` for one that does not end so.
    pub(crate) fn above_v1(&self) -> Option<Host> {
        let ends_so = self.base.path().trim_end_matches('/').rsplit('/').next() == Some("v1");
        ends_so.then(|| self.base.join("..").ok()).flatten().map(|base| Host { base })
    }

    /// The address of `/v1` where nothing but a name and a port was given, as every such server has it there.
    pub(crate) fn below_v1(self) -> Host {
        let base = if self.base.path() == "/" { self.base.join("v1/").ok() } else { None };
        base.map_or(self, |base| Host { base })
    }

    pub(crate) fn is_https(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// The name or number without brackets.
    fn name(&self) -> &str {
        self.base.host_str().unwrap_or_default().trim_matches(['[', ']'])
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base.as_str().trim_end_matches('/'))
    }
}

impl std::str::FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Host, HostError> {
        Host::parse(text)
    }
}

fn split_scheme(text: &str) -> Result<(&'static str, u16, &str), HostError> {
    match text.split_once("://") {
        None => Ok(("http", OWN_PORT, text)),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => Ok(("http", 80, rest)),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => Ok(("https", 443, rest)),
        Some((scheme, _)) => Err(HostError::Scheme { scheme: scheme.to_owned() }),
    }
}

fn split_port(place: &str, default_port: u16) -> Result<(&str, u16), HostError> {
    if place.parse::<Ipv6Addr>().is_ok() {
        return Ok((place, default_port));
    }
    match place.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => match port.parse() {
            Ok(0) | Err(_) => Err(HostError::Port { port: port.to_owned() }),
            Ok(number) => Ok((name, number)),
        },
        _ => Ok((place, default_port)),
    }
}

/// The name as a URL wants it, and one that can be connected to.
fn reachable(name: &str) -> String {
    match name.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) => Ipv4Addr::LOCALHOST.to_string(),
        Ok(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) => format!("[{}]", Ipv6Addr::LOCALHOST),
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) if name.is_empty() => Ipv4Addr::LOCALHOST.to_string(),
        Err(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_ollama_accepts_is_read() {
        let cases = [
            ("", "http://127.0.0.1:11434"),
            ("  ", "http://127.0.0.1:11434"),
            ("1.2.3.4", "http://1.2.3.4:11434"),
            ("example.com", "http://example.com:11434"),
            ("example.com:1234", "http://example.com:1234"),
            (":1234", "http://127.0.0.1:1234"),
            ("localhost", "http://localhost:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            ("http://0.0.0.0:8080/", "http://127.0.0.1:8080"),
            ("[::]", "http://[::1]:11434"),
            ("::", "http://[::1]:11434"),
            ("::1", "http://[::1]:11434"),
            ("[::1]", "http://[::1]:11434"),
            ("[::1]:1337", "http://[::1]:1337"),
            ("http://[fe80::2]:1337/o", "http://[fe80::2]:1337/o"),
            (" 1.2.3.4 ", "http://1.2.3.4:11434"),
            ("\"1.2.3.4\"", "http://1.2.3.4:11434"),
            (" ' 1.2.3.4 ' ", "http://1.2.3.4:11434"),
            ("http://1.2.3.4", "http://1.2.3.4"),
            ("HTTP://1.2.3.4:4321", "http://1.2.3.4:4321"),
            ("https://1.2.3.4", "https://1.2.3.4"),
            ("https://1.2.3.4:4321//", "https://1.2.3.4:4321"),
            ("https://example.com/ollama", "https://example.com/ollama"),
            ("https://example.com/a/b/", "https://example.com/a/b"),
            ("example.com/ollama", "http://example.com:11434/ollama"),
        ];
        for (text, expected) in cases {
            let host = Host::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(host.to_string(), expected, "{text:?}");
            assert_eq!(Host::parse(&host.to_string()), Ok(host), "{text:?} reads back");
        }
    }

    #[test]
    fn http_without_a_port_means_80_and_https_443() {
        let port = |text: &str| Host::parse(text).unwrap().base.port_or_known_default();
        assert_eq!(port("http://h"), Some(80));
        assert_eq!(port("https://h"), Some(443));
        assert_eq!(port("h"), Some(11434));
    }

    #[test]
    fn a_path_goes_below_the_base_path() {
        assert_eq!(Host::parse("http://h:1/ollama/").unwrap().url("/api/chat"), "http://h:1/ollama/api/chat");
        assert_eq!(Host::default().url("api/ps"), "http://127.0.0.1:11434/api/ps");
    }

    #[test]
    fn what_is_no_address_says_why() {
        let words = |text: &str| Host::parse(text).unwrap_err().to_string();
        assert_eq!(words("ftp://h"), "ftp:// is not a way to reach a model server; use http:// or https://");
        assert_eq!(words("h:66000"), "\"66000\" is not a port; use a number from 1 to 65535");
        assert_eq!(words(":0"), "\"0\" is not a port; use a number from 1 to 65535");
        assert_eq!(words("h:"), "\"\" is not a port; use a number from 1 to 65535");
        assert!(words("http://me:secret@h").starts_with("a user name in the address"));
        assert!(words("a b").starts_with("\"a b\" is not an address ("));
        assert!(words("h/?x=1").contains("it has a ? or #"));
    }

    #[test]
    fn loopback_is_told_from_the_rest() {
        let loopback =
            ["", "localhost", "x.localhost", "127.9.9.9", "::1", "0.0.0.0", "2130706433", "::ffff:127.0.0.1"];
        for text in loopback {
            assert!(Host::parse(text).unwrap().is_loopback(), "{text:?}");
        }
        for text in ["localhost.example", "10.0.0.1", "http://mybox", "fe80::1", "notlocalhost"] {
            assert!(!Host::parse(text).unwrap().is_loopback(), "{text:?}");
        }
    }

    #[test]
    fn plain_http_to_another_machine_is_exposed_and_nothing_else_is() {
        for text in ["10.0.0.1", "http://mybox", "http://ollama.example:80/x", "fe80::1", "localhost.example"] {
            assert!(Host::parse(text).unwrap().is_exposed(), "{text:?}");
        }
        for text in ["", "localhost", "0.0.0.0:1", "http://[::1]", "https://ollama.example", "https://10.0.0.1"] {
            assert!(!Host::parse(text).unwrap().is_exposed(), "{text:?}");
        }
    }
}
