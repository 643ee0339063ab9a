//! Exercises of Exercism tracks and of Aider's polyglot tree, as a person has them, made into tasks.
//!
//! Reads `LANG/exercises/practice/NAME/`, or a single track. What can be made of an exercise is decided from its files
//! (`exercise`) and from a table of languages (`language`); whether it holds is tried here by its own example.

mod exercise;
mod language;

use crate::grading::{GradingPlace, grade};
use crate::selftest::SelfTestError;
use crate::task::Template;
use crate::tree;
use crate::tries::ImportProtocol;
use language::{LANGUAGES, Language};
use std::fs;
use std::path::{Path, PathBuf};

/// Where a track has its exercises.
const PRACTICE: &str = "exercises/practice";

/// What a folder of exercises holds.
#[derive(Debug, Default)]
pub struct Imported {
    pub templates: Vec<Template>,
    /// Those that are none, and why.
    pub left_out: Vec<(String, String)>,
}

/// Why a folder cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It holds no track.
    #[error("{} holds no exercises: neither LANGUAGE/{PRACTICE} nor {PRACTICE}", folder.display())]
    NoTrack { folder: PathBuf },
    /// A language that is not known.
    #[error("{name} is no language that can be imported; there are {}", names())]
    NoLanguage { name: String },
    /// A file or a folder.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

fn names() -> String {
    LANGUAGES.map(|language| language.name).join(", ")
}

/// The exercises in `folder`, those of `languages` alone where any is named, for this protocol.
///
/// # Errors
/// See [`ImportError`].
pub fn read(folder: &Path, languages: &[String], protocol: ImportProtocol) -> Result<Imported, ImportError> {
    for name in languages {
        if !LANGUAGES.iter().any(|language| language.is(name)) {
            return Err(ImportError::NoLanguage { name: name.clone() });
        }
    }
    let mut imported = Imported::default();
    let tracks = tracks(folder)?;
    if tracks.is_empty() {
        return Err(ImportError::NoTrack { folder: folder.to_owned() });
    }
    for (name, track) in tracks {
        match LANGUAGES.iter().find(|language| language.is(&name)) {
            Some(language) if languages.is_empty() || languages.iter().any(|name| language.is(name)) => {
                of_track(&mut imported, &track, (folder, language), protocol)?;
            }
            Some(_) => {}
            None if languages.is_empty() => {
                imported.left_out.push((name, "no language that can be imported".into()));
            }
            None => {}
        }
    }
    Ok(imported)
}

/// Languages by their folders' names, with where their exercises are.
fn tracks(folder: &Path) -> Result<Vec<(String, PathBuf)>, ImportError> {
    let mut tracks: Vec<(String, PathBuf)> =
        folders(folder)?.into_iter().filter(|(_, path)| path.join(PRACTICE).is_dir()).collect();
    if folder.join(PRACTICE).is_dir() {
        tracks.push((slug(folder), folder.to_owned()));
    }
    Ok(tracks)
}

/// What a track says it is, or what its folder is called.
fn slug(track: &Path) -> String {
    let text = fs::read(track.join("config.json")).unwrap_or_default();
    let said: Option<serde_json::Value> = serde_json::from_slice(&text).ok();
    let said = said.and_then(|config| config["slug"].as_str().map(str::to_owned));
    said.unwrap_or_else(|| track.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

fn of_track(
    imported: &mut Imported,
    track: &Path,
    (root, language): (&Path, &Language),
    protocol: ImportProtocol,
) -> Result<(), ImportError> {
    for (name, folder) in folders(&track.join(PRACTICE))? {
        let id = format!("{}-{name}", language.name);
        let files = tree::read(&folder).map_err(|source| ImportError::Io { path: folder.clone(), source })?;
        let modules = [&folder, track, root].iter().map(|at| at.join("node_modules")).find(|at| at.is_dir());
        match exercise::template((&id, &name), &files, language, protocol, modules.as_deref()) {
            Ok(template) => imported.templates.push(template),
            Err(why) => imported.left_out.push((id, why)),
        }
    }
    Ok(())
}

/// The folders in `folder` by their names.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>, ImportError> {
    let failed = |source| ImportError::Io { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().is_dir() {
            found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Why an imported exercise does not hold; nothing: its stub fails and its example passes.
///
/// # Errors
/// It is no task, or could not be graded.
pub async fn examine(place: &GradingPlace, template: &Template) -> Result<Option<String>, SelfTestError> {
    let task = template.fill(1)?;
    if task.solution.is_empty() {
        return Ok(Some("it has no example, so nothing shows that its tests can pass".into()));
    }
    let example = grade(place, &task, &tree::laid_over(&task.start, &task.solution)).await?;
    if !example.passed() {
        let last = example.output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Ok(Some(format!("its own example does not pass: {last}")));
    }
    let stub = grade(place, &task, &task.start).await?;
    Ok(stub.passed().then(|| "its tests pass without any change".into()))
}

#[cfg(test)]
mod tests;
