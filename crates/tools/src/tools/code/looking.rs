//! The tools that look at what lies below one path. They differ in what they may be told and in what they make of it.

use super::reading::CodePlace;
use crate::arguments::{Arguments, Form, Need};
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool, read_only_job};
use agent_policy::Permit;
use agent_protocol::{Action, Failure};
use std::path::PathBuf;

/// What a tool makes of its arguments at a place.
pub(super) type Plan = fn(&ToolContext, &Arguments, CodePlace) -> Result<Box<dyn PlannedCall>, Failure>;

pub(super) struct Looking {
    pub(super) form: &'static Form,
    pub(super) plan: Plan,
}

impl Looking {
    /// The path that is looked at, once it is known that nothing else is missing.
    fn base(&self, kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
        for needed in self.form.parameters.iter().filter(|parameter| parameter.need == Need::Required) {
            arguments.word(needed.name)?;
        }
        // A text may be given in place of a file: nothing of the project is looked at then.
        let takes_text = self.form.parameters.iter().any(|parameter| parameter.name == "content");
        let has_text = takes_text && arguments.optional_text("content")?.is_some();
        let path = if has_text { None } else { arguments.optional_text("path")? };
        kit.workspace.resolve(&path.unwrap_or_default())
    }
}

impl Tool for Looking {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(self.base(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (workspace, base) = (kit.workspace.clone(), self.base(kit, arguments)?);
        (self.plan)(kit, arguments, CodePlace { workspace, base, leave: look.leave() })
    }
}
