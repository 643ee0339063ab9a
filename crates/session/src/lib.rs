//! The turn machine: one input in, effects out.
//!
//! Pure and synchronous: it waits for nothing and reads no clock, file or variable. Every asynchronous answer carries
//! the id of its request; late ones fall through. `loop` carries the effects out and brings the answers back.

mod agents;
mod answers;
pub mod context;
mod conversation;
mod effect;
mod input;
mod machine;
mod out;
mod parts;
mod records;
mod requests;
mod server;
mod settings;
mod turn;

pub use agents::{AgentKind, AgentTools, OfferedGroup};
pub use effect::{CallEffect, Effect, Memory, ServerEffect, SessionEffect};
pub use input::{CallInput, Input, Planned, Reached, ServerInput, SessionInput};
pub use machine::Machine;
pub use records::export;
pub use records::resume::{records_before, unfinished};
pub use settings::{Begin, Family, Keep, Limits, ModelSize, OpenedSession, Settings, ToolsMode, Trust};
