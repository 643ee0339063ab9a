//! `check_project`: after a model's changes, whether they left a fault in the files, and whether the project's own check passes:
//! the command of the config, or the one that the model ran in this session, or the tests that are found here.
//!
//! A call that the program makes; the command goes through the same questions and the same sandbox as any other.

use super::changed::ChangedFile;
use super::frameworks::{FoundTests, Framework, TestRequest};
use super::near::{self, NearTests, TestExtent};
use super::place::CheckedPlace;
use super::test_runner::{Whose, reading_of_any, run};
use super::unfinished::Unfinished;
use super::uses::{MOST_USES, each_code_file, is_prose, places};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::program::WantedRun;
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use agent_syntax::new_fault;

/// Seconds that a check may take: somebody waits for the end of the turn.
const PATIENCE: u64 = 120;

/// Seconds that all tests of the project may take.
const PATIENCE_WHOLE: u64 = 60;

pub(in crate::tools) static FORM: Form = Form {
    tool: "check_project",
    group: Group::Dev,
    description: "Checks the project after changes.",
    parameters: &[
        Parameter::new("files", Kind::Texts, "[\"a.py\"]").optional(),
        Parameter::new("before", Kind::Texts, "[\"new\"]").optional(),
        Parameter::new("command", Kind::Line, "\"make check\"").optional(),
        Parameter::new("own_command", Kind::Line, "\"pytest -q\"").optional(),
        Parameter::new("own_folder", Kind::Text, "\".\"").optional(),
        Parameter::new("renamed", Kind::Line, "\"old_name\"").optional(),
        Parameter::new("asked", Kind::Text, "\"add a test\"").optional(),
        Parameter::new("without_imports", Kind::Flag, "true").optional(),
    ],
    ..BLANK
};

pub(in crate::tools) struct CheckProject;

impl Tool for CheckProject {
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let changed = ChangedFile::all(kit, arguments)?;
        changed.iter().try_for_each(parses)?;
        if let Some(name) = arguments.optional_text("renamed")? {
            is_nowhere(&kit.workspace, &name)?;
        }
        if let Some(asked) = arguments.optional_text("asked")? {
            is_finished(kit, &changed, &asked, arguments.flag("without_imports")?)?;
        }
        if !changed.is_empty() && changed.iter().all(|file| is_prose(&file.shown)) {
            return Err(Failure::new(FailureKind::NotReady, "what was changed is text for people: nothing checks it"));
        }
        let given = |name: &str| Ok(arguments.optional_text(name)?.filter(|command| !command.trim().is_empty()));
        if let Some(command) = given("command")? {
            return Ok(line(kit, command, ".", Whose::Users, changed));
        }
        if let Some(command) = given("own_command")? {
            let folder = given("own_folder")?.unwrap_or_default();
            return Ok(line(kit, command, &folder, Whose::Models, changed));
        }
        let near = near::find(kit, &changed)?.ok_or_else(no_check)?;
        tests(kit, near, changed).map_err(|failure| Failure::new(FailureKind::CannotRun, failure.message))
    }
}

/// The job that runs the line of a shell.
fn line(
    kit: &ToolContext,
    command: String,
    folder: &str,
    whose: Whose,
    changed: Vec<ChangedFile>,
) -> Box<dyn PlannedCall> {
    let folder = kit.workspace.resolve(folder).unwrap_or_else(|_| kit.workspace.root().to_owned());
    let title = Some(format!("Check with {command}"));
    let reading = Some(reading_of_any(&kit.workspace, &folder, command.clone(), whose, changed));
    kit.runner.job(WantedRun { timeout_secs: PATIENCE, title, reading, ..WantedRun::line(command, folder) })
}

/// The job that runs tests that were found.
fn tests(kit: &ToolContext, near: NearTests, changed: Vec<ChangedFile>) -> Result<Box<dyn PlannedCall>, Failure> {
    let NearTests { taken, found, files, extent } = near;
    let place = CheckedPlace::find(&kit.workspace, taken.folder.clone())?;
    let timeout_secs = match extent {
        TestExtent::Near => PATIENCE,
        TestExtent::Whole => PATIENCE_WHOLE,
    };
    if let Some(words) = plain_python(&place, &taken, kit) {
        let argv = words.iter().chain(&["-q"]).map(|&word| word.to_owned()).collect();
        let title = Some("Test with unittest".to_owned());
        let reading =
            Some(reading_of_any(&kit.workspace, &taken.folder, "unittest".to_owned(), Whose::Models, changed));
        return Ok(kit.runner.job(WantedRun { timeout_secs, title, reading, ..WantedRun::argv(argv, taken.folder) }));
    }
    let asked = TestRequest { only: files, ..TestRequest::default() };
    run((&place, &taken, &found), asked, timeout_secs, changed, kit)
}

/// A name that was to be another is used nowhere any more. One that is used in many places may be an ordinary word.
fn is_nowhere(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    let mut uses = Vec::new();
    each_code_file(workspace, |file| {
        let lines = file.text.lines().enumerate().filter(|(_, line)| !places(line, name).is_empty());
        uses.extend(lines.map(|(at, line)| format!("{}:{} {}", file.shown, at + 1, line.trim())));
    });
    if uses.is_empty() || uses.len() > MOST_USES {
        return Ok(());
    }
    let message = format!("{name} was to be renamed and is still used:\n{}", uses.join("\n"));
    Err(Failure::new(FailureKind::Syntax, message))
}

/// No body is left to be written that the turn wrote or was asked to fill, and no name is used that nothing defines.
/// `without_imports`: the user rejected those that the program would add.
fn is_finished(kit: &ToolContext, changed: &[ChangedFile], asked: &str, without_imports: bool) -> Result<(), Failure> {
    let mut found = Unfinished::of(kit, changed, asked);
    if without_imports {
        found.drop_imports();
    }
    if found.is_empty() { Ok(()) } else { Err(Failure::new(FailureKind::Unfinished, found.told())) }
}

/// The turn left no fault in the file that nothing but a fault reads like, and that was not there before.
fn parses(file: &ChangedFile) -> Result<(), Failure> {
    let Some((before, now)) = file.texts() else { return Ok(()) };
    let Some(fault) = new_fault(&file.shown, before, now).filter(|fault| fault.is_certain) else { return Ok(()) };
    let wrong = now.lines().nth(fault.line.saturating_sub(1)).unwrap_or_default().trim();
    let why = if fault.why.is_empty() { String::new() } else { format!(" ({})", fault.why) };
    let message = format!("{} does not parse since the change: line {}, `{wrong}`{why}", file.shown, fault.line);
    Err(Failure::new(FailureKind::Syntax, message))
}

/// The words that run tests of Python's own kind, where pytest is not there to run them.
///
/// By itself unittest looks for `test*.py` only; pytest takes `*_test.py` too, and so does this.
pub(super) fn plain_python(
    place: &CheckedPlace,
    taken: &FoundTests,
    kit: &ToolContext,
) -> Option<&'static [&'static str]> {
    if taken.framework != Framework::Pytest || kit.runner.find("pytest").is_some() {
        return None;
    }
    let folders = [taken.folder.clone(), taken.folder.join("tests")];
    let names = folders.iter().flat_map(|folder| place.names(folder).into_iter().map(move |name| (folder, name)));
    let tests: Vec<String> = names
        .filter(|(folder, name)| place.text(folder, name).is_some_and(|text| text.contains("unittest")))
        .map(|(_, name)| name)
        .collect();
    let has_usual_name = tests.iter().any(|name| name.starts_with("test"));
    let has_other_name = tests.iter().any(|name| name.ends_with("_test.py"));
    match (tests.is_empty(), has_usual_name, has_other_name) {
        (true, ..) => None,
        (_, false, true) => Some(&["python3", "-m", "unittest", "discover", "-p", "*_test.py"]),
        _ => Some(&["python3", "-m", "unittest"]),
    }
}

fn no_check() -> Failure {
    Failure::new(FailureKind::NotReady, "no check of this project is known; set `command` under [checks]")
}
