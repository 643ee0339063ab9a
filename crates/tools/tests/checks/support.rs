//! A project, and a person who says yes to everything. The one file here that names a policy.

use agent_policy::{Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Failure, Mode, ModelCall, Outcome, Preview};
use agent_sandbox::Surroundings;
use agent_tools::{Ground, Output, PlannedCall, Toolbox};
use serde_json::Value;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// A project with its tools.
pub(crate) struct Project {
    folder: TempDir,
    pub(crate) root: PathBuf,
    toolbox: Toolbox,
    policy: Policy,
}

impl Project {
    /// With these files, and the programs of this system.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Project::over(TempDir::new().unwrap(), files, path)
    }

    /// With these files, and of the programs of this system only those of these names.
    pub(crate) fn with_linked(files: &[(&str, &str)], programs: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let places = folder.path().canonicalize().unwrap().join("programs");
        std::fs::create_dir(&places).unwrap();
        for program in programs {
            sh(&places, &format!("ln -s \"$(command -v {program})\" {program}; chmod 755 ."));
        }
        Project::over(folder, files, places.into_os_string())
    }

    /// With these files, and programs of these names, none of which can be started.
    pub(crate) fn with_programs(files: &[(&str, &str)], programs: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let places = folder.path().canonicalize().unwrap().join("programs");
        std::fs::create_dir(&places).unwrap();
        for program in programs {
            sh(&places, &format!(": > {program}; chmod 755 {program} ."));
        }
        Project::over(folder, files, places.into())
    }

    fn over(folder: TempDir, files: &[(&str, &str)], path: OsString) -> Self {
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir(&root).unwrap();
        for (name, text) in files {
            let file = root.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        // Go keeps what it built, and nowhere but in the project may it write.
        let ours = [("PATH".into(), path), ("GOCACHE".into(), root.join(".cache").into())];
        let variables = std::env::vars_os().chain(ours);
        let surroundings = Arc::new(Surroundings::new(variables, &[], &root).unwrap());
        let ground = Ground { surroundings, ..Ground::of_this_process(root.clone()).unwrap() };
        let toolbox = Toolbox::with(ground, &[]).0;
        toolbox.offer(&["dev".into()]);
        let policy = Policy::new(Setup::new(root.clone(), Mode::Unsafe));
        Project { folder, root, toolbox, policy }
    }

    /// What is planned for this call.
    pub(crate) fn planned(&mut self, tool: &str, arguments: Value) -> Result<(Box<dyn PlannedCall>, Looked), Failure> {
        let call = ModelCall { server_id: None, index: None, name: tool.into(), arguments };
        let reached = self.toolbox.reach(&call)?.action;
        let facts = self.toolbox.facts(&queries(&reached));
        let look = permit(&mut self.policy, |policy| policy.judge(reached, &facts));
        let looked = Looked::from(&look);
        Ok((self.toolbox.plan(&call, look)?, looked))
    }

    /// The words that this call would start, the project's folder as `$P`, and the folder they run in.
    pub(crate) fn words(&mut self, tool: &str, arguments: Value) -> String {
        let job = match self.planned(tool, arguments) {
            Ok((job, _)) => job,
            Err(failure) => return format!("{:?}: {}", failure.kind, self.plain(&failure.message)),
        };
        match job.action() {
            Action::Run { argv, cwd, .. } => {
                let below = cwd.strip_prefix(&self.root).unwrap();
                let cwd = if below.as_os_str().is_empty() { String::new() } else { format!("{}: ", below.display()) };
                self.plain(&(cwd + &argv.join(" ")))
            }
            other => format!("{other:?}"),
        }
    }

    /// What is shown and what came of it.
    pub(crate) async fn done(&mut self, tool: &str, arguments: Value) -> Result<(Preview, Outcome), Failure> {
        let (job, looked) = self.planned(tool, arguments)?;
        let (preview, action) = (job.preview(), job.action());
        let facts = self.toolbox.facts(&queries(&action));
        let permit = permit(&mut self.policy, |policy| policy.judge_planned(action, &facts, &looked));
        let (live, _heard) = unbounded_channel();
        let never = Box::pin(std::future::pending());
        let outcome = self
            .toolbox
            .perform(
                job,
                permit,
                Output {
                    live,
                    room: 10_000,
                    intent: None,
                    reaches: {
                        let (nobody, _) = unbounded_channel();
                        nobody
                    },
                },
                never,
            )
            .await;
        Ok((preview, outcome))
    }

    /// What the model is told.
    pub(crate) async fn told(&mut self, tool: &str, arguments: Value) -> String {
        match self.done(tool, arguments).await {
            Ok((_, outcome)) => self.plain(&outcome.told),
            Err(failure) => format!("{:?}: {}", failure.kind, self.plain(&failure.message)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join(name)).unwrap()
    }

    pub(crate) fn sh(&self, line: &str) {
        sh(&self.root, line);
    }

    fn plain(&self, text: &str) -> String {
        let top = self.folder.path().canonicalize().unwrap();
        text.replace(self.root.to_str().unwrap(), "$P").replace(top.to_str().unwrap(), "$T")
    }
}

fn permit(policy: &mut Policy, judge: impl FnOnce(&mut Policy) -> Verdict) -> Permit {
    match judge(policy) {
        Verdict::Allow(permit) => permit,
        Verdict::Ask(held) => policy.answer(held, None).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn sh(folder: &Path, line: &str) {
    assert!(Command::new("sh").args(["-ec", line]).current_dir(folder).status().unwrap().success(), "{line}");
}

/// Is each of these programs there and able to say something? Says so where one is not, for then a test is left out.
pub(crate) fn there(programs: &[&str]) -> bool {
    let missing: Vec<&&str> = programs.iter().filter(|words| !runs(words)).collect();
    if !missing.is_empty() {
        // Past the harness, which keeps what a test that passes says to itself.
        let left_out = format!("left out: not installed here: {missing:?}\n");
        std::io::stdout().write_all(left_out.as_bytes()).unwrap();
    }
    missing.is_empty()
}

fn runs(words: &str) -> bool {
    Command::new("sh").args(["-c", &format!("{words} </dev/null >/dev/null 2>&1")]).status().unwrap().success()
}
