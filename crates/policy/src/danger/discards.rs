//! What throws work away: what it destroys depends on what is there at that moment, so a yes is for that moment only.
//!
//! Does not refuse; see `ruin` for what nobody means.

use super::flags::{has, of_git, operands, says};
use super::known::name;
use super::script::{ScriptPart, ScriptWord};

/// Programs that take away, or empty, what they name.
const REMOVERS: &[&str] = &["rm", "unlink", "shred", "srm", "truncate", "dd", "trash", "trash-put"];

/// Subcommands of git that undo, overwrite or forget, whatever follows.
const BY_GIT: &[&str] =
    &["restore", "reset", "rm", "checkout-index", "read-tree", "update-ref", "prune", "gc", "sparse-checkout"];

/// Subcommands of other keepers of history that do.
const BY_OTHERS: &[(&str, &[&str])] = &[
    ("hg", &["revert", "purge", "strip", "update", "up", "checkout", "co", "clean", "shelve", "unshelve"]),
    ("svn", &["revert", "cleanup", "rm", "delete", "remove"]),
    ("jj", &["abandon", "restore", "undo", "op"]),
];

/// The words of `part` that throw work away, as a person would name them.
pub(super) fn discards(part: &ScriptPart) -> Option<String> {
    let (program, words) = part.words.split_first()?;
    let program = name(program);
    let first = || operands(words).first().map_or("", |word| word.text.as_str());
    match program {
        remover if REMOVERS.contains(&remover) => Some(program.into()),
        "find" => says(words, &["-delete"]).then(|| "find -delete".into()),
        "rsync" => words.iter().any(|word| word.text.starts_with("--del")).then(|| "rsync --delete".into()),
        "git" => {
            let (subcommand, rest) = of_git(words)?;
            by_git(subcommand, rest).then(|| format!("git {subcommand}"))
        }
        other => {
            let (_, subcommands) = BY_OTHERS.iter().find(|(name, _)| *name == other)?;
            subcommands.contains(&first()).then(|| format!("{program} {}", first()))
        }
    }
}

fn by_git(subcommand: &str, words: &[ScriptWord]) -> bool {
    let first = operands(words).first().map_or("", |word| word.text.as_str());
    match subcommand {
        // With a new branch it takes nothing away; without, a name may be that of a file.
        "checkout" => !says(words, &["-b", "--orphan"]) || has(words, &['f'], "force"),
        "switch" => has(words, &['f', 'C'], "force") || says(words, &["--discard-changes", "--force-create"]),
        "stash" => !matches!(first, "list" | "show"),
        "clean" => !has(words, &['n'], "dry-run"),
        "branch" => has(words, &['d', 'D', 'M', 'C', 'f'], "delete") || says(words, &["--force"]),
        "tag" => has(words, &['d', 'f'], "delete") || says(words, &["--force"]),
        "worktree" => matches!(first, "remove" | "prune"),
        "reflog" => matches!(first, "expire" | "delete"),
        "notes" => matches!(first, "remove" | "prune"),
        "apply" => has(words, &['R'], "reverse"),
        other => BY_GIT.contains(&other),
    }
}
