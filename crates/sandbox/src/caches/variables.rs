//! The variables by which programs find their caches, and the user's own places by the same.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A variable, and the folder in our cache that it names. `HOME` is not moved: what a program keeps there is settings.
///
/// Yarn's older variable is not among them: the newer Yarn would take its packages from there even where a project has
/// them checked in, and the older one goes by `XDG_CACHE_HOME`.
const FOLDERS: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", "xdg"),
    ("CARGO_HOME", "cargo"),
    ("GOPATH", "go"),
    ("GOMODCACHE", "go/pkg/mod"),
    ("GOCACHE", "go-build"),
    ("npm_config_cache", "npm"),
    ("PNPM_HOME", "pnpm"),
    ("pnpm_config_store_dir", "pnpm/store"),
    ("YARN_GLOBAL_FOLDER", "yarn"),
    ("BUN_INSTALL_CACHE_DIR", "bun"),
    ("PIP_CACHE_DIR", "pip"),
    ("UV_CACHE_DIR", "uv"),
    ("POETRY_CACHE_DIR", "poetry"),
    ("GRADLE_USER_HOME", "gradle"),
    ("NUGET_PACKAGES", "nuget"),
    ("DOTNET_CLI_HOME", "dotnet"),
    ("COMPOSER_CACHE_DIR", "composer"),
    ("DENO_DIR", "deno"),
    ("COURSIER_CACHE", "coursier"),
    ("PUB_CACHE", "pub"),
    ("CCACHE_DIR", "ccache"),
    ("SCCACHE_DIR", "sccache"),
];

/// Where the user's own are: what was downloaded there may be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    pub(super) cache: Option<PathBuf>,
    pub(super) cargo: Option<PathBuf>,
    pub(super) go: Option<PathBuf>,
    pub(super) npm: Option<PathBuf>,
    pub(super) gradle: Option<PathBuf>,
    pub(super) maven: Option<PathBuf>,
    pub(super) nuget: Option<PathBuf>,
    pub(super) go_build: Option<PathBuf>,
    pub(super) pip: Option<PathBuf>,
    pub(super) ccache: Option<PathBuf>,
    pub(super) sccache: Option<PathBuf>,
}

impl Given {
    /// By the variables that the user has, else in their usual places.
    pub(super) fn of(env: &BTreeMap<OsString, OsString>) -> Self {
        let named = |name: &str| env.get(OsStr::new(name)).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = named("HOME");
        let place = |name: &str, usual: &str| named(name).or_else(|| Some(home.as_ref()?.join(usual)));
        let first = env.get(OsStr::new("GOPATH")).and_then(|path| std::env::split_paths(path).next());
        let go = first.filter(|path| path.is_absolute()).map(|path| path.join("pkg/mod"));
        let cache = place("XDG_CACHE_HOME", ".cache");
        let cached = |name: &str, usual: &str| named(name).or_else(|| Some(cache.as_ref()?.join(usual)));
        let older = home.as_ref().map(|home| home.join(".ccache")).filter(|older| older.is_dir());
        Given {
            go_build: cached("GOCACHE", "go-build"),
            pip: cached("PIP_CACHE_DIR", "pip"),
            ccache: named("CCACHE_DIR").or(older).or_else(|| cached("CCACHE_DIR", "ccache")),
            sccache: cached("SCCACHE_DIR", "sccache"),
            cache: cache.clone(),
            cargo: place("CARGO_HOME", ".cargo"),
            go: named("GOMODCACHE").or(go).or_else(|| Some(home.as_ref()?.join("go/pkg/mod"))),
            npm: place("npm_config_cache", ".npm"),
            gradle: place("GRADLE_USER_HOME", ".gradle"),
            maven: home.as_ref().map(|home| home.join(".m2/repository")),
            nuget: place("NUGET_PACKAGES", ".nuget/packages"),
        }
    }
}

/// What makes programs use the cache at `files`, and read beside it what is `given` where they have a way of their own to
/// do so.
pub(super) fn all(files: &Path, given: &Given) -> BTreeMap<OsString, OsString> {
    let mut all: BTreeMap<OsString, OsString> =
        FOLDERS.iter().map(|(name, folder)| (OsString::from(name), files.join(folder).into_os_string())).collect();
    let there = |path: &Option<PathBuf>, within: &str| {
        path.as_ref().filter(|path| path.join(within).is_dir()).map(|path| path.clone().into_os_string())
    };
    if let Some(caches) = there(&given.gradle.as_ref().map(|home| home.join("caches")), "modules-2") {
        all.insert("GRADLE_RO_DEP_CACHE".into(), caches);
    }
    if let Some(packages) = there(&given.nuget, "") {
        all.insert("NUGET_FALLBACK_PACKAGES".into(), packages);
    }
    // Python takes what it compiled of a module for the module where both are of one second and one length: tests right after an
    // edit would run what was there before it.
    all.insert("PYTHONDONTWRITEBYTECODE".into(), "1".into());
    all.extend(maven(files, there(&given.maven, "")).map(|options| ("MAVEN_OPTS".into(), options)));
    all
}

/// Maven has no variable for its repository alone; its script splits its options at blanks, so a path with one cannot be
/// said. What is behind `tail` it reads and never writes, from 3.9 on.
fn maven(files: &Path, own: Option<OsString>) -> Option<OsString> {
    let blank = |text: &OsStr| text.to_str().is_none_or(|text| text.contains(char::is_whitespace));
    let ours = files.join("maven").into_os_string();
    let mut options = OsString::from("-Dmaven.repo.local=");
    options.push(Some(&ours).filter(|ours| !blank(ours))?);
    if let Some(own) = own.filter(|own| !blank(own)) {
        options.push(" -Dmaven.repo.local.tail=");
        options.push(own);
    }
    Some(options)
}
