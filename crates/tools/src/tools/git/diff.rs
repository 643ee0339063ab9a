//! `git_diff`: what is changed, line by line.

use super::asked::{Asked, Operation, files};
use super::operation::planned;
use super::{operands, spec};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::look;
use crate::program::Runner;
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;

pub(super) static FORM: Form = Form {
    tool: "git_diff",
    group: Group::Git,
    aliases: "get_git_diff show_git_diff git_diff_unstaged git_changes view_diff show_diff get_diff diff vcs_diff",
    parameters: &[
        Parameter::new("staged", Kind::Flag, "true").also("cached stagedonly showstaged").optional(),
        Parameter::new("path", Kind::Texts, "\"src\"")
            .also("file files paths filepath filepaths filename pathspec dir directory folder"),
        Parameter::new("commit", Kind::Text, "\"HEAD~1\"")
            .also("ref reference rev revision target base branch hash sha"),
    ],
    ..BLANK
};

pub(super) struct GitDiff {
    workspace: Workspace,
    runner: Runner,
}

impl GitDiff {
    pub(super) fn new(workspace: Workspace, runner: Runner) -> Self {
        GitDiff { workspace, runner }
    }
}

fn asked(arguments: &Arguments) -> Result<Asked, Failure> {
    let commit = arguments.optional_text("commit")?;
    Ok(Asked {
        files: files(arguments, "path")?,
        commit: commit.map(|commit| operands::commit("commit", &commit)).transpose()?,
        staged: arguments.flag("staged")?,
        ..Asked::plain(Operation::Diff)
    })
}

impl Tool for GitDiff {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("git_diff.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        asked(&FORM.read(args)?)?;
        Ok(look::action(self.workspace.root().to_owned()))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let root = self.workspace.root().to_owned();
        planned(asked(&FORM.read(args)?)?, root, &self.workspace, &self.runner)
    }
}
