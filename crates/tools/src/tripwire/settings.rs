//! Reads git's settings just far enough to leave out what git writes there by itself, and to find what makes it start
//! programs.

use crate::facts::git::{Setting, is_kept, names_program, settings_in, unquoted};
use std::collections::BTreeMap;

/// What of a file of settings matters to the wire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Matter {
    /// What git does not write by itself, one line each.
    lines: String,
    /// Where submodules are got from, by their name: git writes that where one comes in. Only another place for one
    /// that was known is something else.
    modules: BTreeMap<String, String>,
}

impl Matter {
    /// Nothing in it matters, so that it might as well not be there.
    pub(super) fn is_nothing(&self) -> bool {
        self.lines.is_empty()
    }

    /// Did it become something else than what it was `before`?
    pub(super) fn differs(&self, before: &Matter) -> bool {
        let moved = |(name, place): (&String, &String)| self.modules.get(name).is_some_and(|now| now != place);
        self.lines != before.lines || before.modules.iter().any(moved)
    }
}

/// What matters in `text`, the settings of a repository; `None` where it is not written as git writes it, so that all of
/// it matters. `is_own_tree` tells whether the files of a submodule lie where they should, which git writes there and
/// takes away with them.
pub(super) fn that_matter(text: &[u8], is_own_tree: impl Fn(&str) -> bool) -> Option<Matter> {
    let mut matter = Matter::default();
    for (key, value) in settings_in(text)? {
        match part_of_module(&key) {
            Some((name, "url")) if is_plain_place(&value) => drop(matter.modules.insert(name.to_owned(), value)),
            Some((_, "update")) if is_plain_update(&value) => {}
            _ if is_kept(&key) && !is_place(&key, &value) => {}
            _ if key == "core.worktree" && is_own_tree(&value) => {}
            _ => matter.lines.push_str(&format!("{key}={value}\n")),
        }
    }
    Some(matter)
}

/// The same of a file `.gitmodules`, which says where submodules come from and lie.
pub(super) fn of_modules(text: &[u8]) -> Option<Matter> {
    let mut matter = Matter::default();
    for (key, value) in settings_in(text)? {
        match part_of_module(&key) {
            Some((name, _)) if !is_below(name) => matter.lines.push_str(&format!("{key}={value}\n")),
            Some((name, "url")) if is_plain_place(&value) => drop(matter.modules.insert(name.to_owned(), value)),
            Some((_, "path")) if is_below(&value) => {}
            Some((_, "update")) if is_plain_update(&value) => {}
            Some((_, "branch" | "shallow" | "ignore" | "fetchrecursesubmodules")) => {}
            _ => matter.lines.push_str(&format!("{key}={value}\n")),
        }
    }
    Some(matter)
}

/// The settings in `text` by which git would start a program, or take other settings for its own, by name; `None` where
/// that cannot be said.
pub(super) fn that_start(text: &[u8]) -> Option<Vec<String>> {
    let starts = |(key, value): Setting| {
        let place = key.starts_with("remote.") && (key.ends_with(".url") || key.ends_with(".pushurl"));
        let any = ["protocol.allow", "protocol.ext.allow"].contains(&key.as_str()) && value != "never";
        let update = part_of_module(&key).is_some_and(|(_, name)| name == "update") && !is_plain_update(&value);
        let is_one = names_program(&key) && !is_idle(&value) || is_include(&key) || any || update;
        (is_one || place && value.starts_with("ext::")).then_some(key)
    };
    let mut names: Vec<String> = settings_in(text)?.into_iter().filter_map(starts).collect();
    names.dedup();
    Some(names)
}

/// Where the settings in `text` lead: to other settings, and to a folder of hooks.
pub(super) fn ways(text: &[u8]) -> (Vec<String>, Option<String>) {
    let (mut included, mut hooks) = (Vec::new(), None);
    for (key, value) in settings_in(text).unwrap_or_default() {
        match key.as_str() {
            "core.hookspath" => hooks = Some(unquoted(value)),
            _ if is_include(&key) => included.push(unquoted(value)),
            _ => {}
        }
    }
    (included, hooks)
}

fn is_include(key: &str) -> bool {
    key == "include.path" || key.starts_with("includeif.") && key.ends_with(".path")
}

/// Name and part of a setting of one submodule.
fn part_of_module(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("submodule.")?.rsplit_once('.')
}

/// Git does that by itself; anything else may be a program.
fn is_plain_update(value: &str) -> bool {
    ["none", "checkout", "rebase", "merge"].contains(&value)
}

/// An address or a path, and no name of a program that gets it, nor a flag.
fn is_plain_place(value: &str) -> bool {
    let helper = value.split('/').next().is_some_and(|start| start.contains("::"));
    // `%0a` has fooled who keeps passwords.
    !helper && !value.starts_with('-') && !value.contains(['"', '\\']) && !value.contains("%0")
}

/// A path that stays below the folder it is taken from, and out of every repository.
fn is_below(path: &str) -> bool {
    let leads_off = |part: &str| part == ".." || part.eq_ignore_ascii_case(".git");
    !path.is_empty() && !path.starts_with(['/', '-', '"']) && !path.contains('\\') && !path.split('/').any(leads_off)
}

/// Does nothing at all, though it stands where a program might.
fn is_idle(value: &str) -> bool {
    ["", "true", "false", ":", "cat", "/bin/true", "/bin/false", "/dev/null"].contains(&value)
}

/// Does a branch name a place instead of a remote? `.` is the repository itself.
fn is_place(key: &str, value: &str) -> bool {
    let by_name = key.starts_with("branch.") && key.ends_with(".remote");
    by_name
        && (value.contains([':', '\\', '"'])
            || value.starts_with(['/', '~'])
            || value.starts_with("./")
            || value.starts_with(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let text = "[core]\n\tbare = false\n\tfsmonitor = /bin/x\n[branch \"Main\"]\n\tremote = o\n; a word\n\
            [remote \"o\"]\n\turl = https://example.org\n\tfetch = +refs/heads/*:refs/remotes/o/*\n\
            [branch \"b\"]\n\tremote = https://example.org\n[branch \"c\"]\n\tremote = .\n[FILTER \"x\"] \n\tClean = y\n\
            [submodule \"lib/a\"]\n\tactive = true\n\turl = ../a\n\tupdate = rebase\n[submodule \"b\"]\n\turl = ext::sh\n";
        let matter = that_matter(text.as_bytes(), |_| false).unwrap();
        assert_eq!(
            matter.lines,
            "core.fsmonitor=/bin/x\nremote.o.url=https://example.org\nbranch.b.remote=https://example.org\n\
             filter.x.clean=y\nsubmodule.b.url=ext::sh\n"
        );
        let tree = "[core]\n\tworktree = ../../../a";
        let of_tree = |is_own: bool| that_matter(tree.as_bytes(), |_| is_own).unwrap();
        assert!(of_tree(true).is_nothing() && !of_tree(false).is_nothing());
        assert_eq!(matter.modules, BTreeMap::from([("lib/a".to_owned(), "../a".to_owned())]));
    }

    #[test]
    fn what_git_would_not_write_matters_whole() {
        for text in
            ["[core] bare = x", "[core]\nbare = a\\\nb", "bare = x", "[a \"b\\\"c\"]\nx = y", "[core", "\u{fffd}[x"]
        {
            assert_eq!(that_matter(text.as_bytes(), |_| true), None, "{text}");
            assert_eq!(that_start(text.as_bytes()), None, "{text}");
        }
        assert_eq!(that_matter(b"\xff", |_| true), None);
    }

    #[test]
    fn of_the_list_of_submodules_what_only_adds_one_is_nothing() {
        let one = |more: &str| of_modules(format!("[submodule \"a\"]\n\tpath = libs/a\n{more}").as_bytes()).unwrap();
        assert!(one("url = ../a\nbranch = main\nshallow = true\nupdate = merge").is_nothing());
        for more in ["update = !sh", "url = ext::sh -c x", "url = -u./x", "path = ../x", "path = a/.GIT/x", "x = y"] {
            assert!(!one(more).is_nothing(), "{more}");
        }
        assert!(!of_modules(b"[submodule \"../../x\"]\npath = a\n").unwrap().is_nothing());
        let (before, moved) = (one("url = ../a"), one("url = https://evil.example/a"));
        assert!(moved.differs(&before) && !moved.differs(&one("")) && !one("").differs(&moved));
    }

    #[test]
    fn what_starts_a_program_in_a_new_repository_is_named() {
        for (text, names) in [
            ("[core]\nfsmonitor = ./x", &["core.fsmonitor"][..]),
            ("[core]\nfsmonitor = true\npager = cat\nhooksPath = /dev/null", &[]),
            ("[include]\npath = ../x", &["include.path"]),
            ("[includeIf \"gitdir:/\"]\npath = x", &["includeif.gitdir:/.path"]),
            ("[submodule \"a\"]\nupdate = !x\nurl = y", &["submodule.a.update"]),
            ("[protocol \"ext\"]\nallow = always", &["protocol.ext.allow"]),
            ("[protocol \"file\"]\nallow = always", &[]),
            ("[remote \"o\"]\nurl = ext::sh -c x", &["remote.o.url"]),
            ("[remote \"o\"]\nurl = https://a.example\nfetch = x\n[user]\nname = me", &[]),
            ("[core]\nworktree = ../../../a\nbare = false", &[]),
        ] {
            assert_eq!(that_start(text.as_bytes()).unwrap(), names, "{text}");
        }
    }
}
