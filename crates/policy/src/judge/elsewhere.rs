//! May this be got from the net, or asked of somebody else's server?
//!
//! What leaves the machine asks in both modes: once a host, once a tool, for as long as the session.

use super::{Asking, Free, PLAN_MODE, Policy, Ruling};
use agent_protocol::{Cause, Mode, Rule, RuleOffer};

/// Ports that need no warning.
const USUAL_PORTS: [&str; 2] = ["80", "443"];

impl Policy {
    pub(super) fn judge_fetch(&self, url: &str, sends: &str) -> Ruling {
        let Some(Address { host, port, secure }) = Address::read(url) else {
            return Ruling::Deny(format!("{url} is no address that may be fetched; give one with https and a host"));
        };
        let mut warnings = Vec::new();
        if port.as_ref().is_some_and(|port| !USUAL_PORTS.contains(&port.as_str())) {
            warnings.push(format!("an unusual port: {}", port.unwrap_or_default()));
        }
        if host.split('.').any(|label| label.starts_with("xn--")) {
            warnings.push(format!("{host} is a name in other letters than it seems; look twice"));
        }
        // Where a search goes stands in the user's own settings, so nothing about it is odd to them.
        let ordinary = warnings.is_empty() || !sends.is_empty();
        if !self.suspended && self.setup.allow_net && ordinary {
            return Ruling::Allow(Free::because("the net is allowed"));
        }
        if !self.suspended && warnings.is_empty() && self.allows_host(&host, secure) {
            return Ruling::Allow(Free::because("you allowed this host"));
        }
        let along = if secure { "" } else { "; others can read along" };
        let why = format!("what leaves this machine asks{along}{}", self.suspended_words());
        let also = if secure { "" } else { ", also without encryption" };
        let words = format!("don't ask again in this session for {host}{also}");
        let offer = RuleOffer { rule: Rule::Host { host, plain: !secure }, words };
        let offers = if warnings.is_empty() && !self.suspended { vec![offer] } else { Vec::new() };
        let cause = if ordinary { self.lacks_leave() } else { Cause::Always };
        Ruling::Ask(Asking { warnings, offers, cause, ..Asking::because(why) })
    }

    /// A yes to what anybody could read covers what nobody can, and not the other way round.
    fn allows_host(&self, host: &str, secure: bool) -> bool {
        let given = |plain| self.remembers(&Rule::Host { host: host.to_owned(), plain });
        given(true) || secure && given(false)
    }

    pub(super) fn judge_call(&self, server: &str, tool: &str) -> Ruling {
        if self.setup.mode == Mode::Plan {
            return Ruling::Deny(PLAN_MODE.into());
        }
        let rule = Rule::Tool { server: server.to_owned(), tool: tool.to_owned() };
        if !self.suspended && (self.setup.allow_call || self.remembers(&rule)) {
            return Ruling::Allow(Free::because("you allowed this tool"));
        }
        let words = format!("don't ask again in this session for {tool} of {server}");
        let offers = if self.suspended { Vec::new() } else { vec![RuleOffer { rule, words }] };
        let why = format!("what another program does is not known here{}", self.suspended_words());
        Ruling::Ask(Asking { offers, cause: self.lacks_leave(), ..Asking::because(why) })
    }
}

/// What counts of an address.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    host: String,
    port: Option<String>,
    secure: bool,
}

impl Address {
    /// Reads what a parser of addresses wrote; `None` for anything else, and for credentials.
    fn read(url: &str) -> Option<Self> {
        let (secure, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return None,
        };
        let place = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        let odd = |letter: char| letter == '@' || letter == '\\' || letter.is_whitespace() || !letter.is_ascii();
        if url.chars().any(char::is_control) || place.chars().any(odd) {
            return None;
        }
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.to_owned())),
            _ => (place, None),
        };
        let digits =
            port.as_ref().is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
        (!host.is_empty() && digits).then(|| Address { host: host.to_ascii_lowercase(), port, secure })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::{Facts, Setup};
    use agent_protocol::Action;

    fn fetch(url: &str) -> Action {
        Action::Fetch { url: url.into(), sends: String::new() }
    }

    fn call() -> Action {
        Action::Call { server: "notes".into(), tool: "add".into(), arguments: "{}".into() }
    }

    fn policy(mode: Mode) -> Policy {
        Policy::new(Setup::new("/p".into(), mode))
    }

    #[test]
    fn an_address_is_read_in_its_parts_or_not_at_all() {
        let address = |host: &str, port: Option<&str>, secure| {
            Some(Address { host: host.into(), port: port.map(str::to_owned), secure })
        };
        assert_eq!(Address::read("https://Docs.rs/x@y"), address("docs.rs", None, true));
        assert_eq!(Address::read("http://a.b:8080?q"), address("a.b", Some("8080"), false));
        assert_eq!(Address::read("https://[2001:db8::1]/"), address("[2001:db8::1]", None, true));
        for bad in ["ftp://a.b", "https://", "https://me:pw@a.b/", "https://a.b:x/", "https://é.fr/", "https://a b/"] {
            assert_eq!(Address::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_host_is_asked_about_once_in_every_mode() {
        for mode in [Mode::Safe, Mode::Plan, Mode::Unsafe] {
            let mut policy = policy(mode);
            let Verdict::Ask(held) = policy.judge(fetch("https://docs.rs/a"), &Facts::default()) else { panic!() };
            let rule = held.offers()[0].rule.clone();
            policy.answer(held, Some(rule)).unwrap();
            assert!(matches!(policy.judge(fetch("https://docs.rs/b"), &Facts::default()), Verdict::Allow(_)));
            for other in ["https://docs.rs.evil.org/", "https://docs.rs:8443/", "https://xn--e1afmkfd.org/"] {
                assert!(matches!(policy.judge(fetch(other), &Facts::default()), Verdict::Ask(_)), "{other}");
            }
        }
    }

    #[test]
    fn a_flag_lets_nothing_odd_through_but_a_search_of_the_persons_own() {
        let flagged = Policy::new(Setup { allow_net: true, ..Setup::new("/p".into(), Mode::Safe) });
        let judged = |url: &str, sends: &str| {
            flagged.judge(Action::Fetch { url: url.into(), sends: sends.into() }, &Facts::default())
        };
        assert!(matches!(judged("https://docs.rs/a", ""), Verdict::Allow(_)));
        for odd in ["https://docs.rs:8443/", "https://xn--e1afmkfd.org/"] {
            assert!(matches!(judged(odd, ""), Verdict::Ask(_)), "{odd}");
        }
        assert!(matches!(judged("http://127.0.0.1:8888/search", "rust"), Verdict::Allow(_)));
    }

    #[test]
    fn flags_are_suspended_with_the_rules() {
        let setup = Setup { allow_net: true, allow_call: true, ..Setup::new("/p".into(), Mode::Safe) };
        let mut flagged = Policy::new(setup);
        for action in [fetch("https://docs.rs/"), call()] {
            assert!(matches!(flagged.judge(action, &Facts::default()), Verdict::Allow(_)));
        }
        flagged.suspend();
        for action in [fetch("https://docs.rs/"), call()] {
            let Verdict::Ask(held) = flagged.judge(action, &Facts::default()) else { panic!() };
            assert!(held.offers().is_empty(), "it would not count");
        }
    }

    #[test]
    fn a_yes_to_what_is_encrypted_is_none_to_what_is_not() {
        for (given, other, expected) in [("https", "http", false), ("http", "https", true), ("http", "http", true)] {
            let mut policy = policy(Mode::Safe);
            let asked = policy.judge(fetch(&format!("{given}://docs.rs/a")), &Facts::default());
            let Verdict::Ask(held) = asked else { panic!() };
            let rule = held.offers()[0].rule.clone();
            assert_eq!(held.offers()[0].words.contains("without encryption"), given == "http");
            policy.answer(held, Some(rule)).unwrap();
            let verdict = policy.judge(fetch(&format!("{other}://docs.rs/b")), &Facts::default());
            assert_eq!(matches!(verdict, Verdict::Allow(_)), expected, "{given} {other}");
        }
    }

    #[test]
    fn an_address_with_credentials_is_refused() {
        let verdict = policy(Mode::Unsafe).judge(fetch("https://me:pw@docs.rs/"), &Facts::default());
        assert!(matches!(verdict, Verdict::Deny(_)));
    }

    #[test]
    fn a_tool_of_a_server_is_asked_about_once_and_refused_in_plan_mode() {
        let mut unsafe_one = policy(Mode::Unsafe);
        let Verdict::Ask(held) = unsafe_one.judge(call(), &Facts::default()) else { panic!() };
        let rule = held.offers()[0].rule.clone();
        unsafe_one.answer(held, Some(rule)).unwrap();
        assert!(matches!(unsafe_one.judge(call(), &Facts::default()), Verdict::Allow(_)));
        unsafe_one.suspend();
        assert!(matches!(unsafe_one.judge(call(), &Facts::default()), Verdict::Ask(_)));
        assert!(matches!(policy(Mode::Plan).judge(call(), &Facts::default()), Verdict::Deny(_)));
    }
}
