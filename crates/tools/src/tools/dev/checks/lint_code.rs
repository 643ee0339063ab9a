//! `lint_code`: runs the linter of whatever is here, and tells what it found in one line each.

use super::linters::{self, Linting};
use super::messages::{self, Message};
use super::place::{CheckedPlace, reach};
use super::{ARGS, FOREIGN, HABITS, PATH, TIMEOUT, path, readings, timeout_secs};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter, Refusal, When};
use crate::program::{Reading, Said, Told, WantedRun};
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure};
use std::sync::Arc;

pub(super) static FORM: Form = Form {
    tool: "lint_code",
    group: Group::Dev,
    aliases: "lint linter lint_file lint_files run_linter run_lint code_lint check_code static_analysis",
    description: include_str!("lint_code.md"),
    parameters: &[
        PATH,
        Parameter::new("linter", Kind::Text, "\"pylint\"").also("tool with runner program"),
        ARGS,
        TIMEOUT,
    ],
    foreign: FOREIGN,
    habits: HABITS,
    refused: &[Refusal {
        names: "fix autofix fixall apply write",
        when: When::Yes,
        advice: "lint_code changes nothing: use format_code, edit what it finds, or run the linter with run_command",
    }],
    ..BLANK
};

pub(super) struct LintCode;

impl Tool for LintCode {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(reach(&kit.workspace, &[path(kit, arguments)?]))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let place = CheckedPlace::find(&kit.workspace, path(kit, arguments)?)?;
        let (wanted, more) = (arguments.optional_text("linter")?, arguments.texts("args")?);
        let linting = linters::linting(&place, &kit.runner, wanted.as_deref(), &more)?;
        Ok(kit.runner.job(WantedRun {
            timeout_secs: timeout_secs(arguments)?,
            title: Some(format!("Lint {} with {}", place.shown(&place.path), linting.linter.name())),
            reading: Some(reading(&place, &linting)),
            ..WantedRun::argv(linting.argv.clone(), linting.cwd.clone())
        }))
    }
}

/// How what it says is told.
fn reading(place: &CheckedPlace, linting: &Linting) -> Reading {
    let (workspace, base, linter, note) =
        (place.workspace.clone(), linting.base.clone(), linting.linter, linting.note.clone());
    // Clippy looks at the whole package; of a file, what is in it is wanted.
    let only = place.is_file.then(|| place.shown(&place.path));
    Arc::new(move |said: &Said<'_>| {
        let spelled = |path: &str| workspace.shown(&base.join(path.trim_start_matches("./")));
        let all = messages::read(linter.form(), said.text, &spelled);
        if all.is_empty() && said.code != Some(0) {
            return Some(unread(said, linter.name(), &note));
        }
        let (found, elsewhere): (Vec<Message>, Vec<Message>) =
            all.into_iter().partition(|message| only.as_ref().is_none_or(|only| message.path == *only));
        let counts = messages::counts(&found);
        let mut told = format!("{}: {counts}{note}", linter.name());
        if said.cut {
            told.push_str("\n[the middle of its output was not kept: there may be more]");
        }
        told.push_str(&messages::lines(&found));
        if !elsewhere.is_empty() {
            told.push_str(&format!("\n[in other files: {}]", messages::counts(&elsewhere)));
        }
        Some(Told { told, summary: counts, failing: None, cannot_run: false })
    })
}

/// It failed, and found nothing: then something is wrong with it or its settings.
fn unread(said: &Said<'_>, name: &str, note: &str) -> Told {
    let tail = readings::tail(said.text);
    let told = format!("{name}{note} failed, and what it said names no place in a file; its end:\n{tail}");
    Told { told, summary: "results not understood".into(), failing: None, cannot_run: false }
}
