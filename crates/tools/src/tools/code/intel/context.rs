//! `project_context`: what a project is made of, in a few lines: languages, build, entry points, tests, git, folders.
//!
//! One walk through the names; of files only the beginnings of manifests are read, and lines counted.

mod build;
mod cargo;
mod ci;
mod entries;
mod git;
mod languages;
mod manifests;
mod node;
mod page;
mod python;
mod survey;
mod tests_of;
mod tree;

use super::PATH;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Need, Parameter};
use crate::blocking::Stop;
use crate::look;
use crate::look::action;
use crate::program::Runner;
use crate::tools::Kit;
use crate::tools::list_directory::require_folder;
use crate::workspace::Workspace;
use crate::{Job, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Outcome};
use manifests::Manifests;
use page::{Page, Part};
use std::path::PathBuf;
use survey::Survey;

/// Tokens that the result takes when nothing is said, the fewest and the most.
const TOKENS: (u64, u64, u64) = (1_200, 150, 8_000);
/// Characters of a token, as a rule.
const CHARACTERS: usize = 4;

pub(super) static FORM: Form = Form {
    tool: "project_context",
    group: Group::Code,
    aliases: "project_info project_overview project_structure project_summary get_project_context get_project_info \
        analyze_project analyse_project codebase_overview repo_overview repo_info repository_info workspace_info",
    description: include_str!("project_context.md"),
    parameters: &[
        PATH,
        Parameter {
            name: "max_tokens",
            aliases: "tokens tokenbudget budget maxlength limit",
            kind: Kind::Number,
            need: Need::Unlisted,
            says: "",
            example: "1200",
        },
    ],
    ..BLANK
};

pub(super) struct ProjectContext {
    workspace: Workspace,
    runner: Runner,
}

impl ProjectContext {
    pub(super) fn new(workspace: Workspace, runner: Runner) -> Self {
        ProjectContext { workspace, runner }
    }

    fn path(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        self.workspace.resolve(&arguments.optional_text("path")?.unwrap_or_default())
    }
}

impl Tool for ProjectContext {
    fn reach(&self, _kit: &Kit, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(action(self.path(arguments)?))
    }

    fn plan(&self, _kit: &Kit, arguments: &Arguments, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let path = self.path(arguments)?;
        let (usual, fewest, most) = TOKENS;
        let tokens = arguments.optional_number("max_tokens")?.unwrap_or(usual).clamp(fewest, most) as usize;
        let title = format!("Look at what {} is made of", self.workspace.shown(&path));
        let context =
            Context { workspace: self.workspace.clone(), runner: self.runner.clone(), base: path.clone(), tokens };
        let work = Box::new(move |stop: &Stop, room| context.made(room, stop));
        Ok(look::planned(path, title, "give the path of a part of it", work))
    }
}

struct Context {
    workspace: Workspace,
    runner: Runner,
    base: PathBuf,
    tokens: usize,
}

impl Context {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        require_folder(&self.workspace, &self.base)?;
        let survey = Survey::of(&self.workspace, &self.base, stop);
        stop.check()?;
        if survey.files.is_empty() {
            let told = "[no files here; hidden, git-ignored and vendored ones are not counted]";
            return Ok(words::done(told.into(), "no files".into(), String::new()));
        }
        let manifests = Manifests::of(&self.workspace, &survey);
        let languages = languages::count(&self.workspace, &survey, stop);
        stop.check()?;
        let parts = vec![
            self.heading(&survey, &manifests),
            Part::new("languages", 9, 4, languages::words(&languages)),
            Part::new("build", 8, 6, build::words(&survey, &manifests)),
            Part::new("members", 3, 6, manifests.members()),
            Part::new("entry points", 7, 5, entries::words(&survey, &manifests)),
            Part::new("scripts", 4, 4, manifests.scripts()),
            Part::new("tests", 8, 3, tests_of::words(&survey, &manifests)),
            Part::new("ci", 4, 3, ci::words(&survey)),
            Part::new("key files", 5, 5, entries::key_files(&survey)),
            Part::new("git", 9, 1, git::state(&self.runner, &self.workspace, &self.base).into_iter().collect()),
            Part::lines("folders", 2, 12, tree::lines(&survey)),
        ];
        let told = Page { parts, tokens: self.tokens, most: room.min(self.tokens * CHARACTERS) }.fitted();
        let summary = format!("{}, {}", words::count(survey.files.len() as u64, "file"), languages::main(&languages));
        Ok(words::done(told.clone(), summary, told))
    }

    fn heading(&self, survey: &Survey, manifests: &Manifests) -> Part {
        let name = manifests.name().unwrap_or_else(|| {
            let folder = self.base.file_name().map(|name| name.to_string_lossy().into_owned());
            folder.unwrap_or_else(|| self.workspace.shown(&self.base))
        });
        let mut heading = match manifests.description() {
            Some(description) => vec![format!("{name} ({description})")],
            None => vec![name],
        };
        heading.push(words::count(survey.files.len() as u64, "file"));
        heading.extend(survey.left_out());
        Part::new("project", 10, 3, heading)
    }
}
