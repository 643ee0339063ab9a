//! What a model server is and can do, as its own kind of back end tells of it.

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
    /// Who decides how large the windows are.
    #[serde(default, skip_serializing_if = "WindowsBy::is_request")]
    pub windows: WindowsBy,
    /// Requests that it works on at once, each with a window of its own, where it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<u64>,
    /// Is it known to refuse a prompt that does not fit, where it is asked to, instead of cutting it?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refuses_overflow: bool,
}

/// Who decides how large the windows of a server's models are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum WindowsBy {
    /// Each request asks for one.
    #[default]
    Request,
    /// The server alone, when it is started or the model is loaded; what a request asks for changes nothing.
    Server {
        /// What a person changes there for a larger one, like `--ctx-size`, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setting: Option<String>,
    },
}

impl WindowsBy {
    /// Does each request ask for its window?
    pub fn is_request(&self) -> bool {
        *self == WindowsBy::Request
    }
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
    Pull,
    /// Removes a model from its disk.
    Remove,
    /// Tells the text that it makes of a request for the model.
    Render,
}

impl Capability {
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
