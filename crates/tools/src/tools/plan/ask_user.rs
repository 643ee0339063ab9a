//! `ask_user`: a question that only the user can answer.

use super::Act;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::read_only_job::nothing;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, SessionAct};

/// More cannot be told apart at a glance.
const MOST: usize = 9;
/// Characters of a question that its line in the transcript shows.
const TITLE: usize = 80;

pub(in crate::tools) static FORM: Form = Form {
    tool: "ask_user",
    group: Group::Plan,
    aliases: "question ask_question ask_human ask_user_question ask_followup_question request_user_input",
    description: include_str!("ask_user.md"),
    parameters: &[
        Parameter::new("question", Kind::Text, "\"Which database?\"")
            .also("text prompt message query questions")
            .required(),
        Parameter::new("choices", Kind::Texts, "[\"SQLite\", \"Postgres\"]")
            .also("options answers suggestions followup")
            .optional(),
    ],
    ..BLANK
};

pub(super) struct AskUser;

impl Tool for AskUser {
    fn alone(&self) -> Option<&'static str> {
        Some("nobody is here to answer questions; decide by what you know, and say in your answer what you assumed")
    }

    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        act(arguments)?;
        Ok(nothing())
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (question, choices) = act(arguments)?;
        let line = question.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = line.chars().take(TITLE).collect();
        let more = if shown.len() < line.len() { "…" } else { "" };
        Ok(Box::new(Act { title: format!("Ask: {shown}{more}"), act: SessionAct::Inquire { question, choices } }))
    }
}

fn act(arguments: &Arguments) -> Result<(String, Vec<String>), Failure> {
    let question = arguments.word("question")?.trim().to_owned();
    let choices: Vec<String> =
        arguments.texts("choices")?.iter().map(|choice| choice.trim().to_owned()).filter(|c| !c.is_empty()).collect();
    if choices.len() > MOST {
        let what =
            format!("has {} entries; give at most {MOST}, the user can answer in their own words", choices.len());
        return Err(arguments.fault("choices", &what));
    }
    Ok((question, choices))
}
