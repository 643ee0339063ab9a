//! `gather_files`: files that a person's words name, read before the model is asked; for a model that works by files, also
//! those that have to do with the words, and the names of the others.
//!
//! What is looked at and what is shown are judged like every look. Files whose names say that they hold secrets are never
//! shown. All of it is done in a moment, or left out.

use super::chosen::{Candidate, chosen, meant};
use super::wanted::Wanted;
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::blocking::Stop;
use crate::digest::digest;
use crate::look::{self, Look};
use crate::open::plain_file_below;
use crate::pattern::Hidden;
use crate::tools::Kit;
use crate::walk::{Depth, EntryKind, walk};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, text, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Within this all has to be found; what is not is left out.
const TIME: Duration = Duration::from_millis(150);

/// Bytes of the largest file that is looked into.
const LARGEST: u64 = 64 * 1_024;

/// Files that are looked into for what the words name.
const MOST_FILES: usize = 2_000;

/// Lines and bytes of a file that is read ahead for a model that can read by itself.
const SHORT_LINES: usize = 120;
const SHORT_BYTES: usize = 6_000;

/// Names of other files that are told.
const NAMES: usize = 60;

pub(super) static FORM: Form = Form {
    tool: "gather_files",
    description: "Reads the files that words name.",
    parameters: &[
        Parameter::new("words", Kind::Body, "\"fix a.py\"").required(),
        Parameter::new("scope", Kind::One(&["named", "wanted", "project"]), "\"named\"").required(),
        Parameter::new("budget", Kind::Number, "8000").required(),
    ],
    ..BLANK
};

pub(super) struct GatherFiles;

/// How much is gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Short files that are named, for a model that can read the others by itself.
    Named,
    /// Files that the model asks for by name.
    Asked,
    /// Whatever has to do with the words.
    Project,
}

impl Tool for GatherFiles {
    fn reach(&self, kit: &Kit, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(look::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &Kit, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let scope = match arguments.word_of("scope")? {
            "project" => Scope::Project,
            "wanted" => Scope::Asked,
            _ => Scope::Named,
        };
        let budget = usize::try_from(arguments.optional_number("budget")?.unwrap_or(0)).unwrap_or(usize::MAX);
        let asked = arguments.text("words")?;
        let found =
            Gathered::of(&kit.workspace, &Wanted::of(&asked), (scope, budget), &Stop::at(Instant::now() + TIME));
        if found.files.is_empty() && scope == Scope::Asked {
            let message = format!("there is no file {} in the project", words::shortened(asked.trim(), 80));
            return Err(Failure::new(FailureKind::NotFound, message));
        }
        if found.files.is_empty() && found.others.is_empty() {
            return Err(Failure::new(FailureKind::NotFound, "there is nothing to read"));
        }
        let (paths, title) = (found.paths(kit.workspace.root()), found.title());
        let workspace = kit.workspace.clone();
        let work = Box::new(move |_: &Stop, _room: usize| Ok(found.shown_to_model(&workspace)));
        Ok(Box::new(Look { paths, title, rest: "", work }))
    }
}

/// What was found, best first.
struct Gathered {
    files: Vec<Candidate>,
    /// Names of others.
    others: Vec<String>,
    /// There are more of them.
    more: usize,
}

impl Gathered {
    fn of(workspace: &Workspace, wanted: &Wanted, (scope, budget): (Scope, usize), stop: &Stop) -> Self {
        let nothing = Gathered { files: Vec::new(), others: Vec::new(), more: 0 };
        if scope == Scope::Named && wanted.paths.is_empty() {
            return nothing;
        }
        let names = names(workspace, stop);
        let paths: Vec<&str> = names.iter().map(String::as_str).collect();
        let named: Vec<usize> = wanted.paths.iter().flat_map(|path| meant(path, &paths)).collect();
        let looked_into: Vec<&str> = match scope {
            Scope::Project => paths.iter().copied().take(MOST_FILES).collect(),
            Scope::Named | Scope::Asked => named.iter().map(|at| paths[*at]).collect(),
        };
        let read = |shown: &&str| read(workspace, shown).filter(|_| !stop.wanted());
        let mut files: Vec<Candidate> = looked_into.iter().filter_map(read).collect();
        if scope == Scope::Named {
            files.retain(|file| file.text.len() <= SHORT_BYTES && file.text.lines().count() <= SHORT_LINES);
        }
        let places = chosen(&files, wanted, budget);
        let files: Vec<Candidate> = places.into_iter().map(|at| files[at].clone()).collect();
        let others = if scope == Scope::Project { paths } else { Vec::new() };
        let others: Vec<&str> =
            others.into_iter().filter(|name| !files.iter().any(|file| file.shown == *name)).collect();
        let more = others.len().saturating_sub(NAMES);
        Gathered { files, others: others.into_iter().take(NAMES).map(str::to_owned).collect(), more }
    }

    fn paths(&self, root: &Path) -> Vec<PathBuf> {
        self.files.iter().map(|file| root.join(&file.shown)).collect()
    }

    fn title(&self) -> String {
        match self.files.as_slice() {
            [] => "Look at the names of the files".to_owned(),
            [one] => format!("Read {} ahead", one.shown),
            [one, other] => format!("Read {} and {} ahead", one.shown, other.shown),
            [one, rest @ ..] => format!("Read {} and {} more files ahead", one.shown, rest.len()),
        }
    }

    /// As the model is shown them; it knows them from now on.
    fn shown_to_model(&self, workspace: &Workspace) -> Outcome {
        let mut told = String::new();
        for file in &self.files {
            workspace.seen().note(&workspace.root().join(&file.shown), digest(file.text.as_bytes()));
            told.push_str(&fenced(file));
        }
        if !self.others.is_empty() {
            let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
            told.push_str(&format!("Other files: {}{more}\n", self.others.join(", ")));
        }
        let lines: usize = self.files.iter().map(|file| file.text.lines().count()).sum();
        let summary = match self.files.len() {
            0 => words::count((self.others.len() + self.more) as u64, "name"),
            files => format!("{}, {}", words::count(files as u64, "file"), words::count(lines as u64, "line")),
        };
        words::done(told.trim_end().to_owned(), summary, told)
    }
}

/// The files of the project as git sees them, by name, without those that may hold secrets.
fn names(workspace: &Workspace, stop: &Stop) -> Vec<String> {
    let entries = walk(workspace.root(), Hidden::Left, Depth::All, stop).into_iter();
    let open = entries.filter(|entry| entry.kind == EntryKind::File && !workspace.is_secret(&entry.path));
    open.map(|entry| workspace.shown(&entry.path)).collect()
}

fn read(workspace: &Workspace, shown: &str) -> Option<Candidate> {
    let bytes = plain_file_below(workspace.root(), Path::new(shown), LARGEST)?;
    let text = text::exact(bytes, shown).ok()?;
    Some(Candidate { shown: shown.to_owned(), text })
}

/// The name on a line of its own, and the text in a fence that it cannot close.
fn fenced(file: &Candidate) -> String {
    let longest = file.text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if file.text.ends_with('\n') || file.text.is_empty() { "" } else { "\n" };
    format!("{}\n{fence}{}\n{}{end}{fence}\n\n", file.shown, language(&file.shown), file.text)
}

/// What a fence is called that holds this file.
fn language(name: &str) -> &str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "py" => "python",
        "rs" => "rust",
        "js" | "mjs" | "cjs" => "javascript",
        "ts" => "typescript",
        "sh" => "bash",
        "md" => "markdown",
        "yml" => "yaml",
        ending if ending.contains('/') => "",
        ending => ending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let root = folder.path().canonicalize().unwrap();
        (folder, Workspace::new(&root))
    }

    fn gathered(workspace: &Workspace, words: &str, scope: Scope, budget: usize) -> String {
        let found = Gathered::of(workspace, &Wanted::of(words), (scope, budget), &Stop::default());
        found.shown_to_model(workspace).told
    }

    #[test]
    fn named_files_are_shown_whole_in_a_fence_they_cannot_close() {
        let (_folder, workspace) = project(&[("a.md", "x\n```\ny\n```"), ("b.py", "pass\n")]);
        assert_eq!(
            gathered(&workspace, "look at a.md", Scope::Named, 9_000),
            "a.md\n````markdown\nx\n```\ny\n```\n````"
        );
        assert_eq!(gathered(&workspace, "look around", Scope::Named, 9_000), "");
    }

    #[test]
    fn a_model_that_works_by_files_is_told_which_others_there_are() {
        let long = "word ".repeat(300);
        let (_folder, workspace) = project(&[("big.txt", &long), ("src/a.py", "def f(): pass\n")]);
        let told = gathered(&workspace, "f() in a.py is wrong", Scope::Project, 1_000);
        assert_eq!(told, "src/a.py\n```python\ndef f(): pass\n```\n\nOther files: big.txt");
    }

    #[test]
    fn what_may_hold_secrets_is_not_shown_and_not_named() {
        let (_folder, workspace) = project(&[(".env", "KEY=1\n"), ("id_rsa", "k\n"), ("a.py", "pass\n")]);
        let told = gathered(&workspace, "read .env and id_rsa", Scope::Project, 9_000);
        assert!(!told.contains("KEY") && !told.contains("id_rsa"), "{told}");
    }

    #[test]
    fn a_file_that_was_shown_counts_as_read() {
        let (_folder, workspace) = project(&[("a.py", "pass\n")]);
        gathered(&workspace, "a.py", Scope::Project, 9_000);
        let sight = workspace.seen().sight(&workspace.root().join("a.py"), &digest(b"pass\n"));
        assert_eq!(sight, crate::seen::Sight::AsItIs);
    }
}
