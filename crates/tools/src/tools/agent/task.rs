//! `task`: something to do for a second agent. Which agents there are, and what becomes of it, is `session`'s to say.

use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::read_only_job::nothing;
use crate::tools::ToolContext;
use crate::tools::plan::Act;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, SessionAct};

/// Where nothing is said of it.
const USUAL: &str = "general-purpose";

/// Characters of a task that its line in the transcript shows.
const TITLE: usize = 60;

pub(in crate::tools) static FORM: Form = Form {
    tool: "task",
    group: Group::Agent,
    aliases: "agent subagent sub_agent run_agent launch_agent spawn_agent dispatch_agent delegate delegate_task \
        delegate_to_agent new_task run_task start_task run_subagent",
    description: include_str!("task.md"),
    parameters: &[
        Parameter::new("subagent_type", Kind::Text, "\"explore\"")
            .also("agent agenttype agentname agentid subagent subagentname type kind mode name")
            .optional(),
        Parameter::new("description", Kind::Text, "\"Find the parser\"")
            .also("title label summary shortdescription taskname")
            .optional(),
        Parameter::new("prompt", Kind::Text, "\"Find where numbers are parsed, with file and line\"")
            .also("task instructions instruction message text query goal objective input")
            .required()
            .says("all it needs to know"),
    ],
    ..BLANK
};

pub(super) struct Task;

impl Tool for Task {
    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        act(arguments)?;
        Ok(nothing())
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (title, act) = act(arguments)?;
        Ok(Box::new(Act { title, act }))
    }
}

/// The task, and how it is shown in a line.
fn act(arguments: &Arguments) -> Result<(String, SessionAct), Failure> {
    let prompt = arguments.text("prompt")?.trim().to_owned();
    if prompt.is_empty() {
        return Err(arguments.fault("prompt", "is empty; say what is to be done, and all that it needs to know"));
    }
    let word = |name: &str| -> Result<String, Failure> {
        Ok(arguments.optional_text(name)?.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let agent = Some(word("subagent_type")?).filter(|agent| !agent.is_empty()).unwrap_or_else(|| USUAL.to_owned());
    let description = Some(word("description")?)
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| prompt.split_whitespace().collect::<Vec<_>>().join(" "));
    let shown: String = description.chars().take(TITLE).collect();
    let more = if shown.len() < description.len() { "…" } else { "" };
    let title = format!("{agent}: {shown}{more}");
    Ok((title, SessionAct::Delegate { agent, description, prompt }))
}
