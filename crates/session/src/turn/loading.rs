//! The model is loaded, and kept in memory, while the user types and thinks.

use crate::ServerEffect;
use crate::conversation::request::to_load;
use crate::parts::Parts;
use crate::turn::phase::Phase;

/// The model is loaded while the user still types; where a request is under way already, that loads it.
pub(crate) fn preload(parts: &mut Parts) {
    if parts.server.wants_loading() && parts.turn.opening.is_none() {
        let request = Box::new(to_load(&parts.server));
        parts.out.carry_out(ServerEffect::Load { request });
    }
}

/// The session is open and the user thinks: the model stays in memory meanwhile.
pub(crate) fn renew(phase: &Phase, parts: &mut Parts) {
    let quiet = matches!(phase, Phase::Idle | Phase::Working(_) | Phase::Halted { .. });
    if quiet && parts.server.wants_renewal() {
        let request = Box::new(to_load(&parts.server));
        parts.out.carry_out(ServerEffect::Renew { request, window: parts.server.window() });
    }
}
