//! What `agent mcp` does about servers that bring tools of their own, as it is said.

use clap::Subcommand;

/// What is done with the servers of the config.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum ServersSubcommand {
    /// List the MCP servers of your config, and whether you approved them
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Start an MCP server of your config, show what it is and what tools it has, and use it from now on if you agree
    Approve {
        /// Its name in the config
        name: String,

        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Use the tools of an MCP server no longer
    Forget {
        /// Its name
        name: String,
    },
}
