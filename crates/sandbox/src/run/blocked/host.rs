//! Which host a program wanted to reach, by what it says of its failure.

/// What stands right before the name of a host, in small letters.
const BEFORE: &[&str] = &[
    "resolve host:",
    "resolve hostname",
    "host address",
    "failed to connect to",
    "failed to lookup address information for",
    "dial tcp: lookup",
    "dial tcp",
    "dial unix",
    "getaddrinfo eai_again",
    "getaddrinfo enotfound",
    "unknownhostexception:",
    "resolving",
    "connect enetunreach",
    "connect eperm",
    "connect eacces",
    "connecting to",
    "connect to",
];

/// The host, or the socket, that a text of failure names.
pub(super) fn named(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let behind = |words: &&str| {
        let mut found = lower.match_indices(*words);
        found.find_map(|(at, words)| place(&text[at + words.len()..]))
    };
    BEFORE.iter().find_map(behind).or_else(|| {
        let mut found = text.match_indices("://");
        found.find_map(|(at, slashes)| place(&text[at + slashes.len()..]))
    })
}

/// The name at the beginning of a text.
fn place(text: &str) -> Option<String> {
    let text = text.trim_start_matches([' ', '\'', '"', '‘', '`']);
    let socket = text.starts_with('/');
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') || socket && *c == '/';
    let name: String = text.chars().take_while(fits).collect();
    let name = name.trim_end_matches(['.', '-']);
    let is_host = name.contains('.') || socket && name.len() > 1;
    is_host.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn the_host_is_told_that_a_program_names() {
        for (text, host) in [
            ("curl: (6) Could not resolve host: example.com", Some("example.com")),
            ("fatal: unable to access 'https://git.example.com/a/': oh", Some("git.example.com")),
            ("ssh: Could not resolve hostname example.org: Temporary failure in name resolution", Some("example.org")),
            ("wget: unable to resolve host address ‘example.com’", Some("example.com")),
            ("  [cause]: Error: getaddrinfo EAI_AGAIN pkg.example.com", Some("pkg.example.com")),
            ("java.net.UnknownHostException: repo.example.com: Temporary failure", Some("repo.example.com")),
            ("Error: connect ENETUNREACH 192.0.2.7:443", Some("192.0.2.7")),
            ("dial unix /var/run/docker.sock: socket: operation not permitted", Some("/var/run/docker.sock")),
            ("OSError: [Errno 101] Network is unreachable", None),
        ] {
            assert_eq!(named(text).as_deref(), host, "{text}");
        }
    }
}
