//! Answers policy's questions of fact. Each kind of question has a room of its own.
//!
//! **Invariant.** Everything here is bounded, nothing is opened that may hang, and nothing is run but git, in an
//! environment in which it starts no other program. What cannot be found out stays unanswered, which policy takes for
//! the worst.

pub(crate) mod git;
mod kinds;
mod matches;
pub(crate) mod programs;
mod secrets;

use crate::Ground;
use agent_policy::{Facts, Query};
use git::RunByGit;

/// Answers `queries`.
pub(crate) fn facts(ground: &Ground, run_by_git: &RunByGit, queries: &[Query]) -> Facts {
    let mut facts = Facts::default();
    for query in queries {
        answer(ground, run_by_git, query, &mut facts);
    }
    facts
}

fn answer(ground: &Ground, run_by_git: &RunByGit, query: &Query, facts: &mut Facts) {
    match query {
        Query::Kind(path) => {
            if let Some(kind) = kinds::kind(path) {
                facts.set_kind(path.clone(), kind);
            }
        }
        Query::Leads(path) => {
            if let Some(led) = kinds::leads(path) {
                facts.set_led(path.clone(), led);
            }
        }
        Query::Matches { folder, pattern } => {
            let Some(paths) = matches::matches(folder, pattern) else { return };
            for path in &paths {
                if let Some(led) = kinds::leads(path) {
                    facts.set_led(path.clone(), led);
                }
            }
            facts.set_matches(folder.clone(), pattern.clone(), paths);
        }
        Query::Secrets(folder) => facts.set_secrets(folder.clone(), secrets::below(folder, ground.home.as_deref())),
        Query::Program(name) => {
            if let Some(path) = programs::find(ground, name) {
                facts.set_program(name.clone(), path);
            }
        }
        Query::RunByGit => facts.set_run_by_git(run_by_git.files(ground)),
        Query::Git(folder) => {
            if let Some(git) = git::audit(ground, folder) {
                facts.set_git(folder.clone(), git);
            }
        }
    }
}
