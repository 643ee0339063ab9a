//! Tools as the model knows them, and its calls.

use crate::{CallId, ModelCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool as it is offered to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name, as the model must write it.
    pub name: String,
    /// One short paragraph; every word costs prompt tokens.
    pub description: String,
    /// JSON schema of the arguments: an object schema with `properties` and `required`.
    pub parameters: Value,
}

/// A call the model made, under our own number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Ours, unique within the session.
    pub id: CallId,
    /// The call exactly as the server sent it.
    #[serde(flatten)]
    pub call: ModelCall,
}

impl ToolCall {
    /// The tool's name as the model wrote it.
    pub fn name(&self) -> &str {
        &self.call.name
    }
}
