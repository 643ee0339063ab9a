//! `agent config`, as it is said.

use clap::Args as Group;

pub(super) const CODES: &str = "\
Exit codes:
  0 done · 2 wrong usage, nothing of this name is set, or your file cannot be read whole · 141 output closed

Flags go before all of it. To change a setting, write it into your config.toml, whose path is in the first line.";

/// `agent config`
#[derive(Debug, Group)]
pub(crate) struct ConfigWish {
    /// Only this setting, or this section: `sandbox`, `limits.steps`
    pub(crate) name: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Print every setting there is, with its default and what it does
    #[arg(long, conflicts_with_all = ["name", "json"])]
    pub(crate) defaults: bool,
}
