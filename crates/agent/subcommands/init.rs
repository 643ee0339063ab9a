//! `agent init`: a session of the project without a model, for one call.

use super::consent;
use crate::session::{Plan, Purpose, Speaker};
use crate::start::speak;
use anyhow::Result;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Writes an `AGENTS.md`, if the user agrees to what it says.
pub(crate) fn init(runtime: &Runtime, yes: bool, plan: Plan) -> Result<ExitCode> {
    let consent = consent("AGENTS.md is written", yes)?;
    let plan = Plan { purpose: Purpose::Serve, speaker: Speaker::Script, earlier: None, ..plan };
    speak(runtime, plan, async |ops, events, streams| agent_headless::init(ops, events, consent, streams).await)
}
