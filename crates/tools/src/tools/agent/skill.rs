//! `skill`: the words that the user wrote for a certain kind of work, told when the model asks for them.
//!
//! Which there are is found when the session begins, by the door. Without any the tool is not offered: it would cost
//! prompt for nothing.

mod listed;

use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter, plain};
use crate::open::{Found, open, read_all};
use crate::read_only_job::ReadOnlyJob;
use crate::tools::ToolContext;
use crate::workspace::{Workspace, resolve_by};
use crate::{PlannedCall, Tool, text, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome, SkillCard, ToolSpec};
use std::path::{Path, PathBuf};
use strsim::damerau_levenshtein;

pub(super) static FORM: Form = Form {
    tool: "skill",
    group: Group::Agent,
    aliases: "skills use_skill load_skill run_skill invoke_skill get_skill activate_skill",
    description: include_str!("skill.md"),
    parameters: &[Parameter::new("command", Kind::Text, "\"review\"")
        .also("name skill skillname id title")
        .required()
        .says("its name")],
    ..BLANK
};

/// The longest text of a skill, in bytes.
const LONGEST: u64 = 256 << 10;
/// Names that are told where one is unknown.
const NAMED: usize = 40;

pub(super) struct Skill {
    workspace: Workspace,
    skills: Vec<SkillCard>,
}

impl Skill {
    pub(super) fn new(workspace: Workspace, skills: Vec<SkillCard>) -> Self {
        Skill { workspace, skills }
    }

    fn meant(&self, arguments: &Arguments) -> Result<&SkillCard, Failure> {
        let asked = arguments.word("command")?;
        let asked = asked.trim().trim_start_matches('/');
        let exact = self.skills.iter().find(|skill| skill.name == asked);
        exact
            .or_else(|| self.skills.iter().find(|skill| plain(&skill.name) == plain(asked)))
            .ok_or_else(|| self.unknown(asked))
    }

    fn unknown(&self, asked: &str) -> Failure {
        let asked: String = asked.chars().take(80).collect();
        let far = |skill: &&SkillCard| damerau_levenshtein(&plain(&skill.name), &plain(&asked));
        let mut near: Vec<&SkillCard> = self.skills.iter().collect();
        near.sort_by_cached_key(far);
        let names: Vec<&str> = near.iter().take(NAMED).map(|skill| skill.name.as_str()).collect();
        let more = match near.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = match names.is_empty() {
            true => format!("there is no skill {asked:?}, nor any other; go on without"),
            false => format!("there is no skill {asked:?}; the skills are {}{more}", names.join(", ")),
        };
        Failure::new(FailureKind::NotFound, message)
    }

    /// The skill's folder and its file, links followed.
    fn places(&self, skill: &SkillCard) -> Result<[PathBuf; 2], Failure> {
        let file = resolve_by(&skill.path, &mut |_| ())?;
        let folder = file.parent().unwrap_or(&file).to_owned();
        Ok([folder, file])
    }
}

impl Tool for Skill {
    fn spec(&self, form: &Form) -> ToolSpec {
        let spec = form.spec();
        ToolSpec { description: listed::described(&spec.description, &self.skills), ..spec }
    }

    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let paths = self.places(self.meant(arguments)?)?.to_vec();
        Ok(Action::Read { paths })
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let skill = self.meant(arguments)?;
        let (name, paths, workspace) = (skill.name.clone(), self.places(skill)?, self.workspace.clone());
        Ok(Box::new(ReadOnlyJob {
            title: format!("Skill {name}"),
            rest: "read_file gives the rest of its SKILL.md",
            work: Box::new({
                let paths = paths.clone();
                move |_, _| told(&workspace, &name, &paths)
            }),
            paths: paths.into(),
        }))
    }

    fn idle(&self) -> Option<&'static str> {
        self.skills.is_empty().then_some("no skills are installed here; go on without")
    }
}

/// The words of the skill, and what else its folder holds.
fn told(workspace: &Workspace, name: &str, [folder, file]: &[PathBuf; 2]) -> Result<Outcome, Failure> {
    let shown = workspace.shown(file);
    let text = text_of(workspace, file, &shown)?;
    let others = listed::others(folder, file);
    let beside = match others.as_slice() {
        [] => String::new(),
        names => format!("\nbeside it in {}, for read_file: {}", workspace.shown(folder), names.join(", ")),
    };
    let body = body(&text).trim();
    let summary = words::count(body.lines().count() as u64, "line");
    Ok(words::done(format!("skill {name}, from {shown}{beside}\n\n{body}\n"), summary, String::new()))
}

fn text_of(workspace: &Workspace, file: &Path, shown: &str) -> Result<String, Failure> {
    match open(workspace, file)? {
        Found::File(mut file, _) => text::exact(read_all(&mut file, shown, LONGEST)?, shown),
        Found::Missing | Found::Folder => {
            Err(Failure::new(FailureKind::NotFound, format!("{shown} is not there any more; go on without this skill")))
        }
    }
}

/// What stands below the head, which was read when the session began.
fn body(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let Some((first, rest)) = text.split_once('\n').filter(|(first, _)| first.trim_end() == "---") else { return text };
    let mut at = first.len() + 1;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return &text[at..];
        }
    }
    text
}
