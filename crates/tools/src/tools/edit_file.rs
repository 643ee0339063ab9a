//! `edit_file`: replaces a text in a file, in one place or in all.

use super::read_file::missing;
use super::{FILE_PATH, refused, spec};
use crate::arguments::{Arguments, BLANK, Form, Kind, Need, Parameter};
use crate::change::{Author, Before, Edit, Verb, before, note_on_ends};
use crate::look;
use crate::replace::{Mismatch, Which, nearest, replace};
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, ToolSpec};
use serde_json::Value;
use std::path::PathBuf;

/// Line numbers named when a text is found several times.
const NAMED: usize = 10;

pub(super) static FORM: Form = Form {
    tool: "edit_file",
    aliases: "edit replace str_replace string_replace search_replace search_and_replace replace_in_file \
        replace_string_in_file apply_edit file_edit file_str_replace modify_file update_file change_file multi_edit \
        multiedit str_replace_editor str_replace_based_edit_tool text_editor file_editor edit_anthropic",
    parameters: &[
        FILE_PATH,
        Parameter {
            name: "old_string",
            aliases: "oldstr oldtext old search find target oldcontent oldcode oldvalue original originaltext searchtext \
                searchstring targetcontent before findtext findstring",
            kind: Kind::Text,
            need: Need::Required,
            says: "",
            example: "\"old text\"",
        },
        Parameter {
            name: "new_string",
            aliases: "newstr newtext new replace replacement newcontent newcode newvalue updated updatedtext replacetext \
                replacewith replacementtext replacementcontent replacestring after with",
            kind: Kind::Text,
            need: Need::Required,
            says: "",
            example: "\"new text\"",
        },
        Parameter {
            name: "replace_all",
            aliases: "all global alloccurrences everyoccurrence allowmultiple replaceallmatches",
            kind: Kind::Flag,
            need: Need::Optional,
            says: "every place",
            example: "true",
        },
    ],
    // Where several edits come in one call, the only one of a list can be taken.
    lists: &["edits", "changes", "replacements"],
    refused: refused::EDIT,
    ..BLANK
};

pub(super) struct EditFile {
    workspace: Workspace,
}

/// What is wanted.
struct Wanted {
    path: PathBuf,
    old: String,
    new: String,
    which: Which,
}

impl EditFile {
    pub(super) fn new(workspace: Workspace) -> Self {
        EditFile { workspace }
    }

    fn wanted(&self, arguments: &Arguments) -> Result<Wanted, Failure> {
        let (old, new) = (arguments.text("old_string")?, arguments.text("new_string")?);
        if old == new {
            return Err(arguments.fault("new_string", "is the same as old_string; say what shall change"));
        }
        let which = if arguments.flag("replace_all")? { Which::All } else { Which::TheOnly };
        Ok(Wanted { path: self.workspace.resolve(&arguments.word("file_path")?)?, old, new, which })
    }
}

impl Tool for EditFile {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("edit_file.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        Ok(look::action(self.wanted(&FORM.read(args)?)?.path))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let Wanted { path, old, new, which } = self.wanted(&FORM.read(args)?)?;
        let workspace = self.workspace.clone();
        let before = before(&workspace, &path)?;
        let (verb, after, note) = match &before {
            None if old.is_empty() => (Verb::Create, new, None),
            None => return Err(missing(&workspace, &path)),
            Some(before) if old.is_empty() => (Verb::Edit, filled(before, new, &workspace.shown(&path))?, None),
            Some(before) => {
                let replaced = replace(&before.text, &old, &new, which)
                    .map_err(|mismatch| explained(mismatch, &before.text, &old, &workspace.shown(&path)))?;
                (Verb::Edit, replaced.text, note(replaced.places, &before.text))
            }
        };
        Ok(Edit { workspace, path, before, after, verb, note, author: Author::Model }.planned())
    }
}

/// An empty file takes the new text; in any other, nothing is found everywhere.
fn filled(before: &Before, new: String, shown: &str) -> Result<String, Failure> {
    match before.text.as_str() {
        "" => Ok(new),
        "\u{feff}" => Ok(format!("\u{feff}{new}")),
        _ => {
            let message = format!(
                "old_string is empty but {shown} is not; give the exact text to replace, or use write_file to replace \
                 the whole file"
            );
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}

fn note(places: usize, before: &str) -> Option<String> {
    let places = (places > 1).then(|| format!("{places} places"));
    let notes: Vec<String> = places.into_iter().chain(note_on_ends(before)).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

fn explained(mismatch: Mismatch, text: &str, old: &str, shown: &str) -> Failure {
    match mismatch {
        Mismatch::Several(lines) => {
            let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
            let more = if lines.len() > NAMED { " …" } else { "" };
            let message = format!(
                "old_string is {} times in {shown} (lines {}{more}); add lines around it until it is unique, or set \
                 replace_all to true",
                lines.len(),
                named.join(", ")
            );
            Failure::new(FailureKind::Ambiguous, message)
        }
        Mismatch::Nowhere => Failure::new(FailureKind::NoMatch, nowhere(text, old, shown)),
    }
}

fn nowhere(text: &str, old: &str, shown: &str) -> String {
    if old.lines().all(starts_with_number) {
        return format!("old_string is not in {shown}: leave out the line numbers and tabs that read_file shows");
    }
    let Some((first, lines)) = nearest(text, old) else {
        return format!("old_string is not in {shown}, nor anything like it; read the file again");
    };
    let numbered: Vec<String> =
        lines.iter().enumerate().map(|(index, line)| format!("{}\t{line}", first + index)).collect();
    let hint = if same_but_blanks(&lines, old) { " (only blanks and tabs differ)" } else { "" };
    format!(
        "old_string is not in {shown}; the nearest lines are{hint}:\n{}\ncopy the text exactly as it is there",
        numbered.join("\n")
    )
}

/// `12<tab>text`, as `read_file` shows lines.
fn starts_with_number(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(number, _)| {
        let number = number.trim();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn same_but_blanks(lines: &[&str], old: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    words(&lines.join("\n")) == words(old)
}
