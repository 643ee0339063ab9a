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
    /// Other names that models call it by; the model is not told them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// Tools that are offered together, or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolGroup {
    /// `core`, `plan`, `git` …
    pub name: String,
    /// Its tools, in the order in which the model is told of them; without those that the user left out.
    pub tools: Vec<String>,
    pub on: bool,
    /// Characters of their schemas.
    pub characters: u64,
    /// About so many tokens of every prompt.
    pub tokens: u64,
}

/// A call the model made, under our own number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Ours, unique within the session.
    pub id: CallId,
    /// The call exactly as the server sent it, or as it was read in what the model wrote.
    #[serde(flatten)]
    pub call: ModelCall,
    #[serde(default, skip_serializing_if = "Origin::is_plain")]
    pub origin: Origin,
}

/// How a call reached us, so that a person can see what was recognised and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub way: Way,
    /// The dialect it was written in; `None`: the server read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// What the model wrote, byte for byte; empty where the server read it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub raw: String,
    /// What had to be mended to read it, in words; empty when nothing had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
}

/// The dialect of files in an answer, which become calls.
pub const FILE_BLOCKS: &str = "file_blocks";

impl Origin {
    /// It was a file in the answer.
    pub fn is_file_block(&self) -> bool {
        self.dialect.as_deref() == Some(FILE_BLOCKS)
    }

    /// The server sent it as a call, at once.
    pub fn is_plain(&self) -> bool {
        *self == Origin::default()
    }
}

/// Ways by which a call reaches us, in the order in which they are tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The server sent it as a call.
    #[default]
    Server,
    /// It was read in the text of the reply.
    Text,
    /// It was read in the raw text that a server's error quotes.
    ServerError,
    /// The model was told what went wrong, and wrote it again.
    Retry,
    /// The server was made to keep the reply to a JSON schema of the offered tools.
    Constrained,
    /// No model made it: it came from outside.
    Outside,
    /// No model made it: the program did, so that the model has what it needs.
    Program,
    /// No model made it: it stands in what the user says, as a command in a slash command of their own, or a picture from
    /// elsewhere.
    Message,
}

impl Way {
    /// How a call came, for people.
    pub fn words(self) -> &'static str {
        match self {
            Way::Server => "by the server",
            Way::Text => "from text",
            Way::ServerError => "from a server error",
            Way::Retry => "asked again",
            Way::Constrained => "held to a schema",
            Way::Outside => "from outside",
            Way::Program => "by the program",
            Way::Message => "from your message",
        }
    }
}

impl ToolCall {
    /// The tool's name as the model wrote it.
    pub fn name(&self) -> &str {
        &self.call.name
    }
}
