//! Where a push goes: which branch, to which remote, and how much.
//!
//! **Invariant.** One branch goes out under its own name, and nothing is forced: what the repository's settings say of
//! that is not obeyed.

use super::asked::GitRequest;
use super::commands::git;
use super::operands;
use super::repository::Repository;
use crate::words;
use agent_protocol::{Failure, FailureKind};

/// What takes a push in a folder of this machine: git itself, without anything that the other repository names.
const RECEIVES: &str = "--receive-pack=git -c core.hooksPath=/dev/null -c core.fsmonitor=false \
    -c core.alternateRefsCommand=/bin/false -c receive.denyCurrentBranch=refuse -c receive.autogc=false receive-pack";

/// What takes it on a server: git's own program, whatever the settings say.
const RECEIVES_FAR: &str = "--receive-pack=git-receive-pack";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outgoing {
    branch: String,
    remote: String,
    /// Where the remote is, without names and passwords; empty where it cannot be looked up.
    places: Vec<String>,
    /// In a folder of this machine.
    local: bool,
    /// It follows no branch of a remote yet.
    first: bool,
    /// Commits that the remote is not known to have; `None`: it is not known to have the branch.
    ahead: Option<u64>,
}

/// What a push that is `asked` for would be.
///
/// # Errors
/// It is not clear which branch is meant, or where to.
pub(super) fn outgoing(asked: &GitRequest, repository: &Repository<'_>) -> Result<Outgoing, Failure> {
    let branch = branch(asked, repository)?;
    let head = format!("refs/heads/{branch}");
    if repository.top().is_none() {
        let remote = asked.remote.clone().unwrap_or_else(|| "origin".into());
        return Ok(Outgoing { branch, remote, places: Vec::new(), local: false, first: false, ahead: None });
    }
    if repository.ask(&["rev-parse", "--verify", "--quiet", &head]).is_none() {
        return Err(unclear(format!("there is no branch {branch} with a commit here; operation branch lists them")));
    }
    let follows = repository.line(&["for-each-ref", "--format=%(push:remotename)%0a%(upstream)", &head]);
    let follows = follows.unwrap_or_default();
    let (usual, upstream) = follows.split_once('\n').unwrap_or_default();
    let remote = remote(asked, usual, repository)?;
    let urls = repository.line(&["remote", "get-url", "--push", "--all", &remote]).unwrap_or_default();
    let urls: Vec<&str> = urls.lines().collect();
    let local = urls.iter().filter(|url| is_local(url)).count();
    if local > 0 && local < urls.len() {
        return Err(unclear(format!(
            "{remote} is in several places of different kinds; push to one of them by run_command"
        )));
    }
    let known = format!("refs/remotes/{remote}/{branch}");
    let new = repository.line(&["rev-list", "--count", &format!("{known}..{head}"), "--"]);
    Ok(Outgoing {
        local: local > 0,
        first: upstream.is_empty(),
        places: urls.into_iter().map(without_secrets).collect(),
        ahead: new.and_then(|new| new.parse().ok()),
        branch,
        remote,
    })
}

fn branch(asked: &GitRequest, repository: &Repository<'_>) -> Result<String, Failure> {
    match &asked.branch {
        Some(branch) if branch != "HEAD" => Ok(branch.clone()),
        Some(_) | None => {
            let here = repository.line(&["symbolic-ref", "--quiet", "--short", "HEAD"]);
            let here =
                here.ok_or_else(|| unclear("no branch is checked out; say which one to push as `branch`".into()));
            operands::name("branch", &here?)
        }
    }
}

/// The remote that is asked for, or the branch's `usual` one, or the only one.
fn remote(asked: &GitRequest, usual: &str, repository: &Repository<'_>) -> Result<String, Failure> {
    let known = repository.line(&["remote"]).unwrap_or_default();
    let known: Vec<&str> = known.lines().collect();
    let found = match (&asked.remote, usual, known.as_slice()) {
        (Some(asked), ..) => asked.as_str(),
        (None, "", [only]) => only,
        (None, "", _) => "origin",
        (None, usual, _) => usual,
    };
    if known.contains(&found) {
        return operands::name("remote", found);
    }
    let message = match known.as_slice() {
        [] => "there is no remote to push to; one is made by run_command with: git remote add origin ADDRESS".into(),
        _ => format!("there is no remote {found}; there is {}", known.join(", ")),
    };
    Err(unclear(message))
}

impl Outgoing {
    pub(super) fn argv(&self) -> Vec<String> {
        let way = format!("refs/heads/{0}:refs/heads/{0}", self.branch);
        let mut words = vec!["push", "--no-recurse-submodules", "--no-follow-tags"];
        words.extend(self.first.then_some("--set-upstream"));
        words.push(if self.local { RECEIVES } else { RECEIVES_FAR });
        words.extend([self.remote.as_str(), way.as_str()]);
        git(&words, &[])
    }

    pub(super) fn title(&self) -> String {
        let much = match self.ahead {
            Some(new) => words::count(new, "commit"),
            None if self.places.is_empty() => return format!("Push {} to {}", self.branch, self.remote),
            None => "a branch that is not known to be there".into(),
        };
        format!("Push {} to {}: {much}", self.branch, self.remote)
    }

    pub(super) fn note(&self) -> String {
        let places = match self.places.as_slice() {
            [] => String::new(),
            places => format!("to {}; ", places.join(" and ")),
        };
        let hooks = if self.local { "hooks do not run, there neither" } else { "hooks of this repository do not run" };
        format!("{places}nothing is forced; {hooks}")
    }
}

/// Is it a folder of this machine, as git reads addresses?
fn is_local(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    let colon = url.find(':');
    match scheme {
        Some(scheme) => scheme.eq_ignore_ascii_case("file"),
        // `host:path`, unless a slash comes first.
        None => colon.is_none_or(|colon| url[..colon].contains('/')),
    }
}

/// An address without the name and the password in it.
fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn unclear(message: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(local: bool, first: bool, ahead: Option<u64>) -> Outgoing {
        let places = vec!["https://host/x.git".into()];
        Outgoing { branch: "main".into(), remote: "origin".into(), places, local, first, ahead }
    }

    #[test]
    fn a_push_names_its_branch_on_both_sides_and_forces_nothing() {
        let plain = to(false, false, Some(1)).argv().join(" ");
        let expected = "git push --no-recurse-submodules --no-follow-tags --receive-pack=git-receive-pack origin \
                        refs/heads/main:refs/heads/main";
        assert_eq!(plain, expected);
        let first = to(true, true, None).argv();
        assert_eq!((first[4].as_str(), first[5].as_str()), ("--set-upstream", RECEIVES));
        for argv in [to(true, true, None).argv(), to(false, false, None).argv()] {
            assert!(!argv.iter().any(|word| word.starts_with('+') || word == "-f" || word.starts_with("--force")));
        }
    }

    #[test]
    fn a_title_says_how_much_goes_out_where_that_is_known() {
        assert_eq!(to(false, false, Some(2)).title(), "Push main to origin: 2 commits");
        assert_eq!(to(false, true, None).title(), "Push main to origin: a branch that is not known to be there");
        let unknown = Outgoing { places: Vec::new(), ..to(false, false, None) };
        assert_eq!(unknown.title(), "Push main to origin");
    }

    #[test]
    fn folders_are_told_from_servers_and_addresses_are_shown_without_passwords() {
        for url in ["../x.git", "/srv/x.git", "file:///srv/x.git", "x.git", "./a:b", "FILE:///x"] {
            assert!(is_local(url), "{url}");
        }
        for url in ["https://host/x", "git@host:x.git", "host:/srv/x", "ssh://host/x"] {
            assert!(!is_local(url), "{url}");
        }
        assert_eq!(without_secrets("https://ann:secret@host:8/x.git?token=y"), "https://host:8/x.git");
        assert_eq!(without_secrets("git@host:x.git"), "git@host:x.git");
    }
}
