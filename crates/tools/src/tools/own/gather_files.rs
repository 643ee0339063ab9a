//! `gather_files`: files that a person's words name, read before the model is asked; for a model that works by files, also
//! those that have to do with the words, and the names of the others. What words name by `@` is read in `attached`.
//!
//! What is looked at and what is shown are judged like every look. Files whose names say that they hold secrets are never
//! shown. All of it is done in a moment, or left out.

use super::attached;
use super::chosen::{Candidate, chosen, meant};
use super::excerpt::PartForm;
use super::fence::fenced;
use super::wanted::Wanted;
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::blocking::Stop;
use crate::digest::digest;
use crate::open::{Found, open, plain_file_below};
use crate::pattern::Hidden;
use crate::read_only_job::{self, ReadOnlyJob};
use crate::tools::ToolContext;
use crate::unicode_forms::folded;
use crate::walk::{Area, Depth, Entry, EntryKind, by_name, is_visible, walk, walk_each};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, text, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome};
use std::path::{Path, PathBuf};

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
        Parameter::new("scope", Kind::One(&["named", "wanted", "project", "attached"]), "\"named\"").required(),
        Parameter::new("budget", Kind::Number, "8000").required(),
        Parameter::new("message", Kind::Number, "1").optional(),
    ],
    ..BLANK
};

pub(super) struct GatherFiles;

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
    fn reach(&self, kit: &ToolContext, _arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(kit.workspace.root().to_owned()))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let budget = usize::try_from(arguments.optional_number("budget")?.unwrap_or(0)).unwrap_or(usize::MAX);
        let asked = arguments.text("words")?;
        let scope = match arguments.word_of("scope")? {
            "project" => Scope::Project,
            "wanted" => Scope::Asked,
            // What somebody attached is read however long it takes.
            "attached" => return attached::plan(&kit.workspace, &asked, budget),
            _ => Scope::Named,
        };
        let stop = Stop::at(kit.ahead.until(arguments.optional_number("message")?));
        let form = if kit.levers().blocks { PartForm::Blocks } else { PartForm::Definitions };
        let found = Gathered::of(&kit.workspace, &Wanted::of(&asked), (scope, budget, form), &stop);
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
        Ok(Box::new(ReadOnlyJob { paths, title, rest: "", work }))
    }
}

/// What was found, best first.
#[derive(Default)]
struct Gathered {
    files: Vec<Candidate>,
    others: Vec<String>,
    /// There are more of them.
    more: usize,
    /// Files that the words name and that are not there.
    missing: Vec<String>,
    /// Paths that the words name.
    named: Vec<String>,
    /// Is the best of them shown last, next to the words? What stands there a small model copies from.
    best_last: bool,
}

impl Gathered {
    fn of(
        workspace: &Workspace,
        wanted: &Wanted,
        (scope, budget, form): (Scope, usize, PartForm),
        stop: &Stop,
    ) -> Self {
        if scope == Scope::Named && wanted.paths.is_empty() {
            return Gathered::default();
        }
        let names = if scope == Scope::Project { names(workspace, stop) } else { asked_for(workspace, wanted, stop) };
        let paths: Vec<&str> = names.iter().map(String::as_str).collect();
        let named: Vec<usize> = wanted.paths.iter().flat_map(|path| meant(path, &paths)).collect();
        let looked_into: Vec<&str> = match scope {
            Scope::Project => paths.iter().copied().take(MOST_FILES).collect(),
            Scope::Named | Scope::Asked => named.iter().map(|at| paths[*at]).collect(),
        };
        // What is asked for by name is read, however long it took to find.
        let in_time = || scope != Scope::Project || !stop.wanted();
        let read = |shown: &&str| read(workspace, shown).filter(|_| in_time());
        let mut files: Vec<Candidate> = looked_into.iter().filter_map(read).collect();
        if scope == Scope::Named {
            files.retain(|file| file.text.len() <= SHORT_BYTES && file.text.lines().count() <= SHORT_LINES);
        }
        let files = chosen(&files, wanted, budget, form);
        let others = if scope == Scope::Project { paths.clone() } else { Vec::new() };
        let others: Vec<&str> =
            others.into_iter().filter(|name| !files.iter().any(|file| file.shown == *name)).collect();
        let more = others.len().saturating_sub(NAMES);
        let others = others.into_iter().take(NAMES).map(str::to_owned).collect();
        // Where not all names are known, nothing can be said of one that was not found.
        let missing =
            if scope == Scope::Project && !stop.wanted() { missing(workspace, wanted, &paths) } else { Vec::new() };
        let named = wanted.paths.clone();
        Gathered { files, others, more, missing, named, best_last: scope == Scope::Project }
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

    /// In the order in which they are shown.
    fn in_order(&self) -> Vec<&Candidate> {
        let mut files: Vec<&Candidate> = self.files.iter().collect();
        if self.best_last {
            // Tests of which nobody speaks say what is wanted, and are seldom what is to change: they stand first of all.
            let is_far = |file: &Candidate| is_test(&file.shown) && meant_by(&file.shown, &self.named).is_none();
            files.sort_by_key(|file| !is_far(file));
            let far = files.partition_point(|file| is_far(file));
            files[far..].reverse();
        }
        files
    }

    /// Those that are not shown, on a line of their own.
    fn names_of_others(&self) -> String {
        if self.others.is_empty() {
            return String::new();
        }
        let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
        let (names, after) = (self.others.join(", "), if self.files.is_empty() { "" } else { "\n" });
        format!("Other files (to see one first, answer with one line: NEED: and its path): {}{more}\n{after}", names)
    }

    /// As the model is shown them; it knows them from now on.
    fn shown_to_model(&self, workspace: &Workspace) -> Outcome {
        let mut told = if self.best_last { self.names_of_others() } else { String::new() };
        for file in self.in_order() {
            workspace.seen().note(&workspace.root().join(&file.shown), digest(file.text.as_bytes()));
            told.push_str(&shown(file));
        }
        if !self.missing.is_empty() {
            told.push_str(&format!("Not there yet: {}\n", self.missing.join(", ")));
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
    let entries = walk(Area::whole(workspace.root()), Hidden::Left, Depth::All, stop).into_iter();
    let open = entries.filter(|entry| entry.kind == EntryKind::File).take_while(|_| !stop.wanted());
    let open = open.filter(|entry| !workspace.is_secret(&entry.path));
    open.map(|entry| workspace.shown(&entry.path)).collect()
}

/// Those of them that may be meant: where each is named as it lies there, nobody has to look for it.
fn asked_for(workspace: &Workspace, wanted: &Wanted, stop: &Stop) -> Vec<String> {
    let is_there = |path: &String| {
        let hidden = path.starts_with('/') || path.split('/').any(|name| name.starts_with('.'));
        let real = workspace.root().join(path);
        let is_file = || matches!(open(workspace, &real), Ok(Found::File(..)));
        !hidden && !workspace.is_secret(&real) && is_file() && is_visible(workspace.root(), &real, Hidden::Left)
    };
    let there: Vec<String> = wanted.paths.iter().filter(|path| is_there(path)).cloned().collect();
    if there.len() == wanted.paths.len() {
        return there;
    }
    let bases: Vec<_> = wanted.paths.iter().map(|path| folded(base(path))).collect();
    let is_meant =
        |path: &Path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| bases.contains(&folded(name)));
    let take =
        |(): &mut (), entry: Entry| (entry.kind == EntryKind::File && is_meant(&entry.path)).then_some(entry.path);
    let mut files = walk_each(Area::whole(workspace.root()), Hidden::Left, stop, || (), take);
    files.sort_unstable_by(|one, other| by_name(one, other));
    files.retain(|path| !workspace.is_secret(path));
    let mut names: Vec<String> = files.iter().map(|path| workspace.shown(path)).collect();
    names.extend(there.into_iter().filter(|path| !names.contains(path)).collect::<Vec<_>>());
    names
}

/// Files that the words name, as far as names can tell that, and that are not there: whoever asks for one is to make it.
fn missing(workspace: &Workspace, wanted: &Wanted, paths: &[&str]) -> Vec<String> {
    let is_file = |path: &&String| {
        let base = base(path);
        base.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty())
            && !PRODUCTS.contains(&base.to_lowercase().as_str())
            && !path.starts_with('/')
            && !path.split('/').any(|name| name == "..")
    };
    let is_nowhere = |path: &&String| meant(path, paths).is_empty() && !workspace.root().join(path).exists();
    wanted.paths.iter().filter(is_file).filter(is_nowhere).cloned().collect()
}

/// What is written like the name of a file and is the name of a program or a library.
const PRODUCTS: [&str; 10] =
    ["node.js", "next.js", "vue.js", "react.js", "three.js", "d3.js", "express.js", "socket.io", "asp.net", "deno.js"];

/// The path by which the words name this file.
fn meant_by<'a>(shown: &str, named: &'a [String]) -> Option<&'a String> {
    named.iter().find(|path| !meant(path, &[shown]).is_empty())
}

/// Is it a file of tests, as its name tells?
fn is_test(path: &str) -> bool {
    let base = base(path);
    let by_name = base.starts_with("test_") || ["_test.", ".test.", ".spec."].iter().any(|part| base.contains(part));
    by_name || path.split('/').rev().skip(1).any(|folder| matches!(folder, "test" | "tests" | "__tests__" | "spec"))
}

/// The name without its folder.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn read(workspace: &Workspace, shown: &str) -> Option<Candidate> {
    let bytes = plain_file_below(workspace.root(), Path::new(shown), LARGEST)?;
    let (text, _) = text::faithful(bytes, shown).ok()?;
    Some(Candidate { shown: shown.to_owned(), text, part: None })
}

/// The name on a line of its own, and the text in a fence that it cannot close.
fn shown(file: &Candidate) -> String {
    match &file.part {
        Some(part) => format!("{}{}\n\n", fenced(&file.shown, &file.shown, &part.text), part.note),
        None => format!("{}\n", fenced(&file.shown, &file.shown, &file.text)),
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
        let found =
            Gathered::of(workspace, &Wanted::of(words), (scope, budget, PartForm::Definitions), &Stop::default());
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
    fn what_is_named_as_it_lies_there_is_found_when_the_time_is_over_too() {
        let (_folder, workspace) = project(&[("a.md", "x"), ("src/b.py", "pass\n")]);
        let names = |words| asked_for(&workspace, &Wanted::of(words), &Stop::at(std::time::Instant::now()));
        assert_eq!(names("look at a.md and src/b.py"), ["a.md", "src/b.py"]);
        assert_eq!(names("look at a.md and b.py"), ["a.md"]);
    }

    #[test]
    fn a_model_that_works_by_files_is_told_which_others_there_are() {
        let long = "word ".repeat(300);
        let (_folder, workspace) = project(&[("big.txt", &long), ("src/a.py", "def f(): pass\n")]);
        let told = gathered(&workspace, "f() in a.py is wrong", Scope::Project, 1_000);
        assert_eq!(
            told,
            "Other files (to see one first, answer with one line: NEED: and its path): big.txt\n\nsrc/a.py\n```python\ndef f(): pass\n```"
        );
    }

    #[test]
    fn the_file_that_is_named_stands_next_to_the_words() {
        let (_folder, workspace) = project(&[("a.py", "pass\n"), ("test_a.py", "import a\n")]);
        let told = gathered(&workspace, "mend a.py", Scope::Project, 9_000);
        assert_eq!(told, "test_a.py\n```python\nimport a\n```\n\na.py\n```python\npass\n```");
        let found = Gathered::of(
            &workspace,
            &Wanted::of("mend a.py"),
            (Scope::Project, 9_000, PartForm::Definitions),
            &Stop::default(),
        );
        assert_eq!(found.title(), "Read a.py and test_a.py ahead");
    }

    #[test]
    fn tests_stand_first_unless_they_are_spoken_of() {
        let (_folder, workspace) =
            project(&[("a.py", "stars\n"), ("b.py", "x\n"), ("tests/test_a.py", "stars\nstars\n")]);
        let order = |words: &str| {
            let found = Gathered::of(
                &workspace,
                &Wanted::of(words),
                (Scope::Project, 9_000, PartForm::Definitions),
                &Stop::default(),
            );
            found.in_order().into_iter().map(|file| file.shown.clone()).collect::<Vec<_>>()
        };
        assert_eq!(order("the stars are wrong"), ["tests/test_a.py", "b.py", "a.py"]);
        assert_eq!(order("test more in test_a.py"), ["b.py", "a.py", "tests/test_a.py"]);
    }

    #[test]
    fn what_may_hold_secrets_is_not_shown_and_not_named() {
        let (_folder, workspace) = project(&[(".env", "KEY=1\n"), ("id_rsa", "k\n"), ("a.py", "pass\n")]);
        let told = gathered(&workspace, "read .env and id_rsa", Scope::Project, 9_000);
        assert!(!told.contains("KEY") && !told.contains("id_rsa"), "{told}");
    }

    #[test]
    fn a_file_is_found_by_its_whole_path_or_its_name_and_nothing_outside_is() {
        let (_folder, workspace) = project(&[("src/deep/a.py", "pass\n"), (".hidden/b.py", "x\n")]);
        let outside = workspace.root().with_extension("py");
        std::fs::write(&outside, "outside\n").unwrap();
        let beside = format!("../{}", outside.file_name().unwrap().to_str().unwrap());
        for words in ["src/deep/a.py", "a.py"] {
            assert_eq!(gathered(&workspace, words, Scope::Named, 9_000), "src/deep/a.py\n```python\npass\n```");
        }
        for words in [outside.to_str().unwrap(), &beside, ".hidden/b.py", "/etc/passwd"] {
            assert_eq!(gathered(&workspace, words, Scope::Named, 9_000), "", "{words}");
        }
        std::fs::remove_file(outside).unwrap();
    }

    #[test]
    fn a_file_that_is_named_and_not_there_is_told() {
        let (_folder, workspace) = project(&[("timer.py", "import duration\n")]);
        let told = gathered(
            &workspace,
            "timer.py imports duration.py, which is missing: write it for Node.js",
            Scope::Project,
            9_000,
        );
        assert_eq!(told, "timer.py\n```python\nimport duration\n```\n\nNot there yet: duration.py");
        assert!(!gathered(&workspace, "mend ../a.py and /b.py", Scope::Project, 9_000).contains("Not there"));
    }

    #[test]
    fn a_file_that_was_shown_counts_as_read() {
        let (_folder, workspace) = project(&[("a.py", "pass\n")]);
        gathered(&workspace, "a.py", Scope::Project, 9_000);
        let sight = workspace.seen().sight(&workspace.root().join("a.py"), &digest(b"pass\n"));
        assert_eq!(sight, crate::read_tracker::Sight::AsItIs);
    }
}
