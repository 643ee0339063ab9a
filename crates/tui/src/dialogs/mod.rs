//! What stands over the composer and takes the keys: questions, choices, panels. One file each.
//!
//! A dialog decides what a key means and answers with a [`Reply`]; it sends nothing itself.

mod approval;
mod frame;
mod letters;
mod lock;
mod models;
mod panel;
mod pull;
mod server;
mod tools;

pub(crate) use approval::{Approval, Details, instead};
pub(crate) use frame::{Laid, Press, Scroll, rule};
pub(crate) use letters::{Held, Letters, When};
pub(crate) use lock::Lock;
pub(crate) use models::Picker;
pub(crate) use panel::{Panel, mode_words, server_words};
pub(crate) use pull::Pull;
pub(crate) use server::ServerDown;

use crate::app::Cmd;
use crate::palette::Palette;
use agent_protocol::Op;
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
#[derive(Debug)]
pub(crate) enum Dialog {
    Models(Picker),
    Pull(Pull),
    Server(ServerDown),
    Panel(Panel),
}

impl Dialog {
    pub(crate) fn key(&mut self, press: Press, now: Duration) -> Reply {
        match self {
            Dialog::Models(picker) => picker.key(press, now),
            Dialog::Pull(pull) => pull.key(press),
            Dialog::Server(server) => server.key(press, now),
            Dialog::Panel(panel) => panel.key(press),
        }
    }

    /// The letters typed at it, and those that are its keys, where they might be words as well.
    pub(crate) fn letters(&mut self) -> Option<(&mut Letters, &'static str)> {
        match self {
            Dialog::Server(server) => Some(server.letters()),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Panel(_) => None,
        }
    }

    /// When a letter typed at it will be known to be an answer.
    pub(crate) fn due(&self) -> Option<Duration> {
        match self {
            Dialog::Server(server) => server.due(),
            Dialog::Models(_) | Dialog::Pull(_) | Dialog::Panel(_) => None,
        }
    }

    pub(crate) fn lay_out(&mut self, width: u16, most: u16, now: Duration, palette: Palette) -> Laid {
        match self {
            Dialog::Models(picker) => picker.lay_out(width, most, palette),
            Dialog::Pull(pull) => pull.lay_out(width, most, palette),
            Dialog::Server(server) => server.lay_out(width, most, now, palette),
            Dialog::Panel(panel) => panel.lay_out(width, most, palette),
        }
    }

    /// The lock of a dialog that may come unbidden.
    pub(crate) fn lock(&mut self) -> Option<&mut Lock> {
        match self {
            Dialog::Models(picker) => picker.lock.as_mut(),
            Dialog::Server(server) => Some(&mut server.lock),
            Dialog::Pull(_) | Dialog::Panel(_) => None,
        }
    }

    pub(crate) fn scroll(&mut self) -> &mut Scroll {
        match self {
            Dialog::Models(picker) => &mut picker.scroll,
            Dialog::Pull(pull) => &mut pull.scroll,
            Dialog::Server(server) => &mut server.scroll,
            Dialog::Panel(panel) => &mut panel.scroll,
        }
    }
}
