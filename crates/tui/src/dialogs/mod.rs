//! What stands over the composer and takes the keys: questions, choices, panels. One file each.
//!
//! A dialog decides what a key means and answers with a [`Reply`]; it sends nothing itself.

mod approval;
mod context;
mod field;
mod frame;
mod gate;
mod groups;
mod jobs;
mod levels;
mod lock;
mod memory;
mod models;
mod panel;
mod permissions;
mod ports;
mod prompt;
mod pull;
mod rewind;
mod sandbox;
mod seen;
mod server;
mod sessions;
mod skills;
mod tools;
mod undo;

pub(crate) use approval::{Approval, Details, instead, plan_instead};
pub(crate) use frame::{Laid, Press, Scroll, rule};
pub(crate) use gate::{Answers, Gate, Held, When, Words};
pub(crate) use groups::Groups;
pub(crate) use jobs::JobList;
pub(crate) use levels::Levels;
pub(crate) use lock::Lock;
pub(crate) use models::Picker;
pub(crate) use panel::{Panel, mode_words, server_words};
pub(crate) use permissions::Permissions;
pub(crate) use ports::PortList;
pub(crate) use prompt::PromptView;
pub(crate) use pull::Pull;
pub(crate) use rewind::Rewind;
pub(crate) use sandbox::fence_words;
pub(crate) use server::ServerDown;
pub(crate) use sessions::Sessions;
pub(crate) use skills::Skills;
pub(crate) use undo::Undo;

use crate::app::Cmd;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::{Op, UndoPlan};
use std::time::Duration;

/// What follows from a key.
#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) cmds: Vec<Cmd>,
    pub(crate) then: Then,
}

/// What becomes of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Stay,
    Close,
    /// It closes, and the key means what it means without it.
    Yield,
}

impl Reply {
    /// Nothing follows.
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

/// A dialog that is no question.
pub(crate) enum Dialog {
    Models(Picker),
    Pull(Pull),
    Server(ServerDown),
    Panel(Panel),
    Permissions(Permissions),
    Groups(Groups),
    Levels(Levels),
    Prompt(PromptView),
    Sessions(Sessions),
    Skills(Skills),
    Undo(Undo),
    Rewind(Rewind),
    Jobs(JobList),
    Ports(PortList),
}

impl Dialog {
    pub(crate) fn key(&mut self, press: Press, now: Duration) -> Reply {
        match self {
            Dialog::Models(picker) => picker.key(press, now),
            Dialog::Pull(pull) => pull.key(press),
            Dialog::Server(server) => server.key(press, now),
            Dialog::Panel(panel) => panel.key(press),
            Dialog::Permissions(list) => list.key(press),
            Dialog::Groups(groups) => groups.key(press),
            Dialog::Levels(levels) => levels.key(press),
            Dialog::Prompt(prompt) => prompt.key(press),
            Dialog::Sessions(sessions) => sessions.key(press),
            Dialog::Skills(skills) => skills.key(press),
            Dialog::Undo(undo) => undo.key(press, now),
            Dialog::Rewind(rewind) => rewind.key(press, now),
            Dialog::Jobs(jobs) => jobs.key(press),
            Dialog::Ports(ports) => ports.key(press),
        }
    }

    /// The letters that do something here now; `None` where letters are text, or make the dialog go. See `gate` for which
    /// dialog is which.
    pub(crate) fn answers(&self) -> Option<Answers> {
        match self {
            Dialog::Server(server) => Some(server.answers()),
            Dialog::Pull(pull) => Some(pull.answers()),
            Dialog::Permissions(list) => list.answers(),
            Dialog::Groups(_) => Some(Answers::new(" ", Words::Instead)),
            Dialog::Undo(undo) => Some(undo.answers()),
            Dialog::Rewind(rewind) => Some(rewind.answers()),
            Dialog::Jobs(jobs) => Some(jobs.answers()),
            Dialog::Ports(ports) => Some(ports.answers()),
            Dialog::Models(_) | Dialog::Panel(_) | Dialog::Levels(_) | Dialog::Prompt(_) => None,
            Dialog::Sessions(_) | Dialog::Skills(_) => None,
        }
    }

    /// Takes words into a field of its own, where it has one for them.
    pub(crate) fn write(&mut self, words: &str) {
        match self {
            Dialog::Permissions(list) => list.begin(words),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Server(_) | Dialog::Panel(_) => {}
            Dialog::Groups(_) | Dialog::Levels(_) | Dialog::Prompt(_) | Dialog::Sessions(_) => {}
            Dialog::Skills(_) | Dialog::Undo(_) | Dialog::Rewind(_) | Dialog::Jobs(_) | Dialog::Ports(_) => {}
        }
    }

    /// At which of its steps it is: what is pressed at one means nothing at the next.
    pub(crate) fn step(&self) -> u8 {
        match self {
            Dialog::Rewind(rewind) => rewind.step(),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Server(_) | Dialog::Panel(_) | Dialog::Jobs(_) => 0,
            Dialog::Permissions(_) | Dialog::Groups(_) | Dialog::Levels(_) | Dialog::Prompt(_) => 0,
            Dialog::Sessions(_) | Dialog::Skills(_) | Dialog::Undo(_) | Dialog::Ports(_) => 0,
        }
    }

    /// Did it come by itself?
    pub(crate) fn comes_unbidden(&self) -> bool {
        match self {
            Dialog::Models(picker) => picker.lock.is_some(),
            Dialog::Server(_) => true,
            Dialog::Pull(_) | Dialog::Panel(_) | Dialog::Jobs(_) | Dialog::Ports(_) => false,
            Dialog::Permissions(_) | Dialog::Groups(_) | Dialog::Levels(_) | Dialog::Prompt(_) => false,
            Dialog::Sessions(_) | Dialog::Skills(_) | Dialog::Undo(_) | Dialog::Rewind(_) => false,
        }
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16, now: Duration, palette: Palette) -> Laid {
        match self {
            Dialog::Models(picker) => picker.lay_out(width, most, palette),
            Dialog::Pull(pull) => pull.lay_out(width, most, palette),
            Dialog::Server(server) => server.lay_out(width, most, now, palette),
            Dialog::Panel(panel) => panel.lay_out(width, most, palette),
            Dialog::Permissions(list) => list.lay_out(width, most, palette),
            Dialog::Groups(groups) => groups.lay_out(width, most, palette),
            Dialog::Levels(levels) => levels.lay_out(width, most, palette),
            Dialog::Prompt(prompt) => prompt.lay_out(width, most, palette),
            Dialog::Sessions(sessions) => sessions.lay_out(width, most, palette),
            Dialog::Skills(skills) => skills.lay_out(width, most, palette),
            Dialog::Undo(undo) => undo.lay_out(width, most, palette),
            Dialog::Rewind(rewind) => rewind.lay_out(width, most, palette),
            Dialog::Jobs(jobs) => jobs.lay_out(width, most, now, palette),
            Dialog::Ports(ports) => ports.lay_out(width, most, palette),
        }
    }

    /// The lock of a dialog that may come unbidden.
    pub(crate) fn lock(&mut self) -> Option<&mut Lock> {
        match self {
            Dialog::Models(picker) => picker.lock.as_mut(),
            Dialog::Server(server) => Some(&mut server.lock),
            Dialog::Pull(_) | Dialog::Panel(_) | Dialog::Jobs(_) | Dialog::Ports(_) => None,
            Dialog::Permissions(_) | Dialog::Groups(_) | Dialog::Levels(_) | Dialog::Prompt(_) => None,
            Dialog::Sessions(_) | Dialog::Skills(_) | Dialog::Undo(_) | Dialog::Rewind(_) => None,
        }
    }

    /// Is it worth all the room there is? Other dialogs leave some of the conversation in view.
    pub(crate) fn wants_room(&self) -> bool {
        match self {
            Dialog::Prompt(_) | Dialog::Undo(_) | Dialog::Groups(_) => true,
            Dialog::Rewind(rewind) => rewind.wants_room(),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Server(_) | Dialog::Panel(_) => false,
            Dialog::Permissions(_) | Dialog::Levels(_) | Dialog::Sessions(_) => false,
            Dialog::Skills(_) | Dialog::Jobs(_) | Dialog::Ports(_) => false,
        }
    }

    /// Is the person in the middle of choosing? What comes unbidden waits behind it then.
    pub(crate) fn goes_first(&self) -> bool {
        matches!(self, Dialog::Sessions(_) | Dialog::Undo(_) | Dialog::Rewind(_))
    }

    /// Takes up what an undo would change; says what to ask next.
    pub(crate) fn planned(
        &mut self,
        plan: UndoPlan,
        now: Duration,
        palette: Palette,
        highlighter: &Highlighter,
    ) -> Option<Op> {
        match self {
            Dialog::Undo(undo) => undo.planned(plan, now, palette, highlighter),
            Dialog::Rewind(rewind) => rewind.planned(plan, now, palette, highlighter),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Server(_) | Dialog::Panel(_) => None,
            Dialog::Permissions(_)
            | Dialog::Groups(_)
            | Dialog::Levels(_)
            | Dialog::Prompt(_)
            | Dialog::Sessions(_)
            | Dialog::Skills(_)
            | Dialog::Jobs(_)
            | Dialog::Ports(_) => None,
        }
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        match self {
            Dialog::Undo(undo) => undo.highlighted(done),
            Dialog::Rewind(rewind) => rewind.highlighted(done),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Server(_) | Dialog::Panel(_) => {}
            Dialog::Permissions(_)
            | Dialog::Groups(_)
            | Dialog::Levels(_)
            | Dialog::Prompt(_)
            | Dialog::Sessions(_)
            | Dialog::Skills(_)
            | Dialog::Jobs(_)
            | Dialog::Ports(_) => {}
        }
    }

    pub(crate) fn scroll_by(&mut self, lines: i32) {
        match self {
            Dialog::Models(picker) => picker.scroll.by(lines),
            Dialog::Pull(pull) => pull.scroll.by(lines),
            Dialog::Server(server) => server.scroll.by(lines),
            Dialog::Panel(panel) => panel.scroll.by(lines),
            Dialog::Permissions(list) => list.scroll.by(lines),
            Dialog::Groups(groups) => groups.scroll_by(lines),
            Dialog::Levels(levels) => levels.scroll.by(lines),
            Dialog::Prompt(prompt) => prompt.scroll_by(lines),
            Dialog::Sessions(sessions) => sessions.scroll_by(lines),
            Dialog::Skills(skills) => skills.scroll.by(lines),
            Dialog::Undo(undo) => undo.scroll_by(lines),
            Dialog::Rewind(rewind) => rewind.scroll_by(lines),
            Dialog::Jobs(jobs) => jobs.scroll.by(lines),
            Dialog::Ports(ports) => ports.scroll.by(lines),
        }
    }
}
