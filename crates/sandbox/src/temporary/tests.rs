//! What is made, what is removed, and above all what is left alone.

use super::sweep::{Named, named, sweep_in};
use super::*;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder that sweeps look into, and no other place.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    /// What a killed program leaves: the lock is gone with it, the mark is there.
    fn dead(&self, name: &str) -> PathBuf {
        let path = self.unmarked(name);
        mark(fs::File::open(&path).unwrap()).unwrap();
        path
    }

    fn unmarked(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        path
    }

    fn sweep(&self) -> (usize, usize) {
        let Sweep { removed, left } = sweep_in(&[self.path()]);
        (removed, left)
    }
}

const DEAD: &str = "agent-0123456789abcdEF";
const OTHER: &str = "agent-0123456789abcdEG";

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

/// As if nothing had been done there for two hours.
fn age(path: &Path) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let then = Timespec { tv_sec: now.cast_signed() - 7_200, tv_nsec: 0 };
    utimensat(CWD, path, &Timestamps { last_access: then, last_modification: then }, AtFlags::empty()).unwrap();
}

#[test]
fn only_its_owner_may_look_into_it_and_it_is_gone_afterwards() {
    let place = TempDir::new().unwrap();
    let temporary = Temporary::new(Some(place.path())).unwrap();
    let path = temporary.path().to_owned();
    assert!(path.starts_with(place.path().canonicalize().unwrap()));
    assert_eq!(mode(&path), 0o700);
    drop(temporary);
    assert!(!path.exists());
}

#[test]
fn what_took_its_name_is_left_alone() {
    let place = TempDir::new().unwrap();
    let outside = place.path().join("outside");
    fs::create_dir_all(outside.join("closed")).unwrap();
    fs::set_permissions(outside.join("closed"), Permissions::from_mode(0o500)).unwrap();
    for by_link in [true, false] {
        let temporary = Temporary::new(Some(place.path())).unwrap();
        let path = temporary.path().to_owned();
        fs::rename(&path, place.path().join(format!("moved {by_link}"))).unwrap();
        if by_link {
            symlink(&outside, &path).unwrap();
        } else {
            fs::rename(&outside, &path).unwrap();
        }
        drop(temporary);
        assert_eq!(mode(&path.join("closed")), 0o500);
    }
}

#[test]
fn read_only_folders_in_it_go_too_and_links_out_of_it_are_left_alone() {
    let place = TempDir::new().unwrap();
    let outside = place.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::set_permissions(&outside, Permissions::from_mode(0o500)).unwrap();
    let temporary = Temporary::new(Some(place.path())).unwrap();
    let path = temporary.path().to_owned();
    fs::create_dir_all(path.join("a/b/c/d")).unwrap();
    fs::write(path.join("a/b/file"), "x").unwrap();
    symlink(&outside, path.join("a/link")).unwrap();
    for closed in ["a/b/c", "a/b", "a"] {
        fs::set_permissions(path.join(closed), Permissions::from_mode(0o500)).unwrap();
    }
    drop(temporary);
    assert!(!path.exists());
    assert_eq!(mode(&outside), 0o500);
}

/// Deeper than a process may have files open, and than a path can name.
#[test]
fn a_tree_of_any_depth_goes() {
    let place = TempDir::new().unwrap();
    let top = rustix::fs::open(place.path(), FOLDER, Mode::empty()).unwrap();
    let mut folder = top.try_clone().unwrap();
    for _ in 0..1_200 {
        rustix::fs::mkdirat(&folder, "down", Mode::RWXU).unwrap();
        folder = openat(&folder, "down", FOLDER, Mode::empty()).unwrap();
    }
    empty(top.as_fd(), Instant::now() + Duration::from_secs(600)).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn emptying_ends_when_its_time_is_over() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("file"), "x").unwrap();
    let top = rustix::fs::open(place.path(), FOLDER, Mode::empty()).unwrap();
    assert_eq!(empty(top.as_fd(), Instant::now()), Err(rustix::io::Errno::TIMEDOUT));
    assert!(place.path().join("file").exists());
}

#[test]
fn the_folder_of_one_who_was_killed_goes_and_that_of_a_living_one_stays() {
    let place = Place::new();
    let living = Temporary::new(Some(&place.path())).unwrap();
    let dead = place.dead(DEAD);
    fs::create_dir_all(dead.join("go-build/00")).unwrap();
    fs::write(dead.join("go-build/00/cache"), "x").unwrap();
    age(&dead);
    age(living.path());
    assert_eq!(place.sweep(), (1, 1));
    assert!(!dead.exists() && living.path().join(MARK).exists());
}

#[test]
fn a_command_cannot_take_the_lock_of_its_folder_away() {
    let place = Place::new();
    let living = Temporary::new(Some(&place.path())).unwrap();
    fs::remove_file(living.path().join(MARK)).unwrap();
    mark(fs::File::open(living.path()).unwrap()).unwrap();
    age(living.path());
    assert_eq!(place.sweep(), (0, 1));
    assert!(living.path().exists());
}

#[test]
fn where_a_planted_link_leads_everything_stays() {
    let place = Place::new();
    let outside = TempDir::new().unwrap();
    mark(fs::File::open(outside.path()).unwrap()).unwrap();
    fs::write(outside.path().join("precious"), "x").unwrap();
    symlink(outside.path(), place.path().join(DEAD)).unwrap();
    let dead = place.dead(OTHER);
    symlink(outside.path(), dead.join("link")).unwrap();
    assert_eq!(place.sweep(), (1, 1));
    assert!(outside.path().join("precious").exists() && place.path().join(DEAD).is_symlink());
}

#[test]
fn what_is_called_so_but_was_not_made_by_us_stays() {
    let place = Place::new();
    fs::write(place.path().join("agent-aaaaaaaaaaaaaaa0"), "a file").unwrap();
    place.unmarked("agent-aaaaaaaaaaaaaaa1");
    for (name, says) in [("agent-aaaaaaaaaaaaaaa2", "Mine.\n"), ("agent-aaaaaaaaaaaaaaa3", "")] {
        fs::write(place.unmarked(name).join(MARK), says).unwrap();
    }
    let marked = place.dead("of another name").join(MARK);
    symlink(&marked, place.unmarked("agent-aaaaaaaaaaaaaaa4").join(MARK)).unwrap();
    fs::hard_link(&marked, place.unmarked("agent-aaaaaaaaaaaaaaa5").join(MARK)).unwrap();
    assert_eq!(place.sweep(), (0, 6));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 7);
}

/// Only root can give a folder away.
#[test]
fn the_folder_of_another_user_stays() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let place = Place::new();
    let dead = place.dead(DEAD);
    std::os::unix::fs::chown(&dead, Some(12_345), None).unwrap();
    assert_eq!(place.sweep(), (0, 1));
    std::os::unix::fs::chown(&dead, Some(0), None).unwrap();
    std::os::unix::fs::chown(dead.join(MARK), Some(12_345), None).unwrap();
    assert_eq!(place.sweep(), (0, 1), "the mark is not ours");
}

#[test]
fn only_names_that_we_give_are_looked_at() {
    for (name, expected) in [
        ("agent-0123456789abcdEF", Some(Named::Session)),
        ("agent-demo-aB3dE6", Some(Named::OldDemo)),
        ("agent-0123456789abcdE", None),
        ("agent-0123456789abcdEFG", None),
        ("agent-0123456789abcd.F", None),
        ("agent-demo-aB3dE", None),
        ("agent-socket", None),
        ("ssh-0123456789abcdEF", None),
    ] {
        assert_eq!(named(name), expected, "{name}");
    }
}

/// Version 0.1 had neither lock nor mark. Where processes cannot be looked at nothing is known of them.
#[test]
fn what_version_0_1_left_goes_only_where_no_program_has_it_open() {
    let place = Place::new();
    let told = super::sweep::old::names_in_use().is_some();
    let [dead, open, new] =
        ["agent-aaaaaaaaaaaaaaaa", "agent-aaaaaaaaaaaaaaab", "agent-aaaaaaaaaaaaaaac"].map(|name| place.unmarked(name));
    fs::create_dir(dead.join("go-build")).unwrap();
    // Another program's, by chance of the same kind of name.
    let theirs = place.unmarked("agent-aaaaaaaaaaaaaaad");
    fs::create_dir(theirs.join("notes")).unwrap();
    let (demo, busy, strange) =
        (place.unmarked("agent-demo-aaaaa0"), place.unmarked("agent-demo-aaaaa1"), place.unmarked("agent-demo-aaaaa2"));
    for demo in [&demo, &busy, &strange] {
        fs::create_dir_all(demo.join("state/undo")).unwrap();
        fs::create_dir(demo.join("project")).unwrap();
    }
    fs::write(strange.join("precious"), "x").unwrap();
    let lock = fs::File::create(busy.join("state/undo/lock")).unwrap();
    let mut owner = Command::new("sleep").arg("1000").current_dir(&open).stdin(lock).spawn().unwrap();
    for path in [&dead, &theirs, &open, &demo, &busy, &strange] {
        age(path);
    }
    let expected = if told { (2, 5) } else { (0, 7) };
    assert_eq!(place.sweep(), expected);
    assert_eq!([&dead, &demo].map(|path| path.exists()), [!told, !told]);
    assert!([&theirs, &open, &new, &busy, &strange].iter().all(|path| path.exists()));
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert_eq!(place.sweep(), if told { (2, 3) } else { (0, 7) });
}
