//! How much the result of a call may take.

use crate::conversation::Conversation;
use crate::server::Server;
use crate::turn::state::Turn;

/// Bytes that the result of a call from outside may take: no window of a model that we know of limits it.
const ROOM_OUTSIDE: usize = 48 * 1_024;

/// Bytes that one result may take.
pub(crate) fn room(turn: &Turn, conversation: &Conversation, server: &Server) -> usize {
    if turn.counts.from_outside { ROOM_OUTSIDE } else { conversation.room(server) }
}
