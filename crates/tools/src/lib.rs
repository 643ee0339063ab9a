//! The hands: one file a tool, and the one executor that carries out what was permitted.
//!
//! A call goes three steps. [`Toolbox::reach`] resolves names and looks at nothing; [`Toolbox::plan`] may look, with a
//! permit to read; [`Toolbox::perform`] alone touches the world, with a permit for exactly the planned action.

mod apply;
mod arguments;
mod background;
mod beneath;
mod blocking;
mod cap;
mod change;
mod digest;
mod facts;
mod folder;
mod ground;
mod kit;
mod lines;
mod look;
mod lsp;
mod miss;
mod names;
mod open;
mod parallel;
mod pattern;
mod perform;
mod plain;
mod planning;
mod ports;
mod program;
mod redact;
mod replace;
mod restore;
mod same;
mod search;
mod seen;
mod selection;
mod slip;
mod table;
mod text;
mod theirs;
mod tool;
mod toolbox;
mod tools;
mod tripwire;
mod undo;
mod unread;
mod walk;
mod words;
mod workspace;

pub use agent_net::{Rules, Upstream};
pub use agent_web::{Accounts, Engine, Web};
pub use folder::findings;
pub use ground::{AT_ONCE, Ground, Keep, KeptInMemory, Outside, UndoLimits};
pub(crate) use kit::Tool;
pub use lsp::LanguageServer;
pub use redact::Secrets;
pub use restore::Wanted;
pub use selection::{Selection, group_names};
pub use table::table;
pub use tool::{Intent, Output, PlannedCall, Wish};
pub use toolbox::{Offer, Reached, Toolbox};
