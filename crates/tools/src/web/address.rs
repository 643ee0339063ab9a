//! An address as it may be fetched: read once, by the library that connects as well, so that what is shown, judged and
//! connected to is the same.

use agent_protocol::{Failure, FailureKind};
use agent_sandbox::proxy::{Reach, is_near};
use std::net::{IpAddr, SocketAddr};
use url::{Host, ParseError, Url};

/// Nobody writes longer ones by hand, and in longer ones things can be carried out.
const LONGEST: usize = 2_000;

/// An `http` or `https` address without credentials and without a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
}

impl Address {
    /// Reads it; without a scheme it is `https`.
    ///
    /// # Errors
    /// It is no address that may be fetched.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        let wrong = |what: &str| {
            Failure::new(
                FailureKind::InvalidArguments,
                format!("{what}; give a whole address like https://docs.rs/url"),
            )
        };
        if text.len() > LONGEST {
            return Err(wrong(&format!("the address is longer than {LONGEST} characters")));
        }
        if text.chars().any(char::is_control) {
            return Err(wrong("the address holds control characters"));
        }
        let url = match Url::parse(text) {
            Err(ParseError::RelativeUrlWithoutBase) => Url::parse(&format!("https://{text}")),
            parsed => parsed,
        };
        Address::of(url.map_err(|error| wrong(&format!("{text:?} is no address ({error})")))?)
    }

    /// What a library read, if it may be fetched.
    fn of(mut url: Url) -> Result<Self, Failure> {
        let denied = |what: String| Err(Failure::new(FailureKind::Denied, what));
        if !matches!(url.scheme(), "http" | "https") {
            return denied(format!("only http and https are fetched, not {}:", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return denied("an address with a name or a password in it is not fetched; leave these out".into());
        }
        url.set_fragment(None);
        if let Some(Host::Domain(name)) = url.host() {
            let bare = name.trim_end_matches('.').to_owned();
            if is_near(&bare) {
                return denied(format!(
                    "{bare} is a name of this machine or network, and only the public net is fetched"
                ));
            }
            url.set_host(Some(&bare))
                .map_err(|_| Failure::new(FailureKind::InvalidArguments, "the address has no host"))?;
        }
        Ok(Address { url })
    }

    /// An address of the user's own settings: it may be as near as they like, but is nothing else than an address.
    pub(crate) fn own(text: &str) -> Option<Self> {
        let url = Url::parse(text.trim()).ok()?;
        let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.has_host();
        (plain && matches!(url.scheme(), "http" | "https")).then_some(Address { url })
    }

    /// Where `location` leads from here.
    pub(crate) fn join(&self, location: &str) -> Result<Self, Failure> {
        let led = |what: &str| Failure::new(FailureKind::Denied, format!("{} redirects to {what}", self.url));
        if location.len() > LONGEST {
            return Err(led("an address that is too long"));
        }
        let url = self.url.join(location).map_err(|_| led("no address"))?;
        let shown: String = url.as_str().chars().take(200).collect();
        Address::of(url).map_err(|failure| led(&format!("{shown}: {}", failure.message)))
    }

    /// Is it refused before any name is looked up?
    ///
    /// # Errors
    /// It is an address of numbers that not everybody can reach.
    pub(crate) fn judge(&self, reach: Reach) -> Result<(), Failure> {
        match self.ip() {
            Some(ip) => reach.judge(SocketAddr::new(ip, self.port())).map_err(|what| refused(&self.url, &what)),
            None => Ok(()),
        }
    }

    /// Whole, with the host as it goes over the wire.
    pub fn text(&self) -> &str {
        self.url.as_str()
    }

    /// The host, without its port.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(443)
    }

    /// The address itself, where the host is one.
    pub(crate) fn ip(&self) -> Option<IpAddr> {
        match self.url.host() {
            Some(Host::Ipv4(ip)) => Some(ip.into()),
            Some(Host::Ipv6(ip)) => Some(ip.into()),
            Some(Host::Domain(_)) | None => None,
        }
    }

    /// Whoever let this be fetched has let `other` be fetched as well: the same host, with or without `www.`, by the same
    /// port or from http to https.
    pub(crate) fn stands_for(&self, other: &Address) -> bool {
        let bare = |address: &Address| address.host().trim_start_matches("www.").to_owned();
        let safer = other.url.scheme() == self.url.scheme() || other.url.scheme() == "https";
        let usual = |address: &Address| address.url.port().is_none();
        let ports = self.port() == other.port() || usual(self) && usual(other);
        bare(self) == bare(other) && safer && ports
    }
}

/// The failure about an address that is not public.
pub(crate) fn refused(url: &Url, what: &str) -> Failure {
    let host = url.host_str().unwrap_or_default();
    let whose = if what.starts_with(host) { String::new() } else { format!("{host} leads to an address nearby: ") };
    Failure::new(FailureKind::Denied, format!("{whose}{what}; only the public net is fetched"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> Result<String, String> {
        let address = Address::read(text).map_err(|failure| failure.message)?;
        address.judge(Reach::Global).map_err(|failure| failure.message)?;
        Ok(address.text().to_owned())
    }

    #[test]
    fn an_address_is_shown_as_it_is_connected_to() {
        let read = [
            ("docs.rs/url", "https://docs.rs/url"),
            (" https://Docs.RS/a b?c#d ", "https://docs.rs/a%20b?c"),
            ("http://GOOD.example.com.:80/", "http://good.example.com/"),
            ("https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"),
            ("http://xn--80ak6aa92e.com/", "http://xn--80ak6aa92e.com/"),
            (r"http://good.example.com\@127.0.0.1/", "http://good.example.com/@127.0.0.1/"),
            ("http://8.8.8.8:8080/x", "http://8.8.8.8:8080/x"),
        ];
        for (text, shown) in read {
            assert_eq!(outcome(text).as_deref(), Ok(shown), "{text}");
        }
    }

    /// However it is written: decimal, hex, octal, short, in disguise.
    #[test]
    fn what_is_near_is_refused_however_it_is_written() {
        let near = [
            "http://169.254.169.254/",
            "http://127.0.0.1:11434/api/tags",
            "http://localhost:11434/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://[::1]:11434/",
            "http://0.0.0.0:11434/",
            "http://0/",
            "http://127.1:11434/",
            "http://2130706433:11434/",
            "http://0x7f000001:11434/",
            "http://0x7f.1/",
            "http://017700000001:11434/",
            "http://0177.0.0.01/",
            "http://①②⑦.0.0.1/",
            "http://127。0。0。1/",
            "http://%31%32%37.0.0.1/",
            "http://127.0.0.1./",
            "http://[::ffff:127.0.0.1]:11434/",
            "http://[::ffff:7f00:1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[fd00:ec2::254]/",
            "http://10.0.0.1/",
            "http://192.168.1.1/",
            "http://100.100.100.200/",
            "http://[fe80::1]/",
            "http://metadata.google.internal/",
            "http://printer/",
            "http://nas.local/",
            "http://good.example@127.0.0.1/",
            "http://127.0.0.1#@good.example/",
        ];
        for text in near {
            assert!(outcome(text).is_err(), "{text}: {:?}", outcome(text));
        }
    }

    #[test]
    fn what_is_no_page_is_refused_with_a_word_that_says_why() {
        let said = [
            ("file:///etc/passwd", "only http and https are fetched, not file:"),
            ("localhost:11434/api", "only http and https are fetched, not localhost:"),
            ("https://me:pw@docs.rs/", "an address with a name or a password in it is not fetched; leave these out"),
            ("http://nas.local/", "nas.local is a name of this machine or network, and only the public net is fetched"),
            ("http://127.1/", "127.0.0.1 is this machine; only the public net is fetched"),
            (
                "http://exa\tmple.com/",
                "the address holds control characters; give a whole address like https://docs.rs/url",
            ),
        ];
        for (text, word) in said {
            assert_eq!(outcome(text), Err(word.to_owned()), "{text}");
        }
        assert!(outcome("").is_err() && outcome("https://").is_err() && outcome("https://a b/").is_err());
        assert!(outcome(&format!("https://docs.rs/{}", "x".repeat(2_000))).is_err());
    }

    #[test]
    fn leave_for_a_host_reaches_to_its_safer_self_and_no_further() {
        let stands = |one: &str, other: &str| Address::read(one).unwrap().stands_for(&Address::read(other).unwrap());
        for other in ["https://docs.rs/b", "https://www.docs.rs/"] {
            assert!(stands("http://docs.rs/a", other), "{other}");
        }
        assert!(stands("https://www.docs.rs/a", "https://docs.rs/"));
        for other in ["http://docs.rs/", "https://docs.rs:8443/", "https://evil.docs.rs/", "https://docs.rs.evil.org/"]
        {
            assert!(!stands("https://docs.rs/a", other), "{other}");
        }
    }
}
