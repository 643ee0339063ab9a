//! The turn machine: one input in, effects out.
//!
//! Pure and synchronous: it waits for nothing and reads no clock, file or variable. Every asynchronous answer carries
//! the id of its request; late ones fall through. `loop` carries the effects out and brings the answers back.

mod acting;
mod asking;
mod brakes;
mod effect;
mod heard;
mod history;
mod link;
mod listening;
mod loops;
mod machine;
mod offer;
mod plans;
mod queue;
mod raw;
mod rescue;
mod schema;
mod settings;
mod working;

pub use effect::{Effect, Input, Memory, Planned, Reached};
pub use machine::Machine;
pub use settings::{Family, Keep, Limits, Settings, ToolsMode};
