//! A file of settings is read: its text, and what that says. An error names the file and the line.

use super::file::{self, File};
use super::{models, themes};
use agent_session::{Family, ModelSize};
use anyhow::{Context, Result, anyhow};
use std::path::Path;

const LONGEST: u64 = 1 << 20;

pub(super) fn read_models(path: &Path) -> Result<Option<(Vec<Family>, Vec<ModelSize>)>> {
    let Some(text) = text(path)? else { return Ok(None) };
    models::parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

pub(super) fn read(path: &Path) -> Result<Option<File>> {
    text(path)?.map(|text| parsed(path, &text)).transpose()
}

/// What `text` says, as the file at `path`.
pub(super) fn parsed(path: &Path, text: &str) -> Result<File> {
    let in_file = |fault| anyhow!("{}:{fault}", path.display());
    let mut file = File::parse(text).map_err(in_file)?;
    themes::find(&mut file, path, text)?;
    let later = file.later(text).into_iter().next();
    later.map_or(Ok(file), |(_, fault)| Err(in_file(fault)))
}

/// The text of a file of settings, if there is one.
pub(super) fn text(path: &Path) -> Result<Option<String>> {
    match std::fs::metadata(path).and_then(|file| match (file.is_file(), file.len() <= LONGEST) {
        (true, true) => std::fs::read(path),
        (true, false) => Err(std::io::Error::other("longer than 1 MB")),
        (false, _) => Err(std::io::Error::other("no plain file of settings")),
    }) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let (before, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let place = file::place(&String::from_utf8_lossy(before), before.len());
            anyhow!("{}:{place}: this is no UTF-8 text", path.display())
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}
