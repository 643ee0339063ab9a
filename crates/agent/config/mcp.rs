//! `[mcp.NAME]`: servers that bring tools of their own. Only the user's own file may name one.

use agent_tools::mcp::{Secret, Server, Way, names_script};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

/// Seconds that a server may take when nothing is said, and at most.
const USUAL: u64 = 60;
const LONGEST: u64 = 600;
/// Characters of a server's name: the names of its tools begin with it.
const NAME: usize = 24;

/// `[mcp.NAME]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct McpServer {
    pub(crate) command: Option<Vec<String>>,
    pub(crate) url: Option<String>,
    pub(crate) env: Vec<String>,
    pub(crate) bearer_env: Option<String>,
    pub(crate) headers_env: BTreeMap<String, String>,
    pub(crate) timeout: Option<NonZeroU32>,
    pub(crate) enabled: Option<bool>,
}

impl McpServer {
    /// What is wrong with it, in words.
    pub(crate) fn check(&self, name: &str) -> Result<(), String> {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-".contains(letter);
        if name.is_empty() || name.len() > NAME || !name.chars().all(plain) {
            return Err(format!("mcp.{name}: a name has at most {NAME} of the letters a-z, 0-9, _ and -"));
        }
        let wrong = |what: &str| Err(format!("mcp.{name}: {what}"));
        match (&self.command, &self.url) {
            (Some(_), Some(_)) => wrong("it has a command or a url, not both"),
            (None, None) => wrong("it needs a command, like [\"notes-server\", \"--here\"], or a url"),
            (Some(_), None) if self.bearer_env.is_some() || !self.headers_env.is_empty() => {
                wrong("headers go with a url; a command gets the variables that env names")
            }
            (Some(words), None) => match words.first() {
                None => wrong("the command is empty"),
                Some(program) if program.is_empty() || program.contains('/') && !program.starts_with(['/', '~']) => {
                    wrong("its program is a name on the PATH or a whole path")
                }
                Some(_) => words.iter().skip(1).find(|word| names_script(word)).map_or(Ok(()), |word| {
                    wrong(&format!("{word} is looked for in an empty folder of its own; give its whole path"))
                }),
            },
            (None, Some(_)) if !self.env.is_empty() => wrong("env goes with a command; a url has headers_env"),
            (None, Some(url)) => self.address(url).map_err(|what| format!("mcp.{name}: {what}")),
        }
    }

    fn address(&self, url: &str) -> Result<(), &'static str> {
        let (secure, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err("its url begins with https:// or, for one on this machine, http://"),
        };
        let place = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        if place.is_empty() || url.contains(char::is_whitespace) {
            return Err("its url has no host");
        }
        if place.contains('@') {
            return Err("its url holds a password; name a variable in bearer_env or headers_env");
        }
        let has_secrets = self.bearer_env.is_some() || !self.headers_env.is_empty();
        if !secure && has_secrets && !is_loopback(place) {
            return Err("over http:// others can read the secrets that are sent along; use https://");
        }
        Ok(())
    }

    /// As it is used; a `~` at the beginning of a word of its command is `home`.
    fn resolved(self, name: String, home: Option<&str>, proxy: bool) -> Option<Server> {
        let timeout = self.timeout.map_or(USUAL, |seconds| u64::from(seconds.get()).min(LONGEST));
        let bearer =
            self.bearer_env.map(|variable| Secret { header: "Authorization".into(), before: "Bearer ", variable });
        let headers = self.headers_env.into_iter().map(|(header, variable)| Secret { header, before: "", variable });
        let whole = |word: String| match (word.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => word,
        };
        let way = match (self.command, self.url) {
            (Some(words), _) => Way::Program { argv: words.into_iter().map(whole).collect(), env: self.env },
            (None, Some(url)) => {
                let proxy = proxy && !url.split('/').nth(2).is_some_and(is_loopback);
                Way::Address { url, secrets: bearer.into_iter().chain(headers).collect(), proxy }
            }
            (None, None) => return None,
        };
        Some(Server { name, way, timeout: Duration::from_secs(timeout) })
    }
}

/// Those that are not switched off.
pub(super) fn resolved(servers: BTreeMap<String, McpServer>, home: Option<&str>, proxy: bool) -> Vec<Server> {
    let on = servers.into_iter().filter(|(_, server)| server.enabled != Some(false));
    on.filter_map(|(name, server)| server.resolved(name, home, proxy)).collect()
}

/// Is `place`, a host with or without its port, this machine?
fn is_loopback(place: &str) -> bool {
    let host = match place.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => host,
        _ => place,
    };
    let number = host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    host == "localhost" || host == "[::1]" || number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str) -> Result<(), String> {
        toml::from_str::<McpServer>(text).unwrap().check(name)
    }

    #[test]
    fn what_cannot_be_a_server_is_said() {
        for good in [
            "command = [\"notes\"]\nenv = [\"KEY\"]",
            "command = [\"~/bin/notes\", \"-x\"]",
            "command = [\"python3\", \"~/bin/notes.py\", \"--log=/tmp/a.py\"]",
            "url = \"https://far.example/mcp\"\nbearer_env = \"KEY\"",
            "url = \"http://localhost:8000/mcp\"\nbearer_env = \"KEY\"",
            "url = \"http://far.example/mcp\"",
        ] {
            assert_eq!(check("notes", good), Ok(()), "{good}");
        }
        for (bad, word) in [
            ("", "needs a command"),
            ("command = []", "empty"),
            ("command = [\"bin/notes\"]", "whole path"),
            ("command = [\"python3\", \"server.py\"]", "give its whole path"),
            ("command = [\"node\", \"-r=./bin/a.js\"]", "give its whole path"),
            ("command = [\"a\"]\nurl = \"https://a\"", "not both"),
            ("command = [\"a\"]\nbearer_env = \"KEY\"", "headers go with a url"),
            ("url = \"https://a\"\nenv = [\"KEY\"]", "env goes with a command"),
            ("url = \"ftp://a\"", "begins with"),
            ("url = \"https:///x\"", "no host"),
            ("url = \"https://me:pw@a/\"", "password"),
            ("url = \"http://far.example/\"\nbearer_env = \"KEY\"", "https"),
            ("url = \"http://127.evil.example/\"\nbearer_env = \"KEY\"", "https"),
        ] {
            let error = check("notes", bad).unwrap_err();
            assert!(error.contains(word), "{bad}: {error}");
        }
        assert!(check("No tes", "command = [\"a\"]").is_err());
    }

    #[test]
    fn servers_are_resolved_and_those_switched_off_are_none() {
        let text = "[on]\ncommand = [\"~/bin/notes\"]\n[off]\ncommand = [\"a\"]\nenabled = false\n\
            [far]\nurl = \"https://a/\"\nbearer_env = \"B\"\nheaders_env = { X-Key = \"K\" }\ntimeout = 9999\n";
        let servers = resolved(toml::from_str(text).unwrap(), Some("/home/me"), true);
        let secret =
            |header: &str, before, variable: &str| Secret { header: header.into(), before, variable: variable.into() };
        let secrets = vec![secret("Authorization", "Bearer ", "B"), secret("X-Key", "", "K")];
        let far = Server {
            name: "far".into(),
            way: Way::Address { url: "https://a/".into(), secrets, proxy: true },
            timeout: Duration::from_secs(600),
        };
        let on = Server {
            name: "on".into(),
            way: Way::Program { argv: vec!["/home/me/bin/notes".into()], env: Vec::new() },
            timeout: Duration::from_secs(60),
        };
        assert_eq!(servers, [far, on]);
    }
}
