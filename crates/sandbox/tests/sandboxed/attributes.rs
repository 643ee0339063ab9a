//! Attributes of files, which Landlock governs nowhere: no command within a sandbox sets or removes any, and what copies
//! files with all they have goes on without them, as on a file system that has none.

use crate::ground::Ground;
use agent_protocol::Profile::{Network, Project, ReadOnly, Unfenced};
use agent_sandbox::Ending;
use std::fs;

/// Prints what each call came to that sets or removes an attribute of the file `outside`, of a link to it or of its
/// descriptor, and those of them that are newer than the C library.
const PROBE: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
static void say(const char *name, long result) {
    printf("%s: %s\n", name, result == -1 ? strerror(errno) : "done");
}
int main(int count, char **names) {
    const char *path = names[1], *name = "user.agent";
    int file = open(path, O_RDONLY);
    struct { unsigned long value; unsigned size, flags; } given = {(unsigned long)"x", 1, 0};
    say("setxattr", setxattr(path, name, "x", 1, 0));
    say("lsetxattr", lsetxattr(path, name, "x", 1, 0));
    say("fsetxattr", fsetxattr(file, name, "x", 1, 0));
    say("removexattr", removexattr(path, name));
    say("lremovexattr", lremovexattr(path, name));
    say("fremovexattr", fremovexattr(file, name));
    say("setxattrat", syscall(463, AT_FDCWD, path, 0, name, &given, sizeof given));
    say("removexattrat", syscall(466, AT_FDCWD, path, 0, name));
    return 0;
}
"#;

#[tokio::test]
async fn no_command_sets_or_removes_an_attribute_anywhere() {
    let ground = Ground::new();
    fs::write(ground.project().join("probe.c"), PROBE).unwrap();
    fs::write(ground.outside().join("precious"), "x").unwrap();
    let made = ground.run(Unfenced, "cc -o probe probe.c").await;
    assert_eq!(made.ending, Ending::Exited(0), "{made:?}");
    let free = ground.run(Unfenced, "./probe ../outside/precious").await;
    assert!(free.output.head.starts_with("setxattr: done\n"), "a file system without attributes: {free:?}");
    for profile in [ReadOnly, Project, Network] {
        for file in ["../outside/precious", "probe.c"] {
            let ended = ground.run(profile, &format!("./probe {file}")).await;
            let told: Vec<&str> = ended.output.head.lines().collect();
            assert_eq!(told.len(), 8, "{ended:?}");
            assert!(told.iter().all(|line| line.ends_with(": Operation not supported")), "{profile:?}: {told:?}");
        }
    }
}

#[tokio::test]
async fn what_copies_files_with_all_they_have_goes_on() {
    let ground = Ground::new();
    fs::write(ground.outside().join("given"), "x").unwrap();
    let attributed = "cc -xc -o set - <<'E'\n#include <sys/xattr.h>\nint main(int c, char **v) { return \
        setxattr(v[1], \"user.agent\", \"x\", 1, 0) ? 1 : 0; }\nE\n./set ../outside/given";
    let made = ground.run(Unfenced, attributed).await;
    assert_eq!(made.ending, Ending::Exited(0), "{made:?}");
    for line in [
        "cp -a ../outside/given one && cp -p one two && cmp one two",
        "mkdir -p in/deep && cp -a ../outside/given in/deep/ && cp -a in out && cmp out/deep/given ../outside/given",
        "install -m 600 ../outside/given three && test \"$(stat -c %a three)\" = 600",
        "tar --xattrs -cf all.tar in && mkdir un && tar --xattrs -xpf all.tar -C un && cmp un/in/deep/given one",
        "mv three \"$TMPDIR/three\" && mv \"$TMPDIR/three\" four && cmp four one",
        "sed -i s/x/y/ four && sort -o four four && chmod 640 four && touch -d 2001-01-01 four",
        "git init -q . && git add one && git -c user.email=a@b -c user.name=x commit -qm one && git clone -q . copy",
    ] {
        let ended = ground.run(Project, line).await;
        assert_eq!(ended.ending, Ending::Exited(0), "{line}\n{ended:?}");
    }
}
