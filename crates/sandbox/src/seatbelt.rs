//! The sandbox of macOS, as the text that `sandbox-exec` reads: what may be written, and whether there is a network.
//!
//! Only words; see `elsewhere` for who uses them. Later rules count over earlier ones.

use agent_policy::SandboxLimits;
use agent_protocol::Profile;
use std::path::Path;

/// Files that anybody may write to: what is written is gone, or stays with the command.
const SINKS: &[&str] = &["/dev/null", "/dev/zero", "/dev/dtracehelper"];
/// What is so in each: no file is changed and nobody is talked to; nor are programs outside signalled, told what to do,
/// or started by another's hand.
const ALWAYS: &str = "(version 1)\n(allow default)\n(deny file-write*)\n(deny network*)\n(deny appleevent-send)\n\
    (deny signal)\n(allow signal (target same-sandbox))\n\
    (deny mach-lookup (global-name \"com.apple.coreservices.launchservicesd\") (global-name \"com.apple.pasteboard.1\"))\n";

/// The rules for `sandbox`; `None` where there are none. `temporary` is the session's folder, `places` are those of the
/// sandbox that are there, links resolved.
pub(crate) fn text(sandbox: &SandboxLimits, temporary: &Path, places: &[&Path]) -> Option<String> {
    let mut text = ALWAYS.to_owned();
    text.extend(SINKS.iter().map(|sink| format!("(allow file-write* (literal {}))\n", quoted(Path::new(sink)))));
    match sandbox.profile() {
        Profile::Unfenced => return None,
        Profile::ReadOnly => return Some(text),
        Profile::Project | Profile::Network => {}
    }
    for place in places.iter().copied().chain([temporary]) {
        text += &format!("(allow file-write* (subpath {}))\n", quoted(place));
        text += &format!(
            "(allow network* (local unix-socket (subpath {0})) (remote unix-socket (subpath {0})))\n",
            quoted(place)
        );
    }
    text.extend(sandbox.kept().iter().map(|file| format!("(deny file-write* (subpath {}))\n", quoted(file))));
    // There is one loopback for all: what listens on it is reached by everybody.
    if sandbox.profile() == Profile::Network {
        text += "(allow network-bind network-inbound (local ip))\n(allow network-outbound (remote udp))\n\
            (allow network-outbound (literal \"/private/var/run/mDNSResponder\"))\n";
        for port in sandbox.ports() {
            text += &format!("(allow network-outbound (remote tcp \"*:{port}\"))\n");
        }
    }
    Some(text)
}

/// What it does not hold, for whoever asks.
pub(crate) const NOT_HELD: &[&str] = &[
    "not held: a command can read what you can",
    "not held: commands have no network of their own here, so none by host either: no network, or the listed ports",
    "not held: there is one loopback; a command with network reaches what listens on it at a listed port",
    "not held: /tmp is everybody's; commands use $TMPDIR",
    "not held: what makes a session of its own outlives its command",
];

/// As a string of the language the text is in.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_policy::Grounds;
    use agent_protocol::SandboxKind;

    fn grounds() -> Grounds {
        Grounds { root: "/Users/me/a \"b\"".into(), writable: vec!["/Users/me/cache".into()], ports: vec![80, 443] }
    }

    #[test]
    fn who_only_reads_writes_to_nothing_that_stays() {
        let text = text(&SandboxLimits::for_facts(Path::new("/Users/me/p")), Path::new("/private/tmp/t"), &[]).unwrap();
        assert!(text.contains("(deny file-write*)\n(deny network*)\n"), "{text}");
        assert!(!text.contains("(allow network") && !text.contains("subpath"), "{text}");
        assert_eq!(text.matches("(allow file-write*").count(), SINKS.len());
    }

    #[test]
    fn with_network_the_places_are_quoted_and_the_ports_are_those_listed() {
        let sandbox = SandboxLimits::for_server(&grounds(), SandboxKind::Kernel);
        let places: Vec<&Path> = sandbox.writable().iter().map(|path| path.as_path()).chain([sandbox.root()]).collect();
        let text = text(&sandbox, Path::new("/private/tmp/t"), &places).unwrap();
        for rule in [
            "(allow file-write* (subpath \"/Users/me/a \\\"b\\\"\"))",
            "(allow file-write* (subpath \"/Users/me/cache\"))",
            "(allow file-write* (subpath \"/private/tmp/t\"))",
            "(allow network-outbound (remote tcp \"*:443\"))",
        ] {
            assert!(text.contains(rule), "{rule}\n{text}");
        }
        assert!(!text.contains("\"*:8080\"") && !text.contains("(allow network*)"), "{text}");
        assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
    }

    #[test]
    fn without_a_sandbox_there_is_no_text() {
        let sandbox = SandboxLimits::for_server(&grounds(), SandboxKind::Off);
        assert_eq!(text(&sandbox, Path::new("/t"), &[]), None);
        assert!(NOT_HELD.iter().any(|line| line.contains("one loopback")));
    }
}
