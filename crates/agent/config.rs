//! Settings from files and environment, in layers; flags come on top of them at the end.
//!
//! Each file is parsed by itself, so that an error names the file and the line, and merged afterwards.

mod file;
mod models;
mod nearest;
mod project;

use agent_protocol::{Mode, Think};
use agent_tools::Selection;
use agent_tui::keymap::Binding;
use agent_turn::{Family, Limits, ToolsMode};
use anyhow::{Context, Result, anyhow};
use file::File;
use serde_json::{Map, Value};
use std::num::NonZeroU64;
use std::path::Path;

/// The built-in layer.
const DEFAULT: &str = include_str!("../../config/default.toml");

/// What is known of families of models.
const MODELS: &str = include_str!("../../config/models.toml");

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
    pub(crate) limits: Limits,
    pub(crate) tools_mode: ToolsMode,
    /// What the person and the project say of tools; each narrows what the one before leaves.
    pub(crate) selections: Vec<Selection>,
    /// The person's first, then the built-in ones.
    pub(crate) families: Vec<Family>,
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
    let families = families(sources.user_folder)?;
    let (mut notices, mut selections) = (Vec::new(), vec![selection(&merged)]);
    let ours = sources.project.join(".agent/config.toml");
    if let Some(layer) = read(&ours)? {
        project::tighten(&mut merged, &layer, &mut notices);
        selections.push(selection(&layer));
    }
    merged.cover_with(from_env(sources.env)?);
    Ok(Config { selections, families, notices, ..resolve(merged, sources.env) })
}

fn selection(layer: &File) -> Selection {
    let list = |words: &Option<Vec<String>>| words.clone().unwrap_or_default();
    Selection { core: list(&layer.tools.core), exclude: list(&layer.tools.exclude) }
}

fn families(user_folder: &Path) -> Result<Vec<Family>> {
    let path = user_folder.join("models.toml");
    let mut families = match text(&path)? {
        Some(text) => models::parse(&text).map_err(|error| anyhow!("{}:{error}", path.display()))?,
        None => Vec::new(),
    };
    families.extend(models::parse(MODELS).map_err(|error| anyhow!(error)).context("built-in config/models.toml")?);
    Ok(families)
}

fn read(path: &Path) -> Result<Option<File>> {
    let Some(text) = text(path)? else { return Ok(None) };
    File::parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// The text of a file of settings, if there is one.
fn text(path: &Path) -> Result<Option<String>> {
    match std::fs::metadata(path).and_then(|file| {
        let plain = file.is_file() && file.len() <= LONGEST;
        if plain { std::fs::read_to_string(path) } else { Err(std::io::Error::other("no plain file of settings")) }
    }) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn from_env(env: fn(&str) -> Option<String>) -> Result<File> {
    let said = |name| env(name).filter(|value| !value.trim().is_empty());
    let num_ctx = said("AGENT_NUM_CTX")
        .map(|text| text.parse().with_context(|| format!("AGENT_NUM_CTX is {text:?}; it takes a number of tokens")))
        .transpose()?;
    Ok(File { host: said("AGENT_HOST"), model: said("AGENT_MODEL"), num_ctx, ..File::default() })
}

/// `OLLAMA_HOST` comes last of all hosts: it is the server's variable, not ours.
fn resolve(file: File, env: fn(&str) -> Option<String>) -> Config {
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
        limits: Limits {
            steps: file.limits.steps.expect(DEFAULTED).get(),
            repeats: file.limits.repeats.expect(DEFAULTED).get(),
            alternations: file.limits.alternations.expect(DEFAULTED).get(),
            same_words: file.limits.same_words.expect(DEFAULTED).get(),
        },
        tools_mode: match file.tools.mode.expect(DEFAULTED) {
            file::ToolsMode::Auto => ToolsMode::Auto,
            file::ToolsMode::Native => ToolsMode::Native,
            file::ToolsMode::Text => ToolsMode::Text,
        },
        selections: Vec::new(),
        families: Vec::new(),
        mouse: file.screen.mouse.expect(DEFAULTED),
        colour: file.screen.colour != Some(file::Colour::Never) && !no_colour,
        keys,
        notices: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
