//! Files and folders that a message names by `@`, read before the model is asked, as `read_file` would show them; of a
//! folder the names of what is in it.
//!
//! Attached is what the screen completes: what git sees, and nothing whose name says that it holds secrets.

use super::fence::fenced;
use crate::blocking::Stop;
use crate::open::{Found, open};
use crate::pattern::Hidden;
use crate::read_only_job::ReadOnlyJob;
use crate::tools::read_file::{AskedBy, ReadWish, Values, WantedLines, look_at};
use crate::walk::{Area, Depth, EntryKind, is_visible, walk};
use crate::workspace::Workspace;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, FailureKind, Image, Mention, Outcome, mentions};
use std::path::PathBuf;

/// Names of a folder that are told at most.
const NAMES: usize = 200;

/// What is attached for `asked`, in so many bytes.
pub(super) fn plan(workspace: &Workspace, asked: &str, budget: usize) -> Result<Box<dyn PlannedCall>, Failure> {
    let mut attached = Attached { workspace: workspace.clone(), things: Vec::new(), left: Vec::new() };
    for mention in mentions(asked) {
        match found(workspace, &mention) {
            Ok(thing) if attached.things.contains(&thing) => {}
            Ok(thing) => attached.things.push(thing),
            Err(why) if mention.is_path_like() => attached.left.push(format!("{} ({why})", mention.path)),
            // It was hardly meant to be a file.
            Err(_) => {}
        }
    }
    if attached.things.is_empty() {
        return Err(Failure::new(FailureKind::NotFound, not_attached(&attached.left)));
    }
    let paths = attached.things.iter().map(|thing| thing.path.clone()).collect();
    let title = attached.title();
    let work = Box::new(move |stop: &Stop, room: usize| Ok(attached.read(budget.min(room), stop)));
    Ok(Box::new(ReadOnlyJob { paths, title, rest: "", work }))
}

/// What is attached, and what is not and why.
struct Attached {
    workspace: Workspace,
    things: Vec<Thing>,
    left: Vec<String>,
}

/// A file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thing {
    path: PathBuf,
    shown: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File { lines: Option<(u64, u64)> },
    Folder,
}

/// What a mention names, or why that is not attached.
fn found(workspace: &Workspace, mention: &Mention) -> Result<Thing, &'static str> {
    let path = workspace.resolve(mention.name()).map_err(|_| "it leads nowhere")?;
    if !workspace.contains(&path) {
        return Err("it lies outside the project");
    }
    if workspace.is_secret(&path) {
        return Err("its name says that it holds secrets");
    }
    let kind = match open(workspace, &path) {
        Ok(Found::File(..)) => Kind::File { lines: mention.lines },
        Ok(Found::Folder) => Kind::Folder,
        Ok(Found::Missing) => return Err("there is no such file"),
        Err(_) => return Err("it cannot be read"),
    };
    if !is_visible(workspace.root(), &path, Hidden::Shown) {
        return Err("git ignores it");
    }
    let shown = workspace.shown(&path);
    Ok(Thing { path, shown, kind })
}

impl Attached {
    fn title(&self) -> String {
        match self.things.as_slice() {
            [one] => format!("Attach {}", one.named()),
            [one, other] => format!("Attach {} and {}", one.named(), other.named()),
            [one, rest @ ..] => format!("Attach {} and {} more", one.named(), rest.len()),
            [] => "Attach files".to_owned(),
        }
    }

    fn read(self, room: usize, stop: &Stop) -> Outcome {
        let Attached { workspace, things, mut left } = self;
        let (mut told, mut images): (String, Vec<Image>) = (String::new(), Vec::new());
        let (mut count, number, mut parts) = (0, things.len(), Vec::new());
        for (at, thing) in things.iter().enumerate() {
            // Each gets its part of what is left, so that a long one leaves room for the others.
            let part = room.saturating_sub(told.len()) / (number - at);
            match thing.read(&workspace, part, stop) {
                Ok(outcome) => {
                    told.push_str(&fenced(&thing.named(), &thing.shown, &outcome.told));
                    told.push('\n');
                    parts.extend(thing.part(&outcome.summary).map(|part| (&thing.shown, part.to_owned())));
                    images.extend(outcome.images);
                    count += 1;
                }
                Err(failure) => left.push(failure.message),
            }
        }
        let what = if things.iter().all(|thing| matches!(thing.kind, Kind::Folder)) { "folder" } else { "file" };
        // Whoever attached something has to know what of it the model does not see.
        let mut summary = match (number, parts.as_slice()) {
            (1, [(_, part)]) => part.clone(),
            _ => parts.iter().fold(words::count(count, what), |all, (shown, part)| format!("{all}; {shown}: {part}")),
        };
        if !left.is_empty() {
            summary = format!("{summary}; {}", not_attached(&left));
        }
        let told = told.trim_end().to_owned();
        Outcome { images, ..words::done(told.clone(), summary, told) }
    }
}

impl Thing {
    /// As it stands above its text.
    fn named(&self) -> String {
        match self.kind {
            Kind::File { lines: None } => self.shown.clone(),
            Kind::File { lines: Some((first, last)) } if first == last => format!("{}, line {first}", self.shown),
            Kind::File { lines: Some((first, last)) } => format!("{}, lines {first} to {last}", self.shown),
            Kind::Folder => format!("{}/", self.shown),
        }
    }

    /// What of it is read, where that is less than was named; `summary` is what reading it came to.
    fn part<'a>(&self, summary: &'a str) -> Option<&'a str> {
        let (shown, all) = summary.split_once(" of ")?;
        let last = shown.rsplit(['–', ' ']).next()?;
        let is_all = match self.kind {
            Kind::File { lines: Some((_, wanted)) } => last == all || last == wanted.to_string(),
            Kind::File { lines: None } => last == all,
            Kind::Folder => false,
        };
        (!is_all).then_some(summary)
    }

    fn read(&self, workspace: &Workspace, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        match self.kind {
            Kind::Folder => Ok(self.names(workspace, room, stop)),
            Kind::File { lines } => {
                let (first, lines) = lines.map_or((1, None), |(first, last)| (first, Some(last - first + 1)));
                let wanted = WantedLines { first, lines, usual: 0, asked: AskedBy::Other };
                look_at(workspace, &self.path, ReadWish { wanted, values: Values::Shown, room }, stop)
            }
        }
    }

    fn names(&self, workspace: &Workspace, room: usize, stop: &Stop) -> Outcome {
        let entries =
            walk(Area { root: workspace.root(), base: &self.path }, Hidden::Left, Depth::All, stop).into_iter();
        let names = entries.filter(|entry| !workspace.is_secret(&entry.path)).map(|entry| match entry.kind {
            EntryKind::Folder => format!("{}/\n", workspace.shown(&entry.path)),
            EntryKind::File | EntryKind::Link(_) | EntryKind::Special => {
                format!("{}\n", workspace.shown(&entry.path))
            }
        });
        let names: Vec<String> = names.collect();
        let (mut told, mut shown) = (String::new(), 0);
        for name in names.iter().take(NAMES) {
            if told.len() + name.len() > room {
                break;
            }
            told.push_str(name);
            shown += 1;
        }
        let mut summary = words::count(names.len() as u64, "name");
        if shown < names.len() {
            told.push_str(&format!("[… {} more]\n", names.len() - shown));
            summary = format!("{shown} of {summary}");
        }
        words::done(told.clone(), summary, told)
    }
}

fn not_attached(left: &[String]) -> String {
    format!("not attached: {}", left.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A project in which git ignores `built`.
    fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::TempDir::new().unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        for (name, text) in files.iter().chain(&[(".gitignore", "built\n")]) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = folder.path().canonicalize().unwrap();
        (folder, Workspace::new(&root))
    }

    fn attached(workspace: &Workspace, asked: &str) -> Result<Outcome, String> {
        let stop = Stop::default();
        let mut all = Attached { workspace: workspace.clone(), things: Vec::new(), left: Vec::new() };
        for mention in mentions(asked) {
            match found(workspace, &mention) {
                Ok(thing) => all.things.push(thing),
                Err(why) => return Err(why.to_owned()),
            }
        }
        Ok(all.read(20_000, &stop))
    }

    #[test]
    fn a_file_is_attached_whole_and_a_range_of_it_is_just_these_lines() {
        let text: String = (1..=9).map(|number| format!("line {number}\n")).collect();
        let (_folder, workspace) = project(&[("src/a.rs", &text)]);
        let whole = attached(&workspace, "see @src/a.rs.").unwrap().told;
        assert!(whole.starts_with("src/a.rs\n```rust\n") && whole.contains("line 9"), "{whole}");
        let part = attached(&workspace, "see @src/a.rs:3-4").unwrap().told;
        assert!(part.starts_with("src/a.rs, lines 3 to 4\n"), "{part}");
        assert!(part.contains("line 3") && part.contains("line 4"), "{part}");
        assert!(!part.contains("line 2") && !part.contains("line 5\n"), "{part}");
    }

    #[test]
    fn of_a_folder_the_names_are_attached() {
        let (_folder, workspace) = project(&[("src/a.rs", "x"), ("src/deep/b.rs", "y"), ("src/.env", "K=1")]);
        let told = attached(&workspace, "what is in @src/?").unwrap().told;
        assert!(told.starts_with("src/\n```") && told.contains("src/a.rs\nsrc/deep/\nsrc/deep/b.rs\n"), "{told}");
        assert!(!told.contains(".env"), "{told}");
    }

    #[test]
    fn what_git_ignores_what_holds_secrets_and_what_lies_outside_is_not() {
        let (_folder, workspace) = project(&[("built/x.js", "x"), (".env", "K=1"), (".github/ci.yml", "on: push\n")]);
        for (asked, why) in [
            ("@built/x.js", "git ignores it"),
            ("@.env", "its name says that it holds secrets"),
            ("@/etc/passwd", "it lies outside the project"),
            ("@../x", "it lies outside the project"),
            ("@src/gone.rs", "there is no such file"),
        ] {
            assert_eq!(attached(&workspace, asked).unwrap_err(), why, "{asked}");
        }
        assert!(attached(&workspace, "@.github/ci.yml").unwrap().told.contains("on: push"));
    }

    #[test]
    fn how_much_of_what_is_attached_is_read_is_said() {
        let long: String = (1..=9_000).map(|number| format!("{number}\n")).collect();
        let (_folder, workspace) = project(&[("long.txt", &long), ("a.py", "pass\n")]);
        let summary = |asked: &str| attached(&workspace, asked).unwrap().summary;
        let cut = summary("@long.txt");
        assert!(cut.starts_with("lines 1–") && cut.ends_with(" of 9000"), "{cut}");
        let both = summary("@a.py and @long.txt");
        assert!(both.starts_with("2 files; long.txt: lines 1–") && both.ends_with(" of 9000"), "{both}");
        assert_eq!(["@a.py", "@long.txt:3-4", "@long.txt:7"].map(summary), ["1 file", "1 file", "1 file"]);
    }

    #[test]
    fn what_is_not_attached_is_said_and_the_rest_is() {
        let (_folder, workspace) = project(&[("a.py", "pass\n")]);
        let failure = plan(&workspace, "see @gone.py and @alice", 9_000).err().unwrap();
        assert_eq!(failure.message, "not attached: gone.py (there is no such file)");
        let planned = plan(&workspace, "see @a.py and @gone.py", 9_000).unwrap();
        assert_eq!(planned.preview().title, "Attach a.py");
    }
}
