//! A project with the programs that a test wants to be there, and a person who says yes.

use agent_policy::{Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Failure, Mode, ModelCall, Outcome, Preview, Profile, Status};
use agent_sandbox::Surroundings;
use agent_tools::{Ground, Output, PlannedCall, Toolbox};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// A project, its tools, and who decides.
pub(crate) struct House {
    _folder: TempDir,
    pub(crate) root: PathBuf,
    toolbox: Toolbox,
    policy: Policy,
}

impl House {
    /// With programs of these names, which nobody runs.
    pub(crate) fn with(programs: &[&str]) -> Self {
        let (folder, root) = project();
        let bin = folder.path().canonicalize().unwrap().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::set_permissions(&bin, PermissionsExt::from_mode(0o755)).unwrap();
        for program in programs {
            std::fs::write(bin.join(program), "").unwrap();
            std::fs::set_permissions(bin.join(program), PermissionsExt::from_mode(0o755)).unwrap();
        }
        House::around(folder, root, vec![("PATH".into(), bin.into())])
    }

    /// With the programs of this system, and a home of its own in the project.
    pub(crate) fn real() -> Self {
        let (folder, root) = project();
        let at = |name: &str| root.join(".home").join(name).into_os_string();
        std::fs::create_dir_all(root.join(".home")).unwrap();
        std::fs::write(root.join(".home/.npmrc"), "offline=true\nupdate-notifier=false\naudit=false\nfund=false\n")
            .unwrap();
        let variables = vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
            ("HOME".into(), at("")),
            ("GOCACHE".into(), at("go-build")),
            ("GOPATH".into(), at("go")),
        ];
        House::around(folder, root, variables)
    }

    fn around(folder: TempDir, root: PathBuf, variables: Vec<(std::ffi::OsString, std::ffi::OsString)>) -> Self {
        let surroundings = Arc::new(Surroundings::new(variables, &[], &root).unwrap());
        let ground = Ground { surroundings, home: None, ..Ground::of_this_process(root.clone()).unwrap() };
        let toolbox = Toolbox::with(ground, &[]).0;
        toolbox.offer(&["core".into(), "dev".into()]);
        let policy = Policy::new(Setup::new(root.clone(), Mode::Unsafe));
        House { _folder: folder, root, toolbox, policy }
    }

    /// Puts `text` into the file `name` of the project.
    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn permit(&mut self, verdict: Verdict) -> Permit {
        match verdict {
            Verdict::Allow(permit) => permit,
            Verdict::Ask(held) => self.policy.answer(held, None).unwrap(),
            Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{why}"),
        }
    }

    /// What the call would do.
    pub(crate) fn job(&mut self, name: &str, arguments: &Value) -> Result<(Box<dyn PlannedCall>, Looked), Failure> {
        let call = call(name, arguments);
        let look = self.toolbox.reach(&call)?.action;
        let verdict = self.policy.judge(look.clone(), &self.toolbox.facts(&queries(&look)));
        let look = self.permit(verdict);
        let looked = Looked::from(&look);
        Ok((self.toolbox.plan(&call, look)?, looked))
    }

    /// What the call looks at, relative to the project.
    pub(crate) fn reached(&self, name: &str, arguments: &Value) -> Vec<String> {
        let Action::Read { paths } = self.toolbox.reach(&call(name, arguments)).unwrap().action else {
            panic!("it only looks")
        };
        paths.iter().map(|path| path.strip_prefix(&self.root).unwrap_or(path).display().to_string()).collect()
    }

    /// How the call was read, in words.
    pub(crate) fn notes(&self, name: &str, arguments: &Value) -> Vec<String> {
        self.toolbox.reach(&call(name, arguments)).unwrap().notes
    }

    /// The words that it would start, ` +net` behind them where they reach the network; or what is wrong.
    pub(crate) fn planned(&mut self, name: &str, arguments: &Value) -> String {
        match self.job(name, arguments) {
            Ok((job, _)) => line(&job.action()),
            Err(failure) => format!("{:?}: {}", failure.kind, failure.message),
        }
    }

    /// What it would do.
    pub(crate) fn action(&mut self, name: &str, arguments: &Value) -> Action {
        self.job(name, arguments).unwrap().0.action()
    }

    /// The same with the seconds it may take and the folder.
    pub(crate) fn limits(&mut self, name: &str, arguments: &Value) -> (u64, String) {
        let (job, _) = self.job(name, arguments).unwrap();
        let Action::Run { timeout_secs, cwd, .. } = job.action() else { panic!("it runs something") };
        (timeout_secs, cwd.strip_prefix(&self.root).unwrap().display().to_string())
    }

    pub(crate) fn preview(&mut self, name: &str, arguments: &Value) -> Preview {
        self.job(name, arguments).unwrap().0.preview()
    }

    /// Does it.
    pub(crate) async fn run(&mut self, name: &str, arguments: &Value) -> Outcome {
        let (job, looked) = self.job(name, arguments).unwrap();
        let action = job.action();
        let verdict = self.policy.judge_planned(action.clone(), &self.toolbox.facts(&queries(&action)), &looked);
        let permit = self.permit(verdict);
        let (live, _heard) = unbounded_channel();
        let out = Output {
            live,
            room: 20_000,
            intent: None,
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        };
        self.toolbox.perform(job, permit, out, Box::pin(std::future::pending())).await
    }

    /// Does it, and tells what it said; it must go well.
    pub(crate) async fn done(&mut self, name: &str, arguments: &Value) -> String {
        let outcome = self.run(name, arguments).await;
        assert_eq!(outcome.status, Status::Done, "{arguments}: {}", outcome.told);
        outcome.told
    }

    /// Every row of (arguments, what is planned) of one tool.
    pub(crate) fn plans(&mut self, name: &str, rows: &[(Value, &str)]) {
        for (arguments, expected) in rows {
            assert_eq!(self.planned(name, arguments), *expected, "{name} {arguments}");
        }
    }
}

fn line(action: &Action) -> String {
    match action {
        Action::Run { command, argv, profile, .. } => {
            let shell = if argv.is_empty() { "sh: " } else { "" };
            let net = match profile {
                Profile::Network => " +net",
                Profile::Project => "",
                Profile::ReadOnly | Profile::Unfenced => " ?",
            };
            format!("{shell}{command}{net}")
        }
        Action::Read { .. } => "looks".into(),
        other => format!("{other:?}"),
    }
}

fn project() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&root).unwrap();
    (folder, root)
}

fn call(name: &str, arguments: &Value) -> ModelCall {
    ModelCall { server_id: None, index: None, name: name.into(), arguments: arguments.clone() }
}

/// Is it installed? Says so where it is not: `.ci/run` installs `package`.
pub(crate) fn there(program: &str, package: &str) -> bool {
    let there = ["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(program).is_file());
    if !there {
        eprintln!("passed over: {program} is not installed (package {package})");
    }
    there
}

/// Is this module of the system's Python installed?
pub(crate) fn module(name: &str, package: &str) -> bool {
    let found = |name| Command::new("/usr/bin/python3").args(["-c", &format!("import {name}")]).output();
    let there = found(name).is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("passed over: Python has no {name} (package {package})");
    }
    there
}
