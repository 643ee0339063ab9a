//! Making the conversation shorter: pure rewriting of messages.
//!
//! **Invariant.** The first message is the system message, and never changes; no call is without its result, and no result
//! without its call.

mod calls;
mod digest;
mod form;
mod rebuild;
mod said;
mod standing;
mod stub;
mod summary;
mod tail;

pub use digest::digest;
pub use rebuild::{Rebuilt, rebuild};
pub use standing::{is_summary, with_parts};
pub use stub::{Stubbed, stub_results};
pub use summary::{SummaryFault, read_summary, summary_request};
pub use tail::tail_start;
