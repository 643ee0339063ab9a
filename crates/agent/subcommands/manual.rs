//! `agent manual DIR`: the manual pages, from the same source as --help.

use crate::args;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Writes `agent.1`, `agent-bench.1` and so on into `folder`.
///
/// # Errors
/// The folder or a page cannot be written.
pub(crate) fn manual(folder: &Path) -> Result<ExitCode> {
    let cannot = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(args::command().disable_help_subcommand(true), folder).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}
