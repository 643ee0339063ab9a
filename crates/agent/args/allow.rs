//! What `--allow` can be told.

use agent_policy::host_pattern;
use std::path::PathBuf;

/// One thing that is let happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Allow {
    /// Changes to files
    Write,
    /// Shell commands
    Run,
    /// Commits
    Commit,
    /// Pages and searches
    Net,
    /// Calls of other servers' tools
    Mcp,
    /// Writing in this folder
    WriteIn(PathBuf),
    /// Commands reach this host
    Host(String),
    /// Commands reach any host
    AnyHost,
}

/// What one `--allow` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allowed(pub(crate) Vec<Allow>);

/// Those that are said with one word.
pub(crate) const WORDS: [(&str, Allow); 5] =
    [("write", Allow::Write), ("run", Allow::Run), ("commit", Allow::Commit), ("net", Allow::Net), ("mcp", Allow::Mcp)];

/// Reads what one `--allow` says: words with commas between them, or one of the two that take a value.
pub(crate) fn allowed(text: &str) -> Result<Allowed, String> {
    if let Some(folder) = text.strip_prefix("write=") {
        return match folder {
            "" => Err("expected a folder behind write=".into()),
            folder => Ok(Allowed(vec![Allow::WriteIn(folder.into())])),
        };
    }
    if let Some(hosts) = text.strip_prefix("hosts=") {
        let host = |text: &str| if text == "any" { Ok(Allow::AnyHost) } else { host_pattern(text).map(Allow::Host) };
        return hosts.split(',').map(host).collect::<Result<_, _>>().map(Allowed);
    }
    let word = |word: &str| {
        let known = WORDS.into_iter().find(|(known, _)| *known == word.trim());
        known.map(|(_, allow)| allow).ok_or_else(|| {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            format!("expected {}, write=DIR, hosts=HOST,… or hosts=any", words.join(", "))
        })
    };
    text.split(',').map(word).collect::<Result<_, _>>().map(Allowed)
}
