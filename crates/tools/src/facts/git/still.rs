//! Git as it is asked about a repository: reading only, without network, and in a way in which it starts no other program.

use agent_policy::STILL_GIT;
use agent_sandbox::Surroundings;
use std::path::Path;

/// Settings for every git that is asked. What else it would start it is not asked for: no difference is shown but in
/// names, and of files only what git keeps. None holds a blank, for the shell takes them apart.
const STILL: &[&str] = &[
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.sshCommand=/bin/false",
    "-c",
    "core.alternateRefsCommand=/bin/false",
    "-c",
    "log.showSignature=false",
    "-c",
    "core.quotePath=false",
];

/// What `git` answers to `words` in `folder`, with `env` besides the usual variables; `None` where it fails, cannot be
/// asked, or says too much.
pub(crate) fn ask_with(
    env: &[(&str, &str)],
    git: &Path,
    words: &[&str],
    folder: &Path,
    around: &Surroundings,
) -> Option<Vec<u8>> {
    let words: Vec<&str> = STILL.iter().chain(words).copied().collect();
    let env: Vec<(&str, &str)> = STILL_GIT.iter().chain(env).copied().collect();
    agent_sandbox::ask(git, &words, folder, &env, around)
}

/// The same without more variables.
pub(crate) fn ask(git: &Path, words: &[&str], folder: &Path, around: &Surroundings) -> Option<Vec<u8>> {
    ask_with(&[], git, words, folder, around)
}

/// What `shell` answers to `line`, in which `$git` is that git and `"$@"` these words.
pub(crate) fn ask_shell(
    shell: &Path,
    line: &str,
    words: &[&str],
    folder: &Path,
    around: &Surroundings,
) -> Option<Vec<u8>> {
    let line = format!("git='git {}'; {line}", STILL.join(" "));
    let words: Vec<&str> = ["-c", line.as_str(), "sh"].into_iter().chain(words.iter().copied()).collect();
    agent_sandbox::ask(shell, &words, folder, STILL_GIT, around)
}
