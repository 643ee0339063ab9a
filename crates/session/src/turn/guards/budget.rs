//! A script's turn has so many steps and so much time: the model hears of it while it can still finish what works. A person is
//! asked when the steps are over, so nobody is told before.

use crate::Keep;
use crate::parts::Parts;
use agent_protocol::NoticeLevel;

/// So many steps before the last one the model is told.
const STEPS_BEFORE: u32 = 3;

/// Most of the time is over. It is told with the next results; where nothing is under way there is nobody to tell.
pub(crate) fn time_is_short(parts: &mut Parts) {
    parts.turn.counts.time_is_short = true;
}

/// Tells the model how little is left, where it is little.
pub(crate) fn tell_what_is_left(parts: &mut Parts) {
    if parts.turn.keep == Keep::Everything || parts.turn.aside.is_some() {
        return;
    }
    if parts.turn.steps_left() == STEPS_BEFORE {
        tell("3 steps are left", parts);
    }
    if std::mem::take(&mut parts.turn.counts.time_is_short) {
        tell("nine tenths of the time are over", parts);
    }
}

fn tell(what: &str, parts: &mut Parts) {
    parts.out.notice(NoticeLevel::Info, format!("{what}; the model is told"));
    parts.conversation.remind(&format!("({what}: finish what works)"));
}
