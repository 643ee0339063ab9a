//! `git_status`: what is changed, staged or new.

use super::asked::{Asked, Operation};
use super::operation::planned;
use super::spec;
use crate::arguments::{BLANK, Form, Group};
use crate::look;
use crate::program::Runner;
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;

pub(super) static FORM: Form = Form {
    tool: "git_status",
    group: Group::Git,
    aliases: "get_git_status show_git_status check_git_status repo_status repository_status git_state status vcs_status \
        get_changed_files",
    ..BLANK
};

pub(super) struct GitStatus {
    workspace: Workspace,
    runner: Runner,
}

impl GitStatus {
    pub(super) fn new(workspace: Workspace, runner: Runner) -> Self {
        GitStatus { workspace, runner }
    }
}

impl Tool for GitStatus {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("git_status.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        FORM.read(args)?;
        Ok(look::action(self.workspace.root().to_owned()))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        FORM.read(args)?;
        let root = self.workspace.root().to_owned();
        planned(Asked::plain(Operation::Status), root, &self.workspace, &self.runner)
    }
}
