//! Environments made up for the purpose; the real one is never read.

use super::*;
use std::fs::{self, Permissions};
use tempfile::TempDir;

fn around(env: &[(&str, &str)], listed: &[&str], project: &Path) -> Surroundings {
    let env = env.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let listed: Vec<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    Surroundings::new(env, &listed, project).unwrap()
}

fn names(around: &Surroundings) -> Vec<String> {
    around.environment(Profile::Project, &[], []).keys().map(|name| name.to_str().unwrap().to_owned()).collect()
}

fn value(around: &Surroundings, name: &str) -> Option<String> {
    around.environment(Profile::Project, &[], []).get(OsStr::new(name)).map(|value| value.to_str().unwrap().to_owned())
}

#[test]
fn only_names_on_the_list_pass() {
    let project = TempDir::new().unwrap();
    let kept = [("HOME", "/h"), ("LC_ALL", "C"), ("CARGO_HOME", "/c"), ("XDG_CACHE_HOME", "/x"), ("CI", "1")];
    let lost = [
        ("GITHUB_TOKEN", "secret"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("MY_NOTES", "nobody knows what is in here"),
        ("BASH_ENV", "/p/x"),
        ("ENV", "/p/x"),
        ("LD_PRELOAD", "/p/x.so"),
        ("GIT_DIR", "/p"),
        ("GIT_SSH_COMMAND", "x"),
        ("PYTHONPATH", "/p"),
        ("NODE_OPTIONS", "--require /p/x"),
        ("RUBYOPT", "-r/p/x"),
        ("PERL5LIB", "/p"),
        ("SSH_AUTH_SOCK", "/s"),
        ("BASH_FUNC_ls%%", "() { evil; }"),
        ("COLORTERM", "truecolor"),
        ("NO_COLOR", "1"),
        ("EDITOR", "vi"),
    ];
    let around = around(&[&kept[..], &lost[..]].concat(), &[], project.path());
    let mut expected: Vec<&str> = kept.iter().map(|(name, _)| *name).collect();
    expected.extend(["PATH", "TERM", "PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "TMPDIR"]);
    expected.extend(["GOCACHE", "PIP_CACHE_DIR", "npm_config_cache"]);
    // Nothing asks for hosts on its own account.
    expected.extend(["DOTNET_CLI_TELEMETRY_OPTOUT", "DO_NOT_TRACK", "NEXT_TELEMETRY_DISABLED", "NO_UPDATE_NOTIFIER"]);
    expected.extend(["PIP_DISABLE_PIP_VERSION_CHECK", "npm_config_update_notifier"]);
    expected.sort_unstable();
    assert_eq!(names(&around), expected);
}

#[test]
fn a_listed_name_passes_but_for_what_every_program_loads() {
    let project = TempDir::new().unwrap();
    let env = [("MY_TOKEN", "t"), ("GIT_DIR", "/g"), ("LD_PRELOAD", "/x.so"), ("DYLD_INSERT_LIBRARIES", "/x")];
    let around = around(&env, &["MY_TOKEN", "GIT_DIR", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES"], project.path());
    assert_eq!(value(&around, "MY_TOKEN").as_deref(), Some("t"));
    assert_eq!(value(&around, "GIT_DIR").as_deref(), Some("/g"));
    assert_eq!((value(&around, "LD_PRELOAD"), value(&around, "DYLD_INSERT_LIBRARIES")), (None, None));
    assert_eq!((around.variable("MY_TOKEN"), around.variable("LD_PRELOAD")), (Some("t"), None));
}

#[test]
fn the_key_of_a_model_server_does_not_pass_even_when_it_is_listed() {
    let project = TempDir::new().unwrap();
    let around = around(&[("OLLAMA_API_KEY", "k")], &["OLLAMA_API_KEY"], project.path());
    assert_eq!(value(&around, "OLLAMA_API_KEY"), None);
}

#[test]
fn nobody_is_there_to_turn_a_page() {
    let project = TempDir::new().unwrap();
    let around = around(&[("TERM", "xterm-256color"), ("PAGER", "less"), ("GIT_PAGER", "delta")], &[], project.path());
    assert_eq!(value(&around, "TERM").as_deref(), Some("dumb"));
    assert_eq!(value(&around, "PAGER").as_deref(), Some("cat"));
    assert_eq!(value(&around, "GIT_PAGER").as_deref(), Some("cat"));
}

#[test]
fn path_loses_what_the_project_or_a_stranger_could_plant_a_program_in() {
    let place = TempDir::new().unwrap();
    let place = place.path().canonicalize().unwrap();
    let folder = |name: &str, mode: u32| {
        let path = place.join(name);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let good = folder("good", 0o755);
    let (open, shared) = (folder("open", 0o757), folder("shared", 0o775));
    let (project, within) = (folder("project", 0o755), folder("project/node_modules/.bin", 0o755));
    let link = place.join("link");
    std::os::unix::fs::symlink(&within, &link).unwrap();
    let path =
        [&within, ".", "", "bin", &open, &good, &shared, &format!("{good}/missing"), link.to_str().unwrap(), &good]
            .map(String::from)
            .join(":");
    let around = around(&[("PATH", &path)], &[], Path::new(&project));
    assert_eq!(around.programs(), [Path::new(&good)]);
    assert_eq!(value(&around, "PATH"), Some(good));
}

#[test]
fn without_a_path_the_usual_places_remain() {
    let project = TempDir::new().unwrap();
    for env in [&[][..], &[("PATH", "relative:")][..]] {
        let around = around(env, &[], project.path());
        assert!(around.programs().contains(&PathBuf::from("/usr/bin")), "{:?}", around.programs());
    }
}

#[test]
fn the_temporary_folder_stands_in_the_environment_and_goes_with_it() {
    let project = TempDir::new().unwrap();
    let around = around(&[("TMPDIR", project.path().to_str().unwrap())], &["TMPDIR"], project.path());
    let temporary = around.temporary().to_owned();
    assert_eq!(value(&around, "TMPDIR").as_deref(), temporary.to_str());
    assert!(temporary.is_dir());
    drop(around);
    assert!(!temporary.exists());
}
