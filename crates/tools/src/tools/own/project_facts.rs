//! `project_facts`: what a model would spend its first steps on finding out, told once with the first words of a session: the
//! day, the shell, what git says, what lies on top, how the project is built and tested, what is there and what is missing, and
//! where names of the words stand in the code.
//!
//! All of it is found in a moment, or left out. Names of files and branches are somebody else's words: they are cleaned and cut, and
//! each stands on a line that says what it is.

use super::places::{Named, places};
use super::repository::{Changes, checked_out};
use super::wanted::Wanted;
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::read_only_job::{self, ReadOnlyJob};
use crate::tools::ToolContext;
use crate::tools::dev::checks::commands::{self, KnownCommands};
use crate::walk::{Area, Depth, EntryKind, walk};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{Action, Failure, Outcome};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Characters of all facts together.
const MOST: usize = 1_200;

/// Characters of one name, of what lies on top, and of any other line.
const NAME: usize = 40;
const TOP: usize = 300;
const LINE: usize = 220;

/// Folders and files by which the environment of a project is known.
const ENVIRONMENT: &str = ".venv venv node_modules vendor .tool-versions Dockerfile docker-compose.yml Cargo.lock go.sum uv.lock \
    poetry.lock Pipfile.lock requirements.txt package-lock.json pnpm-lock.yaml yarn.lock bun.lock Gemfile.lock composer.lock";

pub(super) static FORM: Form = Form {
    tool: "project_facts",
    description: "Tells what is known of the project.",
    parameters: &[
        Parameter::new("words", Kind::Body, "\"fix parse_item\"").optional(),
        Parameter::new("message", Kind::Number, "1").optional(),
        Parameter::new("git", Kind::Flag, "true").optional(),
        Parameter::new("network", Kind::One(&["open", "asked", "closed"]), "\"asked\"").required(),
        Parameter::new("check", Kind::Text, "\"make check\"").optional(),
    ],
    ..BLANK
};

pub(super) struct ProjectFacts;

impl Tool for ProjectFacts {
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let until = kit.ahead.until(arguments.optional_number("message")?);
        let asked = Asked {
            words: arguments.optional_text("words")?.unwrap_or_default(),
            git: arguments.flag("git")?,
            network: arguments.word_of("network")?,
            check: arguments.optional_text("check")?.filter(|check| !check.trim().is_empty()),
        };
        let facts = Facts::of(kit, &asked, until);
        let paths = facts.paths(kit.workspace.root());
        let work = Box::new(move |_: &Stop, _room: usize| Ok(facts.told()));
        Ok(Box::new(ReadOnlyJob { paths, title: "Look around the project".into(), rest: "", work }))
    }
}

/// What the facts are found for.
struct Asked {
    words: String,
    /// Git may be asked.
    git: bool,
    network: &'static str,
    /// The command that the user set for checks.
    check: Option<String>,
}

struct Facts {
    day: String,
    shell: String,
    /// What is checked out, and what is changed there.
    git: Option<(String, Option<String>)>,
    top: Vec<String>,
    commands: KnownCommands,
    check: Option<String>,
    there: Vec<&'static str>,
    network: &'static str,
    named: Vec<Named>,
    /// Not all files were looked into for these.
    some_only: bool,
}

impl Facts {
    fn of(kit: &ToolContext, asked: &Asked, until: Instant) -> Self {
        let workspace = &kit.workspace;
        let checked_out = checked_out(workspace);
        let changes = checked_out.as_ref().filter(|_| asked.git).map(|_| Changes::ask(kit));
        let stop = Stop::at(until);
        let there =
            ENVIRONMENT.split_whitespace().filter(|name| workspace.root().join(name).symlink_metadata().is_ok());
        let mut facts = Facts {
            day: jiff::Zoned::now().date().to_string(),
            shell: shell(),
            git: None,
            top: top(workspace, &stop),
            commands: commands::known(kit),
            check: asked.check.clone(),
            there: there.collect(),
            network: asked.network,
            named: places(workspace, &Wanted::of(&asked.words).names, &stop),
            some_only: stop.wanted(),
        };
        facts.git = checked_out.map(|out| (out.words(), changes.and_then(|changes| changes.by(until, workspace))));
        facts
    }

    /// The folder, and the files that something is told of.
    fn paths(&self, root: &Path) -> Vec<PathBuf> {
        let mut paths = vec![root.to_owned()];
        for (path, ..) in self.named.iter().flat_map(|named| &named.places) {
            if !paths.contains(path) {
                paths.push(path.clone());
            }
        }
        paths
    }

    fn told(&self) -> Outcome {
        let told = self.text();
        words::done(told.clone(), self.summary(), told)
    }

    /// In a few words for the user.
    fn summary(&self) -> String {
        let branch = self.git.as_ref().map(|(out, _)| clean(out, NAME));
        let test =
            self.check.as_ref().or(self.commands.test.first()).map(|test| format!("tests: {}", clean(test, NAME)));
        let places = self.named.iter().map(|named| named.places.len()).sum::<usize>() as u64;
        let places = (places > 0).then(|| words::count(places, "place"));
        let parts: Vec<String> = branch.into_iter().chain(test).chain(places).collect();
        if parts.is_empty() { "no repository, no known tests".to_owned() } else { parts.join(", ") }
    }

    /// As the model is told them: a line for each kind, in the order of what they are worth where there are too many.
    fn text(&self) -> String {
        let mut lines = vec![format!("today is {}; commands run in {}", self.day, self.shell)];
        lines.extend(self.git.as_ref().map(|(out, changes)| match changes {
            Some(changes) if !changes.is_empty() => format!("git: {}; {changes}", clean(out, NAME)),
            Some(_) | None => format!("git: {}", clean(out, NAME)),
        }));
        lines.extend(self.how());
        lines.extend(self.environment());
        lines.extend(match self.network {
            "asked" => Some("temporary files: in $TMPDIR; no network until the user allows it".to_owned()),
            "closed" => Some("temporary files: in $TMPDIR; no network".to_owned()),
            _ => Some("temporary files: in $TMPDIR".to_owned()),
        });
        let mut lines: Vec<String> = lines.iter().map(|line| clean(line, LINE)).collect();
        lines.extend(self.named.iter().map(|named| clean(&place(named), LINE)));
        if self.some_only && !self.named.is_empty() {
            lines.push("(not all files were searched for these)".to_owned());
        }
        if !self.top.is_empty() {
            lines.insert(1, clean(&format!("on top: {}", self.top.join(", ")), TOP));
        }
        within(&lines)
    }

    /// How it is built and tested.
    fn how(&self) -> Option<String> {
        let list = |what: &str, lines: &[String]| {
            (!lines.is_empty())
                .then(|| format!("{what}: {}", lines.iter().take(3).cloned().collect::<Vec<_>>().join(" or ")))
        };
        let tests = match &self.check {
            Some(check) => Some(format!("check: {check}")),
            None => list("tests", &self.commands.test),
        };
        let parts: Vec<String> = list("build", &self.commands.build).into_iter().chain(tests).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// What is there, and what is missing.
    fn environment(&self) -> Option<String> {
        let there = (!self.there.is_empty()).then(|| format!("there: {}", self.there.join(", ")));
        let missing = &self.commands.missing;
        let missing = (!missing.is_empty()).then(|| format!("not installed: {}", missing.join(", ")));
        let parts: Vec<String> = there.into_iter().chain(missing).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// `parse_item: src/parse.rs:260, src/lib.rs:14`.
fn place(named: &Named) -> String {
    let places: Vec<String> = named.places.iter().map(|(_, shown, line)| format!("{shown}:{line}")).collect();
    format!("{}: {}", named.name, places.join(", "))
}

/// The lines between parentheses, as many as there is room for.
fn within(lines: &[String]) -> String {
    let mut told = "(facts about the project, found by the program:".to_owned();
    let mut left = MOST - told.chars().count() - 1;
    for line in lines {
        let takes = line.chars().count() + 3;
        if takes <= left {
            left -= takes;
            told.push_str("\n- ");
            told.push_str(line);
        }
    }
    told.push(')');
    told
}

/// Somebody else's words on one line, of at most so many characters.
fn clean(text: &str, most: usize) -> String {
    words::shortened(&clean_line(text), most - 1)
}

/// The names on top of the project, folders with a slash, as git sees them.
pub(super) fn top(workspace: &Workspace, stop: &Stop) -> Vec<String> {
    let entries = walk(Area::whole(workspace.root()), Hidden::Left, Depth::One, stop).into_iter();
    let open = entries.filter(|entry| !workspace.is_secret(&entry.path));
    let mut names: Vec<String> = open
        .map(|entry| {
            let slash = if entry.kind == EntryKind::Folder { "/" } else { "" };
            format!("{}{slash}", clean(&workspace.shown(&entry.path), NAME))
        })
        .collect();
    // Folders say more of a project than files do.
    names.sort_by_key(|name| !name.ends_with('/'));
    let mut left = TOP - 40;
    let fits = names.iter().take_while(|name| {
        let takes = name.chars().count() + 2;
        let fits = takes <= left;
        left = left.saturating_sub(takes);
        fits
    });
    let shown = fits.count();
    let more = names.len() - shown;
    names.truncate(shown);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names
}

/// What runs commands: `sh`, and what that is on this system.
fn shell() -> String {
    let real = Path::new("/bin/sh").canonicalize().ok();
    let name = real.as_deref().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("sh");
    if name == "sh" { "sh".to_owned() } else { format!("sh ({name})") }
}

#[cfg(test)]
#[path = "project_facts/tests.rs"]
mod tests;
