//! The values of `--allow`.

use agent_protocol::HostPattern;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use std::ffi::OsStr;
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
    Host(HostPattern),
    /// Commands reach any host
    AnyHost,
}

/// What one `--allow` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allowed(pub(crate) Vec<Allow>);

/// Those that are said with one word.
const WORDS: [(&str, Allow); 5] =
    [("write", Allow::Write), ("run", Allow::Run), ("commit", Allow::Commit), ("net", Allow::Net), ("mcp", Allow::Mcp)];

/// The beginnings of those that take a value, and the one value that is a word.
const WITH_VALUES: [&str; 3] = ["write=", "hosts=", "hosts=any"];

/// What can be said, for who was not understood.
const EXPECTED: &str = "write, write=DIR, run, commit, hosts=HOST,…, hosts=any, net, mcp";

impl Allow {
    /// Reads one value: words with commas between them, or one of the two that name something.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(text: &str) -> Result<Vec<Self>, String> {
        match text.split_once('=') {
            Some(("write", "")) => Err("expected a folder behind write=".into()),
            Some(("write", folder)) => Ok(vec![Allow::WriteIn(folder.into())]),
            Some(("hosts", hosts)) => hosts.split(',').map(Allow::host).collect(),
            Some(_) | None => text.split(',').map(Allow::word).collect(),
        }
    }

    fn host(text: &str) -> Result<Self, String> {
        if text.trim() == "any" { Ok(Allow::AnyHost) } else { text.parse().map(Allow::Host) }
    }

    fn word(text: &str) -> Result<Self, String> {
        let known = WORDS.into_iter().find(|(known, _)| *known == text.trim());
        known.map(|(_, allow)| allow).ok_or_else(|| format!("expected some of {EXPECTED}"))
    }

    /// The words that shells complete.
    pub(super) fn words() -> impl Iterator<Item = &'static str> {
        WORDS.into_iter().map(|(word, _)| word).chain(WITH_VALUES)
    }
}

/// Reads values of `--allow`, and tells shells what there is to complete.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllowParser;

impl TypedValueParser for AllowParser {
    type Value = Allowed;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Allowed, Error> {
        let text = value.to_str().ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        Allow::read(text).map(Allowed).map_err(|wrong| {
            let words = format!("invalid value '{text}' for '--allow <WHAT>': {wrong}\n");
            Error::raw(ErrorKind::ValueValidation, words).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Allow::words().map(PossibleValue::new)))
    }
}
