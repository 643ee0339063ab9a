//! What goes to the clipboard of the terminal: an answer, or one of its code blocks.

use super::{App, REMARK_STAYS};
use crate::cmd::Cmd;
use crate::keymap::Deed;
use crate::settings::Clipboard;

impl App {
    /// The last code block of the last answer; pressed again soon, the one before it, and from the first on to the last again.
    pub(super) fn copy_code(&mut self) -> Vec<Cmd> {
        let mut blocks = self.transcript.code_blocks();
        let Some(last) = blocks.len().checked_sub(1) else { return self.copy(None, "code block in the last answer") };
        let before = self.copied.filter(|(_, until)| self.now < *until).map(|(at, _)| at);
        let at = before.map_or(last, |at| at.checked_sub(1).unwrap_or(last)).min(last);
        self.copied = Some((at, self.now + REMARK_STAYS));
        let again = match last {
            0 => String::new(),
            _ => format!(" ({} again: the one before)", self.keymap.label(Deed::CopyCode)),
        };
        let what = format!("code block {} of {}{again}", at + 1, last + 1);
        self.copy(Some(blocks.swap_remove(at)), &what)
    }

    pub(super) fn copy(&mut self, text: Option<String>, what: &str) -> Vec<Cmd> {
        match (text, self.settings.clipboard) {
            (None, _) => {
                self.say(format!("there is no {what} yet"));
                Vec::new()
            }
            (Some(_), Clipboard::Off) => {
                self.say("copying is switched off in the config; drag with shift held to select");
                Vec::new()
            }
            (Some(text), Clipboard::Osc52) => {
                self.say(format!("copied the {what}, {} characters", text.chars().count()));
                vec![Cmd::Copy(text)]
            }
        }
    }
}
