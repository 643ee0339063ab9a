//! Which files a walk shows, and which it leaves out.

use super::*;
use crate::workspace::one_line;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in [
        ("b.rs", ""),
        ("a/z.rs", ""),
        ("a/.gitignore", "made/\n*.log\n"),
        ("a/made/x.rs", ""),
        ("a/x.log", ""),
        (".hidden/h.rs", ""),
        (".git/config", ""),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    symlink("..", folder.path().join("a/up")).unwrap();
    folder
}

fn names(project: &TempDir, base: &str, hidden: Hidden, depth: Depth) -> Vec<String> {
    let found = walk(Area { root: project.path(), base: &project.path().join(base) }, hidden, depth, &Stop::default());
    found.iter().map(|entry| one_line(entry.path.strip_prefix(project.path()).unwrap())).collect()
}

#[test]
fn ignored_and_hidden_files_are_left_out_and_links_not_followed() {
    let project = project();
    assert_eq!(names(&project, "", Hidden::Left, Depth::All), ["a", "a/up", "a/z.rs", "b.rs"]);
    assert_eq!(names(&project, "", Hidden::Left, Depth::One), ["a", "b.rs"]);
}

#[test]
fn the_order_is_that_of_paths() {
    let mut paths =
        ["a.b", "a/b", "a", "a/b.c", "a/b/c", "a-b", "A", "", "a/", "\u{e9}/x", "a!"].map(PathBuf::from).to_vec();
    let mut expected = paths.clone();
    paths.sort_by(|one, other| by_name(one, other));
    expected.sort();
    assert_eq!(
        paths.iter().map(|path| path.components().as_path()).collect::<Vec<_>>(),
        expected.iter().map(|path| path.components().as_path()).collect::<Vec<_>>()
    );
}

#[test]
fn hidden_files_come_when_asked_for_but_never_git_itself() {
    let project = project();
    let found = names(&project, "", Hidden::Shown, Depth::All);
    assert_eq!(found, [".hidden", ".hidden/h.rs", "a", "a/.gitignore", "a/up", "a/z.rs", "b.rs"]);
}

#[test]
fn git_s_own_view_holds_links_and_hidden_files_and_ends_at_the_bound() {
    let project = project();
    std::fs::write(project.path().join(".ignore"), "*.rs").unwrap();
    let found = |most| {
        let found = look_at_each(project.path(), most, |path, _| Some(path.to_owned()))?;
        let name = |path: &PathBuf| one_line(path.strip_prefix(project.path()).unwrap());
        let mut names: Vec<String> = found.iter().map(name).collect();
        names.sort();
        Some(names)
    };
    let expected = [".hidden/h.rs", ".ignore", "a/.gitignore", "a/up", "a/z.rs", "b.rs"].map(String::from);
    assert_eq!(found(6), Some(expected.to_vec()));
    assert_eq!(found(5), None);
}

#[test]
fn a_folder_that_is_named_is_looked_into_even_if_hidden_or_ignored() {
    let project = project();
    assert_eq!(names(&project, ".hidden", Hidden::Left, Depth::All), [".hidden/h.rs"]);
    assert_eq!(names(&project, "a/made", Hidden::Left, Depth::All), ["a/made/x.rs"]);
}

/// A project of these files, `.git` as git makes it where it is a repository; those that are `forced` are tracked.
fn made(files: &[(&str, &str)], repository: &str, forced: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let tree = folder.path().join(repository);
    std::fs::create_dir_all(&tree).unwrap();
    let git = |words: &[&str]| {
        let mut git = std::process::Command::new("git");
        let done = git.args(words).current_dir(&tree).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(done.status.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    forced.iter().for_each(|name| git(&["add", "-f", name]));
    folder
}

fn below(project: &TempDir, root: &str, base: &str, depth: Depth) -> Vec<String> {
    let (root, base) = (project.path().join(root), project.path().join(base));
    let found = walk(Area { root: &root, base: &base }, Hidden::Left, depth, &Stop::default());
    found.iter().map(|entry| one_line(entry.path.strip_prefix(project.path()).unwrap())).collect()
}

#[test]
fn what_git_tracks_is_seen_whatever_patterns_say_and_nothing_else_of_its_folder() {
    let files = [
        (".gitignore", "lib/\n*.log\n"),
        ("a.py", ""),
        ("lib/core.py", ""),
        ("lib/made.py", ""),
        ("lib/.hidden", ""),
        ("lib/gone.py", ""),
        ("src/kept.log", ""),
        ("src/other.log", ""),
        ("src/b.py", ""),
    ];
    let forced = ["lib/core.py", "lib/.hidden", "lib/gone.py", "src/kept.log", "a.py"];
    let project = made(&files, "", &forced);
    std::fs::remove_file(project.path().join("lib/gone.py")).unwrap();
    assert_eq!(below(&project, "", "", Depth::All), ["a.py", "lib", "lib/core.py", "src", "src/b.py", "src/kept.log"]);
    assert_eq!(below(&project, "", "", Depth::One), ["a.py", "lib", "src"]);
    assert_eq!(below(&project, "", "src", Depth::All), ["src/b.py", "src/kept.log"]);
    let undone = look_at_each(project.path(), 99, |path, _| Some(path.to_owned())).unwrap();
    assert!(undone.contains(&project.path().join("lib/core.py")) && undone.len() == 6, "{undone:?}");
    let visible = |name: &str| is_visible(project.path(), &project.path().join(name), Hidden::Shown);
    assert_eq!(["lib/core.py", "lib/.hidden", "lib", "lib/made.py"].map(visible), [true, true, true, false]);
    // A folder on the way that became a link leads out of what git tracks.
    std::fs::rename(project.path().join("lib"), project.path().join("src/far")).unwrap();
    symlink("src/far", project.path().join("lib")).unwrap();
    assert!(!below(&project, "", "", Depth::All).contains(&"lib/core.py".to_owned()));
}

#[test]
fn a_second_tree_and_repositories_below_have_an_index_of_their_own() {
    let project = made(&[(".gitignore", "*.log\n"), ("a.log", "")], "", &["a.log", ".gitignore"]);
    let git = |folder: &str, words: &[&str]| {
        let mut git = std::process::Command::new("git");
        let names = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
        git.args(names).args(words).current_dir(project.path().join(folder)).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(git.output().unwrap().status.success(), "{words:?}");
    };
    git("", &["commit", "-qm", "a"]);
    let source = project.path().to_str().unwrap().to_owned();
    git("", &["worktree", "add", "-q", "tree"]);
    git("", &["clone", "-q", &source, "work/clone"]);
    git("", &["submodule", "--quiet", "add", "-f", &source, "sub.log"]);
    let found = below(&project, "", "", Depth::All);
    assert_eq!(
        found,
        ["a.log", "sub.log", "sub.log/a.log", "tree", "tree/a.log", "work", "work/clone", "work/clone/a.log"]
    );
    assert_eq!(below(&project, "work", "work", Depth::All), ["work/clone", "work/clone/a.log"]);
    assert_eq!(below(&project, "tree", "tree", Depth::All), ["tree/a.log"]);
}

#[test]
fn ignore_files_above_the_repository_or_the_project_do_not_count() {
    let files = [
        (".gitignore", "*\n"),
        (".ignore", "*\n"),
        ("in/.gitignore", "*.log\n"),
        ("in/a.log", ""),
        ("in/src/a.rs", ""),
        ("in/src/.ignore", "b.rs"),
        ("in/src/b.rs", ""),
    ];
    // A repository; no repository at all; one around that leaves the project out.
    for repository in ["in", "elsewhere", ""] {
        let project = made(&files, repository, &[]);
        assert_eq!(below(&project, "in", "in", Depth::All), ["in/src", "in/src/a.rs"], "{repository:?}");
        assert_eq!(below(&project, "in", "in/src", Depth::All), ["in/src/a.rs"], "{repository:?}");
        let visible = |name: &str| is_visible(&project.path().join("in"), &project.path().join(name), Hidden::Left);
        assert_eq!(["in/src/a.rs", "in/a.log", "in/.gitignore"].map(visible), [true, false, false], "{repository:?}");
    }
    // Those between the repository and the project do.
    let project = made(&[(".gitignore", "*.log\n"), ("in/a.log", ""), ("in/b.rs", "")], "", &[]);
    assert_eq!(below(&project, "in", "in", Depth::All), ["in/b.rs"]);
}

#[test]
fn what_is_named_is_gone_through_though_it_is_ignored() {
    let files = [
        (".gitignore", "node_modules\n/logs/*\n"),
        ("node_modules/dep/index.js", ""),
        ("node_modules/dep/.gitignore", "*.js\n"),
        ("logs/today.log", ""),
        (".venv/.gitignore", "*\n"),
        (".venv/lib/site.py", ""),
        ("src/a.rs", ""),
        ("src/made/.gitignore", "*.o\n"),
        ("src/made/a.o", ""),
        ("src/made/a.c", ""),
    ];
    let project = made(&files, "", &[]);
    for (base, expected) in [
        ("node_modules", &["node_modules/dep", "node_modules/dep/index.js"][..]),
        ("node_modules/dep", &["node_modules/dep/index.js"]),
        ("logs", &["logs/today.log"]),
        (".venv", &[".venv/lib", ".venv/lib/site.py"]),
        (".venv/lib", &[".venv/lib/site.py"]),
        ("src/made", &["src/made/a.c"]),
        ("", &["logs", "src", "src/a.rs", "src/made", "src/made/a.c"]),
    ] {
        assert_eq!(below(&project, "", base, Depth::All), expected, "{base:?}");
    }
}
