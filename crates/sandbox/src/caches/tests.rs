//! Homes and caches made up for the purpose; the real ones are never looked at.

use super::sweep::sweep_now;
use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

/// A place for caches, a project beside it, and a home.
struct House {
    folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        for name in ["home", "project", "other"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        House { folder }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    /// A file of the user's.
    fn has(&self, path: &str, text: &str) -> PathBuf {
        let file = self.at("home").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn open(&self, label: &str) -> io::Result<Caches> {
        let env = [("HOME".into(), self.at("home").into_os_string())];
        let caches = Caches::open(&self.at("caches"), label, &self.at("project"), env)?;
        caches.ready();
        Ok(caches)
    }

    fn sweep(&self, most: u64) -> CacheSweep {
        sweep_now(&rustix::fs::open(self.at("caches"), FOLDER, Mode::empty()).unwrap(), most)
    }

    /// Makes a cache that nobody uses, of about 100 kB, last used at this second.
    fn left(&self, label: &str, second: u64) -> PathBuf {
        let caches = self.open(label).unwrap();
        fs::write(caches.path().join("large"), vec![1; 100_000]).unwrap();
        let used = std::time::UNIX_EPOCH + Duration::from_secs(second);
        let project = fs::File::options().write(true).open(self.at("caches").join(label).join(PROJECT)).unwrap();
        project.set_modified(used).unwrap();
        caches.path().to_owned()
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_cache_is_the_persons_alone_and_outlasts_the_session() {
    let house = House::new();
    let first = house.open("a1").unwrap();
    assert_eq!(first.path(), house.at("caches/a1/files"));
    assert_eq!([mode(&house.at("caches")), mode(&house.at("caches/a1")), mode(first.path())], [0o700; 3]);
    fs::write(first.path().join("kept"), "x").unwrap();
    let second = house.open("a1").unwrap();
    assert_eq!(fs::read_to_string(second.path().join("kept")).unwrap(), "x", "two sessions of a project share it");
    drop((first, second));
    assert!(house.at("caches/a1/files/kept").exists());
    assert!(!house.open("b2").unwrap().path().join("kept").exists(), "another project has its own");
}

#[test]
fn a_cache_is_refused_in_the_project_and_where_others_can_write() {
    let house = House::new();
    let inside = Caches::open(&house.at("project/caches"), "a1", &house.at("project"), []);
    assert!(inside.unwrap_err().to_string().contains("lies in the project"));
    fs::create_dir(house.at("caches")).unwrap();
    fs::set_permissions(house.at("caches"), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(house.open("a1").unwrap_err().to_string().contains("others can write"));
    fs::set_permissions(house.at("caches"), fs::Permissions::from_mode(0o700)).unwrap();
    symlink(house.at("other"), house.at("caches/a1")).unwrap();
    assert!(house.open("a1").is_err(), "a link is no cache");
    assert_eq!(fs::read_dir(house.at("other")).unwrap().count(), 0);
}

#[test]
fn the_one_used_longest_ago_goes_first_and_none_in_use() {
    let house = House::new();
    let (old, older, new) = (house.left("b2", 2_000), house.left("a1", 1_000), house.left("c3", 3_000));
    assert_eq!(house.sweep(1 << 30).removed, 0, "there is room");
    let used = house.open("a1").unwrap();
    // Opening it was a use; what counts here is that it is locked.
    let project = fs::File::options().write(true).open(house.at("caches/a1").join(PROJECT)).unwrap();
    project.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    let swept = house.sweep(300_000);
    assert_eq!((swept.removed, swept.left), (1, 2));
    assert!(older.exists() && !old.exists() && new.exists());
    drop(used);
    assert_eq!(house.sweep(150_000).removed, 1);
    assert!(!older.exists() && new.exists());
    assert_eq!(house.sweep(0), CacheSweep { removed: 1, left: 0, bytes: 0 });
}

#[test]
fn one_in_use_that_is_too_large_is_emptied_before_its_next_use() {
    let house = House::new();
    let files = house.left("a1", 1);
    let used = house.open("a1").unwrap();
    assert_eq!(house.sweep(1_000).removed, 0);
    let beside = house.open("a1").unwrap();
    assert!(files.join("large").exists(), "somebody uses it");
    drop((used, beside));
    let next = house.open("a1").unwrap();
    assert!(next.path().is_dir() && !files.join("large").exists());
}

#[test]
fn the_sweep_leaves_what_is_not_ours_and_follows_no_link() {
    let house = House::new();
    let files = house.left("a1", 1);
    fs::write(house.at("other/precious"), vec![1; 500_000]).unwrap();
    symlink(house.at("other"), files.join("link")).unwrap();
    symlink(house.at("other"), house.at("caches/link")).unwrap();
    fs::create_dir(house.at("caches/somebodys")).unwrap();
    fs::create_dir_all(files.join("closed/deep")).unwrap();
    fs::set_permissions(files.join("closed"), fs::Permissions::from_mode(0o500)).unwrap();
    let measured = measure_caches(&house.at("caches"), "a1");
    assert!(measured.here >= 100_000 && measured.here < 400_000, "{measured:?}");
    assert_eq!(measured.all, measured.here);
    assert_eq!(house.sweep(0).removed, 1);
    assert!(!house.at("caches/a1").exists());
    assert!(house.at("other/precious").exists() && house.at("caches/somebodys").exists());
}

#[test]
fn a_sweep_happens_once_in_a_while() {
    let house = House::new();
    house.left("a1", 1);
    assert_eq!(sweep_caches(&house.at("caches"), 0).removed, 1);
    house.left("a1", 1);
    assert_eq!(sweep_caches(&house.at("caches"), 0), CacheSweep::default(), "it was just done");
}

#[test]
fn what_was_downloaded_is_laid_in_and_secrets_are_not() {
    let house = House::new();
    let packed = house.has(".cargo/registry/cache/example/one-1.0.0.crate", "packed");
    house.has(".cargo/registry/cache/example/one-1.0.0.part", "half");
    house.has(".cargo/registry/src/example/one-1.0.0/.cargo-ok", "{\"v\":1}");
    house.has(".cargo/registry/src/example/half-1.0.0/.cargo-ok", "");
    house.has(".cargo/registry/index/example/.cache/on/e/one", "versions");
    house.has(".cargo/credentials.toml", "token = \"1\"");
    house.has(".cargo/bin/tool", "program");
    house.has("go/pkg/mod/cache/download/example.org/m/@v/v1.0.0.zip", "zip");
    house.has("go/pkg/mod/cache/download/example.org/m/@v/v1.0.0.lock", "");
    house.has(".npm/_cacache/content-v2/sha512/ab/cd/ef", "tarball");
    house.has(".npm/_cacache/index-v5/12/34/56", "entry");
    house.has(".npm/_authToken", "secret");
    house.has(".cache/huggingface/hub/models--x/blob", "model");
    house.has(".cache/huggingface/token", "secret");
    let files = house.open("a1").unwrap().path().to_owned();
    assert_eq!(fs::read_link(files.join("cargo/registry/cache/example/one-1.0.0.crate")).unwrap(), packed);
    assert!(files.join("cargo/registry/src/example/one-1.0.0").is_symlink());
    let index = files.join("cargo/registry/index/example/.cache/on/e/one");
    assert!(!index.is_symlink() && fs::read_to_string(index).unwrap() == "versions");
    assert!(files.join("go/pkg/mod/cache/download/example.org/m/@v/v1.0.0.zip").is_symlink());
    assert!(files.join("npm/_cacache/content-v2/sha512/ab/cd/ef").is_symlink());
    assert!(!files.join("npm/_cacache/index-v5/12/34/56").is_symlink());
    assert!(files.join("xdg/huggingface/hub/models--x").is_symlink());
    let not_there = [
        "cargo/registry/cache/example/one-1.0.0.part",
        "cargo/registry/src/example/half-1.0.0",
        "cargo/credentials.toml",
        "cargo/bin",
        "go/pkg/mod/cache/download/example.org/m/@v/v1.0.0.lock",
        "npm/_authToken",
        "xdg/huggingface/token",
    ];
    for path in not_there {
        assert!(files.join(path).symlink_metadata().is_err(), "{path}");
    }
}

#[test]
fn a_copy_is_renewed_when_the_persons_is_newer_and_only_then() {
    let house = House::new();
    let theirs = house.has(".cargo/registry/index/example/.cache/on/e/one", "old");
    house.has(".cargo/git/db/lib-1/HEAD", "ref");
    let caches = house.open("a1").unwrap();
    let ours = caches.path().join("cargo/registry/index/example/.cache/on/e/one");
    fs::write(&ours, "of the sandbox").unwrap();
    drop(house.open("a1").unwrap());
    assert_eq!(fs::read_to_string(&ours).unwrap(), "of the sandbox");
    fs::write(&theirs, "new").unwrap();
    let later = std::time::SystemTime::now() + Duration::from_secs(60);
    fs::File::options().write(true).open(&theirs).unwrap().set_modified(later).unwrap();
    drop(house.open("a1").unwrap());
    assert_eq!(fs::read_to_string(&ours).unwrap(), "new");
    assert_eq!(fs::read_to_string(caches.path().join("cargo/git/db/lib-1/HEAD")).unwrap(), "ref");
}

#[test]
fn what_is_laid_in_goes_through_no_link_that_a_command_planted() {
    let house = House::new();
    house.has(".cargo/registry/index/example/config.json", "theirs");
    house.has(".cargo/git/db/lib-1/HEAD", "ref");
    house.has(".npm/_cacache/index-v5/12/34/56", "entry");
    let victim = house.at("other");
    fs::write(victim.join("config.json"), "precious").unwrap();
    let files = house.at("caches/a1/files");
    fs::create_dir_all(files.join("cargo/registry/index/example")).unwrap();
    fs::create_dir_all(files.join("cargo/git/db")).unwrap();
    symlink(victim.join("config.json"), files.join("cargo/registry/index/example/config.json")).unwrap();
    symlink(&victim, files.join("cargo/git/db/.laid-in-by-agentlib-1")).unwrap();
    symlink(&victim, files.join("npm")).unwrap();
    symlink(victim.join("settings"), files.join("cargo/config.toml")).unwrap();
    house.has(".cargo/config.toml", "[build]\njobs = 2\n");
    drop(house.open("a1").unwrap());
    let names: Vec<_> = fs::read_dir(&victim).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["config.json"]);
    assert_eq!(fs::read_to_string(victim.join("config.json")).unwrap(), "precious");
}

#[test]
fn settings_of_cargo_go_along_only_without_anything_that_may_be_a_secret() {
    let taken = |text: &str| {
        let house = House::new();
        house.has(".cargo/config.toml", text);
        let files = house.open("a1").unwrap().path().to_owned();
        fs::read_to_string(files.join("cargo/config.toml")).ok()
    };
    let plain = "[build]\njobs = 2\n[source.mirror]\nregistry = \"sparse+https://mirror.example/\"\n";
    assert_eq!(taken(plain).as_deref(), Some(plain));
    for secret in ["[registry]\ntoken = \"x\"\n", "[http]\nproxy = \"http://me:x@proxy.example:1\"\n"] {
        assert_eq!(taken(secret), None, "{secret}");
    }
}

#[test]
fn every_variable_leads_into_the_cache_and_some_to_what_may_be_read_beside_it() {
    let house = House::new();
    let files = house.open("a1").unwrap().path().to_owned();
    let all = |house: &House| house.open("a1").unwrap().variables();
    for (name, value) in all(&house).into_iter().filter(|(name, _)| name != "PYTHONDONTWRITEBYTECODE") {
        let value = value.into_string().unwrap();
        let value = value.strip_prefix("-Dmaven.repo.local=").unwrap_or(&value).to_owned();
        assert!(Path::new(&value).starts_with(&files), "{name:?} {value}");
    }
    house.has(".m2/repository/x", "");
    house.has(".gradle/caches/modules-2/x", "");
    house.has(".nuget/packages/x", "");
    let all = all(&house);
    let value = |name: &str| all.get(std::ffi::OsStr::new(name)).unwrap().to_str().unwrap().to_owned();
    assert!(
        value("MAVEN_OPTS")
            .ends_with(&format!("-Dmaven.repo.local.tail={}", house.at("home/.m2/repository").display()))
    );
    assert_eq!(value("GRADLE_RO_DEP_CACHE"), house.at("home/.gradle/caches").to_str().unwrap());
    assert_eq!(value("NUGET_FALLBACK_PACKAGES"), house.at("home/.nuget/packages").to_str().unwrap());
}
