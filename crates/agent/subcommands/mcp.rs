//! `agent mcp`: a session of the project with tools and without a model, for another program.

use super::servers;
use crate::args::{Mcp, McpSubcommand};
use crate::session::{self, Plan, Purpose, Session, Speaker};
use crate::start::wind_up;
use agent_headless::{End, Pipes, Streams};
use anyhow::{Result, bail};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Does what `wish` says about MCP.
pub(crate) fn mcp(runtime: &Runtime, wish: &Mcp, plan: Plan) -> Result<ExitCode> {
    match &wish.subcommand {
        Some(McpSubcommand::Servers(subcommand)) => servers::servers(runtime, subcommand, &plan),
        Some(McpSubcommand::Serve) | None => serve(runtime, plan),
    }
}

fn serve(runtime: &Runtime, plan: Plan) -> Result<ExitCode> {
    if io::stdout().is_terminal() {
        bail!("`agent mcp` talks to a program and not to a person; `agent mcp --help` says where to add it");
    }
    let plan = Plan { purpose: Purpose::Serve, speaker: Speaker::Script, earlier: None, ..plan };
    let Session { ops, events, ended } = session::open(plan, runtime.handle())?;
    let pipes = Pipes { input: Box::new(io::stdin()), output: Box::new(io::stdout()) };
    // Not locked: what breaks elsewhere is told there, too.
    let (mut out, mut progress) = (io::sink(), io::stderr());
    let mut streams = Streams {
        out_is_terminal: false,
        progress_is_terminal: progress.is_terminal(),
        redraws: crate::start::redraws(),
        out: &mut out,
        progress: &mut progress,
    };
    let version = env!("CARGO_PKG_VERSION");
    let end = runtime.block_on(agent_headless::serve(ops, events, version, pipes, &mut streams));
    runtime.block_on(wind_up(ended));
    Ok(ExitCode::from(end.unwrap_or(End::Failed).code()))
}
