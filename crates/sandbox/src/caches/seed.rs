//! Lays what the user has downloaded into the cache of a project: large things that are never changed as links, which
//! the sandbox lets commands read and not write; small ones that programs change in place as copies.
//!
//! Never hard links: a command could change the user's file through one. Never a whole home, settings or credentials.
//! What has no row here (pip, uv, Deno, Composer …) asks its server anyway, or has no way to share without writing.
//!
//! This runs outside the sandbox and writes where commands have been: part by part, by descriptors, never through a link.

use super::variables::Given;
use crate::temporary::FOLDER;
use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, renameat, statat, symlinkat, unlinkat};
use std::ffi::OsStr;
use std::fs::{DirEntry, File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The longest it takes; what is missing then is downloaded.
const LONGEST: Duration = Duration::from_secs(2);
/// Names that are looked at.
const MOST_NAMES: usize = 100_000;
/// Bytes that are copied in one start, and of one file.
const MOST_BYTES: u64 = 256 << 20;
const MOST_OF_ONE: u64 = 32 << 20;
/// Nobody nests folders of downloads deeper.
const DEEPEST: usize = 24;
/// What a copy is called until it is whole.
const UNFINISHED: &str = ".laid-in-by-agent";

/// One place of the user's with downloads.
struct Row {
    from: fn(&Given) -> Option<&PathBuf>,
    within: &'static str,
    to: &'static str,
    what: What,
    how: How,
}

/// What is taken of it.
#[derive(Clone, Copy)]
enum What {
    /// Files anywhere below, with one of these endings; with none: all.
    Files(&'static [&'static str]),
    /// Whatever lies so many folders down; a folder only if it holds this file, and that is not empty.
    Entries(usize, Option<&'static str>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Link,
    Copy,
}

/// Says that Cargo has unpacked all of it.
const UNPACKED: Option<&str> = Some(".cargo-ok");

const fn row(
    from: fn(&Given) -> Option<&PathBuf>,
    within: &'static str,
    to: &'static str,
    what: What,
    how: How,
) -> Row {
    Row { from, within, to, what, how }
}

const ROWS: &[Row] = &[
    row(|own| own.cargo.as_ref(), "registry/cache", "cargo/registry/cache", What::Files(&["crate"]), How::Link),
    row(|own| own.cargo.as_ref(), "registry/src", "cargo/registry/src", What::Entries(2, UNPACKED), How::Link),
    row(|own| own.cargo.as_ref(), "registry/index", "cargo/registry/index", What::Files(&[]), How::Copy),
    row(|own| own.cargo.as_ref(), "git/checkouts", "cargo/git/checkouts", What::Entries(2, UNPACKED), How::Link),
    row(|own| own.cargo.as_ref(), "git/db", "cargo/git/db", What::Entries(1, None), How::Copy),
    row(
        |own| own.go.as_ref(),
        "cache/download",
        "go/pkg/mod/cache/download",
        What::Files(&["zip", "mod", "info", "ziphash"]),
        How::Link,
    ),
    row(|own| own.npm.as_ref(), "_cacache/content-v2", "npm/_cacache/content-v2", What::Files(&[]), How::Link),
    row(|own| own.npm.as_ref(), "_cacache/index-v5", "npm/_cacache/index-v5", What::Files(&[]), How::Copy),
    row(|own| own.gradle.as_ref(), "wrapper/dists", "gradle/wrapper/dists", What::Entries(3, None), How::Link),
    // Browsers, models and package managers that programs have downloaded for themselves.
    row(|own| own.cache.as_ref(), "ms-playwright", "xdg/ms-playwright", What::Entries(1, None), How::Link),
    row(|own| own.cache.as_ref(), "Cypress", "xdg/Cypress", What::Entries(1, None), How::Link),
    row(|own| own.cache.as_ref(), "huggingface/hub", "xdg/huggingface/hub", What::Entries(1, None), How::Link),
    row(|own| own.cache.as_ref(), "torch/hub", "xdg/torch/hub", What::Entries(2, None), How::Link),
    row(|own| own.cache.as_ref(), "node/corepack", "xdg/node/corepack", What::Entries(3, None), How::Link),
];

/// Begins to lay all of it into `files`; `None`: there is no thread for that, and it is downloaded.
pub(super) fn begin(files: OwnedFd, given: &Given, project: &Path) -> Option<JoinHandle<()>> {
    let (given, project) = (given.clone(), project.to_owned());
    std::thread::Builder::new().name("caches".into()).spawn(move || all(&files, &given, &project)).ok()
}

pub(super) fn all(files: &OwnedFd, given: &Given, project: &Path) {
    let mut budget = Budget { until: Instant::now() + LONGEST, names: MOST_NAMES, bytes: MOST_BYTES };
    for row in ROWS {
        let Some(source) = (row.from)(given).and_then(|own| own.join(row.within).canonicalize().ok()) else { continue };
        if !source.is_dir() {
            continue;
        }
        // What stands in the way was put there by a command, and is its own loss.
        let _ = folder(files.as_fd(), row.to).and_then(|into| lay(&source, &into, row, 1, &mut budget));
    }
    let _ = settings(files, given, project);
}

/// What one start may cost.
struct Budget {
    until: Instant,
    names: usize,
    bytes: u64,
}

impl Budget {
    fn spend(&mut self, bytes: u64) -> io::Result<()> {
        if Instant::now() > self.until || self.names == 0 || self.bytes < bytes {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        (self.names, self.bytes) = (self.names - 1, self.bytes - bytes);
        Ok(())
    }
}

fn lay(source: &Path, into: &OwnedFd, row: &Row, depth: usize, budget: &mut Budget) -> io::Result<()> {
    for entry in std::fs::read_dir(source)?.flatten() {
        budget.spend(0)?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let goes = match row.what {
            What::Files(endings) => kind.is_file() && has_ending(&name, endings),
            What::Entries(down, marker) => depth == down && is_whole(&entry, marker) && !is_of_the_moment(&name),
        };
        let deeper = match row.what {
            What::Files(_) => depth < DEEPEST && name != ".git",
            What::Entries(down, _) => depth < down,
        };
        if goes {
            // One that is there already, or cannot be taken, keeps nobody from the others.
            let _ = match row.how {
                How::Link => symlinkat(entry.path(), into, &name).map_err(Into::into),
                How::Copy => copy(&entry, into, budget),
            };
        } else if kind.is_dir() && deeper {
            // A link that was laid in here, or something else that a command put there, is left alone.
            if let Ok(into) = folder(into.as_fd(), &name) {
                lay(&entry.path(), &into, row, depth + 1, budget)?;
            }
        }
    }
    Ok(())
}

fn has_ending(name: &OsStr, endings: &[&str]) -> bool {
    let ending = Path::new(name).extension();
    endings.is_empty() || endings.iter().any(|known| ending == Some(OsStr::new(known)))
}

/// Locks, and what is being downloaded.
fn is_of_the_moment(name: &OsStr) -> bool {
    has_ending(name, &["lck", "lock", "part", "tmp"]) || name == ".locks"
}

fn is_whole(entry: &DirEntry, marker: Option<&str>) -> bool {
    let kind = entry.file_type();
    match marker {
        Some(marker) => {
            kind.is_ok_and(|kind| kind.is_dir())
                && entry.path().join(marker).symlink_metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
        }
        None => kind.is_ok_and(|kind| kind.is_dir() || kind.is_file()),
    }
}

/// Copies a file, where ours is older or missing, or a folder that we have not, and shows it when it is whole.
fn copy(entry: &DirEntry, into: &OwnedFd, budget: &mut Budget) -> io::Result<()> {
    let (name, found) = (entry.file_name(), entry.metadata()?);
    if found.is_dir() {
        if statat(into, &name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Ok(());
        }
        let mut unfinished = OsStr::new(UNFINISHED).to_owned();
        unfinished.push(&name);
        let whole = folder(into.as_fd(), &unfinished).and_then(|copy| tree(&entry.path(), &copy, 1, budget));
        // What was begun and not finished stays for the next start, which goes on with it.
        whole?;
        return Ok(renameat(into, &unfinished, into, &name)?);
    }
    file(&entry.path(), &found, into, &name, budget)
}

fn tree(source: &Path, into: &OwnedFd, depth: usize, budget: &mut Budget) -> io::Result<()> {
    for entry in std::fs::read_dir(source)? {
        let entry = entry?;
        let (name, found) = (entry.file_name(), entry.metadata()?);
        if found.is_dir() && depth < DEEPEST {
            let below = folder(into.as_fd(), &name)?;
            tree(&entry.path(), &below, depth + 1, budget)?;
        } else if found.is_file() {
            file(&entry.path(), &found, into, &name, budget)?;
        }
    }
    Ok(())
}

/// By another name first, so that nobody reads a part.
fn file(source: &Path, found: &Metadata, into: &OwnedFd, name: &OsStr, budget: &mut Budget) -> io::Result<()> {
    if statat(into, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|ours| seconds(&ours) >= found.mtime()) {
        return Ok(());
    }
    if found.len() > MOST_OF_ONE {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    budget.spend(found.len())?;
    let text = std::fs::read(source)?;
    write_whole(into, name, &text)
}

#[expect(clippy::unnecessary_cast, reason = "the width differs from system to system")]
fn seconds(found: &rustix::fs::Stat) -> i64 {
    found.st_mtime as i64
}

fn write_whole(into: &OwnedFd, name: &OsStr, text: &[u8]) -> io::Result<()> {
    let swap = format!("{UNFINISHED}.{}", std::process::id());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let _ = unlinkat(into, &swap, AtFlags::empty());
    let opened = File::from(openat(into, &swap, flags, Mode::RUSR | Mode::WUSR)?);
    io::Write::write_all(&mut &opened, text)?;
    Ok(renameat(into, &swap, into, name)?)
}

/// The folder `path` below `from`, made where it is missing. A link on the way is an error.
fn folder(from: BorrowedFd<'_>, path: impl AsRef<Path>) -> io::Result<OwnedFd> {
    let mut at = from.try_clone_to_owned()?;
    for part in path.as_ref().components() {
        match mkdirat(&at, part.as_os_str(), Mode::RWXU) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        at = openat(&at, part.as_os_str(), FOLDER, Mode::empty())?;
    }
    Ok(at)
}

/// The settings of Cargo, which it looks for in its home: as a copy, and only if nothing in them may be a secret. Where the
/// project lies beneath the folder that holds that home, Cargo finds them from there.
fn settings(files: &OwnedFd, given: &Given, project: &Path) -> io::Result<()> {
    let Some(home) = &given.cargo else { return Ok(()) };
    let found_from_there =
        home.file_name() == Some(OsStr::new(".cargo")) && home.parent().is_some_and(|above| project.starts_with(above));
    let into = folder(files.as_fd(), "cargo")?;
    let text = if found_from_there { None } else { plain_settings(&home.join("config.toml")) };
    match text {
        Some(text) => write_whole(&into, OsStr::new("config.toml"), text.as_bytes()),
        None => Ok(()),
    }
}

/// The text, if no word in it could be a secret.
fn plain_settings(path: &Path) -> Option<String> {
    let found = path.metadata().ok().filter(|found| found.is_file() && found.len() < 64 << 10)?;
    let text = std::fs::read_to_string(path).ok().filter(|text| text.len() as u64 <= found.len())?;
    let lower = text.to_lowercase();
    let secret = ["token", "secret", "password", "passwd", "api_key", "apikey"].iter().any(|word| lower.contains(word));
    // What stands in front of a host may be a name and a password.
    let in_address = lower
        .split("://")
        .skip(1)
        .any(|rest| rest.split(['/', '"', '\'', '\n']).next().is_some_and(|host| host.as_bytes().contains(&b'@')));
    (!secret && !in_address).then_some(text)
}
