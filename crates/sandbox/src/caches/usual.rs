//! Caches that commands find where they usually are: the user's own folder, read-only, with what commands write laid over it.
//!
//! What Cargo and others note of what they built holds paths of these folders. Where those are the same inside and outside,
//! whoever builds after the other builds nothing twice.
//!
//! Settings, keys and programs in these folders stay as the user has them: of a folder that holds such only what is listed
//! here may be written.
//!
//! Only where a command sees files of its own, and for one session of the project at a time: elsewhere it is led to the
//! cache by variables, see [`variables`](super::variables).

use super::variables::Given;
use crate::temporary::Temporary;
use rustix::fs::{FlockOperation, Mode, flock};
use rustix::process::geteuid;
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What commands wrote, in the cache of a project beside what they can reach by its own name.
const OVER: &str = "over";
/// What the kernel needs beside it while it is in use.
const WORKS: &str = "works";
/// What the kernel writes there where a command removed a folder of the user's and made another.
const COVERS_ALL: &str = "user.overlay.opaque";
/// The longest that is looked for what was removed.
const LOOKING: Duration = Duration::from_secs(2);
/// Folders are nested no deeper.
const DEEPEST: usize = 64;

/// A folder of the user's in which programs keep what they can get or make again.
struct Row {
    name: &'static str,
    at: fn(&Given) -> Option<PathBuf>,
    /// Variables that are as the user has them.
    untouched: &'static [&'static str],
    /// The variable that names it: what is usual may depend on others that are moved.
    named: Option<&'static str>,
    /// Variables for what programs would write beside downloads, and where in our cache that goes.
    moved: &'static [(&'static str, &'static str)],
    /// Folders and files in it that may be written, where that is not all of it.
    folders: &'static [&'static str],
    files: &'static [&'static str],
}

impl Row {
    /// May what has this name in it be written?
    fn lets_write(&self, name: &std::ffi::OsStr) -> bool {
        let listed = |names: &[&str]| names.iter().any(|listed| name == *listed);
        self.folders.is_empty() && self.files.is_empty() || listed(self.folders) || listed(self.files)
    }
}

/// Where ccache keeps what it made, beside `ccache.conf`.
const OF_CCACHE: &[&str] =
    &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f", "tmp", "lock"];

const ROWS: &[Row] = &[
    Row {
        name: "cargo",
        at: |own| own.cargo.clone(),
        untouched: &["CARGO_HOME"],
        named: None,
        moved: &[("CARGO_INSTALL_ROOT", "cargo")],
        folders: &["registry", "git"],
        files: &[".package-cache", ".package-cache-mutate", ".global-cache"],
    },
    Row {
        name: "go",
        at: |own| own.go.as_ref()?.parent().filter(|above| above.ends_with("pkg")).map(Path::to_owned),
        untouched: &["GOPATH", "GOMODCACHE"],
        named: None,
        moved: &[("GOBIN", "go/bin")],
        folders: &[],
        files: &[],
    },
    plain("go-build", |own| own.go_build.clone(), "GOCACHE"),
    plain("npm", |own| own.npm.clone(), "npm_config_cache"),
    plain("pip", |own| own.pip.clone(), "PIP_CACHE_DIR"),
    Row { folders: OF_CCACHE, ..plain("ccache", |own| own.ccache.clone(), "CCACHE_DIR") },
    plain("sccache", |own| own.sccache.clone(), "SCCACHE_DIR"),
];

/// A folder that a variable names, and in which there is nothing else.
const fn plain(name: &'static str, at: fn(&Given) -> Option<PathBuf>, variable: &'static str) -> Row {
    Row { name, at, untouched: &[], named: Some(variable), moved: &[], folders: &[], files: &[] }
}

/// One of them, as commands of this project see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsualPlace {
    /// Links resolved.
    pub(crate) place: PathBuf,
    /// What was written over it.
    pub(crate) over: PathBuf,
    /// Where folders for the kernel are made, in the file system of what is written.
    pub(crate) works: PathBuf,
    /// What in it may be written; with neither, all of it.
    pub(crate) folders: &'static [&'static str],
    pub(crate) files: &'static [&'static str],
    /// Variables that are as the user has them.
    pub(crate) untouched: Vec<&'static str>,
    /// Variables that are set, over all others of ours.
    pub(crate) set: Vec<(&'static str, OsString)>,
}

#[derive(Debug)]
pub(super) struct Usual {
    pub(super) places: Vec<UsualPlace>,
    _works: Temporary,
    /// Its lock is the use: what two write over the same folder does not fit together.
    locked: OwnedFd,
}

impl Usual {
    /// Those the user has, for commands in `project`, with what is written over them in the folder `own`, whose `files`
    /// commands write in. What commands removed of the user's is there again.
    ///
    /// # Errors
    /// Another session uses it, or the system's words.
    pub(super) fn prepare(own: &Path, files: &Path, given: &Given, project: &Path) -> io::Result<Self> {
        let (works, all) = (own.join(WORKS), own.join(OVER));
        make(&works)?;
        make(&all)?;
        let locked = rustix::fs::open(&all, crate::temporary::FOLDER, Mode::empty())?;
        flock(&locked, FlockOperation::NonBlockingLockExclusive)?;
        let works = Temporary::new(Some(&works))?;
        let mut places = Vec::new();
        for row in ROWS {
            let Some(named) = (row.at)(given) else { continue };
            let Some(place) = named.canonicalize().ok().filter(|place| may_be_covered(place, own, project)) else {
                continue;
            };
            let over = all.join(row.name);
            make(&over)?;
            only_written(row, &over);
            // What is not there cannot be allowed.
            let is_missing = |name: &&&str| place.join(name).symlink_metadata().is_err();
            row.folders.iter().filter(is_missing).try_for_each(|name| make(&over.join(name)))?;
            for name in row.files.iter().filter(is_missing) {
                File::options().create(true).append(true).open(over.join(name))?;
            }
            let set = row.named.iter().map(|name| (*name, named.clone().into_os_string()));
            let moved = row.moved.iter().map(|(name, below)| (*name, files.join(below).into_os_string()));
            let (works, set) = (works.path().to_owned(), set.chain(moved).collect());
            let (untouched, folders, files) = (row.untouched.to_vec(), row.folders, row.files);
            places.push(UsualPlace { place, over, works, folders, files, untouched, set });
        }
        let until = Instant::now() + LOOKING;
        places.iter().for_each(|place| bring_back(&place.over, until, 0));
        Ok(Usual { places, _works: works, locked })
    }
}

impl Drop for Usual {
    fn drop(&mut self) {
        // A process that begins at this moment holds it, too, until it runs its program.
        let _ = flock(&self.locked, FlockOperation::Unlock);
    }
}

/// Removes what may not be written by this `row` from what was written `over` it.
fn only_written(row: &Row, over: &Path) {
    for entry in std::fs::read_dir(over).into_iter().flatten().flatten() {
        if !row.lets_write(&entry.file_name()) {
            let path = entry.path();
            // What cannot be removed is seen by commands of this project alone.
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
    }
}

/// Drops what the kernel noted below `over` where a command removed something of the user's: what was downloaded would be
/// hidden for good from commands that cannot download it again.
fn bring_back(over: &Path, until: Instant, depth: usize) {
    // Where there is none it says so.
    let _ = rustix::fs::lremovexattr(over, COVERS_ALL);
    for entry in std::fs::read_dir(over).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_char_device() {
            // Commands can make no other.
            let _ = std::fs::remove_file(entry.path());
        } else if kind.is_dir() && depth < DEEPEST && Instant::now() < until {
            bring_back(&entry.path(), until, depth + 1);
        }
    }
}

/// What those of us left there who were killed. For whoever uses the cache `own` alone.
pub(super) fn tidy(own: &Path) {
    // What stays is in nobody's way.
    let _ = crate::temporary::clear(&own.join(WORKS));
}

fn make(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Is it a folder of the user's, and apart from the project and from our cache?
fn may_be_covered(place: &Path, own: &Path, project: &Path) -> bool {
    let apart = |other: &Path| !other.starts_with(place) && !place.starts_with(other);
    let is_users = place.metadata().is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw());
    is_users && apart(own) && apart(project) && place.parent().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn those_the_user_has_are_found_and_what_holds_the_project_or_the_cache_is_not() {
        let folder = tempfile::TempDir::new().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in [".cargo", "go/pkg/mod", ".npm/cache", "project", ".cache/pip"] {
            std::fs::create_dir_all(home.join(name)).unwrap();
        }
        let env = BTreeMap::from([
            ("HOME".into(), home.clone().into()),
            ("CCACHE_DIR".into(), home.clone().into()),
            ("SCCACHE_DIR".into(), home.join("project").into()),
        ]);
        let own = home.join(".npm/cache/a1");
        let usual = Usual::prepare(&own, &own.join("files"), &Given::of(&env), &home.join("project")).unwrap();
        let found: Vec<&Path> = usual.places.iter().map(|usual| usual.place.strip_prefix(&home).unwrap()).collect();
        assert_eq!(found, [".cargo", "go/pkg", ".cache/pip"].map(Path::new));
        assert_eq!(usual.places[2].set, [("PIP_CACHE_DIR", home.join(".cache/pip").into_os_string())]);
        let again = || Usual::prepare(&own, &own.join("files"), &Given::of(&env), &home.join("project"));
        assert!(again().is_err(), "one session at a time");
        // What an older one, or a command by another way, left there is no setting.
        std::fs::write(usual.places[0].over.join("config.toml"), "planted").unwrap();
        std::fs::write(usual.places[0].over.join("registry/kept"), "").unwrap();
        drop(usual);
        let left = std::fs::read_dir(&again().unwrap().places[0].over).unwrap().flatten().map(|at| at.file_name());
        let mut left: Vec<_> = left.collect();
        left.sort();
        assert_eq!(left, [".global-cache", ".package-cache", ".package-cache-mutate", "git", "registry"]);
        assert!(own.join("over/cargo/registry/kept").exists());
    }
}
