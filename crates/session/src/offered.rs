//! A group of tools that can be offered.

use agent_protocol::ToolSpec;

/// Tools that are offered together, or not.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedGroup {
    /// `core`, `plan`, `git` …
    pub name: String,
    /// Its tools, in the order in which the model is told of them.
    pub specs: Vec<ToolSpec>,
    pub on: bool,
}
