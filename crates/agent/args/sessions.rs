//! `agent sessions`, as it is said.

use clap::{Args as Group, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

pub(super) const CODES: &str = "\
Exit codes:
  0 done · 1 failed, not agreed to, or open elsewhere · 2 wrong usage
  4 no such session, or several begin so · 130 interrupted · 141 output closed

An ID is the name in the list, or as much of its beginning as no other has. No server is needed.";

/// `agent sessions`
#[derive(Debug, Group)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    subcommand: Option<SessionsSubcommand>,

    /// List those of all projects
    #[arg(long)]
    all: bool,

    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What is done with sessions.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum SessionsSubcommand {
    /// List this project's, the newest first (the same as `agent sessions`)
    List {
        /// List those of all projects
        #[arg(long)]
        all: bool,
    },
    /// Print what was said and done in a session
    Show {
        /// Its ID, or the beginning of it
        id: String,

        /// As Markdown, which is the default; --json prints every record
        #[arg(long, conflicts_with = "json")]
        markdown: bool,
    },
    /// Write a session out for other programs or people
    Export {
        /// Its ID, or the beginning of it; without it the last of this project
        id: Option<String>,

        /// markdown to read, json with every record, or atif: the trajectory format of Harbor
        #[arg(long, value_enum, default_value = "markdown")]
        format: SessionFormat,

        /// Into this file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Remove sessions for good; files of projects stay as they are
    Rm {
        /// Their IDs, or the beginnings of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,

        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Remove the sessions, of all projects, that were last written to longer ago than AGE
    Prune {
        /// Hours, days or weeks: 12h, 30d, 8w
        #[arg(long, value_name = "AGE", value_parser = age)]
        older_than: Duration,

        /// Do not ask
        #[arg(long)]
        yes: bool,

        /// Only tell which ones they are
        #[arg(long, conflicts_with = "yes")]
        dry_run: bool,
    },
}

/// In which format a session is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionFormat {
    Markdown,
    Json,
    Atif,
}

impl Sessions {
    /// What is to be done.
    pub(crate) fn subcommand(&self) -> SessionsSubcommand {
        match &self.subcommand {
            Some(SessionsSubcommand::List { all }) => SessionsSubcommand::List { all: *all || self.all },
            Some(other) => other.clone(),
            None => SessionsSubcommand::List { all: self.all },
        }
    }

    /// What cannot be said together.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        match &self.subcommand {
            Some(SessionsSubcommand::Show { markdown: true, .. }) if self.json => {
                Some("--markdown and --json are two ways to print one session; leave one of them out")
            }
            Some(SessionsSubcommand::Export { .. }) if self.json => {
                Some("`export` has its own way to say it: --format json")
            }
            Some(
                SessionsSubcommand::Show { .. }
                | SessionsSubcommand::Export { .. }
                | SessionsSubcommand::Rm { .. }
                | SessionsSubcommand::Prune { .. },
            ) if self.all => Some("--all goes with `list` alone"),
            _ => None,
        }
    }
}

/// An age as it is written.
fn age(text: &str) -> Result<Duration, String> {
    let hours = text.char_indices().next_back().and_then(|(at, unit)| {
        let hours: u64 = match unit {
            'h' => 1,
            'd' => 24,
            'w' => 7 * 24,
            _ => return None,
        };
        text[..at].parse::<u64>().ok()?.checked_mul(hours)?.checked_mul(60 * 60)
    });
    hours.map(Duration::from_secs).ok_or_else(|| "expected a number with h, d or w, like 12h, 30d or 8w".to_owned())
}
