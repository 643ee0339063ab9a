//! The words of git for what is asked, and how that is called in a question.
//!
//! What only looks is written so that policy can prove it: see the table of git's subcommands there.

use super::asked::{GitAct, GitRequest, Operation};

/// Flags of all that shows differences: no program that the repository names takes part.
const SHOWN: [&str; 3] = ["--no-ext-diff", "--no-textconv", "--no-color"];
/// Submodules are looked at from outside: into them goes only a git of their own.
const SUBMODULES: &str = "--ignore-submodules=dirty";
/// A pull: without an editor, in this repository alone, and by git's own program on the other side, whatever the settings
/// say.
const PULL: [&str; 4] = ["pull", "--no-edit", "--no-recurse-submodules", "--upload-pack=git-upload-pack"];
/// Where flags end.
const END: &str = "--";
/// Characters of a message or of names that a title shows.
const TITLE: usize = 70;

/// All words of git for `asked`. A push takes more, see `outgoing`.
pub(super) fn argv(asked: &GitRequest) -> Vec<String> {
    match asked.operation {
        Operation::Status => look(&["status", "--short", "--branch", SUBMODULES, END], &asked.files),
        Operation::Diff => {
            let staged = if asked.staged { vec!["--cached"] } else { Vec::new() };
            let flags = [vec!["diff"], SHOWN.to_vec(), vec![SUBMODULES], staged].concat();
            look(&[flags, asked.target().into_iter().collect(), vec![END]].concat(), &asked.files)
        }
        Operation::Log => {
            let count = format!("--max-count={}", asked.count);
            let format = ["--no-show-signature", &count, "--date=short", "--format=%h %ad %an%d: %s"];
            let flags = [vec!["log"], SHOWN.to_vec(), format.to_vec()].concat();
            look(&[flags, asked.target().into_iter().collect(), vec![END]].concat(), &asked.files)
        }
        Operation::Show => {
            let flags = [vec!["show"], SHOWN.to_vec(), vec!["--no-show-signature"]].concat();
            look(&[flags, vec![asked.target().unwrap_or("HEAD"), END]].concat(), &asked.files)
        }
        Operation::Add => git(&["add", END], &asked.files),
        Operation::Commit => {
            // In one word, so that a message that begins with a dash is none the less one.
            let message = format!("--message={}", asked.message.as_deref().unwrap_or_default());
            git(&["commit", &message], &[])
        }
        Operation::Push => git(&["push"], &[]),
        Operation::Pull => {
            let from = match (&asked.remote, &asked.branch) {
                (remote, Some(branch)) => vec![remote.as_deref().unwrap_or("origin"), branch],
                (Some(remote), None) => vec![remote.as_str()],
                (None, None) => Vec::new(),
            };
            git(&[PULL.to_vec(), from].concat(), &[])
        }
        Operation::Branch => branch(asked),
        Operation::Checkout => checkout(asked),
        Operation::Stash => stash(asked),
    }
}

fn branch(asked: &GitRequest) -> Vec<String> {
    match (&asked.branch, asked.act) {
        (None, _) | (Some(_), Some(GitAct::List)) => look(&["branch", "--list", "--all", "-vv", "--no-color"], &[]),
        (Some(name), Some(GitAct::Delete)) => git(&["branch", "--delete", END, name], &[]),
        (Some(name), _) => {
            git(&[vec!["branch", END, name], asked.commit.as_deref().into_iter().collect()].concat(), &[])
        }
    }
}

fn checkout(asked: &GitRequest) -> Vec<String> {
    let mut words = vec!["checkout", "--no-recurse-submodules"];
    if let (true, Some(name)) = (asked.create, &asked.branch) {
        words.extend(["-b", name]);
        words.extend(asked.commit.as_deref());
    } else {
        words.extend(asked.target());
    }
    words.push(END);
    git(&words, &asked.files)
}

fn stash(asked: &GitRequest) -> Vec<String> {
    let entry: Vec<&str> = asked.commit.as_deref().into_iter().collect();
    match stashed(asked) {
        GitAct::List => look(&["stash", "list"], &[]),
        GitAct::Show => look(&[vec!["stash", "show", "--patch"], SHOWN.to_vec(), entry].concat(), &[]),
        GitAct::Pop => git(&[vec!["stash", "pop"], entry].concat(), &[]),
        GitAct::Apply => git(&[vec!["stash", "apply"], entry].concat(), &[]),
        GitAct::Drop => git(&[vec!["stash", "drop"], entry].concat(), &[]),
        GitAct::Push | GitAct::Create | GitAct::Delete => {
            let message = asked.message.as_ref().map(|message| format!("--message={message}"));
            let words: Vec<&str> = ["stash", "push"].into_iter().chain(message.as_deref()).chain([END]).collect();
            git(&words, &asked.files)
        }
    }
}

/// What is done with the stash.
fn stashed(asked: &GitRequest) -> GitAct {
    asked.act.unwrap_or(GitAct::Push)
}

/// Git that only looks.
fn look(words: &[&str], files: &[String]) -> Vec<String> {
    git(&[&["--no-pager"], words].concat(), files)
}

pub(super) fn git(words: &[&str], files: &[String]) -> Vec<String> {
    let words = ["git"].iter().chain(words).map(|word| (*word).to_owned());
    words.chain(files.iter().cloned()).collect()
}

/// What is done, in words.
pub(super) fn title(asked: &GitRequest) -> String {
    let files = || shortened(&asked.files.join(", "));
    let of_files = |words: &str| if asked.files.is_empty() { words.into() } else { format!("{words}: {}", files()) };
    let branch = asked.branch.as_deref().unwrap_or_default();
    let commit = asked.commit.as_deref();
    match asked.operation {
        Operation::Status => of_files("Git status"),
        Operation::Diff if asked.staged => of_files("Staged changes"),
        Operation::Diff => of_files(&asked.target().map_or("Changes".into(), |since| format!("Changes to {since}"))),
        Operation::Log => of_files(&asked.target().map_or("Git log".into(), |of| format!("Git log of {of}"))),
        Operation::Show => format!("Show {}", asked.target().unwrap_or("HEAD")),
        Operation::Add => format!("Stage {}", files()),
        Operation::Commit => {
            let message = asked.message.as_deref().unwrap_or_default().trim();
            format!("Commit: {}", shortened(message.lines().next().unwrap_or_default()))
        }
        Operation::Push => format!("Push {branch}"),
        Operation::Pull => match (&asked.remote, &asked.branch) {
            (None, None) => "Pull".into(),
            (Some(remote), None) => format!("Pull from {remote}"),
            (remote, Some(branch)) => format!("Pull {branch} from {}", remote.as_deref().unwrap_or("origin")),
        },
        Operation::Branch => match asked.act {
            Some(GitAct::Delete) => format!("Delete branch {branch}"),
            Some(GitAct::List) => "List branches".into(),
            _ if branch.is_empty() => "List branches".into(),
            _ => format!("Create branch {branch}{}", commit.map_or(String::new(), |at| format!(" at {at}"))),
        },
        Operation::Checkout => match asked.target() {
            Some(_) if asked.create => {
                format!(
                    "Create and switch to branch {branch}{}",
                    commit.map_or(String::new(), |at| format!(" at {at}"))
                )
            }
            Some(target) if asked.files.is_empty() => format!("Switch to {target}"),
            Some(target) => format!("Replace with what {target} holds: {}", files()),
            None => format!("Discard changes to {}", files()),
        },
        Operation::Stash => match stashed(asked) {
            GitAct::Push | GitAct::Create | GitAct::Delete => of_files("Put changes on the stash"),
            GitAct::Pop => "Take changes back from the stash".into(),
            GitAct::Apply => "Apply changes of the stash".into(),
            GitAct::List => "List the stash".into(),
            GitAct::Show => "Show the stash".into(),
            GitAct::Drop => format!("Throw away {} for good", commit.unwrap_or("the newest changes on the stash")),
        },
    }
}

/// On one line, and not too long.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(TITLE).collect();
    if short.len() < line.len() { format!("{short} …") } else { line }
}
