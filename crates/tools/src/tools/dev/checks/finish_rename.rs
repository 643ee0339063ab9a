//! `finish_rename`: puts the new name of something in place of the old one wherever that is left, once nothing of the old name is
//! defined any more. A call that the program makes for a model that works by files: it renamed the definition and left uses.
//!
//! All of it is one question with the difference, like any change of several files.

use super::uses::{CodeFile, Extent, MOST_USES, each_code_file, places, replaced};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::change::{Author, EditPart, Edits, Findings, KnownState, Verb, before};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use agent_syntax::Source;

pub(in crate::tools) static FORM: Form = Form {
    tool: "finish_rename",
    group: Group::Dev,
    description: "Puts a new name in place of what is left of an old one.",
    parameters: &[
        Parameter::new("from", Kind::Line, "\"old_name\"").required(),
        Parameter::new("to", Kind::Line, "\"new_name\"").required(),
    ],
    ..BLANK
};

pub(in crate::tools) struct FinishRename;

impl Tool for FinishRename {
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (from, to) = (arguments.text("from")?, arguments.text("to")?);
        let left = left(kit, &from, &to)?;
        let shown: Vec<&str> = left.iter().map(|file| file.shown.as_str()).collect();
        let title = format!("Put {to} in place of {from} in {}", shown.join(" and "));
        let parts = left.into_iter().map(|file| part(kit, file, &from, &to)).collect::<Result<_, _>>()?;
        Ok(Edits::new(kit.workspace.clone(), parts).checked(&kit.checks())?.titled(title).planned())
    }
}

/// The files in which the old name is left. A failure where it cannot be told that all of its places are meant.
fn left(kit: &ToolContext, from: &str, to: &str) -> Result<Vec<CodeFile>, Failure> {
    let not_ready = |why: String| Err(Failure::new(FailureKind::NotReady, why));
    let (mut left, mut uses) = (Vec::new(), 0);
    let (mut old, mut new) = (None, false);
    let extent = each_code_file(&kit.workspace, |file| {
        let here = places(&file.text, from).len();
        if here == 0 && places(&file.text, to).is_empty() {
            return;
        }
        let Ok(source) = Source::read(file.language, &file.text, &|| Ok(())) else { return };
        new |= source.symbols().iter().any(|symbol| symbol.name == to);
        if source.symbols().iter().any(|symbol| symbol.name == from) {
            old = Some(file.shown.clone());
        }
        uses += here;
        if here > 0 {
            left.push(file);
        }
    });
    match old {
        _ if extent == Extent::Part => not_ready("there was no time to look at all files".into()),
        Some(shown) => not_ready(format!("{from} is still defined in {shown}")),
        None if !new => not_ready(format!("{to} is defined nowhere")),
        None if uses == 0 || uses > MOST_USES => not_ready(format!("{from} stands in {uses} places")),
        None => Ok(left),
    }
}

fn part(kit: &ToolContext, file: CodeFile, from: &str, to: &str) -> Result<EditPart, Failure> {
    let before = before(&kit.workspace, &file.path)?;
    let Some(there) = &before else {
        return Err(Failure::new(FailureKind::NotReady, format!("{} is gone", file.shown)));
    };
    Ok(EditPart {
        after: Some(replaced(&there.text, from, to)),
        known: KnownState::If(file.path.clone(), there.digest.clone()),
        path: file.path,
        before,
        verb: Verb::Edit,
        note: None,
        how: None,
        author: Author::Model,
        findings: Findings::default(),
    })
}
