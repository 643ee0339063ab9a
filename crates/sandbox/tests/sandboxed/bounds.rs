//! What a command finds around it, and that it cannot make us grow.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::{Project, ReadOnly};
use agent_sandbox::{Ending, Surroundings};
use std::ffi::OsString;
use std::fs;

#[tokio::test]
async fn the_environment_is_the_list_and_nothing_else() {
    let ground = Ground::new();
    let env = [
        ("HOME", "/h"),
        ("API_TOKEN", "secret"),
        ("BASH_ENV", "/p/x"),
        ("BASH_FUNC_echo%%", "() { touch planted; }"),
        ("LC_ALL", "C"),
        ("PATH", "/usr/bin:/bin:."),
    ];
    let env = env.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let around = Surroundings::new(env, &[], &ground.project()).unwrap();
    let (shell, sandbox) = (ground.shell("env | sort | cut -d= -f1"), ground.sandbox(Project, LONG));
    let ended = agent_sandbox::run(&shell, &sandbox, &around, |_| ()).await.unwrap();
    // The shell itself says where it is; and git is told that a mount around the project is none outside.
    let mut expected =
        vec!["GIT_PAGER", "GIT_TERMINAL_PROMPT", "HOME", "LC_ALL", "PAGER", "PATH", "PWD", "TERM", "TMPDIR"];
    expected.extend(["GOCACHE", "PIP_CACHE_DIR", "npm_config_cache"]);
    let overlays = around.inside().is_some_and(|inside| inside.path_sockets().is_ok());
    expected.extend(overlays.then_some("GIT_DISCOVERY_ACROSS_FILESYSTEM"));
    // Nothing asks for hosts on its own account.
    expected.extend(["DOTNET_CLI_TELEMETRY_OPTOUT", "DO_NOT_TRACK", "NEXT_TELEMETRY_DISABLED", "NO_UPDATE_NOTIFIER"]);
    expected.extend(["PIP_DISABLE_PIP_VERSION_CHECK", "npm_config_update_notifier"]);
    expected.sort_unstable();
    let mut names: Vec<&str> = ended.output.head.lines().collect();
    names.sort_unstable();
    assert_eq!(names, expected);
}

#[tokio::test]
async fn a_program_planted_in_the_project_is_not_found_by_its_name() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new();
    let planted = ground.project().join("ls");
    fs::write(&planted, "#!/bin/sh\necho planted\n").unwrap();
    fs::set_permissions(&planted, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:.:/usr/bin:/bin", ground.project().display());
    let env = [(OsString::from("PATH"), OsString::from(path))];
    let around = Surroundings::new(env, &[], &ground.project()).unwrap();
    let (shell, sandbox) = (ground.shell("ls"), ground.sandbox(Project, LONG));
    let ended = agent_sandbox::run(&shell, &sandbox, &around, |_| ()).await.unwrap();
    assert_eq!(ended.output.head, "ls\n");
}

#[tokio::test]
async fn the_temporary_folder_lasts_from_one_command_to_the_next() {
    let ground = Ground::new();
    assert_eq!(ground.run(Project, "echo kept > \"$TMPDIR/note\"").await.ending, Ending::Exited(0));
    assert_eq!(ground.run(ReadOnly, "cat \"$TMPDIR/note\"").await.output.head, "kept\n");
}

#[tokio::test]
async fn a_gigabyte_of_output_does_not_make_us_grow() {
    let ground = Ground::new();
    let (shell, sandbox) = (ground.shell("head -c 1000000000 /dev/zero"), ground.sandbox(Project, LONG));
    let (before, mut most) = (resident(), 0);
    let ended = agent_sandbox::run(&shell, &sandbox, &ground.around, |_| most = most.max(resident())).await.unwrap();
    let kept = ended.output;
    assert_eq!(kept.head.len() as u64 + kept.lost.bytes + kept.tail.len() as u64, 1_000_000_000);
    let grown = most.saturating_sub(before);
    // Other tests run in this process at the same time.
    assert!(most > 0 && grown < 64 << 20, "it grew by {grown} bytes");
}

/// Bytes of ours in memory.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * rustix::param::page_size()
}
