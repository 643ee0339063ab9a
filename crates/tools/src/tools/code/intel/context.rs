//! `project_context`: what a project is made of, in a few lines: languages, build, entry points, tests, git, folders.
//!
//! One walk through the names; of files only the beginnings of manifests are read, and lines counted.

mod build;
mod ci;
mod entries;
mod git;
mod languages;
mod manifests;
mod page;
mod survey;
mod tests_of;
mod tree;

use super::PATH;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::blocking::Stop;
use crate::program::Runner;
use crate::read_only_job::planned;
use crate::tools::ToolContext;
use crate::tools::code::reading::CodePlace;
use crate::tools::list_directory::require_folder;
use crate::workspace::Workspace;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, Outcome};
use manifests::Manifests;
use page::{ContextPage, ContextPart};
use std::path::PathBuf;
use survey::Survey;

/// Tokens that the result takes when nothing is said, the fewest and the most.
const TOKENS: (u64, u64, u64) = (1_200, 150, 8_000);
/// Characters of a token, as a rule.
const CHARACTERS: usize = 4;

pub(in crate::tools::code) static FORM: Form = Form {
    tool: "project_context",
    group: Group::Code,
    aliases: "project_info project_overview project_structure project_summary get_project_context get_project_info \
        analyze_project analyse_project codebase_overview repo_overview repo_info repository_info workspace_info",
    description: include_str!("project_context.md"),
    parameters: &[
        PATH,
        Parameter::new("max_tokens", Kind::Number, "1200").also("tokens tokenbudget budget maxlength limit"),
    ],
    ..BLANK
};

pub(in crate::tools::code) fn plan(
    kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let (usual, fewest, most) = TOKENS;
    let tokens = arguments.optional_number("max_tokens")?.unwrap_or(usual).clamp(fewest, most) as usize;
    let CodePlace { workspace, base, leave: _ } = place;
    let path = base.clone();
    let title = format!("Look at what {} is made of", workspace.shown(&path));
    let context = Context { workspace, runner: kit.runner.clone(), base, tokens };
    let work = Box::new(move |stop: &Stop, room| context.made(room, stop));
    Ok(planned(path, title, "give the path of a part of it", work))
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
            ContextPart::new("languages", 9, 4, languages::words(&languages)),
            ContextPart::new("build", 8, 6, build::words(&survey, &manifests)),
            ContextPart::new("members", 3, 6, manifests.members()),
            ContextPart::new("entry points", 7, 5, entries::words(&survey, &manifests)),
            ContextPart::new("scripts", 4, 4, manifests.scripts()),
            ContextPart::new("tests", 8, 3, tests_of::words(&survey, &manifests)),
            ContextPart::new("ci", 4, 3, ci::words(&survey)),
            ContextPart::new("key files", 5, 5, entries::key_files(&survey)),
            ContextPart::new("git", 9, 1, git::state(&self.runner, &self.workspace, &self.base).into_iter().collect()),
            ContextPart::lines("folders", 2, 12, tree::lines(&survey)),
        ];
        let told = ContextPage { parts, tokens: self.tokens, most: room.min(self.tokens * CHARACTERS) }.fitted();
        let summary = format!("{}, {}", words::count(survey.files.len() as u64, "file"), languages::main(&languages));
        Ok(words::done(told.clone(), summary, told))
    }

    fn heading(&self, survey: &Survey, manifests: &Manifests) -> ContextPart {
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
        ContextPart::new("project", 10, 3, heading)
    }
}
