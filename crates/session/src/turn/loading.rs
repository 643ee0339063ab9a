//! The model is loaded, and kept in memory, while the user types and thinks.

use crate::ServerEffect;
use crate::conversation::request::to_load;
use crate::out::Out;
use crate::server::Server;
use crate::turn::phase::Phase;
use crate::turn::state::Turn;

/// The model is loaded while the user still types; where a request is under way already, that loads it.
pub(crate) fn preload(turn: &Turn, server: &Server, out: &mut Out) {
    if server.wants_loading() && turn.opening.is_none() {
        let request = Box::new(to_load(server));
        out.carry_out(ServerEffect::Load { request });
    }
}

/// The session is open and the user thinks: the model stays in memory meanwhile.
pub(crate) fn renew(phase: &Phase, server: &Server, out: &mut Out) {
    let quiet = matches!(phase, Phase::Idle | Phase::Working(_) | Phase::Halted { .. });
    if quiet && server.wants_renewal() {
        let request = Box::new(to_load(server));
        out.carry_out(ServerEffect::Renew { request, window: server.window() });
    }
}
