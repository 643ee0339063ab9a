//! What a block is: files, a command, the name of the next one, or something that is only shown.

use super::block::Block;
use super::defines::{definitions, uses};
use super::diff;
use super::endings::{Fit, fit, is_markdown};
use super::hunks::{self, Hunk};
use super::inside;
use super::known::{Named, Names};
use super::lead::{Lead, lead};
use super::line::{mention, pure};
use super::shell;
use std::collections::HashSet;

/// What stands above a block.
#[derive(Debug, Default, Clone)]
pub(super) struct Above {
    /// A line right above it that says nothing but a name.
    pub(super) name: Option<Named>,
    /// The last line of talk.
    pub(super) prose: String,
    /// The last line that said nothing but a name, further above.
    pub(super) section: Option<Named>,
}

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Text for the whole file, or for a part of it.
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
    },
}

impl Change {
    pub(super) fn path(&self) -> &str {
        match self {
            Change::Write { path, .. } | Change::Edit { path, .. } => path,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Changes(Vec<Change>),
    /// It holds nothing but the name of what follows.
    Name(Named),
    Command(String),
    /// It only shows something.
    Talk,
    /// Files beyond doubt, and nobody knows which.
    Lost,
}

/// How a file's name is known.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// The name stands by itself.
    Said(String),
    /// A sentence above names it, or a heading further above.
    Meant(String),
    /// It is the only one that it can be.
    Only(String),
    /// What is named is never written.
    Barred,
    Unknown,
}

/// Judges `block`, which `above` precedes; `written` are the paths that the reply has written so far.
pub(super) fn judge(block: &Block, above: &Above, written: &HashSet<String>, names: &Names) -> Judged {
    let language = block.fence.as_ref().map(|fence| fence.language()).unwrap_or_default();
    if block.lines.iter().any(|line| hunks::is_search(line)) {
        return replacements(block, &target(block, above, &language, names), names);
    }
    if let Some(named) = only_name(block, names) {
        return Judged::Name(named);
    }
    if matches!(language.as_str(), "diff" | "patch") || (language.is_empty() && diff::is_diff(&block.lines)) {
        return differences(block, &target(block, above, "", names), above, written, names);
    }
    let target = target(block, above, &language, names);
    if let Some(several) = several(block, names) {
        return several;
    }
    match target {
        Target::Barred => Judged::Talk,
        Target::Said(path) => said(block, path, &language),
        Target::Meant(path) | Target::Only(path) => match is_left_out(block, &path, above, &language, written) {
            true if is_other(block, &path, above) => Judged::Lost,
            true => aside(block, &language),
            false => write(block, path),
        },
        Target::Unknown if is_lost(block, above, &language) => Judged::Lost,
        Target::Unknown => aside(block, &language),
    }
}

/// The file that a block is going to be, by what has come of it.
pub(super) fn held_name(block: &Block, above: &Above, names: &Names) -> Option<String> {
    let language = block.fence.as_ref().map(|fence| fence.language()).unwrap_or_default();
    match target(block, above, &language, names) {
        Target::Said(path) | Target::Meant(path) | Target::Only(path) => Some(path),
        Target::Barred | Target::Unknown => None,
    }
}

/// A block that is no file may be a command.
fn aside(block: &Block, language: &str) -> Judged {
    if !shell::is_shell(language) {
        return Judged::Talk;
    }
    shell::command(&block.lines).map_or(Judged::Talk, Judged::Command)
}

/// The name that is all a block holds.
fn only_name(block: &Block, names: &Names) -> Option<Named> {
    let mut lines = block.lines.iter().filter(|line| !line.trim().is_empty());
    let line = lines.next().filter(|line| !line.contains(' '))?;
    let bare = block.fence.as_ref().is_some_and(|fence| fence.info.is_empty() || fence.info == "text");
    (bare && lines.next().is_none()).then(|| pure(line, names)).flatten()
}

fn target(block: &Block, above: &Above, language: &str, names: &Names) -> Target {
    let said = block.fence.as_ref().and_then(|fence| fence.named(names)).or_else(|| above.name.clone());
    let said = said.or_else(|| inside::name(&block.lines, names).map(|found| found.named));
    if let Some(named) = said {
        return match named {
            Named::Known(path) | Named::New(path) => Target::Said(path),
            Named::Barred => Target::Barred,
        };
    }
    let meant = mention(&above.prose, names).filter(|named| is_meant(named, &above.prose));
    match meant.or_else(|| above.section.clone()) {
        Some(Named::Barred) => return Target::Barred,
        Some(Named::Known(path) | Named::New(path)) if fit(language, &path) != Fit::No => return Target::Meant(path),
        Some(_) | None => {}
    }
    only(language, names)
}

/// Does a sentence that names a file say that the block is this file?
fn is_meant(named: &Named, prose: &str) -> bool {
    let Some(path) = named.path() else { return true };
    let says_tests = prose.to_lowercase().contains("test");
    !says_tests || path.to_lowercase().contains("test")
}

/// The one file that was shown, or the one in that language.
fn only(language: &str, names: &Names) -> Target {
    if let [path] = names.shown() {
        return if fit(language, path) == Fit::No { Target::Unknown } else { Target::Only(path.clone()) };
    }
    let mut fitting = names.shown().iter().filter(|path| fit(language, path) == Fit::Yes);
    match (fitting.next(), fitting.next()) {
        (Some(path), None) => Target::Only(path.clone()),
        (Some(_) | None, _) => Target::Unknown,
    }
}

/// A block with a name of its own is that file, unless it is a session that names it.
fn said(block: &Block, path: String, language: &str) -> Judged {
    let is_session = ["output", "console", "terminal", "log"].contains(&language);
    let is_command = shell::is_shell(language) && is_program(&path);
    if fit(language, &path) == Fit::No && (is_session || is_command) {
        return aside(block, language);
    }
    write(block, path)
}

/// Is it a program in another language than the shell's?
fn is_program(path: &str) -> bool {
    ["python", "js", "ts", "rust", "go", "c", "cpp", "java", "ruby", "php", "markdown", "html", "css"]
        .iter()
        .any(|language| fit(language, path) == Fit::Yes)
}

fn write(block: &Block, path: String) -> Judged {
    let content = inside::content(&block.lines, &path);
    let may_be_empty = path.ends_with("__init__.py") || path.ends_with(".gitkeep");
    if content.trim().is_empty() && !may_be_empty || is_call(&content) {
        return Judged::Talk;
    }
    Judged::Changes(vec![Change::Write { path, content }])
}

/// Several files in one block, each below its name.
fn several(block: &Block, names: &Names) -> Option<Judged> {
    let sections = inside::sections(&block.lines, names);
    let written = sections.into_iter().filter_map(|(named, lines)| {
        let path = named.path()?.to_owned();
        let content = inside::content(&block.lines[lines], &path);
        (!content.trim().is_empty()).then_some(Change::Write { path, content })
    });
    let written: Vec<Change> = written.collect();
    (written.len() > 1).then_some(Judged::Changes(written))
}

/// A call in JSON is none of our files.
fn is_call(content: &str) -> bool {
    content.trim_start().starts_with(['{', '[']) && content.contains("\"name\"") && content.contains("\"arguments\"")
}

/// Is it what a program or an interpreter wrote?
fn is_record(text: &str) -> bool {
    text.starts_with(">>> ") || text.starts_with("Traceback (most recent call last)") || text.starts_with("$ ")
}

/// Does a block without a name of its own only show something of `path`?
fn is_left_out(block: &Block, path: &str, above: &Above, language: &str, written: &HashSet<String>) -> bool {
    let text = block.lines.join("\n");
    let defines = !definitions(&text).is_empty();
    let lead = lead(&above.prose);
    let is_script = text.starts_with("#!") || defines || lead == Lead::Wanted;
    if lead == Lead::Aside || is_call(&text) || is_record(&text) || (shell::is_shell(language) && !is_script) {
        return true;
    }
    if uses(&text, path) && !is_markdown(path) {
        return true;
    }
    if written.contains(path) {
        return !defines;
    }
    // Lines of a program are known by the fence's language; without, they may be what it prints.
    let is_text = fit(language, path) == Fit::Yes || !is_program(path);
    let is_long = is_text && block.lines.iter().filter(|line| !line.trim().is_empty()).count() >= 4;
    let is_alone = above.prose.is_empty() && fit(language, path) == Fit::Yes;
    !(defines || is_long || lead == Lead::Wanted || is_alone || above.section.is_some())
}

/// Is it a file of its own that uses `path`?
fn is_other(block: &Block, path: &str, above: &Above) -> bool {
    let text = block.lines.join("\n");
    let tests = ["describe(", "test(", "it(", "@Test", "#[test]"].iter().any(|mark| text.contains(mark));
    lead(&above.prose) != Lead::Aside && uses(&text, path) && (tests || !definitions(&text).is_empty())
}

/// Whole definitions of code, and no name anywhere.
fn is_lost(block: &Block, above: &Above, language: &str) -> bool {
    let is_session = shell::is_shell(language) || ["output", "log", "text", "json"].contains(&language);
    let text = block.lines.join("\n");
    let is_long = block.lines.iter().filter(|line| !line.trim().is_empty()).count() >= 2;
    !is_session && is_long && lead(&above.prose) != Lead::Aside && !definitions(&text).is_empty()
}

/// Replacements, each in the file that it names or else in the one above.
fn replacements(block: &Block, target: &Target, names: &Names) -> Judged {
    let Some(hunks) = hunks::hunks(&block.lines, names) else { return Judged::Lost };
    changes(hunks, target)
}

fn differences(block: &Block, target: &Target, above: &Above, written: &HashSet<String>, names: &Names) -> Judged {
    let shows = lead(&above.prose) == Lead::Aside && above.name.is_none();
    // Without places it is a change of a file that is named, and one that only shows something else.
    let is_named = matches!(target, Target::Said(_)) && diff::is_bare(&block.lines);
    if shows || !(is_named || diff::is_diff(&block.lines)) {
        return Judged::Talk;
    }
    let Some(hunks) = diff::changes(&block.lines, names) else { return Judged::Lost };
    let judged = changes(hunks, target);
    match &judged {
        Judged::Changes(changes) if changes.iter().all(|change| written.contains(change.path())) => Judged::Talk,
        Judged::Changes(_) | Judged::Name(_) | Judged::Command(_) | Judged::Talk | Judged::Lost => judged,
    }
}

fn changes(hunks: Vec<Hunk>, target: &Target) -> Judged {
    let above = match target {
        Target::Said(path) | Target::Meant(path) | Target::Only(path) => Some(path),
        Target::Barred => return Judged::Talk,
        Target::Unknown => None,
    };
    let mut changes = Vec::new();
    for hunk in hunks {
        let path = match &hunk.path {
            Some(Named::Barred) => continue,
            Some(Named::Known(path) | Named::New(path)) => path,
            None => match above {
                Some(path) => path,
                None => return Judged::Lost,
            },
        };
        changes.push(change(path.clone(), hunk.old, hunk.new));
    }
    if changes.is_empty() { Judged::Talk } else { Judged::Changes(changes) }
}

fn change(path: String, old: String, new: String) -> Change {
    if old.trim().is_empty() {
        return Change::Write { path, content: format!("{}\n", new.trim_end_matches('\n')) };
    }
    // The line end goes with a line that is taken out.
    let old = if new.is_empty() { format!("{old}\n") } else { old };
    Change::Edit { path, old, new }
}
