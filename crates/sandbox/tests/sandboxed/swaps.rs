//! What a command puts in the place of a folder that it may write in does not widen the sandbox of the next one.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::Project;
use agent_sandbox::{Ending, HeldFolder, SandboxError, Surroundings};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

async fn works(ground: &Ground, line: &str) {
    let ended = ground.run(Project, line).await;
    assert_eq!(ended.ending, Ending::Exited(0), "{line}: {ended:?}");
}

async fn is_not_started(ground: &Ground, line: &str) {
    let refused = ground.try_run(Project, LONG, line).await;
    let Err(SandboxError::NoSandbox { why }) = refused else { panic!("{line}: {refused:?}") };
    assert!(why.contains("leads elsewhere through a link"), "{why}");
}

#[tokio::test]
async fn a_link_in_place_of_the_temporary_folder_leads_nowhere_and_is_not_followed_at_the_end() {
    let ground = Ground::new();
    let precious = ground.outside().join("closed");
    fs::create_dir(&precious).unwrap();
    fs::set_permissions(&precious, Permissions::from_mode(0o500)).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let env = [(OsString::from("PATH"), path), (OsString::from("TMPDIR"), ground.project().into())];
    let around = Surroundings::new(env, &[], &ground.project()).unwrap();
    let sandbox = ground.sandbox(Project, LONG);
    let swap = ground.shell("mv \"$TMPDIR\" moved && ln -s \"$PWD/../outside\" \"$TMPDIR\"");
    let ended = agent_sandbox::run(&swap, &sandbox, &around, |_| ()).await.unwrap();
    assert_eq!(ended.ending, Ending::Exited(0), "{ended:?}");
    let plant = ground.shell("echo x > \"$TMPDIR/planted\"");
    let ended = agent_sandbox::run(&plant, &sandbox, &around, |_| ()).await.unwrap();
    assert_ne!(ended.ending, Ending::Exited(0), "{ended:?}");
    let link = around.temporary().to_owned();
    drop(around);
    assert!(link.is_symlink(), "it is not ours to remove");
    assert_eq!(fs::read_dir(ground.outside()).unwrap().count(), 1);
    assert_eq!(precious.metadata().unwrap().permissions().mode() & 0o777, 0o500);
}

#[tokio::test]
async fn a_link_in_place_of_a_listed_folder_starts_no_more_commands() {
    let (mut ground, elsewhere) = (Ground::new(), TempDir::new().unwrap());
    let cache = ground.outside().join("cache");
    fs::create_dir(&cache).unwrap();
    ground.writable = vec![ground.outside(), cache];
    works(&ground, "echo x > ../outside/cache/file").await;
    works(&ground, &format!("cd ../outside && mv cache moved && ln -s '{}' cache", elsewhere.path().display())).await;
    is_not_started(&ground, "echo x > ../outside/cache/file").await;
    assert!(is_empty(elsewhere.path()));
}

#[tokio::test]
async fn a_link_in_place_of_the_project_starts_no_more_commands() {
    let (mut ground, elsewhere) = (Ground::new(), TempDir::new().unwrap());
    ground.writable = vec![ground.project().parent().unwrap().to_owned()];
    works(&ground, &format!("cd .. && mv project moved && ln -s '{}' project", elsewhere.path().display())).await;
    // What a permit was given for earlier still says where the project was.
    let project = ground.outside().parent().unwrap().join("project");
    assert!(project.is_symlink());
    let setup = agent_policy::Setup::new(project.clone(), agent_protocol::Mode::Safe);
    let sandbox = Ground::sandbox_of(setup, &project, Project, LONG);
    let shell = agent_sandbox::Shell {
        line: "echo x > planted".into(),
        argv: Vec::new(),
        cwd: project,
        input: None,
        held: None,
    };
    let refused = agent_sandbox::run(&shell, &sandbox, &ground.around, |_| ()).await;
    assert!(matches!(refused, Err(SandboxError::NoSandbox { .. })), "{refused:?}");
    assert!(is_empty(elsewhere.path()));
}

#[tokio::test]
async fn a_listed_folder_may_be_a_link_from_the_start_and_may_be_made_anew() {
    let (mut ground, elsewhere) = (Ground::new(), TempDir::new().unwrap());
    let [link, missing] = ["link", "missing"].map(|name| ground.outside().join(name));
    symlink(elsewhere.path(), &link).unwrap();
    ground.writable = vec![link, missing.clone()];
    works(&ground, "echo x > ../outside/link/file").await;
    fs::create_dir(&missing).unwrap();
    works(&ground, "echo x > ../outside/missing/file").await;
    fs::remove_dir_all(&missing).unwrap();
    fs::create_dir(&missing).unwrap();
    works(&ground, "echo x > ../outside/missing/file").await;
    fs::remove_dir_all(&missing).unwrap();
    symlink(elsewhere.path(), &missing).unwrap();
    is_not_started(&ground, "echo x > ../outside/missing/planted").await;
}

#[tokio::test]
async fn a_command_starts_in_the_folder_that_was_held_whatever_its_name_leads_to() {
    let (ground, elsewhere) = (Ground::new(), TempDir::new().unwrap());
    let sub = ground.project().join("sub");
    fs::create_dir(&sub).unwrap();
    fs::write(sub.join("run.sh"), "echo ours").unwrap();
    fs::write(elsewhere.path().join("run.sh"), "echo theirs").unwrap();
    let held = HeldFolder::open(&sub).unwrap();
    assert!(held.is_where_it_was());
    fs::rename(&sub, ground.project().join("moved")).unwrap();
    assert!(!held.is_where_it_was());
    symlink(elsewhere.path(), &sub).unwrap();
    assert!(!held.is_where_it_was());
    let shell = agent_sandbox::Shell { cwd: sub.clone(), held: Some(held.clone()), ..ground.shell("sh run.sh") };
    let ended = agent_sandbox::run(&shell, &ground.sandbox(Project, LONG), &ground.around, |_| ()).await.unwrap();
    assert_eq!(ended.output.head, "ours\n");
    // A link to the folder itself is another way to it, which may lead out of where it was judged to lie.
    fs::remove_file(&sub).unwrap();
    symlink(ground.project().join("moved"), &sub).unwrap();
    assert!(!held.is_where_it_was());
    fs::remove_file(&sub).unwrap();
    fs::rename(ground.project().join("moved"), &sub).unwrap();
    assert!(held.is_where_it_was());
    fs::rename(&sub, ground.project().join("moved")).unwrap();
    fs::create_dir(&sub).unwrap();
    assert!(!held.is_where_it_was());
}
