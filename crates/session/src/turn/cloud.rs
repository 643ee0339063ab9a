//! The question about a cloud model: may what it is sent leave this machine? Only puts and withdraws it; what a yes lets
//! happen is in `serving`.

use crate::out::Out;
use crate::server::Server;
use crate::turn::phases::questions::{ask_plainly, settle_withdrawn};
use crate::turn::state::Turn;
use crate::turn::state::{About, Opening};
use agent_protocol::Subject;

/// Asks about a cloud model that was chosen. Where another question of the start stands open, that comes first.
pub(crate) fn ask(turn: &mut Turn, server: &Server, out: &mut Out) {
    let question = server.cloud_question().filter(|_| turn.opening.is_none());
    let Some((model, host)) = question else { return };
    let ask = out.next_ask();
    turn.opening = Some(Opening { ask, about: About::Cloud });
    let title = format!("Send your work to {host}?");
    let why = format!(
        "{model} is a cloud model: the server passes on to {host} all that it is sent, your words and the files it reads \
         included. A yes is remembered for this model alone"
    );
    ask_plainly(ask, Subject::Cloud { model, host }, title, why, turn, out);
}

/// Another model was chosen while the question about a cloud model stood open.
pub(crate) fn withdraw(turn: &mut Turn, server: &mut Server, out: &mut Out) {
    server.take_waiting();
    if let Some(open) = turn.opening.take_if(|opening| matches!(opening.about, About::Cloud)) {
        settle_withdrawn(open.ask, out);
    }
}
