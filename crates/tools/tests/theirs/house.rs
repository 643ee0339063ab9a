//! A project, a person's folder with tools in it, and a person who says yes.

use agent_policy::{Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Failure, Mode, ModelCall, Outcome};
use agent_sandbox::Surroundings;
use agent_tools::{Ground, Output, PlannedCall, Selection, Toolbox};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// A place for tools that were not opened yet.
pub(crate) struct House {
    folder: TempDir,
    pub(crate) root: PathBuf,
    trusted: bool,
}

/// The tools of a house, and who decides.
pub(crate) struct Opened {
    pub(crate) root: PathBuf,
    pub(crate) toolbox: Toolbox,
    pub(crate) notices: Vec<String>,
    policy: Policy,
    /// Why the user was asked.
    pub(crate) asked: Vec<String>,
}

impl House {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir(&root).unwrap();
        House { folder, root, trusted: false }
    }

    pub(crate) fn trusted(self) -> Self {
        House { trusted: true, ..self }
    }

    fn user_folder(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("config")
    }

    /// A file among the user's tools.
    pub(crate) fn tool(self, name: &str, text: &str) -> Self {
        put(&self.user_folder().join("tools").join(name), text, "644");
        self
    }

    /// A program among the user's tools.
    pub(crate) fn program(self, name: &str, text: &str) -> Self {
        put(&self.user_folder().join("tools").join(name), text, "755");
        self
    }

    /// A file of the project.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        put(&self.root.join(name), text, "644");
        self
    }

    /// A program of the project.
    pub(crate) fn projects_program(self, name: &str, text: &str) -> Self {
        put(&self.root.join(name), text, "755");
        self
    }

    pub(crate) fn open(&self, mode: Mode) -> Opened {
        self.open_with(mode, &[])
    }

    pub(crate) fn open_with(&self, mode: Mode, selections: &[Selection]) -> Opened {
        let root = self.root.clone();
        let env = [("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())];
        let surroundings = Arc::new(Surroundings::new(env, &[], &root).unwrap());
        let bare = Ground::of_this_process(root.clone()).unwrap();
        let user_folder = Some(self.user_folder());
        let ground = Ground { surroundings, home: None, user_folder, trusted: self.trusted, ..bare };
        let (toolbox, notices) = Toolbox::with(ground, selections);
        let own = vec![self.user_folder(), root.join(".agent")];
        let policy = Policy::new(Setup { own, trusted: self.trusted, ..Setup::new(root.clone(), mode) });
        let place = self.folder.path().canonicalize().unwrap().display().to_string();
        let notices = notices.iter().map(|notice| notice.replace(&place, "")).collect();
        Opened { root, toolbox, notices, policy, asked: Vec::new() }
    }
}

/// Another process writes it: a file that is open for writing cannot be started.
fn put(path: &Path, text: &str, rights: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::write(made.path().join("made"), text).unwrap();
    let ended = Command::new("install").args(["-m", rights]).arg(made.path().join("made")).arg(path).status();
    assert!(ended.unwrap().success());
}

impl Opened {
    /// Which of the user's and the project's tools the model is offered.
    pub(crate) fn offered(&self) -> Vec<String> {
        let groups = self.toolbox.groups().into_iter().filter(|offer| offer.name == "user" && offer.on);
        groups.flat_map(|offer| offer.specs).map(|spec| spec.name).collect()
    }

    fn permit(&mut self, verdict: Verdict) -> Result<Permit, String> {
        match verdict {
            Verdict::Allow(permit) => Ok(permit),
            Verdict::Ask(held) => {
                self.asked.push(held.why().to_owned());
                Ok(self.policy.answer(held, None).unwrap())
            }
            Verdict::Deny(why) | Verdict::Impossible(why) => Err(why),
        }
    }

    /// What the call would do; or what is wrong.
    pub(crate) fn job(&mut self, name: &str, arguments: &Value) -> Result<(Box<dyn PlannedCall>, Looked), String> {
        let call = ModelCall { server_id: None, index: None, name: name.into(), arguments: arguments.clone() };
        let wrong = |failure: Failure| format!("{:?}: {}", failure.kind, failure.message);
        let look = self.toolbox.reach(&call).map_err(wrong)?.action;
        let verdict = self.policy.judge(look.clone(), &self.toolbox.facts(&queries(&look)));
        let look = self.permit(verdict)?;
        let looked = Looked::from(&look);
        Ok((self.toolbox.plan(&call, look).map_err(wrong)?, looked))
    }

    /// What would be started, the project's folder left out, and what it would read; or what is wrong.
    pub(crate) fn planned(&mut self, name: &str, arguments: &Value) -> String {
        let root = format!("{}/", self.root.display());
        match self.job(name, arguments).map(|(job, _)| job.action()) {
            Ok(Action::Run { argv, input, .. }) => {
                let input = input.map(|input| format!(" < {input}")).unwrap_or_default();
                (argv.join("|") + &input).replace(&root, "")
            }
            Ok(other) => format!("{other:?}"),
            Err(why) => why.replace(&root, ""),
        }
    }

    /// Does it.
    pub(crate) async fn run(&mut self, name: &str, arguments: &Value) -> Result<Outcome, String> {
        let planned = self.job(name, arguments)?;
        self.carried_out(planned).await
    }

    /// Does what was planned before.
    pub(crate) async fn carried_out(
        &mut self,
        (job, looked): (Box<dyn PlannedCall>, Looked),
    ) -> Result<Outcome, String> {
        let action = job.action();
        let verdict = self.policy.judge_planned(action.clone(), &self.toolbox.facts(&queries(&action)), &looked);
        let permit = self.permit(verdict)?;
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
        Ok(self.toolbox.perform(job, permit, out, Box::pin(std::future::pending())).await)
    }

    /// Does it, and tells the model's words.
    pub(crate) async fn told(&mut self, name: &str, arguments: &Value) -> String {
        self.run(name, arguments).await.map_or_else(|why| why, |outcome| outcome.told)
    }
}
