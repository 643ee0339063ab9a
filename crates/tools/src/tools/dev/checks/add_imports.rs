//! `add_imports`: imports what a change uses and forgot to import, where exactly one definition in the project has the name. A call
//! that the program makes before it checks a change.
//!
//! All of it is one question with the difference, like any change of several files.

use super::changed::ChangedFile;
use super::unfinished::Unfinished;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::change::{Author, EditPart, Edits, Findings, KnownState, Verb, before};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use agent_syntax::with_import;

pub(in crate::tools) static FORM: Form = Form {
    tool: "add_imports",
    group: Group::Dev,
    description: "Imports what a change uses and does not import.",
    parameters: &[
        Parameter::new("files", Kind::Texts, "[\"a.py\"]").required(),
        Parameter::new("before", Kind::Texts, "[\"new\"]").required(),
    ],
    ..BLANK
};

pub(in crate::tools) struct AddImports;

impl Tool for AddImports {
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let changed = ChangedFile::all(kit, arguments)?;
        let found = Unfinished::of(kit, &changed, "");
        let (mut parts, mut added): (Vec<EditPart>, Vec<String>) = (Vec::new(), Vec::new());
        for file in &changed {
            let missing: Vec<_> = found.imports().filter(|missing| missing.file == file.shown).collect();
            if missing.is_empty() {
                continue;
            }
            let lines = missing.iter().filter_map(|missing| missing.import.as_deref());
            parts.push(part(kit, file, lines)?);
            let names: Vec<&str> = missing.iter().map(|missing| missing.unknown.name.as_str()).collect();
            added.push(format!("{} in {}", names.join(", "), file.shown));
        }
        if parts.is_empty() {
            return Err(Failure::new(FailureKind::NotReady, "no import is missing that is clear"));
        }
        let title = format!("Import {}", added.join(" and "));
        Ok(Edits::new(kit.workspace.clone(), parts).checked(&kit.checks())?.titled(title).planned())
    }
}

fn part<'a>(kit: &ToolContext, file: &ChangedFile, lines: impl Iterator<Item = &'a str>) -> Result<EditPart, Failure> {
    let path = kit.workspace.resolve(&file.shown)?;
    let before = before(&kit.workspace, &path)?;
    let Some(there) = &before else {
        return Err(Failure::new(FailureKind::NotReady, format!("{} is gone", file.shown)));
    };
    let after = lines.fold(there.text.clone(), |text, line| with_import(&file.shown, &text, line));
    Ok(EditPart {
        after: Some(after),
        known: KnownState::If(path.clone(), there.digest.clone()),
        path,
        before,
        verb: Verb::Edit,
        note: None,
        how: None,
        author: Author::Model,
        findings: Findings::default(),
    })
}
