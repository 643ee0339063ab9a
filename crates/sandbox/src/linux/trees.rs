//! Which trees of the machine a command sees through an overlay, so that no socket in them can be connected to, whenever
//! it is made: in an overlay it is another file, and nobody listens there.
//!
//! All there is at the top but what belongs to the system, and what only root changes. An overlay ends where something is
//! mounted, and the kernel makes none of a folder that such a place lies beneath: then it is made of what lies beside it.
//!
//! Only finds them; see `overlay` for how one is made, and `trial` for whether it holds.

use super::private::SHARED;
use rustix::fs::{Access, access};
use rustix::process::geteuid;
use std::ffi::OsString;
use std::fs::read_dir;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What belongs to the system at the top of all, or is covered: nobody but root makes a socket in it that is in reach.
const OF_THE_SYSTEM: &[&str] =
    &["bin", "boot", "dev", "etc", "lost+found", "proc", "run", "sbin", "snap", "sys", "tmp", "usr"];
/// The beginning of more of these names.
const LIBRARIES: &str = "lib";
/// Of these file systems nothing is asked: what has gone away keeps whoever asks waiting. A socket that a program of this
/// machine makes there is not held.
const REMOTE: &[&str] = &["nfs", "cifs", "smb", "ceph", "afs", "fuse.", "9p"];
/// A folder in which others appear when somebody looks for them.
const BY_ASKING: &str = "autofs";
/// Folders that commands have of their own.
pub(super) const COVERED: [&str; 3] = ["/tmp", "/var/tmp", SHARED];
/// More than that cost more than the start of a command may.
const MOST: usize = 128;

/// The trees as they are now. The user's `home` is among them wherever it lies, and so is what lies around the `project`.
///
/// # Errors
/// Where a socket could be made that would be in reach.
pub(super) fn find(home: Option<&Path>, project: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let untold = |what: &str, error: std::io::Error| format!("{what} cannot be read: {error}");
    let table = std::fs::read("/proc/self/mountinfo").map_err(|error| untold("/proc/self/mountinfo", error))?;
    let table = Table::read(&table);
    let home = home.and_then(|home| home.canonicalize().ok());
    let top = read_dir("/").map_err(|error| untold("/", error))?.flatten();
    let top = top.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut roots: Vec<PathBuf> = top.map(|entry| entry.path()).filter(|path| !of_the_system(path)).collect();
    let own = project.and_then(around).into_iter().chain(home.clone().filter(|home| home.parent().is_some()));
    for place in own {
        if !is_seen(&place, &roots) {
            roots.push(place);
        }
    }
    let mut search = Search { table: &table, home: home.as_deref(), found: Vec::new() };
    for root in roots {
        search.spread(&root)?;
    }
    // What lies in it beside folders would be missing where it is only seen in parts.
    if let Some(around) = project.and_then(around).filter(|around| !search.found.contains(around)) {
        return Err(format!("something is mounted beneath {}, or it lies elsewhere", around.display()));
    }
    search.found.sort();
    Ok(search.found)
}

/// What commands see of a folder that they have of their own, around a project in it: the topmost folder on the way there
/// that belongs to the user, and in which not everybody writes.
pub(super) fn around(project: &Path) -> Option<PathBuf> {
    let cover = covered(project)?;
    let mut way: Vec<&Path> = project.ancestors().skip(1).take_while(|folder| **folder != cover).collect();
    way.reverse();
    let is_own = |folder: &&Path| {
        let found = folder.symlink_metadata();
        found.is_ok_and(|found| found.uid() == geteuid().as_raw() && found.mode() & 0o002 == 0)
    };
    way.into_iter().find(is_own).map(Path::to_owned)
}

/// Which of the folders that commands have of their own `place` lies in.
fn covered(place: &Path) -> Option<PathBuf> {
    let covers = COVERED.iter().filter_map(|cover| Path::new(cover).canonicalize().ok());
    covers.into_iter().find(|cover| place.starts_with(cover) && place != cover)
}

/// Does one of the `roots` show it, with no folder of the commands' own in between?
fn is_seen(place: &Path, roots: &[PathBuf]) -> bool {
    let cover = covered(place);
    roots.iter().any(|root| place.starts_with(root) && cover.as_ref().is_none_or(|cover| root.starts_with(cover)))
}

fn of_the_system(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(LIBRARIES) || OF_THE_SYSTEM.contains(&&*name)
}

struct Search<'a> {
    table: &'a Table,
    home: Option<&'a Path>,
    found: Vec<PathBuf>,
}

impl Search<'_> {
    /// All of `place`, in as many trees as that takes.
    fn spread(&mut self, place: &Path) -> Result<(), String> {
        let at = self.table.at(place);
        let at = at.ok_or_else(|| format!("what {} lies in cannot be found out", place.display()))?;
        let remote = REMOTE.iter().any(|kind| at.kind.starts_with(kind));
        if remote && !self.home.is_some_and(|home| home.starts_with(place)) {
            return Ok(());
        }
        let beneath = self.table.beneath(at, place);
        if at.kind == BY_ASKING {
            return beneath.iter().try_for_each(|point| self.spread(point));
        }
        if beneath.is_empty() {
            return self.take(place);
        }
        if self.is_open(place) {
            let (place, point) = (place.display(), beneath[0].display());
            return Err(format!("{point} is mounted beneath {place}, where your programs can make sockets"));
        }
        let entries = match read_dir(place) {
            Ok(entries) => entries.flatten(),
            Err(_) if access(place, Access::EXEC_OK).is_err() => return Ok(()),
            Err(error) => return Err(format!("{} cannot be looked into: {error}", place.display())),
        };
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        for folder in folders.map(|entry| entry.path()) {
            match beneath.iter().any(|point| point.starts_with(&folder)) {
                true => self.spread(&folder)?,
                false => self.take(&folder)?,
            }
        }
        Ok(())
    }

    fn take(&mut self, place: &Path) -> Result<(), String> {
        if self.found.len() == MOST {
            return Err(format!("there are more than {MOST} trees that would each need an overlay"));
        }
        // What nobody may go into is a file at most.
        if place.is_dir() {
            self.found.push(place.to_owned());
        }
        Ok(())
    }

    /// Can others than the system's own programs make a socket in this folder itself?
    fn is_open(&self, folder: &Path) -> bool {
        let Ok(found) = folder.metadata() else { return true };
        let of_person = geteuid().is_root() && self.home.is_some_and(|home| folder.starts_with(home));
        found.uid() != 0 || found.mode() & 0o022 != 0 || of_person
    }
}

/// What is mounted where, of all that we see.
#[derive(Debug, Default)]
struct Table(Vec<Mounted>);

/// One line of it.
#[derive(Debug, PartialEq, Eq)]
struct Mounted {
    id: u32,
    /// What it is mounted on.
    parent: u32,
    point: PathBuf,
    kind: String,
}

impl Table {
    /// Of what `/proc/self/mountinfo` says (proc_pid_mountinfo(5)).
    fn read(text: &[u8]) -> Self {
        Table(text.split(|byte| *byte == b'\n').filter_map(Mounted::read).collect())
    }

    /// What `path` lies in, which may itself lie over others. The way there is gone as the kernel goes it: what another
    /// mount has covered is not met.
    fn at(&self, path: &Path) -> Option<&Mounted> {
        let is_first = |mounted: &&Mounted| {
            let lies_on = |other: &Mounted| other.id == mounted.parent && other.id != mounted.id;
            mounted.point == Path::new("/") && !self.0.iter().any(lies_on)
        };
        let mut at = self.0.iter().find(is_first)?;
        let mut way: Vec<&Path> = path.ancestors().collect();
        way.reverse();
        for step in way {
            while let Some(over) = self.on(at).find(|mounted| mounted.point == step) {
                at = over;
            }
        }
        Some(at)
    }

    /// Where something is mounted beneath `place`, which lies in `at`.
    fn beneath(&self, at: &Mounted, place: &Path) -> Vec<PathBuf> {
        let points = self.on(at).map(|mounted| &mounted.point);
        points.filter(|point| *point != place && point.starts_with(place)).cloned().collect()
    }

    fn on(&self, at: &Mounted) -> impl Iterator<Item = &Mounted> {
        let id = at.id;
        self.0.iter().filter(move |mounted| mounted.parent == id && mounted.id != id)
    }
}

impl Mounted {
    fn read(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|byte| *byte == b' ');
        let mut number = || std::str::from_utf8(fields.next()?).ok()?.parse().ok();
        let (id, parent) = (number()?, number()?);
        let point = PathBuf::from(OsString::from_vec(plain(fields.nth(2)?)));
        let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
        Some(Mounted { id, parent, point, kind: String::from_utf8_lossy(kind).into_owned() })
    }
}

/// With what is written as `\` and three octal digits as it is.
fn plain(escaped: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(escaped.len());
    let mut rest = escaped;
    while let [first, after @ ..] = rest {
        let octal = after.get(..3).filter(|_| *first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                plain.push(byte);
                rest = &after[3..];
            }
            None => {
                plain.push(*first);
                rest = after;
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const TABLE: &str = "22 27 0:21 / /proc rw - proc proc rw\n\
        27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        28 27 0:25 / /mnt/hidden ro shared:1 - tmpfs none ro\n\
        71 27 0:41 / /mnt rw - tmpfs none rw\n\
        72 71 0:40 / /mnt rw shared:1 master:2 - tmpfs none rw\n\
        80 27 0:50 /a /home rw - btrfs /dev/vdb rw\n\
        81 80 0:51 / /home/me/with\\040space\\134 rw - fuse.sshfs far:/ rw\n";

    #[test]
    fn a_path_lies_in_what_was_mounted_last_on_its_way() {
        let table = Table::read(TABLE.as_bytes());
        let id = |path: &str| table.at(Path::new(path)).map(|at| at.id);
        let paths = ["/", "/var/lib", "/mnt", "/mnt/hidden", "/home/me", "/home/me/with space\\/x"];
        assert_eq!(paths.map(id), [27, 27, 72, 72, 80, 81].map(Some));
        assert_eq!(Table::default().at(Path::new("/")), None);
    }

    #[test]
    fn what_is_mounted_beneath_a_place_is_found_and_what_is_hidden_there_is_not() {
        let table = Table::read(TABLE.as_bytes());
        let beneath = |path: &str| table.beneath(table.at(Path::new(path)).unwrap(), Path::new(path));
        assert_eq!(beneath("/mnt"), Vec::<PathBuf>::new());
        assert_eq!(beneath("/home"), [Path::new("/home/me/with space\\")]);
        assert_eq!(beneath("/home/other"), Vec::<PathBuf>::new());
        assert_eq!(beneath("/home/me/with space\\"), Vec::<PathBuf>::new());
    }

    #[test]
    fn around_a_project_in_tmp_is_the_topmost_folder_of_the_user() {
        let place = tempfile::TempDir::new_in("/tmp").unwrap();
        let real = place.path().canonicalize().unwrap();
        let project = real.join("shared/mine/project");
        std::fs::create_dir_all(&project).unwrap();
        assert_eq!(around(&project), Some(real.clone()));
        let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        // Where everybody writes, what lies there is not the user's.
        mode(&real, 0o1777);
        mode(&real.join("shared"), 0o777);
        assert_eq!(around(&project), Some(real.join("shared/mine")));
        mode(&real.join("shared/mine"), 0o777);
        assert_eq!((around(&project), around(&real), around(Path::new("/usr/lib"))), (None, None, None));
        assert!(
            !is_seen(Path::new("/var/tmp/home"), &["/var".into()]) && is_seen(Path::new("/var/x"), &["/var".into()])
        );
    }

    #[test]
    fn what_lies_beside_a_mount_is_taken_where_only_root_makes_sockets_there() {
        let place = tempfile::TempDir::new().unwrap();
        let real = place.path().canonicalize().unwrap();
        for folder in ["a/b/c", "a/d", "e"] {
            std::fs::create_dir_all(real.join(folder)).unwrap();
        }
        std::fs::write(real.join("file"), "x").unwrap();
        let of = |home: Option<&Path>, points: &[&str]| {
            let beneath =
                points.iter().map(|point| format!("2 1 0:1 / {} rw - tmpfs none rw\n", real.join(point).display()));
            let table = format!("1 0 0:0 / / rw - ext4 none rw\n{}", beneath.collect::<String>());
            let mut search = Search { table: &Table::read(table.as_bytes()), home, found: Vec::new() };
            search.spread(&real)?;
            search.found.sort();
            Ok::<_, String>(search.found)
        };
        assert_eq!(of(None, &[]), Ok(vec![real.clone()]));
        let nothing = Search { table: &Table::default(), home: None, found: Vec::new() }.spread(&real);
        assert!(nothing.is_err_and(|why| why.contains("cannot be found out")));
        let why = of(Some(&real), &["a/b"]).unwrap_err();
        assert!(why.contains("a/b is mounted beneath"), "{why}");
        if geteuid().is_root() {
            let parts = ["a/b", "a/d", "e"].map(|part| real.join(part));
            assert_eq!(of(None, &["a/b"]), Ok(parts.to_vec()));
        }
    }
}
