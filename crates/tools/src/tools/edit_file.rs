//! `edit_file`: replaces a text in a file, in one place or in all.

use super::read_file::missing;
use super::{FILE_PATH, refused, spec};
use crate::arguments::{Arguments, BLANK, Form, Kind, Need, Parameter};
use crate::change::{Author, Before, Edit, Verb, before, note_on_ends, read_again};
use crate::look;
use crate::miss::Miss;
use crate::redact::refuse_mark;
use crate::replace::{How, Which, replace};
use crate::seen::Sight;
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind, ToolSpec};
use serde_json::Value;
use std::path::PathBuf;

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

    fn plan(&self, args: &Value, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let Wanted { path, old, new, which } = self.wanted(&FORM.read(args)?)?;
        let workspace = self.workspace.clone();
        let before = before(&workspace, &path)?;
        let text = before.as_ref().map_or("", |before| before.text.as_str());
        refuse_mark(&old, text, "old_string")?;
        refuse_mark(&new, text, "new_string")?;
        let (verb, after, found) = match &before {
            None if old.is_empty() => (Verb::Create, new, None),
            None => return Err(missing(&workspace, &path)),
            Some(before) if old.is_empty() => (Verb::Edit, filled(before, new, &workspace.shown(&path))?, None),
            Some(before) => {
                let shown = workspace.shown(&path);
                let sight = workspace.seen().sight(&path, &before.digest);
                let miss = Miss { text: &before.text, old: &old, new: &new, shown: &shown, sight };
                let hidden = look.leave() == Leave::Rule && workspace.is_secret(&path);
                let explained = |mismatch| if hidden { not_shown(&shown) } else { miss.explained(mismatch) };
                let replaced = replace(&before.text, &old, &new, which).map_err(explained)?;
                // The place was found, but what is around it is not what the model knows.
                if sight == Sight::Before {
                    return Err(read_again(&shown));
                }
                if replaced.text == before.text {
                    return Err(nothing_new(&shown));
                }
                (Verb::Edit, replaced.text, Some((replaced.places, replaced.how)))
            }
        };
        let how = found.as_ref().and_then(|(_, how)| how.words());
        let note = found.and_then(|(places, how)| note(places, &how, before.as_ref()));
        Ok(Edit { workspace, path, before, after, verb, note, how, author: Author::Model }.planned())
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

/// What is in the file may not be quoted.
fn not_shown(shown: &str) -> Failure {
    let message = format!(
        "old_string is not in {shown} exactly once; what is there is hidden, since its name says that it holds secrets"
    );
    Failure::new(FailureKind::NoMatch, message)
}

fn nothing_new(shown: &str) -> Failure {
    let message = format!("nothing would change in {shown}: it has what new_string says; say what shall change");
    Failure::new(FailureKind::InvalidArguments, message)
}

/// What a person should know besides the difference.
fn note(places: usize, how: &How, before: Option<&Before>) -> Option<String> {
    let places = (places > 1).then(|| format!("{places} places"));
    let ends = before.and_then(|before| note_on_ends(&before.text));
    let notes: Vec<String> = [places, how.words(), ends].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
