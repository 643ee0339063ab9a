//! Which files of a repository a subcommand of git would print: so that secrets among them are asked about.

use super::git_table::Subcommand;
use super::options::ParsedArgs;

/// What a subcommand prints of the tracked files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prints {
    /// Words that are revisions or paths, whichever there is.
    pub(crate) either: Vec<String>,
    pub(crate) paths: Vec<String>,
    /// Without a path it looks at what lies below the folder where it runs, not at the whole tree.
    pub(crate) below: bool,
}

/// Flags with which differences are shown line by line.
const PATCH: &[&str] = &[
    "-p",
    "-u",
    "-U",
    "--patch",
    "--unified",
    "--patch-with-stat",
    "-c",
    "--cc",
    "-m",
    "-W",
    "--function-context",
    "--binary",
    "--check",
    "--color-words",
    "--word-diff",
    "--word-diff-regex",
];

/// Flags with which they are only told of.
const SUMMARY: &[&str] = &[
    "-s",
    "--no-patch",
    "--stat",
    "--numstat",
    "--shortstat",
    "--summary",
    "--compact-summary",
    "--dirstat",
    "--raw",
    "--name-only",
    "--name-status",
    "--quiet",
];

/// What `subcommand` prints, if it prints what is in files.
pub(super) fn prints(subcommand: &Subcommand, given: &ParsedArgs<'_>) -> Option<Prints> {
    let patch = given.has(PATCH);
    let told = given.has(SUMMARY) && !patch;
    let files_alone = given.texts().count() > 0 && given.texts().all(is_file);
    let prints = match subcommand.name {
        "grep" => true,
        "diff" => !told,
        // A single file of a revision is named.
        "show" => given.texts().any(is_object) || !(told || files_alone),
        "cat-file" => !given.has(&["-t", "-s", "-e"]) && given.texts().any(is_object),
        "stash" if subcommand.kinds.contains(&"show") => !told,
        "log" | "whatchanged" | "reflog" | "stash" | "diff-tree" | "diff-index" | "diff-files" => patch,
        "status" => given.has(&["-v", "--verbose"]),
        _ => false,
    };
    if !prints || subcommand.name == "cat-file" {
        return prints.then(Prints::default);
    }
    let from = usize::from(subcommand.name == "grep" && !given.has(&["-e"]));
    let texts: Vec<String> = given.texts().skip(from).map(str::to_owned).collect();
    let at = given.guarded_from.saturating_sub(from).min(texts.len());
    let (before, paths) = texts.split_at(at);
    // Where paths are set off, all before them is revisions.
    let either = if given.guarded_from == usize::MAX { before.to_vec() } else { Vec::new() };
    Some(Prints { either, paths: paths.to_vec(), below: subcommand.name == "grep" })
}

/// A pathspec of what is left out.
pub(crate) fn excludes(text: &str) -> bool {
    [":!", ":^", ":(exclude"].iter().any(|start| text.starts_with(start))
}

/// `HEAD:path`, and not `:/text`, which finds a commit.
fn is_file(text: &str) -> bool {
    text.contains(':') && !text.starts_with(":/")
}

/// The number of an object, which may be that of any file.
fn is_object(text: &str) -> bool {
    let number = text.split(['^', '~', '@', ':']).next().unwrap_or_default();
    !is_file(text) && number.len() >= 4 && number.chars().all(|digit| digit.is_ascii_hexdigit())
}
