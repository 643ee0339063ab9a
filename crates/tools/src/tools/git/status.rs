//! `git_status`: what is changed, staged or new.

use super::asked::{GitRequest, Operation};
use super::brief;
use super::operation::planned;
use crate::arguments::{Arguments, BLANK, Form, Group};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};

pub(super) static FORM: Form = Form {
    tool: "git_status",
    group: Group::Git,
    aliases: "get_git_status show_git_status check_git_status repo_status repository_status git_state status vcs_status \
        get_changed_files",
    description: include_str!("git_status.md"),
    ..BLANK
};

pub(super) struct GitStatus;

impl Tool for GitStatus {
    fn spec(&self, form: &Form) -> ToolSpec {
        brief(form)
    }

    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, _arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let root = kit.workspace.root().to_owned();
        planned(GitRequest::plain(Operation::Status), root, &kit.workspace, &kit.runner)
    }
}
