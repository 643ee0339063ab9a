//! The model server: what it is and can do, how it stands with it, and how far a download is.

use crate::ServerError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A server that answers, as its own kind of back end tells of it. Nobody else knows one product from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerCard {
    /// Its version, as it says.
    pub version: String,
    /// What the product is called.
    #[serde(default)]
    pub product: String,
    /// What it does with its models besides talking for them.
    #[serde(default)]
    pub can: BTreeSet<Capability>,
    /// Where a person finds the models that it can download, where it downloads any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// The variable of its environment that bounds the window of every model, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_variable: Option<String>,
}

impl ServerCard {
    /// Does it do this with its models?
    pub fn can(&self, what: Capability) -> bool {
        self.can.contains(&what)
    }

    /// Where a window comes from that this server's environment asks for: `as NAME says`.
    pub fn window_origin(&self) -> String {
        let name = self.window_variable.as_deref().unwrap_or("the environment of the server");
        format!("as {name} says")
    }
}

/// Something that some servers do with their models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Loads a model before anything is said to it.
    Load,
    /// Tells which models are in its memory.
    ListLoaded,
    /// Takes a model out of its memory.
    Unload,
    /// Downloads a model.
    Pull,
    /// Removes a model from its disk.
    Remove,
    /// Tells the text that it makes of a request for the model.
    Render,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 6] = [
        Capability::Load,
        Capability::ListLoaded,
        Capability::Unload,
        Capability::Pull,
        Capability::Remove,
        Capability::Render,
    ];

    /// What it does, after "it can".
    pub fn words(self) -> &'static str {
        match self {
            Capability::Load => "load a model beforehand",
            Capability::ListLoaded => "tell which models are in its memory",
            Capability::Unload => "be told to let go of a model",
            Capability::Pull => "download a model for you",
            Capability::Remove => "remove a model for you",
            Capability::Render => "show the text that the model is given",
        }
    }
}

/// The program of a server: how a person starts it on its machine, and where they get it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerProgram {
    /// The command that starts it.
    pub start: String,
    /// Where it is told how to install it.
    pub home: String,
}

/// How it stands with the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ServerState {
    /// It is being looked for.
    Looking,
    /// It is being started by us.
    Starting,
    /// It answers, and is this one.
    Up(ServerCard),
    /// It does not.
    Down {
        /// Why.
        trouble: ServerError,
        /// Could we start it here?
        can_start: bool,
    },
}

/// Why the list of models is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ModelsReason {
    /// The person asked.
    Asked,
    /// None is chosen yet.
    NoneChosen,
    /// The chosen one is not installed.
    Missing {
        /// Its name.
        name: String,
    },
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum PullState {
    /// Under way.
    Progress {
        /// The server's word for the step.
        status: String,
        /// Bytes here.
        done: u64,
        /// Bytes in all; 0 while unknown.
        total: u64,
    },
    /// Finished.
    Done,
    /// Stopped by the person. What is here stays for the next try.
    Stopped,
    /// It failed.
    Failed {
        /// Why.
        trouble: ServerError,
    },
}
