//! Looks into files, several at a time, and at no more of them than is good for anybody.

use super::rights;
use super::secrets::{self, SecretFindings};
use crate::blocking::Stop;
use crate::open::{Found, open, read_all};
use crate::tools::code::each::each;
use crate::workspace::Workspace;
use agent_syntax::security::{Finding, calls};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes of the largest file that is looked into. Larger ones are data.
const LARGEST: u64 = 1 << 20;
/// Bytes that are read in all.
const ALL: u64 = 512 << 20;
/// How long it may take.
const TIME: Duration = Duration::from_secs(45);
/// Bytes at the beginning of a file that tell whether it is text.
const BEGINNING: usize = 8_000;

/// Names of files that programs fill with hashes.
const LOCKS: &str = "Cargo.lock package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock poetry.lock \
    uv.lock pdm.lock Pipfile.lock go.sum composer.lock Gemfile.lock flake.lock deno.lock pubspec.lock \
    mix.lock Package.resolved gradle.lockfile .secrets.baseline";

/// Something found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedFinding {
    /// As a person would name it.
    pub(super) file: String,
    pub(super) finding: Finding,
}

/// What was looked at, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) findings: Vec<PlacedFinding>,
    pub(super) files: usize,
    pub(super) bytes: u64,
    /// Files too large, and those there was no time for.
    pub(super) too_large: usize,
    pub(super) not_reached: usize,
    /// Names of files with more secrets than are told.
    pub(super) cut: Vec<String>,
    /// Names of files that were not looked into, for they say that they hold secrets.
    pub(super) closed: Vec<String>,
}

/// What came of one file.
#[derive(Default)]
struct One {
    places: Vec<PlacedFinding>,
    bytes: u64,
    too_large: bool,
    /// There was no time for all of it.
    left: bool,
    /// Its name, where it holds more secrets than are told.
    cut: Option<String>,
}

impl Looked {
    pub(super) fn at(workspace: &Workspace, files: &[PathBuf], closed: &[PathBuf], stop: &Stop) -> Self {
        let read = AtomicU64::new(0);
        let in_time = stop.until(Instant::now() + TIME);
        let (ones, not_reached) = each(files, TIME, stop, |path| one(workspace, path, &read, &in_time));
        let (shut, _) = each(closed, TIME, stop, |path| Some(unopened(workspace, path)));
        let mut looked = Looked { not_reached, ..Looked::default() };
        for (_, one) in ones {
            looked.files += usize::from(!one.too_large && !one.left);
            looked.not_reached += usize::from(one.left);
            looked.cut.extend(one.cut);
            looked.too_large += usize::from(one.too_large);
            looked.bytes += one.bytes;
            looked.findings.extend(one.places);
        }
        looked.findings.extend(shut.into_iter().flat_map(|(_, places)| places));
        looked.closed = closed.iter().map(|path| workspace.shown(path)).collect();
        looked
    }
}

/// What is in one file; `None` where it cannot be opened.
fn one(workspace: &Workspace, path: &Path, read: &AtomicU64, stop: &Stop) -> Option<One> {
    let Ok(Found::File(mut file, metadata)) = open(workspace, path) else { return None };
    let shown = workspace.shown(path);
    let mut findings = rights::findings(&metadata, path);
    let size = metadata.len();
    let too_large = size > LARGEST || read.fetch_add(size, Ordering::Relaxed) > ALL;
    let mut made = One { bytes: if too_large { 0 } else { size }, too_large, ..One::default() };
    if !too_large && let Ok(bytes) = read_all(&mut file, &shown, LARGEST) {
        match inside(path.strip_prefix(workspace.root()).unwrap_or(path), &bytes, stop) {
            Some(told) => {
                findings.extend(told.findings);
                made.cut = told.cut.then(|| shown.clone());
            }
            None => (made.left, made.bytes) = (true, 0),
        }
    }
    made.places = findings.into_iter().map(|finding| PlacedFinding { file: shown.clone(), finding }).collect();
    Some(made)
}

/// What is in a text; `None` where there was no time for all of it.
fn inside(path: &Path, bytes: &[u8], stop: &Stop) -> Option<SecretFindings> {
    let lock = path.file_name().is_some_and(|name| LOCKS.split(' ').any(|lock| name == lock));
    if lock || bytes[..bytes.len().min(BEGINNING)].contains(&0) {
        return Some(SecretFindings::default());
    }
    let text = String::from_utf8_lossy(bytes);
    let mut told = secrets::findings(path, &text, stop)?;
    stop.check().ok()?;
    told.findings.extend(calls(path, &text));
    Some(told)
}

/// What can be said of a file without a look into it.
fn unopened(workspace: &Workspace, path: &Path) -> Vec<PlacedFinding> {
    let Ok(Found::File(_, metadata)) = open(workspace, path) else { return Vec::new() };
    let findings = rights::findings(&metadata, path).into_iter().chain(rights::not_ignored(workspace.root(), path));
    findings.map(|finding| PlacedFinding { file: workspace.shown(path), finding }).collect()
}
