//! Turns the paths that a model writes into resolved ones, and resolved ones into names a person would use.
//!
//! Follows links by reading them, looks for a name that reads the same where one is missing, and opens nothing but the project
//! folder itself, which is held from the start: whatever its name leads to later, what is opened is opened below the folder
//! that the session began in. Does not decide where one may go: outside the project is a path like any other here.

mod same_name;
mod spelling;

use crate::beneath;
use crate::read_tracker::ReadTracker;
use agent_policy::names::{Resolved, is_secret};
use agent_protocol::{Failure, FailureKind};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use same_name::existing;
pub(crate) use spelling::one_line;
use spelling::spelled_out;

/// Links in one path after which it counts as a circle, as in Linux.
const LINKS: usize = 40;

/// Said of a path with control characters.
const ONE_LINE: &str = "a path cannot hold a line break or another control character; give only the path of the file";

/// The project folder, and what was seen of it in this session.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    place: Arc<Place>,
    seen: ReadTracker,
}

/// Where the project lies, and what does not change while the session lasts.
#[derive(Debug)]
struct Place {
    root: PathBuf,
    /// The folder that `root` led to when the session began, and the top of all; `None` where there was none.
    held: Option<OwnedFd>,
    top: Option<OwnedFd>,
    home: Option<PathBuf>,
    began: SystemTime,
}

impl Workspace {
    /// Over `root`, which is absolute and resolved, in nobody's home.
    #[cfg(test)]
    pub(crate) fn new(root: &Path) -> Self {
        Workspace::with(root, None)
    }

    /// Over `root`, which is absolute and resolved.
    pub(crate) fn with(root: &Path, home: Option<PathBuf>) -> Self {
        let place = Place {
            root: root.into(),
            held: beneath::hold(root).ok(),
            top: beneath::hold(Path::new("/")).ok(),
            home,
            began: SystemTime::now(),
        };
        Workspace { place: Arc::new(place), seen: ReadTracker::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.place.root
    }

    /// When the session began.
    pub(crate) fn began(&self) -> SystemTime {
        self.place.began
    }

    /// Does the name of `path` say that it holds secrets? Of what nobody can place that is to be feared.
    pub(crate) fn is_secret(&self, path: &Path) -> bool {
        let home = self.place.home.as_deref().and_then(Resolved::new);
        Resolved::new(path).is_none_or(|path| is_secret(path, home))
    }

    /// The folder held open that `path` (absolute, resolved) lies below, and the way from there.
    pub(crate) fn below<'a>(&'a self, path: &'a Path) -> Result<(BorrowedFd<'a>, &'a Path), Errno> {
        let (held, below) = match path.strip_prefix(self.root()) {
            Ok(below) => (&self.place.held, below),
            Err(_) => (&self.place.top, path.strip_prefix("/").map_err(|_| Errno::INVAL)?),
        };
        Ok((held.as_ref().ok_or(Errno::NOENT)?.as_fd(), below))
    }

    /// What the model knows of files, shared by all clones.
    pub(crate) fn seen(&self) -> &ReadTracker {
        &self.seen
    }

    pub(crate) fn contains(&self, path: &Path) -> bool {
        path.starts_with(self.root())
    }

    /// Where `given` leads: absolute, every link followed, also one that leads to nothing yet, `..` taken after that.
    /// `~` is a name like any other.
    pub(crate) fn resolve(&self, given: &str) -> Result<PathBuf, Failure> {
        if given.contains('\0') {
            return Err(invalid("a path cannot hold a NUL character".into()));
        }
        if is_address(given) {
            return Err(invalid(format!("{given} is an address, not a path; give the path of a file in the project")));
        }
        let meant = self.meant(given)?;
        // Markup of the call that got into a value, say. A file that is there may have any name.
        if given.contains(char::is_control) && meant.symlink_metadata().is_err() {
            return Err(invalid(ONE_LINE.into()));
        }
        resolve(&meant)
    }

    /// Is what `given` names itself a link, however the name is written? `path` is where it leads, which is another file.
    pub(crate) fn names_link(&self, given: &str, path: &Path) -> Result<bool, Failure> {
        let meant = self.meant(given)?;
        match (meant.parent(), meant.file_name()) {
            (Some(above), Some(name)) => Ok(resolve(above)?.join(name) != path),
            _ => Err(invalid(format!("{given} names a folder; give the path of a file"))),
        }
    }

    /// The path as it is given; where there is none, the one that is shown so, or the only one that reads the same.
    fn meant(&self, given: &str) -> Result<PathBuf, Failure> {
        let literal = self.root().join(given);
        let there = |path: &PathBuf| path.symlink_metadata().is_ok();
        if given.contains('\\') && !there(&literal) {
            let spelled = spelled_out(given).map(|path| self.root().join(path)).filter(there);
            return spelled.map_or_else(|| existing(literal), Ok);
        }
        existing(literal)
    }

    /// As a person would name it: relative where it lies inside, `.` for the project itself. On one line.
    pub(crate) fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(self.root()) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
            Ok(inside) => one_line(inside),
            Err(_) => one_line(path),
        }
    }
}

/// `file://…`, `https://…`.
fn is_address(given: &str) -> bool {
    given.split_once("://").is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, message)
}

/// A step still to be taken.
enum Step {
    Root,
    Up,
    Into(OsString),
}

fn steps(path: &Path) -> impl DoubleEndedIterator<Item = Step> {
    path.components().filter_map(|component| match component {
        Component::RootDir => Some(Step::Root),
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Into(name.into())),
        Component::CurDir | Component::Prefix(_) => None,
    })
}

fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    resolve_by(path, &mut |_| ())
}

/// Where `path` leads. `passes` is told of every place on the way whose name was followed, before its own links are.
pub(crate) fn resolve_by(path: &Path, passes: &mut dyn FnMut(&Path)) -> Result<PathBuf, Failure> {
    let mut ahead: VecDeque<Step> = steps(path).collect();
    let mut here = PathBuf::from("/");
    let mut links = 0;
    while let Some(step) = ahead.pop_front() {
        match step {
            Step::Root => here = PathBuf::from("/"),
            Step::Up => drop(here.pop()),
            Step::Into(name) => {
                let next = here.join(name);
                passes(&next);
                match link_target(&next)? {
                    None => here = next,
                    Some(_) if links == LINKS => return Err(invalid(format!("{} goes in circles", one_line(path)))),
                    Some(target) => {
                        links += 1;
                        steps(&target).rev().for_each(|step| ahead.push_front(step));
                    }
                }
            }
        }
    }
    Ok(here)
}

/// Where the link at `path` leads; `None` where there is no link.
fn link_target(path: &Path) -> Result<Option<PathBuf>, Failure> {
    match std::fs::read_link(path) {
        // What the system calls a pipe or socket that is open somewhere is no path.
        Ok(target) if path.starts_with("/proc") && is_nameless(&target) => Ok(None),
        Ok(target) => Ok(Some(target)),
        Err(error) if error.kind() == ErrorKind::InvalidFilename => {
            Err(invalid("the path is longer than the system allows".into()))
        }
        // Nothing there, not a link, or not to be seen: the name stands for itself.
        Err(_) => Ok(None),
    }
}

/// `pipe:[4711]`, `anon_inode:[eventfd]`.
fn is_nameless(target: &Path) -> bool {
    target.is_relative() && target.to_str().is_some_and(|name| name.contains(":[") || name.starts_with("anon_inode:"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    struct House {
        _folder: TempDir,
        workspace: Workspace,
    }

    /// `in/` is the project with `src/a.rs`; `out/` lies beside it.
    fn house(links: &[(&str, &str)]) -> House {
        let folder = TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("in/src")).unwrap();
        std::fs::create_dir_all(top.join("out")).unwrap();
        std::fs::write(top.join("in/src/a.rs"), "").unwrap();
        for (name, target) in links {
            symlink(target, top.join("in").join(name)).unwrap();
        }
        House { _folder: folder, workspace: Workspace::new(&top.join("in")) }
    }

    fn resolved(house: &House, given: &str) -> String {
        let top = house.workspace.root().parent().unwrap();
        match house.workspace.resolve(given) {
            Ok(path) => path.strip_prefix(top).map_or_else(|_| one_line(&path), one_line),
            Err(failure) => failure.message,
        }
    }

    #[test]
    fn paths_lead_where_the_system_would_go() {
        let house = house(&[
            ("link", "src"),
            ("away", "../out"),
            ("dangling", "../out/new"),
            ("twice", "link/a.rs"),
            ("absolute", "/etc"),
            ("circle", "circle"),
        ]);
        for (given, expected) in [
            ("src/a.rs", "in/src/a.rs"),
            ("./src//a.rs", "in/src/a.rs"),
            ("", "in"),
            (".", "in"),
            ("new/deep/b.rs", "in/new/deep/b.rs"),
            ("../out/x", "out/x"),
            ("link/a.rs", "in/src/a.rs"),
            ("twice", "in/src/a.rs"),
            ("away/x", "out/x"),
            ("away/../x", "x"),
            ("link/../x", "in/x"),
            ("dangling", "out/new"),
            ("absolute/passwd", "/etc/passwd"),
            ("/../../etc", "/etc"),
            ("~/x", "in/~/x"),
            ("circle/x", "/circle"),
            ("a\0b", "a path cannot hold a NUL character"),
            ("b.txt\n</parameter>", ONE_LINE),
            ("b\u{1b}[31m.txt", ONE_LINE),
        ] {
            let found = resolved(&house, given);
            match given {
                "circle/x" => assert!(found.ends_with("circle/x goes in circles"), "{found}"),
                _ => assert_eq!(found, expected, "{given}"),
            }
        }
    }

    #[test]
    fn addresses_and_endless_names_are_no_paths() {
        let house = house(&[]);
        assert!(resolved(&house, "file:///etc/passwd").contains("is an address, not a path"));
        assert_eq!(resolved(&house, &"x".repeat(300)), "the path is longer than the system allows");
    }

    #[test]
    fn names_are_shown_relative_and_on_one_line() {
        let house = house(&[]);
        let root = house.workspace.root();
        assert_eq!(house.workspace.shown(root), ".");
        assert_eq!(house.workspace.shown(&root.join("src/a.rs")), "src/a.rs");
        assert_eq!(house.workspace.shown(&root.join("a\nb\u{1b}é")), "a\\nb\\u{1b}é");
        assert_eq!(house.workspace.shown(Path::new("/etc/hosts")), "/etc/hosts");
    }

    #[test]
    fn a_name_as_it_is_shown_leads_to_the_file() {
        let house = house(&[]);
        let root = house.workspace.root().to_owned();
        std::fs::write(root.join("a\nb"), "").unwrap();
        let shown = house.workspace.shown(&root.join("a\nb"));
        assert_eq!(house.workspace.resolve(&shown).unwrap(), root.join("a\nb"));
        assert_eq!(house.workspace.resolve("a\nb").unwrap(), root.join("a\nb"));
        // One that is called so comes first, and one that is not there is not made up.
        std::fs::write(root.join(&shown), "").unwrap();
        assert_eq!(house.workspace.resolve(&shown).unwrap(), root.join(&shown));
        assert_eq!(house.workspace.resolve("c\\nd").unwrap(), root.join("c\\nd"));
    }

    #[test]
    fn a_pipe_without_a_name_stands_for_itself() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let path = format!("/proc/{}/fd/{}", std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&reader));
        if Path::new(&path).symlink_metadata().is_ok() {
            assert_eq!(house(&[]).workspace.resolve(&path).unwrap(), PathBuf::from(path));
        }
    }
}
