//! Did a command whose time was up mean to go on? A server and a watcher do not end by themselves, and whoever waits for
//! that waits in vain; in the background they may run as long as the session.

use agent_sandbox::Kept;

/// For the user, behind that its time was up.
pub(super) const SHOWN: &str = "it looks like a server: the model is told to start it in the background";

/// What servers and watchers say when they are ready, in small letters.
const READY: &[&str] = &[
    "listening on",
    "listening at",
    "listening for",
    "server is running",
    "server running",
    "server started",
    "serving http",
    "serving on",
    "running on http",
    "running at http",
    "started server",
    "development server at",
    "http://localhost:",
    "http://127.0.0.1:",
    "http://0.0.0.0:",
    "https://localhost:",
    "http://[::1]:",
    "watching for",
    "watching path",
    "waiting for file changes",
    "waiting for changes",
    "watch usage",
    "ready in ",
    "ready on ",
    "ready - started",
    "ready to accept connections",
    "accepting connections",
];
/// Words of a command that are not meant to end by themselves, whatever they say.
const MEANT: &[&str] = &["http.server", "runserver", "--watch", "nodemon", "uvicorn", "gunicorn", "http-server"];

/// Does `command`, whose time was up, look like one that does not end by itself?
pub(super) fn serves(command: &str, said: &Kept) -> bool {
    let said = format!("{}{}", said.head, said.tail).to_lowercase();
    let words = |word: &str| MEANT.contains(&word);
    READY.iter().any(|words| said.contains(words)) || command.split_whitespace().any(words)
}

pub(super) fn told(after: u64) -> String {
    format!(
        "stopped after {after} s; this looks like a server or a watcher, which does not end by itself: start it again with \
         background: true, then use jobs to see what it says"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_sandbox::Lost;

    fn kept(head: &str) -> Kept {
        Kept { head: head.into(), lost: Lost::default(), tail: String::new() }
    }

    #[test]
    fn a_server_is_known_by_what_it_says_or_is_called() {
        for said in [
            "> dev\n> vite\n  VITE v5  ready in 300 ms\n",
            "Listening on http://localhost:3000",
            "Serving HTTP on 0.0.0.0 port 8000",
            " * Running on http://127.0.0.1:5000",
            "Watching for file changes with StatReloader",
        ] {
            assert!(serves("npm start", &kept(said)), "{said}");
        }
        assert!(serves("python3 -m http.server", &kept("")), "it says nothing into a pipe");
        assert!(serves("npx tsc --watch", &kept("")));
        for said in ["", "Compiling a v0.1.0", "test server::starts ... ok", "waiting for lock on build directory"] {
            assert!(!serves("cargo test", &kept(said)), "{said}");
        }
    }
}
