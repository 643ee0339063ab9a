//! `agent hooks`, as it is said.

use clap::Subcommand;

pub(super) const CODES: &str = "\
Hooks stand in config.toml under [[hooks]]; docs/HOOKS.md tells what they can do. Your own run as they are. Those in a
project's .agent/config.toml run only after you approved them, and only as long as neither they nor the files that their
commands name change.

Exit codes:
  0 done · 1 not agreed to · 2 wrong usage or config, or nothing to approve";

/// What is done with hooks.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum HooksSubcommand {
    /// List the hooks of your config and of this project, and whether they are in force
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the hooks of this project whole, with the files that they run, and run them from now on if you agree
    Approve {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Run no hook of this project any more
    Forget,
}
