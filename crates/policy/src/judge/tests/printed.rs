//! What git prints of the secrets that a repository tracks asks as `cat` of them does.

use super::super::running::lexically;
use super::*;

const SECRETS: &[&str] = &[".env", "config/prod.key"];
const THERE: &[&str] = &["src", "config", "src/a.rs", ".env", "config/prod.key", "."];

/// Does it run without a question where what only reads does, in a repository that tracks `secrets`?
fn is_free(command: &str, cwd: &str, secrets: &[&str]) -> bool {
    let kept = Kept { read_only: true, ..Kept::default() };
    let policy = Policy::new(Setup { kept, trusted: true, ..Setup::new(ROOT.into(), Mode::Safe) });
    let action = run(command, cwd);
    let mut known = facts(&action);
    for query in crate::queries(&action) {
        if let Query::Leads(path) = query {
            let there = |name: &&str| lexically(&path) == lexically(&Path::new(ROOT).join(name));
            let kind = if THERE.iter().any(there) { PathKind::Folder } else { PathKind::Missing };
            known.set_led(path.clone(), Led { real: lexically(&path), kind });
        }
    }
    let secrets = secrets.iter().map(PathBuf::from).collect();
    let git = GitFacts { tree: Some(ROOT.into()), secrets, ..GitFacts::default() };
    for folder in [ROOT, "/home/ann/project/src"] {
        known.set_git(folder.into(), git.clone());
    }
    matches!(policy.judge(action, &known), Verdict::Allow(_))
}

/// These print what is in tracked files.
const PRINTS: &[&str] = &[
    "git diff",
    "git diff HEAD",
    "git diff --cached",
    "git diff main..topic",
    "git diff -U0 --stat",
    "git diff --word-diff",
    "git diff .",
    "git diff config",
    "git diff HEAD -- config",
    "git diff -- '*env'",
    "git diff -- '*.KEY'",
    "git diff -- ':(icase).ENV'",
    "git diff -- ':/'",
    "git diff -- . ':!config'",
    "git diff-index -p HEAD",
    "git diff-files -p",
    "git diff-tree -p HEAD",
    "git grep -e .",
    "git grep -e . -- '*env'",
    "git grep -c TOKEN",
    "git grep TOKEN HEAD",
    "git grep TOKEN config",
    "git log -p",
    "git log -p -1 main",
    "git log --patch -- .",
    "git log -U3",
    "git show",
    "git show HEAD",
    "git show HEAD~2 -- config",
    "git show :/fix",
    "git show --stat 1234abcd",
    "git stash show -p",
    "git stash show",
    "git stash list -p",
    "git reflog -p",
    "git whatchanged -p",
    "git status -v",
    "git cat-file -p 1234abcd",
    "git cat-file blob 1234abcd",
    "git blame .env",
    "git show HEAD:.env",
    "git cat-file -p HEAD:config/prod.key",
];

/// These print none of it.
const TELLS: &[&str] = &[
    "git status",
    "git diff --stat",
    "git diff --name-only HEAD",
    "git diff src",
    "git diff HEAD -- src",
    "git diff -- src/a.rs",
    "git diff -- . ':!.env' ':!config'",
    "git diff . ':!*env' ':(exclude)config/*.key'",
    "git diff-index HEAD",
    "git log",
    "git log --oneline -5",
    "git log --stat",
    "git log -p -- src",
    "git log -L 1,5:src/a.rs",
    "git show --stat HEAD",
    "git show HEAD:src/a.rs",
    "git show HEAD -- src",
    "git grep TOKEN src",
    "git grep TOKEN -- '*.rs'",
    "git stash list",
    "git stash show --stat",
    "git blame src/a.rs",
    "git cat-file -p HEAD",
    "git cat-file -t 1234abcd",
    "git ls-files",
];

#[test]
fn git_asks_where_it_would_print_a_tracked_secret() {
    let free: Vec<&&str> = PRINTS.iter().filter(|command| is_free(command, ROOT, SECRETS)).collect();
    assert!(free.is_empty(), "{free:?}");
    let asked: Vec<&&str> = TELLS.iter().filter(|command| !is_free(command, ROOT, SECRETS)).collect();
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn git_asks_nothing_new_where_no_secret_is_tracked() {
    let by_name = ["git blame .env", "git show HEAD:.env", "git cat-file -p HEAD:config/prod.key"];
    let asked = PRINTS.iter().chain(TELLS).filter(|command| !is_free(command, ROOT, &[]) && !by_name.contains(command));
    let known_before =
        ["git diff -- ':(icase).ENV'", "git diff -- '*.KEY'", "git diff -- '*env'", "git grep -e . -- '*env'"];
    let asked: Vec<&&str> = asked.filter(|command| !known_before.contains(command)).collect();
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn paths_are_taken_from_the_folder_in_which_git_runs() {
    let sub = "/home/ann/project/src";
    assert!(is_free("git grep TOKEN", sub, SECRETS) && is_free("git diff .", sub, SECRETS));
    assert!(is_free("git diff -- '*.rs'", sub, SECRETS));
    for command in ["git diff", "git diff ..", "git diff -- ../config", "git grep x -- ':/config'", "git grep x .."] {
        assert!(!is_free(command, sub, SECRETS), "{command}");
    }
}
