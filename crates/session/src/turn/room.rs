//! How much the result of a call may take.

use crate::parts::Parts;

/// Bytes that the result of a call from outside may take: no window of a model that we know of limits it.
const ROOM_OUTSIDE: usize = 48 * 1_024;

/// Bytes that one result may take.
pub(crate) fn room(parts: &Parts) -> usize {
    if parts.turn.counts.from_outside { ROOM_OUTSIDE } else { parts.conversation.room(&parts.server) }
}
