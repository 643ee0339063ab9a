//! What the screen wants to have done outside: it does none of it itself.

use crate::settings::{Exit, Mouse};
use agent_protocol::{AskId, Op};
use std::path::PathBuf;

/// Something that is to be done outside.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cmd {
    Send(Op),
    Leave(Exit),
    /// Open `text` in the editor, in a file with this extension, at this line (from 1).
    Edit {
        text: String,
        extension: String,
        line: Option<usize>,
        purpose: Purpose,
    },
    /// Write this setting into the user's file; no value takes it out.
    WriteSetting {
        name: String,
        value: Option<String>,
    },
    /// Look for a picture on the clipboard.
    PastePicture,
    Copy(String),
    /// Tell somebody who looks elsewhere.
    Notify(String),
    SetMouse(Mouse),
    Redraw,
    Suspend,
}

/// What an edited text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Purpose {
    Draft,
    /// A file's text, instead of the proposed one.
    Proposal {
        ask: AskId,
        path: PathBuf,
    },
    /// A plan, instead of the proposed one.
    Plan {
        ask: AskId,
    },
    /// A command, instead of the proposed one.
    Command {
        ask: AskId,
    },
}
