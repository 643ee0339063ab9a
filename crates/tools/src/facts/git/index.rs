//! The names that git tracks in a repository, read from its index: no git is run for it, and no setting is obeyed.
//!
//! Knows versions 2 to 4 of the format, see `gitformat-index(5)`. An index that is damaged or of another kind holds no name.

use super::links::named_by;
use crate::open::plain_file;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Bytes of an index that is read at most.
const MOST: u64 = 256 << 20;
/// Bytes of the header, and of an entry before its object's id.
const HEADER: usize = 12;
const STAT: usize = 40;
/// Where in an entry its mode stands.
const MODE: usize = 24;
/// Bytes of an object's id, by the kind of repository.
const IDS: [usize; 2] = [20, 32];
/// Flags of an entry: there are more of them; and of these: the file is not checked out.
const EXTENDED: u16 = 0x4000;
const NOT_CHECKED_OUT: u16 = 0x4000;
/// The length of the name, in the low bits of the flags; this value where it has as many bytes or more.
const LENGTH: u16 = 0x0FFF;
const TOO_LONG: usize = 0x0FFF;

/// The tracked names of one repository, in the order of their bytes.
#[derive(Debug, Default)]
pub(crate) struct GitIndex {
    root: PathBuf,
    /// All names, one after the other.
    text: Vec<u8>,
    /// Where in it each stands.
    entries: Vec<IndexEntry>,
}

#[derive(Debug)]
struct IndexEntry {
    name: Range<u32>,
    kind: TrackedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrackedKind {
    /// A file or link.
    File,
    /// The folder of a submodule.
    Submodule,
}

impl GitIndex {
    /// That of the repository whose files lie in `root`; without a name where it cannot be read. Blocking.
    pub(crate) fn of(root: &Path) -> Self {
        let parsed = git_folder(root).and_then(|folder| {
            let parsed = |name: &str| {
                let bytes = plain_file(&folder.join(name), MOST)?;
                IDS.iter().find_map(|id| parse(&bytes, *id))
            };
            let (index, shared) = parsed("index")?;
            // What of the shared one is not there any more counts as tracked, too.
            match shared.and_then(|name| parsed(&name)) {
                Some((shared, _)) => index.with(&shared),
                None => Some(index),
            }
        });
        GitIndex { root: root.to_owned(), ..parsed.unwrap_or_default() }
    }

    /// The same with the names of another one.
    fn with(mut self, other: &GitIndex) -> Option<GitIndex> {
        for entry in &other.entries {
            let start = u32::try_from(self.text.len()).ok()?;
            self.text.extend_from_slice(other.name(entry));
            self.entries.push(IndexEntry { name: start..u32::try_from(self.text.len()).ok()?, kind: entry.kind });
        }
        let name = |entry: &IndexEntry| &self.text[entry.name.start as usize..entry.name.end as usize];
        self.entries.sort_by(|one, other| name(one).cmp(name(other)));
        self.entries.dedup_by(|one, other| name(one) == name(other));
        Some(self)
    }

    /// Does git track the file at `path`, or one below it?
    pub(crate) fn has(&self, path: &Path) -> bool {
        let Ok(name) = path.strip_prefix(&self.root) else { return false };
        let name = name.as_os_str().as_bytes();
        let at = self.entries.partition_point(|entry| self.name(entry) < name);
        self.entries.get(at).is_some_and(|entry| self.name(entry) == name) || self.below(path).next().is_some()
    }

    /// The names below the folder `path`, seen from the repository.
    pub(crate) fn below(&self, path: &Path) -> impl Iterator<Item = (&OsStr, TrackedKind)> {
        let mut folder = path.strip_prefix(&self.root).map(|name| name.as_os_str().as_bytes().to_vec()).ok();
        if let Some(folder) = folder.as_mut().filter(|folder| !folder.is_empty()) {
            folder.push(b'/');
        }
        let first = folder.as_ref().map_or(self.entries.len(), |folder| {
            self.entries.partition_point(|entry| self.name(entry) < folder.as_slice())
        });
        let rest = self.entries[first..].iter().map(|entry| (self.name(entry), entry.kind));
        let rest = rest.take_while(move |(name, _)| folder.as_ref().is_some_and(|folder| name.starts_with(folder)));
        rest.map(|(name, kind)| (OsStr::from_bytes(name), kind))
    }

    fn name(&self, entry: &IndexEntry) -> &[u8] {
        &self.text[entry.name.start as usize..entry.name.end as usize]
    }
}

/// Where git keeps what it knows of `root`, which may be a second tree or a submodule.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    named_by(&git)
}

/// The names in the bytes of an index whose ids are `id` bytes long, and the name of the one it shares the rest with; `None`
/// where it does not read so to its end.
fn parse(bytes: &[u8], id: usize) -> Option<(GitIndex, Option<String>)> {
    let version = number(bytes.strip_prefix(b"DIRC")?, 0).filter(|version| (2..=4).contains(version))?;
    let count = number(bytes, 8)?;
    let end = bytes.len().checked_sub(id)?;
    let (mut index, mut at) = (GitIndex::default(), HEADER);
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags_at = at + STAT + id;
        let flags = short(bytes, flags_at)?;
        let more = if flags & EXTENDED == 0 { 0 } else { short(bytes, flags_at + 2)? };
        let mut from = flags_at + if flags & EXTENDED == 0 { 2 } else { 4 };
        if version == 4 {
            let (cut, next) = offset(bytes, from)?;
            name.truncate(name.len().checked_sub(cut)?);
            from = next;
        } else {
            name.clear();
        }
        let length = match usize::from(flags & LENGTH) {
            TOO_LONG => bytes.get(from..end)?.iter().position(|byte| *byte == 0)?,
            length => length.checked_sub(name.len())?,
        };
        bytes.get(from + length).filter(|byte| **byte == 0)?;
        name.extend_from_slice(&bytes[from..from + length]);
        let kind = number(bytes, at + MODE)? >> 12;
        // Up to eight bytes that are nothing fill an entry up, but for those of version 4.
        at = if version == 4 { from + length + 1 } else { at + (from + length - at) / 8 * 8 + 8 };
        if more & NOT_CHECKED_OUT == 0 {
            index.add(&name, kind)?;
        }
    }
    // What follows are parts with a name and a length each.
    let mut shared = None;
    while at < end {
        if bytes[at..].starts_with(b"link") {
            let hex = bytes.get(at + 8..at + 8 + id)?.iter().map(|byte| format!("{byte:02x}"));
            shared = Some(format!("sharedindex.{}", hex.collect::<String>()));
        }
        at = at.checked_add(8)?.checked_add(number(bytes, at + 4)? as usize)?;
    }
    (at == end).then_some((index, shared))
}

impl GitIndex {
    /// One more entry of this kind of mode.
    fn add(&mut self, name: &[u8], kind: u32) -> Option<()> {
        let kind = match kind {
            0o10 | 0o12 => TrackedKind::File,
            0o16 => TrackedKind::Submodule,
            // A folder that stands for all below it, of which nothing is checked out.
            _ => return Some(()),
        };
        // In the middle of a merge a name stands there up to three times.
        if name.is_empty() || self.entries.last().is_some_and(|last| self.name(last) == name) {
            return Some(());
        }
        let start = u32::try_from(self.text.len()).ok()?;
        self.text.extend_from_slice(name);
        let name = start..u32::try_from(self.text.len()).ok()?;
        self.entries.push(IndexEntry { name, kind });
        Some(())
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// A number of variable length as git's packs have them, and where it ends.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;
    use tempfile::TempDir;

    fn git(root: &Path, words: &[&str]) {
        let mut git = Command::new("git");
        let done = git.args(words).current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(done.status.success(), "{words:?}");
    }

    fn long() -> String {
        format!("{}/x.pem", vec!["d".repeat(200); 19].join("/"))
    }

    fn repository(init: &[&str]) -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["certs/test.pem", "a/.env", "plain", &long()] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "x").unwrap();
        }
        assert!(!GitIndex::of(&root).has(&root.join("plain")), "no repository");
        git(&root, &[&["init", "-q"], init].concat());
        git(&root, &["add", "."]);
        (folder, root)
    }

    #[test]
    fn a_file_is_tracked_by_its_whole_name_in_every_version() {
        for (init, version) in
            [("--object-format=sha1", "2"), ("--object-format=sha1", "4"), ("--object-format=sha256", "2")]
        {
            let (_folder, root) = repository(&[init]);
            // An entry with more flags, which makes it another version.
            fs::write(root.join("later"), "x").unwrap();
            git(&root, &["add", "-N", "later"]);
            git(&root, &["update-index", "--index-version", version]);
            let tracked = GitIndex::of(&root);
            for name in ["certs/test.pem", "certs", "a/.env", "plain", "later", &long()] {
                assert!(tracked.has(&root.join(name)), "{name} {init} {version}");
            }
            for name in [".env", "test.pem", "lain", "certs/test", "cert", "x"] {
                assert!(!tracked.has(&root.join(name)), "{name} {init} {version}");
            }
            assert!(!tracked.has(Path::new("/elsewhere/plain")));
            let below: Vec<_> = tracked.below(&root.join("certs")).collect();
            assert_eq!(below, [(OsStr::new("certs/test.pem"), TrackedKind::File)]);
            assert_eq!(tracked.below(&root).count(), 5);
        }
    }

    #[test]
    fn names_in_the_index_that_a_split_one_shares_are_tracked() {
        let (_folder, root) = repository(&[]);
        git(&root, &["update-index", "--split-index"]);
        fs::write(root.join("later"), "x").unwrap();
        git(&root, &["add", "later"]);
        let tracked = GitIndex::of(&root);
        for name in ["certs/test.pem", "later", "plain"] {
            assert!(tracked.has(&root.join(name)), "{name}");
        }
        assert_eq!(tracked.below(&root).count(), 5);
    }

    #[test]
    fn a_second_tree_of_the_same_repository_has_an_index_of_its_own() {
        let (_folder, root) = repository(&[]);
        git(&root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]);
        git(&root, &["worktree", "add", "-q", "tree"]);
        assert!(GitIndex::of(&root.join("tree")).has(&root.join("tree/plain")));
    }

    #[test]
    fn a_damaged_or_unknown_index_holds_no_name() {
        let (_folder, root) = repository(&[]);
        let (index, whole) = (root.join(".git/index"), fs::read(root.join(".git/index")).unwrap());
        let mut unknown = whole.clone();
        unknown[7] = 9;
        for bytes in [&unknown[..], &whole[..whole.len() - 7], &whole[..99], b"DIRC", b""] {
            fs::write(&index, bytes).unwrap();
            assert!(!GitIndex::of(&root).has(&root.join("plain")), "{}", bytes.len());
        }
    }
}
