//! What all front ends share: a question with its answers, the hunks of changed files, a session folded from events, and how a
//! typed line becomes a slash command. Knows only `protocol`; draws nothing and does no IO.

mod arrivals;
mod hunks;
mod question;
mod session;
mod slash;

pub use arrivals::Arrivals;
pub use hunks::{Hunk, Hunks, Remaining};
pub use question::{
    Choice, ChoiceKind, Labels, REJECTED, choices, is_outside_turn, lettered_offers, reject_and_stop, reply,
    takes_feedback,
};
pub use session::{Offered, Session, Title};
pub use slash::{export_target, is_farewell, split_command};
