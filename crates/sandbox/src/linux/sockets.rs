//! Sockets that have a path, as other programs of this machine made them: whoever connects to one of them can have a
//! program outside do something.

use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Where programs of the user put their sockets, in their home. Covered whether there is one now or not.
pub(super) const OF_A_HOME: &[&str] = &[
    ".gnupg",
    ".ssh/agent",
    ".docker",
    ".colima",
    ".lima",
    ".orbstack",
    ".rd",
    ".1password",
    ".screen",
    ".dbus",
    ".local/share/containers",
];
/// Where those of the system are.
pub(super) const OF_THE_SYSTEM: &str = "/run";
/// What of that is no socket and is needed: where NixOS has its programs and drivers.
pub(super) const NEEDED: &[&str] = &["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/// Sockets there are now, links resolved; `None` where that cannot be found out.
pub(super) fn listed() -> Option<Vec<PathBuf>> {
    let list = std::fs::read("/proc/self/net/unix").ok()?;
    let list = String::from_utf8_lossy(&list);
    Some(paths(&list).filter_map(there).collect())
}

/// Where it is, if it is there.
fn there(path: &Path) -> Option<PathBuf> {
    let real = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    real.symlink_metadata().is_ok_and(|found| found.file_type().is_socket()).then_some(real)
}

/// Of lines of seven numbers and a path, those with a path that is whole (proc_pid_net(5)).
fn paths(list: &str) -> impl Iterator<Item = &Path> {
    list.lines().skip(1).filter_map(|line| {
        let mut rest = line;
        for _ in 0..7 {
            rest = rest.trim_start();
            rest = &rest[rest.find(' ')?..];
        }
        rest.strip_prefix(' ').filter(|path| path.starts_with('/')).map(Path::new)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_with_a_path_are_listed_and_those_with_a_mere_name_are_not() {
        let list = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            ffff9e1c: 00000002 00000000 00010000 0001 01 21035 /run/user/1000/bus\n\
            ffff9e1d: 00000003 00000000 00000000 0001 03 22111\n\
            ffff9e1e: 00000002 00000000 00010000 0001 01 18745 @/tmp/.ICE-unix/1543\n\
            ffff9e1f: 00000002 00000000 00000000 0002 01    85 /home/a b/.agent sock\n\
            ffff9e20: 00000002 00000000 00010000 0001 01 18746 relative\n";
        let found: Vec<&str> = paths(list).map(|path| path.to_str().unwrap()).collect();
        assert_eq!(found, ["/run/user/1000/bus", "/home/a b/.agent sock"]);
    }

    #[test]
    fn one_that_is_there_is_found_under_its_real_path() {
        let place = tempfile::TempDir::new().unwrap();
        let real = place.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("folder")).unwrap();
        std::os::unix::fs::symlink(real.join("folder"), real.join("link")).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(real.join("link/socket")).unwrap();
        assert!(listed().unwrap().contains(&real.join("folder/socket")));
    }
}
