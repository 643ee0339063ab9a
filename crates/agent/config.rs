//! Settings from files and environment, in layers; flags come on top of them at the end.
//!
//! Each file is parsed by itself, so that an error names the file and the line, and merged afterwards.

mod file;
mod nearest;
mod project;

use agent_protocol::{Mode, Think};
use agent_tui::keymap::Binding;
use anyhow::{Context, Result, anyhow};
use file::File;
use serde_json::{Map, Value};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// The built-in layer.
const DEFAULT: &str = include_str!("../../config/default.toml");

/// Nobody writes longer settings.
const LONGEST: u64 = 1 << 20;

const DEFAULTED: &str = "config/default.toml sets it, and no layer can unset it";

/// All settings, layers merged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) host: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) num_ctx: Option<u64>,
    pub(crate) keep_alive: Option<String>,
    pub(crate) think: Option<Think>,
    pub(crate) mode: Mode,
    pub(crate) options: Map<String, Value>,
    pub(crate) step_limit: u32,
    pub(crate) repeat_limit: u32,
    pub(crate) mouse: bool,
    pub(crate) colour: bool,
    pub(crate) keys: Vec<Binding>,
    /// What the person should know about their layers.
    pub(crate) notices: Vec<String>,
}

/// Where the layers are found.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'a> {
    pub(crate) user_folder: &'a Path,
    pub(crate) project: &'a Path,
    /// Looks an environment variable up.
    pub(crate) env: fn(&str) -> Option<String>,
}

/// Reads and merges all layers below the flags.
pub(crate) fn load(sources: &Sources<'_>) -> Result<Config> {
    let mut merged = File::parse(DEFAULT).map_err(|error| anyhow!(error)).context("built-in config/default.toml")?;
    let user = sources.user_folder.join("config.toml");
    if let Some(layer) = read(&user)? {
        merged.cover_with(layer);
    }
    let mut notices = Vec::new();
    let ours = sources.project.join(".agent/config.toml");
    if let Some(layer) = read(&ours)? {
        project::tighten(&mut merged, &layer, &mut notices);
    }
    merged.cover_with(from_env(sources.env)?);
    Ok(resolve(merged, notices, sources.env))
}

fn read(path: &PathBuf) -> Result<Option<File>> {
    let text = match std::fs::metadata(path).and_then(|file| {
        let plain = file.is_file() && file.len() <= LONGEST;
        if plain { std::fs::read_to_string(path) } else { Err(std::io::Error::other("no plain file of settings")) }
    }) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    File::parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

fn from_env(env: fn(&str) -> Option<String>) -> Result<File> {
    let said = |name| env(name).filter(|value| !value.trim().is_empty());
    let num_ctx = said("AGENT_NUM_CTX")
        .map(|text| text.parse().with_context(|| format!("AGENT_NUM_CTX is {text:?}; it takes a number of tokens")))
        .transpose()?;
    Ok(File { host: said("AGENT_HOST"), model: said("AGENT_MODEL"), num_ctx, ..File::default() })
}

/// `OLLAMA_HOST` comes last of all hosts: it is the server's variable, not ours.
fn resolve(file: File, notices: Vec<String>, env: fn(&str) -> Option<String>) -> Config {
    let keys = file.bindings();
    let no_colour = env("NO_COLOR").is_some_and(|value| !value.is_empty());
    Config {
        host: file.host.or_else(|| env("OLLAMA_HOST").filter(|host| !host.trim().is_empty())),
        model: file.model,
        num_ctx: file.num_ctx.map(NonZeroU64::get),
        keep_alive: file.keep_alive,
        think: file.think,
        mode: file.mode.expect(DEFAULTED),
        options: file.options,
        step_limit: file.limits.steps.expect(DEFAULTED).get(),
        repeat_limit: file.limits.repeats.expect(DEFAULTED).get(),
        mouse: file.screen.mouse.expect(DEFAULTED),
        colour: file.screen.colour != Some(file::Colour::Never) && !no_colour,
        keys,
        notices,
    }
}

#[cfg(test)]
mod tests;
