//! `multi_edit`: replaces texts in one or several files, all of them or none.

use super::super::edit_file::Swap;
use super::super::{refused, spec};
use super::overlay::Overlay;
use super::{MOST, of_operation, once, too_many};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::change::Edits;
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, ToolSpec};
use serde_json::Value;
use std::path::PathBuf;

const FILE: &str = "filepath path filename name targetfile absolutepath relativepath fullpath pathname uri";
pub(super) const OLD: &str = "oldstring oldstr oldtext search find oldcontent oldcode oldvalue original originaltext \
    searchtext searchstring targetcontent before findtext findstring";
pub(super) const NEW: &str = "newstring newstr newtext replace replacement newcode newvalue updated updatedtext \
    replacetext replacewith replacementtext replacementcontent replacestring after with";
pub(super) const ALL: &str = "all global alloccurrences everyoccurrence allowmultiple replaceallmatches";

const REPLACE_ALL: Parameter = Parameter::new("replace_all", Kind::Flag, "true").also(ALL);

/// One operation.
static OPERATION: Form = Form {
    tool: "multi_edit",
    parameters: &[
        Parameter::new("file", Kind::Text, "\"src/main.rs\"").also(FILE).required(),
        Parameter::new("old", Kind::Text, "\"old text\"").also(OLD).required(),
        Parameter::new("new", Kind::Text, "\"new text\"").also(NEW).required(),
        REPLACE_ALL,
    ],
    refused: refused::EDITS,
    ..BLANK
};

pub(super) static FORM: Form = Form {
    tool: "multi_edit",
    group: Group::Batch,
    aliases: "multiedit multi_edit_file multi_replace multi_str_replace edit_files edit_many edit_many_files \
        edit_multiple_files multi_file_edit batch_edit apply_edits multi_replace_string_in_file",
    parameters: &[
        Parameter::new(
            "operations",
            Kind::Items(&OPERATION),
            "[{\"file\": \"src/main.rs\", \"old\": \"old text\", \"new\": \"new text\"}]",
        )
        .also("edits changes replacements ops")
        .required(),
        // Where all operations are in one file, other agents name it once.
        Parameter::new("file", Kind::Text, "\"src/main.rs\"").also(FILE),
        Parameter::new("old", Kind::Text, "\"old text\"").also(OLD),
        Parameter::new("new", Kind::Text, "\"new text\"").also(NEW),
        REPLACE_ALL,
    ],
    refused: refused::EDITS,
    ..BLANK
};

pub(super) struct MultiEdit {
    workspace: Workspace,
}

/// What is wanted of one file.
struct Operation {
    path: PathBuf,
    swap: Swap,
}

impl MultiEdit {
    pub(super) fn new(workspace: Workspace) -> Self {
        MultiEdit { workspace }
    }

    fn operations(&self, arguments: &Arguments) -> Result<Vec<Operation>, Failure> {
        let file = arguments.optional_text("file")?;
        let items = match arguments.items("operations")? {
            none if none.is_empty() && arguments.has("old") => return Ok(vec![self.operation(arguments, None)?]),
            none if none.is_empty() => return arguments.missing("operations"),
            items if items.len() > MOST => return Err(too_many(FORM.tool, "operations")),
            items => items,
        };
        let all = items.len();
        let read =
            |(nth, item)| self.operation(item, file.as_deref()).map_err(|failure| of_operation(nth, all, failure));
        items.iter().enumerate().map(read).collect()
    }

    fn operation(&self, item: &Arguments, file: Option<&str>) -> Result<Operation, Failure> {
        let file = match (item.has("file"), file) {
            (false, Some(file)) => file.to_owned(),
            (true, _) | (false, None) => item.word("file")?,
        };
        Ok(Operation { path: self.workspace.resolve(&file)?, swap: Swap::read(item, ["old", "new", "replace_all"])? })
    }
}

impl Tool for MultiEdit {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("multi_edit.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        let operations = self.operations(&FORM.read(args)?)?;
        Ok(Action::Read { paths: once(operations.into_iter().map(|operation| operation.path)) })
    }

    fn plan(&self, args: &Value, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let operations = self.operations(&FORM.read(args)?)?;
        let all = operations.len();
        let mut overlay = Overlay::new(&self.workspace, look.leave());
        for (nth, Operation { path, swap }) in operations.into_iter().enumerate() {
            overlay.swap(&path, swap).map_err(|failure| of_operation(nth, all, failure))?;
        }
        Ok(Edits::new(self.workspace.clone(), overlay.into_parts()).planned())
    }
}
