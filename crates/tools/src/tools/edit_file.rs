//! `edit_file`: replaces a text in a file, in one place or in all.

use super::read_file::missing;
use super::{FILE_PATH, refused};
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::change::{Author, Edit, Verb, before, mended, note_on_ends, read_again};
use crate::miss::Miss;
use crate::read_only_job;
use crate::read_tracker::Sight;
use crate::redact::refuse_mark;
use crate::replace::{How, Replaced, Which, replace};
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind, SyntaxGate};
use std::path::{Path, PathBuf};

pub(super) static FORM: Form = Form {
    tool: "edit_file",
    aliases: "edit replace str_replace string_replace search_replace search_and_replace replace_in_file \
        replace_string_in_file apply_edit file_edit file_str_replace modify_file update_file change_file \
        str_replace_editor str_replace_based_edit_tool text_editor file_editor edit_anthropic str_replace_file",
    description: include_str!("edit_file.md"),
    parameters: &[
        FILE_PATH,
        Parameter::new("old_string", Kind::Text, "\"old text\"")
            .also(
                "oldstr oldtext old search find target oldcontent oldcode oldvalue original originaltext \
                searchtext searchstring targetcontent before findtext findstring",
            )
            .required(),
        Parameter::new("new_string", Kind::Text, "\"new text\"")
            .also(
                "newstr newtext new replace replacement newcontent newcode newvalue updated updatedtext \
                replacetext replacewith replacementtext replacementcontent replacestring after with",
            )
            .required(),
        Parameter::new("replace_all", Kind::Flag, "true")
            .also("all global alloccurrences everyoccurrence allowmultiple replaceallmatches")
            .optional()
            .says("every place"),
    ],
    // Where several edits come in one call, the only one of a list can be taken.
    lists: &["edits", "edit", "changes", "replacements"],
    refused: refused::EDIT,
    ..BLANK
};

pub(super) struct EditFile;

struct Wanted {
    path: PathBuf,
    swap: Swap,
}

impl Tool for EditFile {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(wanted(kit, arguments)?.path))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let Wanted { path, swap } = wanted(kit, arguments)?;
        let workspace = kit.workspace.clone();
        let before = before(&workspace, &path)?;
        let place = EditPlace {
            workspace: &workspace,
            path: &path,
            text: before.as_ref().map(|before| before.text.as_str()),
            sight: before.as_ref().map_or(Sight::Never, |before| workspace.seen().sight(&path, &before.digest)),
            hidden: look.leave() == Leave::Rule && workspace.is_secret(&path),
            syntax: kit.levers().syntax,
        };
        let Made { verb, after, note, how } = swap.made(&place)?;
        Edit { workspace, path, before, after, verb, note, how, author: Author::Model }.planned(&kit.checks())
    }
}

fn wanted(kit: &ToolContext, arguments: &Arguments) -> Result<Wanted, Failure> {
    let swap = Swap::read(arguments, ["old_string", "new_string", "replace_all"])?;
    Ok(Wanted { path: kit.workspace.resolve(&arguments.word("file_path")?)?, swap })
}

/// A text that is to be put in place of another.
pub(super) struct Swap {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) which: Which,
}

/// A file as it is when something is to be done with it.
pub(super) struct EditPlace<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) path: &'a Path,
    /// `None`: there is no file.
    pub(super) text: Option<&'a str>,
    pub(super) sight: Sight,
    /// What is in it may not be quoted.
    pub(super) hidden: bool,
    /// Whether what does not parse is of interest.
    pub(super) syntax: SyntaxGate,
}

impl EditPlace<'_> {
    pub(super) fn shown(&self) -> String {
        self.workspace.shown(self.path)
    }
}

/// What comes of a file.
pub(super) struct Made {
    pub(super) verb: Verb,
    pub(super) after: String,
    /// What a person should know besides the difference.
    pub(super) note: Option<String>,
    /// How the place was found, where that is worth a word.
    pub(super) how: Option<String>,
}

impl Swap {
    pub(super) fn read(arguments: &Arguments, [old, new, all]: [&str; 3]) -> Result<Self, Failure> {
        let (before, after) = (arguments.text(old)?, arguments.text(new)?);
        if before == after {
            return Err(arguments.fault(new, &format!("is the same as {old}; say what shall change")));
        }
        let which = if arguments.flag(all)? { Which::All } else { Which::TheOnly };
        Ok(Swap { old: before, new: after, which })
    }

    /// Puts the new text in place of the old one.
    pub(super) fn made(self, place: &EditPlace<'_>) -> Result<Made, Failure> {
        let text = place.text.unwrap_or_default();
        refuse_mark(&self.old, text, "old_string")?;
        refuse_mark(&self.new, text, "new_string")?;
        let whole = |verb, after| Made { verb, after, note: None, how: None };
        match place.text {
            None if self.old.is_empty() => Ok(whole(Verb::Create, self.new)),
            None => Err(missing(place.workspace, place.path)),
            Some(text) if self.old.is_empty() => Ok(whole(Verb::Edit, filled(text, self.new, &place.shown())?)),
            Some(text) => self.replaced(text, place),
        }
    }

    fn replaced(&self, text: &str, place: &EditPlace<'_>) -> Result<Made, Failure> {
        let (shown, sight) = (place.shown(), place.sight);
        let miss = Miss { text, old: &self.old, new: &self.new, shown: &shown, sight };
        let explained = |mismatch| if place.hidden { not_shown(&shown) } else { miss.explained(mismatch) };
        let mut replaced = replace(text, &self.old, &self.new, self.which).map_err(explained)?;
        // The place was found, but what is around it is not what the model knows.
        if sight == Sight::Before {
            return Err(read_again(&shown));
        }
        if replaced.text == text {
            return Err(nothing_new(&shown));
        }
        if place.syntax != SyntaxGate::Off && replaced.places == 1 {
            self.shift(text, &shown, &mut replaced);
        }
        let note = note(replaced.places, &replaced.how, text);
        Ok(Made { verb: Verb::Edit, after: replaced.text, note, how: replaced.how.words() })
    }
}

impl Swap {
    /// Puts the new text at the depth of the old one where the file parses only then.
    fn shift(&self, text: &str, shown: &str, replaced: &mut Replaced) {
        let put = |new: &str| Some(replace(text, &self.old, new, self.which).ok()?.text);
        if let Some((made, by)) = mended(shown, (text, &replaced.text), (&self.old, &self.new), put) {
            replaced.text = made;
            replaced.how.shift(by);
        }
    }
}

/// An empty file takes the new text; in any other, nothing is found everywhere.
fn filled(before: &str, new: String, shown: &str) -> Result<String, Failure> {
    match before {
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
pub(super) fn not_shown(shown: &str) -> Failure {
    let message = format!(
        "old_string is not in {shown} exactly once; what is there is hidden, since its name says that it holds secrets"
    );
    Failure::new(FailureKind::NoMatch, message)
}

pub(super) fn nothing_new(shown: &str) -> Failure {
    let message = format!("nothing would change in {shown}: it has what new_string says; say what shall change");
    Failure::new(FailureKind::InvalidArguments, message)
}

/// What a person should know besides the difference.
fn note(places: usize, how: &How, before: &str) -> Option<String> {
    let places = (places > 1).then(|| format!("{places} places"));
    let notes: Vec<String> = [places, how.words(), note_on_ends(before)].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
