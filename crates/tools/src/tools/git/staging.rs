//! What cannot be staged as we run git: files that a filter of the repository would change first, as such filters do not
//! run here, and repositories inside this one, into which git would send another git.
//!
//! To store a file without its filter would be worse than not to store it: some keep secrets out.

use super::repository::Repository;
use agent_protocol::{Failure, FailureKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Files whose filters are looked up at a time, and at most.
const AT_ONCE: usize = 500;
const MOST: usize = 10_000;
/// Files that a failure names.
const NAMED: usize = 3;
/// The entries of the index that are repositories. What fails is said, for a pipe does not tell.
const LINKS: &str =
    r#"{ $git ls-files --stage --full-name -- "$@" || echo failed; } | sed -n -e '/^160000 /p' -e '/^failed$/p'"#;
/// Repositories inside this one of which policy knows the settings.
const LOOKED_AT: usize = 30;

/// Does none of the `files` go through a filter of the repository's own?
///
/// # Errors
/// One does, or there are too many to tell.
pub(super) fn unfiltered(repository: &Repository<'_>, files: &[String]) -> Result<(), Failure> {
    let own = own_filters(repository);
    if own.is_empty() {
        return Ok(());
    }
    let listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"];
    let said = repository.ask(&words(&listed, files)).ok_or_else(|| filtered(&own, "some of these files"))?;
    let said = String::from_utf8_lossy(&said);
    let names: Vec<&str> = said.split_terminator('\0').collect();
    if names.len() > MOST {
        return Err(filtered(&own, "some of these files"));
    }
    let mut found = Vec::new();
    for some in names.chunks(AT_ONCE) {
        let asked: Vec<&str> = ["check-attr", "-z", "filter", "--"].into_iter().chain(some.iter().copied()).collect();
        let said = repository.ask(&asked).ok_or_else(|| filtered(&own, "some of these files"))?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let fields: Vec<&str> = said.split_terminator('\0').collect();
        found.extend(fields.chunks(3).filter(|file| own.contains(file[file.len() - 1])).map(|file| file[0].to_owned()));
    }
    if found.is_empty() {
        return Ok(());
    }
    let more = if found.len() > NAMED { " and more" } else { "" };
    found.truncate(NAMED);
    Err(filtered(&own, &(found.join(", ") + more)))
}

/// The filters that change what is stored and that the repository itself names.
fn own_filters(repository: &Repository<'_>) -> BTreeSet<String> {
    let keys = r"^filter\..*\.(clean|process)$";
    let said = repository.ask(&["config", "--show-scope", "--name-only", "-z", "--get-regexp", keys]);
    let said = said.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let fields: Vec<&str> = said.split_terminator('\0').collect();
    let own = fields.chunks_exact(2).filter(|pair| pair[0] != "system" && pair[0] != "global");
    let name = |pair: &[&str]| Some(pair[1].strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned());
    own.filter_map(name).collect()
}

fn filtered(own: &BTreeSet<String>, which: &str) -> Failure {
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let message = format!(
        "{which}: this repository's settings name a filter ({}) that changes what is stored, and git_operation does not run \
         it; name other files, or stage with run_command: git add",
        own.join(", ")
    );
    Failure::new(FailureKind::Denied, message)
}

/// Is there, among the `files`, no repository inside this one but submodules of which policy knows what they name?
///
/// # Errors
/// There is, or it cannot be told.
pub(super) fn no_repository_inside(repository: &Repository<'_>, files: &[String]) -> Result<(), Failure> {
    let Some(top) = repository.top() else { return Ok(()) };
    let asked: Vec<&str> = files.iter().map(String::as_str).collect();
    let said = repository.ask_shell(LINKS, &asked).ok_or_else(|| inside("one of these files"))?;
    let said = String::from_utf8_lossy(&said);
    let names: Vec<Option<&str>> = said.lines().map(|line| Some(line.split_once('\t')?.1)).collect();
    if names.len() > LOOKED_AT {
        return Err(inside("more than can be looked at"));
    }
    for name in names {
        // The line that says it failed has no tab: these files are not there, as git itself will say.
        let Some(name) = name else { continue };
        if !is_submodule(top, name) {
            return Err(inside(name));
        }
    }
    Ok(())
}

/// Does `name` lie where git keeps submodules, or is it not there at all?
fn is_submodule(top: &Path, name: &str) -> bool {
    let link = top.join(name).join(".git");
    let Ok(found) = link.symlink_metadata() else { return !name.starts_with('"') };
    let kept = || {
        let text = std::str::from_utf8(&crate::open::plain_file(&link, 4_096)?).ok()?.to_owned();
        top.join(name).join(text.strip_prefix("gitdir: ")?.trim_end()).canonicalize().ok()
    };
    found.is_file() && kept().is_some_and(|kept| kept.starts_with(top.join(".git/modules")))
}

fn inside(which: &str) -> Failure {
    let message = format!(
        "{which}: a repository inside this one, into which git would send another git; name other files, or use run_command"
    );
    Failure::new(FailureKind::Denied, message)
}

fn words<'a>(first: &[&'a str], files: &'a [String]) -> Vec<&'a str> {
    first.iter().copied().chain(files.iter().map(String::as_str)).collect()
}
