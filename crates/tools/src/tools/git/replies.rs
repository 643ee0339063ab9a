//! What git says when there is nothing to say, in words.

use super::asked::{GitAct, GitRequest, Operation};
use crate::program::{Reading, Said, Told};
use std::sync::Arc;

/// How what git says to `asked` is read.
pub(super) fn reading(asked: &GitRequest) -> Option<Reading> {
    let nothing = match asked.operation {
        Operation::Diff if asked.staged => "nothing is staged",
        Operation::Diff if asked.target().is_some() => "no differences",
        Operation::Diff => {
            "no changes that are not staged; staged: true shows those that are, and git_status new files"
        }
        Operation::Log => "no commits",
        Operation::Stash if asked.act == Some(GitAct::List) => "the stash is empty",
        Operation::Status => return Some(Arc::new(clean)),
        Operation::Add
        | Operation::Commit
        | Operation::Push
        | Operation::Pull
        | Operation::Branch
        | Operation::Checkout
        | Operation::Stash
        | Operation::Show => return None,
    };
    Some(Arc::new(move |said: &Said<'_>| {
        let silent = said.code == Some(0) && said.text.trim().is_empty();
        silent.then(|| Told {
            told: nothing.into(),
            summary: nothing.split(';').next().unwrap_or(nothing).into(),
            failing: None,
            cannot_run: false,
        })
    }))
}

/// A status that names only the branch.
fn clean(said: &Said<'_>) -> Option<Told> {
    let only_branch = said.text.lines().all(|line| line.starts_with("## "));
    let told = || format!("{}\nclean: nothing is changed, staged or new", said.text.trim_end());
    (said.code == Some(0) && only_branch && !said.cut).then(|| Told {
        told: told(),
        summary: "clean".into(),
        failing: None,
        cannot_run: false,
    })
}
