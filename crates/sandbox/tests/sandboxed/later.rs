//! Sockets that other programs make while a command runs, and what works in the trees that keep them out of reach.

use crate::apart::{TALK, compiled, good, is_refused, works};
use crate::ground::{Ground, LONG};
use agent_protocol::Blocked;
use agent_protocol::Profile::{Project, Unfenced};
use agent_sandbox::{Ended, Ending, More, run_with};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs `line` with `talk` in the project, which another program lets go on when it has made a socket at `place/made` and
/// one for datagrams at `place/datagrams`: how it ended, and whether anybody came to them.
async fn meanwhile(ground: &Ground, place: &Path, line: &str) -> (Ended, bool) {
    let project = ground.project();
    let wait = format!("echo > waiting; until test -e made; do :; done; rm waiting made; {line}");
    let other = std::thread::spawn({
        let place = place.to_owned();
        move || {
            while !project.join("waiting").exists() {
                std::thread::yield_now();
            }
            let listener = UnixListener::bind(place.join("made")).unwrap();
            let datagrams = UnixDatagram::bind(place.join("datagrams")).unwrap();
            fs::write(project.join("made"), "").unwrap();
            (listener, datagrams)
        }
    });
    let ended = ground.run(Project, &wait).await;
    let (listener, datagrams) = other.join().unwrap();
    listener.set_nonblocking(true).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let came = listener.accept().is_ok() || datagrams.recv(&mut [0; 8]).is_ok();
    let free = ground.run(Unfenced, &format!("timeout 1 ./talk connect '{}/made'", place.display())).await;
    assert!(listener.accept().is_ok(), "without the sandbox it is reached: {free:?}");
    for name in ["made", "datagrams"] {
        fs::remove_file(place.join(name)).unwrap();
    }
    (ended, came)
}

#[tokio::test]
async fn a_socket_that_is_made_while_a_command_runs_is_out_of_reach() {
    let home = TempDir::new_in("/tmp").unwrap();
    let of_home = Ground::with_home(&home.path().canonicalize().unwrap());
    let (beside, in_tmp) = (Ground::new(), Ground::in_tmp());
    let home = home.path().canonicalize().unwrap();
    for (ground, place) in [(&beside, beside.outside()), (&in_tmp, in_tmp.outside()), (&of_home, home)] {
        compiled(ground, "talk", TALK).await;
        ground.around.inside().unwrap().path_sockets().unwrap();
        symlink(place.join("made"), ground.project().join("link")).unwrap();
        let place_words = place.display();
        for (line, why) in [
            (format!("./talk connect '{place_words}/made'"), "Connection refused"),
            (format!("cd '{place_words}' && \"$OLDPWD/talk\" connect made"), "Connection refused"),
            ("./talk connect link".to_owned(), "Connection refused"),
            (format!("./talk datagram '{place_words}/datagrams'"), "Connection refused"),
            (format!("cp -l '{place_words}/made' linked"), "cross-device"),
        ] {
            let (ended, came) = meanwhile(ground, &place, &line).await;
            assert!(!good(&ended) && !came, "{line}: {ended:?}");
            assert!(ended.output.head.contains(why), "{line}: {ended:?}");
        }
    }
}

#[tokio::test]
async fn a_socket_that_is_made_in_the_project_meanwhile_is_reached() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let sub = ground.project().join("sub");
    fs::create_dir(&sub).unwrap();
    let (ended, _) = meanwhile(&ground, &sub, "./talk datagram sub/datagrams").await;
    assert!(good(&ended), "{ended:?}");
}

#[tokio::test]
async fn programs_and_files_outside_are_read_and_run_and_not_changed() {
    let ground = Ground::new();
    let outside = ground.outside();
    fs::create_dir_all(outside.join("bin/deep")).unwrap();
    fs::copy("/bin/cat", outside.join("bin/mine")).unwrap();
    fs::write(outside.join("bin/deep/file"), "words\n").unwrap();
    symlink("deep/file", outside.join("bin/link")).unwrap();
    for line in [
        "test \"$(../outside/bin/mine ../outside/bin/link)\" = words",
        "cp -a ../outside/bin copied && cmp copied/deep/file ../outside/bin/deep/file && test -L copied/link",
        "echo x > a && ln a b && test \"$(stat -c %h b)\" = 2 && mv b copied/ && cp -l a c",
        "ls ../outside | grep -q bin && cat ../outside/bin/*/file && find ../outside -name file | grep -q deep",
        "cd ../outside/bin && test \"$(./mine link)\" = words && pwd -P | grep -q 'outside/bin$'",
    ] {
        works(&ground, line).await;
    }
    for line in ["rm ../outside/bin/link", "chmod 600 ../outside/bin/deep/file", "mv ../outside/bin/deep ."] {
        is_refused(&ground, line).await;
    }
    for line in ["echo x > ../outside/new", "echo x >> ../outside/bin/deep/file"] {
        let ended = ground.run(Project, line).await;
        assert_eq!((ended.ending, ended.blocked), (Ending::Exited(2), Some(Blocked::Writing)), "{line}: {ended:?}");
    }
    assert_eq!(fs::read(outside.join("bin/deep/file")).unwrap(), b"words\n");
}

#[tokio::test]
async fn a_command_starts_in_a_folder_outside_and_has_no_socket_with_a_path_there() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let mut shell = ground.shell("pwd -P; ../project/talk connect x");
    shell.cwd = ground.outside();
    shell.held = Some(agent_sandbox::HeldFolder::open(&ground.outside()).unwrap());
    let sandbox = ground.sandbox(Project, LONG);
    let ended = run_with(&shell, &sandbox, &ground.around, More::default(), |_| ()).await.unwrap();
    assert_eq!(ended.ending, Ending::Exited(2), "{ended:?}");
    assert!(ended.output.head.starts_with(ground.outside().to_str().unwrap()), "{ended:?}");
}

#[tokio::test]
async fn git_finds_what_a_project_is_a_part_of() {
    for ground in [Ground::new(), Ground::in_tmp()] {
        let around = ground.project().parent().unwrap().to_owned();
        let git = |words: &[&str]| Command::new("git").arg("-C").arg(&around).args(words).output();
        let Ok(made) = git(&["init", "-q"]) else { return };
        assert!(made.status.success(), "{made:?}");
        works(&ground, "test \"$(git rev-parse --show-prefix)\" = project/ && git status --short").await;
        let own =
            "git init -q . && echo x > a && git add a && git -c user.name=a -c user.email=a@b commit -qm x && git log";
        works(&ground, own).await;
    }
}

#[tokio::test]
async fn python_makes_an_environment_of_its_own() {
    let ground = Ground::new();
    if !good(&ground.run(Unfenced, "python3 -m venv --help").await) {
        return;
    }
    works(
        &ground,
        "python3 -m venv --without-pip v && v/bin/python -c 'import sys; assert sys.prefix.endswith(\"/v\")'",
    )
    .await;
}

/// Where something is mounted beneath a folder no overlay of that can be made.
#[test]
fn what_is_mounted_beneath_is_seen_and_no_socket_is_reached_there_either() {
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let real = place.path().canonicalize().unwrap();
    fs::create_dir_all(real.join("around/mounted")).unwrap();
    let mut copy = Command::new("unshare");
    let rights = rustix::process::geteuid().is_root();
    let namespaces: &[&str] = if rights { &["--mount"] } else { &["--user", "--map-root-user", "--mount"] };
    let line = "mount -t tmpfs none \"$1/around/mounted\" && shift && exec \"$@\"";
    copy.args(namespaces).args(["sh", "-c", line, "sh"]).arg(&real).arg(std::env::current_exe().unwrap());
    copy.args(["later::beneath", "--exact", "--nocapture"]).env(BENEATH, &real);
    let output = copy.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// Where the copy finds it.
const BENEATH: &str = "FENCED_BENEATH";

/// Runs in the copy only.
#[tokio::test]
async fn beneath() {
    let Some(real) = std::env::var_os(BENEATH) else { return };
    let real = Path::new(&real);
    let mounted = real.join("around/mounted");
    fs::write(mounted.join("file"), "x").unwrap();
    fs::write(real.join("around/beside"), "y").unwrap();
    for home in [None, Some(real)] {
        let ground = home.map_or_else(Ground::new, Ground::with_home);
        compiled(&ground, "talk", TALK).await;
        works(&ground, &format!("test \"$(cat '{0}/file' '{0}/../beside')\" = xy", mounted.display())).await;
        is_refused(&ground, &format!("echo x > '{}/new'", mounted.display())).await;
        let can = ground.around.inside().unwrap().path_sockets();
        let (ended, came) = meanwhile(&ground, &mounted, &format!("./talk connect '{}/made'", mounted.display())).await;
        // In a folder of the user's that cannot be overlaid, sockets could be made: so there are none.
        let code = if can.is_ok() { 5 } else { 2 };
        assert!(ended.ending == Ending::Exited(code) && !came, "{can:?} {ended:?}");
        if home.is_some() {
            assert!(can.is_err_and(|why| why.contains("is mounted beneath")));
            it_is_tried_anew(&ground, &mounted).await;
        }
    }
}

/// What is mounted and unmounted meanwhile keeps no command from starting.
async fn it_is_tried_anew(ground: &Ground, mounted: &Path) {
    assert!(Command::new("umount").arg(mounted).status().unwrap().success());
    let (ended, came) = meanwhile(ground, mounted, &format!("./talk connect '{}/made'", mounted.display())).await;
    assert!(ended.ending == Ending::Exited(5) && !came, "{ended:?}");
    assert!(Command::new("mount").args(["-t", "tmpfs", "none"]).arg(mounted).status().unwrap().success());
    fs::write(mounted.join("again"), "x").unwrap();
    works(ground, &format!("test -e '{}/again'", mounted.display())).await;
    assert_eq!(ground.run(Project, "./talk connect x").await.ending, Ending::Exited(2));
}
