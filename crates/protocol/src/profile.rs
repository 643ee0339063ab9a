//! How far a command may reach.

use serde::{Deserialize, Serialize};

/// How far a command may reach. Each holds what the ones before it hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// It reads; it writes nothing and talks to nobody.
    ReadOnly,
    /// It writes in the project and in a temporary folder of its own; it talks to nobody.
    #[default]
    Project,
    /// That, and it talks to the network, but not to the model server.
    Network,
    /// No sandbox: whatever the user themself can do.
    Unfenced,
}

impl Profile {
    /// In words that follow "the command": `writes in the project, asks for hosts`.
    pub fn words(self) -> &'static str {
        match self {
            Profile::ReadOnly => "reads only, no network",
            Profile::Project => "writes in the project, asks for hosts",
            Profile::Network => "writes in the project, network on the listed ports",
            Profile::Unfenced => "no sandbox: can do what you can",
        }
    }
}
