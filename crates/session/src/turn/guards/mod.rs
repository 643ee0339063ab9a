//! What keeps a turn on its way: loops, endless replies, replies that cannot be used, claims of work that was not done.

pub(crate) mod budget;
pub(crate) mod claims;
pub(crate) mod cut_off;
pub(crate) mod loop_guard;
pub(crate) mod loops;
pub(crate) mod no_answer;
pub(crate) mod progress;
pub(crate) mod recovery;
pub(crate) mod thinking;
pub(crate) mod thinking_bound;
pub(crate) mod token_count;
pub(crate) mod unusable_reply;
