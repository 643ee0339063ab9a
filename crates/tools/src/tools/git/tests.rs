//! The words of git for every operation, and what is not asked of it.

use super::asked::GitRequest;
use super::{commands, operation, replies};
use crate::program::Said;
use serde_json::{Value, json};

fn read(arguments: &Value) -> Result<GitRequest, String> {
    operation::FORM
        .read(arguments)
        .and_then(|arguments| GitRequest::read(&arguments))
        .map_err(|failure| failure.message)
}

/// Arguments, the words of git, and the title.
const ROWS: &[(&str, &str, &str)] = &[
    (r#"{"operation": "status"}"#, "git --no-pager status --short --branch --ignore-submodules=dirty --", "Git status"),
    (
        r#"{"operation": "diff", "files": "a.rs"}"#,
        "git --no-pager diff --no-ext-diff --no-textconv --no-color --ignore-submodules=dirty -- a.rs",
        "Changes: a.rs",
    ),
    (
        r#"{"operation": "diff", "staged": true}"#,
        "git --no-pager diff --no-ext-diff --no-textconv --no-color --ignore-submodules=dirty --cached --",
        "Staged changes",
    ),
    (
        r#"{"operation": "diff", "ref": "main..dev"}"#,
        "git --no-pager diff --no-ext-diff --no-textconv --no-color --ignore-submodules=dirty main..dev --",
        "Changes to main..dev",
    ),
    (
        r#"{"operation": "log", "limit": "5", "branch": "dev", "files": ["a.rs"]}"#,
        "git --no-pager log --no-ext-diff --no-textconv --no-color --no-show-signature --max-count=5 --date=short \
             --format=%h %ad %an%d: %s dev -- a.rs",
        "Git log of dev: a.rs",
    ),
    (
        r#"{"operation": "show"}"#,
        "git --no-pager show --no-ext-diff --no-textconv --no-color --no-show-signature HEAD --",
        "Show HEAD",
    ),
    (
        r#"{"operation": "show", "commit": "v1"}"#,
        "git --no-pager show --no-ext-diff --no-textconv --no-color --no-show-signature v1 --",
        "Show v1",
    ),
    (r#"{"operation": "branch"}"#, "git --no-pager branch --list --all -vv --no-color", "List branches"),
    (r#"{"operation": "branch", "branch": "x"}"#, "git branch -- x", "Create branch x"),
    (
        r#"{"operation": "branch", "branch": "x", "commit": "HEAD~1"}"#,
        "git branch -- x HEAD~1",
        "Create branch x at HEAD~1",
    ),
    (r#"{"operation": "branch", "branch": "x", "action": "delete"}"#, "git branch --delete -- x", "Delete branch x"),
    (r#"{"operation": "add", "files": "*.rs"}"#, "git add -- *.rs", "Stage *.rs"),
    (r#"{"operation": "add", "all": true}"#, "git add -- .", "Stage ."),
    (r#"{"operation": "commit", "message": "- one\n\ntwo"}"#, "git commit --message=- one\n\ntwo", "Commit: - one"),
    (r#"{"operation": "pull"}"#, "git pull --no-edit --no-recurse-submodules --upload-pack=git-upload-pack", "Pull"),
    (
        r#"{"operation": "pull", "branch": "dev"}"#,
        "git pull --no-edit --no-recurse-submodules --upload-pack=git-upload-pack origin dev",
        "Pull dev from origin",
    ),
    (
        r#"{"operation": "pull", "remote": "up"}"#,
        "git pull --no-edit --no-recurse-submodules --upload-pack=git-upload-pack up",
        "Pull from up",
    ),
    (r#"{"operation": "checkout", "branch": "dev"}"#, "git checkout --no-recurse-submodules dev --", "Switch to dev"),
    (
        r#"{"operation": "checkout", "branch": "dev", "create": true}"#,
        "git checkout --no-recurse-submodules -b dev --",
        "Create and switch to branch dev",
    ),
    (
        r#"{"operation": "checkout", "files": ["a.rs", "b.rs"]}"#,
        "git checkout --no-recurse-submodules -- a.rs b.rs",
        "Discard changes to a.rs, b.rs",
    ),
    (
        r#"{"operation": "checkout", "files": ["a.rs"], "commit": "HEAD~1"}"#,
        "git checkout --no-recurse-submodules HEAD~1 -- a.rs",
        "Replace with what HEAD~1 holds: a.rs",
    ),
    (r#"{"operation": "stash"}"#, "git stash push --", "Put changes on the stash"),
    (
        r#"{"operation": "stash", "action": "save", "message": "-x", "files": "a.rs"}"#,
        "git stash push --message=-x -- a.rs",
        "Put changes on the stash: a.rs",
    ),
    (
        r#"{"operation": "stash", "action": "pop", "stash": "stash@{1}"}"#,
        "git stash pop stash@{1}",
        "Take changes back from the stash",
    ),
    (r#"{"operation": "stash", "action": "apply"}"#, "git stash apply", "Apply changes of the stash"),
    (r#"{"operation": "stash", "action": "list"}"#, "git --no-pager stash list", "List the stash"),
    (
        r#"{"operation": "stash", "action": "show"}"#,
        "git --no-pager stash show --patch --no-ext-diff --no-textconv --no-color",
        "Show the stash",
    ),
    (
        r#"{"operation": "stash", "action": "drop"}"#,
        "git stash drop",
        "Throw away the newest changes on the stash for good",
    ),
];

#[test]
fn every_operation_has_its_words_and_its_title() {
    for (given, words, title) in ROWS {
        let asked = serde_json::from_str(given).map(|given| read(&given)).unwrap();
        let asked = asked.unwrap_or_else(|failure| panic!("{given}: {failure}"));
        assert_eq!(
            (commands::argv(&asked).join(" ").as_str(), commands::title(&asked).as_str()),
            (*words, *title),
            "{given}"
        );
    }
}

#[test]
fn other_agents_words_mean_the_same() {
    let plain = |given: Value| read(&given).unwrap();
    let commit = plain(json!({"operation": "commit", "message": "x"}));
    for other in [
        json!({"op": "Commit", "msg": "x"}),
        json!({"command": "git commit", "commit_message": "x"}),
        json!({"action": "commit", "message": "x"}),
    ] {
        assert_eq!(plain(other.clone()), commit, "{other}");
    }
    let add = plain(json!({"operation": "add", "files": ["a", "b"]}));
    for other in [json!({"operation": "stage", "paths": ["a", "b"]}), json!({"operation": "add", "file": ["a", "b"]})] {
        assert_eq!(plain(other.clone()), add, "{other}");
    }
}

#[test]
fn what_is_missing_or_not_possible_is_said_with_what_to_do() {
    for (given, expected) in [
        (json!({}), "needs `operation`"),
        (json!({"operation": "rebase"}), "one of status, add, commit"),
        (json!({"operation": "add"}), "`.` for all"),
        (json!({"operation": "commit"}), "what the commit is about"),
        (json!({"operation": "commit", "message": " \n"}), "what the commit is about"),
        (json!({"operation": "commit", "message": "x", "files": "a"}), "stage them with operation add"),
        (json!({"operation": "commit", "message": "x", "all": true}), "stage them with operation add"),
        (json!({"operation": "commit", "message": "x", "amend": true}), "plain new commit"),
        (json!({"operation": "push", "force": true}), "forces nothing"),
        (json!({"operation": "push", "branch": "+main"}), "no name of a branch"),
        (json!({"operation": "push", "branch": ":main"}), "no name of a branch"),
        (json!({"operation": "push", "remote": "--receive-pack=x"}), "no name of a branch or remote"),
        (json!({"operation": "push", "remote": "https://host/x"}), "no name of a branch or remote"),
        (json!({"operation": "pull", "remote": "ext::sh"}), "no name of a branch or remote"),
        (json!({"operation": "checkout"}), "`files` whose changes are to be discarded"),
        (json!({"operation": "checkout", "branch": "-f"}), "no name of a branch"),
        (json!({"operation": "checkout", "branch": "x", "create": true, "files": "a"}), "give only its name"),
        (json!({"operation": "add", "files": "--chmod=+x"}), "begins like a flag"),
        (json!({"operation": "add", "files": ["a", "-f"]}), "begins like a flag"),
        (json!({"operation": "show", "commit": "--output=x"}), "flags are not taken"),
        (json!({"operation": "log", "ref": "-O/x"}), "flags are not taken"),
        (json!({"operation": "stash", "action": "clear"}), "push, pop, apply, list, show, drop"),
        (json!({"operation": "branch", "action": "delete"}), "name it as `branch`"),
        (json!({"operation": "log", "flags": "--all"}), "none of git's own flags"),
    ] {
        let failure = read(&given).map(|asked| format!("{asked:?}")).unwrap_err();
        assert!(failure.contains(expected), "{given}: {failure}");
    }
}

#[test]
fn where_git_says_nothing_it_is_said_what_that_means() {
    let told = |given: Value, code, text: &str| {
        let reading = replies::reading(&read(&given).unwrap())?;
        reading(&Said { code: Some(code), text, raw: text, cut: false, room: 4_000 })
            .map(|told| (told.told, told.summary))
    };
    let pair = |told: &str, summary: &str| Some((told.to_owned(), summary.to_owned()));
    let status = || json!({"operation": "status"});
    let clean = "## main\nclean: nothing is changed, staged or new";
    assert_eq!(told(status(), 0, "## main\n"), pair(clean, "clean"));
    assert_eq!(told(status(), 0, "## main\n M a\n"), None);
    assert_eq!(told(status(), 128, ""), None);
    let staged = json!({"operation": "diff", "staged": true});
    assert_eq!(told(staged.clone(), 0, ""), pair("nothing is staged", "nothing is staged"));
    assert_eq!((told(staged.clone(), 0, "diff"), told(staged, 1, "")), (None, None));
    assert_eq!(told(json!({"operation": "show"}), 0, ""), None);
}
