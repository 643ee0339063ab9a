//! The tools that look at what lies below one path. They differ in what they may be told and in what they make of it.

use super::reading::CodePlace;
use super::spec;
use crate::arguments::{Arguments, Form, Need};
use crate::look;
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;
use std::path::PathBuf;

/// What a tool makes of its arguments at a place.
pub(super) type Plan = Box<dyn Fn(&Arguments, CodePlace) -> Result<Box<dyn Job>, Failure> + Send + Sync>;

/// One of them.
pub(super) struct Looking {
    pub(super) form: &'static Form,
    /// What the model is told of it.
    pub(super) says: &'static str,
    pub(super) workspace: Workspace,
    pub(super) plan: Plan,
}

impl Looking {
    /// The path that is looked at, once it is known that nothing else is missing.
    fn base(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        for needed in self.form.parameters.iter().filter(|parameter| parameter.need == Need::Required) {
            arguments.word(needed.name)?;
        }
        // A text may be given in place of a file: nothing of the project is looked at then.
        let takes_text = self.form.parameters.iter().any(|parameter| parameter.name == "content");
        let has_text = takes_text && arguments.optional_text("content")?.is_some();
        let path = if has_text { None } else { arguments.optional_text("path")? };
        self.workspace.resolve(&path.unwrap_or_default())
    }
}

impl Tool for Looking {
    fn spec(&self) -> ToolSpec {
        spec(self.form, self.says)
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        Ok(look::action(self.base(&self.form.read(args)?)?))
    }

    fn plan(&self, args: &Value, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let arguments = self.form.read(args)?;
        let place = CodePlace { workspace: self.workspace.clone(), base: self.base(&arguments)?, leave: look.leave() };
        (self.plan)(&arguments, place)
    }
}
