//! `agent mcp`, as it is said.

use super::ServersErrand;
use clap::{Args as Group, Subcommand};

pub(super) const CODES: &str = "\
Exit codes:
  0 done · 1 failed, or not agreed to · 2 wrong usage or config

A server whose program, settings or tools changed since you approved it is not used until you do so again.";

/// `agent mcp`
#[derive(Debug, Group)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) errand: Option<McpErrand>,
}

/// What is done about MCP.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum McpErrand {
    #[command(flatten)]
    Servers(ServersErrand),
}
