//! What a change left unfinished, before anything is run: bodies that are still to be written, and names that nothing defines.
//!
//! Only what is new against the file before counts, and nothing that other files may bring.

use super::changed::ChangedFile;
use super::definitions::{Definitions, import_of};
use super::uses::{Extent, LARGEST, places};
use crate::open::plain_file;
use crate::tools::ToolContext;
use agent_syntax::{Certainty, Language, Stub, UnknownName, new_unknown_names, stubs_left};

/// More than these are not told.
const MOST: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Unfinished {
    stubs: Vec<(String, Stub)>,
    names: Vec<MissingName>,
}

/// A name that a changed file uses, and what the project knows of it.
#[derive(Debug)]
pub(super) struct MissingName {
    /// The file that uses it.
    pub(super) file: String,
    pub(super) unknown: UnknownName,
    /// The files that define it.
    defined_in: Vec<String>,
    /// The line that would import it.
    pub(super) import: Option<String>,
}

impl Unfinished {
    /// Of these changes, which were asked for in these words.
    pub(super) fn of(kit: &ToolContext, changed: &[ChangedFile], asked: &str) -> Unfinished {
        let mut found = Unfinished::default();
        let mut unknown: Vec<(&ChangedFile, UnknownName)> = Vec::new();
        for file in changed {
            let Some((before, now)) = file.texts().filter(|(before, now)| *before != Some(*now)) else { continue };
            found
                .stubs
                .extend(stubs_left(&file.shown, before, now, asked).into_iter().map(|stub| (file.shown.clone(), stub)));
            unknown.extend(new_unknown_names(&file.shown, before, now).into_iter().map(|name| (file, name)));
        }
        if unknown.is_empty() {
            return found;
        }
        let wanted: Vec<&str> = unknown.iter().map(|(_, unknown)| unknown.name.as_str()).collect();
        let known = Definitions::find(&kit.workspace, &wanted);
        if known.extent == Extent::Part {
            return found;
        }
        let missing = unknown.into_iter().filter(|(file, unknown)| !is_brought(kit, file, unknown, &known));
        found.names = missing.filter_map(|(file, unknown)| missing_name(kit, file, unknown, &known)).collect();
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.stubs.is_empty() && self.names.is_empty()
    }

    /// The imports that are missing, each with the one definition that it is of.
    pub(super) fn imports(&self) -> impl Iterator<Item = &MissingName> {
        self.names.iter().filter(|name| name.import.is_some())
    }

    pub(super) fn drop_imports(&mut self) {
        self.names.retain(|name| name.import.is_none());
    }

    /// For the model, a line each.
    pub(super) fn told(&self) -> String {
        let stubs = self.stubs.iter();
        let stubs = stubs
            .map(|(file, stub)| format!("{file}:{} the body of {} is still `{}`", stub.line, stub.name, stub.body));
        let lines: Vec<String> = stubs.chain(self.names.iter().map(MissingName::told)).collect();
        let more = lines.len().saturating_sub(MOST);
        let more = if more > 0 { format!("\nand {more} more like these") } else { String::new() };
        lines.into_iter().take(MOST).collect::<Vec<_>>().join("\n") + &more
    }
}

impl MissingName {
    fn told(&self) -> String {
        let MissingName { file, unknown: UnknownName { name, line, .. }, defined_in, .. } = self;
        let place = match defined_in.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} defines one"),
            files => format!("; {} define one", files.join(" and ")),
        };
        format!("{file}:{line} {name} is used, and neither defined nor imported there{place}")
    }
}

/// Does something outside of the file bring the name: other files of the same package in Go, ambient types in TypeScript?
fn is_brought(kit: &ToolContext, file: &ChangedFile, unknown: &UnknownName, known: &Definitions) -> bool {
    let mentions = known.mentions(&unknown.name);
    match Language::of(&file.shown, file.now.as_deref().unwrap_or_default()) {
        Some(Language::Go) => stands_beside(kit, file, &unknown.name),
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            known.imports_by_itself || mentions.iter().any(|other| other.ends_with(".d.ts"))
        }
        _ => false,
    }
}

/// Does another file of the same folder have the word, be it one that git ignores? Much of Go is generated.
fn stands_beside(kit: &ToolContext, file: &ChangedFile, word: &str) -> bool {
    let path = kit.workspace.root().join(&file.shown);
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let others = entries.map(|entry| entry.path()).filter(|other| *other != path);
    let mut texts = others.filter(|other| other.extension().is_some_and(|ending| ending == "go"));
    texts.any(|other| {
        let text = plain_file(&other, LARGEST).and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| !places(&text, word).is_empty())
    })
}

fn missing_name(
    kit: &ToolContext,
    file: &ChangedFile,
    unknown: UnknownName,
    known: &Definitions,
) -> Option<MissingName> {
    let defined = known.of(&unknown.name, &file.shown);
    let import = match defined.as_slice() {
        [one] => import_of(&kit.workspace, file, &unknown.name, one),
        _ => None,
    };
    if unknown.certainty == Certainty::Likely && import.is_none() {
        return None;
    }
    let defined_in = defined.iter().take(3).map(|one| one.shown.clone()).collect();
    Some(MissingName { file: file.shown.clone(), unknown, defined_in, import })
}
