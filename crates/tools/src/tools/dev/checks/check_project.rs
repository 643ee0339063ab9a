//! `check_project`: after a model's changes, whether the changed files can be parsed, and whether the project's own check
//! passes: the command of the config, or one that ran with success before, or the tests that are found here.
//!
//! A call that the program makes; the command goes through the same questions and the same sandbox as any other.

use super::frameworks::{self, FoundTests, Framework, TestRequest};
use super::place::CheckedPlace;
use super::test_runner::run;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::look;
use crate::open::plain_file_below;
use crate::program::{LONGEST, WantedRun};
use crate::tools::Kit;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_code::{Language, Source};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use std::path::Path;

/// Bytes of the largest file that is parsed.
const LARGEST: u64 = 512 * 1_024;

pub(in crate::tools) static FORM: Form = Form {
    tool: "check_project",
    group: Group::Dev,
    description: "Checks the project after changes.",
    parameters: &[
        Parameter::new("files", Kind::Texts, "[\"a.py\"]").optional(),
        Parameter::new("command", Kind::Line, "\"make check\"").optional(),
    ],
    ..BLANK
};

pub(in crate::tools) struct CheckProject;

impl Tool for CheckProject {
    fn reach(&self, kit: &Kit, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(look::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &Kit, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        for shown in arguments.texts("files")? {
            parses(&kit.workspace, &shown)?;
        }
        let root = kit.workspace.root().to_owned();
        if let Some(command) = arguments.optional_text("command")?.filter(|command| !command.trim().is_empty()) {
            let title = Some(format!("Check with {command}"));
            return Ok(kit.runner.job(WantedRun { timeout_secs: LONGEST, title, ..WantedRun::line(command, root) }));
        }
        let place = CheckedPlace::find(&kit.workspace, root.clone())?;
        let found = frameworks::found(&place, &kit.runner);
        let Some(taken) = found.first() else { return Err(no_check()) };
        if is_plain_python(&place, taken, kit) {
            let argv = ["python3", "-m", "unittest", "-q"].map(str::to_owned).to_vec();
            let title = Some("Test with unittest".to_owned());
            return Ok(kit.runner.job(WantedRun { timeout_secs: LONGEST, title, ..WantedRun::argv(argv, root) }));
        }
        run((&place, taken, &found), TestRequest::default(), LONGEST, kit)
            .map_err(|failure| Failure::new(FailureKind::NotReady, failure.message))
    }
}

/// The file can be read as what it is; where there is no grammar for it, it is taken as it is.
fn parses(workspace: &Workspace, shown: &str) -> Result<(), Failure> {
    let bytes = plain_file_below(workspace.root(), Path::new(shown), LARGEST);
    let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { return Ok(()) };
    let Some(language) = Language::of(shown, &text) else { return Ok(()) };
    let Ok(source) = Source::read(language, &text, &|| Ok(())) else { return Ok(()) };
    let Some(line) = source.fault() else { return Ok(()) };
    let wrong = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
    let message = format!("{shown} cannot be parsed any more: line {line}, `{wrong}`");
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

/// Tests of Python's own kind, where pytest is not there to run them.
fn is_plain_python(place: &CheckedPlace, taken: &FoundTests, kit: &Kit) -> bool {
    let is_unittest = |folder: &Path| {
        let names = place.names(folder);
        names.iter().any(|name| place.text(folder, name).is_some_and(|text| text.contains("unittest")))
    };
    taken.framework == Framework::Pytest
        && kit.runner.find("pytest").is_none()
        && (is_unittest(&place.folder) || is_unittest(&place.folder.join("tests")))
}

fn no_check() -> Failure {
    Failure::new(FailureKind::NotReady, "no check of this project is known; set `command` under [checks]")
}
