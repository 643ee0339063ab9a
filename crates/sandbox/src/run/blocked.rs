//! Did a command fail because of its sandbox? What it says is compared with what is known: the kernel counts what has no way
//! out of the network that commands have for themselves, and a path counts only if the sandbox keeps the command from it
//! and nothing else does. Where nothing is known, whole words are a possibility, and no more.

mod host;

use crate::ending::Ending;
use crate::{Caches, Kept, Shell, Surroundings};
use agent_policy::SandboxLimits;
use agent_protocol::{Blocked, Profile};
use std::path::{Path, PathBuf};

/// What programs say that have no network, in small letters.
const NO_NETWORK: &[&str] = &[
    "could not resolve host",               // curl, git, cargo
    "could not resolve hostname",           // ssh
    "couldn't connect to server",           // curl, git
    "unable to resolve host",               // wget
    "temporary failure in name resolution", // wget, ssh, glibc
    "name or service not known",            // python, pip, glibc
    "temporary failure resolving",          // apt
    "failed to establish a new connection", // pip, requests
    "failed to lookup address information", // programs in Rust
    "nodename nor servname provided",
    "network is unreachable",
    "enetunreach", // node: there is a network, and no way out of it
    "network unreachable",
    "eai_again", // node, npm
    "enotfound", // npm
    "getaddrinfo",
    "unknownhostexception", // java
    "no such host",         // go
];
/// What programs say that were refused a socket: all of them where there is no network, else the odd ones.
const NO_SOCKET: &[&str] = &[
    "connect eperm",                     // node
    "listen eperm",                      // node
    "socket: operation not permitted",   // go, bash, docker
    "io::socket::inet: operation not",   // perl
    "uv_interface_addresses",            // node
    "socketexception: operation not",    // java
    "socket(): operation not permitted", // busybox, php
];
/// The same of programs that name the place and the failure on different lines: both must be there.
const NO_SOCKET_TOGETHER: &[[&str; 2]] = &[["socket.py", "[errno 1] operation not permitted"]];

/// What programs say that have the network, but reached for a port or a kind of socket that they do not have.
const NO_PORT: &[&str] = &[
    "socket: operation not permitted",
    "connect eacces",
    "listen eacces",
    "uv_interface_addresses",
    "dial unix",
    // It leads out by the proxy alone.
    "network is unreachable",
    "enetunreach",
];
/// The same, both on one line.
const NO_PORT_IN_LINE: &[[&str; 2]] =
    &[["connecting to", "permission denied"], ["connect", "permission denied"], ["dial tcp", "permission denied"]];
/// The same, on different lines.
const NO_PORT_TOGETHER: &[[&str; 2]] =
    &[["sock.connect(", "[errno 13] permission denied"], ["socket.py", "[errno 1] operation not permitted"]];

/// What the system says of a file that may not be changed.
const NOT_WRITTEN: &[&str] = &[
    "permission denied",
    "operation not permitted",
    "eacces",
    "eperm",
    "cross-device link",
    "readonly database",
    "read-only file system",
    "erofs",
    "could not create temp file", // rustup
    "unable to lock directory",   // apt
];
/// The same of a file system in which nothing may be changed, as all are that the sandbox only lets be read.
const NOWHERE_WRITTEN: &[&str] = &["read-only file system", "erofs"];
/// Lines that say so, but not of a file that a wider sandbox would open: no command has a terminal.
const NOT_OF_FILES: &[&str] = &["ptrace", "/dev/tty"];
/// A program was found but is none.
const NO_PROGRAM: i32 = 126;
/// So many lines are looked into, the last ones.
const LINES: usize = 64;
/// The same of a command that ended with 0: what it met stands at its end, and further up somebody else may speak.
const LAST_LINES: usize = 24;

/// What the sandbox kept a command from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Denied {
    pub(crate) blocked: Blocked,
    /// Only its words say so.
    pub(crate) unsure: bool,
    /// Where it wanted to go, as far as it says so.
    pub(crate) place: Option<String>,
}

/// What the sandbox kept the command from, where that is the likely reason for its failure.
pub(crate) fn reason(
    ending: Ending,
    output: &Kept,
    shell: &Shell,
    sandbox: &SandboxLimits,
    around: &Surroundings,
    attempts: Attempts,
) -> Option<Denied> {
    let mut writable = vec![Path::new("/dev/shm")];
    if sandbox.profile() > Profile::ReadOnly {
        writable.extend(sandbox.writable().iter().map(PathBuf::as_path));
        writable.extend([sandbox.root(), around.temporary()]);
        writable.extend(around.caches().map(Caches::path));
    }
    let (profile, cwd) = (sandbox.profile(), &*shell.cwd);
    let site = Site { profile, cwd, writable: &writable, person_may: &person_may, attempts };
    guess(ending, &[&output.head, &output.tail], &site)
}

/// Where it happened.
struct Site<'a> {
    profile: Profile,
    cwd: &'a Path,
    /// Where the sandbox lets the command write.
    writable: &'a [&'a Path],
    /// Could the user write there, without a sandbox?
    person_may: &'a dyn Fn(&Path) -> bool,
    attempts: Attempts,
}

/// What the kernel counted while it ran.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempts {
    /// Something tried to leave the network that commands have for themselves; `None`: they have none.
    pub(crate) attempted: Option<bool>,
    /// No other command ran there, so it was this one.
    pub(crate) alone: bool,
}

fn guess(ending: Ending, output: &[&str], site: &Site<'_>) -> Option<Denied> {
    if site.profile == Profile::Unfenced {
        return None;
    }
    let whole = output.concat();
    let ended_well = ending == Ending::Exited(0);
    let text = if ended_well { end_of(&whole, LAST_LINES) } else { &whole };
    let output = if ended_well { &[text] } else { output };
    if let Some(certainty) = lacks_network(&text.to_lowercase(), site) {
        // What one says that did not fail is somebody else's words.
        let counts = certainty == Certainty::Seen || !ended_well;
        let unsure = certainty == Certainty::Words;
        return counts.then(|| Denied { blocked: Blocked::Network, unsure, place: host::named(text) });
    }
    if ending == Ending::Exited(NO_PROGRAM) {
        return None;
    }
    let lines = output.iter().flat_map(|text| text.lines()).rev();
    let mut telling = lines.filter(|line| denies(line)).take(LINES);
    let (line, place) = telling.find_map(|line| Some((line, place_behind_the_sandbox(line, site)?)))?;
    // Nobody saw it: what was denied for another reason is told in the same words, but where nothing can be written at all.
    let unsure = place.is_none() || !NOWHERE_WRITTEN.iter().any(|words| has_words(&line.to_lowercase(), words));
    Some(Denied { blocked: Blocked::Writing, unsure, place })
}

/// The last lines of `text`, so many.
fn end_of(text: &str, lines: usize) -> &str {
    let trimmed = text.trim_end();
    let from = trimmed.rmatch_indices('\n').nth(lines - 1).map_or(0, |(at, _)| at + 1);
    &text[from..]
}

/// How it is known that there was no network for a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// The kernel counted an attempt.
    Seen,
    Words,
}

fn lacks_network(text: &str, site: &Site<'_>) -> Option<Certainty> {
    let together = |pairs: &[[&str; 2]]| pairs.iter().any(|pair| pair.iter().all(|words| text.contains(words)));
    let any = |all: &[&str]| all.iter().any(|words| has_words(text, words));
    if site.profile == Profile::Network {
        let in_line = |line: &str| NO_PORT_IN_LINE.iter().any(|pair| pair.iter().all(|words| has_words(line, words)));
        let says = any(NO_PORT) || together(NO_PORT_TOGETHER) || text.lines().any(in_line);
        return says.then_some(Certainty::Words);
    }
    match site.attempts.attempted {
        Some(true) if any(NO_NETWORK) && site.attempts.alone => Some(Certainty::Seen),
        Some(true) if any(NO_NETWORK) => Some(Certainty::Words),
        None if any(NO_NETWORK) => Some(Certainty::Words),
        _ => (any(NO_SOCKET) || together(NO_SOCKET_TOGETHER)).then_some(Certainty::Words),
    }
}

fn denies(line: &str) -> bool {
    let line = line.to_lowercase();
    NOT_WRITTEN.iter().any(|words| has_words(&line, words)) && !NOT_OF_FILES.iter().any(|words| line.contains(words))
}

/// Does `text` have these `words`, and not as a part of longer ones (`ENOTFOUND` in `ModuleNotFoundError`)?
fn has_words(text: &str, words: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(words).any(|(at, words)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
}

/// Does a line that denies something name a place that only the sandbox keeps the command from? Which, where it has a
/// name of its own.
fn place_behind_the_sandbox(line: &str, site: &Site<'_>) -> Option<Option<String>> {
    let line = without_blanks(line, site);
    let mut places = places(&line).peekable();
    if places.peek().is_none() {
        // A bare name is one in the folder where it runs.
        return (site.profile == Profile::ReadOnly).then_some(None);
    }
    let behind =
        |place: &PathBuf| !site.writable.iter().any(|writable| place.starts_with(writable)) && (site.person_may)(place);
    let place = places.map(|place| plain(&site.cwd.join(place))).find(behind)?;
    Some(Some(place.display().to_string()))
}

/// The line without the blanks in places of the command's own, where words end: what is left lies in the folder where it runs.
fn without_blanks(line: &str, site: &Site<'_>) -> String {
    let names =
        site.writable.iter().filter_map(|place| place.to_str()).filter(|name| name.contains(char::is_whitespace));
    names.fold(line.to_owned(), |line, name| replace_place(&line, name))
}

/// The line with `.` for the place called `name`, where no longer name goes on.
fn replace_place(line: &str, name: &str) -> String {
    let (mut replaced, mut from) = (String::with_capacity(line.len()), 0);
    for (at, _) in line.match_indices(name) {
        let end = at + name.len();
        let ends = |next: char| next.is_whitespace() || QUOTES.contains(next) || "/:),;".contains(next);
        if line[end..].chars().next().is_none_or(ends) {
            replaced.push_str(&line[from..at]);
            replaced.push('.');
            from = end;
        }
    }
    replaced + &line[from..]
}

/// What looks like a path in a line, but for the program that speaks (`/bin/sh: 1: …`): what stands in quotes, where
/// anything does, else single words.
fn places(line: &str) -> impl Iterator<Item = &Path> {
    let ends = |c: char| c.is_whitespace() || QUOTES.contains(c) || "(),;=<>".contains(c);
    let quoted: Vec<&str> = quoted(line).into_iter().filter(|text| text.contains('/')).collect();
    let words = line.split(ends).enumerate().filter(|(at, word)| !(*at == 0 && word.ends_with(':')));
    let words: Vec<&str> = if quoted.is_empty() { words.map(|(_, word)| word).collect() } else { quoted };
    let words = words.into_iter().map(|word| word.trim_end_matches([':', '.']));
    words.filter(|word| word.contains('/') && !word.contains("://")).map(Path::new)
}

const QUOTES: &str = "'\"`‘’“”";

/// What stands between two quotes in `line`. One behind a letter is an apostrophe.
fn quoted(line: &str) -> Vec<&str> {
    let (mut found, mut opened, mut before) = (Vec::new(), None::<usize>, ' ');
    for (at, c) in line.char_indices() {
        match opened {
            Some(from) if QUOTES.contains(c) => {
                found.push(&line[from..at]);
                opened = None;
            }
            None if QUOTES.contains(c) && !before.is_alphanumeric() => opened = Some(at + c.len_utf8()),
            Some(_) | None => {}
        }
        before = c;
    }
    found
}

/// Without `.` and `..`, as far as the text goes: where it was meant to lead is enough here.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            std::path::Component::Prefix(_) | std::path::Component::RootDir | std::path::Component::Normal(_) => {
                plain.push(part);
            }
        }
    }
    plain
}

/// Asks the system, for the path or the nearest folder that is there; the question is ours, and we have no sandbox.
fn person_may(place: &Path) -> bool {
    let there = place.ancestors().find(|place| place.symlink_metadata().is_ok());
    there.is_some_and(|there| rustix::fs::access(there, rustix::fs::Access::WRITE_OK).is_ok())
}

#[cfg(test)]
mod tests;
