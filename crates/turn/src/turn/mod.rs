//! The turn: from what a person says to the last word on it.

pub(crate) mod acting;
pub(crate) mod acts;
pub(crate) mod anew;
pub(crate) mod asking;
pub(crate) mod brakes;
pub(crate) mod calling;
pub(crate) mod claims;
pub(crate) mod delegating;
pub(crate) mod examining;
pub(crate) mod fenced;
pub(crate) mod heard;
pub(crate) mod jobs;
pub(crate) mod listening;
pub(crate) mod loops;
pub(crate) mod opening;
pub(crate) mod permissions;
pub(crate) mod piped;
pub(crate) mod plans;
pub(crate) mod queue;
pub(crate) mod raw;
pub(crate) mod reaching;
pub(crate) mod receipts;
#[cfg(test)]
pub(crate) mod remarks;
pub(crate) mod rescue;
pub(crate) mod schema;
pub(crate) mod undoing;
pub(crate) mod working;
