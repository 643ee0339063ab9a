//! Turns the paths that a model writes into resolved ones, and resolved ones into names a person would use.
//!
//! Follows links by reading them and opens nothing. Does not decide where one may go: outside the project is a path
//! like any other here.

use crate::seen::Seen;
use agent_protocol::{Failure, FailureKind};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Links in one path after which it counts as a circle, as in Linux.
const LINKS: usize = 40;

/// The project folder, and what was seen of it in this session.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    root: Arc<Path>,
    seen: Seen,
}

impl Workspace {
    /// Over `root`, which is absolute and resolved.
    pub(crate) fn new(root: &Path) -> Self {
        Workspace { root: root.into(), seen: Seen::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What the model knows of files, shared by all clones.
    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }

    pub(crate) fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
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
        resolve(&self.root.join(given))
    }

    /// Does `path` still lead to itself, or has a link come into it since it was resolved?
    pub(crate) fn is_resolved(&self, path: &Path) -> bool {
        resolve(path).is_ok_and(|now| now == path)
    }

    /// As a person would name it: relative where it lies inside, `.` for the project itself. On one line.
    pub(crate) fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.root) {
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

/// Names may hold line ends and other control characters; a result has one line for each.
pub(crate) fn one_line(path: &Path) -> String {
    let name = path.to_string_lossy();
    if !name.chars().any(char::is_control) {
        return name.into_owned();
    }
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
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
    let mut ahead: VecDeque<Step> = steps(path).collect();
    let mut here = PathBuf::from("/");
    let mut links = 0;
    while let Some(step) = ahead.pop_front() {
        match step {
            Step::Root => here = PathBuf::from("/"),
            Step::Up => drop(here.pop()),
            Step::Into(name) => {
                let next = here.join(name);
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
        Ok(target) => Ok(Some(target)),
        Err(error) if error.kind() == ErrorKind::InvalidFilename => {
            Err(invalid("the path is longer than the system allows".into()))
        }
        // Nothing there, not a link, or not to be seen: the name stands for itself.
        Err(_) => Ok(None),
    }
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
    fn a_link_that_came_later_is_noticed() {
        let house = house(&[]);
        let path = house.workspace.resolve("new/a.rs").unwrap();
        assert!(house.workspace.is_resolved(&path));
        symlink("../out", house.workspace.root().join("new")).unwrap();
        assert!(!house.workspace.is_resolved(&path));
    }
}
