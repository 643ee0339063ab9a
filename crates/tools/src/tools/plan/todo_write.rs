//! `todo_write`: the list of what there is to do.

use super::Act;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::read_only_job::nothing;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, SessionAct, Todo, TodoStatus};
use std::collections::HashSet;

/// More is no list that a person follows.
const MOST: usize = 100;

pub(in crate::tools) static FORM: Form = Form {
    tool: "todo_write",
    group: Group::Plan,
    aliases: "todo todos update_todos write_todos todowrite todo_list update_plan set_todos manage_todo_list",
    description: include_str!("todo_write.md"),
    parameters: &[Parameter::new(
        "todos",
        Kind::Items(&ITEM),
        "[{\"id\": \"1\", \"content\": \"Write tests\", \"status\": \"pending\"}]",
    )
    .also("items tasks list todolist plan steps todo")
    .required()],
    ..BLANK
};

static ITEM: Form = Form {
    tool: "todo_write",
    group: Group::Plan,
    parameters: &[
        Parameter::new("id", Kind::Text, "\"1\"").also("key number index").optional(),
        Parameter::new("content", Kind::Text, "\"Write tests\"")
            .also("text title task description step name activeform")
            .required(),
        Parameter::new("status", Kind::One(&["pending", "in_progress", "completed"]), "\"pending\"")
            .also("state")
            .required(),
    ],
    // What other agents note besides; it changes nothing.
    refused: &[],
    ..BLANK
};

pub(super) struct TodoWrite;

impl Tool for TodoWrite {
    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        items(arguments)?;
        Ok(nothing())
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let items = items(arguments)?;
        let done = items.iter().filter(|item| item.status == TodoStatus::Completed).count();
        let now = items.iter().find(|item| item.status == TodoStatus::InProgress);
        let now = now.map_or(String::new(), |item| format!(": {}", item.content));
        let title = format!("Todo {done}/{}{now}", items.len());
        Ok(Box::new(Act { title, act: SessionAct::Todo { items } }))
    }
}

/// The whole list; one that is left out has the number of its place for an id.
fn items(arguments: &Arguments) -> Result<Vec<Todo>, Failure> {
    if !arguments.has("todos") {
        return Err(arguments.fault("todos", "is missing; give the whole list, also when it is empty"));
    }
    let items: Vec<Todo> =
        arguments.items("todos")?.iter().enumerate().map(|(at, item)| todo(at, item)).collect::<Result<_, _>>()?;
    let mut ids = HashSet::new();
    if let Some(twice) = items.iter().find(|item| !ids.insert(item.id.as_str())) {
        return Err(arguments.fault("todos", &format!("has two entries with the id {:?}; give each its own", twice.id)));
    }
    if items.iter().filter(|item| item.status == TodoStatus::InProgress).count() > 1 {
        return Err(arguments.fault("todos", "has several entries in_progress; one at a time, the others pending"));
    }
    if items.len() > MOST {
        return Err(arguments.fault("todos", &format!("has {} entries; at most {MOST}, larger steps", items.len())));
    }
    Ok(items)
}

fn todo(at: usize, item: &Arguments) -> Result<Todo, Failure> {
    let status = match item.word_of("status")? {
        "completed" => TodoStatus::Completed,
        "in_progress" => TodoStatus::InProgress,
        _ => TodoStatus::Pending,
    };
    let id = item.optional_text("id")?.unwrap_or_else(|| (at + 1).to_string());
    Ok(Todo { id, content: item.word("content")?.trim().to_owned(), status })
}
