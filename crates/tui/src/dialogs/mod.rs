//! What stands over the composer and takes the keys: questions, choices, panels. One file each.
//!
//! A dialog decides what a key means and answers with a [`Reply`]; it sends nothing itself. It hears every event while it
//! is open, and takes up those that are for it. To add one: its file, its line here, and the line that opens it: the
//! row of its slash command in `commands`, or [`answer_to`].

mod approval;
mod body;
mod changes;
mod config;
mod context;
mod field;
mod files;
mod frame;
mod gate;
mod groups;
mod hooks;
mod jobs;
mod levels;
mod list;
mod lock;
mod memory;
mod models;
mod panel;
mod permissions;
mod ports;
mod press;
mod prompt;
mod pull;
mod rewind;
mod sandbox;
mod seen;
mod server;
mod sessions;
mod shares;
mod skills;
mod tools;
mod undo;

pub(crate) use approval::{Approval, Details, command_instead, instead, plan_instead};
pub(crate) use changes::SessionDiff;
pub(crate) use config::ConfigList;
pub(crate) use frame::{Laid, Scroll, rule};
pub(crate) use gate::{Answers, Gate, Held, When, Words};
pub(crate) use groups::Groups;
pub(crate) use jobs::JobList;
pub(crate) use levels::Levels;
pub(crate) use lock::Lock;
pub(crate) use models::Picker;
pub(crate) use panel::sandbox_words;
pub(crate) use panel::{Panel, mode_words, no_model_words, server_words};
pub(crate) use permissions::Permissions;
pub(crate) use ports::PortList;
pub(crate) use press::Press;
use prompt::PromptView;
pub(crate) use pull::Pull;
pub(crate) use rewind::Rewind;
pub(crate) use server::ServerDown;
pub(crate) use sessions::Sessions;
pub(crate) use skills::Skills;
pub(crate) use undo::Undo;

use crate::cmd::Cmd;
use crate::diff::Columns;
use crate::jobs::Jobs;
use crate::palette::Palette;
use crate::settings::ListedSetting;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_frontend::Session;
use agent_protocol::{Event, ListEvent, Op};
use std::any::Any;
use std::time::Duration;

/// What follows from a key.
#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) cmds: Vec<Cmd>,
    pub(crate) then: Then,
}

/// What becomes of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Then {
    Stay,
    Close,
    /// It closes, and a message begins with these words.
    Begin(String),
    /// It closes, and the key means what it means without it.
    Yield,
}

impl Reply {
    pub(crate) fn stay() -> Self {
        Reply { cmds: Vec::new(), then: Then::Stay }
    }

    pub(crate) fn close() -> Self {
        Reply { cmds: Vec::new(), then: Then::Close }
    }

    /// The dialog makes room for the key.
    pub(crate) fn make_room() -> Self {
        Reply { cmds: Vec::new(), then: Then::Yield }
    }

    pub(crate) fn stay_and(op: Op) -> Self {
        Reply { cmds: vec![Cmd::Send(op)], then: Then::Stay }
    }

    pub(crate) fn close_and(op: Op) -> Self {
        Reply { cmds: vec![Cmd::Send(op)], then: Then::Close }
    }
}

/// A dialog that is no question. What is said here holds for most of them.
pub(crate) trait Dialog: Any {
    fn key(&mut self, press: Press, now: Duration) -> Reply;

    fn lay_out(&mut self, space: Space) -> Laid;

    /// The wheel moves it; negative is up.
    fn scroll_by(&mut self, lines: i32);

    /// This row of it was clicked, counted from its rule. Nothing that a click does changes anything but what is seen.
    fn click(&mut self, _row: u16) {}

    /// Something was heard; whatever else it changes has been changed already.
    fn hear(&mut self, _event: &Event, _around: &Surroundings<'_>) -> Heard {
        Heard::No
    }

    /// The letters that do something here now; `None` where letters are text, or make the dialog go. See `gate` for which
    /// dialog is which.
    fn answers(&self) -> Option<Answers> {
        None
    }

    /// Takes words into a field of its own, where it has one for them.
    fn write(&mut self, _words: &str) {}

    fn paste(&mut self, _text: &str, _now: Duration) -> Pasted {
        Pasted::MakesRoom
    }

    /// At which of its steps it is: what is pressed at one means nothing at the next.
    fn step(&self) -> u8 {
        0
    }

    /// The lock of a dialog that came by itself.
    fn lock(&mut self) -> Option<&mut Lock> {
        None
    }

    fn comes_unbidden(&self) -> bool {
        false
    }

    /// Is it worth all the room there is? Other dialogs leave some of the conversation in view.
    fn wants_room(&self) -> bool {
        false
    }

    /// Is the user in the middle of choosing? What comes unbidden waits behind it then.
    fn goes_first(&self) -> bool {
        false
    }

    /// Is it about the server and its models, whichever session is open?
    fn is_of_the_server(&self) -> bool {
        false
    }

    /// Does it show a time that goes on?
    fn is_alive(&self) -> bool {
        false
    }

    /// What is to be sent when Ctrl+C puts it away.
    fn put_away(&self) -> Option<Op> {
        None
    }

    /// How the user looks at changes in it, where it shows any.
    fn columns(&self) -> Option<Columns> {
        None
    }

    /// A setting was written into the user's file, or was not.
    fn setting_written(&mut self, _name: &str, _outcome: &Result<Vec<ListedSetting>, String>) {}

    /// Takes up colours that are ready.
    fn highlighted(&mut self, _done: &Highlighted) {}
}

/// The dialog that a list opens when it comes, where it needs nothing else. A list that is not named here is heard by a
/// dialog that is open already, or needs more than itself (see `app::told`).
pub(crate) fn answer_to(event: &ListEvent, session: &Session) -> Option<Box<dyn Dialog>> {
    match event {
        ListEvent::Context { report } => Some(Box::new(Panel::context(report, session.server_card()))),
        ListEvent::Hooks { hooks } => Some(Box::new(Panel::hooks(hooks))),
        ListEvent::Memory { files } => Some(Box::new(Panel::memory(files))),
        ListEvent::Prompt { request, rendered, trouble } => {
            Some(Box::new(PromptView::new(request.clone(), rendered.clone(), trouble.as_ref())))
        }
        ListEvent::Skills { .. } | ListEvent::Sessions { .. } | ListEvent::Files { .. } => None,
        ListEvent::Ports { .. } | ListEvent::Permissions { .. } | ListEvent::Undoable { .. } => None,
        ListEvent::AgainstHead { .. } => None,
    }
}

/// The room for a dialog, and what it is drawn by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space {
    pub(crate) columns: u16,
    /// Rows at most, with the rule above it.
    pub(crate) most: u16,
    pub(crate) now: Duration,
    pub(crate) palette: Palette,
}

impl Space {
    /// The columns inside the frame.
    pub(crate) fn inside(self) -> u16 {
        frame::inner(self.columns)
    }

    /// Lays out what a dialog shows, scrolled as it is.
    pub(crate) fn fit(self, parts: frame::Parts<'_>, scroll: &mut Scroll) -> Laid {
        frame::fit(parts, scroll, self.columns, self.most, self.palette)
    }
}

/// What a dialog may look at when it hears something.
pub(crate) struct Surroundings<'a> {
    pub(crate) session: &'a Session,
    pub(crate) jobs: &'a Jobs,
    pub(crate) now: Duration,
    pub(crate) palette: Palette,
    pub(crate) highlighter: &'a Highlighter,
}

/// What became of something that was heard.
#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    /// It is nothing to this dialog.
    No,
    Shown,
    /// What was there to be answered has changed: a letter pressed before that was no answer to it. This is asked next.
    Anew(Option<Op>),
    /// The dialog has no use any more.
    Over,
    /// The same, and the user is told why.
    OverBecause(&'static str),
}

/// What becomes of something pasted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pasted {
    Taken,
    /// The dialog takes no text and makes room: it is meant for the message.
    MakesRoom,
    /// It is meant for the message, and the dialog, which came by itself, stays.
    Passed,
}
