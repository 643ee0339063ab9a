//! Caches that commands find where they usually are: the user's own folder, read-only, with what commands write laid over it.
//!
//! What Cargo and others note of what they built holds paths of these folders. Where those are the same inside and outside,
//! whoever builds after the other builds nothing twice.
//!
//! Only where a command sees files of its own: elsewhere it is led to the cache by variables, see [`variables`](super::variables).

use super::variables::Given;
use crate::temporary::Temporary;
use rustix::process::geteuid;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What commands wrote, in the cache of a project beside what they can reach by its own name.
const OVER: &str = "over";
/// What the kernel needs beside it while it is in use.
const WORKS: &str = "works";

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
}

const ROWS: &[Row] = &[
    Row {
        name: "cargo",
        at: |own| own.cargo.clone(),
        untouched: &["CARGO_HOME"],
        named: None,
        moved: &[("CARGO_INSTALL_ROOT", "cargo")],
    },
    Row {
        name: "go",
        at: |own| own.go.as_ref()?.parent().filter(|above| above.ends_with("pkg")).map(Path::to_owned),
        untouched: &["GOPATH", "GOMODCACHE"],
        named: None,
        moved: &[("GOBIN", "go/bin")],
    },
    Row { name: "go-build", at: |own| own.go_build.clone(), untouched: &[], named: Some("GOCACHE"), moved: &[] },
    Row { name: "npm", at: |own| own.npm.clone(), untouched: &[], named: Some("npm_config_cache"), moved: &[] },
    Row { name: "pip", at: |own| own.pip.clone(), untouched: &[], named: Some("PIP_CACHE_DIR"), moved: &[] },
    Row { name: "ccache", at: |own| own.ccache.clone(), untouched: &[], named: Some("CCACHE_DIR"), moved: &[] },
    Row { name: "sccache", at: |own| own.sccache.clone(), untouched: &[], named: Some("SCCACHE_DIR"), moved: &[] },
];

/// One of them, as commands of this project see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsualPlace {
    /// Links resolved.
    pub(crate) place: PathBuf,
    /// What was written over it.
    pub(crate) over: PathBuf,
    /// Variables that are as the user has them.
    pub(crate) untouched: Vec<&'static str>,
    /// Variables that are set, over all others of ours.
    pub(crate) set: Vec<(&'static str, OsString)>,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Usual {
    pub(super) places: Vec<UsualPlace>,
    works: Temporary,
    next: AtomicU64,
}

impl Usual {
    /// Those the user has, for commands in `project`, with what is written over them in the folder `own`, whose `files`
    /// commands write in.
    pub(super) fn prepare(own: &Path, files: &Path, given: &Given, project: &Path) -> io::Result<Self> {
        let works = own.join(WORKS);
        make(&works)?;
        let mut places = Vec::new();
        for row in ROWS {
            let Some(named) = (row.at)(given) else { continue };
            let Some(place) = named.canonicalize().ok().filter(|place| may_be_covered(place, own, project)) else {
                continue;
            };
            let over = own.join(OVER).join(row.name);
            make(&over)?;
            let set = row.named.iter().map(|name| (*name, named.clone().into_os_string()));
            let moved = row.moved.iter().map(|(name, below)| (*name, files.join(below).into_os_string()));
            places.push(UsualPlace { place, over, untouched: row.untouched.to_vec(), set: set.chain(moved).collect() });
        }
        Ok(Usual { places, works: Temporary::new(Some(&works))?, next: AtomicU64::new(0) })
    }

    /// A new folder for the kernel, in the file system of what is written.
    pub(super) fn work(&self) -> io::Result<PathBuf> {
        let work = self.works.path().join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        make(&work)?;
        Ok(work)
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
        assert_ne!(usual.work().unwrap(), usual.work().unwrap());
    }
}
