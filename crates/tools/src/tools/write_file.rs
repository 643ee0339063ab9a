//! `write_file`: creates a file or replaces all of it.

use super::edit_file::{EditPlace, Made};
use super::{FILE_PATH, refused};
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::change::{Author, Edit, Rewrite, Verb, Whole, before, note_on_ends, read_again};
use crate::read_only_job;
use crate::read_tracker::Sight;
use crate::redact::refuse_mark;
use crate::replace::with_ends_of;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Digest, Failure, FailureKind};
use agent_syntax::{fill, loss};
use std::path::PathBuf;

pub(super) static FORM: Form = Form {
    tool: "write_file",
    aliases: "write create create_file new_file save_file write_to_file file_write file_create create_new_file \
        overwrite_file put_file write_text_file make_file fs_write fswrite add_file",
    description: include_str!("write_file.md"),
    parameters: &[
        FILE_PATH,
        Parameter::new("content", Kind::Body, "\"text\\n\"")
            .also("contents text filecontent filecontents filetext data body newcontent filedata fulltext")
            .required()
            .says("the whole text"),
        // The content may be a part of the file: what stays is filled from it. For models that answer with files.
        Parameter::new("fill", Kind::Flag, "true"),
    ],
    refused: refused::WRITE,
    ..BLANK
};

/// Bytes of a file that is shown to a model whose answer is not the file.
const SHOWN: usize = 6_000;

pub(super) struct WriteFile;

impl Tool for WriteFile {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        arguments.text("content")?;
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let content = arguments.text("content")?;
        let path = path(kit, arguments)?;
        let before = before(&kit.workspace, &path)?;
        let place = EditPlace {
            workspace: &kit.workspace,
            path: &path,
            text: before.as_ref().map(|before| before.text.as_str()),
            sight: before.as_ref().map_or(Sight::Never, |before| kit.workspace.seen().sight(&path, &before.digest)),
            hidden: look.leave() == Leave::Rule && kit.workspace.is_secret(&path),
            syntax: kit.levers().syntax,
        };
        let is_filled = arguments.flag("fill")?;
        if is_filled && let Some(before) = &before {
            unseen(&place, &before.digest)?;
        }
        let content = if is_filled { filled(content, &place)? } else { whole(content, &place)? };
        let made = written(content, &place)?;
        if !is_filled {
            wanted_whole(&made, &place, &kit.rewrite())?;
        }
        let Made { verb, after, note, how } = made;
        let workspace = kit.workspace.clone();
        Edit { workspace, path, before, after, verb, note, how, author: Author::Model }.planned(&kit.checks())
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.word("file_path")?)
}

/// A model that answers with a file which it was not shown makes it up: it is shown it first, or told how to see it.
fn unseen(place: &EditPlace<'_>, digest: &Digest) -> Result<(), Failure> {
    let Some(before) = place.text.filter(|text| place.sight == Sight::Never && !text.trim().is_empty()) else {
        return Ok(());
    };
    // What holds secrets is never shown, so it cannot be asked for first.
    if place.hidden {
        return Ok(());
    }
    let shown = place.shown();
    let next = if before.len() <= SHOWN {
        place.workspace.seen().note(place.path, digest.clone());
        format!("\n{shown} is now:\n{before}")
    } else {
        format!("; to see it, answer with one line: NEED: {shown}")
    };
    let message = format!("{shown} is there already and was not shown, so nothing was written to it{next}");
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

/// The whole text that an answer means for the file: what it leaves out and what is to stay is filled from it. Where that cannot
/// be told, the model is shown the file.
fn filled(content: String, place: &EditPlace<'_>) -> Result<String, Failure> {
    let Some(before) = place.text else { return Ok(content) };
    let shown = place.shown();
    fill(&shown, before, &content).map(|filled| filled.text).map_err(|unfillable| {
        let text =
            if before.len() <= SHOWN && !place.hidden { format!("\n{shown} is now:\n{before}") } else { String::new() };
        Failure::new(FailureKind::InvalidArguments, format!("{}{text}", unfillable.words(&shown)))
    })
}

/// Is the whole text of a file that is there what is wanted? A failure where a part of it should be changed, or looked at first.
pub(super) fn wanted_whole(made: &Made, place: &EditPlace<'_>, rewrite: &Rewrite) -> Result<(), Failure> {
    let Some(before) = place.text else { return Ok(()) };
    rewrite.check(&Whole {
        path: place.path,
        shown: &place.shown(),
        before,
        after: &made.after,
        sight: place.sight,
        is_ours: place.workspace.seen().is_ours(place.path),
    })
}

/// The text, where nothing would be lost by it that nobody spoke of.
pub(super) fn whole(content: String, place: &EditPlace<'_>) -> Result<String, Failure> {
    let shown = place.shown();
    match place.text.and_then(|before| loss(&shown, before, &content)) {
        None => Ok(content),
        Some(unfillable) => {
            let words = unfillable.words(&shown);
            let message =
                format!("{words}; or change a part of it with edit_file; to make all of it anew delete it first");
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}

/// The whole of the file becomes `content`.
pub(super) fn written(content: String, place: &EditPlace<'_>) -> Result<Made, Failure> {
    refuse_mark(&content, place.text.unwrap_or_default(), "content")?;
    let (verb, after, note) = match place.text {
        None => (Verb::Create, content, None),
        Some(text) if place.sight == Sight::Before && !text.trim().is_empty() => {
            return Err(read_again(&place.shown()));
        }
        Some(text) => (Verb::Write, like(text, &content), note(text, place.sight)),
    };
    Ok(Made { verb, after, note, how: None })
}

/// What a person should know besides the difference.
fn note(before: &str, sight: Sight) -> Option<String> {
    let unseen = match sight {
        Sight::AsItIs | Sight::Before => None,
        Sight::Never if before.trim().is_empty() => None,
        Sight::Never => Some("this file was never read in this session".to_owned()),
    };
    let notes: Vec<String> = [unseen, note_on_ends(before)].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// `content` with the line ends and the byte order mark of what was there.
fn like(before: &str, content: &str) -> String {
    let content = with_ends_of(before, content);
    if before.starts_with('\u{feff}') && !content.starts_with('\u{feff}') {
        return format!("\u{feff}{content}");
    }
    content
}
