//! `multi_edit`: replaces texts in one or several files, all of them or none.

use super::super::edit_file::Swap;
use super::super::refused;
use super::overlay::Overlay;
use super::{MOST, of_operation, once, too_many};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::change::Edits;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure};
use std::path::PathBuf;

const FILE: &str = "filepath path filename name targetfile absolutepath relativepath fullpath pathname uri";
pub(super) const OLD: &str = "oldstring oldstr oldtext search find oldcontent oldcode oldvalue original originaltext \
    searchtext searchstring targetcontent before findtext findstring";
pub(super) const NEW: &str = "newstring newstr newtext replace replacement newcode newvalue updated updatedtext \
    replacetext replacewith replacementtext replacementcontent replacestring after with";
pub(super) const ALL: &str = "all global alloccurrences everyoccurrence allowmultiple replaceallmatches";

const REPLACE_ALL: Parameter = Parameter::new("replace_all", Kind::Flag, "true").also(ALL);

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
    description: include_str!("multi_edit.md"),
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
    stands_for: &["edit_file"],
    ..BLANK
};

pub(super) struct MultiEdit;

/// What is wanted of one file.
struct Operation {
    path: PathBuf,
    swap: Swap,
}

impl Tool for MultiEdit {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let operations = operations(kit, arguments)?;
        Ok(Action::Read { paths: once(operations.into_iter().map(|operation| operation.path)) })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let operations = operations(kit, arguments)?;
        let all = operations.len();
        let overlay = Overlay::new(&kit.workspace, look.leave());
        let mut overlay = overlay.minding(kit.levers().syntax, kit.rewrite());
        for (nth, Operation { path, swap }) in operations.into_iter().enumerate() {
            overlay.swap(&path, swap).map_err(|failure| of_operation(nth, all, failure))?;
        }
        Ok(Edits::new(kit.workspace.clone(), overlay.into_parts()).checked(&kit.checks())?.planned())
    }
}

fn operations(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<Operation>, Failure> {
    let file = arguments.optional_text("file")?;
    let items = match arguments.items("operations")? {
        none if none.is_empty() && arguments.has("old") => return Ok(vec![operation(kit, arguments, None)?]),
        none if none.is_empty() => return arguments.missing("operations"),
        items if items.len() > MOST => return Err(too_many(FORM.tool, "operations")),
        items => items,
    };
    let all = items.len();
    let read = |(nth, item)| operation(kit, item, file.as_deref()).map_err(|failure| of_operation(nth, all, failure));
    items.iter().enumerate().map(read).collect()
}

fn operation(kit: &ToolContext, item: &Arguments, file: Option<&str>) -> Result<Operation, Failure> {
    let file = match (item.has("file"), file) {
        (false, Some(file)) => file.to_owned(),
        (true, _) | (false, None) => item.word("file")?,
    };
    Ok(Operation { path: kit.workspace.resolve(&file)?, swap: Swap::read(item, ["old", "new", "replace_all"])? })
}
