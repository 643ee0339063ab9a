//! What a turn can be in the middle of: a phase takes what arrives and returns the next one. The enum is in `turn::phase`.

pub(crate) mod answering;
pub(crate) mod delegating;
pub(crate) mod ending;
pub(crate) mod examining;
pub(crate) mod firing;
pub(crate) mod fresh_start;
pub(crate) mod hook_state;
pub(crate) mod hooks;
pub(crate) mod listening;
pub(crate) mod opening;
pub(crate) mod questions;
pub(crate) mod reaching;
pub(crate) mod received;
pub(crate) mod sandbox_retry;
pub(crate) mod summarising;
pub(crate) mod tries;
pub(crate) mod undoing;
pub(crate) mod work;
pub(crate) mod working;
