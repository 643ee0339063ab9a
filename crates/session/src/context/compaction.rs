//! Making the conversation shorter: pure rewriting of messages.
//!
//! **Invariant.** The first message is the system message, and never changes; no call is without its result, and no result
//! without its call.

mod calls;
mod elided;
mod form;
mod known;
mod oldest;
mod rebuild;
mod rule_based;
mod said;
mod standing;
mod summary;
mod tail;

pub use elided::{ElidedResults, elide_results};
pub use known::KnownWork;
pub use oldest::elide_oldest;
pub use rebuild::{Rebuilt, rebuild};
pub use rule_based::rule_based_summary;
pub use standing::{is_summary, with_parts};
pub use summary::{SummaryFault, read_summary, summary_request};
pub use tail::tail_start;
