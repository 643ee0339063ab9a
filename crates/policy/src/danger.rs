//! Reads a command loosely, for what it would do if it were what it looks like: catastrophes, hidden characters, our own
//! state, protected names. A courtesy, never the wall: what is not found here is asked about and sandboxed like all else.
//!
//! To refuse what is harmless is worse than to miss something: whoever is refused cannot be helped by a yes.

mod bombs;
mod discards;
mod flags;
mod ground;
mod hidden;
mod known;
mod lasting;
mod meant;
mod outward;
mod prefix;
mod programs;
mod ruin;
mod script;
mod started;
mod starters;
mod subcommands;
mod touched;

use crate::Facts;
use crate::names::{GuardedFile, Resolved, protected};
use ground::Folder;
pub(crate) use ground::is_of_system;
pub(crate) use known::unversioned;
pub(crate) use lasting::{Covered, by_name, covered, offered, runs_tests};
pub(crate) use meant::queries;
use ruin::SweptPlaces;
use script::{Item, ScriptPart, ScriptWord, ShellStart};
pub use started::{Started, started};
#[cfg(test)]
pub(crate) use starters::every_start_of;
use std::path::{Path, PathBuf};
use touched::{How, Touched};

const LONGEST: usize = 64 * 1024;

/// The places that danger is measured by. Absolute, resolved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The project folder.
    pub(crate) root: &'a Path,
    /// Where the command starts.
    pub(crate) cwd: &'a Path,
    pub(crate) home: Option<&'a Path>,
    /// Our own config and state.
    pub(crate) own: &'a [PathBuf],
    /// What hooks in force run.
    pub(crate) guarded: &'a [GuardedFile],
    /// What is open outside the project.
    pub(crate) open: WritablePlaces<'a>,
    /// Where links lead, and what git runs; `None`: only words are looked at.
    pub(crate) facts: Option<&'a Facts>,
}

impl<'a> Places<'a> {
    /// What hooks and git run.
    pub(crate) fn guarded(&self) -> impl Iterator<Item = &'a GuardedFile> + use<'a> {
        self.guarded.iter().chain(self.facts.map(Facts::run_by_git).unwrap_or_default())
    }
}

/// Places outside the project in which a command within the sandbox may write.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WritablePlaces<'a> {
    /// Folders of the user's list.
    pub(crate) writable: &'a [PathBuf],
    /// It has a `/tmp` of its own.
    pub(crate) private_tmp: bool,
    /// What of the shared one it sees all the same, and cannot write in: the folder that a project in there lies in.
    pub(crate) around: Option<&'a Path>,
    /// The temporary folder of the session's commands.
    pub(crate) temporary: Option<&'a Path>,
}

impl WritablePlaces<'_> {
    /// Does `path` lie in one of them?
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let listed = self.writable.iter().any(|folder| path.starts_with(folder));
        let is_around = self.around.is_some_and(|around| path.starts_with(around));
        let private = self.private_tmp && is_temporary(path) && !is_around;
        listed || private || self.temporary.is_some_and(|folder| path.starts_with(folder))
    }
}

/// Does it lie where anybody leaves what is soon gone?
fn is_temporary(path: &Path) -> bool {
    TEMPORARY.iter().any(|folder| path.starts_with(folder))
}

const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// The folder of a temporary one that `project` lies in.
pub(crate) fn around_in_temporary(project: &Path) -> Option<&Path> {
    let is_top = |folder: &&Path| TEMPORARY.iter().any(|top| folder.parent() == Some(Path::new(top)));
    project.ancestors().skip(1).find(is_top)
}

/// Why `command` is refused whoever allows it; for the model, with what to do instead.
pub(crate) fn refusal(command: &str, places: &Places<'_>) -> Option<String> {
    if command.trim().is_empty() {
        return Some("the command is empty; say what is to be run".into());
    }
    if command.len() > LONGEST {
        return Some(format!("the command is longer than {LONGEST} bytes; write it to a script and run that"));
    }
    if let Some((character, what)) = hidden::hidden(command) {
        let code = u32::from(character);
        return Some(format!("the command holds U+{code:04X}, {what}; write it again without"));
    }
    if bombs::is_bomb(command) {
        return Some("it would start itself again and again until the machine stands still; leave that out".into());
    }
    let mut seen = SweptPlaces::default();
    walk(command, places, |part, folder| {
        ruin::ruin(part, folder, places, &mut seen).or_else(|| changes_ours(part, folder, places))
    })
}

/// What is dangerous about `command`, one line each, for the user; any makes it ask in unsafe mode too.
pub(crate) fn warnings(command: &str, places: &Places<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    walk(command, places, |part, folder| {
        let touched = touched::touched(part);
        warnings.extend(outward::outward(part));
        warnings.extend(touched.iter().filter_map(|touched| worry(touched, folder, places)));
        None::<()>
    });
    let shown = |path: &Path| path.strip_prefix(places.root).unwrap_or(path).display().to_string();
    let guards = guards(command, places).into_iter();
    warnings.extend(guards.map(|file| format!("protected: {} {}", shown(&file.path), file.why)));
    let mut seen = std::collections::HashSet::new();
    warnings.retain(|warning| seen.insert(warning.clone()));
    warnings
}

/// Files that hooks or git run and `command` names to change them, as far as its words tell.
pub(crate) fn guards<'a>(command: &str, places: &Places<'a>) -> Vec<&'a GuardedFile> {
    let mut named: Vec<&GuardedFile> = Vec::new();
    if places.guarded().next().is_none() {
        return named;
    }
    walk(command, places, |part, folder| {
        let touched = touched::touched(part).into_iter().chain(touched::entries(part));
        for file in touched.flat_map(|touched| guarded_by(&touched, folder, places)) {
            if !named.contains(&file) {
                named.push(file);
            }
        }
        None::<()>
    });
    named
}

/// The guarded files that are what would be touched, lie in it, or hold it.
fn guarded_by<'a>(touched: &Touched, folder: Option<&Path>, places: &Places<'a>) -> Vec<&'a GuardedFile> {
    let meant = meant::paths(touched, folder, places);
    let is_meant = |place: &Path| ground::names(&touched.word, folder, place) || meant.iter().any(|path| path == place);
    let named = |file: &&GuardedFile| match touched.how {
        How::Starts => false,
        _ if meant.iter().any(|path| path.starts_with(&file.path)) => true,
        How::Maybe | How::Enters => is_meant(&file.path),
        How::Changes | How::Removes | How::Links => {
            file.path.ancestors().take_while(|place| !places.root.starts_with(place)).any(is_meant)
        }
    };
    places.guarded().filter(named).collect()
}

/// The places outside the project that `command` names and would change, as far as its words tell.
pub(crate) fn outside(command: &str, places: &Places<'_>) -> Vec<PathBuf> {
    let mut outside = Vec::new();
    walk(command, places, |part, folder| {
        for touched in touched::touched(part).into_iter().chain(touched::work_tree(part)) {
            match (worry(&touched, folder, places), ground::lead(&touched.word, folder)) {
                (Some(_), Some(path)) if !path.starts_with(places.root) && !outside.contains(&path) => {
                    outside.push(path)
                }
                (Some(_) | None, _) => {}
            }
        }
        None::<()>
    });
    outside
}

/// What of the shared `/tmp` it names, where commands have none of their own. Where the project or the home lies in there,
/// that is a place like any other.
pub(crate) fn shared_temporary(command: &str, places: &Places<'_>) -> Option<PathBuf> {
    if is_temporary(places.root) || places.home.is_some_and(is_temporary) {
        return None;
    }
    outside(command, places).into_iter().find(|path| is_temporary(path))
}

/// Why nothing comes of `command` within the sandbox, for the user.
pub(crate) fn needs_no_sandbox(command: &str) -> Option<String> {
    programs::pieces(command, ShellStart::default()).iter().find_map(|piece| match piece {
        Item::Part(part) => outward::needs_no_sandbox(part),
        Item::Open | Item::Close => None,
    })
}

/// The programs that `command` starts with their words, decoded as well as can be: also those behind `sudo`, `env`,
/// `sh -c` and the like.
pub(crate) fn words(command: &str) -> Vec<Vec<String>> {
    let pieces = programs::pieces(command, ShellStart::default()).into_iter();
    let parts = pieces.filter_map(|piece| match piece {
        Item::Part(part) if !part.words.is_empty() => Some(part.words),
        Item::Part(_) | Item::Open | Item::Close => None,
    });
    parts.map(|words| words.into_iter().map(|word| word.text).collect()).collect()
}

/// Does it make commits or send them, as far as git's own subcommands say?
pub(crate) fn commits(command: &str) -> bool {
    starts_git(command, subcommands::commits)
}

pub(crate) fn calls_git(command: &str) -> bool {
    starts_git(command, |_| true)
}

/// Does it start a git with a subcommand that is not git's own? An alias does anything.
pub(crate) fn calls_strange_git(command: &str) -> bool {
    starts_git(command, |subcommand| !subcommands::is_known(subcommand))
}

/// What of a program with these decoded `words` throws work away.
pub(crate) fn discards_words(words: &[String]) -> Option<String> {
    discards::discards(&ScriptPart {
        words: words.iter().map(|word| ScriptWord::plain(word)).collect(),
        ..ScriptPart::default()
    })
}

/// What of `command` throws work away, as a person would name it.
pub(crate) fn discards(command: &str) -> Option<String> {
    programs::pieces(command, ShellStart::default()).iter().find_map(|piece| match piece {
        Item::Part(part) => discards::discards(part),
        Item::Open | Item::Close => None,
    })
}

fn starts_git(command: &str, which: impl Fn(&str) -> bool) -> bool {
    let is_git = |name: &ScriptWord| name.text.rsplit('/').next() == Some("git");
    programs::pieces(command, ShellStart::default()).iter().any(|piece| match piece {
        Item::Part(part) => part.words.split_first().is_some_and(|(name, rest)| {
            is_git(name) && flags::of_git(rest).is_some_and(|(subcommand, _)| which(subcommand))
        }),
        Item::Open | Item::Close => false,
    })
}

/// Do the `words` of a program, or of one that it may start, begin with those of a rule that tightens?
pub(crate) fn begins_with(words: &[String], rule: &[String]) -> bool {
    starters::begins_with(words, rule)
}

/// The words that a lasting rule for a command of these decoded `words` may name: the program and what stands before
/// its first operand. `None` for what starts other programs or runs code it is given.
pub(crate) fn prefix(words: &[String]) -> Option<Vec<String>> {
    prefix::prefix(words)
}

/// Goes through the programs of `command` with the folder each would be started in, until `look` finds something.
fn walk<T>(
    command: &str,
    places: &Places<'_>,
    mut look: impl FnMut(&ScriptPart, Option<&Path>) -> Option<T>,
) -> Option<T> {
    let (home, folder) = (places.home.map(Path::to_string_lossy), places.cwd.to_string_lossy());
    let known = ShellStart { home: home.as_deref(), folder: Some(&folder) };
    let mut folders: Vec<Folder> = vec![Some(places.cwd.to_owned())];
    for piece in programs::pieces(command, known) {
        let here = folders.last().cloned().flatten();
        match piece {
            Item::Open => folders.push(here),
            // The first stays: a text may close more than it opens.
            Item::Close => folders.truncate(folders.len().saturating_sub(1).max(1)),
            Item::Part(part) => {
                if let Some(found) = look(&part, here.as_deref()) {
                    return Some(found);
                }
                if let (Some(gone), Some(last)) = (goes(&part, here.as_deref(), places), folders.last_mut()) {
                    *last = gone;
                }
            }
        }
    }
    None
}

/// Where the script goes from here, if `part` goes anywhere.
fn goes(part: &ScriptPart, folder: Option<&Path>, places: &Places<'_>) -> Option<Folder> {
    let (program, words) = part.words.split_first()?;
    match (program.text.as_str(), flags::operands(words).as_slice()) {
        ("cd", []) => Some(places.home.map(Path::to_owned)),
        ("cd" | "pushd", [to]) if to.pattern.is_none() && to.text != "-" => {
            Some(ground::lead(to, folder).map(|path| meant::led(&path, places).unwrap_or(path)))
        }
        ("cd" | "pushd" | "popd", _) => Some(None),
        _ => None,
    }
}

/// Does `part` change what is ours?
fn changes_ours(part: &ScriptPart, folder: Option<&Path>, places: &Places<'_>) -> Option<String> {
    let is_ours = |touched: &Touched, path: &Path| {
        let around = |own: &Path| touched.how == How::Removes && own.starts_with(path) && path != places.root;
        places.own.iter().any(|own| path.starts_with(own) || around(own))
    };
    let ours = |touched: &Touched| {
        let spelled = ground::lead(&touched.word, folder);
        let mut meant = spelled.into_iter().chain(meant::paths(touched, folder, places));
        meant.find(|path| is_ours(touched, path))
    };
    let path = touched::touched(part).iter().filter(|touched| touched.how != How::Links).find_map(ours)?;
    let path = path.display();
    Some(format!("{path} is this program's own config and state; leave it to the user, who can change it by hand"))
}

/// Places that anybody may name.
const HARMLESS: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/random",
    "/dev/urandom",
    "/dev/fd",
];

/// Where programs and their parts lie, which others are often told of.
const READ_BY_ALL: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/System", "/proc", "/sys"];

/// What is worth a warning in a path that would be touched.
fn worry(touched: &Touched, folder: Option<&Path>, places: &Places<'_>) -> Option<String> {
    let path = ground::lead(&touched.word, folder)?;
    let lies = |all: &[&str]| all.iter().any(|place| path.starts_with(place));
    let inside = path.strip_prefix(places.root).ok();
    if inside.is_none() && touched.how == How::Links {
        return None;
    }
    let elsewhere = lies(READ_BY_ALL) || !is_spelled_out(&touched.word);
    if lies(HARMLESS) || inside.is_none() && matches!(touched.how, How::Maybe | How::Starts) && elsewhere {
        return None;
    }
    let open = inside.is_some() || places.open.holds(&path);
    let shown = inside.unwrap_or(&path).display();
    if Resolved::new(&path).is_none() {
        return Some(format!("nobody knows where it lies: {shown}"));
    }
    let why = |path: &Path| protected(Resolved::new(path)?, places.root, places.home.and_then(Resolved::new));
    if let Some(why) = why(&path) {
        return Some(format!("protected: {shown} {why}"));
    }
    let led = meant::paths(touched, folder, places).into_iter().find_map(|led| Some((why(&led)?, led)));
    if let Some((why, led)) = led {
        let led = led.strip_prefix(places.root).unwrap_or(&led).display();
        return Some(format!("protected: {shown} ({led}) {why}"));
    }
    (!open).then(|| format!("outside the project: {shown}"))
}

/// Does a word look like a path, and not like some other argument that happens to lie elsewhere when taken for one?
fn is_spelled_out(word: &ScriptWord) -> bool {
    let text = word.text.as_str();
    text.starts_with('/') || text == ".." || text.starts_with("../") || text.starts_with("./")
}

#[cfg(test)]
mod tests;
