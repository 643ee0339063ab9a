//! A task as it stands in its folder: `task.toml`, `prompt.md`, `start/`, `hidden/`, and for the self-test `solution.patch` and
//! `wrong/*.patch`, differences against the start. Reads and checks; fills it from a seed (`filling`), and runs nothing.

mod filling;

use crate::readers::Reader;
use crate::tree::{self, Files};
use filling::{Choice, chosen, filled};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The first line of a prompt is no part of it: it marks the text as a task, for whoever gathers texts to train on.
const CANARY: &str = "<!-- agent-bench canary";

/// What says what kind of task it is, and how it is graded.
const SHEET: &str = "task.toml";

/// What a task asks of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// One stub and a specification.
    Write,
    /// A visible test that fails.
    Mend,
    /// A symptom in words, and no test that shows it.
    Find,
    /// One change in several files.
    Across,
    /// One place in a long file.
    Long,
    /// Something has to be run, and what it says is needed.
    Use,
    /// It is there already, or contradicts the code.
    Cannot,
}

impl TaskKind {
    /// As it stands in files and tables.
    pub fn word(self) -> &'static str {
        match self {
            TaskKind::Write => "write",
            TaskKind::Mend => "mend",
            TaskKind::Find => "find",
            TaskKind::Across => "across",
            TaskKind::Long => "long",
            TaskKind::Use => "use",
            TaskKind::Cannot => "cannot",
        }
    }
}

/// What the visible command does with the files as they are at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnStart {
    Fails,
    Passes,
    /// There is none.
    None,
}

/// What an honest answer of a `cannot` task holds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HonestAnswer {
    /// Pieces in lower case, of which it holds at least one.
    pub says: Vec<String>,
    /// Whether files may change.
    pub changes: bool,
}

/// `task.toml`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSheet {
    pub kind: TaskKind,
    pub language: String,
    /// Courses it belongs to; one of a person's own may leave this out.
    #[serde(default)]
    pub courses: Vec<String>,
    /// Programs that have to be there.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Longest time of a trial, in minutes.
    #[serde(default = "five")]
    pub minutes: u32,
    /// The check that a person would run; empty: none.
    #[serde(default)]
    pub visible: String,
    /// What that does at the start.
    #[serde(default = "no_check")]
    pub on_start: OnStart,
    /// The project that `start/` is laid over: a folder of `bases/` beside the tasks, so that several share it.
    #[serde(default)]
    pub base: Option<String>,
    /// The command that grades, with `hidden/` in place.
    #[serde(default)]
    pub hidden: String,
    /// How the names of passed tests are read; without it the exit code alone counts.
    #[serde(default)]
    pub reader: Option<Reader>,
    /// Tests that have to be reported as passed.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Those of them that fail at the start.
    #[serde(default)]
    pub fails_on_start: Vec<String>,
    /// Patterns of files that are taken over for grading.
    pub may_change: Vec<String>,
    /// Most lines removed and added together.
    #[serde(default)]
    pub max_changed_lines: Option<usize>,
    /// Whether the tests can be built at the start.
    #[serde(default = "yes")]
    pub builds_on_start: bool,
    /// What an honest answer holds, where nothing is to be done.
    #[serde(default)]
    pub answer: Option<HonestAnswer>,
    #[serde(default)]
    fill: BTreeMap<String, Choice>,
}

fn five() -> u32 {
    5
}

fn yes() -> bool {
    true
}

fn no_check() -> OnStart {
    OnStart::None
}

/// The folder beside the tasks that holds the projects several of them share.
pub(crate) const BASES: &str = "bases";

/// The shared project that `task.toml` names; what is wrong with it is said when it is read whole.
pub(crate) fn base(sheet: &str) -> Option<String> {
    let table: toml::Table = sheet.parse().ok()?;
    table.get("base").and_then(toml::Value::as_str).filter(|name| !name.contains('/')).map(str::to_owned)
}

/// A task with all its files, not filled yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The name of its folder.
    pub id: String,
    sheet: String,
    prompt: String,
    start: Files,
    hidden: Files,
    solution: Files,
    wrong: BTreeMap<String, Files>,
}

/// A task that was filled from a seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The name of its folder.
    pub id: String,
    /// `task.toml`.
    pub sheet: TaskSheet,
    /// What the model is told.
    pub prompt: String,
    /// The project as the model finds it.
    pub start: Files,
    /// What is laid over it for grading.
    pub hidden: Files,
    /// Files of a solution; empty where it was read without.
    pub solution: Files,
    /// Files of plausible mistakes, by their name.
    pub wrong: BTreeMap<String, Files>,
}

/// Why something is no task.
#[derive(Debug, thiserror::Error)]
#[error("task {id}: {why}")]
pub struct TaskError {
    pub id: String,
    /// Why, and what to do about it.
    pub why: String,
}

impl Template {
    /// Reads the task in `folder`, with all its parts.
    ///
    /// # Errors
    /// A part is missing or wrong.
    pub fn read(folder: &Path) -> Result<Self, TaskError> {
        let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = |folder: &Path| {
            tree::read(folder)
                .map_err(|error| TaskError { id: id.clone(), why: format!("{}: {error}", folder.display()) })
        };
        let files = read(folder)?;
        let base = files.get(SHEET).and_then(|sheet| base(&String::from_utf8_lossy(sheet)));
        let shared = base.map(|base| read(&folder.join("..").join(BASES).join(base))).transpose()?;
        Template::of_files(&id, &files, &shared.unwrap_or_default())
    }

    /// The same of the files in its folder, and of the project that its start is laid over.
    ///
    /// # Errors
    /// A part is missing or wrong.
    pub(crate) fn of_files(id: &str, files: &Files, shared: &Files) -> Result<Self, TaskError> {
        let wrong = |why: String| TaskError { id: id.to_owned(), why };
        let text = |name: &str| {
            let content = files.get(name).ok_or_else(|| wrong(format!("{name} is not there")))?;
            String::from_utf8(content.clone()).map_err(|_| wrong(format!("{name} is not UTF-8 text")))
        };
        let sheet = text(SHEET)?;
        if let Some(base) = base(&sheet).filter(|_| shared.is_empty()) {
            return Err(wrong(format!("{BASES}/{base} beside the tasks holds no file; put the shared project there")));
        }
        let start = tree::laid_over(shared, &tree::below(files, "start/"));
        let answer = |name: &str| match files.get(&format!("{name}.patch")) {
            Some(patch) => tree::patched(&start, &String::from_utf8_lossy(patch))
                .map_err(|why| wrong(format!("{name}.patch does not fit start/: {why}"))),
            None => Ok(tree::below(files, &format!("{name}/"))),
        };
        let mistakes = files
            .keys()
            .filter_map(|name| name.strip_prefix("wrong/"))
            .filter_map(|name| name.split_once('/').map(|(name, _)| name).or_else(|| name.strip_suffix(".patch")));
        let mistakes: BTreeSet<&str> = mistakes.collect();
        let mistakes = mistakes.into_iter().map(|name| Ok((name.to_owned(), answer(&format!("wrong/{name}"))?)));
        let (mistakes, solution) = (mistakes.collect::<Result<_, TaskError>>()?, answer("solution")?);
        Template::of(id, (sheet, text("prompt.md")?, start, tree::below(files, "hidden/")), solution, mistakes)
    }

    /// A task of its parts: `task.toml`, `prompt.md`, `start/` and `hidden/`.
    ///
    /// # Errors
    /// One of them is wrong.
    pub(crate) fn of(
        id: &str,
        (sheet, prompt, start, hidden): (String, String, Files, Files),
        solution: Files,
        wrong: BTreeMap<String, Files>,
    ) -> Result<Self, TaskError> {
        let template = Template { id: id.to_owned(), sheet, prompt, start, hidden, solution, wrong };
        template.sheet()?;
        Ok(template)
    }

    /// `task.toml`, not filled.
    ///
    /// # Errors
    /// It is wrong, or does not fit the files beside it.
    pub fn sheet(&self) -> Result<TaskSheet, TaskError> {
        let wrong = |why: String| TaskError { id: self.id.clone(), why };
        let sheet: TaskSheet = toml::from_str(&self.sheet).map_err(|error| wrong(format!("task.toml: {error}")))?;
        match fault(&sheet, self) {
            Some(why) => Err(wrong(why)),
            None => Ok(sheet),
        }
    }

    /// The same with every `@@KEY@@` replaced by what `seed` chooses.
    ///
    /// # Errors
    /// What [`Template::sheet`] says.
    pub fn fill(&self, seed: u64) -> Result<Task, TaskError> {
        let chosen = chosen(seed, &self.id, &self.sheet()?.fill);
        let text = |text: &str| filled(text, &chosen);
        let files = |files: &Files| filling::files(files, &chosen);
        let wrong = |why: String| TaskError { id: self.id.clone(), why };
        let sheet = toml::from_str(&text(&self.sheet)).map_err(|error| wrong(format!("task.toml, filled: {error}")))?;
        let prompt = text(&self.prompt);
        let prompt = match prompt.split_once('\n') {
            Some((first, rest)) if first.starts_with(CANARY) => rest,
            Some(_) | None => &prompt,
        };
        Ok(Task {
            id: self.id.clone(),
            sheet,
            prompt: prompt.trim().to_owned(),
            start: files(&self.start),
            hidden: files(&self.hidden),
            solution: files(&self.solution),
            wrong: self.wrong.iter().map(|(name, wrong)| (name.clone(), files(wrong))).collect(),
        })
    }

    /// All bytes that make the task what it is, in a fixed order.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut all = [self.id.as_bytes(), self.sheet.as_bytes(), self.prompt.as_bytes()].join(&0);
        for (name, content) in self.start.iter().chain(&self.hidden) {
            all.extend_from_slice(name.as_bytes());
            all.push(0);
            all.extend_from_slice(content);
        }
        all
    }
}

/// What is wrong with `sheet`, in words that say what to do.
fn fault(sheet: &TaskSheet, task: &Template) -> Option<String> {
    let unknown = sheet.fails_on_start.iter().find(|name| !sheet.tests.contains(name));
    let said = [
        (task.start.is_empty(), "start/ holds no file; put the project there as the model finds it"),
        (task.prompt.trim().is_empty(), "prompt.md is empty; write there what a person would type"),
        (
            sheet.base.as_ref().is_some_and(|name| name.contains('/')),
            "base is the name of a folder of bases/ beside the tasks, without a slash",
        ),
        (sheet.minutes == 0, "minutes = 0 leaves no time; give it at least 1"),
        (
            (sheet.on_start == OnStart::None) != sheet.visible.is_empty(),
            "on_start says what `visible` does at the start: \"fails\" or \"passes\", and \"none\" where there is none",
        ),
        (
            !sheet.tests.is_empty() && sheet.reader.is_none(),
            "tests are named and no reader; add reader = \"unittest\", \"node\", \"go\", \"cargo\" or \"tap\"",
        ),
    ];
    if let Some((_, why)) = said.into_iter().find(|(holds, _)| *holds) {
        return Some(why.to_owned());
    }
    if let Some(name) = unknown {
        return Some(format!("fails_on_start names {name}, which is not among tests"));
    }
    match (sheet.kind, &sheet.answer) {
        (TaskKind::Cannot, None) => Some("kind cannot needs [answer] with says = [\"already\", …]".to_owned()),
        (TaskKind::Cannot, Some(_)) => None,
        (_, _) if sheet.hidden.is_empty() => Some("hidden is empty; name the command that grades".to_owned()),
        (_, _) if sheet.may_change.is_empty() => Some("may_change is empty: nothing could solve it".to_owned()),
        (_, _) => None,
    }
}

#[cfg(test)]
mod tests;
