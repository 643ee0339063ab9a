//! `check_project`: after a model's changes, whether the changed files can be parsed, and whether the project's own check
//! passes: the command of the config, or one that ran with success before, or the tests that are found here.
//!
//! A call that the program makes; the command goes through the same questions and the same sandbox as any other.

use super::frameworks::{self, FoundTests, Framework, TestRequest};
use super::place::CheckedPlace;
use super::test_runner::{reading_of_any, run};
use super::uses::{MOST_USES, each_code_file, is_prose, places};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::look;
use crate::open::plain_file_below;
use crate::program::WantedRun;
use crate::tools::Kit;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_code::{Language, Source};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use std::path::{Path, PathBuf};

/// Seconds that a check may take: somebody waits for the end of the turn.
const PATIENCE: u64 = 120;

/// Bytes of the largest file that is parsed.
const LARGEST: u64 = 512 * 1_024;

pub(in crate::tools) static FORM: Form = Form {
    tool: "check_project",
    group: Group::Dev,
    description: "Checks the project after changes.",
    parameters: &[
        Parameter::new("files", Kind::Texts, "[\"a.py\"]").optional(),
        Parameter::new("command", Kind::Line, "\"make check\"").optional(),
        Parameter::new("renamed", Kind::Line, "\"old_name\"").optional(),
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
        if let Some(name) = arguments.optional_text("renamed")? {
            is_nowhere(&kit.workspace, &name)?;
        }
        let root = kit.workspace.root().to_owned();
        let files = arguments.texts("files")?;
        if !files.is_empty() && files.iter().all(|file| is_prose(file)) {
            return Err(Failure::new(FailureKind::NotReady, "what was changed is text for people: nothing checks it"));
        }
        if let Some(command) = arguments.optional_text("command")?.filter(|command| !command.trim().is_empty()) {
            let title = Some(format!("Check with {command}"));
            let reading = Some(reading_of_any(&kit.workspace, &root, command.clone()));
            return Ok(kit.runner.job(WantedRun {
                timeout_secs: PATIENCE,
                title,
                reading,
                ..WantedRun::line(command, root)
            }));
        }
        let place = CheckedPlace::find(&kit.workspace, common(&root, &files))?;
        let found = frameworks::found(&place, &kit.runner);
        let Some(taken) = found.first() else { return Err(no_check()) };
        if let Some(words) = plain_python(&place, taken, kit) {
            let argv = words.iter().chain(&["-q"]).map(|&word| word.to_owned()).collect();
            let title = Some("Test with unittest".to_owned());
            return Ok(kit.runner.job(WantedRun {
                timeout_secs: PATIENCE,
                title,
                reading: Some(reading_of_any(&kit.workspace, &taken.folder, "unittest".to_owned())),
                ..WantedRun::argv(argv, taken.folder.clone())
            }));
        }
        run((&place, taken, &found), TestRequest::default(), PATIENCE, kit)
            .map_err(|failure| Failure::new(FailureKind::NotReady, failure.message))
    }
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

/// The innermost folder that holds all these files, as far as it is there: its tests are those of the change.
fn common(root: &Path, files: &[String]) -> PathBuf {
    let mut folders = files.iter().map(|file| root.join(file).parent().unwrap_or(root).to_owned());
    let first = folders.next().unwrap_or_else(|| root.to_owned());
    let shared = folders.fold(first, |shared, folder| {
        shared.ancestors().find(|around| folder.starts_with(around)).unwrap_or(root).to_owned()
    });
    if shared.starts_with(root) && shared.is_dir() { shared } else { root.to_owned() }
}

/// The file can be read as what it is; where there is no grammar for it, it is taken as it is.
fn parses(workspace: &Workspace, shown: &str) -> Result<(), Failure> {
    let bytes = plain_file_below(workspace.root(), Path::new(shown), LARGEST);
    let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { return Ok(()) };
    let Some(language) = Language::of(shown, &text) else { return Ok(()) };
    let Ok(source) = Source::read(language, &text, &|| Ok(())) else { return Ok(()) };
    let Some(line) = source.fault() else { return Ok(()) };
    let wrong = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
    let message = format!("{shown} does not parse: line {line}, `{wrong}`");
    Err(Failure::new(FailureKind::Syntax, message))
}

/// The words that run tests of Python's own kind, where pytest is not there to run them.
///
/// By itself unittest looks for `test*.py` only; pytest takes `*_test.py` too, and so does this.
pub(super) fn plain_python(place: &CheckedPlace, taken: &FoundTests, kit: &Kit) -> Option<&'static [&'static str]> {
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
