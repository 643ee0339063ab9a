//! The turn machine: one input in, effects out.
//!
//! Pure and synchronous: it waits for nothing and reads no clock, file or variable. Every asynchronous answer carries
//! the id of its request; late ones fall through. `loop` carries the effects out and brings the answers back.

mod acting;
mod acts;
mod agents;
mod anew;
mod asking;
mod brakes;
mod calling;
mod claims;
mod delegating;
mod effect;
mod exam;
mod examining;
pub mod export;
mod fenced;
mod fitting;
mod heard;
mod history;
mod jobs;
mod link;
mod listening;
mod loops;
mod machine;
mod measure;
mod offer;
mod opening;
mod pages;
mod permissions;
mod piped;
mod plans;
mod queue;
mod raw;
mod reaching;
mod receipts;
mod recorder;
#[cfg(test)]
mod remarks;
mod report;
mod rescue;
mod resume;
mod said;
mod schema;
mod sessions;
mod settings;
mod undo;
mod undoing;
mod untold;
mod window;
mod working;

pub use agents::{AgentKind, AgentTools};
pub use effect::{Effect, Input, Memory, Planned, Reached};
pub use machine::Machine;
pub use resume::{records_before, unfinished};
pub use sessions::{Begin, OpenedSession};
pub use settings::{Family, Keep, Limits, OfferedGroup, Settings, ToolsMode, Trust};
