//! What the model gets to see: the standing instructions, what the window holds and what fills it, how long reading takes,
//! and how a conversation is made shorter.
//!
//! Pure; drops nothing by itself.

mod compaction;
mod estimator;
mod frontmatter;
mod gauge;
mod memory;
mod prompt;
mod speed;
mod window;

pub use compaction::{
    ElidedResults, KnownWork, Rebuilt, SummaryFault, elide_oldest, elide_results, is_summary, read_summary, rebuild,
    rule_based_summary, summary_request, tail_start, with_parts,
};
pub use estimator::{Estimator, Features};
pub use frontmatter::{FrontMatter, FrontMatterFault, front_matter};
pub use gauge::ContextUsage;
pub use memory::{Notes, notes};
pub use prompt::{ProjectWords, agent_prompt, changed_sources, system_prompt};
pub use speed::Speeds;
pub use window::{
    Room, WindowWish, choose_window, grouped, no_room_for_instructions, one_line, room_for_result, room_in, squeeze,
    window_warnings,
};
