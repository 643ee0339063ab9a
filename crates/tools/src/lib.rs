//! The hands: one file a tool, and the one executor that carries out what was permitted.
//!
//! A call goes three steps. [`Toolbox::reach`] resolves names and looks at nothing; [`Toolbox::plan`] may look, with a
//! permit to read; [`perform`] alone touches the world, with a permit for exactly the planned action.

mod tool;
mod toolbox;

pub use tool::{Job, Output, Tool};
pub use toolbox::{Toolbox, facts, perform};
