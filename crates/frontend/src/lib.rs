//! What the screen, the lines, the subcommands and the editors would otherwise each write for themselves: a question with its
//! answers, and the hunks of changed files. Knows only `protocol`; draws nothing and does no IO.

mod hunks;
mod question;

pub use hunks::{Hunk, Hunks, Remaining};
pub use question::{
    Choice, ChoiceKind, Labels, REJECTED, choices, is_outside_turn, lettered_offers, reject_and_stop, reply,
    takes_feedback,
};
