//! `exit_plan_mode`: the plan that the user decides on.

use super::Act;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::read_only_job::nothing;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, SessionAct};

pub(in crate::tools) static FORM: Form = Form {
    tool: "exit_plan_mode",
    group: Group::Plan,
    aliases: "exitplanmode present_plan propose_plan submit_plan plan_exit",
    description: include_str!("exit_plan_mode.md"),
    parameters: &[Parameter::new("plan", Kind::Body, "\"1. Add the parser\\n2. Test it\"")
        .also("text content markdown steps summary proposal")
        .required()],
    ..BLANK
};

pub(super) struct ExitPlanMode;

impl Tool for ExitPlanMode {
    fn alone(&self) -> Option<&'static str> {
        Some("nobody is here to decide on a plan; write it as your answer, and end with that")
    }

    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        if arguments.text("plan")?.trim().is_empty() {
            return Err(arguments.fault("plan", "is empty; say what you would do, step by step"));
        }
        Ok(nothing())
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let plan = arguments.text("plan")?;
        Ok(Box::new(Act { title: "Plan".into(), act: SessionAct::Propose { plan } }))
    }
}
