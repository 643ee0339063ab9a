//! What must be so in the world for a reading to hold: said first, asked of `tools`, then held against the answers.

use super::Site;
use super::paths::lexical;
use super::pathspec::Pathspec;
use super::readers::{Prints, Search, excludes};
use crate::names::{Resolved, is_secret};
use crate::{Facts, PathKind, Pattern, Query, Secrets};
use std::path::{Path, PathBuf};

/// Folders that everybody may read in and nobody keeps a secret in.
const PUBLIC: &[&str] = &["/usr/include", "/usr/share/doc", "/usr/share/man"];

/// One thing that must be so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Claim {
    Look {
        path: PathBuf,
        shown: String,
        care: Care,
    },
    /// All that the pattern matches may be looked at.
    Matches {
        folder: PathBuf,
        pattern: Pattern,
        shown: String,
        care: Care,
    },
    /// The pattern matches nothing, so that it stands for itself.
    MatchesNothing {
        folder: PathBuf,
        pattern: Pattern,
        shown: String,
    },
    /// This is a folder that `cd` leads to by the way its name says; the folder before and the name make it up.
    Enter {
        path: PathBuf,
        shown: String,
    },
    /// Git obeys nothing in this folder.
    Git {
        folder: PathBuf,
    },
    /// Git prints no secret that it tracks.
    Prints {
        folder: PathBuf,
        prints: Prints,
    },
    /// What lies below may be searched, if it is a folder.
    Search {
        base: PathBuf,
        how: Search,
    },
}

/// What else is asked of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Care {
    /// It must be no folder.
    pub(super) no_folders: bool,
    /// It must be in the project itself, for git takes what is not for more than a file.
    pub(super) project_only: bool,
    /// No more is told of it than whether it is there.
    pub(super) only_there: bool,
}

impl Claim {
    /// What must be asked to tell.
    pub(super) fn queries(&self) -> Vec<Query> {
        match self {
            Claim::Look { path, .. } | Claim::Enter { path, .. } => vec![Query::Leads(path.clone())],
            Claim::Matches { folder, pattern, .. } | Claim::MatchesNothing { folder, pattern, .. } => {
                vec![Query::Matches { folder: folder.clone(), pattern: pattern.clone() }]
            }
            Claim::Git { folder } => vec![Query::Git(folder.clone())],
            Claim::Prints { folder, prints } => {
                let either = prints.either.iter().map(|name| Query::Leads(folder.join(name)));
                either.chain([Query::Git(folder.clone())]).collect()
            }
            Claim::Search { base, .. } => vec![Query::Leads(base.clone()), Query::Secrets(base.clone())],
        }
    }

    /// The folder in which git is run.
    pub(super) fn git_folder(&self) -> Option<&Path> {
        match self {
            Claim::Git { folder } => Some(folder),
            Claim::Look { .. }
            | Claim::Matches { .. }
            | Claim::MatchesNothing { .. }
            | Claim::Enter { .. }
            | Claim::Prints { .. }
            | Claim::Search { .. } => None,
        }
    }

    /// Is it so? If not, why, in words.
    pub(super) fn check(&self, site: &Site<'_>, facts: &Facts) -> Result<(), String> {
        match self {
            Claim::Look { path, shown, care } => look(path, shown, *care, site, facts),
            Claim::Matches { folder, pattern, shown, care } => {
                let matches = facts.matches(folder, pattern);
                let matches = matches.ok_or_else(|| format!("it is not known what `{shown}` matches"))?;
                matches.iter().try_for_each(|path| look(path, &named(path, folder), *care, site, facts))
            }
            Claim::MatchesNothing { folder, pattern, shown } => match facts.matches(folder, pattern) {
                Some([]) => Ok(()),
                Some(_) => Err(format!("`{shown}` matches files and would be several words; quote it")),
                None => Err(format!("it is not known what `{shown}` matches")),
            },
            Claim::Enter { path, shown } => enter(path, shown, site, facts),
            Claim::Git { folder } => git(folder, site, facts),
            Claim::Prints { folder, prints } => printed(folder, prints, facts),
            Claim::Search { base, how } => search(base, *how, facts),
        }
    }
}

fn named(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

fn look(path: &Path, shown: &str, care: Care, site: &Site<'_>, facts: &Facts) -> Result<(), String> {
    let led = facts.led(path).ok_or_else(|| format!("it is not known where `{shown}` leads"))?;
    let inside = led.real.starts_with(site.root);
    let public = !care.project_only && PUBLIC.iter().any(|public| led.real.starts_with(public));
    if !inside && !public {
        return Err(format!("`{shown}` is outside the project"));
    }
    if led.real.starts_with(site.root.join(".agent")) {
        return Err(format!("`{shown}` is this program's own"));
    }
    let home = site.home.and_then(Resolved::new);
    // A name that nobody can place is not proved to be harmless.
    let secret = |path: &Path| Resolved::new(path).is_none_or(|path| is_secret(path, home));
    if !care.only_there && (secret(&led.real) || lexical(path).is_none_or(|spelled| secret(&spelled))) {
        return Err(format!("the name of `{shown}` says that it holds secrets"));
    }
    match led.kind {
        PathKind::Special => Err(format!("`{shown}` is a pipe, socket or device")),
        PathKind::Folder if care.no_folders => Err(format!("`{shown}` is a folder, and what is in it would be read")),
        PathKind::Folder | PathKind::File { .. } | PathKind::Missing => Ok(()),
    }
}

fn enter(path: &Path, shown: &str, site: &Site<'_>, facts: &Facts) -> Result<(), String> {
    let led = facts.led(path).ok_or_else(|| format!("it is not known where `{shown}` leads"))?;
    if !led.real.starts_with(site.root) {
        return Err(format!("`cd {shown}` leaves the project"));
    }
    if lexical(path).as_deref() != Some(led.real.as_path()) {
        return Err(format!("`cd {shown}` goes through a link"));
    }
    Ok(())
}

fn git(folder: &Path, site: &Site<'_>, facts: &Facts) -> Result<(), String> {
    let git = facts.git(folder).ok_or("it is not known what git would obey here")?;
    if !site.trusted {
        return Err("git is not run unasked in a folder that you have not said you trust".into());
    }
    let tree = git.tree.as_deref().ok_or("there is no plain git repository here")?;
    if !tree.starts_with(site.root) || !folder.starts_with(tree) {
        return Err("the git repository is not the project's own".into());
    }
    match git.findings.first() {
        Some(finding) => Err(format!("the repository could make git run a program: {finding}")),
        None => Ok(()),
    }
}

/// Secrets that git tracks are printed with all else, unless paths leave them out.
fn printed(folder: &Path, prints: &Prints, facts: &Facts) -> Result<(), String> {
    let git = facts.git(folder).ok_or("it is not known what git would print here")?;
    let Some(below) = git.tree.as_deref().and_then(|tree| folder.strip_prefix(tree).ok()) else { return Ok(()) };
    // What is there is a path, or git takes it for neither; what is not is a revision, unless it can be none.
    let is_path = |name: &&String| {
        let there = facts.led(&folder.join(name)).is_some_and(|led| led.kind != PathKind::Missing);
        there || excludes(name) || name.contains(['*', '?', '[']) && !name.starts_with(':')
    };
    let paths = prints.either.iter().filter(is_path).chain(&prints.paths).map(|path| Pathspec::parse(path, below));
    let (out, into): (Vec<Pathspec>, Vec<Pathspec>) = paths.partition(|path| path.excludes);
    let all = if prints.below { below } else { Path::new("") };
    let reached = |secret: &&PathBuf| {
        let name = secret.to_string_lossy();
        let included = match into.as_slice() {
            [] => secret.starts_with(all),
            into => into.iter().any(|path| path.may_include(&name)),
        };
        included && !out.iter().any(|path| path.leaves_out(&name))
    };
    match git.secrets.iter().find(reached) {
        Some(secret) => Err(format!("it would print `{}`, whose name says that it holds secrets", secret.display())),
        None => Ok(()),
    }
}

fn search(base: &Path, how: Search, facts: &Facts) -> Result<(), String> {
    let file = facts.led(base).is_some_and(|led| matches!(led.kind, PathKind::File { .. } | PathKind::Missing));
    let all = match how {
        Search::Nothing => return Ok(()),
        Search::Visible => false,
        Search::All => true,
    };
    match facts.secrets(base) {
        _ if file => Ok(()),
        Secrets::None => Ok(()),
        Secrets::Unknown if !all => Ok(()),
        Secrets::Found(path) if !all && is_hidden(path, base) => Ok(()),
        Secrets::Found(path) => {
            Err(format!("it would search `{}`, whose name says that it holds secrets", named(path, base)))
        }
        Secrets::Unknown => Err("it would search a folder too large to look through for secrets first".into()),
    }
}

/// Does it lie behind a name below `base` that begins with a dot?
fn is_hidden(path: &Path, base: &Path) -> bool {
    let Ok(below) = path.strip_prefix(base) else { return false };
    below.components().any(|component| component.as_os_str().as_encoded_bytes().starts_with(b"."))
}
