//! What every command of a session finds around it: its environment, and a temporary folder of its own.
//!
//! The environment is an allow-list: a secret that somebody exported stays with them unless they list its name. `PATH`
//! keeps only folders that neither the project nor a stranger can put a program in.
//!
//! **Invariant.** When [`Surroundings`] are dropped their temporary folder is gone.

use crate::caches::UsualPlace;
use crate::system::Places;
use crate::temporary::Temporary;
use crate::{Caches, Inside};
use agent_protocol::Profile;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Names that pass: who and where the user is, how they write, and where their tools live. None may hold a secret,
/// name a program that others start, or change what a program loads.
const PASS: &str = "HOME USER LOGNAME SHELL LANG LANGUAGE TZ CI HOSTNAME \
    CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOCACHE GOMODCACHE GOTOOLCHAIN JAVA_HOME JDK_HOME M2_HOME \
    MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT VIRTUAL_ENV CONDA_PREFIX \
    CONDA_DEFAULT_ENV NVM_DIR FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR PYENV_ROOT PYENV_VERSION RBENV_ROOT \
    RBENV_VERSION GEM_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR DOTNET_ROOT STACK_ROOT OPAMROOT OPAM_SWITCH_PREFIX \
    NIX_PROFILES NIX_SSL_CERT_FILE LOCALE_ARCHIVE SSL_CERT_FILE SSL_CERT_DIR XDG_CACHE_HOME XDG_CONFIG_HOME \
    XDG_DATA_HOME XDG_STATE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS";
/// Beginnings of names that pass.
const PASS_FAMILIES: &[&str] = &["LC_"];
/// Beginnings of names that do not pass even when they are listed: what they name is loaded into every program.
const NEVER: &[&str] = &["LD_", "DYLD_"];
/// Names that do not pass even when they are listed: keys of the servers whose models we speak with.
const KEYS: &[&str] = &["OLLAMA_API_KEY"];
/// What is always so: nobody is there to turn a page or answer a prompt, and no host is asked for on a program's own account
/// (is there a newer version, how was it used).
const ALWAYS: &[(&str, &str)] = &[
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("npm_config_update_notifier", "false"),
    ("NO_UPDATE_NOTIFIER", "1"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("DO_NOT_TRACK", "1"),
    ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
    ("NEXT_TELEMETRY_DISABLED", "1"),
];
/// Where tools keep what they can make again, where there are no [`Caches`]: their usual places are behind the sandbox,
/// and some do not work without.
const SHORT_CACHES: &[(&str, &str)] = &[("GOCACHE", "go-build"), ("PIP_CACHE_DIR", "pip"), ("npm_config_cache", "npm")];
/// Where programs are looked for when nothing else is left.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// What every command of a session finds around it.
#[derive(Debug)]
pub struct Surroundings {
    variables: BTreeMap<OsString, OsString>,
    /// What a command within the sandbox gets over these.
    moved: BTreeMap<OsString, OsString>,
    /// What the user listed, and so stays as it is.
    listed: BTreeSet<OsString>,
    programs: Vec<PathBuf>,
    temporary: Temporary,
    caches: Option<Caches>,
    /// Links resolved.
    project: PathBuf,
    places: Places,
    inside: OnceLock<Result<Arc<Inside>, String>>,
}

impl Surroundings {
    /// Takes from `env` what commands in `project` may see: an allow-list, and the names that the user `listed`.
    ///
    /// # Errors
    /// No temporary folder could be made.
    pub fn new(
        env: impl IntoIterator<Item = (OsString, OsString)>,
        listed: &[String],
        project: &Path,
    ) -> io::Result<Self> {
        let given: BTreeMap<OsString, OsString> = env.into_iter().collect();
        let temporary = Temporary::new(given.get(OsStr::new("TMPDIR")).map(Path::new))?;
        let programs = programs(given.get(OsStr::new("PATH")).map(OsString::as_os_str), project);
        let mut variables: BTreeMap<OsString, OsString> = BTreeMap::new();
        variables.extend(given.iter().filter(|(name, _)| passes(name)).map(own));
        variables.insert("PATH".into(), joined(&programs));
        variables.extend(ALWAYS.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
        let listed: BTreeSet<OsString> = given.keys().filter(|name| is_listed(name, listed)).cloned().collect();
        variables.extend(given.iter().filter(|(name, _)| listed.contains(*name)).map(own));
        variables.insert("TMPDIR".into(), temporary.path().into());
        let short = SHORT_CACHES.iter().map(|(name, folder)| ((*name).into(), temporary.path().join(folder).into()));
        let moved = short.filter(|(name, _): &(OsString, OsString)| !variables.contains_key(name)).collect();
        let places = Places::default();
        let project = places.note(project).unwrap_or_else(|| project.to_owned());
        let inside = OnceLock::new();
        Ok(Surroundings { variables, moved, listed, programs, temporary, caches: None, project, places, inside })
    }

    /// The same with caches that outlast the session. A variable that the user listed stays as it is; a folder of theirs
    /// in which commands could now plant a program is none that programs are looked for in.
    #[must_use]
    pub fn with_caches(mut self, caches: Caches) -> Self {
        self.moved = caches.variables();
        self.moved.retain(|name, _| !self.listed.contains(name));
        self.programs.retain(|folder| {
            !folder.starts_with(caches.path()) && !folder.canonicalize().is_ok_and(|it| it.starts_with(caches.path()))
        });
        if !self.listed.contains(OsStr::new("PATH")) {
            self.variables.insert("PATH".into(), joined(&self.programs));
        }
        self.caches = Some(caches);
        self
    }

    /// The environment of a command with this `profile`, with `more` on top. One without the sandbox uses the user's own
    /// caches: what sandboxed commands left in ours is not for it. Those at these places in the list it finds where they
    /// `usual`ly are.
    pub(crate) fn environment<'a>(
        &'a self,
        profile: Profile,
        usual: &[usize],
        more: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> BTreeMap<&'a OsStr, &'a OsStr> {
        let moved = match profile {
            Profile::ReadOnly | Profile::Project | Profile::Network => Some(&self.moved),
            Profile::Unfenced => None,
        };
        let caches = self.caches.as_ref().map_or(&[][..], Caches::usual);
        let usual: Vec<&UsualPlace> = usual.iter().filter_map(|index| caches.get(*index)).collect();
        let untouched = |name: &OsStr| usual.iter().any(|usual| usual.untouched.iter().any(|own| name == *own));
        let moved = moved.into_iter().flatten().filter(|(name, _)| !untouched(name));
        let ours = self.variables.iter().chain(moved).map(|(name, value)| (name.as_os_str(), value.as_os_str()));
        let set = usual.iter().flat_map(|usual| &usual.set).map(|(name, value)| (OsStr::new(name), value.as_os_str()));
        let ours = ours.chain(set.filter(|(name, _)| !self.listed.contains(*name)));
        let more = more.into_iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
        ours.chain(more).collect()
    }

    /// The caches of this project; `None`: there are none that last.
    pub fn caches(&self) -> Option<&Caches> {
        self.caches.as_ref()
    }

    /// The folder of the caches itself and its path, with all in it that is laid in beforehand.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn held_caches(&self) -> Option<(&Path, BorrowedFd<'_>)> {
        let caches = self.caches.as_ref()?;
        caches.ready();
        Some((caches.path(), caches.held()))
    }

    /// What commands within the sandbox find in this variable, where it is text.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let name = OsStr::new(name);
        self.moved.get(name).or_else(|| self.variables.get(name)).and_then(|value| value.to_str())
    }

    /// Where programs are looked for, in this order: `PATH` without folders that are relative, in the project, or that
    /// others may write in.
    pub fn programs(&self) -> &[PathBuf] {
        &self.programs
    }

    /// Where the program of this name is; a path stays what it is.
    pub(crate) fn program(&self, name: &Path) -> Option<PathBuf> {
        if name.as_os_str().as_bytes().contains(&b'/') {
            return Some(name.to_owned());
        }
        self.programs.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    }

    /// The temporary folder itself, whatever its name leads to now.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn held_temporary(&self) -> BorrowedFd<'_> {
        self.temporary.held()
    }

    /// Where commands may write, as it was when it was first named.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// The network that the commands of this session have for themselves; `None`: none can be had here. The first call
    /// makes and tries it, which blocks for some milliseconds.
    pub fn inside(&self) -> Option<&Arc<Inside>> {
        self.try_inside().ok()
    }

    /// The same.
    ///
    /// # Errors
    /// Why there is none, and what would change that.
    pub fn try_inside(&self) -> Result<&Arc<Inside>, &str> {
        let made = self.inside.get_or_init(|| self.make_inside());
        made.as_ref().map_err(String::as_str)
    }

    fn make_inside(&self) -> Result<Arc<Inside>, String> {
        Inside::make(self.temporary().parent(), self.home(), &self.project).map(Arc::new)
    }

    /// The user's home, where that is told.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.variables.get(OsStr::new("HOME")).map(Path::new).filter(|home| home.is_absolute())
    }

    /// Folders that programs look into, wherever they are: the home, and where tools and their files live.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no mounts elsewhere"))]
    pub(crate) fn needed(&self) -> impl Iterator<Item = PathBuf> {
        let tools = self.variables.iter().filter(|(name, _)| passes(name));
        let tools = tools.flat_map(|(_, value)| std::env::split_paths(value)).filter(|path| path.is_absolute());
        tools.chain(self.programs.iter().cloned())
    }

    /// The temporary folder of this session, which nobody else can look into.
    pub fn temporary(&self) -> &Path {
        self.temporary.path()
    }
}

fn own((name, value): (&OsString, &OsString)) -> (OsString, OsString) {
    (name.clone(), value.clone())
}

fn passes(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    PASS.split(' ').any(|known| known == name) || PASS_FAMILIES.iter().any(|family| name.starts_with(family))
}

fn is_listed(name: &OsStr, listed: &[String]) -> bool {
    let loaded = |never: &str| name.as_bytes().starts_with(never.as_bytes());
    let kept_back = NEVER.iter().any(|never| loaded(never)) || KEYS.iter().any(|key| name == OsStr::new(key));
    listed.iter().any(|listed| name == OsStr::new(listed)) && !kept_back
}

fn joined(folders: &[PathBuf]) -> OsString {
    folders.iter().map(|folder| folder.as_os_str()).collect::<Vec<_>>().join(OsStr::new(":"))
}

/// The folders of `path` that can be relied on; the usual ones where none is left.
fn programs(path: Option<&OsStr>, project: &Path) -> Vec<PathBuf> {
    let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let reliable = |path: &OsStr| -> Vec<PathBuf> {
        std::env::split_paths(path).filter(|folder| is_reliable(folder, &project)).collect()
    };
    let mut programs = path.map(reliable).unwrap_or_default();
    if programs.is_empty() {
        programs = reliable(OsStr::new(USUAL_PATH));
    }
    let mut seen = BTreeSet::new();
    programs.retain(|folder| seen.insert(folder.clone()));
    programs
}

/// Neither the project nor a stranger can put a program there.
fn is_reliable(folder: &Path, project: &Path) -> bool {
    let Ok(real) = folder.canonicalize() else { return false };
    let Ok(metadata) = real.metadata() else { return false };
    folder.is_absolute()
        && !folder.starts_with(project)
        && !real.starts_with(project)
        && metadata.is_dir()
        && metadata.permissions().mode() & 0o022 == 0
}

#[cfg(test)]
mod tests;
