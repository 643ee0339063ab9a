//! A script's turn has so many steps and so much time: the model hears of it while it can still finish what works. A person is
//! asked when the steps are over, so nobody is told before.

use crate::Keep;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::state::Turn;
use agent_protocol::NoticeLevel;

/// So many steps before the last one the model is told.
const STEPS_BEFORE: u32 = 3;

/// Most of the time is over. It is told with the next results; where nothing is under way there is nobody to tell.
pub(crate) fn time_is_short(turn: &mut Turn) {
    turn.counts.time_is_short = true;
}

/// Tells the model how little is left, where it is little.
pub(crate) fn tell_what_is_left(turn: &mut Turn, conversation: &mut Conversation, out: &mut Out) {
    if turn.keep == Keep::Everything || turn.paused.is_some() {
        return;
    }
    if turn.steps_left() == STEPS_BEFORE {
        tell("3 steps are left", conversation, out);
    }
    if std::mem::take(&mut turn.counts.time_is_short) {
        tell("nine tenths of the time are over", conversation, out);
    }
}

fn tell(what: &str, conversation: &mut Conversation, out: &mut Out) {
    out.notice(NoticeLevel::Info, format!("{what}; the model is told"));
    conversation.remind(&format!("({what}: finish what works)"));
}
