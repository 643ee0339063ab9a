//! `pwd`: the folder in which everything happens.

use super::brief;
use crate::arguments::{Arguments, BLANK, Form, Group};
use crate::read_only_job::{self};
use crate::tools::ToolContext;
use crate::workspace::one_line;
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};

pub(super) static FORM: Form = Form {
    tool: "pwd",
    group: Group::Git,
    aliases: "cwd getcwd get_cwd current_directory current_dir get_current_directory get_current_dir working_directory \
        working_dir get_working_directory print_working_directory current_working_directory where_am_i",
    description: include_str!("pwd.md"),
    ..BLANK
};

pub(super) struct Pwd;

impl Tool for Pwd {
    fn spec(&self, form: &Form) -> ToolSpec {
        brief(form)
    }

    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, _arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let root = kit.workspace.root().to_owned();
        let folder = one_line(&root);
        let work = Box::new(move |_: &_, _| Ok(words::done(folder.clone(), folder, String::new())));
        Ok(read_only_job::planned(root, "Current folder".into(), "", work))
    }
}
