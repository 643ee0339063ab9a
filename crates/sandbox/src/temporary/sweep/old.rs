//! The folders of version 0.1, which have no lock and no mark. Each of its owners holds something open there, the folder
//! itself or a file in it: one that no living program has open is dead.
//!
//! Where not all programs can be looked at, nothing is known, and everything stays.

use crate::temporary::sweep::Named;
#[cfg(target_os = "linux")]
use crate::temporary::sweep::named;
use rustix::fs::{Dir, Stat, fstat};
use std::collections::HashSet;
use std::ffi::CStr;
use std::os::fd::OwnedFd;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Between making a folder and opening it a moment passes; nothing is believed of one that was changed since.
const MOMENT: Duration = Duration::from_secs(3_600);
/// What 0.1 itself kept in the folder of a session. Where there is anything else, it may be another program's folder that
/// only is called like ours.
const OF_A_SESSION: [&CStr; 6] = [c".", c"..", c"caches", c"go-build", c"npm", c"pip"];
/// What is in the folder of a demo.
const OF_A_DEMO: [&CStr; 5] = [c".", c"..", c"config", c"project", c"state"];

/// What is known of them; found out when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Old {
    in_use: Option<Option<HashSet<String>>>,
}

impl Old {
    /// Is the folder `name` nobody's any more?
    pub(super) fn is_dead(&mut self, folder: &OwnedFd, name: &CStr, named: Named) -> bool {
        let (Ok(found), Ok(name)) = (fstat(folder), name.to_str()) else { return false };
        let looks_so = match named {
            Named::Session => found.st_mode & 0o777 == 0o700 && holds_only(folder, &OF_A_SESSION),
            Named::OldDemo => found.st_mode & 0o002 == 0 && holds_only(folder, &OF_A_DEMO),
        };
        if !looks_so || is_new(&found) {
            return false;
        }
        let in_use = self.in_use.get_or_insert_with(names_in_use);
        in_use.as_ref().is_some_and(|in_use| !in_use.contains(name))
    }
}

fn is_new(found: &Stat) -> bool {
    #[expect(clippy::unnecessary_cast, reason = "the width differs from system to system")]
    let changed = Duration::from_secs((found.st_mtime as i64).max(0).cast_unsigned());
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().checked_sub(changed);
    age.is_none_or(|age| age < MOMENT)
}

fn holds_only(folder: &OwnedFd, known: &[&CStr]) -> bool {
    Dir::read_from(folder)
        .is_ok_and(|mut names| names.all(|name| name.is_ok_and(|name| known.contains(&name.file_name()))))
}

/// The names of such folders that some program has open, or works in; `None` where that cannot be told of all of them.
#[cfg(target_os = "linux")]
pub(in crate::temporary) fn names_in_use() -> Option<HashSet<String>> {
    /// How the system calls the namespace in which all processes are seen (`PROC_PID_INIT_INO`).
    const ALL: &str = "pid:[4026531836]";
    if std::fs::read_link("/proc/self/ns/pid").ok()?.to_str() != Some(ALL) {
        return None;
    }
    // What we have open ourselves is what we look at.
    let own = std::process::id().to_string();
    let mut names = HashSet::new();
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let (path, id) = (process.path(), process.file_name());
        let id = id.to_string_lossy();
        let another = id.bytes().all(|byte| byte.is_ascii_digit()) && id != own;
        if another && !look_at(&path, &mut names) && may_be_one_of_us(&path) {
            return None;
        }
    }
    Some(names)
}

/// Without other systems' ways to look at processes nothing can be told.
#[cfg(not(target_os = "linux"))]
pub(in crate::temporary) fn names_in_use() -> Option<HashSet<String>> {
    None
}

/// Notes what the process has open. `false`: it may not be looked into.
#[cfg(target_os = "linux")]
fn look_at(process: &Path, names: &mut HashSet<String>) -> bool {
    let Ok(open) = std::fs::read_dir(process.join("fd")) else { return !process.exists() };
    let places = ["cwd", "root", "exe"].map(|name| process.join(name));
    for link in open.flatten().map(|entry| entry.path()).chain(places) {
        let Ok(target) = std::fs::read_link(link) else { continue };
        let parts = target.components().filter_map(|part| part.as_os_str().to_str());
        names.extend(parts.filter(|part| named(part).is_some()).map(str::to_owned));
    }
    true
}

/// Is it the user's own, and called as we are?
#[cfg(target_os = "linux")]
fn may_be_one_of_us(process: &Path) -> bool {
    let Ok(status) = std::fs::read_to_string(process.join("status")) else { return process.exists() };
    let value = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    let user = value("Uid:").split_whitespace().next().and_then(|user| user.parse().ok());
    value("Name:").starts_with("agent") && user == Some(rustix::process::getuid().as_raw())
}
