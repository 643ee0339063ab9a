//! What an unknown folder holds that would be told to the model, or that programs started in it obey.
//!
//! Looks at the top of the folder and at what git would obey there; opens nothing but `package.json`. Does not decide
//! what may be used.

use crate::Ground;
use crate::facts::git::{audit, names_program, near_repository};
use crate::open::plain_file;
use agent_protocol::Finding;
use std::path::Path;

/// Findings that are told.
const TOLD: usize = 12;
/// The longest `package.json` that is read.
const LONGEST: u64 = 1 << 20;

/// Names at the top of a folder, and what becomes of what is there. What weighs most comes first.
const NAMES: &[(&str, &str)] = &[
    ("AGENTS.md", "is told to the model"),
    ("CLAUDE.md", "is told to the model where there is no AGENTS.md"),
    (".agent/config.toml", "is the project's config for this program; it can only tighten"),
    (".agent/memory.md", "is told to the model"),
    (".agent/tools", "holds tools that the model may call, after a question"),
    (".agent/skills", "holds words that are told to the model when it asks for them"),
    (".agent/agents", "holds words that are told to agents that the model gives tasks to"),
    (".agent/policy.toml", "holds the project's rules for this program; they can only tighten"),
    (".mcp.json", "names programs that coding agents start"),
    (".envrc", "sets variables for programs that are started here"),
    (".cargo/config.toml", "can name programs that cargo runs"),
    (".cargo/config", "can name programs that cargo runs"),
    ("rust-toolchain.toml", "chooses the programs that cargo runs"),
    ("rust-toolchain", "chooses the programs that cargo runs"),
    (".npmrc", "decides what npm fetches and runs"),
    (".yarnrc", "decides what yarn fetches and runs"),
    (".yarnrc.yml", "decides what yarn fetches and runs"),
    (".pnpmfile.cjs", "is run by pnpm when it installs"),
    (".pre-commit-config.yaml", "names programs that run at each commit"),
    (".husky", "holds programs that run at each commit"),
    (".vscode/tasks.json", "names programs that an editor runs"),
    (".vscode/settings.json", "can name programs that an editor runs"),
    (".devcontainer", "names programs that an editor runs"),
    (".mise.toml", "chooses programs and sets variables"),
    ("mise.toml", "chooses programs and sets variables"),
    (".tool-versions", "chooses programs"),
    ("sitecustomize.py", "runs whenever python starts here"),
    ("usercustomize.py", "runs whenever python starts here"),
];
/// What becomes of words that lie elsewhere.
const OUT: &str = "leads out of the project, so it is not told to the model";
/// Scripts of a `package.json` that run without being asked for by name.
const UNASKED: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// What is in the project folder of `ground`; empty where there is nothing to know. Bounded; blocking.
pub fn findings(ground: &Ground) -> Vec<Finding> {
    let there = |name: &str| ground.root.join(name).symlink_metadata().is_ok();
    let (words, others) = NAMES.split_at(8);
    // What is told is told of the project alone.
    let leads_out =
        |name: &str| ground.root.join(name).canonicalize().is_ok_and(|real| !real.starts_with(&ground.root));
    let told = |names: &[(&str, &str)]| -> Vec<Finding> {
        let there = names.iter().filter(|(name, _)| there(name));
        there
            .map(|(name, what)| finding(*name, if what.contains("told") && leads_out(name) { OUT } else { what }))
            .collect()
    };
    let mut found = told(words);
    found.extend(obeyed_by_git(ground));
    found.extend(told(others));
    found.extend(scripts(&ground.root));
    limit(&mut found);
    found
}

fn finding(name: impl Into<String>, what: impl Into<String>) -> Finding {
    Finding { name: name.into(), what: what.into() }
}

fn obeyed_by_git(ground: &Ground) -> Vec<Finding> {
    // Asking git takes longer than all else at a start, and far from any repository it has nothing to say.
    if !near_repository(&ground.root) {
        return Vec::new();
    }
    let is_repository = ground.root.join(".git").symlink_metadata().is_ok();
    match audit(ground, &ground.root) {
        Some(facts) => facts.findings.iter().map(|found| in_words(found)).collect(),
        None if is_repository => vec![finding(".git", "what git obeys here could not be looked at")],
        None => Vec::new(),
    }
}

/// A finding in words, as a person would name it.
fn in_words(found: &str) -> Finding {
    if let Some(hook) = found.strip_prefix("hook ") {
        return finding(format!(".git/hooks/{hook}"), "is run by git");
    }
    let key = !found.contains(' ') && found.contains('.');
    match key {
        true if names_program(found) => finding(format!("git config {found}"), "can name a program that git runs"),
        true => finding(format!("git config {found}"), "is obeyed by git, and not known to be harmless"),
        false => finding(".git", found),
    }
}

/// The scripts of the package that run when it is installed.
fn scripts(root: &Path) -> Option<Finding> {
    let text = plain_file(&root.join("package.json"), LONGEST)?;
    let package: serde_json::Value = serde_json::from_slice(&text).ok()?;
    let scripts = package.get("scripts")?.as_object()?;
    let unasked: Vec<&str> = UNASKED.iter().copied().filter(|name| scripts.contains_key(*name)).collect();
    let what = format!("runs scripts when it is installed: {}", unasked.join(", "));
    (!unasked.is_empty()).then(|| finding("package.json", what))
}

fn limit(found: &mut Vec<Finding>) {
    let more = found.len().saturating_sub(TOLD);
    if more > 0 {
        found.truncate(TOLD);
        found.push(finding(format!("{more} more"), "of the same kinds"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::process::Command;
    use tempfile::TempDir;

    struct Project {
        _folder: TempDir,
        root: PathBuf,
    }

    impl Project {
        /// With these files, each with its text.
        fn with(files: &[(&str, &str)]) -> Self {
            let folder = TempDir::new().unwrap();
            let root = folder.path().canonicalize().unwrap();
            for (name, text) in files {
                std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
                std::fs::write(root.join(name), text).unwrap();
            }
            Project { _folder: folder, root }
        }

        fn found(&self) -> Vec<(String, String)> {
            let ground = Ground::of_this_process(self.root.clone()).unwrap();
            findings(&ground).into_iter().map(|Finding { name, what }| (name, what)).collect()
        }

        fn names(&self) -> Vec<String> {
            self.found().into_iter().map(|(name, _)| name).collect()
        }
    }

    #[test]
    fn an_ordinary_folder_holds_nothing_to_know() {
        let files = [("src/main.rs", ""), ("README.md", ""), ("package.json", r#"{"scripts": {"test": "x"}}"#)];
        assert_eq!(Project::with(&files).names(), Vec::<String>::new());
    }

    #[test]
    fn what_is_told_and_what_is_obeyed_is_found_in_that_order() {
        let scripts = r#"{"scripts": {"postinstall": "x", "prepare": "y", "test": "z"}}"#;
        let project = Project::with(&[
            ("package.json", scripts),
            (".envrc", ""),
            (".vscode/tasks.json", ""),
            ("AGENTS.md", ""),
            (".agent/policy.toml", ""),
        ]);
        let git = |args: &[&str]| Command::new("git").args(args).current_dir(&project.root).status().unwrap();
        assert!(git(&["init", "-q"]).success() && git(&["config", "core.fsmonitor", "/bin/x"]).success());
        let hook = project.root.join(".git/hooks/pre-commit");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::write(&hook, "").unwrap();
        std::fs::set_permissions(&hook, PermissionsExt::from_mode(0o755)).unwrap();
        let expected = [
            "AGENTS.md",
            ".agent/policy.toml",
            "git config core.fsmonitor",
            ".git/hooks/pre-commit",
            ".envrc",
            ".vscode/tasks.json",
            "package.json",
        ];
        assert_eq!(project.names(), expected);
        assert_eq!(project.found()[6].1, "runs scripts when it is installed: postinstall, prepare");
    }

    #[test]
    fn words_that_lie_elsewhere_are_not_told_and_that_is_said() {
        let (project, elsewhere) = (Project::with(&[]), Project::with(&[("words.md", "")]));
        std::os::unix::fs::symlink(elsewhere.root.join("words.md"), project.root.join("AGENTS.md")).unwrap();
        assert_eq!(project.found(), [("AGENTS.md".to_owned(), OUT.to_owned())]);
    }

    #[test]
    fn what_git_obeys_in_a_repository_above_is_found_too() {
        let above = Project::with(&[("inner/a.txt", "")]);
        let git = |args: &[&str]| Command::new("git").args(args).current_dir(&above.root).status().unwrap();
        assert!(git(&["init", "-q"]).success() && git(&["config", "core.fsmonitor", "/bin/x"]).success());
        let ground = Ground::of_this_process(above.root.join("inner")).unwrap();
        let names: Vec<String> = findings(&ground).into_iter().map(|found| found.name).collect();
        assert_eq!(names, ["git config core.fsmonitor"]);
    }

    #[test]
    fn many_findings_are_counted() {
        let files: Vec<(&str, &str)> = NAMES.iter().map(|(name, _)| (*name, "")).collect();
        let names = Project::with(&files[..TOLD + 3]).names();
        assert_eq!((names.len(), names.last().map(String::as_str)), (TOLD + 1, Some("3 more")));
    }

    #[test]
    fn a_package_that_is_a_pipe_does_not_hang() {
        let project = Project::with(&[]);
        let made = Command::new("mkfifo").arg(project.root.join("package.json")).status().unwrap();
        assert!(made.success());
        assert_eq!(project.names(), Vec::<String>::new());
    }
}
