//! The cache of a project, as the commands of its sessions see it.

use crate::ground::Ground;
use agent_protocol::Profile;
use agent_sandbox::{Caches, Ending, More, Shell, Surroundings, run_with};
use std::ffi::OsString;
use std::path::PathBuf;

/// A session of the project called `label`, on `ground`.
fn session(ground: &Ground, label: &str, listed: &[&str], more: &[(&str, &str)]) -> Surroundings {
    let listed: Vec<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    let home = ground.outside();
    let mut env: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), std::env::var_os("PATH").unwrap()),
        ("HOME".into(), home.clone().into()),
        ("TMPDIR".into(), home.with_file_name("temporary").into()),
    ];
    env.extend(more.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    let around = Surroundings::new(env.clone(), &listed, &ground.project()).unwrap();
    around.with_caches(Caches::open(&place(ground), label, &ground.project(), env).unwrap())
}

fn place(ground: &Ground) -> PathBuf {
    ground.outside().join("caches")
}

async fn run(ground: &Ground, around: &Surroundings, profile: Profile, line: &str) -> (Ending, String) {
    let shell: Shell = ground.shell(line);
    let ended = agent_sandbox::run(&shell, &ground.sandbox(profile, 60), around, |_| ()).await.unwrap();
    (ended.ending, ended.output.head)
}

#[tokio::test]
async fn what_one_session_keeps_the_next_one_of_the_project_finds_and_another_project_does_not() {
    let ground = Ground::new();
    let keep = "mkdir -p \"$XDG_CACHE_HOME\" \"$CARGO_HOME\" && echo kept > \"$XDG_CACHE_HOME/one\"";
    let (ending, said) = run(&ground, &session(&ground, "a1", &[], &[]), Profile::Project, keep).await;
    assert_eq!(ending, Ending::Exited(0), "{said}");
    let look = "cat \"$XDG_CACHE_HOME/one\"";
    let (_, said) = run(&ground, &session(&ground, "a1", &[], &[]), Profile::Project, look).await;
    assert_eq!(said, "kept\n");
    let (ending, _) = run(&ground, &session(&ground, "b2", &[], &[]), Profile::Project, look).await;
    assert_ne!(ending, Ending::Exited(0));
}

#[tokio::test]
async fn no_command_writes_in_another_projects_cache_or_beside_its_own_or_in_the_persons() {
    let ground = Ground::new();
    let other = session(&ground, "b2", &[], &[]);
    let theirs = other.caches().unwrap().path().to_owned();
    let own = ground.outside().join(".cargo/registry/cache/example");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("one-1.0.0.crate"), "theirs").unwrap();
    let around = session(&ground, "a1", &[], &[]);
    let files = around.caches().unwrap().path().display().to_string();
    let plants = [
        format!("echo planted > '{}/planted'", theirs.display()),
        format!("echo planted > '{files}/../planted'"),
        format!("mv '{files}' '{files}.moved'"),
        format!("rmdir '{files}/..' || rm -rf '{files}/../project' && false"),
    ];
    for line in plants {
        let (ending, said) = run(&ground, &around, Profile::Project, &line).await;
        assert_ne!(ending, Ending::Exited(0), "{line}: {said}");
    }
    assert!(!theirs.join("planted").exists() && place(&ground).join("a1/project").exists());
    let read = format!("cat '{}/one-1.0.0.crate'", own.display());
    for (around, expected) in [(&around, "planted\n"), (&other, "theirs")] {
        let (_, said) = run(&ground, around, Profile::Project, &read).await;
        assert_eq!(said, "theirs", "what was downloaded can be read");
        // What is written over it only commands of this project see, and what looks on its own account sees the user's.
        let write = format!("echo {} > '{}/one-1.0.0.crate'", expected.trim(), own.display());
        let (_, said) = run(&ground, around, Profile::Project, &format!("({write}) 2>/dev/null; {read}")).await;
        assert_eq!(said.trim(), expected.trim());
        let (_, said) = run(&ground, around, Profile::ReadOnly, &read).await;
        assert_eq!(said, "theirs");
        assert_eq!(std::fs::read_to_string(own.join("one-1.0.0.crate")).unwrap(), "theirs");
    }
}

#[tokio::test]
async fn a_look_writes_nothing_and_what_runs_without_the_sandbox_uses_the_persons_own() {
    let ground = Ground::new();
    let around = session(&ground, "a1", &[], &[("CARGO_HOME", "/theirs")]);
    let write = "mkdir -p \"$XDG_CACHE_HOME\" && touch \"$XDG_CACHE_HOME/one\"";
    let (ending, _) = run(&ground, &around, Profile::ReadOnly, write).await;
    assert_ne!(ending, Ending::Exited(0));
    let says = "echo \"$CARGO_HOME ${XDG_CACHE_HOME-none} ${GOCACHE-none}\"";
    let (_, said) = run(&ground, &around, Profile::Unfenced, says).await;
    assert_eq!(said, "/theirs none none\n");
    let files = around.caches().unwrap().path();
    let (_, said) = run(&ground, &around, Profile::Project, "echo \"$CARGO_HOME\"").await;
    assert_eq!(said.trim_end(), files.join("cargo").to_str().unwrap());
}

#[tokio::test]
async fn a_variable_that_the_person_listed_stays_theirs() {
    let ground = Ground::new();
    let around = session(&ground, "a1", &["CARGO_HOME"], &[("CARGO_HOME", "/theirs"), ("GOPATH", "/moved")]);
    let (_, said) = run(&ground, &around, Profile::Project, "echo \"$CARGO_HOME $GOPATH\"").await;
    let files = around.caches().unwrap().path();
    assert_eq!(said, format!("/theirs {}\n", files.join("go").display()));
}

#[tokio::test]
async fn no_program_is_looked_for_where_commands_can_plant_one() {
    let ground = Ground::new();
    let planted = place(&ground).canonicalize().unwrap_or_else(|_| place(&ground)).join("a1/files/cargo/bin");
    std::fs::create_dir_all(&planted).unwrap();
    let path = format!("{}:/usr/bin:/bin", planted.display());
    let around = session(&ground, "a1", &[], &[("PATH", &path)]);
    assert!(around.programs().iter().all(|folder| *folder != planted), "{:?}", around.programs());
    let (_, said) = run(&ground, &around, Profile::Project, "echo $PATH").await;
    assert!(!said.contains("cargo/bin"), "{said}");
}

/// A registry in a folder, and a program that needs what is in it.
const CRATES: &str = r#"
mkdir -p dep-1.0.0/src registry/index/3/d .cargo src
printf '[package]\nname = "dep"\nversion = "1.0.0"\nedition = "2021"\n' > dep-1.0.0/Cargo.toml
echo 'pub fn one() -> u32 { 1 }' > dep-1.0.0/src/lib.rs
tar czf registry/dep-1.0.0.crate dep-1.0.0 && rm -r dep-1.0.0
sum=$(sha256sum registry/dep-1.0.0.crate | cut -d' ' -f1)
echo '{"name":"dep","vers":"1.0.0","deps":[],"cksum":"'$sum'","features":{},"yanked":false}' > registry/index/3/d/dep
printf '[source.crates-io]\nreplace-with = "here"\n[source.here]\nlocal-registry = "registry"\n' > .cargo/config.toml
printf '[workspace]\n[package]\nname = "main"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndep = "1"\n' > Cargo.toml
echo 'fn main() { println!("{}", dep::one()) }' > src/main.rs
"#;

/// As a session of a user whose tools are where they are on this machine.
fn with_tools(ground: &Ground) -> Surroundings {
    let rustup = std::env::var("RUSTUP_HOME").unwrap_or_else(|_| format!("{}/.rustup", home()));
    session(ground, "a1", &[], &[("RUSTUP_HOME", &rustup)])
}

/// That of the account, where the environment names none.
fn home() -> String {
    let named = std::env::var("HOME").ok().filter(|home| !home.is_empty());
    let user = rustix::process::geteuid().as_raw().to_string();
    let accounts = || std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let own = |line: &str| line.split(':').nth(2) == Some(&*user);
    let of_account = || accounts().lines().find(|line| own(line))?.split(':').nth(5).map(str::to_owned);
    named.or_else(of_account).unwrap_or_default()
}

#[tokio::test]
async fn what_the_user_built_is_not_built_again_nor_the_other_way_round() {
    let ground = Ground::new();
    let around = with_tools(&ground);
    let (ending, _) = run(&ground, &around, Profile::Unfenced, "cargo --version").await;
    if ending != Ending::Exited(0) {
        return;
    }
    std::fs::create_dir(ground.outside().join(".cargo")).unwrap();
    drop(around);
    let around = with_tools(&ground);
    let (ending, said) =
        run(&ground, &around, Profile::Unfenced, &format!("set -e; {CRATES} cargo build --offline")).await;
    assert!(ending == Ending::Exited(0) && said.contains("Compiling dep"), "{said}");
    for profile in [Profile::Project, Profile::Unfenced, Profile::Project] {
        let (ending, said) = run(&ground, &around, profile, "cargo build --offline").await;
        let held = around.try_inside().map(|inside| (inside.covers(), inside.path_sockets()));
        assert!(ending == Ending::Exited(0) && !said.contains("Compiling"), "{profile:?}: {said}{held:?}");
    }
    // The other way round: what is built inside is found outside.
    let line = "rm -rf target; cargo build --offline";
    let (ending, said) = run(&ground, &around, Profile::Project, line).await;
    assert!(ending == Ending::Exited(0) && said.contains("Compiling dep"), "{said}");
    let (_, said) = run(&ground, &around, Profile::Unfenced, "cargo build --offline").await;
    assert!(!said.contains("Compiling"), "{said}");
}

#[tokio::test]
async fn keys_in_a_cache_stay_hidden_and_its_programs_cannot_be_changed() {
    let ground = Ground::new();
    let cargo = ground.outside().join(".cargo");
    std::fs::create_dir_all(cargo.join("bin")).unwrap();
    std::fs::write(cargo.join("credentials.toml"), "secret").unwrap();
    std::fs::write(cargo.join("bin/tool"), "theirs").unwrap();
    let around = session(&ground, "a1", &[], &[]);
    let more = || More { hidden: vec![cargo.join("credentials.toml")], ..More::default() };
    // Below a temporary folder a command may write all that it sees; what it sees there is a copy.
    let denied = if ["/tmp", "/var/tmp"].iter().any(|temporary| cargo.starts_with(temporary)) { 0 } else { 2 };
    for (line, code) in [
        ("test ! -s ~/.cargo/credentials.toml", 0),
        ("rm ~/.cargo/credentials.toml || mv ~/.cargo ~/moved", 1),
        ("echo x > ~/.cargo/bin/tool", denied),
        ("echo x > ~/.cargo/bin/new", denied),
        ("echo x >> ~/.cargo/config.toml", denied),
        ("echo x > ~/.cargo/new", denied),
        ("echo x > ~/.cargo/registry/new && test \"${CARGO_HOME-none}\" = none", 0),
        ("cat ~/.cargo/registry/new", 0),
    ] {
        let shell = ground.shell(line);
        let ended = run_with(&shell, &ground.sandbox(Profile::Project, 60), &around, more(), |_| ()).await.unwrap();
        assert_eq!(ended.ending, Ending::Exited(code), "{line}: {ended:?}");
    }
    assert!(!cargo.join("registry").exists() && !cargo.join("bin/new").exists());
    assert!(!cargo.join("config.toml").exists() && !cargo.join("new").exists());
    assert_eq!(std::fs::read_to_string(cargo.join("bin/tool")).unwrap(), "theirs");
}

#[tokio::test]
async fn commands_at_the_same_time_exclude_each_other_by_a_lock_of_the_cache() {
    let ground = Ground::new();
    std::fs::create_dir(ground.outside().join(".cargo")).unwrap();
    let around = session(&ground, "a1", &[], &[]);
    let holds = "flock ~/.cargo/.package-cache sh -c 'touch held; until test -e done; do sleep 0.02; done'";
    let wants = "until test -e held; do sleep 0.02; done; flock -n ~/.cargo/.package-cache true; code=$?; touch done; exit $code";
    let (held, wanted) =
        tokio::join!(run(&ground, &around, Profile::Project, holds), run(&ground, &around, Profile::Project, wants));
    assert_eq!((held.0, wanted.0), (Ending::Exited(0), Ending::Exited(1)), "{held:?} {wanted:?}");
    // Another session of the project writes elsewhere.
    let other = session(&ground, "a1", &[], &[]);
    let (_, said) = run(&ground, &other, Profile::Project, "echo $CARGO_HOME").await;
    assert!(said.contains("a1/files/cargo"), "{said}");
}

#[tokio::test]
async fn what_a_command_removed_of_the_users_is_there_again_in_the_next_session() {
    let ground = Ground::new();
    let registry = ground.outside().join(".cargo/registry");
    std::fs::create_dir_all(registry.join("cache/example")).unwrap();
    std::fs::write(registry.join("cache/example/one.crate"), "theirs").unwrap();
    let remove = "rm -r ~/.cargo/registry/cache && mkdir ~/.cargo/registry/cache && ls ~/.cargo/registry/cache";
    let (ending, said) = run(&ground, &session(&ground, "a1", &[], &[]), Profile::Project, remove).await;
    assert_eq!((ending, &*said), (Ending::Exited(0), ""));
    let look = "cat ~/.cargo/registry/cache/example/one.crate";
    let (_, said) = run(&ground, &session(&ground, "a1", &[], &[]), Profile::Project, look).await;
    assert_eq!(said, "theirs");
}

#[tokio::test]
async fn a_place_in_a_cache_that_the_user_listed_can_be_written_and_a_command_starts_in_a_cache() {
    let mut ground = Ground::new();
    let cargo = ground.outside().join(".cargo");
    std::fs::create_dir_all(cargo.join("bin")).unwrap();
    ground.writable.push(cargo.join("bin"));
    let around = session(&ground, "a1", &[], &[]);
    let (ending, said) = run(&ground, &around, Profile::Project, "echo x > ~/.cargo/bin/new").await;
    assert!(ending == Ending::Exited(0) && cargo.join("bin/new").exists(), "{said}");
    let shell = Shell { cwd: cargo, ..ground.shell("pwd") };
    let ended = agent_sandbox::run(&shell, &ground.sandbox(Profile::Project, 60), &around, |_| ()).await.unwrap();
    assert_eq!(ended.ending, Ending::Exited(0), "{ended:?}");
}
