//! `test_runner`: runs the tests of whatever is here, and tells what failed instead of all that was said.

use super::cannot_run;
use super::changed::ChangedFile;
use super::frameworks::{self, FoundTests, Framework, TestRequest};
use super::place::{CheckedPlace, reach};
use super::readings::{self, Report, TestOutput, TestSpot};
use super::{ARGS, FOREIGN, HABITS, PATH, TIMEOUT, path, timeout_secs};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::program::{Reading, Said, Told, WantedRun};
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure};
use std::path::Path;
use std::sync::Arc;

pub(super) static FORM: Form = Form {
    tool: "test_runner",
    group: Group::Dev,
    aliases: "run_tests run_test tests test runtests execute_tests unit_tests run_unit_tests test_run",
    description: include_str!("test_runner.md"),
    parameters: &[
        PATH,
        Parameter::new("pattern", Kind::Text, "\"parses\"")
            .also("filter testname name testpattern test only match grep testfilter keyword testnamepattern")
            .optional()
            .says("name of tests"),
        Parameter::new("framework", Kind::Text, "\"pytest\"").also("runner testframework testrunner tool with type"),
        ARGS,
        TIMEOUT,
    ],
    foreign: FOREIGN,
    habits: HABITS,
    ..BLANK
};

pub(super) struct TestRunner;

impl Tool for TestRunner {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(reach(&kit.workspace, &[path(kit, arguments)?]))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let place = CheckedPlace::find(&kit.workspace, path(kit, arguments)?)?;
        let asked = TestRequest {
            pattern: arguments.optional_text("pattern")?,
            args: arguments.texts("args")?,
            ..TestRequest::default()
        };
        let found = frameworks::found(&place, &kit.runner);
        let taken = frameworks::chosen(&place, &found, arguments.optional_text("framework")?.as_deref())?;
        run((&place, &taken, &found), asked, timeout_secs(arguments)?, Vec::new(), kit)
    }
}

/// The tests that were taken of those that were found in the place.
pub(super) fn run(
    (place, taken, found): (&CheckedPlace, &FoundTests, &[FoundTests]),
    asked: TestRequest,
    timeout_secs: u64,
    changed: Vec<ChangedFile>,
    kit: &ToolContext,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let argv = taken.argv(place, &asked, &kit.runner)?;
    let heading = heading(place, taken);
    Ok(kit.runner.job(WantedRun {
        timeout_secs,
        title: Some(format!("Test with {heading}")),
        reading: Some(reading(place, taken, (heading, others(found, taken)), asked.pattern, changed)),
        ..WantedRun::argv(argv, taken.folder.clone())
    }))
}

/// `cargo test`, `pytest in api`.
fn heading(place: &CheckedPlace, taken: &FoundTests) -> String {
    match place.shown(&taken.folder).as_str() {
        "." => taken.framework.name().into(),
        folder => format!("{} in {folder}", taken.framework.name()),
    }
}

/// What else could have been run; for the model to know that it was a choice.
fn others(found: &[FoundTests], taken: &FoundTests) -> String {
    let mut names: Vec<&str> = Vec::new();
    for other in found.iter().filter(|other| other.framework != taken.framework) {
        if !names.contains(&other.framework.name()) {
            names.push(other.framework.name());
        }
    }
    if names.is_empty() { String::new() } else { format!("; there is also {}", names.join(", ")) }
}

/// How what it says is told.
fn reading(
    place: &CheckedPlace,
    taken: &FoundTests,
    (heading, others): (String, String),
    pattern: Option<String>,
    changed: Vec<ChangedFile>,
) -> Reading {
    let is_cargo = matches!(taken.framework, Framework::Cargo | Framework::Nextest);
    let base = if is_cargo { place.cargo_root(&taken.folder) } else { taken.folder.clone() };
    let text = (taken.framework == Framework::Go).then(|| place.text(&taken.folder, "go.mod")).flatten();
    let module = text.as_deref().and_then(module).unwrap_or_default();
    let (workspace, framework) = (place.workspace.clone(), taken.framework);
    Arc::new(move |said: &Said<'_>| {
        let spelled = |spot: &TestSpot| {
            // A path that goes up from there is spelled out: only text is compared here.
            let path = base.join(&spot.path);
            format!("{}:{}", workspace.shown(&path), spot.line)
        };
        let read = readings::read(&TestOutput { framework, text: said.text, module: &module });
        let cannot_run = cannot_run::reason(said, read.as_ref(), &changed);
        let made = match read.filter(|report| report.agrees(said.code)) {
            Some(report) => told(&report, said, &heading, &others, pattern.as_deref(), &spelled),
            None => unread(said, &heading, &others),
        };
        Some(or_not_run(made, cannot_run))
    })
}

/// Whose command is a check?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The user's: what ends well has passed, whether tests are a part of it or not.
    Users,
    /// The model's, or one that the program chose.
    Models,
}

/// That it could not run, and why, where that is so.
fn or_not_run(told: Told, reason: Option<String>) -> Told {
    match reason {
        Some(summary) => Told { summary, cannot_run: true, ..told },
        None => told,
    }
}

/// How what a command of one's own says is told, where it turns out to run tests; else it stays as it is.
pub(super) fn reading_of_any(
    workspace: &Workspace,
    folder: &Path,
    heading: String,
    whose: Whose,
    changed: Vec<ChangedFile>,
) -> Reading {
    let (workspace, base) = (workspace.clone(), folder.to_owned());
    Arc::new(move |said: &Said<'_>| {
        let spelled = |spot: &TestSpot| format!("{}:{}", workspace.shown(&base.join(&spot.path)), spot.line);
        let output = TestOutput { framework: Framework::Make, text: said.text, module: "" };
        let read = readings::read(&output);
        let cannot_run = cannot_run::reason(said, read.as_ref(), &changed);
        let report = read.filter(|report| report.agrees(said.code));
        if whose == Whose::Users && said.code == Some(0) && report.as_ref().is_some_and(|read| read.ran() == Some(0)) {
            return None;
        }
        let made = match report {
            Some(report) => told(&report, said, &heading, "", None, &spelled),
            None if cannot_run.is_some() => unread(said, &heading, ""),
            None => return None,
        };
        Some(or_not_run(made, cannot_run))
    })
}

fn module(text: &str) -> Option<String> {
    let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    Some(name.split("//").next().unwrap_or(name).trim().trim_matches('"').to_owned())
}

fn told(
    report: &Report,
    said: &Said<'_>,
    heading: &str,
    others: &str,
    pattern: Option<&str>,
    spelled: &dyn Fn(&TestSpot) -> String,
) -> Told {
    let counts = report.counts();
    let mut told = format!("{heading}: {counts}{others}");
    if said.cut {
        told.push_str("\n[the middle of its output was not kept: there may be more than is counted here]");
    }
    if report.ran() == Some(0) && report.broken.is_empty() {
        told.push_str(&match pattern {
            Some(pattern) => format!("\nno test has {pattern:?} in its name"),
            None => "\nthere seem to be no tests here".into(),
        });
    }
    told.push_str(&report.faults(spelled));
    Told { told, summary: counts, failing: Some(report.failing()), cannot_run: false }
}

fn unread(said: &Said<'_>, heading: &str, others: &str) -> Told {
    let tail = readings::tail(said.text);
    let told = if tail.is_empty() {
        format!("{heading}{others}\nit said nothing")
    } else {
        format!("{heading}{others}\nwhat it said could not be read as results of tests; its end:\n{tail}")
    };
    Told { told, summary: "results not understood".into(), failing: None, cannot_run: false }
}
