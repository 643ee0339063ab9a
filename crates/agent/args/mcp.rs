//! `agent mcp`, as it is said.

use super::{AllowParser, Allowed, ServersSubcommand, Wishes};
use clap::{Args as Group, Subcommand};
use std::path::PathBuf;

pub(super) const CODES: &str = "\
The other program starts this command itself, writes to its standard input and reads its standard
output; add it where that program keeps its list of MCP servers:
  {\"command\": \"agent\", \"args\": [\"mcp\", \"-C\", \"/path/to/project\", \"--allow\", \"write\"]}

What would ask a person asks through the other program, where that can (MCP elicitation); else it is
refused, unless a flag allows it. No model server is needed.

Exit codes:
  0 done, or the other program closed its end · 1 failed, or not agreed to · 2 wrong usage or config ·
  128+n ended by signal n

A server whose program, settings or tools changed since you approved it is not used until you do so again.";

/// `agent mcp`
#[derive(Debug, Group)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) subcommand: Option<McpSubcommand>,

    /// Work in DIR instead of the current folder
    #[arg(short = 'C', value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// Inside the project nothing asks but protected files; commands run unasked, in the sandbox
    #[arg(long = "unsafe")]
    unsafe_mode: bool,

    /// Nothing is changed, whoever agrees to it
    #[arg(long, conflicts_with = "unsafe_mode")]
    plan: bool,

    /// Offer only tools of these groups, as for a session
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = super::tool_group)]
    tools: Vec<String>,

    /// Trust the project folder in this run
    #[arg(long)]
    trust: bool,

    /// Let this happen inside the project without a question: write (files), run (commands), commit, net, mcp, write=DIR,
    /// hosts=HOST,… or hosts=any; `agent --help` shows what each covers
    #[arg(long, value_name = "WHAT", hide_possible_values = true, value_parser = AllowParser)]
    allow: Vec<Allowed>,
}

/// What is done about MCP.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum McpSubcommand {
    /// Offer our tools to another program over standard input and output (the same as `agent mcp`)
    Serve,
    #[command(flatten)]
    Servers(ServersSubcommand),
}

impl Mcp {
    /// What is said before and after `mcp` is said of the same session.
    pub(super) fn over(&self, before: Wishes) -> Wishes {
        Wishes {
            unsafe_mode: self.unsafe_mode || before.unsafe_mode,
            plan: self.plan || before.plan,
            tools: if self.tools.is_empty() { before.tools } else { self.tools.clone() },
            trust: self.trust || before.trust,
            allow: [before.allow, self.allow.clone()].concat(),
            ..before
        }
    }
}
