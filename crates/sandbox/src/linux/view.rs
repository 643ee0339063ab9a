//! What a command sees of the machine's files where it has mounts of its own: which places are put over which.
//!
//! All there is, read-only; over it what the command may write, as it is; folders that are the session's own in place of
//! `/tmp`, `/var/tmp` and `/dev/shm`; and nothing in place of what is not the command's: sockets of other programs, and
//! what it is kept from. What it needs of a covered place is put back there. Trees in which programs may yet make sockets
//! are seen through overlays.
//!
//! Only plans; see `mounts` for how it comes about.
//!
//! **Invariant.** No folder in which a command may write is put anywhere but at its own path: rights to write hold in all
//! that is put in such a folder.

use super::mounts::{Absent, Id, Mount, Mounts, SharedMount};
use super::private::{Own, Private, SHARED};
use super::trees::COVERED;
use super::{sockets, terminals, trees};
use rustix::fs::fstat;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// What a command needs to see, and must not see. Paths are absolute, links resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs<'a> {
    /// What it may write, and the same held open.
    pub(super) writable: &'a [(PathBuf, BorrowedFd<'a>)],
    pub(super) project: Option<&'a Path>,
    /// The session's temporary folder; it need not be there any more.
    pub(super) temporary: (&'a Path, BorrowedFd<'a>),
    /// Folders that it looks into wherever they are.
    pub(super) readable: &'a [PathBuf],
    /// Where it starts; one of these, if that is nowhere where it may write.
    pub(super) cwd: &'a Path,
    /// What it finds empty.
    pub(super) hidden: &'a [PathBuf],
    /// Files and folders that it may only read, though they lie where it may write.
    pub(super) kept: &'a [PathBuf],
    pub(super) home: Option<&'a Path>,
    /// What it sees through overlays; `None`: they cannot be had.
    pub(super) overlays: Option<&'a [PathBuf]>,
    /// Caches that it finds where the user's are.
    pub(super) usual: &'a [Usual<'a>],
}

/// A cache that a command finds where the user's is: that one, with what commands write laid over it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual<'a> {
    /// Its place in the list of them.
    pub(super) index: usize,
    pub(super) place: &'a Path,
    pub(super) over: &'a Path,
    /// Where folders for the kernel are made.
    pub(super) works: &'a Path,
    /// What may be written in it; with neither, all.
    pub(super) folders: &'a [&'static str],
    pub(super) files: &'a [&'static str],
    /// Where it is taken from, once it was made.
    pub(super) mount: Option<SharedMount>,
}

impl Usual<'_> {
    /// It, taken `from` where it was made.
    pub(super) fn taken(&self, from: SharedMount) -> io::Result<Mount> {
        Mount::taken(self.place, from, self.folders, self.files)
    }

    /// Is it nothing that the command may write as it is, or must not see?
    pub(super) fn is_apart(&self, needs: &Needs<'_>) -> bool {
        let written = needs.writable.iter().any(|(path, _)| self.place.starts_with(path));
        // It is looked whether a command starts in the very folder that was meant.
        !written && self.place != needs.cwd && !needs.hidden.iter().any(|hidden| self.place.starts_with(hidden))
    }
}

#[derive(Debug)]
pub(super) struct View {
    pub(super) mounts: Mounts,
    /// What was put back only to be read: rules for files do not reach it from above.
    pub(super) readable: Vec<PathBuf>,
    /// No socket of another program can be reached, so those that have a path may be allowed.
    pub(super) no_foreign_sockets: bool,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum There {
    /// What is there outside, to be written.
    Writable(Id, Absent),
    /// What is there outside, to be read.
    Readable,
    /// The same, but for its sockets, through an overlay.
    Overlay,
    /// A folder of the session's own.
    Own(Ours),
    /// Nothing but what is put back beneath, in a folder of the session's own: the command did not make what is there.
    Between,
    /// Nothing, in place of a folder.
    Nothing,
    /// Nothing, whatever else is to be there.
    Hidden,
    /// What is there outside, to be read, in a folder that may be written.
    Kept,
    /// An empty file; where it may be missing.
    NoBytes,
    /// Terminals of its own in place of the machine's.
    Terminals,
    /// What is there outside, with what is written laid over it: which of the caches.
    WrittenOver(usize),
}

/// One of the session's own folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ours {
    Tmp,
    VarTmp,
    Shared,
}

/// The view of a command that needs this.
///
/// # Errors
/// The system's words.
pub(super) fn of(private: &Private, needs: &Needs<'_>) -> io::Result<View> {
    let mut places = BTreeMap::new();
    let covered = covers(private, needs);
    // In a folder as wide as that, a command can rename what was to be covered for the next one.
    let known = covered.iter().map(|(place, _)| place.as_path()).chain(needs.home);
    let outsized = known.into_iter().any(|place| needs.writable.iter().any(|(path, _)| place.starts_with(path)));
    places.extend(covered);
    for place in needs.overlays.into_iter().flatten() {
        // It is looked whether a command starts in the very folder that was meant: in an overlay it would be another.
        let there = if place == needs.cwd { There::Readable } else { There::Overlay };
        places.entry(place.clone()).or_insert(there);
    }
    // Where there are no overlays sockets with a path are refused altogether.
    let around = needs.project.and_then(trees::around).filter(|_| needs.overlays.is_none());
    for place in needs.readable.iter().chain(&around) {
        places.entry(place.clone()).or_insert(There::Readable);
    }
    for (path, opened) in needs.writable {
        places.insert(path.clone(), There::Writable(id(*opened)?, Absent::Refused));
    }
    for (at, usual) in needs.usual.iter().enumerate() {
        places.insert(usual.place.to_owned(), There::WrittenOver(at));
    }
    let (temporary, opened) = needs.temporary;
    places.entry(temporary.to_owned()).or_insert(There::Writable(id(opened)?, Absent::SourceMayBe));
    let sockets = sockets::listed();
    let no_foreign_sockets = !outsized && sockets.is_some() && needs.overlays.is_some();
    for socket in sockets.into_iter().flatten() {
        places.entry(socket).or_insert(There::NoBytes);
    }
    for place in needs.hidden {
        let Ok(found) = place.symlink_metadata() else { continue };
        places.insert(place.clone(), if found.is_dir() { There::Hidden } else { There::NoBytes });
    }
    for place in needs.kept {
        places.entry(place.clone()).or_insert(There::Kept);
    }
    let between: Vec<PathBuf> = places.iter().filter_map(|(path, there)| between(path, *there, &places)).collect();
    for place in between {
        places.entry(place).or_insert(There::Between);
    }
    let places = without_needless(places, needs);
    let readable = places.iter().filter(|(_, there)| **there == There::Readable).map(|(path, _)| path.clone());
    let readable: Vec<PathBuf> = readable.collect();
    // In there somebody may make one later.
    let no_foreign_sockets = no_foreign_sockets && !readable.iter().any(|place| place == needs.cwd);
    Ok(View { readable, mounts: mounts(private, &places, needs.usual)?, no_foreign_sockets })
}

/// The folder that leads to what is put back deeper in a folder of the session's own. What a command wrote in it would be
/// lost with the session, and nobody would know: it is refused, as beside any other project.
fn between(place: &Path, there: There, places: &BTreeMap<PathBuf, There>) -> Option<PathBuf> {
    if !matches!(there, There::Writable(..) | There::Readable | There::Overlay | There::WrittenOver(_)) {
        return None;
    }
    let own = place.ancestors().skip(1).find(|above| matches!(places.get(*above), Some(There::Own(_))))?;
    let first = own.join(place.strip_prefix(own).ok()?.components().next()?);
    (first != place).then_some(first)
}

fn id(opened: BorrowedFd<'_>) -> io::Result<Id> {
    let found = fstat(opened)?;
    Ok((found.st_dev, found.st_ino))
}

/// What is covered for every command, where it is there.
fn covers(private: &Private, needs: &Needs<'_>) -> Vec<(PathBuf, There)> {
    let own = COVERED.into_iter().zip([Ours::Tmp, Ours::VarTmp, Ours::Shared].map(There::Own));
    let mut covers: Vec<_> = own.filter(|(place, _)| *place != SHARED || private.shared.is_some()).collect();
    covers.push((sockets::OF_THE_SYSTEM, There::Nothing));
    covers.push((terminals::PLACE, There::Terminals));
    let mut covers: Vec<(PathBuf, There)> =
        covers.into_iter().filter_map(|(place, there)| Some((real_folder(Path::new(place))?, there))).collect();
    let of_home = needs.home.into_iter().flat_map(|home| sockets::OF_A_HOME.iter().map(|name| home.join(name)));
    covers.extend(of_home.filter_map(|place| Some((real_folder(&place)?, There::Nothing))));
    covers
}

fn real_folder(place: &Path) -> Option<PathBuf> {
    place.canonicalize().ok().filter(|real| real.is_dir() && real.parent().is_some())
}

/// Leaves out what makes no difference, or would undo what is around it.
fn without_needless(places: BTreeMap<PathBuf, There>, needs: &Needs<'_>) -> BTreeMap<PathBuf, There> {
    let mut kept: BTreeMap<PathBuf, There> = BTreeMap::new();
    // What lies around a place comes before it.
    for (place, there) in places {
        let around = place.ancestors().skip(1).find_map(|above| kept.get(above));
        let matters = match (there, around) {
            // Nothing is there to be seen, or covered.
            (
                There::Nothing | There::Hidden | There::NoBytes,
                Some(There::Own(_) | There::Between | There::Nothing | There::Hidden),
            ) => false,
            (There::Kept, around) => matches!(around, Some(There::Writable(..))),
            // One's own sockets, and those of the user beside them.
            (There::NoBytes, Some(There::Writable(..))) => needs.hidden.contains(&place) || !is_ours(&place, needs),
            // One that is to be hidden; a socket is none there.
            (There::NoBytes, Some(There::Overlay | There::WrittenOver(_))) => needs.hidden.contains(&place),
            (There::NoBytes, Some(There::Readable | There::Kept | There::NoBytes | There::Terminals) | None) => true,
            // What lies in a folder that may be written is the command's.
            (There::Own(_) | There::Nothing | There::Overlay | There::Writable(..), Some(There::Writable(..))) => false,
            (There::WrittenOver(_), around) => !matches!(around, Some(There::Writable(..) | There::Hidden)),
            (There::Own(_) | There::Nothing | There::Overlay, Some(There::WrittenOver(_))) => false,
            (There::Readable, Some(There::WrittenOver(_))) => place == needs.cwd,
            (There::Writable(..), _) => true,
            (There::Between, around) => matches!(around, Some(There::Own(_))),
            (There::Readable, Some(There::Own(_) | There::Between | There::Nothing)) => true,
            // It is looked whether a command starts in the very folder that was meant: in an overlay it would be another.
            (There::Readable, Some(There::Overlay)) => place == needs.cwd,
            (There::Readable, _) => false,
            (There::Overlay, around) => around != Some(&There::Hidden),
            (There::Own(_), Some(There::Own(_) | There::Between | There::Nothing | There::Hidden)) => false,
            (
                There::Own(_) | There::Nothing,
                Some(There::Readable | There::Overlay | There::Kept | There::NoBytes | There::Terminals) | None,
            ) => true,
            (
                There::Hidden,
                Some(
                    There::Writable(..)
                    | There::Readable
                    | There::Overlay
                    | There::Kept
                    | There::NoBytes
                    | There::Terminals
                    | There::WrittenOver(_),
                )
                | None,
            ) => true,
            (There::Terminals, around) => around.is_none(),
        };
        if matters {
            kept.insert(place, there);
        }
    }
    kept
}

/// Is it in the project or in the session's temporary folder, where sockets are everybody's who works there?
fn is_ours(place: &Path, needs: &Needs<'_>) -> bool {
    needs.project.into_iter().chain([needs.temporary.0]).any(|ours| place.starts_with(ours))
}

/// In the order in which they are made: what lies around a place before it.
fn mounts(private: &Private, places: &BTreeMap<PathBuf, There>, usual: &[Usual<'_>]) -> io::Result<Mounts> {
    let mut mounts = Vec::new();
    for (place, there) in places {
        let covering = |source: &Path, writable| Mount::new(source, place, writable, None, Absent::TargetMayBe);
        let mount = match there {
            There::Writable(id, absent) => Mount::new(place, place, true, Some(*id), *absent),
            There::Readable | There::Kept => Mount::new(place, place, false, None, Absent::SourceMayBe),
            There::Overlay => Mount::overlay(place, private.beneath_overlays()),
            There::Own(which) => covering(own(private, *which)?.path(), true),
            There::Between | There::Nothing | There::Hidden => covering(&private.nothing(), false),
            There::NoBytes => covering(&private.no_bytes(), false),
            There::Terminals => Mount::terminals(),
            There::WrittenOver(at) => {
                usual[*at].mount.ok_or(io::ErrorKind::NotFound.into()).and_then(|from| usual[*at].taken(from))
            }
        }?;
        if matches!(
            there,
            There::Writable(..) | There::Readable | There::Overlay | There::Between | There::WrittenOver(_)
        ) {
            put_back(private, place, places, &mut mounts)?;
        }
        mounts.push((place.clone(), mount));
    }
    Ok(Mounts::new(mounts.into_iter().map(|(_, mount)| mount).collect()))
}

/// Makes room for `place` in what covers it, if anything does.
fn put_back(
    private: &Private,
    place: &Path,
    places: &BTreeMap<PathBuf, There>,
    mounts: &mut [(PathBuf, Mount)],
) -> io::Result<()> {
    let Some((cover, there)) = place.ancestors().skip(1).find_map(|above| places.get_key_value(above)) else {
        return Ok(());
    };
    let relative = place.strip_prefix(cover).map_err(io::Error::other)?;
    match there {
        There::Own(which) => own(private, *which)?.prepare(relative, place.is_dir()),
        There::Between | There::Nothing | There::Hidden => {
            let source = private.all_but(cover, relative, place.is_dir())?;
            for (_, mount) in mounts.iter_mut().filter(|(at, _)| at == cover) {
                mount.take_from(&source)?;
            }
            Ok(())
        }
        There::Writable(..)
        | There::Readable
        | There::Overlay
        | There::Kept
        | There::NoBytes
        | There::Terminals
        | There::WrittenOver(_) => Ok(()),
    }
}

fn own(private: &Private, which: Ours) -> io::Result<&Own> {
    match which {
        Ours::Tmp => Ok(&private.tmp),
        Ours::VarTmp => Ok(&private.var_tmp),
        Ours::Shared => private.shared.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsFd;

    /// What is kept of these places.
    fn kept(places: &[(&str, There)], project: &str) -> Vec<String> {
        let file = File::open("/").unwrap();
        let project = Path::new(project);
        let needs = Needs {
            writable: &[],
            project: Some(project),
            temporary: (Path::new("/tmp/agent-x"), file.as_fd()),
            readable: &[],
            cwd: Path::new("/home/me/elsewhere"),
            hidden: &[PathBuf::from("/p/.env")],
            kept: &[],
            home: None,
            overlays: None,
            usual: &[],
        };
        let places = places.iter().map(|(path, there)| (PathBuf::from(path), *there)).collect();
        without_needless(places, &needs).into_keys().map(|path| path.to_string_lossy().into_owned()).collect()
    }

    const WRITABLE: There = There::Writable((0, 0), Absent::Refused);

    #[test]
    fn what_makes_no_difference_is_left_out() {
        let places = [
            ("/home/me", There::Readable),
            ("/home/me/.docker", There::Nothing),
            ("/home/me/sock", There::NoBytes),
            ("/p", WRITABLE),
            ("/p/.env", There::NoBytes),
            ("/p/sock", There::NoBytes),
            ("/p/sub", WRITABLE),
            ("/run", There::Nothing),
            ("/run/current-system", There::Readable),
            ("/run/docker.sock", There::NoBytes),
            ("/tmp", There::Own(Ours::Tmp)),
            ("/tmp/a", There::Between),
            ("/tmp/a/home", There::Readable),
            ("/tmp/a/home/sock", There::NoBytes),
            ("/tmp/a/other.sock", There::NoBytes),
            ("/tmp/agent-x", WRITABLE),
            ("/tmp/agent-x/sock", There::NoBytes),
            ("/tmp/x.sock", There::NoBytes),
        ];
        let expected = [
            "/home/me/.docker",
            "/home/me/sock",
            "/p",
            "/p/.env",
            "/run",
            "/run/current-system",
            "/tmp",
            "/tmp/a",
            "/tmp/a/home",
            "/tmp/a/home/sock",
            "/tmp/agent-x",
        ];
        assert_eq!(kept(&places, "/p"), expected);
    }

    #[test]
    fn in_an_overlay_sockets_need_no_cover_and_secrets_do() {
        let places = [
            ("/p", WRITABLE),
            ("/p/home", There::Overlay),
            ("/rita", There::Overlay),
            ("/rita/.docker", There::Nothing),
            ("/rita/keys", There::Hidden),
            ("/rita/project", WRITABLE),
            ("/rita/sock", There::NoBytes),
            ("/rita/tools", There::Readable),
            ("/tmp", There::Own(Ours::Tmp)),
            ("/tmp/home", There::Overlay),
            ("/tmp/home/sock", There::NoBytes),
            ("/var", There::Overlay),
            ("/var/tmp", There::Own(Ours::VarTmp)),
        ];
        let expected =
            ["/p", "/rita", "/rita/.docker", "/rita/keys", "/rita/project", "/tmp", "/tmp/home", "/var", "/var/tmp"];
        assert_eq!(kept(&places, "/p"), expected);
        let hidden = [("/p", There::Overlay), ("/p/.env", There::NoBytes)];
        assert_eq!(kept(&hidden, "/q"), ["/p", "/p/.env"]);
        // The folder that a command starts in has to be the very one.
        let start = [("/home/me", There::Overlay), ("/home/me/elsewhere", There::Readable)];
        assert_eq!(kept(&start, "/q"), ["/home/me", "/home/me/elsewhere"]);
    }

    #[test]
    fn what_leads_to_a_project_in_tmp_is_found() {
        let places = BTreeMap::from([(PathBuf::from("/tmp"), There::Own(Ours::Tmp))]);
        let of = |path: &str, there| between(Path::new(path), there, &places);
        assert_eq!(of("/tmp/a/b/project", WRITABLE), Some("/tmp/a".into()));
        assert_eq!(of("/tmp/project", WRITABLE), None);
        assert_eq!(of("/home/project", WRITABLE), None);
        assert_eq!(of("/tmp/a/sock", There::NoBytes), None);
    }
}
