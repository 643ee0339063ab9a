//! The cache of a project, as the commands of its sessions see it.

use crate::ground::Ground;
use agent_protocol::Profile;
use agent_sandbox::{Caches, Ending, Shell, Surroundings};
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
    let ended = agent_sandbox::run(&shell, &ground.fence(profile, 60), around, |_| ()).await.unwrap();
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
        format!("echo planted > '{}/one-1.0.0.crate'", own.display()),
        // Through the link that leads there.
        format!("echo planted > '{files}/cargo/registry/cache/example/one-1.0.0.crate'"),
        format!("echo planted > '{files}/../planted'"),
        format!("mv '{files}' '{files}.moved'"),
        format!("rmdir '{files}/..' || rm -rf '{files}/../project' && false"),
    ];
    for line in plants {
        let (ending, said) = run(&ground, &around, Profile::Project, &line).await;
        assert_ne!(ending, Ending::Exited(0), "{line}: {said}");
    }
    assert_eq!(std::fs::read_to_string(own.join("one-1.0.0.crate")).unwrap(), "theirs");
    assert!(!theirs.join("planted").exists() && place(&ground).join("a1/project").exists());
    let read = format!("cat '{files}/cargo/registry/cache/example/one-1.0.0.crate'");
    let (_, said) = run(&ground, &around, Profile::Project, &read).await;
    assert_eq!(said, "theirs", "what was downloaded can be read");
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
