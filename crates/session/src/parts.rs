//! The parts that the machine owns, side by side. Only holds them together; what they do stands with each.

use crate::Settings;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::records::Records;
use crate::server::Server;
use crate::turn::state::Turn;
use agent_policy::Policy;

/// The parts of one machine.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) server: Server,
    pub(crate) conversation: Conversation,
    pub(crate) records: Records,
    pub(crate) turn: Turn,
    pub(crate) out: Out,
}

impl Parts {
    pub(crate) fn new(settings: Settings, policy: Policy) -> Self {
        Parts {
            conversation: Conversation::new(&settings),
            records: Records::default(),
            turn: Turn::new(&settings, policy),
            out: Out::default(),
            server: Server::new(settings),
        }
    }
}
