//! Which hosts the user's own words stand for: one by its name, all below a name, or all there are.
//!
//! **Invariant.** A pattern is made of the user's words (config, flags, kept rules), or of one host, which it then names
//! exactly. What a program wants to reach is a [`Host`]: a pattern covers it, and it covers nothing.

use crate::Host;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::net::IpAddr;
use std::str::FromStr;

/// The longest name there is, and the longest part of one.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// Hosts that may be reached. Written `packages.example`, `.example` (all names that end so) or either with a port:
/// `packages.example:8443`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostPattern {
    names: Names,
    /// None: at whatever port.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Names {
    Any,
    /// Those that end in a dot and this.
    Below(String),
    /// This one, or this address.
    Exact(String),
}

impl HostPattern {
    /// All hosts. No text is read as this.
    pub fn any() -> Self {
        HostPattern { names: Names::Any, port: None }
    }

    /// The name of this host and no other, at whatever port; `None` where it has no plain name: an address, or what would
    /// mean more than one host once it is written down.
    pub fn exactly(host: &Host) -> Option<Self> {
        let read = HostPattern::try_from(host.name.clone()).ok()?;
        (read.port.is_none() && !read.is_address() && read.covers(host)).then_some(read)
    }

    /// The same at this port, where it names none.
    #[must_use]
    pub fn at(&self, port: u16) -> Self {
        HostPattern { names: self.names.clone(), port: self.port.or(Some(port)) }
    }

    /// Does it stand for this host?
    pub fn covers(&self, host: &Host) -> bool {
        let named = match &self.names {
            Names::Any => true,
            Names::Below(end) => {
                let before = host.name.strip_suffix(end.as_str()).and_then(|name| name.strip_suffix('.'));
                before.is_some_and(|before| before.split('.').all(is_label))
            }
            Names::Exact(name) => *name == host.name,
        };
        named && self.port.is_none_or(|port| port == host.port)
    }

    /// The one host that it stands for, where it stands for one.
    pub fn single(&self) -> Option<Host> {
        match (&self.names, self.port) {
            (Names::Exact(name), Some(port)) => Some(Host { name: name.clone(), port }),
            (Names::Any | Names::Below(_) | Names::Exact(_), _) => None,
        }
    }

    /// The port, where it names one.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    pub fn is_address(&self) -> bool {
        matches!(&self.names, Names::Exact(name) if is_address(name))
    }
}

/// Reads what the user typed, whatever its case.
impl FromStr for HostPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().to_ascii_lowercase();
        let (name, port) = text.rsplit_once(':').map_or((text.as_str(), None), |(name, port)| (name, Some(port)));
        let name = name.strip_suffix('.').unwrap_or(name);
        // What ends in figures is read as an address by some programs, so it has to be one.
        let last = name.rsplit('.').next().unwrap_or_default();
        let figures = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
        let is_host = is_name(name) && name.len() <= LONGEST_NAME && (!figures || is_address(name));
        let names = match name.strip_prefix('.') {
            Some(end) => Names::Below(end.to_owned()),
            None => Names::Exact(name.to_owned()),
        };
        match port.map(str::parse::<u16>) {
            None if is_host => Ok(HostPattern { names, port: None }),
            Some(Ok(port @ 1..)) if is_host => Ok(HostPattern { names, port: Some(port) }),
            None | Some(_) => Err(format!(
                "expected a host like packages.example, .example or packages.example:8443, and not `{text}`"
            )),
        }
    }
}

/// Reads what was written down: nothing but what a pattern is written as.
impl TryFrom<String> for HostPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let read: HostPattern = text.parse()?;
        match read.to_string() == text {
            true => Ok(read),
            false => Err(format!("expected {read}, and not `{text}`")),
        }
    }
}

impl From<HostPattern> for String {
    fn from(pattern: HostPattern) -> Self {
        pattern.to_string()
    }
}

impl Display for HostPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.names {
            Names::Any => f.write_str("*")?,
            Names::Below(end) => write!(f, ".{end}")?,
            Names::Exact(name) => f.write_str(name)?,
        }
        self.port.iter().try_for_each(|port| write!(f, ":{port}"))
    }
}

/// A name as it goes over the wire, or what all names below one end in.
fn is_name(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    let plain = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    };
    name.split('.').all(plain)
}

/// A plain part of a client's name, as it goes over the wire.
fn is_label(label: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    !label.is_empty() && label.bytes().all(plain)
}

fn is_address(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, port: u16) -> Host {
        Host { name: name.into(), port }
    }

    #[test]
    fn a_pattern_covers_names_at_its_port_or_at_all() {
        for (pattern, to, covers) in [
            ("docs.example", host("docs.example", 443), true),
            ("docs.example", host("docs.example", 22), true),
            ("docs.example:443", host("docs.example", 443), true),
            ("docs.example:443", host("docs.example", 80), false),
            ("docs.example", host("a.docs.example", 443), false),
            ("docs.example", host("docs.example.org", 443), false),
            ("docs.example", host("evildocs.example", 443), false),
            (".example", host("docs.example", 443), true),
            (".example", host("a.b.example", 443), true),
            (".example", host("example", 443), false),
            (".example", host("evilexample", 443), false),
            (".example", host(".example", 443), false),
            (".example", host("*.example", 443), false),
            (".example", host(".docs.example", 443), false),
            (".example", host("docs.example\n.example", 443), false),
            (".example:8443", host("a.example", 8443), true),
            (".example:8443", host("a.example", 443), false),
            ("192.0.2.7", host("192.0.2.7", 443), true),
            ("192.0.2.7", host("192.0.2.70", 443), false),
        ] {
            let read: HostPattern = pattern.parse().unwrap();
            assert_eq!(read.covers(&to), covers, "{pattern} {to}");
        }
        let any = HostPattern::any().at(443);
        assert!(any.covers(&host("a.example", 443)) && !any.covers(&host("a.example", 80)));
        assert_eq!(any.at(80), any, "the port that it names stays");
    }

    #[test]
    fn a_host_becomes_the_exact_name_of_itself_or_no_pattern() {
        for name in ["docs.example", "build", "xn--e1afmkfd.example", "ex_ample.org", "a-b.c1"] {
            let pattern = HostPattern::exactly(&host(name, 443)).unwrap();
            assert_eq!(pattern.to_string(), name);
            assert!(pattern.covers(&host(name, 443)) && !pattern.covers(&host(&format!("a.{name}"), 443)), "{name}");
        }
        for name in [
            "",
            ".",
            ".example",
            "..example",
            "*",
            "*.example",
            "*:443",
            "a*b",
            "docs.example:443",
            ".example:443",
            "docs.example.",
            "Docs.Example",
            " docs.example",
            "docs.example\n.example",
            "a..b",
            "-a.example",
            "a,b",
            "192.0.2.7",
            "2001:db8::7",
            "127.1",
            "0x7f.1",
            "a\u{202e}b",
            "пример.example",
        ] {
            assert_eq!(HostPattern::exactly(&host(name, 443)), None, "{name:?}");
        }
    }

    #[test]
    fn it_is_one_host_only_by_its_whole_name_and_a_port() {
        let single = |text: &str| text.parse::<HostPattern>().unwrap().single();
        assert_eq!(single("docs.example:8443"), Some(host("docs.example", 8443)));
        assert_eq!((single("docs.example"), single(".example:443")), (None, None));
        assert_eq!(HostPattern::any().at(443).single(), None);
    }

    #[test]
    fn what_the_user_types_is_read_as_it_goes_over_the_wire() {
        for (text, read) in [
            ("docs.example", "docs.example"),
            (" Docs.Example. ", "docs.example"),
            (".example", ".example"),
            ("docs.example:8443", "docs.example:8443"),
            (".example:0443", ".example:443"),
            ("xn--e1afmkfd.example", "xn--e1afmkfd.example"),
            ("build", "build"),
            ("192.0.2.7:8080", "192.0.2.7:8080"),
        ] {
            assert_eq!(text.parse::<HostPattern>().unwrap().to_string(), read, "{text}");
        }
        let long = format!("{}.example", "a".repeat(64));
        for text in [
            "",
            ".",
            "..",
            "*",
            "*:443",
            "*.example",
            "https://docs.example",
            "docs.example/a",
            "a b",
            "a..b",
            "-a.example",
            "a-.example",
            "пример.example",
            "docs.example:",
            "docs.example:0",
            "docs.example:70000",
            "me@docs.example",
            "1.2.3",
            "0x7f.1",
            "127.1",
            "2001:db8::1",
            "a\u{0}b",
            ".192.0.2.7",
            "..example",
            &long,
        ] {
            assert!(text.parse::<HostPattern>().unwrap_err().starts_with("expected a host like "), "{text}");
        }
    }

    #[test]
    fn it_is_a_string_on_disk_and_only_the_one_that_it_is_written_as() {
        for text in ["docs.example", ".example", "docs.example:8443", ".example:443", "192.0.2.7"] {
            let json = format!("\"{text}\"");
            let read: HostPattern = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
        for text in ["Docs.example", "docs.example.", " docs.example", "docs.example:0443", "*", "*:443", ""] {
            assert!(serde_json::from_str::<HostPattern>(&format!("\"{text}\"")).is_err(), "{text}");
        }
    }
}
