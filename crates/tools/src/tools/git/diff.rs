//! `git_diff`: what is changed, line by line.

use super::asked::{GitRequest, Operation, files};
use super::brief;
use super::operands;
use super::operation::planned;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};

pub(super) static FORM: Form = Form {
    tool: "git_diff",
    group: Group::Git,
    aliases: "get_git_diff show_git_diff git_diff_unstaged git_changes view_diff show_diff get_diff diff vcs_diff",
    description: include_str!("git_diff.md"),
    parameters: &[
        Parameter::new("staged", Kind::Flag, "true").also("cached stagedonly showstaged").optional(),
        Parameter::new("path", Kind::Texts, "\"src\"")
            .also("file files paths filepath filepaths filename pathspec dir directory folder"),
        Parameter::new("commit", Kind::Text, "\"HEAD~1\"")
            .also("ref reference rev revision target base branch hash sha"),
    ],
    ..BLANK
};

pub(super) struct GitDiff;

fn asked(arguments: &Arguments) -> Result<GitRequest, Failure> {
    let commit = arguments.optional_text("commit")?;
    Ok(GitRequest {
        files: files(arguments, "path")?,
        commit: commit.map(|commit| operands::commit("commit", &commit)).transpose()?,
        staged: arguments.flag("staged")?,
        ..GitRequest::plain(Operation::Diff)
    })
}

impl Tool for GitDiff {
    fn spec(&self, form: &Form) -> ToolSpec {
        brief(form)
    }

    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        asked(arguments)?;
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let root = kit.workspace.root().to_owned();
        planned(asked(arguments)?, root, &kit.workspace, &kit.runner)
    }
}
