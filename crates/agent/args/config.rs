//! `agent config`, as it is said.

use clap::Args as Group;

pub(super) const CODES: &str = "\
Exit codes:
  0 done · 1 not written · 2 wrong usage, nothing of this name is set, or your file cannot be read whole · 141 output closed

Flags go before all of it. What is written goes into your own config.toml, whose path is in the first line, and counts from the
next start on; comments in it stay.";

/// `agent config`
#[derive(Debug, Group)]
pub(crate) struct ConfigWish {
    /// Only this setting, or this section: `sandbox`, `limits.steps`
    pub(crate) name: Option<String>,

    /// Write this value for it into your config.toml: `agent config screen.theme dark`
    #[arg(requires = "name")]
    pub(crate) value: Option<String>,

    /// Take it out of your config.toml, so that the default holds
    #[arg(long, requires = "name", conflicts_with_all = ["value", "json"])]
    pub(crate) unset: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "value")]
    pub(crate) json: bool,

    /// Print every setting there is, with its default and what it does
    #[arg(long, conflicts_with_all = ["name", "json"])]
    pub(crate) defaults: bool,
}
