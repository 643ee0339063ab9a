//! Where the words of a command lead, found by their spelling alone.

use super::Places;
use super::script::ScriptWord;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// A place that a word names, and the folder the command is in: not known where the command went somewhere unknown.
pub(super) type Folder = Option<PathBuf>;

/// Where `word` leads from `folder`. Active patterns are taken as they are spelled.
pub(super) fn lead(word: &ScriptWord, folder: Option<&Path>) -> Option<PathBuf> {
    resolve(&word.text, word.unknown, folder)
}

/// The same for a text; `unknown`: something in it is only known when it runs.
pub(super) fn resolve(text: &str, unknown: bool, folder: Option<&Path>) -> Option<PathBuf> {
    if text.is_empty() || unknown {
        return None;
    }
    let joined = if text.starts_with('/') { PathBuf::from(text) } else { folder?.join(text) };
    let path = plain(&joined);
    // What the system shows of itself a second time.
    let again = ["/proc/self/root", "/proc/1/root", "/proc/thread-self/root"];
    Some(match again.iter().find_map(|root| path.strip_prefix(root).ok()) {
        Some(rest) => Path::new("/").join(rest),
        None => match (path.strip_prefix("/proc/self/cwd"), folder) {
            (Ok(rest), Some(folder)) => plain(&folder.join(rest)),
            _ => path,
        },
    })
}

/// `a{b,c}d` is `abd` and `acd`; more than one pair of braces stays as it is.
pub(super) fn alternatives(text: &str) -> impl Iterator<Item = String> {
    let parted = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let (before, middle, after) = match parted {
        Some((before, (middle, after))) if middle.contains(',') => (before, middle, after),
        Some(_) | None => (text, "", ""),
    };
    middle.split(',').map(move |middle| format!("{before}{middle}{after}"))
}

/// Does `word` name `place`, by itself or by a pattern?
pub(super) fn names(word: &ScriptWord, folder: Option<&Path>, place: &Path) -> bool {
    match &word.pattern {
        Some(pattern) => resolve(pattern, word.unknown, folder).is_some_and(|pattern| fits(&pattern, place)),
        None => lead(word, folder).is_some_and(|path| path == place),
    }
}

/// Without `.` and `..`, by spelling.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Normal(_) | Component::Prefix(_) => plain.push(component),
        }
    }
    plain
}

/// Folders of the system that nobody takes away or changes as a whole and goes on.
const SYSTEM: &str = "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr \
    /usr/bin /usr/lib /usr/local /usr/share /var /var/lib /Applications /Library /System /Users /Volumes";

fn system() -> impl Iterator<Item = &'static Path> {
    SYSTEM.split_ascii_whitespace().map(Path::new)
}

/// Is it a folder of the system, or does it lie in one that holds nobody's own things?
pub(crate) fn is_of_system(place: &Path) -> bool {
    let whole =
        ["/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys", "/usr", "/System", "/Library"];
    system().any(|system| place == system) || whole.iter().any(|system| place.starts_with(system))
}

/// What would be lost with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// The system, or a part it cannot do without.
    System,
    /// The user's home, or all that is in it.
    Home,
    /// The home of somebody else.
    OthersHome,
    /// The project, or what it lies in.
    Project,
    History,
    Keys,
}

impl Loss {
    /// In words that follow "it would".
    pub(super) fn words(self) -> &'static str {
        match self {
            Loss::System => "a folder of the system",
            Loss::Home => "the user's home",
            Loss::OthersHome => "somebody's home",
            Loss::Project => "the whole project",
            Loss::History => "the project's history in .git",
            Loss::Keys => "the user's keys",
        }
    }
}

/// What would be lost if all that `word` names in `folder` by its spelling were gone.
pub(super) fn loss_by_spelling(word: &ScriptWord, folder: Option<&Path>, places: &Places<'_>) -> Option<Loss> {
    let Some(pattern) = &word.pattern else {
        return loss_of(&lead(word, folder)?, places);
    };
    let pattern = resolve(pattern, word.unknown, folder)?;
    let (parent, name) = (pattern.parent()?, pattern.file_name()?.to_string_lossy().into_owned());
    // `*`, `.*`, `.[!.]*`: no letter in it, so it picks nothing.
    let all = name.contains('*') && name.chars().all(|character| ".*?[]!^".contains(character));
    if all && is_passing(parent) {
        return None;
    }
    if all && !has_pattern(parent) {
        // `x/*` takes nearly all that `x` is; in the project it leaves the history, and can be meant.
        let whole = loss_of(parent, places).filter(|_| parent != places.root || name.starts_with('.'));
        if whole.is_some() {
            return whole;
        }
    }
    doomed(places).find(|(place, _)| fits(&pattern, place)).map(|(_, loss)| loss)
}

/// What would be lost with this place and all below it.
pub(super) fn loss_of(path: &Path, places: &Places<'_>) -> Option<Loss> {
    let known = doomed(places).find(|(place, _)| place == path).map(|(_, loss)| loss);
    let keys = || holds_keys(path, places).then_some(Loss::Keys);
    known.or_else(keys).or_else(|| is_home(path).then_some(Loss::OthersHome))
}

/// Folders in a home that hold keys and nothing else.
const KEYS: &[&str] = &[".ssh", ".gnupg", ".password-store"];

/// Is it such a folder of the user? Some file systems take `.SSH` for `.ssh`.
fn holds_keys(path: &Path, places: &Places<'_>) -> bool {
    let name = path.file_name().unwrap_or_default();
    path.parent() == places.home && places.home.is_some() && KEYS.iter().any(|keys| name.eq_ignore_ascii_case(keys))
}

/// Is it anybody's home by its name?
fn is_home(path: &Path) -> bool {
    path.parent().is_some_and(|parent| [Path::new("/home"), Path::new("/Users")].contains(&parent))
}

/// Folders that anybody puts things in for a while; a project or a home in there does not make them its own.
const PASSING: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"];

fn is_passing(path: &Path) -> bool {
    PASSING.iter().any(|passing| path == Path::new(passing))
}

/// The places that hold what must not be lost, worst first.
fn doomed<'a>(places: &Places<'a>) -> impl Iterator<Item = (Cow<'a, Path>, Loss)> {
    let all = |path: &'a Path, loss: Loss| {
        path.ancestors().filter(|path| !is_passing(path)).map(move |path| (Cow::Borrowed(path), loss))
    };
    let root = places.root;
    let git = [".git", ".git/objects", ".git/refs"].into_iter().map(move |name| Cow::Owned(root.join(name)));
    let keys = places.home.into_iter().flat_map(|home| KEYS.iter().map(move |name| Cow::Owned(home.join(name))));
    // A project that is all there is (in a container, say) is named as such.
    std::iter::once((Cow::Borrowed(root), Loss::Project))
        .chain(system().map(|place| (Cow::Borrowed(place), Loss::System)))
        .chain(places.home.into_iter().flat_map(move |home| all(home, Loss::Home)))
        .chain(all(root, Loss::Project))
        .chain(git.map(|path| (path, Loss::History)))
        .chain(keys.map(|path| (path, Loss::Keys)))
}

fn has_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// Does `pattern` match `path`, name by name?
fn fits(pattern: &Path, path: &Path) -> bool {
    let (patterns, names) = (pattern.components(), path.components());
    let same = |(pattern, name): (Component<'_>, Component<'_>)| {
        let (pattern, name) = (pattern.as_os_str().to_string_lossy(), name.as_os_str().to_string_lossy());
        if !pattern.contains(['*', '?', '[', '\\']) {
            return pattern == name;
        }
        let hidden = name.starts_with('.') && !pattern.starts_with('.');
        !hidden && matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>())
    };
    patterns.clone().count() == names.clone().count() && patterns.zip(names).all(same)
}

/// Does a pattern of a shell match this name? `[…]` counts as any one character.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        let (fits, width) = one(&pattern[at..], name[seen]);
        if pattern.get(at) == Some(&'*') {
            star = Some((at, seen));
            at += 1;
        } else if fits {
            at += width;
            seen += 1;
        } else if let Some((from, taken)) = star {
            at = from + 1;
            seen = taken + 1;
            star = Some((from, taken + 1));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|character| *character == '*')
}

/// Does the beginning of `pattern` match `character`, and how long is that beginning?
fn one(pattern: &[char], character: char) -> (bool, usize) {
    match pattern {
        ['\\', literal, ..] => (*literal == character, 2),
        ['?', ..] => (true, 1),
        ['[', rest @ ..] => match rest.iter().skip(1).position(|end| *end == ']') {
            Some(end) => (true, end + 3),
            None => (character == '[', 1),
        },
        [literal, ..] => (*literal == character, 1),
        [] => (false, 0),
    }
}
