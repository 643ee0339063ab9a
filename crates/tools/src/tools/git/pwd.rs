//! `pwd`: the folder in which everything happens.

use super::spec;
use crate::arguments::{BLANK, Form, Group};
use crate::look::{self, Look};
use crate::workspace::{Workspace, one_line};
use crate::{Job, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;

pub(super) static FORM: Form = Form {
    tool: "pwd",
    group: Group::Git,
    aliases: "cwd getcwd get_cwd current_directory current_dir get_current_directory get_current_dir working_directory \
        working_dir get_working_directory print_working_directory current_working_directory where_am_i",
    ..BLANK
};

pub(super) struct Pwd {
    workspace: Workspace,
}

impl Pwd {
    pub(super) fn new(workspace: Workspace) -> Self {
        Pwd { workspace }
    }
}

impl Tool for Pwd {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("pwd.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        FORM.read(args)?;
        Ok(look::action(self.workspace.root().to_owned()))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        FORM.read(args)?;
        let root = self.workspace.root().to_owned();
        let folder = one_line(&root);
        let work = Box::new(move |_: &_, _| Ok(words::done(folder.clone(), folder, String::new())));
        Ok(Box::new(Look { path: root, title: "Current folder".into(), rest: "", work }))
    }
}
